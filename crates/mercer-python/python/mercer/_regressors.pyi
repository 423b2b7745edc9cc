from collections.abc import Callable
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray
from sklearn.base import RegressorMixin
from typing_extensions import Self

from ._estimator import SupportVectorMachine
from ._tuning import Tunable
from .kernels import Kernel

class _Regressor(RegressorMixin, Tunable, SupportVectorMachine):
    n_iter_: int
    tube_: float
    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self: ...
    def predict(self, X: Any) -> NDArray[np.float64]: ...

class SVR(_Regressor):
    def __init__(
        self,
        *,
        kernel: str | Kernel | Callable[[Any, Any], Any] = "rbf",
        degree: int = 3,
        gamma: Literal["scale", "auto"] | float = "scale",
        coef0: float = 0.0,
        tol: float = 0.001,
        C: float = 1.0,
        epsilon: float = 0.1,
        shrinking: bool = True,
        cache_size: float = 200,
        verbose: bool | int = False,
        max_iter: int = -1,
        loss: Literal["epsilon_insensitive", "squared_epsilon_insensitive", "huber", "pinball"] = "epsilon_insensitive",
        quantile: float = 0.5,
        max_time: float | None = None,
        n_jobs: int | None = None,
        precision: Literal["auto", "single", "double"] = "auto",
        warm_start: bool = False,
    ) -> None: ...

class NuSVR(_Regressor):
    def __init__(
        self,
        *,
        nu: float = 0.5,
        C: float = 1.0,
        kernel: str | Kernel | Callable[[Any, Any], Any] = "rbf",
        degree: int = 3,
        gamma: Literal["scale", "auto"] | float = "scale",
        coef0: float = 0.0,
        shrinking: bool = True,
        tol: float = 0.001,
        cache_size: float = 200,
        verbose: bool | int = False,
        max_iter: int = -1,
        max_time: float | None = None,
        n_jobs: int | None = None,
        precision: Literal["auto", "single", "double"] = "auto",
        warm_start: bool = False,
    ) -> None: ...
