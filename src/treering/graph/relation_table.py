"""Which relations does a space know, and how does it get one of its own? The table as the space has it, and plans that
lay a row over it or take one away. The rows are a setting, so that they are journaled and undone like any other."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from treering.errors import NotFound
from treering.model.changes import Changes, SettingChanged
from treering.model.edge import fact_relation
from treering.model.setting import checked_setting
from treering.model.value import Value
from treering.relations import Cardinality, table
from treering.relations.own import Relations
from treering.store.contract import Act, Reader
from treering.store.own_relations import relations_of
from treering.values import dataclass

SETTING = "relations"


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class RelationRow(Value):
    """A relation as a space knows it. `one_at_a_time`: a newer value closes the older one here; `own`: the space has a
    row of its own for it, new or over that of the table; `also`: other names that facts in it may bear."""

    name: str
    gloss: str
    cardinality: Cardinality
    sentence: str
    family: str | None
    asked: tuple[str, ...]
    one_at_a_time: bool
    own: bool
    also: tuple[str, ...] = ()


def listed(reader: Reader, own_only: bool) -> list[RelationRow]:
    """In order of name. The reader is of one space."""
    return sorted(_rows(relations_of(reader), own_only), key=lambda row: row.name)


def set_row(act: Act, name: str, given: Mapping[str, Any], op: str) -> tuple[Changes, RelationRow]:
    """What is not given stays as it is: in the space's own row, else in the table."""
    name, before = fact_relation(name), act.reader.setting(SETTING)
    rows = checked_setting(SETTING, {**before, name: {**before.get(name, {}), **given}})
    changes = (SettingChanged(SETTING, rows),) if rows != before else ()
    return Changes(op, changes), _row(_with(act.reader, rows), name)


def remove_row(act: Act, name: str, op: str) -> tuple[Changes, RelationRow]:
    """What was there. From now on the table holds again, if the relation is in it; facts in it stay."""
    name, before = fact_relation(name), act.reader.setting(SETTING)
    if name not in before:
        known = "it is as in the table" if name in table() else "nor is it in the table"
        raise NotFound(f"name: the space has no row of its own for {name}; {known}. `relations` lists all", name)
    rows = {one: row for one, row in before.items() if one != name}
    return Changes(op, (SettingChanged(SETTING, rows),)), _row(relations_of(act.reader), name)


def _with(reader: Reader, rows: Mapping[str, dict[str, Any]]) -> Relations:
    return Relations(rows, relations_of(reader).functional)


def _rows(relations: Relations, own_only: bool) -> Iterator[RelationRow]:
    for name in relations.own if own_only else relations.rows:
        yield _row(relations, name)


def _row(relations: Relations, name: str) -> RelationRow:
    row = relations.rows[name]
    return RelationRow(
        name=name,
        gloss=row.gloss,
        cardinality=row.cardinality,
        sentence=row.sentence,
        family=row.family or None,
        asked=tuple(sorted(row.asked)),
        one_at_a_time=name in relations.one_at_a_time,
        own=name in relations.own,
        also=tuple(one for one in relations.names(name) if one != name),
    )
