"""Containers of items: lists, arrays, series and frames with one item per entry, read the same way everywhere."""

import numpy as np
import scipy.sparse as sp


def items_of(kernel, X):
    """The items in X as a list; a pandas frame of records is left as it is, since its columns are faster to read.

    Items come in any ordered iterable: a list, a one-dimensional array, a series, an index or a categorical of pandas, a series of
    polars, an array of Arrow, or a generator. A frame or table with one column and an array of shape (n, 1) hold one item per row.
    Records are a frame, a table, a dictionary of columns, or one mapping per record.
    """
    return _records_of(X) if kernel.items == "records" else listed(X, kernel.items)


def listed(X, what="items"):
    """The items of a container with one item per entry, as a list."""
    if type(X) is list:
        return X
    _refuse(X, what)
    if _is_frame(X):
        names = _column_names(X)
        if len(names) != 1:
            raise ValueError(f"expected {what} in one column, found a {type(X).__name__} with {len(names)} columns")
        X = X.iloc[:, 0] if hasattr(X, "iloc") else X[names[0]]
    if isinstance(X, np.ndarray):
        if X.ndim == 0:
            raise TypeError(f"a list of {what} is expected, not an array without dimensions")
        # A column of objects or texts holds items; other rows are items themselves, such as series of numbers or lists of tokens.
        if X.ndim == 2 and X.shape[1] == 1 and X.dtype.kind in "OSUT":
            X = X[:, 0]
    return _entries(X, what)


def _entries(X, what):
    """The entries of a one-dimensional container. Series of numbers within a column stay arrays."""
    for name in ("to_pylist", "to_list"):
        if hasattr(X, name) and not isinstance(X, np.ndarray):
            return list(getattr(X, name)())
    try:
        return list(X)
    except TypeError:
        raise TypeError(f"a list of {what} is expected, not {type(X).__name__}") from None


def _refuse(X, what):
    """Refuses what can be iterated over and is no list of items."""
    if isinstance(X, (str, bytes, bytearray)):
        raise TypeError(f"a list of {what} is expected, not one {type(X).__name__}")
    if isinstance(X, (dict, set, frozenset)):
        raise TypeError(f"a list of {what} is expected, found a {type(X).__name__}; pass a list")
    if sp.issparse(X):
        raise TypeError(f"a list of {what} is expected, not a sparse matrix")
    if isinstance(X, list) and callable(getattr(X, "leaves", None)):
        raise TypeError(f"a list of {what} is expected, not one {type(X).__name__}")


def _is_frame(X):
    return hasattr(X, "columns") or hasattr(X, "column_names")


def _column_names(X):
    """Names of the columns of a frame of pandas or polars, or of a table of Arrow."""
    return list(X.column_names if hasattr(X, "column_names") else X.columns)


def _records_of(X):
    """Records as a frame of pandas or as one mapping per record."""
    if _is_frame(X):
        names = _column_names(X)
        repeated = next((name for at, name in enumerate(names) if name in names[:at]), None)
        if repeated is not None:
            raise ValueError(f"the records have several columns named {repeated!r}")
        if hasattr(X, "iloc"):
            return X
        return _of_columns({name: X[name] for name in names})
    if isinstance(X, dict):
        return _of_columns(X)
    if isinstance(X, np.ndarray) and X.dtype.names:
        return [dict(zip(X.dtype.names, row)) for row in X.ravel().tolist()]
    return listed(X)


def _of_columns(columns):
    columns = {name: listed(values) for name, values in columns.items()}
    lengths = {len(values) for values in columns.values()}
    if len(lengths) > 1:
        raise ValueError(f"the columns of the records have {[len(values) for values in columns.values()]} values")
    return [dict(zip(columns, row)) for row in zip(*columns.values())]


def one_by_one(X):
    """Items as a list: rows of a frame as mappings."""
    if hasattr(X, "to_dict") and hasattr(X, "columns"):
        return X.to_dict("records")
    return X if isinstance(X, list) else list(X)
