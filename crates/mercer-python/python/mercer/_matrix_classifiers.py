"""Classifiers that solve one system, or search a few functions, instead of a quadratic programme."""

from numbers import Integral, Real

import numpy as np
from sklearn.base import ClassNamePrefixFeaturesOutMixin, TransformerMixin
from sklearn.utils._param_validation import Interval
from sklearn.utils.validation import column_or_1d

from . import _mercer
from ._docs import documented
from ._estimator import coded_classes, status_of
from ._learners import ItemClassifier, ItemMachine, WeightedClassifier
from ._ranges import STEPS, gammas, rounded, size
from ._trials import by_left_out


@documented
class LSSVC(WeightedClassifier):
    """Least-squares support vector machine: ridge regression on signs, with an offset.

    Minimises ½‖w‖² + (C/2) Σ (y − f(x))² with y = ±1; of more than two classes each is told from the rest.

    Parameters
    ----------
    C : float, default=1.0
        What a unit of squared slack costs.

    Attributes
    ----------
    status_ : str
        "converged", or "stopped at the iteration limit" of conjugate gradients.
    jitter_ : float
        What was added to the diagonal because the kernel matrix is singular.

    Examples
    --------
    >>> from mercer import LSSVC
    >>> model = LSSVC(kernel="rbf").fit([[0.0], [1.0], [2.0]], ["out", "in", "out"])
    >>> model.predict([[1.1], [2.5]]).tolist()
    ['in', 'out']
    """

    _parameter_constraints = {
        **ItemMachine._parameter_constraints,
        "C": [Interval(Real, 0, None, closed="neither")],
    }

    def __init__(
        self, C=1.0, *, kernel="linear", gamma=None, degree=3, coef0=1, kernel_params=None, n_jobs=None, memory=None
    ):
        self.C = C
        self.kernel = kernel
        self.gamma = gamma
        self.degree = degree
        self.coef0 = coef0
        self.kernel_params = kernel_params
        self.n_jobs = n_jobs
        self.memory = memory

    def _learn(self, X, codes, weights=None):
        k = len(self.classes_)
        classes = np.arange(1, 2) if k == 2 else np.arange(k)
        signs = np.where(codes[:, None] == classes, 1.0, -1.0)
        rows, names, cost = self._given(X), self._names(), float(self.C)
        found = _mercer.fit_least_squares(rows, signs, weights, names, self._formula, cost, self._means())
        self._keep(X, found)

    def _tell(self, told):
        self.jitter_, self.status_ = told["jitter"][0], status_of(told["converged"][0])

    def _by_criterion(self, criterion, of_folds, settings, X, y, weights):
        classes, codes = coded_classes(column_or_1d(y), weights)
        # One function tells two classes apart.
        own = np.arange(1, 2) if len(classes) == 2 else np.arange(len(classes))
        signs = np.where(codes[:, None] == own, 1.0, -1.0)

        def left_out(model, costs):
            model._validate_params()
            rows = model._given(model._checked(X, y)[0])
            penalties = [1.0 / cost for cost in costs]
            path = _mercer.ridge_path(rows, signs, weights, model._formula, penalties, True, model._means())
            return [point["left_out"] for point in path]

        def value(said):
            predicted = (said[:, 0] >= 0).astype(int) if len(own) == 1 else said.argmax(axis=1)
            return float(np.average(predicted != codes, weights=weights))

        return by_left_out(self, "C", criterion, of_folds, settings, left_out, value)

    def _usual_grid(self, rows, y):
        return {"C": rounded(STEPS / size(self, rows)), **gammas(self, rows)}


