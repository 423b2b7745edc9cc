"""Parameters found by cross-validation or by a criterion, inside the engine."""

import warnings
from bisect import bisect_left
from collections.abc import Mapping
from numbers import Integral

import numpy as np
from sklearn.base import clone, is_classifier
from sklearn.exceptions import ConvergenceWarning
from sklearn.metrics import get_scorer_names
from sklearn.model_selection import ParameterGrid, ParameterSampler, check_cv
from sklearn.utils.validation import _num_samples

from . import _mercer
from ._containers import items_of
from ._estimator import checked_weights, is_structured
from ._items import as_items, common_columns
from ._kernel_machine import is_function
from ._warn import warn

# Parameters that only the kernel knows. C is the engine's own, all others make another machine.
_OF_KERNEL = ("kernel", "degree", "gamma", "coef0")
# Metrics that judge probabilities, as scikit-learn and the engine call them.
_OF_PROBABILITIES = {"log_loss": "log_loss", "brier_score": "brier"}
# What is tried if nothing is said.
_WIDTHS = np.logspace(-2, 2, 9)
# The first step of a refinement, about half of one of the grid's, and the last.
STEP = 2.0
SMALLEST_STEP = 1.05


class Tuned:
    """An estimator that may have its parameters from a search.

    Attributes
    ----------
    best_params_ : dict
        The parameters that were found.
    best_score_ : float
        Their mean score.
    best_index_ : int
        Their place in `cv_results_`.
    cv_results_ : dict of ndarrays
        All that was tried.
    """

    def _keep_search(self, table, best):
        """Keeps what a search found, after the fit that it ends with."""
        self.cv_results_, self.best_index_ = table, best
        self.best_params_ = table["params"][best]
        self.best_score_ = float(table["mean_test_score"][best])
        return self


