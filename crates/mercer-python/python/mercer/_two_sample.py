"""Do two samples come from the same distribution?"""

from typing import NamedTuple

import numpy as np
import scipy.sparse as sp
from sklearn.utils import check_array

from . import _mercer
from ._containers import items_of, one_by_one
from ._learners import DTYPES, count, is_structured
from ._seeds import seed_of
from ._views import View
from ._whole import whole
from .kernels import Gaussian


class TwoSampleTest(NamedTuple):
    """What a kernel two-sample test found."""

    statistic: float
    p_value: float
    biased_statistic: float
    n_permutations: int


def mmd_test(
    X,
    Y,
    kernel=None,
    *,
    gamma=None,
    degree=3,
    coef0=1,
    n_permutations=999,
    random_state=None,
    n_jobs=None,
    memory=None,
):
    """Test whether two samples come from the same distribution, by the maximum mean discrepancy.

    The statistic is MMD² = mean k(x, x′) − 2 mean k(x, y) + mean k(y, y′), without pairs of an item with itself: the squared distance of
    the means of both samples in the feature space, 0 for equal distributions only if the kernel is one such as the Gaussian. How large it is
    by chance is told by dividing all items at random into two samples of the same sizes. Takes O(n² · n_permutations) time and 8n² bytes.

    Parameters
    ----------
    X : {array-like, sparse matrix} of shape (n_samples_X, n_features), or list of items
        The first sample, two items at least.
    Y : {array-like, sparse matrix} of shape (n_samples_Y, n_features), or list of items
        The second sample.
    kernel : str, kernel of `mercer.kernels` or callable, default=None
        The kernel: a name that `sklearn.metrics.pairwise.pairwise_kernels` knows, a kernel object, or a callable that is given two
        matrices of rows and returns the matrix of their kernel values.
        None for a Gaussian of gamma 1/(n_features · variance of both samples).
    gamma : float, default=None
        Coefficient of "rbf", "laplacian", "poly", "sigmoid" and "chi2"; None for 1/n_features, for "chi2" 1. Without a kernel, that of the
        Gaussian.
    degree : float, default=3
        Degree of "poly".
    coef0 : float, default=1
        Constant term of "poly" and "sigmoid".
    n_permutations : int, default=999
        Divisions at random.
    random_state : int, RandomState instance or None, default=None
        For the divisions.
    n_jobs : int, default=None
        Threads: None for all there are (one inside a worker of joblib), -1 for all. The result does not depend on it.
    memory : float, default=None
        Megabytes for the kernel matrix; None for a quarter of what is free at first, rounded down to a power of two.

    Returns
    -------
    tuple
        Named `statistic`, `p_value` (the share of divisions, the given one among them, whose statistic is at least as large),
        `biased_statistic` (with all pairs, never below 0) and `n_permutations`.

    Examples
    --------
    >>> import numpy as np
    >>> from mercer import mmd_test
    >>> random = np.random.default_rng(0)
    >>> found = mmd_test(random.normal(size=(50, 2)), random.normal(1.0, size=(50, 2)), random_state=0)
    >>> found.p_value
    0.001
    """
    if isinstance(kernel, str) and kernel == "precomputed":
        raise ValueError('kernel="precomputed": the test computes kernel values of both samples itself; take a callable')
    if kernel is None:
        kernel = Gaussian() if gamma is None else "rbf"
    elif gamma is not None and not isinstance(kernel, str):
        raise ValueError("gamma is for kernels that are named: this one has its parameters")
    view = View(kernel, gamma, degree, coef0, None, n_jobs, memory)
    view._validate_params()
    if is_structured(kernel):
        X, Y = items_of(kernel, X), items_of(kernel, Y)
    items = view._checked(_joined(kernel, X, Y))
    rows, seed = view._given(items), seed_of(random_state)
    permutations, first = whole("n_permutations", n_permutations, 1), count(X) if hasattr(X, "shape") else len(X)
    statistic, biased, p_value = _mercer.two_sample_test(rows, view._formula, first, permutations, seed, view._means())
    return TwoSampleTest(statistic, p_value, biased, permutations)


def _joined(kernel, X, Y):
    """The items of both samples."""
    if is_structured(kernel):
        if hasattr(X, "columns") and hasattr(Y, "columns"):
            import pandas as pd

            return pd.concat([X, Y], ignore_index=True)
        return [*one_by_one(X), *one_by_one(Y)]
    X, Y = (check_array(given, accept_sparse="csr", dtype=DTYPES, input_name=name) for given, name in ((X, "X"), (Y, "Y")))
    if X.shape[1] != Y.shape[1]:
        raise ValueError(f"X has {X.shape[1]} columns and Y has {Y.shape[1]}")
    return sp.vstack([X, Y], format="csr") if sp.issparse(X) or sp.issparse(Y) else np.vstack([X, Y])
