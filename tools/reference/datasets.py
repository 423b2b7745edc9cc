"""Reading the data sets behind the fixtures.

Small sets come from the repository's own data/, large ones from the folder named by MERCER_DATA.
"""

import csv
import gzip
import os
from dataclasses import dataclass
from pathlib import Path

import numpy as np

REPOSITORY = Path(__file__).resolve().parents[2]


@dataclass
class Table:
    """Rows, their class codes, and the classes sorted as Mercer sorts them."""

    x: np.ndarray
    codes: np.ndarray
    classes: list[str]
    source: dict

    def head(self, rows):
        source = dict(self.source, rows=rows)
        return Table(self.x[:rows], self.codes[:rows], self.classes, source)


def small(name):
    """A file of the repository's data/."""
    return read(REPOSITORY / "data" / name)


def large(folder, name):
    """A file below MERCER_DATA."""
    root = os.environ.get("MERCER_DATA")
    if root is None:
        raise SystemExit("MERCER_DATA is not set")
    return read(Path(root) / folder / name)


def read(path, classes=None):
    opener = gzip.open if path.suffix == ".gz" else open
    stem = path.name.removesuffix(".gz")
    with opener(path, "rt", newline="") as file:
        rows, labels = read_csv(file) if stem.endswith(".csv") else read_libsvm(file)
    classes = classes or sort_classes(set(labels))
    codes = np.array([classes.index(label) for label in labels])
    return Table(rows, codes, classes, {"file": path.name, "rows": len(rows), "columns": rows.shape[1]})


def read_csv(file):
    """Header row, numeric features, the label last."""
    reader = csv.reader(file)
    next(reader)
    rows, labels = [], []
    for record in reader:
        rows.append([float(v) for v in record[:-1]])
        labels.append(record[-1])
    return np.array(rows), labels


def read_libsvm(file):
    """`label index:value …`; as many columns as the largest index."""
    entries, labels = [], []
    for line in file:
        label, *fields = line.split()
        labels.append(f"{float(label):g}")
        entries.append([(int(k) - 1, float(v)) for k, v in (field.split(":") for field in fields)])
    rows = np.zeros((len(entries), 1 + max(k for row in entries for k, _ in row)))
    for i, row in enumerate(entries):
        for k, v in row:
            rows[i, k] = v
    return rows, labels


def sort_classes(labels):
    """Numerically if all are numbers, otherwise as text."""
    try:
        return sorted(labels, key=float)
    except ValueError:
        return sorted(labels)
