"""What all support vector machines of the package share: parameters, validation, attributes of a fitted model."""

import json
import os
from numbers import Integral, Real

import numpy as np
import scipy.sparse as sp
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils._param_validation import Interval, StrOptions
from sklearn.utils.class_weight import compute_class_weight
from sklearn.utils.validation import (
    _num_samples,
    check_is_fitted,
    validate_data,
)

from . import _mercer
from ._items import as_items
from ._kernel_machine import KernelMachine, Unpickled, is_function, is_structured, kernel_values
from ._rows import as_rows, check_columns, from_rows
from ._tables import encoded
from ._threads import thread_count
from ._warn import warn
from .kernels import Kernel, named_kernel

# What stands for an infinite cost of regression: on rows of usual size no tube is narrower with a larger one, and rounding does
# not yet decide.
INFINITE_COST = 1e7

# Whole numbers that lie closer together are counted to find which of them are classes.
_FEW = 1000


class SupportVectorMachine(KernelMachine):
    """The base of all, which describes what they share.

    Parameters
    ----------
    tol : float, default=1e-3
        Largest violation of the optimality conditions that counts as solved; of detectors relative to half the squared distance of
        two rows in feature space.
    shrinking : bool, default=True
        Accepted for the sake of scikit-learn; the solver decides by itself.
    cache_size : float, default=200
        Megabytes for rows of the kernel matrix. The result does not depend on it.
    verbose : bool or int, default=False
        Whether to print the progress, every second and at the end.
    max_iter : int, default=-1
        Most steps of the solver; -1 for no limit.
    precision : {"auto", "single", "double"}, default="auto"
        Precision of kernel values; "auto" takes single precision for more than 2048 rows where that is enough.
    warm_start : bool, default=False
        Whether `fit` goes on from the coefficients of the fit before.

    Attributes
    ----------
    support_ : ndarray of shape (n_SV,)
        Positions of the support vectors in the training set.
    support_vectors_ : ndarray or sparse matrix of shape (n_SV, n_features), or list
        The support vectors; empty if kernel values were given, a list of items for kernels on structured items.
    n_support_ : ndarray of shape (1,)
        Number of support vectors.
    dual_coef_ : ndarray or sparse matrix of shape (1, n_SV)
        Coefficients of the support vectors.
    coef_ : ndarray or sparse matrix of shape (1, n_features)
        Weights of the features, for `kernel="linear"` and `kernel=Linear()`.
    gap_ : float
        The duality gap (P − D)/max(|P|, |D|); NaN where the kernel is not known to be positive semi-definite.
    kkt_gap_ : float
        The largest violation of the optimality conditions.
    status_ : str
        "converged", or what stopped the solver.
    fit_status_ : int
        0 if converged, else 1.
    n_iter_ : int
        Steps of the solver.
    mended_ : str
        What was done to the training matrix of a kernel that is `Shifted` or `Clipped`; there is none for others.
    """

    _parameter_constraints = {
        **KernelMachine._parameter_constraints,
        "tol": [Interval(Real, 0.0, None, closed="neither")],
        "shrinking": ["boolean"],
        "cache_size": [Interval(Real, 0, None, closed="neither")],
        "verbose": ["verbose"],
        "max_iter": [Interval(Integral, -1, None, closed="left")],
        "max_time": [Interval(Real, 0.0, None, closed="neither"), None],
        "n_jobs": [Integral, None],
        "precision": [StrOptions({"auto", "single", "double"})],
        "warm_start": ["boolean"],
    }

    # Training

    def _engine_rows(self, X):
        """The rows, or kernel values, of a training."""
        if is_structured(self.kernel):
            return as_items(self.kernel, X)
        if not self._takes_anything():
            return as_rows(X)
        values = kernel_values(self.kernel, X, X)
        if values.shape[0] != values.shape[1]:
            raise ValueError("X.shape[0] should be equal to X.shape[1]")
        if values.shape[0] != _num_samples(X):
            raise ValueError(f"the kernel gives {values.shape[0]} rows of values for {_num_samples(X)} samples")
        self._X_fit = X
        return values

    def _options(self):
        return {
            "tolerance": float(self.tol),
            "max_iterations": None if self.max_iter == -1 else int(self.max_iter),
            "max_time": None if self.max_time is None else float(self.max_time),
            "memory": int(self.cache_size * 2**20),
            "threads": thread_count(self.n_jobs),
            "precision": self.precision,
            "name": type(self).__name__ if self.verbose else None,
        }

    def _earlier(self):
        """The model to go on from; one of rows that are no longer there is of no use."""
        if not (self.warm_start and hasattr(self, "_model")):
            return None
        return self._model if self.support_.max(initial=-1) < self.shape_fit_[0] else None

    def _keep(self, model):
        """Makes a trained model the estimator's own, tells of it if asked to, and warns if it is not solved."""
        self._adopt(model)
        if self.verbose:
            tell(self, f"{len(self.support_)} support vectors, KKT gap {self.kkt_gap_:.2e}")
        if not model.is_converged:
            limit = {
                "stopped at the iteration limit": f"max_iter={self.max_iter}",
                "stopped at the time limit": f"max_time={self.max_time}",
            }.get(self.status_, self.status_)
            warn(
                f"Solver terminated early ({limit}).  Consider pre-processing your data with StandardScaler or"
                f" MinMaxScaler. It has reached a KKT gap of {self.kkt_gap_:.3g} (tol={self.tol})"
                + ("." if np.isnan(self.gap_) else f" and a duality gap of {self.gap_:.3g}."),
                ConvergenceWarning,
            )

    def _adopt(self, model):
        """Takes the attributes of a fitted estimator from a model."""
        forget_search(self)
        self._model = model
        self._fitted = self.get_params(deep=False)
        if not (np.isfinite(model.coefficients).all() and np.isfinite(model.offsets).all()):
            raise ValueError(
                "The dual coefficients or intercepts are not finite."
                " The input data may contain large values and need to be preprocessed."
            )
        self.support_ = model.support
        if self._takes_values():
            self.support_vectors_ = np.empty((0, 0))
        else:
            self.support_vectors_ = from_rows(model.support_items)
        self.fit_status_ = 0 if model.is_converged else 1
        self.status_ = model.status or "nothing to solve"
        self.gap_ = np.nan if model.gap is None else model.gap
        self.kkt_gap_ = 0.0 if model.kkt_gap is None else model.kkt_gap
        self._n_support = np.asarray(model.support_per_class, dtype=np.int32)
        self.n_iter_ = int(model.iterations[0]) if model.iterations else 0
        if model.mended is not None:
            self.mended_ = model.mended
        elif hasattr(self, "mended_"):
            del self.mended_

    # Prediction

    def _check_for_predict(self, X):
        """New rows, or their kernel values, as the engine takes them."""
        check_is_fitted(self)
        kernel = fitted(self, "kernel")
        if is_structured(kernel):
            return as_items(kernel, X)
        if is_function(kernel):
            n = _num_samples(X)
            X = kernel_values(kernel, X, self._X_fit)
            if X.shape[0] != n:
                raise ValueError(f"the kernel gives {X.shape[0]} rows of values for {n} samples")
        else:
            X = validate_data(
                self, encoded(self, X), dtype=[np.float64, np.float32], accept_sparse="csr", reset=False
            )
            check_columns(X)
        if self._sparse and not sp.issparse(X):
            X = sp.csr_matrix(X)
        if sp.issparse(X) and not self._sparse:
            raise ValueError(f"cannot use sparse input in {type(self).__name__!r} trained on dense data")
        if self._model.takes_kernel_values and X.shape[1] != self.shape_fit_[0]:
            raise ValueError(
                f"X.shape[1] = {X.shape[1]} should be equal to {self.shape_fit_[0]}, "
                "the number of samples at training time"
            )
        sv = self.support_vectors_
        if not self._sparse and sv.size > 0 and self.n_support_.sum() != sv.shape[0]:
            raise ValueError(f"The internal representation of {type(self).__name__} was altered")
        return as_rows(X)

    def _engine(self):
        """The model, with as many threads as it may use here and now."""
        threads = thread_count(self.n_jobs)
        if self._model.threads != threads:
            self._model = self._model.with_threads(threads)
        return self._model

    @property
    def n_support_(self):
        """Number of support vectors for each class, or in all.

        Returns
        -------
        ndarray of shape (n_classes,) or (1,)
            The numbers.

        Examples
        --------
        >>> from mercer import SVC
        >>> SVC(kernel="linear").fit([[-2.0], [-1.0], [1.0]], [0, 0, 1]).n_support_
        array([1, 1], dtype=int32)
        """
        if not hasattr(self, "_n_support"):
            raise AttributeError(f"{type(self).__name__} is not fitted: it has no n_support_")
        return self._n_support

    @property
    def coef_(self):
        """Weights of the features, for `kernel="linear"` and `kernel=Linear()`.

        Returns
        -------
        ndarray or sparse matrix
            One row, or one for each pair of classes (for each class if `multi_class` has one function per class).

        Examples
        --------
        >>> from mercer import SVC
        >>> SVC(kernel="linear").fit([[-1.0, 0.0], [1.0, 0.0]], [0, 1]).coef_.round(3)
        array([[1., 0.]])
        """
        kernel = fitted(self, "kernel")
        if not (kernel == "linear" if isinstance(kernel, str) else isinstance(kernel, Kernel) and str(kernel) == "linear"):
            raise AttributeError("coef_ is only available when using a linear kernel")
        check_is_fitted(self)
        if self._model.is_scaled:
            raise AttributeError("coef_ would be weights of scaled features: the model scales its rows itself")
        coef = self._weights()
        (coef.data if sp.issparse(coef) else coef).flags.writeable = False
        return coef

    def _weights(self):
        return _product(self.dual_coef_, self.support_vectors_)

    def _aligned(self, coefficients):
        """Coefficients in the form of the rows: sparse where those are."""
        if not self._sparse:
            return coefficients
        if not coefficients.size:
            return sp.csr_matrix((1, 0))
        rows, columns = coefficients.shape
        indices, ends = np.tile(np.arange(columns), rows), np.arange(rows + 1) * columns
        return sp.csr_matrix((coefficients.ravel(), indices, ends), shape=(rows, columns))

    def _restore(self, model):
        """Becomes the estimator of a model from a file."""
        self._sparse = isinstance(model.support_items, tuple) and not model.takes_kernel_values
        if isinstance(model.support_items, list):
            self._gamma, self.shape_fit_ = 0.0, (model.rows,)
            self._adopt(model)
            return self
        self._gamma = named_kernel(model.kernel)[1].get("gamma", 0.0)
        self.shape_fit_ = (model.rows, model.columns)
        self.n_features_in_ = model.columns
        if model.feature_names is not None:
            self.feature_names_in_ = np.asarray(model.feature_names, dtype=object)
        self._adopt(model)
        return self

    def bounds(self, delta=0.05, *, choices=None, gamma=None):
        """Tell what theorems promise about new rows, from the margin, the slacks and the support vectors.

        Parameters
        ----------
        delta : float, default=0.05
            How likely it may be that a bound fails.
        choices : int, default=None
            From how many values parameters were chosen by looking at the data. None means all that `tune` tried, or 1.
        gamma : float, default=None
            By how much a target may be missed, or the squared radius of a sphere be exceeded. None means that for which
            all but the confidence is 0.1 (or nu, for a sphere that has one).

        Returns
        -------
        list of dict
            For every bound `of` (which classes), `name`, `theorem`, `quantity` (what is bounded), `value`, `terms`
            (which sum to it), `confidence`, `vacuous`, `advice` (what would make it smaller), `constant` (what was taken
            for one that the theorem does not name; such a value compares models and promises nothing), `gamma` and
            `notes`. Theorems that say nothing have `value=None` and `because`.

        Examples
        --------
        >>> import numpy as np
        >>> from mercer import SVC
        >>> X = np.repeat([[-1.0], [1.0]], 1000, axis=0)
        >>> y = np.repeat([0, 1], 1000)
        >>> bounds = SVC(kernel="linear", C=np.inf).fit(X, y).bounds()
        >>> bounds[0]["name"], round(bounds[0]["value"], 3), bounds[0]["vacuous"]
        ('hard margin', 0.181, False)
        """
        check_is_fitted(self)
        if choices is None:
            choices = len(self.cv_results_["params"]) if hasattr(self, "cv_results_") else 1
        if not (isinstance(choices, Integral) and choices >= 1):
            raise ValueError(f"choices = {choices}: expected a whole number, 1 or more")
        return self._model.bounds(float(delta), int(choices), None if gamma is None else float(gamma))

    def save(self, path):
        """Write the fitted model to a file that `mercer.load` and the command line read.

        Parameters
        ----------
        path : str or path-like
            What ends in .json is written as JSON, what ends in .model in LIBSVM's format (if that knows the machine
            and its kernel), all else in Mercer's binary format.

        Examples
        --------
        >>> import os, tempfile
        >>> import mercer
        >>> model = mercer.SVC(kernel="linear").fit([[-1.0], [1.0]], ["no", "yes"])
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     model.save(os.path.join(folder, "signs.json"))
        ...     os.listdir(folder)
        ['signs.json']
        """
        check_is_fitted(self)
        if is_function(fitted(self, "kernel")):
            raise ValueError("a model whose kernel is a function of Python's cannot be saved; pickle it")
        names = names_of(self)
        if os.fspath(path).lower().endswith(".model"):
            self._check_libsvm()
        cost = fitted(self, "C") if hasattr(self, "C") else None
        self._model.save(path, float(cost or 1.0), names, note_of(self))

    def _check_libsvm(self):
        """Refuses what LIBSVM's format cannot hold and the engine does not know."""
        if self._model.takes_kernel_values:
            raise ValueError("Mercer does not write models of kernel values in LIBSVM's format: save as .mercer or .json")


