"""Machines that factorise the kernel matrix, saved and loaded: what is loaded says the same."""

import json
import pickle

import numpy as np
import pytest
import scipy.sparse as sp
from sklearn.metrics.pairwise import rbf_kernel

import mercer
from mercer import kernels

RANDOM = np.random.default_rng(5)
X = RANDOM.normal(size=(50, 3))
NUMBERS = np.sin(X[:, 0]) + 0.3 * X[:, 1]
CLASSES = np.array(["low", "middle", "high"])[np.digitize(NUMBERS, [-0.4, 0.4])]
LEVELS = np.digitize(NUMBERS, [-0.4, 0.4])
NEW = RANDOM.normal(size=(9, 3))
WORDS = ["gattaca", "gatgat", "tagtag", "ccacca", "cacacc", "accacc", "ggatta", "ccaacc"]

MACHINES = [
    (mercer.KernelRidge(alpha=0.1), NUMBERS),
    (mercer.KernelRidge(alpha=0.1), np.column_stack([NUMBERS, X[:, 2]])),
    (mercer.LSSVC(C=2.0), CLASSES),
    (mercer.LSSVC(C=2.0), NUMBERS > 0),
    (mercer.KernelFisherDiscriminant(), CLASSES),
    (mercer.BayesPointMachine(random_state=0), CLASSES),
    (mercer.RVC(), LEVELS),
    (mercer.RVR(), NUMBERS),
    (mercer.KernelPLS(n_components=3), np.column_stack([NUMBERS, X[:, 2]])),
    (mercer.RankSVM(), NUMBERS),
    (mercer.OrdinalSVM(), LEVELS),
    (mercer.KernelKMeans(3, random_state=0), None),
    (mercer.SpectralClustering(3, random_state=0), None),
    (mercer.KernelPCA(4), None),
]


def answers(model, new):
    if hasattr(model, "transform") and not hasattr(model, "predict"):
        return model.transform(new)
    return model.decision_function(new) if hasattr(model, "decision_function") else model.predict(new)


def with_kernel(model, kernel, **more):
    name = "affinity" if isinstance(model, mercer.SpectralClustering) else "kernel"
    return model.set_params(**{name: kernel}, **more)


def named(case):
    return type(case[0]).__name__ if isinstance(case, tuple) else None


@pytest.mark.parametrize("case", MACHINES, ids=named)
@pytest.mark.parametrize("ending", ["mercer", "json"])
def test_what_is_loaded_says_the_same(case, ending, tmp_path):
    model, y = case
    path = tmp_path / f"model.{ending}"
    with_kernel(model, "rbf", gamma=0.4).fit(X, y).save(path)
    again = mercer.load(path)
    assert type(again) is type(model)
    expected = answers(model, NEW)
    np.testing.assert_array_equal(answers(again, NEW), expected)
    if hasattr(model, "predict"):
        np.testing.assert_array_equal(again.predict(NEW), model.predict(NEW))
        assert again.predict(NEW).dtype == model.predict(NEW).dtype
    assert again.n_features_in_ == 3
    # It can be saved and pickled again, and fitted anew.
    again.save(path)
    np.testing.assert_array_equal(answers(mercer.load(path), NEW), expected)
    np.testing.assert_array_equal(answers(pickle.loads(pickle.dumps(again)), NEW), expected)
    np.testing.assert_allclose(answers(again.fit(X, y), NEW), expected, rtol=1e-9, atol=1e-12)
    for name, value in vars(model).items():
        if name.endswith("_") and name != "X_fit_" and isinstance(value, (int, float, np.ndarray)):
            np.testing.assert_array_equal(getattr(mercer.load(path), name), value, err_msg=name)


