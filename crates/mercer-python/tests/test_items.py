"""Items beyond lists of strings: every machine with every kind, attributes of nodes, virtual examples, scores of models, mended matrices."""

import pickle
from types import SimpleNamespace

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.mixture import GaussianMixture
from sklearn.model_selection import GridSearchCV, cross_val_score
from test_structures import CASES

import mercer
from mercer.kernels import (
    AllSubsequences,
    BagOfWords,
    Blended,
    Clipped,
    Column,
    Columns,
    Constant,
    DynamicTimeWarping,
    FixedSubsequences,
    Formula,
    Gappy,
    Gaussian,
    GlobalAlignment,
    Linear,
    Mismatch,
    Normalise,
    Propagation,
    SetSum,
    Shifted,
    Sigmoid,
    Spectrum,
    Subsequence,
    Tokens,
    WeisfeilerLehman,
)

KINDS = ["strings", "texts", "trees", "graphs", "series", "sets", "scores", "records"]
MACHINES = [
    mercer.KernelRidge(alpha=0.1),
    mercer.KernelPCA(2),
    mercer.LSSVC(),
    mercer.KernelFisherDiscriminant(),
    mercer.BayesPointMachine(random_state=0),
    mercer.RVC(),
    mercer.RVR(),
    mercer.KernelPLS(2),
    mercer.RankSVM(),
    mercer.KernelKMeans(2, random_state=0),
    mercer.SpectralClustering(2, random_state=0),
    mercer.GaussianProcessRegressor(alpha=0.1),
    mercer.GaussianProcessClassifier(),
    mercer.KernelPerceptron(),
    mercer.PassiveAggressiveClassifier(),
    mercer.PassiveAggressiveRegressor(),
    mercer.OnlineSVR(),
    mercer.PRank(),
    mercer.IncrementalSVC(),
]


@pytest.mark.parametrize("case", KINDS)
@pytest.mark.parametrize("machine", MACHINES, ids=lambda machine: type(machine).__name__)
def test_every_other_machine_meets_every_kind_of_item(case, machine):
    make, kernel = CASES[case]
    X, new = make(20), make(6)
    name = "affinity" if isinstance(machine, mercer.SpectralClustering) else "kernel"
    model = clone(machine).set_params(**{name: kernel})
    if name == "affinity" and case == "scores":
        # Scores point into all directions, and similarities of a graph cannot be negative.
        with pytest.raises(ValueError, match="expected a finite number above 0"):
            model.fit(X)
        return
    model.fit(X, np.arange(20) % 2 + 0.0)
    ask = next(getattr(model, name) for name in ("decision_function", "transform", "predict") if hasattr(model, name))
    said = ask(new)
    assert len(said) == 6 and np.isfinite(np.asarray(said, dtype=float)).all()
    again = pickle.loads(pickle.dumps(model))
    np.testing.assert_array_equal(getattr(again, ask.__name__)(new), said)


@pytest.mark.parametrize("case", KINDS)
def test_what_is_no_estimator_meets_every_kind_of_item(case):
    make, kernel = CASES[case]
    X, new, y = make(20), make(3), np.arange(20) % 2
    first, second = mercer.KernelCCA(1, kernel=kernel, kernel_y=kernel).fit(X, X).transform(X, X)
    assert abs(np.corrcoef(first[:, 0], second[:, 0])[0, 1]) > 0.999
    learner = mercer.ActiveLearner(X, [0, 1], kernel=kernel)
    for item in learner:
        learner.answer(item, y[item])
    assert len(learner.asked_) == 20 and set(learner.predict(new)) <= {0, 1}
    assert sorted(mercer.clean(X, y, kernel=kernel, folds=4)["item"]) == list(range(20))
    assert len(set(mercer.prototypes(X, 3, kernel=kernel)[0])) == 3
    model = mercer.SVC(kernel=kernel).fit(X, y)
    assert mercer.explain(model, new[0]) is not None
    with pytest.raises((TypeError, ValueError)):
        mercer.RBFNetwork().fit(X, y)


