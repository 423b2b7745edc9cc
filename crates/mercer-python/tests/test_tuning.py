"""`tune`: the same cells and scores as GridSearchCV, found by the engine."""

import pickle

import numpy as np
import pytest
import scipy.sparse as sp
from sklearn.base import clone
from sklearn.exceptions import ConvergenceWarning
from sklearn.model_selection import GridSearchCV, GroupKFold, KFold, StratifiedKFold
from sklearn.preprocessing import StandardScaler

import mercer

GRID = {"C": [0.1, 1.0, 10.0, 100.0], "gamma": [0.01, 0.1, 1.0]}


@pytest.fixture
def scaled(iris):
    X, y = iris
    order = np.random.default_rng(3).permutation(len(y))
    return StandardScaler().fit_transform(X)[order], y[order]


@pytest.mark.parametrize("scoring", ["accuracy", "f1_macro", "balanced_accuracy"])
@pytest.mark.parametrize("multi_class", ["ovo", "ovr", "crammer-singer"])
def test_scores_are_those_of_a_grid_search(scaled, scoring, multi_class):
    X, y = scaled
    machine = mercer.SVC(multi_class=multi_class, tol=1e-6)
    cv = StratifiedKFold(5, shuffle=True, random_state=0)
    theirs = GridSearchCV(machine, GRID, cv=cv, scoring=scoring).fit(X, y)
    ours = clone(machine).tune(X, y, GRID, cv=cv, scoring=scoring, exhaustive=True)
    assert ours.cv_results_["params"] == theirs.cv_results_["params"]
    ours_mean, theirs_mean = (r["mean_test_score"] for r in (ours.cv_results_, theirs.cv_results_))
    np.testing.assert_allclose(ours_mean, theirs_mean, atol=0.015)
    assert abs(ours.best_score_ - theirs.best_score_) < 1e-9
    exact = ours.cv_results_["look"] == "exact"
    np.testing.assert_allclose(ours_mean[exact], theirs_mean[exact], atol=1e-9)
    assert exact[ours.best_index_]
    # It is fitted with the best on all rows.
    again = clone(machine).set_params(**ours.best_params_).fit(X, y)
    np.testing.assert_array_equal(ours.decision_function(X), again.decision_function(X))


@pytest.mark.parametrize("options", [{}, {"break_ties": True}, {"probability": True}, {"probability": "platt"}, {"multi_class": "dag"}])
def test_equal_votes_are_scored_as_they_are_predicted(options):
    rng = np.random.default_rng(4)
    y = np.arange(180) % 6
    X = np.c_[y % 3, y % 2] + rng.normal(size=(180, 2))
    machine = mercer.SVC(tol=1e-7, gamma=1.0, **options)
    grid, cv = {"C": [0.1, 1.0, 10.0, 100.0]}, StratifiedKFold(3, shuffle=True, random_state=0)
    ours = clone(machine).tune(X, y, grid, cv=cv, exhaustive=True)
    theirs = GridSearchCV(machine, grid, cv=cv).fit(X, y)
    np.testing.assert_allclose(ours.cv_results_["mean_test_score"], theirs.cv_results_["mean_test_score"], atol=1e-12)


@pytest.mark.parametrize("scoring", ["neg_log_loss", "neg_brier_score"])
def test_probabilities_are_judged(scaled, scoring):
    X, y = scaled
    X, y = X[y > 0], y[y > 0]
    grid = {"C": [0.1, 1.0, 10.0], "gamma": [0.1]}
    machine = mercer.SVC(probability=True, tol=1e-6)
    theirs = GridSearchCV(machine, grid, scoring=scoring, cv=3).fit(X, y)
    ours = clone(machine).tune(X, y, grid, scoring=scoring, cv=3)
    np.testing.assert_allclose(ours.cv_results_["mean_test_score"], theirs.cv_results_["mean_test_score"], atol=1e-4)
    assert ours.best_params_ == theirs.best_params_
    for model in (mercer.SVC(), mercer.SVR()):
        with pytest.raises(ValueError, match="judges probabilities"):
            model.tune(X, y, grid, scoring=scoring)


def test_trainings_that_a_limit_ends_are_told(scaled):
    X, y = scaled
    with pytest.warns(ConvergenceWarning, match="trainings had not converged"):
        mercer.SVC(max_iter=1).tune(X, y, {"C": [100.0], "gamma": [0.1]})


