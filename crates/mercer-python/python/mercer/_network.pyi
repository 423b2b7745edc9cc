from os import PathLike
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import ClassifierMixin, MultiOutputMixin, RegressorMixin
from typing_extensions import Self

from ._estimator import Unpickled
from ._trials import TunableByFits

class Network(TunableByFits, Unpickled):
    centres_: NDArray[Any]
    widths_: NDArray[Any]
    weights_: NDArray[Any]
    n_features_in_: int
    feature_names_in_: NDArray[Any]
    def __init__(
        self,
        n_units: int = 10,
        *,
        alpha: float = 1e-06,
        n_init: int = 10,
        random_state: Any = None,
        n_jobs: int | None = None,
    ) -> None: ...
    def save(self, path: str | PathLike[str]) -> None: ...

class RBFNetwork(ClassifierMixin, Network):
    classes_: NDArray[Any]
    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self: ...
    def decision_function(self, X: Any) -> NDArray[np.float64]: ...
    def predict(self, X: Any) -> NDArray[Any]: ...

class RBFNetworkRegressor(MultiOutputMixin, RegressorMixin, Network):
    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self: ...
    def predict(self, X: Any) -> NDArray[Any]: ...
