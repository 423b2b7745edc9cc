from os import PathLike

from ._classifiers import SVC, NuSVC
from ._detectors import SVDD, OneClassSVM
from ._linear import LinearSVC, LinearSVR
from ._regressors import SVR, NuSVR

def load(
    path: str | PathLike[str],
) -> SVC | NuSVC | SVR | NuSVR | OneClassSVM | SVDD | LinearSVC | LinearSVR: ...
