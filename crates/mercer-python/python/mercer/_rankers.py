"""Ranking, and levels that have an order."""

from numbers import Integral, Real

import numpy as np
from sklearn.base import RegressorMixin, _fit_context
from sklearn.metrics import check_scoring
from sklearn.model_selection import GroupKFold, KFold, check_cv
from sklearn.utils import indexable
from sklearn.utils._param_validation import Interval
from sklearn.utils.validation import check_consistent_length, column_or_1d

from . import _mercer
from ._docs import documented
from ._estimator import checked_weights, status_of
from ._learners import ItemMachine, count
from ._order import coded_queries
from ._ranges import STEPS, gammas, rounded, size
from ._trials import Trials, TunableByFits
from ._tuning import Tuned, check_options, settings_of

_NOT_SMALL = "the gradient is not yet small: more max_iter would let it converge"


@documented
class RankSVM(Tuned, ItemMachine):
    """Ranking support vector machine: a function that is larger for what comes first.

    Minimises ½‖w‖² + C Σ max(0, 1 − (f(x_i) − f(x_j)))² over the pairs of a query with y_i > y_j, which are never written down.

    Parameters
    ----------
    C : float, default=1.0
        What a unit of squared slack costs, for each pair.
    tol : float, default=1e-6
        The gradient that is small enough, as a share of that at 0.
    max_iter : int, default=200
        Most Newton steps.
    rank : int, default=1000
        Most dimensions of the coordinates that feature space is given.

    Attributes
    ----------
    n_pairs_ : int
        Pairs of items of a query with different targets.
    n_swapped_ : int
        Pairs that the function puts in the wrong order, or at the same place.
    gap_ : float
        By how much at most the objective is above its least value, relatively.
    status_ : str
        "converged", or what stopped the search.
    n_iter_ : int
        Newton steps.

    Examples
    --------
    >>> from mercer import RankSVM
    >>> model = RankSVM(C=10.0).fit([[0.1], [0.9], [0.5]], [0, 2, 1])
    >>> model.predict([[0.0], [1.0]]).argsort().tolist()
    [0, 1]
    """

    _parameter_constraints = {
        **ItemMachine._parameter_constraints,
        "C": [Interval(Real, 0, None, closed="neither")],
        "tol": [Interval(Real, 0, 1, closed="neither")],
        "max_iter": [Interval(Integral, 1, None, closed="left")],
        "rank": [Interval(Integral, 1, None, closed="left")],
    }

    def __init__(
        self,
        C=1.0,
        *,
        tol=1e-6,
        max_iter=200,
        rank=1000,
        kernel="linear",
        gamma=None,
        degree=3,
        coef0=1,
        kernel_params=None,
        n_jobs=None,
        memory=None,
    ):
        self.C = C
        self.tol = tol
        self.max_iter = max_iter
        self.rank = rank
        self.kernel = kernel
        self.gamma = gamma
        self.degree = degree
        self.coef0 = coef0
        self.kernel_params = kernel_params
        self.n_jobs = n_jobs
        self.memory = memory

    _scales = ("C",)

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.target_tags.required = True
        return tags

    def tune(
        self,
        X,
        y,
        param_grid=None,
        *,
        qid=None,
        cv=5,
        scoring=None,
        exhaustive=False,
        refine=0,
        n_iter=None,
        random_state=None,
        per_fold=False,
    ):
        """Find parameters by cross-validation, and fit with the best on all items.

        Queries are held out whole. Settings and folds are tried side by side, on `n_jobs` threads.

        Parameters
        ----------
        X : {array-like, sparse matrix} of shape (n_samples, n_features) or (n_samples, n_samples), or list of items
            Training rows; kernel values for `kernel="precomputed"`; items for kernels on such.
        y : array-like of shape (n_samples,)
            Targets: what has a higher one comes first.
        param_grid : dict or list of dict, default=None
            Values to try by the names of the parameters, as for `GridSearchCV`. None tries C about the mean squared distance of the rows from their
            centre in the feature space, and gamma of kernels that have one.
        qid : array-like of shape (n_samples,), default=None
            The query of each item; None for one query, parts of which are held out.
        cv : int, cross-validation splitter or iterable, default=5
            Folds, as for `GridSearchCV`; a number is that of parts of the queries, or of parts of one query that are drawn.
        scoring : callable, default=None
            Called with the estimator, items and targets; None means `score`, which knows queries.
        exhaustive : bool, default=False
            Whether every setting is tried in every fold. Otherwise settings that are clearly behind are given up after four folds or more.
        refine : int, default=0
            Rounds of ever smaller steps of C and gamma, from the best setting on.
        n_iter : int, default=None
            Number of settings to draw from `param_grid`, whose values may then be distributions. None tries all.
        random_state : int, RandomState instance or None, default=None
            Where the draws come from.
        per_fold : bool, default=False
            Whether what kernels learn from items is found anew in every fold.

        Returns
        -------
        object
            The estimator itself with the best parameters, fitted on all items. It has `best_params_`, `best_score_`,
            `best_index_` and `cv_results_`, as `GridSearchCV` has them.

        Examples
        --------
        >>> import numpy as np
        >>> from mercer import RankSVM
        >>> X = np.random.default_rng(0).normal(size=(60, 2))
        >>> model = RankSVM().tune(X, X[:, 0] > 0, {"C": [0.1, 1.0]}, qid=np.arange(60) // 6)
        >>> model.best_score_ > 0.9
        True
        """
        check_options(n_iter, refine=refine, exhaustive=exhaustive, per_fold=per_fold)
        rows, y = indexable(X, y)
        queries = coded_queries(qid)
        check_consistent_length(y, queries)
        if isinstance(cv, Integral):
            # Rows of one query may be sorted by their targets.
            cv = KFold(int(cv), shuffle=True, random_state=0) if queries is None else GroupKFold(int(cv))
        splits = list(check_cv(cv).split(rows, y, queries))
        named = {} if queries is None else {"qid": queries}
        score = check_scoring(self, scoring)
        trials = Trials(self, rows, y, named, named if scoring is None else {}, score, splits, exhaustive, per_fold)
        grid = self._usual_grid(rows, y) if param_grid is None else param_grid
        settings, table = trials.search(settings_of(grid, n_iter, random_state), False, refine)
        best = int(table["rank_test_score"].argmin())
        return self.set_params(**settings[best]).fit(X, y, qid=qid)._keep_search(table, best)

    def _usual_grid(self, rows, y):
        return {"C": rounded(STEPS / size(self, rows)), **gammas(self, rows)}

    def score(self, X, y, qid=None):
        """Tell which share of the pairs of a query with different targets are put in the right order.

        Parameters
        ----------
        X : {array-like, sparse matrix} of shape (n_samples, n_features) or (n_samples, n_samples_fit), or list of items
            The rows, their kernel values with the training rows, or items.
        y : array-like of shape (n_samples,)
            Targets: what has a higher one comes first.
        qid : array-like of shape (n_samples,), default=None
            The query of each item; only items of the same are compared. None for one query.

        Returns
        -------
        float
            The share; a pair at the same place counts half, and NaN means that there is no pair.

        Examples
        --------
        >>> from mercer import RankSVM
        >>> model = RankSVM(C=10.0).fit([[0.1], [0.9], [0.5]], [0, 2, 1])
        >>> model.score([[0.0], [1.0], [2.0]], [0, 2, 1])
        0.6666666666666666
        """
        values, targets = self.predict(X), np.asarray(column_or_1d(y), dtype=np.float64)
        queries = np.zeros(len(targets)) if qid is None else coded_queries(qid)
        check_consistent_length(values, targets, queries)
        right = pairs = 0.0
        for query in np.unique(queries):
            of = np.flatnonzero(queries == query)
            for at in of:
                lower = of[targets[of] < targets[at]]
                pairs += len(lower)
                right += (values[at] > values[lower]).sum() + 0.5 * (values[at] == values[lower]).sum()
        return float(right / pairs) if pairs else float("nan")

    @_fit_context(prefer_skip_nested_validation=True)
    def fit(self, X, y, qid=None, sample_weight=None):
        """Learn the order.

        Parameters
        ----------
        X : {array-like, sparse matrix} of shape (n_samples, n_features) or (n_samples, n_samples), or list of items
            Training rows; kernel values for `kernel="precomputed"`; items for kernels on such.
        y : array-like of shape (n_samples,)
            Targets: what has a higher one comes first.
        qid : array-like of shape (n_samples,), default=None
            The query of each item; only items of the same are compared. None for one query.
        sample_weight : array-like of shape (n_samples,), default=None
            Weights of the rows: one of weight 2 counts as if it stood there twice, one of weight 0 as if it did not. A pair has
            the product of both.

        Returns
        -------
        object
            The fitted estimator.

        Examples
        --------
        >>> from mercer import RankSVM
        >>> RankSVM().fit([[0.0], [1.0], [5.0]], [0, 1, 0], qid=["a", "a", "b"]).n_pairs_
        1
        """
        X, y = self._checked(X, y, y_numeric=True, ensure_min_samples=2)
        targets = np.ascontiguousarray(column_or_1d(y, warn=True), dtype=np.float64)
        queries, weights = coded_queries(qid), checked_weights(sample_weight, count(X))
        rows = self._given(X)
        found = _mercer.fit_ranking(
            rows,
            targets,
            queries,
            weights,
            self._formula,
            float(self.C),
            float(self.tol),
            int(self.max_iter),
            int(self.rank),
            self._means(),
        )
        self._keep(X, found)
        self._warn_unless(found["told"]["converged"][0], _NOT_SMALL)
        return self

    def _tell(self, told):
        self.n_pairs_, self.n_swapped_ = int(told["pairs"][0]), int(told["swapped"][0])
        self.gap_, self.n_iter_ = told["gap"][0], int(told["steps"][0])
        self.status_ = status_of(told["converged"][0])

    def predict(self, X):
        """Tell the values that items are ordered by.

        Parameters
        ----------
        X : {array-like, sparse matrix} of shape (n_samples, n_features) or (n_samples, n_samples_fit), or list of items
            The rows, their kernel values with the training rows, or items.

        Returns
        -------
        ndarray of shape (n_samples,)
            The values: what has a higher one comes first.

        Examples
        --------
        >>> from mercer import RankSVM
        >>> RankSVM().fit([[0.0], [1.0]], [0, 1]).predict([[1.0], [2.0], [0.0]]).argmax()
        np.int64(1)
        """
        return self._functions(X).ravel()