# What says how to compute and not what: of no meaning in another program or on another machine.
_MANNERS = {"cache_size", "max_time", "n_jobs", "verbose", "warm_start"}


def fitted(estimator, name):
    """A parameter as it was when the estimator was fitted, whatever was set since."""
    return getattr(estimator, "_fitted", {}).get(name, getattr(estimator, name))


def forget_search(estimator):
    """What a search found belongs to the fit that it ended with, not to later ones."""
    for name in ("best_params_", "best_score_", "best_index_", "cv_results_"):
        estimator.__dict__.pop(name, None)


def tell(estimator, of_model):
    """Prints how a training ended."""
    steps, seconds = int(np.sum(estimator.n_iter_)), estimator._model.seconds
    gap = "" if np.isnan(estimator.gap_) else f", duality gap {estimator.gap_:.2e}"
    print(f"[{type(estimator).__name__}] {estimator.status_} after {seconds:.2f} s, {steps} steps: {of_model}{gap}")


def status_of(converged):
    """The status of a machine of which no more is known than whether its steps came to an end by themselves."""
    return "converged" if converged else "stopped at the iteration limit"


def search_rows(X):
    """Rows as a search of the engine takes them; items are what it takes already."""
    return X if isinstance(X, _mercer.Items) else as_rows(X)