def test_ranks_and_times_are_shaped_as_those_of_a_grid_search(scaled):
    X, y = scaled
    grid = {"C": [0.1, 1.0, 1.0001, 10.0], "gamma": [0.1, 0.2]}
    machine = mercer.SVC(break_ties=True, tol=1e-6)
    theirs = GridSearchCV(machine, grid, cv=5).fit(X, y).cv_results_
    ours = clone(machine).tune(X, y, grid, cv=5, exhaustive=True)
    assert set(theirs) <= set(ours.cv_results_)
    np.testing.assert_array_equal(ours.cv_results_["rank_test_score"], theirs["rank_test_score"])
    # A bound is for the best of all settings that were tried.
    assert ours.bounds() == ours.bounds(choices=8) != ours.bounds(choices=1)


@pytest.mark.parametrize("scoring, sign", [("r2", 1), ("neg_mean_absolute_error", -1)])
def test_regression(scoring, sign):
    random = np.random.default_rng(0)
    X = random.uniform(-3, 3, size=(120, 2))
    y = np.sin(X[:, 0]) + 0.1 * random.normal(size=120)
    grid = {"C": [0.1, 1.0, 10.0], "gamma": [0.1, 1.0], "epsilon": [0.01, 0.1]}
    theirs = GridSearchCV(mercer.SVR(), grid, scoring=scoring).fit(X, y)
    ours = mercer.SVR().tune(X, y, grid, scoring=scoring, exhaustive=True)
    assert (ours.cv_results_["mean_test_score"] * sign > 0).all()
    np.testing.assert_allclose(
        ours.cv_results_["mean_test_score"], theirs.cv_results_["mean_test_score"], atol=0.03
    )
    assert ours.best_params_ == theirs.best_params_
    assert ours.get_params()["epsilon"] == ours.best_params_["epsilon"]


def test_hopeless_settings_are_given_up(scaled):
    X, y = scaled
    grid = {"C": np.logspace(-3, 3, 7).tolist(), "gamma": np.logspace(-4, 2, 7).tolist()}
    # Of folds with few rows, five are tried before anything is given up.
    model = mercer.SVC().tune(X, y, grid, cv=10)
    looks, results = model.cv_results_["look"], model.cv_results_
    assert (looks == "given up").any()
    assert np.isnan(results["split9_test_score"][looks == "given up"]).any()
    assert not np.isnan(results["split4_test_score"]).any()
    assert looks[model.best_index_] == "exact" and results["rank_test_score"][model.best_index_] == 1
    complete = mercer.SVC().tune(X, y, grid, cv=10, exhaustive=True)
    assert (complete.cv_results_["look"] != "given up").all()
    assert abs(model.best_score_ - complete.best_score_) < 0.02


def test_the_default_grid(scaled):
    X, y = scaled
    model = mercer.SVC().tune(X, y)
    assert set(model.best_params_) == {"C", "gamma"} and model.best_score_ > 0.95
    assert mercer.SVC(kernel="linear").tune(X, y, cv=3).best_params_.keys() == {"C"}
    assert mercer.NuSVC().tune(X, y, {"nu": [0.1, 0.3], "gamma": [0.1, 1.0]}).best_score_ > 0.9
    shares = mercer.NuSVC(kernel="linear").tune(X, y)
    assert shares.best_params_.keys() == {"nu"} and len(shares.cv_results_["params"]) == 12
    assert mercer.SVC(kernel=mercer.kernels.Gaussian(gamma=0.5)).tune(X, y).best_score_ > 0.9


def test_default_costs_follow_the_noise_and_the_scale(scaled):
    def costs(model, X, y):
        return np.unique(np.asarray(model.tune(X, y, cv=3).cv_results_["param_C"], dtype=float))

    X, y = scaled
    noisy = np.random.RandomState(0).permutation(y)
    clean, worse = costs(mercer.SVC(), X, y), costs(mercer.SVC(), X, noisy)
    assert len(clean) == len(worse) == 7 and clean[0] > 4 * worse[0]
    # A kernel ten times as large is the same machine with a tenth of the cost.
    ten_times = costs(mercer.SVC(kernel=10 * mercer.kernels.Gaussian(gamma=0.5)), X, y)
    np.testing.assert_allclose(10 * ten_times, costs(mercer.SVC(kernel=mercer.kernels.Gaussian(gamma=0.5)), X, y), rtol=0.05)
    t = np.sin(X[:, 0]) + X[:, 1]
    np.testing.assert_allclose(costs(mercer.SVR(), X, 1000 * t), 1000 * costs(mercer.SVR(), X, t), rtol=0.05)


