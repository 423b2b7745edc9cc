from . import kernels as kernels
from ._classifiers import SVC as SVC
from ._classifiers import NuSVC as NuSVC
from ._components import KernelPCA as KernelPCA
from ._detectors import SVDD as SVDD
from ._detectors import OneClassSVM as OneClassSVM
from ._files import load as load
from ._linear import LinearSVC as LinearSVC
from ._linear import LinearSVR as LinearSVR
from ._onnx import to_onnx as to_onnx
from ._processes import GaussianProcessRegressor as GaussianProcessRegressor
from ._regressors import SVR as SVR
from ._regressors import NuSVR as NuSVR
from ._ridge import KernelRidge as KernelRidge

__version__: str
