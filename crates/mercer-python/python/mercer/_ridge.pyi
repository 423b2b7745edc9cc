from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import MultiOutputMixin, RegressorMixin
from typing_extensions import Self

from ._learners import ItemMachine
from ._seen import Bounded
from ._trials import TunableByFits
from .kernels import Kernel

class KernelRidge(MultiOutputMixin, RegressorMixin, Bounded, TunableByFits, ItemMachine):
    dual_coef_: NDArray[np.float64]
    intercept_: Any
    method_: str
    status_: str
    jitter_: float
    def __init__(
        self,
        alpha: Any = 1,
        *,
        kernel: str | Kernel | Callable[..., Any] = "linear",
        gamma: float | None = None,
        degree: float = 3,
        coef0: float = 1,
        kernel_params: dict[str, Any] | None = None,
        fit_intercept: bool = False,
        n_jobs: int | None = None,
        memory: float | None = None,
    ) -> None: ...
    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self: ...
    def predict(self, X: Any) -> NDArray[np.float64]: ...
    def leave_one_out(self) -> NDArray[np.float64]: ...
    def path(self, X: Any, y: Any, alphas: Any, sample_weight: Any = None) -> dict[str, NDArray[np.float64]]: ...