class Tunable(Tuned):
    """An estimator whose parameters can be found by cross-validation."""

    def tune(
        self,
        X,
        y,
        param_grid=None,
        *,
        cv=5,
        scoring=None,
        exhaustive=False,
        halving=False,
        refine=0,
        n_iter=None,
        random_state=None,
        sample_weight=None,
        groups=None,
        criterion=None,
        per_fold=False,
    ):
        """Find parameters by cross-validation or by a criterion, and fit with the best on all rows.

        Kernel values are computed once per kernel and shared by all folds and costs; along the costs every training begins
        where the one before ended. From 1000 rows on all settings are first solved with a wide tolerance, and with `tol` those
        whose means are no further behind the best one's than a standard error of it, nor than the differences from it leave
        open; `look` of `cv_results_` tells which were ("exact") and which were not ("screened"). The best one always was.
        `gamma="scale"` is computed once, from all rows, unless `per_fold` says otherwise.

        Parameters
        ----------
        X : {array-like, sparse matrix} of shape (n_samples, n_features) or (n_samples, n_samples), or list
            Training rows, kernel values for `kernel="precomputed"`, or a list of the items that the kernels compare. A kernel that is a
            function is asked once for all pairs of items.
        y : array-like of shape (n_samples,)
            Labels or targets.
        param_grid : dict or list of dict, default=None
            Values to try by the names of the parameters, as for `GridSearchCV`. None tries, for kernels that have one,
            gamma from a hundredth to a hundred times what "scale" is, and seven C by factors of four about 1/(R²ρ): R² is the mean
            squared distance of the rows from their centre in the feature space, ρ the noise of the targets, as the nearest
            neighbours of up to 500 rows have it; for a regression in standard deviations of the targets. `NuSVC` has up to twelve
            nu in their place, as the classes allow them. Kernels may be a list
            of those of `mercer.kernels`, all on items of one kind; what they learn from items, such as weights of words, they learn from
            all of them.
        cv : int, cross-validation splitter or iterable, default=5
            Folds, as for `GridSearchCV`.
        scoring : str, default=None
            The name of a scorer of scikit-learn's whose metric the engine has too; one that judges probabilities, such as
            "neg_log_loss", asks for an estimator that has them, and takes several times as long. None means accuracy or R², for the losses "pinball" and "huber" the mean of
            the loss, as a negative number.
        exhaustive : bool, default=False
            Whether every setting is tried in every fold. Otherwise settings that are behind the best one by more than 2.5
            standard errors of the differences are given up after the first fold, and again after every second one; where folds
            hold out fewer than 200 rows, after five folds at the earliest.
        halving : bool, default=False
            Whether all settings are tried with some hundred rows first, the best third of them with three times as many, and so
            on up to all rows. Settings that stayed behind have the scores of the last sample that they were tried on.
        refine : int, default=0
            Rounds of ever smaller steps of C and gamma, from the best setting on. Settings that they try come last in
            `cv_results_`.
        n_iter : int, default=None
            Number of settings to draw from `param_grid`, whose values may then be distributions, as for
            `RandomizedSearchCV`. None tries all.
        random_state : int, RandomState instance or None, default=None
            Where the draws come from.
        sample_weight : array-like of shape (n_samples,), default=None
            Weights of the rows, for training and for the scores.
        groups : array-like of shape (n_samples,), default=None
            Groups of the rows, for splitters that ask for them.
        criterion : str, default=None
            What settings are compared by in place of cross-validation, with no row held out. Every setting is
            trained once on all rows, and the least value is best; of more than two classes it is the mean over the pairs, or over
            the classes for `multi_class="ovr"`. `SVR` has "leave-one-out", the mean squared error of rows that are left out (for the losses "pinball"
            and "huber" the mean of the loss); all others are about the margin of classes.
            "leave-one-out", "span", "span-bound", "opper-winther", "xi-alpha", "xi-alpha-by-row", "jaakkola-haussler",
            "support-vectors" and "radius-margin" are estimates of the error of a machine with a cost; "alignment" and
            "centred-alignment" look at the kernel alone; "bound" is the margin bound of the machine for the best of as many
            settings as there are, by which `NuSVC` can choose nu. `mean_test_score` is minus the value, and so is
            `best_score_`; it was chosen, and tells too much good of new rows.
        per_fold : bool, default=False
            Whether `gamma="scale"`, and what kernels learn from items (weights of words, medians), is found anew in every fold, from the
            rows to learn from alone, as `GridSearchCV` does. Folds then share no kernel values, and every setting is tried in every fold with
            `tol`.

        Returns
        -------
        object
            The estimator itself with the best parameters, fitted on all rows. It has `best_params_`, `best_score_`,
            `best_index_` and `cv_results_`, as `GridSearchCV` has them; scores of folds that a setting was not tried in are NaN,
            and so are times that are not measured apart (`std_fit_time`, `mean_score_time`, `std_score_time`).

        Examples
        --------
        >>> from sklearn.datasets import load_iris
        >>> from mercer import SVC
        >>> X, y = load_iris(return_X_y=True)
        >>> model = SVC().tune(X, y, {"C": [0.1, 1.0, 10.0], "gamma": [0.01, 0.1, 1.0]})
        >>> sorted(model.best_params_)
        ['C', 'gamma']
        >>> round(model.best_score_, 2)
        0.98
        >>> from mercer.kernels import Spectrum
        >>> words, kinds = ["abab", "baba", "abba", "ccd", "dcdc", "cdc"] * 3, ["x", "x", "x", "z", "z", "z"] * 3
        >>> SVC().tune(words, kinds, {"kernel": [Spectrum(k=1), Spectrum(k=2)], "C": [1.0]}, cv=3).best_score_
        1.0
        """
        check_options(n_iter, refine=refine, exhaustive=exhaustive, halving=halving, per_fold=per_fold)
        if criterion is not None:
            _check_criterion(criterion, self, cv, scoring, exhaustive, halving, groups, refine, per_fold)
        if exhaustive and halving:
            raise ValueError("halving=True gives settings up that exhaustive=True asks for")
        if per_fold and halving:
            raise ValueError("halving=True tries samples of the rows, and per_fold=True every setting with all of them")
        metric, sign = _metric(scoring, self)
        kernel = structured_kernel(self, param_grid)
        model = self if kernel is None else clone(self).set_params(kernel=kernel)
        if per_fold and self._takes_values():
            raise ValueError("per_fold=True is about what kernels learn from rows or items, and kernel values have learned it already")
        if kernel is not None:
            X = items_of(kernel, X)
        rows, y = model._check_rows(X, y)
        weights = checked_weights(sample_weight, _num_samples(rows))
        # Items are made what the engine takes once for all kernels.
        searched = rows if kernel is None else as_items(kernel, X)
        grid = self._default_grid(searched, y, weights) if param_grid is None else param_grid
        settings = settings_of(grid, n_iter, random_state)
        if criterion is not None:
            # One value for each setting, the smaller the better.
            wanted, values, sign = {"criterion": criterion, "choices": len(settings)}, 1, -1.0
        else:
            splitter = check_cv(cv, y, classifier=is_classifier(self))
            places = np.arange(_num_samples(rows), dtype=np.int64)
            splits = [
                tuple(places[np.asarray(part)].reshape(-1) for part in split) for split in splitter.split(rows, y, groups)
            ]
            wanted = {
                "splits": splits,
                "metrics": [metric],
                "exhaustive": bool(exhaustive),
                "ties_in_order": False,
                "per_fold": bool(per_fold),
                "halving": bool(halving),
            }
            values = len(splits)

        known = {}

        def attempt(settings):
            # The very kernel, not a copy of it, so that one that is a function is asked once.
            candidates = [clone(self).set_params(**{"kernel": self.kernel, **setting}) for setting in settings]
            # Kernels on structured items learn from the items of each fold inside the engine.
            if not per_fold or kernel is not None:
                return self._by_kernels(candidates, searched, y, weights, wanted, known)
            folds = []
            for split in splits:
                own = rows[split[0]], None if weights is None else weights[split[0]]
                folds.append(_search(candidates, rows, y, weights, {**wanted, "splits": [split]}, own))
            # Of each setting the values of all folds, the seconds together, and that all of it is exact.
            return [
                ([value for values, _, _ in of_folds for value in values], sum(spent for _, spent, _ in of_folds), of_folds[0][2])
                for of_folds in zip(*folds)
            ]

        found = attempt(settings)
        table = results(settings, found, values, sign)
        best = int(table["rank_test_score"].argmin())
        step = STEP
        for _ in range(refine):
            before = settings[best]
            nearby = [setting for setting in self._neighbours(before, step, rows, weights) if setting not in settings]
            if nearby:
                found += attempt(nearby)
                settings += nearby
                table = results(settings, found, values, sign)
                best = int(table["rank_test_score"].argmin())
            if settings[best] == before:
                step = step**0.5
            if step < SMALLEST_STEP:
                break
        return self.set_params(**settings[best]).fit(X, y, sample_weight=sample_weight)._keep_search(table, best)

    def _by_kernels(self, candidates, X, y, weights, wanted, known):
        """What comes of all candidates; those whose kernel is a function are tried with its values, which are kept."""
        found, by_kernel = [None] * len(candidates), {}
        for place, candidate in enumerate(candidates):
            by_kernel.setdefault(id(candidate.kernel) if candidate._takes_values() else None, []).append(place)
        for key, places in by_kernel.items():
            some = [candidates[place] for place in places]
            if is_function(some[0].kernel) and key not in known:
                known[key] = clone(some[0])._engine_rows(X)
            given = known.get(key, X)
            for place, outcome in zip(places, _search(some, given, y, weights, wanted)):
                found[place] = outcome
        return found

    def _neighbours(self, setting, step, X, weights):
        """The setting with gamma divided and multiplied by the step, each of these with C divided, as it is, and multiplied."""
        model = clone(self).set_params(**setting)
        nearby = [setting]
        if _has_gamma(model):
            gamma = model._resolved_gamma(X, weights)
            nearby += [{**setting, "gamma": gamma * factor} for factor in (1 / step, step)]
        if "C" in model.get_params():
            nearby = [{**one, "C": model.C * factor} for one in nearby for factor in (1 / step, 1.0, step)]
        return nearby

    def _default_grid(self, X, y, weights):
        widths = widths_about(self, X, weights)
        if "C" not in self.get_params():
            return {"nu": _mercer.shares_for_classes(self._check_classes(y, weights)), **widths}
        usual = clone(self).set_params(**({"gamma": "scale"} if widths else {}))
        given = clone(self)._engine_rows(X) if is_function(self.kernel) else X
        return {"C": usual._usual_costs(usual._asked(X, weights)[0], given, y, weights), **widths}

    def _usual_metric(self):
        """What decides if nothing is said, and whether it is a score or a loss."""
        return ("accuracy" if is_classifier(self) else "r2"), 1.0

    def _asked(self, X, weights):
        """The kernel as the engine reads it, and the cost."""
        self._validate_params()
        self._gamma = self._resolved_gamma(X, weights)
        cost = float(getattr(self, "C", 1.0))
        if not np.isfinite(cost):
            raise ValueError(f"C = {cost}: tune compares finite costs; for a hard margin take GridSearchCV")
        return self._formula(), cost


