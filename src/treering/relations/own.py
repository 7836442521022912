"""WHICH RELATIONS DOES A SPACE HAVE? The table with rows of its own laid over it; and by which names is each known?

A row of a space is what its setting `relations` keeps under a name: of a relation that is in the table only what is to
be different, of a new one all that is known. How the setting is kept and journaled is not known here.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import replace
from functools import cache, cached_property
from string import Formatter
from typing import Any

from treering.errors import InvalidRequest, LimitExceeded
from treering.relations import POSSIBLE_SAME, Cardinality, Relation, Taste, table, with_mark, with_taste
from treering.values import dataclass

ROWS = 200  # of one space
GLOSS_CHARS = 200
SENTENCE_CHARS = 200
WORDS = 50
WORD_CHARS = 40
NAMES = 20
NAME_CHARS = 100
COLUMNS = ("gloss", "cardinality", "sentence", "family", "asked", "also")
_FAMILY = re.compile(r"[a-z][a-z0-9_]{0,39}")
_WORD = re.compile(rf"[^\W_][\w'-]{{0,{WORD_CHARS - 1}}}")
_NAME = re.compile(r"[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)*")
_NOT_A_WORD = re.compile(r"[^A-Za-z0-9]+")
Row = dict[str, Any]


def checked_rows(value: Mapping[str, Any]) -> dict[str, Row]:
    """Rows by the names of their relations, which have been checked."""
    if len(value) > ROWS:
        raise LimitExceeded(f"relations: {len(value)} are too many; a space has at most {ROWS} rows of its own")
    rows = {name: checked_row(name, row) for name, row in sorted(value.items())}
    _must_be_apart(rows)
    return rows


def _must_be_apart(rows: Mapping[str, Row]) -> None:
    """A name stands for one relation."""
    relations = {*table(), *rows}
    taken: dict[str, str] = {}
    for name, row in rows.items():
        for other in row.get("also", ()):
            if other == name:
                raise InvalidRequest(f"also: {name} is the relation itself; name others that mean the same")
            if other in relations:
                raise InvalidRequest(
                    f"also: {other} has a row of its own, so it is no other name of {name}; leave it out"
                )
            if taken.setdefault(other, name) != name:
                raise InvalidRequest(
                    f"also: {other} is given to {taken[other]} and to {name}; leave it out of one of them"
                )


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


def _also(value: Any) -> list[str]:
    said = value.split() if isinstance(value, str) else value
    if not isinstance(said, list | tuple) or not all(isinstance(one, str) for one in said):
        raise InvalidRequest(f"also: {value!r} is not a list of names, such as ['COACHED_BY']")
    names = sorted({_NOT_A_WORD.sub("_", one).strip("_").upper() for one in said})
    wrong = [one for one in names if not _NAME.fullmatch(one) or len(one) > NAME_CHARS]
    if wrong:
        raise InvalidRequest(f"also: {wrong[0]!r} cannot be a name of a relation; name it such as COACHED_BY")
    if len(names) > NAMES:
        raise LimitExceeded(f"also: {len(names)} names are too many; a relation has at most {NAMES} beside its own")
    return names


_CHECKS = {
    "gloss": _gloss,
    "cardinality": _cardinality,
    "sentence": _sentence,
    "family": _family,
    "asked": _asked,
    "also": _also,
}


@dataclass(frozen=True)
class Relations:
    """Those of one space: its own rows over the table, and which of all have one value at a time."""

    own: Mapping[str, Row]
    functional: frozenset[str]
    """By the space's other setting, which knows names only."""

    @cached_property
    def rows(self) -> Mapping[str, Relation]:
        return {**table(), **{name: _laid_over(name, row) for name, row in self.own.items()}} if self.own else table()

    # names

    @cached_property
    def _row_of(self) -> Mapping[str, str]:
        """Every name to that of its row. A row's own name is its own; what the space says comes before the table."""
        return _row_of(self.rows, frozenset(self.own)) if self.own else _row_of_in_table()

    def one(self, name: str) -> str:
        """The one name that all names of a relation stand for: that of its row."""
        return self._row_of.get(name, name)

    def row(self, name: str) -> Relation | None:
        return self.rows.get(self.one(name))

    def names(self, *given: str) -> tuple[str, ...]:
        """All names of these relations, in order. A fact keeps the one that it was given; asked for, they are one."""
        found: set[str] = set(given)
        for name in {self.one(one) for one in given}:
            row = self.rows.get(name)
            found |= {name, *(one for one in (row.also if row else ()) if self.one(one) == name)}
        return tuple(sorted(found))

    # what is said of them

    def marked(self, mark: str) -> frozenset[str]:
        """All names of those of which the table says it: `mutual`, `aside`, `held_by_one` …"""
        return frozenset(self.names(*with_mark(mark)))

    def tasting(self, taste: Taste) -> frozenset[str]:
        return frozenset(self.names(*with_taste(taste)))

    @cached_property
    def one_at_a_time(self) -> frozenset[str]:
        """All names of those. What a row of the space's own says of its relation comes before the setting."""
        said = {name: row["cardinality"] for name, row in self.own.items() if "cardinality" in row}
        one = {name for name, cardinality in said.items() if cardinality == Cardinality.ONE}
        return frozenset(self.names(*one, *({self.one(name) for name in self.functional} - said.keys())))

    def adds_up(self, name: str) -> bool:
        """Whether the space itself says that values stand beside one another, whatever they look like."""
        said = self.own.get(self.one(name), {}).get("cardinality")
        return said is not None and said != Cardinality.ONE

    def family(self, name: str) -> frozenset[str]:
        """All names of the relations that end together with this one."""
        row = self.row(name)
        return self.of_family(row.family) if row is not None and row.family else frozenset(self.names(name))

    def of_family(self, name: str) -> frozenset[str]:
        return frozenset(self.names(*(one.name for one in self.rows.values() if one.family == name)))

    def ends_with(self, name: str) -> frozenset[str]:
        """All names of the relations that end with this one, where one memory told both."""
        ending = (one.name for one in self.rows.values() if self.one(name) in one.ends_with)
        return frozenset(self.names(*ending))

    def aside(self, name: str) -> bool:
        """Whether it is said by the way, and goes on standing when the rest of a memory has ended."""
        return self.one(name) in with_mark("aside") or name == POSSIBLE_SAME

    def happens(self, name: str) -> bool:
        """Whether it tells what happened, which is never over; so do the names that come close to such a relation."""
        row = self.row(name) or _near().get(name)
        return row is not None and row.cardinality is Cardinality.EVENT

    def stated(self, subject: str, name: str, value: str) -> str:
        """The fact as a sentence; of a relation that has none, in its own words."""
        row = self.row(name) or _begun_by().get(name)
        if row is None or (row.name not in table() and "sentence" not in self.own[row.name]):
            return f"{subject} {name.lower().replace('_', ' ')} {value}"
        return row.sentence.replace("{s}", subject).replace("{v}", value)


