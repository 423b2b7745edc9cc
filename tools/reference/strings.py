r"""Gram matrices of strings and texts by scikit-learn's vectorisers and kernlab's stringdot: the fixture strings.json.

    python strings.py

Needs Rscript with kernlab beside the Python packages. kernlab ends every string with a symbol of its own, so its values
are those of the strings with "\n" added; `exponential` weights substrings of d symbols by lambda^-d, all lengths there are.
"""

import json
import subprocess

import numpy as np
from sklearn.feature_extraction.text import CountVectorizer, TfidfVectorizer

import fixture

STRINGS = ["banana", "ananas", "gattaca", "kernel", "kernels", "margin", "aaaaaaaa", "nab", "tacataca"]

TEXTS = [
    "The kernel of the matter is the margin.",
    "A margin, a kernel, and the slack of the margin!",
    "naïve Bayes  is\nno kernel; Über-kernels are: über alles",
    "x_1 and x_2, 3 times 42: snake_case words",
    "",
    "the the the the",
]
NEW = ["the margin of an unknown word", "Kernels   und  Ränder", "slack"]

VECTORISERS = [
    {"kind": "count", "analyzer": "word", "ngram_range": [1, 1]},
    {"kind": "count", "analyzer": "word", "ngram_range": [1, 3]},
    {"kind": "count", "analyzer": "word", "ngram_range": [2, 2], "lowercase": False, "binary": True},
    {"kind": "count", "analyzer": "char", "ngram_range": [3, 3]},
    {"kind": "count", "analyzer": "char", "ngram_range": [1, 4], "lowercase": False},
    {"kind": "tfidf", "analyzer": "word", "ngram_range": [1, 1]},
    {"kind": "tfidf", "analyzer": "word", "ngram_range": [1, 2], "sublinear_tf": True},
    {"kind": "tfidf", "analyzer": "char", "ngram_range": [2, 3], "smooth_idf": False},
    {"kind": "tfidf", "analyzer": "word", "ngram_range": [1, 1], "norm": None},
]

KERNLAB = [("spectrum", 2, 0.5), ("spectrum", 3, 0.5), ("boundrange", 3, 0.5), ("exponential", 3, 0.5)]


def vectorised(options):
    options = dict(options)
    kind = options.pop("kind")
    options["ngram_range"] = tuple(options["ngram_range"])
    maker = {"count": CountVectorizer, "tfidf": TfidfVectorizer}[kind](**options, dtype=np.float64)
    train = maker.fit_transform(TEXTS)
    new = maker.transform(NEW)
    return {"train": (train @ train.T).toarray().tolist(), "new": (train @ new.T).toarray().tolist()}


def kernlab(kind, length, decay):
    words = ",".join(json.dumps(word) for word in STRINGS)
    script = f"""
        suppressMessages(library(kernlab))
        kernel <- stringdot(type="{kind}", length={length}, lambda={decay}, normalized=FALSE)
        values <- as.matrix(kernelMatrix(kernel, list({words})))
        cat(sprintf("%.17g", t(values)))
    """
    answer = subprocess.run(["Rscript", "-e", script], check=True, capture_output=True, text=True).stdout
    return np.array(answer.split(), float).reshape(len(STRINGS), -1).tolist()


def kernlab_version():
    script = 'cat(as.character(packageVersion("kernlab")))'
    return subprocess.run(["Rscript", "-e", script], check=True, capture_output=True, text=True).stdout


fixture.write(
    "strings.json",
    {
        "programs": {**fixture.programs("numpy", "scikit-learn"), "kernlab": kernlab_version()},
        "texts": TEXTS,
        "new": NEW,
        "vectorisers": [{"options": options, **vectorised(options)} for options in VECTORISERS],
        "strings": STRINGS,
        "kernlab": [
            {"kind": kind, "length": length, "decay": decay, "values": kernlab(kind, length, decay)}
            for kind, length, decay in KERNLAB
        ],
    },
)
