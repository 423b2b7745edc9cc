"""Clusters in feature space."""

from numbers import Integral, Real

import numpy as np
from sklearn.base import ClusterMixin, _fit_context
from sklearn.utils._param_validation import Interval, StrOptions

from . import _mercer
from ._docs import documented
from ._learners import ItemMachine
from ._pairwise import NAMES


@documented
class KernelKMeans(ClusterMixin, ItemMachine):
    """Kernel k-means: clusters about means in feature space.

    Parameters
    ----------
    n_clusters : int, default=8
        Number of clusters.
    n_init : int, default=10
        Starts by k-means++, the best of which counts.
    max_iter : int, default=300
        Most rounds of each start.
    random_state : int, RandomState instance or None, default=None
        For the starts.

    Attributes
    ----------
    labels_ : ndarray of shape (n_samples,)
        The cluster of each training item, numbered in the order of their first items.
    inertia_ : float
        The sum of squared distances of the items from their means, in feature space.
    n_iter_ : int
        Rounds of the best start.

    Examples
    --------
    >>> from mercer import KernelKMeans
    >>> model = KernelKMeans(n_clusters=2, random_state=0).fit([[0.0], [0.1], [5.0], [5.2]])
    >>> model.labels_.tolist(), model.predict([[4.0]]).tolist()
    ([0, 0, 1, 1], [1])
    """

    _parameter_constraints = {
        **ItemMachine._parameter_constraints,
        "n_clusters": [Interval(Integral, 1, None, closed="left")],
        "n_init": [Interval(Integral, 1, None, closed="left")],
        "max_iter": [Interval(Integral, 1, None, closed="left")],
        "random_state": ["random_state"],
    }

    def __init__(
        self,
        n_clusters=8,
        *,
        n_init=10,
        max_iter=300,
        random_state=None,
        kernel="linear",
        gamma=None,
        degree=3,
        coef0=1,
        kernel_params=None,
        n_jobs=None,
        memory=None,
    ):
        self.n_clusters = n_clusters
        self.n_init = n_init
        self.max_iter = max_iter
        self.random_state = random_state
        self.kernel = kernel
        self.gamma = gamma
        self.degree = degree
        self.coef0 = coef0
        self.kernel_params = kernel_params
        self.n_jobs = n_jobs
        self.memory = memory

    @_fit_context(prefer_skip_nested_validation=True)
    def fit(self, X, y=None):
        """Find clusters.

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
        >>> from mercer import KernelKMeans
        >>> KernelKMeans(n_clusters=1).fit([[0.0], [2.0]]).inertia_
        2.0
        """
        X = self._checked(X)
        rows = self._given(X)
        found = _mercer.fit_k_means(
            rows,
            self._formula,
            int(self.n_clusters),
            int(self.n_init),
            int(self.max_iter),
            self._seed(),
            self._means(),
        )
        self._keep(X, found)
        converged = found["told"]["converged"][0]
        self._warn_unless(converged, "items still moved between clusters: more max_iter would let it converge")
        return self

    def _tell(self, told):
        self.labels_ = np.asarray(told["clusters"], dtype=np.int32)
        self.inertia_, self.n_iter_ = told["inertia"][0], int(told["rounds"][0])

    def predict(self, X):
        """Tell the cluster whose mean is nearest.

        Parameters
        ----------
        X : {array-like, sparse matrix} of shape (n_samples, n_features) or (n_samples, n_samples_fit), or list of items
            The rows, their kernel values with the training rows, or items.

        Returns
        -------
        ndarray of shape (n_samples,)
            The clusters.

        Examples
        --------
        >>> from mercer import KernelKMeans
        >>> KernelKMeans(n_clusters=2, random_state=0).fit([[0.0], [5.0]]).predict([[1.0], [4.0]]).tolist()
        [0, 1]
        """
        return self._functions(X).argmin(axis=1).astype(np.int32)


