"""A sphere cut by a slab."""

from numbers import Integral, Real

import numpy as np
from sklearn.base import OutlierMixin, _fit_context
from sklearn.utils._param_validation import Interval

from . import _mercer
from ._docs import documented
from ._kernel_machine import is_function
from ._learners import ItemMachine


@documented
class SphereAndSlab(OutlierMixin, ItemMachine):
    """Novelty detection by a sphere of feature space cut by a slab, for items that lie near a plane of it.

    Known is what is inside the smallest sphere about the training items, and not farther from their first principal components than
    they are themselves; up to a share of them, half of it for each of the two.

    Parameters
    ----------
    n_components : int, default=2
        Dimensions of the plane: principal components of the kernel.
    outside : float, default=0.1
        The share of the training items that may be outside.
    kernel : str or kernel of `mercer.kernels`, default="rbf"
        The kernel, by scikit-learn's name or as an object, on structured items too.

    Attributes
    ----------
    radius_ : float
        The radius of the sphere.
    thickness_ : float
        The largest squared distance from the plane that counts as known.
    offset_ : float
        What `score_samples` is above for known items: 0.
    n_components_ : int
        Dimensions of the plane; fewer than asked for where the kernel matrix has no more.

    Examples
    --------
    >>> import numpy as np
    >>> from mercer import SphereAndSlab
    >>> X = np.column_stack([np.linspace(-1, 1, 41), np.zeros(41)])
    >>> model = SphereAndSlab(1, kernel="linear").fit(X)
    >>> model.predict([[0.3, 0.0], [0.3, 0.3], [3.0, 0.0]])
    array([ 1, -1, -1])
    """

    _parameter_constraints = {
        **{name: rule for name, rule in ItemMachine._parameter_constraints.items() if name != "kernel_params"},
        "n_components": [Interval(Integral, 1, None, closed="left")],
        "outside": [Interval(Real, 0, 1, closed="neither")],
    }

    def __init__(
        self, n_components=2, *, outside=0.1, kernel="rbf", gamma=None, degree=3, coef0=1, n_jobs=None, memory=None
    ):
        self.n_components = n_components
        self.outside = outside
        self.kernel = kernel
        self.gamma = gamma
        self.degree = degree
        self.coef0 = coef0
        self.n_jobs = n_jobs
        self.memory = memory

    @_fit_context(prefer_skip_nested_validation=True)
    def fit(self, X, y=None):
        """Find the sphere and the slab.

        Parameters
        ----------
        X : {array-like, sparse matrix} of shape (n_samples, n_features), or list of items
            Training rows; items for kernels on such. Kernel values do not do, since those of new items with themselves are needed.
        y : object, default=None
            Ignored, there for the sake of scikit-learn.

        Returns
        -------
        object
            The fitted estimator.

        Examples
        --------
        >>> from mercer import SphereAndSlab
        >>> SphereAndSlab(1, kernel="linear").fit([[0.0, 0.0], [1.0, 1.0], [2.0, 2.0]]).n_components_
        1
        """
        if is_function(self.kernel) or (isinstance(self.kernel, str) and self.kernel == "precomputed"):
            raise ValueError(
                "SphereAndSlab needs the kernel of new items with themselves: it takes kernels by name and those of"
                " mercer.kernels, not values or functions of Python's"
            )
        X = self._checked(X)
        rows = self._given(X)
        self._machine = _mercer.fit_slab(rows, self._formula, int(self.n_components), float(self.outside), self._means())
        self._formula = self._machine.kernel
        self.X_fit_ = X
        self._tell(self._machine.told)
        return self

    def _tell(self, told):
        self.radius_, self.thickness_, self.offset_ = told["radius"][0], told["thickness"][0], 0.0
        self.n_components_ = int(told["components"][0])

    def decision_function(self, X):
        """Score items: below 0 outside of the sphere or of the slab.

        Parameters
        ----------
        X : {array-like, sparse matrix} of shape (n_samples, n_features), or list of items
            The rows or items.

        Returns
        -------
        ndarray of shape (n_samples,)
            Squared distances from the nearer of the two surfaces; inside of both the smaller one.

        Examples
        --------
        >>> from mercer import SphereAndSlab
        >>> model = SphereAndSlab(1, kernel="linear").fit([[0.0, 0.0], [1.0, 1.0], [2.0, 2.0]])
        >>> bool(model.decision_function([[1.0, 3.0]])[0] < 0)
        True
        """
        return self._functions(X).ravel()

    def score_samples(self, X):
        """Score items as `decision_function` does: `offset_` is 0.

        Parameters
        ----------
        X : {array-like, sparse matrix} of shape (n_samples, n_features), or list of items
            The rows or items.

        Returns
        -------
        ndarray of shape (n_samples,)
            The scores.

        Examples
        --------
        >>> from mercer import SphereAndSlab
        >>> model = SphereAndSlab(1, kernel="linear").fit([[0.0, 0.0], [1.0, 1.0], [2.0, 2.0]])
        >>> bool((model.score_samples([[1.0, 1.0]]) == model.decision_function([[1.0, 1.0]])).all())
        True
        """
        return self.decision_function(X)

    def predict(self, X):
        """Tell whether items are known.

        Parameters
        ----------
        X : {array-like, sparse matrix} of shape (n_samples, n_features), or list of items
            The rows or items.

        Returns
        -------
        ndarray of shape (n_samples,)
            1 for what is known, -1 for what is novel.

        Examples
        --------
        >>> from mercer import SphereAndSlab
        >>> SphereAndSlab(1, kernel="linear").fit([[0.0, 0.0], [1.0, 1.0], [2.0, 2.0]]).predict([[9.0, 0.0]])
        array([-1])
        """
        return np.where(self.decision_function(X) >= 0, 1, -1)
