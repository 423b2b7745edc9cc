"""How much memory and work estimators take, and which kernel matrices they refuse."""

import time

import numpy as np
import pytest

import mercer

RANDOM = np.random.default_rng(0)


def test_components_of_4000_rows_fit_into_the_default_memory():
    X = RANDOM.normal(size=(4000, 3))
    model = mercer.KernelPCA().fit(X)
    assert model.eigenvalues_.shape == (3,)
    np.testing.assert_allclose(model.eigenvalues_.sum(), ((X - X.mean(axis=0)) ** 2).sum(), rtol=1e-8)


@pytest.mark.parametrize(
    ("model", "given"),
    [
        (mercer.KernelPCA(kernel="rbf"), 1),
        (mercer.KernelFisherDiscriminant(kernel="rbf"), 2),
        (mercer.RankSVM(kernel="rbf"), 2),
        (mercer.OrdinalSVM(kernel="rbf"), 2),
        (mercer.KernelCCA(kernel="rbf"), 2),
    ],
    ids=lambda part: type(part).__name__,
)
def test_what_does_not_fit_names_the_parameter_that_decides(model, given):
    X = RANDOM.normal(size=(600, 3))
    arguments = {1: (X,), 2: (X, (X[:, 0] > 0).astype(int))}[given]
    if isinstance(model, mercer.KernelCCA):
        arguments = (X, X)
    with pytest.raises(MemoryError, match=r"needs \d+ bytes and the budget allows 524288: .*the parameter memory"):
        model.set_params(memory=0.5).fit(*arguments)
    assert model.set_params(memory=100).fit(*arguments).n_features_in_ == 3


@pytest.mark.alone
def test_networks_take_as_much_work_as_there_are_rows():
    def seconds(n):
        X = np.random.default_rng(1).normal(size=(n, 10))
        y = (X[:, 0] * X[:, 1] > 0).astype(int)
        found = []
        for _ in range(3):
            # Of this process alone: other programs on the machine do not count.
            begun = time.process_time()
            mercer.RBFNetwork(50, n_init=1, random_state=0, n_jobs=1).fit(X, y)
            found.append(time.process_time() - begun)
        return min(found)

    seconds(500)
    few, many = seconds(4000), seconds(16_000)
    # Four times as many rows: 64 times the work if it were n³, 16 times if it were n².
    assert many < 11 * few
    assert few < 2.0


def indefinite(n=60):
    """XXᵀ with all eigenvalues 5 lower."""
    X = np.random.default_rng(2).normal(size=(n, 3))
    return X @ X.T - 5 * np.eye(n), X


@pytest.mark.parametrize("components", [None, 2])
def test_components_of_a_matrix_with_negative_eigenvalues_are_refused(components):
    K, _ = indefinite()
    with pytest.raises(ValueError, match="not positive semi-definite: it has an eigenvalue of -5"):
        mercer.KernelPCA(components, kernel="precomputed").fit(K)
    # Rounding is forgiven, as by scikit-learn.
    K = K + 5 * np.eye(len(K)) - 1e-13 * np.eye(len(K))
    assert len(mercer.KernelPCA(components, kernel="precomputed").fit(K).eigenvalues_) >= 2


@pytest.mark.parametrize("seen", [True, False])
def test_least_squares_directions_of_a_matrix_with_negative_eigenvalues_are_refused(seen):
    K, X = indefinite()
    # A column of X is orthogonal to all that is negative.
    y = np.sin(np.arange(len(K))) if seen else X[:, 0]
    with pytest.raises(ValueError, match="not positive semi-definite: it has an eigenvalue of -[45]"):
        mercer.KernelPLS(kernel="precomputed").fit(K, y)
    K = K + 5 * np.eye(len(K)) - 1e-13 * np.eye(len(K))
    assert mercer.KernelPLS(kernel="precomputed").fit(K, y).predict(K).shape == (len(K),)
