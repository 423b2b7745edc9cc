"""Machines that learn from one example after the other, exact ones that take examples back, questions, and insights."""

import pickle
import signal
import threading
import warnings

import numpy as np
import pytest
import scipy.sparse as sp
from sklearn.base import clone
from sklearn.exceptions import ConvergenceWarning
from sklearn.metrics import r2_score
from sklearn.svm import SVC as TheirSVC

import mercer
from mercer import (
    SVC,
    SVR,
    ActiveLearner,
    IncrementalSVC,
    KernelPerceptron,
    OnlineSVR,
    PassiveAggressiveClassifier,
    PassiveAggressiveRegressor,
    PRank,
    clean,
    explain,
    prototypes,
)
from mercer.kernels import BagOfWords, Gaussian, Linear, Spectrum

WORDS = ["gattaca", "gatgat", "gattta", "ccacca", "cacacc", "ccccaa"] * 3
LETTERS = ["g", "g", "g", "c", "c", "c"] * 3


def classifiers():
    return [KernelPerceptron(), KernelPerceptron(average=True), PassiveAggressiveClassifier(C=5.0, loss="squared_hinge")]


@pytest.mark.parametrize("model", classifiers(), ids=str)
def test_batches_do_not_matter(model, iris):
    X, y = iris
    order = np.random.default_rng(0).permutation(len(X))
    X, y = X[order], y[order]
    # An average has no place for what is removed.
    model.set_params(budget=30, gamma=0.3, budget_method="project" if getattr(model, "average", False) else "remove")
    whole = clone(model).partial_fit(X, y, classes=np.unique(y))
    parts = clone(model)
    for start in range(0, len(X), 17):
        parts.partial_fit(X[start : start + 17], y[start : start + 17], classes=np.unique(y))
    np.testing.assert_array_equal(whole.decision_function(X), parts.decision_function(X))
    assert whole.n_mistakes_ == parts.n_mistakes_ and whole.n_examples_ == 150
    assert all(len(items) <= 30 for items in whole.support_)
    assert (whole.predict(X) == y).mean() > 0.85
    # A pickle goes on as if nothing had happened.
    again = pickle.loads(pickle.dumps(parts)).partial_fit(X[:20], y[:20])
    np.testing.assert_array_equal(again.decision_function(X), parts.partial_fit(X[:20], y[:20]).decision_function(X))


def test_values_of_a_function_are_as_good_as_rows(two_classes):
    X, y = two_classes
    X, y = X[:200], y[:200]
    by_rows = PassiveAggressiveClassifier(gamma=0.05, budget=20)
    by_values = PassiveAggressiveClassifier(kernel=lambda a, b: Gaussian(gamma=0.05)(np.asarray(a), np.asarray(b)), budget=20)
    for model in (by_rows, by_values):
        for start in range(0, 200, 80):
            model.partial_fit(X[start : start + 80], y[start : start + 80], classes=[0, 1])
    np.testing.assert_allclose(by_rows.decision_function(X), by_values.decision_function(X), rtol=1e-9)
    assert by_rows.n_mistakes_ == by_values.n_mistakes_
    assert len(by_values._remembered.items) <= 20


def test_strings_are_learned():
    for model in (KernelPerceptron(kernel=Spectrum(k=2)), PassiveAggressiveClassifier(kernel=Spectrum(k=2))):
        assert model.fit(WORDS, LETTERS).predict(["gatta", "caccac"]).tolist() == ["g", "c"]
        more = clone(model).partial_fit(WORDS, LETTERS, classes=["c", "g"])
        again = pickle.loads(pickle.dumps(more))
        np.testing.assert_array_equal(again.decision_function(WORDS), more.decision_function(WORDS))
        with pytest.raises(ValueError, match="pickle"):
            more.save("never.mercer")


def test_what_a_kernel_learns_it_learns_once():
    kernel = BagOfWords(tfidf=True, n=2, unit="characters")
    # Values are those of the kernel that has learned from the first items, however few are compared later.
    weights = SVC(kernel=kernel).fit(WORDS, LETTERS)
    model = KernelPerceptron(kernel=kernel).fit(WORDS, LETTERS)
    alone = np.concatenate([model.decision_function([word]) for word in WORDS])
    np.testing.assert_allclose(alone, model.decision_function(WORDS), rtol=1e-12)
    exact = IncrementalSVC(kernel=kernel).fit(WORDS, LETTERS)
    np.testing.assert_allclose(exact.decision_function(WORDS), weights.decision_function(WORDS), atol=2e-3)
    again = pickle.loads(pickle.dumps(exact))
    np.testing.assert_allclose(again.decision_function(WORDS), exact.decision_function(WORDS), atol=1e-9)


