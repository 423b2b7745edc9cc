from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import ClassifierMixin
from typing_extensions import Self

from ._pairwise import MatrixMachine
from ._trials import TunableByFits

DTYPES: list[Any]

def is_structured(kernel: Any) -> bool: ...
def count(X: Any) -> int: ...

class ItemMachine(MatrixMachine):
    X_fit_: Any

class ItemClassifier(ClassifierMixin, TunableByFits, ItemMachine):
    classes_: NDArray[Any]
    def fit(self, X: Any, y: Any) -> Self: ...
    def decision_function(self, X: Any) -> NDArray[np.float64]: ...
    def predict(self, X: Any) -> NDArray[Any]: ...

class WeightedClassifier(ItemClassifier):
    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self: ...
