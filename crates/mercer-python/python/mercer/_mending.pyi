from typing import Any

from ._mercer import Mended

def mend(K: Any, how: str = "clip") -> Mended: ...
