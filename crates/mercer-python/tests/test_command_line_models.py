"""Models that the command line trained, as estimators. `MERCER_CLI` names its program; `./check` builds it."""

import os
import subprocess

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone
from sklearn.metrics import adjusted_rand_score
from sklearn.pipeline import make_pipeline

import mercer

PROGRAM = os.environ.get("MERCER_CLI")
pytestmark = pytest.mark.skipif(not PROGRAM, reason="MERCER_CLI does not name the program `mercer`")


def run(*arguments):
    subprocess.run([PROGRAM, *map(str, arguments)], check=True, capture_output=True, text=True)


@pytest.fixture
def table(tmp_path):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(90, 3)) * [1.0, 20.0, 0.1] + [0.0, 5.0, 1.0]
    frame = pd.DataFrame(X, columns=["a", "b", "c"])
    frame["kind"] = np.where(X[:, 0] + 0.1 * X[:, 1] > 0.5, "yes", np.where(X[:, 2] > 1.1, "perhaps", "no"))
    frame["size"] = X[:, 0] ** 2 + 0.05 * X[:, 1]
    frame["side"] = np.where(X[:, 0] + 0.1 * X[:, 1] > 0.5, "yes", "no")
    frame["level"] = np.digitize(X[:, 0] + 0.02 * X[:, 1], [-0.5, 0.5]) + 1
    frame["text"] = ["".join(rng.choice(list("abcd"), 12)) for _ in range(90)]
    for target in ("kind", "size", "side", "level"):
        frame[["a", "b", "c", target]].to_csv(tmp_path / f"{target}.csv", index=False)
        frame[["text", target]].to_csv(tmp_path / f"text-{target}.csv", index=False)
    frame[["a", "b", "c"]].to_csv(tmp_path / "rows.csv", index=False)
    return frame


def predicted(model, data, folder, *more):
    """What the command line says about the rows of a file."""
    run("predict", folder / model, folder / data, "-o", folder / f"{model}.csv", *more)
    return pd.read_csv(folder / f"{model}.csv")


def answers(model, X):
    ask = next(name for name in ("predict_proba", "decision_function", "transform", "predict") if hasattr(model, name))
    return getattr(model, ask)(X)


def assert_same_machine(model, again, X, tolerance):
    expected = answers(model, X)
    np.testing.assert_allclose(answers(again, X), expected, atol=tolerance * max(1, np.abs(expected).max()))


CASES = [
    ("kind", ["--cost", "3"], "SVC", {"C": 3.0, "loss": "hinge", "break_ties": True}),
    ("kind", ["--cost", "3", "--slack", "quadratic"], "SVC", {"C": 3.0, "loss": "squared_hinge"}),
    ("kind", ["--cost", "3", "--class-weight", "yes=2.5"], "SVC", {"C": 3.0, "class_weight": {"yes": 2.5}}),
    ("kind", ["--cost", "3", "--multiclass", "one-against-rest"], "SVC", {"C": 3.0, "multi_class": "ovr"}),
    ("kind", ["--slack", "nu", "--nu", "0.2"], "NuSVC", {"nu": 0.2}),
    ("size", ["--cost", "3", "--tube", "0.2"], "SVR", {"C": 3.0, "epsilon": 0.2}),
    ("size", ["--cost", "3", "--loss", "quantile", "--level", "0.9"], "SVR", {"C": 3.0, "loss": "pinball", "quantile": 0.9}),
    ("size", ["--cost", "3", "--loss", "huber", "--width", "0.3"], "SVR", {"C": 3.0, "loss": "huber", "epsilon": 0.3}),
    ("size", ["--cost", "3", "--loss", "nu", "--nu", "0.3"], "NuSVR", {"C": 3.0, "nu": 0.3}),
    ("kind", ["--task", "novelty", "--nu", "0.2"], "OneClassSVM", {"nu": 0.2}),
    ("kind", ["--task", "novelty", "--nu", "0.2", "--region", "sphere"], "SVDD", {"nu": 0.2}),
    ("size", ["--machine", "ridge", "--cost", "4"], "KernelRidge", {"alpha": 0.25, "fit_intercept": True}),
    ("kind", ["--machine", "lssvm", "--cost", "4"], "LSSVC", {"C": 4.0}),
    ("size", ["--machine", "pls", "--components", "3"], "KernelPLS", {"n_components": 3}),
    ("kind", ["--machine", "fisher", "--regularisation", "0.3"], "KernelFisherDiscriminant", {"regularisation": 0.3}),
    ("kind", ["--machine", "rbf-network", "--bumps", "4", "--seed", "7"], "RBFNetwork", {"n_units": 4, "random_state": 7}),
    ("size", ["--machine", "rbf-network", "--bumps", "5", "--seed", "3"], "RBFNetworkRegressor", {"n_units": 5, "random_state": 3}),
    ("size", ["--machine", "ridge", "--cost", "4", "--no-offset"], "KernelRidge", {"alpha": 0.25, "fit_intercept": False}),
    ("size", ["--machine", "gp", "--cost", "4"], "GaussianProcessRegressor", {"alpha": 0.25, "optimizer": None}),
    ("size", ["--machine", "gp", "--cost", "4", "--rank", "20"], "GaussianProcessRegressor", {"alpha": 0.25, "rank": 20}),
    ("kind", ["--machine", "gp", "--cost", "4"], "GaussianProcessClassifier", {"optimizer": None}),
    ("size", ["--machine", "rvm"], "RVR", {"fit_intercept": True}),
    ("size", ["--machine", "rvm", "--no-offset"], "RVR", {"fit_intercept": False}),
    ("kind", ["--machine", "rvm"], "RVC", {"fit_intercept": True}),
    ("level", ["--machine", "ordinal", "--cost", "3"], "OrdinalSVM", {"C": 3.0}),
    ("side", ["--machine", "bayes-point", "--perceptrons", "20", "--seed", "7"], "BayesPointMachine", {"n_perceptrons": 20, "random_state": 7}),
    ("kind", ["--machine", "sphere-slab", "--components", "3", "--nu", "0.2"], "SphereAndSlab", {"n_components": 3, "outside": 0.2}),
]


