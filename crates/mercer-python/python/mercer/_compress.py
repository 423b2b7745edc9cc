"""Models of fewer terms, with the error stated."""

from copy import copy
from typing import Any, NamedTuple

import numpy as np
from sklearn.utils.validation import check_is_fitted

from . import _mercer
from ._estimator import SupportVectorMachine
from ._pairwise import MatrixMachine
from ._whole import whole


class Compressed(NamedTuple):
    """A smaller estimator, and how far it is from the one that it was made of."""

    estimator: Any
    errors: np.ndarray
    norms: np.ndarray
    positions: np.ndarray


def compress(estimator, n_terms):
    """Replace the functions of an estimator by ones of fewer terms, with the error stated.

    Of f(x) = Σ β k(x_i, x) + b over many items the best f′ over a few of them is found: items are chosen one by one, each the one that
    lowers ‖f − f′‖ of all functions together most, and have their best coefficients then. Since abs(f(x) − f′(x)) ≤ ‖f − f′‖ √k(x, x), the
    error holds everywhere. Takes O(n²) kernel values of the n items that the functions have, and 8n² bytes.

    Parameters
    ----------
    estimator : estimator
        A fitted `SVC` or `NuSVC` of two classes, `SVR`, `NuSVR`, `KernelRidge`, `LSSVC`, `KernelPLS`, `RankSVM`, `OrdinalSVM` or
        `BayesPointMachine`, whose kernel is one of the engine's and known to be positive semi-definite.
    n_terms : int
        Most items that the smaller functions have.

    Returns
    -------
    tuple
        Named `estimator` (a smaller one of the same kind, which predicts and can be saved as the other), `errors` (‖f − f′‖ of each
        function), `norms` (‖f‖ of each, to compare with) and `positions` (which of the items of the estimator it has).

    Examples
    --------
    >>> import numpy as np
    >>> from mercer import KernelRidge, compress
    >>> X = np.linspace(0, 5, 50)[:, None]
    >>> model = KernelRidge(kernel="rbf", gamma=0.5, alpha=0.01).fit(X, np.sin(X).ravel())
    >>> small = compress(model, 10)
    >>> len(small.estimator.X_fit_), bool(small.errors[0] < 0.01 * small.norms[0])
    (10, True)
    >>> bool(abs(model.predict(X) - small.estimator.predict(X)).max() <= small.errors[0])
    True
    """
    check_is_fitted(estimator)
    terms = whole("n_terms", n_terms, 1)
    smaller = copy(estimator)
    # What is known of the training is about all terms.
    for name in ("_seen", "_asked"):
        smaller.__dict__.pop(name, None)
    if isinstance(estimator, SupportVectorMachine):
        model, told = _mercer.reduce_model(estimator._model, terms)
    elif isinstance(estimator, MatrixMachine):
        if estimator._formula is None and estimator.kernel != "precomputed":
            raise ValueError("there is no reduced set of a function of Python's: its values are not known to the engine")
        model, told = _mercer.reduce_machine(estimator._stored(), terms)
    else:
        raise TypeError(f"compress: {type(estimator).__name__} has no functions over items")
    positions, errors, norms = told
    return Compressed(smaller._restore(model), np.asarray(errors), np.asarray(norms), np.asarray(positions, dtype=int))
