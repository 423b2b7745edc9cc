from typing import Any

import numpy as np
from numpy.typing import NDArray

def fisher_scores(model: Any, X: Any, *, alphabet: str | None = None) -> NDArray[np.float64]: ...
