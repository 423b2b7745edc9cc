"""Machines that learn from the kernel matrix alone: against scikit-learn, closed forms and themselves on other inputs."""

import pickle

import numpy as np
import pytest
import scipy.sparse as sp
from sklearn.cluster import KMeans
from sklearn.cross_decomposition import PLSRegression
from sklearn.datasets import load_iris, make_circles
from sklearn.exceptions import ConvergenceWarning
from sklearn.gaussian_process import GaussianProcessClassifier as TheirProcess
from sklearn.gaussian_process.kernels import RBF, ConstantKernel
from sklearn.metrics import adjusted_rand_score
from sklearn.metrics.pairwise import rbf_kernel

import mercer
from mercer import kernels

RANDOM = np.random.default_rng(0)
X = RANDOM.normal(size=(60, 3))
NUMBERS = np.sin(X[:, 0]) + 0.3 * X[:, 1]
CLASSES = np.array(["low", "middle", "high"])[np.digitize(NUMBERS, [-0.4, 0.4])]
NEW = RANDOM.normal(size=(9, 3))
IRIS = load_iris()

CLASSIFIERS = [
    mercer.LSSVC(C=2.0),
    mercer.KernelFisherDiscriminant(),
    mercer.BayesPointMachine(random_state=0),
    mercer.RVC(),
]
REGRESSORS = [mercer.KernelPLS(n_components=3), mercer.RVR(), mercer.RankSVM()]
CLUSTERERS = [mercer.KernelKMeans(3, random_state=0), mercer.SpectralClustering(3, random_state=0)]


def answers(model):
    return model.decision_function(NEW) if hasattr(model, "decision_function") else model.predict(NEW)


def set_kernel(model, kernel, **more):
    name = "affinity" if isinstance(model, mercer.SpectralClustering) else "kernel"
    return model.set_params(**{name: kernel}, **more)


@pytest.mark.parametrize("model", CLASSIFIERS + REGRESSORS + CLUSTERERS, ids=lambda model: type(model).__name__)
def test_rows_values_sparse_rows_callables_and_pickles_say_the_same(model):
    y = CLASSES if model in CLASSIFIERS else NUMBERS
    model = set_kernel(model, "rbf", gamma=0.4)
    expected = answers(model.fit(X, y))
    np.testing.assert_array_equal(answers(pickle.loads(pickle.dumps(model))), expected)
    np.testing.assert_allclose(answers(model.fit(sp.csr_matrix(X), y)), expected, rtol=1e-5, atol=1e-6)
    set_kernel(model, kernels.Gaussian(gamma=0.4))
    np.testing.assert_allclose(answers(model.fit(X, y)), expected, rtol=1e-5, atol=1e-6)
    set_kernel(model, lambda a, b: np.exp(-0.4 * ((a - b) ** 2).sum()))
    np.testing.assert_allclose(answers(model.fit(X, y)), expected, rtol=1e-4, atol=1e-5)
    set_kernel(model, "precomputed")
    model.fit(rbf_kernel(X, gamma=0.4), y)
    values = rbf_kernel(NEW, X, gamma=0.4)
    found = model.decision_function(values) if hasattr(model, "decision_function") else model.predict(values)
    np.testing.assert_allclose(found, expected, rtol=1e-4, atol=1e-5)
    with pytest.raises(ValueError, match="square"):
        model.fit(X, y)


@pytest.mark.parametrize("model", CLASSIFIERS + REGRESSORS + CLUSTERERS, ids=lambda model: type(model).__name__)
def test_strings_are_items_too(model):
    words = ["gattaca", "gatgat", "tagtag", "ccacca", "cacacc", "accacc", "ggatta", "ccaacc"]
    y = np.array([1, 1, 1, 0, 0, 0, 1, 0])
    if isinstance(model, (mercer.KernelKMeans, mercer.SpectralClustering)):
        model = type(model)(2, random_state=0)
    model = set_kernel(model, kernels.Spectrum(k=2))
    found = model.fit(words, y).predict(["gattag", "caccac"])
    if isinstance(model, (mercer.KernelKMeans, mercer.SpectralClustering)):
        assert adjusted_rand_score(model.labels_, y) == 1 and found[0] != found[1]
    else:
        assert found[0] > found[1]


