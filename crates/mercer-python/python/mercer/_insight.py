"""What a machine says about its data: labels that look wrong, items that stand for others, and who speaks for a prediction."""

import numpy as np
from sklearn.utils import check_array
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import _num_samples, check_consistent_length, check_is_fitted, column_or_1d

from . import _mercer
from ._active import _Kernel
from ._estimator import class_name, coded_classes
from ._containers import items_of, one_by_one
from ._items import as_items
from ._kernel_machine import is_function, is_structured, kernel_values
from ._rows import as_rows
from ._whole import whole


def clean(X, y, *, C=1.0, kernel="rbf", degree=3, gamma="scale", coef0=0.0, folds=None, times=3, random_state=0):
    """Rank items by how much their label is contradicted by the others.

    Machines that were trained without an item put it deep into another class if its label is wrong. C should allow slack: a machine that learns
    every label by heart is wrong about the neighbours of a wrong one too.

    Parameters
    ----------
    X : {array-like, sparse matrix} of shape (n_samples, n_features), or list of items
        Rows, of comparable columns, or items for kernels on such; kernel values for `kernel="precomputed"`.
    y : array-like of shape (n_samples,)
        Their classes.
    C : float, default=1.0
        What a unit of slack costs.
    kernel : {"linear", "poly", "rbf", "sigmoid", "precomputed"}, kernel of `mercer.kernels` or callable, default="rbf"
        The kernel. A callable is given two lists of items and returns the matrix of their kernel values;
        `mercer.kernels.Pairwise` makes one of a function of two items.
    degree : int, default=3
        Degree of "poly".
    gamma : {"scale", "auto"} or float, default="scale"
        Coefficient of "rbf", "poly" and "sigmoid": 1/(n_features · variance of X), 1/n_features, or a number.
    coef0 : float, default=0.0
        Constant term of "poly" and "sigmoid".
    folds : int, default=None
        Parts that are held out in turn; None means 10, or as many as there are items.
    times : int, default=3
        How often, each time in other parts.
    random_state : int, default=0
        What the parts are drawn from.

    Returns
    -------
    dict of ndarray
        In the order of the rank: `item` (positions in X), `label`, `suggested` (the class that the others give it), `margin` (the score of its own class less
        that of the best other one, below 0 if the label is contradicted), `weight` (Σ|β| of a machine that has seen it) and `slack` in that machine.

    Examples
    --------
    >>> import numpy as np
    >>> from mercer import clean
    >>> X = np.arange(40.0).reshape(-1, 1)
    >>> y = np.where(np.arange(40) < 20, "low", "high")
    >>> y[7] = "high"
    >>> found = clean(X, y, kernel="linear")
    >>> int(found["item"][0]), str(found["suggested"][0]), bool(found["margin"][0] < 0)
    (7, 'low', True)
    """
    X = items_of(kernel, X) if is_structured(kernel) else X
    rows, formula = _given(X, kernel, degree, gamma, coef0)
    y = column_or_1d(y, warn=True)
    check_consistent_length(X, y)
    check_classification_targets(y)
    classes, codes = coded_classes(y, None)
    names = [class_name(label) for label in classes]
    folds = max(2, min(10, len(y))) if folds is None else folds
    parts = (whole("folds", folds, 2), whole("times", times, 1), whole("random_state", random_state, 0))
    told = _mercer.suspects(rows, codes, names, formula, float(C), *parts)
    item, given, suggested, margin, weight, slack = (np.array(column) for column in zip(*told))
    return {
        "item": item,
        "label": classes[given],
        "suggested": classes[suggested],
        "margin": margin,
        "weight": weight,
        "slack": slack,
    }


