"""Kernels on graphs."""

from ._algebra import _Named


class WeisfeilerLehman(_Named):
    """The Weisfeiler–Lehman subtree kernel: labels of nodes in common, after 0 to h rounds in which each takes in its neighbours'.

    Graphs are those of networkx (attributes `label` and `weight`), or pairs (edges, node labels) as GraKeL has them.

    Parameters
    ----------
    h : int, default=3
        The rounds h.
    edge_labels : bool, default=False
        Whether labels of edges count.
    weights : list of float, default=None
        The weights of the levels 0 to h.

    Examples
    --------
    >>> from mercer.kernels import WeisfeilerLehman
    >>> WeisfeilerLehman(h=1)([([(0, 1), (1, 2)], ["C", "C", "O"])])
    array([[8.]])
    """

    _name = "wl"
    _parameters = {"h": 3, "edge_labels": False, "weights": None}


class OptimalAssignment(_Named):
    """The Weisfeiler–Lehman optimal assignment kernel: nodes assigned to nodes by the rounds in which their labels agree.

    Parameters
    ----------
    h : int, default=3
        The rounds h.
    edge_labels : bool, default=False
        Whether labels of edges count.

    Examples
    --------
    >>> from mercer.kernels import OptimalAssignment
    >>> OptimalAssignment(h=1)([([(0, 1), (1, 2)], ["C", "C", "O"])])
    array([[6.]])
    """

    _name = "wl_assignment"
    _parameters = {"h": 3, "edge_labels": False}


class ShortestPath(_Named):
    """The shortest path kernel: pairs of nodes with the same labels and the same distance.

    Parameters
    ----------
    labels : bool, default=True
        Whether labels of nodes count.
    width : float, default=None
        The unit of lengths by weights of edges; None to count edges.

    Examples
    --------
    >>> from mercer.kernels import ShortestPath
    >>> ShortestPath()([([(0, 1), (1, 2)], ["C", "C", "O"])], [([(0, 1)], ["C", "O"])])
    array([[2.]])
    """

    _name = "shortest_path"
    _parameters = {"labels": True, "width": None}


class RandomWalk(_Named):
    """The geometric random walk kernel: walks of all lengths, whatever the labels.

    Parameters
    ----------
    decay : float, default=0.01
        What a step counts.

    Examples
    --------
    >>> from mercer.kernels import RandomWalk
    >>> RandomWalk(decay=0.1)([([(0, 1)], ["C", "O"])]).round(3)
    array([[4.444]])
    """

    _name = "random_walk"
    _parameters = {"decay": 0.01}


class LabelledRandomWalk(_Named):
    """Walks over the same labels.

    Parameters
    ----------
    decay : float, default=0.01
        What a step counts.
    edge_labels : bool, default=False
        Whether labels of edges must be the same too.

    Examples
    --------
    >>> from mercer.kernels import LabelledRandomWalk
    >>> LabelledRandomWalk(decay=0.25)([([(0, 1), (1, 2)], ["C", "C", "O"])], [([(0, 1)], ["C", "O"])]).round(3)
    array([[3.667]])
    """

    _name = "labelled_random_walk"
    _parameters = {"decay": 0.01, "edge_labels": False}


class Graphlets(_Named):
    """The graphlet kernel: induced subgraphs of k nodes in common.

    Parameters
    ----------
    k : {3, 4, 5}, default=3
        The number k of nodes.
    disconnected : bool, default=False
        Whether subgraphs that are not connected count.
    proportions : bool, default=False
        Whether shares are compared, not numbers.
    samples : int, default=None
        How many subgraphs are drawn; None to count all.
    seed : int, default=None
        The seed of the draws.

    Examples
    --------
    >>> from mercer.kernels import Graphlets
    >>> Graphlets(k=3)([([(0, 1), (1, 2), (2, 3), (3, 0)],)])
    array([[16.]])
    """

    _name = "graphlets"
    _parameters = {"k": 3, "disconnected": False, "proportions": False, "samples": None, "seed": None}


class VertexHistogram(_Named):
    """Labels of nodes in common.

    Examples
    --------
    >>> from mercer.kernels import VertexHistogram
    >>> VertexHistogram()([([(0, 1), (1, 2)], ["C", "C", "O"])])
    array([[5.]])
    """

    _name = "vertex_histogram"


class EdgeHistogram(_Named):
    """Labels of edges in common.

    Parameters
    ----------
    ends : bool, default=False
        Whether the labels of both ends count too.

    Examples
    --------
    >>> from mercer.kernels import EdgeHistogram
    >>> EdgeHistogram()([([(0, 1), (1, 2)], ["C", "C", "O"], {(0, 1): 1, (1, 2): 2})])
    array([[2.]])
    """

    _name = "edge_histogram"
    _parameters = {"ends": False}


class Propagation(_Named):
    """The propagation kernel: bins that labels, diffused over the edges, fall into.

    Parameters
    ----------
    h : int, default=3
        The rounds h.
    width : float, default=1e-05
        The width of a bin.
    preserved : {"total_variation", "hellinger", "manhattan", "euclidean"}, default="total_variation"
        The distance that bins preserve; the last two are of attributes.
    seed : int, default=0
        The seed of directions and shifts.

    Examples
    --------
    >>> from mercer.kernels import Propagation
    >>> Propagation(h=0)([([(0, 1), (1, 2)], ["C", "C", "O"])])
    array([[5.]])
    """

    _name = "propagation"
    _parameters = {"h": 3, "width": 1e-05, "preserved": "total_variation", "seed": 0}
