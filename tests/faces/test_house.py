"""What keeps the code one that a newcomer can follow."""

from __future__ import annotations

import ast
import functools
import re
from collections.abc import Iterator
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
        for node in ast.walk(_parsed(path))
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in ("locals", "vars")
    ]
    assert calls == []


def test_no_modules_import_one_another_in_a_circle() -> None:
    """However an import is made: at the top, within a function, or for types alone."""
    imports = {name: _imported(name, path) for name, path in MODULES.items()}
    circles = [sorted(one) for one in _circles(imports)]
    assert circles == []


def test_no_files_of_the_page_import_one_another_in_a_circle() -> None:
    files = {path.with_suffix(""): path for path in sorted((ROOT / "page" / "src").rglob("*.ts*"))}
    imports = {
        str(name): {
            str(other)
            for named in re.findall(r'from "(\.[^"]+)"', path.read_text("utf-8"))
            if (other := (path.parent / named).resolve()) in files
        }
        for name, path in files.items()
    }
    assert sum(map(len, imports.values())) > 100
    assert [sorted(one) for one in _circles(imports)] == []


def test_a_public_class_has_a_name_of_its_own() -> None:
    """In dialects and adapters names are another system's, and shown to its clients."""
    homes: dict[str, list[str]] = {}
    for name, path in MODULES.items():
        if not name.startswith(("treering.faces.dialects.", "treering.faces.frameworks.")) or name.endswith("contract"):
            for one in _parsed(path).body:
                if isinstance(one, ast.ClassDef) and not one.name.startswith("_"):
                    homes.setdefault(one.name, []).append(name)
    assert {name: some for name, some in homes.items() if len(some) > 1} == {}


def test_nothing_of_a_modules_own_is_unused() -> None:
    """What begins with an underscore is used in its module or nowhere."""
    unused = []
    for name, path in MODULES.items():
        tree = _parsed(path)
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


GONE = {"eyes", "glance", "shelf", "tide", "shades", "purse", "plot", "hands", "terrain", "voices", "errands", "scene"}
"""Images in whose place stands what they were: visibility, cache, version, budget."""
IMAGES = {
    *("atlas", "block", "card", "circle", "crossing", "cue", "dead", "dialect", "diary", "door", "drawer", "echo"),
    *("face", "gate", "head", "hold", "journal", "journey", "leaf", "mark", "mirror", "news", "pace", "paper", "post"),
    *("probed", "projector", "rounds", "tally", "tick", "tombstone", "trail", "vault", "vitals", "wall", "walk"),
}
"""Words that have another meaning outside: whoever meets one in the name of a class finds it among the words."""


def test_every_word_of_the_glossary_is_one_of_the_code() -> None:
    code = {_stem(word) for name in _identifiers() for word in _words(name)}
    missing = [term for term in _terms() for word in _words(term) if _stem(word) not in code]
    assert missing == []


def test_what_the_glossary_names_as_code_is_there() -> None:
    page = (ROOT / "GLOSSARY.md").read_text("utf-8")
    named = set(re.findall(r"`([A-Za-z_]+)`", page))
    assert "Treering" in named
    assert named - set(_identifiers()) == set()


def test_an_image_in_the_name_of_a_class_is_explained_or_gone() -> None:
    explained = {_stem(word) for term in _terms() for word in _words(term)}
    used = {word for name in _public_classes() for word in _words(name)}
    assert used & GONE == set()
    assert {_stem(one) for one in used} & {_stem(one) for one in IMAGES} - explained == set()


def test_the_rooms_that_are_drawn_are_there_and_those_that_are_there_are_drawn() -> None:
    """ARCHITECTURE's picture of `src/treering`."""
    drawn = (ROOT / "ARCHITECTURE.md").read_text("utf-8").split("```")[1]
    rooms = {one.rstrip("/") for one in re.findall(r"^  ([a-z_]+(?:/|\.py))  ", drawn, re.M)}
    there = {
        one.name
        for one in (SOURCE / "treering").iterdir()
        if (one.is_dir() and (one / "__init__.py").exists()) or one.suffix == ".py"
    }
    assert rooms == there


@functools.cache
def _parsed(path: Path) -> ast.Module:
    return ast.parse(path.read_text("utf-8"))


def _terms() -> list[str]:
    page = (ROOT / "GLOSSARY.md").read_text("utf-8")
    return [one for bold in re.findall(r"\*\*(.+?)\*\*", page) for one in bold.split(" / ")]


def _public_classes() -> Iterator[str]:
    for path in MODULES.values():
        for one in _parsed(path).body:
            if isinstance(one, ast.ClassDef) and not one.name.startswith("_"):
                yield one.name


def _identifiers() -> Iterator[str]:
    """Modules, classes, functions, parameters, attributes, and the words that stand for one of a few things."""
    for name, path in MODULES.items():
        yield from name.split(".")
        for one in ast.walk(_parsed(path)):
            match one:
                case ast.ClassDef() | ast.FunctionDef() | ast.AsyncFunctionDef():
                    yield one.name
                case ast.arg():
                    yield one.arg
                case ast.Attribute():
                    yield one.attr
                case ast.Name(ctx=ast.Store()):
                    yield one.id
                case ast.Constant(value=str(value)) if re.fullmatch(r"[A-Za-z_]{3,30}", value):
                    yield value


def _words(name: str) -> list[str]:
    return [one.lower() for one in re.findall(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+", name)]


def _stem(word: str) -> str:
    """Without the ending of a plural or of a verb."""
    return re.sub(r"(?<=[a-z]{3})(ies|y|ing|ed|es|e|s)$", "", word)


def _made(statement: ast.stmt) -> list[str]:
    if isinstance(statement, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
        return [statement.name]
    targets = statement.targets if isinstance(statement, ast.Assign) else [getattr(statement, "target", None)]
    return [one.id for one in targets if isinstance(one, ast.Name)]


def _imported(name: str, path: Path) -> set[str]:
    found = set[str]()
    for node in ast.walk(_parsed(path)):
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
