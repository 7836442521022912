"""IS A ROW OF THE TABLE WELL FORMED? What is wrong with one that is not, and how to mend it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

CARDINALITIES = ("one", "many", "event")
TASTES = ("for", "against")
VALUE_KINDS = (
    "amount", "any", "condition", "date", "event", "language", "name", "organization", "person", "place", "role",
    "skill", "technology", "text", "thing", "topic",
)  # fmt: skip
"""What a value may be. Two relations whose values are of one kind may take each other's place."""
WORDS = ("asked", "begins")
"""Columns of words in one text, with blanks between them."""
SEVERAL = ("also", "near", "ends_with", "begun_by")
"""Columns of names in a list."""


def must_be_whole(table: Mapping[str, Any], columns: Mapping[str, str]) -> None:
    """`columns`: those that a relation has, with the type of each. Tells all that is wrong at once."""
    wrong = [f"{name}: {fault}" for name, row in table.items() for fault in _faults(row, columns)]
    wrong += [*_doubled(table)]
    if wrong:
        raise ValueError("relations.toml: " + "; ".join(wrong))


def _faults(row: Any, columns: Mapping[str, str]) -> Iterator[str]:
    if not isinstance(row, Mapping):
        yield f"{row!r} is no row; write it under a head such as [WORKS_FOR]"
        return
    for column in ("gloss", "cardinality", "sentence", "asked"):
        if column not in row:
            yield f"{column} is missing; say it as its neighbours do"
    if row.get("one_at_a_time") and row.get("cardinality") != "one":
        yield 'one_at_a_time is for relations of cardinality = "one"; leave it out'
    for column, value in row.items():
        fault = _fault(column, value, columns)
        if fault is not None:
            yield f"{column} = {value!r} {fault}"


def _fault(column: str, value: Any, columns: Mapping[str, str]) -> str | None:
    of_few = {"cardinality": CARDINALITIES, "taste": TASTES, "value": VALUE_KINDS}.get(column)
    if column not in columns:
        return f"is no column; there are {', '.join(sorted(columns))}"
    if of_few is not None:
        return None if value in of_few else f"is not one of {', '.join(of_few)}"
    if column in SEVERAL:
        names = isinstance(value, list) and all(isinstance(one, str) for one in value)
        return None if names else 'is not a list of names, such as ["HELPS_OUT_AT"]'
    if columns[column] == "bool":
        return None if isinstance(value, bool) else "is not true or false"
    if not isinstance(value, str):
        blanks = "; write the words in one text with blanks between them" if column in WORDS else ""
        return f"is not a text{blanks}"
    if column == "sentence" and (value.count("{s}"), value.count("{v}")) != (1, 1):
        return "does not hold {s} for the subject and {v} for the value, once each"
    return None


def _doubled(table: Mapping[str, Any]) -> Iterator[str]:
    """A name stands for one relation only."""
    homes: dict[str, str] = {name: f"the row [{name}]" for name in table}
    for name, row in table.items():
        for column in ("also", "near"):
            for other in row.get(column, ()) if isinstance(row, Mapping) else ():
                if other in homes:
                    yield f"{other} stands under {column} of [{name}] and in {homes[other]}; keep it in one of them"
                homes.setdefault(other, f"{column} of [{name}]")