def _row_of(rows: Mapping[str, Relation], own: frozenset[str]) -> Mapping[str, str]:
    ordered = sorted(rows.values(), key=lambda row: row.name in own)
    return {**{name: row.name for row in ordered for name in row.also}, **{name: name for name in rows}}


@cache
def _row_of_in_table() -> Mapping[str, str]:
    return _row_of(table(), frozenset())


@cache
def _near() -> Mapping[str, Relation]:
    return {name: row for row in table().values() for name in row.near}


@cache
def _begun_by() -> Mapping[str, Relation]:
    return {name: row for row in table().values() for name in row.begun_by}


def _laid_over(name: str, row: Row) -> Relation:
    given = dict(row)
    if "cardinality" in row:
        given["cardinality"] = Cardinality(row["cardinality"])
    if "asked" in row:
        given["asked"] = frozenset(row["asked"])
    if "also" in row:
        given["also"] = tuple(row["also"])
    known = table().get(name)
    if known is None:
        return Relation(**{"name": name, "cardinality": Cardinality.MANY, **given})
    return replace(known, **given)


def relations(own: Mapping[str, Row] | None = None, functional: Iterable[str] = ()) -> Relations:
    return Relations(own or {}, frozenset(functional))


TABLE = relations()
"""The table, as it is where a space has no rows of its own."""