@pytest.mark.parametrize(("target", "options", "kind", "parameters"), CASES, ids=lambda part: part if isinstance(part, str) else "")
def test_a_clone_behind_the_scaler_trains_the_same_machine(target, options, kind, parameters, table, tmp_path):
    path = tmp_path / "model.mercer"
    kernel = [] if "rbf-network" in options else ["--kernel", "gaussian(gamma=0.4) + 0.5 * linear"]
    run("train", tmp_path / f"{target}.csv", *kernel, *options, "--test", "none", "-o", path)
    loaded = mercer.load(path)
    assert type(loaded).__name__ == kind
    found = loaded.get_params()
    assert {name: found[name] for name in parameters} == parameters
    if kernel:
        # A classifier's Gaussian process has a factor before its kernel.
        assert found.get("kernel__left__gamma", found.get("kernel__right__left__gamma")) == 0.4
    X, y = table[["a", "b", "c"]], table[target]
    said = predicted("model.mercer", f"{target}.csv", tmp_path).iloc[:, 0]
    if kind in ("OneClassSVM", "SVDD", "SphereAndSlab"):
        assert ((said == "known") == (loaded.predict(X) > 0)).all()
    elif y.dtype.kind == "f":
        np.testing.assert_allclose(loaded.predict(X), said, rtol=1e-12)
    else:
        np.testing.assert_array_equal(loaded.predict(X), said)
    again = make_pipeline(clone(loaded.scaler_), clone(loaded)).fit(X, y)
    assert_same_machine(loaded, again, X, 5e-3)
    # Nothing of the table is left once the estimator itself has learned other rows.
    assert not hasattr(loaded.fit(X.to_numpy(), y), "scaler_")


def test_principal_components_and_clusters(table, tmp_path):
    X, kernel = table[["a", "b", "c"]], ["--label", "none", "--kernel", "gaussian(gamma=0.4) + 0.5 * linear"]
    run("reduce", tmp_path / "rows.csv", *kernel, "--components", "3", "--seed", "7", "-o", tmp_path / "pca.mercer")
    loaded = mercer.load(tmp_path / "pca.mercer")
    found = loaded.get_params()
    assert (found["n_components"], found["random_state"], found["kernel__left__gamma"]) == (3, 7, 0.4)
    np.testing.assert_allclose(loaded.transform(X), predicted("pca.mercer", "rows.csv", tmp_path, "--label", "none"), rtol=1e-12)
    assert_same_machine(loaded, make_pipeline(clone(loaded.scaler_), clone(loaded)).fit(X), X, 1e-9)
    for options, kind, key in ([], "KernelKMeans", "kernel"), (["--spectral"], "SpectralClustering", "affinity"):
        path = tmp_path / f"{kind}.mercer"
        run("cluster", tmp_path / "rows.csv", *kernel, *options, "--clusters", "3", "--starts", "4", "--seed", "7", "-o", path)
        loaded = mercer.load(path)
        found = loaded.get_params()
        assert type(loaded).__name__ == kind and found[f"{key}__left__gamma"] == 0.4
        assert (found["n_clusters"], found["n_init"], found["random_state"]) == (3, 4, 7)
        said = predicted(path.name, "rows.csv", tmp_path, "--label", "none").iloc[:, 0]
        assert adjusted_rand_score(said, loaded.predict(X)) == 1
        again = make_pipeline(clone(loaded.scaler_), clone(loaded)).fit(X)
        assert adjusted_rand_score(said, again[-1].labels_) == 1


