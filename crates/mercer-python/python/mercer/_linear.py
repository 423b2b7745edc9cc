"""Linear support vector machines, by coordinate descent on the rows without a kernel."""

from numbers import Integral, Real

import numpy as np
from sklearn.base import RegressorMixin, _fit_context
from sklearn.exceptions import ConvergenceWarning
from sklearn.linear_model._base import LinearClassifierMixin, LinearModel, SparseCoefMixin
from sklearn.utils._param_validation import Interval, StrOptions
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import _num_samples, check_is_fitted, validate_data

from . import _mercer
from ._docs import documented
from ._estimator import Unpickled, checked_weights, class_factors, class_name, coded_classes, fitted, forget_search, note_of, tell
from ._rows import as_rows
from ._seeds import seed_of
from ._seen import Bounded
from ._threads import thread_count
from ._trials import TunableByFits
from ._warn import warn


class _Linear(Bounded, TunableByFits, Unpickled):
    """What linear machines share.

    Parameters
    ----------
    dual : "auto" or bool, default="auto"
        Accepted as scikit-learn does, with the same combinations refused; the solver decides by itself.
    tol : float, default=1e-4
        Largest violation of the optimality conditions that counts as solved.
    C : float, default=1.0
        The cost of the loss.
    fit_intercept : bool, default=True
        Whether there is an intercept b. It is the weight of one more feature, which is penalised like the others.
    intercept_scaling : float, default=1.0
        The value of that feature: the larger, the less the intercept is penalised.
    verbose : bool or int, default=0
        Whether to print the progress, every second and at the end.
    random_state : int, RandomState instance or None, default=None
        Where the random order of the rows begins; with None it is always the same.
    max_iter : int, default=1000
        Most passes over the rows.

    Attributes
    ----------
    status_ : str
        "converged", or what stopped the solver.
    n_iter_ : int
        Passes over the rows.
    gap_ : float
        The duality gap (P − D)/max(|P|, |D|).
    """

    _parameter_constraints = {
        "dual": ["boolean", StrOptions({"auto"})],
        "tol": [Interval(Real, 0.0, None, closed="neither")],
        "C": [Interval(Real, 0.0, None, closed="neither")],
        "fit_intercept": ["boolean"],
        "intercept_scaling": [Interval(Real, 0, None, closed="neither")],
        "verbose": ["verbose"],
        "random_state": ["random_state"],
        "max_iter": [Interval(Integral, 0, None, closed="left")],
        "max_time": [Interval(Real, 0.0, None, closed="neither"), None],
        "n_jobs": [Integral, None],
    }

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        return tags

    def _machine(self, objective, tube):
        return {
            "cost": float(self.C),
            "objective": objective,
            "tube": float(tube),
            "intercept": float(self.intercept_scaling) if self.fit_intercept else None,
            "tolerance": float(self.tol),
            "max_epochs": max(int(self.max_iter), 1),
            "max_time": None if self.max_time is None else float(self.max_time),
            "seed": self._seed(),
            "threads": thread_count(self.n_jobs),
            "name": type(self).__name__ if self.verbose else None,
        }

    def _seed(self):
        """What the order of coordinates is drawn from; nothing is left to chance unless a generator is given."""
        if self.random_state is None:
            return 0
        return seed_of(self.random_state)

    def _keep(self, model):
        """Makes a trained model the estimator's own, tells of it if asked to, and warns if it is not solved."""
        self._adopt(model)
        if self.verbose:
            tell(self, f"{model.columns} columns")
        if not model.is_converged:
            # The words that programs which look for scikit-learn's warning know it by, and then our own.
            warn(
                "Liblinear failed to converge, increase the number of iterations."
                f" (Mercer {self.status_}, at a duality gap of {self.gap_:.3g}.)",
                ConvergenceWarning,
            )

    def _adopt(self, model):
        """Takes the attributes of a fitted estimator from a model."""
        forget_search(self)
        self._model = model
        self._fitted = self.get_params(deep=False)
        self.intercept_ = np.asarray(model.offsets) if self.fit_intercept else 0.0
        self.n_iter_ = max(model.iterations, default=0)
        self.status_ = model.status or "nothing to solve"
        self.gap_ = np.nan if model.gap is None else model.gap

    def _restore(self, model):
        """Becomes the estimator of a model from a file."""
        self.n_features_in_ = model.columns
        if model.feature_names is not None:
            self.feature_names_in_ = np.asarray(model.feature_names, dtype=object)
        self._adopt(model)
        return self

    def save(self, path):
        """Write the fitted model to a file that the command line reads.

        Parameters
        ----------
        path : str or path-like
            What ends in .json is written as JSON, all else in Mercer's binary format. What was changed in `coef_` since the
            fit is not in it.

        Examples
        --------
        >>> import os, tempfile
        >>> import mercer
        >>> model = mercer.LinearSVC().fit([[-1.0], [1.0]], ["no", "yes"])
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     model.save(os.path.join(folder, "signs.json"))
        ...     os.listdir(folder)
        ['signs.json']
        """
        check_is_fitted(self)
        names = getattr(self, "feature_names_in_", None)
        names = None if names is None else [str(name) for name in names]
        self._model.save(path, float(fitted(self, "C")), names, note_of(self))


