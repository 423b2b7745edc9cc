"""`bounds()` of linear machines and ridges: the theorems by hand, and those of machines with the linear kernel."""

import numpy as np
import pytest
import scipy.sparse as sp

import mercer

LUCK = 3 * np.sqrt(np.log(2 / 0.05) / 2)


def named(bounds, theorem):
    (found,) = [bound for bound in bounds if bound["theorem"].endswith(theorem)]
    return found


@pytest.fixture
def clouds():
    random = np.random.default_rng(0)
    y = np.arange(600) % 2
    return random.normal(size=(600, 2)) + 2.0 * y[:, None], y


@pytest.mark.parametrize("loss", ["hinge", "squared_hinge"])
def test_margins_of_a_linear_classifier(clouds, loss):
    X, y = clouds
    model = mercer.LinearSVC(loss=loss, intercept_scaling=2.0, max_iter=10_000).fit(X, y)
    rows = np.column_stack([X, np.full(len(X), 2.0)])
    w = np.append(model.coef_[0], model.intercept_ / 2.0)
    margin = 1 / np.linalg.norm(w)
    slack = np.maximum(0, 1 - np.where(y == 1, 1, -1) * (rows @ w)) * margin
    n, trace = len(X), (rows**2).sum()
    bounds = model.bounds()
    soft = slack.sum() / (n * margin) + 4 * np.sqrt(trace) / (n * margin) + LUCK / np.sqrt(n)
    assert named(bounds, "(7.8)")["value"] == pytest.approx(soft)
    assert named(bounds, "7.22")["value"] is None and "wrong side" in named(bounds, "7.22")["because"]
    assert {bound["of"] for bound in bounds} == {"0 against 1"}
    # Chosen from ten values, it promises less.
    assert named(model.bounds(choices=10), "(7.8)")["value"] > soft
    other = mercer.LinearSVC(loss=loss, intercept_scaling=2.0, max_iter=10_000).fit(sp.csr_matrix(X), y).bounds()
    assert named(other, "(7.8)")["value"] == pytest.approx(soft, rel=1e-6)
    with pytest.raises(ValueError, match="gamma is for regressions"):
        model.bounds(gamma=1.0)
    with pytest.raises(ValueError, match="delta = 2"):
        model.bounds(2.0)


def test_many_classes_and_files(clouds, tmp_path):
    X, y = clouds
    three = np.where(X[:, 0] > 3, 2, y)
    model = mercer.LinearSVC().fit(X, three)
    assert {bound["of"] for bound in model.bounds()} == {f"{kind} against the rest" for kind in range(3)}
    with pytest.raises(ValueError, match="learns all at once"):
        mercer.LinearSVC(multi_class="crammer_singer").fit(X, three).bounds()
    model.save(tmp_path / "m.mercer")
    assert mercer.load(tmp_path / "m.mercer").bounds() == model.bounds()
    weights = np.r_[np.ones(300), np.zeros(300)]
    half, whole = (m.bounds()[1]["value"] for m in (mercer.LinearSVC().fit(X, y, weights), mercer.LinearSVC().fit(X[:300], y[:300])))
    assert half == pytest.approx(whole, rel=1e-3)


def test_regressions(clouds):
    X, _ = clouds
    y = X @ [1.0, -2.0]
    linear = mercer.LinearSVR(fit_intercept=False, epsilon=0.1, C=10.0, tol=1e-8, max_iter=100_000).fit(X, y)
    residuals = y - linear.predict(X)
    norm, trace, n = np.linalg.norm(linear.coef_), (X**2).sum(), len(X)
    slack = np.maximum(0, np.abs(residuals) - 0.1).sum()
    bound = named(linear.bounds(gamma=2.0), "7.49")
    expected = slack / (n * 1.9) + 4 * norm * np.sqrt(trace) / (n * 1.9) + LUCK / np.sqrt(n)
    assert bound["value"] == pytest.approx(expected, rel=1e-6) and bound["gamma"] == 2.0
    # A ridge with the linear kernel is another such function.
    for kernel, rows in (("linear", X), ("precomputed", X @ X.T), (lambda a, b: a @ b.T, X)):
        ridge = mercer.KernelRidge(alpha=5.0, kernel=kernel).fit(rows, y)
        w = np.linalg.solve(X.T @ X + 5.0 * np.eye(2), X.T @ y)
        norm, radius = np.linalg.norm(w), np.sqrt((X**2).sum(axis=1).max())
        reach = max(norm, np.abs(y).max() / radius)
        squares = ((y - X @ w) ** 2).mean()
        expected = squares + 16 * radius * reach * (reach * np.sqrt(trace) + np.linalg.norm(y)) / n
        expected += 12 * (radius * reach) ** 2 * np.sqrt(np.log(2 / 0.05) / (2 * n))
        assert named(ridge.bounds(), "7.39")["value"] == pytest.approx(expected, rel=1e-6)
    two = mercer.KernelRidge(kernel="rbf").fit(X, np.column_stack([y, 2 * y]))
    assert {bound["of"] for bound in two.bounds()} == {"target 0", "target 1"}
