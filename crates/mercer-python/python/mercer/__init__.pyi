from . import kernels as kernels
from ._classifiers import SVC as SVC
from ._classifiers import NuSVC as NuSVC
from ._clusters import KernelKMeans as KernelKMeans
from ._clusters import SpectralClustering as SpectralClustering
from ._components import KernelPCA as KernelPCA
from ._detectors import SVDD as SVDD
from ._detectors import OneClassSVM as OneClassSVM
from ._files import load as load
from ._linear import LinearSVC as LinearSVC
from ._linear import LinearSVR as LinearSVR
from ._matrix_classifiers import LSSVC as LSSVC
from ._matrix_classifiers import KernelFisherDiscriminant as KernelFisherDiscriminant
from ._matrix_classifiers import BayesPointMachine as BayesPointMachine
from ._matrix_classifiers import RVC as RVC
from ._matrix_regressors import RVR as RVR
from ._matrix_regressors import KernelPLS as KernelPLS
from ._matrix_regressors import RankSVM as RankSVM
from ._network import RBFNetwork as RBFNetwork
from ._onnx import to_onnx as to_onnx
from ._process_classes import GaussianProcessClassifier as GaussianProcessClassifier
from ._processes import GaussianProcessRegressor as GaussianProcessRegressor
from ._regressors import SVR as SVR
from ._regressors import NuSVR as NuSVR
from ._ridge import KernelRidge as KernelRidge
from ._views import KernelCCA as KernelCCA

__version__: str
