"""Models from files."""

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
        `SVC`, `SVR`, `OneClassSVM`, `SVDD`, `LinearSVC` or `LinearSVR`. Its parameters are those that the file tells: the kernel. If the training rows
        were scaled, as the command line does, so are the rows that it is asked about.

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
    from . import SVC, SVDD, SVR, LinearSVC, LinearSVR, OneClassSVM

    model = _mercer.Model.load(path)
    if model.kind == "linear classes":
        estimator = LinearSVC()
        estimator.classes_ = _classes(model.classes)
        return estimator._restore(model)
    if model.kind == "linear numbers":
        return LinearSVR()._restore(model)
    kernel = "precomputed" if model.takes_kernel_values else Formula(model.kernel)
    if model.kind in ("pairs", "classes"):
        estimator = SVC(kernel=kernel, multi_class=model.multiclass, probability=model.has_probabilities)
        estimator.classes_ = _classes(model.classes)
        estimator.class_weight_ = np.ones(len(estimator.classes_))
    elif model.kind == "numbers":
        estimator = SVR(kernel=kernel)
    else:
        estimator = (OneClassSVM if model.is_hyperplane else SVDD)(kernel=kernel)
    return estimator._restore(model)


def _classes(names):
    """Classes of a file, which are text: whole numbers, numbers, or what they are."""
    for kind in (int, float):
        try:
            return np.array([kind(name) for name in names])
        except ValueError:
            pass
    return np.array(names)
