"""Parameters of regions, which have no labels to be judged by."""

import numpy as np
import scipy.sparse as sp
from sklearn.base import clone
from sklearn.model_selection import check_cv
from sklearn.utils import _safe_indexing, check_random_state
from sklearn.utils.validation import _num_samples

from ._estimator import checked_weights
from ._trials import side_by_side
from ._tuning import Tuned, check_options, ranks, results, settings_of, structured_kernel, widths_about

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
        n_iter=None,
        random_state=None,
        sample_weight=None,
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
        n_iter : int, default=None
            Number of settings to draw from `param_grid`, whose values may then be distributions. None tries all.
        random_state : int, RandomState instance or None, default=None
            Where points and draws come from.
        sample_weight : array-like of shape (n_samples,), default=None
            Weights of the rows, for training and for the share outside.

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
        rows, _ = model._check_rows(X, None)
        if sp.issparse(rows):
            raise TypeError("tune draws points from a box about the rows, which has to be dense")
        if outside is None and getattr(self, "C", None) is not None:
            raise ValueError("tune has to be told which share of new rows may be outside: C does not say it")
        if outside is not None and not 0 < outside < 1:
            raise ValueError(f"outside = {outside}: expected a share above 0 and below 1")
        if not n_points >= 1:
            raise ValueError(f"n_points = {n_points}: expected at least 1")
        check_options(n_iter)
        weights = checked_weights(sample_weight, _num_samples(rows))
        random = check_random_state(random_state)
        points = None if kernel is not None else _points(rows, int(n_points), random)
        grid = widths_about(self, rows, weights) if param_grid is None else param_grid
        settings = settings_of(grid, n_iter, random)
        splits = list(check_cv(cv).split(np.zeros(_num_samples(rows)) if kernel is not None else rows))

        def attempt(task):
            setting, (train, test) = task
            model = clone(self).set_params(**setting, n_jobs=1)
            of_train, of_test = (None if weights is None else weights[part] for part in (train, test))
            model.fit(_safe_indexing(rows, train), sample_weight=of_train)
            left_out = np.average(model.predict(_safe_indexing(rows, test)) < 0, weights=of_test)
            support = len(model.support_)
            # The score: the more of the box is free, or the fewer items tell where the region ends, the better.
            score = -support if points is None else np.mean(model.predict(points) < 0)
            return left_out, score, support, model._model.seconds

        tasks = [(setting, split) for setting in settings for split in splits]
        outcomes = np.array(side_by_side(attempt, tasks, self.n_jobs)).reshape(len(settings), len(splits), 4)
        left_out, score, support, seconds = np.moveaxis(outcomes, 2, 0)
        found = [(score[at], seconds[at].sum(), "exact") for at in range(len(settings))]
        table = results(settings, found, len(splits), 1.0)
        if outside is None and len({_wanted(self, setting) for setting in settings}) > 1:
            raise ValueError("of several nu each wants its own share of new rows outside: say which one is wanted, as outside")
        wanted = np.array([_wanted(self, setting) if outside is None else outside for setting in settings], dtype=float)
        table["mean_outside"] = left_out.mean(axis=1)
        table["wanted_outside"] = wanted
        table["mean_support"] = support.mean(axis=1)
        count = _num_samples(rows) if weights is None else weights.sum() ** 2 / (weights**2).sum()
        table["rank_test_score"], table["look"] = _judged(table, np.sqrt(wanted * (1 - wanted) / count))
        best = int(table["rank_test_score"].argmin())
        return self.set_params(**settings[best]).fit(X, sample_weight=sample_weight)._keep_search(table, best)


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
    places = [
        (0, -score, support) if near else (1, by, 0.0)
        for near, score, support, by in zip(is_near, found["mean_test_score"], found["mean_support"], missed)
    ]
    rank = ranks(places)
    looks = ["exact" if near else "nearest" if first else "missed" for near, first in zip(is_near, rank == 1)]
    return rank, np.array(looks)
