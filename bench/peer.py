"""Runs one peer on one prepared set in a process of its own, and prints one line of JSON.

    peer.py NAME FOLDER COST GAMMA TOLERANCE THREADS COEFFICIENTS
"""

import json
import os
import sys
import time
from pathlib import Path


def main():
    name, folder, cost, gamma, tolerance, threads, coefficients = sys.argv[1:]
    os.environ["OMP_NUM_THREADS"] = threads
    import numpy as np

    import sets

    rows, labels = sets.load(Path(folder), "train")
    new_rows, new_labels = sets.load(Path(folder), "test")
    program = PROGRAMS[name](rows, labels, float(cost), float(gamma), float(tolerance), int(threads))
    begun = time.perf_counter()
    program.fit()
    fit = time.perf_counter() - begun
    peak = peak_megabytes()
    begun = time.perf_counter()
    predicted = program.predict(new_rows)
    predict = time.perf_counter() - begun
    support, counts, values = program.coefficients()
    classes = np.repeat(np.arange(len(counts)), counts)
    with open(coefficients, "w") as file:
        for row, of_class, own in zip(support, classes, np.asarray(values).T):
            file.write(f"{row} {of_class} " + " ".join(repr(float(v)) for v in own) + "\n")
    print(
        json.dumps(
            {
                "fit": fit,
                "predict": predict,
                "accuracy": float(np.mean(predicted == new_labels)),
                "support": len(support),
                "peak_megabytes": peak,
            }
        )
    )


def peak_megabytes():
    for line in open("/proc/self/status"):
        if line.startswith("VmHWM:"):
            return int(line.split()[1]) / 1024


# Rows of the Gram matrix that a peer may keep, generous against the defaults of 100 and 200.
CACHE_MEGABYTES = 2000


class ScikitLearn:
    def __init__(self, rows, labels, cost, gamma, tolerance, threads):
        from sklearn.svm import SVC

        self.rows, self.labels = rows, labels
        self.machine = SVC(C=cost, gamma=gamma, tol=tolerance, cache_size=CACHE_MEGABYTES)

    def fit(self):
        self.machine.fit(self.rows, self.labels)

    def predict(self, rows):
        return self.machine.predict(rows)

    def coefficients(self):
        m = self.machine
        values = m.dual_coef_.toarray() if hasattr(m.dual_coef_, "toarray") else m.dual_coef_
        return m.support_, m.n_support_, values


class Intelex(ScikitLearn):
    def __init__(self, rows, labels, cost, gamma, tolerance, threads):
        from sklearnex.svm import SVC

        self.rows, self.labels = rows, labels
        self.machine = SVC(C=cost, gamma=gamma, tol=tolerance, cache_size=CACHE_MEGABYTES)


class IntelexSingle(Intelex):
    def __init__(self, rows, labels, *rest):
        import numpy as np

        super().__init__(rows.astype(np.float32), labels, *rest)

    def predict(self, rows):
        import numpy as np

        return self.machine.predict(rows.astype(np.float32))


class Libsvm:
    """The original, compiled with OpenMP by its own package."""

    def __init__(self, rows, labels, cost, gamma, tolerance, threads):
        from libsvm import svmutil

        self.svm = svmutil
        self.labels, self.rows = labels.astype(float), rows
        self.problem = svmutil.svm_problem(self.labels, rows)
        self.options = svmutil.svm_parameter(f"-s 0 -t 2 -c {cost} -g {gamma!r} -e {tolerance} -m {CACHE_MEGABYTES} -q")

    def fit(self):
        self.model = self.svm.svm_train(self.problem, self.options)

    def predict(self, rows):
        import numpy as np

        predicted, _, _ = self.svm.svm_predict([], rows, self.model, "-q")
        return np.array(predicted)

    def coefficients(self):
        import numpy as np

        # The order of classes is that of their first rows.
        order = self.model.get_labels()
        count = len(order)
        starts = np.concatenate([[0], np.cumsum([self.model.nSV[c] for c in range(count)])])
        values = np.array(self.model.get_sv_coef(), dtype=float).T
        support = np.array(self.model.get_sv_indices()) - 1
        ranked = np.argsort(order)
        at = np.concatenate([np.arange(starts[c], starts[c + 1]) for c in ranked])
        # Coefficients of an item of class c: one per other class, in the model's order of classes.
        sorted_values = np.zeros((count - 1, len(at)))
        own = np.repeat(np.arange(count), np.diff(starts))
        for place, item in enumerate(at):
            c = own[item]
            others = [d for d in range(count) if d != c]
            rank = {d: r for r, d in enumerate(sorted(others, key=lambda d: order[d]))}
            for column, d in enumerate(others):
                sorted_values[rank[d], place] = values[column, item]
        return support[at], [starts[c + 1] - starts[c] for c in ranked], sorted_values


class Thunder(ScikitLearn):
    def __init__(self, rows, labels, cost, gamma, tolerance, threads):
        from thundersvm import SVC

        self.rows, self.labels = rows, labels
        self.machine = SVC(kernel="rbf", C=cost, gamma=gamma, tol=tolerance, n_jobs=threads, max_mem_size=CACHE_MEGABYTES)


PROGRAMS = {
    "scikit-learn": ScikitLearn,
    "intelex f64": Intelex,
    "intelex f32": IntelexSingle,
    "libsvm": Libsvm,
    "thundersvm": Thunder,
}

if __name__ == "__main__":
    main()
