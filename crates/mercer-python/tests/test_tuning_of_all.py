"""`tune` of every estimator: the scores of GridSearchCV, on rows, on kernel values and on structured items."""

import inspect

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.datasets import load_diabetes, load_iris
from sklearn.exceptions import FitFailedWarning
from sklearn.model_selection import GridSearchCV, GroupKFold, KFold

import mercer
from mercer.kernels import Gaussian, Spectrum

CV = KFold(4, shuffle=True, random_state=1)
C, GAMMA = {"C": [0.1, 1.0]}, {"gamma": [0.1, 1.0]}
NOT_TUNED = {
    "KernelKMeans": "held-out distances in different feature spaces say nothing about clusters",
    "SpectralClustering": "the same",
    "ActiveLearner": "asks for labels, and is no estimator",
    "SphereAndSlab": "its share outside is what it is told, and its size is that of two regions",
}
CLASSIFIERS = [
    (mercer.LSSVC(kernel="rbf"), {**C, **GAMMA}),
    (mercer.KernelFisherDiscriminant(kernel="rbf"), {"regularisation": [0.01, 0.1], **GAMMA}),
    (mercer.RVC(kernel="rbf"), GAMMA),
    (mercer.BayesPointMachine(random_state=0), {"softness": [0.1, 1.0]}),
    (mercer.RBFNetwork(random_state=0), {"n_units": [3, 9]}),
    (mercer.GaussianProcessClassifier(optimizer=None), {"kernel": [Gaussian(gamma=0.1), Gaussian(gamma=1.0)]}),
    (mercer.KernelPerceptron(gamma=0.3), {"average": [True, False]}),
    (mercer.PassiveAggressiveClassifier(gamma=0.3), C),
    (mercer.PRank(classes=["no", "yes"]), GAMMA),
    (mercer.IncrementalSVC(gamma=0.1), C),
]
REGRESSORS = [
    (mercer.GaussianProcessRegressor(Gaussian(gamma=0.1), optimizer=None), {"alpha": [0.1, 1.0]}),
    (mercer.RVR(kernel="rbf"), GAMMA),
    (mercer.KernelPLS(kernel="rbf"), {"n_components": [1, 3]}),
    (mercer.KernelRidge(kernel="rbf"), {"alpha": [0.1, 1.0]}),
    (mercer.OnlineSVR(gamma=0.1), C),
    (mercer.PassiveAggressiveRegressor(gamma=0.1), C),
    (mercer.RankSVM(), C),
    (mercer.OrdinalSVM(), C),
]

pytestmark = pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")


@pytest.fixture(scope="module")
def flowers():
    X, y = load_iris(return_X_y=True)
    rows = slice(50, None)
    return X[rows], np.array(["no", "yes"])[(y[rows] == 2).astype(int)]


@pytest.fixture(scope="module")
def numbers():
    X, y = load_diabetes(return_X_y=True)
    return 10 * X[:120], np.round(y[:120] / 100)


@pytest.fixture(scope="module")
def words():
    random = np.random.default_rng(0)
    kinds = np.arange(48) % 2
    return ["".join(random.choice(list(("abc", "bcd")[kind]), size=9)) for kind in kinds], kinds


def data_of(estimator, flowers, numbers):
    return flowers if any(estimator is one for one, _ in CLASSIFIERS) else numbers


def same_table(ours, theirs):
    assert ours.cv_results_["params"] == theirs.cv_results_["params"]
    for key in ("mean_test_score", "std_test_score", *(f"split{fold}_test_score" for fold in range(theirs.n_splits_))):
        np.testing.assert_allclose(ours.cv_results_[key], theirs.cv_results_[key], rtol=1e-9, atol=1e-12)
    np.testing.assert_array_equal(ours.cv_results_["rank_test_score"], theirs.cv_results_["rank_test_score"])
    assert ours.best_params_ == theirs.best_params_ and ours.best_score_ == pytest.approx(theirs.best_score_)


def test_every_estimator_has_it():
    estimators = {name for name in mercer.__all__ if inspect.isclass(getattr(mercer, name))}
    assert estimators - {name for name in estimators if hasattr(getattr(mercer, name), "tune")} == set(NOT_TUNED)