def test_the_bound_on_updates_holds():
    for seed in range(10):
        random = np.random.default_rng(seed)
        X = random.normal(size=(60, 3))
        w = random.normal(size=3)
        y = X @ w > 0
        keep = abs(X @ w) > 0.2
        model = KernelPerceptron(kernel="linear", max_iter=1000).fit(X[keep], y[keep])
        assert model.status_ == "settled" and (model.predict(X[keep]) == y[keep]).all()
        assert model.n_updates_[0] <= model.update_bound_[0]
        assert model.largest_margin_ >= np.sqrt(model.squared_radius_ / model.update_bound_[0]) * (1 - 1e-9)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        noisy = KernelPerceptron(kernel="linear", max_iter=5).fit([[0.0], [1.0], [2.0]], [0, 1, 0])
    assert noisy.status_ == "stopped at the limit of passes" and np.isinf(noisy.update_bound_[0])


def test_the_limits_are_support_vector_machines(two_classes):
    X, y = two_classes
    X, y = X[:150], y[:150]
    # A penalised offset is a constant that is added to the kernel.
    kernel = Gaussian(gamma=0.05) + mercer.kernels.Constant(1.0)
    found = PassiveAggressiveClassifier(gamma=0.05, C=2.0, max_iter=5000, tol=1e-8).fit(X, y)
    reference = TheirSVC(C=2.0, kernel="precomputed", tol=1e-8).fit(kernel(X), y)
    # Theirs has an offset of its own as well; that of the sum is not unique, but the direction is nearly the same.
    ours, theirs = found.decision_function(X), reference.decision_function(kernel(X))
    assert np.corrcoef(ours, theirs)[0, 1] > 0.9999
    x = np.linspace(0.0, 6.0, 80).reshape(-1, 1)
    target = np.sin(x).ravel()
    regression = OnlineSVR(C=10.0, epsilon=0.05, gamma=1.0, max_iter=5000, tol=1e-8).fit(x, target)
    batch = SVR(C=10.0, epsilon=0.05, gamma=1.0, tol=1e-8).fit(x, target)
    np.testing.assert_allclose(regression.predict(x), batch.predict(x), atol=0.05)
    stream = PassiveAggressiveRegressor(C=10.0, epsilon=0.02, gamma=1.0)
    for seed in range(5):
        order = np.random.default_rng(seed).permutation(80)
        stream.partial_fit(x[order], target[order])
    assert r2_score(target, stream.predict(x)) > 0.9 and stream.n_examples_ == 400


def test_levels_come_in_an_order():
    random = np.random.default_rng(1)
    X = random.uniform(0, 5, size=(400, 1))
    stars = np.floor(X.ravel()) / 2 + 0.5
    model = PRank(gamma=1.0, max_iter=50)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        model.fit(X, stars)
    assert model.classes_.tolist() == [0.5, 1.0, 1.5, 2.0, 2.5]
    assert (np.diff(model.thresholds_) >= 0).all()
    assert abs(model.predict(X) - stars).mean() < 0.1
    np.testing.assert_array_equal(model.classes_[model.decision_function(X).argmax(axis=1)], model.predict(X))


def test_files_go_on(tmp_path, iris):
    X, y = iris
    order = np.random.default_rng(0).permutation(len(X))
    X, y = X[order], y[order]
    path = tmp_path / "iris.mercer"
    models = [
        KernelPerceptron(),
        PassiveAggressiveClassifier(C=3.0, budget=40),
        PRank(),
        OnlineSVR(C=2.0, epsilon=0.2),
        PassiveAggressiveRegressor(C=2.0, epsilon=0.2),
    ]
    for model in models:
        more = {"classes": np.unique(y)} if hasattr(model, "decision_function") else {}
        model.partial_fit(X[:100], y[:100], **more).save(path)
        loaded = mercer.load(path)
        assert type(loaded) is type(model)
        np.testing.assert_array_equal(loaded.partial_fit(X[100:], y[100:]).support_[0],
                                      model.partial_fit(X[100:], y[100:]).support_[0])  # fmt: skip
        np.testing.assert_allclose(loaded._values(X), model._values(X), rtol=1e-12)


@pytest.mark.parametrize("name", ["m.mercer", "m.json"])
def test_classes_of_a_file_are_of_their_kind(tmp_path, iris, name):
    X, y = iris
    path = tmp_path / name
    for classes in ([False, True], ["False", "True"], [3, 7], [1.0, 2.0], ["no", "yes"]):
        classes = np.array(classes)
        model = PassiveAggressiveClassifier().partial_fit(X, classes[(y > 0).astype(int)], classes=classes)
        model.save(path)
        found = mercer.load(path)
        assert found.classes_.dtype == classes.dtype
        np.testing.assert_array_equal(found.predict(X), model.predict(X))


