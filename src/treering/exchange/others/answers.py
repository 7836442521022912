"""WHAT did somebody save of a service's answers? One file with all its lists, or a folder with a file a route, as a
client wrote them down: objects whose lists are put together, or a list by itself."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, TypeVar

from treering.errors import CallerError, InvalidRequest
from treering.model import limits

Lists = dict[str, list[Mapping[str, Any]]]
T = TypeVar("T")
_LARGEST = 1 << 30
_LOOKED_AT = 1 << 16


def is_saved(path: Path, marks: Sequence[bytes], is_one: Callable[[Mapping[str, Any]], bool]) -> bool:
    """Whether its memories are of the service. Read is only what has its marks: there may be other things there."""
    for file in _files(path):
        try:
            with file.open("rb") as opened:
                begins = opened.read(_LOOKED_AT)
            if all(mark in begins for mark in marks) and any(map(is_one, lists_of(_read(file))["memories"][:20])):
                return True
        except (OSError, CallerError):
            continue
    return False


def saved(path: Path) -> Any:
    """All of it, as it was written down."""
    found = [_read(one) for one in _files(path)]
    if not found:
        raise InvalidRequest(f"path: {path} holds no JSON; give the file that the answers were saved in, or its folder")
    return found[0] if len(found) == 1 else found


def lists_of(value: Any) -> Lists:
    """Each list by its name, of several objects together; what has no name is the memories."""
    told: Lists = {"memories": []}
    several = isinstance(value, list) and any(isinstance(one, list) or "memories" in one for one in value if one)
    for one in value if several else [value]:
        named = one.items() if isinstance(one, Mapping) else [("memories", one)]
        for name, some in named:
            if isinstance(some, list):
                told.setdefault(name, []).extend(each for each in some if isinstance(each, Mapping))
    return told


def each(records: Iterable[T], name: str, make: Callable[[T], Any], left_out: dict[str, str]) -> list[Any]:
    """What can be made of them; the others are named, with the reason."""
    made = []
    for place, one in enumerate(records, 1):
        try:
            made.append(make(one))
        except CallerError as error:
            own = one.get("id") if isinstance(one, Mapping) else None
            left_out[str(own or f"{name} {place}")] = str(error)
    return made


def words_of(value: object) -> str:
    if not isinstance(value, str) or not value.strip():
        raise InvalidRequest("content: has no words")
    return value.strip()


def given_id(memory_id: str) -> dict[str, str]:
    """What is to be kept of an id that cannot be one here."""
    try:
        limits.uuid(memory_id, "id")
    except CallerError:
        return {"id": memory_id}
    return {}


def share(value: object) -> float | None:
    """Between 0 and 1; what is out of bounds says nothing."""
    known = isinstance(value, int | float) and not isinstance(value, bool) and 0 <= value <= 1
    return float(value) if known else None  # type: ignore[arg-type]


def _files(path: Path) -> list[Path]:
    listed = sorted(path.glob("*.json")) if path.is_dir() else [path] if path.suffix.lower() == ".json" else []
    with suppress(OSError):
        return [one for one in listed if one.is_file() and one.stat().st_size <= _LARGEST]
    return []


def _read(path: Path) -> Any:
    try:
        return json.loads(path.read_text("utf-8-sig"))
    except (OSError, ValueError, RecursionError) as error:
        raise InvalidRequest(f"path: {path} cannot be read as JSON ({type(error).__name__})") from None
