from os import PathLike
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ._kernel_machine import KernelMachine
from ._trials import TunableByFits

class OnlineMachine(TunableByFits, KernelMachine):
    n_iter_: int
    status_: str
    n_examples_: int
    n_mistakes_: int
    n_updates_: NDArray[np.int64]
    loss_: float
    squared_radius_: float
    dual_coef_: list[NDArray[np.float64]]
    intercept_: NDArray[np.float64]
    support_: list[NDArray[np.int64]]
    def save(self, path: str | PathLike[str]) -> None: ...
    def __sklearn_is_fitted__(self) -> bool: ...
