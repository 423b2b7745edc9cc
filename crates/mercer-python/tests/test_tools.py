"""What the package offers beside estimators: the two-sample test, reduced sets, losses and metrics of rankings."""

import pickle

import numpy as np
import pytest
import scipy.sparse as sp
from scipy.stats import kendalltau
from sklearn.metrics import average_precision_score, hinge_loss, log_loss, ndcg_score
from sklearn.metrics.pairwise import rbf_kernel

import mercer
from mercer import kernels, losses

RANDOM = np.random.default_rng(6)
X = RANDOM.normal(size=(60, 3))
NUMBERS = np.sin(X[:, 0]) + 0.3 * X[:, 1]
NEW = RANDOM.normal(size=(20, 3))


# Two samples


def test_the_statistic_is_that_of_its_definition():
    first, second = X[:25], X[25:] + 0.5
    found = mercer.mmd_test(first, second, "rbf", gamma=0.3, n_permutations=50, random_state=0)
    inner, outer, cross = (rbf_kernel(a, b, gamma=0.3) for a, b in ((first, first), (second, second), (first, second)))

    def mean(values):
        return (values.sum() - np.trace(values)) / (len(values) * (len(values) - 1))

    assert found.statistic == pytest.approx(mean(inner) + mean(outer) - 2 * cross.mean(), rel=1e-10)
    assert found.biased_statistic == pytest.approx(inner.mean() + outer.mean() - 2 * cross.mean(), rel=1e-10)
    assert found.n_permutations == 50


def test_equal_distributions_are_not_told_apart():
    found = [mercer.mmd_test(X[at::2], X[1 - at :: 2], random_state=at).p_value for at in (0, 1)]
    assert min(found) > 0.05
    assert mercer.mmd_test(X, X + 1.0, random_state=0).p_value == 0.001
    again = [mercer.mmd_test(X[:20], X[20:], n_permutations=99, random_state=3, n_jobs=jobs) for jobs in (1, 2)]
    assert again[0] == again[1]


def test_samples_may_be_of_any_kind():
    words = ["gattaca", "gatgat", "tagtag", "gatta"], ["ccacca", "cacacc", "accacc", "caccca"]
    assert mercer.mmd_test(*words, kernels.Spectrum(k=2), random_state=0).statistic > 1.0
    sparse = mercer.mmd_test(sp.csr_matrix(X[:20]), sp.csr_matrix(X[20:]), "rbf", n_permutations=20, random_state=0)
    dense = mercer.mmd_test(X[:20], X[20:], "rbf", n_permutations=20, random_state=0)
    assert sparse.statistic == pytest.approx(dense.statistic) and sparse.p_value == dense.p_value
    own = mercer.mmd_test(X[:20], X[20:], lambda x, z: x @ z.T, n_permutations=20, random_state=0)
    assert own.statistic == pytest.approx(mercer.mmd_test(X[:20], X[20:], "linear", n_permutations=20).statistic)


@pytest.mark.parametrize(
    "given, problem",
    [
        ({"X": X[:1], "Y": X}, "items of each sample"),
        ({"X": X, "Y": X[:, :2]}, "X has 3 columns and Y has 2"),
        ({"X": X, "Y": X, "n_permutations": 0}, "n_permutations=0"),
        ({"X": X, "Y": X, "kernel": "precomputed"}, "precomputed"),
    ],
)
def test_samples_that_cannot_be_compared_are_refused(given, problem):
    with pytest.raises(ValueError, match=problem):
        mercer.mmd_test(**given)


# Reduced sets

