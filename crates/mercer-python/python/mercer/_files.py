"""Models from files."""

import json

import numpy as np

from . import _mercer
from ._estimator import class_name
from ._formulas import from_formula
from ._machine_files import classes_of, load_machine
from ._tables import keep_table
from .kernels import named_kernel


def load(path, path_y=None):
    """Load the model of a file, as an estimator that is fitted.

    Parameters
    ----------
    path : str or path-like
        A file that `save` of an estimator or the command line wrote, or one in LIBSVM's format (.model).
    path_y : str, path-like or list of such, default=None
        The file of the second view of canonical correlations, which have one for each; a list for more than two views.

    Returns
    -------
    estimator
        One of the kind that was saved (LIBSVM's format makes an `SVC` of a `NuSVC` and an `SVR` of a `NuSVR`, and numbers of labels
        that look like some), with its parameters (but for those that are no numbers or words, and those that say how
        to compute, such as `n_jobs`). Of a file of `mercer learn`, an estimator with `partial_fit`, which goes on. Of a model of another program, `SVC`, `SVR`, `OneClassSVM` or `SVDD`, those are known that
        predictions depend on. Kernels are objects with parameters, such as `kernel__left__gamma`.

        If the training rows were scaled, as the command line does, so are the rows that it is asked about, and `scaler_` is the
        transformer of scikit-learn that does the same: `make_pipeline(clone(model.scaler_), clone(model)).fit(X, y)` trains the same
        machine. A clone alone takes its rows as they are. Where columns of the table were categories, the estimator takes frames
        with these columns, which are found by their names; other columns, such as the label, are not looked at.

    Examples
    --------
    >>> import os, tempfile
    >>> import mercer
    >>> model = mercer.SVC(kernel="linear").fit([[-1.0], [1.0]], ["no", "yes"])
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = os.path.join(folder, "signs.mercer")
    ...     model.save(path)
    ...     mercer.load(path).predict([[3.0]]).tolist()
    ['yes']
    """
    model = _mercer.load(path)
    if isinstance(model, _mercer.OnlineLearner):
        return _online(model)
    estimator = _estimator(model, path_y)
    keep_table(estimator, model)
    return estimator


def _estimator(model, path_y):
    """The estimator of a model."""
    from ._views import listed
    from . import SVC, SVDD, SVR, IncrementalSVC, LinearSVC, LinearSVR, NuSVC, NuSVR, OneClassSVM

    note = _note(model.note) or _of_card(model)
    if model.kind == "matrix":
        others = [] if path_y is None else [_view(one) for one in listed(path_y)]
        return load_machine(model, note, others, [_note(other.note) or _of_card(other) for other in others])
    if path_y is not None:
        raise ValueError("a second file is for canonical correlations, which have one for each view")
    known = {cls.__name__: cls for cls in (SVC, NuSVC, SVR, NuSVR, OneClassSVM, SVDD, LinearSVC, LinearSVR)}
    # What kind of model it is decides; of two estimators of that kind the one that was noted.
    kinds = {
        "linear classes": ("LinearSVC",),
        "linear numbers": ("LinearSVR",),
        "pairs": ("SVC", "NuSVC"),
        "classes": ("SVC", "NuSVC"),
        "numbers": ("SVR", "NuSVR"),
        "region": ("OneClassSVM",) if model.is_hyperplane else ("SVDD",),
    }[model.kind]
    noted = note.get("estimator")
    if noted is None and "nu" in note.get("parameters", {}) and len(kinds) > 1:
        noted = kinds[1]
    if noted == "IncrementalSVC" and model.kind == "pairs" and len(model.classes) == 2:
        parameters = note.get("parameters") if isinstance(note.get("parameters"), dict) else {}
        estimator = IncrementalSVC(C=parameters.get("C", 1.0)).set_params(**_kernel(model, parameters))
        return estimator._restore(model, classes_of(model.classes, note), _weights(note, len(model.support)))
    estimator = known[noted if noted in kinds else kinds[0]]()
    parameters = note.get("parameters") if noted is None or noted in kinds else None
    given = parameters if isinstance(parameters, dict) else {}
    given = {name: float("inf") if (name, value) == ("C", "inf") else value for name, value in given.items()}
    estimator.set_params(**{name: value for name, value in given.items() if name in estimator.get_params()})
    if "linear" not in model.kind:
        estimator.set_params(**_kernel(model, given))
    if model.kind in ("pairs", "classes"):
        estimator.set_params(
            multi_class=model.multiclass,
            probability={None: False, "consistent": True}.get(model.probability, model.probability),
            break_ties=given.get("break_ties") is True,
            decision_function_shape="ovo" if given.get("decision_function_shape") == "ovo" else "ovr",
        )
    if hasattr(estimator, "predict_proba") or model.classes:
        estimator.classes_ = classes_of(model.classes, note)
        if isinstance(given.get("class_weight"), dict):
            # Files name classes as text.
            own = {class_name(label): getattr(label, "item", lambda: label)() for label in estimator.classes_}
            weights = {own.get(name, name): factor for name, factor in given["class_weight"].items()}
            estimator.set_params(class_weight=weights)
        factors = _factors(note, given, len(estimator.classes_)) if "linear" not in model.kind else None
        if factors is not None:
            estimator.class_weight_ = factors
    return estimator._restore(model)


