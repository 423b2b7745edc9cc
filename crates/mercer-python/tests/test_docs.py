"""Docstrings of what the package offers: in numpydoc's form, with examples, and true to the signatures."""

import ast
import inspect
import re

import numpy as np
import pandas as pd
import pytest
from machines import ESTIMATORS, examples, machine
from numpydoc.validate import validate

import mercer
from mercer import _mercer, kernels, losses

# What numpydoc misses and may miss.
ALLOWED = {
    "ES01": "a summary that says everything needs no second paragraph",
    "SA01": "the classes of a package this small are all in one list",
}


def offered():
    """What is documented, by the name that numpydoc finds it by."""
    found = {}
    for module in (mercer, kernels, losses):
        for name in module.__all__:
            value = getattr(module, name)
            if callable(value):
                found[f"{module.__name__}.{name}"] = value
            if inspect.isclass(value):
                found.update({f"{module.__name__}.{name}.{member}": of for member, of in members(value)})
    return found


def members(cls):
    """Public methods and properties that are not scikit-learn's, and calls."""
    for name, value in inspect.getmembers(cls):
        function = value.fget if isinstance(value, property) else value
        is_ours = inspect.isfunction(function) and function.__module__.startswith("mercer.")
        if is_ours and (name == "__call__" or not name.startswith("_")):
            yield name, value


OFFERED = offered()


def test_nothing_is_forgotten():
    assert {"mercer.load", "mercer.SVC", "mercer.SVC.fit", "mercer.SVC.predict_proba", "mercer.NuSVR.coef_"} <= set(OFFERED)
    assert {"mercer.LinearSVC.save", "mercer.kernels.Anova", "mercer.kernels.Kernel.__call__"} <= set(OFFERED)


@pytest.mark.parametrize("name", OFFERED)
def test_docstring_is_in_numpydocs_form(name):
    assert [error for error in validate(name)["errors"] if error[0] not in ALLOWED] == []


@pytest.mark.parametrize("name", [name for name in OFFERED if not isinstance(OFFERED[name], property)])
def test_documented_defaults_are_those_of_the_signature(name):
    value = OFFERED[name]
    section = re.search(r"^Parameters\n-+\n(.*?)(\n\n|\Z)", inspect.getdoc(value), re.MULTILINE | re.DOTALL)
    lines = re.findall(r"^(\w+) : (.*)$", section[1] if section else "", re.MULTILINE)
    told = {parameter: of.partition("default=")[2] for parameter, of in lines}
    for parameter in inspect.signature(value).parameters.values():
        if parameter.name == "self" or parameter.kind is parameter.VAR_KEYWORD:
            continue
        if parameter.default is parameter.empty:
            assert told[parameter.name] == "", parameter.name
        else:
            assert ast.literal_eval(told[parameter.name]) == parameter.default, parameter.name


def attributes(model):
    """The names of the attributes that the docstring of a class has."""
    section = re.search(r"^Attributes\n-+\n(.*?)(\n\n\w[\w ]*\n---|\Z)", inspect.getdoc(type(model)), re.MULTILINE | re.DOTALL)
    return set(re.findall(r"^(\w+) : ", section[1] if section else "", re.MULTILINE))


def public_state(model):
    """The names of all public attributes of a fitted estimator, properties among them."""
    properties = [name for name, _ in inspect.getmembers(type(model), lambda value: isinstance(value, property))]
    return {name for name in [*vars(model), *properties] if name.endswith("_") and not name.startswith("_")}


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", [*ESTIMATORS, "ActiveLearner"])
def test_documented_attributes_are_those_of_a_fitted_estimator(name):
    """What only some parameters or a search give is there with these parameters and after a search, and not missed without."""
    if name == "ActiveLearner":
        learner = mercer.ActiveLearner([[0.0], [1.0]], classes=[0, 1])
        assert attributes(learner) == public_state(learner)
        return
    rows, *targets = examples(name)
    frame = pd.DataFrame(rows, columns=["a", "b", "c"])
    model = machine(name).fit(frame, *targets)
    # Attributes are those of every fit, but for what the description says.
    of_parameters = {
        "coef_": {"kernel": "linear"},
        "mended_": {"kernel": kernels.Shifted(kernels.LocalAlignment())},
        "dual_coef_": {"kernel": "rbf", "fit_inverse_transform": True},
        "X_transformed_fit_": {"kernel": "rbf", "fit_inverse_transform": True},
    }
    of_search = {"best_params_", "best_score_", "best_index_", "cv_results_"}
    documented = attributes(model)
    missing = {attribute for attribute in documented if not hasattr(model, attribute)}
    for attribute in missing - of_search:
        assert attribute in of_parameters, attribute
        items = ["".join("ACGT"[int(10 * abs(x)) % 4] for x in row) for row in rows] if attribute == "mended_" else rows
        other = machine(name, **of_parameters[attribute]).fit(items, *targets)
        assert hasattr(other, attribute), attribute
    if missing & of_search:
        # Components are compared by what comes back of them.
        parameters = {"kernel": "rbf", "fit_inverse_transform": True} if name == "KernelPCA" else {}
        searched = machine(name, **parameters).tune(frame, *targets)
        assert {attribute for attribute in of_search if not hasattr(searched, attribute)} == set()
    assert public_state(model) <= documented


def test_every_kernel_of_the_engine_has_a_class():
    # Those on rows, and those on structured items.
    with pytest.raises(ValueError, match="known are .*; on other items than rows ") as refused:
        _mercer.check_kernel("no_kernel_has_such_a_name")
    told = str(refused.value).partition("known are ")[2]
    known = told.replace("; on other items than rows ", ", ").split(", ")
    classes = [getattr(kernels, name) for name in kernels.__all__]
    # The class of columns has two arguments, and no base that would keep its name.
    assert sorted(known) == sorted([*(cls._name for cls in classes if hasattr(cls, "_name")), "columns"])


@pytest.mark.parametrize("name", [name for name in kernels.__all__ if hasattr(getattr(kernels, name), "_parameters")])
def test_defaults_of_kernels_are_the_engines(name):
    kernel = getattr(kernels, name)
    X = np.random.default_rng(0).random((5, 3))
    parameters = inspect.signature(kernel).parameters
    # Some are made of a kernel on rows, which has no default.
    first = [kernels.Linear()] if "kernel" in parameters else []
    for parameter in (one for one in parameters.values() if one.name != "kernel"):
        given = kernel(*first, **{parameter.name: parameter.default})
        if given.items != "rows":
            # The engine prints what is not at its defaults.
            assert str(given) == str(kernel(*first))
            continue
        np.testing.assert_array_equal(given(X), kernel()(X))
