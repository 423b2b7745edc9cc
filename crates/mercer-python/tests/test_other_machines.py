"""Machines that learn from the kernel matrix alone: against scikit-learn, closed forms and themselves on other inputs."""

import pickle
import warnings

import numpy as np
import pytest
import scipy.linalg
import scipy.sparse as sp
from sklearn.cluster import KMeans
from sklearn.cluster import SpectralClustering as TheirSpectral
from sklearn.cross_decomposition import PLSRegression
from sklearn.datasets import load_iris, make_circles, make_moons
from sklearn.exceptions import ConvergenceWarning
from sklearn.gaussian_process import GaussianProcessClassifier as TheirProcess
from sklearn.gaussian_process.kernels import RBF, ConstantKernel
from sklearn.linear_model import Ridge
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
    set_kernel(model, kernels.Pairwise(lambda a, b: np.exp(-0.4 * ((a - b) ** 2).sum())))
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


def test_scores_of_partial_least_squares_are_scikit_learns(tmp_path):
    targets = np.column_stack([NUMBERS, X[:, 2] ** 2])
    theirs = PLSRegression(2, scale=False, tol=1e-14, max_iter=5000).fit(X, targets)
    ours = mercer.KernelPLS(2).fit(X, targets)
    scores = ours.transform(X)
    np.testing.assert_allclose(scores.T @ scores, np.eye(2), atol=1e-9)
    # Theirs are longer, and may point the other way.
    lengths = np.linalg.norm(theirs.x_scores_, axis=0) * np.sign((theirs.x_scores_ * scores).sum(axis=0))
    np.testing.assert_allclose(ours.transform(NEW), theirs.transform(NEW) / lengths, rtol=1e-6, atol=1e-8)
    np.testing.assert_array_equal(pickle.loads(pickle.dumps(ours)).transform(NEW), ours.transform(NEW))
    ours.save(tmp_path / "model.json")
    np.testing.assert_array_equal(mercer.load(tmp_path / "model.json").transform(NEW), ours.transform(NEW))
    assert ours.get_feature_names_out().tolist() == ["kernelpls0", "kernelpls1"]
    values = mercer.KernelPLS(2, kernel="precomputed").fit(X @ X.T, targets)
    np.testing.assert_allclose(values.transform(NEW @ X.T), ours.transform(NEW), atol=1e-8)


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


def test_spectral_clusters_of_neighbours_are_scikit_learns():
    rows, moon = make_moons(150, noise=0.05, random_state=0)
    given = {"n_clusters": 2, "affinity": "nearest_neighbors", "n_neighbors": 8, "random_state": 0}
    ours, theirs = mercer.SpectralClustering(**given).fit(rows), TheirSpectral(**given).fit(rows)
    assert adjusted_rand_score(ours.labels_, theirs.labels_) == 1.0
    np.testing.assert_array_equal(ours.affinity_matrix_.toarray(), theirs.affinity_matrix_.toarray())
    with pytest.raises(ValueError, match="new rows are no part of the graph"):
        ours.predict(rows)
    with pytest.raises(MemoryError, match="the graph of 150 rows needs 180000 bytes"):
        ours.set_params(memory=0.1).fit(rows)


def test_spectral_clusters_have_the_parameters_of_scikit_learn():
    rows, ring = make_circles(120, factor=0.3, noise=0.03, random_state=0)
    given = {"n_clusters": 2, "gamma": 20.0, "n_components": 3, "random_state": 0}
    ours = mercer.SpectralClustering(**given, eigen_solver="arpack", eigen_tol=1e-6, assign_labels="kmeans").fit(rows)
    assert ours.eigenvalues_.shape == (3,) and len(np.unique(ours.labels_)) == 2
    np.testing.assert_array_equal(ours.predict(rows), ours.labels_)
    np.testing.assert_allclose(ours.affinity_matrix_, rbf_kernel(rows, gamma=20.0), rtol=1e-10)
    again = pickle.loads(pickle.dumps(ours))
    np.testing.assert_array_equal(again.predict(rows), ours.labels_)
    assert not hasattr(ours, "kernel")
    with pytest.raises(ValueError, match="assign_labels"):
        mercer.SpectralClustering(assign_labels="discretize").fit(rows)


