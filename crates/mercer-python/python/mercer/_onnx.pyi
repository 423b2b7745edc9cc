from os import PathLike
from typing import Any

from ._classifiers import SVC, NuSVC
from ._detectors import OneClassSVM
from ._regressors import SVR, NuSVR

def to_onnx(estimator: SVC | NuSVC | SVR | NuSVR | OneClassSVM, path: str | PathLike[str] | None = None) -> Any: ...
