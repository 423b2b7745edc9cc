"""Items of any kind that are remembered by number, and their kernel values."""

import numpy as np

from . import _mercer
from ._items import as_items
from ._kernel_machine import is_structured, kernel_values


class Remembered:
    """Items by number: those that a machine still needs, and what their kernel says about them."""

    def __init__(self, kernel):
        self.kernel = kernel
        self.items = {}
        self.count = 0
        # Rows of an array are handed to a function as an array.
        self.is_stacked = False

    def add(self, X, start=0, end=None):
        """Remembers items for the time being; their numbers."""
        self.is_stacked = hasattr(X, "ndim") and X.ndim == 2
        items = listed(X)[start:end]
        ids = list(range(self.count, self.count + len(items)))
        self.items.update(zip(ids, items))
        self.count += len(items)
        return ids

    def keep(self, ids):
        """Forgets all others."""
        self.items = {number: self.items[number] for number in ids}

    def values(self, ids, columns):
        """Kernel values of remembered items, a row for each of the first."""
        return self._between([self.items[number] for number in ids], [self.items[number] for number in columns])

    def compared(self, X):
        """Kernel values of new items with all that are remembered, and the numbers of these."""
        ids = list(self.items)
        if not ids:
            return np.empty((len(listed(X)), 0)), ids
        return self._between(listed(X), list(self.items.values())), ids

    def _between(self, items, others):
        if is_structured(self.kernel):
            # What is remembered stands first: what a kernel learns from its items it learns from them.
            known, new = as_items(self.kernel, others), as_items(self.kernel, items)
            return np.ascontiguousarray(_mercer.gram(str(self.kernel), known, new).T)
        if self.is_stacked:
            items, others = np.stack(items), np.stack(others)
        values = kernel_values(self.kernel, items, others)
        if values.shape != (len(items), len(others)):
            raise ValueError(f"the kernel gives values of shape {values.shape} for {len(items)} and {len(others)} items")
        return np.ascontiguousarray(values)


def listed(X):
    """Items one by one: rows of a frame as records."""
    if hasattr(X, "to_dict") and hasattr(X, "columns"):
        return X.to_dict("records")
    return list(X)