def test_quantiles_are_tuned_by_their_loss(scaled):
    X, _ = scaled
    y = X[:, 0] + np.random.default_rng(1).exponential(size=len(X))
    folds = KFold(5, shuffle=True, random_state=0)
    model = mercer.SVR(loss="pinball", quantile=0.9).tune(X[:, 1:], y, {"C": [0.1, 1.0, 10.0], "gamma": [0.1, 1.0]}, cv=folds)
    alone = mercer.SVR(loss="pinball", quantile=0.9, tol=1e-6, **model.best_params_)
    losses = []
    for train, test in folds.split(X):
        r = y[test] - alone.fit(X[train, 1:], y[train]).predict(X[test, 1:])
        losses.append(np.mean(np.maximum(0.9 * r, -0.1 * r)))
    np.testing.assert_allclose(model.best_score_, -np.mean(losses), rtol=1e-3)
    huber = mercer.SVR(loss="huber", epsilon=0.5).tune(X[:, 1:], y, {"C": [0.1, 1.0]}, cv=folds)
    assert huber.best_score_ < 0


def test_other_splits_grids_and_rows(scaled):
    X, y = scaled
    groups = np.arange(len(y)) % 6
    model = mercer.SVC().tune(X, y, GRID, cv=GroupKFold(3), groups=groups)
    assert "split2_test_score" in model.cv_results_ and "split3_test_score" not in model.cv_results_
    several = [{"kernel": ["linear"], "C": [1.0, 10.0]}, {"kernel": ["rbf"], "C": [1.0], "gamma": [0.1, 1.0]}]
    model = mercer.SVC().tune(X, y, several)
    assert len(model.cv_results_["params"]) == 4
    assert model.cv_results_["param_gamma"].mask.tolist() == [True, True, False, False]
    sparse = mercer.SVC().tune(sp.csr_matrix(X), y, GRID)
    assert sparse.best_params_ == mercer.SVC().tune(X, y, GRID).best_params_
    names = np.array(["a", "b", "c"])[y]
    assert set(mercer.SVC().tune(X, names, GRID).predict(X)) == {"a", "b", "c"}
    copy = pickle.loads(pickle.dumps(model))
    assert copy.best_params_ == model.best_params_
    np.testing.assert_array_equal(copy.predict(X), model.predict(X))


def test_weights_and_classes_count(scaled):
    X, y = scaled
    y = (y == 1).astype(int)
    weights = np.where(np.arange(len(y)) % 3 == 0, 0.0, 1.0)
    kept = weights > 0
    cv = [(np.flatnonzero(kept)[20:], np.flatnonzero(kept)[:20])]
    with_zeros = mercer.SVC(tol=1e-6).tune(X, y, GRID, cv=cv, sample_weight=weights, exhaustive=True)
    few = mercer.SVC(tol=1e-6).tune(X[kept], y[kept], GRID, cv=[(np.arange(20, kept.sum()), np.arange(20))], exhaustive=True)
    np.testing.assert_allclose(
        with_zeros.cv_results_["mean_test_score"], few.cv_results_["mean_test_score"], atol=1e-9
    )
    balanced = mercer.SVC(class_weight="balanced").tune(X, y, GRID, scoring="balanced_accuracy", exhaustive=True)
    theirs = GridSearchCV(mercer.SVC(class_weight="balanced"), GRID, scoring="balanced_accuracy").fit(X, y)
    # There the factors are those of each fold's rows.
    np.testing.assert_allclose(balanced.best_score_, theirs.best_score_, atol=0.03)


def test_the_same_for_any_number_of_threads(scaled):
    X, y = scaled
    one, two = (mercer.SVC(n_jobs=jobs).tune(X, y) for jobs in (1, 2))
    np.testing.assert_array_equal(one.cv_results_["mean_test_score"], two.cv_results_["mean_test_score"])


