"""Support vector regression."""

from numbers import Real

import numpy as np
from sklearn.base import RegressorMixin, _fit_context
from sklearn.utils._param_validation import Interval, StrOptions
from sklearn.utils.validation import _num_samples, column_or_1d

from . import _mercer
from ._docs import documented
from ._estimator import INFINITE_COST, SupportVectorMachine, checked_weights, search_rows
from ._tuning import Tunable


class _Regressor(RegressorMixin, Tunable, SupportVectorMachine):
    """What regressions share.

    Attributes
    ----------
    tube_ : float
        ε, half the width of the tube.
    intercept_ : ndarray of shape (1,)
        The offset.
    """

    def _machine(self):
        raise NotImplementedError

    @_fit_context(prefer_skip_nested_validation=True)
    def fit(self, X, y, sample_weight=None):
        """Fit the regression.

        Parameters
        ----------
        X : {array-like, sparse matrix} of shape (n_samples, n_features) or (n_samples, n_samples)
            Training rows; kernel values for `kernel="precomputed"`; anything that it understands for a callable.
        y : array-like of shape (n_samples,)
            Targets.
        sample_weight : array-like of shape (n_samples,), default=None
            Weights of the rows: one of weight 2 counts as if it stood there twice, one of weight 0 as if it did not.

        Returns
        -------
        object
            The fitted estimator.

        Examples
        --------
        >>> from mercer import SVR
        >>> X, y = [[0.0], [1.0], [2.0], [3.0]], [0.0, 1.0, 2.0, 9.0]
        >>> model = SVR(kernel="linear", C=100.0).fit(X, y, sample_weight=[1, 1, 1, 0])
        >>> model.coef_.round(2)
        array([[0.9]])
        """
        X, y = self._check_rows(X, y)
        targets = np.ascontiguousarray(column_or_1d(y, warn=True), dtype=np.float64)
        weights = checked_weights(sample_weight, _num_samples(X))
        self._gamma = self._resolved_gamma(X, weights)
        model = _mercer.fit_regression(
            self._engine_rows(X),
            targets,
            weights,
            {"kernel": self._formula(), "cost": self._cost(), **self._machine()},
            self._options(),
            self._earlier(),
        )
        self._keep(model)
        return self

    def _cost(self):
        return INFINITE_COST if self.C == np.inf else float(self.C)

    def _tried(self, X, y, weights, wanted):
        """A search of the engine's with this machine."""
        targets = np.ascontiguousarray(column_or_1d(y, warn=True), dtype=np.float64)
        machine = {"kernel": None, "cost": self._cost(), **self._machine()}
        search = _mercer.judge_regression if "criterion" in wanted else _mercer.search_regression
        return search(search_rows(X), targets, weights, machine, self._options(), wanted)

    def _usual_costs(self, kernel, X, y, weights):
        targets = np.ascontiguousarray(column_or_1d(y, warn=True), dtype=np.float64)
        costs = _mercer.costs_for_numbers(kernel, search_rows(X), targets, weights, self._options())
        mean = np.average(targets, weights=weights)
        spread = np.sqrt(np.average((targets - mean) ** 2, weights=weights)) or 1.0
        return [float(f"{cost * spread:.2g}") for cost in costs]

    def _adopt(self, model):
        super()._adopt(model)
        self.dual_coef_ = self._aligned(np.ascontiguousarray(model.coefficients.T))
        self.intercept_ = np.asarray(model.offsets)
        self.tube_ = model.tube

    def predict(self, X):
        """Predict the targets of the rows of X.

        Parameters
        ----------
        X : {array-like, sparse matrix} of shape (n_samples, n_features) or (n_samples, n_samples_fit)
            The rows.

        Returns
        -------
        ndarray of shape (n_samples,)
            The predicted values.

        Examples
        --------
        >>> from mercer import SVR
        >>> model = SVR(kernel="linear", C=100.0, epsilon=0.0).fit([[0.0], [1.0], [2.0]], [0.0, 1.0, 2.0])
        >>> model.predict([[0.5], [3.0]]).round(2)
        array([0.5, 3. ])
        """
        rows = self._check_for_predict(X)
        return self._engine().decision_values(rows)[:, 0]


