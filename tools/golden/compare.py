"""Compares two builds of the command line bit for bit: models, predictions and objectives on 20 data sets and every machine.

    python tools/golden/compare.py OLD NEW [--only WORD]

OLD and NEW are two `mercer` programs, for example of the commit before a change and of the change. Every case trains with both programs on the
same file, in single thread and with the parameters it names, and predicts the file; then

* the outputs of `predict` (classes, numbers, scores) are equal byte for byte;
* the objectives, gaps and numbers of support vectors in the summaries for programs are equal;
* each program reads the model of the other one and says the same.

Needs Python 3.10 and nothing else; larger files are looked for below MERCER_DATA, and what is missing is named and left out. Bits depend on the
vector instructions: both programs have to run on the same machine. The exit code is 1 if anything differs.
"""

import argparse
import json
import os
import pathlib
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
DATA = [ROOT / "data", *([pathlib.Path(os.environ["MERCER_DATA"])] if os.environ.get("MERCER_DATA") else [])]

CLASSES = ["ionosphere.csv", "iris.csv", "pima_diabetes.csv", "sonar.csv", "wine.csv", "breast_cancer_wdbc.csv", "heart_scale",
           "banana/banana.csv", "fourclass/fourclass_scale", "vehicle/vehicle.csv", "vowel/vowel.csv", "spam/spam.csv.gz"]
NUMBERS = ["auto_mpg.csv", "boston_housing/boston_housing.csv", "diabetes_regression/diabetes_regression.csv",
           "linnerud/linnerud.csv", "abalone/abalone.csv.gz"]
# (file, options that say how it is read and compared)
ITEMS = [
    ("promoters.csv", ["--kernel", "normalised(spectrum(k=3))"]),
    ("promoters.csv", ["--kernel", "subsequence(k=3, decay=0.5)"]),
    ("graphs_MUTAG", ["--kernel", "normalised(wl(h=3))"]),
    ("ts_GunPoint/GunPoint_TRAIN.csv", ["--kernel", "global_alignment(sigma=1)", "--label", "1"]),
    ("ts_Coffee/Coffee_TRAIN.csv", ["--kernel", "clipped(dtw(gamma=0.1))", "--label", "1"]),
]

SVM = [
    ["--kernel", "gaussian(gamma=median)", "--cost", "2"],
    ["--kernel", "linear", "--cost", "0.5", "--scale", "min-max"],
    ["--kernel", "0.5 * polynomial(degree=2) + laplacian(gamma=0.1)", "--cost", "1"],
]
PATTERNS = {
    "classes": SVM
    + [
        ["--gamma", "0.1", "--cost", "1", "--multiclass", "one-against-rest"],
        ["--gamma", "0.1", "--cost", "1", "--multiclass", "crammer-singer"],
        ["--gamma", "0.1", "--cost", "1", "--probabilities", "platt"],
        ["--gamma", "0.1", "--task", "novelty", "--nu", "0.2"],
        *[["--machine", machine, "--gamma", "0.1", "--cost", "1"] for machine in ("lssvm", "gp", "bayes-point")],
        *[["--machine", machine, "--gamma", "0.1"] for machine in ("fisher", "rvm", "gp", "lssvm")],
        ["--machine", "rbf-network"],
        ["--machine", "sphere-slab", "--gamma", "0.1"],
    ],
    "numbers": [
        *SVM,
        ["--gamma", "0.1", "--loss", "huber"],
        *[["--machine", machine, "--gamma", "0.1", "--cost", "10"] for machine in ("ridge", "gp", "ordinal")],
        *[["--machine", machine, "--gamma", "0.1"] for machine in ("ridge", "gp", "rvm", "pls")],
        ["--machine", "rbf-network"],
    ],
    "items": [
        ["--cost", "2"],
        ["--task", "novelty", "--nu", "0.2"],
        *[["--machine", machine] for machine in ("lssvm", "fisher", "gp", "rvm")],
    ],
}
# Numbers of a summary that say what was solved.
SOLVED = {"objective", "dual_objective", "primal_objective", "gap", "kkt_gap", "support_vectors", "iterations", "bounded", "offset", "tube"}