def test_levels_that_are_words_need_an_order(tmp_path):
    X = np.random.default_rng(0).uniform(0, 3, (400, 1))
    number = X[:, 0].astype(int)
    words = np.array(["low", "medium", "high"])[number]
    with pytest.raises(ValueError, match="have no order of their own"):
        PRank(kernel="linear").fit(X, words)
    order = ["low", "medium", "high"]
    by_number = PRank(kernel="linear").fit(X, number)
    model = PRank(kernel="linear", classes=order).fit(X, words)
    assert model.classes_.tolist() == order and model.score(X, words) == by_number.score(X, number) > 0.95
    np.testing.assert_array_equal(model.thresholds_, by_number.thresholds_)
    stream = PRank(kernel="linear").partial_fit(X, words, classes=order)
    same = PRank(kernel="linear").partial_fit(X, number, classes=[2, 0, 1])
    assert stream.classes_.tolist() == order and same.classes_.tolist() == [0, 1, 2]
    np.testing.assert_array_equal(stream.thresholds_, same.thresholds_)
    np.testing.assert_array_equal(stream.predict(X), np.array(order)[same.predict(X)])
    stream.save(tmp_path / "m.mercer")
    found = mercer.load(tmp_path / "m.mercer").partial_fit(X, words, classes=order)
    np.testing.assert_array_equal(found.predict(X), stream.partial_fit(X, words).predict(X))
    with pytest.raises(ValueError, match="named once"):
        PRank(classes=["a", "b", "a"]).fit(X, words)


@pytest.mark.parametrize(
    "model",
    [PassiveAggressiveClassifier(), KernelPerceptron(), PRank(), OnlineSVR(), PassiveAggressiveRegressor(), IncrementalSVC()],
    ids=str,
)
def test_parameters_do_not_change_in_mid_stream(model, iris):
    X, y = iris[0], (iris[1] > 0).astype(int)
    more = {"classes": [0, 1]} if hasattr(model, "predict") and hasattr(model, "decision_function") else {}
    model = clone(model).partial_fit(X[::5], y[::5], **more)
    model = pickle.loads(pickle.dumps(model)).partial_fit(X[1::5], y[1::5])
    for change in ({"kernel": "linear"}, {"gamma": 0.5}, {"budget": 5}, {"C": 1e-4}):
        name = next(iter(change))
        if name not in model.get_params():
            continue
        before = model.get_params()[name]
        with pytest.raises(ValueError, match=f"{name}=.*has begun with"):
            model.set_params(**change).partial_fit(X[2::5], y[2::5])
        # What is as it was goes on, and fit begins anew.
        model.set_params(**{name: before}).partial_fit(X[2::5], y[2::5])
    if "max_iter" in model.get_params():
        model.set_params(max_iter=7).partial_fit(X[3::5], y[3::5])
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        model.set_params(kernel="linear").fit(X, y)


@pytest.mark.parametrize("sparse", [False, True])
@pytest.mark.parametrize("name", ["m.mercer", "m.json"])
def test_exact_machines_have_files(tmp_path, iris, name, sparse):
    X, y = iris[0], np.where(iris[1] > 0, "other", "setosa")
    X = sp.csr_matrix(X) if sparse else X
    model = IncrementalSVC(C=2.0, gamma=0.3).fit(X[::3], y[::3])
    model.remove([0, 20]).add(X[1:3], y[1:3])
    path = tmp_path / name
    model.save(path)
    found = mercer.load(path)
    assert type(found) is IncrementalSVC and found.get_params()["C"] == 2.0
    np.testing.assert_array_equal(found.ids_, model.ids_)
    np.testing.assert_allclose(found.decision_function(X), model.decision_function(X), atol=1e-6)
    # It goes on as the other does.
    assert found.add(X[4:6], y[4:6]).tolist() == model.add(X[4:6], y[4:6]).tolist()
    np.testing.assert_allclose(found.remove(3).decision_function(X), model.remove(3).decision_function(X), atol=1e-6)
    words = IncrementalSVC(kernel=Spectrum(k=2)).fit(WORDS, LETTERS)
    words.save(path)
    assert mercer.load(path).predict(WORDS).tolist() == words.predict(WORDS).tolist()
    with pytest.raises(ValueError, match="function of Python's"):
        IncrementalSVC(kernel=lambda a, b: a @ b.T).fit(iris[0], y).save(path)


