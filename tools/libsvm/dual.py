"""The dual problems of LIBSVM: their kernel matrices, constraints, objectives and optimality conditions.

Each decision function of a model file is the solution of one problem

    minimize ½ βᵀKβ + cᵀα   subject to 0 ≤ α ≤ U,   β = Σ yα over the variables of a row,

with Σ yα fixed (C-SVC, one-class, epsilon-SVR), or Σ α fixed on either side (nu-SVC, nu-SVR). Equal rows of one class are one row.
"""

from dataclasses import dataclass

import numpy as np

# An eigenvalue is 0 below this fraction of the largest.
ROUNDING = 1e-9


def kernel_matrix(rows, options):
    """All kernel values; of precomputed ones the columns that rows name."""
    value = dict(zip(options[::2], options[1::2]))
    kernel = int(value["-t"])
    width = max((max(row, default=0) for row in rows), default=0) + 1
    x = np.zeros((len(rows), width))
    for at, row in enumerate(rows):
        for column, entry in row.items():
            x[at, column] = entry
    if kernel == 4:
        return x[:, 1:]
    products = x @ x.T
    gamma = float(value["-g"]) if "-g" in value else 1 / max(width - 1, 1)
    constant = float(value.get("-r", 0))
    if kernel == 0:
        return products
    if kernel == 1:
        return (gamma * products + constant) ** int(value.get("-d", 3))
    if kernel == 3:
        return np.tanh(gamma * products + constant)
    squares = np.diag(products)
    return np.exp(-gamma * np.maximum(squares[:, None] + squares[None, :] - 2 * products, 0))


def is_convex(matrix):
    """Whether the matrix is positive semi-definite on vectors that sum to 0, as all differences of feasible points do."""
    n = len(matrix)
    centering = np.eye(n) - np.full((n, n), 1 / n)
    values = np.linalg.eigvalsh(centering @ matrix @ centering)
    return bool(values[0] >= -ROUNDING * max(values[-1], 1e-300))


@dataclass
class Solution:
    """One decision function: the β of every row of its problem."""

    beta: np.ndarray
    # Variables: their rows, signs, linear terms, and upper bounds.
    row: np.ndarray
    sign: np.ndarray
    linear: np.ndarray
    upper: np.ndarray
    alpha: np.ndarray
    # Whether each sign has a sum of its own.
    two_sums: bool
    # Whether Σ α may be below what it is fixed to, and that.
    total: float | None
    matrix: np.ndarray

    def objective(self):
        return 0.5 * self.beta @ self.matrix @ self.beta + self.linear @ self.alpha

    def violation(self):
        """Of the optimality conditions, as LIBSVM's stopping rule measures it."""
        gradient = self.sign * (self.matrix @ self.beta)[self.row] + self.linear
        tiny = 1e-9 * self.upper
        can_grow, can_shrink = self.alpha < self.upper - tiny, self.alpha > tiny

        def spread(up, low, score):
            return (score[up].max() if up.any() else -np.inf) - (score[low].min() if low.any() else np.inf)

        if self.two_sums:
            parts = [(can_grow & (self.sign == s), can_shrink & (self.sign == s), -gradient) for s in (1, -1)]
        else:
            positive = self.sign > 0
            up = np.where(positive, can_grow, can_shrink)
            parts = [(up, np.where(positive, can_shrink, can_grow), -self.sign * gradient)]
        return max(0.0, *(spread(*part) for part in parts))

    def infeasibility(self, target):
        """How far the constraints are from holding; `target` is the sum of β."""
        found = [(self.alpha - self.upper).max(), -self.alpha.min(), abs(self.beta.sum() - target)]
        if self.total is not None:
            found.append(self.alpha.sum() - self.total)
        return max(0.0, *found)


