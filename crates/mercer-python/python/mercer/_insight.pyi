from collections.abc import Callable
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from .kernels import Kernel

def clean(
    X: Any,
    y: Any,
    *,
    C: float = 1.0,
    kernel: str | Kernel | Callable[[Any, Any], Any] = "rbf",
    degree: int = 3,
    gamma: Literal["scale", "auto"] | float = "scale",
    coef0: float = 0.0,
    folds: int | None = None,
    times: int = 3,
    random_state: int = 0,
) -> dict[str, NDArray[Any]]: ...
def prototypes(
    X: Any,
    count: int = 10,
    *,
    kernel: str | Kernel | Callable[[Any, Any], Any] = "rbf",
    degree: int = 3,
    gamma: Literal["scale", "auto"] | float = "scale",
    coef0: float = 0.0,
) -> tuple[NDArray[np.int64], NDArray[np.float64]]: ...
def explain(model: Any, x: Any) -> list[dict[str, Any]]: ...
