"""Work that takes seconds, by name. As a program: does it, and tells when it begins and how it ends, so that it can be interrupted."""

import sys
import warnings

import numpy as np
import scipy.sparse as sp

import mercer
from mercer import kernels

LARGE = 20_000
HARD = {"C": 1e5, "tol": 1e-9, "n_jobs": 1}


def numbers(n, columns=30):
    random = np.random.default_rng(0)
    return random.normal(size=(n, columns)), random.normal(size=n)


def classes(n, count=2, columns=30):
    random = np.random.default_rng(0)
    return random.normal(size=(n, columns)), random.integers(0, count, size=n)


def texts(n, length=200):
    random = np.random.default_rng(0)
    return ["".join(random.choice(list("abcdef"), length)) for _ in range(n)], random.integers(0, 2, size=n)


def fit(model, *given):
    return lambda: model.fit(*given)


def predict(n, model, columns=30, method="predict"):
    """A prediction for many rows by a model of many."""
    X, y = classes(n, columns=columns)
    model.fit(X, y)
    rows = np.tile(X, (LARGE * 10 // n, 1))
    return lambda: getattr(model, method)(rows)


def partly(model, *given, **named):
    return lambda: model.partial_fit(*given, **named)


WORK = {
    "SVC": lambda: fit(mercer.SVC(**HARD), *classes(LARGE)),
    "SVC pairs": lambda: fit(mercer.SVC(**HARD), *classes(LARGE, 3)),
    "SVC probabilities": lambda: fit(mercer.SVC(probability=True, **HARD), *classes(LARGE)),
    "SVC squared hinge": lambda: fit(mercer.SVC(loss="squared_hinge", **HARD), *classes(LARGE)),
    "SVC ovr": lambda: fit(mercer.SVC(multi_class="ovr", **HARD), *classes(LARGE, 3)),
    "SVC weston-watkins": lambda: fit(mercer.SVC(multi_class="weston-watkins", **HARD), *classes(LARGE, 3)),
    "SVC crammer-singer": lambda: fit(mercer.SVC(multi_class="crammer-singer", **HARD), *classes(LARGE, 3)),
    "SVC strings": lambda: fit(mercer.SVC(kernel=kernels.Subsequence(), n_jobs=1), *texts(1000)),
    "SVC tune": lambda: lambda: mercer.SVC(n_jobs=1).tune(*classes(LARGE)),
    "NuSVC": lambda: fit(mercer.NuSVC(nu=0.8, tol=1e-9, n_jobs=1), *classes(LARGE)),
    "SVR": lambda: fit(mercer.SVR(**HARD), *numbers(LARGE)),
    "NuSVR": lambda: fit(mercer.NuSVR(**HARD), *numbers(LARGE)),
    "LinearSVC": lambda: fit(mercer.LinearSVC(C=1e4, loss="hinge", tol=1e-12, max_iter=10**6), *classes(LARGE)),
    "LinearSVR": lambda: fit(mercer.LinearSVR(C=1e4, tol=1e-12, max_iter=10**6), *numbers(LARGE)),
    "LinearSVC tune": lambda: lambda: mercer.LinearSVC(max_iter=10**6, tol=1e-9, loss="hinge").tune(*classes(LARGE)),
    "OneClassSVM": lambda: fit(mercer.OneClassSVM(nu=0.5, tol=1e-12, n_jobs=1), classes(2 * LARGE)[0]),
    "SVDD": lambda: fit(mercer.SVDD(C=1e-4, tol=1e-12, n_jobs=1), classes(2 * LARGE)[0]),
    "KernelRidge": lambda: fit(mercer.KernelRidge(kernel="rbf", memory=4000, n_jobs=1), *numbers(7000)),
    "KernelRidge tune": lambda: lambda: mercer.KernelRidge(kernel="rbf", n_jobs=1).tune(*numbers(3000)),
    "GaussianProcessRegressor": lambda: fit(
        mercer.GaussianProcessRegressor(kernels.Gaussian(length_scale=3.0), memory=4000, n_jobs=1), *numbers(3000)
    ),
    "KernelPCA": lambda: fit(mercer.KernelPCA(n_components=500, kernel="rbf", memory=4000, n_jobs=1), numbers(5000)[0]),
    "GaussianProcessClassifier": lambda: fit(
        mercer.GaussianProcessClassifier(kernels.Gaussian(length_scale=3.0), memory=4000, n_jobs=1), *classes(2500)
    ),
    "LSSVC": lambda: fit(mercer.LSSVC(kernel="rbf", memory=4000, n_jobs=1), *classes(7000)),
    "KernelFisherDiscriminant": lambda: fit(
        mercer.KernelFisherDiscriminant(kernel="rbf", rank=3000, memory=4000, n_jobs=1), *classes(6000)
    ),
    "BayesPointMachine": lambda: fit(mercer.BayesPointMachine(kernel="rbf", memory=4000, n_jobs=1), *classes(5000)),
    "RVC": lambda: fit(mercer.RVC(kernel="rbf", memory=4000, n_jobs=1), *classes(3000)),
    "RVR": lambda: fit(mercer.RVR(kernel="rbf", memory=4000, n_jobs=1), *numbers(4000)),
    "KernelPLS": lambda: fit(mercer.KernelPLS(n_components=200, kernel="rbf", memory=4000, n_jobs=1), *numbers(7000)),
    "RankSVM": lambda: fit(mercer.RankSVM(kernel="rbf", C=1e4, memory=4000, n_jobs=1), *numbers(6000)),
    "OrdinalSVM": lambda: fit(mercer.OrdinalSVM(kernel="rbf", C=1e4, memory=4000, n_jobs=1), *classes(6000, 5)),
    "KernelKMeans": lambda: fit(mercer.KernelKMeans(kernel="rbf", memory=4000, n_jobs=1), numbers(7000)[0]),
    "SphereAndSlab": lambda: fit(mercer.SphereAndSlab(kernel=kernels.Gaussian(), memory=4000, n_jobs=1), numbers(5000)[0]),
    "SpectralClustering": lambda: fit(mercer.SpectralClustering(memory=4000, n_jobs=1), numbers(6000)[0]),
    "SpectralClustering neighbors": lambda: fit(
        mercer.SpectralClustering(affinity="nearest_neighbors", memory=4000, n_jobs=1), numbers(8000)[0]
    ),
    "KernelCCA": lambda: fit(mercer.KernelCCA(kernel="rbf", rank=2000, memory=4000, n_jobs=1), *[numbers(5000)[0]] * 2),
    "RBFNetwork": lambda: fit(mercer.RBFNetwork(n_units=300, n_jobs=1), *classes(6000)),
    "RBFNetworkRegressor": lambda: fit(mercer.RBFNetworkRegressor(n_units=300, n_jobs=1), *numbers(6000)),
    "KernelPerceptron": lambda: fit(mercer.KernelPerceptron(), *classes(LARGE)),
    "KernelPerceptron several classes": lambda: fit(mercer.KernelPerceptron(), *classes(LARGE, 5)),
    "KernelPerceptron budget": lambda: fit(
        mercer.KernelPerceptron(budget=300, budget_method="project"), *classes(LARGE)
    ),
    "KernelPerceptron partial": lambda: partly(mercer.KernelPerceptron(), *classes(3 * LARGE), classes=[0, 1]),
    "PassiveAggressiveClassifier": lambda: fit(mercer.PassiveAggressiveClassifier(), *classes(LARGE)),
    "PassiveAggressiveClassifier strings": lambda: fit(
        mercer.PassiveAggressiveClassifier(kernel=kernels.Subsequence()), *texts(1500)
    ),
    "PRank": lambda: fit(mercer.PRank(), *classes(LARGE, 5)),
    "OnlineSVR": lambda: fit(mercer.OnlineSVR(), *numbers(LARGE)),
    "PassiveAggressiveRegressor": lambda: fit(mercer.PassiveAggressiveRegressor(), *numbers(LARGE)),
    "predict of SVC": lambda: predict(8000, mercer.SVC(gamma=1.0, n_jobs=1)),
    "predict of LSSVC": lambda: predict(2000, mercer.LSSVC(kernel="rbf", n_jobs=1)),
    "predict of KernelPerceptron": lambda: predict(2000, mercer.KernelPerceptron(gamma=1.0)),
    "predict of GaussianProcessClassifier": lambda: predict(500, mercer.GaussianProcessClassifier(n_jobs=1)),
    "predict of GaussianProcessRegressor": lambda: predict(1000, mercer.GaussianProcessRegressor(n_jobs=1)),
    "predict of RBFNetwork": lambda: predict(2000, mercer.RBFNetwork(n_units=500, n_init=1, n_jobs=1)),
    "transform of KernelPCA": lambda: predict(
        1000, mercer.KernelPCA(n_components=50, kernel="rbf", n_jobs=1), method="transform"
    ),
    "clean": lambda: lambda: mercer.clean(*classes(LARGE)),
    "prototypes": lambda: lambda: mercer.prototypes(classes(3 * LARGE)[0], 100),
    "compress": lambda: (lambda model: lambda: mercer.compress(model, 1500))(
        mercer.SVC(gamma=1.0, n_jobs=1).fit(*classes(7000))
    ),
    "mmd_test": lambda: lambda: mercer.mmd_test(*[numbers(4000)[0]] * 2, permutations=10_000, n_jobs=1),
    "mend": lambda: (lambda K: lambda: mercer.mend(K, "clip"))(np.sin(numbers(4000)[0] @ numbers(4000)[0].T)),
    "kernel values": lambda: (lambda X: lambda: kernels.Gaussian()(X, X))(numbers(9000, 500)[0]),
    "kernel values of strings": lambda: (lambda S: lambda: kernels.Subsequence()(S, S))(texts(1000)[0]),
}


def run(names):
    """Does the work of these names, one after the other."""
    warnings.simplefilter("ignore")
    for name in names:
        work = WORK[name]()
        try:
            print("begun", flush=True)
            work()
        except KeyboardInterrupt:
            print("interrupted", flush=True)
        except Exception as error:
            print("failed", repr(error), flush=True)
        else:
            print("done", flush=True)


if __name__ == "__main__":
    run(sys.argv[1:])
