from collections.abc import Callable, Iterable, Mapping, Sequence
from os import PathLike
from typing import Any

import numpy as np
from numpy.typing import NDArray
from typing_extensions import Self

from ._estimator import Unpickled
from ._learners import ItemMachine
from ._tuning import Tuned
from .kernels import Kernel

class View(ItemMachine):
    def __init__(
        self,
        kernel: str | Kernel | Callable[..., float] = "linear",
        gamma: float | None = None,
        degree: float = 3,
        coef0: float = 1,
        kernel_params: dict[str, Any] | None = None,
        n_jobs: int | None = None,
        memory: float | None = None,
    ) -> None: ...

class KernelCCA(Tuned, Unpickled):
    correlations_: NDArray[Any]
    n_features_in_: int
    def __init__(
        self,
        n_components: int = 2,
        *,
        regularisation: float = 0.1,
        rank: int = 500,
        kernel: str | Kernel | Callable[..., float] = "linear",
        kernel_y: str | Kernel | Callable[..., float] | None = None,
        gamma: float | None = None,
        degree: float = 3,
        coef0: float = 1,
        n_jobs: int | None = None,
        memory: float | None = None,
    ) -> None: ...
    def tune(
        self,
        X: Any,
        Y: Any,
        param_grid: Mapping[str, Any] | Sequence[Mapping[str, Any]] | None = None,
        *,
        cv: int | Iterable[Any] | Any = 5,
        scoring: Callable[..., float] | None = None,
        exhaustive: bool = False,
        halving: bool = False,
        refine: int = 0,
        n_iter: int | None = None,
        random_state: int | np.random.RandomState | None = None,
    ) -> Self: ...
    def score(self, X: Any, Y: Any) -> float: ...
    def fit(self, X: Any, Y: Any) -> Self: ...
    def transform(self, X: Any, Y: Any = None) -> Any: ...
    def save(self, path: str | PathLike[str], path_y: str | PathLike[str]) -> None: ...
    def transform_y(self, Y: Any) -> NDArray[np.float64]: ...
