from collections.abc import Callable
from typing import Any

from numpy.typing import NDArray
from sklearn.base import RegressorMixin
from typing_extensions import Self

from ._learners import ItemMachine
from .kernels import Kernel

class RankSVM(ItemMachine):
    n_pairs_: int
    n_swapped_: int
    gap_: float
    n_iter_: int
    def __init__(
        self,
        C: float = 1.0,
        *,
        tol: float = 1e-06,
        max_iter: int = 200,
        rank: int = 1000,
        kernel: str | Kernel | Callable[..., float] = "linear",
        gamma: float | None = None,
        degree: float = 3,
        coef0: float = 1,
        kernel_params: dict[str, Any] | None = None,
        n_jobs: int | None = None,
        memory: float | None = None,
    ) -> None: ...
    def fit(self, X: Any, y: Any, qid: Any = None) -> Self: ...
    def predict(self, X: Any) -> NDArray[Any]: ...

class OrdinalSVM(RegressorMixin, ItemMachine):
    levels_: NDArray[Any]
    thresholds_: NDArray[Any]
    n_iter_: int
    def __init__(
        self,
        C: float = 1.0,
        *,
        tol: float = 1e-06,
        max_iter: int = 200,
        rank: int = 1000,
        kernel: str | Kernel | Callable[..., float] = "linear",
        gamma: float | None = None,
        degree: float = 3,
        coef0: float = 1,
        kernel_params: dict[str, Any] | None = None,
        n_jobs: int | None = None,
        memory: float | None = None,
    ) -> None: ...
    def fit(self, X: Any, y: Any) -> Self: ...
    def decision_values(self, X: Any) -> NDArray[Any]: ...
    def predict(self, X: Any) -> NDArray[Any]: ...
