from os import PathLike
from typing import Any

from numpy.typing import NDArray

from ._mercer import Model

def load_machine(
    model: Model, note: dict[str, Any], other: Model | None, other_note: dict[str, Any], path: str | PathLike[str]
) -> Any: ...
def classes_of(names: list[str], note: dict[str, Any]) -> NDArray[Any]: ...
