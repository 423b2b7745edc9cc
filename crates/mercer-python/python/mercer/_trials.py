"""Parameters found by cross-validation with one training for each setting and fold, for machines of any kind."""

from itertools import product
from numbers import Real
from time import perf_counter

import numpy as np
from sklearn.base import clone, is_classifier
from sklearn.exceptions import FitFailedWarning
from sklearn.metrics import check_scoring
from sklearn.model_selection import check_cv
from sklearn.utils import _safe_indexing, indexable
from sklearn.utils._param_validation import InvalidParameterError
from sklearn.utils.validation import _num_samples, has_fit_parameter

from . import _mercer
from ._estimator import checked_weights
from ._ranges import STEPS, has_gamma, usual_gamma
from ._shared import Shared, going_on, samples, side_by_side
from ._containers import items_of
from ._tuning import SMALLEST_STEP, STEP, Tuned, check_options, refuse_of_folds, results, settings_of, structured_kernel
from ._warn import warn

# Folds that are tried before settings are given up, and again.
_AT_A_TIME = 2


class TunableByFits(Tuned):
    """An estimator whose parameters can be found by trainings side by side."""

    # Whether the fit is one of many that are thrown away: nobody wants to hear of each.
    _is_trial = False

    # What a refinement multiplies and divides, beside gamma of a kernel that has one.
    _scales = ("C",)

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
        """Find parameters by cross-validation, and fit with the best on all rows.

        Settings and folds are tried side by side, on `n_jobs` threads, each by a training of its own. Kernel values of structured items,
        and those of a function, are computed once for each kernel while memory holds them, and folds take their part; what such a kernel learns
        from items it learns from all of them, and `gamma="scale"` goes by all rows, unless `per_fold` says otherwise.

        Parameters
        ----------
        X : {array-like, sparse matrix} of shape (n_samples, n_features) or (n_samples, n_samples), or list
            Training rows; kernel values for `kernel="precomputed"`; a list of items for kernels on such.
        y : array-like of shape (n_samples,) or (n_samples, n_targets)
            Labels or targets.
        param_grid : dict or list of dict, default=None
            Values to try by the names of the parameters, as for `GridSearchCV`. None tries what the machine has over some orders of
            magnitude: costs and penalties about the mean squared distance of the rows from their centre in the feature space, gamma
            about 1/(n_features · variance), numbers of parts from 1 on.
        cv : int, cross-validation splitter or iterable, default=5
            Folds, as for `GridSearchCV`; a number of them have every class, and every level of `OrdinalSVM`, by its share.
        scoring : str or callable, default=None
            A scorer, as for `GridSearchCV`; None means accuracy or R².
        exhaustive : bool, default=False
            Whether every setting is tried in every fold. Otherwise two folds are tried at a time, and settings that are behind
            the best one by more than 2.5 standard errors of the differences, and what few folds leave open about these, are given up
            after four or more.
        halving : bool, default=False
            Whether all settings are tried with some hundred rows first, the best third of them with three times as many, and so
            on up to all rows. Settings that stayed behind have the scores of the last sample that they were tried on.
        refine : int, default=0
            Rounds of ever smaller steps of gamma and of what slack or large functions cost, from the best setting on. Settings that
            they try come last in `cv_results_`.
        n_iter : int, default=None
            Number of settings to draw from `param_grid`, whose values may then be distributions, as for
            `RandomizedSearchCV`. None tries all.
        random_state : int, RandomState instance or None, default=None
            Where the draws come from.
        sample_weight : array-like of shape (n_samples,), default=None
            Weights of the rows, for training and for the scores, of machines that know them.
        groups : array-like of shape (n_samples,), default=None
            Groups of the rows, for splitters that ask for them.
        criterion : str, default=None
            "leave-one-out" for `KernelRidge` and `LSSVC`: settings are compared by what a machine that is trained without a row says
            about it, in closed form, by the mean squared error or the share of errors; `mean_test_score` is minus that. Other machines
            have no such estimate.
        per_fold : bool, default=False
            Whether everything that is found from rows, `gamma="scale"` and what kernels learn from items, is found anew in every fold,
            as `GridSearchCV` does.

        Returns
        -------
        object
            The estimator itself with the best parameters, fitted on all rows. It has `best_params_`, `best_score_`,
            `best_index_` and `cv_results_`, as `GridSearchCV` has them; scores of folds that a setting was not tried in are NaN, and so is
            the mean of a setting that could not be learned with, of which a warning tells (`look` is "failed").

        Examples
        --------
        >>> from sklearn.datasets import load_iris
        >>> from mercer import LinearSVC, LSSVC
        >>> X, y = load_iris(return_X_y=True)
        >>> model = LinearSVC(max_iter=10000).tune(X, y, {"C": [0.01, 0.1, 1.0]})
        >>> model.best_params_
        {'C': 1.0}
        >>> sorted(LSSVC(kernel="rbf").tune(X, y).best_params_)
        ['C', 'gamma']
        """
        score = check_scoring(self, scoring)
        kernel = structured_kernel(self, param_grid) if hasattr(self, "kernel") else None
        if kernel is not None:
            X = items_of(kernel, X)
        rows, y = indexable(X, y)
        check_options(n_iter, refine=refine, exhaustive=exhaustive, halving=halving, per_fold=per_fold)
        grid = self._usual_grid(rows, y) if param_grid is None else param_grid
        settings = settings_of(grid, n_iter, random_state)
        named = {}
        if sample_weight is not None:
            if not has_fit_parameter(self, "sample_weight"):
                raise ValueError(f"sample_weight: {type(self).__name__} knows no weights of rows")
            named["sample_weight"] = checked_weights(sample_weight, _num_samples(rows))
        if criterion is not None:
            of_folds = {"cv": not (isinstance(cv, int) and cv == 5), "scoring": scoring is not None, "exhaustive": exhaustive}
            of_folds.update(halving=halving, groups=groups is not None, per_fold=per_fold, refine=refine > 0)
            table = self._by_criterion(criterion, of_folds, settings, rows, y, named.get("sample_weight"))
        else:
            splits = list(check_cv(cv, y, classifier=self._has_classes()).split(rows, y, groups))
            trials = Trials(self, rows, y, named, named, score, splits, exhaustive, per_fold)
            settings, table = trials.search(settings, halving, refine)
        best = int(table["rank_test_score"].argmin())
        return self.set_params(**settings[best]).fit(X, y, **named)._keep_search(table, best)

    def _by_criterion(self, criterion, of_folds, settings, X, y, weights):
        """The table of a search that holds no row out."""
        raise ValueError(
            f"criterion={criterion!r}: {type(self).__name__} has no estimate that holds no row out; take cross-validation"
        )

    def _has_classes(self):
        """Whether a number of folds means ones that have every class by its share."""
        return is_classifier(self)

    def _usual_grid(self, _rows, _y):
        """What is tried if nothing is said."""
        return {"C": STEPS.tolist()}