@pytest.mark.parametrize("case", MACHINES, ids=named)
def test_sparse_rows_kernel_objects_and_kernel_values(case, tmp_path):
    model, y = case
    path = tmp_path / "model.mercer"
    with_kernel(model, kernels.Gaussian(gamma=0.4) + 0.1).fit(sp.csr_matrix(X), y).save(path)
    new = sp.csr_matrix(NEW)
    np.testing.assert_array_equal(answers(mercer.load(path), new), answers(model, new))
    values = rbf_kernel(NEW, X, gamma=0.4)
    with_kernel(model, "precomputed").fit(rbf_kernel(X, gamma=0.4), y).save(path)
    again = mercer.load(path)
    assert again.get_params()["affinity" if "affinity" in again.get_params() else "kernel"] == "precomputed"
    np.testing.assert_allclose(answers(again, values), answers(model, values), rtol=1e-12, atol=1e-14)
    with_kernel(model, kernels.Pairwise(lambda a, b: np.exp(-((a - b) ** 2).sum()))).fit(X, y)
    with pytest.raises(ValueError, match="pickle it"):
        model.save(path)
    with pytest.raises(ValueError, match="LIBSVM"):
        with_kernel(model, "rbf").fit(X, y).save(tmp_path / "model.model")


@pytest.mark.parametrize("case", [c for c in MACHINES if named(c) not in ("KernelRidge", "KernelPCA")], ids=named)
def test_machines_of_strings(case, tmp_path):
    model, y = case
    y = None if y is None else np.array([1, 1, 1, 0, 0, 0, 1, 0])
    if hasattr(model, "n_clusters"):
        model = type(model)(2, random_state=0)
    # What it learned from all items, weights of words, must come back though few items are kept.
    kernel = kernels.Normalise(kernels.BagOfWords(tfidf=True, n=2, unit="characters"))
    path = tmp_path / "model.mercer"
    with_kernel(model, kernel).fit(WORDS, y).save(path)
    new = ["gattag", "caccac", "tttt"]
    np.testing.assert_array_equal(answers(mercer.load(path), new), answers(model, new))


def test_processes_and_networks(tmp_path):
    path = tmp_path / "model.mercer"
    kernel = 1.0 * kernels.Gaussian(length_scale=[1.0, 1.0, 1.0]) + kernels.White(0.1)
    model = mercer.GaussianProcessRegressor(kernel, normalize_y=True, random_state=0).fit(X, NUMBERS)
    model.save(path)
    again = mercer.load(path)
    for found, expected in zip(again.predict(NEW, return_std=True), model.predict(NEW, return_std=True)):
        np.testing.assert_array_equal(found, expected)
    np.testing.assert_array_equal(again.sample_y(NEW, 2), model.sample_y(NEW, 2))
    np.testing.assert_array_equal(pickle.loads(pickle.dumps(again)).predict(NEW), model.predict(NEW))
    assert again.log_marginal_likelihood_value_ == model.log_marginal_likelihood_value_
    model = mercer.GaussianProcessClassifier(2.0 * kernels.Gaussian(), optimizer=None).fit(X, CLASSES)
    model.save(path)
    np.testing.assert_array_equal(mercer.load(path).predict_proba(NEW), model.predict_proba(NEW))
    np.testing.assert_array_equal(mercer.load(path).classes_, model.classes_)
    model = mercer.RBFNetwork(6, random_state=0).fit(X, LEVELS)
    model.save(path)
    np.testing.assert_array_equal(mercer.load(path).decision_function(NEW), model.decision_function(NEW))
    assert mercer.load(path).predict(NEW).dtype == model.predict(NEW).dtype


    targets = np.column_stack([NUMBERS, X[:, 2]])
    model = mercer.RBFNetworkRegressor(6, random_state=0).fit(X, targets)
    model.save(path)
    np.testing.assert_array_equal(mercer.load(path).predict(NEW), model.predict(NEW))
    np.testing.assert_array_equal(pickle.loads(pickle.dumps(model)).predict(NEW), model.predict(NEW))


