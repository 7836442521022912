"""Short stories of things that change, and of things that only look as if they did, in the words people use.

Each is two or three turns said weeks apart, a question about now, what the answer must hold, and what must not be told
as true any more. Of what only looks like a change, everything said must still be found.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

_HERE = Path(__file__).parent


class Story(NamedTuple):
    told: tuple[str, ...]
    asked: str
    wanted: tuple[str, ...]
    stale: str | None = None
    is_beyond: bool = False
    """No rule reads these words yet: the line begins with a tilde."""


def _lines(name: str) -> Iterator[list[str]]:
    for line in (_HERE / name).read_text(encoding="utf-8").splitlines():
        if line and not line.startswith(("#", "[")):
            yield [part.strip() for part in line.split(" | ")]


def _parts(line: list[str]) -> tuple[tuple[str, ...], str, list[str]]:
    place = next(place for place, part in enumerate(line) if part.startswith("? "))
    return tuple(line[:place]), line[place].removeprefix("? "), line[place + 1 :]


def changes(name: str = "changes.txt") -> list[Story]:
    found = []
    for line in _lines(name):
        (first, *others), asked, (wanted, stale) = _parts(line)
        told = (first.removeprefix("~ "), *others)
        found.append(Story(told, asked, (wanted,), stale, first.startswith("~ ")))
    return found


def stays(name: str = "stays.txt") -> list[Story]:
    found = []
    for line in _lines(name):
        (first, *others), asked, wanted = _parts(line)
        told = (first.removeprefix("~ "), *others)
        found.append(Story(told, asked, tuple(wanted), None, first.startswith("~ ")))
    return found
