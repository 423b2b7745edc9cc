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
        Its input is `X`, its outputs are `label` and `scores` of a classifier, else `variable`. The scores are probabilities if
        there are any, else decision values of the pairs; of two classes onnxruntime gives the value and then its negative.

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
    if isinstance(estimator, (SVC, NuSVC)):
        attributes.update(_classifier(estimator))
        kind = TensorProto.STRING if "classlabels_strings" in attributes else TensorProto.INT64
        outputs = [
            helper.make_tensor_value_info("label", kind, [None]),
            helper.make_tensor_value_info("scores", TensorProto.FLOAT, [None, None]),
        ]
        operator = "SVMClassifier"
    else:
        attributes.update(
            coefficients=_numbers(estimator.dual_coef_),
            n_supports=int(estimator.n_support_[0]),
            one_class=int(isinstance(estimator, OneClassSVM)),
            rho=_numbers(estimator.intercept_),
        )
        outputs = [helper.make_tensor_value_info("variable", TensorProto.FLOAT, [None, 1])]
        operator = "SVMRegressor"
    names = [output.name for output in outputs]
    node = helper.make_node(operator, ["X"], names, domain="ai.onnx.ml", **attributes)
    graph = helper.make_graph([node], type(estimator).__name__, [rows], outputs)
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


def _classifier(estimator):
    model = estimator._model
    if model.multiclass != "ovo":
        raise NotImplementedError(f"ONNX knows pairs that vote, not multi_class={model.multiclass!r}")
    if estimator.break_ties and len(estimator.classes_) > 2:
        raise NotImplementedError("ONNX lets the first of several classes with equal votes win, not break_ties=True")
    # LIBSVM's signs: positive values of a pair speak for the earlier class.
    sign = -1.0 if len(estimator.classes_) == 2 else 1.0
    attributes = {
        "coefficients": _numbers(sign * estimator.dual_coef_),
        "rho": _numbers(sign * estimator.intercept_),
        "vectors_per_class": [int(count) for count in estimator.n_support_],
        "post_transform": "NONE",
    }
    if np.issubdtype(estimator.classes_.dtype, np.integer):
        attributes["classlabels_ints"] = [int(label) for label in estimator.classes_]
    else:
        attributes["classlabels_strings"] = [str(label) for label in estimator.classes_]
    if model.has_probabilities:
        if model.probability != "platt":
            raise NotImplementedError("ONNX knows probability='platt', whose sigmoids are LIBSVM's")
        attributes["prob_a"], attributes["prob_b"] = _numbers(estimator.probA_), _numbers(estimator.probB_)
    return attributes


def _numbers(values):
    values = values.toarray() if hasattr(values, "toarray") else np.asarray(values)
    return values.ravel().astype(np.float32).tolist()