def test_least_squares_is_its_system():
    y = np.where(NUMBERS > 0, 1.0, -1.0)
    model = mercer.LSSVC(C=3.0, kernel="rbf", gamma=0.5).fit(X, y)
    gram = rbf_kernel(X, gamma=0.5)
    n = len(y)
    system = np.block([[np.zeros((1, 1)), np.ones((1, n))], [np.ones((n, 1)), gram + np.eye(n) / 3.0]])
    solved = np.linalg.solve(system, np.concatenate([[0.0], y]))
    expected = rbf_kernel(NEW, X, gamma=0.5) @ solved[1:] + solved[0]
    np.testing.assert_allclose(model.decision_function(NEW), expected, rtol=1e-8)


@pytest.mark.parametrize("components", [1, 2, 3])
def test_partial_least_squares_are_scikit_learns(components):
    targets = np.column_stack([NUMBERS, X[:, 2] ** 2])
    theirs = PLSRegression(components, scale=False, tol=1e-14, max_iter=5000).fit(X, targets)
    ours = mercer.KernelPLS(components).fit(X, targets)
    np.testing.assert_allclose(ours.predict(NEW), theirs.predict(NEW), rtol=1e-6, atol=1e-8)


def test_k_means_with_a_linear_kernel_is_k_means():
    ours = mercer.KernelKMeans(3, random_state=0).fit(IRIS.data)
    theirs = KMeans(3, n_init=10, random_state=0).fit(IRIS.data)
    assert adjusted_rand_score(ours.labels_, theirs.labels_) > 0.99
    assert abs(ours.inertia_ - theirs.inertia_) < 1e-6 * theirs.inertia_
    np.testing.assert_array_equal(ours.predict(IRIS.data), ours.labels_)


def test_spectral_clusters_tell_rings_apart():
    rows, ring = make_circles(120, factor=0.3, noise=0.03, random_state=0)
    model = mercer.SpectralClustering(2, gamma=20.0, random_state=0).fit(rows)
    assert adjusted_rand_score(model.labels_, ring) == 1.0
    np.testing.assert_array_equal(model.predict(rows), model.labels_)


def test_processes_of_classes_are_scikit_learns():
    two = IRIS.target < 2
    rows, labels = IRIS.data[two], IRIS.target[two]
    ours = mercer.GaussianProcessClassifier(4.0 * kernels.Gaussian(length_scale=2.0), optimizer=None).fit(rows, labels)
    theirs = TheirProcess(ConstantKernel(4.0) * RBF(2.0), optimizer=None).fit(rows, labels)
    np.testing.assert_allclose(ours.predict_proba(IRIS.data), theirs.predict_proba(IRIS.data), atol=2e-3)
    assert abs(ours.log_marginal_likelihood_value_ - theirs.log_marginal_likelihood_value_) < 1e-6
    learned = mercer.GaussianProcessClassifier(1.0 * kernels.Gaussian(length_scale=1.0)).fit(IRIS.data[::3], IRIS.target[::3])
    assert learned.score(IRIS.data, IRIS.target) > 0.94 and len(learned.kernel_) == 3
    again = pickle.loads(pickle.dumps(learned))
    np.testing.assert_array_equal(again.predict_proba(IRIS.data), learned.predict_proba(IRIS.data))


def test_relevance_vectors_are_few():
    model = mercer.RVC(kernel="rbf").fit(IRIS.data, IRIS.target)
    assert model.score(IRIS.data, IRIS.target) > 0.95 and len(model.relevance_) < 40
    np.testing.assert_allclose(model.predict_proba(IRIS.data).sum(axis=1), 1.0)
    x = np.linspace(-10, 10, 100)[:, None]
    y = np.sinc(x.ravel() / np.pi) + 0.05 * RANDOM.normal(size=100)
    model = mercer.RVR(kernel="rbf", gamma=0.1).fit(x, y)
    assert model.score(x, y) > 0.95 and len(model.relevance_) < 20
    assert 0.03 < np.sqrt(model.noise_) < 0.08


