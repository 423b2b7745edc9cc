"""The harness: every program on every set, each run in a fresh process; a table; loud failure if answers differ."""

import argparse
import datetime
import json
import math
import os
import platform
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path

import objective
import sets

TOLERANCE = 1e-3
# Mercer as a Python program calls it: no peer, but measured like one.
PYTHON = "mercer python"
PEERS = ["scikit-learn", "intelex f64", "intelex f32", "libsvm", "thundersvm"]
# A run longer than this is not repeated: noise matters less there, and patience more.
ONCE_ABOVE = 60.0
# Machines that a peer is not asked for, and what the table says then.
ABSENT = {
    ("intelex f64", "one-class"): "has no machine of its own, is scikit-learn's",
    ("intelex f32", "one-class"): "has no machine of its own, is scikit-learn's",
    **{("thundersvm", machine): "not run" for machine in sets.MACHINES if machine != "svc"},
}


def main():
    options = parse()
    target = Path(options.target)
    cache = target / "bench-data"
    page = Page(options.write)
    threads = os.cpu_count() if options.threads is None else options.threads
    if options.mode == "overhead":
        # One thread: how several share the cores varies by more than what is measured here.
        overhead(page, cache, target, options.threads or 1, options)
        page.keep()
        return
    page.say(f"Mercer against its peers, {datetime.date.today()}, {options.mode}")
    page.say(f"{processor()}, {threads} threads; {versions()}")
    page.say(
        f"Gaussian kernel, KKT tolerance {TOLERANCE}; each run in a fresh process, best of {options.repeat}"
        f" (one run above {ONCE_ABOVE:.0f} s), limit {options.limit:.0f} s; data loading not timed"
    )
    page.say("")
    failures = []
    ratios = {"fit": {}, "predict": {}}
    for chosen in options.sets:
        place = sets.folder(chosen, cache)
        rows, labels = sets.load(place, "train")
        kinds = f" {len(set(labels))} classes," if chosen.machine in ("svc", "nu-svc") else ""
        page.say(
            f"{chosen.name}: {rows.shape[0]} rows x {rows.shape[1]} columns,{kinds} {chosen.machine}, {chosen.settings()}"
        )
        page.say(head(chosen))
        results = {}
        for program in ["mercer", PYTHON, *options.peers]:
            results[program] = best(program, chosen, place, target, threads, options)
            outcome = results[program]
            if "fit" in outcome and not options.no_objective:
                found = objective.dual(chosen, coefficients(target, program), rows, labels)
                outcome["objective"], outcome["broken"] = found
            page.say(line(program, outcome))
        failures += disagreements(chosen, results)
        compare(page, chosen, results, rows.shape[0], ratios)
        page.say("")
    summary(page, ratios)
    startup(page, cache, target, threads, options)
    if options.scale:
        scale(page, cache, target, threads, options)
    for failure in failures:
        page.say(f"DISAGREEMENT: {failure}")
    page.keep()
    sys.exit(1 if failures else 0)


