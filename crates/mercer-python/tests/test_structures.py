"""Kernels on strings, trees, graphs, time series and records, with every estimator that takes a kernel."""

import pickle

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.model_selection import GridSearchCV, StratifiedKFold, cross_val_score

import mercer
from mercer import SVC, SVDD, SVR, NuSVC, NuSVR, OneClassSVM, _mercer, kernels
from mercer._items import as_items
from mercer.kernels import (
    BagOfWords,
    Column,
    CommonModels,
    Conjunctions,
    FisherMarkov,
    FisherMixture,
    Formula,
    Gaussian,
    GlobalAlignment,
    Jittered,
    Linear,
    Mismatch,
    Normalise,
    PairHiddenMarkov,
    SetSum,
    ShortestPath,
    Spectrum,
    SubsetTree,
    WeightedDegree,
    WeisfeilerLehman,
)

RANDOM = np.random.default_rng(3)


@pytest.fixture(autouse=True)
def own_generator():
    """Items of a test are the same whichever tests ran before it."""
    global RANDOM
    RANDOM = np.random.default_rng(3)


def strings(n):
    return ["".join(RANDOM.choice(list("aacg" if i % 2 else "ttgc"), 9)) for i in range(n)]


def trees(n):
    return [f"(S (NP x{i % 3}) (VP (V {'saw' if i % 2 else 'ate'}) (NP y)))" for i in range(n)]


def graphs(n):
    ring = [(0, 1), (1, 2), (2, 0)]
    return [(ring if i % 2 else ring[:2], ["C", "O", "C"] if i % 3 else ["C", "C", "C"]) for i in range(n)]


def series(n):
    return [np.sin((0.4 if i % 2 else 1.3) * np.arange(6 + i % 3)) + 0.1 * RANDOM.normal(size=6 + i % 3) for i in range(n)]


def records(n):
    jobs, notes = ["smith", "baker"], ["works iron", "bakes bread"]
    return [{"age": 20.0 + i, "job": jobs[i % 2], "note": notes[i % 2]} for i in range(n)]


def sets(n):
    return [(0.0 if i % 2 else 2.0) + RANDOM.normal(size=(3 + i % 3, 2)) for i in range(n)]


def images(n):
    shapes = np.eye(4), np.ones((4, 4))
    return [shapes[i % 2] + 0.1 * RANDOM.normal(size=(4, 4)) for i in range(n)]


def assignments(n):
    return [f"{i % 2}" + "".join(RANDOM.choice(list("01"), 4)) for i in range(n)]


def formulae(n):
    return [("p and " if i % 2 else "not p and ") + ("q", "r", "(q or r)", "(q -> r)")[i % 4] for i in range(n)]


CASES = {
    "strings": (strings, Normalise(Spectrum(k=2))),
    "texts": (strings, BagOfWords(tfidf=True, n=2, unit="characters")),
    "trees": (trees, Normalise(SubsetTree(decay=0.4))),
    "graphs": (graphs, WeisfeilerLehman(h=2) + ShortestPath()),
    "series": (series, GlobalAlignment(sigma="median")),
    "sets": (sets, SetSum(Gaussian(gamma=0.5), mean=True)),
    "images": (images, Jittered(Gaussian(gamma=0.1), shifts=1)),
    "assignments": (assignments, Conjunctions(size=2)),
    "formulae": (formulae, CommonModels()),
    "pairs of strings": (strings, PairHiddenMarkov()),
    "scores": (strings, Normalise(FisherMarkov(states=2))),
    "points": (sets, Normalise(FisherMixture(components=2))),
    "records": (records, Column("age", Gaussian()) * Column("job", "equality") + Column("note", BagOfWords())),
}
ESTIMATORS = [SVC(), NuSVC(nu=0.3), SVR(), NuSVR(), OneClassSVM(nu=0.3), SVDD(nu=0.3)]


