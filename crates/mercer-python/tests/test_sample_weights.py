"""A row of weight w is w rows, one of weight 0 is none: estimators that factorise the kernel matrix."""

import inspect
import pickle
from pathlib import Path

import numpy as np
import pytest
from sklearn import config_context
from sklearn.base import clone
from sklearn.cluster import KMeans

import mercer
from mercer import kernels

RNG = np.random.default_rng(4)
X = 3.0 * RNG.random((50, 2))
NUMBERS = np.sin(2.0 * X[:, 0]) + X[:, 1] + 0.1 * RNG.normal(size=50)
LEVELS = np.round(NUMBERS)
CLASSES = np.array(["a", "b", "c"])[(NUMBERS > 1).astype(int) + (NUMBERS > 2)]
WEIGHTS = np.arange(50) * 7 % 4
COVARIANCE = 2.0 * kernels.Gaussian(length_scale=1.0) + kernels.White(0.05)

CASES = [
    (mercer.GaussianProcessRegressor(COVARIANCE, alpha=0.02, optimizer=None, normalize_y=True), NUMBERS),
    (mercer.GaussianProcessRegressor(COVARIANCE, alpha=0.02, normalize_y=True), NUMBERS),
    (mercer.GaussianProcessRegressor(COVARIANCE, alpha=0.02, optimizer=None, rank=9), NUMBERS),
    (mercer.GaussianProcessClassifier(2.0 * kernels.Gaussian(length_scale=1.0)), CLASSES),
    (mercer.KernelFisherDiscriminant(kernel="rbf"), CLASSES),
    (mercer.LSSVC(kernel="rbf"), CLASSES),
    (mercer.RVC(kernel="rbf", tol=1e-7), CLASSES),
    (mercer.RVR(kernel="rbf", tol=1e-7), NUMBERS),
    (mercer.OrdinalSVM(kernel="rbf", tol=1e-9), LEVELS),
    (mercer.RankSVM(kernel="rbf", tol=1e-9), LEVELS),
    (mercer.RBFNetwork(3, n_init=50, random_state=0), CLASSES),
    (mercer.RBFNetworkRegressor(3, n_init=50, random_state=0), NUMBERS),
]


def answers(model):
    for name in ("predict_proba", "decision_function", "decision_values"):
        if hasattr(model, name):
            values = getattr(model, name)(X)
            return values - model.thresholds_[0] if name == "decision_values" else values
    return model.predict(X)


@pytest.mark.parametrize("model, y", CASES)
def test_whole_weights_are_repeated_rows(model, y):
    rows = np.repeat(np.arange(50), WEIGHTS)
    weighted = clone(model).fit(X, y, sample_weight=WEIGHTS)
    repeated = clone(model).fit(X[rows], y[rows])
    np.testing.assert_allclose(answers(weighted), answers(repeated), rtol=1e-3, atol=1e-3)
    # Without them it is another model.
    assert abs(answers(clone(model).fit(X, y)) - answers(repeated)).max() > 1e-2
    alone = clone(model).fit(X[WEIGHTS > 0], y[WEIGHTS > 0], sample_weight=WEIGHTS[WEIGHTS > 0])
    np.testing.assert_allclose(answers(weighted), answers(alone), rtol=1e-3, atol=1e-3)


@pytest.mark.parametrize("model, y", CASES)
def test_weights_are_checked_and_metadata_is_routed(model, y):
    for wrong, words in [
        (np.r_[np.nan, np.ones(49)], "NaN or infinity"),
        (np.ones(49), "one weight per row"),
        (np.zeros(50), "zero or negative"),
    ]:
        with pytest.raises(ValueError, match=words):
            clone(model).fit(X, y, sample_weight=wrong)
    with config_context(enable_metadata_routing=True):
        requests = clone(model).set_fit_request(sample_weight=True).get_metadata_routing().fit.requests
    assert requests["sample_weight"] is True


def test_a_process_keeps_its_weights():
    model = mercer.GaussianProcessRegressor(COVARIANCE, alpha=0.02, optimizer=None, normalize_y=True)
    model.fit(X, NUMBERS, sample_weight=WEIGHTS)
    assert len(model.X_train_) == len(model.y_train_) == len(model.alpha_) == np.count_nonzero(WEIGHTS)
    value, slopes = model.log_marginal_likelihood(model.theta_, eval_gradient=True)
    assert value == pytest.approx(model.log_marginal_likelihood_value_, rel=1e-9)
    for at in range(len(slopes)):
        step = 1e-5 * np.eye(len(slopes))[at]
        above, below = (model.log_marginal_likelihood(model.theta_ + sign * step) for sign in (1, -1))
        assert slopes[at] == pytest.approx((above - below) / 2e-5, rel=1e-4, abs=1e-4)
    again = pickle.loads(pickle.dumps(model))
    for a, b in zip(again.predict(X, return_std=True), model.predict(X, return_std=True)):
        np.testing.assert_array_equal(a, b)


def test_a_classifying_process_keeps_its_weights():
    y = NUMBERS > 1.5
    model = mercer.GaussianProcessClassifier(2.0 * kernels.Gaussian(length_scale=1.0)).fit(X, y, WEIGHTS)
    assert model.log_marginal_likelihood(model.theta_) == pytest.approx(model.log_marginal_likelihood_value_, rel=1e-9)


def test_clusters_are_those_of_k_means():
    middles = np.array([[0.0, 0.0], [9.0, 1.0], [2.0, 8.0]])
    points = middles[np.arange(60) % 3] + RNG.normal(size=(60, 2))
    weights = RNG.random(60) * (np.arange(60) % 5 > 0)
    points[0] = 500.0
    found = mercer.KernelKMeans(3, random_state=0).fit(points, sample_weight=weights)
    expected = KMeans(3, n_init=20, random_state=0).fit(points, sample_weight=weights)
    assert found.inertia_ == pytest.approx(expected.inertia_, rel=1e-8)
    assert (found.predict(points) == found.labels_).all()
    same = found.labels_[:, None] == found.labels_
    assert (same == (expected.labels_[:, None] == expected.labels_)).all()


def test_classes_without_weight_are_not_there():
    weights = np.where(CLASSES == "c", 0.0, 1.0)
    for model, y in CASES:
        if y is CLASSES:
            assert clone(model).fit(X, y, sample_weight=weights).classes_.tolist() == ["a", "b"]


def test_the_readme_names_who_has_weights():
    text = (Path(__file__).parent.parent / "README.md").read_text()
    begin = text.index("**Sample weights are repeated rows.**")
    takes, rest = text[begin:].split("Without weights are the", 1)
    lacks = rest.split("As rows count", 1)[0]
    for name in mercer.__all__:
        fit = getattr(getattr(mercer, name), "fit", None)
        if fit is not None:
            weighs = "sample_weight" in inspect.signature(fit).parameters
            assert f"`{name}`" in (takes if weighs else lacks), name
