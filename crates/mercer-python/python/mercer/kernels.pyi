from collections.abc import Iterable, Sequence
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

__all__ = [
    "AdditiveChi2",
    "Anova",
    "Centre",
    "Chi2",
    "Columns",
    "Constant",
    "Cosine",
    "Exponential",
    "Formula",
    "Gaussian",
    "Intersection",
    "Kernel",
    "Laplacian",
    "Linear",
    "Matern",
    "Normalise",
    "Periodic",
    "Polynomial",
    "RationalQuadratic",
    "Sigmoid",
    "White",
]

_Gamma = Literal["scale", "auto"] | float
_MedianGamma = Literal["scale", "auto", "median"] | float

class Kernel:
    def __add__(self, other: Kernel | float) -> Kernel: ...
    def __radd__(self, other: Kernel | float) -> Kernel: ...
    def __mul__(self, other: Kernel | float) -> Kernel: ...
    def __rmul__(self, other: Kernel | float) -> Kernel: ...
    def __pow__(self, power: int) -> Kernel: ...
    def __eq__(self, other: object) -> bool: ...
    def __hash__(self) -> int: ...
    def __call__(self, X: Any, Y: Any = None) -> NDArray[np.float64]: ...

class _Named(Kernel): ...

class Linear(_Named):
    def __init__(self) -> None: ...

class Polynomial(_Named):
    def __init__(self, *, degree: int = 3, gamma: _Gamma = 1.0, constant: float = 1.0) -> None: ...

class Gaussian(_Named):
    def __init__(
        self,
        *,
        gamma: _MedianGamma = "scale",
        sigma: float | None = None,
        length_scale: float | Sequence[float] | NDArray[np.floating[Any]] | None = None,
        amplitude: float = 1.0,
    ) -> None: ...

class Laplacian(_Named):
    def __init__(self, *, gamma: _MedianGamma = "auto") -> None: ...

class Exponential(_Named):
    def __init__(self, *, length_scale: float = 1.0) -> None: ...

class Matern(_Named):
    def __init__(self, *, nu: float = 1.5, length_scale: float = 1.0) -> None: ...

class RationalQuadratic(_Named):
    def __init__(self, *, alpha: float = 1.0, length_scale: float = 1.0) -> None: ...

class Periodic(_Named):
    def __init__(self, *, period: float = 1.0, length_scale: float = 1.0) -> None: ...

class Sigmoid(_Named):
    def __init__(self, *, gamma: _Gamma = "scale", constant: float = 0.0) -> None: ...

class Cosine(_Named):
    def __init__(self) -> None: ...

class Chi2(_Named):
    def __init__(self, *, gamma: _MedianGamma = 1.0) -> None: ...

class AdditiveChi2(_Named):
    def __init__(self) -> None: ...

class Intersection(_Named):
    def __init__(self) -> None: ...

class Anova(_Named):
    def __init__(self, *, degree: int = 2, gamma: float | None = None, columns: int | None = None) -> None: ...

class Formula(Kernel):
    def __init__(self, formula: str) -> None: ...

class _Of(Kernel):
    def __init__(self, value: float) -> None: ...

class Constant(_Of): ...
class White(_Of): ...

class _Wrapped(Kernel):
    def __init__(self, kernel: Kernel | float) -> None: ...

class Normalise(_Wrapped): ...
class Centre(_Wrapped): ...

class Columns(Kernel):
    def __init__(self, columns: slice | Iterable[int], kernel: Kernel | float) -> None: ...

def named_kernel(formula: str) -> tuple[str | None, dict[str, float]]: ...
