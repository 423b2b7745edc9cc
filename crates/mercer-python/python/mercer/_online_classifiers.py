"""Classifiers that learn from one example after the other."""

from numbers import Real

import numpy as np
from sklearn.base import _fit_context
from sklearn.utils._param_validation import Interval, StrOptions
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import check_is_fitted, column_or_1d

from ._docs import documented
from ._estimator import class_name
from ._online import OnlineMachine
from ._online_classifier import OnlineClassifier, WeightedOnlineClassifier

# More different numbers that are not whole are taken for measurements, not for levels.
_MOST_LEVELS = 20


@documented
class KernelPerceptron(WeightedOnlineClassifier):
    """Perceptron in the feature space of a kernel: an example that is predicted wrong is added.

    Of separable classes `fit` ends after at most R²/γ² updates (Novikoff), where γ is the margin of any function that separates them. Of more than two
    classes each is told from the rest.

    Parameters
    ----------
    average : bool, default=False
        Whether predictions are made by the mean of all functions that there were, one for each example.

    Attributes
    ----------
    update_bound_ : ndarray of shape (n_functions,)
        R²/γ² with the margin γ that `fit` has reached, times the largest weight over the smallest above 0; infinite where it separates nothing, NaN
        after `partial_fit` or with a budget.
    largest_margin_ : float
        R/√(updates), or R√(Σw²)/Σw over updates with weights w: no function can separate what was seen with a larger margin, of two classes and
        without a budget; else NaN.

    Examples
    --------
    >>> from mercer import KernelPerceptron
    >>> model = KernelPerceptron(kernel="linear").fit([[-2.0], [-1.0], [1.0], [3.0]], ["no", "no", "yes", "yes"])
    >>> model.predict([[2.0]]).tolist()
    ['yes']
    >>> bool(model.n_updates_[0] <= model.update_bound_[0])
    True
    """

    _parameter_constraints = {**OnlineMachine._parameter_constraints, "average": ["boolean"]}

    def __init__(
        self,
        *,
        kernel="rbf",
        degree=3,
        gamma="scale",
        coef0=0.0,
        fit_intercept=True,
        average=False,
        budget=None,
        budget_method="remove",
        max_iter=100,
        tol=1e-3,
    ):
        self.kernel = kernel
        self.degree = degree
        self.gamma = gamma
        self.coef0 = coef0
        self.fit_intercept = fit_intercept
        self.average = average
        self.budget = budget
        self.budget_method = budget_method
        self.max_iter = max_iter
        self.tol = tol

    def _wanted(self):
        return {**super()._wanted(), "averaged": bool(self.average)}

    def _averages(self):
        check_is_fitted(self)
        return self._learner.told[4]

    def _visit(self, X, targets, weights):
        positive = np.ones(1) if weights is None else weights[weights > 0]
        self._weight_ratio = positive.max() / positive.min()
        super()._visit(X, targets, weights)

    def _adopt(self):
        super()._adopt()
        is_known = self.budget is None
        bounds = [
            self._weight_ratio * one["squared_radius"] / one["margin"] ** 2 if one["margin"] else np.inf for one in self._passes
        ]
        self.update_bound_ = np.array(bounds) if is_known and bounds else np.full(len(self.n_updates_), np.nan)
        is_bounded = is_known and len(self.n_updates_) == 1 and self.n_updates_[0] > 0
        self.largest_margin_ = self._learner.tallies[1][5] if is_bounded else np.nan
        return self