def test_processes_of_items_are_those_of_their_kernel_values():
    make, _ = CASES["strings"]
    X, new, y = make(20), make(5), np.sin(np.arange(20))
    kernel = Normalise(Spectrum(k=2))
    K, k = kernel(X), kernel(new, X)
    model = mercer.GaussianProcessRegressor(kernel, alpha=0.3).fit(X, y)
    mean, deviation = model.predict(new, return_std=True)
    inverse = np.linalg.inv(K + 0.3 * np.eye(20))
    np.testing.assert_allclose(mean, k @ inverse @ y, atol=1e-10)
    np.testing.assert_allclose(deviation**2, np.diag(kernel(new)) - np.einsum("ij,jk,ik->i", k, inverse, k), atol=1e-10)
    assert model.sample_y(new, 4).shape == (5, 4) and model.X_train_ == X
    likelihood = -0.5 * (y @ inverse @ y + np.linalg.slogdet(K + 0.3 * np.eye(20))[1] + 20 * np.log(2 * np.pi))
    assert model.log_marginal_likelihood_value_ == pytest.approx(likelihood)
    classes = np.where(y > 0, "up", "down")
    said = mercer.GaussianProcessClassifier(100.0 * kernel).fit(X, classes)
    assert said.predict_proba(new).sum(axis=1) == pytest.approx(1.0) and said.score(X, classes) >= 0.8
    with pytest.raises(TypeError, match="item 0 is ndarray, expected a string"):
        mercer.GaussianProcessRegressor(kernel).fit(X, y).predict(np.zeros((2, 3)))


def test_ridge_and_components_of_items_are_those_of_their_kernel_values():
    make, _ = CASES["strings"]
    X, new, y = make(20), make(5), np.arange(20) % 3 + 0.0
    kernel = Normalise(Spectrum(k=2))
    K, k = kernel(X), kernel(new, X)
    weights = np.where(np.arange(20) < 15, 1.0, 2.0)
    expected = mercer.KernelRidge(alpha=0.3, kernel="precomputed").fit(K, y, weights).predict(k)
    found = mercer.KernelRidge(alpha=0.3, kernel=kernel).fit(X, y, weights).predict(new)
    np.testing.assert_allclose(found, expected, rtol=1e-10, atol=1e-12)
    theirs = mercer.KernelPCA(3, kernel="precomputed").fit(K)
    ours = mercer.KernelPCA(3, kernel=kernel).fit(X)
    np.testing.assert_allclose(ours.eigenvalues_, theirs.eigenvalues_, rtol=1e-8)
    np.testing.assert_allclose(np.abs(ours.transform(new)), np.abs(theirs.transform(k)), atol=1e-7)
    np.testing.assert_allclose(np.abs(ours.fit_transform(X)), np.abs(ours.transform(X)), atol=1e-7)
    # All components leave nothing out of the training items.
    whole = mercer.KernelPCA(kernel=kernel).fit(X)
    assert whole.reconstruction_error(X).max() < 1e-8 and whole.reconstruction_error(["zzzz"])[0] > 0.5
    with pytest.raises(ValueError, match="compares strings"):
        mercer.KernelPCA(kernel=kernel, fit_inverse_transform=True).fit(X)


def test_ridge_of_items_is_tuned():
    make, _ = CASES["strings"]
    X = make(24)
    y = np.array([text.count("a") for text in X], dtype=float)
    model = mercer.KernelRidge(kernel=Spectrum(k=1)).tune(X, y, {"alpha": [0.01, 1.0, 100.0]}, cv=3)
    assert model.best_params_["alpha"] == 0.01 and model.best_score_ > 0.95


def test_attributes_of_nodes():
    edges, values = [(0, 1), (1, 2)], [[0.0, 1.0], [2.0, 3.0], [4.0, 5.0]]
    by_pair = (edges, {node: tuple(row) for node, row in enumerate(values)})
    arrays = (edges, [np.array(row) for row in values])
    kernel = Propagation(h=1, width=0.5, preserved="euclidean")
    same = [by_pair, arrays]
    try:
        import networkx
    except ImportError:
        pass
    else:
        graph = networkx.Graph(edges)
        networkx.set_node_attributes(graph, dict(enumerate(values)), "attributes")
        same.append(graph)
    table = kernel(same)
    assert (table == table[0, 0]).all() and table[0, 0] > 0
    other = (edges, {node: (9.0 + node, 0.0) for node in range(3)})
    assert kernel([by_pair], [other])[0, 0] < table[0, 0]
    with pytest.raises(ValueError, match="as many attributes"):
        kernel([(edges, [[1.0], [1.0, 2.0], [1.0]])])


