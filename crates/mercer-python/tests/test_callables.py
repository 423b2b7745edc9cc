"""Kernels that are functions of Python's: one convention for all estimators."""

import pickle

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.metrics.pairwise import rbf_kernel
from sklearn.model_selection import cross_val_score

import mercer
from mercer.kernels import Gaussian, Pairwise, Spectrum

RANDOM = np.random.default_rng(4)
X = RANDOM.normal(size=(24, 3))
NEW = RANDOM.normal(size=(7, 3))
Y = (X[:, 0] > 0) + 0.0
MACHINES = [
    mercer.SVC(),
    mercer.NuSVC(nu=0.3),
    mercer.SVR(),
    mercer.NuSVR(),
    mercer.OneClassSVM(nu=0.3),
    mercer.KernelRidge(alpha=0.1),
    mercer.KernelPCA(2),
    mercer.LSSVC(),
    mercer.KernelFisherDiscriminant(),
    mercer.BayesPointMachine(random_state=0),
    mercer.RVC(),
    mercer.RVR(),
    mercer.KernelPLS(2),
    mercer.RankSVM(),
    mercer.OrdinalSVM(),
    mercer.KernelKMeans(2, random_state=0),
    mercer.KernelPerceptron(),
    mercer.PassiveAggressiveClassifier(),
    mercer.PassiveAggressiveRegressor(),
    mercer.OnlineSVR(),
    mercer.PRank(),
    mercer.IncrementalSVC(),
]


def of_matrices(A, B):
    return rbf_kernel(A, B, gamma=0.3)


def of_pairs(a, b):
    return np.exp(-0.3 * ((a - b) ** 2).sum())


def asked(model):
    return next(getattr(model, name) for name in ("decision_function", "transform", "predict") if hasattr(model, name))(NEW)


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
@pytest.mark.parametrize("machine", MACHINES, ids=lambda machine: type(machine).__name__)
def test_every_estimator_calls_a_kernel_with_two_matrices(machine):
    expected = asked(clone(machine).set_params(kernel=Gaussian(gamma=0.3)).fit(X, Y))
    for kernel in (of_matrices, Pairwise(of_pairs)):
        found = clone(machine).set_params(kernel=kernel).fit(X, Y)
        np.testing.assert_allclose(np.abs(asked(found)), np.abs(expected), rtol=1e-3, atol=2e-3)
    again = pickle.loads(pickle.dumps(found))
    np.testing.assert_array_equal(asked(again), asked(found))


@pytest.mark.parametrize("machine", MACHINES, ids=lambda machine: type(machine).__name__)
def test_every_estimator_refuses_a_function_of_two_rows(machine):
    with pytest.raises(ValueError, match="Pairwise makes one of a function of two items"):
        clone(machine).set_params(kernel=of_pairs).fit(X, Y)


def test_what_is_no_estimator_has_the_same_convention():
    for kernel in (of_matrices, Pairwise(of_pairs)):
        expected = mercer.SpectralClustering(2, affinity=Gaussian(gamma=0.3), random_state=0).fit(X).labels_
        assert (mercer.SpectralClustering(2, affinity=kernel, random_state=0).fit(X).labels_ == expected).all()
        expected = mercer.mmd_test(X[:12], X[12:], kernel=Gaussian(gamma=0.3), random_state=0)
        found = mercer.mmd_test(X[:12], X[12:], kernel=kernel, random_state=0)
        assert found.statistic == pytest.approx(expected.statistic) and found.p_value == expected.p_value
        views = mercer.KernelCCA(1, kernel=kernel).fit(X, X[:, :2])
        expected = mercer.KernelCCA(1, kernel=Gaussian(gamma=0.3)).fit(X, X[:, :2])
        np.testing.assert_allclose(views.correlations_, expected.correlations_, rtol=1e-6)
        assert (mercer.prototypes(X, 3, kernel=kernel)[0] == mercer.prototypes(X, 3, kernel=Gaussian(gamma=0.3))[0]).all()
    for refused in (
        lambda: mercer.SpectralClustering(2, affinity=of_pairs).fit(X),
        lambda: mercer.mmd_test(X, NEW, kernel=of_pairs),
        lambda: mercer.KernelCCA(1, kernel=of_pairs).fit(X, X),
        lambda: mercer.prototypes(X, 3, kernel=of_pairs),
        lambda: mercer.clean(X, Y, kernel=of_pairs),
        lambda: mercer.ActiveLearner(X, [0, 1], kernel=of_pairs),
    ):
        with pytest.raises(ValueError, match="Pairwise makes one of a function of two items"):
            refused()


def test_an_error_of_the_function_itself_comes_with_the_convention():
    def strict(a, b):
        return float(a @ b)

    for machine in (mercer.SVC(kernel=strict), mercer.KernelRidge(kernel=strict)):
        with pytest.raises(ValueError) as raised:
            machine.fit(X, Y)
        if hasattr(raised.value, "__notes__"):
            assert "Pairwise makes one" in raised.value.__notes__[0]


def test_pairs_of_items():
    words = ["gattaca", "ccacca", "gatta", "cacca"] * 3
    y = ["g", "c"] * 6
    kernel = Pairwise(lambda a, b: Spectrum(k=2)([a], [b])[0, 0])
    np.testing.assert_array_equal(kernel(words[:4]), Spectrum(k=2)(words[:4]))
    assert mercer.SVC(kernel=kernel).fit(words, y).predict(["gat", "cca"]).tolist() == ["g", "c"]
    assert cross_val_score(mercer.SVC(kernel=kernel), words, y, cv=3).mean() == 1.0
    with pytest.raises(TypeError, match="a function of two sets of items that returns a matrix is a kernel by itself"):
        Pairwise(lambda a, b: np.outer(a, b))(X)
    with pytest.raises(TypeError, match="takes a function of two items, not float"):
        Pairwise(1.0)
    assert Pairwise(of_pairs) == Pairwise(of_pairs) != Pairwise(of_matrices)
    assert "of_pairs" in repr(Pairwise(of_pairs))