@pytest.mark.parametrize("case", CASES)
@pytest.mark.parametrize("estimator", ESTIMATORS, ids=lambda estimator: type(estimator).__name__)
def test_every_estimator_meets_every_kind_of_item(case, estimator, tmp_path):
    make, kernel = CASES[case]
    X, new = make(20), make(7)
    y = np.arange(20) % 2
    model = clone(estimator).set_params(kernel=kernel)
    model.fit(X, *(() if hasattr(model, "fit_predict") else (y,)))
    said = getattr(model, "decision_function", model.predict)(new)
    assert said.shape == (7,) and np.isfinite(said).all()
    if isinstance(model, (SVC, NuSVC)):
        assert model.score(X, y) >= 0.9
    assert len(model.support_vectors_) == len(model.support_)
    # What is pickled, saved and loaded says the same, to the bit.
    path = tmp_path / "model.mercer"
    model.save(path)
    for other in (pickle.loads(pickle.dumps(model)), mercer.load(path)):
        again = getattr(other, "decision_function", other.predict)(new)
        np.testing.assert_array_equal(again, said)
        assert type(other) is type(model)


@pytest.mark.parametrize("name", sorted(set(kernels.__all__) - {"Kernel", "Column", "Columns", "Formula", "Normalise", "Pairwise"}))
def test_reprs_evaluate_back(name):
    kernel = getattr(kernels, name)
    if name in ("Constant", "White"):
        kernel = kernel(0.5)
    elif name in ("Centre", "BestMatch", "Jittered", "SetSum"):
        kernel = kernel(Linear())
    elif name in ("Clipped", "Shifted", "Tokens"):
        kernel = kernel(kernels.Spectrum(k=2))
    else:
        kernel = kernel()
    # Nothing stands around a kernel that is mended.
    alone = name in ("Clipped", "Shifted")
    for one in (kernel,) if alone else (kernel, 2 * kernel, Normalise(kernel)):
        assert eval(repr(one), {name: getattr(kernels, name) for name in kernels.__all__}) == one
        assert str(Formula(str(one))) == str(one)


def test_values_are_those_of_the_definitions():
    np.testing.assert_array_equal(Spectrum(k=2)(["banana"], ["ananas", "b"]), [[8.0, 0.0]])
    kernel = 0.5 * Spectrum(k=2) + Normalise(WeightedDegree(degree=2))
    X = ["gattaca", "gactaca", ""]
    expected = 0.5 * Spectrum(k=2)(X) + Normalise(WeightedDegree(degree=2))(X)
    np.testing.assert_allclose(kernel(X), expected, rtol=1e-14)
    assert kernel.items == "strings" and (Gaussian() + Linear()).items == "rows"
    assert str(Mismatch(k=3, m=1, alphabet='a"\\')) == 'mismatch(k=3, m=1, alphabet="\\"\\\\a")'


def test_texts_are_weighted_as_scikit_learn_does():
    text = pytest.importorskip("sklearn.feature_extraction.text")
    X = ["the kernel of the matter", "the margin", "a kernel machine", "matter and margin"]
    rows = text.TfidfVectorizer(ngram_range=(1, 2)).fit_transform(X).toarray()
    np.testing.assert_allclose(Normalise(BagOfWords(tfidf=True, n=2))(X), rows @ rows.T, atol=1e-12)


def test_graphs_come_as_networkx_or_grakel_have_them():
    networkx = pytest.importorskip("networkx")
    graph = networkx.Graph([("a", "b"), ("b", "c"), ("c", "a"), ("c", "d")])
    labels = dict(zip("abcd", "CCON"))
    networkx.set_node_attributes(graph, labels, "label")
    pairs = [("a", "b"), ("b", "c"), ("c", "a"), ("c", "d")]
    both_ways = {pair for edge in pairs for pair in (edge, edge[::-1])}
    neighbours = {u: [v for a, v in both_ways if a == u] for u in "abcd"}
    matrix = np.zeros((4, 4))
    for u, v in pairs:
        matrix["abcd".index(u), "abcd".index(v)] = matrix["abcd".index(v), "abcd".index(u)] = 1
    of_matrix = (matrix, list("CCON"))
    same = [graph, (pairs, labels), (both_ways, labels), (neighbours, labels), of_matrix]
    for kernel in (WeisfeilerLehman(h=2), ShortestPath(), kernels.Graphlets(k=3)):
        values = kernel(same)
        assert (values == values[0, 0]).all(), kernel


