"""A classifier over a precomputed kernel matrix, trained by LIBSVM: the fixture svc/precomputed.json.

    python precomputed.py

The matrix is the 3-spectrum kernel of the promoter sequences: k(s, t) = Σ over words w of 3 letters of (occurrences
of w in s) · (occurrences of w in t). Its entries are integers, so that no rounding separates programs. Rows 0, 2, 4, …
are trained on, rows 1, 3, 5, … predicted.
"""

import csv
from collections import Counter

import numpy as np

import datasets
import fixture
import libsvm_run


def spectrum_matrix(strings, length):
    counted = [Counter(s[i : i + length] for i in range(len(s) - length + 1)) for s in strings]
    return np.array([[sum(c * b[w] for w, c in a.items()) for b in counted] for a in counted])


def main():
    with open(datasets.REPOSITORY / "data" / "promoters.csv", newline="") as file:
        records = list(csv.reader(file))[1:]
    strings, words = [r[0] for r in records], [r[1] for r in records]
    classes = datasets.sort_classes(set(words))
    codes = np.array([classes.index(w) for w in words])
    matrix = spectrum_matrix(strings, 3)
    train, test = np.arange(0, len(strings), 2), np.arange(1, len(strings), 2)

    kernel = {"name": "precomputed"}
    k = matrix[np.ix_(train, train)].astype(float)
    serial = np.arange(1, len(train) + 1)[:, None]
    cases = []
    for name, cost in (("costly", 10.0), ("cheap", 0.002)):
        options = libsvm_run.options(kernel, cost, 1e-6)
        model, printed = libsvm_run.train(np.hstack([serial, k]), codes[train].tolist(), options, kernel)
        (pair,) = libsvm_run.pairs(model, printed, [0, 1], len(train))
        y = np.where(codes[train] == 0, 1.0, -1.0)
        problem = fixture.problem(pair, k, y, np.full(len(train), cost), np.arange(len(train)), True, True)
        print(f"  {name}: objective {problem['objective']:.10g} exact {problem['exact_objective']} kkt {problem['kkt_gap']:.1e}")
        case = {
            "name": name, "kernel": kernel, "cost": cost, "tolerance": 1e-6, "class_weight": [1.0, 1.0],
            "sample_weight": None, "problems": [problem], "support_vectors": model.get_nr_sv(),
        }
        for part, rows in (("train", train), ("test", test)):
            block = matrix[np.ix_(rows, train)].astype(float)
            # LIBSVM finds column c of a row to predict by the serial number of a support vector.
            predicted, decided = libsvm_run.decisions(model, np.hstack([np.zeros((len(rows), 1)), block]), [0, 1], kernel)
            assert np.abs(block @ pair.beta + pair.offset - decided[:, 0]).max() < 1e-9
            case[part] = fixture.predictions(codes[rows], predicted, decided, 2, len(rows))
        cases.append(case)

    fixture.write("svc/precomputed.json", {
        "script": "tools/reference/precomputed.py",
        "programs": fixture.programs("libsvm-official", "numpy"),
        "convention": fixture.CONVENTION + "; support counts training rows: row r is row 2r of the file; "
        "lower_triangle holds k(s, t) of all rows of the file for t <= s, row after row",
        "data": {
            "classes": classes,
            "train": {"file": "promoters.csv", "rows": len(train), "columns": 1},
            "test": {"file": "promoters.csv", "rows": len(test), "columns": 1},
            "codes": codes.tolist(),
            "lower_triangle": [row[: i + 1].tolist() for i, row in enumerate(matrix)],
        },
        "cases": cases,
    })


if __name__ == "__main__":
    main()
