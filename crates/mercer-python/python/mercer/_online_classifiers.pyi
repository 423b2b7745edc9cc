from collections.abc import Callable
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray
from typing_extensions import Self

from ._online_classifier import OnlineClassifier, WeightedOnlineClassifier
from .kernels import Kernel

class KernelPerceptron(WeightedOnlineClassifier):
    update_bound_: NDArray[np.float64]
    largest_margin_: float
    def __init__(
        self,
        *,
        kernel: str | Kernel | Callable[[Any, Any], Any] = "rbf",
        degree: int = 3,
        gamma: Literal["scale", "auto"] | float = "scale",
        coef0: float = 0.0,
        fit_intercept: bool = True,
        average: bool = False,
        budget: int | None = None,
        budget_method: Literal["remove", "project"] = "remove",
        max_iter: int = 100,
        tol: float = 1e-3,
    ) -> None: ...

class PassiveAggressiveClassifier(WeightedOnlineClassifier):
    def __init__(
        self,
        *,
        C: float = 1.0,
        kernel: str | Kernel | Callable[[Any, Any], Any] = "rbf",
        degree: int = 3,
        gamma: Literal["scale", "auto"] | float = "scale",
        coef0: float = 0.0,
        loss: Literal["hinge", "squared_hinge"] = "hinge",
        fit_intercept: bool = True,
        budget: int | None = None,
        budget_method: Literal["remove", "project"] = "remove",
        max_iter: int = 100,
        tol: float = 1e-3,
    ) -> None: ...

class PRank(OnlineClassifier):
    thresholds_: NDArray[np.float64]
    def __init__(
        self,
        *,
        classes: Any = None,
        kernel: str | Kernel | Callable[[Any, Any], Any] = "rbf",
        degree: int = 3,
        gamma: Literal["scale", "auto"] | float = "scale",
        coef0: float = 0.0,
        fit_intercept: bool = True,
        budget: int | None = None,
        budget_method: Literal["remove", "project"] = "remove",
        max_iter: int = 100,
        tol: float = 1e-3,
    ) -> None: ...
    def fit(self, X: Any, y: Any) -> Self: ...
    def partial_fit(self, X: Any, y: Any, classes: Any = None) -> Self: ...
