from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

class Compressed(NamedTuple):
    estimator: Any
    errors: NDArray[np.float64]
    norms: NDArray[np.float64]
    positions: NDArray[np.int64]

def compress(estimator: Any, n_terms: int) -> Compressed: ...
