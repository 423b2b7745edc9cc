"""Asking for the labels that teach most."""

from numbers import Integral, Real

import numpy as np
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils import check_array
from sklearn.utils._param_validation import Interval, StrOptions, validate_parameter_constraints
from sklearn.utils.validation import _num_samples, column_or_1d

from . import _mercer
from ._containers import items_of
from ._kernel_machine import KernelMachine, is_structured
from ._refitted import REFITTED
from ._remembered import Remembered
from ._rows import as_rows
from ._warn import warn
from ._whole import whole


class ActiveLearner:
    """A pool of items without labels, and which of them to ask about next.

    Only support vectors decide where the boundary runs, so that other labels need not be asked for. The machine is the exact support vector machine of all
    answers; of more than two classes each is told from the rest. Where rounding defeats the exact update, the batch solver trains the machine again, with a
    `ConvergenceWarning` the first time. It is an iterator: what it gives is to be answered before the next.

    Parameters
    ----------
    X : {array-like, sparse matrix} of shape (n_items, n_features), or list of items
        The pool: rows, or items for kernels on such.
    classes : array-like of shape (n_classes,)
        The classes, of which there are two at least.
    query : {"mixed", "nearest", "band", "uncertain", "random"}, default="mixed"
        Which item comes next: the one nearest to the boundary and every third one any ("mixed"), always the nearest, any within the margin band, the one whose class is least probable to be known, or any.
    C : float, default=10.0
        What a unit of slack costs; a large one trusts every answer.
    kernel : {"linear", "poly", "rbf", "sigmoid"}, kernel of `mercer.kernels` or callable, default="rbf"
        The kernel. A callable is given two lists of items and returns the matrix of their kernel values;
        `mercer.kernels.Pairwise` makes one of a function of two items.
    degree : int, default=3
        Degree of "poly".
    gamma : {"scale", "auto"} or float, default="scale"
        Coefficient of "rbf", "poly" and "sigmoid": 1/(n_features · variance of X), 1/n_features, or a number.
    coef0 : float, default=0.0
        Constant term of "poly" and "sigmoid".
    random_state : int, default=0
        What draws are made from. Who gives the same answers again is asked the same.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
        The classes, sorted.
    objectives_ : ndarray of shape (n_answers,)
        The dual objective after each answer.
    asked_ : ndarray of shape (n_answers,)
        Positions of the items with an answer, in the order of the answers.
    answers_ : ndarray of shape (n_answers,)
        Their classes.

    Examples
    --------
    >>> import numpy as np
    >>> from mercer import ActiveLearner
    >>> X = np.arange(100.0).reshape(-1, 1)
    >>> learner = ActiveLearner(X, classes=["low", "high"], kernel="linear", C=1000.0)
    >>> for item in learner:
    ...     learner.answer(item, "high" if X[item, 0] > 41.5 else "low")
    ...     if learner.band() == 0:
    ...         break
    >>> len(learner.asked_) < 20, learner.predict([[41.0], [42.0]]).tolist()
    (True, ['low', 'high'])
    """

    _parameter_constraints = {
        **KernelMachine._parameter_constraints,
        "kernel": [StrOptions({"linear", "poly", "rbf", "sigmoid"}), callable],
        "query": [StrOptions({"mixed", "nearest", "band", "uncertain", "random"})],
        "C": [Interval(Real, 0.0, None, closed="neither")],
        "random_state": [Interval(Integral, 0, None, closed="left")],
    }

    def __init__(
        self, X, classes, *, query="mixed", C=10.0, kernel="rbf", degree=3, gamma="scale", coef0=0.0, random_state=0
    ):
        given = {
            "query": query, "C": C, "kernel": kernel, "degree": degree, "gamma": gamma, "coef0": coef0,
            "random_state": random_state,
        }  # fmt: skip
        validate_parameter_constraints(self._parameter_constraints, given, caller_name="ActiveLearner")
        self.classes_ = np.unique(column_or_1d(classes))
        if len(self.classes_) < 2:
            raise ValueError(f"two classes at least are needed to be told apart, not {self.classes_.tolist()}")
        machine = _Kernel(kernel, degree, gamma, coef0)
        anything = machine._takes_anything()
        self._remembered = None
        if anything:
            self._remembered = Remembered(kernel)
            X = items_of(kernel, X) if is_structured(kernel) else X
            ids = self._remembered.add(X)
            pool, formula = self._remembered.values(ids, ids), None
        else:
            X = check_array(X, accept_sparse="csr", dtype=[np.float64, np.float32])
            machine._gamma = machine._resolved_gamma(X, None)
            pool, formula = as_rows(X), machine._formula()
        self._is_structured = is_structured(kernel)
        self._size = _num_samples(X)
        self._questions = _mercer.Questions(formula, float(C), pool, len(self.classes_), query, int(random_state))
        self._has_warned = False
        # What a pickle is made of: the machine is exactly that of its answers.
        self._given = (X.copy() if hasattr(X, "copy") else list(X), given)

    def __getstate__(self):
        state = dict(self.__dict__)
        del state["_questions"], state["_remembered"]
        return {**state, "_asked": self._questions.asked}

    def __setstate__(self, state):
        X, given = state["_given"]
        self.__init__(X, state["classes_"], **given)
        for item, code in state["_asked"]:
            self._questions.answer(item, code)

    def __iter__(self):
        """Itself: every round asks about one more item."""
        return self

    def __next__(self):
        """The position of the item that teaches most."""
        found = self.ask(1)
        if not len(found):
            raise StopIteration
        return int(found[0])

    def ask(self, count=1, *, diversity=0.5):
        """Tell which items teach most.

        Parameters
        ----------
        count : int, default=1
            How many, at most as many as have no answer.
        diversity : float, default=0.5
            How much several of them should differ from each other, from 0 to 1.

        Returns
        -------
        ndarray of int
            Their positions in the pool.

        Examples
        --------
        >>> from mercer import ActiveLearner
        >>> len(ActiveLearner([[0.0], [1.0], [2.0]], classes=[0, 1]).ask(2))
        2
        """
        return np.array(self._questions.ask(whole("count", count, 0), float(diversity)), dtype=np.int64)

    def answer(self, item, label):
        """Tell the class of an item.

        Parameters
        ----------
        item : int
            Its position in the pool.
        label : object
            Its class.

        Examples
        --------
        >>> from mercer import ActiveLearner
        >>> learner = ActiveLearner([[0.0], [1.0]], classes=["no", "yes"])
        >>> learner.answer(1, "yes")
        >>> learner.asked_
        array([1])
        """
        place = np.flatnonzero(self.classes_ == label)
        if not len(place):
            raise ValueError(f"{label!r} is none of the classes {self.classes_.tolist()}")
        item = whole("item", item, 0)
        if item >= self._size:
            raise ValueError(f"item={item}: expected a position in the pool, 0 to {self._size - 1}")
        self._questions.answer(item, int(place[0]))
        self._warn_of_refits()

    def _warn_of_refits(self):
        """Warns once that the batch solver trained a machine again."""
        if self._questions.refits and not self._has_warned:
            self._has_warned = True
            warn(REFITTED, ConvergenceWarning)

    def undo(self):
        """Take the last answer back.

        Returns
        -------
        int or None
            The position of the item whose answer it was.

        Examples
        --------
        >>> from mercer import ActiveLearner
        >>> learner = ActiveLearner([[0.0], [1.0]], classes=["no", "yes"])
        >>> learner.answer(1, "yes")
        >>> learner.undo()
        1
        """
        item = self._questions.undo()
        self._warn_of_refits()
        return item

    def band(self):
        """Count the items without an answer within the margin band.

        Returns
        -------
        int
            How many; all of them while there is no boundary yet.

        Examples
        --------
        >>> from mercer import ActiveLearner
        >>> ActiveLearner([[0.0], [1.0]], classes=["no", "yes"]).band()
        2
        """
        questions = self._questions
        return questions.band() if questions.has_boundary else self._size - len(questions.asked)

    def has_settled(self, rounds=10, tol=1e-3):
        """Tell whether the last answers have hardly changed the machine: the stopping rule for labels without noise.

        Parameters
        ----------
        rounds : int, default=10
            How many answers.
        tol : float, default=1e-3
            By which share the dual objective may have grown.

        Returns
        -------
        bool
            Whether they have.

        Examples
        --------
        >>> from mercer import ActiveLearner
        >>> ActiveLearner([[0.0], [1.0]], classes=["no", "yes"]).has_settled()
        False
        """
        return self._questions.has_settled(whole("rounds", rounds, 1), float(tol))

    def has_emptied(self, X, y, accept=0.05):
        """Tell whether the margin band is empty and items with known classes are right: the stopping rule for labels with noise.

        Parameters
        ----------
        X : {array-like, sparse matrix} of shape (n_samples, n_features), or list of items
            Rows with known classes, or items.
        y : array-like of shape (n_samples,)
            The classes.
        accept : float, default=0.05
            The share that may be wrong.

        Returns
        -------
        bool
            Whether both hold.

        Examples
        --------
        >>> from mercer import ActiveLearner
        >>> learner = ActiveLearner([[0.0], [4.0]], classes=[0, 1], kernel="linear")
        >>> learner.answer(0, 0)
        >>> learner.answer(1, 1)
        >>> learner.has_emptied([[-1.0], [5.0]], [0, 1])
        True
        """
        if not self._questions.has_boundary or self.band() > 0:
            return False
        return bool(np.mean(self.predict(X) != column_or_1d(y)) <= accept)

    def predict(self, X):
        """Predict the classes of items by the machine of the answers so far.

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
        >>> from mercer import ActiveLearner
        >>> learner = ActiveLearner([[0.0], [4.0]], classes=[0, 1], kernel="linear")
        >>> learner.answer(0, 0)
        >>> learner.answer(1, 1)
        >>> learner.predict([[3.0]])
        array([1])
        """
        if self._remembered is not None:
            codes = self._questions.predict_values(self._remembered.compared(X)[0])
        else:
            codes = self._questions.predict(as_rows(check_array(X, accept_sparse="csr", dtype=[np.float64, np.float32])))
        return self.classes_[codes]

    def decision_function(self, X):
        """Evaluate the machines of the answers so far.

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
        >>> from mercer import ActiveLearner
        >>> learner = ActiveLearner([[0.0], [4.0]], classes=[0, 1], kernel="linear")
        >>> learner.answer(0, 0)
        >>> learner.answer(1, 1)
        >>> learner.decision_function([[2.0], [4.0]]).round(3) + 0.0
        array([0., 1.])
        """
        if self._remembered is not None:
            values = self._questions.values_of_values(self._remembered.compared(X)[0])
        else:
            rows = check_array(X, accept_sparse="csr", dtype=[np.float64, np.float32])
            values = self._questions.values(as_rows(rows))
        return values.ravel() if len(self.classes_) == 2 else values

    @property
    def objectives_(self):
        """The dual objective after each answer: it grows with every answer that changes the machine.

        Returns
        -------
        ndarray of shape (n_answers,)
            The objectives; of more than two classes the sums over their machines.

        Examples
        --------
        >>> from mercer import ActiveLearner
        >>> ActiveLearner([[0.0], [4.0]], classes=[0, 1]).objectives_.shape
        (0,)
        """
        return self._questions.objectives

    @property
    def asked_(self):
        """Positions of the items with an answer.

        Returns
        -------
        ndarray of shape (n_answers,)
            In the order of the answers.

        Examples
        --------
        >>> from mercer import ActiveLearner
        >>> ActiveLearner([[0.0], [4.0]], classes=[0, 1]).asked_.shape
        (0,)
        """
        return np.array([item for item, _ in self._questions.asked], dtype=np.int64)

    @property
    def answers_(self):
        """The classes that were told.

        Returns
        -------
        ndarray of shape (n_answers,)
            In the order of the answers.

        Examples
        --------
        >>> from mercer import ActiveLearner
        >>> learner = ActiveLearner([[0.0], [4.0]], classes=["no", "yes"])
        >>> learner.answer(0, "no")
        >>> learner.answers_.tolist()
        ['no']
        """
        return self.classes_[np.array([code for _, code in self._questions.asked], dtype=int)]


class _Kernel(KernelMachine):
    """A kernel by the parameters of an estimator."""

    def __init__(self, kernel="rbf", degree=3, gamma="scale", coef0=0.0):
        self.kernel = kernel
        self.degree = degree
        self.gamma = gamma
        self.coef0 = coef0
