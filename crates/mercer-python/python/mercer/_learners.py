"""What machines share that learn from the kernel matrix alone: rows, kernel values, or items of any kind."""

import numpy as np
import scipy.sparse as sp
from sklearn.base import ClassifierMixin, _fit_context
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import check_consistent_length, check_is_fitted, column_or_1d, validate_data

from . import _mercer
from ._containers import items_of
from ._estimator import checked_weights, class_name, coded_classes, forget_search
from ._items import as_items
from ._pairwise import MatrixMachine
from ._rows import as_rows
from ._seeds import seed_of
from ._threads import thread_count
from ._trials import TunableByFits
from ._warn import warn
from .kernels import Kernel

DTYPES = [np.float64, np.float32]


def is_structured(kernel):
    """Whether the kernel compares strings, trees, graphs, series or records."""
    return isinstance(kernel, Kernel) and kernel.items != "rows"


class ItemMachine(MatrixMachine):
    """A machine that is functions of items, f(x) = Σ β k(x_i, x) + b.

    Parameters
    ----------
    kernel : str, kernel of `mercer.kernels` or callable, default="linear"
        The kernel: a name that `sklearn.metrics.pairwise.pairwise_kernels` knows, "precomputed", a kernel object, or a callable that is
        given two matrices of rows and returns the matrix of their kernel values (`mercer.kernels.Pairwise` makes one of a function of two
        rows). Kernels on strings, trees, graphs, series and records take X as a list of such.

    Attributes
    ----------
    X_fit_ : {ndarray, sparse matrix} of shape (n_kept, n_features), or list
        The training items that the functions are made of.
    """

    def _checked(self, X, y="no_validation", **options):
        """Rows (and targets) of a training, checked as scikit-learn does; structured items are left to the engine."""
        if is_structured(self._metric):
            items = items_of(self._metric, X)
            if isinstance(y, str):
                return items
            check_consistent_length(items, y)
            return items, y
        return validate_data(self, X, y, accept_sparse="csr", dtype=DTYPES, **options)

    def _given(self, X):
        """The training items as the engine takes them."""
        if is_structured(self._metric):
            self._formula = str(self._metric)
            return as_items(self._metric, X)
        self._formula = self._formula_for(X.shape[1])
        return self._engine_rows(X)

    def _keep(self, X, found):
        """Remembers the model, and the items that its functions are made of."""
        forget_search(self)
        self._formula, self._machine = found["kernel"], found["machine"]
        positions = np.asarray(found["positions"], dtype=int)
        # Items may come in another order, even if all of them are needed.
        if self._formula is None or np.array_equal(positions, np.arange(count(X))):
            self.X_fit_ = X
        else:
            self.X_fit_ = some(X, positions)
        self._tell(found["told"])

    def _functions(self, X):
        """The values of all functions, one row per item of X."""
        # First of all items are asked for, which says so where there is no machine yet.
        items = self._asked_items(X)
        return self._machine.functions(items, thread_count(self.n_jobs))

    def _asked_items(self, X):
        """New items as the machine takes them: rows, kernel values with the training items, or structured items."""
        if is_structured(self._metric):
            check_is_fitted(self)
            return as_items(self._metric, X)
        X = self._new_rows(X, dtype=DTYPES)
        if self._formula is None and self._metric != "precomputed":
            return self._values(X, self.X_fit_)
        return as_rows(X.toarray() if self._formula is None and sp.issparse(X) else X)

    def _new_items(self, X):
        """Rows, checked as scikit-learn does; structured items are left to the engine."""
        if is_structured(self._metric):
            check_is_fitted(self)
            return items_of(self._metric, X)
        return self._new_rows(X, dtype=DTYPES)

    def _fitted_items(self):
        """The items that the functions are made of, as the engine takes them."""
        return as_items(self._metric, self.X_fit_) if is_structured(self._metric) else self._engine_rows(self.X_fit_)

    def _expanded(self, X, coefficients, offsets):
        if not is_structured(self._metric):
            return super()._expanded(X, coefficients, offsets)
        threads = thread_count(self.n_jobs)
        if self._machine is not None:
            return self._machine.functions(as_items(self._metric, X), threads)
        known, new = as_items(self._metric, self.X_fit_), as_items(self._metric, X)
        coefficients = np.ascontiguousarray(coefficients, dtype=np.float64)
        return _mercer.expand(self._formula, known, coefficients, list(offsets), new, threads)

    def _seed(self):
        return seed_of(self.random_state)

    def _warn_unless(self, converged, what):
        if not converged:
            warn(what, ConvergenceWarning)


