"""Novelty detection."""

from numbers import Real

import numpy as np
from sklearn.base import OutlierMixin, _fit_context
from sklearn.utils._param_validation import Interval, StrOptions
from sklearn.utils.validation import _num_samples

from . import _mercer
from ._docs import documented
from ._estimator import SupportVectorMachine, checked_weights
from ._regions import TunableRegion


class _Detector(OutlierMixin, TunableRegion, SupportVectorMachine):
    def _machine(self):
        raise NotImplementedError

    @_fit_context(prefer_skip_nested_validation=True)
    def fit(self, X, y=None, sample_weight=None):
        """Find the region of the rows of X.

        Parameters
        ----------
        X : {array-like, sparse matrix} of shape (n_samples, n_features) or (n_samples, n_samples)
            Training rows; kernel values for `kernel="precomputed"`; anything that it understands for a callable.
        y : object, default=None
            Ignored, there for the sake of scikit-learn.
        sample_weight : array-like of shape (n_samples,), default=None
            Weights of the rows: one of weight 2 counts as if it stood there twice, one of weight 0 as if it did not.

        Returns
        -------
        object
            The fitted estimator.

        Examples
        --------
        >>> from mercer import OneClassSVM
        >>> model = OneClassSVM(nu=0.5, gamma=1.0).fit([[0.0], [0.1], [0.2], [9.0]], sample_weight=[1, 1, 1, 0])
        >>> model.predict([[0.1], [9.0]])
        array([ 1, -1])
        """
        X, _ = self._check_rows(X, None)
        weights = checked_weights(sample_weight, _num_samples(X))
        self._gamma = self._resolved_gamma(X, weights)
        model = _mercer.fit_detector(
            self._engine_rows(X),
            weights,
            {"kernel": self._formula(), **self._machine()},
            self._options(),
            self._earlier(),
        )
        self._keep(model)
        return self

    def score_samples(self, X):
        """Score the rows of X before the threshold `offset_` is taken off.

        Parameters
        ----------
        X : {array-like, sparse matrix} of shape (n_samples, n_features) or (n_samples, n_samples_fit)
            The rows.

        Returns
        -------
        ndarray of shape (n_samples,)
            The higher, the more like the training rows.

        Examples
        --------
        >>> import numpy as np
        >>> from mercer import SVDD
        >>> model = SVDD(kernel="linear", C=np.inf).fit([[0.0], [2.0]])
        >>> model.score_samples([[1.5], [3.0]]).round(2)
        array([-0.25, -4.  ])
        """
        return self.decision_function(X) + self.offset_

    def predict(self, X):
        """Tell whether the rows of X lie in the region.

        Parameters
        ----------
        X : {array-like, sparse matrix} of shape (n_samples, n_features) or (n_samples, n_samples_fit)
            The rows.

        Returns
        -------
        ndarray of shape (n_samples,)
            1 for rows in the region (their decision value is above 0), -1 for others.

        Examples
        --------
        >>> import numpy as np
        >>> from mercer import SVDD
        >>> model = SVDD(kernel="linear", C=np.inf).fit([[0.0], [2.0]])
        >>> model.predict([[1.5], [3.0]])
        array([ 1, -1])
        """
        return np.where(self.decision_function(X) >= 0, 1, -1).astype(np.intp)