def structured_kernel(model, grid):
    """The first of the kernels that are tried if they compare structured items, all of one kind; None for kernels on rows."""
    grids = [grid] if isinstance(grid, Mapping) else grid or [{}]
    named = [one.get("kernel", [model.kernel]) for one in grids]
    # Distributions to draw from are of kernels on rows.
    kernels = [kernel for values in named if isinstance(values, (list, tuple)) for kernel in values]
    first = next((kernel for kernel in kernels if is_structured(kernel)), None)
    if first is None:
        return None
    for kernel in kernels:
        kind = kernel.items if is_structured(kernel) else "rows"
        if kind != first.items:
            raise ValueError(f"tune compares kernels on items of one kind: {first} compares {first.items}, and {kernel} {kind}")
    common_columns(kernels)
    return first


def _has_gamma(model):
    return isinstance(model.kernel, str) and model.kernel in ("rbf", "poly", "sigmoid")


def widths_about(model, X, weights):
    """A grid of gammas about what "scale" is; without any for a kernel that has none."""
    if not _has_gamma(model):
        return {}
    scale = clone(model).set_params(gamma="scale")._resolved_gamma(X, weights)
    return {"gamma": (scale * _WIDTHS).tolist()}


def _search(candidates, X, y, weights, how, own=None):
    """For each candidate the values of the folds that it was tried in, seconds, and how closely it was looked at.

    `own` are the rows and weights that parameters are found from, if not all.
    """
    found, unfinished = [None] * len(candidates), 0
    for places in _same_machine(candidates):
        asked = {place: candidates[place]._asked(*(own or (X, weights))) for place in places}
        cells = {}
        # Not every kernel may be wanted with every cost.
        by_costs = {}
        for kernel in dict.fromkeys(kernel for kernel, _ in asked.values()):
            costs = tuple(sorted({cost for other, cost in asked.values() if other == kernel}))
            by_costs.setdefault(costs, []).append(kernel)
        for costs, kernels in by_costs.items():
            # A formula is missing where values were given.
            wanted = {"kernels": [one for one in kernels if one is not None], "costs": list(costs), **how}
            for kernel, cost, values, seconds, look, limited in candidates[places[0]]._tried(X, y, weights, wanted):
                unfinished += limited
                # A machine without a cost, or a criterion that knows none, is asked once.
                for given in costs if cost is None else (cost,):
                    cells[kernels[kernel], given] = values[0], seconds, look
        for place, setting in asked.items():
            found[place] = cells[setting]
    if unfinished:
        what = f"{unfinished} trainings had not converged when max_iter ended them: their scores may be wrong"
        warn(what, ConvergenceWarning)
    return found