def test_ranking_learns_the_order_within_queries():
    queries = np.arange(60) % 5
    y = np.round(2 * X[:, 0] + 10 * queries)
    model = mercer.RankSVM(C=10.0).fit(X, y, qid=queries)
    assert model.n_swapped_ / model.n_pairs_ < 0.05 and model.gap_ < 1e-6
    pairs = [(i, j) for i in range(60) for j in range(60) if queries[i] == queries[j] and y[i] > y[j]]
    values = model.predict(X)
    assert len(pairs) == model.n_pairs_
    assert sum(values[i] <= values[j] for i, j in pairs) == model.n_swapped_
    with pytest.raises(ValueError, match="no two rows of a query"):
        mercer.RankSVM().fit(X, np.ones(60))


def test_views_of_different_kinds():
    words = ["aaab", "aabb", "abbb", "bbbb", "aaaa", "abab", "bbab", "aaba"]
    shares = np.array([[word.count("a") / 4] for word in words])
    model = mercer.KernelCCA(1, kernel=kernels.Spectrum(k=1), kernel_y="linear", regularisation=1e-3)
    model.fit(words, shares)
    assert model.correlations_[0] > 0.99
    a, b = model.transform(["aaaa", "bbbb"], [[1.0], [0.0]])
    np.testing.assert_allclose(a, b, atol=0.05)
    np.testing.assert_array_equal(pickle.loads(pickle.dumps(model)).transform_y(shares), model.transform_y(shares))
    with pytest.raises(ValueError, match="inconsistent"):
        model.fit(words, shares[:3])


def test_networks_have_bumps_about_clusters():
    model = mercer.RBFNetwork(12, random_state=0).fit(IRIS.data, IRIS.target)
    assert model.score(IRIS.data, IRIS.target) > 0.88
    squared = ((IRIS.data[:, None] - model.centres_) ** 2).sum(axis=2)
    bumps = np.exp(-squared / (2 * model.widths_**2))
    expected = bumps @ model.weights_[:, :-1].T + model.weights_[:, -1]
    np.testing.assert_allclose(model.decision_function(IRIS.data), expected, rtol=1e-9, atol=1e-9)


def test_what_is_approximate_or_unfinished_is_told():
    all_of_them = mercer.RVR(kernel="rbf").fit(X, NUMBERS)
    few = mercer.RVR(kernel="rbf", rank=20).fit(X, NUMBERS)
    assert (all_of_them.n_candidates_, few.n_candidates_) == (60, 20)
    assert np.abs(few.predict(NEW) - all_of_them.predict(NEW)).max() < 0.5
    assert mercer.RVC(kernel="rbf", rank=10).fit(X, CLASSES).n_candidates_ == 10
    with pytest.warns(ConvergenceWarning, match="ran out of rounds"):
        mercer.BayesPointMachine(softness=0, max_rounds=1, random_state=0).fit(X, CLASSES)
    # Softness tells any labels apart, and the kernel alone does not.
    same = mercer.BayesPointMachine(random_state=0).fit(np.ones((6, 1)), ["x", "y"] * 3)
    assert same.n_consistent_ == 0
    for machine in (mercer.RankSVM(C=1e300), mercer.OrdinalSVM(C=1e300)):
        with pytest.raises(ValueError, match="C = 1e300"):
            machine.fit(X, np.digitize(NUMBERS, [-0.4, 0.4]))
    with pytest.raises(ValueError, match="qid of row 1"):
        mercer.RankSVM().fit(X[:3], [1, 2, 3], qid=[1.0, np.nan, 1.0])


def test_large_ridge_regressions_are_solved_in_two_precisions():
    rows = RANDOM.normal(size=(2100, 3))
    targets = np.sin(rows[:, 0])
    mixed = mercer.KernelRidge(alpha=0.1, kernel="rbf").fit(rows, targets)
    double = mercer.KernelRidge(alpha=0.1, kernel="rbf", memory=40).fit(rows, targets)
    assert (mixed.method_, double.method_) == ("Mixed", "Cholesky")
    np.testing.assert_allclose(mixed.dual_coef_, double.dual_coef_, rtol=1e-9, atol=1e-10)
