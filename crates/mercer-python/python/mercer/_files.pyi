from os import PathLike
from typing import Any

def load(path: str | PathLike[str], path_y: Any = None) -> Any: ...
