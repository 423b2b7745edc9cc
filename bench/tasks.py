"""Machines that factorise the kernel matrix: real tasks by a fixed protocol, and seconds beside scikit-learn.

    bench/bench --tasks [--sets retrieval,views,ranking,housing,clusters] [--speed] [--quick] [--write FILE]

Where there is a choice the program makes it on the training part, by cross-validation (views) or by held-out queries (ranking); the test part is
asked once. Seconds are the best of three, each program with all threads. `--quick` takes a tenth of the rows for `--speed`, and no task
unless `--sets` names some: to see that it runs.
"""

import argparse
import csv
import datetime
import gzip
import os
import time
from pathlib import Path

import numpy as np
from sklearn.base import clone
from sklearn.cluster import KMeans
from sklearn.datasets import load_svmlight_file
from sklearn.metrics import normalized_mutual_info_score
from sklearn.model_selection import cross_val_score

import mercer
from mercer.kernels import BagOfWords, Gaussian, Normalise, White

DATA = Path(os.environ["MERCER_DATA"])


def numbers(name):
    """The columns of a table and its last column."""
    with gzip.open(DATA / name, "rt", newline="") as file:
        rows = list(csv.reader(file))[1:]
    table = np.array([row[:-1] for row in rows], dtype=float)
    return table, np.array([row[-1] for row in rows])


def retrieval():
    """English and German sentences: for each of 1000 new English ones, is the nearest German one its translation?"""

    def pairs(name):
        with gzip.open(DATA / "multi30k_pairs" / name, "rt", encoding="utf-8") as file:
            rows = [line.rstrip("\n").split("\t") for line in file][1:]
        return [row[0] for row in rows], [row[1] for row in rows]

    train, test = pairs("multi30k_val.tsv.gz"), pairs("multi30k_test_2016_flickr.tsv.gz")
    kernel = Normalise(BagOfWords(tfidf=True, sublinear=True, n=5, shortest=2, unit="characters"))
    model = mercer.KernelCCA(400, kernel=kernel, regularisation=0.05, rank=1014).fit(*train)
    english, german = model.transform(*test)
    # Directions of a high correlation say more.
    weights = model.correlations_**2
    english, german = english * weights, german * weights
    unit = [part / np.linalg.norm(part, axis=1, keepdims=True) for part in (english, german)]
    found = (unit[0] @ unit[1].T).argmax(axis=1)
    return (found == np.arange(len(found))).mean(), 0.85, "share of 1000 whose translation comes first"


def two_views(worse, better, labels, pairs, labelled, test):
    """Accuracy on test rows with what the worse view has in common with the other, and that of the view alone. Both learn from the labelled
    rows; the components are found on pairs, without labels. Components and regularisation are chosen by folds of the labelled rows."""

    def standardised(x):
        deviation = x[pairs].std(axis=0)
        return (x - x[pairs].mean(axis=0)) / np.where(deviation > 0, deviation, 1.0)

    worse, better = standardised(worse), standardised(better)
    machine = mercer.SVC(C=10)
    best = None
    for share in (0.001, 0.01, 0.1):
        model = mercer.KernelCCA(50, kernel="rbf", regularisation=share).fit(worse[pairs], better[pairs])
        seen = model.transform(worse[labelled]) * model.correlations_
        for count in (10, 20, 50):
            found = cross_val_score(machine, seen[:, :count], labels[labelled], cv=5).mean()
            if best is None or found > best[0]:
                best = (found, model, count)
    _, model, count = best
    seen, new = (model.transform(worse[part])[:, :count] * model.correlations_[:count] for part in (labelled, test))
    own = clone(machine).fit(worse[labelled], labels[labelled]).score(worse[test], labels[test])
    return machine.fit(seen, labels[labelled]).score(new, labels[test]), own


def views():
    """Two views of 1000 digits, of which 100 are labelled: does what the views have in common help the worse of them?"""
    worse, labels = numbers("mfeat/mfeat_zer.csv.gz")
    better, _ = numbers("mfeat/mfeat_fac.csv.gz")
    order = np.random.default_rng(1).permutation(len(labels))
    pairs, labelled, test = order[:1000], order[:100], order[1000:]
    return *two_views(worse, better, labels, pairs, labelled, test), "accuracy; asked is that of the view alone"


def ndcg(scores, relevance, queries, places):
    """As the engine has it: gains 2^relevance − 1, queries without a relevant row left out."""
    found = []
    for query in np.unique(queries):
        own = queries == query
        gain = 2.0 ** relevance[own] - 1
        discount = 1 / np.log2(np.arange(2, min(places, own.sum()) + 2))
        best = (np.sort(gain)[::-1][: len(discount)] * discount).sum()
        if best > 0:
            found.append((gain[np.argsort(-scores[own], kind="stable")][: len(discount)] * discount).sum() / best)
    return np.mean(found)


def ranking():
    """Which documents of a query come first."""
    rows, relevance, queries = load_svmlight_file(str(DATA / "rank_ltr/rank_train.svmrank.gz"), query_id=True)
    columns = rows.shape[1]
    test, wanted, others = load_svmlight_file(str(DATA / "rank_ltr/rank_test.svmrank.gz"), query_id=True, n_features=columns)
    scale = np.asarray(abs(rows).max(axis=0).todense()).ravel()
    scale[scale == 0] = 1.0
    rows, test = rows.multiply(1 / scale).tocsr(), test.multiply(1 / scale).tocsr()
    # The cost by held-out queries of the training part.
    aside = queries % 5 == 0
    costs = (1e-4, 1e-3, 1e-2)
    tried = []
    for cost in costs:
        model = mercer.RankSVM(cost).fit(rows[~aside], relevance[~aside], qid=queries[~aside])
        tried.append(ndcg(model.predict(rows[aside]), relevance[aside], queries[aside], 5))
    model = mercer.RankSVM(costs[int(np.argmax(tried))]).fit(rows, relevance, qid=queries)
    return ndcg(model.predict(test), wanted, others, 5), 0.64, "NDCG@5 of 50 new queries"


