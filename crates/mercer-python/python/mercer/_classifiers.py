"""Support vector classifiers."""

from numbers import Real

import numpy as np
import scipy.sparse as sp
from sklearn.base import ClassifierMixin, _fit_context
from sklearn.exceptions import NotFittedError
from sklearn.utils._param_validation import Interval, StrOptions
from sklearn.utils.metaestimators import available_if
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import _num_samples, check_is_fitted, column_or_1d

from . import _mercer
from ._docs import documented
from ._estimator import (
    SupportVectorMachine,
    _product,
    checked_weights,
    class_factors,
    class_name,
    coded_classes,
    search_rows,
    times_factors,
)
from ._state import of_one_state
from ._tuning import Tunable

_MULTI_CLASS = {"ovo", "ovr", "dag", "weston-watkins", "crammer-singer"}


def _has_probabilities(self):
    if self.probability in (False, None):
        raise AttributeError("predict_proba is not available when probability=False")
    return True


class _Classifier(ClassifierMixin, Tunable, SupportVectorMachine):
    """What classifiers share.

    Parameters
    ----------
    probability : bool or {"consistent", "platt", "isotonic"}, default=False
        Whether to fit probabilities on held-out folds. True means "consistent": the predicted class is always the most
        probable. "platt" is LIBSVM's, which may disagree with `predict` near the boundary.
    class_weight : dict or "balanced", default=None
        Factors of C for the classes.
    max_iter : int, default=-1
        Most steps of the solver for each pair; -1 for no limit.
    decision_function_shape : {"ovo", "ovr"}, default="ovr"
        Whether `decision_function` gives a value for each pair of classes or for each class.
    break_ties : bool, default=False
        Whether ties of votes are broken by `decision_function` (else by the order of the classes, as scikit-learn does).
    random_state : int, RandomState instance or None, default=None
        Accepted for the sake of scikit-learn; nothing is left to chance.
    multi_class : {"ovo", "dag", "ovr", "weston-watkins", "crammer-singer"}, default="ovo"
        More than two classes: pairs that vote, pairs in a decision graph, each class against the rest, or all at once.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
        The classes, sorted.
    class_weight_ : ndarray of shape (n_classes,)
        Factors of C.
    support_ : ndarray of shape (n_SV,)
        Positions of the support vectors in the training set, class by class.
    n_support_ : ndarray of shape (n_classes,)
        Number of support vectors of each class.
    dual_coef_ : ndarray or sparse matrix of shape (n_classes - 1, n_SV)
        Coefficients of the support vectors (one for each class if `multi_class` has one function per class).
    coef_ : ndarray or sparse matrix of shape (n_classes * (n_classes - 1) / 2, n_features)
        Weights of the features, for `kernel="linear"` (one row for each class if `multi_class` has one function per class).
    intercept_ : ndarray of shape (n_classes * (n_classes - 1) / 2,)
        Offsets (one for each class if `multi_class` has one function per class).
    gap_ : float
        The duality gap (P − D)/max(|P|, |D|), the largest of all pairs; NaN where the kernel is not known to be
        positive semi-definite.
    n_iter_ : ndarray
        Steps of the solver for each pair.
    probA_ : ndarray
        A of the sigmoid 1/(1 + exp(A f + B)) of each pair; empty without probabilities, and for "isotonic".
    probB_ : ndarray
        B of the same.
    """

    _parameter_constraints = {
        **SupportVectorMachine._parameter_constraints,
        "class_weight": [StrOptions({"balanced"}), dict, None],
        "probability": ["boolean", StrOptions({"consistent", "platt", "isotonic"})],
        "decision_function_shape": [StrOptions({"ovr", "ovo"})],
        "break_ties": ["boolean"],
        "multi_class": [StrOptions(_MULTI_CLASS)],
        "random_state": ["random_state"],
    }

    def _machine(self):
        raise NotImplementedError

    @_fit_context(prefer_skip_nested_validation=True)
    def fit(self, X, y, sample_weight=None):
        """Fit the classifier.

        Parameters
        ----------
        X : {array-like, sparse matrix} of shape (n_samples, n_features) or (n_samples, n_samples)
            Training rows; kernel values for `kernel="precomputed"`; anything that it understands for a callable.
        y : array-like of shape (n_samples,)
            Class labels.
        sample_weight : array-like of shape (n_samples,), default=None
            Weights of the rows: one of weight 2 counts as if it stood there twice, one of weight 0 as if it did not.

        Returns
        -------
        object
            The fitted estimator.

        Examples
        --------
        >>> from mercer import SVC
        >>> model = SVC(kernel="linear").fit([[-2.0], [-1.0], [1.0], [9.0]], [0, 0, 1, 0], sample_weight=[1, 1, 1, 0])
        >>> model.support_
        array([1, 2], dtype=int32)
        """
        X, y = self._check_rows(X, y)
        weights = checked_weights(sample_weight, _num_samples(X))
        codes = self._check_classes(y, weights)
        self._gamma = self._resolved_gamma(X, weights)
        self._keep(self._train(self._engine_rows(X), codes, weights))
        return self

    def _train(self, rows, codes, weights):
        return self._ask(rows, codes, self._weighted(codes, weights), self._probability(), self._machine())

    def _tried(self, X, y, weights, wanted):
        """A search of the engine's with this machine."""
        codes = self._check_classes(y, weights)
        names = [class_name(label) for label in self.classes_]
        machine = {"kernel": None, "multiclass": self.multi_class, "probability": self._probability(), **self._machine()}
        factors = self.class_weight_.tolist()
        options = self._options()
        search = _mercer.search_by_criterion if "criterion" in wanted else _mercer.search_classifier
        # The score of a setting is that of what its model predicts.
        wanted = {**wanted, "ties_in_order": not (self.break_ties or self._probability() in ("consistent", "isotonic"))}
        return search(search_rows(X), codes, names, weights, factors, machine, options, wanted)

    def _usual_costs(self, kernel, X, y, weights):
        return _mercer.costs_for_classes(kernel, search_rows(X), self._check_classes(y, weights), weights, self._options())

    def _ask(self, rows, codes, weights, probability, machine):
        names = [class_name(label) for label in self.classes_]
        machine = {
            "kernel": self._formula(),
            "multiclass": self.multi_class,
            "probability": probability,
            **machine,
        }
        return _mercer.fit_classifier(rows, codes, names, weights, machine, self._options(), self._earlier())

    def _check_classes(self, y, weights):
        if self._takes_anything():
            # Else it was looked at together with the rows.
            y = column_or_1d(y, warn=True)
        if y.dtype.kind not in "biu":
            # Whole numbers are classes, however many; other things are worth a look.
            check_classification_targets(y)
        self.classes_, codes = coded_classes(y, weights)
        if len(self.classes_) < 2:
            if weights is not None and len(np.unique(y)) > 1:
                raise ValueError(self._one_class_left)
            raise ValueError(
                f"The number of classes has to be greater than one; got {len(self.classes_)} class"
            )
        self.class_weight_ = class_factors(self.class_weight, self.classes_, y, weights)
        return codes

    def _weighted(self, codes, weights):
        return times_factors(weights, self.class_weight_, codes)

    def _probability(self):
        if self.probability in (False, None):
            return None
        return self.probability if isinstance(self.probability, str) else "consistent"

    def _adopt(self, model):
        # Pairs have k − 1 coefficients for each support vector. scikit-learn's signs: of two classes positive values
        # speak for the later one, of more those of a pair for the earlier one.
        sign = 1.0 if len(self.classes_) == 2 or model.kind != "pairs" else -1.0
        coefficients = sign * model.coefficients.T
        offsets = sign * np.asarray(model.offsets)
        if model.kind == "classes" and len(self.classes_) == 2:
            # Two functions say twice the same.
            coefficients = 0.5 * (coefficients[1:] - coefficients[:1])
            offsets = 0.5 * (offsets[1:] - offsets[:1])
        self.intercept_ = offsets + 0.0
        super()._adopt(model)
        self.dual_coef_ = self._aligned(np.ascontiguousarray(coefficients))
        self.n_iter_ = np.asarray(model.iterations, dtype=np.int32)

    def _check_libsvm(self):
        super()._check_libsvm()
        if self.break_ties and len(self.classes_) > 2:
            raise ValueError("LIBSVM's format cannot hold break_ties=True: save as .mercer or .json")

    def _weights(self):
        if len(self.classes_) == 2 or self._model.kind != "pairs":
            return super()._weights()
        ends = np.cumsum(np.r_[0, self._n_support])
        of_class = [slice(ends[c], ends[c + 1]) for c in range(len(self.classes_))]
        rows = [
            _product(self.dual_coef_[[b - 1], of_class[a]], self.support_vectors_[of_class[a]])
            + _product(self.dual_coef_[[a], of_class[b]], self.support_vectors_[of_class[b]])
            for a in range(len(self.classes_))
            for b in range(a + 1, len(self.classes_))
        ]
        return sp.vstack(rows).tocsr() if sp.issparse(rows[0]) else np.vstack(rows)

    def decision_function(self, X):
        """Evaluate the decision function for the rows of X.

        Parameters
        ----------
        X : {array-like, sparse matrix} of shape (n_samples, n_features) or (n_samples, n_samples_fit)
            The rows.

        Returns
        -------
        ndarray of shape (n_samples,), (n_samples, n_classes) or (n_samples, n_classes * (n_classes - 1) / 2)
            For two classes one value, positive for the later class. For more one for each class, whose highest is
            that of the predicted class (but for ties, see `break_ties`); with `decision_function_shape="ovo"` one for each
            pair of classes, positive for the earlier one.

        Examples
        --------
        >>> from mercer import SVC
        >>> model = SVC(kernel="linear").fit([[-1.0], [1.0]], ["no", "yes"])
        >>> model.decision_function([[-1.0], [2.0]]).round(3)
        array([-1.,  2.])
        """
        rows = self._check_for_predict(X)
        model = self._engine()
        if len(self.classes_) == 2:
            values = model.decision_values(rows)
            return values[:, 0] if values.shape[1] == 1 else 0.5 * (values[:, 1] - values[:, 0])
        if model.kind == "pairs" and self.decision_function_shape == "ovo":
            return -model.decision_values(rows)
        return model.class_scores(rows)

    def predict(self, X):
        """Predict the classes of the rows of X.

        Parameters
        ----------
        X : {array-like, sparse matrix} of shape (n_samples, n_features) or (n_samples, n_samples_fit)
            The rows.

        Returns
        -------
        ndarray of shape (n_samples,)
            Class labels.

        Examples
        --------
        >>> from mercer import SVC
        >>> model = SVC(kernel="linear").fit([[-1.0], [1.0]], ["no", "yes"])
        >>> model.predict([[-1.0], [2.0]]).tolist()
        ['no', 'yes']
        """
        check_is_fitted(self)
        if self.break_ties and self.decision_function_shape == "ovo":
            raise ValueError("break_ties must be False when decision_function_shape is 'ovo'")
        rows = self._check_for_predict(X)
        model = self._engine()
        # Probabilities that never disagree are those of the scores, which break ties.
        is_consistent = model.probability in ("consistent", "isotonic")
        return self.classes_[model.predict(rows, not (self.break_ties or is_consistent))]

    @available_if(_has_probabilities)
    @of_one_state
    def predict_proba(self, X):
        """Predict the probabilities of the classes for the rows of X.

        Parameters
        ----------
        X : {array-like, sparse matrix} of shape (n_samples, n_features) or (n_samples, n_samples_fit)
            The rows.

        Returns
        -------
        ndarray of shape (n_samples, n_classes)
            The classes stand in the order of `classes_`.

        Examples
        --------
        >>> import numpy as np
        >>> from mercer import SVC
        >>> X, y = np.linspace(-1.0, 1.0, 20).reshape(-1, 1), np.repeat([0, 1], 10)
        >>> model = SVC(probability=True).fit(X, y)
        >>> model.predict_proba([[-1.0], [0.9]]).round(2)
        array([[0.9 , 0.1 ],
               [0.08, 0.92]])
        """
        rows = self._check_for_predict(X)
        if not self._model.has_probabilities:
            raise NotFittedError("predict_proba is not available when fitted with probability=False")
        return self._engine().probabilities(rows)

    @available_if(_has_probabilities)
    @of_one_state
    def predict_log_proba(self, X):
        """Predict the logarithms of the probabilities of the classes for the rows of X.

        Parameters
        ----------
        X : {array-like, sparse matrix} of shape (n_samples, n_features) or (n_samples, n_samples_fit)
            The rows.

        Returns
        -------
        ndarray of shape (n_samples, n_classes)
            The classes stand in the order of `classes_`.

        Examples
        --------
        >>> import numpy as np
        >>> from mercer import SVC
        >>> X, y = np.linspace(-1.0, 1.0, 20).reshape(-1, 1), np.repeat([0, 1], 10)
        >>> model = SVC(probability=True).fit(X, y)
        >>> model.predict_log_proba([[-1.0], [0.9]]).round(2)
        array([[-0.11, -2.3 ],
               [-2.5 , -0.09]])
        """
        return np.log(self.predict_proba(X))

    @property
    def probA_(self):
        """A of the sigmoid 1/(1 + exp(A f + B)) of each pair, as in LIBSVM.

        The sigmoid is the probability of the earlier class of the pair for values f that are positive for that one.

        Returns
        -------
        ndarray
            One value for each pair; empty without probabilities, and for "isotonic", which has no sigmoids.

        Examples
        --------
        >>> import numpy as np
        >>> from mercer import SVC
        >>> X, y = np.linspace(-1.0, 1.0, 20).reshape(-1, 1), np.repeat([0, 1], 10)
        >>> model = SVC(probability="platt").fit(X, y)
        >>> model.probA_.shape
        (1,)
        """
        return self._sigmoids(0)

    @property
    def probB_(self):
        """B of the sigmoid 1/(1 + exp(A f + B)) of each pair, see `probA_`.

        Returns
        -------
        ndarray
            One value for each pair; empty without probabilities, and for "isotonic", which has no sigmoids.

        Examples
        --------
        >>> import numpy as np
        >>> from mercer import SVC
        >>> X, y = np.linspace(-1.0, 1.0, 20).reshape(-1, 1), np.repeat([0, 1], 10)
        >>> model = SVC(probability="platt").fit(X, y)
        >>> model.probB_.shape
        (1,)
        """
        # The engine's are probabilities of the later class for values that are positive for that one.
        return -self._sigmoids(1)

    def _sigmoids(self, which):
        check_is_fitted(self)
        sigmoids = self._model.sigmoids
        return np.empty(0) if sigmoids is None else np.asarray(sigmoids[which])


