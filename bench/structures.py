"""Kernels beyond vectors: accuracy on real data by a fixed protocol, and seconds beside other programs.

    bench/bench --structures [--sets promoters,MUTAG,...] [--speed] [--quick] [--peer] [--grakel PYTHON] [--tslearn PYTHON] [--write FILE]

Accuracy. Sets without a test part are held out in ten stratified folds (seed 0); of each fold kernel and cost are chosen by five
folds of the other items, and what waits for data (weights of words, medians) is learned from these alone. Sets with a test part
are chosen on the training part, and the test part is asked once: by five folds of many items, by ten folds three times over of fewer
than 2000, since one division of these tells settings apart by chance. Settings are compared by what is reported in the end: F1 for
Reuters, else accuracy. Lists of kernels are made without a look at what is held out. On Reuters `LinearSVC` on rows of weighted words, of
which the offset is penalised too, competes with the kernels by the same folds. `--peer` adds what LinearSVC of scikit-learn does there, chosen
in the same way.

Speed. Gram matrices of whole sets, computed by each program in a process of its own; peers that are not there are named. `--quick` takes
the first 60 items of each set, to see that all of it runs.
`--grakel` and `--tslearn` name interpreters that have these packages; kernlab is asked through Rscript.
"""

import argparse
import csv
import datetime
import gzip
import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np
from sklearn.metrics import accuracy_score, f1_score
from sklearn.model_selection import GridSearchCV, RepeatedStratifiedKFold, StratifiedKFold

from mercer import SVC, LinearSVC
from mercer.kernels import (
    BagOfWords,
    Gaussian,
    GlobalAlignment,
    Normalise,
    OptimalAssignment,
    SetSum,
    ShortestPath,
    Spectrum,
    WeightedDegree,
    WeisfeilerLehman,
)

DATA = Path(os.environ["MERCER_DATA"])
COSTS = [0.1, 1.0, 10.0, 100.0]
WORDS = [Normalise(BagOfWords(tfidf=True, sublinear=sublinear, shortest_word=w)) for sublinear in (False, True) for w in (2, 3)]
# What is chosen besides kernel and cost. Few texts are about grain, and F1 counts these alone.
BESIDES = {
    "Reuters grain": {"C": [0.3, 1.0, 3.0, 10.0], "class_weight": [None, "balanced"], "loss": ["hinge", "squared_hinge"]},
    "JapaneseVowels": {"C": [0.3, 1.0, 3.0, 10.0, 100.0]},
}
FEW = 2000
# Alignments see the order of the times, means over all pairs of times do not; vowels may need both.
ALIGNED = [GlobalAlignment(median=m) for m in (0.5, 0.7, 1.0, 1.4, 2.0)]
POINTS = [Normalise(SetSum(Gaussian(gamma=gamma), mean=True)) for gamma in (1.0, 3.0)]
# Name of the set, what is asked of it, kernels to choose from.
SETS = {
    "promoters": (0.93, [WeightedDegree(degree=3), WeightedDegree(degree=4, shift=1), Normalise(Spectrum(k=3))]),
    "MUTAG": (0.86, [WeisfeilerLehman(h=h) for h in (1, 2, 3)] + [Normalise(WeisfeilerLehman(h=3)), OptimalAssignment(h=3)]),
    "PROTEINS": (0.73, [Normalise(WeisfeilerLehman(h=h)) for h in (1, 3)] + [Normalise(ShortestPath())]),
    "SMS spam": (0.98, [Normalise(BagOfWords(tfidf=True, n=2)), Normalise(BagOfWords(tfidf=True, n=4, shortest=2, unit="characters"))]),
    "Reuters grain": (0.90, WORDS),
    "GunPoint": (0.98, [GlobalAlignment(median=m) for m in (0.1, 0.3, 1.0)]),
    "JapaneseVowels": (0.97, [*ALIGNED, *POINTS, *(a + p for a in ALIGNED[1:4] for p in POINTS)]),
    "SST": (0.80, [Normalise(BagOfWords(tfidf=True, n=2, sublinear=True, shortest_word=1))]),
}


