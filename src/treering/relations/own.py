"""WHICH RELATIONS DOES A SPACE HAVE? The table, with rows of the space's own laid over it.

A row of a space is what its setting `relations` keeps under a name: of a relation that is in the table only what is to
be different, of a new one all that is known. How the setting is kept and journaled is not known here.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import replace
from functools import cached_property
from string import Formatter
from typing import Any

from treering.errors import InvalidRequest, LimitExceeded
from treering.relations import Cardinality, Relation, table
from treering.values import dataclass

ROWS = 200  # of one space
GLOSS_CHARS = 200
SENTENCE_CHARS = 200
WORDS = 50
WORD_CHARS = 40
COLUMNS = ("gloss", "cardinality", "sentence", "family", "asked")
_FAMILY = re.compile(r"[a-z][a-z0-9_]{0,39}")
_WORD = re.compile(rf"[^\W_][\w'-]{{0,{WORD_CHARS - 1}}}")
Row = dict[str, Any]


def checked_rows(value: Mapping[str, Any]) -> dict[str, Row]:
    """Rows by the names of their relations, which have been checked."""
    if len(value) > ROWS:
        raise LimitExceeded(f"relations: {len(value)} are too many; a space has at most {ROWS} rows of its own")
    return {name: checked_row(name, row) for name, row in sorted(value.items())}


def checked_row(name: str, row: Any) -> Row:
    """Its columns in their one spelling."""
    if not isinstance(row, Mapping):
        raise InvalidRequest(f"relations: {name} is {row!r}, not an object with {', '.join(COLUMNS)}")
    strange = sorted(str(one) for one in row.keys() - set(COLUMNS))
    if strange:
        raise InvalidRequest(f"relations: {name} has {', '.join(strange)}; a row has {', '.join(COLUMNS)}")
    if not row:
        raise InvalidRequest(f"relations: the row of {name} is empty; say at least one of {', '.join(COLUMNS)}")
    if name not in table() and not row.get("gloss"):
        raise InvalidRequest(f"gloss: {name} is a new relation; say what it means, such as 'whom somebody mentors'")
    return {column: _CHECKS[column](row[column]) for column in COLUMNS if column in row}


def _gloss(value: Any) -> str:
    if not isinstance(value, str) or not value.strip() or len(value) > GLOSS_CHARS:
        raise InvalidRequest(f"gloss: {value!r} is not a text of 1 to {GLOSS_CHARS} characters")
    return value.strip()


def _cardinality(value: Any) -> str:
    try:
        return Cardinality(value).value
    except ValueError:
        raise InvalidRequest(f"cardinality: {value!r} is not one of {', '.join(Cardinality)}") from None


def _sentence(value: Any) -> str:
    if not isinstance(value, str) or len(value) > SENTENCE_CHARS or sorted(_blanks(value)) != ["s", "v"]:
        raise InvalidRequest(
            f"sentence: {value!r} is not a sentence of at most {SENTENCE_CHARS} characters with {{s}} for the subject "
            "and {v} for the value, once each, such as '{s} mentors {v}'"
        )
    return value.strip()


def _blanks(sentence: str) -> list[str]:
    """What is to be filled in; something else than names where it cannot be."""
    try:
        parts = list(Formatter().parse(sentence))
    except ValueError:
        return []
    return [f"{name}{spec}{how or ''}" for _, name, spec, how in parts if name is not None]


def _family(value: Any) -> str:
    if isinstance(value, str) and (not value or _FAMILY.fullmatch(value)):
        return value
    raise InvalidRequest(f"family: {value!r} is not a word in lower case, such as couple; empty for none")


def _asked(value: Any) -> list[str]:
    said = value.split() if isinstance(value, str) else value
    if not isinstance(said, list | tuple) or not all(isinstance(one, str) and _WORD.fullmatch(one) for one in said):
        raise InvalidRequest(f"asked: {value!r} is not a list of single words, such as ['mentor', 'mentors']")
    if len(said) > WORDS:
        raise LimitExceeded(f"asked: {len(said)} words are too many; a relation has at most {WORDS}")
    return sorted({one.lower() for one in said})


_CHECKS = {
    "gloss": _gloss,
    "cardinality": _cardinality,
    "sentence": _sentence,
    "family": _family,
    "asked": _asked,
}


@dataclass(frozen=True)
class Relations:
    """Those of one space: its own rows over the table, and which of all have one value at a time."""

    own: Mapping[str, Row]
    functional: frozenset[str]
    """By the space's other setting, which knows names only."""

    @cached_property
    def rows(self) -> Mapping[str, Relation]:
        return {**table(), **{name: _laid_over(name, row) for name, row in self.own.items()}}

    @cached_property
    def one_at_a_time(self) -> frozenset[str]:
        """What a row of the space's own says of its relation comes before the setting."""
        said = {name: row["cardinality"] for name, row in self.own.items() if "cardinality" in row}
        one = {name for name, cardinality in said.items() if cardinality == Cardinality.ONE}
        return frozenset(one | (self.functional - said.keys()))

    def adds_up(self, name: str) -> bool:
        """Whether the space itself says that values stand beside one another, whatever they look like."""
        said = self.own.get(name, {}).get("cardinality")
        return said is not None and said != Cardinality.ONE

    def family(self, name: str) -> frozenset[str]:
        """The relations that end together with this one."""
        row = self.rows.get(name)
        return self.of_family(row.family) if row is not None and row.family else frozenset((name,))

    def of_family(self, name: str) -> frozenset[str]:
        return frozenset(one.name for one in self.rows.values() if one.family == name)


def _laid_over(name: str, row: Row) -> Relation:
    given = dict(row)
    if "cardinality" in row:
        given["cardinality"] = Cardinality(row["cardinality"])
    if "asked" in row:
        given["asked"] = frozenset(row["asked"])
    known = table().get(name)
    if known is None:
        return Relation(**{"name": name, "cardinality": Cardinality.MANY, **given})
    return replace(known, **given)


def relations(own: Mapping[str, Row] | None = None, functional: Iterable[str] = ()) -> Relations:
    return Relations(own or {}, frozenset(functional))


TABLE = relations()
"""The table, as it is where a space has no rows of its own."""