class Trials:
    """Settings of a machine in folds of the same rows.

    `for_fit` and `for_score` are what stands beside each row, by the names that `fit` and the scorer know it by.
    """

    def __init__(self, model, X, y, for_fit, for_score, score, splits, exhaustive, per_fold):
        self.model, self.X, self.y, self.score = model, X, y, score
        self.for_fit, self.for_score = for_fit, for_score
        self.splits, self.exhaustive = splits, exhaustive
        self.shared = Shared(model, X, y, per_fold)

    def search(self, settings, halving, refine):
        """All settings, with those that a refinement has found, and the table of them."""
        if halving and self.exhaustive:
            raise ValueError("halving=True gives settings up that exhaustive=True asks for")
        if refine and not self._scales(settings[0]):
            raise ValueError(f"refine={refine}: {type(self.model).__name__} has no width, cost or penalty to be refined here")
        found = self._halved(settings) if halving else self._tried(settings, self.splits)
        table, best = self._table(settings, found)
        step = STEP
        for _ in range(refine):
            before = settings[best]
            nearby = [setting for setting in self._neighbours(before, step) if setting not in settings]
            if nearby:
                found, settings = [*found, *self._tried(nearby, self.splits)], [*settings, *nearby]
                table, best = self._table(settings, found)
            if settings[best] == before:
                step = step**0.5
            if step < SMALLEST_STEP:
                break
        return settings, table

    def _table(self, settings, found):
        table = results(settings, found, len(self.splits), 1.0)
        return table, int(table["rank_test_score"].argmin())

    def _tried(self, settings, splits):
        """For each setting the scores of the folds that it was tried in, seconds, and how closely it was looked at."""
        # The very kernel, not a copy of it, so that it is known again.
        own = {name: of for name, of in self.model.get_params(deep=False).items() if name == "kernel"}
        candidates = self.shared.candidates([clone(self.model).set_params(**{**own, **setting}) for setting in settings])

        def attempt(task):
            (candidate, X, is_square), (train, test) = task
            # What is fitted is thrown away, and no fit is to wait for the threads of another.
            model = clone(candidate)
            model._is_trial = True
            if "n_jobs" in model.get_params(deep=False):
                model.n_jobs = 1
            learned, tested = _part(X, train, train, is_square), _part(X, test, train, is_square)
            begun = perf_counter()
            try:
                model.fit(learned, _some(self.y, train), **{name: _some(of, train) for name, of in self.for_fit.items()})
            except InvalidParameterError:
                raise
            except ValueError as error:
                # Some settings cannot be learned with from some rows; the others can.
                return np.nan, perf_counter() - begun, error
            seconds = perf_counter() - begun
            for_score = {name: _some(of, test) for name, of in self.for_score.items()}
            value = self.score(model, tested, _some(self.y, test), **for_score)
            if np.isnan(value):
                raise ValueError(f"the scorer says NaN about a fold of {len(test)} items: take fewer folds, or another scorer")
            return value, seconds, None

        found, errors = [([], 0.0, "exact") for _ in settings], {}
        alive = list(range(len(settings)))
        at_a_time = len(splits) if self.exhaustive else _AT_A_TIME
        n_jobs = getattr(self.model, "n_jobs", None)
        for first in range(0, len(splits), at_a_time):
            some = splits[first : first + at_a_time]
            outcomes = iter(side_by_side(attempt, [(candidates[at], split) for at in alive for split in some], n_jobs))
            for at in alive:
                values, seconds, look = found[at]
                for value, spent, error in [next(outcomes) for _ in some]:
                    values.append(value)
                    seconds += spent
                    look = look if error is None else "failed"
                    if error is not None and at not in errors:
                        errors[at] = error
                found[at] = values, seconds, look
            alive = [at for at in alive if found[at][2] == "exact"]
            if not alive:
                break
            if not self.exhaustive and first + at_a_time < len(splits):
                given_up = _mercer.hopeless([found[at][0] for at in alive])
                for at in (at for at, is_behind in zip(alive, given_up) if is_behind):
                    found[at] = (*found[at][:2], "given up")
                alive = [at for at in alive if found[at][2] == "exact"]
        if len(errors) == len(settings):
            raise errors[0]
        for at, error in errors.items():
            warn(f"{settings[at]} cannot be learned with in some folds, and is left out: {error}", FitFailedWarning)
        return found

    def _halved(self, settings):
        """The same, by samples of the rows first."""
        found, alive = [None] * len(settings), list(range(len(settings)))
        for rows in samples(self.y, _num_samples(self.X), is_classifier(self.model)):
            splits = [(np.intersect1d(train, rows), np.intersect1d(test, rows)) for train, test in self.splits]
            splits = [split for split in splits if len(split[0]) and len(split[1])]
            outcomes = self._tried([settings[at] for at in alive], splits)
            for at, (values, seconds, _) in zip(alive, outcomes):
                found[at] = values, seconds, "given up"
            means = np.array([np.nan_to_num(np.mean(found[at][0]), nan=-np.inf) for at in alive])
            least = np.sort(means)[::-1][going_on(len(alive)) - 1]
            alive = [at for at, mean in zip(alive, means) if mean >= least]
        for at, outcome in zip(alive, self._tried([settings[at] for at in alive], self.splits)):
            found[at] = outcome
        return found

    def _scales(self, setting):
        """What can be multiplied and divided, by its names, and the values that it has."""
        model = clone(self.model).set_params(**setting)
        parameters = model.get_params(deep=False)
        names = [name for name in model._scales if isinstance(parameters.get(name), Real) and parameters[name] > 0]
        scales = {name: float(parameters[name]) for name in names}
        if has_gamma(model):
            is_told = isinstance(model.gamma, Real)
            scales["gamma"] = float(model.gamma) if is_told else usual_gamma(self.X)
        return scales

    def _neighbours(self, setting, step):
        """The setting with every scale divided, as it is, and multiplied by the step, in all combinations."""
        scales = self._scales(setting)
        for factors in product((1 / step, 1.0, step), repeat=len(scales)):
            moved = {name: value * factor for (name, value), factor in zip(scales.items(), factors) if factor != 1.0}
            # Shares end at 1.
            if moved.get("regularisation", 0.0) <= 1.0:
                yield {**setting, **moved}


