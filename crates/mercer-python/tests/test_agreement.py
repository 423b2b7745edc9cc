"""The same answers as scikit-learn's."""

import numpy as np
import pytest
import sklearn.svm
from sklearn.datasets import load_diabetes
from sklearn.preprocessing import StandardScaler

import mercer


@pytest.mark.parametrize("kernel", ["rbf", "linear", "poly", "sigmoid"])
@pytest.mark.parametrize("tol, close", [(1e-3, 1e-2), (1e-6, 1e-4)])
def test_classes_and_decision_values(named_set, kernel, tol, close):
    name, X, y = named_set
    shape = {"decision_function_shape": "ovo"}
    theirs = sklearn.svm.SVC(kernel=kernel, tol=1e-3 * tol, **shape).fit(X, y)
    ours = mercer.SVC(kernel=kernel, tol=tol, **shape).fit(X, y)
    a, b = ours.decision_function(X), theirs.decision_function(X)
    assert a.shape == b.shape
    # Relative to the largest of the same pair. An indefinite kernel has more than one answer.
    size = np.abs(b).max(axis=0)
    if kernel != "sigmoid":
        assert (np.abs(a - b) <= close * size).all(), np.abs((a - b) / size).max()
        clear = (np.abs(b) > close).reshape(len(X), -1).all(axis=1)
        assert (ours.predict(X) == theirs.predict(X))[clear].all()
        assert ours.gap_ < max(30 * tol, 1e-7)
    assert abs(ours.score(X, y) - theirs.score(X, y)) < 0.1
    assert (ours.classes_ == theirs.classes_).all() and ours.status_ == "converged"


def test_attributes_have_the_shapes_and_signs_of_scikit_learn(iris, two_classes):
    for X, y in (iris, two_classes):
        for kernel in ("linear", "rbf"):
            settings = {"kernel": kernel, "tol": 1e-8, "gamma": 0.1}
            theirs, ours = sklearn.svm.SVC(**settings).fit(X, y), mercer.SVC(**settings).fit(X, y)
            assert (ours.support_ == theirs.support_).all()
            assert (ours.n_support_ == theirs.n_support_).all()
            for name in ("dual_coef_", "intercept_", "support_vectors_"):
                np.testing.assert_allclose(getattr(ours, name), getattr(theirs, name), atol=1e-4, err_msg=name)
            np.testing.assert_allclose(ours.decision_function(X), theirs.decision_function(X), atol=1e-4)
            if kernel == "linear":
                np.testing.assert_allclose(ours.coef_, theirs.coef_, atol=1e-4)
            assert ours.shape_fit_ == theirs.shape_fit_ and ours._gamma == theirs._gamma
            assert ours.n_features_in_ == theirs.n_features_in_ and ours.fit_status_ == 0


@pytest.mark.parametrize("name", ["SVR", "NuSVR"])
def test_numbers(name):
    X, y = load_diabetes(return_X_y=True)
    X, y = StandardScaler().fit_transform(X), (y - y.mean()) / y.std()
    for settings in ({}, {"kernel": "linear"}, {"C": 10.0, "gamma": 0.05}):
        theirs = getattr(sklearn.svm, name)(tol=1e-8, **settings).fit(X, y)
        ours = getattr(mercer, name)(tol=1e-8, **settings).fit(X, y)
        np.testing.assert_allclose(ours.predict(X), theirs.predict(X), atol=1e-4)
        np.testing.assert_allclose(ours.intercept_, theirs.intercept_, atol=1e-4)
        assert ours.dual_coef_.shape == theirs.dual_coef_.shape


def test_regions(two_classes):
    X, _ = two_classes
    for nu in (0.1, 0.5):
        theirs = sklearn.svm.OneClassSVM(nu=nu, tol=1e-8).fit(X)
        ours = mercer.OneClassSVM(nu=nu, tol=1e-8).fit(X)
        np.testing.assert_allclose(ours.decision_function(X), theirs.decision_function(X), atol=1e-4)
        np.testing.assert_allclose(ours.offset_, theirs.offset_, rtol=1e-4)
        assert ours.offset_.shape == theirs.offset_.shape and ours.score_samples(X).shape == (len(X),)
        np.testing.assert_allclose(ours.dual_coef_.sum(), theirs.dual_coef_.sum(), rtol=1e-6)


def test_the_sphere_of_a_normalised_kernel_is_the_half_space(two_classes):
    X, _ = two_classes
    sphere, plane = (machine(nu=0.2, tol=1e-8).fit(X) for machine in (mercer.SVDD, mercer.OneClassSVM))
    a, b = sphere.decision_function(X), plane.decision_function(X)
    assert ((a > 1e-6) == (b > 1e-6)).all()
    assert sphere.radius_ < 1.0
    np.testing.assert_allclose(sphere.score_samples(X), a - sphere.radius_**2, atol=1e-12)


def test_nu_svc(two_classes):
    X, y = two_classes
    theirs, ours = sklearn.svm.NuSVC(nu=0.3, tol=1e-9).fit(X, y), mercer.NuSVC(nu=0.3, tol=1e-6).fit(X, y)
    np.testing.assert_allclose(ours.decision_function(X), theirs.decision_function(X), atol=1e-4)


def test_probabilities_of_two_kinds(two_classes, iris):
    for X, y in (two_classes, iris):
        model = mercer.SVC(probability=True).fit(X, y)
        p = model.predict_proba(X)
        np.testing.assert_allclose(p.sum(axis=1), 1.0)
        assert (model.classes_[p.argmax(axis=1)] == model.predict(X)).all()
        assert (mercer.SVC(probability=True).fit(X, y).predict_proba(X) == p).all()
        platt = mercer.SVC(probability="platt").fit(X, y)
        pairs = len(model.classes_) * (len(model.classes_) - 1) // 2
        assert platt.probA_.shape == platt.probB_.shape == (pairs,)
        if pairs == 1:
            f = -platt.decision_function(X)
            np.testing.assert_allclose(platt.predict_proba(X)[:, 0], 1 / (1 + np.exp(platt.probA_ * f + platt.probB_)))
        assert (platt.classes_[platt.predict_proba(X).argmax(axis=1)] == y).mean() > 0.95
    assert mercer.SVC().fit(X, y).probA_.size == 0


@pytest.mark.parametrize("multi_class", ["ovo", "dag", "ovr", "weston-watkins", "crammer-singer"])
def test_ways_to_learn_more_classes(iris, multi_class):
    X, y = iris
    model = mercer.SVC(multi_class=multi_class, break_ties=True).fit(X, y)
    scores = model.decision_function(X)
    assert scores.shape == (150, 3)
    assert (model.classes_[scores.argmax(axis=1)] == model.predict(X)).all()
    assert model.score(X, y) > 0.95
