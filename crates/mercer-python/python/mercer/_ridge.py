"""Kernel ridge regression."""

from numbers import Real

import numpy as np
import scipy.sparse as sp
from sklearn.base import MultiOutputMixin, RegressorMixin, _fit_context, clone
from sklearn.utils._param_validation import Interval
from sklearn.utils.validation import check_is_fitted

from . import _mercer
from ._docs import documented
from ._estimator import checked_weights, forget_search, status_of
from ._learners import ItemMachine, count
from ._ranges import STEPS, gammas, rounded, size
from ._seen import Bounded
from ._trials import TunableByFits, by_left_out


@documented
class KernelRidge(MultiOutputMixin, RegressorMixin, Bounded, TunableByFits, ItemMachine):
    """Kernel ridge regression: least squares with a penalty for large functions.

    Minimises Σ (y − f(x) − b)² + alpha ‖f‖² over f(x) = Σ β k(x_i, x), by factorisation while the memory holds the kernel matrix and by
    conjugate gradients beyond.

    Parameters
    ----------
    alpha : float or array-like of shape (n_targets,), default=1
        What a unit of ‖f‖² costs, for all targets or for each.
    fit_intercept : bool, default=False
        Whether there is an intercept b, which costs nothing; without one it is scikit-learn's regression.

    Attributes
    ----------
    dual_coef_ : ndarray of shape (n_samples,) or (n_samples, n_targets)
        Coefficients β of the training rows.
    intercept_ : float or ndarray of shape (n_targets,)
        The intercept b; 0 without one.
    status_ : str
        "converged", or "stopped at the iteration limit" of conjugate gradients.
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
        "fit_intercept": ["boolean"],
    }
    _scales = ("alpha",)

    def __init__(
        self,
        alpha=1,
        *,
        kernel="linear",
        gamma=None,
        degree=3,
        coef0=1,
        kernel_params=None,
        fit_intercept=False,
        n_jobs=None,
        memory=None,
    ):
        self.alpha = alpha
        self.kernel = kernel
        self.gamma = gamma
        self.degree = degree
        self.coef0 = coef0
        self.kernel_params = kernel_params
        self.fit_intercept = fit_intercept
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
        X, targets, flat = self._checked_targets(X, y)
        weights = checked_weights(sample_weight, count(X))
        rows = self._given(X)
        found = _mercer.fit_ridge(
            rows, targets, weights, self._formula, self._penalties(), bool(self.fit_intercept), self._means()
        )
        self._formula, coefficients, offsets, self.method_, self.jitter_, converged = found
        self.status_ = status_of(converged)
        self._machine = None
        self._adopt(coefficients, offsets, flat)
        self.X_fit_ = X
        self._seen = targets, weights
        self._asked = self._penalties(), bool(self.fit_intercept)
        return self

    def _checked_targets(self, X, y):
        """Rows, one column of numbers for each target, and whether targets are one list."""
        X, y = self._checked(X, y, multi_output=True, y_numeric=True)
        targets = np.asarray(y, dtype=np.float64)
        return X, np.ascontiguousarray(targets.reshape(len(targets), -1)), targets.ndim == 1

    def _penalties(self):
        return np.atleast_1d(np.asarray(self.alpha, dtype=np.float64)).tolist()

    def _adopt(self, coefficients, offsets, flat):
        self.dual_coef_ = coefficients.ravel() if flat else coefficients
        self.intercept_ = float(offsets[0]) if flat else np.asarray(offsets)

    def _function(self):
        """Coefficients, one column for each target, and offsets."""
        return self.dual_coef_.reshape(len(self.dual_coef_), -1), np.atleast_1d(self.intercept_)

    def leave_one_out(self):
        """Tell what the regression says about each training row when it is trained without it, in closed form.

        Takes one eigenvalue decomposition of the kernel matrix, O(n³), and 40n² bytes.

        Returns
        -------
        ndarray of shape (n_samples,) or (n_samples, n_targets)
            The predicted values, of which the targets less these are the leave-one-out errors.

        Examples
        --------
        >>> from mercer import KernelRidge
        >>> model = KernelRidge(alpha=1.0).fit([[1.0], [2.0], [3.0]], [1.0, 2.0, 3.0])
        >>> model.leave_one_out().round(3)
        array([0.929, 1.818, 2.5  ])
        >>> KernelRidge(alpha=1.0).fit([[1.0], [2.0]], [1.0, 2.0]).predict([[3.0]]).round(3)
        array([2.5])
        """
        check_is_fitted(self)
        if not hasattr(self, "_asked"):
            raise ValueError("the training targets are not in the file that the model is from: fit it")
        (targets, weights), (penalties, offset) = self._seen, self._asked
        if min(penalties) <= 0:
            raise ValueError("alpha = 0: leave_one_out needs an alpha above 0")
        distinct = sorted(set(penalties))
        items, means = self._fitted_items(), self._means()
        path = _mercer.ridge_path(items, targets, weights, self._formula, distinct, offset, means)
        places = [distinct.index(penalty) for penalty in penalties]
        places = places * targets.shape[1] if len(places) == 1 else places
        said = np.column_stack([path[place]["left_out"][:, at] for at, place in enumerate(places)])
        return said.ravel() if self.dual_coef_.ndim == 1 else said

    def path(self, X, y, alphas, sample_weight=None):
        """Fit regressions with many values of alpha, from one eigenvalue decomposition; the estimator itself stays as it is.

        Takes O(n³) once, and O(n²) for each value; 40n² bytes.

        Parameters
        ----------
        X : {array-like, sparse matrix} of shape (n_samples, n_features) or (n_samples, n_samples), or list of items
            Training rows; kernel values for `kernel="precomputed"`; items for kernels on such.
        y : array-like of shape (n_samples,) or (n_samples, n_targets)
            Targets.
        alphas : array-like of shape (n_alphas,)
            Values of alpha, above 0.
        sample_weight : array-like of shape (n_samples,), default=None
            Weights of the rows.

        Returns
        -------
        dict
            `alphas`; `dual_coef` of shape (n_alphas, n_samples) or (n_alphas, n_samples, n_targets); `intercept` of shape (n_alphas,) or
            (n_alphas, n_targets); `left_out`, shaped as `dual_coef`: what a regression that is trained without a row says about it;
            `left_out_error` of shape (n_alphas,): the mean of the squared errors of that, by weights.

        Examples
        --------
        >>> import numpy as np
        >>> from mercer import KernelRidge
        >>> X = np.linspace(0, 6, 30)[:, None]
        >>> found = KernelRidge(kernel="rbf").path(X, np.sin(X).ravel(), [1e-6, 1e-3, 1.0])
        >>> float(found["alphas"][found["left_out_error"].argmin()])
        1e-06
        """
        model = clone(self)
        model._validate_params()
        X, targets, flat = model._checked_targets(X, y)
        weights = checked_weights(sample_weight, count(X))
        alphas = np.array(alphas, dtype=np.float64, ndmin=1)
        if alphas.ndim > 1 or not len(alphas):
            raise ValueError(f"alphas of shape {alphas.shape}: expected a list of one number or more")
        bad = np.flatnonzero(~((alphas > 0) & np.isfinite(alphas)))
        if len(bad):
            raise ValueError(f"alphas[{bad[0]}] = {alphas[bad[0]]:g}: expected a finite number above 0")
        rows, offset = model._given(X), bool(model.fit_intercept)
        points = _mercer.ridge_path(rows, targets, weights, model._formula, alphas.tolist(), offset, model._means())
        found = {
            "dual_coef": np.stack([point["coefficients"] for point in points]),
            "intercept": np.stack([np.asarray(point["offsets"]) for point in points]),
            "left_out": np.stack([point["left_out"] for point in points]),
        }
        squares = ((found["left_out"] - targets) ** 2).mean(axis=2)
        errors = np.average(squares, axis=1, weights=weights)
        if flat:
            found = {name: values[..., 0] for name, values in found.items()}
        return {"alphas": alphas, **found, "left_out_error": errors}

    def _bounds(self, delta, choices, gamma):
        if not hasattr(self, "_seen"):
            raise ValueError("what the training rows say about new ones is not in the file that the model is from: fit it")
        targets, weights = self._seen
        coefficients, offsets = self._function()
        values = self._expanded(self.X_fit_, coefficients, offsets)
        # ‖f‖² = βᵀKβ, and Kβ are the values at the training rows, less the intercept.
        squares = np.maximum((coefficients * (values - offsets)).sum(axis=0), 0.0)
        counts = slice(None) if weights is None else weights > 0
        diagonal = np.asarray(self._own_values(), dtype=np.float64)[counts]
        if self._asked[1]:
            # An intercept is the weight of a feature that is 1 everywhere.
            squares, diagonal = squares + offsets**2, diagonal + 1.0
        norms, diagonal = np.sqrt(squares), np.ascontiguousarray(diagonal)
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
        values = self._expanded(X, *self._function())
        return values.ravel() if self.dual_coef_.ndim == 1 else values

    def _stored(self):
        if self._machine is not None:
            return self._machine
        coefficients, offsets = self._function()
        told = {
            "jitter": [float(self.jitter_)],
            "iterative": [float(self.method_ == "ConjugateGradient")],
            "mixed": [float(self.method_ == "Mixed")],
            "converged": [float(self.status_ == "converged")],
        }
        items, coefficients = self._fitted_items(), np.ascontiguousarray(coefficients)
        return _mercer.machine_of(items, self._formula, "ridge", coefficients, offsets.tolist(), told, self._means())

    def _tell(self, told):
        coefficients, offsets = self._machine.expansion
        # Of a model from a file it is not known how many dimensions the targets had.
        self._adopt(coefficients, offsets, coefficients.shape[1] == 1)
        factorised = "Mixed" if told["mixed"][0] else "Cholesky"
        self.method_ = "ConjugateGradient" if told["iterative"][0] else factorised
        self.jitter_, self.status_ = told["jitter"][0], status_of(told["converged"][0])

    def _by_criterion(self, criterion, of_folds, settings, X, y, weights):
        def left_out(model, penalties):
            model._validate_params()
            items, targets, _ = model._checked_targets(X, y)
            rows, offset = model._given(items), bool(model.fit_intercept)
            path = _mercer.ridge_path(rows, targets, weights, model._formula, penalties, offset, model._means())
            return [point["left_out"] - targets for point in path]

        def value(errors):
            return float(np.average((errors**2).mean(axis=1), weights=weights))

        return by_left_out(self, "alpha", criterion, of_folds, settings, left_out, value)

    def _usual_grid(self, rows, y):
        return {"alpha": rounded(STEPS * size(self, rows)), **gammas(self, rows)}
