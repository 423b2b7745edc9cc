"""Partial least squares and spectral clustering, by scikit-learn and scipy: the fixture other_machines.json.

    python other_machines.py
"""

import numpy as np
from scipy.linalg import eigh
from sklearn.cluster import SpectralClustering
from sklearn.cross_decomposition import PLSRegression
from sklearn.metrics.pairwise import rbf_kernel

import fixture
from matrix_machines import miles, standardised


def pls(components, outputs):
    x, y = miles()
    targets = np.column_stack([y, 1000.0 / y])[:, :outputs]
    machine = PLSRegression(n_components=components, scale=False, tol=1e-14, max_iter=10_000).fit(x, targets)
    predicted = machine.predict(x).reshape(len(x), outputs)
    return {"components": components, "outputs": outputs, "predicted": fixture.digits(predicted[:20].ravel(), 10)}


def numbered(labels):
    """Clusters in the order of their first rows."""
    names = {}
    return [names.setdefault(label, len(names)) for label in labels]


def spectral():
    x, _ = standardised("wine.csv")
    gram = rbf_kernel(x, gamma=0.1)
    roots = np.sqrt(gram.sum(axis=1))
    values = eigh(gram / np.outer(roots, roots), eigvals_only=True)[::-1][:3]
    machine = SpectralClustering(3, affinity="precomputed", random_state=0, n_init=10).fit(gram)
    return {"values": fixture.digits(values, 12), "clusters": numbered(machine.labels_.tolist())}


if __name__ == "__main__":
    fixture.write("other_machines.json", {
        "script": "tools/reference/other_machines.py",
        "programs": fixture.programs("scikit-learn", "scipy", "numpy"),
        "pls": [pls(1, 1), pls(3, 1), pls(2, 2), pls(4, 2)],
        "spectral": spectral(),
    })
