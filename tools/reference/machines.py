"""Regression, one-class, nu and linear machines, trained by scikit-learn: the fixture machines.json.

    python machines.py

Decision values are positive for the later of two classes, as Mercer's are; scikit-learn's values of pairs of more than
two classes have the other sign. `size` is the sum of |dual_coef_|. LIBSVM holds kernel values in single precision.
"""

import numpy as np
from sklearn.svm import SVR, LinearSVC, NuSVC, NuSVR, OneClassSVM

import datasets
import fixture

FIRST = [0, 1, 2, 3]
TIGHT = {"tol": 1e-9, "cache_size": 1000}


def standardised(name):
    table = datasets.small(name)
    x = table.x - table.x.mean(axis=0)
    deviation = x.std(axis=0)
    return x / np.where(deviation > 0.0, deviation, 1.0), table


def kernel_options(kernel):
    return {"kernel": "linear"} if kernel == "linear" else {"kernel": "rbf", "gamma": kernel}


def in_words(kernel):
    return "linear" if kernel == "linear" else f"gaussian(gamma={kernel!r})"


def regression(loss, kernel, cost, weighted=False):
    x, table = standardised("auto_mpg.csv")
    y = np.array([float(table.classes[code]) for code in table.codes])
    options = {"C": cost, **kernel_options(kernel), **TIGHT}
    (name, parameter), = loss.items()
    machine = SVR(epsilon=parameter["tube"], **options) if name == "linear" else NuSVR(nu=parameter["nu"], **options)
    machine.fit(x, y, sample_weight=1.0 + np.arange(len(y)) % 3 if weighted else None)
    return {
        "loss": loss, "kernel": in_words(kernel), "cost": cost, "weighted": weighted,
        "offset": float(machine.intercept_[0]), "size": float(np.abs(machine.dual_coef_).sum()),
        "support": len(machine.support_), "predictions": fixture.digits(machine.predict(x[FIRST]), 12),
    }


def one_class(nu, kernel):
    x, _ = standardised("auto_mpg.csv")
    machine = OneClassSVM(nu=nu, **kernel_options(kernel), **TIGHT).fit(x)
    return {
        "nu": nu, "kernel": in_words(kernel), "threshold": float(-machine.intercept_[0]),
        "support": len(machine.support_), "decisions": fixture.digits(machine.decision_function(x[FIRST]), 12),
    }


def nu_classes(name, nu, gamma, rows):
    table = datasets.small(name)
    machine = NuSVC(nu=nu, gamma=gamma, decision_function_shape="ovo", **TIGHT).fit(table.x, table.codes)
    sign = 1.0 if len(table.classes) == 2 else -1.0
    return {
        "file": name, "nu": nu, "kernel": in_words(gamma), "offsets": fixture.digits(sign * machine.intercept_, 12),
        # Of two classes the largest coefficient is C = 1/rho.
        "cost": float(np.abs(machine.dual_coef_).max()) if len(table.classes) == 2 else None,
        "rows": rows, "decisions": fixture.digits(sign * machine.decision_function(table.x[rows]), 12),
    }


def linear(loss, cost):
    x, table = standardised("sonar.csv")
    machine = LinearSVC(loss=loss, C=cost, fit_intercept=False, dual=True, tol=1e-10, max_iter=10**7, random_state=0)
    machine.fit(x, table.codes)
    return {"loss": loss, "cost": cost, "decisions": fixture.digits(machine.decision_function(x[FIRST]), 12)}


if __name__ == "__main__":
    seventh = 1 / 7
    fixture.write("machines.json", {
        "script": "tools/reference/machines.py",
        "programs": fixture.programs("scikit-learn", "numpy"),
        "regression": [
            regression({"linear": {"tube": 0.5}}, seventh, 10.0),
            regression({"linear": {"tube": 1.0}}, "linear", 1.0),
            regression({"nu": {"nu": 0.3}}, seventh, 10.0),
            regression({"linear": {"tube": 0.5}}, seventh, 10.0, weighted=True),
        ],
        "one_class": [one_class(0.1, seventh), one_class(0.5, 0.02)],
        "nu_classes": [
            nu_classes("heart_scale", 0.5, 0.05, FIRST),
            nu_classes("heart_scale", 0.7, 0.05, FIRST),
            nu_classes("iris.csv", 0.2, 0.5, [0, 60, 120]),
        ],
        "linear": [linear("squared_hinge", 0.5), linear("hinge", 0.5)],
    })