def housing():
    """Prices of houses, a fifth of them held out."""
    rows, prices = numbers("california_housing/california_housing.csv.gz")
    prices = prices.astype(float)
    order = np.random.default_rng(0).permutation(len(prices))
    test, train = order[: len(order) // 5], order[len(order) // 5 :][:8000]
    mean, deviation = rows[train].mean(axis=0), rows[train].std(axis=0)
    rows = (rows - mean) / deviation
    # Widths of the columns are learned from some rows, the rest of the work is a ridge regression.
    some = train[:1000]
    process = mercer.GaussianProcessRegressor(
        1.0 * Gaussian(length_scale=[1.0] * rows.shape[1]) + White(0.1), normalize_y=True, random_state=0
    ).fit(rows[some], prices[some])
    model = mercer.GaussianProcessRegressor(process.kernel_, optimizer=None, normalize_y=True, memory=4000)
    model.fit(rows[train], prices[train])
    return model.score(rows[test], prices[test]), 0.80, "R² on a held-out fifth, learned from 8000 rows"


def clusters():
    """Digits without their labels."""
    rows, labels = numbers("digits8x8/digits8x8.csv.gz")
    usual = KMeans(10, n_init=10, random_state=0).fit(rows)
    squared = ((rows[:500, None] - rows[None, :500]) ** 2).sum(axis=2)
    gamma = 8 / np.median(squared[squared > 0])
    model = mercer.SpectralClustering(10, gamma=gamma, random_state=0).fit(rows)
    found = normalized_mutual_info_score(labels, model.labels_)
    return found, normalized_mutual_info_score(labels, usual.labels_), "NMI with the labels; asked is that of k-means"


TASKS = {"retrieval": retrieval, "views": views, "ranking": ranking, "housing": housing, "clusters": clusters}


def best_of(count, work):
    seconds = []
    for _ in range(count):
        begun = time.perf_counter()
        work()
        seconds.append(time.perf_counter() - begun)
    return min(seconds)


def speed(say, part):
    """The same fit by both, on so large a part of the rows."""
    from sklearn.decomposition import KernelPCA
    from sklearn.gaussian_process import GaussianProcessRegressor
    from sklearn.gaussian_process.kernels import RBF, ConstantKernel, WhiteKernel
    from sklearn.kernel_ridge import KernelRidge

    random = np.random.default_rng(0)
    all_rows, some, few_rows = (int(part * count) for count in (8000, 5000, 2000))
    rows = random.normal(size=(all_rows, 8))
    targets = np.sin(rows[:, 0]) + rows[:, 1] * rows[:, 2] + 0.1 * random.normal(size=all_rows)
    few, wanted = rows[:few_rows], targets[:few_rows]
    widths = [1.0] * 8
    cases = [
        (f"KernelRidge, {all_rows} rows", 2.0, 3, lambda: mercer.KernelRidge(alpha=0.1, kernel="rbf", memory=2000).fit(rows, targets),
         lambda: KernelRidge(alpha=0.1, kernel="rbf").fit(rows, targets)),
        (f"KernelPCA, {some} rows, 20 components", 5.0, 3, lambda: mercer.KernelPCA(20, kernel="rbf").fit(rows[:some]),
         lambda: KernelPCA(20, kernel="rbf").fit(rows[:some])),
        (f"GP, {few_rows} rows, a width per column", 5.0, 1,
         lambda: mercer.GaussianProcessRegressor(1.0 * Gaussian(length_scale=widths) + White(0.1)).fit(few, wanted),
         lambda: GaussianProcessRegressor(ConstantKernel() * RBF(widths) + WhiteKernel(0.1)).fit(few, wanted)),
    ]
    say(f"\n{'fit':40}{'mercer':>9}{'sklearn':>9}{'asked':>8}{'found':>8}")
    for name, asked, count, ours, theirs in cases:
        a, b = best_of(count, ours), best_of(count, theirs)
        say(f"{name:40}{a:9.2f}{b:9.2f}{asked:7.1f}x{b / a:7.1f}x{'' if b / a >= asked else '  BELOW'}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sets", type=lambda text: text.split(","))
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--speed", action="store_true")
    parser.add_argument("--write")
    options = parser.parse_args()
    lines = []

    def say(text):
        print(text, flush=True)
        lines.append(text)

    say(f"Tasks, {datetime.date.today()}, {os.cpu_count()} threads")
    say(f"\n{'task':12}{'asked':>8}{'found':>8}{'seconds':>9}  what")
    sets = ([] if options.quick else list(TASKS)) if options.sets is None else options.sets
    for name in sets:
        begun = time.perf_counter()
        found, wanted, what = TASKS[name]()
        mark = "" if found >= wanted else "  BELOW"
        say(f"{name:12}{wanted:8.4f}{found:8.4f}{time.perf_counter() - begun:9.1f}  {what}{mark}")
    if options.speed:
        speed(say, 0.1 if options.quick else 1.0)
    if options.write:
        Path(options.write).write_text("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