def some(X, positions):
    """The rows or items at these places."""
    if hasattr(X, "iloc"):
        return X.iloc[positions]
    return X[positions] if hasattr(X, "shape") else [X[i] for i in positions]


def count(X):
    """How many rows or items there are."""
    return X.shape[0] if hasattr(X, "shape") else len(X)


class ItemClassifier(ClassifierMixin, TunableByFits, ItemMachine):
    """A classifier that is one function for two classes, and one per class for more.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
        The classes.
    """

    @_fit_context(prefer_skip_nested_validation=True)
    def fit(self, X, y):
        """Fit the classifier.

        Parameters
        ----------
        X : {array-like, sparse matrix} of shape (n_samples, n_features) or (n_samples, n_samples), or list of items
            Training rows; kernel values for `kernel="precomputed"`; items for kernels on such.
        y : array-like of shape (n_samples,)
            Their classes.

        Returns
        -------
        object
            The fitted estimator.

        Examples
        --------
        >>> from mercer import LSSVC
        >>> LSSVC().fit([[-1.0], [1.0]], ["no", "yes"]).classes_.tolist()
        ['no', 'yes']
        """
        X, codes, _ = self._coded(X, y, None)
        self._learn(X, codes)
        return self

    def _coded(self, X, y, sample_weight):
        """Items, the code of the class of each, and weights; classes are those of the items that count."""
        X, y = self._checked(X, y)
        y = column_or_1d(y, warn=True)
        check_classification_targets(y)
        weights = checked_weights(sample_weight, count(X))
        self.classes_, codes = coded_classes(y, weights)
        if len(self.classes_) < 2:
            raise ValueError(
                f"{type(self).__name__} requires 2 classes or more; the number of classes has to be greater than one;"
                f" got {len(self.classes_)} class"
            )
        return X, np.ascontiguousarray(codes, dtype=np.int64), weights

    def _learn(self, X, codes, weights=None):
        raise NotImplementedError

    def _names(self):
        """The classes as the engine and the command line know them."""
        return [class_name(label) for label in self.classes_]

    def decision_function(self, X):
        """Tell how far items are on the side of each class.

        Parameters
        ----------
        X : {array-like, sparse matrix} of shape (n_samples, n_features) or (n_samples, n_samples_fit), or list of items
            The rows, their kernel values with the training rows, or items.

        Returns
        -------
        ndarray of shape (n_samples,) or (n_samples, n_classes)
            Of two classes one value, above 0 for the later; else one per class.

        Examples
        --------
        >>> from mercer import LSSVC
        >>> LSSVC(C=1.0).fit([[-1.0], [1.0]], [0, 1]).decision_function([[3.0]]).round(3)
        array([2.])
        """
        values = self._functions(X)
        return values.ravel() if len(self.classes_) == 2 else values

    def predict(self, X):
        """Predict the classes of items.

        Parameters
        ----------
        X : {array-like, sparse matrix} of shape (n_samples, n_features) or (n_samples, n_samples_fit), or list of items
            The rows, their kernel values with the training rows, or items.

        Returns
        -------
        ndarray of shape (n_samples,)
            The classes.

        Examples
        --------
        >>> from mercer import LSSVC
        >>> LSSVC().fit([[-1.0], [1.0]], ["no", "yes"]).predict([[0.2]]).tolist()
        ['yes']
        """
        values = self.decision_function(X)
        codes = (values >= 0).astype(int) if values.ndim == 1 else values.argmax(axis=1)
        return self.classes_[codes]


class WeightedClassifier(ItemClassifier):
    """A classifier whose items may have weights."""

    @_fit_context(prefer_skip_nested_validation=True)
    def fit(self, X, y, sample_weight=None):
        """Fit the classifier.

        Parameters
        ----------
        X : {array-like, sparse matrix} of shape (n_samples, n_features) or (n_samples, n_samples), or list of items
            Training rows; kernel values for `kernel="precomputed"`; items for kernels on such.
        y : array-like of shape (n_samples,)
            Their classes.
        sample_weight : array-like of shape (n_samples,), default=None
            Weights of the rows: one of weight 2 counts as if it stood there twice, one of weight 0 as if it did not.

        Returns
        -------
        object
            The fitted estimator.

        Examples
        --------
        >>> from mercer import LSSVC
        >>> X, y = [[-1.0], [0.0], [1.0]], [0, 0, 1]
        >>> LSSVC().fit(X, y, sample_weight=[1, 0, 1]).predict([[0.1]]).tolist()
        [1]
        """
        X, codes, weights = self._coded(X, y, sample_weight)
        self._learn(X, codes, weights)
        return self