def test_canonical_correlations(table, tmp_path):
    X, Y = table[["a", "b", "c"]], pd.DataFrame({"u": table["a"] ** 2, "v": table["b"]})
    Y.to_csv(tmp_path / "other.csv", index=False)
    paths = [tmp_path / "first.mercer", tmp_path / "second.mercer"]
    kernels = ["--kernel", "gaussian(gamma=0.4) + 0.5 * linear", "--other-kernel", "gaussian(gamma=0.7)"]
    options = ["--label", "none", "--components", "3", "--regularisation", "0.2", "--rank", "40", "-o", *paths]
    run("correlate", tmp_path / "rows.csv", tmp_path / "other.csv", *kernels, *options)
    loaded = mercer.load(*paths)
    found = loaded.get_params()
    assert (found["n_components"], found["regularisation"], found["rank"]) == (3, 0.2, 40)
    assert (found["kernel__left__gamma"], found["kernel_y__gamma"]) == (0.4, 0.7)
    np.testing.assert_allclose(loaded.transform(X), predicted(paths[0].name, "rows.csv", tmp_path, "--label", "none"), rtol=1e-12)
    second = predicted(paths[1].name, "other.csv", tmp_path, "--label", "none")
    np.testing.assert_allclose(loaded.transform_y(Y), second, rtol=1e-12)
    scaled = [(view - view.mean()) / view.std(ddof=0) for view in (X, Y)]
    again = clone(loaded).fit(*scaled)
    np.testing.assert_allclose(again.correlations_, loaded.correlations_, rtol=1e-6)
    np.testing.assert_allclose(again.transform(scaled[0]), loaded.transform(X), atol=1e-5)


def test_rankings(table, tmp_path):
    kernel = ["--kernel", "gaussian(gamma=0.4) + 0.5 * linear", "--cost", "3"]
    run("rank", tmp_path / "size.csv", *kernel, "-o", tmp_path / "rank.mercer")
    loaded, X = mercer.load(tmp_path / "rank.mercer"), table[["a", "b", "c"]]
    assert (type(loaded).__name__, loaded.C, loaded.get_params()["kernel__left__gamma"]) == ("RankSVM", 3.0, 0.4)
    np.testing.assert_allclose(loaded.predict(X), predicted("rank.mercer", "size.csv", tmp_path).iloc[:, 0], rtol=1e-12)
    again = make_pipeline(clone(loaded.scaler_), clone(loaded)).fit(X, table["size"])
    assert_same_machine(loaded, again, X, 5e-3)


STRUCTURED = [
    ("side", ["--cost", "3"], "SVC", {"C": 3.0}),
    ("side", ["--slack", "nu", "--nu", "0.2"], "NuSVC", {"nu": 0.2}),
    ("size", ["--cost", "3", "--tube", "0.2"], "SVR", {"C": 3.0, "epsilon": 0.2}),
    ("side", ["--task", "novelty", "--nu", "0.2"], "OneClassSVM", {"nu": 0.2}),
    ("side", ["--machine", "lssvm", "--cost", "3"], "LSSVC", {"C": 3.0}),
    ("size", ["--machine", "ridge", "--cost", "4"], "KernelRidge", {"alpha": 0.25}),
    ("size", ["--machine", "gp", "--cost", "4"], "GaussianProcessRegressor", {"alpha": 0.25, "optimizer": None}),
    ("side", ["--machine", "gp", "--cost", "4"], "GaussianProcessClassifier", {"optimizer": None}),
    ("size", ["--machine", "rvm"], "RVR", {}),
    ("side", ["--machine", "bayes-point", "--seed", "7"], "BayesPointMachine", {"random_state": 7}),
    ("side", ["--machine", "fisher", "--rank", "50"], "KernelFisherDiscriminant", {"rank": 50}),
    ("level", ["--machine", "ordinal", "--cost", "3"], "OrdinalSVM", {"C": 3.0}),
    ("side", ["--machine", "sphere-slab", "--nu", "0.2"], "SphereAndSlab", {"outside": 0.2}),
]


