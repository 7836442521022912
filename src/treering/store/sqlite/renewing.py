"""How does a damaged file become whole again? All that follows from its journals is made anew in a file of its own, and
that takes the place of the damaged pages in one transaction of the engine: who has the file open just goes on.

What is in no journal (vectors, jobs, reviews, keys) is taken over as far as it can be read.
"""

from __future__ import annotations

import os
import shutil
import sqlite3
from collections.abc import Callable, Iterator
from pathlib import Path

from treering.errors import Conflict, Corrupted, Unavailable
from treering.model.journal import Entry, Head
from treering.model.time import from_micros
from treering.store.sql import tables as t
from treering.store.sql import vectors
from treering.store.sql.store import SqlStore
from treering.store.sqlite.connection import SqliteConnection

_TAKEN_OVER = ("embedding", "job", "spending", "upkeep", "found_cluster", "review", "drawer", "audit", "chore")


def replay(damaged: SqliteConnection, fresh: SqlStore[SqliteConnection]) -> dict[int, str]:
    """Every journal, whole; answers the spaces by their numbers in the damaged file. Corrupted if one cannot be read to
    its end: then nothing can be made of it that would not lose something."""
    rows = damaged.rows("SELECT id, name, head_seq, head_at, head_hash FROM space NOT INDEXED ORDER BY id")
    for number, name, seq, at, hash_ in rows:
        try:
            fresh.replay(_entries(damaged, number, name))
        except Conflict as error:
            raise Corrupted(f"{error}; restore a backup") from error
        if fresh.head(name) != Head(seq, from_micros(at), hash_):
            raise Corrupted(
                f"the journal of {name} ends with entry {fresh.head(name).seq}, not {seq}; restore a backup"
            )
    return {row[0]: row[1] for row in rows}


def _entries(damaged: SqliteConnection, number: int, name: str) -> Iterator[Entry]:
    """By the table alone: an index may be what is damaged."""
    sql = f"SELECT {t.JOURNAL.select()} FROM journal NOT INDEXED WHERE space_id = ? ORDER BY seq"
    return (t.read_entry(name, row) for row in damaged.stream(sql, (number,)))


def take_over(damaged: SqliteConnection, fresh: SqliteConnection, names: dict[int, str]) -> tuple[str, ...]:
    """What is in no journal; answers the tables of which not all could be read."""
    new = {name: number for number, name in fresh.rows("SELECT id, name FROM space")}
    numbers = {old: new[name] for old, name in names.items()}
    lost = tuple(table for table in _TAKEN_OVER if not _copied(damaged, fresh, table, numbers))
    for number in numbers.values():
        vectors.drop_orphans(fresh, number)
    return lost


def _copied(damaged: SqliteConnection, fresh: SqliteConnection, table: str, numbers: dict[int, int]) -> bool:
    """Whether all of it was; else what lies before the damage, and what lies behind it from the other end."""
    told = fresh.rows(f"PRAGMA table_info({table})")
    columns = [row[1] for row in told]
    key = [row[1] for row in sorted(told, key=lambda row: row[5]) if row[5]]
    insert = f"INSERT OR IGNORE INTO {table} ({', '.join(columns)}) VALUES ({', '.join('?' * len(columns))})"
    for direction in ("ASC", "DESC"):
        order = ", ".join(f"{column} {direction}" for column in key)
        sql = f"SELECT {', '.join(columns)} FROM {table} NOT INDEXED ORDER BY {order}"
        try:
            for row in damaged.stream(sql):
                values = dict(zip(columns, row, strict=True))
                if "space_id" in values:
                    values["space_id"] = numbers.get(values["space_id"])
                fresh.run(insert, tuple(values.values()))
            return direction == "ASC"
        except (sqlite3.DatabaseError, UnicodeDecodeError):
            continue
    return False


def set_aside(path: Path) -> Path:
    """A copy of the damaged file, and of its log, under a name that is free."""
    number = 1
    while os.path.lexists(aside := path.with_name(f"{path.name}.damaged-{number}")):
        number += 1
    for suffix in ("", "-wal"):
        own = path.with_name(path.name + suffix)
        if own.exists():
            to = aside.with_name(aside.name + suffix)
            os.close(os.open(to, os.O_CREAT | os.O_EXCL, 0o600))
            shutil.copyfile(own, to)
    return aside


def take_place(fresh: sqlite3.Connection, damaged: sqlite3.Connection, is_as_read: Callable[[], bool]) -> None:
    """The first page takes the write lock; from there on nobody else can have written to the damaged file, and if
    somebody has before, nothing is changed."""

    def look(_: int, left: int, pages: int) -> None:
        if left == pages - 1 and not is_as_read():
            raise Unavailable("somebody wrote to the damaged file while it was made anew; try again when all is quiet")

    fresh.backup(damaged, pages=1, progress=look)
