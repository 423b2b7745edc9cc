"""Kernels on strings, texts, trees, graphs, time series and records."""

from . import _mercer
from .kernels import Kernel, _in_quotes, _kernel, _Named


class Spectrum(_Named):
    """The spectrum kernel: substrings of k symbols in common.

    Parameters
    ----------
    k : int, default=3
        The length k of the substrings, at least 1.

    Examples
    --------
    >>> from mercer.kernels import Spectrum
    >>> Spectrum(k=2)(["banana"], ["ananas", "b"])
    array([[8., 0.]])
    """

    _name = "spectrum"
    _parameters = {"k": 3}


class Blended(_Named):
    """The blended spectrum kernel: substrings of 1 to k symbols in common.

    Those of d symbols count with a weight: decay to the power of 2d, or one of `weights`.

    Parameters
    ----------
    k : int, default=3
        The longest length k, at least 1.
    decay : float, default=None
        The decay, above 0; None for weights of 1.
    weights : list of float, default=None
        The weights of the lengths from 1, in place of `k` and `decay`.

    Examples
    --------
    >>> from mercer.kernels import Blended
    >>> Blended(k=2)(["banana"], ["ananas"])
    array([[21.]])
    """

    _name = "blended"
    _parameters = {"k": 3, "decay": None, "weights": None}


class Mismatch(_Named):
    """The mismatch kernel: substrings of k symbols in common, of which up to m may be wrong.

    Parameters
    ----------
    k : int, default=4
        The length k of the substrings.
    m : int, default=1
        The number m of wrong symbols, below k.
    alphabet : str, default=None
        The symbols that there are; None for those of the training strings.

    Examples
    --------
    >>> from mercer.kernels import Mismatch
    >>> Mismatch(k=2, m=1, alphabet="ab")(["aa"], ["aa", "bb"])
    array([[3., 2.]])
    """

    _name = "mismatch"
    _parameters = {"k": 4, "m": 1, "alphabet": None}
    _quoted = ("alphabet",)


class Gappy(_Named):
    """The gappy kernel: subsequences of k symbols within a window, which count less the more they are spread.

    Parameters
    ----------
    k : int, default=3
        The length k of the subsequences.
    span : int, default=None
        The symbols that they are spread over at most; None for k + 2.
    decay : float, default=0.5
        What a symbol of the spread counts.

    Examples
    --------
    >>> from mercer.kernels import Gappy
    >>> Gappy(k=2, span=3, decay=0.5)(["cat"], ["cat", "car"])
    array([[0.140625, 0.0625  ]])
    """

    _name = "gappy"
    _parameters = {"k": 3, "span": None, "decay": 0.5}


class Subsequence(_Named):
    """The string subsequence kernel: subsequences of k symbols in common, which count less the more they are spread.

    Parameters
    ----------
    k : int, default=3
        The length k of the subsequences.
    decay : float, default=0.5
        What a symbol of the spread counts.

    Examples
    --------
    >>> from mercer.kernels import Subsequence
    >>> Subsequence(k=2, decay=0.5)(["cat"], ["cat", "car"])
    array([[0.140625, 0.0625  ]])
    """

    _name = "subsequence"
    _parameters = {"k": 3, "decay": 0.5}


class FixedSubsequences(_Named):
    """Subsequences of k symbols in common, whatever their gaps.

    Parameters
    ----------
    k : int, default=3
        The length k of the subsequences.

    Examples
    --------
    >>> from mercer.kernels import FixedSubsequences
    >>> FixedSubsequences(k=2)(["cat"], ["cat", "car"])
    array([[3., 1.]])
    """

    _name = "fixed_subsequences"
    _parameters = {"k": 3}


