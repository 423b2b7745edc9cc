"""Parameters of regions, which have no labels to be judged by."""

import numpy as np
import scipy.sparse as sp
from sklearn.base import clone
from sklearn.model_selection import check_cv
from sklearn.utils import _safe_indexing, check_random_state
from sklearn.utils.validation import _num_samples

from ._containers import items_of
from ._estimator import checked_weights
from ._ranges import has_gamma
from ._shared import going_on, samples, side_by_side
from ._tuning import (
    SMALLEST_STEP,
    STEP,
    Tuned,
    check_options,
    ranks,
    results,
    settings_of,
    structured_kernel,
    widths_about,
)

# By this part of its width the box that points are drawn from is larger than that of the rows, on either side.
_MARGIN = 0.1
# Standard errors by which the share outside may differ from the one that is wanted.
_NEAR = 2.0


class TunableRegion(Tuned):
    """A detector whose parameters can be found without labels."""

    def tune(
        self,
        X,
        y=None,
        param_grid=None,
        *,
        outside=None,
        cv=5,
        n_points=1000,
        exhaustive=False,
        halving=False,
        refine=0,
        n_iter=None,
        random_state=None,
        sample_weight=None,
        groups=None,
        scoring=None,
        per_fold=False,
    ):
        """Find the smallest region that leaves the wanted share of new rows outside, and fit with it on all rows.

        Two things are asked of every setting, in every fold: which share of the rows held out is outside, and which share of
        points drawn evenly from a box about all rows is inside. Of the settings whose first share is the wanted one, within two
        standard errors, that with the least second share is best; of equals, and in many dimensions no point may be inside
        of any region, that with the fewest support vectors. If no setting leaves the wanted share outside, the nearest is best.

        About strings, trees, graphs, series and records there is no box to draw points from: of the settings that leave the wanted share
        outside, the one with the fewest support vectors is best. That is the region with the shortest description, and the share of new
        items outside is expected to be no more than that of the support vectors. Kernels learn from the items of each fold alone.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features), or list
            Training rows or items.
        y : object, default=None
            Ignored, there for the sake of scikit-learn.
        param_grid : dict or list of dict, default=None
            Values to try by the names of the parameters, as for `GridSearchCV`. None tries, for kernels that have one, gamma from a
            hundredth to a hundred times what "scale" is.
        outside : float, default=None
            The share of new rows that may be outside. None means `nu` of each setting.
        cv : int, cross-validation splitter or iterable, default=5
            Folds, as for `GridSearchCV`.
        n_points : int, default=1000
            Number of points; of no concern to structured items.
        exhaustive : bool, default=False
            Accepted for the sake of other estimators: every setting is tried in every fold, unless `halving` gives it up.
        halving : bool, default=False
            Whether all settings are tried with some hundred rows first, the best third of them with three times as many, and so
            on up to all rows. Settings that stayed behind have what the last sample told of them.
        refine : int, default=0
            Rounds of ever smaller steps of gamma, from the best setting on. Settings that they try come last in `cv_results_`.
        n_iter : int, default=None
            Number of settings to draw from `param_grid`, whose values may then be distributions. None tries all.
        random_state : int, RandomState instance or None, default=None
            Where points and draws come from.
        sample_weight : array-like of shape (n_samples,), default=None
            Weights of the rows, for training and for the share outside.
        groups : array-like of shape (n_samples,), default=None
            Groups of the rows, for splitters that ask for them.
        scoring : object, default=None
            Must be None: rows have no labels that a scorer could judge by.
        per_fold : bool, default=False
            Whether `gamma="scale"` is computed anew in every fold; otherwise once, from all rows.

        Returns
        -------
        object
            The estimator itself with the best parameters, fitted on all rows. It has `best_params_`, `best_score_`,
            `best_index_` and `cv_results_`, as `GridSearchCV` has them. The score is the share of the points that are not inside,
            or minus the number of support vectors; `mean_outside` and `wanted_outside` of `cv_results_` are shares of rows.

        Examples
        --------
        >>> import numpy as np
        >>> from mercer import OneClassSVM
        >>> angles = np.random.default_rng(0).uniform(0, 2 * np.pi, 300)
        >>> ring = np.column_stack([np.cos(angles), np.sin(angles)])
        >>> model = OneClassSVM(nu=0.1).tune(ring, random_state=0)
        >>> model.predict([[1.0, 0.0], [0.0, 0.0]])
        array([ 1, -1])
        """
        if self._takes_values():
            raise ValueError("tune draws points and computes kernel values with them: it needs features")
        kernel = structured_kernel(self, param_grid)
        model = self if kernel is None else clone(self).set_params(kernel=kernel)
        if kernel is not None:
            X = items_of(kernel, X)
        rows, _ = model._check_rows(X, None)
        if sp.issparse(rows):
            raise TypeError("tune draws points from a box about the rows, which has to be dense")
        if outside is None and getattr(self, "C", None) is not None:
            raise ValueError("tune has to be told which share of new rows may be outside: C does not say it")
        if outside is not None and not 0 < outside < 1:
            raise ValueError(f"outside = {outside}: expected a share above 0 and below 1")
        if not n_points >= 1:
            raise ValueError(f"n_points = {n_points}: expected at least 1")
        if scoring is not None:
            raise ValueError(f"scoring={scoring!r}: a region is judged by its size and the share outside; for labels take GridSearchCV")
        check_options(n_iter, refine=refine, exhaustive=exhaustive, halving=halving, per_fold=per_fold)
        if exhaustive and halving:
            raise ValueError("halving=True gives settings up that exhaustive=True asks for")
        weights = checked_weights(sample_weight, _num_samples(rows))
        random = check_random_state(random_state)
        points = None if kernel is not None else _points(rows, int(n_points), random)
        grid = widths_about(self, rows, weights) if param_grid is None else param_grid
        places = np.arange(_num_samples(rows))
        splits = [tuple(places[part] for part in split) for split in check_cv(cv).split(places, groups=groups)]
        trials = _Trials(self, rows, weights, points, outside, splits, per_fold)
        settings = settings_of(grid, n_iter, random)
        settings, table = trials.search(settings, halving, refine)
        best = int(table["rank_test_score"].argmin())
        return self.set_params(**settings[best]).fit(X, sample_weight=sample_weight)._keep_search(table, best)


