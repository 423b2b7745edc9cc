"""Ridge regression, principal components and Gaussian processes: what scikit-learn's own say of the same rows."""

import pickle

import numpy as np
import pytest
import scipy.sparse as sp
from sklearn.base import clone
from sklearn.decomposition import KernelPCA as TheirPCA
from sklearn.exceptions import NotFittedError
from sklearn.gaussian_process import GaussianProcessRegressor as TheirProcess
from sklearn.gaussian_process.kernels import RBF, ConstantKernel, WhiteKernel
from sklearn.kernel_ridge import KernelRidge as TheirRidge
from sklearn.model_selection import GridSearchCV, KFold

from mercer import GaussianProcessRegressor, KernelPCA, KernelRidge, kernels

RANDOM = np.random.default_rng(0)
X = RANDOM.normal(size=(80, 4))
Y = np.column_stack([np.sin(X[:, 0]), X[:, 1] + 0.1 * RANDOM.normal(size=80)])
NEW = RANDOM.normal(size=(7, 4))

NAMED = [
    {"kernel": "linear"},
    {"kernel": "rbf", "gamma": 0.3},
    {"kernel": "rbf"},
    {"kernel": "poly", "degree": 2, "coef0": 0.5},
    {"kernel": "laplacian"},
    {"kernel": "cosine"},
    {"kernel": "sigmoid", "gamma": 0.01},
]


@pytest.mark.parametrize("kernel", NAMED)
@pytest.mark.parametrize("alpha", [0.5, [0.1, 2.0]])
def test_ridge_is_scikit_learns(kernel, alpha):
    weights = RANDOM.random(80)
    ours = KernelRidge(alpha=alpha, **kernel).fit(X, Y, sample_weight=weights)
    theirs = TheirRidge(alpha=alpha, **kernel).fit(X, Y, sample_weight=weights)
    np.testing.assert_allclose(ours.dual_coef_, theirs.dual_coef_, rtol=1e-6, atol=1e-8)
    np.testing.assert_allclose(ours.predict(NEW), theirs.predict(NEW), rtol=1e-7, atol=1e-9)


def test_ridge_on_histograms():
    rows, new = np.abs(X), np.abs(NEW)
    options = {"kernel": "chi2", "gamma": 0.5, "alpha": 0.1}
    expected = TheirRidge(**options).fit(rows, Y).predict(new)
    np.testing.assert_allclose(KernelRidge(**options).fit(rows, Y).predict(new), expected, rtol=1e-7)
    # Its values are not those of a positive definite matrix, which is told.
    with pytest.raises(ValueError, match="not positive definite"):
        KernelRidge(kernel="additive_chi2").fit(rows, Y)


def test_ridge_takes_objects_callables_values_and_sparse_rows():
    expected = TheirRidge(kernel="rbf", gamma=0.3).fit(X, Y).predict(NEW)

    def same(model, rows=X, new=NEW):
        np.testing.assert_allclose(model.fit(rows, Y).predict(new), expected, rtol=1e-8)

    same(KernelRidge(kernel=kernels.Gaussian(gamma=0.3)))
    of_pairs = kernels.Pairwise(lambda x, z, width: np.exp(-width * ((x - z) ** 2).sum()))
    same(KernelRidge(kernel=of_pairs, kernel_params={"width": 0.3}))
    same(KernelRidge(kernel=lambda A, B, width: kernels.Gaussian(gamma=width)(A, B), kernel_params={"width": 0.3}))
    values = kernels.Gaussian(gamma=0.3)
    same(KernelRidge(kernel="precomputed"), values(X), values(NEW, X))
    same(KernelRidge(kernel="rbf", gamma=0.3), sp.csr_matrix(X), sp.csr_matrix(NEW))
    same(KernelRidge(kernel="rbf", gamma=0.3, n_jobs=1))


def test_ridge_says_how_it_solved():
    small = KernelRidge(kernel="rbf", memory=0.03).fit(X, Y)
    assert small.method_ == "ConjugateGradient"
    np.testing.assert_allclose(small.predict(NEW), KernelRidge(kernel="rbf").fit(X, Y).predict(NEW), rtol=1e-5)
    singular = KernelRidge(alpha=0.0).fit(X, Y)
    assert singular.method_ == "Cholesky" and singular.jitter_ > 0
    with pytest.raises(ValueError, match="values of lambda"):
        KernelRidge(alpha=[1.0, 2.0, 3.0]).fit(X, Y)


# scikit-learn's own has no "laplacian".
@pytest.mark.parametrize("kernel", [kernel for kernel in NAMED if kernel["kernel"] not in ("laplacian", "sigmoid")])
def test_components_are_scikit_learns(kernel):
    ours = KernelPCA(3, **kernel).fit(X)
    theirs = TheirPCA(3, eigen_solver="dense", **kernel).fit(X)
    np.testing.assert_allclose(ours.eigenvalues_, theirs.eigenvalues_, rtol=1e-9)
    np.testing.assert_allclose(ours.transform(NEW), theirs.transform(NEW), atol=1e-7)
    np.testing.assert_allclose(ours.fit_transform(X), theirs.fit_transform(X), atol=1e-7)


@pytest.mark.parametrize("kernel", [kernel for kernel in NAMED if kernel["kernel"] == "sigmoid"])
def test_kernels_that_are_not_positive_semidefinite_have_no_components(kernel):
    with pytest.raises(ValueError, match="significant negative eigenvalues"):
        TheirPCA(eigen_solver="dense", **kernel).fit(X)
    # scikit-learn looks at the eigenvalues of the components that are asked for only.
    for components in (None, 3):
        with pytest.raises(ValueError, match="not positive semi-definite: it has an eigenvalue of -"):
            KernelPCA(components, **kernel).fit(X)