@documented
class SVR(_Regressor):
    """Support vector regression with a tube of residuals that cost nothing.

    Minimises ½‖w‖² + C Σ loss(y − f(x)) over f(x) = ⟨w, φ(x)⟩ + b.

    Parameters
    ----------
    C : float, default=1.0
        What a unit of loss costs; `np.inf` counts as 1e7.
    epsilon : float, default=0.1
        Residuals up to it cost nothing; with the loss "huber" they cost their square up to it.
    loss : {"epsilon_insensitive", "squared_epsilon_insensitive", "huber", "pinball"}, default="epsilon_insensitive"
        max(|r| − ε, 0); half its square; half the square of the residual up to ε and linear beyond; or the loss of a quantile.
    quantile : float, default=0.5
        The quantile that "pinball" fits.

    Examples
    --------
    >>> from mercer import SVR
    >>> model = SVR(kernel="linear", C=10.0, epsilon=0.1).fit([[0.0], [1.0], [2.0]], [0.0, 1.0, 2.0])
    >>> model.predict([[1.5]]).round(2)
    array([1.45])
    """

    _parameter_constraints = {
        **_Regressor._parameter_constraints,
        "C": [Interval(Real, 0.0, None, closed="right")],
        "epsilon": [Interval(Real, 0.0, None, closed="left")],
        "loss": [StrOptions({"epsilon_insensitive", "squared_epsilon_insensitive", "huber", "pinball"})],
        "quantile": [Interval(Real, 0.0, 1.0, closed="neither")],
    }

    def __init__(
        self,
        *,
        kernel="rbf",
        degree=3,
        gamma="scale",
        coef0=0.0,
        tol=1e-3,
        C=1.0,
        epsilon=0.1,
        shrinking=True,
        cache_size=200,
        verbose=False,
        max_iter=-1,
        loss="epsilon_insensitive",
        quantile=0.5,
        max_time=None,
        n_jobs=None,
        precision="auto",
        warm_start=False,
    ):
        self.kernel = kernel
        self.degree = degree
        self.gamma = gamma
        self.coef0 = coef0
        self.tol = tol
        self.C = C
        self.epsilon = epsilon
        self.shrinking = shrinking
        self.cache_size = cache_size
        self.verbose = verbose
        self.max_iter = max_iter
        self.loss = loss
        self.quantile = quantile
        self.max_time = max_time
        self.n_jobs = n_jobs
        self.precision = precision
        self.warm_start = warm_start

    def _machine(self):
        parameter = self.quantile if self.loss == "pinball" else self.epsilon
        return {"loss": self.loss, "parameter": float(parameter)}

    def _usual_metric(self):
        machine = self._machine()
        if machine["loss"] in ("pinball", "huber"):
            return f"{machine['loss']}({machine['parameter']})", -1.0
        return super()._usual_metric()


@documented
class NuSVR(_Regressor):
    """Support vector regression that finds the tube: at most a share ν of the rows lies outside.

    Parameters
    ----------
    nu : float, default=0.5
        The share, above 0 and at most 1.
    C : float, default=1.0
        What a unit of residual outside of the tube costs; `np.inf` counts as 1e7.

    Attributes
    ----------
    tube_ : float
        The tube ε that was found.

    Examples
    --------
    >>> from mercer import NuSVR
    >>> model = NuSVR(kernel="linear", C=10.0).fit([[0.0], [1.0], [2.0], [3.0]], [0.0, 1.1, 1.9, 3.0])
    >>> model.predict([[1.5]]).round(1)
    array([1.5])
    """

    _parameter_constraints = {
        **_Regressor._parameter_constraints,
        "C": [Interval(Real, 0.0, None, closed="right")],
        "nu": [Interval(Real, 0.0, 1.0, closed="right")],
    }

    def __init__(
        self,
        *,
        nu=0.5,
        C=1.0,
        kernel="rbf",
        degree=3,
        gamma="scale",
        coef0=0.0,
        shrinking=True,
        tol=1e-3,
        cache_size=200,
        verbose=False,
        max_iter=-1,
        max_time=None,
        n_jobs=None,
        precision="auto",
        warm_start=False,
    ):
        self.nu = nu
        self.C = C
        self.kernel = kernel
        self.degree = degree
        self.gamma = gamma
        self.coef0 = coef0
        self.shrinking = shrinking
        self.tol = tol
        self.cache_size = cache_size
        self.verbose = verbose
        self.max_iter = max_iter
        self.max_time = max_time
        self.n_jobs = n_jobs
        self.precision = precision
        self.warm_start = warm_start

    def _machine(self):
        return {"loss": "nu", "parameter": float(self.nu)}
