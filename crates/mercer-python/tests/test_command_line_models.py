"""Models that the command line trained, as estimators. `MERCER_CLI` names its program; `./check` builds it."""

import os
import subprocess

import numpy as np
import pandas as pd
import polars as pl
import pytest
from sklearn.base import clone
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
    for target in ("kind", "size"):
        frame[["a", "b", "c", target]].to_csv(tmp_path / f"{target}.csv", index=False)
    return frame


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
        assert found["kernel__left__gamma"] == 0.4
    X, y = table[["a", "b", "c"]], table[target]
    again = make_pipeline(clone(loaded.scaler_), clone(loaded)).fit(X, y)
    ask = "decision_function" if hasattr(loaded, "decision_function") else "predict"
    expected = getattr(loaded, ask)(X)
    # The networks' seeds go through numpy's generator in Python: other starts, so that only the machine is compared.
    if kind != "RBFNetwork":
        np.testing.assert_allclose(getattr(again, ask)(X), expected, atol=5e-3 * max(1, np.abs(expected).max()))
    # Nothing of the table is left once the estimator itself has learned other rows.
    assert not hasattr(loaded.fit(X.to_numpy(), y), "scaler_")


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
    # In any order, without the label, as another kind of frame, and as the features that were made of it.
    np.testing.assert_array_equal(model.predict(frame[["color", "code", "size"]]), expected)
    np.testing.assert_array_equal(model.predict(pl.from_pandas(frame)), expected)
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


def test_labels_beside_categories_do_not_matter_without_names(tmp_path):
    (tmp_path / "t.csv").write_text("1.5,red,x\n2.5,blue,y\n1.0,red,x\n3.0,blue,y\n")
    run("train", tmp_path / "t.csv", "--cost", "10", "--test", "none", "-o", tmp_path / "m.mercer")
    model = mercer.load(tmp_path / "m.mercer")
    rows = pd.read_csv(tmp_path / "t.csv", header=None)
    assert model.predict(rows).tolist() == model.predict(rows[[0, 1]]).tolist() == ["x", "y", "x", "y"]
    with pytest.raises(ValueError, match="the frame has 1 columns, and the model was trained with 2 columns without names"):
        model.predict(rows[[1]])
