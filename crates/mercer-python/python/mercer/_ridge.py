"""Kernel ridge regression."""

from numbers import Real

import numpy as np
import scipy.sparse as sp
from sklearn.base import MultiOutputMixin, RegressorMixin, _fit_context
from sklearn.utils._param_validation import Interval

from . import _mercer
from ._docs import documented
from ._estimator import checked_weights, forget_search
from ._learners import ItemMachine, count
from ._ranges import STEPS, gammas, rounded, size
from ._seen import Bounded
from ._trials import TunableByFits, by_left_out


@documented
class KernelRidge(MultiOutputMixin, RegressorMixin, Bounded, TunableByFits, ItemMachine):
    """Kernel ridge regression: least squares with a penalty for large functions.

    Minimises Σ (y − f(x))² + alpha ‖f‖² over f(x) = Σ β k(x_i, x), by factorisation while the memory holds the kernel matrix and by
    conjugate gradients beyond.

    Parameters
    ----------
    alpha : float or array-like of shape (n_targets,), default=1
        What a unit of ‖f‖² costs, for all targets or for each.

    Attributes
    ----------
    dual_coef_ : ndarray of shape (n_samples,) or (n_samples, n_targets)
        Coefficients β of the training rows.
    method_ : str
        "Cholesky", a factorisation in double precision; "Mixed", one in single precision whose solution is refined to double precision
        with the kernel matrix itself (from 2048 rows on; where that fails it is "Cholesky"); or "ConjugateGradient", beyond the memory.
    jitter_ : float
        What was added to the diagonal because the kernel matrix is singular.

    Examples
    --------
    >>> from mercer import KernelRidge
    >>> model = KernelRidge(alpha=1.0).fit([[0.0], [1.0], [2.0]], [0.0, 1.0, 2.0])
    >>> model.predict([[6.0]])
    array([5.])
    """

    _parameter_constraints = {
        **ItemMachine._parameter_constraints,
        "alpha": [Interval(Real, 0, None, closed="left"), "array-like"],
    }
    _scales = ("alpha",)

    def __init__(
        self, alpha=1, *, kernel="linear", gamma=None, degree=3, coef0=1, kernel_params=None, n_jobs=None, memory=None
    ):
        self.alpha = alpha
        self.kernel = kernel
        self.gamma = gamma
        self.degree = degree
        self.coef0 = coef0
        self.kernel_params = kernel_params
        self.n_jobs = n_jobs
        self.memory = memory

    @_fit_context(prefer_skip_nested_validation=True)
    def fit(self, X, y, sample_weight=None):
        """Fit the regression.

        Parameters
        ----------
        X : {array-like, sparse matrix} of shape (n_samples, n_features) or (n_samples, n_samples), or list of items
            Training rows; kernel values for `kernel="precomputed"`; items for kernels on such.
        y : array-like of shape (n_samples,) or (n_samples, n_targets)
            Targets.
        sample_weight : array-like of shape (n_samples,), default=None
            Weights of the rows: one of weight 2 counts as if it stood there twice, one of weight 0 as if it did not.

        Returns
        -------
        object
            The fitted estimator.

        Examples
        --------
        >>> from mercer import KernelRidge
        >>> KernelRidge(alpha=0.5).fit([[1.0], [2.0]], [1.0, 2.0], sample_weight=[1, 0]).dual_coef_.round(3)
        array([0.667, 0.   ])
        """
        forget_search(self)
        X, y = self._checked(X, y, multi_output=True, y_numeric=True)
        targets = np.asarray(y, dtype=np.float64)
        flat = targets.ndim == 1
        targets = np.ascontiguousarray(targets.reshape(len(targets), -1))
        penalties = np.atleast_1d(np.asarray(self.alpha, dtype=np.float64)).tolist()
        weights = checked_weights(sample_weight, count(X))
        rows = self._given(X)
        found = _mercer.fit_ridge(rows, targets, weights, self._formula, penalties, self._means())
        self._formula, coefficients, self.method_, self.jitter_, self._converged = found
        self._machine = None
        self.dual_coef_ = coefficients.ravel() if flat else coefficients
        self.X_fit_ = X
        self._seen = targets, None if weights is None else weights > 0
        return self

    def _bounds(self, delta, choices, gamma):
        if not hasattr(self, "_seen"):
            raise ValueError("what the training rows say about new ones is not in the file that the model is from: fit it")
        targets, counts = self._seen
        coefficients = self.dual_coef_.reshape(len(self.dual_coef_), -1)
        values = self._expanded(self.X_fit_, coefficients, np.zeros(coefficients.shape[1]))
        # ‖f‖² = βᵀKβ, and Kβ are the values at the training rows.
        norms = np.sqrt(np.maximum((coefficients * values).sum(axis=0), 0.0))
        counts = slice(None) if counts is None else counts
        diagonal = np.ascontiguousarray(np.asarray(self._own_values(), dtype=np.float64)[counts])
        found = []
        for at, norm in enumerate(norms):
            of = "regression" if len(norms) == 1 else f"target {at}"
            own = np.ascontiguousarray(targets[counts, at])
            residuals = np.ascontiguousarray(own - values[counts, at])
            found += _mercer.bounds_of_residuals(of, own, residuals, diagonal, float(norm), 0.0, delta, choices, gamma)
        return found

    def _own_values(self):
        """k(x, x) of the training items."""
        if self.kernel == "precomputed":
            return np.diag(self.X_fit_.toarray() if sp.issparse(self.X_fit_) else self.X_fit_)
        if self._formula is None:
            rows = (self.X_fit_[i : i + 1] for i in range(count(self.X_fit_)))
            return [self._values(row, row)[0, 0] for row in rows]
        items = self._fitted_items()
        return _mercer.own_values(self._formula, items, items)

    def predict(self, X):
        """Predict the targets of the rows of X.

        Parameters
        ----------
        X : {array-like, sparse matrix} of shape (n_samples, n_features) or (n_samples, n_samples_fit), or list of items
            The rows, their kernel values with the training rows, or items.

        Returns
        -------
        ndarray of shape (n_samples,) or (n_samples, n_targets)
            The predicted values.

        Examples
        --------
        >>> from mercer import KernelRidge
        >>> model = KernelRidge(kernel="rbf", alpha=1e-6).fit([[0.0], [1.0]], [3.0, 4.0])
        >>> model.predict([[0.0], [1.0]]).round(2)
        array([3., 4.])
        """
        X = self._new_items(X)
        flat = self.dual_coef_.ndim == 1
        coefficients = self.dual_coef_.reshape(len(self.dual_coef_), -1)
        values = self._expanded(X, coefficients, np.zeros(coefficients.shape[1]))
        return values.ravel() if flat else values

    def _stored(self):
        if self._machine is not None:
            return self._machine
        coefficients = np.ascontiguousarray(self.dual_coef_.reshape(len(self.dual_coef_), -1))
        told = {
            "jitter": [float(self.jitter_)],
            "iterative": [float(self.method_ == "ConjugateGradient")],
            "mixed": [float(self.method_ == "Mixed")],
            "converged": [float(self._converged)],
        }
        offsets = [0.0] * coefficients.shape[1]
        return _mercer.machine_of(
            self._fitted_items(), self._formula, "ridge", coefficients, offsets, told, self._means()
        )

    def _tell(self, told):
        coefficients = self._machine.expansion[0]
        # Of a model from a file it is not known how many dimensions the targets had.
        self.dual_coef_ = coefficients.ravel() if coefficients.shape[1] == 1 else coefficients
        factorised = "Mixed" if told["mixed"][0] else "Cholesky"
        self.method_ = "ConjugateGradient" if told["iterative"][0] else factorised
        self.jitter_, self._converged = told["jitter"][0], bool(told["converged"][0])

    def _by_criterion(self, criterion, of_folds, settings, X, y, weights):
        def left_out(model, penalties):
            model._validate_params()
            items, targets = model._checked(X, y, multi_output=True, y_numeric=True)
            targets = np.ascontiguousarray(np.asarray(targets, dtype=np.float64).reshape(len(targets), -1))
            rows = model._given(items)
            said = _mercer.left_out_ridge(rows, targets, weights, model._formula, penalties, False, model._means())
            return [said_of - targets for said_of in said]

        def value(errors):
            return float(np.average((errors**2).mean(axis=1), weights=weights))

        return by_left_out(self, "alpha", criterion, of_folds, settings, left_out, value)

    def _usual_grid(self, rows, y):
        return {"alpha": rounded(STEPS * size(self, rows)), **gammas(self, rows)}