MODELS = [
    (mercer.SVC(gamma=0.4), NUMBERS > 0),
    (mercer.NuSVC(nu=0.4, gamma=0.4, probability=True, random_state=0), np.where(NUMBERS > 0, "yes", "no")),
    (mercer.SVR(gamma=0.4), NUMBERS),
    (mercer.KernelRidge(kernel="rbf", gamma=0.4, fit_intercept=True), np.column_stack([NUMBERS, X[:, 2]])),
    (mercer.LSSVC(kernel="rbf", gamma=0.4), np.digitize(NUMBERS, [-0.4, 0.4])),
    (mercer.KernelPLS(n_components=3, kernel="rbf", gamma=0.4), NUMBERS),
    (mercer.RankSVM(kernel="rbf", gamma=0.4), NUMBERS),
    (mercer.OrdinalSVM(kernel="rbf", gamma=0.4), np.digitize(NUMBERS, [-0.4, 0.4])),
    (mercer.BayesPointMachine(kernel="rbf", gamma=0.4, random_state=0), NUMBERS > 0),
]


def functions(model, new):
    for name in ("decision_function", "decision_values", "predict"):
        if hasattr(model, name):
            values = getattr(model, name)(new)
            return values.reshape(len(new), -1)


@pytest.mark.parametrize("model, y", MODELS, ids=lambda of: type(of).__name__)
def test_the_error_of_a_smaller_model_holds_everywhere(model, y, tmp_path):
    model.fit(X, y)
    expected = functions(model, NEW)
    before = None
    for terms in (5, 12, 60):
        small = mercer.compress(model, terms)
        # k(x, x) = 1.
        assert (abs(functions(small.estimator, NEW) - expected) <= small.errors + 1e-7).all()
        assert len(small.positions) <= terms and (np.diff(small.positions) > 0).all()
        total = (small.errors**2).sum()
        assert before is None or total <= before + 1e-9
        before = total
    assert before < 1e-6 * (small.norms**2).sum()
    np.testing.assert_array_equal(functions(model, NEW), expected)
    small = mercer.compress(model, 7).estimator
    small.save(tmp_path / "small.mercer")
    for again in (mercer.load(tmp_path / "small.mercer"), pickle.loads(pickle.dumps(small))):
        np.testing.assert_array_equal(functions(again, NEW), functions(small, NEW))


def test_strings_have_reduced_sets_too():
    words = ["gattaca", "gatgat", "tagtag", "ccacca", "cacacc", "accacc", "ggatta", "ccaacc"]
    model = mercer.KernelRidge(kernel=kernels.Spectrum(k=2), alpha=0.1).fit(words, np.arange(8.0))
    small = mercer.compress(model, 3)
    assert small.estimator.X_fit_ == [words[at] for at in small.positions]
    lengths = np.sqrt(np.diag(kernels.Spectrum(k=2)(words)))
    assert (abs(small.estimator.predict(words) - model.predict(words)) <= small.errors[0] * lengths + 1e-9).all()


@pytest.mark.parametrize(
    "model, problem",
    [
        (mercer.SVC().fit(X, np.digitize(NUMBERS, [-0.4, 0.4])), "several classes"),
        (mercer.SVR(kernel="precomputed").fit(rbf_kernel(X), NUMBERS), "kernel values"),
        (mercer.KernelRidge(kernel="precomputed").fit(rbf_kernel(X), NUMBERS), "kernel values"),
        (mercer.KernelRidge(kernel=lambda x, z: x @ z.T).fit(X, NUMBERS), "a function of Python's"),
        (mercer.RVR(kernel="rbf").fit(X, NUMBERS), "relevance vector machine"),
        (mercer.SVR(kernel="sigmoid", gamma=5.0).fit(X, NUMBERS), "positive semi-definite"),
        (mercer.SVC(kernel="poly", degree=2, coef0=-1.0).fit(X, NUMBERS > 0), "positive semi-definite"),
    ],
    ids=["classes", "values", "values of a ridge", "function", "relevance", "sigmoid", "poly"],
)
def test_what_has_no_reduced_set_is_refused(model, problem):
    with pytest.raises(ValueError, match=problem):
        mercer.compress(model, 5)
    with pytest.raises(ValueError, match="n_terms=0"):
        mercer.compress(model, 0)


# Losses


