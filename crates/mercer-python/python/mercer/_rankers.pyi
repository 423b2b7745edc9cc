from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import RegressorMixin
from typing_extensions import Self

from ._learners import ItemMachine
from ._trials import TunableByFits
from ._tuning import Tuned
from .kernels import Kernel

class RankSVM(Tuned, ItemMachine):
    n_pairs_: int
    n_swapped_: int
    gap_: float
    n_iter_: int
    status_: str
    def __init__(
        self,
        C: float = 1.0,
        *,
        tol: float = 1e-06,
        max_iter: int = 200,
        rank: int = 1000,
        kernel: str | Kernel | Callable[..., Any] = "linear",
        gamma: float | None = None,
        degree: float = 3,
        coef0: float = 1,
        kernel_params: dict[str, Any] | None = None,
        n_jobs: int | None = None,
        memory: float | None = None,
    ) -> None: ...
    def tune(
        self,
        X: Any,
        y: Any,
        param_grid: Mapping[str, Any] | Sequence[Mapping[str, Any]] | None = None,
        *,
        qid: Any = None,
        cv: int | Iterable[Any] | Any = 5,
        scoring: Callable[..., float] | None = None,
        exhaustive: bool = False,
        refine: int = 0,
        n_iter: int | None = None,
        random_state: int | np.random.RandomState | None = None,
        per_fold: bool = False,
    ) -> Self: ...
    def score(self, X: Any, y: Any, qid: Any = None) -> float: ...
    def fit(self, X: Any, y: Any, qid: Any = None, sample_weight: Any = None) -> Self: ...
    def predict(self, X: Any) -> NDArray[Any]: ...

class OrdinalSVM(RegressorMixin, TunableByFits, ItemMachine):
    levels_: NDArray[Any]
    thresholds_: NDArray[Any]
    gap_: float
    n_iter_: int
    status_: str
    def __init__(
        self,
        C: float = 1.0,
        *,
        tol: float = 1e-06,
        max_iter: int = 200,
        rank: int = 1000,
        kernel: str | Kernel | Callable[..., Any] = "linear",
        gamma: float | None = None,
        degree: float = 3,
        coef0: float = 1,
        kernel_params: dict[str, Any] | None = None,
        n_jobs: int | None = None,
        memory: float | None = None,
    ) -> None: ...
    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self: ...
    def decision_values(self, X: Any) -> NDArray[Any]: ...
    def predict(self, X: Any) -> NDArray[Any]: ...