def found(name):
    """The path of a data set, if it is here."""
    return next((folder / name for folder in DATA if (folder / name).exists()), None)


def cases():
    for kind, files in (("classes", CLASSES), ("numbers", NUMBERS)):
        for name in files:
            for options in PATTERNS[kind]:
                task = [] if "--task" in options or kind == "classes" else ["--task", "regress"]
                yield name, [*options, *task]
    for name, reading in ITEMS:
        for options in PATTERNS["items"]:
            yield name, [*reading, *options]


def run(program, *words):
    done = subprocess.run([program, *map(str, words)], capture_output=True, text=True, timeout=600, check=False)
    return done.returncode, done.stdout, done.stderr


def solved(value):
    """What a summary says of the problems that were solved, without times."""
    if isinstance(value, dict):
        return {key: (inner if key in SOLVED and not isinstance(inner, (dict, list)) else solved(inner))
                for key, inner in value.items() if key in SOLVED or isinstance(inner, (dict, list))}
    if isinstance(value, list):
        return [solved(inner) for inner in value]
    return None


class Case:
    """One training with both programs."""

    def __init__(self, programs, data, options, folder):
        self.programs, self.data, self.options, self.folder = programs, data, options, folder
        self.refused = False

    def differences(self):
        """In words; none where all is equal."""
        trained = []
        for at, program in enumerate(self.programs):
            model = self.folder / f"{at}.mercer"
            code, out, err = run(program, "train", self.data, *self.options, "--test", "none", "--threads", "1",
                                 "--force", "--json", "-o", model)
            trained.append((code, json.loads(out) if code == 0 else err, model))
        (old_code, old, old_model), (code, new, model) = trained
        if old_code != code:
            yield f"exit {old_code} and {code}: {old if old_code else new}".strip()
            return
        if code:
            self.refused = True
            return
        if solved(old) != solved(new):
            yield f"summary: {solved(old)} and {solved(new)}"
        label = [word for at in range(len(self.options) - 1) if self.options[at] == "--label" for word in self.options[at : at + 2]]
        said = [run(program, "predict", own, self.data, *label, *self.scores(old))
                for program in self.programs for own in (old_model, model)]
        if said[0][0]:
            yield f"prediction: {said[0][2].strip()}"
        for name, other in zip(("the model of the new one", "the new program", "the new program and model"), said[1:], strict=True):
            if other[:2] != said[0][:2]:
                yield f"predictions of {name} differ: {other[2].strip()}"

    def scores(self, summary):
        """Decision values are told of classifiers and detectors."""
        return ["--scores"] if summary.get("task") in ("classify", "novelty", "classification") else []


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("old", type=pathlib.Path)
    parser.add_argument("new", type=pathlib.Path)
    parser.add_argument("--only", default="", help="cases whose line has this word")
    arguments = parser.parse_args()
    programs = [arguments.old.resolve(), arguments.new.resolve()]
    total, differing, refused, missing = 0, 0, 0, set()
    with tempfile.TemporaryDirectory() as folder:
        for name, options in cases():
            line = " ".join([name, *options])
            if arguments.only not in line:
                continue
            data = found(name)
            if data is None:
                missing.add(name)
                continue
            total += 1
            case = Case(programs, data, options, pathlib.Path(folder))
            problems = list(case.differences())
            refused += case.refused
            differing += bool(problems)
            for problem in problems:
                print(f"{line}: {problem}", flush=True)
    if missing:
        print(f"left out, since MERCER_DATA does not lead to them: {', '.join(sorted(missing))}")
    print(f"{total - differing} of {total} cases are equal bit for bit, {refused} of them refused by both programs")
    sys.exit(1 if differing or not total else 0)


if __name__ == "__main__":
    main()
