"""Kernels and kernel matrices that are not positive semi-definite."""

import numpy as np

from . import _mercer
from ._algebra import _Wrapped
from ._docs import documented

# Rows that are looked at at a time.
_AT_ONCE = 256


def mend(K, how="clip"):
    """Make a symmetric kernel matrix positive semi-definite, as values of `DynamicTimeWarping` or `BestMatch` may not be.

    Parameters
    ----------
    K : array-like of shape (n_samples, n_samples)
        The kernel values of the training items.
    how : {"clip", "shift"}, default="clip"
        "clip" sets the eigenvalues below 0 to 0, "shift" adds as much to the diagonal as the least of them lacks.

    Returns
    -------
    Mended
        Its `matrix` is for `kernel="precomputed"`, `rows(values)` treats the values of new items (down) with the training items
        (across) in the same way. It prints what was done; `negative`, `smallest_eigenvalue` and `largest_change` are the numbers of it.

    Examples
    --------
    >>> from mercer import mend
    >>> mended = mend([[1.0, 2.0], [2.0, 1.0]])
    >>> mended.matrix.round(3)
    array([[1.5, 1.5],
           [1.5, 1.5]])
    >>> print(mended)
    1 of 2 eigenvalues below 0 (down to -1.000e0) set to 0; no entry changed by more than 5.000e-1
    """
    K = np.ascontiguousarray(K, dtype=np.float64)
    if K.ndim != 2 or K.shape[0] != K.shape[1]:
        raise ValueError(f"a kernel matrix is square, found the shape {K.shape}")
    # As far from symmetric as rounding makes them; the engine reads one half. Between two pieces Ctrl-C is heard.
    pieces = [slice(start, start + _AT_ONCE) for start in range(0, len(K), _AT_ONCE)]
    largest = np.max([np.abs(K[piece]).max() for piece in pieces], initial=0.0)
    if not all(np.allclose(K[piece], K[:, piece].T, rtol=1e-8, atol=1e-8 * largest, equal_nan=True) for piece in pieces):
        raise ValueError("a kernel matrix is symmetric, this one is not")
    return _mercer.mend(K, how)


def is_mended(kernel):
    """Whether the kernel is made positive semi-definite by the items that a machine is trained on."""
    return isinstance(kernel, (Shifted, Clipped)) or str(kernel).startswith(("shifted(", "clipped("))


def refuse_shifted(kernel):
    """Refuses a kernel that is positive semi-definite on the items of the fit alone, for machines that tell variances of new ones."""
    if str(kernel).startswith("shifted("):
        raise ValueError(f"{kernel} has no variance of new items: Clipped is positive semi-definite everywhere")


@documented
class Shifted(_Wrapped):
    """A kernel on structured items made positive semi-definite: the diagonal of the training matrix grows.

    It grows by what the least eigenvalue lacks. For kernels that are not (`DynamicTimeWarping`, `BestMatch`, `Jittered`), around the whole kernel. Values of new items
    stay as they are. `mended_` of a fitted machine says what was done; `mend` does the same to a matrix.

    Examples
    --------
    >>> from mercer import SVC
    >>> from mercer.kernels import DynamicTimeWarping, Shifted
    >>> X = [[0.0, 0.0, 1.0], [0.0, 1.0, 1.0], [1.0, 0.0, 1.0], [1.0, 1.0, 0.0], [0.0, 1.0, 0.0]]
    >>> SVC(kernel=Shifted(DynamicTimeWarping(gamma=0.1))).fit(X, [0, 0, 0, 1, 1]).mended_
    'shifted by 0.0380: least eigenvalue -0.0380'
    """

    _name = "shifted"


@documented
class Clipped(_Wrapped):
    """A kernel on structured items made positive semi-definite: eigenvalues of the training matrix that are below 0 become 0.

    For kernels that are not (`DynamicTimeWarping`, `BestMatch`, `Jittered`), around the whole kernel. Values of new items
    are projected in the same way; a model keeps all training items for it. `mended_` of a fitted machine says what was done;
    `mend` does the same to a matrix.

    Examples
    --------
    >>> from mercer import SVC
    >>> from mercer.kernels import Clipped, DynamicTimeWarping
    >>> X = [[0.0, 0.0, 1.0], [0.0, 1.0, 1.0], [1.0, 0.0, 1.0], [1.0, 1.0, 0.0], [0.0, 1.0, 0.0]]
    >>> SVC(kernel=Clipped(DynamicTimeWarping(gamma=0.1))).fit(X, [0, 0, 0, 1, 1]).mended_
    'clipped 1 of 5 eigenvalues, most negative -0.0380'
    """

    _name = "clipped"