def test_refusals(scaled):
    X, y = scaled
    with pytest.raises(ValueError, match="GridSearchCV"):
        mercer.SVC().tune(X, y, GRID, scoring=lambda model, X, y: 0.0)
    with pytest.raises(ValueError, match="Invalid parameter 'D'"):
        mercer.SVC().tune(X, y, {"D": [1.0]})
    with pytest.raises(ValueError, match="'C' parameter"):
        mercer.SVC().tune(X, y, {"C": [-1.0]})
    with pytest.raises(ValueError, match="NaN"):
        mercer.SVC().tune(np.full_like(X, np.nan), y, GRID)


def test_random_settings_halving_and_refinement(scaled):
    from scipy.stats import loguniform

    X, y = scaled
    drawn = {"C": loguniform(0.1, 100), "gamma": loguniform(0.01, 1)}
    a, b = (mercer.SVC().tune(X, y, drawn, n_iter=6, random_state=1) for _ in range(2))
    assert len(a.cv_results_["params"]) == 6 and a.best_params_ == b.best_params_

    coarse = mercer.SVC().tune(X, y, {"C": [1.0], "gamma": [0.01]})
    fine = mercer.SVC().tune(X, y, {"C": [1.0], "gamma": [0.01]}, refine=5)
    assert fine.best_score_ > coarse.best_score_
    assert fine.cv_results_["params"][0] == {"C": 1.0, "gamma": 0.01}
    assert len(fine.cv_results_["rank_test_score"]) == len(fine.cv_results_["params"]) > 9
    assert fine.get_params()["gamma"] == fine.best_params_["gamma"]

    random = np.random.default_rng(2)
    X = random.normal(size=(1500, 2))
    y = np.hypot(*X.T) > 1.2
    grid = {"C": [0.01, 1.0, 100.0], "gamma": [0.001, 0.1, 1.0, 100.0]}
    halved = mercer.SVC().tune(X, y, grid, halving=True)
    full = mercer.SVC().tune(X, y, grid)
    assert abs(halved.best_score_ - full.best_score_) < 0.01
    assert (halved.cv_results_["look"] == "given up").sum() >= 6


CRITERIA = (
    "leave-one-out span span-bound opper-winther xi-alpha xi-alpha-by-row jaakkola-haussler support-vectors radius-margin "
    "alignment centred-alignment bound"
).split()


@pytest.mark.parametrize("criterion", CRITERIA)
def test_a_criterion_holds_no_row_out(scaled, criterion):
    X, y = scaled
    model = mercer.SVC(tol=1e-6).tune(X, y, GRID, criterion=criterion)
    scores = model.cv_results_["mean_test_score"]
    assert len(scores) == len(model.cv_results_["params"]) and "split1_test_score" not in model.cv_results_
    assert (scores < 0).any() and (scores <= 0).all()
    assert model.best_score_ == scores.max() and (model.cv_results_["look"] == "exact").all()
    assert model.get_params()["gamma"] == model.best_params_["gamma"]
    again = clone(mercer.SVC(tol=1e-6)).set_params(**model.best_params_).fit(X, y)
    np.testing.assert_array_equal(model.decision_function(X), again.decision_function(X))


def test_leave_one_out_is_that_of_scikit_learn(scaled):
    from sklearn.model_selection import LeaveOneOut, cross_val_score

    X, y = scaled
    two = y < 2
    X, y = X[two], y[two]
    y[::7] = 1 - y[::7]
    grid = {"C": [0.5, 5.0], "gamma": [0.05, 0.5]}
    model = mercer.SVC(tol=1e-8).tune(X, y, grid, criterion="leave-one-out")
    for setting, score in zip(model.cv_results_["params"], model.cv_results_["mean_test_score"]):
        expected = cross_val_score(mercer.SVC(tol=1e-8, **setting), X, y, cv=LeaveOneOut()).mean() - 1.0
        np.testing.assert_allclose(score, expected, atol=1e-12)
    support = mercer.SVC(tol=1e-8).tune(X, y, grid, criterion="support-vectors")
    for setting, score in zip(support.cv_results_["params"], support.cv_results_["mean_test_score"]):
        fitted = mercer.SVC(tol=1e-8, **setting).fit(X, y)
        np.testing.assert_allclose(score, -fitted.n_support_.sum() / len(y), atol=1e-12)


