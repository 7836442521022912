"""Is what was purged really gone? Every table that could name a purged thing is asked for it, and the journal is read
once more. This does not trust what the purge itself believes to have removed.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator

from treering.model.journal import names_one
from treering.store.contract import Probed
from treering.store.sql import tables as t
from treering.store.sql.bound import some_at_a_time
from treering.store.sql.chain import space_id
from treering.store.sql.tables import Connection

Column = tuple[str, str]

_ALLOWED = {("entity", "memory_id"), ("alias", "memory_id")}
"""A name that other memories speak of too may have been brought by one that is gone; its id says nothing."""
_BESIDE = (("embedding", "thing_id"),)
_LISTS = (("review", "concerns"), ("found_cluster", "memory_ids"))


def _columns() -> Iterator[Column]:
    """Every column that holds the id of a thing; a tombstone is there to hold it."""
    for table in t.PROJECTED:
        ids = (name for name in table.columns if name == "id" or name.endswith("_id"))
        yield from ((table.name, name) for name in ids if table is not t.TOMBSTONE)


COLUMNS = (*(one for one in _columns() if one not in _ALLOWED), *_BESIDE)


def probe(connection: Connection, space: str, ids: Collection[str], since: int, more: tuple[Column, ...]) -> Probed:
    """`more`: columns of tables that an engine keeps besides."""
    columns = (*COLUMNS, *more)
    places = dict.fromkeys(table for table, _ in (*columns, *_LISTS, ("journal", "payload")))
    number = space_id(connection, space)
    found = {table for table, column in columns if _names(connection, number, table, column, ids)}
    found |= {table for table, column in _LISTS if _lists(connection, space, table, column, ids)}
    if _in_journal(connection, number, space, ids, since):
        found.add("journal")
    return Probed(tuple(places), tuple(sorted(found)))


def _names(connection: Connection, number: int | None, table: str, column: str, ids: Collection[str]) -> bool:
    for some in some_at_a_time(list(ids)):
        marks = ", ".join("?" * len(some))
        sql = f"SELECT 1 FROM {table} WHERE space_id = ? AND {column} IN ({marks}) LIMIT 1"
        if connection.rows(sql, (number, *some)):
            return True
    return False


def _lists(connection: Connection, space: str, table: str, column: str, ids: Collection[str]) -> bool:
    sql = f"SELECT 1 FROM {table} WHERE space = ? AND INSTR({column}, ?) > 0 LIMIT 1"
    return any(connection.rows(sql, (space, one)) for one in ids)


def _in_journal(connection: Connection, number: int | None, space: str, ids: Collection[str], since: int) -> bool:
    """Only entries that name one of them are read; that they are named, as the evidence of something, is no fault."""
    sql = f"SELECT {t.JOURNAL.select()} FROM journal WHERE space_id = ? AND seq >= ?"
    gone, payload = frozenset(ids), t.JOURNAL.columns.index("payload")
    told = (row for row in connection.stream(sql, (number, since)) if names_one(row[payload], gone))
    return any(t.read_entry(space, row).belongs_to(gone) for row in told)
