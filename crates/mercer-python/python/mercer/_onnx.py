"""Export to ONNX, for the machines and kernels that its operators know."""

import numpy as np
from sklearn.utils.validation import check_is_fitted

from ._estimator import fitted
from .kernels import Kernel, named_kernel

_KERNELS = {"linear": "LINEAR", "poly": "POLY", "rbf": "RBF", "sigmoid": "SIGMOID"}


def to_onnx(estimator, path=None):
    """Make a model of ONNX of a fitted estimator, in single precision as its operators are.

    Parameters
    ----------
    estimator : SVC, NuSVC, SVR, NuSVR or OneClassSVM
        Fitted on dense or sparse rows with one of scikit-learn's four kernels; a classifier of pairs that vote
        (`multi_class="ovo"`), whose probabilities, if it has any, are Platt's.
    path : str or path-like, default=None
        Where to write it, if anywhere.

    Returns
    -------
    onnx.ModelProto
        Its input is `X`, its outputs are `label` and `scores` of a classifier, else `variable`. Labels are of the type that `predict`
        gives; the scores are probabilities if there are any, else decision values of the pairs; of two classes onnxruntime gives the value and then its negative.

    Examples
    --------
    >>> import mercer
    >>> model = mercer.SVC(kernel="linear").fit([[-1.0], [1.0]], [0, 1])
    >>> [output.name for output in mercer.to_onnx(model).graph.output]
    ['label', 'scores']
    """
    try:
        from onnx import TensorProto, helper
    except ImportError as error:
        raise ImportError("to_onnx needs the package onnx: pip install onnx") from error
    from . import SVC, SVR, NuSVC, NuSVR, OneClassSVM

    if not isinstance(estimator, (SVC, NuSVC, SVR, NuSVR, OneClassSVM)):
        module = type(estimator).__module__.split(".")[0]
        raise NotImplementedError(f"no ONNX operator is known for {module}.{type(estimator).__name__}")
    check_is_fitted(estimator)
    attributes = _kernel(estimator)
    rows = helper.make_tensor_value_info("X", TensorProto.FLOAT, [None, estimator.n_features_in_])
    graph = _Graph()
    if isinstance(estimator, (SVC, NuSVC)):
        outputs = _classify(graph, estimator, attributes)
    else:
        attributes.update(
            coefficients=_numbers(estimator.dual_coef_),
            n_supports=int(estimator.n_support_[0]),
            one_class=int(isinstance(estimator, OneClassSVM)),
            rho=_numbers(estimator.intercept_),
        )
        graph.add("SVMRegressor", ["X"], ["variable"], domain="ai.onnx.ml", **attributes)
        outputs = [helper.make_tensor_value_info("variable", TensorProto.FLOAT, [None, 1])]
    graph = helper.make_graph(graph.nodes, type(estimator).__name__, [rows], outputs, graph.constants)
    sets = [helper.make_opsetid("ai.onnx.ml", 1), helper.make_opsetid("", 15)]
    model = helper.make_model(graph, producer_name="mercer", opset_imports=sets, ir_version=8)
    if path is not None:
        with open(path, "wb") as file:
            file.write(model.SerializeToString())
    return model


def _kernel(estimator):
    # The kernel of the model, which parameters that were set since do not change.
    model, kernel = estimator._model, fitted(estimator, "kernel")
    name, numbers = (None, {}) if model.takes_kernel_values else named_kernel(model.kernel)
    if isinstance(kernel, Kernel) or not isinstance(kernel, str) or name not in _KERNELS:
        other = kernel if kernel not in _KERNELS else model.kernel
        raise NotImplementedError(f"ONNX knows the kernels {', '.join(_KERNELS)}, not {other!r}")
    return {
        "kernel_type": _KERNELS[name],
        "kernel_params": [numbers.get(number, 0.0) for number in ("gamma", "constant", "degree")],
        "support_vectors": _numbers(estimator.support_vectors_),
    }


def _classify(graph, estimator, attributes):
    """Adds the nodes of a classifier, and tells what they give: labels as `predict` has them, and scores or probabilities."""
    from onnx import TensorProto, helper

    model, classes = estimator._model, estimator.classes_
    if model.multiclass != "ovo":
        raise NotImplementedError(f"ONNX knows pairs that vote, not multi_class={model.multiclass!r}")
    if estimator.break_ties and len(classes) > 2:
        raise NotImplementedError("ONNX lets the first of several classes with equal votes win, not break_ties=True")
    if model.has_probabilities and model.probability != "platt":
        raise NotImplementedError("ONNX knows probability='platt', whose sigmoids are LIBSVM's")
    # LIBSVM's signs: positive values of a pair speak for the earlier class.
    sign = -1.0 if len(classes) == 2 else 1.0
    attributes.update(
        coefficients=_numbers(sign * estimator.dual_coef_),
        rho=_numbers(sign * estimator.intercept_),
        vectors_per_class=[int(count) for count in estimator.n_support_],
        post_transform="NONE",
    )
    # The operator knows whole numbers and texts; all other labels are looked up by the numbers of their classes.
    is_number = classes.dtype.kind in "biuf"
    if classes.dtype == np.int64:
        attributes["classlabels_ints"], kind = classes.tolist(), TensorProto.INT64
    elif is_number:
        attributes["classlabels_ints"], kind = list(range(len(classes))), helper.np_dtype_to_tensor_dtype(classes.dtype)
    else:
        attributes["classlabels_strings"], kind = [str(label) for label in classes], TensorProto.STRING
    is_looked_up = is_number and classes.dtype != np.int64
    label = "class" if is_looked_up else "label"
    values = "values" if model.has_probabilities else "scores"
    graph.add("SVMClassifier", ["X"], [label, values], domain="ai.onnx.ml", **attributes)
    if is_looked_up:
        graph.add("Gather", [graph.constant(classes), label], ["label"])
    if model.has_probabilities:
        _couple(graph, values, len(classes), estimator.probA_, estimator.probB_)
    return [
        helper.make_tensor_value_info("label", kind, [None]),
        helper.make_tensor_value_info("scores", TensorProto.FLOAT, [None, None]),
    ]