def _view(path):
    """The model of another view's file."""
    model = _mercer.load(path)
    if isinstance(model, _mercer.OnlineLearner):
        raise ValueError(f"{path}: an on-line learner, not a view of canonical correlations")
    return model


def _online(learner):
    """The on-line estimator of a file that `mercer learn` goes on with."""
    from . import KernelPerceptron, OnlineSVR, PassiveAggressiveClassifier, PassiveAggressiveRegressor, PRank

    note = _note(learner.note)
    rule, budget, is_projected, bias, is_averaged = learner.told
    rule = json.loads(rule)
    name, told = (rule, {}) if isinstance(rule, str) else next(iter(rule.items()))
    given = {"budget": budget, "budget_method": "project" if is_projected else "remove", "fit_intercept": bias > 0}
    is_squared = told.get("slack") == "quadratic"
    if name == "perceptron":
        estimator = KernelPerceptron(average=is_averaged)
    elif name == "passive_aggressive":
        estimator = PassiveAggressiveClassifier(C=told["cost"], loss="squared_hinge" if is_squared else "hinge")
    elif name == "regression":
        loss = "squared_epsilon_insensitive" if is_squared else "epsilon_insensitive"
        kind = PassiveAggressiveRegressor if note.get("estimator") == "PassiveAggressiveRegressor" else OnlineSVR
        estimator = kind(C=told["cost"], epsilon=told["tube"], loss=loss)
    else:
        estimator = PRank()
        levels, count = note.get("levels"), len(told["thresholds"]) + 1
        if isinstance(levels, list) and len(levels) == count:
            estimator.classes_ = classes_of([str(level) for level in levels], note)
        else:
            estimator.classes_ = np.arange(1, count + 1)
    estimator.set_params(**given, kernel=from_formula(learner.kernel))
    if learner.classes:
        estimator.classes_ = classes_of(learner.classes, note)
    if learner.columns is not None:
        estimator.n_features_in_ = learner.columns
    if learner.feature_names is not None:
        estimator.feature_names_in_ = np.asarray(learner.feature_names, dtype=object)
    return estimator._restore(learner)


def _kernel(model, given):
    """The parameters of an estimator that its kernel is made of: scikit-learn's name for it where it has one."""
    if model.takes_kernel_values:
        return {"kernel": "precomputed"}
    name, found = named_kernel(model.kernel)
    # Names promise what `coef_` and ONNX need, which is not there if the model scales the rows first.
    if name is None or model.is_scaled:
        return {"kernel": from_formula(model.kernel)}
    kernel = {"kernel": name}
    if "gamma" in found:
        automatic = given.get("kernel") == name and given.get("gamma") in ("scale", "auto")
        kernel["gamma"] = given["gamma"] if automatic else found["gamma"]
    if "constant" in found:
        kernel["coef0"] = found["constant"]
    if "degree" in found:
        kernel["degree"] = int(found["degree"])
    return kernel


def _weights(note, examples):
    """The weights of the examples, if they are noted."""
    noted = note.get("sample_weight")
    if isinstance(noted, list) and len(noted) == examples and all(isinstance(w, (int, float)) for w in noted):
        return np.array(noted, dtype=np.float64)
    return None


def _factors(note, given, classes):
    """The factors of the classes, if they are known."""
    noted = note.get("class_weight")
    if isinstance(noted, list) and len(noted) == classes and all(isinstance(f, (int, float)) for f in noted):
        return np.array(noted, dtype=np.float64)
    return np.ones(classes) if given.get("class_weight", "not noted") is None else None


def _of_card(model):
    """What a model of the command line was trained with, as an estimator would have noted it."""
    parameters = json.loads(model.parameters)
    if not parameters:
        return {}
    if model.kind in ("pairs", "classes"):
        parameters.setdefault("class_weight", None)
    return {"parameters": parameters}


def _note(text):
    """What the estimator that wrote the file has noted, if it was one."""
    try:
        note = json.loads(text or "{}")
    except ValueError:
        return {}
    return note if isinstance(note, dict) else {}