class _Trials:
    """Settings of a region in folds of the same rows."""

    def __init__(self, model, rows, weights, points, outside, splits, per_fold):
        self.model, self.rows, self.weights, self.points = model, rows, weights, points
        self.outside, self.splits, self.per_fold = outside, splits, per_fold

    def search(self, settings, halving, refine):
        """All settings, with those that a refinement has found, and the table of them."""
        if refine and self._gamma(settings[0]) is None:
            raise ValueError(f"refine={refine}: the kernel has no gamma to be refined")
        found, given_up = self._halved(settings) if halving else (self._tried(settings, self.splits), set())
        table = self._table(settings, found, given_up)
        step = STEP
        for _ in range(refine):
            best = settings[int(table["rank_test_score"].argmin())]
            gamma = self._gamma(best)
            nearby = [{**best, "gamma": gamma * factor} for factor in (1 / step, step)]
            nearby = [setting for setting in nearby if setting not in settings]
            if nearby:
                found, settings = [*found, *self._tried(nearby, self.splits)], [*settings, *nearby]
                table = self._table(settings, found, given_up)
            if settings[int(table["rank_test_score"].argmin())] == best:
                step = step**0.5
            if step < SMALLEST_STEP:
                break
        return settings, table

    def _gamma(self, setting):
        model = clone(self.model).set_params(**setting)
        return model._resolved_gamma(self.rows, self.weights) if has_gamma(model) else None

    def _tried(self, settings, splits):
        """For each setting, in each fold: the share of rows outside, the score, support vectors, seconds.

        The more of the box is free, or the fewer items tell where a region ends that has no box about it, the better.
        """
        candidates = [clone(self.model).set_params(**setting, n_jobs=1) for setting in settings]
        for candidate in candidates if not self.per_fold else []:
            if has_gamma(candidate):
                candidate.gamma = candidate._resolved_gamma(self.rows, self.weights)

        def attempt(task):
            candidate, (train, test) = task
            model = clone(candidate)
            of_train, of_test = (None if self.weights is None else self.weights[part] for part in (train, test))
            model.fit(_safe_indexing(self.rows, train), sample_weight=of_train)
            left_out = np.average(model.predict(_safe_indexing(self.rows, test)) < 0, weights=of_test)
            support = len(model.support_)
            score = -support if self.points is None else np.mean(model.predict(self.points) < 0)
            return left_out, score, support, model._model.seconds

        tasks = [(candidate, split) for candidate in candidates for split in splits]
        outcomes = np.array(side_by_side(attempt, tasks, self.model.n_jobs)).reshape(len(settings), len(splits), 4)
        return list(outcomes)

    def _halved(self, settings):
        """What samples of the rows leave, and what all rows say of it; and the places of the others."""
        found, alive = [None] * len(settings), list(range(len(settings)))
        for rows in samples(None, _num_samples(self.rows), False):
            splits = [(np.intersect1d(train, rows), np.intersect1d(test, rows)) for train, test in self.splits]
            splits = [split for split in splits if len(split[0]) and len(split[1])]
            for at, outcome in zip(alive, self._tried([settings[at] for at in alive], splits)):
                found[at] = outcome
            rank = self._table([settings[at] for at in alive], [found[at] for at in alive], set())["rank_test_score"]
            last = np.sort(rank)[going_on(len(alive)) - 1]
            alive = [at for at, place in zip(alive, rank) if place <= last]
        for at, outcome in zip(alive, self._tried([settings[at] for at in alive], self.splits)):
            found[at] = outcome
        return found, set(range(len(settings))) - set(alive)

    def _table(self, settings, found, given_up):
        values = [(list(of[:, 1]), of[:, 3].sum(), "given up" if at in given_up else "exact") for at, of in enumerate(found)]
        table = results(settings, values, len(self.splits), 1.0)
        if self.outside is None and len({_wanted(self.model, setting) for setting in settings}) > 1:
            raise ValueError("of several nu each wants its own share of new rows outside: say which one is wanted, as outside")
        wanted = [_wanted(self.model, setting) if self.outside is None else self.outside for setting in settings]
        wanted = np.array(wanted, dtype=float)
        table["mean_outside"] = np.array([of[:, 0].mean() for of in found])
        table["wanted_outside"] = wanted
        table["mean_support"] = np.array([of[:, 2].mean() for of in found])
        count = _num_samples(self.rows) if self.weights is None else self.weights.sum() ** 2 / (self.weights**2).sum()
        table["rank_test_score"], table["look"] = _judged(table, np.sqrt(wanted * (1 - wanted) / count))
        return table


