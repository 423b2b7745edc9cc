"""Crammer and Singer's linear machine, trained by LIBLINEAR through scikit-learn: the fixture joint/linear.json.

    python joint.py

min 1/2 sum_k |w_k|^2 + C sum_i xi_i  subject to  <w_y - w_k, x> >= 1 - xi, without offsets. `objective` is that of
the primal problem at the program's weights; `correct` counts training rows.
"""

import numpy as np
from sklearn.svm import LinearSVC

import datasets
import fixture


def run(name, standardise, cost):
    table = datasets.small(name)
    x = table.x
    if standardise:
        x = (x - x.mean(axis=0)) / x.std(axis=0)
    machine = LinearSVC(multi_class="crammer_singer", fit_intercept=False, C=cost, tol=1e-10, max_iter=10**7,
                        random_state=0)
    machine.fit(x, table.codes)
    w = machine.coef_
    scores = x @ w.T
    rows = np.arange(len(x))
    margins = scores[rows, table.codes][:, None] - scores
    margins[rows, table.codes] = np.inf
    slack = np.maximum(0.0, 1.0 - margins.min(axis=1))
    objective = float(0.5 * (w * w).sum() + cost * slack.sum())
    correct = int((scores.argmax(axis=1) == table.codes).sum())
    print(f"{name} C={cost}: objective {objective:.12g}, {correct} of {len(x)}")
    return {
        "file": name,
        "standardised": standardise,
        "cost": cost,
        "objective": objective,
        "correct": correct,
        "weights": [fixture.digits(row, 12) for row in w],
    }


if __name__ == "__main__":
    fixture.write("joint/linear.json", {
        "script": "tools/reference/joint.py",
        "programs": fixture.programs("scikit-learn", "numpy"),
        "cases": [run("iris.csv", False, 1.0), run("iris.csv", False, 0.05), run("wine.csv", True, 1.0),
                  run("wine.csv", True, 0.01)],
    })
