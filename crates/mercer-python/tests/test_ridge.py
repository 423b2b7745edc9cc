"""Ridge regression beyond scikit-learn's: an intercept, leave-one-out and paths; and weights of the least-squares machine."""

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.linear_model import Ridge

import mercer
from mercer import LSSVC, KernelRidge

RANDOM = np.random.default_rng(4)
X = RANDOM.normal(size=(40, 3))
Y = np.column_stack([np.sin(X[:, 0]) + 3.0, X[:, 1] * X[:, 2]])
WEIGHTS = RANDOM.integers(0, 4, size=40).astype(float)


@pytest.mark.parametrize("weights", [None, WEIGHTS], ids=["equal", "weighted"])
@pytest.mark.parametrize("targets", [Y[:, 0], Y], ids=["one target", "two targets"])
def test_an_intercept_is_that_of_a_linear_regression(weights, targets):
    ours = KernelRidge(alpha=0.7, fit_intercept=True).fit(X, targets, sample_weight=weights)
    theirs = Ridge(alpha=0.7).fit(X, targets, sample_weight=weights)
    np.testing.assert_allclose(ours.intercept_, theirs.intercept_, rtol=1e-9)
    np.testing.assert_allclose(ours.predict(X), theirs.predict(X), rtol=1e-9)
    assert np.all(np.asarray(KernelRidge(alpha=0.7).fit(X, targets).intercept_) == 0)


def left_out(model, targets, weights):
    """The same by training without each row."""
    said = np.empty_like(targets)
    for row in range(len(X)):
        rest = np.arange(len(X)) != row
        fitted = clone(model).fit(X[rest], targets[rest], sample_weight=None if weights is None else weights[rest])
        said[row] = fitted.predict(X[row : row + 1])[0]
    return said


@pytest.mark.parametrize("weights", [None, WEIGHTS + 0.5], ids=["equal", "weighted"])
@pytest.mark.parametrize("offset", [False, True])
def test_leave_one_out_is_that_of_trainings(offset, weights):
    model = KernelRidge(alpha=[0.3, 1.2], kernel="rbf", gamma=0.5, fit_intercept=offset).fit(X, Y, sample_weight=weights)
    np.testing.assert_allclose(model.leave_one_out(), left_out(model, Y, weights), rtol=1e-7, atol=1e-9)
    one = KernelRidge(alpha=0.3, kernel="rbf", gamma=0.5, fit_intercept=offset).fit(X, Y[:, 0], sample_weight=weights)
    np.testing.assert_allclose(one.leave_one_out(), model.leave_one_out()[:, 0], rtol=1e-9)


def test_parameters_are_named_as_they_are():
    with pytest.raises(ValueError, match="alpha = 0: leave_one_out"):
        KernelRidge(alpha=0.0, kernel="rbf", gamma=0.5).fit(X, Y).leave_one_out()
    for alphas, problem in [([1.0, -1.0], r"alphas\[1\] = -1"), ([[1.0, 2.0]], "shape"), ([], "shape")]:
        with pytest.raises(ValueError, match=problem):
            KernelRidge().path(X, Y, alphas)


def test_leave_one_out_of_kernel_values_and_items():
    values = mercer.kernels.Gaussian(gamma=0.5)(X)
    expected = KernelRidge(alpha=0.3, kernel="rbf", gamma=0.5).fit(X, Y).leave_one_out()
    np.testing.assert_allclose(KernelRidge(alpha=0.3, kernel="precomputed").fit(values, Y).leave_one_out(), expected, rtol=1e-9)
    words = ["gattaca", "gatgat", "tagtag", "ccacca", "cacacc"]
    assert KernelRidge(kernel=mercer.kernels.Spectrum(k=2)).fit(words, np.arange(5.0)).leave_one_out().shape == (5,)


@pytest.mark.parametrize("targets", [Y[:, 0], Y], ids=["one target", "two targets"])
def test_a_path_is_one_regression_after_the_other(targets):
    alphas = [0.01, 0.3, 5.0]
    model = KernelRidge(kernel="rbf", gamma=0.5, fit_intercept=True)
    path = model.path(X, targets, alphas, sample_weight=WEIGHTS)
    for at, alpha in enumerate(alphas):
        one = clone(model).set_params(alpha=alpha).fit(X, targets, sample_weight=WEIGHTS)
        np.testing.assert_allclose(path["dual_coef"][at], one.dual_coef_, rtol=1e-6, atol=1e-9)
        np.testing.assert_allclose(path["intercept"][at], one.intercept_, rtol=1e-8)
        np.testing.assert_allclose(path["left_out"][at], one.leave_one_out(), rtol=1e-8)
        squares = ((one.leave_one_out() - targets) ** 2).reshape(40, -1).mean(axis=1)
        assert path["left_out_error"][at] == pytest.approx(np.average(squares, weights=WEIGHTS))
    assert not hasattr(model, "dual_coef_")


def test_a_regression_with_an_intercept_comes_back(tmp_path):
    model = KernelRidge(alpha=0.3, kernel="rbf", gamma=0.5, fit_intercept=True).fit(X, Y)
    model.save(tmp_path / "ridge.json")
    again = mercer.load(tmp_path / "ridge.json")
    assert again.fit_intercept
    np.testing.assert_array_equal(again.predict(X), model.predict(X))
    np.testing.assert_array_equal(again.intercept_, model.intercept_)
    with pytest.raises(ValueError, match="not in the file"):
        again.leave_one_out()
    assert model.bounds()[0]["value"] > 0


def test_rows_of_a_weight_count_so_often():
    classes = np.digitize(Y[:, 0], [2.6, 3.4])
    often = np.repeat(np.arange(40), WEIGHTS.astype(int))
    weighted = LSSVC(kernel="rbf", gamma=0.5).fit(X, classes, sample_weight=WEIGHTS)
    repeated = LSSVC(kernel="rbf", gamma=0.5).fit(X[often], classes[often])
    np.testing.assert_allclose(weighted.decision_function(X), repeated.decision_function(X), rtol=1e-7, atol=1e-9)
    # A class that has no weight is none.
    assert LSSVC().fit(X, classes, sample_weight=(classes != 1).astype(float)).classes_.tolist() == [0, 2]
