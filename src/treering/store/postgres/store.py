"""The contract on a PostgreSQL database: writers of one space wait for one another at its head, those of others do not.

Every transaction says as it begins which spaces it is about, and the server shows it no rows of others.
"""

from __future__ import annotations

import secrets
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path
from typing import Any

from treering.errors import Conflict
from treering.model.space import SpaceInfo
from treering.store.contract import Snapshot, Store
from treering.store.moving import copy_all, copy_jobs
from treering.store.postgres import care, cluster, schema
from treering.store.postgres.connection import (
    WAIT_SECONDS,
    PostgresConnection,
    about,
    must_be_an_address,
    shown,
    translated,
)
from treering.store.postgres.dialect import space_key
from treering.store.postgres.pool import CONNECTIONS, Pool
from treering.store.postgres.standby import Standbys
from treering.store.sql import chain
from treering.store.sql.store import SqlStore
from treering.store.sqlite import SqliteStore

# Statements here find few rows in many small steps: compiling them takes longer than it saves.
_READ = "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY; SET LOCAL jit = off"
_WRITE = f"BEGIN ISOLATION LEVEL READ COMMITTED; SET LOCAL jit = off; SET LOCAL lock_timeout = '{WAIT_SECONDS}s'"
_EVERY_SPACE = "SET LOCAL treering.every = 'on'"
_HEAD = "SELECT id FROM space WHERE id = {} FOR NO KEY UPDATE"
_JOBS = 1
"""Who changes the jobs of a space locks this and the space's number."""


class _PostgresSnapshot(chain.SqlSnapshot):
    """Opens the walls for one space after the other, as it is asked about them."""

    def __init__(self, connection: PostgresConnection, where: str) -> None:
        super().__init__(connection, lambda: translated(where))
        self._own = connection
        self._open: set[str] = set()

    def spaces(self) -> list[SpaceInfo]:
        self._own.run(_EVERY_SPACE)
        found = super().spaces()
        self._own.run("SET LOCAL treering.every = ''")
        return found

    def _on(self, space: str) -> PostgresConnection:
        if space not in self._open:
            self._open.add(space)
            self._own.open_to(space)
        return self._own


