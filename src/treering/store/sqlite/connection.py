"""How does Treering talk to an SQLite file? Connections with the right pragmas, a pool of them, and errors translated.

The translation of SQLite's errors into ours happens here and nowhere else.
"""

from __future__ import annotations

import os
import random
import sqlite3
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import quote

from treering.errors import Corrupted, Fault, TreeringError, Unavailable
from treering.store.sql.tables import Params, SqlDialect, SqlRow

BUSY_SECONDS = 10.0
EMPTYING_SECONDS = 1.0
MEMORY = ":memory:"
LARGE_CACHE_KIB, SMALL_CACHE_KIB, LARGE_CACHES = 32_000, 1_000, 2
"""What a connection may keep of the file. Who asks one thing at a time uses the first two and no others; those that are
opened when many ask at once would together keep the file many times over, and a server would grow as long as they fill:
with four times as much they took 20 MB more for 10,000 memories, and a question was answered no sooner."""

_Opener = Callable[[int], sqlite3.Connection]
"""Opens a connection with so many KiB of cache."""


class SqliteConnection:
    """A connection that the shared SQL can use. Transactions are begun and ended by hand."""

    dialect = SqlDialect()

    def __init__(self, raw: sqlite3.Connection, number: int = 0) -> None:
        self.raw = raw
        self.number = number
        """How many its pool had opened before it."""

    def run(self, sql: str, params: Params = ()) -> int:
        return self.raw.execute(sql, params).rowcount

    def run_many(self, sql: str, rows: list[SqlRow]) -> None:
        if len(rows) == 1:
            self.raw.execute(sql, rows[0])
        else:
            self.raw.executemany(sql, rows)

    def rows(self, sql: str, params: Params = ()) -> list[SqlRow]:
        return self.raw.execute(sql, params).fetchall()

    def stream(self, sql: str, params: Params = ()) -> Iterator[SqlRow]:
        return self.raw.execute(sql, params)

    @contextmanager
    def transaction(self, begin: str) -> Iterator[None]:
        """Within another on the same connection, which only `:memory:` can bring about, a part of that one."""
        nested = self.raw.in_transaction
        self._begin("SAVEPOINT nested" if nested else begin)
        try:
            yield
            self.raw.execute("RELEASE nested" if nested else "COMMIT")
        except BaseException:
            if nested:
                self.raw.execute("ROLLBACK TO nested")
                self.raw.execute("RELEASE nested")
            elif self.raw.in_transaction:
                self.raw.rollback()
            raise

    @contextmanager
    def instant(self) -> Iterator[None]:
        """What is read here is of one instant."""
        nested = self.raw.in_transaction
        if nested:
            yield
            return
        self.raw.execute("BEGIN")
        try:
            yield
        except BaseException:
            if self.raw.in_transaction:
                self.raw.rollback()
            raise
        self._leave()

    def _leave(self) -> None:
        """Ends a transaction that was begun to read. What was written within it, which only `:memory:` can bring about,
        stays. If a damaged page was met SQLite refuses to commit, though there is nothing to be written: what was found
        out about the damage is not to be lost for that."""
        try:
            self.raw.execute("COMMIT")
        except sqlite3.Error as error:
            self.raw.rollback()
            if not (getattr(error, "sqlite_errorname", None) or "").startswith("SQLITE_CORRUPT"):
                raise

    @contextmanager
    def synced_later(self) -> Iterator[None]:
        """Commits of what is done here reach the log, and the disk with a later one."""
        self.raw.execute("PRAGMA synchronous = NORMAL")
        try:
            yield
        finally:
            self.raw.execute("PRAGMA synchronous = FULL")

    def _begin(self, begin: str) -> None:
        """SQLite waits for a lock in steps of up to a tenth of a second, in which another process that writes without
        pause takes it again and again: who wants to write asks more often."""
        if begin != "BEGIN IMMEDIATE":
            self.raw.execute(begin)
            return
        give_up = time.monotonic() + BUSY_SECONDS
        self.raw.execute("PRAGMA busy_timeout = 0")
        try:
            while True:
                try:
                    self.raw.execute(begin)
                    return
                except sqlite3.OperationalError as error:
                    if error.sqlite_errorcode & 0xFF != sqlite3.SQLITE_BUSY or time.monotonic() > give_up:
                        raise
                time.sleep(random.uniform(0.0002, 0.002))
        finally:
            self.raw.execute(f"PRAGMA busy_timeout = {BUSY_SECONDS * 1000:.0f}")

    def empty_log(self) -> bool:
        """Empties the write-ahead log; False if a reader elsewhere goes on holding it. Were SQLite to wait for that
        reader itself, it would keep every writer out meanwhile."""
        give_up = time.monotonic() + EMPTYING_SECONDS
        self.raw.execute("PRAGMA busy_timeout = 0")
        try:
            while self.rows("PRAGMA wal_checkpoint(TRUNCATE)")[0][0]:
                if time.monotonic() > give_up:
                    return False
                time.sleep(0.005)
            return True
        finally:
            self.raw.execute(f"PRAGMA busy_timeout = {BUSY_SECONDS * 1000:.0f}")


@contextmanager
def translated(where: object) -> Iterator[None]:
    """SQLite's errors as ours, with the file's name and what to do."""
    try:
        yield
    except sqlite3.Error as error:
        raise _ours(error, where) from error
    except UnicodeDecodeError as error:  # how Python meets an error of SQLite's that quotes damaged text
        raise Corrupted(f"{where}: the file is damaged ({error}); restore a backup") from error


