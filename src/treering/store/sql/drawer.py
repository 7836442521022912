"""How does a drawer lie in a table? Each function is to run in a transaction of its caller's."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager
from datetime import datetime
from typing import Any

from treering.model.codec import canonical
from treering.model.time import from_micros, to_micros
from treering.store.drawer import Paper
from treering.store.sql.tables import Connection, SqlRow

Transaction = Callable[[], AbstractContextManager[Connection]]

_COLUMNS = "kind, id, value, version, due"


def get(connection: Connection, kind: str, paper_id: str) -> Paper | None:
    rows = connection.rows(f"SELECT {_COLUMNS} FROM drawer WHERE kind = ? AND id = ?", (kind, paper_id))
    return _paper(rows[0]) if rows else None


def listed(connection: Connection, kind: str, due_by: datetime | None, limit: int | None) -> list[Paper]:
    params: list[Any] = [kind]
    sql = f"SELECT {_COLUMNS} FROM drawer WHERE kind = ?"
    if due_by is None:
        sql += " ORDER BY id"
    else:
        sql += " AND due <= ? ORDER BY due, id"
        params.append(to_micros(due_by))
    if limit is not None:
        sql += f" LIMIT {limit:d}"
    return [_paper(row) for row in connection.rows(sql, tuple(params))]


def put(
    connection: Connection, kind: str, paper_id: str, value: Mapping[str, Any], version: int, due: datetime | None
) -> Paper | None:
    here = get(connection, kind, paper_id)
    if (here.version if here else 0) != version:
        return None
    written = connection.run(
        """INSERT INTO drawer (kind, id, value, version, due) VALUES (?, ?, ?, ?, ?)
        ON CONFLICT (kind, id) DO UPDATE SET value = excluded.value, version = excluded.version, due = excluded.due
        WHERE drawer.version = ?""",
        (kind, paper_id, canonical(dict(value)), version + 1, None if due is None else to_micros(due), version),
    )
    if not written:  # somebody else came between
        return None
    return Paper(kind, paper_id, value, version + 1, due)


def remove(connection: Connection, kind: str, paper_id: str) -> bool:
    return connection.run("DELETE FROM drawer WHERE kind = ? AND id = ?", (kind, paper_id)) > 0


def _paper(row: SqlRow) -> Paper:
    kind, paper_id, value, version, due = row
    return Paper(kind, paper_id, json.loads(value), version, None if due is None else from_micros(due))


class SqlDrawer:
    """A drawer on any engine that gives transactions to read and to write in."""

    def __init__(self, reading: Transaction, writing: Transaction) -> None:
        self._reading = reading
        self._writing = writing

    def get(self, kind: str, paper_id: str) -> Paper | None:
        with self._reading() as connection:
            return get(connection, kind, paper_id)

    def listed(self, kind: str, due_by: datetime | None = None, limit: int | None = None) -> list[Paper]:
        with self._reading() as connection:
            return listed(connection, kind, due_by, limit)

    def put(
        self, kind: str, paper_id: str, value: Mapping[str, Any], *, version: int, due: datetime | None = None
    ) -> Paper | None:
        with self._writing() as connection:
            return put(connection, kind, paper_id, value, version, due)

    def remove(self, kind: str, paper_id: str) -> bool:
        with self._writing() as connection:
            return remove(connection, kind, paper_id)
