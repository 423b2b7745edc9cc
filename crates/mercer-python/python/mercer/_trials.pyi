from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from typing_extensions import Self

from ._tuning import Tuned

class TunableByFits(Tuned):
    def tune(
        self,
        X: Any,
        y: ArrayLike,
        param_grid: Mapping[str, Any] | Sequence[Mapping[str, Any]] | None = None,
        *,
        cv: int | Iterable[Any] | Any = 5,
        scoring: str | Callable[..., float] | None = None,
        exhaustive: bool = False,
        halving: bool = False,
        refine: int = 0,
        n_iter: int | None = None,
        random_state: int | np.random.RandomState | None = None,
        sample_weight: ArrayLike | None = None,
        groups: ArrayLike | None = None,
        criterion: str | None = None,
        per_fold: bool = False,
    ) -> Self: ...
