"""The stub of the async face: every operation of the door as a coroutine, with the door's own types."""

from __future__ import annotations

import ast
import inspect
import re
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any

from treering import door

_NAME = re.compile(r"(?<![\w.])[A-Za-z_]\w*")
_HEAD = '''"""The door for asyncio, as type checkers see it. Made from the door by `make docs`; do not edit."""

# ruff: noqa: A001, A002
'''
NOTHING_ELSE: Mapping[str, str | None] = {}
_OF_THE_CLASS = {"Any", "Callable", "Self", "TracebackType", "Treering"}


def client() -> str:
    """The stub of the client: the same operations, called at once."""
    operations = [_coroutine(one.name, one.method, one.summary, "def") for one in door.OPERATIONS.values()]
    body = [
        "class Client:",
        '    """A door whose store is at a server."""',
        "",
        "    def __init__(",
        "        self,",
        '        url: str = "http://127.0.0.1:8321",',
        "        *,",
        "        key: str | None = None,",
        "        actor: str | None = None,",
        "        space: str = ...,",
        "        timeout_seconds: float = 60.0,",
        "        transport: httpx.BaseTransport | None = None,",
        "    ) -> None: ...",
        "    def space(self, name: str) -> Self:",
        '        """The same client, bound to a space."""',
        "",
        *"\n\n".join(operations).split("\n"),
        "",
        "    def close(self) -> None: ...",
        "    def __enter__(self) -> Self: ...",
        "    def __exit__(",
        "        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None",
        "    ) -> None: ...",
    ]
    head = _HEAD.replace("The door for asyncio", "The client of a server").replace("A001, A002", "A002")
    spoken = _spoken(with_opening=False) - {"Callable", "Treering"} | {"Self", "TracebackType"}
    return "\n".join([head, *_imports(spoken, "import httpx"), "", *body]) + "\n"


_SENT_INSTEAD = {"p.FileOrBytes": "Sent", "p.NewFile": "Scratch", "p.JournalFile": "Scratch", "p.VaultFolder": None}
"""What stands for a file where the caller is elsewhere; nothing stands for a folder."""
_OF_ANY_DOOR = """    def space(self, name: str) -> Door: ...
    def now(self) -> datetime: ...
    def watched(self, progress: Progress) -> Door: ...
    def lent(self, sample: Sampler | None) -> Door: ...
    def without_reranker(self) -> Door: ...
    def without_meaning(self) -> Door: ...
    def among(self, memory_ids: Iterable[str]) -> Door: ...
    def unnoticed(self) -> Door: ...
    def must_allow(self, operation: str, **given: object) -> None: ...
    def equipment(self) -> Equipment: ...
    @property
    def bound_space(self) -> str: ...
    @property
    def actor(self) -> str: ..."""


def afar() -> str:
    """The stub of a door for others: the same operations, to which nobody can name a file of this machine."""
    operations = [
        _coroutine(one.name, one.method, one.summary, "def", _SENT_INSTEAD) for one in door.OPERATIONS.values()
    ]
    body = [
        "class Door(Protocol):",
        '    """A door as a dialect and a server may use it."""',
        "",
        *_OF_ANY_DOOR.split("\n"),
        *"\n\n".join(operations).split("\n"),
    ]
    head = _HEAD.replace("The door for asyncio", "A door to others").replace("A001, A002", "A002")
    spoken = _spoken(with_opening=False) - {"Callable", "Treering", "Self", "TracebackType", "Path"} | {
        "Protocol", "datetime", "Progress", "Sampler", "Iterable", "Scratch", "Sent", "Equipment",
    }  # fmt: skip
    return "\n".join([head, *_imports(spoken), "", *body]) + "\n"