@pytest.mark.parametrize("estimator, grid", [*CLASSIFIERS, *REGRESSORS], ids=lambda of: type(of).__name__)
def test_tables_are_those_of_a_grid_search(estimator, grid, flowers, numbers):
    X, y = data_of(estimator, flowers, numbers)
    ours = clone(estimator).tune(X, y, grid, cv=CV, exhaustive=True)
    same_table(ours, GridSearchCV(clone(estimator), grid, cv=CV).fit(X, y))
    fitted = clone(estimator).set_params(**ours.best_params_).fit(X, y)
    np.testing.assert_array_equal(ours.predict(X), fitted.predict(X))
    # What was found belongs to the fit that the search ended with.
    assert not hasattr(ours.fit(X, y), "best_params_")


@pytest.mark.parametrize("estimator, _grid", [*CLASSIFIERS, *REGRESSORS], ids=lambda of: type(of).__name__)
def test_without_a_grid_the_data_say_what_is_tried(estimator, _grid, flowers, numbers):
    X, y = data_of(estimator, flowers, numbers)
    model = clone(estimator).tune(X, y)
    assert len(model.cv_results_["params"]) >= 2 and np.isfinite(model.best_score_)
    assert model.get_params().items() >= model.best_params_.items()
    # What is tried does not depend on the unit of the rows.
    gammas = model.cv_results_.get("param_gamma")
    if gammas is not None:
        other = clone(estimator)._usual_grid(1000 * X, y)
        np.testing.assert_allclose(other["gamma"], sorted({gamma / 1e6 for gamma in gammas}), rtol=0.02)


@pytest.mark.parametrize("estimator, grid", [*CLASSIFIERS, *REGRESSORS], ids=lambda of: type(of).__name__)
def test_structured_items_and_functions(estimator, grid, flowers, words):
    if not any(hasattr(estimator, name) for name in ("kernel_params", "coef0")):
        pytest.skip("rows only")
    if isinstance(estimator, mercer.PRank):
        # Numbers are levels in their own order.
        estimator = mercer.PRank()
    items, kinds = words
    own = {name: of for name, of in grid.items() if name != "gamma"}
    own = {**own, "kernel": [Spectrum(k=1), Spectrum(k=2)]}
    machine = clone(estimator).set_params(kernel=Spectrum(k=1))
    same_table(machine.tune(items, kinds, own, cv=CV, exhaustive=True), GridSearchCV(clone(machine), own, cv=CV).fit(items, kinds))
    assert len(machine.predict(items[:3])) == 3
    # A function is asked for the values of all pairs once, and once more by the fit that ends the search.
    X, y = flowers[0], (flowers[1] == "yes").astype(int)
    asked = []

    def kernel(a, b):
        asked.append(1)
        return np.exp(-0.3 * ((np.asarray(a)[:, None] - np.asarray(b)) ** 2).sum(axis=2))

    most = 2 if hasattr(estimator, "kernel_params") else 2 + len(X)
    of_values = {name: of for name, of in grid.items() if name != "gamma"} or {"fit_intercept": [True, False]}
    machine = clone(estimator).set_params(kernel=kernel)
    ours = machine.tune(X, y, of_values, cv=CV, exhaustive=True)
    assert len(asked) <= most
    same_table(ours, GridSearchCV(clone(machine), of_values, cv=CV).fit(X, y))
    if hasattr(estimator, "kernel_params"):
        K = np.exp(-0.3 * ((X[:, None] - X) ** 2).sum(axis=2))
        machine = clone(estimator).set_params(kernel="precomputed")
        ours = machine.tune(K, y, of_values, cv=CV, exhaustive=True)
        same_table(ours, GridSearchCV(clone(machine), of_values, cv=CV).fit(K, y))
        assert clone(machine).tune(K, y).best_params_