def test_fractions_are_refused(iris):
    X, y = iris[0], iris[1] > 0
    exact, learner = IncrementalSVC().fit(X, y), ActiveLearner(X, [False, True])
    learner.answer(3, True)
    for call in (
        lambda: exact.remove(1.9),
        lambda: exact.remove([1, 2.5]),
        lambda: learner.answer(2.7, True),
        lambda: learner.answer(-1, True),
        lambda: learner.ask(-1),
        lambda: learner.ask(1.5),
        lambda: prototypes(X, 2.5),
        lambda: clean(X, y, folds=2.5),
    ):
        with pytest.raises(ValueError, match="expected a whole number"):
            call()
    assert len(exact.ids_) == len(X) and len(learner.asked_) == 1
    with pytest.raises(ValueError, match="item 3 has an answer already"):
        learner.answer(3, True)
    with pytest.raises(ValueError, match="diversity = 2: expected a number from 0 to 1"):
        learner.ask(2, diversity=2.0)


@pytest.mark.parametrize("kernel", ["rbf", Spectrum(k=2)], ids=str)
def test_questions_are_pickled(kernel, iris):
    X, y = (WORDS, LETTERS) if isinstance(kernel, Spectrum) else (iris[0], iris[1])
    learner = ActiveLearner(X, np.unique(y), kernel=kernel, query="uncertain", random_state=3)
    for _ in range(8):
        item = next(learner)
        learner.answer(item, y[item])
    again = pickle.loads(pickle.dumps(learner))
    np.testing.assert_array_equal(again.asked_, learner.asked_)
    np.testing.assert_allclose(again.objectives_, learner.objectives_)
    for _ in range(5):
        item = next(learner)
        assert next(again) == item
        learner.answer(item, y[item])
        again.answer(item, y[item])
    assert again.undo() == learner.undo()
    assert again.predict(X).tolist() == learner.predict(X).tolist()
    values = learner.decision_function(X)
    np.testing.assert_allclose(again.decision_function(X), values)
    if values.ndim == 1:
        assert (learner.classes_[(values > 0).astype(int)] == learner.predict(X)).all()
    else:
        assert (learner.classes_[values.argmax(axis=1)] == learner.predict(X)).all()


def test_what_is_wrong_is_said(iris):
    X, y = iris
    with pytest.raises(ValueError, match="classes must be passed on the first call"):
        KernelPerceptron().partial_fit(X, y)
    model = KernelPerceptron().partial_fit(X, y, classes=[0, 1, 2])
    with pytest.raises(ValueError, match="none of"):
        model.partial_fit(X[:1], [7])
    with pytest.raises(ValueError, match="not the same as on last call"):
        model.partial_fit(X[:1], y[:1], classes=[0, 1])
    with pytest.raises(ValueError, match="features"):
        model.partial_fit(X[:1, :2], y[:1])
    with pytest.raises(ValueError, match="budget"):
        KernelPerceptron(budget=1).fit(X, y)
    with pytest.raises(ValueError, match="greater than one"):
        PassiveAggressiveClassifier().fit(X[:5], y[:5])


def test_the_exact_machine_is_that_of_its_examples(two_classes):
    X, y = two_classes
    X, y = X[:80], y[:80]
    model = IncrementalSVC(gamma=0.05, C=2.0).fit(X[:60], y[:60])
    added = model.add(X[60:], y[60:])
    batch = SVC(gamma=0.05, C=2.0, tol=1e-8).fit(X, y)
    np.testing.assert_allclose(model.decision_function(X), batch.decision_function(X), atol=1e-4)
    model.remove(added).remove([0, 5])
    rest = np.setdiff1d(np.arange(60), [0, 5])
    batch = SVC(gamma=0.05, C=2.0, tol=1e-8).fit(X[rest], y[rest])
    np.testing.assert_allclose(model.decision_function(X), batch.decision_function(X), atol=1e-4)
    assert model.ids_.tolist() == rest.tolist()
    again = pickle.loads(pickle.dumps(model))
    np.testing.assert_allclose(again.decision_function(X), model.decision_function(X), atol=1e-5)
    assert again.add(X[:1], y[:1]).tolist() == [80]
    with pytest.raises(ValueError, match="there is no example 5"):
        model.remove(5)
    # Sparse rows, and items of another kind.
    sparse = IncrementalSVC(gamma=0.05, C=2.0).fit(sp.csr_matrix(X), y)
    np.testing.assert_allclose(sparse.decision_function(sp.csr_matrix(X)), IncrementalSVC(gamma=0.05, C=2.0).fit(X, y).decision_function(X), atol=1e-6)
    words = IncrementalSVC(kernel=Spectrum(k=2)).fit(WORDS, LETTERS)
    assert words.predict(["gatta", "caccac"]).tolist() == ["g", "c"]
    again = pickle.loads(pickle.dumps(words)).remove([0, 1])
    assert len(again.ids_) == 16 and again.predict(["caccac"]).tolist() == ["c"]


