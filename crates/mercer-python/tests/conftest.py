"""Data sets of the tests."""

import csv
import gzip
import os
from pathlib import Path

import numpy as np
import pytest
from sklearn.datasets import load_breast_cancer, load_digits, load_iris, load_svmlight_file, load_wine
from sklearn.preprocessing import StandardScaler

DATA = Path(__file__).resolve().parents[3] / "data"
# Sets that are not part of the project, where they are to be found.
LARGER = {
    "vehicle": "vehicle/vehicle.csv",
    "vowel": "vowel/vowel_train.csv",
    "satimage": "satimage/satimage_train.csv.gz",
}
if "MERCER_DATA" not in os.environ:
    print(f"MERCER_DATA is not set: {', '.join(LARGER)} are skipped")


def _table(path):
    with gzip.open(path, "rt", newline="") if path.suffix == ".gz" else open(path, newline="") as file:
        rows = list(csv.reader(file))
    try:
        [float(value) for value in rows[0][:-1]]
    except ValueError:
        rows = rows[1:]
    return np.array([[float(value) for value in row[:-1]] for row in rows]), np.array([row[-1] for row in rows])


def _load(name):
    bundled = {"iris": load_iris, "wine": load_wine, "breast_cancer": load_breast_cancer, "digits": load_digits}
    if name in bundled:
        X, y = bundled[name](return_X_y=True)
    elif name == "heart":
        X, y = load_svmlight_file(str(DATA / "heart_scale"))
        X = X.toarray()
    elif name in LARGER:
        if "MERCER_DATA" not in os.environ:
            pytest.skip("MERCER_DATA is not set")
        X, y = _table(Path(os.environ["MERCER_DATA"]) / LARGER[name])
    else:
        X, y = _table(DATA / f"{name}.csv")
    return StandardScaler().fit_transform(X), y


@pytest.fixture(params=["iris", "wine", "breast_cancer", "ionosphere", "sonar", "digits", "heart", *LARGER])
def named_set(request):
    """A set of classes by name: standardised rows and labels."""
    return (request.param, *_load(request.param))


@pytest.fixture
def iris():
    return _load("iris")


@pytest.fixture
def two_classes():
    return _load("breast_cancer")
