"""Regressions that learn from one example after the other."""

from numbers import Real

import numpy as np
from sklearn.base import RegressorMixin, _fit_context
from sklearn.utils._param_validation import Interval, StrOptions
from sklearn.utils.validation import _num_samples, column_or_1d

from ._docs import documented
from ._estimator import checked_weights
from ._online import OnlineMachine


class _OnlineRegressor(RegressorMixin, OnlineMachine):
    """What on-line regressions share.

    Parameters
    ----------
    C : float, default=1.0
        The most that an example may weigh ("epsilon_insensitive"), or what a squared miss costs.
    epsilon : float, default=0.1
        Half the width of the tube: a target may be missed by so much for nothing.
    loss : {"epsilon_insensitive", "squared_epsilon_insensitive"}, default="epsilon_insensitive"
        A miss ξ beyond the tube costs Cξ or Cξ²/2.
    """

    _parameter_constraints = {
        **OnlineMachine._parameter_constraints,
        "C": [Interval(Real, 0.0, None, closed="neither")],
        "epsilon": [Interval(Real, 0.0, None, closed="left")],
        "loss": [StrOptions({"epsilon_insensitive", "squared_epsilon_insensitive"})],
    }

    def _wanted(self):
        slack = "quadratic" if self.loss == "squared_epsilon_insensitive" else "linear"
        machine = {"rule": "regression", "cost": float(self.C), "tube": float(self.epsilon), "slack": slack}
        return {**super()._wanted(), **machine}

    @_fit_context(prefer_skip_nested_validation=True)
    def fit(self, X, y, sample_weight=None):
        """Fit the regression: go over the examples, in their order, until little changes.

        Parameters
        ----------
        X : {array-like, sparse matrix} of shape (n_samples, n_features), or list of items
            Training rows, or items for kernels on such.
        y : array-like of shape (n_samples,)
            Their targets.
        sample_weight : array-like of shape (n_samples,), default=None
            Weights of the rows: C of a row is C times its weight, so that the machine that the passes approach is that of rows that stand there
            so many times; a row of weight 0 changes nothing.

        Returns
        -------
        object
            The fitted estimator.

        Examples
        --------
        >>> from mercer import OnlineSVR
        >>> OnlineSVR(kernel="linear", C=100.0, epsilon=0.0, max_iter=1000).fit([[1.0], [2.0]], [1.0, 2.0]).predict([[3.0]]).round(1)
        array([3.])
        """
        X, y = self._check_rows(X, y)
        targets = self._numbers(y)
        weights = checked_weights(sample_weight, _num_samples(X))
        self._begin(X, [], weights)
        self._visit(X, targets, weights)
        return self._adopt()

    @_fit_context(prefer_skip_nested_validation=True)
    def partial_fit(self, X, y, sample_weight=None):
        """Learn from more examples, one after the other; each is predicted first.

        Parameters
        ----------
        X : {array-like, sparse matrix} of shape (n_samples, n_features), or list of items
            More rows, or items for kernels on such.
        y : array-like of shape (n_samples,)
            Their targets.
        sample_weight : array-like of shape (n_samples,), default=None
            Weights of the rows: C of a row is C times its weight; one of weight 0 changes nothing.

        Returns
        -------
        object
            The estimator.

        Examples
        --------
        >>> from mercer import OnlineSVR
        >>> OnlineSVR().partial_fit([[1.0], [2.0]], [1.0, 2.0]).n_examples_
        2
        """
        is_first = self._is_first()
        X, y = self._check_more(X, y)
        targets = self._numbers(y)
        weights = checked_weights(sample_weight, _num_samples(X), may_be_zero=not is_first)
        if is_first:
            self._begin(X, [], weights)
        self._learn(X, targets, weights)
        return self._adopt()

    def _numbers(self, y):
        return np.ascontiguousarray(column_or_1d(y, warn=True, dtype=np.float64))

    def predict(self, X):
        """Predict the targets of items.

        Parameters
        ----------
        X : {array-like, sparse matrix} of shape (n_samples, n_features), or list of items
            The rows, or items.

        Returns
        -------
        ndarray of shape (n_samples,)
            The targets.

        Examples
        --------
        >>> from mercer import PassiveAggressiveRegressor
        >>> PassiveAggressiveRegressor(C=10.0, epsilon=0.0).fit([[1.0]], [2.0]).predict([[1.0]])
        array([2.])
        """
        return self._values(X).ravel()


@documented
class OnlineSVR(_OnlineRegressor):
    """On-line support vector regression: `fit` goes over the examples until it is the support vector machine with a penalised offset.

    Each step solves the problem for one example and leaves the others as they are (Shawe-Taylor and Cristianini, algorithm 7.61).

    Examples
    --------
    >>> import numpy as np
    >>> from mercer import OnlineSVR
    >>> X = np.linspace(0.0, 3.0, 30).reshape(-1, 1)
    >>> model = OnlineSVR(C=10.0, epsilon=0.05, max_iter=1000).fit(X, np.sin(X).ravel())
    >>> bool(abs(model.predict([[1.5]])[0] - 1.0) < 0.1)
    True
    """

    def __init__(
        self,
        *,
        C=1.0,
        epsilon=0.1,
        kernel="rbf",
        degree=3,
        gamma="scale",
        coef0=0.0,
        loss="epsilon_insensitive",
        fit_intercept=True,
        budget=None,
        budget_method="remove",
        max_iter=100,
        tol=1e-3,
    ):
        self.C = C
        self.epsilon = epsilon
        self.kernel = kernel
        self.degree = degree
        self.gamma = gamma
        self.coef0 = coef0
        self.loss = loss
        self.fit_intercept = fit_intercept
        self.budget = budget
        self.budget_method = budget_method
        self.max_iter = max_iter
        self.tol = tol


@documented
class PassiveAggressiveRegressor(_OnlineRegressor):
    """Passive–aggressive regression in the feature space of a kernel: `OnlineSVR` for streams, which sees each example once.

    Parameters
    ----------
    max_iter : int, default=1
        Most passes of `fit` over all examples.

    Examples
    --------
    >>> from mercer import PassiveAggressiveRegressor
    >>> model = PassiveAggressiveRegressor(C=10.0, budget=20)
    >>> for x in range(200):
    ...     model = model.partial_fit([[x % 10 / 3.0]], [x % 10])
    >>> len(model.support_[0]) <= 20
    True
    """

    def __init__(
        self,
        *,
        C=1.0,
        epsilon=0.1,
        kernel="rbf",
        degree=3,
        gamma="scale",
        coef0=0.0,
        loss="epsilon_insensitive",
        fit_intercept=True,
        budget=None,
        budget_method="remove",
        max_iter=1,
        tol=1e-3,
    ):
        self.C = C
        self.epsilon = epsilon
        self.kernel = kernel
        self.degree = degree
        self.gamma = gamma
        self.coef0 = coef0
        self.loss = loss
        self.fit_intercept = fit_intercept
        self.budget = budget
        self.budget_method = budget_method
        self.max_iter = max_iter
        self.tol = tol

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        # One look at each example is not enough for the small sets of the checks.
        tags.regressor_tags.poor_score = True
        return tags
