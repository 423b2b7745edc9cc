"""A fit that fails or is interrupted leaves the estimator as it was, or unfitted."""

import copy
import sys
import warnings
from pathlib import Path

import numpy as np
import pytest
from machines import ESTIMATORS, answers, examples, machine
from sklearn.exceptions import NotFittedError
from sklearn.utils.validation import check_is_fitted

import mercer
from mercer import _state

PACKAGE = str(Path(mercer.__file__).parent)
# Where the fitted state is set: what is interrupted there is interrupted before or after it.
SETTER = _state.__file__

pytestmark = pytest.mark.filterwarnings("ignore")


class Interrupting:
    """Runs a function and raises KeyboardInterrupt when it comes to the line of the package with this number."""

    def __init__(self, at=None):
        self.at, self.lines = at, 0

    def _trace(self, frame, event, _argument):
        name = frame.f_code.co_filename
        if not name.startswith(PACKAGE) or name == SETTER:
            return None if name != SETTER else self._nothing
        if event == "line":
            self.lines += 1
            if self.lines == self.at:
                raise KeyboardInterrupt
        return self._trace

    def _nothing(self, *_):
        return self._nothing

    def __call__(self, function):
        before = sys.gettrace()
        sys.settrace(self._trace)
        try:
            return function()
        finally:
            sys.settrace(before)


def places(act, count, make=lambda: ()):
    """Numbers of lines at which to interrupt what is done by a call; it is done twice, since the first time fills caches.

    What `make` returns is given to the call, and not counted.
    """
    act(*make())
    counted, given = Interrupting(), make()
    counted(lambda: act(*given))
    return [int(at) for at in np.unique(np.linspace(1, counted.lines, count).astype(int))]


def failing_fits(name):
    """Fits that fail, some of them after all arguments were found to be good: by name, what to set and what to fit to."""
    rows, *targets = examples(name, columns=4, seed=1)

    def fails(*_args, **_named):
        raise ZeroDivisionError("the kernel fails")

    parameters = machine(name).get_params(deep=False)
    kernel = "affinity" if "affinity" in parameters else "kernel"
    if kernel in parameters and not name.startswith(("GaussianProcess", "SphereAndSlab")):
        yield "kernel", {kernel: fails}, (rows, *targets)
    yield "infinity", {}, (np.where(rows == rows.max(), np.inf, rows), *targets)
    if targets:
        yield "too few targets", {}, (rows, targets[0][:-1])
    if targets and targets[0].dtype.kind == "U":
        yield "one class", {}, (rows, np.full(len(rows), "no"))
    if name == "NuSVC":
        yield "infeasible nu", {"nu": 0.99}, (rows, np.where(np.arange(len(rows)) < 2, "rare", "usual"))
    if "n_jobs" in parameters:
        yield "threads", {"n_jobs": 0}, (rows, *targets)


def assert_unchanged(model, before, rows, expected):
    assert {name: id(value) for name, value in vars(model).items()} == before
    found = answers(model, rows)
    assert found.keys() == expected.keys()
    for method in expected:
        np.testing.assert_array_equal(found[method], expected[method], err_msg=method)


def assert_unfitted(model):
    assert set(vars(model)) - {"_turn"} == set(vars(type(model)(**model.get_params(deep=False))))
    if type(model).__name__ != "GaussianProcessRegressor":
        # That one answers by its prior, as scikit-learn's does.
        with pytest.raises(NotFittedError):
            check_is_fitted(model)


def fitted(name):
    given = examples(name)
    model = machine(name).fit(*given)
    return model, given[0], answers(model, given[0])


@pytest.mark.parametrize("name", ESTIMATORS)
def test_a_refit_that_fails_changes_nothing(name):
    model, rows, expected = fitted(name)
    given = model.get_params(deep=False)
    for what, parameters, arguments in failing_fits(name):
        model.set_params(**parameters)
        before = {name: id(value) for name, value in vars(model).items()}
        with pytest.raises((ValueError, ZeroDivisionError)):
            model.fit(*arguments)
            pytest.fail(what)
        assert {name: id(value) for name, value in vars(model).items()} == before, what
        model.set_params(**{key: given[key] for key in parameters})
        assert_unchanged(model, {name: id(value) for name, value in vars(model).items()}, rows, expected)


