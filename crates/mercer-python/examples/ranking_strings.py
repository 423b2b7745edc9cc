"""Ranks strings: sequences that begin a gene should come before those that do not (in Rust: `ranking_strings.rs`).

    python crates/mercer-python/examples/ranking_strings.py
"""

import csv
from pathlib import Path

import numpy as np
from sklearn.metrics import average_precision_score, ndcg_score

from mercer import RankSVM
from mercer.kernels import Normalise, Spectrum

with open(Path(__file__).parents[3] / "data" / "promoters.csv", newline="") as file:
    rows = list(csv.reader(file))[1:]
strings = [row[0] for row in rows]
relevance = np.array([float(row[1] == "+") for row in rows])

# Every other sequence is held out.
model = RankSVM(C=1.0, kernel=Normalise(Spectrum(k=4))).fit(strings[::2], relevance[::2])
print(f"{model.n_pairs_} pairs, {model.n_swapped_} in the wrong order")
scores, hidden = model.predict(strings[1::2]), relevance[1::2]
precision, gain = average_precision_score(hidden, scores), ndcg_score([hidden], [scores], k=10)
print(f"held-out sequences: average precision {precision:.3f}, NDCG@10 {gain:.3f}")
print("the first five:", np.argsort(-scores, kind="stable")[:5].tolist())
