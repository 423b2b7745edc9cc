"""Gram matrices of GraKeL, for crates/mercer/tests/fixtures/graphs.json.

Made with the versions that the fixture names:

    python -m venv venv && venv/bin/pip install grakel==0.1.11 numpy==2.4.6 scipy==1.17.1 scikit-learn==1.9.1
    MERCER_DATA=/path/to/data venv/bin/python tools/reference/graphs.py

There are two sets: graphs made here, which the fixture holds, and some of MUTAG, of which the fixture holds the numbers (from
0) and the test reads the graphs below MERCER_DATA. What differs from GraKeL by definition:

- Its edge histogram counts an edge without direction once for each of its two directions.
- Its labelled random walk also counts the walks of length 0 of all pairs of nodes whose labels differ.
- Its graphlet kernel misses some connected sets of nodes (its enumeration, ConSubg) and counts one too many of a graphlet
  that an earlier graph had: here GraKeL only tells which subgraphs are isomorphic.
- Its propagation kernel draws its directions and shifts from numpy; it is given those of Mercer, whose recipe (MurmurHash3 of
  the seed, the label and the round) is written down again below.
"""

import math
import os
from collections import Counter, defaultdict
from pathlib import Path

import numpy as np
from grakel import kernels as gk
from grakel.kernels._isomorphism import Graph as bGraph

import fixture

CHOSEN = list(range(0, 188, 7))
# The inverse of a matrix per pair of graphs takes its time.
FEW = 10
FOLDER = Path(os.environ["MERCER_DATA"]) / "graphs_MUTAG"
MASK = (1 << 64) - 1


def column(part):
    return (FOLDER / f"MUTAG_{part}.txt").read_text().split("\n")[:-1]


def mutag():
    """Edges, labels of nodes and labels of edges of every graph."""
    graph_of = {i: int(g) for i, g in enumerate(column("graph_indicator"), 1)}
    edges, edge_labels, nodes = defaultdict(set), defaultdict(dict), defaultdict(dict)
    for node, label in enumerate(column("node_labels"), 1):
        nodes[graph_of[node]][node] = int(label)
    for line, label in zip(column("A"), column("edge_labels"), strict=True):
        edge = tuple(int(end) for end in line.split(","))
        edges[graph_of[edge[0]]].add(edge)
        edge_labels[graph_of[edge[0]]][edge] = int(label)
    return [(edges[g], nodes[g], edge_labels[g]) for g in sorted(nodes)]


def rotated(x, r):
    return ((x << r) | (x >> (64 - r))) & MASK


class Hash:
    """MurmurHash3, 128 bits, block by block."""

    def __init__(self, seed):
        self.h1 = self.h2 = seed
        self.length = 0

    def block(self, k1, k2):
        c1, c2 = 0x87C37B91114253D5, 0x4CF5AD432745937F
        h = Hash(0)
        h.h1 = self.h1 ^ (rotated(k1 * c1 & MASK, 31) * c2 & MASK)
        h.h1 = ((rotated(h.h1, 27) + self.h2) * 5 + 0x52DCE729) & MASK
        h.h2 = self.h2 ^ (rotated(k2 * c2 & MASK, 33) * c1 & MASK)
        h.h2 = ((rotated(h.h2, 31) + h.h1) * 5 + 0x38495AB5) & MASK
        h.length = self.length + 16
        return h

    def uniform(self):
        def mixed(k):
            k = (k ^ (k >> 33)) * 0xFF51AFD7ED558CCD & MASK
            k = (k ^ (k >> 33)) * 0xC4CEB9FE1A85EC53 & MASK
            return k ^ (k >> 33)

        h1, h2 = self.h1 ^ self.length, self.h2 ^ self.length
        h1 = (h1 + h2) & MASK
        h2 = (h2 + h1) & MASK
        h1, h2 = mixed(h1), mixed(h2)
        return (((h1 + h2) & MASK) >> 12) / 2**52 + 0.5 / 2**52


class Draws(np.random.RandomState):
    """Stands in for numpy's generator: directions and shifts of Mercer's propagation kernel, in GraKeL's order."""

    def __init__(self, seed, labels, cauchy):
        super().__init__(0)
        self.seed, self.labels, self.cauchy = seed, labels, cauchy
        self.round, self.second = 0, False

    def randn(self, count):
        assert count == len(self.labels)
        if self.second:
            self.second = False
            return np.ones(count)
        self.second = self.cauchy
        return np.array([self.direction(label) for label in self.labels])

    def direction(self, label):
        def draw(part):
            return Hash(self.seed).block(1, label).block(self.round, part).uniform()

        if self.cauchy:
            return math.tan(math.pi * (draw(0) - 0.5))
        return math.sqrt(-2.0 * math.log(draw(0))) * math.cos(2.0 * math.pi * draw(1))

    def rand(self):
        shift = Hash(self.seed).block(4, self.round).uniform()
        self.round += 1
        return shift


