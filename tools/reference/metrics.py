"""scikit-learn's metrics of made-up predictions: the fixture metrics.json.

    python metrics.py

Rows of `scores` and `probabilities` have one number per class, rounded so that there are ties. The class of the highest
score is predicted, the first of equal ones, but the later of two classes, which is the positive one. Metrics that scikit-learn
refuses or answers with a warning are left out.
"""

import json
import warnings

import numpy as np
import scipy
import sklearn
from scipy.special import huber
from sklearn import metrics as m

import fixture

warnings.simplefilter("error")
rng = np.random.default_rng(5)


def attempt(values, name, compute):
    try:
        value = float(compute())
    except (ValueError, Warning):
        return
    if np.isfinite(value):
        values[name] = value


def of_classes(name, k, n, weights, truth_classes=None, predicted_classes=None):
    truth = rng.integers(0, truth_classes or k, n)
    truth[: truth_classes or k] = np.arange(truth_classes or k)
    scores = (4 * rng.normal(size=(n, k))).round() / 4
    scores[np.arange(n), truth] += 1.0
    if predicted_classes:
        scores[:, predicted_classes:] = -9.0
    # Sixteenths that sum to 1 exactly.
    probabilities = np.array([rng.multinomial(16, np.exp(s) / np.exp(s).sum()) for s in scores]) / 16
    predicted = (scores[:, 1] >= scores[:, 0]).astype(int) if k == 2 else scores.argmax(1)
    w = (rng.integers(1, 9, n) / 4).tolist() if weights else None
    values = {}

    def put(name, compute):
        attempt(values, name, compute)

    put("accuracy", lambda: m.accuracy_score(truth, predicted, sample_weight=w))
    put("balanced_accuracy", lambda: m.balanced_accuracy_score(truth, predicted, sample_weight=w))
    put("matthews_corrcoef", lambda: m.matthews_corrcoef(truth, predicted, sample_weight=w))
    put("cohen_kappa", lambda: m.cohen_kappa_score(truth, predicted, sample_weight=w))
    for base, score in [("precision", m.precision_score), ("recall", m.recall_score), ("f1", m.f1_score)]:
        if k == 2:
            put(base, lambda: score(truth, predicted, sample_weight=w))
        for average in ["macro", "micro", "weighted"]:
            call = lambda: score(truth, predicted, average=average, sample_weight=w, zero_division=0)
            put(f"{base}_{average}", call)
    if k == 2:
        put("roc_auc", lambda: m.roc_auc_score(truth, scores[:, 1], sample_weight=w))
        put("average_precision", lambda: m.average_precision_score(truth, scores[:, 1], sample_weight=w))
        put("brier", lambda: m.brier_score_loss(truth, probabilities[:, 1], sample_weight=w))
    else:
        for average in ["macro", "weighted"]:
            suffix = "" if average == "macro" else "_weighted"
            for way in ["ovr", "ovo"]:
                if way == "ovr" or not weights:
                    call = lambda: m.roc_auc_score(
                        truth, probabilities, multi_class=way, average=average, sample_weight=w
                    )
                    put(f"roc_auc_{way}{suffix}", call)
        put("average_precision", lambda: m.average_precision_score(truth, probabilities, sample_weight=w))
        labels = np.arange(k)
        put("brier", lambda: m.brier_score_loss(truth, probabilities, labels=labels, sample_weight=w))
        for top in range(1, k):
            # scikit-learn lets the later of equal classes win, hence everything in reverse.
            call = lambda: m.top_k_accuracy_score(
                k - 1 - truth, scores[:, ::-1], k=top, labels=labels, sample_weight=w
            )
            put(f"top_k({top})", call)
    put("log_loss", lambda: m.log_loss(truth, probabilities, labels=np.arange(k), sample_weight=w))
    return {
        "name": name,
        "classes": [f"class {c}" for c in range(k)],
        "truth": truth.tolist(),
        "scores": scores.ravel().tolist(),
        "probabilities": probabilities.ravel().tolist(),
        "weights": w,
        "values": values,
    }


def of_numbers(name, n, weights):
    truth = (8 * rng.normal(size=n)).round(2) + 3.0
    predicted = (0.9 * truth + 2 * rng.normal(size=n)).round(2)
    w = (rng.integers(0, 9, n) / 4).tolist() if weights else None
    mean = lambda losses: np.average(losses, weights=w)
    values = {
        "mean_squared_error": m.mean_squared_error(truth, predicted, sample_weight=w),
        "root_mean_squared_error": m.root_mean_squared_error(truth, predicted, sample_weight=w),
        "mean_absolute_error": m.mean_absolute_error(truth, predicted, sample_weight=w),
        "median_absolute_error": m.median_absolute_error(truth, predicted, sample_weight=w),
        "mean_absolute_percentage_error": m.mean_absolute_percentage_error(truth, predicted, sample_weight=w),
        "r2": m.r2_score(truth, predicted, sample_weight=w),
        "explained_variance": m.explained_variance_score(truth, predicted, sample_weight=w),
        "pinball(0.5)": m.mean_pinball_loss(truth, predicted, sample_weight=w),
        "pinball(0.9)": m.mean_pinball_loss(truth, predicted, alpha=0.9, sample_weight=w),
        "huber(1.35)": mean(huber(1.35, truth - predicted)),
    }
    if not weights:
        values["max_error"] = m.max_error(truth, predicted)
    return {
        "name": name,
        "truth": truth.tolist(),
        "predicted": predicted.tolist(),
        "weights": w,
        "values": {name: float(value) for name, value in values.items()},
    }


cases = {
    "classes": [
        of_classes("two classes", 2, 40, False),
        of_classes("two classes, weights", 2, 40, True),
        of_classes("two classes, the later never predicted", 2, 12, False, predicted_classes=1),
        of_classes("two classes, few rows", 2, 9, True),
        of_classes("three classes", 3, 60, False),
        of_classes("three classes, weights", 3, 60, True),
        of_classes("six classes", 6, 80, False),
        of_classes("six classes, weights", 6, 80, True),
        of_classes("four classes, the last without rows", 4, 40, False, truth_classes=3),
        of_classes("four classes, the last never predicted", 4, 40, True, predicted_classes=3),
    ],
    "numbers": [
        of_numbers("even number", 40, False),
        of_numbers("odd number", 41, False),
        of_numbers("weights", 40, True),
        of_numbers("more weights", 41, True),
    ],
}
made_with = {"numpy": np.__version__, "scipy": scipy.__version__, "scikit-learn": sklearn.__version__}
lines = ["{", f'"script": "tools/reference/metrics.py", "made_with": {json.dumps(made_with)},']
for at, (kind, listed) in enumerate(cases.items()):
    lines += [f'"{kind}": [', ",\n".join(json.dumps(case) for case in listed), "]" + "," * (at + 1 < len(cases))]
(fixture.FIXTURES / "metrics.json").write_text("\n".join(lines + ["}"]) + "\n")
