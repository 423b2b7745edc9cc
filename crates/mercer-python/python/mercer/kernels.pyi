from collections.abc import Callable, Iterable, Sequence
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray
from typing_extensions import Self

__all__ = [
    "AdditiveChi2",
    "AllSubsequences",
    "Anova",
    "Autocorrelation",
    "BagOfWords",
    "BestMatch",
    "Blended",
    "Centre",
    "Chi2",
    "Clipped",
    "Column",
    "Columns",
    "CommonModels",
    "Conjunctions",
    "Constant",
    "Cosine",
    "Dnf",
    "DynamicTimeWarping",
    "EdgeHistogram",
    "Exponential",
    "FisherMarkov",
    "FisherMixture",
    "FisherSeriesMarkov",
    "FixedSubsequences",
    "Formula",
    "Gappy",
    "Gaussian",
    "GlobalAlignment",
    "Graphlets",
    "Intersection",
    "Jittered",
    "Kernel",
    "LabelledRandomWalk",
    "Laplacian",
    "Linear",
    "LocalAlignment",
    "LocalityImproved",
    "Matern",
    "Mismatch",
    "Multiset",
    "Normalise",
    "OptimalAssignment",
    "PairHiddenMarkov",
    "Pairwise",
    "PartialTree",
    "Periodic",
    "Polynomial",
    "Propagation",
    "RandomWalk",
    "RationalQuadratic",
    "SetSum",
    "Shifted",
    "ShortestPath",
    "Sigmoid",
    "Spectrum",
    "Subsequence",
    "SubsetTree",
    "Subtree",
    "Tokens",
    "VertexHistogram",
    "WeightedDegree",
    "WeisfeilerLehman",
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
    @property
    def items(self) -> str: ...
    def get_params(self, deep: bool = True) -> dict[str, Any]: ...
    def set_params(self, **params: Any) -> Self: ...

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
class Shifted(_Wrapped): ...
class Clipped(_Wrapped): ...
class Tokens(_Wrapped): ...

class Columns(Kernel):
    def __init__(self, columns: slice | Iterable[int], kernel: Kernel | float) -> None: ...

def named_kernel(formula: str) -> tuple[str | None, dict[str, float]]: ...

class Spectrum(_Named):
    def __init__(
        self,
        *,
        k: int = 3,
    ) -> None: ...

class Blended(_Named):
    def __init__(
        self,
        *,
        k: int = 3,
        decay: float | None = None,
        weights: Sequence[float] | None = None,
    ) -> None: ...

class Mismatch(_Named):
    def __init__(
        self,
        *,
        k: int = 4,
        m: int = 1,
        alphabet: str | None = None,
    ) -> None: ...

class Gappy(_Named):
    def __init__(
        self,
        *,
        k: int = 3,
        span: int | None = None,
        decay: float = 0.5,
    ) -> None: ...

class Subsequence(_Named):
    def __init__(
        self,
        *,
        k: int = 3,
        decay: float = 0.5,
    ) -> None: ...

class FixedSubsequences(_Named):
    def __init__(
        self,
        *,
        k: int = 3,
    ) -> None: ...

class AllSubsequences(_Named):
    def __init__(
        self,
        *,
        decay: float = 1.0,
    ) -> None: ...

class WeightedDegree(_Named):
    def __init__(
        self,
        *,
        degree: int = 4,
        shift: int = 0,
        weights: Sequence[float] | None = None,
    ) -> None: ...

class LocalityImproved(_Named):
    def __init__(
        self,
        *,
        reach: int = 3,
        local_degree: int = 4,
        degree: int = 1,
    ) -> None: ...

class LocalAlignment(_Named):
    def __init__(
        self,
        *,
        table: Literal["blosum62", "blosum50", "pam250"] = "blosum62",
        letters: str | None = None,
        scores: Sequence[float] | None = None,
        equal: float | None = None,
        other: float | None = None,
        open: float = 11.0,
        extend: float = 1.0,
        beta: float = 0.5,
        exponential: bool = False,
    ) -> None: ...

class BagOfWords(_Named):
    def __init__(
        self,
        *,
        tfidf: bool = False,
        n: int = 1,
        shortest: int = 1,
        unit: Literal["words", "characters"] = "words",
        presence: bool | None = None,
        sublinear: bool | None = None,
        smooth: bool | None = None,
        keep_case: bool = False,
        shortest_word: int = 2,
    ) -> None: ...

class Subtree(_Named):
    def __init__(
        self,
        *,
        decay: float = 1.0,
        least: int = 1,
    ) -> None: ...

class SubsetTree(_Named):
    def __init__(
        self,
        *,
        decay: float = 0.4,
    ) -> None: ...

class PartialTree(_Named):
    def __init__(
        self,
        *,
        decay: float = 0.4,
        depth_decay: float = 0.4,
    ) -> None: ...

class WeisfeilerLehman(_Named):
    def __init__(
        self,
        *,
        h: int = 3,
        edge_labels: bool = False,
        weights: Sequence[float] | None = None,
    ) -> None: ...

class OptimalAssignment(_Named):
    def __init__(
        self,
        *,
        h: int = 3,
        edge_labels: bool = False,
    ) -> None: ...

class ShortestPath(_Named):
    def __init__(
        self,
        *,
        labels: bool = True,
        width: float | None = None,
    ) -> None: ...

class RandomWalk(_Named):
    def __init__(
        self,
        *,
        decay: float = 0.01,
    ) -> None: ...

class LabelledRandomWalk(_Named):
    def __init__(
        self,
        *,
        decay: float = 0.01,
        edge_labels: bool = False,
    ) -> None: ...

class Graphlets(_Named):
    def __init__(
        self,
        *,
        k: Literal[3, 4, 5] = 3,
        disconnected: bool = False,
        proportions: bool = False,
        samples: int | None = None,
        seed: int | None = None,
    ) -> None: ...

class VertexHistogram(_Named):
    def __init__(self) -> None: ...

class EdgeHistogram(_Named):
    def __init__(
        self,
        *,
        ends: bool = False,
    ) -> None: ...

class Propagation(_Named):
    def __init__(
        self,
        *,
        h: int = 3,
        width: float = 1e-05,
        preserved: Literal["total_variation", "hellinger", "manhattan", "euclidean"] = "total_variation",
        seed: int = 0,
    ) -> None: ...

class GlobalAlignment(_Named):
    def __init__(
        self,
        *,
        sigma: float | Literal["median"] = "median",
        median: float | None = None,
        band: float | None = None,
        unit: bool = True,
    ) -> None: ...

class DynamicTimeWarping(_Named):
    def __init__(
        self,
        *,
        gamma: float | Literal["median"] = "median",
        median: float | None = None,
        radius: int | None = None,
    ) -> None: ...

class Autocorrelation(_Named):
    def __init__(
        self,
        *,
        lags: int = 10,
        sigma: float | Literal["median"] | None = None,
        median: float | None = None,
    ) -> None: ...

class Multiset(_Named):
    def __init__(
        self,
        *,
        n: int = 1,
        shortest: int = 1,
        unit: Literal["words", "characters"] = "words",
        keep_case: bool = False,
        shortest_word: int = 2,
    ) -> None: ...

class SetSum(_Named):
    def __init__(self, kernel: Kernel | float, *, mean: bool = False) -> None: ...

class BestMatch(_Named):
    def __init__(self, kernel: Kernel | float) -> None: ...

class Jittered(_Named):
    def __init__(
        self,
        kernel: Kernel | float,
        *,
        width: int | None = None,
        shifts: int = 0,
        rotations: Sequence[float] | None = None,
        zooms: Sequence[float] | None = None,
        background: float = 0.0,
    ) -> None: ...

class Conjunctions(_Named):
    def __init__(
        self,
        *,
        monotone: bool = False,
        variables: int | None = None,
        size: int | None = None,
    ) -> None: ...

class Dnf(_Named):
    def __init__(
        self,
        *,
        monotone: bool = False,
        variables: int | None = None,
        size: int | None = None,
    ) -> None: ...

class CommonModels(_Named):
    def __init__(
        self,
        *,
        variables: str | None = None,
        share: bool = False,
    ) -> None: ...

class PairHiddenMarkov(_Named):
    def __init__(
        self,
        *,
        gap: float = 0.1,
        mutation: float = 0.2,
        unit: bool = True,
    ) -> None: ...

class FisherMarkov(_Named):
    def __init__(
        self,
        *,
        states: int = 4,
        form: Literal["practical", "whitened"] = "practical",
        seed: int = 0,
        restarts: int = 1,
    ) -> None: ...

class FisherSeriesMarkov(_Named):
    def __init__(
        self,
        *,
        states: int = 4,
        form: Literal["practical", "whitened"] = "practical",
        seed: int = 0,
        restarts: int = 1,
    ) -> None: ...

class FisherMixture(_Named):
    def __init__(
        self,
        *,
        components: int = 4,
        covariances: Literal["diagonal", "full"] = "diagonal",
        form: Literal["practical", "whitened"] = "practical",
        seed: int = 0,
        restarts: int = 1,
    ) -> None: ...

class Column(Kernel):
    def __init__(self, name: str, kernel: Kernel | Literal["equality"]) -> None: ...

def _in_quotes(value: object) -> str: ...
def _kernel(value: object) -> Any: ...

class Pairwise:
    function: Callable[..., float]
    def __init__(self, function: Callable[..., float]) -> None: ...
    def __call__(self, X: Any, Y: Any = None, **parameters: Any) -> NDArray[np.float64]: ...
    def __eq__(self, other: object) -> bool: ...
    def __hash__(self) -> int: ...