def test_virtual_examples():
    image = np.arange(6.0).reshape(2, 3)
    found, labels = mercer.virtual_examples([image, -image], ["a", "b"], shifts=1, rotations=[90.0], background=-1.0)
    assert found.shape == (20, 2, 3) and labels.tolist() == ["a"] * 10 + ["b"] * 10
    np.testing.assert_array_equal(found[0], image)
    # Down by one and to the right by one: the last of the shifts.
    np.testing.assert_array_equal(found[8], [[-1, -1, -1], [-1, 0, 1]])
    flat = mercer.virtual_examples([image.ravel()], width=3, shifts=1)
    np.testing.assert_array_equal(flat[:9], mercer.virtual_examples([image], shifts=1).reshape(9, 6))
    for given, more, message in [
        ([image], {"width": 2}, "3 pixels wide"),
        ([image.ravel()], {}, "not square"),
        ([image.ravel()], {"width": 4}, "does not divide"),
        ([image], {"zooms": [0.0]}, "factor"),
        ([image], {"shifts": 9}, "no more pixels"),
    ]:
        with pytest.raises(ValueError, match=message):
            mercer.virtual_examples(given, **more)
    with pytest.raises(ValueError, match="1 images, and 2"):
        mercer.virtual_examples([image], [1, 2], shifts=1)


def test_scores_of_a_mixture_are_derivatives_of_its_log_likelihood():
    random = np.random.default_rng(0)
    points = np.concatenate([random.normal(size=(30, 2)), 4 + random.normal(size=(30, 2))])
    sets = [points[:7], points[20:41]]
    for kind in ("diag", "full", "tied", "spherical"):
        model = GaussianMixture(2, covariance_type=kind, random_state=0).fit(points)
        scores = mercer.fisher_scores(model, sets)
        log = np.array([model.score_samples(one).sum() for one in sets])
        step, means = 1e-6, model.means_.copy()
        for at in range(4):
            model.means_ = means.copy()
            model.means_.flat[at] += step
            moved = np.array([model.score_samples(one).sum() for one in sets])
            np.testing.assert_allclose(scores[:, 2 + at], (moved - log) / step, rtol=1e-3, atol=1e-3)
        model.means_ = means
    # Scores are rows for every estimator.
    rows, y = mercer.fisher_scores(model, points[:, None, :]), np.arange(60) // 30
    assert mercer.SVC(kernel=Normalise(Linear())).fit(rows, y).score(rows, y) > 0.9
    with pytest.raises(TypeError, match="SVC is no fitted model"):
        mercer.fisher_scores(mercer.SVC(), sets)


def forward(start, transition, densities):
    """ln p by the forward algorithm."""
    state = start * densities[0]
    for density in densities[1:]:
        state = (state @ transition) * density
    return np.log(state.sum())


def test_scores_of_markov_models_are_derivatives_of_their_log_likelihood():
    start, transition = np.array([0.6, 0.4]), np.array([[0.7, 0.3], [0.2, 0.8]])
    table = np.array([[0.5, 0.2, 0.3], [0.1, 0.6, 0.3]])
    alphabet, strings = "cab", ["abca", "ccb"]

    def log(logits):
        emission = np.exp(logits) / np.exp(logits).sum(axis=1, keepdims=True)
        return [forward(start, transition, emission[:, [alphabet.index(c) for c in text]].T) for text in strings]

    model = SimpleNamespace(startprob_=start, transmat_=transition, emissionprob_=table)
    scores = mercer.fisher_scores(model, strings, alphabet=alphabet)
    order = np.argsort(list(alphabet))
    step, logits = 1e-6, np.log(table)
    for state in range(2):
        for place, symbol in enumerate(order):
            moved = logits.copy()
            moved[state, symbol] += step
            derivative = (np.array(log(moved)) - log(logits)) / step
            np.testing.assert_allclose(scores[:, 6 + 3 * state + place], derivative, atol=1e-5)
    means, variances, series = np.array([[0.0], [2.0]]), np.array([[1.0], [0.5]]), [np.array([0.1, 1.9, 2.2]), np.array([0.3])]
    chain = SimpleNamespace(startprob_=start, transmat_=transition, means_=means, covars_=variances[:, :, None])
    scores = mercer.fisher_scores(chain, series)

    def normal(means, one):
        return np.exp(-((one[:, None] - means.ravel()) ** 2) / (2 * variances.ravel())) / np.sqrt(2 * np.pi * variances.ravel())

    for state in range(2):
        moved = means.copy()
        moved[state] += step
        derivative = [(forward(start, transition, normal(moved, one)) - forward(start, transition, normal(means, one))) / step for one in series]
        np.testing.assert_allclose(scores[:, 6 + state], derivative, atol=1e-5)
    with pytest.raises(ValueError, match="needs an alphabet"):
        mercer.fisher_scores(model, strings)
    with pytest.raises(ValueError, match="must be diagonal"):
        wide = SimpleNamespace(**{**vars(chain), "means_": np.zeros((2, 2)), "covars_": np.ones((2, 2, 2))})
        mercer.fisher_scores(wide, [np.zeros((2, 2))])


