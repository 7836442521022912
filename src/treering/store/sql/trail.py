"""How does an audit trail lie in a table? A record's number is its key: of two who would add the same one, one does,
and the other reads what is there by now and tries again."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import Any

from treering.model.codec import canonical
from treering.model.meta import Meta
from treering.model.time import from_micros, to_micros
from treering.store.sql.drawer import Transaction
from treering.store.sql.tables import Connection, SqlRow
from treering.store.trail import AuditRecord, Noted, TrailFilter, TrailHead, sealed

_COLUMNS = "seq, at, kind, operation, space, caller, key, request, outcome, detail, prev_hash, hash"
_INSERT = f"INSERT INTO audit ({_COLUMNS}) VALUES ({', '.join('?' * 12)}) ON CONFLICT (seq) DO NOTHING"
_AT_ONCE = 1_000
_EQUAL = ("caller", "key", "request", "operation", "outcome")


class _Overtaken(Exception):
    """Somebody else has added a record meanwhile."""


def head(connection: Connection) -> TrailHead:
    rows = connection.rows("SELECT seq, hash FROM audit ORDER BY seq DESC LIMIT 1")
    return TrailHead(*rows[0]) if rows else TrailHead()


def append(connection: Connection, noted: Sequence[Noted]) -> TrailHead:
    last = head(connection)
    for one in noted:
        record = sealed(last, one)
        if not connection.run(_INSERT, _row(record)):
            raise _Overtaken
        last = TrailHead(record.seq, record.hash)
    return last


def found(connection: Connection, asked: TrailFilter) -> list[AuditRecord]:
    where, params = _conditions(asked)
    order = "DESC" if asked.newest_first else "ASC"
    limit = "" if asked.limit is None else f" LIMIT {asked.limit:d}"
    sql = f"SELECT {_COLUMNS} FROM audit WHERE {' AND '.join(where)} ORDER BY seq {order}{limit}"
    return [_record(row) for row in connection.rows(sql, tuple(params))]


def _conditions(asked: TrailFilter) -> tuple[list[str], list[Any]]:
    where, params = ["1 = 1"], list[Any]()

    def narrow(condition: str, *values: Any) -> None:
        where.append(condition)
        params.extend(values)

    if asked.after:
        narrow("seq < ?" if asked.newest_first else "seq > ?", asked.after)
    if asked.kinds:
        narrow(f"kind IN ({', '.join('?' * len(asked.kinds))})", *asked.kinds)
    if asked.space is not None and asked.children:
        below = f"{asked.space}/"
        narrow("(space = ? OR SUBSTR(space, 1, ?) = ?)", asked.space, len(below), below)
    elif asked.space is not None:
        narrow("space = ?", asked.space)
    for name in _EQUAL:
        if (value := getattr(asked, name)) is not None:
            narrow(f"{name} = ?", value)
    if asked.since is not None:
        narrow("at >= ?", to_micros(asked.since))
    if asked.until is not None:
        narrow("at < ?", to_micros(asked.until))
    return where, params


def _row(record: AuditRecord) -> tuple[Any, ...]:
    return (
        record.seq, to_micros(record.at), record.kind, record.operation, record.space, record.caller, record.key,
        record.request, record.outcome, canonical(dict(record.detail)), record.prev_hash, record.hash,
    )  # fmt: skip


def _record(row: SqlRow) -> AuditRecord:
    seq, at, kind, operation, space, caller, key, request, outcome, detail, prev_hash, hash_ = row
    return AuditRecord(
        seq=seq,
        at=from_micros(at),
        kind=kind,
        operation=operation,
        space=space,
        caller=caller,
        key=key,
        request=request,
        outcome=outcome,
        detail=Meta(json.loads(detail)),
        prev_hash=prev_hash,
        hash=hash_,
    )


class SqlTrail:
    """A trail on any engine that gives transactions to read and to write in."""

    def __init__(self, reading: Transaction, writing: Transaction) -> None:
        self._reading = reading
        self._writing = writing

    def append(self, noted: Sequence[Noted]) -> TrailHead:
        while True:
            try:
                with self._writing() as connection:
                    return append(connection, noted)
            except _Overtaken:
                continue

    def found(self, asked: TrailFilter) -> list[AuditRecord]:
        with self._reading() as connection:
            return found(connection, asked)

    def all(self) -> Iterator[AuditRecord]:
        reached = 0
        while some := self.found(TrailFilter(after=reached, limit=_AT_ONCE)):
            yield from some
            reached = some[-1].seq

    def head(self) -> TrailHead:
        with self._reading() as connection:
            return head(connection)
