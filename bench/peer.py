"""Runs one peer on one prepared set in a process of its own, and prints one line of JSON.

    peer.py NAME MACHINE PARAMETER FOLDER COST GAMMA TOLERANCE THREADS COEFFICIENTS
"""

import json
import os
import sys
import time
from dataclasses import dataclass
from pathlib import Path


def main():
    name, machine, parameter, folder, cost, gamma, tolerance, threads, coefficients = sys.argv[1:]
    os.environ["OMP_NUM_THREADS"] = threads
    import numpy as np

    import sets

    rows, labels = sets.load(Path(folder), "train")
    new_rows, new_labels = sets.load(Path(folder), "test")
    task = Task(machine, float(parameter), float(cost), float(gamma), float(tolerance), int(threads))
    program = PROGRAMS[name](rows, labels, task)
    program.warm_up()
    fit, _ = timed(program.fit)
    peak = peak_megabytes()
    predict, predicted = timed(lambda: program.predict(new_rows))
    again = range(int(os.environ.get("MERCER_BENCH_AGAIN", "0")))
    fit_again = min([fit, *(timed(program.fit)[0] for _ in again)])
    predict_again = min([predict, *(timed(lambda: program.predict(new_rows))[0] for _ in again)])
    support, counts, values = program.coefficients()
    classes = np.repeat(np.arange(len(counts)), counts)
    with open(coefficients, "w") as file:
        for row, of_class, own in zip(support, classes, np.asarray(values).T):
            file.write(f"{row} {of_class} " + " ".join(repr(float(v)) for v in own) + "\n")
    print(
        json.dumps(
            {
                "fit": fit,
                "fit_again": fit_again,
                "predict": predict,
                "predict_again": predict_again,
                "score": score(machine, predicted, new_labels),
                "support": len(support),
                "peak_megabytes": peak,
                "note": program.note(),
                "inside": getattr(program, "inside", None),
                "outside": getattr(program, "outside", None),
            }
        )
    )


def timed(work):
    begun = time.perf_counter()
    answer = work()
    return time.perf_counter() - begun, answer


@dataclass(frozen=True)
class Task:
    machine: str
    parameter: float
    cost: float
    gamma: float
    tolerance: float
    threads: int

    def classifies(self):
        return self.machine in ("svc", "nu-svc")


def score(machine, predicted, wanted):
    """Accuracy, R² or the share outside."""
    import numpy as np

    if machine == "one-class":
        return float(np.mean(predicted < 0))
    if machine in ("svr", "nu-svr"):
        return float(1 - np.sum((predicted - wanted) ** 2) / np.sum((wanted - wanted.mean()) ** 2))
    return float(np.mean(predicted == wanted))


def peak_megabytes():
    for line in open("/proc/self/status"):
        if line.startswith("VmHWM:"):
            return int(line.split()[1]) / 1024


# Rows of the Gram matrix that a peer may keep, generous against the defaults of 100 and 200.
CACHE_MEGABYTES = 2000


class ScikitLearn:
    def __init__(self, rows, labels, task):
        import sklearn.svm

        self.rows, self.labels, self.classifies = rows, labels, task.classifies()
        self.machine = estimator(sklearn.svm, task)

    def warm_up(self):
        """What scikit-learn imports with the first fit of a process is no part of a fit."""
        import numpy as np
        from sklearn.base import clone

        few = np.unique(self.labels, return_index=True)[1][:2] if self.classifies else np.arange(2)
        few = np.repeat(few, 5)
        clone(self.machine).fit(self.rows[few], self.labels[few])

    def fit(self):
        self.machine.fit(self.rows, self.labels)

    def predict(self, rows):
        return self.machine.predict(rows)

    def coefficients(self):
        m = self.machine
        values = m.dual_coef_.toarray() if hasattr(m.dual_coef_, "toarray") else m.dual_coef_
        # One per class; of machines without classes some make one number of it, some two.
        counts = m.n_support_ if self.classifies else [len(m.support_)]
        return m.support_, counts, values

    def note(self):
        return ""


