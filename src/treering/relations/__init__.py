"""WHICH RELATIONS ARE THERE? One table as data (`relations.toml`), a row each; whatever names a relation reads it here.

A space may lay rows of its own over the table (`own`). A relation with no row may still be formed from words: what is
known of relations by default holds of it.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import fields
from enum import StrEnum
from functools import cache
from importlib.resources import files
from typing import Any

from treering.relations.row import SEVERAL, WORDS, must_be_whole
from treering.values import dataclass

POSSIBLE_SAME = "POSSIBLE_SAME"
"""That two names may be of one thing. Treering says it itself; nobody states it, so it has no row."""


class Cardinality(StrEnum):
    ONE = "one"  # a new value takes the old one's place
    MANY = "many"  # values add up
    EVENT = "event"  # it happened


class Taste(StrEnum):
    FOR = "for"
    AGAINST = "against"


@dataclass(frozen=True, slots=True)
class Relation:
    name: str
    gloss: str
    cardinality: Cardinality
    value: str = "any"
    """Which kind of thing the value is."""
    sentence: str = "{s}: {v}"
    family: str = ""
    """Relations of one family end together: what is no longer had is no longer used."""
    asked: frozenset[str] = frozenset()
    begins: frozenset[str] = frozenset()
    known: bool = False
    """Whether a model that reads is told of it."""
    one_at_a_time: bool = False
    """Whether the older value closes by itself, where a space does not say otherwise. Not every relation of cardinality
    one does: whoever reads may put too much into it."""
    mutual: bool = False
    aside: bool = False
    """Said beside what a memory is about: "my friend Ada lives in Oslo"."""
    in_passing: bool = False
    """A name with a role says it, beside the sentence that it stands in: "my boss Ada"."""
    in_other_words: bool = False
    """A value may be the same one in other words: a vet is a veterinarian."""
    held_by_one: bool = False
    """Where one takes over, who had it before has it no more."""
    nested: bool = False
    """A value that lies within the older one leaves it standing: who lives in Capitol Hill still lives in Denver."""
    inside: bool = False
    """It says that one thing lies in another."""
    names: bool = False
    """Its value is another name of its subject."""
    intends: bool = False
    """It says what is to come: once that holds in another relation, it is intended no more."""
    defines: bool = False
    """It says who somebody is, or what must not be forgotten of them."""
    taste: Taste | None = None
    one_of_a_kind: bool = False
    """Among values of one kind, such as seats, there is one."""
    ends_with: tuple[str, ...] = ()
    """Relations that it ends with, where one memory told both: a role ends with the job it was said of."""
    begun_by: tuple[str, ...] = ()
    """Names for the event that it begins with, known beside its own."""
    also: tuple[str, ...] = ()
    """Names that mean the same, in the same direction: facts under any of them are of one relation."""
    near: tuple[str, ...] = ()
    """Names that come close: training reads them as this one. Facts under them are of a relation of their own."""


@cache
def table() -> Mapping[str, Relation]:
    with (files(__name__) / "relations.toml").open("rb") as file:
        return rows_of(tomllib.load(file))


def rows_of(given: Mapping[str, Any]) -> Mapping[str, Relation]:
    """The relations of a table as it is written, once every row of it is whole."""
    must_be_whole(given, {one.name: str(one.type) for one in fields(Relation) if one.name != "name"})
    return {name: _relation(name, row) for name, row in given.items()}


def _relation(name: str, row: Mapping[str, Any]) -> Relation:
    given = dict(row)
    for words in WORDS:
        given[words] = frozenset(row.get(words, "").split())
    for several in SEVERAL:
        given[several] = tuple(row.get(several, ()))
    given["cardinality"] = Cardinality(row["cardinality"])
    given["taste"] = Taste(row["taste"]) if "taste" in row else None
    return Relation(name=name, **given)


@cache
def with_mark(mark: str) -> frozenset[str]:
    """Those of which it is said: `mutual`, `aside`, `held_by_one` …"""
    return frozenset(one.name for one in table().values() if getattr(one, mark))


@cache
def with_taste(taste: Taste) -> frozenset[str]:
    return frozenset(one.name for one in table().values() if one.taste is taste)


@cache
def known_facts() -> frozenset[str]:
    """What a model that reads is told of, and the events that those begin with."""
    known = [one for one in table().values() if one.known]
    return frozenset(name for one in known for name in (one.name, *one.begun_by))


@cache
def glosses() -> Mapping[str, str]:
    """Of every known fact, what it says, in order of name."""
    told = {}
    for one in table().values():
        if one.known:
            told[one.name] = one.gloss
            told.update(dict.fromkeys(one.begun_by, f"the event that began it: {one.gloss}"))
    return dict(sorted(told.items()))
