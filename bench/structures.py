"""Kernels beyond vectors: accuracy on real data by a fixed protocol, and seconds beside other programs.

    bench/bench --structures [--sets promoters,MUTAG,...] [--speed] [--grakel PYTHON] [--tslearn PYTHON] [--write FILE]

Accuracy. Sets without a test part are held out in ten stratified folds (seed 0); of each fold kernel and cost are chosen by five
folds of the other items, and what waits for data (weights of words, medians) is learned from these alone. Sets with a test part
are chosen on the training part, and the test part is asked once. Settings are compared by what is reported in the end: F1 for
Reuters, else accuracy. Lists of kernels are made without a look at what is held out.

Speed. Gram matrices of whole sets, computed once by each program in a process of its own; peers that are not there are named.
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
from sklearn.model_selection import StratifiedKFold

from mercer import SVC
from mercer.kernels import (
    BagOfWords,
    GlobalAlignment,
    Normalise,
    OptimalAssignment,
    ShortestPath,
    Spectrum,
    WeightedDegree,
    WeisfeilerLehman,
)

DATA = Path(os.environ["MERCER_DATA"])
COSTS = [0.1, 1.0, 10.0, 100.0]
WORDS = [Normalise(BagOfWords(tfidf=True, sublinear=sublinear, shortest_word=w)) for sublinear in (False, True) for w in (2, 3)]
# What is chosen besides kernel and cost. Few texts are about grain, and F1 counts these alone.
BESIDES = {"Reuters grain": {"C": [0.3, 1.0, 3.0, 10.0], "class_weight": [None, "balanced"]}}
# Name of the set, what is asked of it, kernels to choose from.
SETS = {
    "promoters": (0.93, [WeightedDegree(degree=3), WeightedDegree(degree=4, shift=1), Normalise(Spectrum(k=3))]),
    "MUTAG": (0.86, [WeisfeilerLehman(h=h) for h in (1, 2, 3)] + [Normalise(WeisfeilerLehman(h=3)), OptimalAssignment(h=3)]),
    "PROTEINS": (0.73, [Normalise(WeisfeilerLehman(h=h)) for h in (1, 3)] + [Normalise(ShortestPath())]),
    "SMS spam": (0.98, [Normalise(BagOfWords(tfidf=True, n=2)), Normalise(BagOfWords(tfidf=True, n=4, shortest=2, unit="characters"))]),
    "Reuters grain": (0.90, WORDS),
    "GunPoint": (0.98, [GlobalAlignment(median=m) for m in (0.1, 0.3, 1.0)]),
    "JapaneseVowels": (0.97, [GlobalAlignment(median=m) for m in (0.5, 0.7, 1.0, 1.4, 2.0)]),
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
        train, test = read(name)
        found, chosen = held_out(name, train, kernels) if test is None else tested(name, train, test, kernels)
        seconds = time.perf_counter() - begun
        items = len(train[0]) + (0 if test is None else len(test[0]))
        mark = "" if found >= wanted else "  BELOW"
        say(f"{name:16}{items:7}{100 * wanted:8.1f}{100 * found:8.2f}  {seconds:8.1f}  {chosen}{mark}")
    if options.speed:
        speed(options, say)
    if options.write:
        Path(options.write).write_text("\n".join(lines) + "\n")


def parse():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--target", help="where the build is (of no concern here)")
    parser.add_argument("--sets", type=lambda text: [name for name in text.split(",") if name], default=list(SETS))
    parser.add_argument("--speed", action="store_true")
    parser.add_argument("--grakel", help="an interpreter that has GraKeL")
    parser.add_argument("--tslearn", help="an interpreter that has tslearn")
    parser.add_argument("--write")
    return parser.parse_args()


# Accuracy


def predictions(name, train, new, kernels):
    """What a machine says about new items whose kernel and cost were found in five folds of the training items."""
    X, y = train
    folds = StratifiedKFold(5, shuffle=True, random_state=0)
    scoring = "f1" if name == "Reuters grain" else "accuracy"
    # What waits for data is learned from the items to learn from.
    grid = {"kernel": kernels, "C": COSTS, **BESIDES.get(name, {})}
    model = SVC().tune(X, y, grid, cv=folds, scoring=scoring, exhaustive=True)
    weights = "" if model.class_weight is None else f", {model.class_weight}"
    return model.predict(new), f"{model.kernel}, C {model.C:g}{weights}"


def held_out(name, train, kernels):
    X, y = train
    right, chosen = 0, {}
    for a, b in StratifiedKFold(10, shuffle=True, random_state=0).split(np.zeros(len(y)), y):
        said, setting = predictions(name, ([X[i] for i in a], y[a]), [X[i] for i in b], kernels)
        right += np.sum(said == y[b])
        chosen[setting] = chosen.get(setting, 0) + 1
    most = max(chosen, key=chosen.get)
    return right / len(y), f"{most} in {chosen[most]} of 10 folds"


def tested(name, train, test, kernels):
    said, chosen = predictions(name, train, test[0], kernels)
    if name == "Reuters grain":
        return f1_score(test[1], said), f"F1; {chosen}"
    return accuracy_score(test[1], said), chosen


# Data


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
