from collections.abc import Sequence
from typing import Any

def virtual_examples(
    images: Any,
    y: Any = None,
    *,
    width: int | None = None,
    shifts: int = 0,
    rotations: Sequence[float] = (),
    zooms: Sequence[float] = (),
    background: float = 0.0,
) -> Any: ...