@documented
class KernelFisherDiscriminant(ClassNamePrefixFeaturesOutMixin, TransformerMixin, WeightedClassifier):
    """Kernel Fisher discriminant: directions along which classes are far apart and close in themselves.

    Items go to the class whose mean is nearest along the directions, of which there are at most as many as classes less one.

    Parameters
    ----------
    regularisation : float, default=0.1
        The share τ of the identity in (1 − τ) · scatter within classes + τ · identity.
    rank : int, default=500
        Most dimensions of the coordinates that feature space is given.

    Attributes
    ----------
    ratios_ : ndarray of shape (n_directions,)
        Scatter between classes along each direction, as a multiple of that within.
    means_ : ndarray of shape (n_classes, n_directions)
        The means of the classes along the directions.

    Examples
    --------
    >>> from mercer import KernelFisherDiscriminant
    >>> model = KernelFisherDiscriminant(kernel="rbf").fit([[-2.0], [0.0], [0.2], [2.1]], ["out", "in", "in", "out"])
    >>> model.predict([[0.1], [-2.2]]).tolist()
    ['in', 'out']
    """

    _parameter_constraints = {
        **ItemMachine._parameter_constraints,
        "regularisation": [Interval(Real, 0, 1, closed="both")],
        "rank": [Interval(Integral, 1, None, closed="left")],
    }
    _scales = ("regularisation",)

    def __init__(
        self,
        regularisation=0.1,
        *,
        rank=500,
        kernel="linear",
        gamma=None,
        degree=3,
        coef0=1,
        kernel_params=None,
        n_jobs=None,
        memory=None,
    ):
        self.regularisation = regularisation
        self.rank = rank
        self.kernel = kernel
        self.gamma = gamma
        self.degree = degree
        self.coef0 = coef0
        self.kernel_params = kernel_params
        self.n_jobs = n_jobs
        self.memory = memory

    def _learn(self, X, codes, weights=None):
        names, share = self._names(), float(self.regularisation)
        rows, rank = self._given(X), int(self.rank)
        found = _mercer.fit_fisher(rows, codes, weights, names, self._formula, share, rank, self._means())
        self._keep(X, found)

    def _tell(self, told):
        self.ratios_ = np.asarray(told["ratios"])
        self.means_ = np.asarray(told["means"]).reshape(len(self.classes_), -1)
        self._n_features_out = len(self.ratios_)

    def _usual_grid(self, rows, y):
        return {"regularisation": [1e-4, 1e-3, 0.01, 0.1, 0.5], **gammas(self, rows)}

    def transform(self, X):
        """Tell where items lie along the directions.

        Parameters
        ----------
        X : {array-like, sparse matrix} of shape (n_samples, n_features) or (n_samples, n_samples_fit), or list of items
            The rows, their kernel values with the training rows, or items.

        Returns
        -------
        ndarray of shape (n_samples, n_directions)
            Where they lie.

        Examples
        --------
        >>> from mercer import KernelFisherDiscriminant
        >>> model = KernelFisherDiscriminant().fit([[-1.0], [1.0]], [0, 1])
        >>> model.transform([[0.0], [1.0]]).shape
        (2, 1)
        """
        return self._functions(X)

    def decision_function(self, X):
        """Tell how much nearer items are to the means of the classes.

        Parameters
        ----------
        X : {array-like, sparse matrix} of shape (n_samples, n_features) or (n_samples, n_samples_fit), or list of items
            The rows, their kernel values with the training rows, or items.

        Returns
        -------
        ndarray of shape (n_samples,) or (n_samples, n_classes)
            Minus squared distances from the means; of two classes that of the later less that of the earlier.

        Examples
        --------
        >>> from mercer import KernelFisherDiscriminant
        >>> model = KernelFisherDiscriminant().fit([[-1.0], [1.0]], [0, 1])
        >>> bool(model.decision_function([[0.5]])[0] > 0)
        True
        """
        along = self._functions(X)
        scores = -((along[:, None, :] - self.means_) ** 2).sum(axis=2)
        return scores[:, 1] - scores[:, 0] if len(self.classes_) == 2 else scores


@documented
class BayesPointMachine(ItemClassifier):
    """Bayes point machine: the mean of many kernel perceptrons, each on the items in an order of its own.

    The mean is near the centre of all functions that get every item right.

    Parameters
    ----------
    n_perceptrons : int, default=50
        Perceptrons whose mean is taken.
    softness : float, default=1.0
        Added to the diagonal of the kernel matrix in training, so that any labels can be told apart; 0 for data without noise.
    max_rounds : int, default=1000
        Most times that a perceptron goes over the items.
    random_state : int, RandomState instance or None, default=None
        For the orders.

    Attributes
    ----------
    status_ : str
        "converged", or "stopped at the iteration limit" if a perceptron ran out of rounds; "unknown" of old files, which do not say it.
    n_consistent_ : int
        Perceptrons that get every item right. With `softness` a perceptron can come to its end without that.
    agreement_ : float
        The mean cosine of two perceptrons.

    Examples
    --------
    >>> from mercer import BayesPointMachine
    >>> model = BayesPointMachine(random_state=0).fit([[-1.0], [-2.0], [1.0]], ["no", "no", "yes"])
    >>> model.predict([[3.0]]).tolist()
    ['yes']
    """

    _parameter_constraints = {
        **ItemMachine._parameter_constraints,
        "n_perceptrons": [Interval(Integral, 1, None, closed="left")],
        "softness": [Interval(Real, 0, None, closed="left")],
        "max_rounds": [Interval(Integral, 1, None, closed="left")],
        "random_state": ["random_state"],
    }
    _scales = ("softness",)

    def __init__(
        self,
        n_perceptrons=50,
        *,
        softness=1.0,
        max_rounds=1000,
        random_state=None,
        kernel="linear",
        gamma=None,
        degree=3,
        coef0=1,
        kernel_params=None,
        n_jobs=None,
        memory=None,
    ):
        self.n_perceptrons = n_perceptrons
        self.softness = softness
        self.max_rounds = max_rounds
        self.random_state = random_state
        self.kernel = kernel
        self.gamma = gamma
        self.degree = degree
        self.coef0 = coef0
        self.kernel_params = kernel_params
        self.n_jobs = n_jobs
        self.memory = memory

    def _learn(self, X, codes, weights=None):
        names, count = self._names(), int(self.n_perceptrons)
        rows, seed = self._given(X), self._seed()
        found = _mercer.fit_bayes_point(
            rows, codes, names, self._formula, count, float(self.softness), int(self.max_rounds), seed, self._means()
        )
        self._keep(X, found)
        of_all = int(found["told"]["perceptrons"][0])
        text = f"{of_all - self._ended} of {of_all} perceptrons ran out of rounds: allow more, or more softness"
        self._warn_unless(self._ended == of_all, text)

    def _tell(self, told):
        self._ended = int(told["ended"][0]) if told["ended"] else None
        self.status_ = "unknown" if self._ended is None else status_of(self._ended == int(told["perceptrons"][0]))
        self.n_consistent_, self.agreement_ = int(told["consistent"][0]), told["agreement"][0]

    def _usual_grid(self, rows, y):
        return {"softness": rounded(STEPS[1:-1] * size(self, rows)), **gammas(self, rows)}


