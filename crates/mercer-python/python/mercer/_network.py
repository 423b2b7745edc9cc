"""Radial basis function networks."""

from numbers import Integral, Real

import numpy as np
from sklearn.base import ClassifierMixin, MultiOutputMixin, RegressorMixin, _fit_context
from sklearn.utils._param_validation import Interval
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import check_is_fitted, column_or_1d, validate_data

from . import _mercer
from ._docs import documented
from ._estimator import Unpickled, checked_weights, class_name, coded_classes, forget_search, names_of, note_of
from ._rows import as_rows, from_rows
from ._seeds import seed_of
from ._tables import encoded
from ._threads import thread_count
from ._trials import TunableByFits
from ._warn import warn


class Network(TunableByFits, Unpickled):
    """Gaussian bumps about the means of clusters, and a linear read-out.

    Parameters
    ----------
    n_units : int, default=10
        Number of bumps; as many as there are rows, with a warning, if these are fewer.
    alpha : float, default=1e-6
        What a unit of the squared weights of the read-out costs.
    n_init : int, default=10
        Starts of k-means, the best of which counts.
    random_state : int, RandomState instance or None, default=None
        For the starts.
    n_jobs : int, default=None
        Threads: None for all there are (one inside a worker of joblib), -1 for all. The result does not depend on it.

    Attributes
    ----------
    centres_ : ndarray of shape (n_units, n_features)
        The middles of the bumps.
    widths_ : ndarray of shape (n_units,)
        Their widths.
    weights_ : ndarray of shape (n_outputs, n_units + 1)
        The read-out of each class or target, its offset last.
    n_features_in_ : int
        Number of columns of the training rows.
    feature_names_in_ : ndarray of shape (n_features_in_,)
        Names of the columns, if all of them have one.
    """

    _parameter_constraints = {
        "n_units": [Interval(Integral, 1, None, closed="left")],
        "alpha": [Interval(Real, 0, None, closed="left")],
        "n_init": [Interval(Integral, 1, None, closed="left")],
        "random_state": ["random_state"],
        "n_jobs": [Integral, None],
    }

    _scales = ("alpha",)

    def __init__(self, n_units=10, *, alpha=1e-6, n_init=10, random_state=None, n_jobs=None):
        self.n_units = n_units
        self.alpha = alpha
        self.n_init = n_init
        self.random_state = random_state
        self.n_jobs = n_jobs

    def _learn(self, X, targets, classes, weights):
        forget_search(self)
        units = min(int(self.n_units), X.shape[0] if weights is None else np.count_nonzero(weights))
        if units < self.n_units and not self._is_trial:
            what = f"{units} bumps in place of {self.n_units}: there are no more rows"
            warn(what, UserWarning)
        seed = seed_of(self.random_state)
        means = {"threads": thread_count(self.n_jobs), "memory": None}
        penalty, starts = float(self.alpha), int(self.n_init)
        self._adopt(_mercer.fit_network(as_rows(X), targets, weights, classes, units, penalty, starts, seed, means))
        return self

    def _adopt(self, machine):
        self._machine = machine
        centres = from_rows(machine.items)
        self.centres_ = centres.toarray() if hasattr(centres, "toarray") else centres
        self.widths_ = np.asarray(machine.told["widths"])
        self.weights_ = np.asarray(machine.told["weights"]).reshape(-1, len(self.widths_) + 1)

    def _usual_grid(self, rows, y):
        # A network has no more bumps than rows to learn from.
        units = [count for count in (2, 5, 10, 20, 50) if 2 * count <= max(len(y), 4)]
        return {"n_units": units, "alpha": [1e-6, 1e-4, 0.01, 1.0]}

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
        >>> model = mercer.RBFNetwork(n_units=2).fit([[0.0], [1.0]], ["no", "yes"])
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     path = os.path.join(folder, "network.mercer")
        ...     model.save(path)
        ...     mercer.load(path).predict([[0.9]]).tolist()
        ['yes']
        """
        check_is_fitted(self)
        self._machine.save(path, names_of(self), note_of(self))

    def _restore(self, machine):
        """Becomes the estimator of a model from a file."""
        self._adopt(machine)
        self.n_features_in_ = machine.shape[1]
        if machine.feature_names is not None:
            self.feature_names_in_ = np.asarray(machine.feature_names, dtype=object)
        return self

    def _outputs(self, X):
        check_is_fitted(self)
        X = validate_data(self, encoded(self, X), reset=False, dtype=np.float64)
        return self._machine.functions(as_rows(X), thread_count(self.n_jobs))


@documented
class RBFNetwork(ClassifierMixin, Network):
    """Radial basis function network: Gaussian bumps about the means of clusters, and a linear read-out.

    It is what support vector machines with the Gaussian kernel were first compared with.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
        The classes.

    Examples
    --------
    >>> from mercer import RBFNetwork
    >>> model = RBFNetwork(n_units=2, random_state=0).fit([[0.0], [0.1], [5.0], [5.1]], ["a", "a", "b", "b"])
    >>> model.predict([[4.9]]).tolist()
    ['b']
    """

    @_fit_context(prefer_skip_nested_validation=True)
    def fit(self, X, y, sample_weight=None):
        """Fit the network.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Training rows.
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
        >>> from mercer import RBFNetwork
        >>> RBFNetwork(n_units=2).fit([[0.0], [1.0]], [0, 1]).widths_.shape
        (2,)
        """
        X, y = validate_data(self, X, y, dtype=np.float64)
        y = column_or_1d(y, warn=True)
        check_classification_targets(y)
        weights = checked_weights(sample_weight, len(y))
        self.classes_, codes = coded_classes(y, weights)
        if len(self.classes_) < 2:
            raise ValueError(
                "RBFNetwork requires 2 classes or more; the number of classes has to be greater than one;"
                f" got {len(self.classes_)} class"
            )
        signs = np.where(codes[:, None] == np.arange(len(self.classes_)), 1.0, -1.0)
        return self._learn(X, signs, [class_name(label) for label in self.classes_], weights)

    def decision_function(self, X):
        """Tell how far rows are on the side of each class.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            The rows.

        Returns
        -------
        ndarray of shape (n_samples,) or (n_samples, n_classes)
            Of two classes one value, above 0 for the later; else one per class.

        Examples
        --------
        >>> from mercer import RBFNetwork
        >>> RBFNetwork(n_units=2).fit([[0.0], [1.0]], [0, 1]).decision_function([[1.0]]).shape
        (1,)
        """
        values = self._outputs(X)
        return 0.5 * (values[:, 1] - values[:, 0]) if len(self.classes_) == 2 else values

    def predict(self, X):
        """Predict the classes of rows.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            The rows.

        Returns
        -------
        ndarray of shape (n_samples,)
            The classes.

        Examples
        --------
        >>> from mercer import RBFNetwork
        >>> RBFNetwork(n_units=2).fit([[0.0], [1.0]], [0, 1]).predict([[0.9]]).tolist()
        [1]
        """
        values = self.decision_function(X)
        codes = (values >= 0).astype(int) if values.ndim == 1 else values.argmax(axis=1)
        return self.classes_[codes]

@documented
class RBFNetworkRegressor(MultiOutputMixin, RegressorMixin, Network):
    """Radial basis function network for numbers: Gaussian bumps about the means of clusters, and a linear read-out.

    Examples
    --------
    >>> import numpy as np
    >>> from mercer import RBFNetworkRegressor
    >>> X = np.linspace(0, 6, 60)[:, None]
    >>> model = RBFNetworkRegressor(n_units=10, random_state=0).fit(X, np.sin(X).ravel())
    >>> model.score(X, np.sin(X).ravel()) > 0.9
    True
    """

    @_fit_context(prefer_skip_nested_validation=True)
    def fit(self, X, y, sample_weight=None):
        """Fit the network.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Training rows.
        y : array-like of shape (n_samples,) or (n_samples, n_targets)
            Targets.
        sample_weight : array-like of shape (n_samples,), default=None
            Weights of the rows: one of weight 2 counts as if it stood there twice, one of weight 0 as if it did not.

        Returns
        -------
        object
            The fitted estimator.

        Examples
        --------
        >>> from mercer import RBFNetworkRegressor
        >>> RBFNetworkRegressor(n_units=2).fit([[0.0], [1.0]], [0.0, 1.0]).weights_.shape
        (1, 3)
        """
        X, y = validate_data(self, X, y, multi_output=True, y_numeric=True, dtype=np.float64)
        targets = np.asarray(y, dtype=np.float64)
        self._flat = targets.ndim == 1
        weights = checked_weights(sample_weight, len(targets))
        return self._learn(X, np.ascontiguousarray(targets.reshape(len(targets), -1)), [], weights)

    def predict(self, X):
        """Predict the targets of rows.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            The rows.

        Returns
        -------
        ndarray of shape (n_samples,) or (n_samples, n_targets)
            The predicted values.

        Examples
        --------
        >>> from mercer import RBFNetworkRegressor
        >>> RBFNetworkRegressor(n_units=2).fit([[0.0], [1.0]], [0.0, 1.0]).predict([[1.0]]).round(3)
        array([1.])
        """
        values = self._outputs(X)
        # Of a model from a file it is not known how many dimensions the targets had.
        return values.ravel() if getattr(self, "_flat", values.shape[1] == 1) else values