def test_shares_are_chosen_by_their_bound(scaled):
    X, y = scaled
    X, y = X[y < 2], y[y < 2]
    model = mercer.NuSVC().tune(X, y, {"nu": [0.05, 0.2, 0.5], "gamma": [0.05, 0.5]}, criterion="bound")
    assert len(set(model.cv_results_["mean_test_score"])) == 6
    assert model.get_params()["nu"] == model.best_params_["nu"]
    with pytest.raises(ValueError, match="no share nu"):
        mercer.NuSVC().tune(X, y, {"nu": [0.1]}, criterion="span")


def test_a_criterion_refuses_what_is_about_folds(scaled):
    X, y = scaled
    for name, value in [("cv", 3), ("scoring", "f1_macro"), ("exhaustive", True), ("halving", True), ("groups", y)]:
        with pytest.raises(ValueError, match=f"{name} is about folds"):
            mercer.SVC().tune(X, y, GRID, criterion="span", **{name: value})
    with pytest.raises(ValueError, match="leave-one-out, span, span-bound"):
        mercer.SVC().tune(X, y, GRID, criterion="spam")
    with pytest.raises(ValueError, match="known beforehand"):
        mercer.SVC().tune(X, y, GRID, criterion="bound", refine=1)
    with pytest.raises(ValueError, match="margin of classes"):
        mercer.SVR().tune(X, y.astype(float), {"C": [1.0]}, criterion="span")
    with pytest.raises(ValueError, match="about two classes"):
        mercer.SVC(multi_class="ovr").tune(X, y, GRID, criterion="bound")


def test_a_search_can_be_held_out_from(scaled):
    from sklearn.model_selection import StratifiedKFold, cross_val_score

    X, y = scaled
    random = np.random.default_rng(4)
    y = random.permutation(y)
    outer = StratifiedKFold(4)
    tuned = [mercer.SVC().tune(X[a], y[a], GRID, exhaustive=True) for a, _ in outer.split(X, y)]
    ours = [model.score(X[b], y[b]) for model, (_, b) in zip(tuned, outer.split(X, y))]
    theirs = cross_val_score(GridSearchCV(mercer.SVC(), GRID), X, y, cv=outer)
    # There gamma is found for each inner fold, and settings of equal scores are many.
    np.testing.assert_allclose(np.mean(ours), theirs.mean(), atol=0.12)
    # Nothing can be learned, and only the held-out rows say so.
    assert np.mean([model.best_score_ for model in tuned]) > np.mean(ours)


@pytest.mark.parametrize("weighted", [False, True])
def test_widths_can_be_found_in_every_fold(iris, weighted):
    X, y = iris
    # Columns of very different size: the variance of a fold is not that of all rows.
    X = X * [1.0, 3.0, 9.0, 27.0]
    cv = StratifiedKFold(3, shuffle=True, random_state=1)
    weights = np.random.default_rng(0).integers(1, 3, size=len(y)).astype(float) if weighted else None
    machine = mercer.SVC(break_ties=True, tol=1e-6)
    grid = {"C": [0.01, 0.1, 1.0, 10.0], "gamma": ["scale", 1e-4]}
    found = clone(machine).tune(X, y, grid, cv=cv, per_fold=True, sample_weight=weights)
    assert (found.cv_results_["look"] == "exact").all()
    for setting in range(8):
        for fold, (train, test) in enumerate(cv.split(X, y)):
            model = clone(machine).set_params(**found.cv_results_["params"][setting])
            of_train = None if weights is None else weights[train]
            of_test = None if weights is None else weights[test]
            score = model.fit(X[train], y[train], sample_weight=of_train).score(X[test], y[test], sample_weight=of_test)
            assert abs(found.cv_results_[f"split{fold}_test_score"][setting] - score) < 1e-12
    if not weighted:
        theirs = GridSearchCV(machine, grid, cv=cv).fit(X, y)
        np.testing.assert_allclose(found.cv_results_["mean_test_score"], theirs.cv_results_["mean_test_score"])
        assert found.best_params_ == theirs.best_params_
    with pytest.raises(ValueError, match="halving"):
        clone(machine).tune(X, y, grid, per_fold=True, halving=True)
    with pytest.raises(ValueError, match="per_fold is about folds"):
        clone(machine).tune(X, y, grid, criterion="span", per_fold=True)