@documented
class SpectralClustering(ClusterMixin, ItemMachine):
    """Spectral clustering: items are near where many short steps lead from one to the other.

    The rows of the leading eigenvectors of the normalised kernel matrix, brought to length 1, are clustered by k-means. New items find
    their place among them.

    Parameters
    ----------
    n_clusters : int, default=8
        Number of clusters.
    random_state : int, RandomState instance or None, default=None
        For the starts.
    n_init : int, default=10
        Starts of k-means, the best of which counts.
    gamma : float, default=1.0
        Coefficient of "rbf", "laplacian", "poly", "sigmoid" and "chi2".
    affinity : str, kernel of `mercer.kernels` or callable, default="rbf"
        The kernel, whose values must sum to more than 0 for every item: a name that
        `sklearn.metrics.pairwise.pairwise_kernels` knows, "precomputed", a kernel object, or a callable that is given two rows.

    Attributes
    ----------
    labels_ : ndarray of shape (n_samples,)
        The cluster of each training item, numbered in the order of their first items.
    eigenvalues_ : ndarray of shape (n_clusters,)
        The leading eigenvalues: as many are 1 as there are parts without connection.

    Examples
    --------
    >>> from mercer import SpectralClustering
    >>> model = SpectralClustering(n_clusters=2, random_state=0).fit([[0.0], [0.1], [5.0], [5.2]])
    >>> model.labels_.tolist(), model.predict([[4.8]]).tolist()
    ([0, 0, 1, 1], [1])
    """

    _parameter_constraints = {
        **{name: of for name, of in ItemMachine._parameter_constraints.items() if name != "kernel"},
        "n_clusters": [Interval(Integral, 1, None, closed="left")],
        "random_state": ["random_state"],
        "n_init": [Interval(Integral, 1, None, closed="left")],
        "gamma": [Interval(Real, 0, None, closed="left")],
        "affinity": [StrOptions(NAMES), callable],
    }

    def __init__(
        self,
        n_clusters=8,
        *,
        random_state=None,
        n_init=10,
        gamma=1.0,
        affinity="rbf",
        degree=3,
        coef0=1,
        kernel_params=None,
        n_jobs=None,
        memory=None,
    ):
        self.n_clusters = n_clusters
        self.random_state = random_state
        self.n_init = n_init
        self.gamma = gamma
        self.affinity = affinity
        self.degree = degree
        self.coef0 = coef0
        self.kernel_params = kernel_params
        self.n_jobs = n_jobs
        self.memory = memory

    @property
    def kernel(self):
        """The affinity, as other machines call it.

        Returns
        -------
        str, kernel of `mercer.kernels` or callable
            The affinity.

        Examples
        --------
        >>> from mercer import SpectralClustering
        >>> SpectralClustering(affinity="laplacian").kernel
        'laplacian'
        """
        return self.affinity

    @_fit_context(prefer_skip_nested_validation=True)
    def fit(self, X, y=None):
        """Find clusters.

        Parameters
        ----------
        X : {array-like, sparse matrix} of shape (n_samples, n_features) or (n_samples, n_samples), or list of items
            Training rows; kernel values for `affinity="precomputed"`; items for kernels on such.
        y : Ignored, default=None
            Not used.

        Returns
        -------
        object
            The fitted estimator.

        Examples
        --------
        >>> from mercer import SpectralClustering
        >>> SpectralClustering(n_clusters=2).fit([[0.0], [9.0]]).eigenvalues_.round(6)
        array([1., 1.])
        """
        X = self._checked(X)
        rows = self._given(X)
        found = _mercer.fit_spectral(
            rows, self._formula, int(self.n_clusters), int(self.n_init), self._seed(), self._means()
        )
        self._keep(X, found)
        return self

    def _tell(self, told):
        self.labels_ = np.asarray(told["clusters"], dtype=np.int32)
        self.eigenvalues_ = np.asarray(told["values"])
        self._centres = np.asarray(told["centres"]).reshape(-1, len(self.eigenvalues_))

    def predict(self, X):
        """Tell the cluster of items.

        Parameters
        ----------
        X : {array-like, sparse matrix} of shape (n_samples, n_features) or (n_samples, n_samples_fit), or list of items
            The rows, their kernel values with the training rows, or items.

        Returns
        -------
        ndarray of shape (n_samples,)
            The clusters.

        Examples
        --------
        >>> from mercer import SpectralClustering
        >>> SpectralClustering(n_clusters=2).fit([[0.0], [9.0]]).predict([[0.5], [8.0]]).tolist()
        [0, 1]
        """
        places = self._functions(X)
        length = np.linalg.norm(places, axis=1, keepdims=True)
        places = np.divide(places, length, out=np.zeros_like(places), where=length > 0)
        return ((places[:, None, :] - self._centres) ** 2).sum(axis=2).argmin(axis=1).astype(np.int32)
