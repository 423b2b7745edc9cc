"""Partial least squares and relevance vectors."""

from numbers import Integral, Real

import numpy as np
from sklearn.base import ClassNamePrefixFeaturesOutMixin, MultiOutputMixin, RegressorMixin, TransformerMixin, _fit_context
from sklearn.utils._param_validation import Interval
from sklearn.utils.validation import column_or_1d

from . import _mercer
from ._docs import documented
from ._estimator import checked_weights, status_of
from ._learners import ItemMachine, count
from ._ranges import gammas
from ._threads import thread_count
from ._trials import TunableByFits
from ._warn import warn


# Directions that are tried if nothing is said.
_MOST = 10


class ItemRegressor(ItemMachine):
    """A regression that is one function per target."""

    def predict(self, X):
        """Predict the targets of items.

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
        >>> from mercer import KernelPLS
        >>> KernelPLS(n_components=1).fit([[0.0], [1.0]], [1.0, 3.0]).predict([[2.0]]).round(6)
        array([5.])
        """
        values = self._functions(X)
        # Of a model from a file it is not known how many dimensions the targets had.
        return values.ravel() if getattr(self, "_flat", values.shape[1] == 1) else values


@documented
class KernelPLS(
    ClassNamePrefixFeaturesOutMixin, TransformerMixin, MultiOutputMixin, RegressorMixin, TunableByFits, ItemRegressor
):
    """Kernel partial least squares: regression on the few directions of feature space that vary most together with the targets.

    Parameters
    ----------
    n_components : int, default=2
        Number of directions.

    Attributes
    ----------
    n_components_ : int
        Directions that were found; fewer than asked for, with a warning, if nothing was left to be explained.
    explained_ : ndarray of shape (n_components_,)
        The share of the targets' sum of squares that the first so many directions explain.

    Examples
    --------
    >>> from mercer import KernelPLS
    >>> model = KernelPLS(n_components=2).fit([[0.0, 1.0], [1.0, 0.0], [2.0, 2.0]], [1.0, 2.0, 3.0])
    >>> model.predict([[1.0, 0.0]]).round(3)
    array([2.])
    """

    _parameter_constraints = {
        **ItemMachine._parameter_constraints,
        "n_components": [Interval(Integral, 1, None, closed="left")],
    }
    _scales = ()

    def __init__(
        self, n_components=2, *, kernel="linear", gamma=None, degree=3, coef0=1, kernel_params=None, n_jobs=None, memory=None
    ):
        self.n_components = n_components
        self.kernel = kernel
        self.gamma = gamma
        self.degree = degree
        self.coef0 = coef0
        self.kernel_params = kernel_params
        self.n_jobs = n_jobs
        self.memory = memory

    @_fit_context(prefer_skip_nested_validation=True)
    def fit(self, X, y):
        """Fit the regression.

        Parameters
        ----------
        X : {array-like, sparse matrix} of shape (n_samples, n_features) or (n_samples, n_samples), or list of items
            Training rows; kernel values for `kernel="precomputed"`; items for kernels on such.
        y : array-like of shape (n_samples,) or (n_samples, n_targets)
            Targets.

        Returns
        -------
        object
            The fitted estimator.

        Examples
        --------
        >>> from mercer import KernelPLS
        >>> KernelPLS(n_components=1).fit([[0.0], [1.0], [2.0]], [0.0, 1.0, 2.0]).n_components_
        1
        """
        X, y = self._checked(X, y, multi_output=True, y_numeric=True)
        targets = np.asarray(y, dtype=np.float64)
        self._flat = targets.ndim == 1
        targets = np.ascontiguousarray(targets.reshape(len(targets), -1))
        rows = self._given(X)
        found = _mercer.fit_pls(rows, targets, self._formula, int(self.n_components), self._means())
        self._keep(X, found)
        if self.n_components_ < self.n_components and not self._is_trial:
            what = f"{self.n_components_} components in place of {self.n_components}: nothing was left to be explained"
            warn(what, UserWarning)
        return self

    def transform(self, X):
        """Tell where items lie along the directions.

        Parameters
        ----------
        X : {array-like, sparse matrix} of shape (n_samples, n_features) or (n_samples, n_samples_fit), or list of items
            The rows, their kernel values with the training rows, or items.

        Returns
        -------
        ndarray of shape (n_samples, n_components_)
            The scores t; those of the training items have length 1 and are orthogonal to each other.

        Examples
        --------
        >>> from mercer import KernelPLS
        >>> X = [[0.0], [1.0], [2.0]]
        >>> abs(KernelPLS(n_components=1).fit(X, [0.0, 1.0, 2.0]).transform(X)).round(3)
        array([[0.707],
               [0.   ],
               [0.707]])
        """
        items = self._asked_items(X)
        return self._machine.scores(items)

    def _tell(self, told):
        self.explained_ = np.asarray(told["explained"])
        self.n_components_ = len(self.explained_)

    @property
    def _n_features_out(self):
        return self.n_components_

    def _usual_grid(self, rows, y):
        # No fold that is learned from has fewer than half of the items.
        most = max(1, min(_MOST, count(rows) // 2))
        return {"n_components": list(range(1, most + 1)), **gammas(self, rows)}


@documented
class RVR(RegressorMixin, TunableByFits, ItemMachine):
    """Relevance vector regression: a prior of its own for every item's weight, most of which turn out to be 0.

    Parameters
    ----------
    tol : float, default=1e-4
        The change of the logarithm of a prior's precision that counts as none.
    max_iter : int, default=10000
        Most items that are added, changed or dropped.
    fit_intercept : bool, default=True
        Whether the function has an offset.
    rank : int, default=None
        Most items that the relevant ones are chosen from, the pivots of a pivoted Cholesky factorisation of the kernel matrix; None for
        all items while the memory allows it, and beyond for as many as it allows.

    Attributes
    ----------
    relevance_ : ndarray of shape (n_relevant,)
        Positions of the relevant items in the training set.
    n_candidates_ : int
        Items that the relevant ones were chosen from: all, or as many pivots of the kernel matrix as `rank` or the memory allows.
    noise_ : float
        The variance of the noise that was found.
    log_likelihood_ : float
        The log marginal likelihood of the targets.
    status_ : str
        "converged", or "stopped at the iteration limit" of the search for relevant items.
    n_iter_ : int
        Items added, changed or dropped.

    Examples
    --------
    >>> import numpy as np
    >>> from mercer import RVR
    >>> X = np.linspace(0, 6, 40)[:, None]
    >>> model = RVR(kernel="rbf").fit(X, np.sin(X).ravel())
    >>> bool(abs(model.predict([[1.5]])[0] - np.sin(1.5)) < 0.05), len(model.relevance_) < 20
    (True, True)
    """

    _parameter_constraints = {
        **ItemMachine._parameter_constraints,
        "tol": [Interval(Real, 0, None, closed="neither")],
        "max_iter": [Interval(Integral, 1, None, closed="left")],
        "fit_intercept": ["boolean"],
        "rank": [Interval(Integral, 1, None, closed="left"), None],
    }
    _scales = ()

    def __init__(
        self,
        *,
        tol=1e-4,
        max_iter=10000,
        fit_intercept=True,
        rank=None,
        kernel="linear",
        gamma=None,
        degree=3,
        coef0=1,
        kernel_params=None,
        n_jobs=None,
        memory=None,
    ):
        self.tol = tol
        self.max_iter = max_iter
        self.fit_intercept = fit_intercept
        self.rank = rank
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
        y : array-like of shape (n_samples,)
            Targets.
        sample_weight : array-like of shape (n_samples,), default=None
            Weights of the rows: one of weight 2 counts as if it stood there twice, one of weight 0 as if it did not.

        Returns
        -------
        object
            The fitted estimator.

        Examples
        --------
        >>> from mercer import RVR
        >>> RVR().fit([[0.0], [1.0], [2.0]], [0.0, 1.0, 2.0]).predict([[1.0]]).round(3)
        array([1.])
        """
        X, y = self._checked(X, y, y_numeric=True)
        targets = np.ascontiguousarray(column_or_1d(y, warn=True), dtype=np.float64)
        weights = checked_weights(sample_weight, count(X))
        rows = self._given(X)
        found = _mercer.fit_relevance(
            rows,
            targets,
            weights,
            None,
            self._formula,
            bool(self.fit_intercept),
            float(self.tol),
            int(self.max_iter),
            None if self.rank is None else int(self.rank),
            self._means(),
        )
        self._keep(X, found)
        self._warn_unless(found["told"]["converged"][0], "the search for relevant items ended early")
        return self

    def _tell(self, told):
        self.relevance_ = np.asarray(told["relevant"], dtype=int)
        self.n_candidates_ = int(told["candidates"][0])
        self.noise_, self.log_likelihood_ = told["noise"][0], told["likelihoods"][0]
        self.n_iter_ = int(told["steps"][0])
        self.status_ = status_of(told["converged"][0])

    def _usual_grid(self, rows, y):
        # All else is found by the likelihood.
        return gammas(self, rows) or {"fit_intercept": [True, False]}

    def predict(self, X, return_std=False):
        """Predict the targets of items, and how sure that is.

        Parameters
        ----------
        X : {array-like, sparse matrix} of shape (n_samples, n_features) or (n_samples, n_samples_fit), or list of items
            The rows, their kernel values with the training rows, or items.
        return_std : bool, default=False
            Whether standard deviations of the targets are told, which the noise is a part of.

        Returns
        -------
        ndarray of shape (n_samples,), or a tuple of two
            The predicted values, and the deviations if they were asked for.

        Examples
        --------
        >>> import numpy as np
        >>> from mercer import RVR
        >>> X, noise = np.linspace(0, 6, 60)[:, None], np.random.default_rng(0).normal(size=60)
        >>> model = RVR(kernel="rbf").fit(X, np.sin(X).ravel() + 0.1 * noise)
        >>> mean, deviation = model.predict([[1.5]], return_std=True)
        >>> bool(0.05 < deviation[0] < 0.2)
        True
        """
        if not return_std:
            return self._functions(X).ravel()
        items = self._asked_items(X)
        return self._machine.functions(items, thread_count(self.n_jobs)).ravel(), np.sqrt(self._machine.variances(items))
