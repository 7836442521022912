"""What keeps the code one that a newcomer can follow."""

from __future__ import annotations

import ast
from pathlib import Path

ROOT = Path(__file__).parents[2]
SOURCE = ROOT / "src"
DOOR = SOURCE / "treering" / "door"
MODULES = {
    ".".join(path.relative_to(SOURCE).with_suffix("").parts).removesuffix(".__init__"): path
    for path in sorted(SOURCE.rglob("*.py"))
}


def test_every_argument_of_the_door_is_handed_on_by_name() -> None:
    """`locals()` hides from a reader and from the type checker where a text or a query goes."""
    calls = [
        f"{path.name}:{node.lineno}"
        for path in sorted(DOOR.glob("*.py"))
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in ("locals", "vars")
    ]
    assert calls == []


def test_no_modules_import_one_another_in_a_circle() -> None:
    """However an import is made: at the top, within a function, or for types alone."""
    imports = {name: _imported(name, path) for name, path in MODULES.items()}
    circles = [sorted(one) for one in _circles(imports)]
    assert circles == []


def test_a_public_class_has_a_name_of_its_own() -> None:
    """In dialects and adapters names are another system's, and shown to its clients."""
    homes: dict[str, list[str]] = {}
    for name, path in MODULES.items():
        if not name.startswith(("treering.faces.dialects.", "treering.faces.frameworks.")) or name.endswith("contract"):
            for one in ast.parse(path.read_text("utf-8")).body:
                if isinstance(one, ast.ClassDef) and not one.name.startswith("_"):
                    homes.setdefault(one.name, []).append(name)
    assert {name: some for name, some in homes.items() if len(some) > 1} == {}


def test_nothing_of_a_modules_own_is_unused() -> None:
    """What begins with an underscore is used in its module or nowhere."""
    unused = []
    for name, path in MODULES.items():
        tree = ast.parse(path.read_text("utf-8"))
        nodes = list(ast.walk(tree))
        used = {one.id for one in nodes if isinstance(one, ast.Name) and isinstance(one.ctx, ast.Load)}
        used |= {one.attr for one in nodes if isinstance(one, ast.Attribute)}
        unused += [f"{name}.{own}" for one in tree.body for own in _made(one) if own[0] == "_" and own not in used]
    assert [one for one in unused if "__" not in one] == []


def test_a_file_of_tests_is_of_one_topic_and_under_400_lines() -> None:
    """What a reader can hold in mind. A longer one is about several things: each has a file, named for it."""
    lines = {
        path.relative_to(ROOT).as_posix(): len(path.read_text("utf-8").splitlines())
        for path in (ROOT / "tests").rglob("*.py")
        if "node_modules" not in path.parts
    }
    assert len(lines) > 300
    assert {name: count for name, count in lines.items() if count >= 400} == {}


def _made(statement: ast.stmt) -> list[str]:
    if isinstance(statement, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
        return [statement.name]
    targets = statement.targets if isinstance(statement, ast.Assign) else [getattr(statement, "target", None)]
    return [one.id for one in targets if isinstance(one, ast.Name)]


def _imported(name: str, path: Path) -> set[str]:
    found = set[str]()
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            found |= {
                inner if (inner := f"{node.module}.{alias.name}") in MODULES else node.module for alias in node.names
            }
    return {one for one in found if one in MODULES and one != name and not name.startswith(f"{one}.")}


def _circles(imports: dict[str, set[str]]) -> list[set[str]]:
    reached = {name: _reached(name, imports) for name in imports}
    return [
        {other for other in reached[name] if name in reached[other]}
        for name in imports
        if name in reached[name] and name == min(other for other in reached[name] if name in reached[other])
    ]


def _reached(start: str, imports: dict[str, set[str]]) -> set[str]:
    found, ahead = set[str](), [start]
    while ahead:
        new = imports[ahead.pop()] - found
        found |= new
        ahead += new
    return found
