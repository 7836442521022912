"""Who uses which connection? As many as are needed at once, up to a bound; those at rest are used again.

A server that was restarted leaves dead connections behind. They are noticed when a transaction begins, before anything
depends on it, and replaced without anybody hearing of it.
"""

from __future__ import annotations

import os
import threading
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager, suppress

import psycopg

from treering.errors import Unavailable, Unsupported
from treering.store.postgres.connection import WAIT_SECONDS, Opening, PostgresConnection
from treering.store.sql.tables import SqlRow

CONNECTIONS = 10


class _Room:
    """So many at once; who waits longest is next. A semaphore lets those in first who happen to come by, and under load
    some would wait for seconds."""

    def __init__(self, places: int) -> None:
        self._lock = threading.Lock()
        self._free = places
        self._waiting: deque[threading.Event] = deque()

    def enter(self, timeout_seconds: float) -> bool:
        with self._lock:
            if self._free:
                self._free -= 1
                return True
            turn = threading.Event()
            self._waiting.append(turn)
        if turn.wait(timeout_seconds):
            return True
        with self._lock:
            if turn.is_set():  # just now
                return True
            self._waiting.remove(turn)
            return False

    def leave(self) -> None:
        with self._lock:
            if self._waiting:
                self._waiting.popleft().set()
            else:
                self._free += 1


class _Held:
    """What one thread uses. It is kept by who holds it too, for a generator may be ended by another thread."""

    __slots__ = ("connection", "count", "writes")

    def __init__(self) -> None:
        self.count = 0
        self.connection: PostgresConnection | None = None
        self.writes = False


class PostgresPool:
    """What one operation needs at once, such as a reader and a snapshot, counts as one: were it to wait for its second
    connection while it holds the first, all could come to wait for one another. If there is to be one connection only,
    the reads of an operation share it and see the same instant."""

    def __init__(self, url: str, factory: type[PostgresConnection], most: int = CONNECTIONS) -> None:
        self._url, self._factory, self._most = url, factory, most
        self._lock = threading.Lock()
        self._begin_anew()
        self._closed = False

    def _begin_anew(self) -> None:
        self._pid = os.getpid()
        self._idle: list[PostgresConnection] = []
        self._room = _Room(self._most)
        self._local = threading.local()

    @property
    def is_single(self) -> bool:
        return self._most == 1

    @contextmanager
    def transaction(self, opening: Opening) -> Iterator[tuple[PostgresConnection, SqlRow | None]]:
        """Ends in a commit, or in nothing; gives the row that the opening looks for too."""
        with self._place() as held:
            if held.connection is not None and self.is_single:
                if opening.writes and not held.writes:
                    raise Unsupported(
                        "connections: to write while something is being read takes a second connection; set "
                        "TREERING_CONNECTIONS to 2 or more"
                    )
                with held.connection.joined(opening) as found:
                    yield held.connection, found
                return
            connection, found = self._begun(opening)
            outermost = held.connection is None
            if outermost:
                held.connection, held.writes = connection, opening.writes
            try:
                yield connection, found
                connection.commit()
            except BaseException:
                connection.roll_back()
                raise
            finally:
                if outermost:
                    held.connection = None
                self._give_back(connection)

    def say(self, sql: str) -> None:
        """A statement on which nothing depends, in no transaction: if it fails nobody hears of it."""
        with suppress(psycopg.Error, Unavailable, Unsupported), self.at_rest(checked=False) as connection:
            connection.run(sql)

    @contextmanager
    def at_rest(self, checked: bool = True) -> Iterator[PostgresConnection]:
        """A connection in no transaction, for what cannot be done in one. Not `checked`: it may turn out to be dead."""
        with self._place() as held:
            if held.connection is not None and self.is_single:
                raise Unsupported("connections: this takes a second connection; set TREERING_CONNECTIONS to 2 or more")
            connection = self._ready() if checked else self._take() or self._factory(self._url)
            try:
                yield connection
            finally:
                self._give_back(connection)

    def _ready(self) -> PostgresConnection:
        """One that is known to answer."""
        connection, _ = self._begun(Opening("BEGIN"))
        try:
            connection.commit()
        except BaseException:
            connection.roll_back()
            self._give_back(connection)
            raise
        return connection

    @contextmanager
    def _place(self) -> Iterator[_Held]:
        """One of the places, or a share in the one that this thread has."""
        with self._lock:
            if self._pid != os.getpid():  # connections must not cross a fork: leave the parent's alone
                self._begin_anew()
        room, held = self._room, self._held()
        if held.count == 0 and not room.enter(WAIT_SECONDS):
            raise Unavailable(f"all {self._most} connections have been in use for {WAIT_SECONDS} s; try again")
        held.count += 1
        try:
            yield held
        finally:
            held.count -= 1
            if held.count == 0:
                room.leave()

    def _held(self) -> _Held:
        if not hasattr(self._local, "held"):
            self._local.held = _Held()
        held: _Held = self._local.held
        return held

    def _begun(self, opening: Opening) -> tuple[PostgresConnection, SqlRow | None]:
        while True:
            idle = self._take()
            connection = idle or self._factory(self._url)
            try:
                return connection, connection.begin(opening)
            except BaseException as error:
                lost = isinstance(error, psycopg.OperationalError) and connection.raw.closed
                connection.roll_back()
                self._give_back(connection)
                if idle is None or not lost:
                    raise

    def _take(self) -> PostgresConnection | None:
        with self._lock:
            if self._closed:
                raise Unavailable("this store is closed; open it again")
            return self._idle.pop() if self._idle else None

    def _give_back(self, connection: PostgresConnection) -> None:
        with self._lock:
            if connection.is_at_rest and not self._closed and len(self._idle) < self._most:
                self._idle.append(connection)
                return
        connection.close()

    def close(self) -> None:
        with self._lock:
            self._closed = True
            idle, self._idle = self._idle, []
        for connection in idle:
            connection.close()