def test_labels_on_some_nodes_are_refused():
    networkx = pytest.importorskip("networkx")
    graph = networkx.path_graph(3)
    graph.nodes[0]["label"] = "C"
    with pytest.raises(ValueError, match="item 1: node number 1 has no label, and others have one"):
        WeisfeilerLehman(h=0)([networkx.path_graph(2), graph])
    graph = networkx.path_graph(3)
    graph.edges[0, 1]["weight"] = 2.0
    with pytest.raises(ValueError, match="item 0: edge number 1 has no weight, and others have one"):
        ShortestPath()([graph])


def test_what_is_equal_in_python_is_equal_here():
    edges = [(0, 1)]
    values = WeisfeilerLehman(h=1)([(edges, labels) for labels in ([1, 2], ["1", "2"], [1.0, 2.0], [np.int64(1), np.int64(2)])])
    assert (values == values[0, 0]).all() and values[0, 0] == 4.0
    table = Column("a", "equality")({"a": [1, 1.0, "1", 2]})
    np.testing.assert_array_equal(table[0], [1.0, 1.0, 1.0, 0.0])


def test_searches_of_scikit_learn_take_lists():
    X, y = strings(24), np.arange(24) % 2
    assert cross_val_score(SVC(kernel=Normalise(Spectrum(k=2))), X, y, cv=3).mean() > 0.8
    grid = {"kernel": [Spectrum(k=1), Spectrum(k=2)], "C": [0.1, 1.0]}
    assert GridSearchCV(SVC(), grid, cv=3).fit(X, y).best_score_ > 0.8


@pytest.mark.parametrize("case", ["strings", "texts", "trees", "graphs", "series", "records", "assignments"])
def test_tune_finds_what_grid_search_finds(case):
    make, kernel = CASES[case]
    X, y = make(24), np.arange(24) % 2
    if case == "records":
        # What waits for data is learned from all items by one, and in every fold anew by the other.
        kernel = Column("age", Linear()) + Column("job", "equality")
    kernels_to_try = [kernel, 2.0 * kernel] if case in ("series", "texts") else [kernel, Normalise(kernel)]
    if case == "series":
        kernels_to_try = [GlobalAlignment(sigma=1.0), GlobalAlignment(sigma=4.0)]
    if case == "texts":
        kernels_to_try = [BagOfWords(n=2, unit="characters"), BagOfWords(n=3, unit="characters")]
    grid = {"kernel": kernels_to_try, "C": [0.01, 1.0]}
    folds = StratifiedKFold(3)
    model = SVC(tol=1e-6).tune(X, y, grid, cv=folds, exhaustive=True)
    theirs = GridSearchCV(SVC(tol=1e-6), grid, cv=folds).fit(X, y)
    order = {repr(setting): place for place, setting in enumerate(theirs.cv_results_["params"])}
    for setting, score in zip(model.cv_results_["params"], model.cv_results_["mean_test_score"]):
        assert score == pytest.approx(theirs.cv_results_["mean_test_score"][order[repr(setting)]])
    assert model.best_score_ == pytest.approx(theirs.best_score_)
    assert model.kernel in kernels_to_try and model.score(X, y) >= 0.9


