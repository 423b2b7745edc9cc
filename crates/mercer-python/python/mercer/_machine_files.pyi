from typing import Any

from numpy.typing import NDArray

from ._mercer import Model

def load_machine(
    model: Model, note: dict[str, Any], others: list[Model], other_notes: list[dict[str, Any]]
) -> Any: ...
def classes_of(names: list[str], note: dict[str, Any]) -> NDArray[Any]: ...