def note_of(estimator):
    """What a model file does not tell of an estimator by itself: its parameters, and of what kind the labels are."""
    parameters = {name: fitted(estimator, name) for name in estimator.get_params(deep=False)}
    given = {name: getattr(value, "tolist", lambda: value)() for name, value in parameters.items()}
    plain = {
        name: value
        for name, value in given.items()
        if name not in _MANNERS and (value is None or isinstance(value, (bool, int, float, str)))
    }
    note = {"estimator": type(estimator).__name__, "parameters": plain}
    if hasattr(estimator, "classes_"):
        note["labels"] = estimator.classes_.dtype.str
        if hasattr(estimator, "thresholds_"):
            # Files number levels.
            note["levels"] = [class_name(label) for label in estimator.classes_]
    if hasattr(estimator, "class_weight_"):
        note["class_weight"] = estimator.class_weight_.tolist()
    return json.dumps(note)


def names_of(estimator):
    """Names of the columns as text, if they are known."""
    names = getattr(estimator, "feature_names_in_", None)
    return None if names is None else [str(name) for name in names]


def _product(a, b):
    product = a @ b
    return product if sp.issparse(product) else np.asarray(product)


def checked_weights(sample_weight, n, may_be_zero=False):
    """Weights of at least 0, if there are any: rows of no or a negative weight are as if they were not there.

    All of them may be so only in a part of a stream (`may_be_zero`).
    """
    if sample_weight is None:
        return None
    weights = np.array(sample_weight)
    if weights.dtype.kind == "c":
        raise ValueError("Complex data not supported: sample_weight")
    weights = weights.astype(np.float64, copy=False)
    if weights.ndim == 0:
        weights = np.full(n, float(weights))
    if weights.shape != (n,):
        raise ValueError(
            f"sample_weight and X have incompatible shapes: {weights.shape} vs ({n},); one weight per row is needed"
        )
    if not np.isfinite(weights).all():
        raise ValueError("Input sample_weight contains NaN or infinity.")
    np.maximum(weights, 0.0, out=weights)
    if not (may_be_zero or weights.any()):
        raise ValueError("Invalid input - all samples have zero or negative weights.")
    return weights


