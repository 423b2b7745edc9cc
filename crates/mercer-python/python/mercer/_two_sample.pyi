from collections.abc import Callable
from typing import Any, NamedTuple

from .kernels import Kernel

class TwoSampleTest(NamedTuple):
    statistic: float
    p_value: float
    biased_statistic: float
    n_permutations: int

def mmd_test(
    X: Any,
    Y: Any,
    kernel: str | Kernel | Callable[..., Any] | None = None,
    *,
    gamma: float | None = None,
    degree: float = 3,
    coef0: float = 1,
    n_permutations: int = 999,
    random_state: Any = None,
    n_jobs: int | None = None,
    memory: float | None = None,
) -> TwoSampleTest: ...
