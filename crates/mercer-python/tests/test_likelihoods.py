"""The likelihood of Gaussian processes at any parameters, against scikit-learn and differences; parameters at their bounds."""

import pickle
import warnings

import numpy as np
import pytest
from sklearn.exceptions import ConvergenceWarning
from sklearn.gaussian_process import GaussianProcessClassifier as TheirClassifier
from sklearn.gaussian_process import GaussianProcessRegressor as TheirRegressor
from sklearn.gaussian_process.kernels import RBF, ConstantKernel, Matern, WhiteKernel

import mercer
from mercer import GaussianProcessClassifier, GaussianProcessRegressor, kernels

RANDOM = np.random.default_rng(3)
X = RANDOM.normal(size=(30, 2))
Y = np.column_stack([np.sin(X[:, 0]), X[:, 1] ** 2]) + 0.1 * RANDOM.normal(size=(30, 2))
CLASSES = np.digitize(Y[:, 0], [-0.4, 0.4])

# Ours and theirs, whose parameters come in the same order.
PAIRS = [
    (2.0 * kernels.Gaussian(length_scale=1.5) + kernels.White(0.1), ConstantKernel(2.0) * RBF(1.5) + WhiteKernel(0.1)),
    (kernels.Gaussian(length_scale=[1.5, 0.7]), RBF([1.5, 0.7])),
    (kernels.Matern(nu=1.5, length_scale=0.8) + 0.3, Matern(nu=1.5, length_scale=0.8) + ConstantKernel(0.3)),
]


def theta_near(model):
    return model.theta_ + np.linspace(-0.4, 0.5, len(model.theta_))


@pytest.mark.parametrize("ours, theirs", PAIRS, ids=lambda kernel: str(kernel)[:20])
@pytest.mark.parametrize("targets", [Y[:, 0], Y], ids=["one target", "two targets"])
def test_regressions_are_as_likely_as_scikit_learns(ours, theirs, targets):
    given = {"alpha": 1e-3, "optimizer": None, "normalize_y": True}
    ours = GaussianProcessRegressor(ours, **given).fit(X, targets)
    theirs = TheirRegressor(theirs, **given).fit(X, targets)
    np.testing.assert_allclose(ours.theta_, theirs.kernel_.theta)
    assert ours.log_marginal_likelihood() == ours.log_marginal_likelihood_value_
    for theta in (ours.theta_, theta_near(ours)):
        value, gradient = ours.log_marginal_likelihood(theta, eval_gradient=True)
        expected, slope = theirs.log_marginal_likelihood(theta, eval_gradient=True)
        assert value == pytest.approx(expected, rel=1e-9)
        np.testing.assert_allclose(gradient, slope, rtol=1e-7, atol=1e-8)
        assert ours.log_marginal_likelihood(theta) == pytest.approx(value, rel=1e-12)


@pytest.mark.parametrize("classes", [CLASSES > 0, CLASSES], ids=["two", "three"])
def test_classifiers_are_as_likely_as_scikit_learns(classes):
    ours = GaussianProcessClassifier(4.0 * kernels.Gaussian(length_scale=1.5), optimizer=None).fit(X, classes)
    theirs = TheirClassifier(ConstantKernel(4.0) * RBF(1.5), optimizer=None).fit(X, classes)
    np.testing.assert_allclose(ours.theta_, theirs.kernel_.theta)
    for theta in (ours.theta_, theta_near(ours), [0.5, 0.1]):
        expected = theirs.log_marginal_likelihood(theta)
        # Theirs stops where the likelihood gains less than 1e-10.
        assert ours.log_marginal_likelihood(theta) == pytest.approx(expected, abs=1e-6)
    if ours.n_classes_ == 2:
        slope = theirs.log_marginal_likelihood(ours.theta_, eval_gradient=True)[1]
        np.testing.assert_allclose(ours.log_marginal_likelihood(ours.theta_, eval_gradient=True)[1], slope, atol=1e-5)


