from collections.abc import Callable, Mapping
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray
from sklearn.base import ClassifierMixin
from typing_extensions import Self

from ._estimator import SupportVectorMachine
from ._tuning import Tunable
from .kernels import Kernel

class _Classifier(ClassifierMixin, Tunable, SupportVectorMachine):
    classes_: NDArray[Any]
    class_weight_: NDArray[np.float64]
    n_iter_: NDArray[np.int32]
    @property
    def probA_(self) -> NDArray[np.float64]: ...
    @property
    def probB_(self) -> NDArray[np.float64]: ...
    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self: ...
    def decision_function(self, X: Any) -> NDArray[np.float64]: ...
    def predict(self, X: Any) -> NDArray[Any]: ...
    def predict_proba(self, X: Any) -> NDArray[np.float64]: ...
    def predict_log_proba(self, X: Any) -> NDArray[np.float64]: ...

class SVC(_Classifier):
    def __init__(
        self,
        *,
        C: float = 1.0,
        kernel: str | Kernel | Callable[[Any, Any], Any] = "rbf",
        degree: int = 3,
        gamma: Literal["scale", "auto"] | float = "scale",
        coef0: float = 0.0,
        shrinking: bool = True,
        probability: bool | Literal["consistent", "platt", "isotonic"] = False,
        tol: float = 0.001,
        cache_size: float = 200,
        class_weight: Mapping[Any, float] | Literal["balanced"] | None = None,
        verbose: bool | int = False,
        max_iter: int = -1,
        decision_function_shape: Literal["ovo", "ovr"] = "ovr",
        break_ties: bool = False,
        random_state: int | np.random.RandomState | None = None,
        loss: Literal["hinge", "squared_hinge"] = "hinge",
        multi_class: Literal["ovo", "dag", "ovr", "weston-watkins", "crammer-singer"] = "ovo",
        max_time: float | None = None,
        n_jobs: int | None = None,
        precision: Literal["auto", "single", "double"] = "auto",
        warm_start: bool = False,
    ) -> None: ...

class NuSVC(_Classifier):
    def __init__(
        self,
        *,
        nu: float = 0.5,
        kernel: str | Kernel | Callable[[Any, Any], Any] = "rbf",
        degree: int = 3,
        gamma: Literal["scale", "auto"] | float = "scale",
        coef0: float = 0.0,
        shrinking: bool = True,
        probability: bool | Literal["consistent", "platt", "isotonic"] = False,
        tol: float = 0.001,
        cache_size: float = 200,
        class_weight: Mapping[Any, float] | Literal["balanced"] | None = None,
        verbose: bool | int = False,
        max_iter: int = -1,
        decision_function_shape: Literal["ovo", "ovr"] = "ovr",
        break_ties: bool = False,
        random_state: int | np.random.RandomState | None = None,
        multi_class: Literal["ovo", "dag", "ovr"] = "ovo",
        max_time: float | None = None,
        n_jobs: int | None = None,
        precision: Literal["auto", "single", "double"] = "auto",
        warm_start: bool = False,
    ) -> None: ...
