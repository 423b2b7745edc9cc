"""Classifiers with weights of classes and of rows, trained by scikit-learn: the fixture svc/heart_weights.json.

    python weights.py

scikit-learn's convention for two classes: classes sorted, decision_function > 0 means classes_[1], and
dual_coef_ and intercept_ belong to that sign. The fixtures' decision values are positive for class 0, so all
three change their sign here.
"""

import numpy as np
from sklearn.svm import SVC

import datasets
import fixture
import kernels
import libsvm_run


def run(table, name, kernel, cost, class_weight=None, sample_weight=None):
    weight = class_weight or [1.0, 1.0]
    machine = SVC(C=cost, tol=1e-8, cache_size=1000, shrinking=True,
                  class_weight=dict(enumerate(weight)), **kernels.sklearn_options(kernel))
    machine.fit(table.x, table.codes, sample_weight=sample_weight)
    n = len(table.x)
    bound = cost * np.array(weight)[table.codes] * (np.ones(n) if sample_weight is None else sample_weight)
    # Rows of weight 0 are no part of the problem: scikit-learn leaves them out before training, and its
    # support_ counts the remaining ones.
    rows = np.flatnonzero(bound > 0.0)
    support = rows[machine.support_]
    assert np.array_equal(table.x[support], machine.support_vectors_)
    beta = np.zeros(n)
    beta[support] = -machine.dual_coef_[0]
    pair = libsvm_run.Pair(0, 1, beta, float(-machine.intercept_[0]), None)
    decided = -machine.decision_function(table.x)

    k = kernels.matrix(kernel, table.x, table.x)
    y = np.where(table.codes == 0, 1.0, -1.0)
    assert np.all((y * beta >= 0.0) & (y * beta <= bound * (1 + 1e-15)))
    assert np.abs(k @ beta + pair.offset - decided).max() < 1e-9
    problem = fixture.problem(pair, k[np.ix_(rows, rows)], y[rows], bound[rows], rows, True, True)
    print(f"  {name}: objective {problem['objective']:.10g} exact {problem['exact_objective']} kkt {problem['kkt_gap']:.1e}")
    return {
        "name": name,
        "kernel": kernel,
        "cost": cost,
        "tolerance": 1e-8,
        "class_weight": weight,
        "sample_weight": None if sample_weight is None else sample_weight.tolist(),
        "problems": [problem],
        "support_vectors": len(machine.support_),
        "train": fixture.predictions(table.codes, machine.predict(table.x), decided[:, None], 2, n),
        "test": None,
    }


def main():
    table = datasets.small("heart_scale")
    n, d = table.x.shape
    gaussian = {"name": "gaussian", "gamma": 1 / d}
    ramp = np.array([0.5 + (7 * i % 10) / 4 for i in range(n)])
    holes = np.array([0.0 if i % 5 == 0 else 1.0 for i in range(n)])
    counts = np.bincount(table.codes)
    balanced = [float(n / (2 * c)) for c in counts]
    fixture.write("svc/heart_weights.json", {
        "script": "tools/reference/weights.py",
        "programs": fixture.programs("scikit-learn", "numpy"),
        "convention": fixture.CONVENTION,
        "data": {"classes": table.classes, "train": table.source, "test": None},
        "cases": [
            run(table, "class_weight", gaussian, 1.0, class_weight=[3.0, 0.5]),
            run(table, "class_weight_balanced", gaussian, 1.0, class_weight=balanced),
            run(table, "sample_weight", gaussian, 1.0, sample_weight=ramp),
            run(table, "sample_weight_zeros", gaussian, 1.0, sample_weight=holes),
            run(table, "both", gaussian, 2.0, class_weight=[1.0, 2.0], sample_weight=ramp),
            run(table, "both_linear", {"name": "linear"}, 0.5, class_weight=[1.0, 2.0], sample_weight=ramp),
        ],
    })


if __name__ == "__main__":
    main()
