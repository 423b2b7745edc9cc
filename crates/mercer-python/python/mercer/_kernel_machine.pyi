from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator

from ._state import Stateful

class Unpickled(Stateful, BaseEstimator):
    n_features_in_: int
    feature_names_in_: NDArray[np.object_]

class KernelMachine(Unpickled):
    shape_fit_: tuple[int, ...]

def is_function(kernel: Any) -> bool: ...
def is_structured(kernel: Any) -> bool: ...
def kernel_values(kernel: Any, X: Any, Y: Any) -> NDArray[np.float64]: ...
def variance_of(X: Any, weights: Any) -> float: ...
