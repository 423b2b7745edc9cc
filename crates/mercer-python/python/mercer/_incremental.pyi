from collections.abc import Callable
from os import PathLike
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray
from sklearn.base import ClassifierMixin
from typing_extensions import Self

from ._kernel_machine import KernelMachine
from ._trials import TunableByFits
from .kernels import Kernel

class IncrementalSVC(ClassifierMixin, TunableByFits, KernelMachine):
    classes_: NDArray[Any]
    ids_: NDArray[np.int64]
    dual_coef_: NDArray[np.float64]
    intercept_: float
    objective_: float
    n_refits_: int
    status_: str
    kkt_gap_: float
    gap_: float
    def __init__(
        self,
        *,
        C: float = 1.0,
        kernel: str | Kernel | Callable[[Any, Any], Any] = "rbf",
        degree: int = 3,
        gamma: Literal["scale", "auto"] | float = "scale",
        coef0: float = 0.0,
    ) -> None: ...
    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self: ...
    def partial_fit(self, X: Any, y: Any, classes: Any = None, sample_weight: Any = None) -> Self: ...
    def add(self, X: Any, y: Any, sample_weight: Any = None) -> NDArray[np.int64]: ...
    def remove(self, ids: Any) -> Self: ...
    def decision_function(self, X: Any) -> NDArray[np.float64]: ...
    def predict(self, X: Any) -> NDArray[Any]: ...
    def save(self, path: str | PathLike[str]) -> None: ...
    def leave_one_out(self) -> NDArray[np.float64]: ...
    def __sklearn_is_fitted__(self) -> bool: ...
