"""The data sets of the benchmark, prepared as arrays that every program gets alike.

Each is kept in a folder of .npy files: X_train, y_train, X_test, y_test, f64 but for labels, which are i64; sparse rows as
data, indices, indptr and columns.
"""

import gzip
import os
from dataclasses import dataclass
from pathlib import Path

import numpy as np


@dataclass(frozen=True)
class Set:
    name: str
    source: str  # which loader
    rows: int | None  # training rows, None for all there are
    cost: float  # C; without meaning for those that have none
    gamma: float
    quick: bool = False
    machine: str = "svc"  # one of MACHINES
    parameter: float = 0  # nu, or the tube of svr

    def settings(self) -> str:
        """What the machine is told, in words."""
        words = {"svr": "tube", "svc": ""}.get(self.machine, "nu")
        parts = [f"{words} = {self.parameter:g}"] if words else []
        if self.machine in ("svc", "svr", "nu-svr"):
            parts.insert(0, f"C = {self.cost:g}")
        return ", ".join([*parts, f"gamma = {self.gamma:.6g}"])


# What each machine is scored by on test rows.
MACHINES = {"svc": "accuracy", "nu-svc": "accuracy", "svr": "R²", "nu-svr": "R²", "one-class": "outside"}


SETS = [
    Set("usps", "usps", None, 10, 1 / 128, quick=True),
    Set("satimage", "satimage", None, 16, 1, quick=True),
    Set("letter", "letter", 16_000, 16, 4, quick=True),
    Set("shuttle", "shuttle", None, 100, 1, quick=True),
    Set("skin", "skin", 50_000, 10, 1, quick=True),
    Set("w8a", "w8a", 40_000, 8, 0.02, quick=True),
    Set("cod_rna", "cod_rna", 50_000, 10, 1 / 8),
    Set("a9a", "a9a", None, 1, 0.05),
    Set("a9a C=100", "a9a", None, 100, 0.05),
    Set("covtype 50k", "covtype", 50_000, 10, 1 / 54),
    Set("covtype 200k", "covtype", 200_000, 10, 1 / 54),
    Set("mnist 20k", "mnist", 20_000, 5, 0.02),
    Set("mnist 60k", "mnist", 60_000, 5, 0.02),
    Set("letter nu-svc", "letter_halves", 16_000, 1, 1 / 16, machine="nu-svc", parameter=0.2),
    Set("cod_rna nu-svc", "cod_rna", 30_000, 1, 1 / 8, machine="nu-svc", parameter=0.2),
    Set("housing svr", "california_housing", 18_000, 10, 1 / 8, machine="svr", parameter=0.1),
    Set("protein svr", "protein_casp", 30_000, 10, 1 / 9, machine="svr", parameter=0.1),
    Set("housing nu-svr", "california_housing", 18_000, 10, 1 / 8, machine="nu-svr", parameter=0.5),
    Set("protein nu-svr", "protein_casp", 30_000, 10, 1 / 9, machine="nu-svr", parameter=0.5),
    Set("letter one-class", "letter_halves", 16_000, 1, 1 / 16, machine="one-class", parameter=0.1),
    Set("cod_rna one-class", "cod_rna", 30_000, 1, 1 / 8, machine="one-class", parameter=0.1),
]

# Training sets of growing size for the exponents of time and memory.
SCALE = [Set(f"covtype {n}k", "covtype", n * 1000, 10, 1 / 54) for n in (25, 50, 100, 200)]

# So small that a fit is all start-up.
SMALLEST = Set("iris", "iris", None, 1, 0.5)

SEED = 20_260_101


def folder(chosen: Set, cache: Path) -> Path:
    """Where the arrays are, prepared if they are not there yet."""
    place = cache / f"{chosen.source}_{chosen.rows or 'all'}"
    if not (place / "complete").exists():
        place.mkdir(parents=True, exist_ok=True)
        train, test = LOADERS[chosen.source](chosen.rows)
        for part, (rows, labels) in (("train", train), ("test", test)):
            save(place, part, rows, labels)
        (place / "complete").touch()
    return place


