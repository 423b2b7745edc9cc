"""Expectation maximisation by scikit-learn and hmmlearn, for crates/mercer/tests/fixtures/generative.json.

Both start from given models and do a given number of iterations without priors or floors; log-likelihoods are those of the final
models.

    python -m venv venv && venv/bin/pip install scikit-learn==1.9.1 hmmlearn==0.3.3
    venv/bin/python tools/reference/generative.py
"""

import json
import platform
import warnings
from importlib.metadata import version
from pathlib import Path

import numpy as np
from hmmlearn.hmm import CategoricalHMM, GaussianHMM
from sklearn.mixture import GaussianMixture

warnings.filterwarnings("ignore")
rng = np.random.default_rng(5)
ITERATIONS = 7


def flat(a):
    return np.asarray(a, float).ravel().tolist()


def mixtures():
    points = np.vstack([rng.normal([0, 0], [1, 0.5], (25, 2)), rng.normal([2, 1], [0.5, 1.5], (30, 2))]).round(3)
    weights, means = [0.5, 0.3, 0.2], [[0.0, 0.0], [1.5, 1.0], [-1.0, 2.0]]
    for kind in ("diag", "full"):
        precisions = np.ones((3, 2)) if kind == "diag" else np.array([np.eye(2)] * 3)
        model = GaussianMixture(
            3, covariance_type=kind, tol=0, reg_covar=0, max_iter=ITERATIONS, weights_init=weights, means_init=means,
            precisions_init=precisions,
        ).fit(points)
        assert model.n_iter_ == ITERATIONS
        yield {
            "kind": kind, "points": points.tolist(), "start": {"weights": weights, "means": flat(means)},
            "weights": flat(model.weights_), "means": flat(model.means_), "covariances": flat(model.covariances_),
            "log_likelihood": float(model.score_samples(points).sum()),
        }


def chain(model, sequences):
    x, lengths = np.vstack(sequences), [len(s) for s in sequences]
    model.fit(x, lengths)
    return {
        "start": flat(model.startprob_), "transition": flat(model.transmat_),
        "log_likelihoods": [float(model.score(s)) for s in sequences],
    }


def symbols():
    sequences = [rng.integers(0, 3, (n, 1)) for n in (12, 7, 20, 1)]
    model = CategoricalHMM(2, n_iter=ITERATIONS, tol=-np.inf, init_params="", n_features=3)
    model.startprob_, model.transmat_ = np.array([0.6, 0.4]), np.array([[0.7, 0.3], [0.2, 0.8]])
    model.emissionprob_ = np.array([[0.5, 0.3, 0.2], [0.1, 0.3, 0.6]])
    first = {"start": flat(model.startprob_), "transition": flat(model.transmat_), "emission": flat(model.emissionprob_)}
    first["log_likelihoods"] = [float(model.score(s)) for s in sequences]
    end = chain(model, sequences)
    end["emission"] = flat(model.emissionprob_)
    return {"strings": ["".join("abc"[int(v)] for v in s[:, 0]) for s in sequences], "first": first, "end": end}


def series():
    sequences = [np.cumsum(rng.normal(size=(n, 2)), axis=0).round(3) for n in (15, 9, 22)]
    model = GaussianHMM(2, covariance_type="diag", n_iter=ITERATIONS, tol=-np.inf, init_params="", covars_prior=0, min_covar=0)
    model.startprob_, model.transmat_ = np.array([0.6, 0.4]), np.array([[0.7, 0.3], [0.2, 0.8]])
    model.means_, model.covars_ = np.array([[0.0, 0.0], [1.0, -1.0]]), np.array([[1.0, 2.0], [3.0, 1.0]])
    first = {
        "start": flat(model.startprob_), "transition": flat(model.transmat_), "means": flat(model.means_),
        "variances": [1.0, 2.0, 3.0, 1.0], "log_likelihoods": [float(model.score(s)) for s in sequences],
    }
    end = chain(model, sequences)
    end["means"] = flat(model.means_)
    end["variances"] = flat([np.diag(c) for c in model.covars_])
    return {"series": [s.tolist() for s in sequences], "first": first, "end": end}


path = Path(__file__).resolve().parents[2] / "crates/mercer/tests/fixtures/generative.json"
programs = {"python": platform.python_version(), **{n: version(n) for n in ("scikit-learn", "hmmlearn", "numpy")}}
content = {
    "script": "generative.py", "programs": programs, "iterations": ITERATIONS, "mixtures": list(mixtures()),
    "symbols": symbols(), "gaussian": series(),
}
path.write_text(json.dumps(content, separators=(",", ":")) + "\n")
print(path.stat().st_size)
