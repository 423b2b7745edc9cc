"""The layout of the fixtures (described in tools/reference/README.md) and writing them."""

import json
import platform
from importlib.metadata import version

import numpy as np

import certificate
from datasets import REPOSITORY

FIXTURES = REPOSITORY / "crates" / "mercer" / "tests" / "fixtures"

CONVENTION = (
    "classes are sorted (numerically if all are numbers, else as text); a problem's positive class is the one of "
    "the smaller code, y = +1 there and -1 for its negative class; decision = sum(beta * k) + offset > 0 means the "
    "POSITIVE (smaller) class, for two classes too; objective = 1/2 beta'K beta - y'beta at its minimum; "
    "0 <= y * beta <= cost * class_weight * sample_weight; decisions have one row per data row and one column per "
    "problem, in the order of problems"
)


def digits(values, count):
    """Rounded to so many significant digits."""
    return [float(f"{v:.{count}g}") for v in np.asarray(values).ravel().tolist()]


def problem(pair, k, y, cost, rows, psd=True, keep_coefficients=False):
    """One sub-problem with its certificate. `k`, `y`, `cost` are of its own `rows` only."""
    beta = pair.beta[rows]
    polished = certificate.polish(k, y, cost, beta) if psd else None
    record = {
        "positive": pair.positive,
        "negative": pair.negative,
        "rows": len(rows),
        "objective": certificate.objective(k, y, beta),
        "objective_printed": pair.printed_objective,
        "kkt_gap": certificate.kkt_gap(k, y, cost, beta),
        "duality_gap": certificate.duality_gap(k, y, cost, beta, pair.offset) if psd else None,
        "offset": pair.offset,
        "exact_objective": None if polished is None else certificate.objective(k, y, polished[0]),
        "exact_offset": None if polished is None else polished[1],
        "support_vectors": int((beta != 0.0).sum()),
        "bounded_support_vectors": int((np.abs(beta) == cost).sum()),
    }
    if keep_coefficients:
        support = np.flatnonzero(beta)
        record["support"] = rows[support].tolist()
        record["coefficients"] = digits(beta[support], 12)
    return record


def predictions(codes, predicted, decided, classes, keep):
    """Predictions and decision values of the first `keep` rows, the count of correct ones of all."""
    votes = np.zeros((len(predicted), classes), int)
    column = 0
    for i in range(classes):
        for j in range(i + 1, classes):
            votes[np.arange(len(votes)), np.where(decided[:, column] > 0, i, j)] += 1
            column += 1
    top = votes.max(axis=1, keepdims=True)
    tied = np.flatnonzero((votes == top).sum(axis=1) > 1)
    assert all(votes[r, predicted[r]] == top[r, 0] for r in range(len(votes)))
    return {
        "rows": len(predicted),
        "correct": int((predicted == codes).sum()),
        "predictions": predicted[:keep].tolist(),
        "tied_rows": [int(r) for r in tied if r < keep],
        "decisions": [digits(row, 10) for row in decided[:keep]],
    }


def programs(*names):
    return {"python": platform.python_version(), **{name: version(name) for name in names}}


def write(name, content):
    """One line per element of the outer lists: readable differences, compact rows."""
    path = FIXTURES / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(layout(content, 0) + "\n")
    print(f"{path.relative_to(REPOSITORY)}: {path.stat().st_size / 1024:.0f} KiB")


def layout(value, depth):
    indent = " " * (depth + 1)
    nested = isinstance(value, dict) or (isinstance(value, list) and any(isinstance(v, (dict, list)) for v in value))
    if not nested or not value or (isinstance(value, dict) and not any(isinstance(v, (dict, list)) for v in value.values())):
        return json.dumps(value, separators=(",", ":"), allow_nan=False)
    if isinstance(value, dict):
        parts = [f"{json.dumps(k)}:{layout(v, depth + 1)}" for k, v in value.items()]
        return "{\n" + indent + f",\n{indent}".join(parts) + "}"
    return "[\n" + indent + f",\n{indent}".join(layout(v, depth + 1) for v in value) + "]"