def test_one_left_out_is_one_not_trained_on(two_classes):
    X, y = two_classes
    X, y = X[:40], y[:40]
    left_out = IncrementalSVC(gamma=0.05, C=2.0).fit(X, y).leave_one_out()
    for at in (0, 7, 23):
        rest = np.arange(40) != at
        batch = SVC(gamma=0.05, C=2.0, tol=1e-8).fit(X[rest], y[rest])
        assert left_out[at] == pytest.approx(batch.decision_function(X[at : at + 1])[0], abs=1e-4)


@pytest.mark.parametrize("C", [1.0, 100.0, 1e4])
def test_repeated_rows_are_no_harm(C):
    for seed in range(5):
        rng = np.random.default_rng(seed)
        X, y = rng.integers(0, 3, (51, 2)).astype(float), rng.integers(0, 2, 51)
        model = IncrementalSVC(C=C, gamma=0.3).fit(X, y)
        batch = SVC(C=C, gamma=0.3, tol=1e-8).fit(X, y)
        np.testing.assert_allclose(model.decision_function(X), batch.decision_function(X), atol=1e-6)
        assert model._machine.violation() < 1e-8 and model.n_refits_ == 0
        # Also where the offset is not unique.
        few = IncrementalSVC(C=1e-3, gamma=0.3).fit(X, y)
        assert abs(few.intercept_ - SVC(C=1e-3, gamma=0.3, tol=1e-8).fit(X, y).intercept_[0]) < 1e-6


def test_an_interrupted_update_leaves_the_machine_as_it_was():
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(6000, 5)), rng.integers(0, 2, 6000)
    model = IncrementalSVC(C=100.0, gamma=1.0).fit(X[:50], y[:50])
    before = (model.decision_function(X[:9]), model.dual_coef_, model.ids_)
    for update in (lambda: model.partial_fit(X, y), lambda: model.fit(X, y)):
        timer = threading.Timer(0.3, signal.raise_signal, [signal.SIGINT])
        timer.start()
        with pytest.raises(KeyboardInterrupt):
            update()
        timer.join()
        assert np.array_equal(model.decision_function(X[:9]), before[0])
        assert np.array_equal(model.dual_coef_, before[1]) and np.array_equal(model.ids_, before[2])
    assert len(model.partial_fit(X[50:60], y[50:60]).ids_) == 60


def test_threads_predict_while_another_one_updates():
    rng = np.random.default_rng(1)
    X, y = rng.normal(size=(300, 3)), rng.integers(0, 2, 300)
    model = IncrementalSVC(gamma=0.5).fit(X[:50], y[:50])
    failed, ended = [], threading.Event()

    def predicts():
        while not ended.is_set():
            try:
                model.predict(X[:20])
            except Exception as error:
                failed.append(error)

    threads = [threading.Thread(target=predicts) for _ in range(3)]
    for thread in threads:
        thread.start()
    for at in range(50, 300):
        model.partial_fit(X[at : at + 1], y[at : at + 1])
    ended.set()
    for thread in threads:
        thread.join()
    assert not failed
    np.testing.assert_allclose(model.decision_function(X), IncrementalSVC(gamma=0.5).fit(X, y).decision_function(X), atol=1e-7)


@pytest.mark.parametrize("query", ["mixed", "nearest", "band", "uncertain", "random"])
def test_questions_are_answered(query, iris):
    X, y = iris
    learner = ActiveLearner(X, np.unique(y), query=query, gamma=0.3, random_state=1)
    for item in learner:
        learner.answer(item, y[item])
        if len(learner.asked_) == 40:
            break
    assert len(set(learner.asked_.tolist())) == 40
    np.testing.assert_array_equal(learner.answers_, y[learner.asked_])
    assert (learner.predict(X) == y).mean() > 0.85
    last = learner.asked_[-1]
    assert learner.undo() == last and len(learner.asked_) == 39
    batch = learner.ask(5, diversity=0.5)
    assert len(set(batch.tolist())) == 5 and not set(batch.tolist()) & set(learner.asked_.tolist())


def test_questions_about_other_items_and_the_end():
    learner = ActiveLearner(WORDS, ["c", "g"], kernel=Spectrum(k=2))
    for item in learner:
        learner.answer(item, LETTERS[item])
    assert len(learner.asked_) == len(WORDS)
    assert learner.predict(["gatta", "caccac"]).tolist() == ["g", "c"]
    X = np.arange(100.0).reshape(-1, 1)
    learner = ActiveLearner(X, [0, 1], kernel="linear", C=1000.0)
    known = X[::7] + 0.25
    for item in learner:
        learner.answer(item, int(X[item, 0] > 41.5))
        if learner.has_emptied(known, (known.ravel() > 41.5).astype(int)):
            break
    assert len(learner.asked_) < 20
    with pytest.raises(ValueError, match="none of the classes"):
        learner.answer(0, 3)
    with pytest.raises(ValueError, match="position in the pool"):
        learner.answer(100, 1)
    with pytest.raises(ValueError, match="query"):
        ActiveLearner(X, [0, 1], query="loudest")