def main():
    options = parse()
    lines = []

    def say(text):
        print(text, flush=True)
        lines.append(text)

    say(f"Structured items, {datetime.date.today()}, {os.cpu_count()} threads")
    if options.sets:
        say(f"\n{'set':16}{'items':>7}{'asked':>8}{'found':>8}  {'seconds':>8}  chosen")
    for name in options.sets:
        wanted, kernels = SETS[name]
        begun = time.perf_counter()
        train, test = shortened(read(name)) if options.quick else read(name)
        found, chosen = held_out(name, train, kernels) if test is None else tested(name, train, test, kernels)
        seconds = time.perf_counter() - begun
        items = len(train[0]) + (0 if test is None else len(test[0]))
        mark = "" if found >= wanted else "  BELOW"
        say(f"{name:16}{items:7}{100 * wanted:8.1f}{100 * found:8.2f}  {seconds:8.1f}  {chosen}{mark}")
    if options.peer:
        from sklearn.svm import LinearSVC as Theirs

        train, test = read("Reuters grain")
        search, chosen = on_words(Theirs(max_iter=20_000), train)
        say(f"{'Reuters, peer':16}{'':15}{100 * f1_score(test[1], search.predict(test[0])):8.2f}  {'':8}  F1; {chosen}")
    if options.speed:
        speed(options, say)
    if options.write:
        Path(options.write).write_text("\n".join(lines) + "\n")


def parse():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--target", help="where the build is (of no concern here)")
    parser.add_argument("--sets", type=lambda text: [name for name in text.split(",") if name], default=list(SETS))
    parser.add_argument("--speed", action="store_true")
    parser.add_argument("--quick", action="store_true", help="a few items of each set")
    parser.add_argument("--peer", action="store_true", help="also scikit-learn on Reuters")
    parser.add_argument("--grakel", help="an interpreter that has GraKeL")
    parser.add_argument("--tslearn", help="an interpreter that has tslearn")
    parser.add_argument("--write")
    return parser.parse_args()


# Accuracy


def folds_of(y, often):
    if often and len(y) < FEW:
        return RepeatedStratifiedKFold(n_splits=10, n_repeats=3, random_state=0)
    return StratifiedKFold(5, shuffle=True, random_state=0)


def predictions(name, train, new, kernels, often=False):
    """What a machine says about new items whose kernel and cost were found in folds of the training items."""
    X, y = train
    folds = folds_of(y, often)
    scoring = "f1" if name == "Reuters grain" else "accuracy"
    # What waits for data is learned from the items to learn from.
    grid = {"kernel": kernels, "C": COSTS, **BESIDES.get(name, {})}
    model = SVC().tune(X, y, grid, cv=folds, scoring=scoring, exhaustive=True)
    weights = "" if model.class_weight is None else f", {model.class_weight}"
    loss = "" if model.loss == "hinge" else f", {model.loss}"
    return model.predict(new), f"{model.kernel}, C {model.C:g}{weights}{loss}, {model.best_score_:.4f} in folds"


def held_out(name, train, kernels):
    X, y = train
    right, chosen = 0, {}
    for a, b in StratifiedKFold(10, shuffle=True, random_state=0).split(np.zeros(len(y)), y):
        said, setting = predictions(name, ([X[i] for i in a], y[a]), [X[i] for i in b], kernels)
        right += np.sum(said == y[b])
        # Scores differ from fold to fold; the setting is what is counted.
        setting = setting.rpartition(", ")[0]
        chosen[setting] = chosen.get(setting, 0) + 1
    most = max(chosen, key=chosen.get)
    return right / len(y), f"{most} in {chosen[most]} of 10 folds"


def tested(name, train, test, kernels):
    said, chosen = predictions(name, train, test[0], kernels, often=True)
    if name == "Reuters grain":
        # The linear machine competes by the same folds: what is better there is asked about the test texts.
        search, linear = on_words(LinearSVC(), train)
        if search.best_score_ > float(chosen.split()[-3]):
            said, chosen = search.predict(test[0]), linear
        return f1_score(test[1], said), f"F1; {chosen}"
    return accuracy_score(test[1], said), chosen


