from os import PathLike
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ._estimator import Unpickled

NAMES: set[str]

class MatrixMachine(Unpickled):
    n_features_in_: int
    feature_names_in_: NDArray[np.object_]
    X_fit_: Any
    def save(self, path: str | PathLike[str]) -> None: ...
