"""Kernels on sets and images."""

import inspect

from ._algebra import _kernel, _Named


class Multiset(_Named):
    """Terms that two texts have in common, each as often as both have it.

    Parameters
    ----------
    n : int, default=1
        The longest n-grams.
    shortest : int, default=1
        The shortest n-grams.
    unit : {"words", "characters"}, default="words"
        What n-grams are made of.
    keep_case : bool, default=False
        Whether capitals stay as they are.
    shortest_word : int, default=2
        The fewest characters of a word.

    Examples
    --------
    >>> from mercer.kernels import Multiset
    >>> Multiset()(["milk bread milk"], ["milk milk milk salt"])
    array([[2.]])
    """

    _name = "multiset"
    _parameters = {"n": 1, "shortest": 1, "unit": "words", "keep_case": False, "shortest_word": 2}


class _OfRows(_Named):
    """A kernel on sets of rows or on images that compares rows of numbers by another kernel."""

    def __init_subclass__(cls, **others):
        super().__init_subclass__(**others)
        first = inspect.Parameter("kernel", inspect.Parameter.POSITIONAL_OR_KEYWORD)
        cls.__signature__ = inspect.Signature([first, *cls.__signature__.parameters.values()])

    def __init__(self, kernel, **parameters):
        self._kernel = _kernel(kernel)
        if self._kernel is NotImplemented:
            raise TypeError(f"{type(self).__name__} takes a kernel on rows, not {type(kernel).__name__}")
        super().__init__(**parameters)

    def __repr__(self):
        name, given = super().__repr__().split("(", 1)
        return f"{name}({self._kernel!r}{'' if given == ')' else ', '}{given}"

    def _own_params(self):
        return {"kernel": self._kernel, **super()._own_params()}

    def _kept_params(self):
        return {"kernel": self._kernel, **super()._kept_params()}

    def _formula(self):
        name, _, given = super()._formula().partition("(")
        return f"{name}({self._kernel._formula()}{', ' if given else ''}{given or ')'}"


class SetSum(_OfRows):
    """The set kernel: the sum, or the mean, of a kernel over all pairs of rows of two sets.

    A set is an array of rows, given as a time series is; the order of the rows does not matter.

    Parameters
    ----------
    kernel : Kernel or float
        The kernel on rows.
    mean : bool, default=False
        Whether it is the mean, so that large sets count no more than small ones.

    Examples
    --------
    >>> from mercer.kernels import Linear, SetSum
    >>> SetSum(Linear())([[[1.0], [2.0]]], [[[3.0], [4.0]]])
    array([[21.]])
    """

    _name = "set_sum"
    _parameters = {"mean": False}


class BestMatch(_OfRows):
    """The matching kernel: how well each row of a set is matched by the best row of the other, on average.

    It is not positive semi-definite in general. A set is an array of rows, given as a time series is.

    Parameters
    ----------
    kernel : Kernel or float
        The kernel on rows.

    Examples
    --------
    >>> from mercer.kernels import BestMatch, Gaussian
    >>> BestMatch(Gaussian(gamma=1.0))([[[0.0], [9.0]]], [[[9.0], [0.0], [9.0]]])
    array([[1.]])
    """

    _name = "best_match"


class Jittered(_OfRows):
    """The jittered kernel on images: one of two is shifted, turned or zoomed until it is as close to the other as it gets.

    It is not positive semi-definite in general. An image is an array of lines and columns; all must be of one size.

    Parameters
    ----------
    kernel : Kernel or float
        The kernel on rows of pixels.
    width : int, default=None
        The pixels of a line, where images come as one row of pixels.
    shifts : int, default=0
        By how many pixels images are moved at most, in either direction.
    rotations : list of float, default=None
        The angles by which they are turned, in degrees anticlockwise.
    zooms : list of float, default=None
        The factors by which they are enlarged.
    background : float, default=0.0
        What is seen outside of an image.

    Examples
    --------
    >>> from mercer.kernels import Jittered, Linear
    >>> Jittered(Linear(), shifts=1)([[[0.0, 0.0], [2.0, 1.0]]], [[[2.0, 1.0], [0.0, 0.0]]])
    array([[5.]])
    """

    _name = "jittered"
    _parameters = {"width": None, "shifts": 0, "rotations": None, "zooms": None, "background": 0.0}