def test_wrong_labels_and_prototypes(iris):
    X, y = iris
    wrong = y.copy()
    wrong[[10, 60, 120]] = [1, 2, 0]
    for kernel in ("rbf", Gaussian(gamma=0.3), lambda a, b: Gaussian(gamma=0.3)(a, b)):
        found = clean(X, wrong, kernel=kernel)
        assert set(found["item"][:3].tolist()) == {10, 60, 120}
        assert (found["margin"][:3] < 0).all() and len(found["item"]) == 150
    words = clean(WORDS, ["c", *LETTERS[1:]], kernel=Spectrum(k=2), folds=3)
    assert words["item"][0] == 0
    items, distances = prototypes(X, 6, gamma=0.3)
    values, _ = prototypes(Gaussian(gamma=0.3)(X), 6, kernel="precomputed")
    assert items.tolist() == values.tolist() and distances[-1] < distances[0]
    with pytest.raises(ValueError, match="prototypes"):
        prototypes(X, 1000)


def test_a_prediction_is_a_sum(iris):
    X, y = iris
    for model in (SVC(gamma=0.3), SVC(gamma=0.3, multi_class="ovr"), SVR(gamma=0.3)):
        model.fit(X, y)
        for function in explain(model, X[3]):
            assert function["value"] == pytest.approx(function["contribution"].sum() + function["offset"])
            assert (np.diff(abs(function["contribution"])) <= 0).all()
    binary = SVC(kernel=Linear()).fit(X, y > 0)
    found = explain(binary, X[100])[0]
    assert found["value"] == pytest.approx(binary.decision_function(X[100:101])[0])
    assert set(found["item"].tolist()) == set(binary.support_.tolist())
    with pytest.raises(TypeError, match="support vectors"):
        explain(mercer.KernelPCA().fit(X), X[0])


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
def test_machines_that_learn_on_line_are_explained(iris):
    X, y = iris
    models = [KernelPerceptron(), PassiveAggressiveClassifier(), PRank(), OnlineSVR(), IncrementalSVC()]
    for model in models:
        for target in (y, y > 0):
            if isinstance(model, IncrementalSVC) and target is y:
                continue
            model.fit(X, target)
            found = explain(model, X[70])
            for function in found:
                assert function["value"] == pytest.approx(function["contribution"].sum() + function["offset"])
            if hasattr(model, "decision_function"):
                values = np.atleast_1d(model.decision_function(X[70:71])[0])
                assert {one["above"] for one in found} <= set(np.unique(target))
                scale = 0.5 if isinstance(model, PRank) and len(found) == 1 else 1.0
                np.testing.assert_allclose([one["value"] for one in found], scale * values, atol=1e-9)
            else:
                assert found[0]["above"] is None and found[0]["value"] == pytest.approx(model.predict(X[70:71])[0])
    binary = IncrementalSVC(C=0.5).fit(X, y > 0)
    assert set(explain(binary, X[0])[0]["item"].tolist()) == set(binary.ids_[binary.dual_coef_ != 0].tolist())
    for model in (PassiveAggressiveClassifier(kernel=Spectrum(k=2)), IncrementalSVC(kernel=Spectrum(k=2))):
        model.fit(WORDS, LETTERS)
        found = explain(model, "gattac")[0]
        assert (found["above"], found["below"]) == ("g", "c")
        assert found["value"] == pytest.approx(model.decision_function(["gattac"])[0])
    for target in (y, y > 0):
        model = KernelPerceptron(average=True).fit(X, target)
        values = np.atleast_1d(model.decision_function(X[:1])[0])
        np.testing.assert_allclose([one["value"] for one in explain(model, X[0])], values, atol=1e-9)
    with pytest.raises(ValueError, match="mean of many"):
        explain(KernelPerceptron(kernel=Spectrum(k=2), average=True).fit(WORDS, LETTERS), "gattac")
    for model in (mercer.OneClassSVM(nu=0.2), mercer.SVDD(C=0.05)):
        found = explain(model.fit(X), X[3])[0]
        assert (found["above"], found["below"]) == ("inside", "outside")
        assert found["value"] == pytest.approx(found["contribution"].sum() + found["offset"])
        assert (found["value"] >= 0) == (model.predict(X[3:4])[0] == 1)


