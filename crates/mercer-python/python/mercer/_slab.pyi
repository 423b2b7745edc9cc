from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import OutlierMixin
from typing_extensions import Self

from ._learners import ItemMachine
from .kernels import Kernel

class SphereAndSlab(OutlierMixin, ItemMachine):
    radius_: float
    thickness_: float
    offset_: float
    n_components_: int
    def __init__(
        self,
        n_components: int = 2,
        *,
        outside: float = 0.1,
        kernel: str | Kernel | Callable[..., Any] = "rbf",
        gamma: float | None = None,
        degree: float = 3,
        coef0: float = 1,
        n_jobs: int | None = None,
        memory: float | None = None,
    ) -> None: ...
    def fit(self, X: Any, y: Any = None) -> Self: ...
    def decision_function(self, X: Any) -> NDArray[np.float64]: ...
    def score_samples(self, X: Any) -> NDArray[np.float64]: ...
    def predict(self, X: Any) -> NDArray[Any]: ...
