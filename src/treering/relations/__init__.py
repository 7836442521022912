"""WHICH RELATIONS ARE THERE? One table as data (`relations.toml`), a row each; whatever names a relation reads it here.

A relation that is not in the table may be formed from words, or added to a space; it has no row, and what is known of
relations by default holds of it.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, fields
from enum import StrEnum
from functools import cache
from importlib.resources import files
from typing import Any


class Cardinality(StrEnum):
    ONE = "one"  # a new value takes the old one's place
    MANY = "many"  # values add up
    EVENT = "event"  # it happened


@dataclass(frozen=True, slots=True)
class Relation:
    name: str
    gloss: str
    cardinality: Cardinality
    subject: str = "any"
    value: str = "any"
    sentence: str = "{s}: {v}"
    family: str = ""
    """Relations of one family end together: what is no longer had is no longer used."""
    importance: float = 0.5
    lasts: bool = True
    asked: frozenset[str] = frozenset()
    begins: frozenset[str] = frozenset()
    mutual: bool = False
    aside: bool = False
    held_by_one: bool = False
    also: tuple[str, ...] = ()


@cache
def table() -> Mapping[str, Relation]:
    with (files(__name__) / "relations.toml").open("rb") as file:
        return {name: _relation(name, row) for name, row in tomllib.load(file).items()}


def _relation(name: str, row: Mapping[str, Any]) -> Relation:
    known = {one.name for one in fields(Relation)}
    strange = row.keys() - known
    if strange:
        raise ValueError(f"relations.toml: {name} has {', '.join(sorted(strange))}, which no relation has")
    given = dict(row)
    for word in ("asked", "begins"):
        given[word] = frozenset(str(row.get(word, "")).split())
    given["cardinality"] = Cardinality(row["cardinality"])
    given["also"] = tuple(row.get("also", ()))
    return Relation(name=name, **given)


@cache
def family(name: str) -> frozenset[str]:
    """The relations that end together with this one."""
    row = table().get(name)
    if row is None or not row.family:
        return frozenset((name,))
    return of_family(row.family)


@cache
def of_family(name: str) -> frozenset[str]:
    return frozenset(one.name for one in table().values() if one.family == name)


@cache
def with_mark(mark: str) -> frozenset[str]:
    """Those of which `mutual`, `aside` or `held_by_one` is said."""
    return frozenset(one.name for one in table().values() if getattr(one, mark))


def aside(name: str) -> bool:
    """Whether it is said by the way, and goes on standing when the rest of a memory has ended."""
    return name in with_mark("aside") or name == "POSSIBLE_SAME"
