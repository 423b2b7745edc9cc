"""Frames with columns of words, as models of the command line take them."""

import warnings

import numpy as np

from ._containers import listed
from ._items import word_of


def encoded(estimator, X):
    """The rows of a frame with the columns of the table that a loaded model was trained on; all else is left as it is.

    A column of words becomes one feature for each word of the training, as on the command line.
    """
    model = getattr(estimator, "_table_model", None)
    if model is None or not hasattr(X, "columns"):
        return X
    names, known = list(X.columns), getattr(estimator, "feature_names_in_", None)
    # Whoever was fitted again since has columns of another table.
    if known is None or list(known) != model.feature_names or names == list(known):
        return X
    columns = []
    for name, position, holds_words in model.table:
        if name is not None and name not in names:
            raise ValueError(f"the frame has no column {name!r}, which the model was trained on")
        if name is None and position >= len(names):
            raise ValueError(f"the frame has {len(names)} columns, and the model was trained on number {position + 1}")
        column = X[names[position] if name is None else name]
        columns.append([_word(value) for value in listed(column)] if holds_words else _numbers(column, name).tolist())
    values, unseen = model.encode(columns)
    if unseen:
        warnings.warn(f"{unseen} cells hold words that the training did not have: they are encoded as zeros", UserWarning, stacklevel=4)
    return type(X)(dict(zip(known, values.T)))


def _numbers(column, name):
    try:
        return np.asarray(column, dtype=np.float64)
    except (TypeError, ValueError):
        raise ValueError(f"column {name!r} held numbers when the model was trained, and holds other values here") from None


def _word(value):
    """What a value is called; none if it is missing."""
    is_missing = value is None or type(value).__name__ in ("NAType", "NaTType") or (isinstance(value, float) and np.isnan(value))
    return None if is_missing else word_of(value)
