"""Kernels that are functions of two items."""

from numbers import Number

import numpy as np
import scipy.sparse as sp

from ._containers import listed


class Pairwise:
    """A kernel from a function of two items: calls it for every pair, and returns the matrix that estimators ask for.

    Estimators take a callable kernel as scikit-learn's `SVC` does: it is given two sets of items at once and returns the matrix of
    their kernel values. A function of two items becomes such a kernel by this class, at the cost of one call for each pair.

    Parameters
    ----------
    function : callable
        Is given two items (rows as arrays, or whatever the lists hold) and returns a number. It should be symmetric.

    Examples
    --------
    >>> from mercer import SVC
    >>> from mercer.kernels import Pairwise
    >>> kernel = Pairwise(lambda a, b: float(len(set(a) & set(b))))
    >>> kernel(["ab", "bc"], ["abc"])
    array([[2.],
           [2.]])
    >>> SVC(kernel=kernel).fit(["aa", "ab", "cd", "dd"], [0, 0, 1, 1]).predict(["ba", "c"]).tolist()
    [0, 1]
    """

    def __init__(self, function):
        if not callable(function):
            raise TypeError(f"Pairwise takes a function of two items, not {type(function).__name__}")
        self.function = function

    def __call__(self, X, Y=None, **parameters):
        """Compute the values of all pairs.

        Parameters
        ----------
        X : array-like or list of items
            Rows or items.
        Y : array-like or list of items, default=None
            Others; None for those of X.
        **parameters : dict
            Parameters of the function, such as the `kernel_params` of an estimator.

        Returns
        -------
        ndarray of shape (n_samples_X, n_samples_Y)
            The values.

        Examples
        --------
        >>> from mercer.kernels import Pairwise
        >>> Pairwise(min)([1.0, 3.0], [2.0])
        array([[1.],
               [2.]])
        """
        first = _each(X)
        second = first if Y is None else _each(Y)
        values = np.empty((len(first), len(second)))
        for i, x in enumerate(first):
            for j, y in enumerate(second):
                values[i, j] = self._number(self.function(x, y, **parameters))
        return values

    def _number(self, value):
        if isinstance(value, Number) or (isinstance(value, np.ndarray) and value.ndim == 0):
            return value
        shape = f" of shape {value.shape}" if hasattr(value, "shape") else ""
        raise TypeError(
            f"Pairwise takes a function of two items that returns a number, and this one returns {type(value).__name__}{shape};"
            " a function of two sets of items that returns a matrix is a kernel by itself"
        )

    def __eq__(self, other):
        return isinstance(other, Pairwise) and self.function == other.function

    def __hash__(self):
        return hash(self.function)

    def __repr__(self):
        return f"Pairwise({self.function!r})"


def _each(X):
    """Items one by one; rows of a matrix or of a frame as arrays."""
    if sp.issparse(X):
        X = X.tocsr()
        return [X[i] for i in range(X.shape[0])]
    columns = getattr(X, "columns", None)
    if columns is not None and hasattr(X, "to_numpy") and len(columns) != 1:
        X = X.to_numpy()
    return listed(X)