def coded_classes(y, weights):
    """The classes of the rows that count, sorted, and the code of each row; one that does not count may have any."""
    counts = slice(None) if weights is None else weights > 0
    y = y[counts]
    codes = np.zeros(len(y) if weights is None else len(weights), dtype=np.uint32)
    lowest, highest = (y.min(), y.max()) if y.dtype.kind in "iu" and y.size else (0, -1)
    if 0 <= int(highest) - int(lowest) < _FEW:
        # Counting is faster than sorting. Differences beyond the type wrap round, and back with the sum.
        offsets = (y - lowest).view(f"u{y.itemsize}").astype(np.intp)
        classes = np.flatnonzero(np.bincount(offsets))
        ranks = np.zeros(int(highest) - int(lowest) + 1, dtype=np.uint32)
        ranks[classes] = np.arange(len(classes), dtype=np.uint32)
        codes[counts] = ranks[offsets]
        return classes.astype(y.dtype) + lowest, codes
    classes, codes[counts] = np.unique(y, return_inverse=True)
    return classes, codes


def class_factors(class_weight, classes, y, weights):
    """The factor of each class; "balanced" goes by the rows that count."""
    if class_weight is None:
        return np.ones(len(classes))
    factors = compute_class_weight(class_weight, classes=classes, y=y if weights is None else y[weights > 0])
    for label, factor in zip(classes, factors):
        if not (np.isfinite(factor) and factor >= 0):
            raise ValueError(f"class_weight of {label} is {factor}: expected a finite number of at least 0")
    return factors


def times_factors(weights, factors, codes):
    """Weights of rows times those of their classes; the very weights if all factors are 1."""
    if (factors == 1).all():
        return weights
    return factors[codes] if weights is None else weights * factors[codes]


def class_name(label):
    """A class as text; whole numbers without a point, as the command line writes them."""
    if isinstance(label, (float, np.floating)) and float(label).is_integer():
        return str(int(label))
    return str(label)