class AllSubsequences(_Named):
    """Subsequences of all lengths in common.

    Parameters
    ----------
    decay : float, default=1.0
        What a symbol of a subsequence counts in either string.

    Examples
    --------
    >>> from mercer.kernels import AllSubsequences
    >>> AllSubsequences()(["cat"], ["cat", "car"])
    array([[8., 4.]])
    """

    _name = "all_subsequences"
    _parameters = {"decay": 1.0}


class WeightedDegree(_Named):
    """The weighted degree kernel: substrings of 1 to D symbols at the same places.

    Parameters
    ----------
    degree : int, default=4
        The longest length D.
    shift : int, default=0
        By how many places substrings may be apart.
    weights : list of float, default=None
        The weights of the lengths from 1, in place of `degree`.

    Examples
    --------
    >>> from mercer.kernels import WeightedDegree
    >>> WeightedDegree(degree=2)(["gattaca"], ["gattaca", "gactaca"])
    array([[6.66666667, 5.33333333]])
    """

    _name = "weighted_degree"
    _parameters = {"degree": 4, "shift": 0, "weights": None}


class LocalityImproved(_Named):
    """The locality-improved kernel: agreement of neighbouring places, to a power, summed and to another power.

    Parameters
    ----------
    reach : int, default=3
        How far a window reaches to either side.
    local_degree : int, default=4
        The power of the agreement in a window.
    degree : int, default=1
        The power of the sum.

    Examples
    --------
    >>> from mercer.kernels import LocalityImproved
    >>> LocalityImproved(reach=1, local_degree=2)(["gattaca"], ["gattaca"])
    array([[5.]])
    """

    _name = "locality_improved"
    _parameters = {"reach": 3, "local_degree": 4, "degree": 1}


class LocalAlignment(_Named):
    """The local alignment kernel: all local alignments of two strings, by their scores.

    Parameters
    ----------
    table : {"blosum62", "blosum50", "pam250"}, default="blosum62"
        The scores of symbols.
    letters : str, default=None
        The symbols of a table of your own, in place of `table`.
    scores : list of float, default=None
        Its scores, row after row.
    equal : float, default=None
        Without `scores`: the score of equal symbols.
    other : float, default=None
        Without `scores`: the score of all others.
    open : float, default=11.0
        What the first symbol of a gap costs.
    extend : float, default=1.0
        What each further symbol costs.
    beta : float, default=0.5
        How much more the best alignments count.
    exponential : bool, default=False
        Whether the value is the sum over alignments at unit length, not its logarithm.

    Examples
    --------
    >>> from mercer.kernels import LocalAlignment
    >>> LocalAlignment(letters="ACGT", equal=2, other=-1, open=3, beta=40)(["TACG"], ["ACGC"])
    array([[6.]])
    """

    _name = "local_alignment"
    _parameters = {"table": "blosum62", "letters": None, "scores": None, "equal": None, "other": None, "open": 11.0, "extend": 1.0, "beta": 0.5, "exponential": False}
    _quoted = ("letters",)


class BagOfWords(_Named):
    """The bag of words: words, or n-grams of words or characters, that two texts have in common.

    Parameters
    ----------
    tfidf : bool, default=False
        Whether rare terms weigh more, as in scikit-learn's `TfidfVectorizer` (normalise it for the same values).
    n : int, default=1
        The longest n-grams.
    shortest : int, default=1
        The shortest n-grams.
    unit : {"words", "characters"}, default="words"
        What n-grams are made of.
    presence : bool, default=None
        Without `tfidf`: whether a term counts once in a text; None for False.
    sublinear : bool, default=None
        With `tfidf`: whether a term that stands c times counts 1 + ln c; None for False.
    smooth : bool, default=None
        With `tfidf`: whether a text that has every term is added to those that are learned from; None for True.
    keep_case : bool, default=False
        Whether capitals stay as they are.
    shortest_word : int, default=2
        The fewest characters of a word.

    Examples
    --------
    >>> from mercer.kernels import BagOfWords
    >>> BagOfWords()(["the kernel of the matter"], ["the kernel trick"])
    array([[3.]])
    """

    _name = "bag_of_words"
    _parameters = {"tfidf": False, "n": 1, "shortest": 1, "unit": "words", "presence": None, "sublinear": None, "smooth": None, "keep_case": False, "shortest_word": 2}


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