@pytest.mark.parametrize(
    "model, y",
    [
        (mercer.GaussianProcessRegressor(kernels.Gaussian(length_scale=1.0), optimizer=None, alpha=0.1), NUMBERS),
        (mercer.GaussianProcessClassifier(2.0 * kernels.Gaussian(), optimizer=None), CLASSES),
        (mercer.RBFNetwork(6, random_state=0), CLASSES),
        (mercer.RBFNetworkRegressor(6, random_state=0), NUMBERS),
        (mercer.RVR(kernel="rbf"), NUMBERS),
    ],
    ids=lambda of: type(of).__name__,
)
def test_rows_that_were_scaled_are_scaled_again(model, y, tmp_path):
    # What the command line writes: the model of scaled rows, and how they were scaled.
    centre, width = X.mean(axis=0), X.std(axis=0)
    path = tmp_path / "model.json"
    model.fit((X - centre) / width, y).save(path)
    text = json.loads(path.read_text())
    scaling = {"kind": "Standardise", "columns": 3, "centre": centre.tolist(), "width": width.tolist()}
    path.write_text(json.dumps(unchecked(with_scaling(text, scaling))))
    again = mercer.load(path)
    ask = next(name for name in ("predict_proba", "decision_function", "predict") if hasattr(model, name))
    for loaded in (again, pickle.loads(pickle.dumps(again))):
        np.testing.assert_allclose(getattr(loaded, ask)(NEW), getattr(model, ask)((NEW - centre) / width), rtol=1e-9)
    if hasattr(model, "noise_") or ask == "predict" and "Process" in type(model).__name__:
        found, expected = again.predict(NEW, return_std=True)[1], model.predict((NEW - centre) / width, return_std=True)[1]
        np.testing.assert_allclose(found, expected, rtol=1e-9)
    again.save(tmp_path / "again.mercer")
    np.testing.assert_array_equal(mercer.load(tmp_path / "again.mercer").predict(NEW), again.predict(NEW))


def unchecked(text):
    """The same file in the first version of the format, which has no checksum."""
    return {**{key: of for key, of in text.items() if key != "checksum"}, "version": 1}


def with_scaling(text, scaling):
    """The header of a model file with a scaling, wherever in the file it is."""
    if "card" in text:
        return {**text, "scaling": scaling}
    return {key: with_scaling(of, scaling) if isinstance(of, dict) else of for key, of in text.items()}


def test_no_components_come_back(tmp_path):
    model = mercer.KernelPCA(kernel="rbf").fit(np.ones((10, 3)))
    model.save(tmp_path / "none.mercer")
    again = mercer.load(tmp_path / "none.mercer")
    assert again.eigenvectors_.shape == model.eigenvectors_.shape == (10, 0)
    assert again.transform(NEW).shape == model.transform(NEW).shape == (9, 0)


def test_processes_of_low_rank_and_their_kernels(tmp_path):
    path = tmp_path / "model.mercer"
    kernel = 1.0 * kernels.Gaussian(length_scale=2.0) + kernels.White(0.1)
    model = mercer.GaussianProcessRegressor(kernel, rank=20, random_state=0).fit(X, NUMBERS)
    assert model.rank_ == 20 and model.alpha_.shape == (20,)
    with pytest.raises(AttributeError, match="low rank"):
        model.L_
    model.save(path)
    again = mercer.load(path)
    assert again.rank_ == 20
    for found, expected in zip(again.predict(NEW, return_std=True), model.predict(NEW, return_std=True)):
        np.testing.assert_array_equal(found, expected)
    # The kernel is there to be fitted again.
    assert str(again.kernel) == str(model.kernel_)
    exact = mercer.GaussianProcessRegressor(model.kernel_, optimizer=None).fit(X, NUMBERS)
    assert exact.rank_ is None and np.abs(exact.predict(NEW) - model.predict(NEW)).max() < 0.3
    model = mercer.GaussianProcessClassifier(2.0 * kernels.Gaussian(), optimizer=None, rank=15).fit(X, CLASSES)
    assert model.rank_ == [15, 15, 15]
    model.save(path)
    np.testing.assert_array_equal(mercer.load(path).predict_proba(NEW), model.predict_proba(NEW))
    exact = mercer.GaussianProcessClassifier(2.0 * kernels.Gaussian(), optimizer=None).fit(X, CLASSES)
    assert np.abs(exact.predict_proba(NEW) - model.predict_proba(NEW)).max() < 0.2


