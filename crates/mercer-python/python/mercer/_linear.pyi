from abc import ABCMeta
from collections.abc import Mapping
from os import PathLike
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray
from sklearn.base import RegressorMixin
from sklearn.linear_model._base import LinearClassifierMixin, LinearModel, SparseCoefMixin
from typing_extensions import Self

from ._estimator import Unpickled
from ._seen import Bounded
from ._trials import TunableByFits

class _Linear(Bounded, TunableByFits, Unpickled):
    coef_: NDArray[np.float64]
    intercept_: Any
    n_iter_: int
    n_features_in_: int
    feature_names_in_: NDArray[np.object_]
    gap_: float
    status_: str
    def save(self, path: str | PathLike[str]) -> None: ...

class LinearSVC(LinearClassifierMixin, SparseCoefMixin, _Linear):
    classes_: NDArray[Any]
    def __init__(
        self,
        penalty: Literal["l1", "l2"] = "l2",
        loss: Literal["hinge", "squared_hinge"] = "squared_hinge",
        *,
        dual: bool | Literal["auto"] = "auto",
        tol: float = 0.0001,
        C: float = 1.0,
        multi_class: Literal["ovr", "crammer_singer"] = "ovr",
        fit_intercept: bool = True,
        intercept_scaling: float = 1,
        class_weight: Mapping[Any, float] | Literal["balanced"] | None = None,
        verbose: bool | int = 0,
        random_state: int | np.random.RandomState | None = None,
        max_iter: int = 1000,
        max_time: float | None = None,
        n_jobs: int | None = None,
    ) -> None: ...
    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self: ...
    def predict(self, X: Any) -> NDArray[Any]: ...

class LinearSVR(RegressorMixin, LinearModel, _Linear, metaclass=ABCMeta):
    def __init__(
        self,
        *,
        epsilon: float = 0.0,
        tol: float = 0.0001,
        C: float = 1.0,
        loss: Literal["epsilon_insensitive", "squared_epsilon_insensitive"] = "epsilon_insensitive",
        fit_intercept: bool = True,
        intercept_scaling: float = 1.0,
        dual: bool | Literal["auto"] = "auto",
        verbose: bool | int = 0,
        random_state: int | np.random.RandomState | None = None,
        max_iter: int = 1000,
        max_time: float | None = None,
        n_jobs: int | None = None,
    ) -> None: ...
    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self: ...
