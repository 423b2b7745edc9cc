"""Mercer: support vector machines that tell how far to trust them.

Estimators with the parameters, attributes and manners of scikit-learn's, on an engine written in Rust::

    >>> from mercer import SVC
    >>> model = SVC().fit([[0.0], [1.0]], ["low", "high"])
    >>> model.predict([[0.1], [0.8]]).tolist()
    ['low', 'high']
    >>> model.gap_ < 1e-3
    True

Names are looked up when they are first used, so that ``import mercer`` alone takes no time.
"""

from importlib import import_module as _import_module

from ._mercer import __version__

_HOMES = {
    "SVC": "._classifiers",
    "NuSVC": "._classifiers",
    "SVR": "._regressors",
    "NuSVR": "._regressors",
    "LinearSVC": "._linear",
    "LinearSVR": "._linear",
    "OneClassSVM": "._detectors",
    "SVDD": "._detectors",
    "KernelRidge": "._ridge",
    "GaussianProcessRegressor": "._processes",
    "KernelPCA": "._components",
    "GaussianProcessClassifier": "._process_classes",
    "LSSVC": "._matrix_classifiers",
    "KernelFisherDiscriminant": "._matrix_classifiers",
    "BayesPointMachine": "._matrix_classifiers",
    "RVC": "._matrix_classifiers",
    "RVR": "._matrix_regressors",
    "KernelPLS": "._matrix_regressors",
    "RankSVM": "._rankers",
    "OrdinalSVM": "._rankers",
    "KernelKMeans": "._clusters",
    "SphereAndSlab": "._slab",
    "SpectralClustering": "._clusters",
    "KernelCCA": "._views",
    "RBFNetwork": "._network",
    "RBFNetworkRegressor": "._network",
    "KernelPerceptron": "._online_classifiers",
    "PassiveAggressiveClassifier": "._online_classifiers",
    "PRank": "._online_classifiers",
    "OnlineSVR": "._online_regressors",
    "PassiveAggressiveRegressor": "._online_regressors",
    "IncrementalSVC": "._incremental",
    "ActiveLearner": "._active",
    "clean": "._insight",
    "prototypes": "._insight",
    "explain": "._insight",
    "virtual_examples": "._images",
    "fisher_scores": "._scores",
    "mend": "._mending",
    "mmd_test": "._two_sample",
    "compress": "._compress",
    "ndcg": "._order",
    "mean_average_precision": "._order",
    "kendall_tau": "._order",
    "load": "._files",
    "to_onnx": "._onnx",
}

__all__ = ["__version__", "kernels", "losses", *_HOMES]


def __getattr__(name):
    if name in ("kernels", "losses"):
        return _import_module(f".{name}", __name__)
    home = _HOMES.get(name)
    if home is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(_import_module(home, __name__), name)
    globals()[name] = value
    return value


def __dir__():
    return sorted({*globals(), *__all__})
