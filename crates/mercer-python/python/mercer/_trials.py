"""Parameters of machines without kernel values found by cross-validation: one training for each setting and fold."""

from concurrent.futures import ThreadPoolExecutor
from time import perf_counter

import numpy as np
from sklearn.base import clone, is_classifier
from sklearn.metrics import check_scoring
from sklearn.model_selection import check_cv
from sklearn.utils import _safe_indexing, indexable
from sklearn.utils.validation import _num_samples

from . import _mercer
from ._estimator import checked_weights
from ._threads import thread_count
from ._tuning import Tuned, check_options, results, settings_of

# Costs, and penalties, that are tried if nothing is said.
STEPS = np.logspace(-3, 3, 7)
# Folds that are tried before settings are given up, and again.
_AT_A_TIME = 2


class TunableByFits(Tuned):
    """An estimator whose parameters can be found by trainings side by side."""

    def tune(
        self,
        X,
        y,
        param_grid=None,
        *,
        cv=5,
        scoring=None,
        exhaustive=False,
        n_iter=None,
        random_state=None,
        sample_weight=None,
        groups=None,
    ):
        """Find parameters by cross-validation, and fit with the best on all rows.

        Settings and folds are tried side by side, on `n_jobs` threads.

        Parameters
        ----------
        X : {array-like, sparse matrix} of shape (n_samples, n_features)
            Training rows.
        y : array-like of shape (n_samples,)
            Labels or targets.
        param_grid : dict or list of dict, default=None
            Values to try by the names of the parameters, as for `GridSearchCV`. None tries C of linear machines, or alpha and, for
            kernels that have one, gamma of `KernelRidge`, over some orders of magnitude.
        cv : int, cross-validation splitter or iterable, default=5
            Folds, as for `GridSearchCV`.
        scoring : str or callable, default=None
            A scorer, as for `GridSearchCV`; None means accuracy or R².
        exhaustive : bool, default=False
            Whether every setting is tried in every fold. Otherwise two folds are tried at a time, and settings that are behind
            the best one by more than 2.5 standard errors of the differences, and what few folds leave open about these, are given up
            after four or more.
        n_iter : int, default=None
            Number of settings to draw from `param_grid`, whose values may then be distributions, as for
            `RandomizedSearchCV`. None tries all.
        random_state : int, RandomState instance or None, default=None
            Where the draws come from.
        sample_weight : array-like of shape (n_samples,), default=None
            Weights of the rows, for training and for the scores.
        groups : array-like of shape (n_samples,), default=None
            Groups of the rows, for splitters that ask for them.

        Returns
        -------
        object
            The estimator itself with the best parameters, fitted on all rows. It has `best_params_`, `best_score_`,
            `best_index_` and `cv_results_`, as `GridSearchCV` has them; scores of folds that a setting was not tried in are NaN.

        Examples
        --------
        >>> from sklearn.datasets import load_iris
        >>> from mercer import LinearSVC
        >>> X, y = load_iris(return_X_y=True)
        >>> model = LinearSVC(max_iter=10000).tune(X, y, {"C": [0.01, 0.1, 1.0]})
        >>> model.best_params_
        {'C': 1.0}
        """
        score = check_scoring(self, scoring)
        rows, y = indexable(X, y)
        weights = checked_weights(sample_weight, _num_samples(rows))
        check_options(n_iter, exhaustive=exhaustive)
        settings = settings_of(self._usual_grid(rows) if param_grid is None else param_grid, n_iter, random_state)
        splits = list(check_cv(cv, y, classifier=is_classifier(self)).split(rows, y, groups))

        def attempt(task):
            setting, (train, test) = task
            model = clone(self).set_params(**setting, n_jobs=1)
            learned, tested = (_part(part, rows, y, weights) for part in (train, test))
            begun = perf_counter()
            model.fit(learned[0], learned[1], **learned[2])
            seconds = perf_counter() - begun
            return score(model, tested[0], tested[1], **tested[2]), seconds

        found = [([], 0.0, "exact") for _ in settings]
        alive = list(range(len(settings)))
        at_a_time = len(splits) if exhaustive else _AT_A_TIME
        for first in range(0, len(splits), at_a_time):
            some = splits[first : first + at_a_time]
            outcomes = iter(side_by_side(attempt, [(settings[at], split) for at in alive for split in some], self.n_jobs))
            for at in alive:
                values, seconds, _ = found[at]
                for value, spent in (next(outcomes) for _ in some):
                    values.append(value)
                    seconds += spent
                found[at] = values, seconds, "exact"
            if not exhaustive and first + at_a_time < len(splits):
                given_up = _mercer.hopeless([found[at][0] for at in alive])
                for at in (at for at, is_behind in zip(alive, given_up) if is_behind):
                    found[at] = (*found[at][:2], "given up")
                alive = [at for at in alive if found[at][2] == "exact"]
        table = results(settings, found, len(splits), 1.0)
        best = int(table["rank_test_score"].argmin())
        return self.set_params(**settings[best]).fit(X, y, sample_weight=sample_weight)._keep_search(table, best)

    def _usual_grid(self, _rows):
        """What is tried if nothing is said."""
        return {"C": STEPS.tolist()}


def _part(places, rows, y, weights):
    """Some rows, their targets, and their weights by name if there are any."""
    named = {} if weights is None else {"sample_weight": weights[places]}
    return _safe_indexing(rows, places), _safe_indexing(y, places), named


def side_by_side(attempt, tasks, n_jobs):
    """What comes of all tasks, in their order. A single thread is this one, which Ctrl-C reaches at once."""
    threads = min(thread_count(n_jobs), len(tasks))
    if threads < 2:
        return [attempt(task) for task in tasks]
    with ThreadPoolExecutor(threads) as pool:
        return list(pool.map(attempt, tasks))
