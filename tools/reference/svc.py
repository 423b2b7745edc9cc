"""Soft-margin classifiers trained by LIBSVM: the fixtures svc/*.json.

    python svc.py [heart ionosphere iris wine a9a usps]     # all of them without arguments

a9a and usps are read from the folder named by the environment variable MERCER_DATA.
"""

import sys

import numpy as np

import datasets
import fixture
import kernels
import libsvm_run


def gaussian(gamma):
    return {"name": "gaussian", "gamma": gamma}


def run(table, test, name, kernel, cost, tolerance=1e-6, labels=None, class_weight=None, keep=(10**9, 10**9), coefficients=False):
    """One case: trains, certifies each sub-problem, predicts; keeps decisions of so many training and test rows."""
    classes = len(table.classes)
    labels = labels or list(range(classes))
    weight = class_weight or [1.0] * classes
    words = libsvm_run.options(kernel, cost, tolerance, class_weight, labels)
    model, printed = libsvm_run.train(table.x, [labels[c] for c in table.codes], words, kernel)
    pairs = libsvm_run.pairs(model, printed, labels, len(table.x))
    problems = []
    for pair in pairs:
        rows = np.flatnonzero((table.codes == pair.positive) | (table.codes == pair.negative))
        k = kernels.matrix(kernel, table.x[rows], table.x[rows])
        y = np.where(table.codes[rows] == pair.positive, 1.0, -1.0)
        bound = cost * np.array(weight)[table.codes[rows]]
        psd = kernel["name"] != "sigmoid"
        problems.append(fixture.problem(pair, k, y, bound, rows, psd, coefficients))
        p = problems[-1]
        print(f"  {name} {pair.positive}|{pair.negative}: objective {p['objective']:.8g} printed {p['objective_printed']:.8g}"
              f" exact {p['exact_objective']} kkt {p['kkt_gap']:.1e} gap {p['duality_gap']}", flush=True)
    case = {
        "name": name,
        "kernel": kernel,
        "cost": cost,
        "tolerance": tolerance,
        "class_weight": weight,
        "sample_weight": None,
        "problems": problems,
        "support_vectors": model.get_nr_sv(),
    }
    for part, data, kept in (("train", table, keep[0]), ("test", test, keep[1])):
        if data is None:
            case[part] = None
            continue
        predicted, decided = libsvm_run.decisions(model, data.x, labels, kernel)
        check_convention(table, data, kernel, pairs, decided)
        case[part] = fixture.predictions(data.codes, predicted, decided, classes, kept)
        print(f"  {name} {part}: {case[part]['correct']} of {case[part]['rows']}", flush=True)
    return case


def check_convention(table, data, kernel, pairs, decided):
    """LIBSVM's decision values are the expansions that the fixture describes."""
    k = kernels.matrix(kernel, data.x[:100], table.x)
    for column, pair in enumerate(pairs):
        expected = k @ pair.beta + pair.offset
        assert np.abs(expected - decided[:100, column]).max() < 1e-9 * (1 + np.abs(pair.beta).sum())


def save(name, table, test, cases):
    data = {"classes": table.classes, "train": table.source, "test": test.source if test else None}
    fixture.write(f"svc/{name}.json", {
        "script": "tools/reference/svc.py",
        "programs": fixture.programs("libsvm-official", "numpy"),
        "convention": fixture.CONVENTION,
        "data": data,
        "cases": cases,
    })


def heart():
    table = datasets.small("heart_scale")
    d = table.x.shape[1]

    def case(*arguments, **more):
        return run(table, None, *arguments, labels=[-1, 1], coefficients=True, **more)

    save("heart", table, None, [
        case("default", gaussian(1 / d), 1.0, tolerance=1e-3),
        case("gaussian", gaussian(1 / d), 1.0),
        case("gaussian_costly", gaussian(0.5), 100.0),
        case("linear", {"name": "linear"}, 1.0),
        case("polynomial", {"name": "polynomial", "gamma": 1 / d, "coef0": 1.0, "degree": 3}, 1.0),
        case("sigmoid", {"name": "sigmoid", "gamma": 1 / d, "coef0": -0.5}, 1.0),
        case("class_weight", gaussian(1 / d), 1.0, class_weight=[0.5, 2.0]),
    ])


def ionosphere():
    table = datasets.small("ionosphere.csv")
    save("ionosphere", table, None, [
        run(table, None, "gaussian", gaussian(1 / 34), 1.0, coefficients=True),
        run(table, None, "gaussian_costly", gaussian(0.1), 10.0, coefficients=True),
    ])


def iris():
    table = datasets.small("iris.csv")
    save("iris", table, None, [
        run(table, None, "gaussian", gaussian(0.25), 1.0, coefficients=True),
        run(table, None, "linear", {"name": "linear"}, 1.0, coefficients=True),
        run(table, None, "polynomial", {"name": "polynomial", "gamma": 0.25, "coef0": 1.0, "degree": 3}, 1.0, coefficients=True),
        run(table, None, "class_weight", gaussian(0.25), 1.0, class_weight=[1.0, 3.0, 0.5], coefficients=True),
    ])


def wine():
    table = datasets.small("wine.csv")
    # The rule `scale`: 1 / (columns × variance of all entries).
    scale = float(1.0 / (table.x.shape[1] * table.x.var()))
    save("wine", table, None, [
        run(table, None, "gaussian_scale", gaussian(scale), 10.0, coefficients=True),
        run(table, None, "gaussian", gaussian(0.0005), 1.0, coefficients=True),
    ])


def a9a():
    table, test = datasets.large("a9a", "a9a.gz"), datasets.large("a9a", "a9a.t.gz")
    # The test file never uses the last column.
    test.x = np.pad(test.x, ((0, 0), (0, table.x.shape[1] - test.x.shape[1])))
    save("a9a", table.head(5000), test, [
        run(table.head(5000), test, "gaussian", gaussian(0.05), 1.0, labels=[-1, 1], keep=(200, 200)),
    ])


def usps():
    table, test = datasets.large("usps", "usps_train.csv.gz"), datasets.large("usps", "usps_test.csv.gz")
    save("usps", table, test, [run(table, test, "gaussian", gaussian(1 / 128), 10.0, keep=(50, 200))])


if __name__ == "__main__":
    known = {f.__name__: f for f in (heart, ionosphere, iris, wine, a9a, usps)}
    for name in sys.argv[1:] or known:
        print(name)
        known[name]()
