"""Strings, trees, graphs, time series and records as the engine takes them."""

import numpy as np

from . import _mercer
from ._containers import items_of


def as_items(kernel, X):
    """The items that a kernel compares, whatever they come in."""
    X, kind = items_of(kernel, X), kernel.items
    if kind == "strings":
        return _strings(X, of_tokens="tokens(" in str(kernel))
    make = {"trees": _trees, "graphs": _graphs, "time series": _series}.get(kind)
    return make(X) if make is not None else _records(str(kernel), X)


def items_of_both(kernel, X, Y):
    """Two sets of items that are compared with each other."""
    X, Y = items_of(kernel, X), items_of(kernel, Y)
    if kernel.items == "strings" and len({isinstance(item, bytes) for items in (X, Y) for item in items}) > 1:
        raise TypeError(_MIXED)
    return as_items(kernel, X), as_items(kernel, Y)


def common_columns(kernels):
    """Refuses kernels on records that name different columns: records are made of those that a kernel names."""
    named = {str(kernel): _mercer.kernel_columns(str(kernel)) for kernel in kernels if kernel.items == "records"}
    for kernel, columns in named.items():
        first = next(iter(named))
        if columns != named[first]:
            raise ValueError(f"kernels on records that are compared name the same columns: {first} and {kernel} do not")


_MIXED = "bytes and str do not meet: a byte is a symbol of the one, a character of the other; decode the bytes"


def _strings(X, of_tokens=False):
    if len({isinstance(item, bytes) for item in X}) > 1:
        raise TypeError(_MIXED)
    return _mercer.Items.strings([_string(item, i, of_tokens) for i, item in enumerate(X)])


def _string(item, i, of_tokens):
    if isinstance(item, bytes):
        return item.decode("latin-1")
    if isinstance(item, (list, tuple, np.ndarray)):
        if not of_tokens:
            raise TypeError(f"item {i} is {type(item).__name__}, expected a string; Tokens(kernel) compares lists of tokens")
        return " ".join(_token(token, i) for token in item)
    if not isinstance(item, str):
        raise TypeError(f"item {i} is {type(item).__name__}, expected a string")
    return str(item)


def _token(token, i):
    """What a token is called; the engine cuts texts at white space."""
    if not isinstance(token, (str, int, float, np.integer, np.floating)):
        raise TypeError(f"item {i} has a token of type {type(token).__name__}, expected words or numbers")
    word = word_of(token)
    if word.split() != [word]:
        raise ValueError(f"item {i} has the token {word!r}: tokens are not empty and have no white space within")
    return word


def _trees(X):
    return _mercer.Items.trees([_tree(item, i) for i, item in enumerate(X)])


def _tree(item, i):
    if isinstance(item, str):
        return item
    # Trees of nltk print themselves in brackets.
    text = "" if type(item) in (list, tuple) else " ".join(str(item).split())
    if not text.startswith("("):
        raise TypeError(f"item {i} is {type(item).__name__}, expected a tree in brackets, or an object that prints as one")
    return text


def _series(X):
    def one(item, i):
        values = np.asarray(item, dtype=np.float64)
        if values.ndim == 1:
            values = values.reshape(-1, 1)
        if values.ndim != 2:
            raise ValueError(f"item {i} has {values.ndim} dimensions, expected times, or times and channels")
        return np.ascontiguousarray(values)

    return _mercer.Items.series([one(item, i) for i, item in enumerate(X)])


def _records(formula, X):
    columns = []
    for name, kind in _mercer.kernel_columns(formula):
        try:
            values = [row[name] for row in X] if isinstance(X, list) else X[name]
        except (KeyError, IndexError, TypeError):
            raise ValueError(f"the records have no column {name!r}, which the kernel names") from None
        if kind == "numbers":
            columns.append(np.asarray(values, dtype=np.float64).tolist())
        else:
            columns.append([_known_word(value, name, i) for i, value in enumerate(values)])
    return _mercer.Items.records(formula, columns, len(columns[0]))


def _known_word(value, name, i):
    """A word of a column; a missing value is none."""
    if value is None or type(value).__name__ in ("NAType", "NaTType") or (isinstance(value, (float, np.floating)) and np.isnan(value)):
        raise ValueError(f"record {i} has no value in column {name!r}")
    return word_of(value)


def word_of(value):
    """What a value is called; 1 and 1.0 are the same, as they are to Python."""
    if isinstance(value, (float, np.floating)) and float(value).is_integer():
        return str(int(value))
    return str(value)


def _graphs(X):
    return _mercer.Items.graphs(X, _graph)


def _graph(item, i):
    """The parts of a graph that is no plain pair: the engine reads (edges between places, labels in order) by itself."""
    if hasattr(item, "is_directed") and hasattr(item, "nodes"):
        return _of_networkx(item, i)
    if isinstance(item, (tuple, list)) and 1 <= len(item) <= 3:
        return _of_pair(i, *item)
    raise TypeError(
        f"item {i} is {type(item).__name__}, expected a graph of networkx or (edges, node labels[, edge labels])"
    )


