"""The contract on one SQLite file: write-ahead log, immediate transactions, and bytes that go when purged."""

from __future__ import annotations

import os
import sqlite3
import tempfile
import threading
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path
from typing import Any

from treering.errors import Conflict, InvalidRequest, Unavailable
from treering.model.embedding import Embedded
from treering.model.journal import Entry, Head
from treering.model.space import SpaceInfo
from treering.store import beside
from treering.store.admission import admit, next_entry
from treering.store.contract import (
    Plan,
    Reader,
    Replayed,
    Row,
    Scope,
    Shades,
    Snapshot,
    Store,
    Text,
    Tie,
    Unread,
    VectorRow,
    Writer,
)
from treering.store.sql import chain, spending
from treering.store.sql import jobs as sql_jobs
from treering.store.sql import tending as sql_tending
from treering.store.sql import vectors as sql_vectors
from treering.store.sql.drawer import SqlDrawer
from treering.store.sql.reader import SqlReader
from treering.store.sqlite import schema
from treering.store.sqlite.connection import MEMORY, Pool, SqliteConnection, enter_wal, opener, translated
from treering.store.sqlite.jobs import SqliteQueue
from treering.store.sqlite.tending import SqliteTending

_OLDEST = (3, 37, 0)  # STRICT tables


class _SqliteSnapshot(chain.SqlSnapshot):
    """Its errors are ours already while it is read, so that whoever reads can tell them from their own."""

    def __init__(self, connection: SqliteConnection, where: object) -> None:
        super().__init__(connection)
        self._where = where

    def entries(self, space: str, after: int = 0, limit: int | None = None) -> Iterator[Entry]:
        with translated(self._where):
            yield from super().entries(space, after, limit)

    def rows(self, space: str) -> Iterator[Row]:
        with translated(self._where):
            yield from super().rows(space)

    def texts(self, space: str, after: int = 0) -> Iterator[Text]:
        with translated(self._where):
            yield from super().texts(space, after)

    def vectors(self, space: str, embedder: str, after: int = 0) -> Iterator[VectorRow]:
        with translated(self._where):
            yield from super().vectors(space, embedder, after)

    def ties(self, space: str) -> Iterator[Tie]:
        with translated(self._where):
            yield from super().ties(space)


