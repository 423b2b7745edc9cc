"""The exact support vector machine of examples that come and go."""

import json
from numbers import Real

import numpy as np
import scipy.sparse as sp
from sklearn.base import ClassifierMixin, _fit_context
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils._param_validation import Interval, StrOptions
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import _num_samples, check_is_fitted, column_or_1d, validate_data

from . import _mercer
from ._docs import documented
from ._estimator import checked_weights, class_name, forget_search, names_of, note_of
from ._items import as_items
from ._kernel_machine import KernelMachine, is_function
from ._online import refuse_changes
from ._ranges import STEPS, gammas, rounded, size
from ._refitted import INACCURATE, REFITTED
from ._remembered import Remembered
from ._rows import as_rows, check_columns, from_rows
from ._trials import TunableByFits
from ._warn import warn
from ._whole import whole


@documented
class IncrementalSVC(ClassifierMixin, TunableByFits, KernelMachine):
    """Support vector classifier of two classes to which examples are added, and from which they are taken away, one by one.

    After each of them it is the machine that `SVC` would find for those that are there, with the same offset where that is not unique (G. Cauwenberghs,
    T. Poggio: Incremental and decremental support vector machine learning, NIPS 2000). The conditions of optimality hold within 1e-9, or within rounding where
    values are sums of larger numbers, also where rows repeat. Where rounding defeats the exact update, the batch solver trains the machine again, and
    `n_refits_` counts it, with a `ConvergenceWarning` the first time. Where even that leaves more of the conditions than `SVC` would (features that are
    not scaled, beside a large C), `status_` says so. So leaving out each example in turn takes no training.

    An update that fails or is interrupted leaves the machine as it was. Threads may predict while another one updates: they get the last complete machine.

    Parameters
    ----------
    kernel : {"linear", "poly", "rbf", "sigmoid"}, kernel of `mercer.kernels` or callable, default="rbf"
        The kernel. A callable is given two lists of items and returns the matrix of their kernel values;
        `mercer.kernels.Pairwise` makes one of a function of two items. Kernels on strings, trees,
        graphs, series and records take X as a list of such.
    C : float, default=1.0
        What a unit of slack costs, times the weight of the example.

    Attributes
    ----------
    classes_ : ndarray of shape (2,)
        The classes, sorted.
    ids_ : ndarray of shape (n_examples,)
        The numbers of the examples that are there.
    dual_coef_ : ndarray of shape (n_examples,)
        β of these, positive for the later class; 0 for those that are no support vectors.
    intercept_ : float
        The offset.
    objective_ : float
        The dual objective.
    n_refits_ : int
        How many updates the batch solver made since `fit`, because rounding defeated the exact one.
    status_ : str
        "converged" if the conditions of optimality hold within 1e-3 and the duality gap is at most a hundredth of the objective, as `SVC` has them by
        default; else "stopped at the limit of numerical precision".
    kkt_gap_ : float
        Largest violation of the conditions of optimality.
    gap_ : float
        Largest relative distance of the objective from its optimum, the duality gap.

    Examples
    --------
    >>> from mercer import IncrementalSVC
    >>> model = IncrementalSVC(kernel="linear", C=10.0).fit([[1.0], [3.0]], ["low", "high"])
    >>> model.decision_function([[2.0]]).round(3) + 0.0
    array([0.])
    >>> near = model.add([[2.0]], ["low"])
    >>> model.predict([[2.1]]).tolist()
    ['low']
    >>> model.remove(near).predict([[2.1]]).tolist()
    ['high']
    """

    _parameter_constraints = {
        **KernelMachine._parameter_constraints,
        "kernel": [StrOptions({"linear", "poly", "rbf", "sigmoid"}), callable],
        "C": [Interval(Real, 0.0, None, closed="neither")],
    }

    def __init__(self, *, C=1.0, kernel="rbf", degree=3, gamma="scale", coef0=0.0):
        self.C = C
        self.kernel = kernel
        self.degree = degree
        self.gamma = gamma
        self.coef0 = coef0

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.classifier_tags.multi_class = False
        return tags

    @_fit_context(prefer_skip_nested_validation=True)
    def fit(self, X, y, sample_weight=None):
        """Fit the classifier to these examples, and forget all others.

        Parameters
        ----------
        X : {array-like, sparse matrix} of shape (n_samples, n_features), or list of items
            Training rows, or items for kernels on such.
        y : array-like of shape (n_samples,)
            Their classes, of which there are two.
        sample_weight : array-like of shape (n_samples,), default=None
            Weights of the rows: one of weight w counts as w of them, its C being w times as large.

        Returns
        -------
        object
            The fitted estimator.

        Examples
        --------
        >>> from mercer import IncrementalSVC
        >>> IncrementalSVC().fit([[0.0], [1.0]], [0, 1]).ids_
        array([0, 1])
        """
        before = dict(self.__dict__)
        try:
            X, y = self._check_rows(X, y)
            weights = checked_weights(sample_weight, _num_samples(X))
            y = self._checked_classes(y)
            self._start(X, np.unique(y if weights is None else y[weights > 0]), weights)
            self._add(X, y, weights)
        except BaseException:
            self._back_to(before)
            raise
        return self

    @_fit_context(prefer_skip_nested_validation=True)
    def partial_fit(self, X, y, classes=None, sample_weight=None):
        """Add examples; the same as `add`, for programs that know this name.

        Parameters
        ----------
        X : {array-like, sparse matrix} of shape (n_samples, n_features), or list of items
            More rows, or items for kernels on such.
        y : array-like of shape (n_samples,)
            Their classes.
        classes : array-like of shape (2,), default=None
            The two classes; must be said at the first call.
        sample_weight : array-like of shape (n_samples,), default=None
            Weights of the rows: one of weight w counts as w of them, its C being w times as large.

        Returns
        -------
        object
            The estimator.

        Examples
        --------
        >>> from mercer import IncrementalSVC
        >>> model = IncrementalSVC().partial_fit([[0.0]], [0], classes=[0, 1]).partial_fit([[1.0]], [1])
        >>> model.predict([[0.9]])
        array([1])
        """
        if hasattr(self, "_machine"):
            if classes is not None and not np.array_equal(self.classes_, np.unique(column_or_1d(classes))):
                raise ValueError(
                    f"`classes={classes!r}` is not the same as on last call to partial_fit, was: {self.classes_!r}"
                )
            self.add(X, y, sample_weight)
            return self
        if classes is None:
            raise ValueError("classes must be passed on the first call to partial_fit.")
        before = dict(self.__dict__)
        try:
            X, y = self._check_rows(X, y)
            weights = checked_weights(sample_weight, _num_samples(X))
            self._checked_classes(y)
            self._start(X, np.unique(column_or_1d(classes)), weights)
            self._add(X, y, weights)
        except BaseException:
            self._back_to(before)
            raise
        return self

    def add(self, X, y, sample_weight=None):
        """Add examples.

        Parameters
        ----------
        X : {array-like, sparse matrix} of shape (n_samples, n_features), or list of items
            More rows, or items for kernels on such.
        y : array-like of shape (n_samples,)
            Their classes.
        sample_weight : array-like of shape (n_samples,), default=None
            Weights of the rows: one of weight w counts as w of them, its C being w times as large.

        Returns
        -------
        ndarray of shape (n_samples,)
            Their numbers, by which they can be removed.

        Examples
        --------
        >>> from mercer import IncrementalSVC
        >>> IncrementalSVC().fit([[0.0], [1.0]], [0, 1]).add([[2.0]], [1])
        array([2])
        """
        check_is_fitted(self)
        refuse_changes(self)
        if not self._takes_anything():
            X, y = validate_data(self, X, y, dtype=[np.float64, np.float32], accept_sparse="csr", reset=False)
            check_columns(X)
        weights = checked_weights(sample_weight, _num_samples(X), may_be_zero=True)
        return self._add(X, column_or_1d(y, warn=True), weights)

    def remove(self, ids):
        """Take examples away, as if they had never been there.

        Parameters
        ----------
        ids : int or array-like of int
            Their numbers.

        Returns
        -------
        object
            The estimator.

        Examples
        --------
        >>> from mercer import IncrementalSVC
        >>> IncrementalSVC().fit([[0.0], [1.0], [2.0]], [0, 1, 1]).remove(2).ids_
        array([0, 1])
        """
        check_is_fitted(self)
        numbers = [whole("ids", number, 0) for number in np.atleast_1d(np.asarray(ids)).tolist()]
        for at, number in enumerate(numbers):
            if number not in self._items:
                raise ValueError(f"there is no example {number}")
            if number in numbers[:at]:
                raise ValueError(f"example {number} is named twice")
        self._draft()
        self._machine.remove([self._items[number][0] for number in numbers])
        self._items = {number: item for number, item in self._items.items() if number not in numbers}
        return self._adopt()

    def _draft(self):
        """Takes copies of all that is changed in its place, so that what is known so far remains if a change fails."""
        self._machine, self._items = self._machine.copied(), dict(self._items)
        if self._remembered is not None:
            self._remembered = self._remembered.copied()

    def decision_function(self, X):
        """Evaluate the decision function.

        Parameters
        ----------
        X : {array-like, sparse matrix} of shape (n_samples, n_features), or list of items
            The rows, or items.

        Returns
        -------
        ndarray of shape (n_samples,)
            Positive for the later class.

        Examples
        --------
        >>> from mercer import IncrementalSVC
        >>> IncrementalSVC(kernel="linear").fit([[-1.0], [1.0]], [0, 1]).decision_function([[2.0]]).round(3)
        array([2.])
        """
        check_is_fitted(self)
        if self._remembered is None:
            X = validate_data(self, X, dtype=[np.float64, np.float32], accept_sparse="csr", reset=False)
            check_columns(X)
            return self._machine.values(as_rows(X))
        ids, coefficients, offset, *_ = self._machine.state()
        values, columns = self._remembered.compared(X)
        coefficients = dict(zip(ids, coefficients))
        return values @ np.array([coefficients.get(number, 0.0) for number in columns]) + offset

    def predict(self, X):
        """Predict the classes of items.

        Parameters
        ----------
        X : {array-like, sparse matrix} of shape (n_samples, n_features), or list of items
            The rows, or items.

        Returns
        -------
        ndarray of shape (n_samples,)
            The classes.

        Examples
        --------
        >>> from mercer import IncrementalSVC
        >>> IncrementalSVC().fit([[-1.0], [1.0]], ["no", "yes"]).predict([[0.3]]).tolist()
        ['yes']
        """
        values = self.decision_function(X)
        return self.classes_[(values >= 0).astype(int)]

    def leave_one_out(self):
        """Tell what the machine would say about each example if it were not there.

        Returns
        -------
        ndarray of shape (n_examples,)
            Decision values, in the order of `ids_`.

        Examples
        --------
        >>> from mercer import IncrementalSVC
        >>> model = IncrementalSVC(kernel="linear", C=100.0).fit([[1.0], [2.0], [4.0], [5.0]], [0, 0, 1, 1])
        >>> model.leave_one_out().round(3)[1:3]
        array([-0.333,  0.333])
        """
        check_is_fitted(self)
        values = dict(zip(self._machine.ids, self._machine.left_out_values()))
        return np.array([values[number] for number, *_ in self._items.values()])

    def _usual_grid(self, rows, y):
        return {"C": rounded(STEPS / size(self, rows)), **gammas(self, rows)}

    def _checked_classes(self, y):
        y = column_or_1d(y, warn=True)
        check_classification_targets(y)
        return y

    def _start(self, X, classes, weights):
        if len(classes) != 2:
            several = "Only binary classification is supported. The type of the target is multiclass." if len(classes) > 2 else ""
            raise ValueError(
                several or f"The number of classes has to be greater than one; got {len(classes)} class"
            )
        forget_search(self)
        self.classes_ = classes
        self._fitted = self.get_params(deep=False)
        self._gamma = self._resolved_gamma(X, weights)
        self._row_kernel = None if self._takes_anything() else _mercer.resolve_kernel(self._formula(), as_rows(X))
        self._remembered = Remembered(self.kernel) if self._takes_anything() else None
        self._machine = _mercer.Incremental(self._row_kernel, float(self.C))
        self.n_refits_, self.status_ = 0, "converged"
        # Of each number: the machine's number, the item, the sign and the weight; what a pickle is made of.
        self._items = {}
        self._next = 0

    def _add(self, X, y, weights):
        codes = np.minimum(np.searchsorted(self.classes_, y), 1)
        weights = np.ones(len(codes)) if weights is None else weights
        # A row of weight 0 may be of any class.
        wrong = np.flatnonzero((weights > 0) & (self.classes_[codes] != y))
        if len(wrong):
            raise ValueError(f"y has the class {y[wrong[0]]!r} at row {wrong[0]}, which is none of {self.classes_.tolist()}")
        self._draft()
        numbers = self._put(X, np.where(codes == 1, 1.0, -1.0), weights)
        self._adopt()
        return np.array(numbers)

    def _put(self, X, signs, weights):
        if self._remembered is None:
            ids = self._machine.add(as_rows(X), signs, weights)
            items = [X[row] for row in range(_num_samples(X))]
        else:
            present = self._machine.ids
            try:
                ids = self._remembered.add(X)
                columns = [*present, *ids]
                self._machine.add_values(self._remembered.values(ids, columns), ids, columns, signs, weights)
            except BaseException:
                self._remembered.keep(present)
                raise
            items = [self._remembered.items[place] for place in ids]
        numbers = list(range(self._next, self._next + len(ids)))
        self._next += len(ids)
        self._items.update(zip(numbers, zip(ids, items, signs, weights.tolist())))
        return numbers

    def _adopt(self):
        refits, status = getattr(self, "n_refits_", 0), getattr(self, "status_", "converged")
        ids, coefficients, self.intercept_, self.objective_, self.n_refits_, *quality = self._machine.state()
        self.status_, self.kkt_gap_, self.gap_ = quality
        if self.n_refits_ and not refits:
            warn(REFITTED, ConvergenceWarning)
        if self.status_ != "converged" and status == "converged":
            warn(INACCURATE.format(self.kkt_gap_, self.gap_), ConvergenceWarning)
        coefficients = dict(zip(ids, coefficients))
        self.ids_ = np.array(list(self._items), dtype=np.int64)
        self.dual_coef_ = np.array([coefficients[number] for number, *_ in self._items.values()])
        if self._remembered is not None:
            self._remembered.keep(ids)
        return self

    def _back_to(self, before):
        """Everything as it was."""
        self.__dict__.clear()
        self.__dict__.update(before)

    def save(self, path):
        """Write the machine and all its examples to a file that `mercer.load` and `mercer predict` read.

        Parameters
        ----------
        path : str or path-like
            What ends in .json is written as JSON, all else in Mercer's binary format.

        Examples
        --------
        >>> import os, tempfile
        >>> import mercer
        >>> model = mercer.IncrementalSVC(kernel="linear", C=10.0).fit([[1.0], [3.0]], ["low", "high"])
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     path = os.path.join(folder, "sizes.mercer")
        ...     model.save(path)
        ...     more = mercer.load(path)
        >>> more.add([[2.0]], ["low"]).tolist(), more.predict([[2.1]]).tolist()
        ([2], ['low'])
        """
        check_is_fitted(self)
        if is_function(self.kernel):
            raise ValueError("a model whose kernel is a function of Python's cannot be saved; pickle it")
        if not self._items:
            raise ValueError("there is no example to save")
        self._expansion(list(self._items)).save(path, float(self.C), names_of(self), self._note())

    def _note(self):
        """What a file does not tell otherwise, with the weights of the examples in the order of their numbers."""
        weights = [weight for *_, weight in self._items.values()]
        return note_of(self) if set(weights) == {1.0} else json.dumps({**json.loads(note_of(self)), "sample_weight": weights})

    def _expansion(self, numbers):
        """The engine's model of these examples, those of the earlier class first."""
        numbers = sorted(numbers, key=lambda number: self._items[number][2])
        items = [self._items[number][1] for number in numbers]
        coefficients = dict(zip(self.ids_.tolist(), self.dual_coef_.tolist()))
        earlier = sum(self._items[number][2] < 0 for number in numbers)
        if self._remembered is None:
            rows, formula = as_rows(sp.vstack(items, format="csr") if sp.issparse(items[0]) else np.stack(items)), self._row_kernel
        else:
            rows, formula = as_items(self.kernel, items), str(self.kernel)
        names = [class_name(label) for label in self.classes_]
        weights = [coefficients[number] for number in numbers]
        return _mercer.expansion_model(formula, rows, numbers, earlier, weights, float(self.intercept_), names)

    def _explained(self, X):
        """What `explain` tells of one item."""
        check_is_fitted(self)
        if is_function(self.kernel):
            raise ValueError("explained are machines of kernels that the engine knows, not of a function of Python's")
        support = self.ids_[self.dual_coef_ != 0].tolist()
        if not support:
            names = [class_name(label) for label in self.classes_]
            return [((names[1], names[0]), float(self.intercept_), float(self.intercept_), [])]
        if self._remembered is not None:
            return _mercer.explain(self._expansion(support), as_items(self.kernel, X))
        X = validate_data(self, X, dtype=[np.float64, np.float32], accept_sparse="csr", reset=False)
        check_columns(X)
        return _mercer.explain(self._expansion(support), as_rows(X))

    def _restore(self, model, classes, weights):
        """Becomes the machine of the examples in a file."""
        items = from_rows(model.support_items) if not isinstance(model.support_items, list) else model.support_items
        signs = np.repeat([-1.0, 1.0], model.support_per_class)
        order = np.argsort(model.support, kind="stable")
        weights = np.ones(len(order)) if weights is None else weights
        self.classes_, self._fitted, self._gamma = classes, self.get_params(deep=False), 0.0
        is_list = isinstance(items, list)
        self._row_kernel = None if is_list else model.kernel
        self._remembered = Remembered(self.kernel) if is_list else None
        self._machine = _mercer.Incremental(self._row_kernel, float(self.C))
        self._items, self._sparse = {}, sp.issparse(items)
        if not is_list:
            self.n_features_in_ = model.columns
            self.shape_fit_ = (model.rows, model.columns)
            if model.feature_names is not None:
                self.feature_names_in_ = np.asarray(model.feature_names, dtype=object)
        for at, weight in zip(order, weights):
            self._next = int(model.support[at])
            self._put([items[at]] if is_list else items[at : at + 1], signs[at : at + 1], np.array([weight]))
        return self._adopt()

    def __sklearn_is_fitted__(self):
        return hasattr(self, "_machine")

    def __getstate__(self):
        state = dict(super().__getstate__())
        # The machine is exactly that of its examples, so that these are all that has to be kept.
        state.pop("_machine", None)
        return state

    def __setstate__(self, state):
        super().__setstate__(dict(state))
        if not hasattr(self, "_items"):
            return
        self._machine = _mercer.Incremental(self._row_kernel, float(self.C))
        numbers, entries = list(self._items), list(self._items.values())
        self._items, after = {}, self._next
        items, signs = [entry[1] for entry in entries], np.array([entry[2] for entry in entries])
        # Earlier versions knew no weights.
        weights = np.array([entry[3] if len(entry) > 3 else 1.0 for entry in entries])
        is_list = self._remembered is not None and not self._remembered.is_stacked
        if self._remembered is not None:
            self._remembered = self._remembered.emptied()
        for number, item, sign, weight in zip(numbers, items, signs, weights):
            self._next = number
            one = [item] if is_list else item if sp.issparse(item) else np.asarray(item)[None]
            self._put(one, np.array([sign]), np.array([weight]))
        self._next = after
        self._adopt()