def parse():
    parser = argparse.ArgumentParser(prog="bench", description=__doc__)
    parser.add_argument("--target", required=True, help=argparse.SUPPRESS)
    mode = parser.add_mutually_exclusive_group()
    mode.add_argument("--quick", dest="mode", action="store_const", const="quick", help="under three minutes (default)")
    mode.add_argument("--full", dest="mode", action="store_const", const="full", help="all sets, all peers, and the growth with n")
    mode.add_argument(
        "--machines", dest="mode", action="store_const", const="machines", help="nu-SVC, regressions and one-class machines"
    )
    mode.add_argument(
        "--overhead", dest="mode", action="store_const", const="overhead", help="what the way through Python costs"
    )
    parser.add_argument("--sets", help="names, separated by commas")
    parser.add_argument("--rows", type=int, help="at most so many training rows, where a set leaves the choice")
    parser.add_argument("--peers", help="names, separated by commas; 'none' for Mercer alone")
    parser.add_argument("--repeat", type=int)
    parser.add_argument("--limit", type=float, help="seconds a run may take")
    parser.add_argument("--threads", type=int)
    parser.add_argument("--scale", action="store_true", help="also time and memory against the number of rows")
    parser.add_argument("--no-objective", action="store_true", help="do not compute objectives")
    parser.add_argument("--write", help="keep the table in this file as well")
    options = parser.parse_args()
    options.mode = options.mode or "quick"
    full = options.mode == "full"
    named = {s.name: s for s in sets.SETS}
    if options.sets:
        names = options.sets.split(",")
    else:
        family = options.mode == "machines"
        names = [s.name for s in sets.SETS if full or (s.machine != "svc" if family else s.quick)]
    unknown = [name for name in names if name not in named]
    if unknown:
        parser.error(f"no set {unknown[0]!r}; there are {', '.join(named)}")
    options.sets = [named[name] for name in names]
    if options.rows:
        options.sets = [replace(s, rows=min(s.rows, options.rows)) if s.rows else s for s in options.sets]
    if options.peers:
        options.peers = [] if options.peers == "none" else options.peers.split(",")
        unknown = [name for name in options.peers if name not in PEERS]
        if unknown:
            parser.error(f"no peer {unknown[0]!r}; there are {', '.join(PEERS)}")
    else:
        # A quick run leaves out those that another one of the same make, or any other, is faster than.
        chosen = {"full": PEERS, "machines": PEERS[:3], "overhead": [], "quick": ["scikit-learn", "intelex f32", "libsvm"]}
        options.peers = chosen[options.mode]
    options.repeat = options.repeat or (1 if options.mode == "quick" else 3)
    options.limit = options.limit or (20.0 if options.mode == "quick" else 300.0)
    options.scale = options.scale or full
    return options


def coefficients(target, program):
    return target / "bench-data" / f"coefficients-{program.replace(' ', '-')}.txt"


def best(program, chosen, place, target, threads, options):
    """The fastest fit and the fastest prediction of some runs; the rest from the last run."""
    outcome = {}
    for _ in range(options.repeat):
        found = run(program, chosen, place, target, threads, options.limit)
        if "fit" not in found:
            return found
        for key in ("fit", "predict"):
            found[key] = min(found[key], outcome.get(key, math.inf))
        outcome = found
        if found["fit"] > ONCE_ABOVE:
            break
    return outcome


def run(program, chosen, place, target, threads, limit):
    if (program, chosen.machine) in ABSENT:
        return {"failed": ABSENT[program, chosen.machine]}
    arguments = [chosen.machine, repr(chosen.parameter), str(place)]
    arguments += [repr(chosen.cost), repr(chosen.gamma), repr(TOLERANCE), str(threads)]
    arguments.append(str(coefficients(target, program)))
    if program == "mercer":
        command = [str(target / "release" / "mercer-bench"), *arguments]
    else:
        command = [sys.executable, str(Path(__file__).with_name("peer.py")), program, *arguments]
    begun = time.monotonic()
    try:
        # The limit is for the fit; loading takes its time too.
        done = subprocess.run(command, capture_output=True, text=True, timeout=limit + 60)
    except subprocess.TimeoutExpired:
        return {"failed": f"> {limit:.0f} s"}
    if done.returncode != 0:
        last = (done.stderr.strip().splitlines() or ["no message"])[-1]
        return {"failed": f"exit {done.returncode} after {time.monotonic() - begun:.1f} s: {last[:120]}"}
    return json.loads(done.stdout.strip().splitlines()[-1])


def head(chosen):
    measure = sets.MACHINES[chosen.machine]
    return f"  {'':13}{'fit s':>9}{'predict s':>11}{'SV':>8}{'dual objective':>17}{measure:>10}{'peak MB':>9}"