class PostgresStore(SqlStore[PostgresConnection]):
    def __init__(
        self,
        url: str,
        durability: str = "full",
        factory: type[PostgresConnection] = PostgresConnection,
        twin: str = "",
        bring_up: bool = False,
        replicas: tuple[str, ...] = (),
        connections: int = CONNECTIONS,
    ) -> None:
        """`factory` is the class connections are made of: tests give one that fails when told to. `twin`: a schema of
        its own, which is made and goes when the store is closed. `bring_up`: an older database is made today's.
        `replicas`: standbys to read from."""
        super().__init__()
        must_be_an_address(url)
        self._url, self._where = url, shown(url)
        self._durability, self._factory, self._twin = durability, factory, twin
        within = f"; SET LOCAL search_path = {twin}" if twin else ""
        self._read = _READ + within
        self._write = _WRITE + within + ("" if durability == "full" else "; SET LOCAL synchronous_commit = off")
        self._pool = Pool(url, factory, connections)
        self._standbys = Standbys(replicas, factory, connections)
        try:
            self._make_ready(bring_up)
        except BaseException:
            self._pool.close()
            raise

    def _make_ready(self, bring_up: bool) -> None:
        if self._twin:
            with self._transaction(self._write) as (connection, _):
                connection.run(f"CREATE SCHEMA {self._twin}")
        with self._transaction(self._read) as (connection, _):
            version = schema.check(connection, self._where)
        if version == 0 or bring_up:
            with self._transaction(self._write) as (connection, _):
                schema.bring_up(connection, self._where)
        else:
            schema.must_be_today(version, self._where)

    # transactions

    @contextmanager
    def _transaction(self, begin: str) -> Iterator[tuple[PostgresConnection, Any]]:
        with translated(self._where), self._pool.transaction(begin) as begun:
            yield begun

    @contextmanager
    def _reading(self, space: str | None = None, children: bool = False) -> Iterator[PostgresConnection]:
        with ExitStack() as stack:
            connection = None
            if self._standbys and space is not None and not children:
                stack.enter_context(translated(self._where))
                connection = self._on_a_standby(stack, space)
            if connection is None:
                connection = stack.enter_context(self._reading_beside(space))
            if space is not None and children:
                self._open_to_children(connection, space)
            yield connection

    def _on_a_standby(self, stack: ExitStack, space: str) -> PostgresConnection | None:
        begin = f"{self._read}; {about(space)}; SELECT head_seq, head_hash FROM space WHERE id = {space_key(space)}"
        with self._transaction(begin) as (_, head):
            pass
        return self._standbys.begin(stack, begin, head) if head else None

    @contextmanager
    def _reading_beside(self, space: str | None = None) -> Iterator[PostgresConnection]:
        whom = _EVERY_SPACE if space is None else about(space)
        with self._transaction(f"{self._read}; {whom}") as (connection, _):
            yield connection

    def _open_to_children(self, connection: PostgresConnection, space: str) -> None:
        connection.rows("SELECT set_config('treering.below', ?, true)", (f"{space}/",))
        names = connection.rows("SELECT name FROM space WHERE starts_with(name, ?)", (f"{space}/",))
        connection.open_to(space, *(row[0] for row in names))

    @contextmanager
    def _writing(self, space: str | None = None) -> Iterator[PostgresConnection]:
        if space is None:
            with self._transaction(self._write) as (connection, _):
                yield connection
        else:
            head = _HEAD.format(space_key(space))
            with self._transaction(f"{self._write}; {about(space)}; {head}") as (connection, found):
                if found is None:
                    self._await_the_first(connection, space)
                yield connection

    def _await_the_first(self, connection: PostgresConnection, space: str) -> None:
        """A space that is not there has no head to lock: whoever makes it is waited for by its number."""
        connection.rows("SELECT pg_advisory_xact_lock(?)", (space_key(space),))
        connection.rows(_HEAD.format("?"), (space_key(space),))

    @contextmanager
    def _writing_beside(self, space: str | None = None) -> Iterator[PostgresConnection]:
        begin = f"{self._write}; {_EVERY_SPACE}"
        if space is not None:
            begin += f"; SELECT pg_advisory_xact_lock({_JOBS}, {space_key(space) % (1 << 31)})"
        with self._transaction(begin) as (connection, _):
            yield connection

    def _take_hold(self, connection: PostgresConnection, space: str) -> None:
        connection.open_to(space)
        if not connection.rows(_HEAD.format("?"), (space_key(space),)):
            self._await_the_first(connection, space)

    @contextmanager
    def snapshot(self) -> Iterator[Snapshot]:
        with self._transaction(self._read) as (connection, _):
            yield _PostgresSnapshot(connection, self._where)

    # the database

    def rebuild(self, space: str) -> None:
        with self._writing(space) as connection:
            chain.rebuild(connection, space)

    def empty_twin(self) -> Store:
        """In a schema of its own on the same server."""
        return PostgresStore(self._url, "normal", self._factory, twin=f"treering_twin_{secrets.token_hex(8)}")

    def faults(self) -> list[str]:
        with self._transaction(self._read) as (connection, _):
            return care.faults(connection)

    def scrub(self) -> bool:
        if self._twin:
            return True
        with translated(self._where), closing(self._factory(self._url)) as connection:
            return care.scrub(connection)

    def beside(self) -> Path | None:
        return None

    def backup(self, path: Path) -> None:
        """A store in a file of its own, by replay: it opens anywhere, with no server."""
        target = Path(path).absolute()
        if target.exists():
            raise Conflict(f"{target}: exists already; a backup never overwrites. Give another path")
        copy = SqliteStore(target, durability="off")
        try:
            with self.snapshot() as held:
                copy_all(held, copy)
            copy_jobs(self, copy)
        except BaseException:
            copy.close()
            target.unlink()
            raise
        copy.close()

    def distribute(self) -> list[str]:
        """Spreads the tables over a Citus cluster; answers which."""
        with self._transaction(self._write) as (connection, _):
            return cluster.distribute(connection, self._where)

    def describe(self) -> dict[str, Any]:
        with self._transaction(self._read) as (connection, _):
            version, size = care.size(connection)
            return {
                "engine": f"PostgreSQL {version}",
                "url": self._where,
                "bytes": size,
                "schema": schema.version_of(connection),
                "durability": self._durability,
                "vectors": "local",
                "graph": "sql",
                "standbys": len(self._standbys),
                "walls": "row-level security" if schema.is_walled(connection) else "none: this role passes them",
            }

    def close(self) -> None:
        try:
            if self._twin:
                with self._transaction(self._write) as (connection, _):
                    connection.run(f"DROP SCHEMA {self._twin} CASCADE")
                self._twin = ""
        finally:
            self._pool.close()
            self._standbys.close()
