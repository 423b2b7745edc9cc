"""Grid searches compared: ten widths × ten costs in five folds, by Mercer's `tune` and by its peers.

    bench/bench --search [--sets spam,satimage,covtype] [--peers liquidsvm,scikit-learn,intelex] [--limit SECONDS] [--write FILE]

Every program runs in a process of its own, on the same rows and folds (liquidSVM draws its own), and is then asked for the accuracy
on the test rows with what it found. liquidSVM has no offset and does not refit; its fold machines vote.
"""

import argparse
import datetime
import json
import math
import os
import subprocess
import sys
import time
from pathlib import Path

import numpy as np

COSTS = np.logspace(-1, 3, 10)
# Times 1/d for d columns.
WIDTHS = np.logspace(-2, 2, 10)
FOLDS = 5
OWN = ("mercer", "mercer exhaustive")
PEERS = ("liquidsvm", "scikit-learn", "intelex")
SETS = ("spam", "satimage", "covtype")


def main():
    if sys.argv[1:2] == ["--run"]:
        return run(*sys.argv[2:])
    options = parse()
    lines = []

    def say(text):
        print(text, flush=True)
        lines.append(text)

    say(f"Grid searches, {datetime.date.today()}, {os.cpu_count()} threads: {len(WIDTHS)} widths x {len(COSTS)} costs, {FOLDS} folds")
    for name in options.sets:
        place = prepared(name, Path(options.target) / "bench-data")
        with np.load(place) as parts:
            rows, classes = parts["X"].shape, len(np.unique(parts["y"]))
        say(f"\n{name}: {rows[0]} rows x {rows[1]} columns, {classes} classes")
        say(f"  {'':18}{'seconds':>9}{'C':>10}{'gamma':>10}{'cv %':>8}{'test %':>8}")
        found = {}
        for program in (*OWN, *options.peers):
            found[program] = outcome = timed(program, place, options)
            if "failed" in outcome:
                say(f"  {program:18}{outcome['failed']:>9}")
                continue
            score = "" if outcome["score"] is None else f"{100 * outcome['score']:.2f}"
            say(
                f"  {program:18}{outcome['seconds']:9.2f}{outcome['C']:10.4g}{outcome['gamma']:10.4g}"
                f"{score:>8}{100 * outcome['test']:8.2f}"
            )
        compare(found, say)
    if options.write:
        Path(options.write).write_text("\n".join(lines) + "\n")


def compare(found, say):
    for own in OWN:
        for peer in PEERS:
            if "seconds" in found[own] and "seconds" in found.get(peer, {}):
                say(f"  {own} is {found[peer]['seconds'] / found[own]['seconds']:.1f} x as fast as {peer}")
    # Is a peer's best cell as good as Mercer's, by what Mercer has found for it?
    table = found["mercer exhaustive"].get("table")
    if not table:
        return
    best = max(table, key=lambda cell: cell["mean"])
    error = best["std"] / math.sqrt(FOLDS - 1)
    for program in ("mercer", *PEERS):
        if "seconds" not in found.get(program, {}):
            continue
        cell = min(table, key=lambda cell: abs(math.log(cell["C"] / found[program]["C"])) + abs(math.log(cell["gamma"] / found[program]["gamma"])))
        behind = (best["mean"] - cell["mean"]) / error if error > 0 else 0.0
        say(f"  the best cell of {program} is {behind:.2f} standard errors behind the best of all")


def timed(program, place, options):
    python = options.liquidsvm if program == "liquidsvm" else sys.executable
    command = [python, __file__, "--run", program, str(place)]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=options.limit)
    except subprocess.TimeoutExpired:
        return {"failed": f"> {options.limit:.0f}"}
    if done.returncode != 0:
        last = (done.stderr.strip().splitlines() or ["no message"])[-1]
        return {"failed": f"exit {done.returncode}: {last[:100]}"}
    return json.loads(done.stdout.strip().splitlines()[-1])


def run(program, place):
    """One program on one set; prints one line of JSON."""
    with np.load(place) as parts:
        X, y, Z, z = (parts[name] for name in ("X", "y", "Z", "z"))
    widths = WIDTHS / X.shape[1]
    if program == "liquidsvm":
        outcome = liquidsvm(X, y, Z, z, widths)
    else:
        outcome = estimator(program, X, y, Z, z, widths)
    print(json.dumps(outcome))