@pytest.mark.parametrize("machine", [mercer.SVC(tol=1e-8, break_ties=True), mercer.SVC(tol=1e-8, multi_class="ovr"), mercer.NuSVC(tol=1e-8, break_ties=True)])
def test_kernel_values_of_classifiers(machine):
    X, y = load_iris(return_X_y=True)
    K = np.exp(-0.2 * ((X[:, None] - X) ** 2).sum(axis=2))
    grid = {"nu": [0.1, 0.3]} if isinstance(machine, mercer.NuSVC) else {"C": [0.1, 1.0, 30.0]}
    of_values = clone(machine).set_params(kernel="precomputed")
    theirs = GridSearchCV(clone(of_values), grid, cv=CV).fit(K, y)
    ours = clone(of_values).tune(K, y, grid, cv=CV, exhaustive=True)
    same_table(ours, theirs)
    np.testing.assert_array_equal(ours.predict(K[:9]), theirs.predict(K[:9]))
    assert clone(of_values).tune(K, y).best_score_ >= ours.best_score_ - 0.03
    asked = []

    def kernel(a, b):
        asked.append(1)
        return np.exp(-0.2 * ((np.asarray(a)[:, None] - np.asarray(b)) ** 2).sum(axis=2))

    def narrow(a, b):
        return kernel(a, b) ** 20

    by_function = clone(machine).set_params(kernel=kernel).tune(X, y, grid, cv=CV, exhaustive=True)
    same_table(by_function, theirs)
    assert len(asked) == 2
    # Several functions, and a kernel on rows beside them.
    grid = {**grid, "kernel": [kernel, narrow, "rbf"], "gamma": [0.2]}
    several = clone(machine).tune(X, y, grid, cv=CV, exhaustive=True)
    same_table(several, GridSearchCV(clone(machine), grid, cv=CV).fit(X, y))


def test_kernel_values_of_regressions(numbers):
    X, y = numbers
    K = np.exp(-0.1 * ((X[:, None] - X) ** 2).sum(axis=2))
    for machine, grid in ((mercer.SVR(tol=1e-8), C), (mercer.NuSVR(tol=1e-8), {"nu": [0.2, 0.5]})):
        machine.set_params(kernel="precomputed")
        theirs = GridSearchCV(clone(machine), grid, cv=CV).fit(K, y)
        ours = clone(machine).tune(K, y, grid, cv=CV, exhaustive=True)
        np.testing.assert_allclose(ours.cv_results_["mean_test_score"], theirs.cv_results_["mean_test_score"], atol=1e-5)
    refined = mercer.SVR(kernel="precomputed").tune(K, y, C, refine=2)
    assert len(refined.cv_results_["params"]) > 2 and set(refined.best_params_) == {"C"}
    with pytest.raises(ValueError, match="square"):
        mercer.SVR(kernel="precomputed").tune(K[:, :9], y)
    for grid in (C, None):
        with pytest.raises(ValueError, match="Input is a 120x9 matrix"):
            mercer.LSSVC(kernel="precomputed").tune(K[:, :9], y > 1, grid)
    with pytest.raises(ValueError, match="per_fold"):
        mercer.SVR(kernel="precomputed").tune(K, y, C, per_fold=True)


def test_leave_one_out_of_regressions_is_that_of_refits(numbers):
    X, y = numbers[0][:40], numbers[1][:40]
    model = mercer.SVR(tol=1e-8, gamma=0.1).tune(X, y, {"C": [0.1, 1.0]}, criterion="leave-one-out")
    for setting, score in zip(model.cv_results_["params"], model.cv_results_["mean_test_score"]):
        machine = mercer.SVR(tol=1e-8, gamma=0.1, **setting)
        errors = [clone(machine).fit(np.delete(X, i, 0), np.delete(y, i)).predict(X[[i]])[0] - y[i] for i in range(len(y))]
        assert score == pytest.approx(-np.mean(np.square(errors)), rel=1e-4)
    for criterion in ("span", "bound", "alignment"):
        with pytest.raises(ValueError, match=f"{criterion} is about the margin of classes"):
            mercer.SVR().tune(X, y, {"C": [1.0]}, criterion=criterion)
    with pytest.raises(ValueError, match="instead of a share nu"):
        mercer.NuSVR().tune(X, y, {"C": [1.0]}, criterion="leave-one-out")


