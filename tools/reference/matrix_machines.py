"""Ridge regression, Gaussian processes and kernel PCA, by scikit-learn: the fixture matrix_machines.json.

    python matrix_machines.py

Parameters of kernels are in the order in which Mercer lists them, gradients with respect to their logarithms.
"""

import numpy as np
from sklearn.decomposition import KernelPCA
from sklearn.gaussian_process import GaussianProcessClassifier, GaussianProcessRegressor
from sklearn.gaussian_process.kernels import RBF, ConstantKernel, Matern, RationalQuadratic, WhiteKernel
from sklearn.kernel_ridge import KernelRidge

import datasets
import fixture

FIRST = [0, 1, 2, 3, 4, 5]


def standardised(name):
    table = datasets.small(name)
    x = table.x - table.x.mean(axis=0)
    deviation = x.std(axis=0)
    return x / np.where(deviation > 0.0, deviation, 1.0), table


def miles():
    x, table = standardised("auto_mpg.csv")
    return x, np.array([float(table.classes[code]) for code in table.codes])


def ridge(kernel, gamma, alpha, weighted):
    x, y = miles()
    targets = np.column_stack([y, np.sin(y)])
    machine = KernelRidge(alpha=alpha, kernel=kernel, gamma=gamma)
    machine.fit(x, targets, sample_weight=1.0 + np.arange(len(y)) % 3 if weighted else None)
    words = "linear" if kernel == "linear" else f"gaussian(gamma={gamma!r})"
    return {
        "kernel": words, "lambda": alpha, "weighted": weighted,
        "coefficients": fixture.digits(machine.dual_coef_[FIRST], 12),
        "predictions": fixture.digits(machine.predict(x[FIRST]), 12),
    }


def process(kernel, words, rows, order):
    """A process with fixed parameters on the first rows; `order` puts scikit-learn's parameters into Mercer's order."""
    x, y = miles()
    x, y = x[:rows], y[:rows]
    machine = GaussianProcessRegressor(kernel=kernel, alpha=1e-6, optimizer=None, normalize_y=True).fit(x, y)
    value, gradient = machine.log_marginal_likelihood(machine.kernel_.theta, eval_gradient=True)
    new = x[FIRST] + 0.1
    mean, deviation = machine.predict(new, return_std=True)
    _, covariance = machine.predict(new[:3], return_cov=True)
    return {
        "kernel": words, "rows": rows, "likelihood": float(value),
        "gradient": fixture.digits(gradient[order], 12), "mean": fixture.digits(mean, 12),
        "deviation": fixture.digits(deviation, 12), "covariance": fixture.digits(covariance, 10),
    }


def fitted_process():
    """The best likelihood that scikit-learn finds for a kernel with a width per column."""
    x, y = miles()
    x, y = x[:150], y[:150]
    kernel = ConstantKernel(1.0) * RBF(np.ones(x.shape[1])) + WhiteKernel(0.1)
    machine = GaussianProcessRegressor(kernel=kernel, alpha=1e-10, normalize_y=True, n_restarts_optimizer=3, random_state=0)
    machine.fit(x, y)
    return {"rows": 150, "likelihood": float(machine.log_marginal_likelihood_value_)}


def classes(gamma):
    table = datasets.small("heart_scale")
    x, y = table.x, np.asarray(table.codes)
    length = float(np.sqrt(0.5 / gamma))
    kernel = ConstantKernel(4.0) * RBF(length)
    machine = GaussianProcessClassifier(kernel=kernel, optimizer=None).fit(x[:200], y[:200])
    value, gradient = machine.log_marginal_likelihood(machine.kernel_.theta, eval_gradient=True)
    probabilities = machine.predict_proba(x[200:210])
    return {
        "kernel": f"4 * gaussian(length_scale={length!r})", "rows": 200, "likelihood": float(value),
        "gradient": fixture.digits(gradient, 10), "probabilities": fixture.digits(probabilities[:, 1], 10),
    }


def components(kernel, gamma, count):
    x, _ = standardised("wine.csv")
    machine = KernelPCA(n_components=count, kernel=kernel, gamma=gamma, eigen_solver="dense").fit(x[:120])
    words = "linear" if kernel == "linear" else f"gaussian(gamma={gamma!r})"
    return {
        "kernel": words, "rows": 120, "values": fixture.digits(machine.eigenvalues_, 12),
        "training": fixture.digits(machine.transform(x[:4]), 12), "new": fixture.digits(machine.transform(x[120:126]), 12),
    }


def pre_images():
    x, _ = standardised("wine.csv")
    machine = KernelPCA(n_components=5, kernel="rbf", gamma=0.05, fit_inverse_transform=True, alpha=0.1, eigen_solver="dense")
    scores = machine.fit(x[:120]).transform(x[120:123])
    return {"gamma": 0.05, "alpha": 0.1, "rows": fixture.digits(machine.inverse_transform(scores), 10)}


if __name__ == "__main__":
    fixture.write("matrix_machines.json", {
        "script": "tools/reference/matrix_machines.py",
        "programs": fixture.programs("scikit-learn", "scipy", "numpy"),
        "ridge": [
            ridge("linear", None, 1.0, False), ridge("rbf", 0.1, 0.5, False), ridge("rbf", 0.3, 0.01, True),
        ],
        "processes": [
            process(ConstantKernel(2.0) * RBF(np.arange(1.0, 8.0)) + WhiteKernel(0.05),
                    "2 * gaussian(length_scale=[1, 2, 3, 4, 5, 6, 7]) + white(0.05)", 120, slice(None)),
            process(Matern(length_scale=3.0, nu=1.5) + ConstantKernel(0.5), "matern(nu=1.5, length_scale=3) + constant(0.5)", 100,
                    slice(None)),
            process(Matern(length_scale=3.0, nu=2.5) * ConstantKernel(0.5), "matern(nu=2.5, length_scale=3) * constant(0.5)", 100,
                    slice(None)),
            process(RationalQuadratic(length_scale=2.0, alpha=0.7) + WhiteKernel(0.1),
                    "rational_quadratic(alpha=0.7, length_scale=2) + white(0.1)", 100, slice(None)),
        ],
        "fitted_process": fitted_process(),
        "classes": classes(0.02),
        "components": [components("linear", None, 4), components("rbf", 0.05, 8)],
        "pre_images": pre_images(),
    })
