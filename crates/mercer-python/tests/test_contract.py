"""scikit-learn's own checks of every estimator, with no failure expected but where levels are words without an order, of starts
that are drawn, and of weights where the order of the rows decides."""

from sklearn.utils.estimator_checks import parametrize_with_checks

import mercer
from mercer import kernels

# The equivalence of weights and repeated rows is checked to more digits than the default tolerance gives.
ESTIMATORS = [
    mercer.SVC(tol=1e-8),
    mercer.SVC(tol=1e-8, loss="squared_hinge"),
    mercer.SVC(tol=1e-8, kernel="linear", multi_class="dag"),
    mercer.SVC(tol=1e-8, multi_class="ovr"),
    mercer.SVC(tol=1e-8, multi_class="weston-watkins"),
    mercer.SVC(tol=1e-8, multi_class="crammer-singer"),
    mercer.SVC(tol=1e-8, kernel="precomputed"),
    mercer.SVC(tol=1e-8, kernel=kernels.Gaussian(gamma=0.1) + kernels.Linear()),
    # Shares that the classes of all the checks allow, with a kernel that gives them a margin.
    mercer.NuSVC(tol=1e-11, nu=0.35, gamma=10.0),
    mercer.SVR(tol=1e-8),
    mercer.SVR(tol=1e-8, loss="squared_epsilon_insensitive"),
    mercer.NuSVR(tol=1e-11),
    mercer.OneClassSVM(tol=1e-11),
    mercer.SVDD(tol=1e-11),
    mercer.LinearSVC(tol=1e-10, max_iter=100_000),
    mercer.LinearSVC(tol=1e-10, max_iter=100_000, loss="hinge"),
    mercer.LinearSVR(tol=1e-10, max_iter=100_000),
    mercer.LinearSVR(tol=1e-10, max_iter=100_000, loss="squared_epsilon_insensitive"),
    mercer.KernelRidge(),
    mercer.KernelRidge(kernel="rbf"),
    mercer.KernelRidge(fit_intercept=True),
    mercer.KernelPCA(n_components=2),
    mercer.GaussianProcessRegressor(),
    mercer.GaussianProcessClassifier(),
    mercer.LSSVC(),
    mercer.LSSVC(kernel="rbf"),
    mercer.KernelFisherDiscriminant(),
    mercer.BayesPointMachine(random_state=0),
    mercer.RVC(),
    mercer.RVR(),
    mercer.KernelPLS(),
    mercer.KernelCCA(),
    mercer.RankSVM(),
    mercer.OrdinalSVM(),
    mercer.KernelKMeans(n_clusters=2),
    mercer.SphereAndSlab(),
    mercer.SpectralClustering(n_clusters=2),
    mercer.RBFNetwork(random_state=0),
    mercer.RBFNetworkRegressor(random_state=0),
    mercer.KernelPerceptron(),
    mercer.PassiveAggressiveClassifier(),
    # Passes until nothing changes any more, so that rows may come in any order.
    mercer.PassiveAggressiveClassifier(tol=1e-13, max_iter=1_000_000),
    mercer.PRank(),
    mercer.OnlineSVR(C=10.0),
    mercer.PassiveAggressiveRegressor(C=10.0),
    mercer.IncrementalSVC(),
]


def refused(estimator):
    """Checks of what is refused."""
    if isinstance(estimator, (mercer.KernelKMeans, mercer.RBFNetwork, mercer.RBFNetworkRegressor)):
        # tests/test_sample_weights.py has them with clusters that every start finds.
        why = "starts are drawn by weight, and clusters are numbered in the order of the rows: as of KMeans of scikit-learn"
        return {
            "check_sample_weight_equivalence_on_dense_data": why,
            "check_sample_weight_equivalence_on_sparse_data": why,
        }
    on_line = (mercer.KernelPerceptron, mercer.PassiveAggressiveClassifier, mercer.OnlineSVR, mercer.PassiveAggressiveRegressor)
    if isinstance(estimator, on_line) and estimator.tol > 1e-12:
        # tests/test_online.py has them with as many passes as their limit needs.
        why = "rows are learned one after the other, so that their order decides, as of SGDClassifier of scikit-learn"
        return {
            "check_sample_weight_equivalence_on_dense_data": why,
            "check_sample_weight_equivalence_on_sparse_data": why,
        }
    if isinstance(estimator, mercer.PRank):
        return {"check_classifiers_classes": "words have no order, and levels need one"}
    return {}


@parametrize_with_checks(ESTIMATORS, expected_failed_checks=refused)
def test_estimator(estimator, check):
    check(estimator)
