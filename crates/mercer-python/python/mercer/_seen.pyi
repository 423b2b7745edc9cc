from typing import Any

class Bounded:
    def bounds(self, delta: float = 0.05, *, choices: int | None = None, gamma: float | None = None) -> list[dict[str, Any]]: ...