def estimator(package, task):
    shared = {"gamma": task.gamma, "tol": task.tolerance, "cache_size": CACHE_MEGABYTES}
    match task.machine:
        case "svc":
            return package.SVC(C=task.cost, **shared)
        case "nu-svc":
            return package.NuSVC(nu=task.parameter, **shared)
        case "svr":
            return package.SVR(C=task.cost, epsilon=task.parameter, **shared)
        case "nu-svr":
            return package.NuSVR(C=task.cost, nu=task.parameter, **shared)
        case "one-class":
            return package.OneClassSVM(nu=task.parameter, **shared)


class Intelex(ScikitLearn):
    def __init__(self, rows, labels, task):
        import sklearnex.svm

        self.rows, self.labels, self.classifies = rows, labels, task.classifies()
        self.machine = estimator(sklearnex.svm, task)

    def note(self):
        return "" if hasattr(self.machine, "_onedal_estimator") else "fell back to scikit-learn"


class IntelexSingle(Intelex):
    def __init__(self, rows, labels, task):
        import numpy as np

        labels = labels.astype(np.float32) if labels.dtype.kind == "f" else labels
        super().__init__(rows.astype(np.float32), labels, task)

    def predict(self, rows):
        import numpy as np

        return self.machine.predict(rows.astype(np.float32))


class Libsvm:
    """The original, compiled with OpenMP by its own package."""

    TYPES = {"svc": "-s 0 -c", "nu-svc": "-s 1 -n", "one-class": "-s 2 -n", "svr": "-s 3 -p", "nu-svr": "-s 4 -n"}

    def __init__(self, rows, labels, task):
        from libsvm import svmutil

        self.svm = svmutil
        self.labels, self.rows = labels.astype(float), rows
        self.problem = svmutil.svm_problem(self.labels, rows)
        self.classifies = task.classifies()
        own = f"{self.TYPES[task.machine]} {task.cost if task.machine == 'svc' else task.parameter}"
        if task.machine in ("svr", "nu-svr"):
            own += f" -c {task.cost}"
        self.options = svmutil.svm_parameter(
            f"{own} -t 2 -g {task.gamma!r} -e {task.tolerance} -m {CACHE_MEGABYTES} -q"
        )

    def warm_up(self):
        pass

    def fit(self):
        self.model = self.svm.svm_train(self.problem, self.options)

    def predict(self, rows):
        import numpy as np

        predicted, _, _ = self.svm.svm_predict([], rows, self.model, "-q")
        return np.array(predicted)

    def coefficients(self):
        import numpy as np

        if not self.classifies:
            support = np.array(self.model.get_sv_indices()) - 1
            return support, [len(support)], np.array(self.model.get_sv_coef(), dtype=float).T
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

    def note(self):
        return ""


class Thunder(ScikitLearn):
    def __init__(self, rows, labels, task):
        from thundersvm import SVC

        self.rows, self.labels, self.classifies = rows, labels, task.classifies()
        self.machine = SVC(
            kernel="rbf",
            C=task.cost,
            gamma=task.gamma,
            tol=task.tolerance,
            n_jobs=task.threads,
            max_mem_size=CACHE_MEGABYTES,
        )


class Mercer(ScikitLearn):
    """Mercer's own package, to see what the way through Python costs."""

    def __init__(self, rows, labels, task):
        import mercer

        self.rows, self.labels, self.classifies = rows, labels, task.classifies()
        self.machine = estimator(mercer, task).set_params(n_jobs=task.threads)
        self.inside = self.outside = float("inf")

    def fit(self):
        """Also notes how much of the time was not the engine's, in the same fit."""
        took, _ = timed(super().fit)
        seconds = self.machine._model.seconds
        self.inside, self.outside = min(self.inside, seconds), min(self.outside, took - seconds)


PROGRAMS = {
    "mercer python": Mercer,
    "scikit-learn": ScikitLearn,
    "intelex f64": Intelex,
    "intelex f32": IntelexSingle,
    "libsvm": Libsvm,
    "thundersvm": Thunder,
}

if __name__ == "__main__":
    main()
