"""Models of machines that factorise the kernel matrix, from files."""

from importlib import import_module

import numpy as np

from . import _mercer
from ._formulas import from_formula
from ._threads import thread_count

# The estimators of each machine, as the engine calls it; the first is taken where none was noted.
_ESTIMATORS = {
    "kernel ridge regression": "KernelRidge",
    "least-squares support vector machine": "LSSVC",
    "Gaussian process regression": "GaussianProcessRegressor",
    "Gaussian process classifier": "GaussianProcessClassifier",
    "kernel Fisher discriminant": "KernelFisherDiscriminant",
    "kernel principal components": "KernelPCA",
    "a view of kernel canonical correlations": "KernelCCA",
    "kernel k-means": "KernelKMeans",
    "spectral clustering": "SpectralClustering",
    "kernel partial least squares": "KernelPLS",
    "ranking support vector machine": "RankSVM",
    "ordinal support vector machine": "OrdinalSVM",
    "relevance vector machine": "RVR",
    "Bayes point machine": "BayesPointMachine",
    "radial basis function network": "RBFNetwork",
    "sphere and slab": "SphereAndSlab",
}


def load_machine(model, note, others, other_notes):
    """The estimator of a model that factorises the kernel matrix; the others are further views of canonical correlations."""
    name = _ESTIMATORS.get(model.machine)
    if name is None:
        raise ValueError(f"the package has no estimator for a model of {model.machine}: use the command line")
    if name == "RVR" and model.classes:
        name = "RVC"
    if name == "RBFNetwork" and not model.classes:
        name = "RBFNetworkRegressor"
    estimator = getattr(import_module("mercer"), name)()
    given = note.get("parameters") if note.get("estimator") in (None, name) else None
    given = given if isinstance(given, dict) else {}
    estimator.set_params(**{key: value for key, value in given.items() if key in estimator.get_params()})
    if (name == "KernelCCA") != bool(others):
        wanted = "says one file for each view: load(first, second)" if name == "KernelCCA" else "has one file"
        raise ValueError(f"{name} {wanted}")
    classes = classes_of(model.classes, note) if model.classes else None
    threads = thread_count(None)
    if name == "GaussianProcessRegressor":
        process = _mercer.Process.from_bytes(model.to_bytes(), threads)
        if "kernel" not in given:
            estimator.set_params(kernel=from_formula(process.kernel))
        return estimator._restore(process, model.feature_names)
    if name == "GaussianProcessClassifier":
        process = _mercer.ProcessClasses.from_bytes(model.to_bytes(), threads)
        if "kernel" not in given:
            # Of several classes, whose kernels were learned one by one, the first.
            estimator.set_params(kernel=from_formula(process.kernels[0]))
        return estimator._restore(process, classes, model.feature_names)
    machine = _mercer.Machine.from_bytes(model.to_bytes())
    if name == "KernelCCA":
        machines = [machine, *(_mercer.Machine.from_bytes(other.to_bytes()) for other in others)]
        correlations = _check_views(machines, [note, *other_notes])
        keys = ["kernel"] + ["kernel_y"] * len(others)
        kernels = [_kernel(of, given, key) for of, key in zip(machines, keys)]
        kernels = [kernels[0] if kernel is None else kernel for kernel in kernels]
        estimator.set_params(kernel=kernels[0], kernel_y=kernels[1] if len(others) == 1 else kernels[1:])
        return estimator._restore(machines, kernels, correlations)
    if name.startswith("RBFNetwork"):
        if classes is not None:
            estimator.classes_ = classes
        return estimator._restore(machine)
    key = "affinity" if name == "SpectralClustering" else "kernel"
    estimator.set_params(**{key: _kernel(machine, given, key)})
    if classes is not None:
        estimator.classes_ = classes
    return estimator._restore(machine)


def _check_views(machines, notes):
    """The correlations of the fit that these are the views of; files that are not, as far as they tell, are refused."""
    if any(note.get("view", at) != at for at, note in enumerate(notes)):
        raise ValueError("the files are not a first and a second view, in their order: load(first, second)")
    if any(note.get("views", len(notes)) != len(notes) for note in notes):
        views = max(note.get("views", 0) for note in notes)
        raise ValueError(f"{len(notes)} files for {views} views: say one for each, load(first, [second, third])")
    found = [_correlations(*of) for of in zip(machines, notes)]
    if any(of != found[0] for of in found):
        raise ValueError("the files are views of different fits: their canonical correlations are not the same")
    return found[0]


def _correlations(machine, note):
    """What the package or the command line has noted."""
    if "correlations" in note:
        return note["correlations"]
    try:
        return [float(number) for number in machine.notes.get("correlations", "").split(",") if number.strip()]
    except ValueError:
        # Older files of the command line have some of many only ("... and 1 more").
        return []


def _kernel(machine, given, key):
    """The kernel as it was named, or as the formula says."""
    if machine.kernel is None:
        return "precomputed"
    if key in given and (given[key] is None or isinstance(given[key], str)):
        return given[key]
    return from_formula(machine.kernel)


def classes_of(names, note):
    """Classes of a file, which are text there: of the kind that was noted, or else whole numbers, numbers, or what they are."""
    try:
        kind = np.dtype(note["labels"])
        if kind.kind == "b" and set(names) <= {"False", "True"}:
            return np.array([name == "True" for name in names])
        if kind.kind in "iuf":
            return np.array([float(name) if kind.kind == "f" else int(name) for name in names], dtype=kind)
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
