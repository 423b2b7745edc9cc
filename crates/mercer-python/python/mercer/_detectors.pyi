from collections.abc import Callable
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray
from sklearn.base import OutlierMixin
from typing_extensions import Self

from ._estimator import SupportVectorMachine
from ._regions import TunableRegion
from .kernels import Kernel

class _Detector(OutlierMixin, TunableRegion, SupportVectorMachine):
    n_iter_: int
    def fit(self, X: Any, y: Any = None, sample_weight: Any = None) -> Self: ...
    def score_samples(self, X: Any) -> NDArray[np.float64]: ...
    def predict(self, X: Any) -> NDArray[np.intp]: ...

class OneClassSVM(_Detector):
    offset_: NDArray[np.float64]
    def decision_function(self, X: Any) -> NDArray[np.float64]: ...
    def __init__(
        self,
        *,
        kernel: str | Kernel | Callable[[Any, Any], Any] = "rbf",
        degree: int = 3,
        gamma: Literal["scale", "auto"] | float = "scale",
        coef0: float = 0.0,
        tol: float = 0.001,
        nu: float = 0.5,
        shrinking: bool = True,
        cache_size: float = 200,
        verbose: bool | int = False,
        max_iter: int = -1,
        max_time: float | None = None,
        n_jobs: int | None = None,
        precision: Literal["auto", "single", "double"] = "auto",
        warm_start: bool = False,
    ) -> None: ...

class SVDD(_Detector):
    offset_: float
    radius_: float
    def decision_function(self, X: Any) -> NDArray[np.float64]: ...
    def __init__(
        self,
        *,
        kernel: str | Kernel | Callable[[Any, Any], Any] = "rbf",
        degree: int = 3,
        gamma: Literal["scale", "auto"] | float = "scale",
        coef0: float = 0.0,
        tol: float = 0.001,
        nu: float = 0.5,
        C: float | None = None,
        loss: Literal["hinge", "squared_hinge"] = "hinge",
        shrinking: bool = True,
        cache_size: float = 200,
        verbose: bool | int = False,
        max_iter: int = -1,
        max_time: float | None = None,
        n_jobs: int | None = None,
        precision: Literal["auto", "single", "double"] = "auto",
        warm_start: bool = False,
    ) -> None: ...
