"""Exact kernel matrices in f64, and the same kernels as options of LIBSVM and scikit-learn."""

import numpy as np


def matrix(kernel, x, z):
    """k(x_i, z_j) for a kernel given as in the fixtures: a name and its parameters."""
    name = kernel["name"]
    if name == "gaussian":
        return np.exp(-kernel["gamma"] * squared_distances(x, z))
    inner = x @ z.T
    if name == "linear":
        return inner
    if name == "polynomial":
        return (kernel["gamma"] * inner + kernel["coef0"]) ** kernel["degree"]
    if name == "sigmoid":
        return np.tanh(kernel["gamma"] * inner + kernel["coef0"])
    raise ValueError(name)


def squared_distances(x, z):
    """By differences, not by inner products: no cancellation."""
    out = np.zeros((len(x), len(z)))
    for k in range(x.shape[1]):
        out += np.subtract.outer(x[:, k], z[:, k]) ** 2
    return out


def libsvm_options(kernel):
    name = kernel["name"]
    number = {"linear": 0, "polynomial": 1, "gaussian": 2, "sigmoid": 3, "precomputed": 4}[name]
    letters = {"degree": "-d", "gamma": "-g", "coef0": "-r"}
    options = ["-t", str(number)]
    for key, letter in letters.items():
        if key in kernel:
            options += [letter, repr(kernel[key])]
    return options


def sklearn_options(kernel):
    name = {"linear": "linear", "polynomial": "poly", "gaussian": "rbf", "sigmoid": "sigmoid"}[kernel["name"]]
    return {"kernel": name, **{k: v for k, v in kernel.items() if k != "name"}}
