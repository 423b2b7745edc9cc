"""Kernel principal components."""

from numbers import Integral, Real

import numpy as np
import scipy.sparse as sp
from sklearn.base import ClassNamePrefixFeaturesOutMixin, TransformerMixin, _fit_context
from sklearn.exceptions import NotFittedError
from sklearn.model_selection import check_cv
from sklearn.utils._param_validation import Interval, StrOptions
from sklearn.utils.validation import check_is_fitted

from . import _mercer
from ._docs import documented
from ._estimator import forget_search
from ._items import as_items
from ._learners import ItemMachine, count, is_structured
from ._ranges import STEPS, gammas, rounded, size
from ._rows import as_rows
from ._seeds import seed_of
from ._threads import thread_count
from ._trials import Trials
from ._tuning import Tuned, check_options, settings_of


@documented
class KernelPCA(ClassNamePrefixFeaturesOutMixin, TransformerMixin, Tuned, ItemMachine):
    """Kernel principal components: the directions of feature space along which the rows vary most.

    Parameters
    ----------
    n_components : int, default=None
        Number of components; None for all with an eigenvalue above 0.
    alpha : float, default=1.0
        Penalty of the ridge regression that goes back from components to rows.
    fit_inverse_transform : bool, default=False
        Whether that regression is learned; for rows, not for `kernel="precomputed"` or items.
    eigen_solver : {"auto", "dense", "arpack", "randomized"}, default="auto"
        Accepted for the sake of scikit-learn; the engine decides by itself.
    tol : float, default=0
        Largest relative residual of an eigenvalue that counts as found; 0 for the engine's own.
    max_iter : int, default=None
        Most products with the kernel matrix; None for the engine's own limit.
    iterated_power : int or {"auto"}, default="auto"
        Accepted for the sake of scikit-learn.
    remove_zero_eig : bool, default=False
        Whether components with an eigenvalue of 0 are left out, of which there are some if fewer rows differ than were asked for.
    random_state : int, RandomState instance or None, default=None
        For the vectors that the search for eigenvalues begins with.
    copy_X : bool, default=True
        Whether the training rows are copied.

    Attributes
    ----------
    eigenvalues_ : ndarray of shape (n_components,)
        Eigenvalues of the centred kernel matrix, the largest first.
    eigenvectors_ : ndarray of shape (n_samples, n_components)
        Their eigenvectors.
    gamma_ : float
        The coefficient of the kernel that was used.
    explained_variance_ratio_ : ndarray of shape (n_components,)
        The share of the variance in feature space along each component.
    dual_coef_ : ndarray of shape (n_samples, n_features)
        Coefficients of the regression that goes back, for `fit_inverse_transform=True`.
    X_transformed_fit_ : ndarray of shape (n_samples, n_components)
        The components of the training rows, for `fit_inverse_transform=True`.

    Examples
    --------
    >>> from mercer import KernelPCA
    >>> model = KernelPCA(n_components=1).fit([[0.0, 0.0], [1.0, 1.0], [2.0, 2.0]])
    >>> abs(model.transform([[3.0, 3.0]])).round(3)
    array([[2.828]])
    """

    _parameter_constraints = {
        **ItemMachine._parameter_constraints,
        "n_components": [Interval(Integral, 1, None, closed="left"), None],
        "alpha": [Interval(Real, 0, None, closed="left")],
        "fit_inverse_transform": ["boolean"],
        "eigen_solver": [StrOptions({"auto", "dense", "arpack", "randomized"})],
        "tol": [Interval(Real, 0, None, closed="left")],
        "max_iter": [Interval(Integral, 1, None, closed="left"), None],
        "iterated_power": [Interval(Integral, 0, None, closed="left"), StrOptions({"auto"})],
        "remove_zero_eig": ["boolean"],
        "random_state": ["random_state"],
        "copy_X": ["boolean"],
    }
    _scales = ("alpha",)

    def __init__(
        self,
        n_components=None,
        *,
        kernel="linear",
        gamma=None,
        degree=3,
        coef0=1,
        kernel_params=None,
        alpha=1.0,
        fit_inverse_transform=False,
        eigen_solver="auto",
        tol=0,
        max_iter=None,
        iterated_power="auto",
        remove_zero_eig=False,
        random_state=None,
        copy_X=True,
        n_jobs=None,
        memory=None,
    ):
        self.n_components = n_components
        self.kernel = kernel
        self.gamma = gamma
        self.degree = degree
        self.coef0 = coef0
        self.kernel_params = kernel_params
        self.alpha = alpha
        self.fit_inverse_transform = fit_inverse_transform
        self.eigen_solver = eigen_solver
        self.tol = tol
        self.max_iter = max_iter
        self.iterated_power = iterated_power
        self.remove_zero_eig = remove_zero_eig
        self.random_state = random_state
        self.copy_X = copy_X
        self.n_jobs = n_jobs
        self.memory = memory

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.transformer_tags.preserves_dtype = ["float64", "float32"]
        return tags

    @property
    def _n_features_out(self):
        return self.eigenvalues_.shape[0]

    @_fit_context(prefer_skip_nested_validation=True)
    def fit(self, X, y=None):
        """Find the components of the rows of X.

        Parameters
        ----------
        X : {array-like, sparse matrix} of shape (n_samples, n_features) or (n_samples, n_samples), or list of items
            Training rows; kernel values for `kernel="precomputed"`; items for kernels on such.
        y : Ignored, default=None
            Not used.

        Returns
        -------
        object
            The fitted estimator.

        Examples
        --------
        >>> from mercer import KernelPCA
        >>> KernelPCA(kernel="rbf").fit([[0.0], [1.0], [5.0]]).eigenvalues_.shape
        (2,)
        """
        forget_search(self)
        if self.fit_inverse_transform and self.kernel == "precomputed":
            raise ValueError("Cannot fit_inverse_transform with a precomputed kernel.")
        if self.fit_inverse_transform and is_structured(self.kernel):
            raise ValueError(f"fit_inverse_transform goes back to rows of numbers, and the kernel compares {self.kernel.items}")
        X = self._checked(X, copy=self.copy_X)
        if not is_structured(self.kernel):
            self.gamma_ = 1 / X.shape[1] if self.gamma is None else self.gamma
        rows = self._given(X)
        wanted = None if self.n_components is None else min(self.n_components, count(X))
        seed = seed_of(self.random_state)
        tolerance = None if self.tol == 0 else float(self.tol)
        found = _mercer.fit_components(
            rows, self._formula, wanted, tolerance, self.max_iter, seed, self._means()
        )
        self._formula = found["kernel"]
        values, vectors = np.asarray(found["values"]), found["vectors"].T
        self._coefficients, self._offsets = found["coefficients"], np.asarray(found["offsets"])
        self._mean, self._trace, self._machine = found["mean"], found["trace"], None
        # Components that are asked for and have no length are 0, as scikit-learn has them.
        missing = 0 if wanted is None or self.remove_zero_eig else wanted - len(values)
        self.eigenvalues_ = np.concatenate([values, np.zeros(missing)])
        self.eigenvectors_ = np.hstack([vectors, np.zeros((len(vectors), missing))])
        self.explained_variance_ratio_ = self.eigenvalues_ / max(self._trace, np.finfo(float).tiny)
        self.X_fit_ = X
        if self.fit_inverse_transform:
            self._learn_to_go_back(X)
        return self

    def tune(
        self,
        X,
        y=None,
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
        """Find parameters by how well rows that were held out come back from their components, and fit with the best on all rows.

        Distances in feature spaces of different kernels cannot be compared, but rows can: that is why there has to be a way back,
        `fit_inverse_transform=True`. The score is minus the mean squared error of `inverse_transform(transform(X))`.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Training rows.
        y : Ignored, default=None
            Not used.
        param_grid : dict or list of dict, default=None
            Values to try by the names of the parameters, as for `GridSearchCV`. None tries alpha and, for kernels that have one, gamma over
            some orders of magnitude.
        cv : int, cross-validation splitter or iterable, default=5
            Folds, as for `GridSearchCV`.
        scoring : callable, default=None
            A scorer that is called with the estimator, rows and None; None means the squared error of the way there and back.
        exhaustive : bool, default=False
            Whether every setting is tried in every fold. Otherwise settings that are clearly behind are given up after four folds or more.
        halving : bool, default=False
            Whether all settings are tried with some hundred rows first, the best third of them with three times as many, and so
            on up to all rows.
        refine : int, default=0
            Rounds of ever smaller steps of alpha and gamma, from the best setting on.
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
        >>> from mercer import KernelPCA
        >>> angles = np.linspace(0, 6, 60)
        >>> arc = np.column_stack([np.cos(angles), np.sin(angles)])
        >>> model = KernelPCA(2, kernel="rbf", fit_inverse_transform=True).tune(arc, random_state=0)
        >>> sorted(model.best_params_)
        ['alpha', 'gamma']
        """
        check_options(n_iter, refine=refine, exhaustive=exhaustive, halving=halving)
        grid = self._usual_grid(X) if param_grid is None else param_grid
        settings = settings_of(grid, n_iter, random_state)
        if not all(setting.get("fit_inverse_transform", self.fit_inverse_transform) for setting in settings):
            raise ValueError("tune compares rows with what comes back of them: it asks for fit_inverse_transform=True")
        score = _way_back if scoring is None else scoring
        splits = list(check_cv(cv).split(X))
        trials = Trials(self, X, None, {}, {}, score, splits, exhaustive, False)
        settings, table = trials.search(settings, halving, refine)
        best = int(table["rank_test_score"].argmin())
        return self.set_params(**settings[best]).fit(X)._keep_search(table, best)

    def _usual_grid(self, rows):
        return {"alpha": rounded(STEPS * size(self, rows)), **gammas(self, rows)}

    def save(self, path):
        """Write the fitted model to a file that `mercer.load` and the command line read.

        The way back (`fit_inverse_transform`) is not in it; pickles have it.

        Parameters
        ----------
        path : str or path-like
            What ends in .json is written as JSON, all else in Mercer's binary format.

        Examples
        --------
        >>> import os, tempfile
        >>> import mercer
        >>> model = mercer.KernelPCA(n_components=1).fit([[-1.0], [0.0], [1.0]])
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     path = os.path.join(folder, "line.mercer")
        ...     model.save(path)
        ...     abs(mercer.load(path).transform([[2.0]]))
        array([[2.]])
        """
        super().save(path)

    def _stored(self):
        if self._machine is not None:
            return self._machine
        count = self._coefficients.shape[1] - 1
        told = {
            "values": self.eigenvalues_[:count].tolist(),
            "vectors": np.ascontiguousarray(self.eigenvectors_[:, :count].T).ravel().tolist(),
            "trace": [float(self._trace)],
            "mean": [float(self._mean)],
        }
        rows, offsets = self._fitted_items(), list(self._offsets)
        coefficients = np.ascontiguousarray(self._coefficients)
        return _mercer.machine_of(rows, self._formula, "components", coefficients, offsets, told, self._means())

    def _tell(self, told):
        self._coefficients, self._offsets = self._machine.expansion[0], np.asarray(self._machine.expansion[1])
        self._mean, self._trace = told["mean"][0], told["trace"][0]
        self.eigenvalues_ = np.asarray(told["values"])
        self.eigenvectors_ = np.asarray(told["vectors"]).reshape(len(self.eigenvalues_), len(self._coefficients)).T
        self.explained_variance_ratio_ = self.eigenvalues_ / max(self._trace, np.finfo(float).tiny)
        self.gamma_, self.fit_inverse_transform = self.gamma, False

    def _learn_to_go_back(self, X):
        if sp.issparse(X):
            raise NotImplementedError("Inverse transform not implemented for sparse matrices!")
        self.X_transformed_fit_ = self.eigenvectors_ * np.sqrt(self.eigenvalues_)
        rows = self._of_components(self.X_transformed_fit_)
        targets = np.ascontiguousarray(X, dtype=np.float64)
        penalties = [float(self.alpha)]
        self.dual_coef_ = _mercer.fit_ridge(rows, targets, None, self._formula, penalties, False, self._means())[1]

    def _of_components(self, components):
        """Components as rows that the kernel compares, or their kernel values."""
        return as_rows(components) if self._formula is not None else self._values(components, self.X_transformed_fit_)

    def fit_transform(self, X, y=None):
        """Find the components of the rows of X and tell where the rows lie along them.

        Parameters
        ----------
        X : {array-like, sparse matrix} of shape (n_samples, n_features) or (n_samples, n_samples), or list of items
            Training rows; kernel values for `kernel="precomputed"`; items for kernels on such.
        y : Ignored, default=None
            Not used.

        Returns
        -------
        ndarray of shape (n_samples, n_components)
            The components.

        Examples
        --------
        >>> from mercer import KernelPCA
        >>> KernelPCA().fit_transform([[-1.0], [0.0], [1.0]]).shape
        (3, 1)
        """
        self.fit(X)
        components = self.eigenvectors_ * np.sqrt(self.eigenvalues_)
        return components.astype(getattr(self.X_fit_, "dtype", np.float64), copy=False)

    def transform(self, X):
        """Tell where rows lie along the components.

        Parameters
        ----------
        X : {array-like, sparse matrix} of shape (n_samples, n_features) or (n_samples, n_samples_fit), or list of items
            The rows, their kernel values with the training rows, or items.

        Returns
        -------
        ndarray of shape (n_samples, n_components)
            The components.

        Examples
        --------
        >>> from mercer import KernelPCA
        >>> model = KernelPCA().fit([[-1.0], [0.0], [1.0]])
        >>> abs(model.transform([[2.0]]))
        array([[2.]])
        """
        X = self._new_items(X)
        values = self._expanded(X, self._coefficients, self._offsets)[:, :-1]
        missing = len(self.eigenvalues_) - values.shape[1]
        found = np.hstack([values, np.zeros((len(values), missing))]) if missing else values
        return np.ascontiguousarray(found, dtype=getattr(X, "dtype", np.float64))

    def reconstruction_error(self, X):
        """Tell how far rows are from the plane of the components, squared, in feature space: a score of novelty.

        Parameters
        ----------
        X : {array-like, sparse matrix} of shape (n_samples, n_features), or list of items
            The rows or items.

        Returns
        -------
        ndarray of shape (n_samples,)
            The squared distances.

        Examples
        --------
        >>> from mercer import KernelPCA
        >>> model = KernelPCA(n_components=1).fit([[0.0, 0.0], [1.0, 1.0], [2.0, 2.0]])
        >>> model.reconstruction_error([[3.0, 3.0], [1.0, 3.0]]).round(3)
        array([0., 2.])
        """
        if self.kernel == "precomputed":
            raise ValueError("kernel values with the training rows do not tell how long a row is")
        X = self._new_items(X)
        values = self._expanded(X, self._coefficients, self._offsets)
        components, means = values[:, :-1], values[:, -1]
        if self._formula is not None:
            one = self._own(X)
        else:
            one = [self._values(X[i : i + 1], X[i : i + 1])[0, 0] for i in range(X.shape[0])]
        return np.maximum(np.asarray(one) - 2 * means + self._mean - (components**2).sum(axis=1), 0.0)

    def _own(self, X):
        """k(x, x) of each."""
        if is_structured(self.kernel):
            known, new = as_items(self.kernel, self.X_fit_), as_items(self.kernel, X)
            return _mercer.own_values(self._formula, known, new)
        each = (as_rows(X[i : i + 1]) for i in range(X.shape[0]))
        return [_mercer.gram(self._formula, row, row)[0, 0] for row in each]

    def inverse_transform(self, X):
        """Go back from components to rows, by the regression that was learned.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_components)
            Components.

        Returns
        -------
        ndarray of shape (n_samples, n_features)
            Rows.

        Examples
        --------
        >>> from mercer import KernelPCA
        >>> model = KernelPCA(fit_inverse_transform=True, alpha=1e-6).fit([[-1.0], [0.0], [1.0]])
        >>> model.inverse_transform(model.transform([[0.5]])).round(3)
        array([[0.5]])
        """
        check_is_fitted(self)
        if not self.fit_inverse_transform:
            raise NotFittedError(
                "The fit_inverse_transform parameter was not set to True when instantiating and hence the inverse"
                " transform is not available."
            )
        X = np.asarray(X)
        if self._formula is None:
            return self._values(X, self.X_transformed_fit_) @ self.dual_coef_
        offsets = [0.0] * self.dual_coef_.shape[1]
        known, threads = as_rows(self.X_transformed_fit_), thread_count(self.n_jobs)
        return _mercer.expand(self._formula, known, self.dual_coef_, offsets, as_rows(X), threads)


def _way_back(model, X, _y):
    """Minus the mean squared error of rows that go to their components and back."""
    return -float(np.mean((model.inverse_transform(model.transform(X)) - np.asarray(X)) ** 2))
