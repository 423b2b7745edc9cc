from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import ClassifierMixin
from typing_extensions import Self

from ._online import OnlineMachine

class OnlineClassifier(ClassifierMixin, OnlineMachine):
    classes_: NDArray[Any]
    def decision_function(self, X: Any) -> NDArray[np.float64]: ...
    def predict(self, X: Any) -> NDArray[Any]: ...

class WeightedOnlineClassifier(OnlineClassifier):
    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self: ...
    def partial_fit(self, X: Any, y: Any, classes: Any = None, sample_weight: Any = None) -> Self: ...