@documented
class LinearSVC(LinearClassifierMixin, SparseCoefMixin, _Linear):
    """Linear support vector classifier.

    Minimises ½‖w‖² + C Σ loss(y f(x)) over f(x) = ⟨w, x⟩ + b for each class against the rest, or all classes at once, by
    coordinate descent on the rows: nothing is computed for pairs of them.

    Parameters
    ----------
    penalty : {"l1", "l2"}, default="l2"
        ½‖w‖², or ‖w‖₁, which leaves many weights at 0 and goes with the squared hinge loss.
    loss : {"hinge", "squared_hinge"}, default="squared_hinge"
        max(0, 1 − yf), or its square.
    multi_class : {"ovr", "crammer_singer"}, default="ovr"
        Each class against the rest, or all at once.
    class_weight : dict or "balanced", default=None
        Factors of C for the classes.
    n_jobs : int, default=None
        Threads for the classes; the result does not depend on it.

    Attributes
    ----------
    coef_ : ndarray of shape (1, n_features) or (n_classes, n_features)
        Weights of the features.
    intercept_ : ndarray of shape (1,) or (n_classes,)
        Intercepts.
    classes_ : ndarray of shape (n_classes,)
        The classes, sorted.
    n_iter_ : int
        Passes over the rows, the most of all classes.
    gap_ : float
        The duality gap (P − D)/max(|P|, |D|), the largest of all classes.

    Examples
    --------
    >>> from mercer import LinearSVC
    >>> model = LinearSVC().fit([[-1.0, 0.0], [-2.0, 1.0], [1.0, 0.0], [2.0, 1.0]], [0, 0, 1, 1])
    >>> model.predict([[3.0, 0.0]])
    array([1])
    """

    _parameter_constraints = {
        **_Linear._parameter_constraints,
        "penalty": [StrOptions({"l1", "l2"})],
        "loss": [StrOptions({"hinge", "squared_hinge"})],
        "multi_class": [StrOptions({"ovr", "crammer_singer"})],
        "class_weight": [None, dict, StrOptions({"balanced"})],
    }

    def __init__(
        self,
        penalty="l2",
        loss="squared_hinge",
        *,
        dual="auto",
        tol=1e-4,
        C=1.0,
        multi_class="ovr",
        fit_intercept=True,
        intercept_scaling=1,
        class_weight=None,
        verbose=0,
        random_state=None,
        max_iter=1000,
        max_time=None,
        n_jobs=None,
    ):
        self.penalty = penalty
        self.loss = loss
        self.dual = dual
        self.tol = tol
        self.C = C
        self.multi_class = multi_class
        self.fit_intercept = fit_intercept
        self.intercept_scaling = intercept_scaling
        self.class_weight = class_weight
        self.verbose = verbose
        self.random_state = random_state
        self.max_iter = max_iter
        self.max_time = max_time
        self.n_jobs = n_jobs

    @_fit_context(prefer_skip_nested_validation=True)
    def fit(self, X, y, sample_weight=None):
        """Fit the classifier.

        Parameters
        ----------
        X : {array-like, sparse matrix} of shape (n_samples, n_features)
            Training rows.
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
        >>> from mercer import LinearSVC
        >>> model = LinearSVC(C=100.0).fit([[-1.0], [1.0], [9.0]], [0, 1, 0], sample_weight=[1, 1, 0])
        >>> model.predict([[3.0]])
        array([1])
        """
        objective = self._objective()
        X, y = validate_data(self, X, y, dtype=[np.float64, np.float32], accept_sparse="csr")
        check_classification_targets(y)
        weights = checked_weights(sample_weight, _num_samples(X))
        self.classes_, codes = coded_classes(y, weights)
        if len(self.classes_) < 2:
            raise ValueError(
                "This solver needs samples of at least 2 classes in the data, but the data contains only one"
                f" class: {self.classes_[0]!r}"
            )
        factors = class_factors(self.class_weight, self.classes_, y, weights).tolist()
        names = [class_name(label) for label in self.classes_]
        machine = self._machine(objective, 0.0)
        self._keep(_mercer.fit_linear_classifier(as_rows(X), codes, names, weights, factors, machine))
        return self

    def _bounds(self, delta, choices, gamma):
        if gamma is not None:
            raise ValueError("gamma is for regressions: classes are right or wrong")
        if fitted(self, "multi_class") == "crammer_singer" and len(self.classes_) > 2:
            raise ValueError("the theorems are about machines of two classes, and Crammer and Singer's learns all at once")
        return self._model.bounds(delta, choices, None)

    def predict(self, X):
        """Predict the classes of the rows of X.

        Parameters
        ----------
        X : {array-like, sparse matrix} of shape (n_samples, n_features)
            The rows.

        Returns
        -------
        ndarray of shape (n_samples,)
            Class labels: that of the highest decision value; of two classes the later from 0 on.

        Examples
        --------
        >>> from mercer import LinearSVC
        >>> model = LinearSVC().fit([[-1.0], [1.0]], ["no", "yes"])
        >>> model.predict([[-1.0], [2.0]]).tolist()
        ['no', 'yes']
        """
        values = self.decision_function(X)
        return self.classes_[(values >= 0).astype(np.intp) if values.ndim == 1 else values.argmax(axis=1)]

    def _adopt(self, model):
        super()._adopt(model)
        self.coef_ = model.coefficients

    def _objective(self):
        if self.multi_class == "crammer_singer":
            return "crammer_singer"
        refused = (
            (self.penalty == "l1" and self.loss == "hinge")
            or (self.penalty == "l1" and _said(self.dual, True))
            or (self.penalty == "l2" and self.loss == "hinge" and _said(self.dual, False))
        )
        if refused:
            raise ValueError(
                "Unsupported set of arguments: the combination is not offered, Parameters:"
                f" penalty={self.penalty!r}, loss={self.loss!r}, dual={self.dual}"
            )
        return "l1" if self.penalty == "l1" else self.loss


