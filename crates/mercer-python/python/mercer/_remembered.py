"""Items of any kind that are remembered by number, and their kernel values."""

import numpy as np

from . import _mercer
from ._containers import items_of, one_by_one
from ._items import as_items
from ._kernel_machine import is_structured, kernel_values
from ._mending import is_mended


class Remembered:
    """Items by number: those that a machine still needs, and what their kernel says about them."""

    def __init__(self, kernel):
        if is_mended(kernel):
            raise ValueError(f"{kernel} is made of all items at once: a machine that learns from one after the other cannot have it")
        self.kernel = kernel
        self.items = {}
        self.count = 0
        # Rows of an array are handed to a function as an array.
        self.is_stacked = False
        # What a kernel learns from items (weights of words, a median, a model) it learns once, from the first that come: values of all
        # times are to be values of one kernel.
        self.first = None
        self._learned = None

    def add(self, X, start=0, end=None):
        """Remembers items for the time being; their numbers."""
        self.is_stacked = hasattr(X, "ndim") and X.ndim == 2 and not is_structured(self.kernel)
        items = self.listed(X)
        if self.first is None and is_structured(self.kernel):
            self.first = items
        items = items[start:end]
        ids = list(range(self.count, self.count + len(items)))
        self.items.update(zip(ids, items))
        self.count += len(items)
        return ids

    def emptied(self):
        """One with the same kernel, and what it has learned from, that remembers nothing."""
        other = Remembered(self.kernel)
        other.first = getattr(self, "first", None)
        return other

    def copied(self):
        """Another one with the same items, to which more can be added."""
        other = object.__new__(Remembered)
        other.__dict__ = {**self.__dict__, "items": dict(self.items)}
        return other

    def keep(self, ids):
        """Forgets all others."""
        self.items = {number: self.items[number] for number in ids}

    def values(self, ids, columns):
        """Kernel values of remembered items, a row for each of the first."""
        return self._between([self.items[number] for number in ids], [self.items[number] for number in columns])

    def compared(self, X):
        """Kernel values of new items with all that are remembered, and the numbers of these."""
        # Another thread may add or forget some meanwhile.
        kept, items = dict(self.items), self.listed(X)
        if not kept:
            return np.empty((len(items), 0)), []
        return self._between(items, list(kept.values())), list(kept)

    def listed(self, X):
        """Items one by one."""
        return one_by_one(items_of(self.kernel, X) if is_structured(self.kernel) else X)

    def __getstate__(self):
        # It is learned again, from the same items.
        return {**self.__dict__, "_learned": None}

    def __setstate__(self, state):
        # Earlier versions knew no first items.
        self.__dict__.update({"first": list(state["items"].values()), **state})

    def _between(self, items, others):
        if is_structured(self.kernel):
            if self._learned is None:
                self._learned = _mercer.LearnedKernel(str(self.kernel), as_items(self.kernel, self.first))
            known, new = as_items(self.kernel, others), as_items(self.kernel, items)
            return np.ascontiguousarray(self._learned.values(known, new).T)
        if self.is_stacked:
            items, others = np.stack(items), np.stack(others)
        values = kernel_values(self.kernel, items, others)
        if values.shape != (len(items), len(others)):
            raise ValueError(f"the kernel gives values of shape {values.shape} for {len(items)} and {len(others)} items")
        return np.ascontiguousarray(values)