@pytest.mark.parametrize("n_jobs", [1, 2])
def test_linear_machines(scaled, n_jobs):
    X, y = scaled
    cv = StratifiedKFold(4, shuffle=True, random_state=0)
    grid = {"C": [0.001, 0.1, 1.0], "loss": ["hinge", "squared_hinge"]}
    machine = mercer.LinearSVC(tol=1e-6, max_iter=100_000, n_jobs=n_jobs)
    theirs = GridSearchCV(machine, grid, cv=cv).fit(X, y)
    ours = clone(machine).tune(X, y, grid, cv=cv, exhaustive=True)
    np.testing.assert_array_equal(ours.cv_results_["mean_test_score"], theirs.cv_results_["mean_test_score"])
    assert ours.best_params_ == theirs.best_params_ and (ours.predict(X) == theirs.predict(X)).all()
    assert ours.n_jobs == n_jobs
    # Who is told to take no notice of two of three classes is soon behind.
    grid = {"C": [0.01, 0.1, 1.0], "class_weight": [None, {0: 1.0, 1: 1e-9, 2: 1e-9}]}
    raced = clone(machine).tune(sp.csr_matrix(X), y, grid, cv=StratifiedKFold(6, shuffle=True, random_state=0))
    assert raced.best_params_["class_weight"] is None
    given_up = raced.cv_results_["look"] == "given up"
    assert given_up.any() and np.isnan(raced.cv_results_["split5_test_score"][given_up]).all()

    X, y = np.ascontiguousarray(X[:, :3]), X[:, 3]
    weights = np.random.default_rng(0).integers(0, 3, size=len(y)).astype(float)
    machine = mercer.LinearSVR(C=0.1, max_iter=100_000, n_jobs=n_jobs)
    found = machine.tune(X, y, scoring="neg_mean_absolute_error", cv=3, sample_weight=weights)
    assert found.best_score_ == found.cv_results_["mean_test_score"].max() and found.C == found.best_params_["C"]
    train, test = np.arange(50, 150), np.arange(50)
    alone = clone(machine).set_params(C=0.001).fit(X[train], y[train], sample_weight=weights[train])
    score = -np.average(np.abs(alone.predict(X[test]) - y[test]), weights=weights[test])
    assert abs(found.cv_results_["split0_test_score"][0] - score) < 1e-12


@pytest.mark.parametrize("machine", [mercer.OneClassSVM, mercer.SVDD])
def test_regions_are_tuned_without_labels(machine):
    random = np.random.default_rng(4)
    angles = random.uniform(0, 2 * np.pi, 400)
    ring = np.column_stack([np.cos(angles), np.sin(angles)]) * random.normal(1.0, 0.05, size=(400, 1))
    found = machine(nu=0.1).tune(ring, random_state=0)
    results = found.cv_results_
    best = found.best_index_
    # A wide kernel takes the middle of the ring for a part of it, a narrow one leaves too many rows outside.
    assert (found.predict([[0.0, 0.0], [1.0, 0.0], [0.0, -1.0]]) == [-1, 1, 1]).all()
    widest, narrowest = results["params"][0], results["params"][-1]
    assert machine(nu=0.1, **widest).fit(ring).predict([[0.0, 0.0]]) == 1
    assert results["mean_outside"][-1] > 0.2 and narrowest["gamma"] > found.gamma > widest["gamma"]
    # Each number by hand.
    points = np.random.RandomState(0)
    low, high = ring.min(axis=0), ring.max(axis=0)
    points = points.uniform(low - 0.1 * (high - low), high + 0.1 * (high - low), size=(1000, 2))
    shares = []
    for fold, (train, test) in enumerate(KFold(5).split(ring)):
        model = machine(nu=0.1, **found.best_params_).fit(ring[train])
        shares.append(np.mean(model.predict(ring[test]) < 0))
        assert results[f"split{fold}_test_score"][best] == np.mean(model.predict(points) < 0)
    assert abs(results["mean_outside"][best] - np.mean(shares)) < 1e-12 and results["wanted_outside"][best] == 0.1
    assert abs(np.mean(shares) - 0.1) <= 2 * np.sqrt(0.1 * 0.9 / 400)
    near = np.abs(results["mean_outside"] - 0.1) <= 2 * np.sqrt(0.1 * 0.9 / 400)
    assert found.best_score_ == results["mean_test_score"][near].max()
    same = machine(nu=0.1, n_jobs=1).tune(ring, random_state=0)
    np.testing.assert_array_equal(same.cv_results_["mean_test_score"], results["mean_test_score"])


