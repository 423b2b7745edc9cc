"""Kernels on strings and texts."""

from ._algebra import _Named, _Wrapped
from ._docs import documented


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


@documented
class Tokens(_Wrapped):
    """A kernel on strings whose symbols are tokens: words and numbers instead of characters.

    An item is a list of tokens, which are words without white space or numbers, or a text that is cut at white space. For `Spectrum`,
    `Blended`, `Gappy`, `Subsequence`, `FixedSubsequences`, `AllSubsequences`, `WeightedDegree` and `LocalityImproved`, and sums
    and products of them.

    Examples
    --------
    >>> from mercer.kernels import Spectrum, Tokens
    >>> Tokens(Spectrum(k=2))([["the", "cat", "the"], "the cat"])
    array([[2., 1.],
           [1., 1.]])
    """

    _name = "tokens"
