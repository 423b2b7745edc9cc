"""What classifiers share that learn from one example after the other."""

import numpy as np
from sklearn.base import ClassifierMixin, _fit_context
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import _num_samples, column_or_1d

from ._estimator import checked_weights, class_name, coded_classes
from ._online import OnlineMachine


class OnlineClassifier(ClassifierMixin, OnlineMachine):
    """What on-line classifiers share.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
        The classes, sorted.
    """

    def _fit(self, X, y, sample_weight):
        X, y = self._check_rows(X, y)
        weights = checked_weights(sample_weight, _num_samples(X))
        codes = self._begin_classes(X, y, None, weights)
        self._visit(X, self._targets(codes), weights)
        return self._adopt()

    def _partial_fit(self, X, y, classes, sample_weight):
        is_first = self._is_first()
        X, y = self._check_more(X, y)
        weights = checked_weights(sample_weight, _num_samples(X), may_be_zero=not is_first)
        if is_first:
            if classes is None:
                classes = getattr(self, "classes", None)
            if classes is None:
                raise ValueError("classes must be passed on the first call to partial_fit.")
            codes = self._begin_classes(X, y, self._given_classes(classes), weights)
        else:
            if classes is not None and not np.array_equal(self.classes_, self._given_classes(classes)):
                raise ValueError(
                    f"`classes={classes!r}` is not the same as on last call to partial_fit, was: {self.classes_!r}"
                )
            codes = self._coded(y, weights)
        self._learn(X, self._targets(codes), weights)
        return self._adopt()

    def _begin_classes(self, X, y, classes, weights):
        if self._takes_anything():
            y = column_or_1d(y, warn=True)
        self._check_labels(y)
        if classes is None:
            self.classes_, codes = coded_classes(y, weights)
        else:
            self.classes_ = classes
            codes = self._coded(y, weights)
        if len(self.classes_) < 2:
            raise ValueError(f"The number of classes has to be greater than one; got {len(self.classes_)} class")
        self._begin(X, self._names(), weights)
        return codes

    def _check_labels(self, y):
        check_classification_targets(y)

    def _given_classes(self, classes):
        """The classes that were named, in the order in which they are numbered."""
        return np.unique(column_or_1d(classes))

    def _coded(self, y, weights):
        """The place of each label among the classes; that of a row of weight 0 may be any."""
        y = column_or_1d(y, warn=True)
        order = np.argsort(self.classes_, kind="stable")
        codes = order[np.minimum(np.searchsorted(self.classes_, y, sorter=order), len(order) - 1)]
        counts = True if weights is None else weights > 0
        new = np.flatnonzero(counts & (self.classes_[codes] != y))
        if len(new):
            raise ValueError(f"y has the class {y[new[0]]!r} at row {new[0]}, which is none of {self.classes_.tolist()}")
        return codes

    def _names(self):
        return [class_name(label) for label in self.classes_]

    def _targets(self, codes):
        return np.ascontiguousarray(codes, dtype=np.float64)

    def _averages(self):
        return False

    def _sides_of(self, at, sides):
        if sides is not None:
            return sides
        names = [class_name(label) for label in self.classes_]
        return (names[1], names[0]) if len(names) == 2 else (names[at], "the rest")

    def decision_function(self, X):
        """Tell how far items are on the side of each class.

        Parameters
        ----------
        X : {array-like, sparse matrix} of shape (n_samples, n_features), or list of items
            The rows, or items.

        Returns
        -------
        ndarray of shape (n_samples,) or (n_samples, n_classes)
            Of two classes one value, above 0 for the later; else one for each class.

        Examples
        --------
        >>> from mercer import KernelPerceptron
        >>> model = KernelPerceptron(kernel="linear").fit([[-1.0], [1.0]], [0, 1])
        >>> bool(model.decision_function([[3.0]])[0] > 0)
        True
        """
        values = self._values(X, self._averages())
        return values.ravel() if len(self.classes_) == 2 else values

    def predict(self, X):
        """Predict the classes of items.

        Parameters
        ----------
        X : {array-like, sparse matrix} of shape (n_samples, n_features), or list of items
            The rows, or items.

        Returns
        -------
        ndarray of shape (n_samples,)
            The classes.

        Examples
        --------
        >>> from mercer import KernelPerceptron
        >>> KernelPerceptron().fit([[-1.0], [1.0]], ["no", "yes"]).predict([[0.5]]).tolist()
        ['yes']
        """
        values = self._values(X, self._averages())
        return self.classes_[self._learner.decide(values).astype(int)]


class WeightedOnlineClassifier(OnlineClassifier):
    """What on-line classifiers share whose examples have weights."""

    @_fit_context(prefer_skip_nested_validation=True)
    def fit(self, X, y, sample_weight=None):
        """Fit the classifier: go over the examples, in their order, until nothing changes.

        Parameters
        ----------
        X : {array-like, sparse matrix} of shape (n_samples, n_features), or list of items
            Training rows, or items for kernels on such.
        y : array-like of shape (n_samples,)
            Their classes.
        sample_weight : array-like of shape (n_samples,), default=None
            Weights of the rows: what an example changes is multiplied by its weight (`KernelPerceptron`), or its C is
            (`PassiveAggressiveClassifier`); one of weight 0 changes nothing.

        Returns
        -------
        object
            The fitted estimator.

        Examples
        --------
        >>> from mercer import KernelPerceptron
        >>> model = KernelPerceptron(kernel="poly", degree=2).fit([[-1, -1], [-1, 1], [1, -1], [1, 1]], [0, 1, 1, 0])
        >>> model.predict([[1, -1]]).tolist(), model.status_
        ([1], 'settled')
        """
        return self._fit(X, y, sample_weight)

    @_fit_context(prefer_skip_nested_validation=True)
    def partial_fit(self, X, y, classes=None, sample_weight=None):
        """Learn from more examples, one after the other; each is predicted first.

        Parameters
        ----------
        X : {array-like, sparse matrix} of shape (n_samples, n_features), or list of items
            More rows, or items for kernels on such.
        y : array-like of shape (n_samples,)
            Their classes.
        classes : array-like of shape (n_classes,), default=None
            All classes that there will be; must be said at the first call.
        sample_weight : array-like of shape (n_samples,), default=None
            Weights of the rows, as of `fit`.

        Returns
        -------
        object
            The estimator.

        Examples
        --------
        >>> from mercer import PassiveAggressiveClassifier
        >>> model = PassiveAggressiveClassifier(budget=50)
        >>> for x in range(100):
        ...     model = model.partial_fit([[x % 7 - 3.0]], [x % 7 > 3], classes=[False, True])
        >>> model.n_examples_, model.n_mistakes_ < 10
        (100, True)
        """
        return self._partial_fit(X, y, classes, sample_weight)
