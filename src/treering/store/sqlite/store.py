"""The contract on one SQLite file: write-ahead log, immediate transactions, and bytes that go when purged."""

from __future__ import annotations

import os
import shutil
import sqlite3
import tempfile
import threading
from collections.abc import Iterator
from contextlib import closing, contextmanager, nullcontext
from functools import cached_property
from pathlib import Path
from typing import Any

from treering.errors import Corrupted, InvalidRequest, Unavailable
from treering.model.journal import PURGING, Entry
from treering.store import beside
from treering.store.contract import Progress, Reader, Renewed, Snapshot, Store, unseen
from treering.store.sql import chain
from treering.store.sql import jobs as sql_jobs
from treering.store.sql.reader import SqlReader
from treering.store.sql.store import SqlStore
from treering.store.sqlite import renewing, schema
from treering.store.sqlite.connection import (
    MEMORY,
    SqliteConnection,
    SqlitePool,
    enter_wal,
    is_writable,
    opener,
    translated,
)
from treering.store.whole_file import written_whole

LEAST_FREE_BYTES = 16 * 1024 * 1024
"""With less than this left on its disk a store is not ready."""
_OLDEST = (3, 37, 0)  # STRICT tables


class _Batch(threading.local):
    begun = False
    """Whether this thread's writes wait for the disk together."""
    owes = False
    """Whether there are any."""