def test_the_only_item_of_a_class_is_contradicted():
    X = np.arange(30.0).reshape(-1, 1)
    found = clean(X, np.where(np.arange(30) == 11, "rare", "common"))
    assert found["item"][0] == 11 and found["suggested"][0] == "common" and found["margin"][0] == -2.0


def loss_of(model, X, y):
    return np.maximum(0, 1 - np.where(y == 1, 1, -1) * model.decision_function(X)).sum()


def test_features_that_are_not_scaled_are_solved_exactly():
    for seed in range(40):
        rng = np.random.default_rng(seed)
        X, y = 1e3 * rng.normal(size=(40, 2)).round(), rng.integers(0, 2, 40)
        model = IncrementalSVC(kernel="linear", C=1e6)
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            model.fit(X[:20], y[:20])
            for at in range(20, 40):
                model.add(X[at : at + 1], y[at : at + 1])
        assert model.status_ == "converged" and model.kkt_gap_ < 1e-8 and model.gap_ < 1e-6
        # Beside C, the size of w does not matter: the loss is the least there is.
        least = loss_of(SVC(kernel="linear", C=1e5, tol=1e-6).fit(X / 1e3, y), X / 1e3, y)
        assert loss_of(model, X, y) == pytest.approx(least, rel=1e-4)


def test_the_limit_of_precision_is_a_status_and_a_warning():
    found = set()
    for seed in range(10):
        rng = np.random.default_rng(seed)
        X, y = 1e4 * rng.normal(size=(40, 2)), rng.integers(0, 2, 40)
        model = IncrementalSVC(kernel="linear", C=1e12)
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            try:
                model.fit(X, y)
            except ValueError:
                # Nothing near the conditions was found, and nothing has been learned.
                continue
        told = [str(w.message) for w in caught if issubclass(w.category, ConvergenceWarning)]
        assert any("numerical precision" in words for words in told) == (model.status_ != "converged")
        assert any("batch solver" in words for words in told) == (model.n_refits_ > 0)
        assert (model.status_ == "converged") == (model.kkt_gap_ <= 1e-3 and model.gap_ <= 0.01)
        found.add(model.status_)
    assert "stopped at the limit of numerical precision" in found


WEIGHTS = np.arange(150) * 7 % 4


def test_weights_of_exact_machines_are_repeated_rows(tmp_path, iris):
    X, y = iris[0], np.where(iris[1] > 1, "virginica", "other")
    rows = np.repeat(np.arange(150), WEIGHTS)
    weighted = IncrementalSVC(C=0.7).fit(X, y, sample_weight=WEIGHTS)
    repeated = IncrementalSVC(C=0.7).fit(X[rows], y[rows])
    batch = SVC(C=0.7, tol=1e-9).fit(X, y, sample_weight=WEIGHTS)
    for other in (repeated, batch):
        np.testing.assert_allclose(weighted.decision_function(X), other.decision_function(X), atol=1e-6)
    assert (abs(weighted.dual_coef_) <= 0.7 * WEIGHTS + 1e-12).all()
    # Without them it is another machine.
    assert abs(IncrementalSVC(C=0.7).fit(X, y).decision_function(X) - weighted.decision_function(X)).max() > 1e-2
    # Step by step, in files and pickles, and with rows that leave.
    gamma = 1 / (4 * X.var())
    half = IncrementalSVC(C=0.7, gamma=gamma).partial_fit(X[:80], y[:80], ["other", "virginica"], WEIGHTS[:80])
    half.add(X[80:], y[80:], sample_weight=WEIGHTS[80:])
    half.save(tmp_path / "m.mercer")
    for model in (half, pickle.loads(pickle.dumps(half)), mercer.load(tmp_path / "m.mercer")):
        model.remove([4, 66, 100, 149])
        some = np.setdiff1d(np.arange(150), [4, 66, 100, 149])
        expected = SVC(C=0.7, gamma=gamma, tol=1e-9).fit(X[some], y[some], sample_weight=WEIGHTS[some])
        np.testing.assert_allclose(model.decision_function(X), expected.decision_function(X), atol=1e-6)
    left = half.leave_one_out()
    at = 17
    some = np.setdiff1d(some, half.ids_[at])
    expected = SVC(C=0.7, gamma=gamma, tol=1e-9).fit(X[some], y[some], sample_weight=WEIGHTS[some])
    assert left[at] == pytest.approx(expected.decision_function(X[half.ids_[at]][None])[0], abs=1e-5)
    # Classes without weight are not there; items have weights too.
    model = IncrementalSVC().fit(X, iris[1], sample_weight=iris[1] > 0)
    assert model.classes_.tolist() == [1, 2]
    weights = np.arange(18) % 3
    words = IncrementalSVC(kernel=Spectrum(k=2)).fit(WORDS, LETTERS, sample_weight=weights)
    many = IncrementalSVC(kernel=Spectrum(k=2)).fit(np.repeat(WORDS, weights), np.repeat(LETTERS, weights))
    np.testing.assert_allclose(words.decision_function(WORDS), many.decision_function(WORDS), atol=1e-8)


