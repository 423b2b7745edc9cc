"""Work that takes seconds, by name. As a program: does it, and tells when it begins and how it ends, so that it can be interrupted."""

import sys
import threading
import time
import warnings

import numpy as np
import scipy.sparse as sp

import mercer
from machines import ESTIMATORS, examples, machine
from mercer import kernels

LARGE = 20_000
# Rows, and columns, that are predicted by machines of 2000 items.
MANY, NARROW = 600_000, 10
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


def ask(name, method, n=2000, **parameters):
    """What a machine of so many items, by the name of its estimator, says about many rows."""
    X, *y = examples(name, n=n, columns=NARROW)
    model = machine(name, **parameters).fit(X, *y)
    rows = np.tile(X, (MANY // n, 1))
    targets = [np.concatenate([y[0]] * (MANY // n))] if y else []
    if method == "score" or name == "KernelCCA":
        return lambda: getattr(model, method)(rows, *targets)
    return lambda: getattr(model, method)(rows)


def tune(name, n, **parameters):
    """A search for parameters with all that is usual."""
    given = examples(name, n=n, columns=NARROW)
    return lambda: machine(name, **parameters).tune(*given)


def pool(n, answers=60, count=2, columns=NARROW, **parameters):
    """A pool of so many items, of which some have an answer."""
    X, y = classes(n, count, columns)
    learner = mercer.ActiveLearner(X, classes=range(count), **parameters)
    for item in range(answers):
        learner.answer(item, y[item])
    return learner, X, y


def answer(n, **parameters):
    learner, X, y = pool(n, **parameters)

    def work():
        for item in range(len(learner.asked_), n):
            learner.answer(item, y[item])

    return work


def explained(n):
    """Which texts speak for a class of a very long one."""
    S, y = texts(n)
    model = mercer.SVC(kernel=kernels.Subsequence()).fit(S, y)
    text = "".join(np.random.default_rng(1).choice(list("abcdef"), 40_000))
    return lambda: mercer.explain(model, text)


def mixture(items):
    from sklearn.mixture import GaussianMixture

    points = np.random.default_rng(0).normal(size=(1000, 8))
    model = GaussianMixture(10, random_state=0).fit(points)
    return lambda: mercer.fisher_scores(model, [points[:100]] * items)


def process(n, act, **parameters):
    """What a Gaussian process of so many rows is asked; it has learned nothing of its kernel."""
    X, y = numbers(n, NARROW)
    kernel = kernels.Gaussian(length_scale=3.0)
    model = mercer.GaussianProcessRegressor(kernel, optimizer=None, n_jobs=1, **parameters).fit(X, y)
    return lambda: act(model, np.tile(X, (LARGE // n, 1)))


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
    "LinearSVC": lambda: fit(mercer.LinearSVC(C=1e4, loss="hinge", tol=1e-12, max_iter=10**6), *classes(10 * LARGE, columns=100)),
    "LinearSVR": lambda: fit(mercer.LinearSVR(C=1e4, tol=1e-12, max_iter=10**6), *numbers(5 * LARGE, 100)),
    "KernelPCA tune": lambda: tune("KernelPCA", 2000, fit_inverse_transform=True),
    "GaussianProcessClassifier tune": lambda: tune("GaussianProcessClassifier", 3000),
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
    "predict of SVC": lambda: predict(24_000, mercer.SVC(gamma=1.0, n_jobs=1)),
    "predict of LSSVC": lambda: predict(6000, mercer.LSSVC(kernel="rbf", n_jobs=1)),
    "predict of KernelPerceptron": lambda: predict(2000, mercer.KernelPerceptron(gamma=1.0)),
    "predict of GaussianProcessClassifier": lambda: predict(500, mercer.GaussianProcessClassifier(n_jobs=1)),
    "predict of GaussianProcessRegressor": lambda: predict(1000, mercer.GaussianProcessRegressor(n_jobs=1)),
    "predict of RBFNetwork": lambda: predict(2000, mercer.RBFNetwork(n_units=500, n_init=1, n_jobs=1)),
    "transform of KernelPCA": lambda: predict(
        1000, mercer.KernelPCA(n_components=50, kernel="rbf", n_jobs=1), method="transform"
    ),
    "predict with a standard deviation": lambda: process(2000, lambda model, X: model.predict(X, return_std=True)),
    "predict with a covariance": lambda: process(1000, lambda model, X: model.predict(X[:8000], return_cov=True)),
    "sample_y": lambda: process(500, lambda model, X: model.sample_y(X[:5000])),
    "likelihood of a process": lambda: process(4000, lambda model, X: model.log_marginal_likelihood(np.log([2.0]), True)),
    "inverse_transform of KernelPCA": lambda: (
        lambda model, rows: lambda: model.inverse_transform(rows)
    )(
        mercer.KernelPCA(n_components=5, kernel="rbf", fit_inverse_transform=True, n_jobs=1).fit(numbers(2000)[0]),
        np.random.default_rng(1).normal(size=(MANY, 5)),
    ),
    "predict_proba of SVC": lambda: ask("SVC", "predict_proba", probability=True, n_jobs=1),
    "predict of SVC of strings": lambda: (lambda S, y: (lambda model: lambda: model.predict(S * 50))(
        mercer.SVC(kernel=kernels.Subsequence(), n_jobs=1).fit(S, y)
    ))(*texts(300)),
    "reconstruction_error of KernelPCA": lambda: ask("KernelPCA", "reconstruction_error", n_jobs=1, kernel="rbf"),
    "KernelRidge path": lambda: lambda: mercer.KernelRidge(kernel="rbf", memory=4000, n_jobs=1).path(
        *numbers(4000), alphas=np.logspace(-6, 2, 50)
    ),
    "KernelRidge leave_one_out": lambda: (
        mercer.KernelRidge(kernel="rbf", memory=4000, n_jobs=1).fit(*numbers(6000)).leave_one_out
    ),
    "IncrementalSVC": lambda: fit(mercer.IncrementalSVC(), *classes(LARGE)),
    "IncrementalSVC strings": lambda: fit(mercer.IncrementalSVC(kernel=kernels.Subsequence()), *texts(1500)),
    "IncrementalSVC partial_fit": lambda: partly(mercer.IncrementalSVC(), *classes(LARGE), classes=[0, 1]),
    "IncrementalSVC leave_one_out": lambda: (lambda model: model.leave_one_out)(
        mercer.IncrementalSVC(C=10.0).fit(*classes(700, columns=NARROW))
    ),
    "IncrementalSVC remove": lambda: (lambda model: lambda: model.remove(model.ids_[:-2]))(
        mercer.IncrementalSVC(C=10.0).fit(*classes(1500, columns=NARROW))
    ),
    "ActiveLearner answer": lambda: answer(20_000),
    "ActiveLearner answer several classes": lambda: answer(20_000, count=5),
    "ActiveLearner ask": lambda: (lambda learner: lambda: learner.ask(5))(pool(400_000, 300)[0]),
    "ActiveLearner ask many": lambda: (lambda learner: lambda: learner.ask(300))(pool(LARGE)[0]),
    "ActiveLearner ask uncertain": lambda: (lambda learner: lambda: learner.ask(5))(
        pool(400_000, 300, query="uncertain")[0]
    ),
    "ActiveLearner band": lambda: (lambda learner: learner.band)(pool(400_000, 300)[0]),
    "ActiveLearner predict": lambda: (lambda learner, X, y: lambda: learner.predict(np.tile(X, (5, 1))))(
        *pool(400_000, 300)
    ),
    "ActiveLearner decision_function": lambda: (lambda learner, X, y: lambda: learner.decision_function(X))(
        *pool(400_000, 300, count=3)
    ),
    "explain": lambda: explained(300),
    "fisher_scores": lambda: mixture(40_000),
    "mend rows": lambda: (lambda K: (lambda mended: lambda: mended.rows(K))(mercer.mend(K, "clip")))(
        np.sin(numbers(3000)[0] @ numbers(3000)[0].T)
    ),
    "clean": lambda: lambda: mercer.clean(*classes(LARGE)),
    "prototypes": lambda: lambda: mercer.prototypes(classes(3 * LARGE)[0], 100),
    "compress": lambda: (lambda model: lambda: mercer.compress(model, 1500))(
        mercer.SVC(gamma=1.0, n_jobs=1).fit(*classes(7000))
    ),
    "mmd_test": lambda: lambda: mercer.mmd_test(*[numbers(4000)[0]] * 2, n_permutations=10_000, n_jobs=1),
    "mend": lambda: (lambda K: lambda: mercer.mend(K, "clip"))(np.sin(numbers(4000)[0] @ numbers(4000)[0].T)),
    "kernel values": lambda: (lambda X: lambda: kernels.Gaussian()(X, X))(numbers(16_000, 2000)[0]),
    "kernel values of strings": lambda: (lambda S: lambda: kernels.Subsequence()(S, S))(texts(1000)[0]),
}


# All that estimators say about rows, and their searches. Some of it is over in a moment.
HAND_WRITTEN = set(WORK)
for name in ESTIMATORS:
    for method in ("predict", "predict_proba", "decision_function", "transform", "score_samples", "score"):
        is_supervised = len(examples(name, n=5)) == 2
        if hasattr(machine(name), method) and (method != "score" or is_supervised) and name != "IncrementalSVC":
            WORK.setdefault(f"{method} of {name}", lambda name=name, method=method: ask(name, method))
    if hasattr(machine(name), "tune"):
        WORK.setdefault(f"{name} tune", lambda name=name: tune(name, 3000))
DERIVED = set(WORK) - HAND_WRITTEN


class Ticking:
    """The longest time for which another thread could not run."""

    def __enter__(self):
        self.longest, self.is_over = 0.0, False
        self.thread = threading.Thread(target=self.tick)
        self.thread.start()
        return self

    def tick(self):
        last = time.perf_counter()
        while not self.is_over:
            time.sleep(0.002)
            now = time.perf_counter()
            self.longest, last = max(self.longest, now - last), now

    def __exit__(self, *raised):
        self.is_over = True
        self.thread.join()


def run(names):
    """Does the work of these names, one after the other; tells how each ended and for how long other threads had to wait."""
    warnings.simplefilter("ignore")
    for name in names:
        work = WORK[name]()
        with Ticking() as ticking:
            try:
                print("begun", flush=True)
                work()
                ended = "done"
            except KeyboardInterrupt:
                ended = "interrupted"
            except Exception as error:
                ended = f"failed {error!r}"
        print(f"{ticking.longest:.3f} {ended}", flush=True)


if __name__ == "__main__":
    run(sys.argv[1:])
