"""What several views of the same things have in common."""

import json
from itertools import combinations
from numbers import Integral, Real

import numpy as np
from sklearn.base import ClassNamePrefixFeaturesOutMixin, TransformerMixin, _fit_context
from sklearn.exceptions import NotFittedError
from sklearn.metrics import check_scoring
from sklearn.model_selection import check_cv
from sklearn.preprocessing import normalize
from sklearn.utils import indexable
from sklearn.utils._param_validation import Interval, StrOptions
from sklearn.utils.validation import check_consistent_length

from . import _mercer
from ._docs import documented
from ._estimator import Unpickled, forget_search, names_of, note_of
from ._learners import ItemMachine, is_structured
from ._pairwise import NAMES
from ._ranges import gammas
from ._threads import thread_count
from ._trials import Trials
from ._tuning import Tuned, check_options, settings_of
from ._whole import whole


class View(ItemMachine):
    """One view: its kernel, its items and its functions."""

    def __init__(self, kernel="linear", gamma=None, degree=3, coef0=1, kernel_params=None, n_jobs=None, memory=None):
        self.kernel = kernel
        self.gamma = gamma
        self.degree = degree
        self.coef0 = coef0
        self.kernel_params = kernel_params
        self.n_jobs = n_jobs
        self.memory = memory

    def fit(self, X, y=None):
        """Views are fitted together, by the machine that they belong to."""
        raise TypeError("a view is fitted together with the others")


