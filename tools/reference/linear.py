"""Linear machines, trained by LIBLINEAR through scikit-learn: the fixture linear.json.

    python linear.py

Classifiers minimise 1/2 |w|^2 + C sum loss, or |w|_1 + C sum loss, over x extended by the constant intercept_scaling (0:
no intercept); the weight of that feature times the constant is the intercept. Of two classes there is one function, which is
positive for the second; more classes have one function each, in their order. The rows are standardised. `objectives` are
those of the primal problems at the program's weights.
"""

import warnings

import numpy as np
from sklearn.svm import LinearSVC, LinearSVR

import datasets
import fixture

warnings.filterwarnings("error", category=UserWarning)


def standardise(x):
    spread = x.std(axis=0)
    return (x - x.mean(axis=0)) / np.where(spread > 0.0, spread, 1.0)


def extended(machine, scaling):
    """The weights with that of the constant feature, a row per function."""
    w = np.atleast_2d(machine.coef_)
    if scaling == 0.0:
        return w
    return np.hstack([w, np.ravel(machine.intercept_)[:, None] / scaling])


def classes(name, objective, cost, scaling=1.0, weights=None):
    table = datasets.small(name)
    x = standardise(table.x)
    kind = {
        "hinge": dict(loss="hinge", dual=True),
        "squared_hinge": dict(loss="squared_hinge", dual=True),
        "sparse_squared_hinge": dict(loss="squared_hinge", penalty="l1", dual=False),
        "crammer_singer": dict(multi_class="crammer_singer"),
    }[objective]
    machine = LinearSVC(C=cost, fit_intercept=scaling > 0.0, intercept_scaling=scaling or 1.0, tol=1e-9,
                        max_iter=10**8, random_state=0, **kind)
    machine.fit(x, table.codes, sample_weight=weights)
    w = extended(machine, scaling)
    z = x if scaling == 0.0 else np.hstack([x, np.full((len(x), 1), scaling)])
    f = z @ w.T
    costs = cost * (np.ones(len(x)) if weights is None else weights)
    objectives = []
    if objective == "crammer_singer":
        rows = np.arange(len(x))
        if len(w) == 1:
            w, f = np.vstack([-w, w]) / 2.0, np.hstack([-f, f]) / 2.0
        margins = f[rows, table.codes][:, None] - f
        margins[rows, table.codes] = np.inf
        slack = np.maximum(0.0, 1.0 - margins.min(axis=1))
        objectives.append(float(0.5 * (w * w).sum() + (costs * slack).sum()))
    else:
        for k in range(len(w)):
            y = np.where(table.codes == (1 if len(w) == 1 else k), 1.0, -1.0)
            slack = np.maximum(0.0, 1.0 - y * f[:, k])
            loss = slack if objective == "hinge" else slack**2
            penalty = np.abs(w[k]).sum() if objective.startswith("sparse") else 0.5 * (w[k] ** 2).sum()
            objectives.append(float(penalty + (costs * loss).sum()))
    print(name, objective, cost, scaling, objectives)
    return {
        "file": name, "objective": objective, "cost": cost, "intercept_scaling": scaling,
        "weights": None if weights is None else weights.tolist(),
        "functions": [fixture.digits(row, 12) for row in extended(machine, scaling)],
        "objectives": objectives,
    }


def numbers(name, squared, tube, cost, scaling=1.0):
    table = datasets.small(name)
    x, y = standardise(table.x), np.array([float(table.classes[code]) for code in table.codes])
    loss = "squared_epsilon_insensitive" if squared else "epsilon_insensitive"
    machine = LinearSVR(loss=loss, epsilon=tube, C=cost, fit_intercept=scaling > 0.0, intercept_scaling=scaling or 1.0,
                        tol=1e-9, max_iter=10**8, random_state=0)
    machine.fit(x, y)
    w = extended(machine, scaling)[0]
    z = x if scaling == 0.0 else np.hstack([x, np.full((len(x), 1), scaling)])
    slack = np.maximum(0.0, np.abs(y - z @ w) - tube)
    objective = float(0.5 * (w * w).sum() + cost * (slack**2 if squared else slack).sum())
    print(name, loss, tube, cost, scaling, objective)
    return {
        "file": name, "squared": squared, "tube": tube, "cost": cost, "intercept_scaling": scaling,
        "function": fixture.digits(w, 12), "objective": objective,
    }


if __name__ == "__main__":
    thirds = lambda n: 0.5 + (np.arange(n) % 3)
    wdbc = "breast_cancer_wdbc.csv"
    fixture.write("linear.json", {
        "script": "tools/reference/linear.py",
        "programs": fixture.programs("scikit-learn", "numpy"),
        "cases": [
            classes("iris.csv", "hinge", 1.0),
            classes("iris.csv", "squared_hinge", 1.0),
            classes("iris.csv", "squared_hinge", 10.0, 3.0, thirds(150)),
            classes("iris.csv", "sparse_squared_hinge", 1.0),
            classes("iris.csv", "crammer_singer", 1.0),
            classes("wine.csv", "hinge", 0.1),
            classes("wine.csv", "hinge", 1.0, 0.0),
            classes("wine.csv", "squared_hinge", 0.5, 10.0),
            classes("wine.csv", "sparse_squared_hinge", 0.2),
            classes("wine.csv", "crammer_singer", 0.5, 2.0),
            classes(wdbc, "hinge", 0.1),
            classes(wdbc, "hinge", 1.0, 1.0, thirds(569)),
            classes(wdbc, "squared_hinge", 1.0),
            classes(wdbc, "sparse_squared_hinge", 1.0),
            classes(wdbc, "crammer_singer", 0.1),
        ],
        "regressions": [
            numbers("auto_mpg.csv", False, 0.5, 1.0),
            numbers("auto_mpg.csv", False, 0.0, 0.1, 10.0),
            numbers("auto_mpg.csv", True, 0.5, 1.0),
            numbers("auto_mpg.csv", True, 0.0, 10.0, 0.0),
        ],
    })
