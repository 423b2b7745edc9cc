"""Kernels on trees."""

from ._algebra import _Named


class Subtree(_Named):
    """Whole subtrees in common.

    Trees are strings in brackets, `(S (NP it) (VP works))`, or trees of nltk.

    Parameters
    ----------
    decay : float, default=1.0
        What a node counts, above 0 and at most 1.
    least : int, default=1
        The nodes from which subtrees count.

    Examples
    --------
    >>> from mercer.kernels import Subtree
    >>> Subtree()(["(S (NP it) (VP works))"], ["(S (NP it) (VP rains))"])
    array([[2.]])
    """

    _name = "subtree"
    _parameters = {"decay": 1.0, "least": 1}


class SubsetTree(_Named):
    """The subset tree kernel: parts of trees whose nodes keep all children or none.

    Parameters
    ----------
    decay : float, default=0.4
        What a node with children counts, above 0 and at most 1.

    Examples
    --------
    >>> from mercer.kernels import SubsetTree
    >>> SubsetTree(decay=1.0)(["(S (NP it) (VP works))"], ["(S (NP it) (VP rains))"])
    array([[3.]])
    """

    _name = "subset_tree"
    _parameters = {"decay": 0.4}


class PartialTree(_Named):
    """The partial tree kernel: parts of trees whose nodes keep any children.

    Parameters
    ----------
    decay : float, default=0.4
        The decay of widths and gaps.
    depth_decay : float, default=0.4
        The decay of nodes.

    Examples
    --------
    >>> from mercer.kernels import PartialTree
    >>> PartialTree(decay=1.0, depth_decay=1.0)(["(A b c)"], ["(A b)"])
    array([[3.]])
    """

    _name = "partial_tree"
    _parameters = {"decay": 0.4, "depth_decay": 0.4}