def test_mended_matrices_say_what_was_done():
    random = np.random.default_rng(1)
    series = [np.cumsum(random.normal(size=12)) for _ in range(15)]
    kernel = DynamicTimeWarping(gamma=0.01)
    K, k = kernel(series), kernel(series[:3], series)
    least = np.linalg.eigvalsh(K).min()
    assert least < 0
    for how in ("shift", "clip"):
        mended = mercer.mend(K, how)
        values, vectors = np.linalg.eigh(K)
        expected = K - least * np.eye(15) if how == "shift" else (vectors * np.maximum(values, 0)) @ vectors.T
        np.testing.assert_allclose(mended.matrix, expected, atol=1e-10)
        assert mended.negative == (values < 0).sum() and mended.smallest_eigenvalue == pytest.approx(least)
        assert "eigenvalue" in str(mended) and np.linalg.eigvalsh(mended.matrix).min() > -1e-10
        rows = mended.rows(k)
        # A clipped matrix is its own projection; a shift leaves new values alone.
        np.testing.assert_allclose(rows, k if how == "shift" else expected[:3], atol=1e-10)
        model = mercer.SVC(kernel="precomputed").fit(mended.matrix, np.arange(15) % 2)
        assert model.predict(rows).shape == (3,)
    with pytest.raises(ValueError, match="shift.*clip"):
        mercer.mend(K, "cut")
    with pytest.raises(ValueError, match="symmetric"):
        mercer.mend([[1.0, 2.0], [0.0, 1.0]])


@pytest.mark.parametrize("how, mended", [("shift", Shifted), ("clip", Clipped)])
def test_mended_kernels_are_those_of_mended_matrices(how, mended, tmp_path):
    random = np.random.default_rng(1)
    series = [np.cumsum(random.normal(size=random.integers(4, 12))) for _ in range(40)]
    X, new, y = series[:30], series[30:], np.arange(30) % 2
    plain = DynamicTimeWarping(gamma=0.01)
    expected = mercer.mend(plain(X), how)
    kernel = mended(plain)
    np.testing.assert_allclose(kernel(X), expected.matrix, atol=1e-10)
    np.testing.assert_allclose(kernel(X, new).T, expected.rows(plain(new, X)), atol=1e-10)
    assert np.isnan(mercer.SVC(kernel=plain).fit(X, y).gap_)
    model = mercer.SVC(kernel=kernel).fit(X, y)
    other = mercer.SVC(kernel="precomputed").fit(expected.matrix, y)
    values = model.decision_function(new)
    np.testing.assert_allclose(values, other.decision_function(expected.rows(plain(new, X))), atol=1e-2)
    assert model.gap_ < 1e-2
    assert f"least eigenvalue {expected.smallest_eigenvalue:.4f}" in model.mended_ or (
        model.mended_.startswith(f"clipped {expected.negative} of 30 eigenvalues")
    )
    model.save(tmp_path / "model.mercer")
    for again in (mercer.load(tmp_path / "model.mercer"), pickle.loads(pickle.dumps(model))):
        assert (again.decision_function(new) == values).all() and again.mended_ == model.mended_
    assert not hasattr(model.set_params(kernel=plain).fit(X, y), "mended_")
    # Machines that factorise K, and those that keep arrays, see the same matrix.
    ridge = mercer.KernelRidge(kernel=kernel).fit(X, y)
    values = mercer.KernelRidge(kernel="precomputed").fit(expected.matrix, y).predict(expected.rows(plain(new, X)))
    np.testing.assert_allclose(ridge.predict(new), values, atol=1e-8)
    with pytest.raises(ValueError, match="around the whole kernel"):
        2.0 * kernel
    # Kernels on rows are mended in the same way.
    rows, kernel = random.normal(size=(30, 3)), Sigmoid(gamma=1.0)
    np.testing.assert_allclose(mended(kernel)(rows), mercer.mend(kernel(rows), how).matrix, atol=1e-10)
    assert mercer.SVC(kernel=mended(kernel)).fit(rows, y).gap_ < 1e-2