def save(place: Path, part: str, rows, labels) -> None:
    kind = "<f8" if np.asarray(labels).dtype.kind == "f" else "<i8"
    np.save(place / f"y_{part}.npy", np.ascontiguousarray(labels, dtype=kind))
    if isinstance(rows, np.ndarray):
        np.save(place / f"X_{part}.npy", np.ascontiguousarray(rows, dtype="<f8"))
        return
    values, indices, offsets, columns = rows
    np.save(place / f"data_{part}.npy", np.asarray(values, dtype="<f8"))
    np.save(place / f"indices_{part}.npy", np.asarray(indices, dtype="<i8"))
    np.save(place / f"indptr_{part}.npy", np.asarray(offsets, dtype="<i8"))
    np.save(place / f"columns_{part}.npy", np.asarray([columns], dtype="<i8"))


def load(place: Path, part: str):
    """The arrays back, sparse ones as scipy's CSR."""
    labels = np.load(place / f"y_{part}.npy")
    if (place / f"X_{part}.npy").exists():
        return np.load(place / f"X_{part}.npy"), labels
    import scipy.sparse

    columns = int(np.load(place / f"columns_{part}.npy")[0])
    parts = [np.load(place / f"{name}_{part}.npy") for name in ("data", "indices", "indptr")]
    parts[1:] = [p.astype(np.int32) for p in parts[1:]]
    return scipy.sparse.csr_matrix(tuple(parts), shape=(len(labels), columns)), labels


def data(name: str) -> Path:
    return Path(os.environ["MERCER_DATA"]) / name


def csv(*names: str):
    """For each table its numbers and the ranks of its labels, which stand in the last column."""
    tables = []
    for name in names:
        with (gzip.open if name.endswith(".gz") else open)(data(name), "rt") as file:
            next(file)
            tables.append([line.rstrip("\n").split(",") for line in file])
    words = sorted({line[-1] for table in tables for line in table})
    rank = {word: i for i, word in enumerate(words)}
    return [
        (np.array([line[:-1] for line in table], dtype=float), np.array([rank[line[-1]] for line in table]))
        for table in tables
    ]


def libsvm(name: str, columns: int):
    values, indices, offsets, labels = [], [], [0], []
    with gzip.open(data(name), "rt") as file:
        for line in file:
            label, *pairs = line.split()
            labels.append(int(float(label)))
            for pair in pairs:
                index, value = pair.split(":")
                indices.append(int(index) - 1)
                values.append(float(value))
            offsets.append(len(values))
    return (np.array(values), np.array(indices), np.array(offsets), columns), np.array(labels)


def take_sparse(rows, chosen):
    values, indices, offsets, columns = rows
    spans = [np.arange(offsets[i], offsets[i + 1]) for i in chosen]
    at = np.concatenate(spans)
    lengths = np.array([len(span) for span in spans])
    return values[at], indices[at], np.concatenate([[0], np.cumsum(lengths)]), columns


def dense(rows):
    values, indices, offsets, columns = rows
    out = np.zeros((len(offsets) - 1, columns))
    out[np.repeat(np.arange(len(offsets) - 1), np.diff(offsets)), indices] = values
    return out


def standardise(train, test):
    mean, deviation = train.mean(axis=0), train.std(axis=0)
    deviation[deviation == 0] = 1
    return (train - mean) / deviation, (test - mean) / deviation


def unit_interval(train, test):
    low, high = train.min(axis=0), train.max(axis=0)
    width = np.where(high > low, high - low, 1)
    return (train - low) / width, (test - low) / width


def iris(_):
    [table] = csv("iris/iris.csv")
    return table, table


def usps(_):
    return csv("usps/usps_train.csv.gz", "usps/usps_test.csv.gz")


