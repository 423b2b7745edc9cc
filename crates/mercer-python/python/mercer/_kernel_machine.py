"""What all machines with a kernel share: its parameters, and rows that are checked."""

from functools import cache
from inspect import signature
from numbers import Integral, Real

import numpy as np
import scipy.sparse as sp
from sklearn.base import BaseEstimator
from sklearn.utils import get_tags
from sklearn.utils._param_validation import Interval, StrOptions
from sklearn.utils.validation import _num_samples, check_consistent_length, validate_data

from ._containers import items_of
from ._pairs import Pairwise
from ._rows import check_columns
from ._state import Stateful
from .kernels import Kernel

_KERNELS = {"linear", "poly", "rbf", "sigmoid", "precomputed"}


class Unpickled(Stateful, BaseEstimator):
    """One that an earlier version may have pickled: parameters that did not exist then have their defaults.

    Parameters
    ----------
    max_time : float, default=None
        Most seconds for the training; None for no limit.
    n_jobs : int, default=None
        Threads: None for all there are (one inside a worker of joblib), -1 for all. The result does not depend on it.

    Attributes
    ----------
    n_features_in_ : int
        Number of columns of the training rows.
    feature_names_in_ : ndarray of shape (n_features_in_,)
        Names of the columns, if all of them have one.
    """

    @classmethod
    @cache
    def _get_param_names(cls):
        # Asked for several times in every fit.
        return super()._get_param_names()

    def __setstate__(self, state):
        for name, parameter in signature(type(self)).parameters.items():
            self.__dict__.setdefault(name, parameter.default)
        super().__setstate__(state)


class KernelMachine(Unpickled):
    """A machine with one of scikit-learn's kernels, one of `mercer.kernels`, or a function.

    Parameters
    ----------
    kernel : {"linear", "poly", "rbf", "sigmoid", "precomputed"}, kernel of `mercer.kernels` or callable, default="rbf"
        The kernel. A callable is given two lists of items and returns the matrix of their kernel values;
        `mercer.kernels.Pairwise` makes one of a function of two items. Kernels on strings, trees,
        graphs, series and records take X as a list of such.
    degree : int, default=3
        Degree of "poly".
    gamma : {"scale", "auto"} or float, default="scale"
        Coefficient of "rbf", "poly" and "sigmoid": 1/(n_features · variance of X), 1/n_features, or a number.
    coef0 : float, default=0.0
        Constant term of "poly" and "sigmoid".

    Attributes
    ----------
    shape_fit_ : tuple of int
        Shape of the training rows.
    """

    _parameter_constraints = {
        "kernel": [StrOptions(_KERNELS), callable],
        "degree": [Interval(Integral, 0, None, closed="left")],
        "gamma": [StrOptions({"scale", "auto"}), Interval(Real, 0.0, None, closed="left")],
        "coef0": [Interval(Real, None, None, closed="neither")],
    }

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.input_tags.pairwise = isinstance(self.kernel, str) and self.kernel == "precomputed"
        tags.input_tags.sparse = not tags.input_tags.pairwise
        return tags

    # Training

    def _takes_anything(self):
        """Whether the kernel may understand more than numbers: a function of Python's, or one on structured items."""
        return is_function(self.kernel) or is_structured(self.kernel)

    def _takes_values(self):
        """Whether the engine is given kernel values instead of rows."""
        return is_function(self.kernel) or self.kernel == "precomputed"

    def _check_rows(self, X, y):
        """The rows and targets of a training, checked as scikit-learn does; remembers their shape."""
        if sp.issparse(X) and self.kernel == "precomputed":
            raise TypeError("Sparse precomputed kernels are not supported.")
        if self._takes_anything():
            if is_structured(self.kernel):
                X = items_of(self.kernel, X)
            if y is not None:
                check_consistent_length(X, y)
            self._sparse = False
        else:
            # Without targets where they are needed it says so.
            target = "no_validation" if y is None and not get_tags(self).target_tags.required else y
            checked = validate_data(self, X, target, dtype=[np.float64, np.float32], accept_sparse="csr")
            X, y = (checked, None) if isinstance(target, str) else checked
            check_columns(X)
            # A frame of sparse columns is sparse only now.
            self._sparse = sp.issparse(X)
        n = _num_samples(X)
        if self.kernel == "precomputed" and n != X.shape[1]:
            raise ValueError(
                f"Precomputed matrix must be a square matrix. Input is a {X.shape[0]}x{X.shape[1]} matrix."
            )
        self.shape_fit_ = X.shape if hasattr(X, "shape") else (n,)
        return X, y

    def _resolved_gamma(self, X, weights):
        """γ as a number; "scale" counts a row as often as its weight says."""
        if self._takes_values() or isinstance(self.kernel, Kernel):
            return 0.0
        if self.gamma == "auto":
            return 1.0 / X.shape[1]
        if self.gamma != "scale":
            return float(self.gamma)
        # Large values overflow, which is told below.
        with np.errstate(over="ignore", invalid="ignore"):
            variance = variance_of(X, weights)
        if not np.isfinite(variance):
            raise ValueError(
                "The dual coefficients or intercepts are not finite: the variance of the input data"
                " is not. The input data may contain large values and need to be preprocessed."
            )
        return 1.0 / (X.shape[1] * variance) if variance != 0 else 1.0

    def _formula(self):
        """The kernel as the engine reads it; none where it is given values."""
        if self._takes_values():
            return None
        if isinstance(self.kernel, Kernel):
            return str(self.kernel)
        gamma, constant = float(self._gamma), float(self.coef0)
        if gamma == 0 and self.kernel != "linear":
            # The same for all pairs of rows.
            same = {"rbf": 1.0, "poly": constant**self.degree, "sigmoid": np.tanh(constant)}[self.kernel]
            return f"constant({float(same)!r})"
        return {
            "linear": "linear",
            "rbf": f"gaussian(gamma={gamma!r})",
            "poly": f"polynomial(degree={self.degree}, gamma={gamma!r}, constant={constant!r})"
            if self.degree > 0
            else "constant(1)",
            "sigmoid": f"sigmoid(gamma={gamma!r}, constant={constant!r})",
        }[self.kernel]


