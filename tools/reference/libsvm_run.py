"""Running LIBSVM and turning its answer into the fixtures' convention.

LIBSVM's own convention. Classes are numbered by first appearance in the training data (except that for the
two labels −1 and +1 the label +1 always comes first); the order is `label` in the model. The sub-problem of two
classes at positions a < b of that order takes class a as y = +1; its decision value is positive for class a and
equals Σ coef · k − rho.

The fixtures' convention. Classes are sorted; the sub-problem of classes i < j takes class **i** as y = +1, its
decision value Σ β · k + offset is positive for class **i**. So a pair that LIBSVM has in the other order changes
the sign of its coefficients, rho and decision values; objectives are the same.
"""

import re
from dataclasses import dataclass

import numpy as np
from libsvm import svm, svmutil
from scipy import sparse

import kernels

NUMBER = r"([-+.\deE]+|[-+]?inf|[-+]?nan)"


@dataclass
class Pair:
    """One sub-problem, in the fixtures' convention."""

    positive: int
    negative: int
    beta: np.ndarray  # one entry per training row, 0 outside the two classes
    offset: float
    printed_objective: float


def options(kernel, cost, tolerance, class_weight=None, labels=None, extra=()):
    words = ["-s", "0", *kernels.libsvm_options(kernel), "-c", repr(cost), "-e", repr(tolerance), "-h", "1", "-m", "1000"]
    for label, weight in zip(labels or [], class_weight or []):
        words += [f"-w{label}", repr(weight)]
    return words + list(extra)


def rows(kernel, x):
    """Precomputed rows come with LIBSVM's serial number in front."""
    return x.tolist() if kernel["name"] == "precomputed" else sparse.csr_matrix(x)


def train(x, labels, words, kernel):
    """Returns the model and all that LIBSVM printed."""
    printed = []
    parameter = svm.svm_parameter(words)
    # Kept in a variable: LIBSVM holds the bare pointer.
    listener = svm.PRINT_STRING_FUN(lambda text: printed.append(text.decode()))
    parameter.print_func = listener
    problem = svm.svm_problem(labels, rows(kernel, x), isKernel=kernel["name"] == "precomputed")
    model = svmutil.svm_train(problem, parameter)
    svm.libsvm.svm_set_print_string_function(svm.ctypes_print_null)
    return model, "".join(printed)


def pairs(model, printed, labels, n):
    """All sub-problems sorted by (positive, negative); `labels` are LIBSVM's labels of the sorted classes."""
    order = [labels.index(label) for label in model.get_labels()]
    k = len(order)
    counts = model.nSV[:k]
    starts = np.concatenate([[0], np.cumsum(counts)])
    indices = np.array(model.get_sv_indices()) - 1
    objectives = [float(v) for v in re.findall(rf"obj = {NUMBER}", printed)]
    found = []
    pair = 0
    for a in range(k):
        for b in range(a + 1, k):
            sign = 1.0 if order[a] < order[b] else -1.0
            beta = np.zeros(n)
            for own, other in ((a, b - 1), (b, a)):
                for s in range(starts[own], starts[own + 1]):
                    beta[indices[s]] = sign * model.sv_coef[other][s]
            i, j = sorted((order[a], order[b]))
            found.append(Pair(i, j, beta, -sign * model.rho[pair], objectives[pair]))
            pair += 1
    return sorted(found, key=lambda p: (p.positive, p.negative))


def decisions(model, x, labels, kernel):
    """Class codes that LIBSVM predicts, and decision values with a column per pair, sorted as `pairs`."""
    order = [labels.index(label) for label in model.get_labels()]
    k = len(order)
    predicted, _, values = svmutil.svm_predict([], rows(kernel, x), model, "-q")
    values = np.array(values).reshape(len(predicted), -1)
    columns = {}
    pair = 0
    for a in range(k):
        for b in range(a + 1, k):
            sign = 1.0 if order[a] < order[b] else -1.0
            columns[tuple(sorted((order[a], order[b])))] = sign * values[:, pair]
            pair += 1
    return np.array([labels.index(int(p)) for p in predicted]), np.column_stack([columns[c] for c in sorted(columns)])