def test_leave_one_out_of_ridges_is_that_of_refits(numbers, flowers):
    X, y = numbers[0][:40], numbers[1][:40]
    weights = np.random.default_rng(0).uniform(0.5, 2.0, 40)
    grid = {"alpha": [0.1, 1.0], "gamma": [0.05, 0.5]}
    model = mercer.KernelRidge(kernel="rbf").tune(X, y, grid, criterion="leave-one-out", sample_weight=weights)
    for setting, score in zip(model.cv_results_["params"], model.cv_results_["mean_test_score"]):
        machine, without = mercer.KernelRidge(kernel="rbf", **setting), [np.delete(np.arange(40), i) for i in range(40)]
        said = [clone(machine).fit(X[of], y[of], sample_weight=weights[of]).predict(X[[i]])[0] for i, of in enumerate(without)]
        assert score == pytest.approx(-np.average((np.array(said) - y) ** 2, weights=weights), rel=1e-8)
    X, y = flowers[0][20:70], flowers[1][20:70]
    model = mercer.LSSVC(kernel="rbf").tune(X, y, {"C": [0.01, 1.0, 100.0]}, criterion="leave-one-out")
    for setting, score in zip(model.cv_results_["params"], model.cv_results_["mean_test_score"]):
        machine = mercer.LSSVC(kernel="rbf", **setting)
        wrong = [clone(machine).fit(np.delete(X, i, 0), np.delete(y, i)).predict(X[[i]])[0] != y[i] for i in range(len(y))]
        assert score == pytest.approx(-np.mean(wrong))
    with pytest.raises(ValueError, match="criterion='span'"):
        mercer.LSSVC().tune(X, y, criterion="span")
    with pytest.raises(ValueError, match="scoring is about folds"):
        mercer.LSSVC().tune(X, y, criterion="leave-one-out", scoring="f1_macro")
    with pytest.raises(ValueError, match="criterion='leave-one-out': RVC"):
        mercer.RVC().tune(X, y, criterion="leave-one-out")


def test_criteria_of_one_class_against_the_rest():
    X, y = load_iris(return_X_y=True)
    X, y = X[::3], y[::3]
    grid = {"C": [1.0, 10.0], "gamma": [0.1]}
    machine = mercer.SVC(multi_class="ovr", tol=1e-8)
    model = clone(machine).tune(X, y, grid, criterion="leave-one-out")
    for setting, score in zip(model.cv_results_["params"], model.cv_results_["mean_test_score"]):
        two = mercer.SVC(tol=1e-8, **setting)
        errors = []
        for kind in range(3):
            own = y == kind
            errors += [clone(two).fit(np.delete(X, i, 0), np.delete(own, i)).predict(X[[i]])[0] != own[i] for i in range(len(y))]
        assert score == pytest.approx(-np.mean(errors))
    for criterion in ("span", "radius-margin", "centred-alignment", "support-vectors"):
        assert np.isfinite(clone(machine).tune(X, y, grid, criterion=criterion).best_score_)
    with pytest.raises(ValueError, match="one class against the rest"):
        clone(machine).tune(X, y, grid, criterion="bound")
    with pytest.raises(ValueError, match='"ovo" or "ovr"'):
        mercer.SVC(multi_class="crammer-singer").tune(X, y, grid, criterion="span")


def test_halving_and_refinement():
    random = np.random.default_rng(5)
    X = random.normal(size=(1500, 2))
    y = (X**2).sum(axis=1) + 0.3 * random.normal(size=1500) > 1.5
    grid = {"C": [1e-6, 1e-4, 1e-2, 1.0, 10.0], "gamma": [1e-6, 1e-3, 0.3, 300.0]}
    model = mercer.LSSVC(kernel="rbf").tune(X, y, grid, cv=3, halving=True)
    looks = model.cv_results_["look"]
    assert (looks == "given up").sum() >= 10 and looks[model.best_index_] == "exact"
    exact = mercer.LSSVC(kernel="rbf").tune(X, y, [model.best_params_ and {k: [v] for k, v in model.best_params_.items()}], cv=3)
    assert model.best_score_ == exact.best_score_
    refined = mercer.LSSVC(kernel="rbf").tune(X[:300], y[:300], {"C": [1.0], "gamma": [0.1]}, cv=3, refine=3)
    assert refined.best_score_ >= refined.cv_results_["mean_test_score"][0]
    assert set(refined.cv_results_["params"][1]) == {"C", "gamma"}
    with pytest.raises(ValueError, match="halving=True gives settings up"):
        mercer.LSSVC().tune(X, y, halving=True, exhaustive=True)
    with pytest.raises(ValueError, match="refine=1"):
        mercer.RVC().tune(X[:50], y[:50], refine=1)
    with pytest.raises(ValueError, match="sample_weight: BayesPointMachine"):
        mercer.BayesPointMachine().tune(X[:50], y[:50], sample_weight=np.ones(50))
    found = mercer.OneClassSVM(nu=0.1).tune(X, None, {"gamma": np.logspace(-3, 3, 8)}, cv=3, halving=True, random_state=0)
    assert (found.cv_results_["look"] == "given up").sum() >= 3
    found = mercer.OneClassSVM(nu=0.1).tune(X[:300], None, {"gamma": [0.01]}, refine=2, random_state=0)
    assert len(found.cv_results_["params"]) > 2
    with pytest.raises(ValueError, match="scoring="):
        mercer.OneClassSVM().tune(X[:50], scoring="accuracy")