@documented
class LinearSVR(RegressorMixin, LinearModel, _Linear):
    """Linear support vector regression.

    Minimises ½‖w‖² + C Σ loss(y − f(x)) over f(x) = ⟨w, x⟩ + b by coordinate descent on the rows.

    Parameters
    ----------
    epsilon : float, default=0.0
        Residuals up to it cost nothing.
    loss : {"epsilon_insensitive", "squared_epsilon_insensitive"}, default="epsilon_insensitive"
        max(|r| − ε, 0), or its square.

    Attributes
    ----------
    coef_ : ndarray of shape (n_features,)
        Weights of the features.
    intercept_ : ndarray of shape (1,)
        The intercept.

    Examples
    --------
    >>> from mercer import LinearSVR
    >>> model = LinearSVR(C=100.0).fit([[0.0], [1.0], [2.0]], [0.0, 1.0, 2.0])
    >>> model.predict([[3.0]]).round(2)
    array([3.])
    """

    _parameter_constraints = {
        **_Linear._parameter_constraints,
        "epsilon": [Real],
        "loss": [StrOptions({"epsilon_insensitive", "squared_epsilon_insensitive"})],
    }

    def __init__(
        self,
        *,
        epsilon=0.0,
        tol=1e-4,
        C=1.0,
        loss="epsilon_insensitive",
        fit_intercept=True,
        intercept_scaling=1.0,
        dual="auto",
        verbose=0,
        random_state=None,
        max_iter=1000,
        max_time=None,
        n_jobs=None,
    ):
        self.epsilon = epsilon
        self.tol = tol
        self.C = C
        self.loss = loss
        self.fit_intercept = fit_intercept
        self.intercept_scaling = intercept_scaling
        self.dual = dual
        self.verbose = verbose
        self.random_state = random_state
        self.max_iter = max_iter
        self.max_time = max_time
        self.n_jobs = n_jobs

    @_fit_context(prefer_skip_nested_validation=True)
    def fit(self, X, y, sample_weight=None):
        """Fit the regression.

        Parameters
        ----------
        X : {array-like, sparse matrix} of shape (n_samples, n_features)
            Training rows.
        y : array-like of shape (n_samples,)
            Targets.
        sample_weight : array-like of shape (n_samples,), default=None
            Weights of the rows: one of weight 2 counts as if it stood there twice, one of weight 0 as if it did not.

        Returns
        -------
        object
            The fitted estimator.

        Examples
        --------
        >>> from mercer import LinearSVR
        >>> X, y = [[0.0], [1.0], [2.0], [3.0]], [0.0, 1.0, 2.0, 9.0]
        >>> model = LinearSVR(C=100.0).fit(X, y, sample_weight=[1, 1, 1, 0])
        >>> model.predict([[3.0]]).round(2)
        array([3.])
        """
        if self.loss == "epsilon_insensitive" and _said(self.dual, False):
            raise ValueError(
                "Unsupported set of arguments: the combination is not offered, Parameters:"
                f" penalty='l2', loss={self.loss!r}, dual={self.dual}"
            )
        X, y = validate_data(self, X, y, dtype=[np.float64, np.float32], accept_sparse="csr", y_numeric=True)
        weights = checked_weights(sample_weight, _num_samples(X))
        targets = np.ascontiguousarray(y, dtype=np.float64)
        machine = self._machine(self.loss, self.epsilon)
        self._keep(_mercer.fit_linear_regression(as_rows(X), targets, weights, machine))
        return self

    def _bounds(self, delta, choices, gamma):
        return self._model.bounds(delta, choices, gamma)

    def _adopt(self, model):
        super()._adopt(model)
        self.coef_ = model.coefficients.ravel()


def _said(dual, which):
    """Whether this of the two was said, and not "auto"; numpy has truth values of its own."""
    return not isinstance(dual, str) and bool(dual) is which