@documented
class KernelCCA(ClassNamePrefixFeaturesOutMixin, TransformerMixin, Tuned, Unpickled):
    """Kernel canonical correlations: functions of two or more views of the same things that say the same.

    The views may be of different kinds, say texts and rows of numbers. Of more than two the sum of the covariances of all pairs of views is
    made largest.

    Parameters
    ----------
    n_components : int, default=2
        Number of functions of each view.
    regularisation : float, default=0.1
        The share of ‖w‖² in the constraint (1 − τ) variance + τ ‖w‖² = 1: where feature space has as many dimensions as there are
        items, correlations mean nothing without it.
    rank : int, default=500
        Most dimensions of the coordinates that each view is given.
    kernel : str, kernel of `mercer.kernels` or callable, default="linear"
        The kernel of the first view.
    kernel_y : str, kernel of `mercer.kernels`, callable or list of such, default=None
        The kernel of the second view, or of all other views a list of one for each; None for that of the first.
    gamma : float, default=None
        Coefficient of "rbf", "laplacian", "poly", "sigmoid" and "chi2" of all views; None for 1/n_features, for "chi2" 1.
    degree : float, default=3
        Degree of "poly".
    coef0 : float, default=1
        Constant term of "poly" and "sigmoid".
    n_jobs : int, default=None
        Threads: None for all there are (one inside a worker of joblib), -1 for all. The result does not depend on it.
    memory : float, default=None
        Megabytes for the kernel matrix of each view; None for a quarter of what is free at first, rounded down to a power of two.

    Attributes
    ----------
    correlations_ : ndarray of shape (n_components,)
        The correlation of the functions of each component over the training items, the mean over all pairs of views.
    n_features_in_ : int
        Number of columns of the training rows of the first view.

    Examples
    --------
    >>> import numpy as np
    >>> from mercer import KernelCCA
    >>> X = np.linspace(-1, 1, 30)[:, None]
    >>> model = KernelCCA(n_components=1, kernel="poly", degree=2, kernel_y="linear", regularisation=1e-6).fit(X, X**2)
    >>> bool(model.correlations_[0] > 0.999)
    True
    """

    _parameter_constraints = {
        "n_components": [Interval(Integral, 1, None, closed="left")],
        "regularisation": [Interval(Real, 0, 1, closed="both")],
        "rank": [Interval(Integral, 1, None, closed="left")],
        "kernel": [StrOptions(NAMES), callable],
        "kernel_y": [StrOptions(NAMES), callable, list, tuple, None],
        "gamma": [Interval(Real, 0, None, closed="left"), None],
        "degree": [Interval(Real, 0, None, closed="left")],
        "coef0": [Interval(Real, None, None, closed="neither")],
        "n_jobs": [Integral, None],
        "memory": [Interval(Real, 0, None, closed="neither"), None],
    }
    _scales = ("regularisation",)

    def __init__(
        self,
        n_components=2,
        *,
        regularisation=0.1,
        rank=500,
        kernel="linear",
        kernel_y=None,
        gamma=None,
        degree=3,
        coef0=1,
        n_jobs=None,
        memory=None,
    ):
        self.n_components = n_components
        self.regularisation = regularisation
        self.rank = rank
        self.kernel = kernel
        self.kernel_y = kernel_y
        self.gamma = gamma
        self.degree = degree
        self.coef0 = coef0
        self.n_jobs = n_jobs
        self.memory = memory

    def _kernels(self, count):
        """The kernel of each view."""
        further = self.kernel if self.kernel_y is None else self.kernel_y
        if not isinstance(further, (list, tuple)):
            return [self.kernel] + [further] * (count - 1)
        if len(further) != count - 1:
            raise ValueError(f"kernel_y has {len(further)} kernels: expected one for each of {count - 1} views beyond the first")
        return [self.kernel, *further]

    def _view(self, kernel):
        return View(kernel, self.gamma, self.degree, self.coef0, None, self.n_jobs, self.memory)

    @_fit_context(prefer_skip_nested_validation=True)
    def fit(self, X, y, others=()):
        """Find functions of all views that say the same.

        Parameters
        ----------
        X : {array-like, sparse matrix} of shape (n_samples, n_features) or (n_samples, n_samples), or list of items
            The first view.
        y : {array-like, sparse matrix} of shape (n_samples, n_features_y) or (n_samples, n_samples), or list of items
            The second view: item i belongs to item i of the first.
        others : list, default=()
            Further views of the same kinds.

        Returns
        -------
        object
            The fitted estimator.

        Examples
        --------
        >>> from mercer import KernelCCA
        >>> X = [[0.0, 1.0], [1.0, 0.0], [2.0, 2.0], [3.0, 1.0]]
        >>> KernelCCA(n_components=1, regularisation=0.0).fit(X, X).correlations_.round(6)
        array([1.])
        """
        forget_search(self)
        if y is None:
            raise ValueError(f"{type(self).__name__} requires y to be passed, but the target y is None: it is the second view")
        views = [self._view(kernel) for kernel in self._kernels(2 + len(others))]
        given = [X, *(_as_rows(items, view) for view, items in zip(views[1:], [y, *others]))]
        given = [view._checked(items, ensure_min_samples=2) for view, items in zip(views, given)]
        check_consistent_length(*given)
        rows = [view._given(items) for view, items in zip(views, given)]
        means = {"threads": thread_count(self.n_jobs), "memory": views[0]._means()["memory"]}
        lent = [(of, view._formula) for of, view in zip(rows, views)]
        found, correlations = _mercer.fit_views(
            lent, int(self.n_components), float(self.regularisation), int(self.rank), means
        )
        for view, items, of in zip(views, given, found):
            view._keep(items, of)
        self.correlations_ = np.asarray(correlations)
        self._name_columns(views[0])
        self._views = tuple(views)
        return self

    def fit_transform(self, X, y, others=()):
        """Find functions of all views that say the same, and tell what those of the first view say about its training items.

        Parameters
        ----------
        X : {array-like, sparse matrix} of shape (n_samples, n_features) or (n_samples, n_samples), or list of items
            The first view.
        y : {array-like, sparse matrix} of shape (n_samples, n_features_y) or (n_samples, n_samples), or list of items
            The second view: item i belongs to item i of the first.
        others : list, default=()
            Further views of the same kinds.

        Returns
        -------
        ndarray of shape (n_samples, n_components)
            The values of the first view; `transform` tells those of all views that it is given.

        Examples
        --------
        >>> from mercer import KernelCCA
        >>> X = [[0.0, 1.0], [1.0, 0.0], [2.0, 2.0], [3.0, 1.0]]
        >>> KernelCCA(n_components=1).fit_transform(X, X).shape
        (4, 1)
        """
        return self.fit(X, y, others).transform(X)

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
    ):
        """Find parameters by the correlations on items that were held out, and fit with the best on all items.

        Parameters
        ----------
        X : {array-like, sparse matrix} of shape (n_samples, n_features), or list of items
            The first view.
        y : {array-like, sparse matrix} of shape (n_samples, n_features_y), or list of items
            The second view: item i belongs to item i of the first.
        param_grid : dict or list of dict, default=None
            Values to try by the names of the parameters, as for `GridSearchCV`. None tries regularisation and, for a first kernel that has
            one, gamma.
        cv : int, cross-validation splitter or iterable, default=5
            Folds, as for `GridSearchCV`.
        scoring : callable, default=None
            A scorer that is called with the estimator and both views; None means `score`.
        exhaustive : bool, default=False
            Whether every setting is tried in every fold. Otherwise settings that are clearly behind are given up after four folds or more.
        halving : bool, default=False
            Whether all settings are tried with some hundred rows first, the best third of them with three times as many, and so
            on up to all rows.
        refine : int, default=0
            Rounds of ever smaller steps of regularisation and gamma, from the best setting on.
        n_iter : int, default=None
            Number of settings to draw from `param_grid`, whose values may then be distributions. None tries all.
        random_state : int, RandomState instance or None, default=None
            Where the draws come from.

        Returns
        -------
        object
            The estimator itself with the best parameters, fitted on all items. It has `best_params_`, `best_score_`,
            `best_index_` and `cv_results_`, as `GridSearchCV` has them.

        Examples
        --------
        >>> import numpy as np
        >>> from mercer import KernelCCA
        >>> X = np.random.default_rng(0).normal(size=(60, 3))
        >>> model = KernelCCA(n_components=1).tune(X, X[:, :1] + X[:, 1:2])
        >>> model.best_score_ > 0.9
        True
        """
        check_options(n_iter, refine=refine, exhaustive=exhaustive, halving=halving)
        if any(isinstance(kernel, str) and kernel == "precomputed" for kernel in self._kernels(2)):
            raise ValueError('kernel="precomputed": tune computes kernel values of both views itself')
        X, y = indexable(X, y)
        usual = {"regularisation": [1e-3, 0.01, 0.1, 0.3, 0.9], **gammas(self, X)}
        settings = settings_of(usual if param_grid is None else param_grid, n_iter, random_state)
        score, splits = check_scoring(self, scoring), list(check_cv(cv).split(X))
        # Values of the views are not shared by folds: a fold is a kernel of its own.
        trials = Trials(self, X, y, {}, {}, score, splits, exhaustive, True)
        settings, table = trials.search(settings, halving, refine)
        best = int(table["rank_test_score"].argmin())
        return self.set_params(**settings[best]).fit(X, y)._keep_search(table, best)

    def correlations(self, X, y, others=()):
        """Tell the correlation of the functions of each component on items, which may be held out.

        Parameters
        ----------
        X : {array-like, sparse matrix} of shape (n_samples, n_features) or (n_samples, n_samples_fit), or list of items
            Items of the first view.
        y : {array-like, sparse matrix} of shape (n_samples, n_features_y) or (n_samples, n_samples_fit), or list of items
            Items of the second view.
        others : list, default=()
            Items of further views.

        Returns
        -------
        ndarray of shape (n_components,)
            The mean over all pairs of views; a function that is constant on the items counts as 0.

        Examples
        --------
        >>> from mercer import KernelCCA
        >>> X = [[0.0, 1.0], [1.0, 0.0], [2.0, 2.0], [3.0, 1.0]]
        >>> KernelCCA(n_components=1, regularisation=0.0).fit(X, X).correlations(X, X).round(6)
        array([1.])
        """
        values = [of - of.mean(axis=0) for of in self.transform(X, y, others)]
        found = []
        for first, second in combinations(values, 2):
            lengths = np.sqrt((first**2).sum(axis=0) * (second**2).sum(axis=0))
            products = (first * second).sum(axis=0)
            found.append(np.divide(products, lengths, out=np.zeros_like(lengths), where=lengths > 0))
        return np.mean(found, axis=0)

    def score(self, X, y, others=()):
        """Tell how much alike the functions of the views are on items: the mean of `correlations`.

        Parameters
        ----------
        X : {array-like, sparse matrix} of shape (n_samples, n_features) or (n_samples, n_samples_fit), or list of items
            Items of the first view.
        y : {array-like, sparse matrix} of shape (n_samples, n_features_y) or (n_samples, n_samples_fit), or list of items
            Items of the second view.
        others : list, default=()
            Items of further views.

        Returns
        -------
        float
            The mean; a function that is constant on the items counts as 0.

        Examples
        --------
        >>> from mercer import KernelCCA
        >>> X = [[0.0, 1.0], [1.0, 0.0], [2.0, 2.0], [3.0, 1.0]]
        >>> round(KernelCCA(n_components=1, regularisation=0.0).fit(X, X).score(X, X), 6)
        1.0
        """
        return float(self.correlations(X, y, others).mean())

    def retrieve(self, X, y, n_best=1):
        """Find the items of the second view that say most nearly the same as items of the first: by the cosine of the values of all functions.

        Parameters
        ----------
        X : {array-like, sparse matrix} of shape (n_queries, n_features) or (n_queries, n_samples_fit), or list of items
            Items of the first view.
        y : {array-like, sparse matrix} of shape (n_samples, n_features_y) or (n_samples, n_samples_fit), or list of items
            Items of the second view to choose from.
        n_best : int, default=1
            How many are told.

        Returns
        -------
        ndarray of shape (n_queries, n_best)
            Their positions in y, the best first.

        Examples
        --------
        >>> from mercer import KernelCCA
        >>> X = [[0.0, 1.0], [1.0, 0.0], [2.0, 2.0], [3.0, 1.0]]
        >>> KernelCCA(n_components=2).fit(X, X).retrieve(X, X).ravel().tolist()
        [0, 1, 2, 3]
        """
        asked, known = self.transform(X, y)
        best = whole("n_best", n_best, 1)
        if best > len(known):
            raise ValueError(f"n_best={best}: there are {len(known)} items to choose from")
        asked, known = (normalize(values) for values in (asked, known))
        return np.argsort(-(asked @ known.T), axis=1, kind="stable")[:, :best]

    def transform(self, X, y=None, others=()):
        """Tell what the functions say about items.

        Parameters
        ----------
        X : {array-like, sparse matrix} of shape (n_samples, n_features) or (n_samples, n_samples_fit), or list of items
            Items of the first view.
        y : {array-like, sparse matrix} of shape (n_samples, n_features_y) or list of items, default=None
            Items of the second view; None for none.
        others : list, default=()
            Items of further views.

        Returns
        -------
        ndarray of shape (n_samples, n_components), or a tuple of such
            The values of the first view, and of all views that were given one matrix each.

        Examples
        --------
        >>> from mercer import KernelCCA
        >>> X = [[0.0, 1.0], [1.0, 0.0], [2.0, 2.0], [3.0, 1.0]]
        >>> a, b = KernelCCA(n_components=1).fit(X, X).transform(X, X)
        >>> bool(abs(a - b).max() < 1e-9)
        True
        """
        views = self._all()
        if y is None:
            return views[0]._functions(X)
        given = [X, y, *others]
        if len(given) > len(views):
            raise ValueError(f"items of {len(given)} views: the model has {len(views)}")
        further = (view._functions(_as_rows(items, view)) for view, items in zip(views[1:], given[1:]))
        return (views[0]._functions(X), *further)

    def transform_y(self, y):
        """Tell what the functions of the second view say about items of it.

        Parameters
        ----------
        y : {array-like, sparse matrix} of shape (n_samples, n_features_y) or (n_samples, n_samples_fit), or list of items
            Items of the second view.

        Returns
        -------
        ndarray of shape (n_samples, n_components)
            The values.

        Examples
        --------
        >>> from mercer import KernelCCA
        >>> X = [[0.0, 1.0], [1.0, 0.0], [2.0, 2.0], [3.0, 1.0]]
        >>> KernelCCA(n_components=2).fit(X, X).transform_y([[1.0, 1.0]]).shape
        (1, 2)
        """
        return self._all()[1]._functions(_as_rows(y, self._all()[1]))

    def save(self, path, path_y):
        """Write the fitted model to files, one for each view, that `mercer.load` and the command line read.

        Parameters
        ----------
        path : str or path-like
            The file of the first view. What ends in .json is written as JSON, all else in Mercer's binary format.
        path_y : str, path-like or list of such
            The file of the second view, or of all other views a list of one for each.

        Examples
        --------
        >>> import os, tempfile
        >>> import mercer
        >>> X = [[0.0, 1.0], [1.0, 0.0], [2.0, 2.0], [3.0, 1.0]]
        >>> model = mercer.KernelCCA(n_components=1).fit(X, X)
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     paths = [os.path.join(folder, name) for name in ("first.mercer", "second.mercer")]
        ...     model.save(*paths)
        ...     again = mercer.load(*paths)
        >>> bool((again.transform(X) == model.transform(X)).all())
        True
        """
        views, paths = self._all(), [path, *listed(path_y)]
        if len(paths) != len(views):
            raise ValueError(f"{len(paths)} files for {len(views)} views: say one for each")
        note = json.loads(note_of(self))
        note = {**note, "correlations": self.correlations_.tolist(), "views": len(views)}
        for at, (view, place) in enumerate(zip(views, paths)):
            if view._formula is None and view.kernel != "precomputed":
                raise ValueError("a model whose kernel is a function of Python's cannot be saved; pickle it")
            view._machine.save(place, names_of(view), json.dumps({**note, "view": at}))

    def _restore(self, machines, kernels, correlations):
        """Becomes the estimator of models from files, one for each view."""
        self._views = tuple(self._view(kernel)._restore(machine) for kernel, machine in zip(kernels, machines))
        self.correlations_ = np.asarray(correlations, dtype=np.float64)
        self._name_columns(self._views[0])
        return self

    def _name_columns(self, view):
        """Takes what is known of the columns of the first view."""
        for name in ("n_features_in_", "feature_names_in_"):
            if hasattr(view, name):
                setattr(self, name, getattr(view, name))
            elif hasattr(self, name):
                delattr(self, name)

    @property
    def _n_features_out(self):
        return len(self.correlations_)

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.target_tags.required = True
        tags.target_tags.multi_output = True
        tags.input_tags.sparse = True
        tags.input_tags.pairwise = isinstance(self.kernel, str) and self.kernel == "precomputed"
        return tags

    def _all(self):
        if not hasattr(self, "_views"):
            raise NotFittedError(f"This {type(self).__name__} instance is not fitted yet.")
        return self._views


def _as_rows(items, view):
    """Items of a view; numbers in one dimension are rows of one column, where the kernel compares rows."""
    if is_structured(view.kernel):
        return items
    values = items if hasattr(items, "ndim") else np.asarray(items)
    return np.asarray(items).reshape(-1, 1) if values.ndim == 1 else items


def listed(paths):
    """One path or several, as a list."""
    return list(paths) if isinstance(paths, (list, tuple)) else [paths]
