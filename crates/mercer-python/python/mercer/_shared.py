"""What searches by trainings share: kernel values that all folds take their part of, samples of rows, tasks side by side."""

from concurrent.futures import ThreadPoolExecutor

import numpy as np
from sklearn.utils.validation import _num_samples

from . import _mercer
from ._kernel_machine import KernelMachine, is_function, is_structured
from ._pairwise import MatrixMachine
from ._ranges import gram_of, has_gamma, square
from ._threads import thread_count

# Bytes for the kernel values of all kernels that are tried, unless the machine says how many.
_MEMORY = 512 * 2**20
# Of a search by halving: rows of the first sample, how many times as many the next has, and settings that go on at least.
_LEAST_ROWS = 400
_FACTOR = 3
_FEWEST = 4


class Shared:
    """The items of a search, and the kernel values that were computed of them."""

    def __init__(self, model, X, y, per_fold):
        self.X, self.y, self.per_fold = X, y, per_fold
        self.count = _num_samples(X)
        memory = getattr(model, "memory", None)
        self.memory = _MEMORY if memory is None else memory * 2**20
        self.known = {}

    def candidates(self, models):
        """For each machine: how it is tried, on what, and whether that are kernel values of all pairs."""
        return [self._candidate(model) for model in models]

    def _candidate(self, model):
        kernel = getattr(model, "kernel", None)
        if isinstance(kernel, str) and kernel == "precomputed":
            return model, square(self.X), True
        if self.per_fold:
            return model, self.X, False
        if is_structured(kernel) or is_function(kernel):
            values = self._values(model)
            if values is None:
                return model, self.X, False
            if isinstance(model, MatrixMachine):
                return model.set_params(kernel="precomputed"), values, True
            # Such a machine is told values by a function, of items that are numbers.
            return model.set_params(kernel=Looked(values)), list(range(self.count)), False
        if isinstance(model, KernelMachine) and has_gamma(model) and model.gamma == "scale":
            rows = model._check_rows(self.X, self.y)[0]
            model.gamma = model._resolved_gamma(rows, None)
        return model, self.X, False

    def _values(self, model):
        """All kernel values, computed once; none if they are too many to be kept."""
        parameters = getattr(model, "kernel_params", None)
        key = (str(model.kernel) if is_structured(model.kernel) else id(model.kernel), repr(parameters))
        if key not in self.known:
            if 8 * self.count**2 * (len(self.known) + 1) > self.memory:
                return None
            # The kernel is kept beside them, so that no other can have its number.
            self.known[key] = gram_of(model, self.X), model.kernel
        return self.known[key][0]


class Looked:
    """A kernel whose values are known, on items that are their places."""

    def __init__(self, values):
        self.values = values

    def __deepcopy__(self, _memo):
        # Estimators are cloned by the hundred, and values do not change.
        return self

    def __call__(self, items, others):
        return self.values[np.ix_(np.asarray(items, dtype=int), np.asarray(others, dtype=int))]


def samples(y, n, is_of_classes):
    """Rows of each sample, the smallest first: every class, or every part of the range of the targets, by its share."""
    sizes = []
    while (size := n // _FACTOR ** (len(sizes) + 1)) >= _LEAST_ROWS:
        sizes.append(size)
    targets = np.zeros(n) if y is None or np.ndim(y) != 1 else np.asarray(y)
    keys = np.unique(targets, return_inverse=True)[1] if is_of_classes or targets.dtype.kind in "biuf" else np.zeros(n)
    order = np.argsort(keys, kind="stable")
    return [np.sort(order[np.arange(size) * n // size]) for size in reversed(sizes)]


def going_on(count):
    """How many of so many settings go on to the next sample."""
    return min(count, max(_FEWEST, -(-count // _FACTOR)))


def side_by_side(attempt, tasks, n_jobs):
    """What comes of all tasks, in their order. A single thread is this one, which Ctrl-C reaches at once."""
    threads = min(thread_count(n_jobs), len(tasks))
    if threads < 2:
        return [attempt(task) for task in tasks]
    work = _mercer.Interruption()
    with ThreadPoolExecutor(threads) as pool:
        try:
            return list(pool.map(lambda task: work.scope(attempt, task), tasks))
        except BaseException:
            # Ctrl-C reaches this thread only, which would wait for the others.
            work.end()
            raise