def estimator(program, X, y, Z, z, widths):
    from sklearn.model_selection import GridSearchCV, StratifiedKFold

    grid = {"C": COSTS.tolist(), "gamma": widths.tolist()}
    cv = StratifiedKFold(FOLDS, shuffle=True, random_state=0)
    if program in OWN:
        import mercer

        machine, few = mercer.SVC(cache_size=2000), np.repeat(np.unique(y, return_index=True)[1], FOLDS)
        # What the first call imports is no part of a search.
        mercer.SVC().tune(X[few], y[few], {"C": [1.0], "gamma": [1.0]})
        begun = time.perf_counter()
        machine.tune(X, y, grid, cv=cv, exhaustive=program != "mercer")
        seconds = time.perf_counter() - begun
        results, best, score, model = machine.cv_results_, machine.best_params_, machine.best_score_, machine
    else:
        if program == "intelex":
            from sklearnex.svm import SVC
        else:
            from sklearn.svm import SVC
        search = GridSearchCV(SVC(cache_size=1000), grid, cv=cv, n_jobs=os.cpu_count())
        begun = time.perf_counter()
        search.fit(X, y)
        seconds = time.perf_counter() - begun
        results, best, score, model = search.cv_results_, search.best_params_, search.best_score_, search
    table = [
        {**setting, "mean": float(mean), "std": float(std)}
        for setting, mean, std in zip(results["params"], results["mean_test_score"], results["std_test_score"])
    ]
    test = float(np.mean(model.predict(Z) == z))
    return {"seconds": seconds, "C": best["C"], "gamma": best["gamma"], "score": float(score), "test": test, "table": table}


def liquidsvm(X, y, Z, z, widths):
    import sysconfig

    # The package asks for a name that Python no longer has.
    sysconfig.get_config_vars()["SO"] = sysconfig.get_config_var("EXT_SUFFIX")
    import liquidSVM

    # It reads no exponents; its width is 1/√γ, and λ = 1/(2 C n).
    decimal = lambda numbers: [f"{number:.17f}" for number in numbers]
    learned = len(y) * (FOLDS - 1) / FOLDS
    binary = len(np.unique(y)) == 2
    labels = np.where(y == y.max(), 1.0, -1.0) if binary else y.astype(float)
    begun = time.perf_counter()
    machine = liquidSVM.SVM(
        X,
        labels,
        scenario="MC AvA_hinge",
        threads=os.cpu_count(),
        folds=FOLDS,
        gammas=decimal(1 / np.sqrt(widths)),
        lambdas=decimal(1 / (2 * COSTS * learned)),
    )
    errors = machine.train()
    machine.select()
    seconds = time.perf_counter() - begun
    wanted = np.where(z == y.max(), 1.0, -1.0) if binary else z.astype(float)
    predicted = machine.test(Z, wanted)[0][:, 0]
    # Columns 3 and 5 are width and λ, column 7 is the error on the fold that was held out.
    cells = {}
    for row in errors:
        cells.setdefault((row[3], row[5]), []).append(row[7])
    width, penalty = min(cells, key=lambda cell: np.mean(cells[cell]))
    return {
        "seconds": seconds,
        "C": float(1 / (2 * penalty * learned)),
        "gamma": float(1 / width**2),
        "score": float(1 - np.mean(cells[width, penalty])),
        "test": float(np.mean(predicted == wanted)),
    }


def prepared(name, cache):
    """The rows of a set, standardised by those to learn from."""
    place = cache / f"search-{name}.npz"
    if place.exists():
        return place
    import sets

    draw = np.random.default_rng(0)
    if name == "satimage":
        (X, y), (Z, z) = sets.csv("satimage/satimage_train.csv.gz", "satimage/satimage_test.csv.gz")
    else:
        file, rows, most = {"spam": ("spam/spam.csv.gz", 3600, None), "covtype": ("covtype/covtype.csv.gz", 5000, 25000)}[name]
        [(everything, labels)] = sets.csv(file)
        order = draw.permutation(len(labels))[:most]
        if name == "covtype":
            labels = (labels == 1).astype(int)
        X, y, Z, z = everything[order[:rows]], labels[order[:rows]], everything[order[rows:]], labels[order[rows:]]
    X, Z = sets.standardise(X, Z)
    cache.mkdir(parents=True, exist_ok=True)
    np.savez(place, X=X, y=y, Z=Z, z=z)
    return place


def parse():
    parser = argparse.ArgumentParser(prog="bench --search", description=__doc__)
    parser.add_argument("--target", required=True, help=argparse.SUPPRESS)
    parser.add_argument("--liquidsvm", required=True, help=argparse.SUPPRESS)
    parser.add_argument("--sets", default=",".join(SETS))
    parser.add_argument("--peers", default=",".join(PEERS), help="'none' for Mercer alone")
    parser.add_argument("--limit", type=float, default=900.0, help="seconds a program may take")
    parser.add_argument("--write", help="keep the table in this file as well")
    options = parser.parse_args()
    options.sets = options.sets.split(",")
    options.peers = [] if options.peers == "none" else options.peers.split(",")
    for what, given, known in (("set", options.sets, SETS), ("peer", options.peers, PEERS)):
        for name in given:
            if name not in known:
                parser.error(f"no {what} {name!r}; there are {', '.join(known)}")
    return options


if __name__ == "__main__":
    main()
