from collections.abc import Callable, Iterable, Mapping, Sequence
from os import PathLike
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray
from sklearn.base import ClassNamePrefixFeaturesOutMixin, TransformerMixin
from typing_extensions import Self

from ._learners import ItemMachine
from ._tuning import Tuned
from .kernels import Kernel

class KernelPCA(ClassNamePrefixFeaturesOutMixin, TransformerMixin, Tuned, ItemMachine):
    eigenvalues_: NDArray[np.float64]
    eigenvectors_: NDArray[np.float64]
    gamma_: float
    explained_variance_ratio_: NDArray[np.float64]
    dual_coef_: NDArray[np.float64]
    X_transformed_fit_: NDArray[np.float64]
    def __init__(
        self,
        n_components: int | None = None,
        *,
        kernel: str | Kernel | Callable[..., Any] = "linear",
        gamma: float | None = None,
        degree: float = 3,
        coef0: float = 1,
        kernel_params: dict[str, Any] | None = None,
        alpha: float = 1.0,
        fit_inverse_transform: bool = False,
        eigen_solver: Literal["auto", "dense", "arpack", "randomized"] = "auto",
        tol: float = 0,
        max_iter: int | None = None,
        iterated_power: int | Literal["auto"] = "auto",
        remove_zero_eig: bool = False,
        random_state: Any = None,
        copy_X: bool = True,
        n_jobs: int | None = None,
        memory: float | None = None,
    ) -> None: ...
    def tune(
        self,
        X: Any,
        y: Any = None,
        param_grid: Mapping[str, Any] | Sequence[Mapping[str, Any]] | None = None,
        *,
        cv: int | Iterable[Any] | Any = 5,
        scoring: Callable[..., float] | None = None,
        exhaustive: bool = False,
        halving: bool = False,
        refine: int = 0,
        n_iter: int | None = None,
        random_state: int | np.random.RandomState | None = None,
    ) -> Self: ...
    def fit(self, X: Any, y: Any = None) -> Self: ...
    def fit_transform(self, X: Any, y: Any = None) -> NDArray[Any]: ...
    def save(self, path: str | PathLike[str]) -> None: ...
    def transform(self, X: Any) -> NDArray[Any]: ...
    def reconstruction_error(self, X: Any) -> NDArray[np.float64]: ...
    def inverse_transform(self, X: Any) -> NDArray[np.float64]: ...
