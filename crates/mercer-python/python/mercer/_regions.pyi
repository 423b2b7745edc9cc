from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from typing_extensions import Self

from ._tuning import Tuned

class TunableRegion(Tuned):
    def tune(
        self,
        X: Any,
        y: Any = None,
        param_grid: Mapping[str, Any] | Sequence[Mapping[str, Any]] | None = None,
        *,
        outside: float | None = None,
        cv: int | Iterable[Any] | Any = 5,
        n_points: int = 1000,
        exhaustive: bool = False,
        halving: bool = False,
        refine: int = 0,
        n_iter: int | None = None,
        random_state: int | np.random.RandomState | None = None,
        sample_weight: ArrayLike | None = None,
        groups: ArrayLike | None = None,
        scoring: None = None,
        per_fold: bool = False,
    ) -> Self: ...