def _couple(graph, values, k, a, b):
    """Adds the nodes of Platt's probabilities, from the decision values of pairs that are positive for the earlier class.

    With e the probability of the earlier class of each pair, the probabilities p of k classes make
    Σ over pairs of ((1 − e) p_earlier − e p_later)² = pᵀQp least, and sum to 1: p is a multiple of (Q + 11ᵀ)⁻¹1. The operator's own
    iteration for this stops early, so that the system is eliminated here, in double precision.
    """
    from onnx import TensorProto

    exact = graph.then("Cast", [values], to=TensorProto.DOUBLE)
    if k == 2:
        # The operator gives the value for the later class, and then the one for the earlier.
        exact = graph.then("Gather", [exact, graph.constant(np.array([1]))], axis=1)
    steep = graph.then("Mul", [exact, graph.constant(-np.asarray(a, dtype=np.float64))])
    earlier = graph.then("Sigmoid", [graph.then("Sub", [steep, graph.constant(np.asarray(b, dtype=np.float64))])])
    if k == 2:
        later = graph.then("Sub", [graph.constant(np.ones(1)), earlier])
        both = graph.then("Concat", [earlier, later], axis=1)
        graph.add("Cast", [both], ["scores"], to=TensorProto.FLOAT)
        return
    surest = 1.0 - 1e-7
    earlier = graph.then("Clip", [earlier, graph.constant(np.float64(1.0 - surest)), graph.constant(np.float64(surest))])
    later = graph.then("Sub", [graph.constant(np.ones(1)), earlier])
    pairs = [(i, j) for i in range(k) for j in range(i + 1, k)]
    # Where the entries of Q + 11ᵀ lie, and beside them a column of ones.
    of_earlier, of_later, of_both = (np.zeros((len(pairs), k, k + 1)) for _ in range(3))
    for at, (i, j) in enumerate(pairs):
        of_earlier[at, i, i] = of_later[at, j, j] = 1.0
        of_both[at, i, j] = of_both[at, j, i] = -1.0
    terms = []
    for left, right, places in ((later, later, of_earlier), (earlier, earlier, of_later), (earlier, later, of_both)):
        product = graph.then("Mul", [left, right])
        terms.append(graph.then("MatMul", [product, graph.constant(places.reshape(len(pairs), -1))]))
    system = graph.then("Sum", terms)
    system = graph.then("Add", [system, graph.constant(np.ones(1))])
    system = graph.then("Reshape", [system, graph.constant(np.array([-1, k, k + 1]))])
    for pivot in range(k):
        place = graph.constant(np.array([pivot]))
        column = graph.then("Gather", [system, place], axis=2)
        row = graph.then("Gather", [system, place], axis=1)
        row = graph.then("Div", [row, graph.then("Gather", [column, place], axis=1)])
        unit = np.zeros((1, k, 1))
        unit[0, pivot, 0] = 1.0
        taken = graph.then("Mul", [graph.then("Sub", [column, graph.constant(unit)]), row])
        system = graph.then("Sub", [system, taken])
    solution = graph.then("Gather", [system, graph.constant(np.array(k))], axis=2)
    total = graph.then("ReduceSum", [solution, graph.constant(np.array([1]))], keepdims=1)
    graph.add("Cast", [graph.then("Div", [solution, total])], ["scores"], to=TensorProto.FLOAT)


class _Graph:
    """The nodes and constants of a graph."""

    def __init__(self):
        self.nodes, self.constants = [], []

    def add(self, operator, inputs, outputs, **attributes):
        """Adds a node with named results."""
        from onnx import helper

        self.nodes.append(helper.make_node(operator, inputs, outputs, **attributes))

    def then(self, operator, inputs, **attributes):
        """Adds a node with one result; its name."""
        name = f"step{len(self.nodes)}"
        self.add(operator, inputs, [name], **attributes)
        return name

    def constant(self, values):
        """Adds an array; its name."""
        from onnx import numpy_helper

        name = f"constant{len(self.constants)}"
        self.constants.append(numpy_helper.from_array(np.asarray(values), name))
        return name


def _numbers(values):
    values = values.toarray() if hasattr(values, "toarray") else np.asarray(values)
    return values.ravel().astype(np.float32).tolist()
