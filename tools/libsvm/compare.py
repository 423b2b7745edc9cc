"""Trains and predicts with LIBSVM and with `mercer svm-train` and `svm-predict` in many configurations, and compares.

    python tools/libsvm/compare.py target/release/mercer [--configurations 250] [--only NUMBER]

needs `requirements.txt`. What is compared for each configuration, the model of one program read by the other included:

* the head of the model file: machine, kernel and its parameters, classes and their order: equal;
* rho, and decision values of all training and test rows: equal up to the tolerance that was asked for;
* the dual solution of each decision function: constraints hold, LIBSVM's stopping rule too, and the objectives are equal;
* coefficients: equal where the kernel matrix of the support vectors is positive definite, so that the solution is unique;
* `svm-predict` on one model file: every prediction equal, decisions on the border and ties between votes included;
* predictions by the two models: equal where no decision value lies within the tolerance of 0.

With the sigmoid kernel all of that is compared where the kernel matrix makes the problem convex, or both programs end at one objective.
`-v` is compared with each row left out and in five folds; `svm-scale` with LIBSVM's program where there is one (--svm-scale), else with the
functions of its Python package.

A difference that is not one of the ties in TIES is printed, and the exit code is 1. Probabilities (-b 1) depend on LIBSVM's random division of
the rows, so that there only the decision values are compared, and predictions from one model file.
"""

import argparse
import itertools
import json
import math
import os
import pathlib
import random
import shutil
import subprocess
import sys
import tempfile
from importlib import metadata

# With threads LIBSVM's sums depend on their number, and a busy machine makes them wait for each other.
os.environ["OMP_NUM_THREADS"] = "1"

import numpy as np
from libsvm import svm, svmutil

import dual
import scaling
import validation

# Where the two programs may differ, and why that is no defect of either.
TIES = {
    "coefficients": "the kernel matrix of the support vectors is singular to the tolerance, so that the dual solution is not unique: decision values,"
    " constraints and objectives agree",
    "rho": "no support vector strictly between the bounds fixes rho: every value of an interval is optimal, and the functions differ by a constant",
    "border": "a decision value within the tolerance of the training of 0, by two models that were trained separately",
    "border of one class": "a support vector strictly between the bounds, whose decision value is 0 up to the tolerance of either training",
    "indefinite": "the kernel matrix of the sigmoid kernel is not positive semi-definite: both stop where no pair violates the conditions, which is"
    " not one point, and mercer refuses a nu-SVC whose squared margin is not above 0",
    "outside": "both programs refuse the same input",
    "no margin": "nu so small that the reduced hulls of two classes meet: mercer says so, LIBSVM divides by a margin that is a rounding error",
}
DATA = pathlib.Path(__file__).resolve().parents[2] / "data"


