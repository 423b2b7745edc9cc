from os import PathLike
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray
from sklearn.base import MultiOutputMixin, RegressorMixin
from typing_extensions import Self

from ._estimator import Unpickled
from ._trials import TunableByFits
from .kernels import Kernel

class GaussianProcessRegressor(MultiOutputMixin, RegressorMixin, TunableByFits, Unpickled):
    kernel_: Kernel
    X_train_: Any
    y_train_: NDArray[np.float64]
    alpha_: NDArray[np.float64]
    log_marginal_likelihood_value_: float
    jitter_: float
    status_: str
    rank_: int | None
    n_features_in_: int
    feature_names_in_: NDArray[np.object_]
    def __init__(
        self,
        kernel: Kernel | None = None,
        *,
        alpha: float = 1e-10,
        optimizer: Literal["fmin_l_bfgs_b"] | None = "fmin_l_bfgs_b",
        n_restarts_optimizer: int = 0,
        normalize_y: bool = False,
        copy_X_train: bool = True,
        n_targets: int | None = None,
        random_state: Any = None,
        rank: int | None = None,
        n_jobs: int | None = None,
        memory: float | None = None,
    ) -> None: ...
    @property
    def L_(self) -> NDArray[np.float64]: ...
    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self: ...
    def predict(self, X: Any, return_std: bool = False, return_cov: bool = False) -> Any: ...
    @property
    def theta_(self) -> NDArray[np.float64]: ...
    def log_marginal_likelihood(
        self, theta: Any = None, eval_gradient: bool = False, clone_kernel: bool = True
    ) -> Any: ...
    def save(self, path: str | PathLike[str]) -> None: ...
    def sample_y(self, X: Any, n_samples: int = 1, random_state: Any = 0) -> NDArray[np.float64]: ...
    def __getstate__(self) -> Any: ...
    def __setstate__(self, state: Any) -> None: ...
