"""Rows of numbers as the engine takes them: without a copy wherever they already are what they have to be."""

import numpy as np
import scipy.sparse as sp


def as_rows(X):
    """A matrix of either precision, or the parts of compressed rows."""
    if sp.issparse(X):
        X = X.tocsr()
        if not X.has_canonical_format:
            X = X.copy()
            X.sum_duplicates()
        data = np.ascontiguousarray(X.data, dtype=np.float64)
        return data, np.ascontiguousarray(X.indices), np.ascontiguousarray(X.indptr), X.shape[1]
    X = np.asarray(X)
    if X.dtype not in (np.float32, np.float64):
        X = X.astype(np.float64)
    if not X.dtype.isnative or not X.flags.aligned:
        X = np.array(X, dtype=X.dtype.newbyteorder("="))
    return X


def check_columns(X):
    """Refuses compressed rows with columns that are not there, which scipy itself would follow out of its arrays."""
    if sp.issparse(X) and len(X.indices) and not (0 <= X.indices.min() and X.indices.max() < X.shape[1]):
        raise ValueError(
            f"X has column indices from {X.indices.min()} to {X.indices.max()}, expected 0 to {X.shape[1] - 1}"
        )


def from_rows(rows):
    """The other way round."""
    if isinstance(rows, tuple):
        data, indices, indptr, columns = rows
        return sp.csr_matrix((data, indices, indptr), shape=(len(indptr) - 1, columns))
    return rows