@pytest.mark.parametrize("name", ESTIMATORS)
def test_a_first_fit_that_fails_leaves_nothing(name):
    for _, parameters, arguments in failing_fits(name):
        model = machine(name, **parameters)
        with pytest.raises((ValueError, ZeroDivisionError)):
            model.fit(*arguments)
        assert_unfitted(model)


@pytest.mark.parametrize("name", ESTIMATORS)
def test_a_refit_that_is_interrupted_changes_nothing(name):
    model, rows, expected = fitted(name)
    before = {name: id(value) for name, value in vars(model).items()}
    others = examples(name, columns=4, seed=1)
    # Lines are counted with another estimator, which is fitted to the end.
    other = machine(name)
    for at in places(lambda: other.fit(*others), 12):
        with pytest.raises(KeyboardInterrupt):
            Interrupting(at)(lambda: model.fit(*others))
        assert_unchanged(model, before, rows, expected)


@pytest.mark.parametrize("name", ESTIMATORS)
def test_a_first_fit_that_is_interrupted_leaves_nothing(name):
    given = examples(name)
    other = machine(name)
    for at in places(lambda: other.fit(*given), 12):
        model = machine(name)
        with pytest.raises(KeyboardInterrupt):
            Interrupting(at)(lambda: model.fit(*given))
        assert_unfitted(model)


@pytest.mark.parametrize("name", [name for name in ESTIMATORS if hasattr(machine(name), "partial_fit")])
@pytest.mark.parametrize("kernel", ["rbf", "function"])
def test_a_partial_fit_that_fails_or_is_interrupted_changes_nothing(name, kernel):
    rows, targets = examples(name)
    kernel = {"kernel": lambda X, Z: np.asarray(X) @ np.asarray(Z).T} if kernel == "function" else {}
    named = {"classes": np.unique(targets)} if name not in ("OnlineSVR", "PassiveAggressiveRegressor") else {}
    model = machine(name, **kernel).partial_fit(rows, targets, **named)
    expected = answers(model, rows)
    before = {name: id(value) for name, value in vars(model).items()}
    more, their = examples(name, seed=2)
    wrong = np.where(np.arange(len(their)) == 30, "neither" if their.dtype.kind == "U" else np.nan, their)
    with pytest.raises(ValueError):
        model.partial_fit(more, wrong)
    assert_unchanged(model, before, rows, expected)
    for at in places(lambda other: other.partial_fit(more, their), 8, lambda: [copy.deepcopy(model)]):
        with pytest.raises(KeyboardInterrupt):
            Interrupting(at)(lambda: model.partial_fit(more, their))
        assert_unchanged(model, before, rows, expected)
    assert (answers(model.partial_fit(more, their), rows)["predict"].shape) == (len(rows),)


@pytest.mark.parametrize("name", ["SVC", "LinearSVC", "LSSVC", "KernelPerceptron", "OneClassSVM"])
def test_a_search_that_fails_changes_nothing(name):
    model, rows, expected = fitted(name)
    before = {name: id(value) for name, value in vars(model).items()}
    _, *targets = examples(name)
    other = machine(name)
    for at in places(lambda: other.tune(rows, *targets), 6):
        with pytest.raises(KeyboardInterrupt):
            Interrupting(at)(lambda: model.tune(rows, *targets))
        assert_unchanged(model, before, rows, expected)


def test_a_subclass_of_a_user_is_as_safe():
    class Logged(mercer.SVC):
        def fit(self, X, y):
            self.log_ = ["begun"]
            super().fit(X, y)
            self.log_ = ["done"]
            raise ZeroDivisionError

    model = Logged()
    with pytest.raises(ZeroDivisionError):
        model.fit([[0.0], [1.0]], [0, 1])
    assert_unfitted(model)


def test_state_is_one_for_every_estimator():
    assert all(isinstance(machine(name), _state.Stateful) for name in ESTIMATORS)


def test_warnings_name_the_line_that_called():
    rows, targets = examples("SVC")
    for act in (
        lambda: mercer.SVC(max_iter=1).fit(rows, targets),
        lambda: mercer.LinearSVC(max_iter=1, loss="hinge", tol=1e-12).fit(rows, targets),
        lambda: mercer.KernelPerceptron(max_iter=2, tol=0.0).fit(rows, targets),
        lambda: mercer.KernelKMeans(n_clusters=3, max_iter=1, random_state=0).fit_predict(rows),
    ):
        with warnings.catch_warnings(record=True) as told:
            warnings.simplefilter("always")
            act()
        assert told and {one.filename for one in told} == {__file__}
