"""Gaussian processes."""

from numbers import Integral, Real

import numpy as np
from sklearn.base import MultiOutputMixin, RegressorMixin, _fit_context
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils import check_array
from sklearn.utils._param_validation import Interval, StrOptions
from sklearn.utils.validation import _num_samples, check_consistent_length, check_is_fitted, validate_data

from . import _mercer
from ._docs import documented
from ._containers import items_of
from ._estimator import Unpickled, checked_weights, forget_search, names_of, note_of, status_of
from ._items import as_items
from ._kernel_machine import is_structured
from ._learners import some
from ._mending import refuse_shifted
from ._ranges import WIDTHS, rounded, usual_gamma
from ._rows import as_rows, from_rows
from ._seeds import seed_of
from ._theta import theta_of, warn_at_bounds, with_theta
from ._tables import encoded
from ._threads import thread_count
from ._trials import TunableByFits
from ._warn import warn
from .kernels import Formula, Gaussian, Kernel


def widths_of_processes(rows):
    """Gaussian kernels of several widths that are not learned any further."""
    return {"kernel": [Gaussian(gamma=gamma) for gamma in rounded(usual_gamma(rows) * WIDTHS)], "optimizer": [None]}


@documented
class GaussianProcessRegressor(MultiOutputMixin, RegressorMixin, TunableByFits, Unpickled):
    """Gaussian process regression: predictions that tell how sure they are, with a kernel that is learned.

    Parameters
    ----------
    kernel : kernel of `mercer.kernels`, default=None
        The covariance. Its parameters are learned, those of a sum or product too; `White` is noise whose variance is learned. None for
        a Gaussian of length scale 1 that is not. Kernels on strings, trees, graphs, series and records take X as a list of such and stay as
        they are: only `alpha` is their noise.
    alpha : float, default=1e-10
        Variance of noise that is not learned, added to the diagonal of the kernel matrix; the same for all rows, for a model that is saved
        knows one noise.
    optimizer : {"fmin_l_bfgs_b"}, default="fmin_l_bfgs_b"
        Whether parameters are learned, by quasi-Newton steps; None for no.
    n_restarts_optimizer : int, default=0
        Further starts from random points between 1e-5 and 1e5; the best end counts.
    normalize_y : bool, default=False
        Whether targets are brought to mean 0 and variance 1 for the training.
    copy_X_train : bool, default=True
        Accepted for the sake of scikit-learn; the engine has a copy.
    n_targets : int, default=None
        Number of targets, for samples before any fit; None for 1.
    random_state : int, RandomState instance or None, default=None
        For the random points.
    rank : int, default=None
        Most rows that the process is made of, the pivots of a pivoted Cholesky factorisation of the kernel matrix; None for all rows
        while the memory allows it, and beyond for as many as it allows. What is left out of the kernel matrix counts as noise (FITC), and
        parameters are learned from as many random rows.
    n_jobs : int, default=None
        Threads: None for all there are (one inside a worker of joblib), -1 for all. The result does not depend on it.
    memory : float, default=None
        Megabytes for the kernel matrix and what is made of it; None for a quarter of what is free at first, rounded down to a power of two.

    Attributes
    ----------
    kernel_ : kernel of `mercer.kernels`
        The kernel with the parameters that were learned.
    X_train_ : {ndarray, sparse matrix} of shape (n_samples, n_features), or list
        The training rows or items; of a model of the command line, rows as it has scaled them.
    y_train_ : ndarray of shape (n_samples,) or (n_samples, n_targets)
        The targets, normalised if that was asked for.
    alpha_ : ndarray of shape (n_samples,) or (n_samples, n_targets)
        Coefficients of the training rows; of `rank_` of them for a process of low rank.
    L_ : ndarray of shape (n_samples, n_samples)
        The Cholesky factor of the kernel matrix with its noise; a process of low rank has none.
    rank_ : int or None
        Rows that a process of low rank is made of; None for the exact process.
    status_ : str
        "converged", or "stopped at the iteration limit" of the search for the kernel's parameters.
    theta_ : ndarray of shape (n_parameters,)
        The parameters of `kernel_` as one vector.
    log_marginal_likelihood_value_ : float
        The logarithm of the likelihood of the targets.
    jitter_ : float
        What was added to the diagonal because the kernel matrix is singular.
    n_features_in_ : int
        Number of columns of the training rows.
    feature_names_in_ : ndarray of shape (n_features_in_,)
        Names of the columns, if all of them have one.

    Examples
    --------
    >>> from mercer import GaussianProcessRegressor
    >>> from mercer.kernels import Gaussian
    >>> model = GaussianProcessRegressor(Gaussian(length_scale=1.0), optimizer=None).fit([[0.0], [1.0]], [0.0, 1.0])
    >>> mean, deviation = model.predict([[1.0], [100.0]], return_std=True)
    >>> mean.round(3), deviation.round(3)
    (array([1., 0.]), array([0., 1.]))
    """

    _scales = ("alpha",)
    _parameter_constraints = {
        "kernel": [Kernel, None],
        "alpha": [Interval(Real, 0.0, None, closed="left")],
        "optimizer": [StrOptions({"fmin_l_bfgs_b"}), None],
        "n_restarts_optimizer": [Interval(Integral, 0, None, closed="left")],
        "normalize_y": ["boolean"],
        "copy_X_train": ["boolean"],
        "n_targets": [Interval(Integral, 1, None, closed="left"), None],
        "random_state": ["random_state"],
        "rank": [Interval(Integral, 1, None, closed="left"), None],
        "n_jobs": [Integral, None],
        "memory": [Interval(Real, 0, None, closed="neither"), None],
    }

    def __init__(
        self,
        kernel=None,
        *,
        alpha=1e-10,
        optimizer="fmin_l_bfgs_b",
        n_restarts_optimizer=0,
        normalize_y=False,
        copy_X_train=True,
        n_targets=None,
        random_state=None,
        rank=None,
        n_jobs=None,
        memory=None,
    ):
        self.kernel = kernel
        self.alpha = alpha
        self.optimizer = optimizer
        self.n_restarts_optimizer = n_restarts_optimizer
        self.normalize_y = normalize_y
        self.copy_X_train = copy_X_train
        self.n_targets = n_targets
        self.random_state = random_state
        self.rank = rank
        self.n_jobs = n_jobs
        self.memory = memory

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.requires_fit = False
        return tags

    def _means(self):
        memory = None if self.memory is None else int(self.memory * 2**20)
        return {"threads": thread_count(self.n_jobs), "memory": memory}

    def _formula(self):
        return "gaussian(length_scale=1)" if self.kernel is None else str(self.kernel)

    @_fit_context(prefer_skip_nested_validation=True)
    def fit(self, X, y, sample_weight=None):
        """Learn the parameters of the kernel and fit the process.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features), or list
            Training rows or items.
        y : array-like of shape (n_samples,) or (n_samples, n_targets)
            Targets.
        sample_weight : array-like of shape (n_samples,), default=None
            Weights of the rows: one of weight 2 counts as if it stood there twice, one of weight 0 as if it did not.
            The noise of a row of weight w, and that of a `White`, has the variance alpha / w.

        Returns
        -------
        object
            The fitted estimator.

        Examples
        --------
        >>> import numpy as np
        >>> from mercer import GaussianProcessRegressor
        >>> from mercer.kernels import Gaussian, White
        >>> X = np.linspace(0, 6, 20)[:, None]
        >>> y = np.sin(X).ravel() + 0.1 * np.random.default_rng(0).normal(size=20)
        >>> model = GaussianProcessRegressor(Gaussian(length_scale=9.0) + White(0.1)).fit(X, y)
        >>> model.score(X, y) > 0.97
        True
        """
        if is_structured(self.kernel):
            refuse_shifted(self.kernel)
            X = items_of(self.kernel, X)
            rows, y = as_items(self.kernel, X), check_array(y, ensure_2d=False, dtype=np.float64, input_name="y")
            check_consistent_length(rows, y)
        else:
            X, y = validate_data(self, X, y, multi_output=True, y_numeric=True, dtype=np.float64)
            rows = as_rows(X)
        targets = np.ascontiguousarray(np.asarray(y, dtype=np.float64).reshape(len(y), -1))
        if self.n_targets is not None and targets.shape[1] != self.n_targets:
            raise ValueError(
                "The number of targets seen in `y` is different from the parameter `n_targets`."
                f" Got {targets.shape[1]} != {self.n_targets}."
            )
        wanted = {
            "kernel": self._formula(),
            "noise": float(self.alpha),
            "normalise": bool(self.normalize_y),
            "learn": self.optimizer is not None and self.kernel is not None,
            "restarts": int(self.n_restarts_optimizer),
            "seed": seed_of(self.random_state),
            "rank": None if self.rank is None else int(self.rank),
        }
        weights = checked_weights(sample_weight, len(targets))
        process = _mercer.fit_process(rows, targets, weights, wanted, self._means())
        if weights is not None and not weights.all():
            # The others are not there.
            kept = np.flatnonzero(weights)
            X, targets, weights = some(X, kept), targets[kept], weights[kept]
        self._targets, self._flat, self._weights = targets, y.ndim == 1, weights
        self.X_train_ = X
        self._adopt(process)
        if not process.is_converged:
            warn("learning of the kernel's parameters ended early", ConvergenceWarning)
        if wanted["learn"]:
            warn_at_bounds(self.kernel_)
        return self

    def _usual_grid(self, rows, y):
        unit = 1.0 if self.normalize_y else float(np.var(np.asarray(y, dtype=float))) or 1.0
        noise = {"alpha": rounded(unit * np.logspace(-6, 0, 4))}
        # A kernel that was given is learned in every fold, and only its noise is left to be found.
        return noise if self.kernel is not None else {**noise, **widths_of_processes(rows)}

    def _adopt(self, process):
        forget_search(self)
        self._process = process
        self.kernel_ = Formula(process.kernel)
        self.log_marginal_likelihood_value_ = process.likelihood
        self.jitter_ = process.jitter
        self.status_ = status_of(process.is_converged)
        self.rank_ = process.rank
        if hasattr(self, "_targets"):
            centre, scale = (np.asarray(part) for part in process.normalisation)
            normalised = (self._targets - centre) / scale
            self.y_train_ = normalised.ravel() if self._flat else normalised
        self.alpha_ = process.alpha.ravel() if self._flat else process.alpha

    def save(self, path):
        """Write the fitted model to a file that `mercer.load` and the command line read.

        Parameters
        ----------
        path : str or path-like
            What ends in .json is written as JSON, all else in Mercer's binary format.

        Examples
        --------
        >>> import os, tempfile
        >>> import mercer
        >>> model = mercer.GaussianProcessRegressor().fit([[0.0], [3.0]], [0.0, 1.0])
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     path = os.path.join(folder, "process.mercer")
        ...     model.save(path)
        ...     mercer.load(path).predict([[3.0]]).round(3)
        array([1.])
        """
        check_is_fitted(self, "_process")
        self._process.save(path, names_of(self), note_of(self))

    def _restore(self, process, names):
        """Becomes the estimator of a model from a file, in which the targets are not."""
        items = process.items
        self.X_train_ = items if isinstance(items, list) else from_rows(items)
        self._flat = process.alpha.shape[1] == 1
        if not is_structured(Formula(process.kernel)):
            self.n_features_in_ = process.columns
        if names is not None:
            self.feature_names_in_ = np.asarray(names, dtype=object)
        self._adopt(process)
        return self

    @property
    def L_(self):
        """The Cholesky factor of the kernel matrix with its noise.

        Returns
        -------
        ndarray of shape (n_samples, n_samples)
            The factor.

        Examples
        --------
        >>> from mercer import GaussianProcessRegressor
        >>> GaussianProcessRegressor(alpha=3.0).fit([[0.0]], [1.0]).L_
        array([[2.]])
        """
        if not hasattr(self, "_process"):
            raise AttributeError(f"{type(self).__name__} is not fitted: it has no L_")
        if self.rank_ is not None:
            raise AttributeError(f"a {type(self).__name__} of low rank has no L_")
        return self._process.factor

    def predict(self, X, return_std=False, return_cov=False):
        """Predict targets, and how sure that is.

        Before any fit it is the process itself that is told, with mean 0.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features), or list
            The rows or items.
        return_std : bool, default=False
            Whether standard deviations are told.
        return_cov : bool, default=False
            Whether covariances of the rows are told.

        Returns
        -------
        ndarray of shape (n_samples,) or (n_samples, n_targets), or a tuple with the deviations or covariances
            The means, and what was asked for.

        Examples
        --------
        >>> from mercer import GaussianProcessRegressor
        >>> GaussianProcessRegressor().fit([[0.0], [3.0]], [0.0, 1.0]).predict([[3.0]]).round(3)
        array([1.])
        """
        if return_std and return_cov:
            raise RuntimeError("At most one of return_std or return_cov can be requested.")
        if not hasattr(self, "_process"):
            return self._predict_before(X, return_std, return_cov)
        rows = self._rows(X)
        mean = self._shaped(self._process.mean(rows))
        if return_std:
            return mean, np.sqrt(self._shaped(self._process.variance(rows)))
        if return_cov:
            scale = np.asarray(self._process.normalisation[1])
            covariance = self._process.covariance(rows)
            return mean, covariance * scale[0] ** 2 if len(scale) == 1 else covariance[:, :, None] * scale**2
        return mean

    def _rows(self, X, reset=False):
        """Rows or items as the engine takes them."""
        kernel = self.kernel if reset else self.kernel_
        if is_structured(kernel):
            return as_items(kernel, X)
        return as_rows(validate_data(self, X if reset else encoded(self, X), reset=reset, dtype=np.float64))

    def _shaped(self, values):
        return values.ravel() if values.shape[1] == 1 else values

    def _predict_before(self, X, return_std, return_cov):
        rows = self._rows(X, reset=True)
        n, count = _num_samples(rows if is_structured(self.kernel) else X), 1 if self.n_targets is None else self.n_targets
        mean = np.zeros(n) if count == 1 else np.zeros((n, count))
        if not (return_std or return_cov):
            return mean
        covariance = _mercer.gram(self._formula(), rows)
        if return_cov:
            return mean, covariance if count == 1 else np.repeat(covariance[:, :, None], count, axis=2)
        deviation = np.sqrt(np.diag(covariance))
        return mean, deviation if count == 1 else np.repeat(deviation[:, None], count, axis=1)

    @property
    def theta_(self):
        """The parameters of `kernel_` as one vector.

        Returns
        -------
        ndarray of shape (n_parameters,)
            Logarithms of those that are above 0 and the others as they are, in the order of the formula.

        Examples
        --------
        >>> from mercer import GaussianProcessRegressor
        >>> from mercer.kernels import Gaussian
        >>> kernel = 4.0 * Gaussian(length_scale=1.0)
        >>> GaussianProcessRegressor(kernel, optimizer=None).fit([[0.0]], [1.0]).theta_.round(3)
        array([1.386, 0.   ])
        """
        if not hasattr(self, "_process"):
            raise AttributeError(f"{type(self).__name__} is not fitted: it has no theta_")
        return theta_of(self.kernel_)

    def log_marginal_likelihood(self, theta=None, eval_gradient=False, clone_kernel=True):
        """Tell the logarithm of the likelihood of the training targets, with `kernel_` or with other parameters of it.

        Parameters
        ----------
        theta : array-like of shape (n_parameters,), default=None
            Parameters of the kernel, as `theta_` has them; None for those of `kernel_`.
        eval_gradient : bool, default=False
            Whether the derivatives with respect to theta are told too.
        clone_kernel : bool, default=True
            Accepted for the sake of scikit-learn; kernels never change.

        Returns
        -------
        float, or a tuple with ndarray of shape (n_parameters,)
            The logarithm, summed over the targets, and its derivatives if they were asked for.

        Examples
        --------
        >>> from mercer import GaussianProcessRegressor
        >>> from mercer.kernels import Gaussian
        >>> model = GaussianProcessRegressor(Gaussian(length_scale=1.0), optimizer=None).fit([[0.0], [1.0]], [0.0, 1.0])
        >>> value, slope = model.log_marginal_likelihood(model.theta_, eval_gradient=True)
        >>> round(value - model.log_marginal_likelihood_value_, 9), slope.round(3)
        (0.0, array([-0.339]))
        """
        check_is_fitted(self, "_process")
        if theta is None:
            if eval_gradient:
                raise ValueError("Gradient can only be evaluated for theta!=None")
            return self.log_marginal_likelihood_value_
        if not hasattr(self, "y_train_"):
            raise ValueError("the targets are not in the file that the model is from: fit it")
        if self.rank_ is not None:
            raise ValueError(f"the likelihood of other parameters is known of exact processes only: this is of rank {self.rank_}")
        formula, slopes = with_theta(self.kernel_, theta)
        if is_structured(self.kernel_):
            value, gradient = self.log_marginal_likelihood_value_, np.zeros(0)
        else:
            targets = np.ascontiguousarray(self.y_train_.reshape(len(self.y_train_), -1))
            rows, noise = as_rows(self.X_train_), self._process.noise
            weights = getattr(self, "_weights", None)
            found = _mercer.process_likelihood(
                rows, targets, weights, formula, noise, bool(eval_gradient), self._means()
            )
            value, gradient = found[0], slopes * found[1] if eval_gradient else None
        return (value, gradient) if eval_gradient else value

    def sample_y(self, X, n_samples=1, random_state=0):
        """Draw functions from the process, and tell their values.

        Parameters
        ----------
        X : array-like of shape (n_samples_X, n_features), or list
            The rows or items.
        n_samples : int, default=1
            How many.
        random_state : int, RandomState instance or None, default=0
            For the draws.

        Returns
        -------
        ndarray of shape (n_samples_X, n_samples) or (n_samples_X, n_targets, n_samples)
            The values.

        Examples
        --------
        >>> from mercer import GaussianProcessRegressor
        >>> GaussianProcessRegressor().sample_y([[0.0], [1.0]], n_samples=3).shape
        (2, 3)
        """
        seed = seed_of(random_state)
        if not hasattr(self, "_process"):
            rows = self._rows(X, reset=True)
            count = 1 if self.n_targets is None else self.n_targets
            drawn = _mercer.sample_prior(self._formula(), rows, n_samples * count, seed, self._means())
        else:
            count = self._process.alpha.shape[1]
            drawn = self._process.sample(self._rows(X), n_samples, seed)
        values = drawn.reshape(n_samples, count, -1).transpose(2, 1, 0)
        return values[:, 0] if count == 1 else values

    def __getstate__(self):
        state = dict(super().__getstate__())
        if "_process" in state:
            state["_process"] = state["_process"].to_bytes()
        return state

    def __setstate__(self, state):
        super().__setstate__(state)
        if isinstance(getattr(self, "_process", None), bytes):
            self._process = _mercer.Process.from_bytes(self._process, thread_count(self.n_jobs))
