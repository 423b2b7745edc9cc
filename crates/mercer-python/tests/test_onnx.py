"""Models of ONNX, asked by onnxruntime."""

import numpy as np
import onnxruntime
import pytest
from sklearn.datasets import load_digits

import mercer
from mercer import kernels


def answer(model, X):
    session = onnxruntime.InferenceSession(
        mercer.to_onnx(model).SerializeToString(), providers=["CPUExecutionProvider"]
    )
    return session.run(None, {"X": X.astype(np.float32)})


@pytest.mark.parametrize("kernel", ["linear", "rbf", "poly", "sigmoid"])
def test_classes(iris, two_classes, kernel):
    for X, y in (iris, two_classes):
        model = mercer.SVC(kernel=kernel, decision_function_shape="ovo").fit(X, y)
        labels, scores = answer(model, X)
        assert (labels == model.predict(X)).all()
        values = model.decision_function(X)
        np.testing.assert_allclose(scores if values.ndim == 2 else scores[:, 0], values, rtol=1e-4, atol=1e-4)
    names = np.array(["no", "yes"])[y]
    assert (answer(mercer.NuSVC(nu=0.1).fit(X, names), X)[0] == mercer.NuSVC(nu=0.1).fit(X, names).predict(X)).all()


def test_probabilities(iris, two_classes):
    for X, y in (iris, two_classes):
        model = mercer.SVC(probability="platt").fit(X, y)
        labels, probabilities = answer(model, X)
        np.testing.assert_allclose(probabilities, model.predict_proba(X), rtol=0, atol=1e-5)
        assert (labels == model.predict(X)).all()
    with pytest.raises(NotImplementedError, match="platt"):
        mercer.to_onnx(mercer.SVC(probability=True).fit(X, y))


def test_probabilities_of_many_classes():
    X, y = load_digits(return_X_y=True)
    X = (X / 16).astype(np.float32)
    model = mercer.SVC(probability="platt").fit(X[:600], y[:600])
    np.testing.assert_allclose(answer(model, X)[1], model.predict_proba(X), rtol=0, atol=1e-5)


@pytest.mark.parametrize("kind", [bool, np.uint8, np.int32, np.int64, np.float32, np.float64, str, object])
@pytest.mark.parametrize("probability", [False, "platt"])
def test_labels_are_of_the_type_that_the_estimator_predicts(iris, kind, probability):
    X, y = iris
    X, y = X.astype(np.float32), np.unique(y, return_inverse=True)[1]
    y = y == 1 if kind is bool else y.astype(str).astype(object) if kind is object else y.astype(kind)
    model = mercer.SVC(probability=probability).fit(X, y)
    labels, expected = answer(model, X)[0], model.predict(X)
    assert labels.tolist() == expected.tolist()
    if expected.dtype.kind in "biuf":
        assert labels.dtype == expected.dtype


def test_numbers_and_regions(two_classes, tmp_path):
    X, y = two_classes
    for machine in (mercer.SVR, mercer.NuSVR):
        model = machine().fit(X, y.astype(float))
        np.testing.assert_allclose(answer(model, X)[0][:, 0], model.predict(X), atol=1e-4)
    model = mercer.OneClassSVM(nu=0.1).fit(X)
    clear = np.abs(model.decision_function(X)) > 1e-3
    assert (answer(model, X)[0][:, 0] == model.predict(X))[clear].all()
    model.save(tmp_path / "region.mercer")
    loaded = mercer.load(tmp_path / "region.mercer")
    np.testing.assert_array_equal(answer(loaded, X)[0], answer(model, X)[0])
    mercer.to_onnx(model, tmp_path / "region.onnx")
    assert (tmp_path / "region.onnx").stat().st_size > 1000


def test_what_onnx_does_not_know_is_refused(two_classes):
    X, y = two_classes
    for model, reason in (
        (mercer.SVC(kernel=kernels.Matern()), "kernels"),
        (mercer.SVC(multi_class="ovr"), "ovr"),
        (mercer.SVDD(), "SVDD"),
    ):
        with pytest.raises(NotImplementedError, match=reason):
            mercer.to_onnx(model.fit(X, y))
    with pytest.raises(ValueError, match="not fitted"):
        mercer.to_onnx(mercer.SVC())