class GlobalAlignment(_Named):
    """The global alignment kernel: all alignments of two time series.

    A series is an array of times, or of times and channels; the lengths may differ.

    Parameters
    ----------
    sigma : float or "median", default="median"
        The width σ; "median" for the median distance times the root of the median length.
    median : float, default=None
        A multiple of the median, in place of `sigma`.
    band : float, default=None
        The band within which times are aligned.
    unit : bool, default=True
        Whether values are at unit length.

    Examples
    --------
    >>> from mercer.kernels import GlobalAlignment
    >>> GlobalAlignment(sigma=1.0)([[0.0, 1.0]], [[0.0, 1.0], [5.0, 9.0, 7.0]]).round(3)
    array([[1., 0.]])
    """

    _name = "global_alignment"
    _parameters = {"sigma": "median", "median": None, "band": None, "unit": True}


class DynamicTimeWarping(_Named):
    """The kernel exp(−γ DTW²) of dynamic time warping; not positive semi-definite.

    Parameters
    ----------
    gamma : float or "median", default="median"
        The factor γ; "median" for 1/(2m²) with m the median distance.
    median : float, default=None
        A multiple of the median, in place of `gamma`.
    radius : int, default=None
        The radius of the band.

    Examples
    --------
    >>> from mercer.kernels import DynamicTimeWarping
    >>> DynamicTimeWarping(gamma=0.5)([[0.0, 1.0]], [[0.0, 0.0, 1.0], [0.0, 2.0]]).round(3)
    array([[1.   , 0.607]])
    """

    _name = "dtw"
    _parameters = {"gamma": "median", "median": None, "radius": None}


class Autocorrelation(_Named):
    """Correlations at lags 0 to `lags`, compared by their inner product, or by a Gaussian.

    Parameters
    ----------
    lags : int, default=10
        The largest lag.
    sigma : float or "median", default=None
        The width of a Gaussian; None for the inner product.
    median : float, default=None
        A multiple of the median, in place of `sigma`.

    Examples
    --------
    >>> from mercer.kernels import Autocorrelation
    >>> Autocorrelation(lags=1)([[0.0, 1.0, 0.0, 1.0]]).round(3)
    array([[1.562]])
    """

    _name = "autocorrelation"
    _parameters = {"lags": 10, "sigma": None, "median": None}


class Column(Kernel):
    """A kernel on one column of records: numbers by a kernel on rows, words by equality, texts by a kernel on strings.

    Records are a frame of pandas, a dictionary of columns, or a list of dictionaries.

    Parameters
    ----------
    name : str
        The name of the column.
    kernel : Kernel or "equality"
        How its values are compared. For texts one that lists its features, such as `BagOfWords` or `Spectrum`, normalised or
        not.

    Examples
    --------
    >>> from mercer.kernels import Column, Linear
    >>> kernel = Column("age", Linear()) * Column("job", "equality")
    >>> kernel({"age": [2.0, 3.0], "job": ["baker", "smith"]})
    array([[4., 0.],
           [0., 9.]])
    """

    def __init__(self, name, kernel):
        self._column = str(name)
        self._kernel = kernel if isinstance(kernel, str) and kernel == "equality" else _kernel(kernel)
        if self._kernel is NotImplemented:
            raise TypeError(f"Column takes a kernel or 'equality', not {kernel!r}")
        _mercer.check_kernel(self._formula())

    def __repr__(self):
        return f"Column({self._column!r}, {self._kernel!r})"

    def _formula(self):
        inner = self._kernel if isinstance(self._kernel, str) else self._kernel._formula()
        return f"column({_in_quotes(self._column)}, {inner})"