def _same_machine(candidates):
    """Places of candidates that differ in their kernels and costs only."""
    together = {}
    for place, candidate in enumerate(candidates):
        parameters = candidate.get_params(deep=False)
        other = sorted((name, repr(value)) for name, value in parameters.items() if name not in (*_OF_KERNEL, "C"))
        together.setdefault(tuple(other), []).append(place)
    return together.values()


def check_options(n_iter, refine=0, **switches):
    """Refuses what is no number or no switch."""
    for name, given in switches.items():
        if not isinstance(given, (bool, np.bool_)):
            raise ValueError(f"{name}={given!r}: expected True or False")
    for name, given, least in (("n_iter", n_iter, 1), ("refine", refine, 0)):
        if given is None and name == "n_iter":
            continue
        if not isinstance(given, Integral) or isinstance(given, bool) or given < least:
            raise ValueError(f"{name}={given!r}: expected a whole number of at least {least}")


def settings_of(grid, n_iter, random_state):
    """All settings of a grid, or some that are drawn."""
    if n_iter is None:
        settings = list(ParameterGrid(grid))
    else:
        settings = list(ParameterSampler(grid, n_iter, random_state=random_state))
    if not settings:
        raise ValueError("param_grid has no settings to try")
    return settings


def results(settings, found, folds, sign):
    """The table as scikit-learn's searches have it."""
    results = {}
    seconds = np.array([spent / max(len(values), 1) for values, spent, _ in found])
    results["mean_fit_time"] = seconds
    for name in ("std_fit_time", "mean_score_time", "std_score_time"):
        # The engine trains and tests all settings of a fold together.
        results[name] = np.full(len(settings), np.nan)
    names = sorted({name for setting in settings for name in setting})
    for name in names:
        column = np.ma.masked_all(len(settings), dtype=object)
        for place, setting in enumerate(settings):
            if name in setting:
                column[place] = setting[name]
        results[f"param_{name}"] = column
    results["params"] = settings
    scores = np.full((len(settings), folds), np.nan)
    for place, (values, _, _) in enumerate(found):
        scores[place, : len(values)] = sign * np.asarray(values)
    for fold in range(folds):
        results[f"split{fold}_test_score"] = scores[:, fold]
    with warnings.catch_warnings():
        # A bound may have nothing to say about a training that has not converged.
        warnings.simplefilter("ignore", RuntimeWarning)
        results["mean_test_score"] = np.nanmean(scores, axis=1)
        results["std_test_score"] = np.nanstd(scores, axis=1)
    results["look"] = np.array([look for _, _, look in found])
    results["mean_test_score"][results["look"] == "failed"] = np.nan
    # The best first; those that were given up come after all others; of equals the one that was looked at more closely.
    closeness = {"exact": 0, "screened": 1, "given up": 2, "failed": 3}
    places = [
        (look in ("given up", "failed"), np.inf if np.isnan(mean) else -mean, closeness[look])
        for mean, (_, _, look) in zip(results["mean_test_score"], found)
    ]
    results["rank_test_score"] = ranks(places)
    return results


