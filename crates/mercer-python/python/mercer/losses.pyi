from typing import Any

import numpy as np
from numpy.typing import NDArray

__all__ = ["NAMES", "Loss", "table"]

NAMES: tuple[str, ...]

class Loss:
    name: str
    parameter: float | None
    is_of_margin: bool
    def __init__(self, name: str, parameter: float | None = None) -> None: ...
    def value(self, at: Any) -> NDArray[np.float64]: ...
    def derivative(self, at: Any) -> NDArray[np.float64]: ...
    def conjugate(self, s: Any) -> NDArray[np.float64]: ...

def table(margins: Any) -> dict[str, NDArray[np.float64]]: ...
