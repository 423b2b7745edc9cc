"""Answers beside their alternatives: which query an active learner should begin with, and how well probabilities are calibrated.

    bench/bench --answers [--quick] [--parts queries,probabilities] [--write FILE]

Queries. Half of each set is the pool and the other half the test, standardized. `ActiveLearner` answers up to 60 of its own questions with each
query; the number is the mean test accuracy over 10, 20, …, 60 answers and all seeds. A query is marked where it is below random by more than
twice the standard error of the difference of the two, seed by seed.

Probabilities. Two thirds of each set train, one third tests; `SVC(probability=True)` of Mercer against scikit-learn's `SVC` calibrated by
`CalibratedClassifierCV(method="sigmoid", ensemble=False)`: the same C, gamma and rows. ECE is the expected calibration error in ten bins of equal width of
the later class's probability; log loss and Brier score beside it, all as means over the seeds. Mercer's ECE is marked where it is larger by more than twice
the standard error of the difference.
"""

import argparse
import datetime
import os
from pathlib import Path

import numpy as np
import sets

QUERIES = ["random", "nearest", "mixed", "band", "uncertain"]
ANSWERS = range(10, 61, 10)
POOL = 500  # rows of the pool at most
ROWS = 1200  # rows of a set for probabilities at most


def main():
    options = parse()
    lines = []

    def say(text):
        print(text, flush=True)
        lines.append(text)

    say(f"Answers, {datetime.date.today()}, {options.seeds} seeds")
    if "queries" in options.parts:
        queries(say, options.seeds)
    if "probabilities" in options.parts:
        probabilities(say, options.seeds)
    if options.write:
        Path(options.write).write_text("\n".join(lines) + "\n")


def two_classes():
    """Name, rows and labels 0 and 1 of ten sets."""
    for name in ("banana", "pima_diabetes", "ionosphere", "sonar", "breast_cancer_wdbc"):
        yield name, *sets.csv(f"{name}/{name}.csv")[0]
    yield "spam", *sets.csv("spam/spam.csv.gz")[0]
    for name, columns in (("heart", 13), ("fourclass", 2)):
        yield name, *plain(f"{name}/{name}_scale", columns)
    rows, labels = sets.csv("vehicle/vehicle.csv")[0]
    yield "vehicle, first class", rows, (labels == 0).astype(int)
    rows, labels = sets.csv("satimage/satimage_train.csv.gz")[0]
    yield "satimage, 4 of 6", rows, (labels % 2 == 0).astype(int)


def plain(name, columns):
    """A file in LIBSVM's format that is not packed."""
    rows, labels = [], []
    for line in sets.data(name).read_text().splitlines():
        label, *pairs = line.split()
        row = np.zeros(columns)
        for pair in pairs:
            index, value = pair.split(":")
            row[int(index) - 1] = float(value)
        rows.append(row)
        labels.append(int(float(label) > 0))
    return np.array(rows), np.array(labels)


def queries(say, seeds):
    say(f"\nmean accuracy in % over {ANSWERS.start} to {ANSWERS[-1]} answers\n{'set':24}" + "".join(f"{q:>12}" for q in QUERIES))
    total = np.zeros(len(QUERIES))
    for name, rows, labels in two_classes():
        scores = np.array([[accuracy(rows, labels, query, seed) for query in QUERIES] for seed in range(seeds)])
        means = 100 * scores.mean(axis=0)
        total += means
        cells = [f"{mean:11.2f}{mark}" for mean, mark in zip(means, marks(scores))]
        say(f"{name:24}" + "".join(cells))
    say(f"{'mean':24}" + "".join(f"{mean / 10:11.2f} " for mean in total) + "   (* below random)")


def marks(scores):
    for column in scores.T:
        difference = column - scores[:, 0]
        error = difference.std(ddof=1) / np.sqrt(len(difference)) if len(difference) > 1 else np.inf
        yield "*" if difference.mean() < -2 * error else " "


def accuracy(rows, labels, query, seed):
    from mercer import ActiveLearner

    order = np.random.default_rng(seed).permutation(len(labels))
    half = min(len(labels) // 2, POOL)
    pool, test = order[:half], order[half : half + 2000]
    known, new = sets.standardise(rows[pool], rows[test])
    learner = ActiveLearner(known, [0, 1], query=query, random_state=seed)
    found = []
    for count in range(1, ANSWERS[-1] + 1):
        item = next(learner)
        learner.answer(item, labels[pool][item])
        if count in ANSWERS:
            # Until both classes have been seen there is one answer only.
            seen = set(learner.answers_)
            predicted = learner.predict(new) if len(seen) == 2 else np.full(len(new), seen.pop())
            found.append(np.mean(predicted == labels[test]))
    return np.mean(found)


def probabilities(say, seeds):
    say(f"\n{'set':24}{'ECE':>9}{'sklearn':>9} {'log loss':>10}{'sklearn':>9}{'Brier':>9}{'sklearn':>9}")
    behind = []
    for name, rows, labels in two_classes():
        found = np.array([calibration(rows, labels, seed) for seed in range(seeds)])  # seeds × programs × measures
        ours, theirs = found.mean(axis=0)
        difference = found[:, 0, 0] - found[:, 1, 0]
        error = difference.std(ddof=1) / np.sqrt(seeds) if seeds > 1 else np.inf
        mark = " "
        if difference.mean() > 2 * error:
            behind.append(name)
            mark = "*"
        say(
            f"{name:24}{ours[0]:9.4f}{theirs[0]:9.4f}{mark}{ours[1]:10.4f}{theirs[1]:9.4f}{ours[2]:9.4f}{theirs[2]:9.4f}"
        )
    say(f"worse than scikit-learn (*): {', '.join(behind) or 'none'}")


def calibration(rows, labels, seed):
    import mercer
    import sklearn.svm
    from sklearn.calibration import CalibratedClassifierCV

    order = np.random.default_rng(seed).permutation(len(labels))[:ROWS]
    train, test = order[: 2 * len(order) // 3], order[2 * len(order) // 3 :]
    known, new = sets.standardise(rows[train], rows[test])
    measures = []
    for machine in (
        mercer.SVC(probability=True, random_state=seed),
        CalibratedClassifierCV(sklearn.svm.SVC(), method="sigmoid", ensemble=False),
    ):
        p = machine.fit(known, labels[train]).predict_proba(new)[:, 1]
        measures.append(measure(p, labels[test]))
    return measures


def measure(p, y):
    """Expected calibration error, log loss and Brier score."""
    bins = np.minimum((10 * p).astype(int), 9)
    error = sum(abs((p - y)[bins == b].sum()) for b in range(10)) / len(y)
    q = np.clip(p, 1e-15, 1 - 1e-15)
    return error, -np.mean(np.where(y == 1, np.log(q), np.log1p(-q))), np.mean((p - y) ** 2)


def parse():
    parser = argparse.ArgumentParser(description="Queries of active learners and probabilities, beside their alternatives.")
    parser.add_argument("--quick", action="store_true", help="two seeds")
    parser.add_argument("--seeds", type=int, default=30)
    parser.add_argument("--parts", default="queries,probabilities", help="which of them, between commas")
    parser.add_argument("--write", help="where the table is kept")
    options = parser.parse_args()
    if not os.environ.get("MERCER_DATA"):
        parser.error("MERCER_DATA must name the folder of the data sets")
    options.parts = options.parts.split(",")
    if options.quick:
        options.seeds = 2
    return options


if __name__ == "__main__":
    main()