def test_regions_of_a_wanted_share():
    X = np.random.default_rng(1).normal(size=(300, 2))
    with pytest.raises(ValueError, match="as outside"):
        mercer.OneClassSVM().tune(X, None, {"nu": [0.1, 0.2]})
    # Nothing that is tried leaves so few outside.
    narrow = mercer.OneClassSVM(nu=0.01).tune(X, None, {"gamma": [100.0, 1e6]}, random_state=0)
    assert narrow.cv_results_["look"].tolist() == ["nearest", "missed"]
    found = mercer.SVDD().tune(X, None, {"C": [0.01, 0.03, 0.1, 1.0], "gamma": [0.05, 0.5]}, outside=0.1, random_state=0)
    assert abs((found.predict(np.random.default_rng(2).normal(size=(2000, 2))) < 0).mean() - 0.1) < 0.06
    with pytest.raises(ValueError, match="C does not say it"):
        mercer.SVDD(C=1.0).tune(X)
    with pytest.raises(ValueError, match="C does not say it"):
        mercer.SVDD().tune(X, None, {"C": [1.0]})
    with pytest.raises(ValueError, match="outside = 1.5"):
        mercer.OneClassSVM().tune(X, outside=1.5)
    with pytest.raises(TypeError, match="dense"):
        mercer.OneClassSVM().tune(sp.csr_matrix(X))
    with pytest.raises(ValueError, match="needs features"):
        mercer.OneClassSVM(kernel="precomputed").tune(X @ X.T)


def test_splits_may_be_masks_and_are_refused_if_they_are_no_places(scaled):
    X, y = scaled
    even = np.arange(len(y)) % 2 == 0
    masks, places = [(even, ~even), (~even, even)], [(np.flatnonzero(even), np.flatnonzero(~even) - len(y))] * 2
    by_masks = mercer.SVC().tune(X, y, {"C": [1.0, 10.0]}, cv=masks, exhaustive=True)
    by_places = mercer.SVC().tune(X, y, {"C": [1.0, 10.0]}, cv=places, exhaustive=True)
    key = "split0_test_score"
    np.testing.assert_array_equal(by_masks.cv_results_[key], by_places.cv_results_[key])
    assert by_masks.best_score_ < 1.0
    for wrong in ([0.5, 1.5], ["0", "1"], [0, len(y)]):
        with pytest.raises(IndexError):
            mercer.SVC().tune(X, y, {"C": [1.0]}, cv=[(wrong, [2, 3])])


def test_options_are_checked_by_name_and_a_later_fit_forgets_the_search(scaled):
    X, y = scaled
    for options in ({"n_iter": 0}, {"n_iter": 1.5}, {"refine": -1}, {"halving": "no"}, {"exhaustive": 1}, {"criterion": 3}):
        (name,) = options
        with pytest.raises(ValueError, match=f"{name}="):
            mercer.SVC().tune(X, y, {"C": [1.0]}, **options)
    with pytest.raises(ValueError, match="no settings"):
        mercer.SVC().tune(X, y, [])
    with pytest.raises(ValueError, match="C = inf: tune compares finite costs"):
        mercer.SVC().tune(X, y, {"C": [1.0, np.inf]})
    for machine in (mercer.SVC(), mercer.LinearSVC(), mercer.OneClassSVM()):
        grid = {"nu": [0.1]} if isinstance(machine, mercer.OneClassSVM) else {"C": [1.0]}
        machine.tune(X, y, grid)
        assert machine.best_params_ == {name: values[0] for name, values in grid.items()}
        machine.fit(X, y)
        assert not any(hasattr(machine, name) for name in ("best_params_", "best_score_", "best_index_", "cv_results_"))
