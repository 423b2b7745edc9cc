from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from numpy.typing import ArrayLike
from typing_extensions import Self

class Tunable:
    best_params_: dict[str, Any]
    best_score_: float
    best_index_: int
    cv_results_: dict[str, Any]
    def tune(
        self,
        X: Any,
        y: ArrayLike,
        param_grid: Mapping[str, Sequence[Any]] | Sequence[Mapping[str, Sequence[Any]]] | None = None,
        *,
        cv: int | Iterable[Any] | Any = 5,
        scoring: str | None = None,
        exhaustive: bool = False,
        sample_weight: ArrayLike | None = None,
        groups: ArrayLike | None = None,
    ) -> Self: ...
