"""Models of files that become estimators."""

import os
import threading

import numpy as np
import pytest
from sklearn.base import clone

import mercer
from mercer import kernels
from mercer._formulas import from_formula

MODELS = [mercer.KernelPerceptron(), mercer.PassiveAggressiveClassifier(), mercer.PassiveAggressiveRegressor(), mercer.OnlineSVR(), mercer.PRank()]


@pytest.mark.parametrize("machine", MODELS, ids=lambda machine: type(machine).__name__)
def test_names_of_libsvm_models_are_for_what_libsvm_knows(machine, tmp_path):
    model = machine.fit([[0.0], [1.0], [2.0], [3.0]], [0, 0, 1, 1])
    with pytest.raises(ValueError, match="LIBSVM's format holds support vector machines only"):
        model.save(tmp_path / "x.model")
    assert not (tmp_path / "x.model").exists()


@pytest.mark.parametrize(
    "kernel",
    [
        0.5 * kernels.Gaussian(gamma=0.3) + kernels.Linear(),
        (2 * kernels.Polynomial(degree=2, gamma="scale") + 1) ** 3,
        kernels.Normalise(kernels.Columns([0, 2], kernels.Gaussian(length_scale=[1.0, 2.5]))) * kernels.Matern(nu=2.5),
        kernels.Column("a b", "equality") * kernels.Column("age", kernels.Gaussian(gamma=1.0)),
        kernels.Mismatch(k=3, m=1, alphabet='a"\\') + 0.25 * kernels.Tokens(kernels.Spectrum(k=2)),
        kernels.SetSum(kernels.Gaussian(gamma=0.5), mean=True),
        kernels.White(0.1) + kernels.Centre(kernels.Linear()) + kernels.Constant(2.0),
    ],
    ids=str,
)
def test_formulas_become_the_objects_that_they_were_written_of(kernel):
    found = from_formula(str(kernel))
    assert found == kernel and not isinstance(found, kernels.Formula)
    assert set(found.get_params()) == set(kernel.get_params())


@pytest.mark.parametrize("machine", [mercer.SVC(C=3.0), mercer.SVR(C=3.0, epsilon=0.2), mercer.OneClassSVM(nu=0.2), mercer.LSSVC(C=4.0)])
def test_a_clone_of_a_loaded_model_trains_the_same_machine(machine, tmp_path):
    X = np.random.default_rng(0).normal(size=(40, 3))
    y = (X[:, 0] > 0) + 0.0
    kernel = kernels.Gaussian(gamma=0.3) + 0.5 * kernels.Linear()
    model = clone(machine).set_params(kernel=kernel).fit(X, y)
    model.save(tmp_path / "m.mercer")
    loaded = mercer.load(tmp_path / "m.mercer")
    assert loaded.get_params()["kernel__left__gamma"] == 0.3
    ask = "decision_function" if hasattr(model, "decision_function") else "predict"
    again = clone(loaded).fit(X, y)
    np.testing.assert_array_equal(getattr(again, ask)(X), getattr(model, ask)(X))
    wider = clone(loaded).set_params(kernel__left__gamma=0.01).fit(X, y)
    assert abs(getattr(wider, ask)(X) - getattr(model, ask)(X)).max() > 1e-3


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no named pipes")
@pytest.mark.parametrize("machine", [mercer.SVC(), mercer.OnlineSVR(), mercer.LSSVC()])
def test_a_model_is_read_once_so_that_it_may_come_from_a_pipe(machine, tmp_path):
    X = np.random.default_rng(0).normal(size=(20, 2))
    model = machine.fit(X, np.arange(20) % 2)
    model.save(tmp_path / "m.mercer")
    os.mkfifo(tmp_path / "pipe")
    writer = threading.Thread(target=(tmp_path / "pipe").write_bytes, args=[(tmp_path / "m.mercer").read_bytes()])
    writer.start()
    loaded = mercer.load(tmp_path / "pipe")
    writer.join()
    assert type(loaded) is type(model)
    np.testing.assert_array_equal(loaded.predict(X), model.predict(X))


@pytest.mark.skipif(not os.path.exists("/dev/zero"), reason="there is no file without an end")
def test_a_file_without_an_end_is_refused():
    with pytest.raises(ValueError, match="not a Mercer model"):
        mercer.load("/dev/zero")


def test_coefficients_of_linear_kernels():
    X = np.random.default_rng(0).normal(size=(40, 3))
    y = (X @ [1.0, -2.0, 0.5] > 0).astype(int)
    for machine in (mercer.SVC, mercer.SVR, mercer.OneClassSVM):
        named, given = machine(kernel="linear").fit(X, y), machine(kernel=kernels.Linear()).fit(X, y)
        np.testing.assert_array_equal(given.coef_, named.coef_)
        with pytest.raises(AttributeError, match="linear kernel"):
            machine(kernel=kernels.Gaussian()).fit(X, y).coef_