def is_function(kernel):
    return callable(kernel) and not isinstance(kernel, Kernel)


def is_structured(kernel):
    """Whether it compares strings, trees, graphs, series or records."""
    return isinstance(kernel, Kernel) and kernel.items != "rows"


def kernel_values(kernel, X, Y, **parameters):
    """What a function of Python's gives for all pairs of samples, as a matrix."""
    try:
        values = kernel(X, Y, **parameters)
    except Exception as error:
        if hasattr(error, "add_note") and not isinstance(kernel, Pairwise):
            error.add_note(_CONVENTION)
        raise
    values = np.asarray(values.toarray() if sp.issparse(values) else values, dtype=np.float64)
    if values.ndim != 2:
        raise ValueError(f"the kernel gives an array of {values.ndim} dimensions instead of a matrix; {_CONVENTION}")
    return values


# How a callable kernel is called.
_CONVENTION = (
    "a callable kernel is given two sets of items and returns the matrix of their values;"
    " mercer.kernels.Pairwise makes one of a function of two items"
)


def variance_of(X, weights):
    """The variance of all entries."""
    if sp.issparse(X):
        if not X.has_canonical_format:
            X = X.copy()
            X.sum_duplicates()
        # Two passes in double precision: a difference of squares would have lost what is small beside the mean.
        values = X.data.astype(np.float64, copy=False)
        of_values = 1.0 if weights is None else np.repeat(weights, np.diff(X.indptr))
        count = (X.shape[0] if weights is None else weights.sum()) * X.shape[1]
        stored = len(values) if weights is None else of_values.sum()
        mean = (of_values * values).sum() / count
        return float(((of_values * (values - mean) ** 2).sum() + (count - stored) * mean**2) / count)
    if weights is None:
        return float(X.var(dtype=np.float64))
    mean = np.average(X.mean(axis=1, dtype=np.float64), weights=weights)
    return float(np.average(((X - mean) ** 2).mean(axis=1, dtype=np.float64), weights=weights))