def test_tune_of_structured_kernels_knows_its_limits():
    X, y = strings(24), np.arange(24) % 2
    model = SVC(kernel=Normalise(Spectrum(k=2))).tune(X, y, cv=3, refine=1)
    assert sorted(model.best_params_) == ["C"] and model.best_score_ > 0.8
    assert SVR(kernel=Spectrum(k=2)).tune(X, y.astype(float), {"C": [0.1, 1.0]}, cv=3).best_score_ > 0.0
    found = SVC(kernel=Spectrum(k=2)).tune(X, y, {"C": [0.1, 1.0]}, criterion="xi-alpha")
    assert found.best_score_ <= 0.0
    for grid, message in [
        ({"kernel": [Spectrum(k=2), WeisfeilerLehman()]}, "items of one kind: spectrum.* compares strings, and wl.* graphs"),
        ({"kernel": [Spectrum(k=2), "rbf"]}, "and rbf rows"),
        ({"kernel": [Column("a", Linear()), Column("b", Linear())]}, "name the same columns"),
    ]:
        with pytest.raises(ValueError, match=message):
            SVC().tune(X, y, grid)


def test_what_kernels_learn_is_learned_in_every_fold():
    texts = [" ".join(RANDOM.choice(["iron", "coal", "bread", "salt", f"w{i}", f"v{i % 5}"], 4)) for i in range(30)]
    y, folds = np.arange(30) % 2, StratifiedKFold(3)
    grid = {"kernel": [Normalise(BagOfWords(tfidf=True)), BagOfWords(tfidf=True)], "C": [0.1, 1.0]}
    # scikit-learn fits, and so learns the weights of words, without the texts that are held out.
    theirs = GridSearchCV(SVC(tol=1e-6), grid, cv=folds).fit(texts, y)
    model = SVC(tol=1e-6).tune(texts, y, grid, cv=folds, per_fold=True)
    order = {repr(setting): place for place, setting in enumerate(theirs.cv_results_["params"])}
    for setting, score in zip(model.cv_results_["params"], model.cv_results_["mean_test_score"]):
        assert score == pytest.approx(theirs.cv_results_["mean_test_score"][order[repr(setting)]])
    values = SVR(kernel=BagOfWords(tfidf=True)).tune(texts, y + 0.0, {"C": [0.1, 1.0]}, cv=3, per_fold=True)
    assert np.isfinite(values.best_score_)


@pytest.mark.parametrize("estimator", [OneClassSVM(), SVDD()], ids=lambda estimator: type(estimator).__name__)
def test_regions_of_items_are_found(estimator):
    X = strings(60)
    found = clone(estimator).tune(X, None, {"kernel": [Normalise(Spectrum(k=k)) for k in (1, 2, 3)], "nu": [0.2]}, cv=4)
    table = found.cv_results_
    near = np.abs(table["mean_outside"] - 0.2) <= 2 * np.sqrt(0.2 * 0.8 / 60)
    best = found.best_index_
    # Of those that leave a fifth outside, the one with the fewest support vectors; the nearest if there is none.
    if near.any():
        assert near[best] and table["mean_support"][best] == table["mean_support"][near].min()
    else:
        assert np.argmin(np.abs(table["mean_outside"] - 0.2)) == best
    assert found.best_score_ == -table["mean_support"][best] and set(found.predict(X)) == {-1, 1}


