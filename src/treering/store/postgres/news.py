"""How does a process hear at once that another has written? By NOTIFY and LISTEN, on a connection of its own; behind a
pooler, which cannot pass that on, by looking at the heads of the journals every second.

A notice says only which space it is about, by its number. It goes out after the commit, in no transaction of anybody's:
writers that notify in theirs would wait for one another at the end. One that is lost does no harm, for every question
looks for what is new anyway.
"""

from __future__ import annotations

import logging
import secrets
import threading
from collections.abc import Callable, Iterable
from contextlib import suppress

import psycopg

from treering.errors import TreeringError
from treering.store.contract import Store
from treering.store.postgres.connection import PostgresConnection
from treering.store.postgres.dialect import space_key

CHANNEL, JOBS = "treering_written", "treering_jobs"
BEGINS_SECONDS = 0.5
LOOKS_SECONDS = 1.0
_PAUSE_SECONDS = 0.2
_AGAIN_SECONDS = 5.0

Kept = Callable[[], Iterable[str]]
Tell = Callable[[str], None]

log = logging.getLogger(__name__)


class News:
    def __init__(self, store: Store, connect: Callable[[], PostgresConnection] | None) -> None:
        """`connect`: none where there is no connection to spare."""
        self._store, self._connect = store, connect
        self._own = secrets.token_hex(4)
        """By which notices of this process are told from others."""
        self._over = threading.Event()
        self._followers: list[tuple[Kept, Tell]] = []
        self._wakers: list[Callable[[], None]] = []
        self._thread: threading.Thread | None = None
        self.way = "none"
        """How news come: listening, looking, or not at all."""

    def told_of(self, space: str) -> str:
        """The statement that tells others of a write."""
        return f"SELECT pg_notify('{CHANNEL}', '{self._own} {space_key(space)}')"

    def told_of_work(self) -> str:
        """The statement that tells others of a job that waits."""
        return f"SELECT pg_notify('{JOBS}', '{self._own}')"

    def attend(self, wake: Callable[[], None]) -> None:
        """`wake` is called when another process has asked for work to be done."""
        self._wakers.append(wake)
        self._begin()

    def follow(self, kept: Kept, tell: Tell) -> None:
        self._followers.append((kept, tell))
        self._begin()

    def _begin(self) -> None:
        if self._thread is None:
            self._thread = threading.Thread(target=self._run, name="treering-news", daemon=True)
            self._thread.start()

    def close(self) -> None:
        self._over.set()
        if self._thread is not None and self._thread is not threading.current_thread():
            self._thread.join()

    def _run(self) -> None:
        """Begins after a while: a process that answers one question and ends needs no news."""
        self._over.wait(BEGINS_SECONDS)
        while not self._over.is_set():
            try:
                if not self._listen():
                    self.way = "looking"
                    self._look()
                    return
            except (psycopg.Error, TreeringError) as error:
                if not self._over.is_set():
                    log.info("news are not heard for now: %s", error)
                self._over.wait(_AGAIN_SECONDS)

    # by LISTEN

    def _listen(self) -> bool:
        """False if that cannot be done here."""
        if self._connect is None:
            return False
        connection = self._connect()
        try:
            if not connection.direct:
                return False
            connection.raw.execute(f"LISTEN {CHANNEL}; LISTEN {JOBS}".encode())
            self.way = "listening"
            self._told({one for kept, _ in self._followers for one in kept()})  # what was missed while nobody listened
            while not self._over.is_set():
                heard = {*connection.raw.notifies(timeout=_PAUSE_SECONDS, stop_after=1)}
                heard |= {*connection.raw.notifies(timeout=0)}
                self._hear(heard)
        finally:
            self.way = "none"
            connection.close()
        return True

    def _hear(self, notices: set[psycopg.Notify]) -> None:
        others = [(one.channel, one.payload.partition(" ")) for one in notices]
        if any(channel == JOBS and who != self._own for channel, (who, _, _) in others):
            for wake in self._wakers:
                wake()
        numbers = {number for channel, (who, _, number) in others if channel == CHANNEL and who != self._own}
        if numbers:
            known = {one for kept, _ in self._followers for one in kept()}
            self._told({one for one in known if str(space_key(one)) in numbers})

    # by looking

    def _look(self) -> None:
        seen: dict[str, str] = {}
        while not self._over.wait(LOOKS_SECONDS):
            with suppress(TreeringError):
                wanted = sorted({one for kept, _ in self._followers for one in kept()})
                heads = {one: self._store.head(one).hash for one in wanted}
                self._told({one for one in wanted if seen.get(one, heads[one]) != heads[one]})
                seen = heads

    def _told(self, spaces: set[str]) -> None:
        for kept, tell in self._followers:
            for space in spaces & {*kept()}:
                if self._over.is_set():
                    return
                try:
                    tell(space)
                except TreeringError as error:
                    log.info("%s could not be followed: %s", space, error)