@documented
class SVC(_Classifier):
    """Support vector classifier with a cost C of slack.

    Minimises ½‖w‖² + C Σ loss(y f(x)) over f(x) = ⟨w, φ(x)⟩ + b for each pair of classes (or as `multi_class` says), and tells
    by `gap_` how far from the minimum it is at most.

    Parameters
    ----------
    C : float, default=1.0
        What a unit of slack costs; `np.inf` for a hard margin, which classes that cannot be separated refuse.
    loss : {"hinge", "squared_hinge"}, default="hinge"
        Slack ξ costs Cξ or Cξ²/2.

    Examples
    --------
    >>> import numpy as np
    >>> from mercer import SVC
    >>> X = np.array([[-1, -1], [-2, -1], [1, 1], [2, 1]])
    >>> y = np.array([1, 1, 2, 2])
    >>> model = SVC(gamma="auto").fit(X, y)
    >>> model.predict([[-0.8, -1]])
    array([1])
    >>> model.status_
    'converged'
    """

    _one_class_left = "Invalid input - all samples with positive weights belong to the same class."
    _parameter_constraints = {
        **_Classifier._parameter_constraints,
        "C": [Interval(Real, 0.0, None, closed="right")],
        "loss": [StrOptions({"hinge", "squared_hinge"})],
    }

    def __init__(
        self,
        *,
        C=1.0,
        kernel="rbf",
        degree=3,
        gamma="scale",
        coef0=0.0,
        shrinking=True,
        probability=False,
        tol=1e-3,
        cache_size=200,
        class_weight=None,
        verbose=False,
        max_iter=-1,
        decision_function_shape="ovr",
        break_ties=False,
        random_state=None,
        loss="hinge",
        multi_class="ovo",
        max_time=None,
        n_jobs=None,
        precision="auto",
        warm_start=False,
    ):
        self.C = C
        self.kernel = kernel
        self.degree = degree
        self.gamma = gamma
        self.coef0 = coef0
        self.shrinking = shrinking
        self.probability = probability
        self.tol = tol
        self.cache_size = cache_size
        self.class_weight = class_weight
        self.verbose = verbose
        self.max_iter = max_iter
        self.decision_function_shape = decision_function_shape
        self.break_ties = break_ties
        self.random_state = random_state
        self.loss = loss
        self.multi_class = multi_class
        self.max_time = max_time
        self.n_jobs = n_jobs
        self.precision = precision
        self.warm_start = warm_start

    def _machine(self):
        return {"slack": self.loss, "cost": float(self.C), "nu": 0.0}


