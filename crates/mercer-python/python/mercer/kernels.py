"""Kernels on rows of numbers, to be combined by ``+``, ``*`` and ``**``; and kernels on strings, texts, trees, graphs, time
series and records, to be combined by ``+`` and ``*``.

    >>> from mercer import SVC
    >>> from mercer.kernels import Gaussian, Linear
    >>> kernel = 0.5 * Gaussian(gamma=2.0) + Linear() ** 2
    >>> kernel
    0.5 * Gaussian(gamma=2.0) + Linear() ** 2
    >>> eval(repr(kernel)) == kernel
    True
    >>> kernel([[1.0]], [[1.0], [2.0]]).round(3)
    array([[1.5  , 4.068]])
    >>> SVC(kernel=kernel).fit([[0.0], [1.0]], [0, 1]).predict([[2.0]])
    array([1])

    >>> from mercer.kernels import Spectrum
    >>> SVC(kernel=Spectrum(k=2)).fit(["gattaca", "ccacca"], ["g", "c"]).predict(["gatta"]).tolist()
    ['g']

A function of two items becomes a kernel by `Pairwise`.

``str`` of a kernel is the formula that the command line and model files know it by.
"""

from ._algebra import Centre, Columns, Constant, Formula, Kernel, Normalise, White
from ._mending import Clipped, Shifted
from ._vectors import (
    AdditiveChi2,
    Anova,
    Chi2,
    Cosine,
    Exponential,
    Gaussian,
    Intersection,
    Laplacian,
    Linear,
    Matern,
    Periodic,
    Polynomial,
    RationalQuadratic,
    Sigmoid,
)

__all__ = [
    "AdditiveChi2",
    "AllSubsequences",
    "Anova",
    "Autocorrelation",
    "BagOfWords",
    "BestMatch",
    "Blended",
    "Centre",
    "Chi2",
    "Clipped",
    "Column",
    "Columns",
    "CommonModels",
    "Conjunctions",
    "Constant",
    "Cosine",
    "Dnf",
    "DynamicTimeWarping",
    "EdgeHistogram",
    "Exponential",
    "FisherMarkov",
    "FisherMixture",
    "FisherSeriesMarkov",
    "FixedSubsequences",
    "Formula",
    "Gappy",
    "Gaussian",
    "GlobalAlignment",
    "Graphlets",
    "Intersection",
    "Jittered",
    "Kernel",
    "LabelledRandomWalk",
    "Laplacian",
    "Linear",
    "LocalAlignment",
    "LocalityImproved",
    "Matern",
    "Mismatch",
    "Multiset",
    "Normalise",
    "OptimalAssignment",
    "PairHiddenMarkov",
    "Pairwise",
    "PartialTree",
    "Periodic",
    "Polynomial",
    "Propagation",
    "RandomWalk",
    "RationalQuadratic",
    "SetSum",
    "Shifted",
    "ShortestPath",
    "Sigmoid",
    "Spectrum",
    "Subsequence",
    "SubsetTree",
    "Subtree",
    "Tokens",
    "VertexHistogram",
    "WeightedDegree",
    "WeisfeilerLehman",
    "White",
]

# What scikit-learn calls the kernels that it has.
_THEIRS = {"linear": "linear", "gaussian": "rbf", "polynomial": "poly", "sigmoid": "sigmoid"}


def named_kernel(formula):
    """The name that scikit-learn has for a kernel, with the numbers of its parameters; None if it has no such kernel."""
    name, _, arguments = formula.partition("(")
    pairs = [pair.partition("=") for pair in arguments.rstrip(")").split(", ") if pair]
    try:
        numbers = {key: float(value) for key, _, value in pairs}
    except ValueError:
        return None, {}
    # A width by another name than γ, or one for each column, is not scikit-learn's.
    if name not in _THEIRS or not set(numbers) <= {"gamma", "constant", "degree"}:
        return None, {}
    return _THEIRS[name], numbers


def __getattr__(name):
    # Those on structured items are made of what stands above, and are looked up when they are first named.
    if name == "Pairwise":
        from ._pairs import Pairwise

        return Pairwise
    if name in __all__:
        from . import _structures

        return getattr(_structures, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__():
    return sorted({*globals(), *__all__})