@documented
class RVC(WeightedClassifier):
    """Relevance vector classifier: a prior of its own for every item's weight, most of which turn out to be 0.

    Parameters
    ----------
    tol : float, default=1e-4
        The change of the logarithm of a prior's precision that counts as none.
    max_iter : int, default=10000
        Most items that are added, changed or dropped.
    fit_intercept : bool, default=True
        Whether functions have an offset.
    rank : int, default=None
        Most items that the relevant ones are chosen from, the pivots of a pivoted Cholesky factorisation of the kernel matrix; None for
        all items while the memory allows it, and beyond for as many as it allows.

    Attributes
    ----------
    relevance_ : ndarray of shape (n_relevant,)
        Positions of the relevant items in the training set.
    n_candidates_ : int
        Items that the relevant ones were chosen from: all, or as many pivots of the kernel matrix as `rank` or the memory allows.
    log_likelihoods_ : ndarray of shape (n_functions,)
        The approximate log marginal likelihood of each function.
    status_ : str
        "converged", or "stopped at the iteration limit" of the search for relevant items.
    n_iter_ : int
        Items added, changed or dropped.

    Examples
    --------
    >>> from mercer import RVC
    >>> model = RVC(kernel="rbf").fit([[-2.0], [-1.0], [1.0], [2.0]], ["no", "no", "yes", "yes"])
    >>> model.predict([[1.5]]).tolist()
    ['yes']
    """

    _parameter_constraints = {
        **ItemMachine._parameter_constraints,
        "tol": [Interval(Real, 0, None, closed="neither")],
        "max_iter": [Interval(Integral, 1, None, closed="left")],
        "fit_intercept": ["boolean"],
        "rank": [Interval(Integral, 1, None, closed="left"), None],
    }
    _scales = ()

    def __init__(
        self,
        *,
        tol=1e-4,
        max_iter=10000,
        fit_intercept=True,
        rank=None,
        kernel="linear",
        gamma=None,
        degree=3,
        coef0=1,
        kernel_params=None,
        n_jobs=None,
        memory=None,
    ):
        self.tol = tol
        self.max_iter = max_iter
        self.fit_intercept = fit_intercept
        self.rank = rank
        self.kernel = kernel
        self.gamma = gamma
        self.degree = degree
        self.coef0 = coef0
        self.kernel_params = kernel_params
        self.n_jobs = n_jobs
        self.memory = memory

    def _learn(self, X, codes, weights=None):
        rows, targets = self._given(X), codes.astype(np.float64)
        found = _mercer.fit_relevance(
            rows,
            targets,
            weights,
            self._names(),
            self._formula,
            bool(self.fit_intercept),
            float(self.tol),
            int(self.max_iter),
            None if self.rank is None else int(self.rank),
            self._means(),
        )
        self._keep(X, found)
        self._warn_unless(found["told"]["converged"][0], "the search for relevant items ended early")

    def _tell(self, told):
        self.relevance_ = np.asarray(told["relevant"], dtype=int)
        self.n_candidates_ = int(told["candidates"][0])
        self.log_likelihoods_ = np.asarray(told["likelihoods"])
        self.n_iter_ = int(told["steps"][0])
        self.status_ = status_of(told["converged"][0])

    def _usual_grid(self, rows, y):
        # All else is found by the likelihood.
        return gammas(self, rows) or {"fit_intercept": [True, False]}

    def predict_proba(self, X):
        """Tell the probability of each class.

        Parameters
        ----------
        X : {array-like, sparse matrix} of shape (n_samples, n_features) or (n_samples, n_samples_fit), or list of items
            The rows, their kernel values with the training rows, or items.

        Returns
        -------
        ndarray of shape (n_samples, n_classes)
            The probabilities; of more than two classes those of each against the rest, made to sum to 1.

        Examples
        --------
        >>> from mercer import RVC
        >>> RVC().fit([[-1.0], [-2.0], [1.0], [2.0]], [0, 0, 1, 1]).predict_proba([[0.0], [9.0]]).shape
        (2, 2)
        """
        with np.errstate(over="ignore"):
            p = 1.0 / (1.0 + np.exp(-self._functions(X)))
        if p.shape[1] == 1:
            return np.hstack([1.0 - p, p])
        total = p.sum(axis=1, keepdims=True)
        return np.where(total > 0, p / np.where(total > 0, total, 1.0), 1.0 / p.shape[1])
