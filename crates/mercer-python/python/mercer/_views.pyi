from collections.abc import Callable, Iterable, Mapping, Sequence
from os import PathLike
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import ClassNamePrefixFeaturesOutMixin, TransformerMixin
from typing_extensions import Self

from ._estimator import Unpickled
from ._learners import ItemMachine
from ._tuning import Tuned
from .kernels import Kernel

class View(ItemMachine):
    def __init__(
        self,
        kernel: str | Kernel | Callable[..., Any] = "linear",
        gamma: float | None = None,
        degree: float = 3,
        coef0: float = 1,
        kernel_params: dict[str, Any] | None = None,
        n_jobs: int | None = None,
        memory: float | None = None,
    ) -> None: ...

class KernelCCA(ClassNamePrefixFeaturesOutMixin, TransformerMixin, Tuned, Unpickled):
    correlations_: NDArray[Any]
    n_features_in_: int
    feature_names_in_: NDArray[Any]
    def __init__(
        self,
        n_components: int = 2,
        *,
        regularisation: float = 0.1,
        rank: int = 500,
        kernel: str | Kernel | Callable[..., Any] = "linear",
        kernel_y: Any = None,
        gamma: float | None = None,
        degree: float = 3,
        coef0: float = 1,
        n_jobs: int | None = None,
        memory: float | None = None,
    ) -> None: ...
    def tune(
        self,
        X: Any,
        y: Any,
        param_grid: Mapping[str, Any] | Sequence[Mapping[str, Any]] | None = None,
        *,
        cv: int | Iterable[Any] | Any = 5,
        scoring: Callable[..., float] | None = None,
        exhaustive: bool = False,
        halving: bool = False,
        refine: int = 0,
        n_iter: int | None = None,
        random_state: int | np.random.RandomState | None = None,
    ) -> Self: ...
    def fit(self, X: Any, y: Any, others: Sequence[Any] = ()) -> Self: ...
    def fit_transform(self, X: Any, y: Any, others: Sequence[Any] = ()) -> NDArray[np.float64]: ...  # type: ignore[override]
    def correlations(self, X: Any, y: Any, others: Sequence[Any] = ()) -> NDArray[np.float64]: ...
    def score(self, X: Any, y: Any, others: Sequence[Any] = ()) -> float: ...
    def retrieve(self, X: Any, y: Any, n_best: int = 1) -> NDArray[np.int64]: ...
    def transform(self, X: Any, y: Any = None, others: Sequence[Any] = ()) -> Any: ...
    def save(self, path: str | PathLike[str], path_y: Any) -> None: ...
    def transform_y(self, y: Any) -> NDArray[np.float64]: ...