def test_a_sphere_with_a_slab(tmp_path):
    line = np.column_stack([np.linspace(-1, 1, 50), np.zeros(50), 0.01 * RANDOM.normal(size=50)])
    model = mercer.SphereAndSlab(1, kernel="linear", outside=0.1).fit(line)
    assert (model.predict(line) == 1).mean() >= 0.9
    assert model.predict([[0.3, 0.0, 0.0], [0.3, 0.5, 0.0], [5.0, 0.0, 0.0]]).tolist() == [1, -1, -1]
    for ending in ("mercer", "json"):
        path = tmp_path / f"model.{ending}"
        model.save(path)
        again = mercer.load(path)
        np.testing.assert_array_equal(again.decision_function(NEW), model.decision_function(NEW))
        assert (again.radius_, again.thickness_) == (model.radius_, model.thickness_)
        assert again.get_params() == model.get_params()
    np.testing.assert_array_equal(pickle.loads(pickle.dumps(model)).predict(NEW), model.predict(NEW))
    words = mercer.SphereAndSlab(kernel=kernels.Normalise(kernels.Spectrum(k=2))).fit(WORDS)
    words.save(path)
    np.testing.assert_array_equal(mercer.load(path).decision_function(["gatt", "zzzz"]), words.decision_function(["gatt", "zzzz"]))
    assert words.predict(["zzzz"])[0] == -1
    for kernel in ("precomputed", lambda a, b: a @ b.T):
        with pytest.raises(ValueError, match="with themselves"):
            mercer.SphereAndSlab(kernel=kernel).fit(np.eye(4))


def test_views_of_different_fits_are_not_joined(tmp_path):
    paths = [tmp_path / f"{name}.mercer" for name in "abcd"]
    mercer.KernelCCA(1).fit(X, X[:, :2]).save(*paths[:2])
    mercer.KernelCCA(1).fit(X[:20], X[:20, 1:]).save(*paths[2:])
    with pytest.raises(ValueError, match="first and a second view"):
        mercer.load(paths[1], paths[0])
    with pytest.raises(ValueError, match="different fits"):
        mercer.load(paths[0], paths[3])


def test_views_of_the_command_line(tmp_path):
    # It notes the correlations of a fit with each of its views.
    paths = [tmp_path / f"{name}.json" for name in "abcd"]
    mercer.KernelCCA(2).fit(X, X[:, :2]).save(*paths[:2])
    mercer.KernelCCA(2).fit(X[:20], X[:20, 1:]).save(*paths[2:])
    for path in paths:
        text = json.loads(path.read_text())
        path.write_text(json.dumps(unchecked(with_notes_of_the_command_line(text))))
    loaded = mercer.load(*paths[:2])
    np.testing.assert_allclose(loaded.correlations_, mercer.KernelCCA(2).fit(X, X[:, :2]).correlations_)
    with pytest.raises(ValueError, match="different fits"):
        mercer.load(paths[0], paths[3])


def test_shortened_correlations_of_older_files_are_none(tmp_path):
    paths = [tmp_path / f"{name}.json" for name in "ab"]
    model = mercer.KernelCCA(2).fit(X, X[:, :2])
    model.save(*paths)
    for path in paths:
        text = json.loads(path.read_text())
        path.write_text(json.dumps(unchecked(with_notes_of_the_command_line(text, " and 1 more"))))
    loaded = mercer.load(*paths)
    assert loaded.correlations_.shape == (0,)
    np.testing.assert_array_equal(loaded.transform(NEW), model.transform(NEW))


def with_notes_of_the_command_line(text, more=""):
    if "notes" in text:
        noted = json.loads(text["notes"]["python"])["correlations"]
        return {**text, "notes": {"correlations": ", ".join(map(str, noted)) + more}}
    return {
        key: with_notes_of_the_command_line(of, more) if isinstance(of, dict) else of for key, of in text.items()
    }


