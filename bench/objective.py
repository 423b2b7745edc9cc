"""The dual objective of any program's coefficients, computed the same way for all of them.

For each pair of classes  D = Σ|β| − ½ βᵀKβ  with the Gaussian kernel in f64; the sum over all pairs.
"""

import numpy as np


def read(path):
    """Support rows, their classes and their coefficients (one row per support vector)."""
    table = np.loadtxt(path, ndmin=2)
    return table[:, 0].astype(int), table[:, 1].astype(int), table[:, 2:]


def dual(path, rows, gamma):
    support, classes, values = read(path)
    rows = rows[support]
    count = values.shape[1] + 1
    norms = squared_norms(rows)
    # Columns: one coefficient vector per pair, zero outside the pair.
    vectors = []
    for a in range(count):
        for b in range(a + 1, count):
            beta = np.zeros(len(support))
            beta[classes == a] = values[classes == a, b - 1]
            beta[classes == b] = values[classes == b, a]
            vectors.append(beta)
    vectors = np.array(vectors).T
    total = np.abs(vectors).sum()
    step = max(1, int(4e7 // max(1, len(support))))
    for start in range(0, len(support), step):
        part = slice(start, start + step)
        products = rows[part] @ rows.T
        products = products.toarray() if hasattr(products, "toarray") else products
        distances = norms[part, None] + norms[None, :] - 2 * products
        np.multiply(distances, -gamma, out=distances)
        np.exp(distances, out=distances)
        total -= 0.5 * np.sum(vectors[part] * (distances @ vectors))
    return total


def squared_norms(rows):
    if hasattr(rows, "multiply"):
        return np.asarray(rows.multiply(rows).sum(axis=1)).ravel()
    return np.einsum("ij,ij->i", rows, rows)