@pytest.mark.parametrize(("target", "options", "kind", "parameters"), STRUCTURED, ids=lambda part: part if isinstance(part, str) else "")
def test_machines_of_strings_have_their_kernels_as_objects(target, options, kind, parameters, table, tmp_path):
    kernel = ["--kernel", "normalise(spectrum(k=2)) + 0.5 * mismatch(k=3, m=1)", "--header", "yes"]
    run("train", tmp_path / f"text-{target}.csv", *kernel, *options, "--test", "none", "-o", tmp_path / "model.mercer")
    loaded, items = mercer.load(tmp_path / "model.mercer"), list(table["text"])
    found = loaded.get_params()
    assert type(loaded).__name__ == kind and {name: found[name] for name in parameters} == parameters
    assert (found["kernel__left__kernel__k"], found["kernel__right__right__k"], found["kernel__right__right__m"]) == (2, 3, 1)
    said = predicted("model.mercer", f"text-{target}.csv", tmp_path, "--header", "yes").iloc[:, 0]
    if kind in ("OneClassSVM", "SphereAndSlab"):
        assert ((said == "known") == (loaded.predict(items) > 0)).all()
    elif target == "size":
        np.testing.assert_allclose(loaded.predict(items), said, rtol=1e-12)
    else:
        np.testing.assert_array_equal(loaded.predict(items), said)
    np.testing.assert_array_equal(loaded.predict(table[["text"]]), loaded.predict(items))
    assert_same_machine(loaded, clone(loaded).fit(items, table[target]), items, 5e-3)


def test_frames_with_categories_are_taken_as_they_are(tmp_path):
    rng = np.random.default_rng(1)
    frame = pd.DataFrame({"size": rng.normal(size=60), "color": rng.choice(["red", "blue", "green"], 60), "code": rng.choice([1, 2], 60)})
    frame["kind"] = np.where((frame["color"] == "red") ^ (frame["size"] > 0), "x", "y")
    frame.to_csv(tmp_path / "t.csv", index=False)
    run("train", tmp_path / "t.csv", "--words", "code", "--cost", "10", "--test", "none", "-o", tmp_path / "m.mercer")
    run("predict", tmp_path / "m.mercer", tmp_path / "t.csv", "-o", tmp_path / "p.csv")
    model = mercer.load(tmp_path / "m.mercer")
    expected = pd.read_csv(tmp_path / "p.csv").iloc[:, 0].to_numpy()
    np.testing.assert_array_equal(model.predict(frame), expected)
    # In any order, without the label, as categories, and as the features that were made of it.
    np.testing.assert_array_equal(model.predict(frame[["color", "code", "size"]]), expected)
    np.testing.assert_array_equal(model.predict(frame.astype({"color": "category"})), expected)
    codes = pd.DataFrame({name: frame["size"] if name == "size" else (frame[name.split("=")[0]].astype(str) == name.split("=")[1]) * 1.0 for name in model.feature_names_in_})
    np.testing.assert_array_equal(model.predict(codes), expected)
    new = frame.assign(color="purple")
    with pytest.warns(UserWarning, match="column 'color': 60 rows have categories that the training did not .'purple' in row 0."):
        model.predict(new)
    with pytest.raises(ValueError, match="the frame has no column 'color'"):
        model.predict(frame[["size", "code"]])
    with pytest.raises(ValueError, match="row 2, column 'size': the value is missing"):
        model.predict(frame.assign(size=[0.0, 1.0, np.nan] * 20))
    with pytest.raises(ValueError, match="row 0, column 'size': expected a number, found 'tall'"):
        model.predict(frame.assign(size="tall"))


def test_frames_of_polars_are_taken_as_they_are(tmp_path):
    pl = pytest.importorskip("polars")
    frame = pl.DataFrame({"size": [0.5, -1.0, 2.0, 0.1, 1.5, -0.3], "color": ["red", "blue", "red", "blue", "red", "blue"], "kind": list("xyxyxy")})
    frame.write_csv(tmp_path / "t.csv")
    run("train", tmp_path / "t.csv", "--cost", "10", "--test", "none", "-o", tmp_path / "m.mercer")
    assert mercer.load(tmp_path / "m.mercer").predict(frame).tolist() == list("xyxyxy")


def test_labels_beside_categories_do_not_matter_without_names(tmp_path):
    (tmp_path / "t.csv").write_text("1.5,red,x\n2.5,blue,y\n1.0,red,x\n3.0,blue,y\n")
    run("train", tmp_path / "t.csv", "--cost", "10", "--test", "none", "-o", tmp_path / "m.mercer")
    model = mercer.load(tmp_path / "m.mercer")
    rows = pd.read_csv(tmp_path / "t.csv", header=None)
    assert model.predict(rows).tolist() == model.predict(rows[[0, 1]]).tolist() == ["x", "y", "x", "y"]
    with pytest.raises(ValueError, match="the frame has 1 columns, and the model was trained with 2 columns without names"):
        model.predict(rows[[1]])
