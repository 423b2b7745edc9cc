"""All kernels on structured items, to be looked up by their names."""

from ._columns import Column
from ._generative import FisherMarkov, FisherMixture, FisherSeriesMarkov, PairHiddenMarkov
from ._graphs import (
    EdgeHistogram,
    Graphlets,
    LabelledRandomWalk,
    OptimalAssignment,
    Propagation,
    RandomWalk,
    ShortestPath,
    VertexHistogram,
    WeisfeilerLehman,
)
from ._logic import CommonModels, Conjunctions, Dnf
from ._series import Autocorrelation, DynamicTimeWarping, GlobalAlignment
from ._sets import BestMatch, Jittered, Multiset, SetSum
from ._strings import (
    AllSubsequences,
    BagOfWords,
    Blended,
    FixedSubsequences,
    Gappy,
    LocalAlignment,
    LocalityImproved,
    Mismatch,
    Spectrum,
    Subsequence,
    Tokens,
    WeightedDegree,
)
from ._trees import PartialTree, SubsetTree, Subtree

__all__ = [
    "AllSubsequences",
    "Autocorrelation",
    "BagOfWords",
    "BestMatch",
    "Blended",
    "Column",
    "CommonModels",
    "Conjunctions",
    "Dnf",
    "DynamicTimeWarping",
    "EdgeHistogram",
    "FisherMarkov",
    "FisherMixture",
    "FisherSeriesMarkov",
    "FixedSubsequences",
    "Gappy",
    "GlobalAlignment",
    "Graphlets",
    "Jittered",
    "LabelledRandomWalk",
    "LocalAlignment",
    "LocalityImproved",
    "Mismatch",
    "Multiset",
    "OptimalAssignment",
    "PairHiddenMarkov",
    "PartialTree",
    "Propagation",
    "RandomWalk",
    "SetSum",
    "ShortestPath",
    "Spectrum",
    "Subsequence",
    "SubsetTree",
    "Subtree",
    "Tokens",
    "VertexHistogram",
    "WeightedDegree",
    "WeisfeilerLehman",
]
