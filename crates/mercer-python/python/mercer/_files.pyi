from os import PathLike
from typing import Any

def load(path: str | PathLike[str], path_y: str | PathLike[str] | None = None) -> Any: ...
