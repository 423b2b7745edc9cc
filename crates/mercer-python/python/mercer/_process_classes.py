"""Gaussian process classification."""

from numbers import Integral, Real

import numpy as np
from sklearn.base import ClassifierMixin, _fit_context
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils._param_validation import Interval, StrOptions
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import check_consistent_length, check_is_fitted, column_or_1d, validate_data

from . import _mercer
from ._docs import documented
from ._containers import items_of
from ._estimator import Unpickled, checked_weights, class_name, coded_classes, forget_search, names_of, note_of, status_of
from ._items import as_items
from ._kernel_machine import is_structured
from ._mending import refuse_shifted
from ._processes import widths_of_processes
from ._rows import as_rows
from ._seeds import seed_of
from ._theta import theta_of, warn_at_bounds, with_theta
from ._tables import encoded
from ._threads import thread_count
from ._trials import TunableByFits
from ._warn import warn
from .kernels import Formula, Kernel


@documented
class GaussianProcessClassifier(ClassifierMixin, TunableByFits, Unpickled):
    """Gaussian process classification by Laplace's approximation: probabilities that are far from 0 and 1 where nothing is known.

    Of more than two classes each is told from the rest, with a kernel of its own.

    Parameters
    ----------
    kernel : kernel of `mercer.kernels`, default=None
        The covariance. Its parameters are learned, those of a sum or product too. None for a Gaussian of length scale 1 that is not.
        Kernels on strings, trees, graphs, series and records take X as a list of such and stay as they are.
    optimizer : {"fmin_l_bfgs_b"}, default="fmin_l_bfgs_b"
        Whether parameters are learned, by quasi-Newton steps; None for no.
    n_restarts_optimizer : int, default=0
        Further starts from random points between 1e-5 and 1e5; the best end counts.
    max_iter_predict : int, default=100
        Accepted for the sake of scikit-learn; Newton's method goes on until the mode is found, which takes some ten steps.
    warm_start : bool, default=False
        Accepted for the sake of scikit-learn; the mode is the same wherever the search for it begins.
    copy_X_train : bool, default=True
        Accepted for the sake of scikit-learn; the engine has a copy.
    random_state : int, RandomState instance or None, default=None
        For the random points.
    multi_class : {"one_vs_rest"}, default="one_vs_rest"
        How more than two classes are told apart. Pairs of classes ("one_vs_one" of scikit-learn) have no probabilities.
    rank : int, default=None
        Most rows that the process is made of, the pivots of a pivoted Cholesky factorisation of the kernel matrix; None for all rows
        while the memory allows it, and beyond for as many as it allows. Parameters are then learned from as many random rows.
    n_jobs : int, default=None
        Threads: None for all there are (one inside a worker of joblib), -1 for all. The result does not depend on it.
    memory : float, default=None
        Megabytes for the kernel matrix and what is made of it; None for a quarter of what is free at first, rounded down to a power of two.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
        The classes.
    n_classes_ : int
        Their number.
    kernel_ : kernel of `mercer.kernels`, or list of them
        The kernel with the parameters that were learned; of more than two classes a list of one per class.
    status_ : str
        "converged", or "stopped at the iteration limit" of the search for the kernel's parameters.
    theta_ : ndarray of shape (n_parameters,)
        The parameters of `kernel_` as one vector; of more than two classes those of all kernels.
    log_marginal_likelihood_value_ : float
        The approximate logarithm of the likelihood of the classes; of more than two the mean over them.
    rank_ : int, list of int or None
        Rows that a process of low rank is made of, of more than two classes a list of one per class; None for the exact process.
    n_features_in_ : int
        Number of columns of the training rows.
    feature_names_in_ : ndarray of shape (n_features_in_,)
        Names of the columns, if all of them have one.

    Examples
    --------
    >>> from mercer import GaussianProcessClassifier
    >>> from mercer.kernels import Gaussian
    >>> model = GaussianProcessClassifier(9.0 * Gaussian(length_scale=1.0), optimizer=None)
    >>> p = model.fit([[-1.0], [1.0]], ["no", "yes"]).predict_proba([[1.0], [99.0]])
    >>> bool(p[0, 1] > 0.6), p[1].round(3).tolist()
    (True, [0.5, 0.5])
    """

    _scales = ()
    _parameter_constraints = {
        "kernel": [Kernel, None],
        "optimizer": [StrOptions({"fmin_l_bfgs_b"}), None],
        "n_restarts_optimizer": [Interval(Integral, 0, None, closed="left")],
        "max_iter_predict": [Interval(Integral, 1, None, closed="left")],
        "warm_start": ["boolean"],
        "copy_X_train": ["boolean"],
        "random_state": ["random_state"],
        "multi_class": [StrOptions({"one_vs_rest"})],
        "rank": [Interval(Integral, 1, None, closed="left"), None],
        "n_jobs": [Integral, None],
        "memory": [Interval(Real, 0, None, closed="neither"), None],
    }

    def __init__(
        self,
        kernel=None,
        *,
        optimizer="fmin_l_bfgs_b",
        n_restarts_optimizer=0,
        max_iter_predict=100,
        warm_start=False,
        copy_X_train=True,
        random_state=None,
        multi_class="one_vs_rest",
        rank=None,
        n_jobs=None,
        memory=None,
    ):
        self.kernel = kernel
        self.optimizer = optimizer
        self.n_restarts_optimizer = n_restarts_optimizer
        self.max_iter_predict = max_iter_predict
        self.warm_start = warm_start
        self.copy_X_train = copy_X_train
        self.random_state = random_state
        self.multi_class = multi_class
        self.rank = rank
        self.n_jobs = n_jobs
        self.memory = memory

    @_fit_context(prefer_skip_nested_validation=True)
    def fit(self, X, y, sample_weight=None):
        """Learn the parameters of the kernel and fit the process.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features), or list
            Training rows or items.
        y : array-like of shape (n_samples,)
            Their classes.
        sample_weight : array-like of shape (n_samples,), default=None
            Weights of the rows: one of weight 2 counts as if it stood there twice, one of weight 0 as if it did not.

        Returns
        -------
        object
            The fitted estimator.

        Examples
        --------
        >>> from mercer import GaussianProcessClassifier
        >>> GaussianProcessClassifier().fit([[0.0], [1.0]], [0, 1]).n_classes_
        2
        """
        if is_structured(self.kernel):
            refuse_shifted(self.kernel)
            X = items_of(self.kernel, X)
            rows = as_items(self.kernel, X)
            check_consistent_length(rows, y)
        else:
            X, y = validate_data(self, X, y, dtype=np.float64)
            rows = as_rows(X)
        y = column_or_1d(y, warn=True)
        check_classification_targets(y)
        weights = checked_weights(sample_weight, len(y))
        self.classes_, codes = coded_classes(y, weights)
        self.n_classes_ = len(self.classes_)
        if self.n_classes_ < 2:
            raise ValueError(
                "GaussianProcessClassifier requires 2 or more distinct classes; the number of classes has to be greater"
                f" than one; got {self.n_classes_} class"
            )
        formula = "gaussian(length_scale=1)" if self.kernel is None else str(self.kernel)
        learn = self.optimizer is not None and self.kernel is not None
        seed = seed_of(self.random_state)
        codes = np.ascontiguousarray(codes, dtype=np.int64)
        restarts = int(self.n_restarts_optimizer)
        names = [class_name(label) for label in self.classes_]
        rank = None if self.rank is None else int(self.rank)
        self._process = _mercer.fit_process_classes(
            rows, codes, weights, names, formula, learn, restarts, seed, rank, self._means()
        )
        self._seen = X, codes, weights
        self._adopt()
        if not self._process.is_converged:
            warn("learning of the kernel's parameters ended early", ConvergenceWarning)
        for kernel in self._kernels() if learn else ():
            warn_at_bounds(kernel)
        return self

    def _means(self):
        memory = None if self.memory is None else int(self.memory * 2**20)
        return {"threads": thread_count(self.n_jobs), "memory": memory}

    def _kernels(self):
        """One of two classes, else one for each."""
        return [self.kernel_] if self.n_classes_ == 2 else self.kernel_

    def _usual_grid(self, rows, y):
        # A kernel that was given is learned in every fold: what is left is whether that is better than to take it as it is.
        return widths_of_processes(rows) if self.kernel is None else {"optimizer": [self.optimizer, None]}

    def _adopt(self):
        forget_search(self)
        found = [Formula(kernel) for kernel in self._process.kernels]
        self.kernel_ = found[0] if len(found) == 1 else found
        self.status_ = status_of(self._process.is_converged)
        ranks = self._process.ranks
        self.rank_ = None if not ranks else ranks[0] if len(found) == 1 else ranks
        self.log_marginal_likelihood_value_ = float(np.mean(self._process.likelihoods))

    def save(self, path):
        """Write the fitted model to a file that `mercer.load` and the command line read.

        Parameters
        ----------
        path : str or path-like
            What ends in .json is written as JSON, all else in Mercer's binary format.

        Examples
        --------
        >>> import os, tempfile
        >>> import mercer
        >>> model = mercer.GaussianProcessClassifier().fit([[0.0], [1.0]], ["no", "yes"])
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     path = os.path.join(folder, "process.mercer")
        ...     model.save(path)
        ...     mercer.load(path).predict([[0.9]]).tolist()
        ['yes']
        """
        check_is_fitted(self)
        self._process.save(path, names_of(self), note_of(self))

    def _restore(self, process, classes, names):
        """Becomes the estimator of a model from a file."""
        self._process, self.classes_, self.n_classes_ = process, classes, len(classes)
        if not is_structured(Formula(process.kernels[0])):
            self.n_features_in_ = process.columns
        if names is not None:
            self.feature_names_in_ = np.asarray(names, dtype=object)
        self._adopt()
        return self

    @property
    def theta_(self):
        """The parameters of `kernel_` as one vector.

        Returns
        -------
        ndarray of shape (n_parameters,) or (n_classes * n_parameters,)
            Logarithms of those that are above 0 and the others as they are, in the order of the formula; of more than two classes those of
            each, one after the other.

        Examples
        --------
        >>> from mercer import GaussianProcessClassifier
        >>> from mercer.kernels import Gaussian
        >>> GaussianProcessClassifier(Gaussian(length_scale=1.0), optimizer=None).fit([[0.0], [1.0]], [0, 1]).theta_
        array([0.])
        """
        if not hasattr(self, "_process"):
            raise AttributeError(f"{type(self).__name__} is not fitted: it has no theta_")
        return np.concatenate([theta_of(kernel) for kernel in self._kernels()])

    def log_marginal_likelihood(self, theta=None, eval_gradient=False, clone_kernel=True):
        """Tell the approximate logarithm of the likelihood of the training classes, with `kernel_` or with other parameters of it.

        Parameters
        ----------
        theta : array-like of shape (n_parameters,) or (n_classes * n_parameters,), default=None
            Parameters of the kernel, as `theta_` has them, of more than two classes the same for all or those of each; None for
            those of `kernel_`.
        eval_gradient : bool, default=False
            Whether the derivatives with respect to theta are told too.
        clone_kernel : bool, default=True
            Accepted for the sake of scikit-learn; kernels never change.

        Returns
        -------
        float, or a tuple with ndarray of the shape of theta
            The logarithm, of more than two classes the mean over them, and its derivatives if they were asked for.

        Examples
        --------
        >>> from mercer import GaussianProcessClassifier
        >>> from mercer.kernels import Gaussian
        >>> model = GaussianProcessClassifier(Gaussian(length_scale=1.0), optimizer=None).fit([[0.0], [1.0]], [0, 1])
        >>> value, slope = model.log_marginal_likelihood(model.theta_, eval_gradient=True)
        >>> round(value - model.log_marginal_likelihood_value_, 9), slope.shape
        (0.0, (1,))
        """
        check_is_fitted(self, "_process")
        if theta is None:
            if eval_gradient:
                raise ValueError("Gradient can only be evaluated for theta!=None")
            return self.log_marginal_likelihood_value_
        if not hasattr(self, "_seen"):
            raise ValueError("the training classes are not in the file that the model is from: fit it")
        if self.rank_ is not None:
            raise ValueError("the likelihood of other parameters is known of exact processes only: this is of low rank")
        kernels, theta = self._kernels(), np.asarray(theta, dtype=np.float64)
        count, is_one_for_all = len(theta_of(kernels[0])), theta.shape == theta_of(kernels[0]).shape
        if not is_one_for_all and theta.shape != (count * len(kernels),):
            raise ValueError(f"theta has the shape {theta.shape}: expected {count} parameters, or so many for each class")
        thetas = [theta] * len(kernels) if is_one_for_all else np.split(theta, len(kernels))
        # Earlier versions knew no weights.
        X, codes, weights = (*self._seen, None)[:3]
        classes = [1] if len(kernels) == 1 else range(len(kernels))
        found = [self._likelihood(*of, X, codes, weights, bool(eval_gradient)) for of in zip(kernels, thetas, classes)]
        value = float(np.mean([of[0] for of in found]))
        if not eval_gradient:
            return value
        gradients = [of[1] / len(found) for of in found]
        return value, np.sum(gradients, axis=0) if is_one_for_all else np.concatenate(gradients)

    def _likelihood(self, kernel, theta, own, X, codes, weights, gradient):
        """Of a class against the rest."""
        formula, slopes = with_theta(kernel, theta)
        if is_structured(kernel):
            return self._process.likelihoods[0 if self.n_classes_ == 2 else own], np.zeros(0)
        signs = (codes == own).astype(int).tolist()
        found = _mercer.classes_likelihood(as_rows(X), signs, weights, formula, gradient, self._means())
        return found[0], slopes * found[1] if gradient else None

    def predict_proba(self, X):
        """Tell the probability of each class.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features), or list
            The rows or items.

        Returns
        -------
        ndarray of shape (n_samples, n_classes)
            The probabilities; of more than two classes those of each against the rest, made to sum to 1.

        Examples
        --------
        >>> from mercer import GaussianProcessClassifier
        >>> GaussianProcessClassifier().fit([[0.0], [1.0]], [0, 1]).predict_proba([[0.5]]).round(6)
        array([[0.5, 0.5]])
        """
        check_is_fitted(self)
        kernel = Formula(self._process.kernels[0])
        if is_structured(kernel):
            return self._process.probabilities(as_items(kernel, X))
        X = validate_data(self, encoded(self, X), reset=False, dtype=np.float64)
        return self._process.probabilities(as_rows(X))

    def predict(self, X):
        """Predict the classes of rows.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features), or list
            The rows or items.

        Returns
        -------
        ndarray of shape (n_samples,)
            The classes.

        Examples
        --------
        >>> from mercer import GaussianProcessClassifier
        >>> GaussianProcessClassifier().fit([[0.0], [1.0]], ["no", "yes"]).predict([[0.9]]).tolist()
        ['yes']
        """
        p = self.predict_proba(X)
        codes = (p[:, 1] >= 0.5).astype(int) if p.shape[1] == 2 else p.argmax(axis=1)
        return self.classes_[codes]

    def __getstate__(self):
        state = dict(super().__getstate__())
        if "_process" in state:
            state["_process"] = state["_process"].to_bytes()
        return state

    def __setstate__(self, state):
        super().__setstate__(state)
        if isinstance(getattr(self, "_process", None), bytes):
            self._process = _mercer.ProcessClasses.from_bytes(self._process, thread_count(self.n_jobs))