@documented
class OneClassSVM(_Detector):
    """The half-space farthest from the origin that holds all rows but a share ν.

    Parameters
    ----------
    nu : float, default=0.5
        At most this share of the rows lies outside, and at least this share outside or on the surface.

    Attributes
    ----------
    offset_ : ndarray of shape (1,)
        The threshold: `score_samples` is `decision_function` plus it.
    intercept_ : ndarray of shape (1,)
        Minus `offset_`.

    Examples
    --------
    >>> from mercer import OneClassSVM
    >>> model = OneClassSVM(gamma="auto").fit([[0.0], [0.44], [0.45], [0.46], [1.0]])
    >>> model.predict([[0.45], [3.0]])
    array([ 1, -1])
    """

    _parameter_constraints = {
        **_Detector._parameter_constraints,
        "nu": [Interval(Real, 0.0, 1.0, closed="right")],
    }

    def __init__(
        self,
        *,
        kernel="rbf",
        degree=3,
        gamma="scale",
        coef0=0.0,
        tol=1e-3,
        nu=0.5,
        shrinking=True,
        cache_size=200,
        verbose=False,
        max_iter=-1,
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
        self.nu = nu
        self.shrinking = shrinking
        self.cache_size = cache_size
        self.verbose = verbose
        self.max_iter = max_iter
        self.max_time = max_time
        self.n_jobs = n_jobs
        self.precision = precision
        self.warm_start = warm_start

    def _machine(self):
        return {"region": "hyperplane", "softness": "nu", "parameter": float(self.nu)}

    def _adopt(self, model):
        super()._adopt(model)
        threshold, _, edge, scale = model.region
        # LIBSVM's coefficients sum to νℓ, the engine's to 1. Rows on the surface, to the accuracy of the solver, are inside.
        self.dual_coef_ = self._aligned(np.ascontiguousarray(scale * model.coefficients.T))
        self.offset_ = np.array([scale * (threshold - edge)])
        self.intercept_ = -self.offset_

    def decision_function(self, X):
        """Compute the signed distance of the rows of X from the surface, but for a factor.

        Parameters
        ----------
        X : {array-like, sparse matrix} of shape (n_samples, n_features) or (n_samples, n_samples_fit)
            The rows.

        Returns
        -------
        ndarray of shape (n_samples,)
            The values: positive inside.

        Examples
        --------
        >>> from mercer import OneClassSVM
        >>> model = OneClassSVM(gamma="auto").fit([[0.0], [0.44], [0.45], [0.46], [1.0]])
        >>> model.decision_function([[0.45], [3.0]]) > 0
        array([ True, False])
        """
        rows = self._check_for_predict(X)
        model = self._engine()
        threshold, _, edge, scale = model.region
        # The score is the value without threshold and edge. The difference is taken last, so that adding the threshold again gives the very score.
        return scale * (model.decision_values(rows)[:, 0] - edge + threshold) - self.offset_


@documented
class SVDD(_Detector):
    """Support vector data description: the smallest sphere about the rows, or all but a share ν of them.

    Parameters
    ----------
    nu : float, default=0.5
        At most this share of the rows lies outside, and at least this share outside or on the surface. Without meaning if
        `C` is given.
    C : float, default=None
        What a unit of slack costs instead; `np.inf` for the sphere about all rows.
    loss : {"hinge", "squared_hinge"}, default="hinge"
        Slack ξ costs Cξ or Cξ² (which needs `C`).
    kernel : {"linear", "poly", "rbf", "sigmoid"} or kernel of `mercer.kernels`, default="rbf"
        The kernel. Kernel values alone do not tell how far new rows are from the centre.

    Attributes
    ----------
    radius_ : float
        Radius of the sphere in the feature space; 0 where its square is negative, as with ``loss='squared_hinge'`` and so
        low a C that every row lies outside.
    offset_ : float
        Minus the square of the radius: `score_samples` is minus the squared distance from the centre.
    dual_coef_ : ndarray or sparse matrix of shape (1, n_SV)
        Coefficients of the support vectors: the centre is their sum with these factors.
    coef_ : ndarray or sparse matrix of shape (1, n_features)
        The centre, for `kernel="linear"`.

    Examples
    --------
    >>> import numpy as np
    >>> from mercer import SVDD
    >>> model = SVDD(kernel="linear", C=np.inf).fit([[0.0, 0.0], [2.0, 0.0], [1.0, 0.5]])
    >>> round(model.radius_, 3)
    1.0
    >>> model.predict([[1.0, 0.9], [1.0, 1.1]])
    array([ 1, -1])
    """

    _parameter_constraints = {
        **_Detector._parameter_constraints,
        "nu": [Interval(Real, 0.0, 1.0, closed="right")],
        "C": [Interval(Real, 0.0, None, closed="right"), None],
        "loss": [StrOptions({"hinge", "squared_hinge"})],
    }

    def __init__(
        self,
        *,
        kernel="rbf",
        degree=3,
        gamma="scale",
        coef0=0.0,
        tol=1e-3,
        nu=0.5,
        C=None,
        loss="hinge",
        shrinking=True,
        cache_size=200,
        verbose=False,
        max_iter=-1,
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
        self.nu = nu
        self.C = C
        self.loss = loss
        self.shrinking = shrinking
        self.cache_size = cache_size
        self.verbose = verbose
        self.max_iter = max_iter
        self.max_time = max_time
        self.n_jobs = n_jobs
        self.precision = precision
        self.warm_start = warm_start

    def _machine(self):
        if self._takes_values():
            raise ValueError(
                "SVDD needs k(x, x) of new rows, which kernel values with the training rows do not tell:"
                " use a kernel of mercer.kernels"
            )
        if self.C is None:
            if self.loss == "squared_hinge":
                raise ValueError("SVDD with loss='squared_hinge' needs C")
            return {"region": "sphere", "softness": "nu", "parameter": float(self.nu)}
        if np.isinf(self.C):
            return {"region": "sphere", "softness": "hard", "parameter": 0.0}
        softness = "squared" if self.loss == "squared_hinge" else "cost"
        return {"region": "sphere", "softness": softness, "parameter": float(self.C)}

    def _adopt(self, model):
        super()._adopt(model)
        threshold, _, edge, _ = model.region
        # Rows on the surface, to the accuracy of the solver, are inside.
        square = threshold + edge
        self.dual_coef_ = self._aligned(np.ascontiguousarray(model.coefficients.T))
        self.radius_ = float(np.sqrt(max(square, 0.0)))
        self.offset_ = -square

    def decision_function(self, X):
        """Compute the square of the radius less that of the distance of each row of X from the centre.

        Parameters
        ----------
        X : {array-like, sparse matrix} of shape (n_samples, n_features)
            The rows.

        Returns
        -------
        ndarray of shape (n_samples,)
            The values: positive inside.

        Examples
        --------
        >>> import numpy as np
        >>> from mercer import SVDD
        >>> model = SVDD(kernel="linear", C=np.inf).fit([[0.0], [2.0]])
        >>> model.decision_function([[1.5], [3.0]]).round(2)
        array([ 0.75, -3.  ])
        """
        rows = self._check_for_predict(X)
        model = self._engine()
        threshold, _, edge, _ = model.region
        return (model.decision_values(rows)[:, 0] - edge - threshold) - self.offset_