def line(program, outcome):
    if "failed" in outcome:
        return f"  {program:13}{outcome['failed']:>9}"
    dual = outcome.get("objective")
    return (
        f"  {program:13}{outcome['fit']:9.3f}{outcome['predict']:11.3f}{outcome['support']:8d}"
        f"{'' if dual is None else format(dual, '.8g'):>17}{100 * outcome['score']:9.2f}%{outcome['peak_megabytes']:9.0f}"
        f"{'  ' + outcome['note'] if outcome.get('note') else ''}"
    )


def disagreements(chosen, results):
    mercer = results["mercer"]
    if "failed" in mercer:
        return [f"{chosen.name}: Mercer failed: {mercer['failed']}"]
    found = []
    for program, outcome in results.items():
        if outcome.get("broken", 0) > 1e-3:
            found.append(f"{chosen.name}: coefficients of {program} break their bounds by {outcome['broken']:.1e}")
    for program, outcome in results.items():
        if program == "mercer" or "failed" in outcome:
            continue
        if "objective" in outcome:
            # A peer that stops too early is its own affair; Mercer may not be below the best.
            off = (outcome["objective"] - mercer["objective"]) / abs(mercer["objective"])
            if off > 1e-3:
                found.append(f"{chosen.name}: objective of {program} is better by {off:.1e}")
        points = 100 * abs(outcome["score"] - mercer["score"])
        if points > 0.3:
            found.append(f"{chosen.name}: {sets.MACHINES[chosen.machine]} of {program} differs by {points:.2f} points")
    return found


def compare(page, chosen, results, rows, ratios):
    mercer = results["mercer"]
    if "failed" in mercer:
        return
    own = ("mercer", PYTHON)
    peers = {name: outcome for name, outcome in results.items() if name not in own and "fit" in outcome}
    # Distinct rows of K that the support vectors need, a tenth more than there are of them, at the rate of this machine.
    roofline = 1.1 * mercer["support"] * rows / mercer["rate"]
    for name, outcome in peers.items():
        if "objective" in outcome:
            off = (mercer["objective"] - outcome["objective"]) / abs(mercer["objective"])
            if off > 1e-3:
                page.say(f"  {name} stops early: its objective is worse by {off:.1e}")
    said = f"  fit at {mercer['fit'] / roofline:.1f} x the roofline ({mercer['rate'] / 1e9:.2f} G values/s); {mercer['precision']}"
    for what in ("fit", "predict"):
        if peers:
            name = min(peers, key=lambda peer: peers[peer][what])
            ratio = peers[name][what] / mercer[what]
            said += f"; {what} {ratio:.2f} x as fast as {name}"
            ratios[what].setdefault("fastest", {})[chosen.name] = ratio
        for name, outcome in peers.items():
            ratios[what].setdefault(name, {})[chosen.name] = outcome[what] / mercer[what]
        if "fit" in results[PYTHON]:
            ratios[what].setdefault(PYTHON, {})[chosen.name] = results[PYTHON][what] / mercer[what]
    page.say(said)


def summary(page, ratios):
    page.say("Geometric means of (peer's time / Mercer's time)")
    for what, by_peer in ratios.items():
        for name, values in by_peer.items():
            mean = math.exp(sum(math.log(v) for v in values.values()) / len(values))
            page.say(
                f"  {what:8}{'fastest peer' if name == 'fastest' else name:14}{mean:7.2f}   least {min(values.values()):.2f}"
                f" ({min(values, key=values.get)}), {len(values)} sets"
            )