class Training:
    """What the dual problems of a training have in common."""

    def __init__(self, labels, rows, options):
        value = dict(zip(options[::2], options[1::2]))
        self.machine, self.precomputed = int(value["-s"]), value["-t"] == "4"
        self.cost, self.nu = float(value.get("-c", 1)), float(value.get("-n", 0.5))
        self.tube = float(value.get("-p", 0.1))
        self.weights = {float(k[2:]): float(v) for k, v in value.items() if k.startswith("-w")}
        self.labels, self.rows = labels, rows
        self.matrix = kernel_matrix(rows, options)

    def key(self, row):
        """A row as it stands in a model file."""
        if self.precomputed:
            return f"0:{row[0]:.8g}"
        return " ".join(f"{i}:{v:.8g}" for i, v in sorted(row.items()) if v != 0.0)

    def places(self, members):
        """The different rows among these, and how often each occurs."""
        first, counts = {}, {}
        for row in members:
            key = self.key(self.rows[row])
            first.setdefault(key, row)
            counts[key] = counts.get(key, 0) + 1
        return first, counts

    def solutions(self, model):
        """The decision functions of a model file."""
        if self.machine >= 2:
            beta = {row: coefficients[0] for row, coefficients in model.by_row().items()}
            yield self.one_function(beta)
            return
        order = [float(label) for label in model.head["label"]]
        counts = [int(count) for count in model.head["nr_sv"]]
        starts = np.cumsum([0, *counts])
        parts = [model.vectors[starts[i] : starts[i + 1]] for i in range(len(order))]
        for i in range(len(order)):
            for j in range(i + 1, len(order)):
                yield self.pair([(order[i], parts[i], j - 1), (order[j], parts[j], i)])

    def pair(self, sides):
        indices, beta, sign, upper = [], [], [], []
        for side, (label, part, column) in enumerate(sides):
            first, counts = self.places([row for row, own in enumerate(self.labels) if own == label])
            found = dict.fromkeys(first, 0.0)
            for key, coefficients in part:
                found[key] += coefficients[column]
            indices += first.values()
            beta += found.values()
            sign += [1 - 2 * side] * len(first)
            cost = 1.0 if self.machine == 1 else self.cost * self.weights.get(label, 1.0)
            upper += [cost * counts[key] for key in first]
        beta, sign, upper = np.array(beta), np.array(sign), np.array(upper)
        linear, total = np.full(len(beta), -1.0), None
        if self.machine == 1:
            # LIBSVM divides the solution by its margin: the sum of all α tells what by.
            total = self.nu * sum(self.labels.count(label) for label, _, _ in sides)
            beta, linear = beta * total / max(np.abs(beta).sum(), 1e-300), np.zeros(len(beta))
        places = np.arange(len(beta))
        matrix = self.matrix[np.ix_(indices, indices)]
        return Solution(beta, places, sign, linear, upper, sign * beta, self.machine == 1, total, matrix)

    def one_function(self, coefficients):
        first, counts = self.places(range(len(self.rows)))
        beta = np.array([coefficients.get(key, 0.0) for key in first])
        indices = list(first.values())
        matrix, n = self.matrix[np.ix_(indices, indices)], len(beta)
        upper = np.array([float(counts[key]) for key in first])
        if self.machine == 2:
            places = np.arange(n)
            return Solution(beta, places, np.ones(n), np.zeros(n), upper, beta, False, None, matrix)
        assert all(count == 1 for count in counts.values()), "equal rows may have different targets"
        targets = np.array([self.labels[row] for row in indices])
        tube = self.tube if self.machine == 3 else 0.0
        alpha = np.concatenate([np.maximum(beta, 0), np.maximum(-beta, 0)])
        sign = np.repeat([1.0, -1.0], n)
        linear = np.concatenate([tube - targets, tube + targets])
        total = self.cost * self.nu * n if self.machine == 4 else None
        places = np.tile(np.arange(n), 2)
        return Solution(beta, places, sign, linear, self.cost * np.ones(2 * n), alpha, self.machine == 4, total, matrix)

    def target(self, solution):
        """What the β of a solution sum up to."""
        return self.nu * len(self.rows) if self.machine == 2 else 0.0
