"""Clusters graphs that nobody has named: rings, stars and ladders of different sizes (in Rust: `clustering_graphs.rs`).

    python crates/mercer-python/examples/clustering_graphs.py
"""

from mercer import KernelKMeans, SpectralClustering
from mercer.kernels import Normalise, WeisfeilerLehman


def ring(n):
    # All nodes have the same label: shapes are what is left.
    return [(i, (i + 1) % n) for i in range(n)], ["o"] * n


def star(n):
    return [(0, i) for i in range(1, n)], ["o"] * n


def ladder(n):
    rungs = [(2 * i, 2 * i + 1) for i in range(n)]
    return rungs + [(2 * i - 2 + side, 2 * i + side) for i in range(1, n) for side in (0, 1)], ["o"] * (2 * n)


graphs = [make(size) for size in range(5, 13) for make in (ring, star, ladder)]
kernel = Normalise(WeisfeilerLehman(h=2))
means = KernelKMeans(3, kernel=kernel, random_state=0).fit(graphs)
print("k-means: ", means.labels_.tolist())
print("spectral:", SpectralClustering(3, affinity=kernel, random_state=0).fit(graphs).labels_.tolist())
# Graphs that were not there find their place.
print("larger ones:", means.predict([ring(40), star(40), ladder(40)]).tolist())
