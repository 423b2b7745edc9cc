"""What is tried if nothing is said, from the data: widths about their usual ones, costs and penalties about the size of kernel values."""

import numpy as np
import scipy.sparse as sp
from sklearn.base import clone
from sklearn.utils import _safe_indexing
from sklearn.utils.validation import _num_samples

from . import _mercer
from ._items import as_items
from ._kernel_machine import KernelMachine, variance_of, is_function, is_structured, kernel_values
from ._rows import as_rows
from .kernels import Kernel

# Costs and penalties as multiples of the usual one, and widths.
STEPS = np.logspace(-3, 3, 7)
WIDTHS = np.logspace(-2, 2, 5)
# Kernels by name that have a width or a factor to be found.
_WITH_GAMMA = ("rbf", "laplacian", "poly", "polynomial", "sigmoid", "chi2")
# Items that are looked at for the size of kernel values.
_SOME = 500


def has_gamma(model):
    """Whether the kernel has a width or a factor to be found."""
    kernel = getattr(model, "kernel", None)
    return isinstance(kernel, str) and kernel in _WITH_GAMMA


def usual_gamma(X):
    """1/(n_features · variance), as "scale" has it."""
    rows = X if sp.issparse(X) else np.asarray(X, dtype=np.float64)
    rows = rows.tocsr() if sp.issparse(rows) else rows
    with np.errstate(over="ignore", invalid="ignore"):
        variance = variance_of(rows, None)
    return 1.0 / (rows.shape[1] * variance) if np.isfinite(variance) and variance > 0 else 1.0 / rows.shape[1]


def gammas(model, X):
    """A grid of gammas about the usual one; without any for a kernel that has none."""
    return {"gamma": rounded(usual_gamma(X) * WIDTHS)} if has_gamma(model) else {}


def size(model, X):
    """The mean squared distance of items from their centre in feature space, of some if they are many."""
    n = _num_samples(X)
    places = np.arange(n) if n <= _SOME else np.linspace(0, n - 1, _SOME).astype(int)
    if model.kernel == "precomputed":
        values = square(X)[np.ix_(places, places)]
    else:
        usual = clone(model).set_params(gamma=usual_gamma(X)) if has_gamma(model) else model
        values = gram_of(usual, _safe_indexing(X, places))
    found = float(np.diag(values).mean() - values.mean())
    return found if np.isfinite(found) and found > 0 else 1.0


def square(X):
    """Kernel values of all pairs, as a matrix."""
    values = np.asarray(X.toarray() if sp.issparse(X) else X, dtype=np.float64)
    if values.ndim != 2 or values.shape[0] != values.shape[1]:
        raise ValueError(f"Precomputed matrix must be a square matrix. Input is a {'x'.join(map(str, values.shape))} matrix.")
    return values


def gram_of(model, X):
    """All kernel values of items."""
    kernel = model.kernel
    if is_structured(kernel):
        items = as_items(kernel, X)
        return _mercer.gram(str(kernel), items, items)
    if isinstance(model, KernelMachine):
        if is_function(kernel):
            return kernel_values(kernel, X, X)
        rows = _rows(X)
        model = clone(model)
        model._gamma = model._resolved_gamma(rows, None)
        formula = model._formula()
    else:
        rows = _rows(X)
        formula = str(kernel) if isinstance(kernel, Kernel) else model._formula_for(rows.shape[1])
        if formula is None:
            return model._values(rows, rows)
    given = as_rows(rows)
    return _mercer.gram(_mercer.resolve_kernel(formula, given), given, given)


def _rows(X):
    return X.tocsr() if sp.issparse(X) else np.ascontiguousarray(X, dtype=np.float64)


def rounded(values):
    """Numbers that can be read."""
    return [float(f"{value:.3g}") for value in values]
