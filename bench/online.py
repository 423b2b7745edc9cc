"""Streams, questions and labels: what the machines that learn on-line do with real data.

    bench/bench --online [--quick] [--examples N] [--parts streams,noise,figure] [--write FILE]
    python bench/online.py --mercer target/release/mercer --quick

Streams. One million examples of skin and of covtype (in an order drawn with seed 0, and from the beginning again where a set has fewer),
written as CSV and read by `mercer learn` with a budget of 100: examples a second, mistakes before each was learned, most memory. Covtype once as
its usual task of two classes, the second against the rest, and once with all seven, which are seven machines. Asked for: over 50 000 a second.

Noise. A tenth of the labels of ionosphere and spam is changed (seeds 0, 1, 2); `mercer clean` ranks all rows. Asked for: 60 % of the changed labels
in the first 15 %.

Figure. Campbell's figure 8 (`examples/active_learning.rs`): how many labels that were asked for are as good as 200 at random. Asked for: 100 at most.
Needs cargo, and the curves are kept with --curves FILE.
"""

import argparse
import csv
import datetime
import gzip
import json
import os
import random
import subprocess
import sys
import tempfile
from pathlib import Path

DATA = Path(os.environ.get("MERCER_DATA", ""))
SKIN, COVTYPE = "skin_nonskin/skin_nonskin.csv.gz", "covtype/covtype.csv.gz"
# Name, file, and which label is told from the rest.
STREAMS = [("skin", SKIN, None), ("covtype, 2 against the rest", COVTYPE, "2"), ("covtype, 7 classes", COVTYPE, None)]
RULES = ["perceptron", "passive-aggressive"]
WANTED = 50_000


def main():
    options = parse()
    lines = []

    def say(text):
        print(text, flush=True)
        lines.append(text)

    say(f"Learning on-line, {datetime.date.today()}, {os.cpu_count()} threads, {options.mercer}")
    with tempfile.TemporaryDirectory() as folder:
        if "streams" in options.parts:
            streams(say, options, Path(folder))
        if "noise" in options.parts:
            noise(say, options, Path(folder))
        if "figure" in options.parts:
            figure(say, options)
    if options.write:
        Path(options.write).write_text("\n".join(lines) + "\n")


def streams(say, options, folder):
    say(f"\n{options.examples} examples, budget 100\n{'stream':28}{'rule':20}{'a second':>10}{'mistakes':>10}{'MB':>6}")
    for name, file, against in STREAMS:
        path = DATA / file
        if not path.exists():
            say(f"{name:28}skipped: there is no {path}")
            continue
        stream = folder / "stream.csv"
        write_stream(path, against, options.examples, stream)
        for rule in RULES:
            model = folder / "model.mercer"
            model.unlink(missing_ok=True)
            words = [options.mercer, "--json", "learn", model, "--rule", rule, "--budget", "100"]
            with open(stream, "rb") as source:
                told = subprocess.run(words, stdin=source, capture_output=True, check=True, text=True).stdout
            told = json.loads(told)
            speed = told["new_examples"] / told["seconds"]
            mistakes = 100 * told["mistakes"] / told["examples"]
            mark = "" if speed > WANTED else "  BELOW"
            say(f"{name:28}{rule:20}{speed:10.0f}{mistakes:9.2f} %{told['peak_memory'] >> 20:6}{mark}")


def write_stream(path, against, examples, stream):
    with gzip.open(path, "rt") as source:
        header, *rows = source.read().splitlines()
    random.Random(0).shuffle(rows)
    if against is not None:
        rows = [f"{features},{'yes' if label == against else 'no'}" for features, label in (row.rsplit(",", 1) for row in rows)]
    with open(stream, "w") as out:
        out.write(header + "\n")
        for start in range(0, examples, len(rows)):
            out.write("\n".join(rows[: examples - start]) + "\n")


def noise(say, options, folder):
    say(f"\nA tenth of the labels changed: share of them in the first 15 %\n{'set':16}{'rows':>7}{'seed 0':>9}{'seed 1':>9}{'seed 2':>9}")
    for name, file in [("ionosphere", "ionosphere/ionosphere.csv"), ("spam", "spam/spam.csv.gz")]:
        path = DATA / file
        if not path.exists():
            say(f"{name:16}skipped: there is no {path}")
            continue
        with gzip.open(path, "rt") if path.suffix == ".gz" else open(path) as source:
            header, *rows = source.read().splitlines()
        if options.quick:
            rows = random.Random(0).sample(rows, min(300, len(rows)))
        labels = sorted({row.rsplit(",", 1)[1] for row in rows})
        shares = []
        for seed in range(3):
            changed = set(random.Random(seed).sample(range(len(rows)), len(rows) // 10))
            other = dict(zip(labels, reversed(labels)))
            noisy = [
                f"{features},{other[label] if at in changed else label}"
                for at, (features, label) in enumerate(row.rsplit(",", 1) for row in rows)
            ]
            data, report = folder / "noisy.csv", folder / "report.csv"
            data.write_text("\n".join([header, *noisy]) + "\n")
            words = [options.mercer, "clean", data, "-o", report, "--force", "--times", "1"]
            subprocess.run(words, capture_output=True, check=True)
            with open(report) as source:
                ranked = [int(line["row"]) - 1 for line in csv.DictReader(source)]
            top = ranked[: int(0.15 * len(ranked))]
            shares.append(len(changed & set(top)) / len(changed))
        mark = "" if min(shares) >= 0.6 else "  BELOW"
        say(f"{name:16}{len(rows):7}" + "".join(f"{100 * share:8.1f} %"[-9:] for share in shares) + mark)


def figure(say, options):
    words = ["cargo", "run", "--release", "--quiet", "--example", "active_learning", "-p", "mercer"]
    samplings = "5" if options.quick else "100"
    found = subprocess.run([*words, "--", samplings], capture_output=True, check=True, text=True).stdout
    if options.curves:
        Path(options.curves).write_text(found)
    rows = list(csv.DictReader(found.splitlines()))
    last = float(rows[-1]["error random"])
    reached = next(int(row["labels"]) for row in rows if float(row["error asked"]) <= last)
    mark = "" if reached <= 100 else "  BELOW"
    say(f"\nMajority rule, {samplings} samplings: {last:.2f} % errors after 200 labels at random, after {reached} that were asked for{mark}")


def parse():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--mercer", default="target/release/mercer", help="the program")
    parser.add_argument("--quick", action="store_true", help="a few thousand examples, to see that it runs")
    parser.add_argument("--examples", type=int, help="how many are streamed [default: a million]")
    parser.add_argument("--parts", default="streams,noise,figure", help="which of them, between commas")
    parser.add_argument("--curves", help="where the curves of the figure go")
    parser.add_argument("--write", help="where the table goes")
    options = parser.parse_args()
    options.parts = options.parts.split(",")
    options.examples = options.examples or (20_000 if options.quick else 1_000_000)
    if not DATA.is_dir():
        sys.exit("MERCER_DATA must name the folder of the data sets")
    return options


if __name__ == "__main__":
    main()
