"""The dual objective of any program's coefficients, computed the same way for all of them.

For each pair of classes  D = Σ|β| − ½ βᵀKβ  with the Gaussian kernel in f64; the sum over all pairs.
"""

import numpy as np


def read(path):
    """Support rows, their classes and their coefficients (one row per support vector)."""
    table = np.loadtxt(path, ndmin=2)
    return table[:, 0].astype(int), table[:, 1].astype(int), table[:, 2:]


# Support vectors up to which the whole matrix is held, for many classes.
WHOLE = 20_000


def dual(path, rows, gamma):
    support, classes, values = read(path)
    rows = rows[support]
    if hasattr(rows, "toarray") and rows.shape[1] <= 1000:
        rows = rows.toarray()
    norms = squared_norms(rows)
    count = values.shape[1] + 1
    if count == 2:
        return total_of_pair(values[:, 0], lambda part: kernel(rows, norms, part, gamma))
    if len(support) > WHOLE:
        raise MemoryError(f"{len(support)} support vectors of {count} classes")
    whole = kernel(rows, norms, slice(None), gamma)
    total = 0.0
    for a in range(count):
        for b in range(a + 1, count):
            first, second = np.flatnonzero(classes == a), np.flatnonzero(classes == b)
            beta = np.concatenate([values[first, b - 1], values[second, a]])
            members = np.concatenate([first, second])[beta != 0]
            beta = beta[beta != 0]
            total += np.abs(beta).sum() - 0.5 * beta @ (whole[np.ix_(members, members)] @ beta)
    return total


def total_of_pair(beta, rows_of_kernel):
    total = np.abs(beta).sum()
    step = max(1, int(4e7 // max(1, len(beta))))
    for start in range(0, len(beta), step):
        part = slice(start, start + step)
        total -= 0.5 * beta[part] @ (rows_of_kernel(part) @ beta)
    return total


def kernel(rows, norms, part, gamma):
    products = rows[part] @ rows.T
    products = products.toarray() if hasattr(products, "toarray") else products
    distances = norms[part, None] + norms[None, :] - 2 * products
    np.multiply(distances, -gamma, out=distances)
    return np.exp(distances, out=distances)


def squared_norms(rows):
    if hasattr(rows, "multiply"):
        return np.asarray(rows.multiply(rows).sum(axis=1)).ravel()
    return np.einsum("ij,ij->i", rows, rows)