def _part(X, places, columns, is_square):
    """Some rows, or the kernel values of some items with those that are learned from."""
    if is_square:
        return X[np.ix_(np.arange(len(X))[places], np.arange(len(X))[columns])]
    return _some(X, places)


def _some(values, places):
    return None if values is None else _safe_indexing(values, places)


def by_left_out(model, name, criterion, of_folds, settings, left_out, value):
    """The table of settings of a machine that leaves rows out in closed form, for all values of a parameter at once.

    `left_out` gives for a machine, and the values of the parameter that it is tried with, what is said about rows that are left out;
    `value` says how bad that is.
    """
    if criterion != "leave-one-out":
        raise ValueError(f'criterion={criterion!r}: expected "leave-one-out", the only one that is about such a machine')
    refuse_of_folds(criterion, of_folds)
    alike = {}
    for place, setting in enumerate(settings):
        others = sorted((key, repr(of)) for key, of in setting.items() if key != name)
        alike.setdefault(tuple(others), []).append(place)
    found = [None] * len(settings)
    for places in alike.values():
        begun = perf_counter()
        machines = [clone(model).set_params(**settings[place]) for place in places]
        said = left_out(machines[0], [float(getattr(machine, name)) for machine in machines])
        seconds = (perf_counter() - begun) / len(places)
        for place, one in zip(places, said):
            found[place] = [value(one)], seconds, "exact"
    return results(settings, found, 1, -1.0)
