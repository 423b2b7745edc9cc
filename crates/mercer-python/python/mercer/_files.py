"""Models from files."""

import json

import numpy as np

from . import _mercer
from .kernels import Formula


def load(path):
    """The model of a file, as an estimator that is fitted.

    Parameters
    ----------
    path : str or path-like
        A file that `save` of an estimator or the command line wrote, or one in LIBSVM's format (.model).

    Returns
    -------
    estimator
        One of the kind that was saved; `SVC`, `SVR`, `OneClassSVM` or `SVDD` for a model of another program. Of its parameters
        those are known that predictions depend on: the kernel, how classes are told apart, the kind of probabilities and of
        labels. If the training rows were scaled, as the command line does, so are the rows that it is asked about.

    Examples
    --------
    >>> import os, tempfile
    >>> import mercer
    >>> model = mercer.SVC(kernel="linear").fit([[-1.0], [1.0]], ["no", "yes"])
    >>> path = os.path.join(tempfile.mkdtemp(), "signs.mercer")
    >>> model.save(path)
    >>> mercer.load(path).predict([[3.0]]).tolist()
    ['yes']
    """
    from . import SVC, SVDD, SVR, LinearSVC, LinearSVR, NuSVC, NuSVR, OneClassSVM

    model = _mercer.Model.load(path)
    note = _note(model.note)
    if model.kind == "linear classes":
        estimator = LinearSVC()
        estimator.classes_ = _classes(model.classes, note)
        return estimator._restore(model)
    if model.kind == "linear numbers":
        return LinearSVR()._restore(model)
    kernel = "precomputed" if model.takes_kernel_values else Formula(model.kernel)
    if model.kind in ("pairs", "classes"):
        probability = {None: False, "consistent": True}.get(model.probability, model.probability)
        estimator = (NuSVC if note.get("estimator") == "NuSVC" else SVC)(
            kernel=kernel,
            multi_class=model.multiclass,
            probability=probability,
            break_ties=note.get("break_ties") is True,
            decision_function_shape="ovo" if note.get("decision_function_shape") == "ovo" else "ovr",
        )
        estimator.classes_ = _classes(model.classes, note)
        estimator.class_weight_ = np.ones(len(estimator.classes_))
    elif model.kind == "numbers":
        estimator = (NuSVR if note.get("estimator") == "NuSVR" else SVR)(kernel=kernel)
    else:
        estimator = (OneClassSVM if model.is_hyperplane else SVDD)(kernel=kernel)
    return estimator._restore(model)


def _note(text):
    """What the estimator that wrote the file has noted, if it was one."""
    try:
        note = json.loads(text or "{}")
    except ValueError:
        return {}
    return note if isinstance(note, dict) else {}


def _classes(names, note):
    """Classes of a file, which are text there: of the kind that was noted, or else whole numbers, numbers, or what they are."""
    try:
        kind = np.dtype(note["labels"])
        if kind.kind == "b" and set(names) <= {"False", "True"}:
            return np.array([name == "True" for name in names])
        if kind.kind in "iuf":
            return np.array([float(name) if kind.kind == "f" else int(name) for name in names]).astype(kind)
        if kind.kind in "UO":
            return np.array(names, dtype=object if kind.kind == "O" else None)
    except (KeyError, TypeError, ValueError, OverflowError):
        # Without a note, or with one that does not fit, what the text looks like decides.
        pass
    for kind in (int, float):
        try:
            return np.array([kind(name) for name in names])
        except ValueError:
            pass
    return np.array(names)