def test_fewer_different_items_than_clusters_are_told():
    same = np.repeat([[0.0, 1.0], [2.0, 3.0]], 15, axis=0)
    for machine in (mercer.KernelKMeans(3), mercer.KernelKMeans(3, kernel="rbf"), mercer.SpectralClustering(3)):
        with pytest.warns(ConvergenceWarning, match="fewer different items than clusters"):
            machine.fit(same)
    constant = kernels.Constant(1.0)
    for machine in (mercer.KernelKMeans(2, kernel=constant), mercer.SpectralClustering(2, affinity=constant)):
        with pytest.warns(ConvergenceWarning, match="fewer different items than clusters"):
            machine.fit(X)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        mercer.KernelKMeans(2).fit(same)
        mercer.KernelKMeans(4).fit(X[:4])
        mercer.SpectralClustering(2).fit(same)


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
    # 1/β + φ(x)ᵀΣφ(x), with the covariance that Bayes' rule gives for the priors that were found.
    mean, deviation = model.predict(x, return_std=True)
    np.testing.assert_array_equal(mean, model.predict(x))
    assert (deviation**2 > model.noise_).all() and (np.abs(y - mean) < 4 * deviation).all()
    far = model.predict([[1000.0]], return_std=True)[1]
    assert far[0] >= np.sqrt(model.noise_)
    values = mercer.RVR(kernel="precomputed").fit(rbf_kernel(x, gamma=0.1), y)
    np.testing.assert_allclose(values.predict(rbf_kernel(x, gamma=0.1), return_std=True)[1], deviation, rtol=1e-6)


def test_ranking_learns_the_order_within_queries():
    queries = np.arange(60) % 5
    y = np.round(2 * X[:, 0] + 10 * queries)
    model = mercer.RankSVM(C=10.0).fit(X, y, qid=queries)
    assert model.n_swapped_ / model.n_pairs_ < 0.05 and model.gap_ < 1e-6
    pairs = [(i, j) for i in range(60) for j in range(60) if queries[i] == queries[j] and y[i] > y[j]]
    values = model.predict(X)
    assert len(pairs) == model.n_pairs_
    assert sum(values[i] <= values[j] for i, j in pairs) == model.n_swapped_
    assert model.status_ == "converged"
    with pytest.warns(ConvergenceWarning, match="more max_iter"):
        short = mercer.RankSVM(C=10.0, max_iter=1).fit(X, y, qid=queries)
    assert short.status_ == "stopped at the iteration limit"
    levels = mercer.OrdinalSVM().fit(X, np.digitize(NUMBERS, [0.0]))
    assert levels.status_ == "converged" and 0 <= levels.gap_ <= 1e-6
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


def naive_views(views, regularisation):
    """The largest sum of covariances of coordinates that are columns, by SUMCOR's eigenvalue problem."""
    centred = [view - view.mean(axis=0) for view in views]
    joined, n = np.hstack(centred), len(views[0])
    all_of, own = joined.T @ joined / n, np.zeros((joined.shape[1],) * 2)
    start = 0
    for view in centred:
        end = start + view.shape[1]
        block = all_of[start:end, start:end]
        own[start:end, start:end] = (1 - regularisation) * block + regularisation * np.eye(end - start)
        all_of[start:end, start:end], start = 0.0, end
    directions = scipy.linalg.eigh(all_of, own)[1][:, ::-1]
    ends = np.cumsum([view.shape[1] for view in views])
    return [view @ part for view, part in zip(centred, np.split(directions, ends[:-1]))]