def prototypes(X, count=10, *, kernel="rbf", degree=3, gamma="scale", coef0=0.0):
    """Choose the items whose mean in feature space is nearest to that of all items, one after the other.

    Parameters
    ----------
    X : {array-like, sparse matrix} of shape (n_samples, n_features), or list of items
        Rows, or items for kernels on such; kernel values for `kernel="precomputed"`.
    count : int, default=10
        How many.
    kernel : {"linear", "poly", "rbf", "sigmoid", "precomputed"}, kernel of `mercer.kernels` or callable, default="rbf"
        The kernel. A callable is given two lists of items and returns the matrix of their kernel values;
        `mercer.kernels.Pairwise` makes one of a function of two items.
    degree : int, default=3
        Degree of "poly".
    gamma : {"scale", "auto"} or float, default="scale"
        Coefficient of "rbf", "poly" and "sigmoid": 1/(n_features · variance of X), 1/n_features, or a number.
    coef0 : float, default=0.0
        Constant term of "poly" and "sigmoid".

    Returns
    -------
    items : ndarray of shape (count,)
        Their positions in X.
    distances : ndarray of shape (count,)
        The squared distance of the two means, with each and those before it.

    Examples
    --------
    >>> from mercer import prototypes
    >>> items, distances = prototypes([[0.0], [0.1], [0.2], [5.0], [5.1], [5.2]], 2, gamma=1.0)
    >>> sorted(items.tolist()), bool(distances[1] < 0.01)
    ([1, 4], True)
    """
    X = items_of(kernel, X) if is_structured(kernel) else X
    rows, formula = _given(X, kernel, degree, gamma, coef0)
    found = _mercer.prototypes(rows, formula, whole("count", count, 1))
    return np.array([item for item, _ in found], dtype=np.int64), np.array([distance for _, distance in found])


def explain(model, x):
    """Tell which support vectors speak for and against what a model says about one item.

    Parameters
    ----------
    model : estimator
        A fitted classifier, regression or detector with support vectors: `SVC`, `SVR`, `OneClassSVM` and their kin, `IncrementalSVC`, and machines that
        learn on-line.
    x : array-like of shape (n_features,), or item
        The row, or the item.

    Returns
    -------
    list of dict
        For each function of the model (one for each pair of classes, or each class): `above` and `below` (the classes that win where the value is above and below
        0, "inside" and "outside" of a detector, None of a regression), `value`, `offset`, and arrays with an entry for each support vector, the largest contribution first: `item` (its position in
        the training set; the number of the example, of machines that learn from one after the other), `coefficient`, `similarity` (the kernel's value) and `contribution` (their product). The contributions and the offset sum to the value.

    Examples
    --------
    >>> from mercer import SVC, explain
    >>> model = SVC(kernel="linear", C=10.0).fit([[-1.0], [1.0]], ["no", "yes"])
    >>> found = explain(model, [3.0])[0]
    >>> found["above"], found["contribution"].round(2).tolist()
    ('yes', [1.5, 1.5])
    """
    check_is_fitted(model)
    # An array may be a row, or an item of its own: a series, a set, an image.
    is_item = not hasattr(x, "reshape") or (hasattr(model, "_takes_anything") and model._takes_anything())
    one = [x] if is_item else x.reshape(1, -1)
    if hasattr(model, "_explained"):
        told = model._explained(one)
    elif getattr(model, "_model", None) is not None and hasattr(model, "_check_for_predict"):
        told = _mercer.explain(model._model, model._check_for_predict(one))
    else:
        raise TypeError(f"explained are classifiers, regressions and detectors with support vectors, not {type(model).__name__}")
    # Classes as the estimator has them; files and engines know their names.
    own = {class_name(label): getattr(label, "item", lambda: label)() for label in getattr(model, "classes_", [])}
    found = []
    for sides, value, offset, terms in told:
        above, below = (own.get(side, side) for side in sides) if sides is not None else (None, None)
        item, coefficient, similarity, contribution = (np.array(column) for column in zip(*terms)) if terms else [np.empty(0)] * 4
        found.append(
            {
                "above": above,
                "below": below,
                "value": value,
                "offset": offset,
                "item": item,
                "coefficient": coefficient,
                "similarity": similarity,
                "contribution": contribution,
            }
        )
    return found


def _given(X, kernel, degree, gamma, coef0):
    """Items as the engine takes them, and the kernel; none for kernel values."""
    if is_structured(kernel):
        return as_items(kernel, X), str(kernel)
    if is_function(kernel):
        items = X if hasattr(X, "shape") else one_by_one(X)
        values = kernel_values(kernel, items, items)
        if values.shape != (_num_samples(X),) * 2:
            raise ValueError(f"the kernel gives values of shape {values.shape} for {_num_samples(X)} items")
        return np.ascontiguousarray(values), None
    X = check_array(X, accept_sparse="csr", dtype=[np.float64, np.float32])
    machine = _Kernel(kernel, degree, gamma, coef0)
    machine._validate_params()
    if kernel == "precomputed":
        if X.shape[0] != X.shape[1]:
            raise ValueError(f"Precomputed matrix must be a square matrix. Input is a {X.shape[0]}x{X.shape[1]} matrix.")
        return as_rows(X), None
    machine._gamma = machine._resolved_gamma(X, None)
    return as_rows(X), machine._formula()