def aio() -> str:
    operations = [_coroutine(one.name, one.method, one.summary) for one in door.OPERATIONS.values()]
    body = [
        "class AsyncTreering:",
        '    """A door whose every operation is a coroutine."""',
        "",
        "    def __init__(self, behind: Callable[[], Treering]) -> None: ...",
        "    def space(self, name: str) -> AsyncTreering:",
        '        """The same door, bound to a space."""',
        "",
        *"\n\n".join(operations).split("\n"),
        "",
        "    async def close(self) -> None: ...",
        "    async def __aenter__(self) -> Self: ...",
        "    async def __aexit__(",
        "        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None",
        "    ) -> None: ...",
        "",
        *_opening().split("\n"),
    ]
    return "\n".join([_HEAD, *_imports(_spoken()), "", *body]) + "\n"


def _coroutine(
    name: str,
    method: Callable[..., Any],
    summary: str,
    how: str = "async def",
    otherwise: Mapping[str, str | None] = NOTHING_ELSE,
) -> str:
    lines = [
        f"    {how} {name}(",
        *(f"        {one}," for one in _parameters(method, otherwise)),
        f"    ) -> {_returns(method)}:",
    ]
    return "\n".join([*lines, f'        """{summary}"""'])


def _opening() -> str:
    lines = [f"    {one}," for one in _parameters(door.open)]
    return "\n".join(
        [
            "def open(",
            *lines,
            ") -> AsyncTreering:",
            '    """As `treering.open`, for `async with`; the store is opened on entry or at the first call."""',
        ]
    )


def _parameters(method: Callable[..., Any], otherwise: Mapping[str, str | None] = NOTHING_ELSE) -> Iterable[str]:
    """`otherwise`: other types for some; a parameter of the type none is left out."""
    by_name = False
    for one in inspect.signature(method).parameters.values():
        if one.annotation in otherwise:
            instead = otherwise[one.annotation]
            if instead is None:
                continue
            one = one.replace(annotation=instead)  # noqa: PLW2901
        if one.kind is inspect.Parameter.KEYWORD_ONLY and not by_name:
            by_name = True
            yield "*"
        annotated = one.name if one.annotation is inspect.Parameter.empty else f"{one.name}: {one.annotation}"
        yield annotated if one.default is inspect.Parameter.empty else f"{annotated} = {_default(one.default)}"


def _default(value: object) -> str:
    if type(value) is str:
        return f'"{value}"'
    return repr(value) if type(value) in (int, float, bool, type(None)) else "..."


def _returns(method: Callable[..., Any]) -> str:
    return str(inspect.signature(method).return_annotation)


def _spoken(with_opening: bool = True) -> set[str]:
    """Every name that stands in a type of the stub."""
    signatures = [inspect.signature(one.method) for one in door.OPERATIONS.values()]
    written = [str(one.return_annotation) for one in signatures]
    for signature in (*signatures, *([inspect.signature(door.open)] if with_opening else [])):
        written += [str(one.annotation) for one in signature.parameters.values()]
    return {name for one in written for name in _NAME.findall(one)} | _OF_THE_CLASS


def _imports(spoken: set[str], *others: str) -> list[str]:
    """Of what the parts of the door import, what the stub speaks of, and the door's own classes."""
    homes: dict[str, set[str]] = {}
    for part in sorted(Path(inspect.getfile(door)).parent.glob("*.py")):
        for node in ast.walk(ast.parse(part.read_text("utf-8"))):
            if isinstance(node, ast.ClassDef) and node.name in spoken - {"Treering"}:
                homes.setdefault(f"treering.door.{part.stem}", set()).add(node.name)
            if isinstance(node, ast.ImportFrom) and node.module not in ("__future__", "treering.door.whole"):
                for one in node.names:
                    if (one.asname or one.name) in spoken:
                        written = one.name if one.asname in (None, one.name) else f"{one.name} as {one.asname}"
                        homes.setdefault(str(node.module), set()).add(written)
    if "Treering" in spoken:
        homes["treering.door"] = {"Treering"}
    ours = sorted(name for name in homes if name.startswith("treering"))
    theirs = sorted(name for name in homes if not name.startswith("treering"))
    if "Protocol" in spoken:
        homes["typing"].add("Protocol")
    lines = {name: f"from {name} import {', '.join(sorted(homes[name]))}" for name in (*theirs, *ours)}
    return [*(lines[name] for name in theirs), "", *(f"{one}\n" for one in others), *(lines[name] for name in ours)]