def satimage(_):
    (train, y), (test, z) = csv("satimage/satimage_train.csv.gz", "satimage/satimage_test.csv.gz")
    train, test = unit_interval(train, test)
    return (train, y), (test, z)


def letter(rows):
    [(x, y)] = csv("letter/letter.csv.gz")
    train, test = unit_interval(x[:rows], x[rows:])
    return (train, y[:rows]), (test, y[rows:])


def letter_halves(rows):
    """A to M against N to Z."""
    [(x, y)] = csv("letter/letter.csv.gz")
    train, test = standardise(x[:rows], x[rows:])
    y = np.where(y < 13, -1, 1)
    return (train, y[:rows]), (test, y[rows:])


def shuttle(_):
    (train, y), (test, z) = csv("shuttle/shuttle_train.csv.gz", "shuttle/shuttle_test.csv.gz")
    train, test = standardise(train, test)
    return (train, y), (test, z)


def drawn(x, y, rows, test_rows):
    """A seeded slice for training and another for testing."""
    order = np.random.default_rng(SEED).permutation(len(y))
    first, second = order[:rows], order[rows : rows + test_rows]
    train, test = standardise(x[first], x[second])
    return (train, y[first]), (test, y[second])


def skin(rows):
    [(x, y)] = csv("skin_nonskin/skin_nonskin.csv.gz")
    return drawn(x, y, rows, 20_000)


def covtype(rows):
    [(x, y)] = csv("covtype/covtype.csv.gz")
    # Ranks count from 0: class 2 is rank 1.
    return drawn(x, np.where(y == 1, 1, -1), rows, 20_000)


def w8a(rows):
    x, y = libsvm("w8a/w8a.gz", 300)
    order = np.random.default_rng(SEED).permutation(len(y))
    first, second = order[:rows], order[rows:]
    return (take_sparse(x, first), y[first]), (take_sparse(x, second), y[second])


def cod_rna(rows):
    x, y = libsvm("cod_rna/cod-rna_scaled.gz", 8)
    x = dense(x)
    order = np.random.default_rng(SEED).permutation(len(y))
    return (x[order[:rows]], y[order[:rows]]), (x[order[rows:]], y[order[rows:]])


def regression(name, rows):
    """A seeded slice for training, all else for testing; the targets are standardised like the columns."""
    table = np.loadtxt(gzip.open(data(name), "rt"), delimiter=",", skiprows=1)
    table = table[np.random.default_rng(SEED).permutation(len(table))]
    train, test = standardise(table[:rows], table[rows:])
    return (train[:, :-1], train[:, -1]), (test[:, :-1], test[:, -1])


def california_housing(rows):
    return regression("california_housing/california_housing.csv.gz", rows)


def protein_casp(rows):
    return regression("protein_casp/protein_casp.csv.gz", rows)


def a9a(_):
    return libsvm("a9a/a9a.gz", 123), libsvm("a9a/a9a.t.gz", 123)


def idx(name: str):
    with gzip.open(data(name), "rb") as file:
        content = file.read()
    dimensions = content[3]
    shape = [int.from_bytes(content[4 + 4 * i : 8 + 4 * i], "big") for i in range(dimensions)]
    return np.frombuffer(content, dtype=np.uint8, offset=4 + 4 * dimensions).reshape(shape)


def mnist(rows):
    def part(stem):
        images = idx(f"mnist/{stem}-images-idx3-ubyte.gz")
        return images.reshape(len(images), -1) / 255.0, idx(f"mnist/{stem}-labels-idx1-ubyte.gz").astype(int)

    (train, y), test = part("train"), part("t10k")
    return (train[:rows], y[:rows]), test


LOADERS = {
    f.__name__: f
    for f in (
        iris,
        usps,
        satimage,
        letter,
        letter_halves,
        shuttle,
        skin,
        covtype,
        w8a,
        cod_rna,
        california_housing,
        protein_casp,
        a9a,
        mnist,
    )
}
