"""What machines share that learn from one example after the other."""

import os
from numbers import Integral, Real

import numpy as np
from sklearn.base import is_classifier
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils._param_validation import Interval, StrOptions
from sklearn.utils.validation import _num_samples, check_is_fitted, validate_data

from . import _mercer
from ._estimator import forget_search, note_of
from ._kernel_machine import KernelMachine
from ._ranges import STEPS, gammas, rounded, size
from ._remembered import Remembered
from ._rows import as_rows, check_columns
from ._trials import TunableByFits
from ._warn import warn

# Items that are compared with each other and with those that are remembered at a time.
_AT_ONCE = 256


class OnlineMachine(TunableByFits, KernelMachine):
    """A function that changes with every example: f(x) = Σ β k(x_i, x) + b over those that are remembered.

    Parameters
    ----------
    kernel : {"linear", "poly", "rbf", "sigmoid"}, kernel of `mercer.kernels` or callable, default="rbf"
        The kernel. A callable is given two lists of items and returns the matrix of their kernel values;
        `mercer.kernels.Pairwise` makes one of a function of two items. Kernels on strings, trees,
        graphs, series and records take X as a list of such; one that learns from its items (weights of words, say) would learn
        something else from every call, and should be told all numbers.
    gamma : {"scale", "auto"} or float, default="scale"
        Coefficient of "rbf", "poly" and "sigmoid": 1/(n_features · variance of X), 1/n_features, or a number. "scale" goes by the
        rows of `fit`, or of the first `partial_fit`.
    fit_intercept : bool, default=True
        Whether there is an offset, as the weight of one more feature that is 1 for every item.
    budget : int, default=None
        Most items that a function remembers; None for all that matter. With a budget, memory is bounded for ever.
    budget_method : {"remove", "project"}, default="remove"
        What becomes of the item that matters least when there is one too many: it is forgotten, or said by the others as well as they can.
    max_iter : int, default=100
        Most passes of `fit` over all examples.
    tol : float, default=1e-3
        `fit` ends with a pass in which no step changes w by more than this.

    Attributes
    ----------
    status_ : str
        "settled" if the last pass of `fit` had nothing to do, else "stopped at the limit of passes", or "on-line" after `partial_fit`.
    n_iter_ : int
        Passes of `fit` over all examples.
    n_examples_ : int
        Examples that were seen, once for each pass and function.
    n_mistakes_ : int
        Those that were predicted wrong before they were learned.
    n_updates_ : ndarray of shape (n_functions,)
        Those that changed each function.
    loss_ : float
        The sum of all losses, times the weights of the examples.
    squared_radius_ : float
        R², the largest k(x, x) of an example, one more with an offset.
    dual_coef_ : list of ndarray
        β of the examples that each function remembers.
    intercept_ : ndarray of shape (n_functions,)
        Offsets.
    support_ : list of ndarray
        The numbers of those examples, in the order in which they came; after `fit`, their positions in X.
    """

    _parameter_constraints = {
        **KernelMachine._parameter_constraints,
        "kernel": [StrOptions({"linear", "poly", "rbf", "sigmoid"}), callable],
        "fit_intercept": ["boolean"],
        "budget": [Interval(Integral, 2, None, closed="left"), None],
        "budget_method": [StrOptions({"remove", "project"})],
        "max_iter": [Interval(Integral, 1, None, closed="left")],
        "tol": [Interval(Real, 0.0, None, closed="left")],
    }

    def _wanted(self):
        """The machine as the engine makes it."""
        return {
            "kernel": self._row_kernel,
            "rule": "perceptron",
            "cost": 1.0,
            "tube": 0.0,
            "slack": "linear",
            "levels": 2,
            "bias_step": 1.0 if self.fit_intercept else 0.0,
            "budget": None if self.budget is None else int(self.budget),
            "project": self.budget_method == "project",
            "averaged": False,
        }

    def _begin(self, X, names, weights):
        """A learner that has learned nothing."""
        forget_search(self)
        self._gamma = self._resolved_gamma(X, weights)
        self._row_kernel = None if self._takes_anything() else _mercer.resolve_kernel(self._formula(), as_rows(X))
        self._fitted = self.get_params(deep=False)
        self._learner = _mercer.OnlineLearner(self._wanted(), names)
        self._remembered = Remembered(self.kernel) if self._takes_anything() else None

    def _visit(self, X, targets, weights):
        """Goes over all examples until nothing changes."""
        limits = (int(self.max_iter), float(self.tol))
        if self._remembered is None:
            self._learner, found = self._learner.fit(as_rows(X), targets, *limits, weights)
        else:
            ids = self._remembered.add(X)
            values = self._remembered.values(ids, ids)
            self._learner, found = self._learner.fit_values(values, ids, targets, *limits, weights)
            self._remembered.keep(self._learner.items)
        self.n_iter_ = max(one["passes"] for one in found)
        is_settled = all(one["settled"] for one in found)
        self.status_ = "settled" if is_settled else "stopped at the limit of passes"
        self._passes = found
        if not is_settled and self.max_iter > 1:
            warn(
                f"{type(self).__name__} was still changing after max_iter={self.max_iter} passes over the examples.",
                ConvergenceWarning,
            )

    def _learn(self, X, targets, weights):
        """Learns from one example after the other, each of which is predicted first."""
        if self._remembered is None:
            self._learner, found = self._learner.learn(as_rows(X), targets, weights)
        else:
            found = []
            # A copy: nobody sees what is remembered on the way.
            self._remembered = self._remembered.copied()
            for start in range(0, _num_samples(X), _AT_ONCE):
                ids = self._remembered.add(X, start, start + _AT_ONCE)
                columns = [*self._learner.items, *ids]
                values = self._remembered.values(ids, columns)
                part = slice(start, start + len(ids))
                of_part = None if weights is None else weights[part]
                self._learner, predicted = self._learner.learn_values(values, ids, columns, targets[part], of_part)
                found.append(predicted)
                self._remembered.keep(self._learner.items)
            found = np.concatenate(found) if found else np.empty(0)
        self.n_iter_ = 1
        self.status_ = "on-line"
        self._passes = []
        return found

    def _adopt(self):
        """Takes the attributes of a fitted estimator from the learner."""
        (examples, mistakes, _, loss, radius, _), *each = self._learner.tallies
        self.n_examples_, self.n_mistakes_, self.loss_, self.squared_radius_ = examples, mistakes, loss, radius
        self.n_updates_ = np.array([one[2] for one in each])
        functions = self._learner.functions
        self.dual_coef_ = [np.asarray(coefficients) for coefficients, _ in functions]
        self.intercept_ = np.array([offset for _, offset in functions])
        self.support_ = [np.asarray(ids, dtype=np.int64) for ids in self._learner.ids]
        return self

    def _restore(self, learner):
        """Becomes the estimator of a learner from a file."""
        self._learner, self._remembered, self._passes = learner, None, []
        self._row_kernel, self._gamma, self._sparse = learner.kernel, 0.0, False
        self._fitted = self.get_params(deep=False)
        self.n_iter_, self.status_ = 1, "on-line"
        return self._adopt()

    def _values(self, X, averaged=False):
        """The values of all functions, a row for each item."""
        check_is_fitted(self, "_learner")
        if self._remembered is not None:
            values, columns = self._remembered.compared(X)
            return self._learner.values_of_values(values, columns, averaged)
        X = validate_data(self, X, dtype=[np.float64, np.float32], accept_sparse="csr", reset=False)
        check_columns(X)
        return self._learner.values(as_rows(X), averaged)

    def _usual_grid(self, rows, y):
        # Targets of a regression have a unit, and costs have it too.
        unit = 1.0 if is_classifier(self) else float(np.std(np.asarray(y, dtype=float))) or 1.0
        costs = {"C": rounded(STEPS * unit / size(self, rows))} if "C" in self.get_params(deep=False) else {}
        return {**costs, **gammas(self, rows)} or {"fit_intercept": [True, False]}

    def _is_first(self):
        return not hasattr(self, "_learner")

    def _check_more(self, X, y):
        """Examples of a `partial_fit`: those that come first decide about columns and widths."""
        if not self._is_first():
            refuse_changes(self, ("max_iter", "tol"))
        if self._is_first() or self._takes_anything():
            return self._check_rows(X, y)
        X, y = validate_data(self, X, y, dtype=[np.float64, np.float32], accept_sparse="csr", reset=False)
        check_columns(X)
        return X, y

    def save(self, path):
        """Write the learner to a file that `mercer.load`, `mercer learn` and `mercer predict` read.

        Parameters
        ----------
        path : str or path-like
            What ends in .json is written as JSON, all else in Mercer's binary format.

        Examples
        --------
        >>> import os, tempfile
        >>> import mercer
        >>> model = mercer.KernelPerceptron().partial_fit([[-1.0], [1.0]], ["no", "yes"], classes=["no", "yes"])
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     path = os.path.join(folder, "signs.mercer")
        ...     model.save(path)
        ...     more = mercer.load(path).partial_fit([[2.0]], ["yes"])
        >>> more.n_examples_
        3
        """
        check_is_fitted(self, "_learner")
        if os.fspath(path).lower().endswith(".model"):
            raise ValueError("LIBSVM's format holds support vector machines only: save as .mercer or .json")
        if self._remembered is not None:
            raise ValueError("files hold learners of rows of numbers; pickle one of other items")
        names = getattr(self, "feature_names_in_", None)
        self._learner.save(path, None if names is None else [str(name) for name in names], note_of(self))

    def _explained(self, X):
        """What `explain` tells of one item, function by function."""
        check_is_fitted(self, "_learner")
        if self._remembered is None:
            X = validate_data(self, X, dtype=[np.float64, np.float32], accept_sparse="csr", reset=False)
            check_columns(X)
            found = _mercer.explain(_mercer.Model.from_bytes(bytes(self._learner.to_bytes())), as_rows(X))
            return [(self._sides_of(at, sides), *rest) for at, (sides, *rest) in enumerate(found)]
        if self._learner.told[4]:
            raise ValueError("explained is one function, and this machine predicts by the mean of many (average=True)")
        values, columns = self._remembered.compared(X)
        similarities = dict(zip(columns, values[0]))
        found = []
        for at, part in enumerate(self._learner.parts()[2]):
            _, coefficients, _, ids, _, items, _ = part
            offset = self._learner.functions[at][1]
            terms = [
                (number, beta, similarities[item], beta * similarities[item])
                for number, beta, item in zip(ids, coefficients, items)
            ]
            terms.sort(key=lambda term: -abs(term[3]))
            found.append((self._sides_of(at, None), sum(term[3] for term in terms) + offset, offset, terms))
        return found

    def _sides_of(self, at, sides):
        """The classes that win where function number `at` is above and below 0, as the engine calls them or by its number; None of numbers."""
        return sides

    def __getstate__(self):
        state = super().__getstate__()
        if "_learner" in state:
            learner = state.pop("_learner")
            if state["_remembered"] is None:
                state["_learner_bytes"] = bytes(learner.to_bytes())
            else:
                state["_learner_parts"] = learner.parts()
        return state

    def __setstate__(self, state):
        state = dict(state)
        data, parts = state.pop("_learner_bytes", None), state.pop("_learner_parts", None)
        super().__setstate__(state)
        if data is not None:
            self._learner = _mercer.OnlineLearner.from_bytes(data)
        if parts is not None:
            self._learner = _mercer.OnlineLearner.from_parts(parts)

    def __sklearn_is_fitted__(self):
        return hasattr(self, "_learner")


def refuse_changes(estimator, harmless=()):
    """Refuses parameters that were set since the first examples: what has been learned was learned with others."""
    for name, before in getattr(estimator, "_fitted", {}).items():
        now = getattr(estimator, name)
        if name not in harmless and now is not before and not np.all(now == before):
            raise ValueError(
                f"{name}={now!r}: {type(estimator).__name__} has begun with {name}={before!r} and goes on as it is;"
                " fit begins anew"
            )
