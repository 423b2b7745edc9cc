from collections.abc import Iterable, Sequence
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

__all__ = [
    "AdditiveChi2",
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

_Width = Literal["scale", "auto"] | float

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
    def __init__(self, *, degree: int = ..., gamma: _Width = ..., constant: float = ...) -> None: ...

class Gaussian(_Named):
    def __init__(
        self,
        *,
        gamma: _Width = ...,
        sigma: float = ...,
        length_scale: float | Sequence[float] | NDArray[np.floating[Any]] = ...,
        amplitude: float = ...,
    ) -> None: ...

class Laplacian(_Named):
    def __init__(self, *, gamma: _Width = ...) -> None: ...

class Exponential(_Named):
    def __init__(self, *, length_scale: float = ...) -> None: ...

class Matern(_Named):
    def __init__(self, *, nu: float = ..., length_scale: float = ...) -> None: ...

class RationalQuadratic(_Named):
    def __init__(self, *, alpha: float = ..., length_scale: float = ...) -> None: ...

class Periodic(_Named):
    def __init__(self, *, period: float = ..., length_scale: float = ...) -> None: ...

class Sigmoid(_Named):
    def __init__(self, *, gamma: _Width = ..., constant: float = ...) -> None: ...

class Cosine(_Named):
    def __init__(self) -> None: ...

class Chi2(_Named):
    def __init__(self, *, gamma: float = ...) -> None: ...

class AdditiveChi2(_Named):
    def __init__(self) -> None: ...

class Intersection(_Named):
    def __init__(self) -> None: ...

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
