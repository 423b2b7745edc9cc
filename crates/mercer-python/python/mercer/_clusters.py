"""Clusters in feature space."""

from numbers import Integral, Real

import numpy as np
import scipy.sparse as sp
from sklearn.base import ClusterMixin, _fit_context
from sklearn.neighbors import NearestNeighbors
from sklearn.utils._param_validation import Interval, StrOptions

from . import _mercer
from ._docs import documented
from ._estimator import checked_weights, status_of
from ._learners import ItemMachine, count
from ._pairwise import NAMES

# A share below which there is nothing but rounding.
_NOTHING = 1e-9
# Rows whose nearest neighbors are looked for at a time.
_AT_ONCE = 512
_TOO_FEW = "there are fewer different items than clusters: how equal ones are divided means nothing"


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
    status_ : str
        "converged", or "stopped at the iteration limit" if items still moved in the last round of the best start.
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
    def fit(self, X, y=None, sample_weight=None):
        """Find clusters.

        Parameters
        ----------
        X : {array-like, sparse matrix} of shape (n_samples, n_features) or (n_samples, n_samples), or list of items
            Training rows; kernel values for `kernel="precomputed"`; items for kernels on such.
        y : Ignored, default=None
            Not used.
        sample_weight : array-like of shape (n_samples,), default=None
            Weights of the rows: one of weight 2 counts as if it stood there twice, one of weight 0 as if it did not, but
            for the cluster in `labels_` that it is nearest to.

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
        weights = checked_weights(sample_weight, count(X))
        rows = self._given(X)
        found = _mercer.fit_k_means(
            rows,
            weights,
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
        self._warn_unless(self._are_apart(X), _TOO_FEW)
        return self

    def _are_apart(self, X):
        """Whether no two clusters have the same mean."""
        size = abs(np.asarray(self._machine.expansion[1])).max()
        if self.inertia_ > _NOTHING * size * len(self.labels_):
            return True
        # All items are where their means are. Those of one place go to the first cluster that is there.
        far = self._functions(X)
        nearest = far.min(axis=1, keepdims=True)
        return len(np.unique((far <= nearest + _NOTHING * size).argmax(axis=1))) == far.shape[1]

    def _tell(self, told):
        self.labels_ = np.asarray(told["clusters"], dtype=np.int32)
        self.inertia_, self.n_iter_ = told["inertia"][0], int(told["rounds"][0])
        self.status_ = status_of(told["converged"][0])

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
    eigen_solver : {"arpack", "lobpcg", "amg"}, default=None
        Accepted for the sake of scikit-learn; the engine has a solver of its own, whose vectors are the same.
    n_components : int, default=None
        Number of eigenvectors that items are placed by; None for `n_clusters`.
    random_state : int, RandomState instance or None, default=None
        For the starts.
    n_init : int, default=10
        Starts of k-means, the best of which counts.
    gamma : float, default=1.0
        Coefficient of "rbf", "laplacian", "poly", "sigmoid" and "chi2".
    affinity : str, kernel of `mercer.kernels` or callable, default="rbf"
        The kernel, whose values must sum to more than 0 for every item: a name that
        `sklearn.metrics.pairwise.pairwise_kernels` knows, "precomputed", a kernel object, or a callable that is given two matrices of rows
        and returns the matrix of their kernel values (`mercer.kernels.Pairwise` makes one of a function of two rows); or
        "nearest_neighbors": 1 for two rows each of which is among the nearest of the other, ½ if one of them is, else 0.
    n_neighbors : int, default=10
        How many rows are the nearest, each of them one of its own, for "nearest_neighbors".
    eigen_tol : float, default="auto"
        Accepted for the sake of scikit-learn; eigenvectors are found to the engine's precision.
    assign_labels : {"kmeans"}, default="kmeans"
        How clusters are found where the items are placed. New items go to the nearest mean; scikit-learn's "discretize" and
        "cluster_qr" have none.
    verbose : bool, default=False
        Accepted for the sake of scikit-learn; nothing is printed.

    Attributes
    ----------
    labels_ : ndarray of shape (n_samples,)
        The cluster of each training item, numbered in the order of their first items.
    eigenvalues_ : ndarray of shape (n_components,)
        The leading eigenvalues: as many are 1 as there are parts without connection.
    affinity_matrix_ : {ndarray, sparse matrix} of shape (n_samples, n_samples)
        The values of the affinity for all pairs of training items, computed when they are asked for.

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
        "eigen_solver": [StrOptions({"arpack", "lobpcg", "amg"}), None],
        "n_components": [Interval(Integral, 1, None, closed="left"), None],
        "random_state": ["random_state"],
        "n_init": [Interval(Integral, 1, None, closed="left")],
        "gamma": [Interval(Real, 0, None, closed="left")],
        "affinity": [StrOptions({*NAMES, "nearest_neighbors"}), callable],
        "n_neighbors": [Interval(Integral, 1, None, closed="left")],
        "eigen_tol": [Interval(Real, 0, None, closed="left"), StrOptions({"auto"})],
        "assign_labels": [StrOptions({"kmeans"})],
        "verbose": ["boolean"],
    }

    def __init__(
        self,
        n_clusters=8,
        *,
        eigen_solver=None,
        n_components=None,
        random_state=None,
        n_init=10,
        gamma=1.0,
        affinity="rbf",
        n_neighbors=10,
        eigen_tol="auto",
        assign_labels="kmeans",
        degree=3,
        coef0=1,
        kernel_params=None,
        n_jobs=None,
        verbose=False,
        memory=None,
    ):
        self.n_clusters = n_clusters
        self.eigen_solver = eigen_solver
        self.n_components = n_components
        self.random_state = random_state
        self.n_init = n_init
        self.gamma = gamma
        self.affinity = affinity
        self.n_neighbors = n_neighbors
        self.eigen_tol = eigen_tol
        self.assign_labels = assign_labels
        self.degree = degree
        self.coef0 = coef0
        self.kernel_params = kernel_params
        self.n_jobs = n_jobs
        self.verbose = verbose
        self.memory = memory

    @property
    def _metric(self):
        return self.affinity

    @property
    def affinity_matrix_(self):
        """The values of the affinity for all pairs of training items, computed when they are asked for.

        Returns
        -------
        {ndarray, sparse matrix} of shape (n_samples, n_samples)
            The values; a sparse matrix for "nearest_neighbors".

        Examples
        --------
        >>> from mercer import SpectralClustering
        >>> SpectralClustering(n_clusters=2).fit([[0.0], [9.0]]).affinity_matrix_.round(6)
        array([[1., 0.],
               [0., 1.]])
        """
        if not hasattr(self, "_machine"):
            raise AttributeError(f"{type(self).__name__} is not fitted: it has no affinity_matrix_")
        if hasattr(self, "_graph"):
            return self._graph
        items = self._fitted_items()
        return items if self._formula is None else _mercer.gram(self._formula, items)

    def _given(self, X):
        self.__dict__.pop("_graph", None)
        if not self._is_of_neighbours():
            return super()._given(X)
        n, allowed = X.shape[0], self._means()["memory"]
        if allowed is not None and 8 * n**2 > allowed:
            raise MemoryError(f"the graph of {n} rows needs {8 * n**2} bytes, and {allowed} are allowed: allow more memory")
        most = min(int(self.n_neighbors), n)
        finder = NearestNeighbors(n_neighbors=most, n_jobs=self.n_jobs).fit(X)
        # Between two pieces Ctrl-C is heard.
        pieces = [finder.kneighbors_graph(X[start : start + _AT_ONCE]) for start in range(0, n, _AT_ONCE)]
        among = sp.vstack(pieces, format="csr")
        self._formula, self._graph = None, 0.5 * (among + among.T)
        values = np.zeros((n, n))
        for start in range(0, n, _AT_ONCE):
            self._graph[start : start + _AT_ONCE].toarray(out=values[start : start + _AT_ONCE])
        return values

    def _is_of_neighbours(self):
        return isinstance(self.affinity, str) and self.affinity == "nearest_neighbors"

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
        clusters = int(self.n_clusters)
        components = clusters if self.n_components is None else int(self.n_components)
        found = _mercer.fit_spectral(
            rows, self._formula, clusters, components, int(self.n_init), self._seed(), self._means()
        )
        self._keep(X, found)
        self._warn_unless(self.eigenvalues_.min() > _NOTHING, _TOO_FEW)
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
        if self._is_of_neighbours():
            raise ValueError('affinity="nearest_neighbors": new rows are no part of the graph; take a kernel, or fit_predict')
        places = self._functions(X)
        length = np.linalg.norm(places, axis=1, keepdims=True)
        places = np.divide(places, length, out=np.zeros_like(places), where=length > 0)
        return ((places[:, None, :] - self._centres) ** 2).sum(axis=2).argmin(axis=1).astype(np.int32)
