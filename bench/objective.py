"""The dual objective of any program's coefficients, computed the same way for all of them.

Coefficients are brought to one scale first: programs divide those of the nu-SVC by the margin, and those of the one-class
machine by their sum. With the Gaussian kernel in f64 and n rows, to be maximised:

    svc        Σ|β| − ½ βᵀKβ         summed over all pairs of classes
    nu-svc     −½ βᵀKβ               Σ|β| = νn, |β| ≤ 1, Σβ = 0
    svr        yᵀβ − ε Σ|β| − ½ βᵀKβ |β| ≤ C, Σβ = 0
    nu-svr     yᵀβ − ½ βᵀKβ          Σ|β| ≤ Cνn, |β| ≤ C, Σβ = 0
    one-class  −½ βᵀKβ               Σβ = νn, 0 ≤ β ≤ 1
"""

import numpy as np


def read(path):
    """Support rows, their classes and their coefficients (one row per support vector)."""
    table = np.loadtxt(path, ndmin=2)
    return table[:, 0].astype(int), table[:, 1].astype(int), table[:, 2:]


# Support vectors up to which the whole matrix is held, for many classes.
WHOLE = 20_000


def dual(chosen, path, rows, targets):
    """The objective, and by what part of their bounds the coefficients break them."""
    support, classes, values = read(path)
    rows, gamma = rows[support], chosen.gamma
    if hasattr(rows, "toarray") and rows.shape[1] <= 1000:
        rows = rows.toarray()
    norms = squared_norms(rows)
    count = values.shape[1] + 1
    if chosen.machine != "svc":
        beta = scaled(chosen, values[:, 0], len(targets))
        half = half_squared_norm(beta, lambda part: kernel(rows, norms, part, gamma))
        return linear(chosen, beta, targets[support]) - half, broken(chosen, beta, len(targets))
    if count == 2:
        beta = values[:, 0]
        return np.abs(beta).sum() - half_squared_norm(beta, lambda part: kernel(rows, norms, part, gamma)), 0.0
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
    return total, 0.0


def scaled(chosen, beta, n):
    if chosen.machine in ("nu-svc", "one-class"):
        return beta * (chosen.parameter * n / np.abs(beta).sum())
    return beta


def linear(chosen, beta, targets):
    if chosen.machine == "svr":
        return targets @ beta - chosen.parameter * np.abs(beta).sum()
    return targets @ beta if chosen.machine == "nu-svr" else 0.0


def broken(chosen, beta, n):
    regression = chosen.machine in ("svr", "nu-svr")
    size = np.abs(beta).sum()
    bound = chosen.cost if regression else 1.0
    excesses = [np.abs(beta).max() / bound - 1]
    excesses.append(-beta.min() if chosen.machine == "one-class" else abs(beta.sum()) / size)
    if chosen.machine == "nu-svr":
        excesses.append(size / (chosen.cost * chosen.parameter * n) - 1)
    return max(0.0, *excesses)


def half_squared_norm(beta, rows_of_kernel):
    total = 0.0
    step = max(1, int(4e7 // max(1, len(beta))))
    for start in range(0, len(beta), step):
        part = slice(start, start + step)
        total += 0.5 * beta[part] @ (rows_of_kernel(part) @ beta)
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