@pytest.mark.parametrize("machine", [mercer.SVC(), mercer.SVR(), mercer.OneClassSVM(nu=0.3)], ids=lambda m: type(m).__name__)
def test_a_warm_start_on_items_goes_on(machine):
    X, y = CASES["strings"][0](60), np.arange(60) % 2 + 0.0
    model = clone(machine).set_params(kernel=Normalise(Spectrum(k=2)), warm_start=True, tol=1e-6)
    given = (X,) if isinstance(machine, mercer.OneClassSVM) else (X, y)
    cold = model.fit(*given).n_iter_
    values = model.decision_function(X) if hasattr(model, "decision_function") else model.predict(X)
    again = model.fit(*given)
    assert np.max(cold) > 0 and np.max(again.n_iter_) == 0
    said = again.decision_function(X) if hasattr(again, "decision_function") else again.predict(X)
    np.testing.assert_allclose(said, values, atol=1e-5)


def test_rows_have_the_same_values_however_they_lie_in_memory():
    random = np.random.default_rng(0)
    X, y = random.normal(size=(70, 40)) + 100.0, np.arange(70) % 2
    kinds = {"C": X, "Fortran": np.asfortranarray(X), "slice": np.repeat(X, 2, axis=1)[:, ::2]}
    for kernel in (Gaussian(gamma=0.1), Linear(), Gaussian(gamma="scale")):
        values = {name: kernel(rows) for name, rows in kinds.items()}
        said = {name: mercer.SVC(kernel=kernel).fit(rows, y).decision_function(rows) for name, rows in kinds.items()}
        for name in kinds:
            np.testing.assert_array_equal(values[name], values["C"], err_msg=name)
            np.testing.assert_array_equal(said[name], said["C"], err_msg=name)


def test_parameters_of_kernels_are_those_of_a_grid(tmp_path):
    X, y = CASES["graphs"][0](20), np.arange(20) % 2
    search = GridSearchCV(mercer.SVC(kernel=WeisfeilerLehman(h=1)), {"kernel__h": [1, 2]}, cv=2).fit(X, y)
    found = [mercer.SVC(kernel=WeisfeilerLehman(h=h)) for h in (1, 2)]
    expected = [cross_val_score(machine, X, y, cv=2).mean() for machine in found]
    np.testing.assert_allclose(search.cv_results_["mean_test_score"], expected)
    kernel = 0.5 * Gaussian(gamma=2.0) + Linear() ** 2
    assert kernel.get_params()["left__right__gamma"] == 2.0 and kernel.get_params()["right__power"] == 2
    copy = clone(kernel)
    assert copy == kernel and copy is not kernel
    assert copy.set_params(left__right__gamma=3.0) is copy and copy == 0.5 * Gaussian(gamma=3.0) + Linear() ** 2
    assert kernel == 0.5 * Gaussian(gamma=2.0) + Linear() ** 2
    for kernel, changes, expected in [
        (Gaussian(gamma=2.0), {"gamma": None, "sigma": 2.0}, Gaussian(sigma=2.0)),
        (Gaussian(), {"sigma": 2.0}, Gaussian(sigma=2.0)),
        (SetSum(Linear()), {"kernel": Gaussian(gamma=1.0), "mean": True}, SetSum(Gaussian(gamma=1.0), mean=True)),
        (SetSum(Gaussian(gamma=1.0)), {"kernel__gamma": 2.0}, SetSum(Gaussian(gamma=2.0))),
        (Columns([0], Linear()), {"columns": [1]}, Columns([1], Linear())),
        (Column("age", Linear()), {"kernel": "equality"}, Column("age", "equality")),
        (Constant(2.0), {"value": 3.0}, Constant(3.0)),
        (Formula("linear"), {"formula": "cosine"}, Formula("cosine")),
        (Normalise(Spectrum(k=2)), {"kernel__k": 4}, Normalise(Spectrum(k=4))),
    ]:
        assert kernel.set_params(**changes) == expected, expected
    kernel = Spectrum(k=2)
    with pytest.raises(ValueError, match="k = 0"):
        kernel.set_params(k=0)
    assert kernel == Spectrum(k=2)
    for changes in ({"n": 1}, {"k__n": 1}):
        with pytest.raises(ValueError, match="Spectrum has no parameter '.*'; it has k"):
            kernel.set_params(**changes)