class SqliteStore(SqlStore[SqliteConnection]):
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
        self._alone = threading.Lock()
        self._batch = _Batch()
        self._temporary: tempfile.TemporaryDirectory[str] | None = None
        self._damage: str | None = None
        """What is wrong with the file, once it was met."""
        super().__init__()
        with translated(self._path):
            self._claim()
            self._pool = SqlitePool(opener(self._path, durability, factory), shared=self._memory)
            try:
                self._bring_up()
            except BaseException:
                self._pool.close()  # a refused file is not kept open
                raise

    def _bring_up(self) -> None:
        with self._pool.borrow() as connection:
            schema.check(connection.raw, self._path)
            if not self._memory and self._is_writable:
                enter_wal(connection.raw)
                schema.bring_up(connection.raw)
            elif self._memory:
                schema.bring_up(connection.raw)
            else:
                schema.check_today(connection.raw, self._path)
            owed = bool(connection.rows("SELECT 1 FROM chore"))
        if owed and self._is_writable:
            self.scrub()

    def _claim(self) -> None:
        """A new file belongs to its owner alone; SQLite gives the files beside it the same rights."""
        if isinstance(self._path, str):
            return
        if self._path.is_dir():
            raise InvalidRequest(
                f"{self._path}: is a folder; give the path of a file, such as {self._path / 'work.db'}"
            )
        if self._path.exists():
            return
        try:
            self._path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
            os.close(os.open(self._path, os.O_CREAT | os.O_RDONLY, 0o600))
        except OSError as error:
            raise Unavailable(f"{self._path}: cannot be made ({error.strerror}); give another path") from error

    # transactions

    @contextmanager
    def _reading(self, space: str | None = None, children: bool = False) -> Iterator[SqliteConnection]:
        with self._noticing(), translated(self._path), self._pool.borrow() as connection, connection.instant():
            yield connection

    @contextmanager
    def _noticing(self) -> Iterator[None]:
        """Who meets damage keeps it in mind, so that nothing more is written to a file that cannot be trusted."""
        try:
            yield
        except Corrupted as error:
            if isinstance(error.__cause__, sqlite3.DatabaseError | UnicodeDecodeError):
                self._damage = self._damage or self._refusing(str(error.__cause__))
            raise

    @contextmanager
    def _writing(self, space: str | None = None) -> Iterator[SqliteConnection]:
        if self._damage is not None:
            raise Corrupted(self._damage)
        with (
            self._alone,
            self._noticing(),
            translated(self._path),
            self._pool.borrow() as connection,
            connection.synced_later() if self._batch.begun else nullcontext(),
            connection.transaction("BEGIN IMMEDIATE"),
        ):
            yield connection
            self._batch.owes = self._batch.begun

    @contextmanager
    def together(self) -> Iterator[None]:
        """A commit waits for the disk, several times longer than it takes otherwise: here one does, after the others.
        What it writes is of no matter, only that with it the whole log is on disk."""
        if self._memory or self._durability != "full" or self._batch.begun:
            yield
            return
        self._batch.begun = True
        try:
            yield
        finally:
            self._batch.begun = False
            if self._batch.owes:
                with self._writing() as connection:
                    connection.run("UPDATE space SET head_seq = head_seq WHERE id = (SELECT MIN(id) FROM space)")

    _writing_beside = _writing

    @contextmanager
    def snapshot(self, of: Reader | None = None) -> Iterator[Snapshot]:
        if isinstance(of, SqlReader):  # its own transaction serves
            yield chain.SqlSnapshot(of.transaction, lambda: translated(self._path))
            return
        with self._reading() as connection:
            yield chain.SqlSnapshot(connection, lambda: translated(self._path))

    def _before(self, connection: SqliteConnection, entry: Entry) -> None:
        super()._before(connection, entry)
        if entry.op in PURGING and entry.taken:
            connection.run("INSERT INTO chore (name) SELECT ? WHERE NOT EXISTS (SELECT 1 FROM chore)", ("scrub",))

    # repairing

    def rebuild(self, space: str) -> None:
        self._damage = None  # whether it is mended is found out by trying
        self._start_anew(space)
        with self._writing(space) as connection:
            chain.clear_orphans(connection)
            chain.rebuild(connection, space)
        self._start_anew(space)  # what was made of the old rows meanwhile

    def renew(self) -> Renewed | None:
        if isinstance(self._path, str):
            return None
        with self._alone, translated(self._path), self._pool.borrow() as damaged, self._making_anew() as fresh:
            version = damaged.rows("PRAGMA data_version")
            with damaged.instant():
                names = renewing.replay(damaged, fresh)
                with fresh._writing() as connection:
                    lost = renewing.take_over(damaged, connection, names)
            aside = renewing.set_aside(self._path)
            with fresh._pool.borrow() as whole, self._pool.borrow() as target:
                renewing.take_place(whole.raw, target.raw, lambda: damaged.rows("PRAGMA data_version") == version)
                target.empty_log()
        self._damage = None
        for name in names.values():
            self._start_anew(name)
        return Renewed(aside, lost)

    @contextmanager
    def _making_anew(self) -> Iterator[SqliteStore]:
        """An empty store beside this one, where there is room for as much."""
        own = Path(self._path)
        with (
            tempfile.TemporaryDirectory(prefix=f"{own.name}.", dir=own.parent) as folder,
            closing(SqliteStore(Path(folder) / "new.db", durability="off")) as fresh,
        ):
            yield fresh

    def _start_anew(self, space: str) -> None:
        folder = self.beside()
        if folder is None:
            return
        try:
            beside.start_anew(folder, space)
        except OSError as error:
            raise Unavailable(f"{folder}: cannot be cleared ({error.strerror}); remove it and try again") from error

    # the file

    @cached_property
    def _beside(self) -> Path:
        """Of the file itself, by whatever link it was opened, or a purge would miss what lies beside another name."""
        own = Path(self._path).resolve()
        return own.with_name(f"{own.name}.index")

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
            found = [f"integrity check: {error}"]
        wrong = [line for line in found if line != "ok"]
        self._damage = self._refusing(wrong[0]) if wrong else None
        return wrong

    def troubles(self) -> list[str]:
        found = [self._damage] if self._damage is not None else []
        if isinstance(self._path, str):
            return found
        try:
            free = shutil.disk_usage(self._path.parent).free
        except OSError as error:
            return [*found, f"{self._path}: its folder cannot be looked at ({error.strerror})"]
        if free < LEAST_FREE_BYTES:
            found.append(f"{self._path}: the disk is full ({free // 1024:,} KiB are left); free some space")
        if not self._is_writable:
            found.append(f"{self._path}: the file or its folder is read-only")
        return found

    def look_over(self) -> list[str]:
        return self.faults()

    def _refusing(self, why: str) -> str:
        return (
            f"{self._path}: the file is damaged ({why}); nothing is written to it any more. `treering verify` says "
            "more, `treering doctor --repair` mends what can be mended, or restore a backup"
        )

    def scrub(self) -> bool:
        """Rewrites the file without its removed rows and empties the write-ahead log."""
        swept = self._sweep()
        with self._alone, translated(self._path), self._pool.borrow() as connection:
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
        if isinstance(self._path, str) or not self._is_writable:
            return None
        return self._beside

    @property
    def _is_writable(self) -> bool:
        return self._memory or is_writable(Path(self._path))

    def backup(self, path: Path, progress: Progress = unseen) -> None:
        """In one step: the copy is of one instant, writers go on beside it, and none of them makes it begin again."""
        with (
            written_whole(path) as part,
            translated(path),
            self._pool.borrow() as connection,
            closing(sqlite3.connect(part)) as copy,
        ):
            connection.raw.backup(copy, progress=lambda _, left, of: progress(of - left, of))
            with copy:
                sql_jobs.drop_ended(SqliteConnection(copy))

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