def test_queries_are_held_out_whole():
    random = np.random.default_rng(2)
    X, queries = random.normal(size=(80, 3)), np.repeat(np.arange(16), 5)
    y = np.round(X[:, 0] + 0.2 * random.normal(size=80) + 10 * queries, 1)
    model = mercer.RankSVM().tune(X, y, C, qid=queries, cv=4, exhaustive=True)
    for setting, score in zip(model.cv_results_["params"], model.cv_results_["mean_test_score"]):
        scores = []
        for learned, tested in GroupKFold(4).split(X, y, queries):
            values = mercer.RankSVM(**setting).fit(X[learned], y[learned], qid=queries[learned]).predict(X[tested])
            pairs = [(a, b) for a in range(len(tested)) for b in range(len(tested))
                     if queries[tested[a]] == queries[tested[b]] and y[tested[a]] > y[tested[b]]]
            scores.append(np.mean([values[a] > values[b] for a, b in pairs]))
        assert score == pytest.approx(np.mean(scores))


def test_ways_back_and_views():
    random = np.random.default_rng(3)
    angles = random.uniform(0, 2 * np.pi, 120)
    ring = np.column_stack([np.cos(angles), np.sin(angles)]) + 0.05 * random.normal(size=(120, 2))
    grid = {"gamma": [0.01, 1.0], "alpha": [0.01, 10.0]}
    machine = mercer.KernelPCA(3, kernel="rbf", fit_inverse_transform=True)
    ours = clone(machine).tune(ring, None, grid, cv=CV, exhaustive=True)

    def back(model, X, _=None):
        return -np.mean((model.inverse_transform(model.transform(X)) - X) ** 2)

    same_table(ours, GridSearchCV(clone(machine), grid, cv=CV, scoring=back).fit(ring))
    assert ours.best_params_["alpha"] == 0.01
    with pytest.raises(ValueError, match="fit_inverse_transform=True"):
        mercer.KernelPCA().tune(ring)
    other = ring[:, :1] ** 2
    grid = {"regularisation": [0.01, 0.9], "gamma": [0.1, 1.0]}
    views = mercer.KernelCCA(1, kernel="rbf").tune(ring, other, grid, cv=CV, exhaustive=True)
    same_table(views, GridSearchCV(mercer.KernelCCA(1, kernel="rbf"), grid, cv=CV).fit(ring, other))
    assert views.best_score_ > 0.9
    with pytest.raises(ValueError, match="precomputed"):
        mercer.KernelCCA(kernel="precomputed").tune(ring, other)


def test_widths_of_all_rows_or_of_each_fold(flowers):
    X, y = flowers
    once = mercer.PassiveAggressiveClassifier().tune(X, y, C, cv=CV, exhaustive=True)
    told = mercer.PassiveAggressiveClassifier(gamma=1 / (X.shape[1] * X.var())).tune(X, y, C, cv=CV, exhaustive=True)
    key = "mean_test_score"
    np.testing.assert_array_equal(once.cv_results_[key], told.cv_results_[key])
    each = mercer.PassiveAggressiveClassifier().tune(X, y, C, cv=CV, exhaustive=True, per_fold=True)
    same_table(each, GridSearchCV(mercer.PassiveAggressiveClassifier(), C, cv=CV).fit(X, y))


def test_settings_that_cannot_be_learned_with_come_last(words):
    items, kinds = words

    def kernel(a, b):
        return np.array([[float(len(set(x) & set(z))) for z in b] for x in a])

    def broken(a, b):
        return np.full((len(a), len(b)), np.nan)

    grid = {"kernel": [broken, kernel]}
    with pytest.warns(FitFailedWarning, match="cannot be learned with"):
        model = mercer.PassiveAggressiveClassifier(kernel=kernel).tune(items, kinds, grid, cv=3)
    assert model.cv_results_["look"].tolist() == ["failed", "exact"] and model.best_index_ == 1
    assert np.isnan(model.cv_results_["mean_test_score"][0])
    with pytest.raises(ValueError):
        mercer.PassiveAggressiveClassifier(kernel=broken).tune(items, kinds, C)
    with pytest.raises(ValueError, match="'C'"):
        mercer.LSSVC().tune([[0.0], [1.0], [2.0], [3.0]], [0, 1, 0, 1], {"C": [-1.0, 1.0]}, cv=2)