def _ours(error: sqlite3.Error, where: object) -> TreeringError:
    name = getattr(error, "sqlite_errorname", "") or ""
    text = str(error)
    if name.startswith(("SQLITE_BUSY", "SQLITE_LOCKED")):
        return Unavailable(
            f"{where}: another process has been writing for over {BUSY_SECONDS:g} s; nothing was written, try again"
        )
    if name.startswith("SQLITE_READONLY"):
        return Unavailable(f"{where}: the file or its folder is read-only ({text}); nothing was written")
    if name.startswith("SQLITE_FULL"):
        return Unavailable(f"{where}: the disk is full; nothing was written. Free some space and try again")
    if name.startswith("SQLITE_CANTOPEN"):
        return Unavailable(f"{where}: cannot be opened ({text}); check that its folder exists and can be written to")
    if name.startswith("SQLITE_NOTADB"):
        return Corrupted(f"{where}: is not an SQLite file; give another path, or move the file away")
    if name.startswith("SQLITE_CORRUPT"):
        return Corrupted(f"{where}: the file is damaged ({text}); `treering verify` says more, restore a backup")
    if name.startswith("SQLITE_IOERR"):
        return Unavailable(f"{where}: reading or writing failed ({name}); nothing was written")
    return Fault(f"{where}: {name or type(error).__name__}: {text}")


def is_writable(path: Path) -> bool:
    """A file that lies where nothing can be made beside it cannot be written to either: its log would be there."""
    return os.access(path, os.W_OK) and os.access(path.parent, os.W_OK)


def _address(path: Path | str) -> tuple[Path | str, bool]:
    """How the engine is to be told of it, and whether that is a URI. Where nothing can be written, the file is read as
    it lies: with its log if there is one, and else without looking for changes, since nobody can make any."""
    if isinstance(path, str) or is_writable(path):
        return path, False
    log = path.with_name(f"{path.name}-wal")
    how = "mode=ro" if log.exists() and log.stat().st_size else "immutable=1"
    return f"file:{quote(str(path))}?{how}", True


def opener(path: Path | str, durability: str, factory: type[sqlite3.Connection]) -> _Opener:
    """Makes connections to one file, each set up alike."""

    def open_one(cache_kib: int) -> sqlite3.Connection:
        where, named = _address(path)
        raw = sqlite3.connect(
            where, timeout=BUSY_SECONDS, isolation_level=None, check_same_thread=False, factory=factory, uri=named
        )
        try:
            for pragma in (
                "foreign_keys = ON",
                "secure_delete = ON",
                f"synchronous = {durability}",
                f"cache_size = -{cache_kib}",
            ):
                raw.execute(f"PRAGMA {pragma}")
            raw.execute("SELECT COUNT(*) FROM sqlite_master").fetchone()
        except BaseException:
            raw.close()
            raise
        return raw

    return open_one


def enter_wal(raw: sqlite3.Connection) -> None:
    """Write-ahead logging. The switch does not honour the busy time-out when several processes make it at once."""
    give_up = time.monotonic() + BUSY_SECONDS
    pause = 0.002
    while True:
        try:
            raw.execute("PRAGMA journal_mode = WAL")
            return
        except sqlite3.OperationalError as error:
            if not str(error).startswith("database is locked") or time.monotonic() > give_up:
                raise
        time.sleep(pause)
        pause = min(pause * 2, 0.1)


class SqlitePool:
    """Connections at rest. A file has as many as are used at once; `:memory:` has just one, used in turn."""

    def __init__(self, open_one: _Opener, shared: bool) -> None:
        self._open_one = open_one
        self._idle: list[SqliteConnection] = []
        self._opened = 0
        self._lock = threading.Lock()
        self._turn = threading.RLock() if shared else None
        self._lent: SqliteConnection | None = None
        self._pid = os.getpid()
        self._closed = False

    @contextmanager
    def borrow(self) -> Iterator[SqliteConnection]:
        if self._turn is None:
            yield from self._lend()
        else:
            with self._turn:
                if self._lent is not None:  # this thread has it already
                    yield self._lent
                else:
                    yield from self._lend()

    def _lend(self) -> Iterator[SqliteConnection]:
        connection = self._take()
        self._lent = connection if self._turn is not None else None
        healthy = False
        try:
            yield connection
            healthy = True
        except sqlite3.Error:
            healthy = self._turn is not None
            raise
        except BaseException:
            healthy = True
            raise
        finally:
            self._lent = None
            self._give_back(connection, healthy)

    def _take(self) -> SqliteConnection:
        with self._lock:
            if self._closed:
                raise Unavailable("this store is closed; open it again")
            if self._pid != os.getpid():
                # SQLite connections must not cross a fork: leave the parent's alone and start afresh.
                self._idle, self._pid = [], os.getpid()
            if self._idle:
                first = min(self._idle, key=lambda one: one.number)
                self._idle.remove(first)
                return first
            number, self._opened = self._opened, self._opened + 1
        return SqliteConnection(self._open_one(LARGE_CACHE_KIB if number < LARGE_CACHES else SMALL_CACHE_KIB), number)

    def _give_back(self, connection: SqliteConnection, healthy: bool) -> None:
        if connection.raw.in_transaction:
            connection.raw.rollback()
        with self._lock:
            if healthy and not self._closed:
                self._idle.append(connection)
                return
        connection.raw.close()

    def close(self) -> None:
        with self._lock:
            self._closed = True
            idle, self._idle = self._idle, []
        for connection in idle:
            connection.raw.close()
