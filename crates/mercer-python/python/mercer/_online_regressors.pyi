from collections.abc import Callable
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray
from sklearn.base import RegressorMixin
from typing_extensions import Self

from ._online import OnlineMachine
from .kernels import Kernel

class _OnlineRegressor(RegressorMixin, OnlineMachine):
    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self: ...
    def partial_fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self: ...
    def predict(self, X: Any) -> NDArray[np.float64]: ...

class OnlineSVR(_OnlineRegressor):
    def __init__(
        self,
        *,
        C: float = 1.0,
        epsilon: float = 0.1,
        kernel: str | Kernel | Callable[[Any, Any], Any] = "rbf",
        degree: int = 3,
        gamma: Literal["scale", "auto"] | float = "scale",
        coef0: float = 0.0,
        loss: Literal["epsilon_insensitive", "squared_epsilon_insensitive"] = "epsilon_insensitive",
        fit_intercept: bool = True,
        budget: int | None = None,
        budget_method: Literal["remove", "project"] = "remove",
        max_iter: int = 100,
        tol: float = 1e-3,
    ) -> None: ...

class PassiveAggressiveRegressor(_OnlineRegressor):
    def __init__(
        self,
        *,
        C: float = 1.0,
        epsilon: float = 0.1,
        kernel: str | Kernel | Callable[[Any, Any], Any] = "rbf",
        degree: int = 3,
        gamma: Literal["scale", "auto"] | float = "scale",
        coef0: float = 0.0,
        loss: Literal["epsilon_insensitive", "squared_epsilon_insensitive"] = "epsilon_insensitive",
        fit_intercept: bool = True,
        budget: int | None = None,
        budget_method: Literal["remove", "project"] = "remove",
        max_iter: int = 1,
        tol: float = 1e-3,
    ) -> None: ...
