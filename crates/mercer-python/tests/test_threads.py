"""Predictions of one thread beside updates of another."""

import threading
import time

import numpy as np
import pytest
from machines import ESTIMATORS, examples, machine

import mercer

pytestmark = pytest.mark.alone

ONLINE = [name for name in ESTIMATORS if hasattr(machine(name), "partial_fit")]


def side_by_side(*acts):
    """Runs functions on threads of their own, and returns what they have raised."""
    raised = []

    def guarded(act):
        try:
            act()
        except BaseException as error:
            raised.append(error)

    threads = [threading.Thread(target=guarded, args=(act,)) for act in acts]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return raised


@pytest.mark.parametrize("name", ONLINE)
def test_predictions_go_on_beside_updates(name):
    X, y = examples(name, n=200)
    named = {} if name in ("OnlineSVR", "PassiveAggressiveRegressor") else {"classes": np.unique(y)}
    model = machine(name).partial_fit(X[:100], y[:100], **named)

    def update(start):
        for row in range(start, 200, 2):
            model.partial_fit(X[row : row + 1], y[row : row + 1])

    def predict():
        for _ in range(100):
            assert len(model.predict(X)) == len(X)
            if hasattr(model, "decision_function"):
                model.decision_function(X)

    assert side_by_side(lambda: update(100), lambda: update(101), predict, predict) == []
    # No update is lost.
    examples_seen = len(model.ids_) if name == "IncrementalSVC" else model.n_examples_
    assert examples_seen == 200


@pytest.mark.parametrize("name", ONLINE)
def test_predictions_answer_from_the_last_complete_state(name):
    X, y = examples(name, n=60)
    named = {} if name in ("OnlineSVR", "PassiveAggressiveRegressor") else {"classes": np.unique(y)}
    inside, go_on = threading.Event(), threading.Event()
    updating = threading.Thread(target=lambda: model.partial_fit(X[30:], y[30:]))

    def kernel(A, B):
        # The second update stays inside the kernel until it is told to go on.
        if threading.current_thread() is updating:
            inside.set()
            assert go_on.wait(60)
        return np.exp(-((np.asarray(A)[:, None] - np.asarray(B)[None]) ** 2).sum(axis=2))

    model = machine(name, kernel=kernel).partial_fit(X[:30], y[:30], **named)
    expected = model.predict(X)
    updating.start()
    assert inside.wait(60)
    try:
        np.testing.assert_array_equal(model.predict(X), expected)
        assert updating.is_alive()
    finally:
        go_on.set()
        updating.join()
    assert (len(model.ids_) if name == "IncrementalSVC" else model.n_examples_) == 60


def test_predictions_see_one_fit_beside_refits():
    # The classes of one fit never come with the function of another.
    X, y = examples("SVC", n=60)
    few, many = np.array(["a", "b"])[(y == "yes").astype(int)], np.array(["c", "d", "e"])[np.arange(60) % 3]
    model = mercer.SVC().fit(X, few)
    done = threading.Event()

    def refit():
        for round in range(30):
            model.fit(X, many if round % 2 else few)
        done.set()

    def predict():
        while not done.is_set():
            found = {*model.predict(X)}
            assert found <= {"a", "b"} or found <= {"c", "d", "e"}

    assert side_by_side(refit, predict, predict) == []


def test_an_active_learner_answers_beside_questions():
    X = np.random.default_rng(0).normal(size=(80, 2))
    learner = mercer.ActiveLearner(X, classes=[0, 1])
    learner.answer(0, 0)
    learner.answer(1, 1)

    def answer(start):
        for item in range(start, 60, 2):
            learner.answer(item, int(X[item, 0] > 0))

    def predict():
        for _ in range(50):
            learner.predict(X)
            learner.band()
            learner.ask(2)

    assert side_by_side(lambda: answer(2), lambda: answer(3), predict, predict) == []
    assert len(learner.asked_) == 60


@pytest.mark.parametrize("kernel", ["rbf", lambda A, B: np.exp(-((np.asarray(A)[:, None] - np.asarray(B)[None]) ** 2).sum(axis=2))])
def test_an_active_learner_answers_while_it_asks(kernel):
    X = np.random.default_rng(0).normal(size=(3000, 3))
    learner = mercer.ActiveLearner(X, classes=[0, 1], kernel=kernel)
    for item in range(50):
        learner.answer(item, int(X[item, 0] > 0))
    expected, took = learner.predict(X[:3]), []

    def ask():
        # All items, each compared with those that were chosen before: long enough to be seen.
        begun = time.perf_counter()
        learner.ask(3000)
        took.append(time.perf_counter() - begun)

    asking = threading.Thread(target=ask)
    asking.start()
    longest = 0.0
    while asking.is_alive():
        begun = time.perf_counter()
        np.testing.assert_array_equal(learner.predict(X[:3]), expected)
        assert len(learner.asked_) == len(learner.objectives_) == len(learner.answers_) == 50
        assert learner.decision_function(X[:3]).shape == (3,) and learner.has_settled() in (True, False)
        longest = max(longest, time.perf_counter() - begun)
    asking.join()
    # Who waits for the question waits for nearly all of it.
    assert longest < 0.5 * took[0]