def test_several_views_have_the_correlations_of_the_definition():
    common = RANDOM.normal(size=(60, 2))
    views = [common @ RANDOM.normal(size=(2, 3)) + 0.4 * RANDOM.normal(size=(60, 3)) for _ in range(3)]
    model = mercer.KernelCCA(2, regularisation=0.05)
    found = model.fit(views[0], views[1], [views[2]]).transform(views[0], views[1], [views[2]])
    expected = naive_views(views, 0.05)
    pairs = [(0, 1), (0, 2), (1, 2)]

    def mean_correlations(of):
        return [np.mean([np.corrcoef(of[a][:, k], of[b][:, k])[0, 1] for a, b in pairs]) for k in range(2)]

    np.testing.assert_allclose(mean_correlations(found), mean_correlations(expected), rtol=1e-6)
    np.testing.assert_allclose(model.correlations_, mean_correlations(found), rtol=1e-8)
    held_out = [common[:30] @ RANDOM.normal(size=(2, 3)) for _ in range(3)]
    np.testing.assert_allclose(
        model.correlations(held_out[0], held_out[1], [held_out[2]]),
        mean_correlations(model.transform(held_out[0], held_out[1], [held_out[2]])),
    )
    assert model.score(*views[:2], [views[2]]) == pytest.approx(model.correlations_.mean())
    again = pickle.loads(pickle.dumps(model))
    np.testing.assert_array_equal(again.transform_y(views[1]), found[1])
    with pytest.raises(ValueError, match="kernel_y has 1 kernels"):
        mercer.KernelCCA(kernel_y=["linear"]).fit(*views[:2], [views[2]])
    with pytest.raises(ValueError, match="items of 3 views: the model has 2"):
        mercer.KernelCCA().fit(*views[:2]).transform(*views[:2], [views[2]])


def test_the_other_view_of_an_item_is_found():
    hidden = RANDOM.normal(size=(80, 3))
    first, second = np.hstack([hidden, RANDOM.normal(size=(80, 1))]), hidden @ RANDOM.normal(size=(3, 3))
    model = mercer.KernelCCA(3, regularisation=1e-3).fit(first[:60], second[:60])
    found = model.retrieve(first[60:], second[60:], n_best=2)
    a, b = model.transform(first[60:], second[60:])
    cosines = (a @ b.T) / np.outer(np.linalg.norm(a, axis=1), np.linalg.norm(b, axis=1))
    np.testing.assert_array_equal(found[:, 0], cosines.argmax(axis=1))
    assert (found[:, 0] == np.arange(20)).mean() > 0.9
    with pytest.raises(ValueError, match="there are 20 items to choose from"):
        model.retrieve(first[60:], second[60:], n_best=21)


def test_networks_of_numbers_are_least_squares_on_the_bumps():
    targets = np.column_stack([NUMBERS, X[:, 2]])
    model = mercer.RBFNetworkRegressor(8, alpha=1e-3, random_state=0).fit(X, targets)
    squared = ((X[:, None] - model.centres_) ** 2).sum(axis=2)
    bumps = np.exp(-squared / (2 * model.widths_**2))
    theirs = Ridge(alpha=1e-3).fit(bumps, targets)
    np.testing.assert_allclose(model.predict(X), theirs.predict(bumps), rtol=1e-7, atol=1e-9)
    assert model.fit(X, NUMBERS).predict(X).shape == (60,)
    assert "n_units" in mercer.RBFNetworkRegressor(random_state=0).tune(X, NUMBERS, {"n_units": [2, 8]}).best_params_


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


def test_fewer_than_asked_for_is_told():
    with pytest.warns(UserWarning, match=f"{X.shape[1]} components in place of 50"):
        model = mercer.KernelPLS(n_components=50, kernel="linear").fit(X, NUMBERS)
    assert model.n_components_ == X.shape[1]
    for network, y in [(mercer.RBFNetwork(61), NUMBERS > NUMBERS.mean()), (mercer.RBFNetworkRegressor(61), NUMBERS)]:
        with pytest.warns(UserWarning, match="20 bumps in place of 61"):
            assert len(network.fit(X[:20], y[:20]).centres_) == 20
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        mercer.KernelPLS(n_components=1, kernel="linear").fit(X, NUMBERS)
        mercer.RBFNetworkRegressor(20).fit(X[:20], NUMBERS[:20])
        # Not of each of the fits of a search.
        model = mercer.KernelPLS(kernel="linear").tune(X, NUMBERS, {"n_components": [3, 50]})
    assert model.best_params_ == {"n_components": 3}