def on_words(machine, train):
    """A linear machine on weighted words, whose offset is penalised; chosen by F1 in folds of the training texts."""
    from sklearn.feature_extraction.text import TfidfVectorizer
    from sklearn.pipeline import Pipeline

    grid = {
        "words__sublinear_tf": [False, True],
        "words__token_pattern": [r"(?u)\b\w\w+\b", r"(?u)\b\w\w\w+\b"],
        "svm__C": [0.3, 1.0, 3.0, 10.0],
        "svm__class_weight": [None, "balanced"],
    }
    # Words of a fold are counted once for all machines.
    with tempfile.TemporaryDirectory() as memory:
        words = Pipeline([("words", TfidfVectorizer()), ("svm", machine)], memory=memory)
        search = GridSearchCV(words, grid, scoring="f1", cv=folds_of(train[1], True)).fit(*train)
    chosen = ", ".join(f"{name.split('__')[1]} {value}" for name, value in search.best_params_.items())
    return search, f"{type(machine).__module__.split('.')[0]}.LinearSVC on words, {chosen}, {search.best_score_:.4f} in folds"


# Data


def shortened(parts, count=60):
    """A few items of each part, of all classes as they come."""
    def short(part):
        return None if part is None else (part[0][:: max(1, len(part[0]) // count)], part[1][:: max(1, len(part[0]) // count)])

    return [short(part) for part in parts]


def opened(path):
    return gzip.open(path, "rt") if path.suffix == ".gz" else open(path)


def table(path, delimiter=","):
    with opened(path) as file:
        return list(csv.reader(file, delimiter=delimiter, quoting=csv.QUOTE_MINIMAL if delimiter == "," else csv.QUOTE_NONE))


def read(name):
    """Items and labels to learn from, and those to be tested on if there are such."""
    if name == "promoters":
        rows = table(DATA / "promoters/promoters.csv")[1:]
        return ([row[0] for row in rows], np.array([row[1] for row in rows])), None
    if name in ("MUTAG", "PROTEINS"):
        return graphs(name), None
    if name == "SMS spam":
        rows = table(DATA / "sms_spam/sms_spam.tsv.gz", "\t")
        return ([row[1] for row in rows], np.array([row[0] for row in rows])), None
    if name == "Reuters grain":
        parts = [table(DATA / f"reuters_grain_corn/reuters_{part}.tsv.gz", "\t")[1:] for part in ("train", "test")]
        return [([row[2] for row in rows], np.array([int(float(row[0])) for row in rows])) for rows in parts]
    if name == "GunPoint":
        parts = [table(DATA / f"ts_GunPoint/GunPoint_{part}")[1:] for part in ("TRAIN.csv", "TEST.csv.gz")]
        return [([np.array(row[:-1], float) for row in rows], np.array([row[-1] for row in rows])) for rows in parts]
    if name == "JapaneseVowels":
        return [vowels(DATA / f"ts_JapaneseVowels/JapaneseVowels_{part}.ts.gz") for part in ("TRAIN", "TEST")]
    # Sentences of the treebank that are not neutral; those to be chosen by are the training ones.
    return [sentences(DATA / f"sst_trees/sst_{part}.ptb.gz") for part in ("train", "test")]


def graphs(name):
    folder = DATA / f"graphs_{name}"

    def lines(part):
        path = folder / f"{name}_{part}.txt"
        with opened(path if path.exists() else path.with_suffix(".txt.gz")) as file:
            return file.read().split("\n")[: -1]

    of_node = [int(line) - 1 for line in lines("graph_indicator")]
    labels, targets = [int(line) for line in lines("node_labels")], np.array([int(line) for line in lines("graph_labels")])
    first, found = {}, [([], []) for _ in targets]
    for node, graph in enumerate(of_node):
        first.setdefault(graph, node)
        found[graph][1].append(labels[node])
    for line in lines("A"):
        u, v = (int(end) - 1 for end in line.split(","))
        start = first[of_node[u]]
        found[of_node[u]][0].append((u - start, v - start))
    return found, targets


def vowels(path):
    with opened(path) as file:
        rows = [line.strip().split(":") for line in file if line.strip() and line[0] not in "@#"]
    series = [np.array([channel.split(",") for channel in row[:-1]], float).T for row in rows]
    return series, np.array([row[-1] for row in rows])


def sentences(path):
    texts, labels = [], []
    with opened(path) as file:
        for line in file:
            label = int(line[1])
            if label != 2:
                words = [piece.rstrip(")") for piece in line.split() if piece.endswith(")")]
                texts.append(" ".join(words))
                labels.append(int(label > 2))
    return texts, np.array(labels)


# Speed


def speed(options, say):
    say(f"\n{'Gram matrix':34}{'mercer':>9}{'peer':>9}{'ratio':>8}")
    proteins, promoters, train = graphs("PROTEINS")[0], read("promoters")[0][0], read("JapaneseVowels")[0][0]
    if options.quick:
        proteins, promoters, train = proteins[:60], promoters[:60], train[:60]
    for what, kernel, items, peer in [
        ("WL, h = 3, PROTEINS", WeisfeilerLehman(h=3), proteins, lambda: grakel(options, proteins, "WeisfeilerLehman(n_iter=3)")),
        ("shortest path, PROTEINS", ShortestPath(), proteins, lambda: grakel(options, proteins, "ShortestPath()")),
        ("spectrum, k = 4, promoters", Spectrum(k=4), promoters, lambda: kernlab(promoters)),
        ("GAK, JapaneseVowels", GlobalAlignment(sigma=5.0), train, lambda: tslearn(options, train)),
    ]:
        own = best_of(lambda: kernel(items))
        other = peer()
        if isinstance(other, str):
            say(f"{what:34}{own:9.4f}  skipped: {other}")
        else:
            say(f"{what:34}{own:9.4f}{other:9.3f}{other / own:7.1f}x")


def best_of(compute, times=3):
    seconds = []
    for _ in range(times):
        begun = time.perf_counter()
        compute()
        seconds.append(time.perf_counter() - begun)
    return min(seconds)


def asked(interpreter, program, items):
    """Seconds that a program in another interpreter prints, or why there are none."""
    with tempfile.NamedTemporaryFile("w", suffix=".json") as file:
        json.dump(items, file)
        file.flush()
        environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
        run = subprocess.run([interpreter, "-c", program, file.name], capture_output=True, text=True, env=environment)
    if run.returncode != 0:
        return (run.stderr.strip().splitlines() or ["it failed"])[-1]
    return float(run.stdout.split()[-1])


def grakel(options, found, kernel):
    if options.grakel is None:
        return "GraKeL is not named (--grakel PYTHON)"
    program = f"""
import json, sys, time
from grakel.kernels import ShortestPath, WeisfeilerLehman
items = [(set(map(tuple, edges)), dict(enumerate(labels))) for edges, labels in json.load(open(sys.argv[1]))]
best = 1e9
for _ in range(2):
    begun = time.perf_counter(); {kernel}.fit_transform(items); best = min(best, time.perf_counter() - begun)
print(best)
"""
    return asked(options.grakel, program, found)


def tslearn(options, series):
    if options.tslearn is None:
        return "tslearn is not named (--tslearn PYTHON)"
    program = """
import json, sys, time
from tslearn.metrics import cdist_gak
from tslearn.utils import to_time_series_dataset
items = to_time_series_dataset(json.load(open(sys.argv[1])))
cdist_gak(items[:2], sigma=5.0)
begun = time.perf_counter(); cdist_gak(items, sigma=5.0, n_jobs=-1); print(time.perf_counter() - begun)
"""
    return asked(options.tslearn, program, [one.tolist() for one in series])


def kernlab(strings):
    program = """
x <- readLines(commandArgs(TRUE)[1]); suppressMessages(library(kernlab))
k <- stringdot(type="spectrum", length=4, normalized=FALSE)
cat(min(sapply(1:3, function(i) system.time(kernelMatrix(k, as.list(x)))[["elapsed"]])))
"""
    with tempfile.NamedTemporaryFile("w", suffix=".txt") as file:
        file.write("\n".join(strings) + "\n")
        file.flush()
        try:
            run = subprocess.run(["Rscript", "-e", program, file.name], capture_output=True, text=True)
        except FileNotFoundError:
            return "there is no Rscript"
    if run.returncode != 0:
        return "kernlab is not installed" if "kernlab" in run.stderr else run.stderr.strip().splitlines()[-1]
    return float(run.stdout.split()[-1])


if __name__ == "__main__":
    sys.exit(main())
