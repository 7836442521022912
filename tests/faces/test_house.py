"""What keeps the code one that a newcomer can follow."""

from __future__ import annotations

import ast
from pathlib import Path

DOOR = Path(__file__).parents[2] / "src" / "treering" / "door"


def test_every_argument_of_the_door_is_handed_on_by_name() -> None:
    """`locals()` hides from a reader and from the type checker where a text or a query goes."""
    calls = [
        f"{path.name}:{node.lineno}"
        for path in sorted(DOOR.glob("*.py"))
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in ("locals", "vars")
    ]
    assert calls == []