def _of_networkx(graph, i):
    """Labels, weights and attributes are what networkx calls `label`, `weight` and `attributes`, where all nodes or edges have one."""
    places = {node: place for place, node in enumerate(graph.nodes)}
    edges = [(places[u], places[v]) for u, v in graph.edges()]
    of_nodes = [data for _, data in graph.nodes(data=True)]
    of_edges = [data for *_, data in graph.edges(data=True)]

    def all_have(name, found, what):
        missing = next((place for place, data in enumerate(found) if name not in data), None)
        if missing is None:
            return [data[name] for data in found] if found else None
        if any(name in data for data in found):
            raise ValueError(f"item {i}: {what} number {missing} has no {name}, and others have one")
        return None

    weights = all_have("weight", of_edges, "edge")
    return _parts(
        len(places),
        edges,
        graph.is_directed(),
        all_have("label", of_nodes, "node"),
        all_have("label", of_edges, "edge"),
        None if weights is None else [float(weight) for weight in weights],
        all_have("attributes", of_nodes, "node"),
    )


def _of_pair(i, edges, node_labels=None, edge_labels=None):
    """As GraKeL has it: edges as pairs, a dictionary of neighbours or of pairs, or a matrix; labels by node and by pair.

    Edges have no direction; one that stands there both ways counts once.
    """
    weights = {}
    names = list(node_labels) if isinstance(node_labels, dict) else []
    if hasattr(edges, "shape") or (isinstance(edges, (list, tuple)) and edges and isinstance(edges[0], (list, np.ndarray)) and
                                   len(edges) == len(edges[0]) and len(edges) != 2):
        matrix = np.asarray(edges, dtype=np.float64)
        if matrix.ndim != 2 or matrix.shape[0] != matrix.shape[1]:
            raise ValueError(f"an adjacency matrix is square, found the shape {matrix.shape}")
        names = names or list(range(len(matrix)))
        pairs = {(names[u], names[v]): float(matrix[u, v]) for u, v in zip(*np.nonzero(matrix))}
    elif isinstance(edges, dict):
        pairs = {}
        for key, value in edges.items():
            if isinstance(key, tuple):
                pairs[key] = float(value)
            elif isinstance(value, dict):
                names.append(key)
                pairs.update({(key, other): float(weight) for other, weight in value.items()})
            else:
                names.append(key)
                pairs.update({(key, other): 1.0 for other in value})
    else:
        pairs = {_ends(edge, place, i): 1.0 for place, edge in enumerate(edges)}
    if node_labels is not None and not isinstance(node_labels, dict):
        node_labels = dict(enumerate(node_labels))
        names.extend(node_labels)
    places = {}
    for name in [*names, *(end for pair in pairs for end in pair)]:
        places.setdefault(name, len(places))
    kept = {}
    for (u, v), weight in pairs.items():
        kept.setdefault((min(places[u], places[v]), max(places[u], places[v])), (u, v))
        weights.setdefault((min(places[u], places[v]), max(places[u], places[v])), weight)
    labels = attributes = None
    if node_labels:
        missing = next((name for name in places if name not in node_labels), None)
        if missing is not None:
            raise ValueError(f"node {missing!r} has no label, and others have one")
        labels = [node_labels[name] for name in places]
        # GraKeL puts attributes, vectors of numbers, where labels are.
        if all(isinstance(label, (list, tuple, np.ndarray)) for label in labels):
            labels, attributes = None, labels
    of_edges = None
    if edge_labels and kept:
        of_edges = [edge_labels.get(pair, edge_labels.get(pair[::-1])) for pair in kept.values()]
        if any(label is None for label in of_edges):
            raise ValueError("some edges have a label and some have none")
    values = [weights[pair] for pair in kept]
    weights = None if set(values) <= {1.0} else values
    return _parts(len(places), list(kept), False, labels, of_edges, weights, attributes)


def _ends(edge, place, i):
    """The two nodes of an edge."""
    if not isinstance(edge, (tuple, list, np.ndarray)) or len(edge) != 2:
        raise ValueError(f"item {i}: edge number {place} is {edge!r}, expected two nodes")
    return tuple(edge)


def _parts(nodes, edges, directed, node_labels, edge_labels, edge_weights, node_attributes=None):
    def plain(labels):
        if labels is None or all(type(label) in (int, str) for label in labels):
            return labels
        return [_label(label) for label in labels]

    if node_attributes is not None:
        rows = [np.atleast_1d(np.asarray(row, dtype=np.float64)) for row in node_attributes]
        lengths = sorted({row.shape for row in rows})
        if len(lengths) > 1 or len(lengths[0]) != 1:
            raise ValueError(f"all nodes have as many attributes, found arrays of the shapes {lengths}")
        node_attributes = np.concatenate(rows).tolist()
    return {
        "nodes": nodes,
        "edges": edges,
        "directed": directed,
        "node_labels": plain(node_labels),
        "edge_labels": plain(edge_labels),
        "edge_weights": edge_weights,
        "node_attributes": node_attributes,
    }


def _label(label):
    if isinstance(label, (bool, np.bool_)):
        return str(label)
    return int(label) if isinstance(label, (int, np.integer)) else word_of(label)