def test_losses_are_scikit_learns():
    margins, signs = RANDOM.normal(size=50), np.repeat([-1, 1], 25)
    assert losses.Loss("hinge").value(margins).mean() == pytest.approx(hinge_loss(signs, signs * margins))
    chance = 1 / (1 + np.exp(-margins))
    expected = log_loss(np.ones(50), np.column_stack([1 - chance, chance]), labels=[0, 1])
    assert losses.Loss("logistic").value(margins).mean() == pytest.approx(expected)


@pytest.mark.parametrize("name", losses.NAMES)
def test_derivatives_and_conjugates_belong_to_the_values(name):
    loss, at = losses.Loss(name), np.linspace(-2.03, 2.02, 37)
    slope = loss.derivative(at)
    np.testing.assert_allclose((loss.value(at + 1e-6) - loss.value(at - 1e-6)) / 2e-6, slope, atol=1e-5)
    if name != "zero-one":
        # The supremum of s z − loss(z) is at the z whose derivative s is.
        np.testing.assert_allclose(loss.conjugate(slope), slope * at - loss.value(at), atol=1e-12)
    table = losses.table([[-1.0, 0.5]])[name]
    np.testing.assert_array_equal(table, loss.value([-1.0, 0.5] if loss.is_of_margin else [2.0, 0.5]))


def test_losses_that_make_no_sense_are_refused():
    with pytest.raises(ValueError, match="no such loss: 'hing'"):
        losses.Loss("hing")
    with pytest.raises(ValueError, match="has no parameter"):
        losses.Loss("hinge", 1.0)
    with pytest.raises(ValueError, match="between 0 and 1"):
        losses.Loss("pinball", 1.5)
    assert repr(losses.Loss("Huber", 2)) == "Loss('Huber', 2.0)" and losses.Loss("Huber", 2.0).value(5.0) == 8.0


# Orders

QUERIES = np.repeat(["a", "b", "c", "d"], [10, 20, 15, 15])
RELEVANCE = RANDOM.integers(0, 4, size=60)
# With ties.
SCORES = (RELEVANCE + 2.0 * RANDOM.normal(size=60)).round()


@pytest.mark.parametrize("k", [None, 5])
def test_ndcg_is_scikit_learns(k):
    def theirs(of):
        return ndcg_score([2.0 ** RELEVANCE[of] - 1], [SCORES[of]], k=k)

    expected = np.mean([theirs(QUERIES == query) for query in np.unique(QUERIES)])
    assert mercer.ndcg(RELEVANCE, SCORES, qid=QUERIES, k=k) == pytest.approx(expected, rel=1e-10)
    assert mercer.ndcg(RELEVANCE, SCORES, k=k) == pytest.approx(theirs(slice(None)), rel=1e-10)


def test_precision_and_tau_are_those_of_other_programs():
    groups = [QUERIES == query for query in np.unique(QUERIES)]
    expected = np.mean([average_precision_score(RELEVANCE[of] > 0, SCORES[of]) for of in groups])
    assert mercer.mean_average_precision(RELEVANCE, SCORES, qid=QUERIES) == pytest.approx(expected, rel=1e-10)
    expected = np.mean([kendalltau(RELEVANCE[of], SCORES[of]).statistic for of in groups])
    assert mercer.kendall_tau(RELEVANCE, SCORES, qid=QUERIES) == pytest.approx(expected, rel=1e-10)


def test_orders_that_say_nothing_are_nan_or_refused():
    assert np.isnan(mercer.kendall_tau([1, 1], [0.0, 1.0])) and np.isnan(mercer.ndcg([0, 0], [0.0, 1.0]))
    with pytest.raises(ValueError, match="qid of row 1 is not a number"):
        mercer.ndcg([0, 1], [0.0, 1.0], qid=[1.0, np.nan])
    with pytest.raises(ValueError, match="relevance"):
        mercer.ndcg([-1, 1], [0.0, 1.0])
    with pytest.raises(ValueError, match="inconsistent numbers of samples"):
        mercer.kendall_tau([0, 1], [0.0])
