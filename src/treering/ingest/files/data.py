"""WHERE are the things in a JSON text? Each record of a list, and each member of an object, as a stretch of the text.

The text stays as it was written. A record is a section by itself; small members of one object stand together; what is
too long is looked into, and the names on the way down are its path.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from treering.errors import InvalidRequest
from treering.language.sections import MOST, TARGET, Section, sections

_BLANKS = re.compile(r"[ \t\n\r]*")
_DECODER = json.JSONDecoder()
_NAMES = ("name", "title", "label", "subject", "id")
_DEEPEST = 100


def parsed(name: str, text: str) -> Any:
    try:
        return _DECODER.decode(text)
    except RecursionError:
        raise InvalidRequest(f"file: {name} is nested too deeply; flatten it") from None
    except ValueError as error:
        raise InvalidRequest(f"file: {name} is not valid JSON ({error})") from None


def json_sections(text: str, value: Any) -> list[Section]:
    """Of a text that is this value."""
    start = _skip(text, 0)
    found = list(_within(text, start, len(text.rstrip()), value, ()))
    return found or [Section(start, len(text.rstrip()))]


def line_sections(text: str, lines: list[tuple[int, int, Any]]) -> list[Section]:
    """Of JSON Lines: every record by itself, named if it names itself."""
    return [one for start, end, value in lines for one in _record(text, start, end, value, ())]


@dataclass(frozen=True, slots=True)
class _Member:
    """`[start, end)` with its name, `at` where its value begins."""

    start: int
    at: int
    end: int
    name: str
    value: Any


def _within(text: str, start: int, end: int, value: Any, path: tuple[str, ...]) -> Iterator[Section]:
    if len(path) < _DEEPEST and isinstance(value, list) and any(isinstance(one, dict | list) for one in value):
        for one in _items(text, start, value):
            yield from _record(text, one.at, one.end, one.value, (*path, one.name))
    elif end - start <= TARGET or len(path) >= _DEEPEST or not isinstance(value, dict | list):
        yield from _whole(text, start, end, path)
    elif isinstance(value, dict):
        yield from _packed(text, list(_members(text, start)), path)
    else:
        yield from _packed(text, list(_items(text, start, value)), path)


def _record(text: str, start: int, end: int, value: Any, path: tuple[str, ...]) -> Iterator[Section]:
    """One thing of a list: its own name, if it has one, says more than its number."""
    named = (
        next((value[key] for key in _NAMES if isinstance(value.get(key), str)), "") if isinstance(value, dict) else ""
    )
    path = (*path[:-1], named) if named else path
    if end - start <= MOST:
        yield Section(start, end, path)
    else:
        yield from _within(text, start, end, value, path)


def _packed(text: str, members: list[_Member], path: tuple[str, ...]) -> Iterator[Section]:
    """Small neighbours together up to the target, large ones looked into."""
    held: tuple[int, int] | None = None
    for one in members:
        if held and one.end - held[0] > TARGET:
            yield Section(*held, path)
            held = None
        if one.end - one.start > TARGET:
            yield from _within(text, one.at, one.end, one.value, (*path, one.name))
        else:
            held = (held[0] if held else one.start, one.end)
    if held:
        yield Section(*held, path)


def _whole(text: str, start: int, end: int, path: tuple[str, ...]) -> Iterator[Section]:
    if end - start <= MOST:
        yield Section(start, end, path)
        return
    for one in sections(text[start:end], headings=False):
        yield Section(start + one.start, start + one.end, path)


def _items(text: str, start: int, value: list[Any]) -> Iterator[_Member]:
    at = _skip(text, start + 1)
    for number, one in enumerate(value, 1):
        end = _DECODER.raw_decode(text, at)[1]
        yield _Member(at, at, end, str(number), one)
        at = _skip(text, _skip(text, end) + 1)


def _members(text: str, start: int) -> Iterator[_Member]:
    at = _skip(text, start + 1)
    while text[at] != "}":
        name, end = _DECODER.raw_decode(text, at)
        begins = _skip(text, _skip(text, end) + 1)
        value, end = _DECODER.raw_decode(text, begins)
        yield _Member(at, begins, end, name, value)
        after = _skip(text, end)
        at = _skip(text, after + 1) if text[after] == "," else after


def _skip(text: str, at: int) -> int:
    found = _BLANKS.match(text, at)
    return found.end() if found else at
