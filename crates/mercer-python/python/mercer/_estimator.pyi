from os import PathLike
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator

INFINITE_COST: float

class Unpickled(BaseEstimator): ...

class SupportVectorMachine(Unpickled):
    support_: NDArray[np.int32]
    support_vectors_: Any
    dual_coef_: Any
    intercept_: NDArray[np.float64]
    n_iter_: Any
    n_features_in_: int
    feature_names_in_: NDArray[np.object_]
    shape_fit_: tuple[int, ...]
    fit_status_: int
    status_: str
    gap_: float
    kkt_gap_: float
    @property
    def n_support_(self) -> NDArray[np.int32]: ...
    @property
    def coef_(self) -> Any: ...
    def bounds(self, delta: float = 0.05, *, choices: int = 1, gamma: float | None = None) -> list[dict[str, Any]]: ...
    def save(self, path: str | PathLike[str]) -> None: ...

def note_of(estimator: Any) -> str: ...
def checked_weights(sample_weight: Any, n: int) -> NDArray[np.float64] | None: ...
def coded_classes(y: Any, weights: NDArray[np.float64] | None) -> tuple[NDArray[Any], NDArray[np.uint32]]: ...
def class_factors(class_weight: Any, classes: NDArray[Any], y: Any, weights: NDArray[np.float64] | None) -> NDArray[np.float64]: ...
def times_factors(weights: NDArray[np.float64] | None, factors: NDArray[np.float64], codes: NDArray[np.uint32]) -> NDArray[np.float64] | None: ...
def class_name(label: Any) -> str: ...