def test_several_views_have_a_file_each(tmp_path):
    paths = [tmp_path / f"{name}.mercer" for name in "abc"]
    model = mercer.KernelCCA(2, kernel="rbf", kernel_y=["linear", kernels.Gaussian(gamma=0.5)])
    model.fit(X, X[:, :2], [X**2]).save(paths[0], paths[1:])
    again = mercer.load(paths[0], paths[1:])
    for found, expected in zip(again.transform(NEW, NEW[:, :2], [NEW]), model.transform(NEW, NEW[:, :2], [NEW])):
        np.testing.assert_array_equal(found, expected)
    with pytest.raises(ValueError, match="2 files for 3 views"):
        model.save(*paths[:2])
    with pytest.raises(ValueError, match="first and a second view"):
        mercer.load(paths[0], [paths[2], paths[1]])
    with pytest.raises(ValueError, match="2 files for 3 views"):
        mercer.load(*paths[:2])


def test_views_have_a_file_each(tmp_path):
    paths = tmp_path / "one.mercer", tmp_path / "other.mercer"
    words = ["".join("gatc"[i % 4] for i in range(k, k + 8)) for k in range(50)]
    model = mercer.KernelCCA(2, kernel="rbf", kernel_y=kernels.Spectrum(k=2)).fit(X, words)
    model.save(*paths)
    again = mercer.load(*paths)
    for found, expected in zip(again.transform(NEW, words[:9]), model.transform(NEW, words[:9])):
        np.testing.assert_array_equal(found, expected)
    np.testing.assert_array_equal(again.correlations_, model.correlations_)
    with pytest.raises(ValueError, match="one file for each view"):
        mercer.load(paths[0])
    mercer.SVC().fit(X, LEVELS).save(paths[0])
    with pytest.raises(ValueError, match="second file"):
        mercer.load(*paths)


def test_levels_are_told_apart_by_thresholds():
    model = mercer.OrdinalSVM(C=10.0, kernel="rbf").fit(X, 10.0 * LEVELS)
    values = model.decision_values(X)
    assert (np.diff(model.thresholds_) > 0).all() and model.levels_.tolist() == [0.0, 10.0, 20.0]
    expected = 10.0 * (values[:, None] > model.thresholds_).sum(axis=1)
    np.testing.assert_array_equal(model.predict(X), expected)
    assert (model.predict(X) == 10.0 * LEVELS).mean() > 0.9
    with pytest.raises(ValueError, match="one label"):
        mercer.OrdinalSVM().fit(X, np.ones(len(X)))


def test_files_of_others_are_refused_plainly(tmp_path):
    path = tmp_path / "model.json"
    mercer.LSSVC().fit(X, CLASSES).save(path)
    text = json.loads(path.read_text())
    path.write_text(json.dumps(text).replace("least_squares_svc", "no_such_machine"))
    with pytest.raises(ValueError, match="edited or damaged"):
        mercer.load(path)
    path.write_text(json.dumps(unchecked(text)).replace("least_squares_svc", "no_such_machine"))
    with pytest.raises(ValueError, match="no_such_machine"):
        mercer.load(path)


@pytest.mark.parametrize(
    "model",
    [
        mercer.SVC(gamma=0.4),
        mercer.KernelRidge(alpha=0.1),
        mercer.LinearSVC(),
        mercer.KernelPerceptron(),
        mercer.SVC(kernel=kernels.Spectrum(k=2)),
    ],
    ids=lambda of: f"{type(of).__name__}-{of.kernel if hasattr(of, 'kernel') else 'linear'}",
)
def test_files_that_were_edited_are_refused(model, tmp_path):
    path = tmp_path / "model.json"
    words = model.get_params().get("kernel") == kernels.Spectrum(k=2)
    model.fit(WORDS, [0, 0, 0, 1, 1, 1, 0, 1]) if words else model.fit(X, LEVELS > 0)
    model.save(path)
    text = json.loads(path.read_text())
    path.write_text(json.dumps(text, indent=1))
    mercer.load(path)
    del text["model"]["scaling"]
    path.write_text(json.dumps(text))
    with pytest.raises(ValueError, match="edited or damaged .*mercer convert --renew-checksum"):
        mercer.load(path)
    path.write_text(json.dumps(unchecked(text)))
    with pytest.raises(ValueError, match="missing field `scaling`"):
        mercer.load(path)