@documented
class PassiveAggressiveClassifier(WeightedOnlineClassifier):
    """Passive–aggressive classifier in the feature space of a kernel: each example moves the function as far as it must, and no further.

    Passes of `fit` are those of the kernel adatron, whose limit is the support vector machine with a penalised offset. Of more than two classes each
    is told from the rest.

    Parameters
    ----------
    C : float, default=1.0
        The most that the coefficient of an example may be ("hinge"), or what squared slack costs; times the weight of the example.
    loss : {"hinge", "squared_hinge"}, default="hinge"
        Slack ξ costs Cξ (PA-I) or Cξ²/2 (PA-II).

    Examples
    --------
    >>> from mercer import PassiveAggressiveClassifier
    >>> model = PassiveAggressiveClassifier().fit([[-2.0], [-1.0], [1.0], [3.0]], [0, 0, 1, 1])
    >>> model.predict([[2.0], [-3.0]]).tolist()
    [1, 0]
    """

    _parameter_constraints = {
        **OnlineMachine._parameter_constraints,
        "C": [Interval(Real, 0.0, None, closed="neither")],
        "loss": [StrOptions({"hinge", "squared_hinge"})],
    }

    def __init__(
        self,
        *,
        C=1.0,
        kernel="rbf",
        degree=3,
        gamma="scale",
        coef0=0.0,
        loss="hinge",
        fit_intercept=True,
        budget=None,
        budget_method="remove",
        max_iter=100,
        tol=1e-3,
    ):
        self.C = C
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

    def _wanted(self):
        slack = "quadratic" if self.loss == "squared_hinge" else "linear"
        return {**super()._wanted(), "rule": "passive-aggressive", "cost": float(self.C), "slack": slack}