def test_components_go_back():
    options = {"kernel": "rbf", "gamma": 0.1, "fit_inverse_transform": True, "alpha": 0.01}
    ours, theirs = KernelPCA(5, **options).fit(X), TheirPCA(5, eigen_solver="dense", **options).fit(X)
    back = ours.inverse_transform(ours.transform(NEW))
    np.testing.assert_allclose(back, theirs.inverse_transform(theirs.transform(NEW)), atol=1e-6)
    with pytest.raises(NotFittedError):
        KernelPCA(2).fit(X).inverse_transform([[0.0, 0.0]])


def test_reconstruction_errors_are_those_of_the_definition():
    model = KernelPCA(2, kernel="rbf", gamma=0.1).fit(X)
    kernel = kernels.Gaussian(gamma=0.1)
    values, own = kernel(NEW, X), kernel(X)
    size = 1 - 2 * values.mean(axis=1) + own.mean()
    expected = size - (model.transform(NEW) ** 2).sum(axis=1)
    np.testing.assert_allclose(model.reconstruction_error(NEW), expected, atol=1e-10)
    assert model.explained_variance_ratio_.sum() < 1
    with pytest.raises(ValueError, match="how long"):
        KernelPCA(2, kernel="precomputed").fit(own).reconstruction_error(values)


THEIR_KERNEL = ConstantKernel(1.0) * RBF(np.ones(4)) + WhiteKernel(0.1)
OUR_KERNEL = 1.0 * kernels.Gaussian(length_scale=[1.0, 1.0, 1.0, 1.0]) + kernels.White(0.1)


def test_a_process_that_learns_is_as_likely_as_scikit_learns():
    y = Y[:, 0] + 0.1 * RANDOM.normal(size=80)
    ours = GaussianProcessRegressor(OUR_KERNEL, normalize_y=True).fit(X, y)
    theirs = TheirProcess(THEIR_KERNEL, normalize_y=True).fit(X, y)
    assert ours.log_marginal_likelihood_value_ > theirs.log_marginal_likelihood_value_ - 1e-3
    mean, deviation = ours.predict(NEW, return_std=True)
    expected = theirs.predict(NEW, return_std=True)
    np.testing.assert_allclose(mean, expected[0], atol=0.02)
    np.testing.assert_allclose(deviation, expected[1], atol=0.02)


@pytest.mark.parametrize("targets", [Y[:, 0], Y])
def test_a_fixed_process_is_scikit_learns(targets):
    ours = GaussianProcessRegressor(OUR_KERNEL, optimizer=None, normalize_y=True).fit(X, targets)
    theirs = TheirProcess(THEIR_KERNEL, optimizer=None, normalize_y=True).fit(X, targets)
    assert np.isclose(ours.log_marginal_likelihood_value_, theirs.log_marginal_likelihood_value_)
    for options in ({"return_std": True}, {"return_cov": True}):
        for mine, other in zip(ours.predict(NEW, **options), theirs.predict(NEW, **options)):
            np.testing.assert_allclose(mine, other, atol=1e-7)
    np.testing.assert_allclose(ours.L_, theirs.L_, atol=1e-8)
    np.testing.assert_allclose(ours.alpha_, theirs.alpha_, atol=1e-6)
    np.testing.assert_allclose(ours.y_train_, theirs.y_train_, atol=1e-10)
    assert ours.sample_y(NEW, 3).shape == theirs.sample_y(NEW, 3).shape


def test_a_process_before_any_fit():
    model = GaussianProcessRegressor(2.0 * kernels.Gaussian(length_scale=1.0))
    mean, deviation = model.predict(NEW, return_std=True)
    assert not mean.any() and np.allclose(deviation, np.sqrt(2.0))
    drawn = model.sample_y(NEW[:1], 20_000)
    assert abs(drawn.var() - 2.0) < 0.1 and model.sample_y(NEW, 2, random_state=3).shape == (7, 2)


@pytest.mark.parametrize(
    "model",
    [KernelRidge(kernel="rbf"), KernelPCA(2, kernel="rbf"), GaussianProcessRegressor(OUR_KERNEL)],
    ids=lambda model: type(model).__name__,
)
def test_pickles_say_the_same(model):
    model = clone(model).fit(X, Y[:, 0])
    again = pickle.loads(pickle.dumps(model))
    method = "transform" if isinstance(model, KernelPCA) else "predict"
    np.testing.assert_array_equal(getattr(again, method)(NEW), getattr(model, method)(NEW))


def test_ridge_is_tuned_as_by_a_grid_search():
    rng = np.random.default_rng(3)
    rows = rng.uniform(0, 3, size=(120, 2))
    y = np.sin(2 * rows[:, 0]) + 0.1 * rng.normal(size=120)
    grid = {"alpha": [0.01, 1.0, 100.0], "gamma": [0.01, 1.0]}
    folds = KFold(4, shuffle=True, random_state=0)
    model = KernelRidge(kernel="rbf").tune(rows, y, grid, cv=folds, exhaustive=True)
    peer = GridSearchCV(TheirRidge(kernel="rbf"), grid, cv=folds).fit(rows, y)
    assert model.best_params_ == peer.best_params_
    np.testing.assert_allclose(model.cv_results_["mean_test_score"], peer.cv_results_["mean_test_score"], rtol=1e-6)
    # What is tried if nothing is said does no worse than the defaults.
    best = KernelRidge(kernel="rbf").tune(rows, y, cv=folds)
    assert best.best_score_ > 0.9 and set(best.best_params_) == {"alpha", "gamma"}
