"""Kernels of machines that factorise the kernel matrix, named as scikit-learn's `pairwise_kernels` names them."""

from numbers import Integral, Real

import numpy as np
import scipy.sparse as sp
from sklearn.metrics.pairwise import pairwise_kernels
from sklearn.utils._param_validation import Interval, StrOptions
from sklearn.utils.validation import check_is_fitted, validate_data

from . import _mercer
from ._estimator import Unpickled, names_of, note_of
from ._kernel_machine import kernel_values
from ._rows import as_rows, check_columns, from_rows
from ._tables import encoded
from ._threads import thread_count
from .kernels import Kernel

NAMES = {"additive_chi2", "chi2", "cosine", "laplacian", "linear", "poly", "polynomial", "precomputed", "rbf", "sigmoid"}


class MatrixMachine(Unpickled):
    """The base of machines that factorise the kernel matrix.

    Parameters
    ----------
    kernel : str, kernel of `mercer.kernels` or callable, default="linear"
        The kernel: a name that `sklearn.metrics.pairwise.pairwise_kernels` knows, "precomputed", or a callable that is given two
        matrices of rows and returns the matrix of their kernel values. `mercer.kernels.Pairwise` makes such a callable of a function of
        two rows.
    gamma : float, default=None
        Coefficient of "rbf", "laplacian", "poly", "sigmoid" and "chi2"; None for 1/n_features, for "chi2" 1.
    degree : float, default=3
        Degree of "poly".
    coef0 : float, default=1
        Constant term of "poly" and "sigmoid".
    kernel_params : dict, default=None
        Parameters of a callable.
    n_jobs : int, default=None
        Threads: None for all there are (one inside a worker of joblib), -1 for all. The result does not depend on it.
    memory : float, default=None
        Megabytes for the kernel matrix and what is made of it; None for a quarter of what is free at first, rounded down to a power of two.

    Attributes
    ----------
    n_features_in_ : int
        Number of columns of the training rows.
    feature_names_in_ : ndarray of shape (n_features_in_,)
        Names of the columns, if all of them have one.
    X_fit_ : {ndarray, sparse matrix} of shape (n_samples, n_features)
        The training rows.
    """

    _parameter_constraints = {
        "kernel": [StrOptions(NAMES), callable],
        "gamma": [Interval(Real, 0, None, closed="left"), None],
        "degree": [Interval(Real, 0, None, closed="left")],
        "coef0": [Interval(Real, None, None, closed="neither")],
        "kernel_params": [dict, None],
        "n_jobs": [Integral, None],
        "memory": [Interval(Real, 0, None, closed="neither"), None],
    }

    @property
    def _metric(self):
        """The kernel, by whatever name the machine has it as a parameter."""
        return self.kernel

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        tags.input_tags.pairwise = isinstance(self._metric, str) and self._metric == "precomputed"
        return tags

    def _means(self):
        memory = None if self.memory is None else int(self.memory * 2**20)
        return {"threads": thread_count(self.n_jobs), "memory": memory}

    def _formula_for(self, columns):
        """The kernel as the engine reads it; none where values are computed here."""
        if isinstance(self._metric, Kernel):
            return str(self._metric)
        if not isinstance(self._metric, str) or self._metric == "precomputed":
            return None
        gamma = 1.0 / columns if self.gamma is None else float(self.gamma)
        constant = float(self.coef0)
        if self._metric in ("linear", "cosine"):
            return self._metric
        if self._metric == "chi2":
            gamma = 1.0 if self.gamma is None else gamma
        if gamma == 0:
            return None
        if self._metric in ("poly", "polynomial") and float(self.degree).is_integer() and self.degree >= 1 and constant >= 0:
            return f"polynomial(degree={int(self.degree)}, gamma={gamma!r}, constant={constant!r})"
        return {
            "rbf": f"gaussian(gamma={gamma!r})",
            "laplacian": f"laplacian(gamma={gamma!r})",
            "chi2": f"chi2(gamma={gamma!r})",
            "sigmoid": f"sigmoid(gamma={gamma!r}, constant={constant!r})",
        }.get(self._metric)

    def _values(self, X, Y):
        """Kernel values of all pairs of rows, by scikit-learn."""
        if callable(self._metric):
            values = kernel_values(self._metric, X, Y, **(self.kernel_params or {}))
            if values.shape != (X.shape[0], Y.shape[0]):
                raise ValueError(f"the kernel gives values of shape {values.shape} for {X.shape[0]} and {Y.shape[0]} samples")
            return values
        params = {"gamma": self.gamma, "degree": self.degree, "coef0": self.coef0}
        return np.asarray(pairwise_kernels(X, Y, metric=self._metric, filter_params=True, **params), dtype=np.float64)

    def _engine_rows(self, X):
        """The rows of a training, or their kernel values where there is no formula."""
        check_columns(X)
        if self._metric == "precomputed" and X.shape[0] != X.shape[1]:
            raise ValueError(
                f"Precomputed matrix must be a square matrix. Input is a {X.shape[0]}x{X.shape[1]} matrix."
            )
        if self._formula is not None:
            return as_rows(X)
        return as_rows(X.toarray() if sp.issparse(X) else X) if self._metric == "precomputed" else self._values(X, X)

    def _new_rows(self, X, **options):
        check_is_fitted(self)
        X = validate_data(self, encoded(self, X), accept_sparse="csr", reset=False, **options)
        check_columns(X)
        return X

    def save(self, path):
        """Write the fitted model to a file that `mercer.load` and the command line read.

        Parameters
        ----------
        path : str or path-like
            What ends in .json is written as JSON, all else in Mercer's binary format.

        Examples
        --------
        >>> import os, tempfile
        >>> import mercer
        >>> model = mercer.KernelRidge(alpha=1.0).fit([[0.0], [1.0], [2.0]], [0.0, 1.0, 2.0])
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     path = os.path.join(folder, "line.mercer")
        ...     model.save(path)
        ...     mercer.load(path).predict([[6.0]])
        array([5.])
        """
        check_is_fitted(self)
        if self._formula is None and self._metric != "precomputed":
            raise ValueError("a model whose kernel is a function of Python's cannot be saved; pickle it")
        self._stored().save(path, names_of(self), note_of(self))

    def _stored(self):
        """The model as the engine holds it."""
        return self._machine

    def _restore(self, machine):
        """Becomes the estimator of a model from a file."""
        self._machine, self._formula = machine, machine.kernel
        items = machine.items
        self.X_fit_ = items if isinstance(items, list) else from_rows(items)
        if not isinstance(items, list):
            self.n_features_in_ = machine.shape[1]
            if machine.feature_names is not None:
                self.feature_names_in_ = np.asarray(machine.feature_names, dtype=object)
        self._tell(machine.told)
        return self

    def _tell(self, told):
        """Takes attributes from what the engine told."""

    def _expanded(self, X, coefficients, offsets):
        """Σ coefficients · k(x_i, x) + offsets, one row per row of X."""
        if getattr(self, "_machine", None) is not None:
            # From a file, which may know more than the rows tell: how they were scaled.
            return self._machine.functions(as_rows(X.toarray() if self._formula is None and sp.issparse(X) else X), thread_count(self.n_jobs))
        if self._formula is not None:
            coefficients = np.ascontiguousarray(coefficients, dtype=np.float64)
            threads = thread_count(self.n_jobs)
            known = as_rows(self.X_fit_)
            return _mercer.expand(self._formula, known, coefficients, list(offsets), as_rows(X), threads)
        if self._metric == "precomputed":
            values = X.toarray() if sp.issparse(X) else X
        else:
            values = self._values(X, self.X_fit_)
        return np.asarray(values @ coefficients + np.asarray(offsets))