@documented
class PRank(OnlineClassifier):
    """On-line ranking: one function, and thresholds between levels that come in an order.

    The level is the first whose threshold is above f(x). Ratings of films by one person are such levels, and the ratings of others the features
    (K. Crammer, Y. Singer: Pranking with ranking, NIPS 2001). Numbers are in their own order; the order of words is that in which `classes` names them.
    Examples have no weights: thresholds stay in order because all of them move by whole steps of the same size.

    Parameters
    ----------
    classes : array-like of shape (n_classes,), default=None
        The levels, from the lowest to the highest; None for numbers in their order. Words need it, here or at the first `partial_fit`.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
        The levels, from the lowest to the highest.
    thresholds_ : ndarray of shape (n_classes - 1,)
        Between each level and the next.

    Examples
    --------
    >>> from mercer import PRank
    >>> model = PRank(kernel="linear").fit([[0.0], [1.0], [2.0], [3.0], [4.0], [5.0]], [1, 1, 2, 2, 3, 3])
    >>> model.predict([[0.2], [2.6], [9.0]]).tolist()
    [1, 2, 3]
    """

    _parameter_constraints = {**OnlineMachine._parameter_constraints, "classes": ["array-like", None]}

    def __init__(
        self,
        *,
        classes=None,
        kernel="rbf",
        degree=3,
        gamma="scale",
        coef0=0.0,
        fit_intercept=True,
        budget=None,
        budget_method="remove",
        max_iter=100,
        tol=1e-3,
    ):
        self.classes = classes
        self.kernel = kernel
        self.degree = degree
        self.gamma = gamma
        self.coef0 = coef0
        self.fit_intercept = fit_intercept
        self.budget = budget
        self.budget_method = budget_method
        self.max_iter = max_iter
        self.tol = tol

    @_fit_context(prefer_skip_nested_validation=True)
    def fit(self, X, y):
        """Fit the classifier: go over the examples, in their order, until nothing changes.

        Parameters
        ----------
        X : {array-like, sparse matrix} of shape (n_samples, n_features), or list of items
            Training rows, or items for kernels on such.
        y : array-like of shape (n_samples,)
            Their classes.

        Returns
        -------
        object
            The fitted estimator.

        Examples
        --------
        >>> from mercer import PRank
        >>> PRank(kernel="linear").fit([[0.0], [2.0], [4.0]], [1, 3, 5]).predict([[4.5]]).tolist()
        [5]
        """
        return self._fit(X, y, None)

    @_fit_context(prefer_skip_nested_validation=True)
    def partial_fit(self, X, y, classes=None):
        """Learn from more examples, one after the other; each is predicted first.

        Parameters
        ----------
        X : {array-like, sparse matrix} of shape (n_samples, n_features), or list of items
            More rows, or items for kernels on such.
        y : array-like of shape (n_samples,)
            Their classes.
        classes : array-like of shape (n_classes,), default=None
            All classes that there will be; must be said at the first call.

        Returns
        -------
        object
            The estimator.

        Examples
        --------
        >>> from mercer import PRank
        >>> PRank().partial_fit([[0.0]], [1], classes=[1, 2, 3]).partial_fit([[1.0], [2.0]], [2, 3]).n_examples_
        3
        """
        return self._partial_fit(X, y, classes, None)

    def _wanted(self):
        return {**super()._wanted(), "rule": "ranking", "levels": len(self.classes_)}

    def _check_labels(self, y):
        # Half stars are levels, too; many different numbers are none.
        if not (np.asarray(y).dtype.kind == "f" and len(np.unique(y)) <= _MOST_LEVELS):
            check_classification_targets(y)

    def _begin_classes(self, X, y, classes, weights):
        if classes is None and self.classes is not None:
            classes = self._given_classes(self.classes)
        word = next((label for label in np.ravel(y) if isinstance(label, str)), None)
        if classes is None and word is not None:
            raise ValueError(
                f"levels that are words, such as {str(word)!r}, have no order of their own:"
                " PRank(classes=[...]) names them from the lowest to the highest"
            )
        return super()._begin_classes(X, y, classes, weights)

    def _given_classes(self, classes):
        given = column_or_1d(classes)
        levels, first = np.unique(given, return_index=True)
        if len(levels) != len(given):
            raise ValueError(f"classes={given.tolist()}: every level is named once")
        # Numbers are in their own order, whatever order they are named in.
        return levels if given.dtype.kind in "biuf" else given[np.sort(first)]

    def _sides_of(self, at, sides):
        if sides is None:
            return None
        # The engine numbers the levels from 1.
        names = {str(number): class_name(label) for number, label in enumerate(self.classes_, 1)}
        return tuple(names.get(side, side) for side in sides)

    def _names(self):
        return []

    def _targets(self, codes):
        return np.ascontiguousarray(codes, dtype=np.float64) + 1.0

    def _adopt(self):
        super()._adopt()
        self.thresholds_ = np.asarray(self._learner.thresholds)
        return self

    def decision_function(self, X):
        """Tell for each level how well it goes with items: c·f(x) less the sum of the thresholds below level c.

        Parameters
        ----------
        X : {array-like, sparse matrix} of shape (n_samples, n_features), or list of items
            The rows, or items.

        Returns
        -------
        ndarray of shape (n_samples,) or (n_samples, n_classes)
            The largest is that of the level; of two levels one value, above 0 for the later.

        Examples
        --------
        >>> from mercer import PRank
        >>> model = PRank(kernel="linear", classes=["low", "middle", "top"]).fit([[0.0], [2.0], [4.0]], ["low", "middle", "top"])
        >>> model.decision_function([[1.0]]).shape
        (1, 3)
        """
        value = self._values(X)
        below = np.concatenate([[0.0], np.cumsum(self.thresholds_)])
        scores = value * np.arange(1, len(below) + 1) - below
        return scores[:, 1] - scores[:, 0] if len(below) == 2 else scores

    def predict(self, X):
        """Predict the levels of items.

        Parameters
        ----------
        X : {array-like, sparse matrix} of shape (n_samples, n_features), or list of items
            The rows, or items.

        Returns
        -------
        ndarray of shape (n_samples,)
            The levels.

        Examples
        --------
        >>> from mercer import PRank
        >>> PRank(kernel="linear").fit([[0.0], [2.0], [4.0]], [1, 3, 5]).predict([[4.5]]).tolist()
        [5]
        """
        values = self._values(X)
        return self.classes_[self._learner.decide(values).astype(int) - 1]