@pytest.mark.parametrize(
    "kernel, X, message",
    [
        (Spectrum(k=2), ["ab", 3], "item 1 is int, expected a string"),
        (Spectrum(k=2), "ab", "a list of strings is expected"),
        (SubsetTree(), ["(S a)", "(S"], "item 1.*never closed"),
        (WeisfeilerLehman(), [([(0, 1)], {0: "C"})], "node 1 has no label"),
        (WeisfeilerLehman(), [3], "item 0 is int, expected a graph"),
        (WeisfeilerLehman(), [([(0, 1)], ["C", "O"]), ([(0,)], ["C", "O"])], r"item 1: edge number 0 is \(0,\), expected two nodes"),
        (WeisfeilerLehman(), [([(0, 1, 2.0)], ["C", "O", "C"])], "edge number 0 is .*, expected two nodes"),
        (GlobalAlignment(sigma=1.0), [[1.0, np.nan]], "item 0.*NaN"),
        (GlobalAlignment(sigma=1.0), [[]], "item 0"),
        (GlobalAlignment(sigma=1.0), [np.zeros((2, 2)), np.zeros((2, 3))], "channels"),
        (Column("age", Linear()), {"job": ["x"]}, "no column 'age'"),
    ],
    ids=str,
)
def test_items_that_make_no_sense_are_refused(kernel, X, message):
    with pytest.raises((ValueError, TypeError), match=message):
        kernel(X)


def test_kernels_that_cannot_be_joined_are_refused():
    for make, message in [
        (lambda: Spectrum(k=2) + WeisfeilerLehman(), "wl compares graphs, and what stands before it strings"),
        (lambda: Spectrum(k=2) + Gaussian(), "gaussian is a kernel on rows of numbers"),
        (lambda: Spectrum(k=2) ** 2, "powers are for kernels on rows"),
        (lambda: Spectrum(k=0), "expected a whole number of at least 1"),
        (lambda: Column("age", kernels.Subsequence(k=2)), "lists its features"),
    ]:
        with pytest.raises(ValueError, match=message):
            make()


def test_kernels_are_equal_if_they_compute_the_same():
    assert Spectrum() == Spectrum(k=3) and hash(Spectrum()) == hash(Spectrum(k=3)) and Spectrum() != Spectrum(k=2)
    with pytest.raises(TypeError, match="positional"):
        Spectrum(3)


def test_edges_are_defined():
    # Empty strings, one-node graphs, unknown symbols: a value of 0, or of what there is.
    assert Normalise(Spectrum(k=3))([""], ["", "abc"]).tolist() == [[0.0, 0.0]]
    assert WeisfeilerLehman(h=2)([([], ["C"])], [([], ["C"]), ([], ["O"])]).tolist() == [[3.0, 0.0]]
    assert WeisfeilerLehman(h=1)([([(0, 1)],)]).tolist() == [[8.0]]
    model = SVC(kernel=Mismatch(k=2, m=1)).fit(["abab", "baba", "aaaa", "abba"], [0, 0, 1, 1])
    assert np.isfinite(model.decision_function(["xyz", ""])).all()


def test_machines_that_cannot_have_a_mended_kernel_say_so():
    X = [np.sin(np.arange(length) / 3.0) for length in range(4, 14)]
    y = [0, 1] * 5
    warped = kernels.DynamicTimeWarping(gamma=0.3)
    for machine in (mercer.IncrementalSVC, mercer.KernelPerceptron):
        for kernel in (kernels.Shifted(warped), kernels.Clipped(warped)):
            with pytest.raises(ValueError, match="made of all items at once"):
                machine(kernel=kernel).fit(X, y)
    for machine in (mercer.GaussianProcessRegressor, mercer.GaussianProcessClassifier):
        with pytest.raises(ValueError, match="no variance of new items"):
            machine(kernel=kernels.Shifted(warped)).fit(X, y)
        machine(kernel=kernels.Clipped(warped)).fit(X, y)


@pytest.mark.parametrize("case", ["scores", "points"])
def test_a_learned_kernel_keeps_what_it_learned_whichever_items_are_compared(case):
    make, kernel = CASES[case]
    items = make(20)
    learned = _mercer.LearnedKernel(str(kernel), as_items(kernel, items))

    def values(some, others):
        return np.asarray(learned.values(as_items(kernel, some), as_items(kernel, others)))

    everything = values(items, items)
    np.testing.assert_allclose(values(items[:3], items), everything[:3], atol=1e-12)
    np.testing.assert_allclose(values(items[:3], items[5:8]), everything[:3, 5:8], atol=1e-12)