def test_strings_are_made_of_tokens(tmp_path):
    random = np.random.default_rng(2)
    words = np.array(["the", "cat", "sat", "é", "1", "on"])
    X = [words[random.integers(6, size=random.integers(2, 9))].tolist() for _ in range(24)]
    # Letters in the place of words.
    letters = ["".join("abcdef"[list(words).index(word)] for word in item) for item in X]
    for kernel in [Spectrum(k=2), Blended(k=2), Gappy(k=2), Subsequence(k=2), FixedSubsequences(k=2), AllSubsequences(),
                   Normalise(Spectrum(k=1)) + 0.5 * Subsequence(k=2), Normalise(Subsequence(k=2))]:
        np.testing.assert_allclose(Tokens(kernel)(X), kernel(letters), rtol=1e-12)
        np.testing.assert_allclose(Tokens(kernel)(X[:9], X[9:]), kernel(letters[:9], letters[9:]), rtol=1e-12)
    y = ["cat" in item for item in X]
    model = mercer.SVC(kernel=Tokens(Normalise(Spectrum(k=1))), C=10.0).fit(X, y)
    assert (model.predict(X) == y).all()
    new = [("a", "zebra", "cat"), np.array(["zebra", "on"])]
    values = model.decision_function(new)
    assert (model.decision_function([" ".join(item) for item in new]) == values).all()
    model.save(tmp_path / "model.mercer")
    assert (mercer.load(tmp_path / "model.mercer").decision_function(new) == values).all()
    pairs = Tokens(Spectrum(k=2))
    numbers = [[3, 7, 3], (3.0, 7), np.array([7, 3])]
    np.testing.assert_array_equal(pairs(numbers), [[2, 1, 1], [1, 1, 0], [1, 0, 1]])
    with pytest.raises(TypeError, match="item 1 is list.*Tokens"):
        Spectrum(k=2)(["ab", ["a", "b"]])
    with pytest.raises(ValueError, match="item 0 has the token 'new york'"):
        pairs([["new york"]])
    with pytest.raises(TypeError, match="item 0 has a token of type NoneType"):
        pairs([[None]])
    with pytest.raises(ValueError, match="mismatch does not take tokens"):
        Tokens(Mismatch(k=2))
    for X, Y in [(["é", "é".encode()], None), (["é"], ["é".encode()])]:
        with pytest.raises(TypeError, match="bytes and str do not meet"):
            Spectrum(k=1)(X, Y)


def test_values_that_are_too_large_say_what_to_do():
    long = ["ab" * 550, "ba" * 550, "ab" * 20]
    values = Normalise(AllSubsequences())(long)
    assert np.isfinite(values).all() and (np.diag(values) == 1).all() and 0 < values[0, 1] < 1
    with pytest.raises(ValueError, match="items 0 and 0 is beyond what a number can hold: bring it to unit length"):
        AllSubsequences()(long)
    assert np.isfinite(AllSubsequences(decay=0.1)(long)).all()
    with pytest.raises(ValueError, match=r"leave it at unit length \(unit=true\)"):
        GlobalAlignment(sigma=1.0, unit=False)([np.zeros(2000)])


def test_one_and_one_point_nought_are_the_same_word():
    same = Column("a", "equality")
    np.testing.assert_array_equal(same({"a": [1, 1.0, "1", "1.0"]}), np.ones((4, 4)))
    np.testing.assert_array_equal(same({"a": ["1.5", "v1.0", "01", "1"]}), np.eye(4))
    graphs = [([(0, 1)], [label, 2]) for label in (1, 1.0, "1", "1.0")]
    assert np.ptp(WeisfeilerLehman(h=1)(graphs)) == 0


def test_files_of_the_command_line_and_of_python_are_the_same(tmp_path):
    make, kernel = CASES["graphs"]
    X, y = make(20), np.arange(20) % 2
    for case, kernel in [("strings", Spectrum(k=2)), ("texts", BagOfWords(tfidf=True, n=2, unit="characters")), ("graphs", WeisfeilerLehman(h=2))]:
        X = CASES[case][0](20)
        model = mercer.SVC(kernel=kernel).fit(X, y)
        path = tmp_path / f"{case}.json"
        model.save(path)
        other = mercer.load(path)
        assert str(other.kernel) == str(kernel)
        np.testing.assert_array_equal(other.decision_function(X), model.decision_function(X))
