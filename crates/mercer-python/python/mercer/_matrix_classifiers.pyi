from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import ClassNamePrefixFeaturesOutMixin, TransformerMixin

from ._learners import ItemClassifier, WeightedClassifier
from .kernels import Kernel

class LSSVC(WeightedClassifier):
    jitter_: float
    status_: str
    def __init__(
        self,
        C: float = 1.0,
        *,
        kernel: str | Kernel | Callable[..., Any] = "linear",
        gamma: float | None = None,
        degree: float = 3,
        coef0: float = 1,
        kernel_params: dict[str, Any] | None = None,
        n_jobs: int | None = None,
        memory: float | None = None,
    ) -> None: ...

class KernelFisherDiscriminant(ClassNamePrefixFeaturesOutMixin, TransformerMixin, WeightedClassifier):
    ratios_: NDArray[Any]
    means_: NDArray[Any]
    def __init__(
        self,
        regularisation: float = 0.1,
        *,
        rank: int = 500,
        kernel: str | Kernel | Callable[..., Any] = "linear",
        gamma: float | None = None,
        degree: float = 3,
        coef0: float = 1,
        kernel_params: dict[str, Any] | None = None,
        n_jobs: int | None = None,
        memory: float | None = None,
    ) -> None: ...
    def transform(self, X: Any) -> NDArray[np.float64]: ...
    def decision_function(self, X: Any) -> NDArray[np.float64]: ...

class BayesPointMachine(ItemClassifier):
    n_consistent_: int
    agreement_: float
    status_: str
    def __init__(
        self,
        n_perceptrons: int = 50,
        *,
        softness: float = 1.0,
        max_rounds: int = 1000,
        random_state: Any = None,
        kernel: str | Kernel | Callable[..., Any] = "linear",
        gamma: float | None = None,
        degree: float = 3,
        coef0: float = 1,
        kernel_params: dict[str, Any] | None = None,
        n_jobs: int | None = None,
        memory: float | None = None,
    ) -> None: ...

class RVC(WeightedClassifier):
    relevance_: NDArray[Any]
    n_candidates_: int
    log_likelihoods_: NDArray[Any]
    n_iter_: int
    status_: str
    def __init__(
        self,
        *,
        tol: float = 0.0001,
        max_iter: int = 10000,
        fit_intercept: bool = True,
        rank: int | None = None,
        kernel: str | Kernel | Callable[..., Any] = "linear",
        gamma: float | None = None,
        degree: float = 3,
        coef0: float = 1,
        kernel_params: dict[str, Any] | None = None,
        n_jobs: int | None = None,
        memory: float | None = None,
    ) -> None: ...
    def predict_proba(self, X: Any) -> NDArray[np.float64]: ...