def _wanted(model, setting):
    """The share that a setting says it leaves outside."""
    if setting.get("C") is not None:
        raise ValueError("tune has to be told which share of new rows may be outside: C does not say it")
    return setting.get("nu", model.nu)


def _points(rows, count, random):
    """Points drawn evenly from a box about the rows."""
    low, high = rows.min(axis=0).astype(float), rows.max(axis=0).astype(float)
    margin = _MARGIN * (high - low)
    return random.uniform(low - margin, high + margin, size=(count, rows.shape[1]))


def _judged(found, errors):
    """Ranks, and how near the settings come to what is wanted.

    Settings that leave the wanted share outside come first, by their scores and their support vectors.
    """
    missed = np.abs(found["mean_outside"] - found["wanted_outside"])
    is_near = missed <= _NEAR * errors
    is_late = found["look"] == "given up"
    places = [
        (late, *((0, -score, support) if near else (1, by, 0.0)))
        for late, near, score, support, by in zip(
            is_late, is_near, found["mean_test_score"], found["mean_support"], missed
        )
    ]
    rank = ranks(places)
    looks = [
        "given up" if late else "exact" if near else "nearest" if first else "missed"
        for late, near, first in zip(is_late, is_near, rank == 1)
    ]
    return rank, np.array(looks)