@documented
class OrdinalSVM(RegressorMixin, TunableByFits, ItemMachine):
    """Ordinal support vector machine: one function, and thresholds between levels that have an order.

    Minimises ½‖w‖² + C Σ max(0, 1 − s (f(x) − θ))² over all items and thresholds θ, where s is 1 if the item is above the threshold and −1
    if it is below.

    Parameters
    ----------
    C : float, default=1.0
        What a unit of squared slack costs, for each item and threshold.
    tol : float, default=1e-6
        The gradient that is small enough, as a share of that at 0, and the duality gap, as a share of the objective.
    max_iter : int, default=200
        Most Newton steps.
    rank : int, default=1000
        Most dimensions of the coordinates that feature space is given.

    Attributes
    ----------
    levels_ : ndarray of shape (n_levels,)
        The levels, from the lowest.
    thresholds_ : ndarray of shape (n_levels - 1,)
        Where the function goes from one level to the next.
    gap_ : float
        The duality gap: by how much the objective is above its least value at most, as a share of it. NaN for models from before it was
        kept.
    status_ : str
        "converged", or what stopped the search.
    n_iter_ : int
        Newton steps.

    Examples
    --------
    >>> from mercer import OrdinalSVM
    >>> model = OrdinalSVM(C=10.0).fit([[0.0], [0.3], [1.0], [1.3], [2.0], [2.3]], [1, 1, 2, 2, 3, 3])
    >>> model.predict([[0.1], [1.1], [9.0]]).tolist()
    [1.0, 2.0, 3.0]
    """

    _parameter_constraints = {
        **ItemMachine._parameter_constraints,
        "C": [Interval(Real, 0, None, closed="neither")],
        "tol": [Interval(Real, 0, 1, closed="neither")],
        "max_iter": [Interval(Integral, 1, None, closed="left")],
        "rank": [Interval(Integral, 1, None, closed="left")],
    }

    def __init__(
        self,
        C=1.0,
        *,
        tol=1e-6,
        max_iter=200,
        rank=1000,
        kernel="linear",
        gamma=None,
        degree=3,
        coef0=1,
        kernel_params=None,
        n_jobs=None,
        memory=None,
    ):
        self.C = C
        self.tol = tol
        self.max_iter = max_iter
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
        """Learn the function and the thresholds.

        Parameters
        ----------
        X : {array-like, sparse matrix} of shape (n_samples, n_features) or (n_samples, n_samples), or list of items
            Training rows; kernel values for `kernel="precomputed"`; items for kernels on such.
        y : array-like of shape (n_samples,)
            Levels: numbers, of which only the order counts.
        sample_weight : array-like of shape (n_samples,), default=None
            Weights of the rows: one of weight 2 counts as if it stood there twice, one of weight 0 as if it did not.

        Returns
        -------
        object
            The fitted estimator.

        Examples
        --------
        >>> from mercer import OrdinalSVM
        >>> OrdinalSVM().fit([[0.0], [1.0], [2.0]], [10, 20, 70]).levels_.tolist()
        [10.0, 20.0, 70.0]
        """
        X, y = self._checked(X, y, y_numeric=True, ensure_min_samples=2)
        levels = np.ascontiguousarray(column_or_1d(y, warn=True), dtype=np.float64)
        weights = checked_weights(sample_weight, count(X))
        rows, cost, tol = self._given(X), float(self.C), float(self.tol)
        found = _mercer.fit_levels(
            rows, levels, weights, self._formula, cost, tol, int(self.max_iter), int(self.rank), self._means()
        )
        self._keep(X, found)
        self._warn_unless(found["told"]["converged"][0], _NOT_SMALL)
        return self

    def _tell(self, told):
        self.levels_, self.thresholds_ = np.asarray(told["levels"]), np.asarray(told["thresholds"])
        self.gap_, self.n_iter_ = told["gap"][0], int(told["steps"][0])
        self.status_ = status_of(told["converged"][0])

    def _has_classes(self):
        return True

    def _usual_grid(self, rows, y):
        return {"C": rounded(STEPS / size(self, rows)), **gammas(self, rows)}

    def decision_values(self, X):
        """Tell the values that are compared with the thresholds.

        Parameters
        ----------
        X : {array-like, sparse matrix} of shape (n_samples, n_features) or (n_samples, n_samples_fit), or list of items
            The rows, their kernel values with the training rows, or items.

        Returns
        -------
        ndarray of shape (n_samples,)
            The values: higher for higher levels.

        Examples
        --------
        >>> from mercer import OrdinalSVM
        >>> OrdinalSVM().fit([[0.0], [1.0], [2.0]], [0, 1, 2]).decision_values([[5.0], [1.0]]).argmax()
        np.int64(0)
        """
        return self._functions(X).ravel()

    def predict(self, X):
        """Predict the levels of items.

        Parameters
        ----------
        X : {array-like, sparse matrix} of shape (n_samples, n_features) or (n_samples, n_samples_fit), or list of items
            The rows, their kernel values with the training rows, or items.

        Returns
        -------
        ndarray of shape (n_samples,)
            The levels.

        Examples
        --------
        >>> from mercer import OrdinalSVM
        >>> OrdinalSVM(C=100.0).fit([[0.0], [1.0], [2.0]], [0, 1, 2]).predict([[0.9]])
        array([1.])
        """
        values = self.decision_values(X)
        return self.levels_[(values[:, None] > self.thresholds_).sum(axis=1)]