@pytest.mark.parametrize(
    "model",
    [
        PassiveAggressiveClassifier(C=0.5, max_iter=100_000, tol=1e-12),
        PassiveAggressiveClassifier(C=0.5, loss="squared_hinge", max_iter=100_000, tol=1e-12),
        OnlineSVR(C=0.5, max_iter=100_000, tol=1e-12),
        PassiveAggressiveRegressor(C=0.5, loss="squared_epsilon_insensitive", max_iter=100_000, tol=1e-12),
        PassiveAggressiveClassifier(C=0.5, max_iter=100_000, tol=1e-12, kernel=lambda a, b: Gaussian(gamma=0.3)(np.asarray(a), np.asarray(b))),
    ],
    ids=["hinge", "squared hinge", "regression", "squared regression", "a function as kernel"],
)
def test_weights_of_passes_are_repeated_rows(model, iris):
    X, y = iris[0][::2], (iris[1][::2] > 1).astype(int)
    weights = WEIGHTS[:75]
    rows = np.repeat(np.arange(75), weights)
    weighted = clone(model).fit(X, y, sample_weight=weights)
    repeated = clone(model).fit(X[rows], y[rows])
    answer = "decision_function" if hasattr(model, "decision_function") else "predict"
    np.testing.assert_allclose(getattr(weighted, answer)(X), getattr(repeated, answer)(X), atol=1e-6)
    assert abs(getattr(clone(model).fit(X, y), answer)(X) - getattr(repeated, answer)(X)).max() > 1e-3


def test_weights_of_streams():
    X, y = [[1.0], [-2.0], [3.0]], [1, 0, 0]
    weights = [2.0, 0.5, 0.0]
    model = KernelPerceptron(kernel="linear", fit_intercept=False).partial_fit(X, y, [0, 1], weights)
    # The first is a mistake of f = 0, the second none, the third does not count.
    assert model.dual_coef_[0].tolist() == [2.0] and model.loss_ == 2.0 and model.n_updates_.tolist() == [1]
    assert model.largest_margin_ == pytest.approx(2.0)
    again = pickle.loads(pickle.dumps(model)).partial_fit([[3.0]], [0], sample_weight=[0.0])
    assert again.decision_function([[1.0]]) == model.decision_function([[1.0]])
    for other, more in [(PassiveAggressiveClassifier(kernel="linear", C=0.01), {"classes": [0, 1]}), (OnlineSVR(kernel="linear", C=0.01), {})]:
        by_weight = clone(other).partial_fit(X[:2], y[:2], **more, sample_weight=[3.0, 1.0])
        by_cost = clone(other).set_params(C=0.03).partial_fit(X[:1], y[:1], **more)
        assert by_weight.dual_coef_[0][0] == by_cost.dual_coef_[0][0] == pytest.approx(0.03)
        with pytest.raises(ValueError, match="one weight per row"):
            by_weight.partial_fit(X, y, sample_weight=[1.0])
        with pytest.raises(ValueError, match="NaN or infinity"):
            by_weight.partial_fit(X, y, sample_weight=[1.0, np.nan, 1.0])
    for seed in range(5):
        rng = np.random.default_rng(seed)
        X = rng.normal(size=(60, 3))
        y, keep = X[:, 0] > 0, abs(X[:, 0]) > 0.2
        weights = rng.uniform(0.5, 2.0, 60)[keep]
        model = KernelPerceptron(kernel="linear", max_iter=10_000).fit(X[keep], y[keep], sample_weight=weights)
        assert model.status_ == "settled" and model.n_updates_[0] <= model.update_bound_[0]
    with pytest.raises(TypeError, match="sample_weight"):
        PRank().fit(X, y, sample_weight=np.ones(60))


def test_a_detector_about_the_origin_converges():
    X = np.random.default_rng(3).normal(size=(300, 2))
    for scale in (1e-3, 1.0, 1e3):
        for nu in (0.02, 0.1, 0.5):
            with warnings.catch_warnings():
                warnings.simplefilter("error")
                model = mercer.OneClassSVM(kernel="linear", nu=nu).fit(scale * X)
            assert model.status_ == "converged" and model.gap_ <= 0.01
    # Away from it the gap is that of before.
    assert mercer.OneClassSVM(kernel="linear", nu=0.1).fit(X + 5.0).gap_ <= 0.01
