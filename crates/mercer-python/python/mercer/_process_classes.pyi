from os import PathLike
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import ClassifierMixin
from typing_extensions import Self

from ._estimator import Unpickled
from ._trials import TunableByFits
from .kernels import Kernel

class GaussianProcessClassifier(ClassifierMixin, TunableByFits, Unpickled):
    classes_: NDArray[Any]
    n_classes_: int
    status_: str
    kernel_: Any
    log_marginal_likelihood_value_: float
    rank_: int | list[int] | None
    n_features_in_: int
    feature_names_in_: NDArray[Any]
    def __init__(
        self,
        kernel: Kernel | None = None,
        *,
        optimizer: str | None = "fmin_l_bfgs_b",
        n_restarts_optimizer: int = 0,
        max_iter_predict: int = 100,
        warm_start: bool = False,
        copy_X_train: bool = True,
        random_state: Any = None,
        multi_class: str = "one_vs_rest",
        rank: int | None = None,
        n_jobs: int | None = None,
        memory: float | None = None,
    ) -> None: ...
    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self: ...
    @property
    def theta_(self) -> NDArray[np.float64]: ...
    def log_marginal_likelihood(
        self, theta: Any = None, eval_gradient: bool = False, clone_kernel: bool = True
    ) -> Any: ...
    def save(self, path: str | PathLike[str]) -> None: ...
    def predict_proba(self, X: Any) -> NDArray[np.float64]: ...
    def predict(self, X: Any) -> NDArray[Any]: ...