class Problem:
    """Labels and sparse rows, and the file that holds them."""

    def __init__(self, name, labels, rows):
        self.name, self.labels, self.rows = name, labels, rows
        self.is_regression = False

    def some(self, count):
        """Rows from all over it, of all classes."""
        step = max(1, len(self.rows) // count)
        found = Problem(self.name, self.labels[::step][:count], self.rows[::step][:count])
        found.is_regression = self.is_regression
        return found

    def write(self, path):
        with open(path, "w") as out:
            for label, row in zip(self.labels, self.rows):
                out.write(f"{label:.17g} " + " ".join(f"{i}:{v!r}" for i, v in sorted(row.items())) + "\n")


def heart():
    labels, rows = [], []
    for line in (DATA / "heart_scale").read_text().splitlines():
        label, *words = line.split()
        labels.append(float(label))
        rows.append({int(i): float(v) for i, v in (word.split(":") for word in words)})
    return Problem("heart", labels, rows)


def drawn(name, rows, columns, classes, spread, seed, grid=None):
    """Clouds, one for each class; on a grid rows repeat and lie on borders."""
    source = random.Random(seed)
    centers = [[source.gauss(0, 1) for _ in range(columns)] for _ in range(classes)]
    found = Problem(name, [], [])
    for at in range(rows):
        label = source.randrange(classes)
        values = [c + spread * source.gauss(0, 1) for c in centers[label]]
        if grid:
            values = [round(v * grid) / grid for v in values]
        found.labels.append(float([3, 1, 2, 7, 5][label]) if classes > 2 else float(1 - 2 * label))
        found.rows.append({i + 1: v for i, v in enumerate(values) if v != 0.0 and source.random() < 0.9})
    return found


def measured(name, rows, columns, noise, seed):
    source = random.Random(seed)
    found = Problem(name, [], [])
    found.is_regression = True
    for _ in range(rows):
        x = [source.uniform(-2, 2) for _ in range(columns)]
        y = math.sin(2 * x[0]) + 0.5 * sum(x) + noise * source.gauss(0, 1)
        found.labels.append(round(y, 4))
        found.rows.append({i + 1: round(v, 4) for i, v in enumerate(x)})
    return found


def problems():
    """Sets with two classes, with more, and with numbers."""
    two = [heart(), drawn("two", 90, 3, 2, 0.8, 1), drawn("grid", 80, 2, 2, 1.0, 2, grid=2)]
    many = [drawn("three", 90, 3, 3, 0.7, 3), drawn("five", 120, 4, 5, 1.0, 4), drawn("grid3", 90, 2, 3, 0.9, 6, grid=1)]
    numbers = [measured("sine", 80, 2, 0.1, 7), measured("noisy", 100, 4, 0.5, 8)]
    return two, many, numbers


def convex_gamma(problem, constant):
    """The largest of some gammas that make the sigmoid kernel convex on these rows, for a dual problem whose beta have a fixed sum."""
    for gamma in (0.1, 0.05, 0.02, 0.01, 0.005, 0.002, 0.001):
        options = ["-s", "0", "-t", "3", "-g", str(gamma), "-r", str(constant)]
        if dual.is_convex(dual.kernel_matrix(problem.rows, options)):
            return gamma
    return 0.0005


def configurations(count):
    """Options and a data set each, the same ones every time."""
    source = random.Random(5)
    two, many, numbers = problems()
    kinds = itertools.cycle([0, 0, 1, 2, 3, 4])
    for number in range(count):
        machine = next(kinds)
        kernel = (number // 6) % 5
        problem = source.choice(numbers if machine >= 3 else two if machine == 2 or source.random() < 0.5 else many)
        options = ["-s", machine, "-t", kernel]
        if machine in (0, 3, 4):
            options += ["-c", source.choice([0.1, 1, 1, 10])]
        if machine in (1, 2, 4):
            options += ["-n", source.choice([0.1, 0.25, 0.5])]
        if machine == 3:
            options += ["-p", source.choice([0.01, 0.1, 0.5])]
        if kernel == 3:
            # Most are convex; the others are those that users have.
            constant = source.choice([-1, -1, -1, -1, -1, 0])
            options += ["-g", convex_gamma(problem, constant) if source.random() < 0.9 else source.choice([0.05, 0.1]), "-r", constant]
        if kernel in (1, 2) and source.random() < 0.7:
            options += ["-g", source.choice([0.1, 0.5, 1])]
        if kernel == 1:
            options += ["-r", source.choice([0, 1])]
        if kernel == 1:
            options += ["-d", source.choice([2, 3])]
        if machine in (0, 1) and source.random() < 0.3:
            labels = sorted(set(problem.labels))
            options += [f"-w{source.choice(labels):g}", source.choice([0.5, 2, 4])]
        if machine in (0, 1) and source.random() < 0.15:
            options += ["-b", 1]
        options += ["-e", source.choice([1e-3, 1e-6, 1e-6])]
        if source.random() < 0.2:
            options += ["-h", 0]
        yield number, problem, [str(word) for word in options]


def kernel_rows(rows, others):
    """Precomputed values exp(-|x - z|²/2), rounded as they are written."""
    def value(x, z):
        keys = set(x) | set(z)
        return round(math.exp(-0.5 * sum((x.get(k, 0.0) - z.get(k, 0.0)) ** 2 for k in keys)), 6)

    found = []
    for number, x in enumerate(rows):
        row = {0: number + 1}
        row.update({at + 1: value(x, z) for at, z in enumerate(others)})
        found.append(row)
    return found


class Model:
    """A LIBSVM model file."""

    def __init__(self, path):
        self.head, self.vectors = {}, []
        lines = iter(pathlib.Path(path).read_text().splitlines())
        for line in lines:
            key, _, rest = line.partition(" ")
            if key == "SV":
                break
            self.head[key] = rest.split()
        width = max(int(self.head["nr_class"][0]) - 1, 1)
        for line in lines:
            words = line.split()
            row = " ".join(f"{w.split(':')[0]}:{float(w.split(':')[1]):.8g}" for w in words[width:])
            self.vectors.append((row, [float(word) for word in words[:width]]))
        self.rho = [float(word) for word in self.head["rho"]]

    def fixed(self):
        """What must be equal to the letter, numbers as numbers."""
        found = {}
        for key in ("svm_type", "kernel_type", "degree", "gamma", "coef0", "nr_class", "label"):
            if key in self.head:
                words = self.head[key]
                found[key] = words if key.endswith("type") else [float(f"{float(word):.9g}") for word in words]
        return found

    def by_row(self):
        found = {}
        for row, coefficients in self.vectors:
            before = found.get(row, [0.0] * len(coefficients))
            found[row] = [a + b for a, b in zip(before, coefficients)]
        return found


def decisions(model, rows):
    """Decision values by LIBSVM's own code."""
    found = []
    pairs = model.get_nr_class() * (model.get_nr_class() - 1) // 2
    count = 1 if model.param.svm_type in (2, 3, 4) else pairs
    values = (svm.c_double * count)()
    labels = []
    for row in rows:
        x, _ = svm.gen_svm_nodearray(row, isKernel=model.param.kernel_type == 4)
        labels.append(svm.libsvm.svm_predict_values(model, x, values))
        found.append(list(values))
    return labels, found


def fixture(path):
    """Writes data, LIBSVM's models and its predictions for the tests of the command line."""
    ties, three = drawn("grid", 40, 2, 2, 1.0, 2, grid=2), drawn("grid3", 45, 2, 3, 0.9, 6, grid=1)
    sine = measured("sine", 25, 2, 0.1, 7)
    cases = []
    for name, problem, options in [
        ("votes", three, "-s 0 -t 0"),
        ("votes of a polynomial", three, "-s 0 -t 1 -d 2 -g 0.5 -r 1"),
        ("border of a region", ties, "-s 2 -t 2 -g 0.5 -n 0.3"),
        ("border of a linear region", ties, "-s 2 -t 0 -n 0.5"),
        ("shares without weights", ties, "-s 1 -t 2 -g 0.5 -n 0.4 -w1 3"),
        ("kernel values", ties, "-s 0 -t 4 -c 2"),
        ("kernel values of three classes", three, "-s 0 -t 4"),
        ("kernel values of shares", ties, "-s 1 -t 4 -n 0.4"),
        ("region of kernel values", ties, "-s 2 -t 4 -n 0.3"),
        ("regression on kernel values", sine, "-s 3 -t 4 -c 2"),
    ]:
        rows = kernel_rows(problem.rows, problem.rows) if "-t 4" in options else problem.rows
        given = svm.svm_problem(problem.labels, rows, isKernel="-t 4" in options)
        with tempfile.TemporaryDirectory() as folder:
            folder = pathlib.Path(folder)
            Problem(name, problem.labels, rows).write(folder / "data")
            model = svmutil.svm_train(given, svmutil.svm_parameter(options + " -e 1e-6 -q"))
            svmutil.svm_save_model(str(folder / "model"), model)
            model = svmutil.svm_load_model(str(folder / "model"))
            labels, values = decisions(model, rows)
            cases.append({
                "name": name, "options": options.split(), "data": (folder / "data").read_text(),
                "model": (folder / "model").read_text(), "predictions": labels, "decisions": values,
            })
    found = {"made_by": "tools/libsvm/compare.py --fixture", "libsvm": metadata.version("libsvm-official"), "cases": cases}
    pathlib.Path(path).write_text(json.dumps(found, indent=1) + "\n")


def self_value(row, options):
    """k(x, x), where it is not at most 1."""
    value = dict(zip(options[::2], options[1::2]))
    kernel, gamma, constant = value["-t"], float(value.get("-g", 1)), float(value.get("-r", 0))
    square = sum(v * v for v in row.values())
    if kernel == "0":
        return square
    return (gamma * square + constant) ** int(value["-d"]) if kernel == "1" else 1.0


def near(a, b, tolerance):
    return abs(a - b) <= tolerance * max(1.0, abs(a), abs(b))


class Comparison:
    def __init__(self, mercer, folder):
        self.mercer, self.folder, self.ties, self.counts = mercer, pathlib.Path(folder), {}, {}

    def run(self, *words):
        return subprocess.run([self.mercer, *words], capture_output=True, text=True, cwd=self.folder, timeout=120)

    def tie(self, name):
        assert name in TIES
        self.ties[name] = self.ties.get(name, 0) + 1

    def count(self, name):
        self.counts[name] = self.counts.get(name, 0) + 1

    def compare(self, number, problem, options):
        """Every difference that is no tie."""
        value = dict(zip(options[::2], options[1::2]))
        machine, kernel, tolerance = int(value["-s"]), int(value["-t"]), float(value["-e"])
        test = problem.rows[1::3] + [{k: 0.7 * v for k, v in row.items()} for row in problem.rows[::3]]
        labels = problem.labels[1::3] + problem.labels[::3]
        if kernel == 4:
            train = Problem(problem.name, problem.labels, kernel_rows(problem.rows, problem.rows))
            test = Problem(problem.name, labels, kernel_rows(test, problem.rows))
        else:
            train, test = problem, Problem(problem.name, labels, test)
        train.write(self.folder / "train")
        test.write(self.folder / "test")
        ours = self.run("svm-train", *options, "train", "ours.model")
        parameter = svmutil.svm_parameter(" ".join([*options, "-q"]))
        given = svm.svm_problem(train.labels, train.rows, isKernel=kernel == 4)
        refused = svm.libsvm.svm_check_parameter(given, parameter)
        if refused is not None or ours.returncode != 0:
            if refused is not None and ours.returncode != 0:
                self.tie("outside")
                return []
            no_margin = machine == 1 and refused is None and "the reduced convex hulls of two classes meet" in ours.stderr
            # The nu of all rows is not refused in a fold of -b 1.
            if not no_margin or "without fold" in ours.stderr:
                return [f"LIBSVM: {refused}; mercer: exit {ours.returncode} {ours.stderr.strip()[:200]}"]
        theirs = svmutil.svm_train(given, parameter)
        svmutil.svm_save_model(str(self.folder / "theirs.model"), theirs)
        if ours.returncode != 0:
            largest = max(abs(c) for _, row in Model(self.folder / "theirs.model").vectors for c in row)
            # The dual variables are at most 1; divided by the margin they are this large.
            if kernel == 3:
                self.tie("indefinite")
                return []
            if largest * tolerance < 0.01:
                return [f"mercer finds no margin, LIBSVM's coefficients are at most {largest}"]
            self.tie("no margin")
            return []
        theirs = svmutil.svm_load_model(str(self.folder / "theirs.model"))
        problems = []
        own = svmutil.svm_load_model(str(self.folder / "ours.model"))
        if own is None:
            return ["LIBSVM cannot read the model"]
        a, b = Model(self.folder / "theirs.model"), Model(self.folder / "ours.model")
        if a.fixed() != b.fixed():
            problems.append(f"head: LIBSVM {a.fixed()}, mercer {b.fixed()}")
            return problems
        # What a gradient that is off by the tolerance does to a decision value.
        width = 20 * tolerance * math.sqrt(max(1.0, *(self_value(row, options) for row in problem.rows)))
        if machine == 1:
            # LIBSVM divides a solution with variables of at most 1 by its margin, and what it is off by too.
            width *= max([1.0, *(abs(c) for _, row in a.vectors for c in row)])
        rows = [*train.rows, *test.rows]
        (said_a, values_a), (said_b, values_b) = decisions(theirs, rows), decisions(own, rows)
        worst = max((abs(x - y) / max(1.0, abs(x)) for p, q in zip(values_a, values_b) for x, y in zip(p, q)), default=0.0)
        same = worst <= width
        training = dual.Training(train.labels, train.rows, options)
        convex = kernel != 3 or dual.is_convex(training.matrix)
        duals = list(zip(training.solutions(a), training.solutions(b)))
        problems += self.optimality(training, duals, tolerance, width, convex)
        if kernel == 3:
            self.count("sigmoid kernels, convex" if convex else "sigmoid kernels, not convex")
        if not convex and not all(math.isclose(p.objective(), q.objective(), rel_tol=1e-6) for p, q in duals):
            self.tie("indefinite")
            return problems + self.predictions(train, test, machine)
        if not same and self.is_interval(machine, float(value.get("-c", 1)), width, a, b, values_a, values_b):
            self.tie("rho")
            return problems + self.predictions(train, test, machine)
        if not same:
            shifts = {round(x - y, 6) for p, q in zip(values_a, values_b) for x, y in zip(p, q)}
            problems.append(f"decision values differ by {worst:.2g}, rho {a.rho} and {b.rho}, {len(shifts)} shifts")
        for p, q in duals:
            unique, difference, allowed = self.coefficients(p, q, width, values_a)
            if unique and difference > allowed:
                problems.append(f"coefficients differ by {difference:.2g}, at most {allowed:.2g} is rounding: the solution is unique")
            self.count("unique dual solutions" if unique else "dual solutions that are not unique")
            if not unique and difference > allowed:
                self.tie("coefficients")
        for row, (x, y) in enumerate(zip(said_a, said_b)):
            if machine >= 3 or x == y:
                continue
            if any(abs(v) <= width * max(1.0, *(abs(u) for u in values_a[row])) for v in values_a[row]):
                self.tie("border of one class" if machine == 2 else "border")
            else:
                problems.append(f"row {row}: LIBSVM's model says {x:g}, mercer's {y:g}; values {values_a[row]}")
        problems += self.predictions(train, test, machine)
        return problems

    def optimality(self, training, duals, tolerance, width, convex):
        """Whether ours is feasible and as good as theirs."""
        problems = []
        for theirs, ours in duals:
            target, size = training.target(ours), max(1e-300, np.abs(ours.beta).sum())
            if ours.infeasibility(target) > max(1e-6 * size, 2 * theirs.infeasibility(target)):
                problems.append(f"constraints are off by {ours.infeasibility(target):.2g}, LIBSVM's by {theirs.infeasibility(target):.2g}")
            if ours.violation() > max(width, 2 * theirs.violation()):
                problems.append(f"optimality conditions are off by {ours.violation():.2g}, LIBSVM's by {theirs.violation():.2g}")
            a, b = theirs.objective(), ours.objective()
            # What a gradient that is off by the tolerance costs.
            room = (tolerance + 1e-7) * size + 1e-6 * abs(a)
            if convex and abs(a - b) > room:
                problems.append(f"objectives {a:.9g} and {b:.9g} differ by {abs(a - b):.2g}, {room:.2g} is the tolerance")
        return problems

    def coefficients(self, theirs, ours, width, values):
        """Whether the solution is unique, how far the coefficients differ, and how far they may."""
        difference = float(np.abs(theirs.beta - ours.beta).max())
        # Where both are at the same bound they are equal; elsewhere K says what the difference does to the decision values.
        largest = float(np.abs(theirs.beta).max())
        open_rows = np.flatnonzero(np.abs(theirs.beta - ours.beta) > 1e-9 * largest)
        if len(open_rows) == 0:
            return True, difference, 1e-6 * largest
        smallest = np.linalg.eigvalsh(theirs.matrix[np.ix_(open_rows, open_rows)])[0]
        scale = max(1.0, *(abs(v) for row in values for v in row))
        # K times the difference is that of the decision values, rho included.
        allowed = 2 * width * scale * math.sqrt(len(open_rows)) / max(smallest, 1e-300)
        return allowed < 0.1 * largest, difference, max(min(allowed, 0.1 * largest), 1e-6 * largest)

    def is_interval(self, machine, cost, width, a, b, values_a, values_b):
        """Whether two regressions differ by a constant, and neither has a support vector between the bounds that would fix it."""
        if machine not in (3, 4):
            return False
        shifts = [x - y for p, q in zip(values_a, values_b) for x, y in zip(p, q)]
        sizes = [abs(x) for row in values_a for x in row]
        for model in (a, b):
            sides = [sum(1e-6 * cost < sign * c < (1 - 1e-6) * cost for _, row in model.vectors for c in row) for sign in (1, -1)]
            # Each side of the tube has an end of its own where the tube is part of the solution.
            if (sides[0] and sides[1]) or (machine == 3 and any(sides)):
                return False
        return max(shifts) - min(shifts) <= width * max(1.0, *sizes)

    def predictions(self, train, test, machine):
        """Both programs on the same model files."""
        problems = []
        for name in ("theirs.model", "ours.model"):
            model = svmutil.svm_load_model(str(self.folder / name))
            for data, problem in (("train", train), ("test", test)):
                run = self.run("svm-predict", data, name, "out")
                if run.returncode != 0:
                    problems.append(f"svm-predict {data} {name}: {run.stderr.strip()[:200]}")
                    continue
                found = [float(line) for line in (self.folder / "out").read_text().split()]
                expected, values = decisions(model, problem.rows)
                for row, (x, y) in enumerate(zip(expected, found)):
                    agree = x == y if machine < 3 else near(x, y, 1e-9)
                    if not agree:
                        problems.append(f"svm-predict {data} {name}, row {row}: LIBSVM {x!r}, mercer {y!r}, values {values[row]}")
                        break
        return problems


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("mercer", nargs="?", help="the program")
    parser.add_argument("--configurations", type=int, default=250)
    parser.add_argument("--only", type=int, help="one configuration by its number")
    parser.add_argument("--svm-scale", default=shutil.which("svm-scale"), help="LIBSVM's program, if it is there")
    parser.add_argument("--fixture", help="write the answers of LIBSVM that the tests compare with to this file instead")
    parser.add_argument("--scale-fixture", help="the same for the answers of svm-scale")
    arguments = parser.parse_args()
    if arguments.fixture:
        return fixture(arguments.fixture)
    if arguments.scale_fixture:
        return scaling.fixture(arguments.scale_fixture, arguments.svm_scale, metadata.version("libsvm-official"))
    if arguments.mercer is None:
        parser.error("which program?")
    mercer = str(pathlib.Path(arguments.mercer).resolve())
    failed = compared = 0
    with tempfile.TemporaryDirectory() as folder:
        comparison = Comparison(mercer, folder)
        for number, problem, options in configurations(arguments.configurations):
            if arguments.only is not None and number != arguments.only:
                continue
            compared += 1
            differences = comparison.compare(number, problem, options)
            failed += bool(differences)
            for line in differences:
                print(f"{number} {problem.name} {' '.join(options)}: {line}")
        if arguments.only is None:
            two, many, numbers = problems()
            others = list(validation.compare(comparison.run, comparison.folder, 30, [*two, *many, *numbers]))
            if arguments.svm_scale:
                others += scaling.compare(mercer, arguments.svm_scale, 60)
            else:
                others += scaling.compare_values(mercer, 60)
            failed += len(others)
            print(*others, sep="\n" if others else "", end="\n" if others else "")
    for name, count in sorted(comparison.counts.items()):
        print(f"{name}: {count}")
    for name, count in sorted(comparison.ties.items()):
        print(f"tie {name}: {count} times: {TIES[name]}")
    print(f"{compared} configurations compared, {failed} with differences")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