def propagation(graphs, seed, distance, width, iterations):
    labels = {label for _, nodes, _ in graphs for label in nodes.values()}
    # GraKeL numbers labels in the order of this set.
    draws = Draws(seed, list(labels), distance == "TV")
    kernel = gk.Propagation(random_state=draws, M=distance, w=width, t_max=iterations + 1)
    return kernel.fit_transform(graphs)


def connected_sets(edges, nodes, size):
    """All connected sets of so many nodes."""
    around = {v: {b for a, b in edges if a == v} for v in nodes}
    sets = {frozenset([v]) for v in nodes}
    for _ in range(size - 1):
        sets = {s | {w} for s in sets for v in s for w in around[v] - s}
    return sets


def graphlets(graphs, size):
    classes, counts = [], []
    for edges, nodes, _ in graphs:
        counter = Counter()
        for found in connected_sets(edges, nodes, size):
            place = {v: i for i, v in enumerate(found)}
            found = bGraph(size, [(place[u], place[v]) for u, v in edges if u in found and v in found])
            for number, known in enumerate(classes):
                if known.isomorphic(found):
                    break
            else:
                number = len(classes)
                classes.append(found)
            counter[number] += 1
        counts.append(counter)
    phi = np.array([[counter[c] for c in range(len(classes))] for counter in counts])
    return phi @ phi.T


def lower(matrix):
    """Row i holds k(i, 0), …, k(i, i)."""
    assert np.allclose(matrix, np.transpose(matrix), rtol=1e-9)
    rows = np.asarray(matrix, float).tolist()
    return [[int(v) if v == int(v) else v for v in row[: i + 1]] for i, row in enumerate(rows)]


def made(count):
    """Connected graphs of 2 to 10 nodes with few cycles, three labels of nodes and two of edges."""
    rng = np.random.default_rng(1)
    graphs = []
    for _ in range(count):
        n = int(rng.integers(2, 11))
        edges = {(int(rng.integers(0, v)), v) for v in range(1, n)}
        for _ in range(int(rng.integers(0, 4))):
            u, v = sorted(int(end) for end in rng.integers(0, n, 2))
            if u != v:
                edges.add((u, v))
        labels = {edge: int(rng.integers(0, 2)) for edge in sorted(edges)}
        labels.update({(v, u): label for (u, v), label in labels.items()})
        graphs.append((set(labels), {v: int(rng.integers(0, 3)) for v in range(n)}, labels))
    return graphs


def cases(graphs):
    few = graphs[:FEW]
    inverse = {"lamda": 0.05, "method_type": "baseline", "kernel_type": "geometric"}
    values = {
        "vertex_histogram": gk.VertexHistogram().fit_transform(graphs),
        "edge_histogram": gk.EdgeHistogram().fit_transform(graphs),
        "weisfeiler_lehman_1": gk.WeisfeilerLehman(n_iter=1).fit_transform(graphs),
        "weisfeiler_lehman_3": gk.WeisfeilerLehman(n_iter=3).fit_transform(graphs),
        "optimal_assignment_3": gk.WeisfeilerLehmanOptimalAssignment(n_iter=3).fit_transform(graphs),
        "shortest_path": gk.ShortestPath().fit_transform(graphs),
        "shortest_path_unlabelled": gk.ShortestPath(with_labels=False).fit_transform(graphs),
        "random_walk": gk.RandomWalk(**inverse).fit_transform(few),
        "labelled_random_walk": gk.RandomWalkLabeled(**inverse).fit_transform(few),
        "graphlets_3": graphlets(graphs, 3),
        "graphlets_4": graphlets(graphs, 4),
        "graphlets_5": graphlets(graphs, 5),
        "propagation_total_variation": propagation(graphs, 5, "TV", 0.01, 3),
        "propagation_hellinger": propagation(graphs, 5, "H", 0.01, 3),
    }
    return [{"kernel": name, "values": lower(gram)} for name, gram in values.items()]


def main():
    everything = mutag()
    some = made(16)
    fixture.write("graphs.json", {
        "script": "tools/reference/graphs.py",
        "programs": fixture.programs("grakel", "numpy", "scipy", "scikit-learn"),
        "note": "row i holds k(i, j) for j <= i; random walks with a decay of 0.05; propagation with 3 rounds, width 0.01, seed 5",
        "made": [
            {
                "labels": [nodes[v] for v in range(len(nodes))],
                "edges": [[u, v, labels[u, v]] for u, v in sorted(edges) if u < v],
            }
            for edges, nodes, labels in some
        ],
        "made_cases": cases(some),
        "mutag": CHOSEN,
        "mutag_cases": cases([everything[i] for i in CHOSEN]),
    })


if __name__ == "__main__":
    main()
