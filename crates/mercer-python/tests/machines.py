"""Every estimator of the package with examples that it can be fitted to."""

import inspect

import numpy as np
from sklearn.base import BaseEstimator, is_classifier, is_regressor

import mercer

ESTIMATORS = [
    name
    for name in mercer.__all__
    if inspect.isclass(getattr(mercer, name, None)) and issubclass(getattr(mercer, name), BaseEstimator)
]
# Parameters without which the few examples of a test would not do, or draws would differ.
_PARAMETERS = {
    "NuSVC": {"nu": 0.2},
    "KernelPCA": {"n_components": 2},
    "KernelPLS": {"n_components": 1},
    "KernelCCA": {"n_components": 1},
    "KernelKMeans": {"n_clusters": 2, "random_state": 0},
    "SpectralClustering": {"n_clusters": 2, "random_state": 0},
    "RBFNetwork": {"n_units": 4, "random_state": 0},
    "RBFNetworkRegressor": {"n_units": 4, "random_state": 0},
    "BayesPointMachine": {"random_state": 0},
    "LinearSVC": {"random_state": 0},
    "LinearSVR": {"random_state": 0},
}


def machine(name, **parameters):
    """An estimator that is not fitted."""
    return getattr(mercer, name)(**{**_PARAMETERS.get(name, {}), **parameters})


def examples(name, columns=3, seed=0, n=40):
    """Rows, and what the estimator learns about them: the arguments of `fit`."""
    random = np.random.default_rng(seed)
    X = random.normal(size=(n, columns))
    value = X[:, 0] + 0.3 * random.normal(size=n)
    model = getattr(mercer, name)
    if name == "KernelCCA":
        return X, X[:, :1] ** 2
    if name in ("OrdinalSVM", "PRank"):
        return X, 1 + (value > -0.5).astype(int) + (value > 0.5)
    if is_classifier(model()):
        return X, np.array(["no", "yes"])[(value > 0).astype(int)]
    if is_regressor(model()) or name in ("RankSVM", "KernelPLS"):
        return X, value
    return (X,)


def answers(model, X):
    """All that a fitted estimator says about rows."""
    found = {}
    for method in ("predict", "decision_function", "predict_proba", "transform", "score_samples"):
        if hasattr(model, method):
            arguments = (X, X[:, :1] ** 2) if type(model).__name__ == "KernelCCA" else (X,)
            found[method] = np.asarray(getattr(model, method)(*arguments))
    return found