@pytest.mark.parametrize("theta", [[0.5, 0.1], np.linspace(-0.5, 0.6, 6)], ids=["for all", "of each"])
def test_gradients_of_several_classes_are_those_of_differences(theta):
    model = GaussianProcessClassifier(4.0 * kernels.Gaussian(length_scale=1.5), optimizer=None).fit(X, CLASSES)
    value, gradient = model.log_marginal_likelihood(theta, eval_gradient=True)
    assert gradient.shape == np.shape(theta)
    for at, slope in enumerate(gradient):
        step = np.zeros(len(theta))
        step[at] = 1e-3
        above, below = (model.log_marginal_likelihood(theta + sign * step) for sign in (1, -1))
        assert (above - below) / 2e-3 == pytest.approx(slope, abs=1e-4)


def test_what_is_learned_has_no_slope():
    model = GaussianProcessRegressor(kernels.Gaussian(length_scale=3.0) + kernels.White(0.1)).fit(X, Y[:, 0])
    value, gradient = model.log_marginal_likelihood(model.theta_, eval_gradient=True)
    assert value == pytest.approx(model.log_marginal_likelihood_value_) and abs(gradient).max() < 0.05
    again = pickle.loads(pickle.dumps(model))
    assert again.log_marginal_likelihood(model.theta_) == model.log_marginal_likelihood(model.theta_)


def test_what_is_not_known_is_refused(tmp_path):
    model = GaussianProcessRegressor(kernels.Gaussian(length_scale=1.0), optimizer=None).fit(X, Y[:, 0])
    with pytest.raises(ValueError, match="theta!=None"):
        model.log_marginal_likelihood(eval_gradient=True)
    with pytest.raises(ValueError, match=r"theta has the shape \(3,\): the kernel .* has 1 parameters"):
        model.log_marginal_likelihood([0.0, 0.0, 0.0])
    with pytest.raises(ValueError, match="of rank 5"):
        GaussianProcessRegressor(rank=5).fit(X, Y[:, 0]).log_marginal_likelihood([0.0])
    model.save(tmp_path / "process.mercer")
    with pytest.raises(ValueError, match="not in the file"):
        mercer.load(tmp_path / "process.mercer").log_marginal_likelihood([0.0])
    classifier = GaussianProcessClassifier().fit(X, CLASSES)
    with pytest.raises(ValueError, match="expected 1 parameters, or so many for each class"):
        classifier.log_marginal_likelihood([0.0, 0.0])


def test_structured_items_have_no_parameters():
    model = GaussianProcessRegressor(kernels.Spectrum(k=2), alpha=0.1).fit(["gatta", "tacat", "ccacc"], [0.0, 1.0, 2.0])
    value, gradient = model.log_marginal_likelihood([], eval_gradient=True)
    assert value == model.log_marginal_likelihood_value_ and gradient.shape == (0,)


def test_a_parameter_at_its_bound_is_told():
    # Noise without any structure: no length is long enough.
    x = np.linspace(0, 1, 20)[:, None]
    with pytest.warns(ConvergenceWarning, match=r"length_scale of the kernel .* upper bound 100000"):
        GaussianProcessRegressor(kernels.Gaussian(length_scale=1.0) + kernels.White(1.0)).fit(x, np.ones(20))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        GaussianProcessRegressor(kernels.Gaussian(length_scale=1.0) + kernels.White(0.1)).fit(X, Y[:, 0])
        GaussianProcessRegressor(kernels.Gaussian(length_scale=1e5), optimizer=None, alpha=0.1).fit(X, Y[:, 0])


def test_parameters_of_scikit_learn_are_accepted():
    model = GaussianProcessClassifier(max_iter_predict=50, warm_start=True, multi_class="one_vs_rest")
    np.testing.assert_array_equal(
        model.fit(X, CLASSES).predict_proba(X), GaussianProcessClassifier().fit(X, CLASSES).predict_proba(X)
    )
    with pytest.raises(ValueError, match="multi_class"):
        GaussianProcessClassifier(multi_class="one_vs_one").fit(X, CLASSES)