def ranks(places):
    """From 1 on, the least first, and the same for equals."""
    ordered = sorted(places)
    return np.array([bisect_left(ordered, place) + 1 for place in places], dtype=np.int32)


def _check_criterion(criterion, model, cv, scoring, exhaustive, halving, groups, refine, per_fold):
    """Refuses what is about folds, and what a criterion cannot judge."""
    if not isinstance(criterion, str):
        raise ValueError(f"criterion={criterion!r}: expected the name of an estimate, or None")
    of_folds = {
        "cv": not (isinstance(cv, int) and cv == 5),
        "scoring": scoring is not None,
        "exhaustive": exhaustive,
        "halving": halving,
        "groups": groups is not None,
        "per_fold": per_fold,
    }
    refuse_of_folds(criterion, of_folds)
    if criterion == "bound" and refine:
        raise ValueError('refine finds new settings, and criterion="bound" is for settings that are known beforehand')


def refuse_of_folds(criterion, of_folds):
    """Refuses what was given and is about folds, which a criterion has none of."""
    for name, given in of_folds.items():
        if given:
            raise ValueError(f"{name} is about folds, and criterion={criterion!r} has none")


def _metric(scoring, model):
    if scoring is None:
        return model._usual_metric()
    if not isinstance(scoring, str) or scoring not in get_scorer_names():
        raise ValueError(
            f"scoring={scoring!r}: tune takes the name of a scorer of scikit-learn's; for any other take GridSearchCV"
        )
    metric = scoring.removeprefix("neg_")
    if metric in _OF_PROBABILITIES and not (is_classifier(model) and model._probability()):
        raise ValueError(f"scoring={scoring!r} judges probabilities, and the estimator has none: set probability=True")
    return _OF_PROBABILITIES.get(metric, metric), -1.0 if scoring.startswith("neg_") else 1.0