@documented
class NuSVC(_Classifier):
    """Support vector classifier with a share ν of margin errors in place of a cost.

    At most a share ν of the rows misses the margin, and at least a share ν are support vectors. ν can be at most twice the
    share of the smaller class (of each pair).

    Parameters
    ----------
    nu : float, default=0.5
        The share, above 0 and at most 1.
    class_weight : dict or "balanced", default=None
        Factors for the classes of the cost C that ν stands for: the margin that ν gives without them tells this cost, with which
        an `SVC` is then fitted.
    multi_class : {"ovo", "dag", "ovr"}, default="ovo"
        More than two classes: pairs that vote, pairs in a decision graph, or each class against the rest.

    Examples
    --------
    >>> from mercer import NuSVC
    >>> model = NuSVC(nu=0.5).fit([[-1.0], [-2.0], [1.0], [2.0]], [1, 1, 2, 2])
    >>> model.predict([[-0.8]])
    array([1])
    """

    _one_class_left = "specified nu is infeasible: all samples with positive weights belong to the same class."
    _parameter_constraints = {
        **_Classifier._parameter_constraints,
        "nu": [Interval(Real, 0.0, 1.0, closed="right")],
        "multi_class": [StrOptions({"ovo", "ovr", "dag"})],
    }

    def __init__(
        self,
        *,
        nu=0.5,
        kernel="rbf",
        degree=3,
        gamma="scale",
        coef0=0.0,
        shrinking=True,
        probability=False,
        tol=1e-3,
        cache_size=200,
        class_weight=None,
        verbose=False,
        max_iter=-1,
        decision_function_shape="ovr",
        break_ties=False,
        random_state=None,
        multi_class="ovo",
        max_time=None,
        n_jobs=None,
        precision="auto",
        warm_start=False,
    ):
        self.nu = nu
        self.kernel = kernel
        self.degree = degree
        self.gamma = gamma
        self.coef0 = coef0
        self.shrinking = shrinking
        self.probability = probability
        self.tol = tol
        self.cache_size = cache_size
        self.class_weight = class_weight
        self.verbose = verbose
        self.max_iter = max_iter
        self.decision_function_shape = decision_function_shape
        self.break_ties = break_ties
        self.random_state = random_state
        self.multi_class = multi_class
        self.max_time = max_time
        self.n_jobs = n_jobs
        self.precision = precision
        self.warm_start = warm_start

    def _machine(self):
        return {"slack": "nu", "cost": 1.0, "nu": float(self.nu)}

    def _train(self, rows, codes, weights):
        weighted = self._weighted(codes, weights)
        if weighted is weights:
            return super()._train(rows, codes, weights)
        # A share of classes with factors may be out of reach, but the cost that it stands for has a meaning with them.
        model = self._ask(rows, codes, weights, None, self._machine())
        of_rows = np.abs(model.coefficients)
        if weights is not None:
            of_rows = of_rows / weights[model.support][:, None]
        machine = {"slack": "hinge", "cost": float(of_rows.max()), "nu": 0.0}
        return self._ask(rows, codes, weighted, self._probability(), machine)
