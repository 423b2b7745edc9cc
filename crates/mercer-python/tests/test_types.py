"""The types that are promised to programs which use the package."""

import ast
import inspect
import subprocess
import sys
from pathlib import Path

import pytest

from mercer import kernels
from mercer._algebra import _Named

pytest.importorskip("mypy")

PROGRAM = """
import mercer
from mercer import SVC, OneClassSVM
from mercer.kernels import Gaussian, Linear

kernel = 0.5 * Gaussian(gamma=2.0) + Linear() ** 2
model = SVC(C=10, kernel=kernel).fit([[0.0], [1.0]], [0, 1])
gap: float = model.gap_
model.predict([[0.5]]).shape
mercer.load("a.mercer").save("b.mercer")
SVC(multi_class="wrong")
OneClassSVM(nu="much")
"""


def test_stubs_say_what_the_modules_have(tmp_path):
    settings = tmp_path / "mypy.ini"
    settings.write_text("[mypy]\nignore_missing_imports = True\n")
    # What has no stub is not for users.
    arguments = ["mercer", "--ignore-missing-stub", "--concise", "--mypy-config-file", str(settings)]
    found = subprocess.run(
        [sys.executable, "-m", "mypy.stubtest", *arguments], cwd=tmp_path, capture_output=True, text=True
    )
    assert found.returncode == 0, found.stdout + found.stderr


def test_stubs_of_kernels_have_the_parameters_of_the_classes():
    # Their signatures are made when the module is read, which stubtest does not look at.
    stub = ast.parse(Path(kernels.__file__).with_suffix(".pyi").read_text())
    told = {}
    for cls in (node for node in stub.body if isinstance(node, ast.ClassDef)):
        for function in cls.body:
            if isinstance(function, ast.FunctionDef) and function.name == "__init__":
                names = [argument.arg for argument in function.args.kwonlyargs]
                told[cls.name] = dict(zip(names, map(ast.literal_eval, function.args.kw_defaults)))
    named = {name for name in kernels.__all__ if issubclass(getattr(kernels, name), _Named)}
    assert named <= set(told)
    for name in named:
        parameters = inspect.signature(getattr(kernels, name)).parameters.values()
        named_only = {one.name: one.default for one in parameters if one.kind is one.KEYWORD_ONLY}
        assert told[name] == named_only, name


def test_programs_are_checked(tmp_path):
    path = tmp_path / "program.py"
    path.write_text(PROGRAM)
    found = subprocess.run(
        [sys.executable, "-m", "mypy", "--strict", path.name], cwd=tmp_path, capture_output=True, text=True
    )
    lines = [line for line in found.stdout.splitlines() if ": error:" in line]
    assert [line.split(":")[1] for line in lines] == ["11", "12"], found.stdout
    assert '"multi_class"' in lines[0] and '"nu"' in lines[1]
