from collections.abc import Callable
from typing import Any

from numpy.typing import NDArray
from sklearn.base import ClassNamePrefixFeaturesOutMixin, MultiOutputMixin, RegressorMixin, TransformerMixin
from typing_extensions import Self

from ._learners import ItemMachine
from ._trials import TunableByFits
from .kernels import Kernel

class ItemRegressor(ItemMachine):
    def predict(self, X: Any) -> NDArray[Any]: ...

class KernelPLS(
    ClassNamePrefixFeaturesOutMixin, TransformerMixin, MultiOutputMixin, RegressorMixin, TunableByFits, ItemRegressor
):
    n_components_: int
    explained_: NDArray[Any]
    def __init__(
        self,
        n_components: int = 2,
        *,
        kernel: str | Kernel | Callable[..., Any] = "linear",
        gamma: float | None = None,
        degree: float = 3,
        coef0: float = 1,
        kernel_params: dict[str, Any] | None = None,
        n_jobs: int | None = None,
        memory: float | None = None,
    ) -> None: ...
    def fit(self, X: Any, y: Any) -> Self: ...
    def transform(self, X: Any) -> NDArray[Any]: ...

class RVR(RegressorMixin, TunableByFits, ItemMachine):
    relevance_: NDArray[Any]
    n_candidates_: int
    noise_: float
    log_likelihood_: float
    n_iter_: int
    status_: str
    def __init__(
        self,
        *,
        tol: float = 0.0001,
        max_iter: int = 10000,
        fit_intercept: bool = True,
        rank: int | None = None,
        kernel: str | Kernel | Callable[..., Any] = "linear",
        gamma: float | None = None,
        degree: float = 3,
        coef0: float = 1,
        kernel_params: dict[str, Any] | None = None,
        n_jobs: int | None = None,
        memory: float | None = None,
    ) -> None: ...
    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self: ...
    def predict(self, X: Any, return_std: bool = False) -> Any: ...
