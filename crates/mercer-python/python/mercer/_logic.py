"""Kernels on logic, which is written as strings."""

from ._algebra import _Named


class Conjunctions(_Named):
    """Conjunctions of literals that are true in both of two assignments.

    An assignment is a string of 0 and 1, one character for each variable.

    Parameters
    ----------
    monotone : bool, default=False
        Whether there are no negations.
    variables : int, default=None
        The number of variables; None for that of the training strings.
    size : int, default=None
        The most literals of a conjunction; None for any number.

    Examples
    --------
    >>> from mercer.kernels import Conjunctions
    >>> Conjunctions()(["1100"], ["1000", "0011"])
    array([[8., 1.]])
    """

    _name = "conjunctions"
    _parameters = {"monotone": False, "variables": None, "size": None}


class Dnf(_Named):
    """Terms of disjunctive normal forms that are true in both of two assignments.

    An assignment is a string of 0 and 1, one character for each variable.

    Parameters
    ----------
    monotone : bool, default=False
        Whether there are no negations.
    variables : int, default=None
        The number of variables; None for that of the training strings.
    size : int, default=None
        The most literals of a term; None for any number.

    Examples
    --------
    >>> from mercer.kernels import Dnf
    >>> Dnf(monotone=True)(["1100"], ["1110"])
    array([[3.]])
    """

    _name = "dnf"
    _parameters = {"monotone": False, "variables": None, "size": None}


class CommonModels(_Named):
    """Models that two formulae have in common, counted exactly.

    A formula is a string such as ``"p and (q or not r)"`` or ``"p -> q"``.

    Parameters
    ----------
    variables : str, default=None
        The variables, with spaces between them, at most 20; None for those of the training formulae.
    share : bool, default=False
        Whether the share of all assignments counts, not their number.

    Examples
    --------
    >>> from mercer.kernels import CommonModels
    >>> CommonModels(variables="p q r")(["p -> q"], ["p and not r"])
    array([[1.]])
    """

    _name = "common_models"
    _parameters = {"variables": None, "share": False}
    _quoted = ("variables",)