class SqliteStore:
    def __init__(
        self,
        path: Path | str,
        durability: str = "full",
        factory: type[sqlite3.Connection] = sqlite3.Connection,
    ) -> None:
        """`factory` is the class connections are made of: tests give one that fails when told to."""
        if sqlite3.sqlite_version_info < _OLDEST:
            raise Unavailable(f"SQLite {sqlite3.sqlite_version} is too old; Treering needs 3.37 or newer")
        self._memory = str(path) == MEMORY
        self._path = path if self._memory else Path(path).absolute()
        self._durability = durability
        self._writing = threading.Lock()
        self._temporary: tempfile.TemporaryDirectory[str] | None = None
        self.jobs = SqliteQueue(self._reading, self._write_transaction)
        self.tending = SqliteTending(self._reading, self._write_transaction)
        self.drawer = SqlDrawer(self._reading, self._write_transaction)
        with translated(self._path):
            self._claim()
            self._pool = Pool(opener(self._path, durability, factory), shared=self._memory)
            try:
                self._bring_up()
            except BaseException:
                self._pool.close()  # a refused file is not kept open
                raise

    def _bring_up(self) -> None:
        with self._pool.borrow() as connection:
            schema.check(connection.raw, self._path)
            if not self._memory and os.access(self._path, os.W_OK):
                enter_wal(connection.raw)
                schema.bring_up(connection.raw)
            elif self._memory:
                schema.bring_up(connection.raw)
            else:
                schema.check_today(connection.raw, self._path)
            owed = bool(connection.rows("SELECT 1 FROM chore"))
        if owed:
            self.scrub()

    def _claim(self) -> None:
        """A new file belongs to its owner alone; SQLite gives the files beside it the same rights."""
        if isinstance(self._path, str):
            return
        if self._path.is_dir():
            raise InvalidRequest(
                f"{self._path}: is a folder; give the path of a file, such as {self._path / 'work.db'}"
            )
        try:
            self._path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
            os.close(os.open(self._path, os.O_CREAT | os.O_RDONLY, 0o600))
        except OSError as error:
            raise Unavailable(f"{self._path}: cannot be made ({error.strerror}); give another path") from error

    # reading

    @contextmanager
    def reader(self, scope: Scope) -> Iterator[Reader]:
        with self._reading() as connection:
            yield SqlReader(connection, scope)

    @contextmanager
    def _reading(self) -> Iterator[SqliteConnection]:
        with translated(self._path), self._pool.borrow() as connection, connection.transaction("BEGIN"):
            yield connection

    @contextmanager
    def snapshot(self) -> Iterator[Snapshot]:
        with self._reading() as connection:
            yield _SqliteSnapshot(connection, self._path)

    def spaces(self) -> list[SpaceInfo]:
        with self.snapshot() as snapshot:
            return snapshot.spaces()

    def head(self, space: str) -> Head:
        with self.snapshot() as snapshot:
            return snapshot.head(space)

    def entries(self, space: str, after: int = 0, limit: int | None = None) -> Iterator[Entry]:
        with self.snapshot() as snapshot:
            yield from snapshot.entries(space, after, limit)

    def rows(self, space: str) -> Iterator[Row]:
        with self.snapshot() as snapshot:
            yield from snapshot.rows(space)

    def texts(self, space: str, after: int = 0) -> Iterator[Text]:
        with self.snapshot() as snapshot:
            yield from snapshot.texts(space, after)

    def vectors(self, space: str, embedder: str, after: int = 0) -> Iterator[VectorRow]:
        with self.snapshot() as snapshot:
            yield from snapshot.vectors(space, embedder, after)

    def ties(self, space: str) -> Iterator[Tie]:
        with self.snapshot() as snapshot:
            yield from snapshot.ties(space)

    def shades(self, space: str) -> Shades:
        with self.snapshot() as snapshot:
            return snapshot.shades(space)

    def embedders(self, space: str) -> list[str]:
        with self.snapshot() as snapshot:
            return snapshot.embedders(space)

    def purges(self, space: str) -> int:
        with self.snapshot() as snapshot:
            return snapshot.purges(space)

    def unread(self, space: str, embedder: str, limit: int) -> list[Unread]:
        with self.snapshot() as snapshot:
            return snapshot.unread(space, embedder, limit)

    def left(self, space: str, embedder: str) -> int:
        with self.snapshot() as snapshot:
            return snapshot.left(space, embedder)

    # writing

    @contextmanager
    def _write_transaction(self) -> Iterator[SqliteConnection]:
        with (
            self._writing,
            translated(self._path),
            self._pool.borrow() as connection,
            connection.transaction("BEGIN IMMEDIATE"),
        ):
            yield connection

    def write(self, space: str, writer: Writer, now: datetime, plan: Plan) -> Entry | None:
        with self._write_transaction() as connection:
            reader = SqlReader(connection, Scope(space, now, principal=writer.actor))
            sealed = next_entry(reader, chain.head(connection, space), space, writer, now, plan)
            if sealed is None:
                return None
            entry, changes = sealed
            _let_go_beside(connection, entry)
            chain.append(connection, entry, enumerate(changes), changes.vectors)
            return entry

    def replay(self, entries: Iterable[Entry]) -> list[Replayed]:
        added: dict[str, int] = {}
        skipped: dict[str, int] = {}
        with self._write_transaction() as connection:
            for entry in entries:
                here = chain.entry_at(connection, entry.space, entry.seq)
                if here is not None:
                    admit(entry, here)
                    skipped[entry.space] = skipped.get(entry.space, 0) + 1
                    continue
                wrong = entry.follows(chain.head(connection, entry.space))
                if wrong:
                    raise Conflict(f"journal of {entry.space}: entry {entry.seq} cannot be taken over: {wrong}")
                _let_go_beside(connection, entry)
                chain.append(connection, entry, entry.numbered_changes)
                added[entry.space] = added.get(entry.space, 0) + 1
        names = dict.fromkeys([*added, *skipped])
        return [Replayed(name, added.get(name, 0), skipped.get(name, 0)) for name in names]

    def keep_vectors(self, space: str, vectors: Iterable[Embedded]) -> int:
        with self._write_transaction() as connection:
            return sql_vectors.keep_missing(connection, chain.space_id(connection, space), vectors)

    def drop_vectors(self, space: str, embedder: str) -> None:
        with self._write_transaction() as connection:
            sql_vectors.drop(connection, chain.space_id(connection, space), embedder)

    def spent(self, space: str, day: str | None = None) -> tuple[int, int]:
        with self._reading() as connection:
            return spending.spent(connection, space, day)

    def spend(self, space: str, day: str, read: int, written: int) -> None:
        with self._write_transaction() as connection:
            spending.spend(connection, space, day, read, written)

    def rebuild(self, space: str) -> None:
        self._start_anew(space)
        with self._write_transaction() as connection:
            chain.rebuild(connection, space)
        self._start_anew(space)  # what was made of the old rows meanwhile

    def _start_anew(self, space: str) -> None:
        folder = self.beside()
        if folder is None:
            return
        try:
            beside.start_anew(folder, space)
        except OSError as error:
            raise Unavailable(f"{folder}: cannot be cleared ({error.strerror}); remove it and try again") from error

    # the file

    def empty_twin(self) -> Store:
        folder = tempfile.TemporaryDirectory(prefix="treering-")
        twin = SqliteStore(Path(folder.name) / "twin.db", durability="off")
        twin._temporary = folder
        return twin

    def faults(self) -> list[str]:
        try:
            with self._pool.borrow() as connection:
                found = [row[0] for row in connection.rows("PRAGMA integrity_check(20)")]
                found += [f"foreign key: {row}" for row in connection.rows("PRAGMA foreign_key_check")]
        except sqlite3.DatabaseError as error:
            return [f"integrity check: {error}"]
        return [line for line in found if line != "ok"]

    def scrub(self) -> bool:
        """Rewrites the file without its removed rows and empties the write-ahead log."""
        swept = self._sweep()
        with self._writing, translated(self._path), self._pool.borrow() as connection:
            try:
                connection.run("VACUUM")
            except sqlite3.OperationalError as error:
                if getattr(error, "sqlite_errorname", "").startswith("SQLITE_BUSY"):
                    return False
                raise
            if not self._memory and not connection.empty_log():
                return False
            if swept:
                connection.run("DELETE FROM chore WHERE name = 'scrub'")
            return swept

    def _sweep(self) -> bool:
        """Removes what lies beside and may hold purged words."""
        folder = self.beside()
        if folder is None or not folder.is_dir():
            return True
        with self.snapshot() as held:
            seen = {beside.key_of(one.name): held.purges(one.name) for one in held.spaces()}
        return beside.sweep(folder, seen, and_strangers=True)

    def beside(self) -> Path | None:
        if isinstance(self._path, str) or not os.access(self._path, os.W_OK):
            return None
        # of the file itself, by whatever link it was opened, or a purge would miss what lies beside another name
        own = self._path.resolve()
        return own.with_name(f"{own.name}.index")

    def backup(self, path: Path) -> None:
        target = Path(path).absolute()
        if target.exists():
            raise Conflict(f"{target}: exists already; a backup never overwrites. Give another path")
        with translated(target), self._pool.borrow() as connection:
            try:
                os.close(os.open(target, os.O_CREAT | os.O_EXCL, 0o600))
            except OSError as error:
                raise InvalidRequest(f"path: {target} cannot be made ({error.strerror}); give another path") from error
            copy = sqlite3.connect(target)
            try:
                connection.raw.backup(copy, pages=1000)
                with copy:
                    sql_jobs.drop_ended(SqliteConnection(copy))
            except BaseException:
                copy.close()
                target.unlink()
                raise
            copy.close()

    def describe(self) -> dict[str, Any]:
        with self._reading() as connection:
            pages, size = (connection.rows(f"PRAGMA {name}")[0][0] for name in ("page_count", "page_size"))
            version = schema.version_of(connection.raw)
        return {
            "engine": f"SQLite {sqlite3.sqlite_version}",
            "url": str(self._path),
            "bytes": pages * size,
            "schema": version,
            "durability": self._durability,
        }

    def close(self) -> None:
        self._pool.close()
        if self._temporary is not None:
            self._temporary.cleanup()


def _let_go_beside(connection: SqliteConnection, entry: Entry) -> None:
    """What is purged goes from the queue, and from what is kept of upkeep, in the same transaction."""
    if entry.op == "purge":
        gone = [one for change in entry.changes() for one in change.about]
        sql_jobs.let_go(connection, entry.space, gone, entry.at)
        sql_tending.let_go(connection, entry.space, gone)