def overhead(page, cache, target, threads, options):
    """Mercer from Rust and from Python, in turns; each process trains and predicts some times, and the least counts.

    Two processes differ by more than what is looked for. So a fit from Python is also compared with what the engine took in that
    very fit: all that Python adds (checks, copies, a thread that can be interrupted, attributes) is the rest.
    """
    page.say(f"Mercer from Python against Mercer from Rust, {datetime.date.today()}; {processor()}, {threads} threads")
    page.say("")
    page.say(f"  {'':20}{'fit s':>27}{'of one fit s':>27}{'predict s':>27}")
    page.say(f"  {'':20}{'Rust':>9}{'Python':>9}{'ratio':>9}{'engine':>9}{'rest':>9}{'ratio':>9}{'Rust':>9}{'Python':>9}{'ratio':>9}")
    os.environ["MERCER_BENCH_AGAIN"] = "4"
    ratios = {"fit": [], "of one fit": [], "predict": []}
    for chosen in options.sets:
        place = sets.folder(chosen, cache)
        least = {}
        for _ in range(options.repeat):
            for program in ("mercer", PYTHON):
                found = run(program, chosen, place, target, threads, options.limit)
                for what in ("fit_again", "predict_again", "outside", "inside"):
                    if found.get(what) is not None:
                        least[program, what] = min(found[what], least.get((program, what), math.inf))
        rust, python = ({what: least[program, f"{what}_again"] for what in ("fit", "predict")} for program in ("mercer", PYTHON))
        engine, rest = least[PYTHON, "inside"], least[PYTHON, "outside"]
        pairs = {
            "fit": (rust["fit"], python["fit"], python["fit"] / rust["fit"]),
            "of one fit": (engine, rest, 1.0 + rest / engine),
            "predict": (rust["predict"], python["predict"], python["predict"] / rust["predict"]),
        }
        said = f"  {chosen.name:20}"
        for what, (one, other, ratio) in pairs.items():
            ratios[what].append(ratio)
            said += f"{one:9.4f}{other:9.4f}{ratio:9.3f}"
        page.say(said)
    means = [math.exp(sum(math.log(v) for v in values) / len(values)) for values in ratios.values()]
    page.say(f"  {'geometric mean':20}" + "".join(f"{mean:27.3f}" for mean in means))


def startup(page, cache, target, threads, options):
    outcome = run("mercer", sets.SMALLEST, sets.folder(sets.SMALLEST, cache), target, threads, options.limit)
    page.say("")
    page.say(
        f"Start-up: iris (150 rows, 3 classes) fits in {1e3 * outcome['fit']:.2f} ms in a fresh process,"
        f" {1e3 * outcome['fit_again']:.2f} ms after that ({outcome['steps']} steps)"
    )


def scale(page, cache, target, threads, options):
    page.say("")
    page.say("Mercer against the number of rows (covtype, class 2 against the rest)")
    points = []
    for chosen in sets.SCALE:
        outcome = run("mercer", chosen, sets.folder(chosen, cache), target, threads, options.limit)
        page.say(f"{chosen.rows:>9} rows {line('mercer', outcome)}")
        if "fit" in outcome:
            points.append((chosen.rows, outcome["fit"], outcome["peak_megabytes"]))
    if len(points) > 1:
        slope = [exponent([(n, p[i]) for n, *p in points]) for i in (0, 1)]
        page.say(f"  time grows like n^{slope[0]:.2f}, memory like n^{slope[1]:.2f}")


def exponent(points):
    """The slope of the line of least squares through the logarithms."""
    xs, ys = [math.log(x) for x, _ in points], [math.log(y) for _, y in points]
    x, y = sum(xs) / len(xs), sum(ys) / len(ys)
    return sum((a - x) * (b - y) for a, b in zip(xs, ys)) / sum((a - x) ** 2 for a in xs)


def processor():
    for text in open("/proc/cpuinfo"):
        if text.startswith("model name"):
            return text.split(":", 1)[1].strip()
    return platform.processor()


def versions():
    from importlib.metadata import version

    names = ["scikit-learn", "scikit-learn-intelex", "libsvm-official", "thundersvm-cpu"]
    return ", ".join(f"{name} {version(name)}" for name in names)


class Page:
    """Says everything at once, and keeps it if asked to."""

    def __init__(self, path):
        self.path, self.lines = path, []

    def say(self, text):
        print(text, flush=True)
        self.lines.append(text)

    def keep(self):
        if self.path:
            Path(self.path).write_text("\n".join(self.lines) + "\n")


if __name__ == "__main__":
    main()
