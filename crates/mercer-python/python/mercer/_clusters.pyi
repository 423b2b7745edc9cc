from collections.abc import Callable
from typing import Any

from numpy.typing import NDArray
from sklearn.base import ClusterMixin
from typing_extensions import Self

from ._learners import ItemMachine
from .kernels import Kernel

class KernelKMeans(ClusterMixin, ItemMachine):
    labels_: NDArray[Any]
    inertia_: float
    n_iter_: int
    status_: str
    def __init__(
        self,
        n_clusters: int = 8,
        *,
        n_init: int = 10,
        max_iter: int = 300,
        random_state: Any = None,
        kernel: str | Kernel | Callable[..., Any] = "linear",
        gamma: float | None = None,
        degree: float = 3,
        coef0: float = 1,
        kernel_params: dict[str, Any] | None = None,
        n_jobs: int | None = None,
        memory: float | None = None,
    ) -> None: ...
    def fit(self, X: Any, y: Any = None, sample_weight: Any = None) -> Self: ...
    def predict(self, X: Any) -> NDArray[Any]: ...

class SpectralClustering(ClusterMixin, ItemMachine):
    labels_: NDArray[Any]
    eigenvalues_: NDArray[Any]
    def __init__(
        self,
        n_clusters: int = 8,
        *,
        eigen_solver: str | None = None,
        n_components: int | None = None,
        random_state: Any = None,
        n_init: int = 10,
        gamma: float = 1.0,
        affinity: str | Kernel | Callable[..., Any] = "rbf",
        n_neighbors: int = 10,
        eigen_tol: float | str = "auto",
        assign_labels: str = "kmeans",
        degree: float = 3,
        coef0: float = 1,
        kernel_params: dict[str, Any] | None = None,
        n_jobs: int | None = None,
        verbose: bool = False,
        memory: float | None = None,
    ) -> None: ...
    @property
    def affinity_matrix_(self) -> Any: ...
    def fit(self, X: Any, y: Any = None) -> Self: ...
    def predict(self, X: Any) -> NDArray[Any]: ...
