from . import kernels as kernels
from ._classifiers import SVC as SVC
from ._classifiers import NuSVC as NuSVC
from ._detectors import SVDD as SVDD
from ._detectors import OneClassSVM as OneClassSVM
from ._files import load as load
from ._linear import LinearSVC as LinearSVC
from ._linear import LinearSVR as LinearSVR
from ._onnx import to_onnx as to_onnx
from ._regressors import SVR as SVR
from ._regressors import NuSVR as NuSVR

__version__: str
