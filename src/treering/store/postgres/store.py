"""The contract on a PostgreSQL database: writers of one space wait for one another at its head, those of others do not.

Every transaction says as it begins which spaces it is about, and the server shows it no rows of others.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, closing, contextmanager
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import Any

from treering.model.embedding import Embedded
from treering.model.journal import Entry
from treering.model.space import SpaceInfo
from treering.store.contract import Plan, Progress, Reader, Replayed, Scope, Snapshot, Store, Writer, unseen
from treering.store.moving import copy_all, copy_promises
from treering.store.postgres import care, cluster, meaning, mirror, schema
from treering.store.postgres.background_builds import BackgroundBuilds
from treering.store.postgres.connection import (
    NO_SPACE,
    WAIT_SECONDS,
    Opening,
    PostgresConnection,
    Walls,
    must_be_an_address,
    shown,
    translated,
)
from treering.store.postgres.dialect import space_key
from treering.store.postgres.engines import Choosing, Engines
from treering.store.postgres.news import News
from treering.store.postgres.pool import CONNECTIONS, PostgresPool
from treering.store.postgres.queue import PostgresQueue
from treering.store.postgres.reader import PostgresReader
from treering.store.postgres.standby import Standbys
from treering.store.sql import chain
from treering.store.sql.queue import SqlQueue
from treering.store.sql.store import SqlStore
from treering.store.sqlite import SqliteStore
from treering.store.whole_file import written_whole

# Statements here find few rows in many small steps: compiling them takes longer than it saves.
_READ = "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY; SET LOCAL jit = off"
_WRITE = f"BEGIN ISOLATION LEVEL READ COMMITTED; SET LOCAL jit = off; SET LOCAL lock_timeout = '{WAIT_SECONDS}s'"
_HEAD = "SELECT id FROM space WHERE id = {} FOR NO KEY UPDATE"
_JOBS = 1
"""Who changes the jobs of a space locks this and the space's number."""


class _PostgresSnapshot(chain.SqlSnapshot):
    """Opens the walls for one space after the other, as it is asked about them."""

    def __init__(self, connection: PostgresConnection, where: str, already: Iterable[str] = ()) -> None:
        """`already`: to these they are open."""
        super().__init__(connection, lambda: translated(where))
        self._own = connection
        self._open = {*already}

    def spaces(self) -> list[SpaceInfo]:
        with self._own.open_to_all():
            return super().spaces()

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
        vectors: str = "local",
        graph: str = "sql",
    ) -> None:
        """`factory` is the class connections are made of: tests give one that fails when told to. `twin`: a schema of
        its own, which is made and goes when the store is closed. `bring_up`: an older database is made today's.
        `replicas`: standbys to read from. `vectors`, `graph`: what is to answer, as `engines` says."""
        super().__init__()
        must_be_an_address(url)
        self._url, self._where = url, shown(url)
        self._durability, self._factory, self._twin = durability, factory, twin
        within = f"; SET LOCAL search_path = {twin}" if twin else ""
        self._read = _READ + within
        self._write = _WRITE + within + ("" if durability == "full" else "; SET LOCAL synchronous_commit = off")
        self._pool = PostgresPool(url, factory, connections)
        self._standbys = Standbys(replicas, factory, connections)
        self._engines, self._errands = Engines(), BackgroundBuilds()
        self._news = News(self, None if connections == 1 else lambda: factory(url))
        self.jobs: SqlQueue = PostgresQueue(
            self._reading_beside,
            self._writing_beside,
            lambda: self._pool.say(self._news.told_of_work()),
            self._news.attend,
        )
        try:
            self._make_ready(bring_up)
            if not twin:
                choosing = Choosing(url, self._where, self._at_rest, self._writing_beside)
                self._engines = choosing.choose(vectors, graph, take_over_all=bring_up)
                self._tell_of_indexes()
                for space in self.spaces() if bring_up and self._mirrors else ():
                    self.bring_mirror_up(space.name)
        except BaseException:
            self._pool.close()
            raise

    def _make_ready(self, bring_up: bool) -> None:
        if self._twin:
            with self._transaction(self._to_write()) as (connection, _):
                connection.run(f"CREATE SCHEMA {self._twin}")
        with self._transaction(self._to_read()) as (connection, _):
            version = schema.check(connection, self._where)
        if version == 0 or bring_up:
            with self._transaction(self._to_write(Walls(every=True))) as (connection, _):
                schema.bring_up(connection, self._where)
        else:
            schema.must_be_today(version, self._where)

    # transactions

    @contextmanager
    def _transaction(self, opening: Opening) -> Iterator[tuple[PostgresConnection, Any]]:
        with translated(self._where), self._pool.transaction(opening) as begun:
            yield begun

    def _to_read(self, walls: Walls = NO_SPACE, find: str = "") -> Opening:
        return Opening(self._read, walls, find)

    def _to_write(self, walls: Walls = NO_SPACE, find: str = "") -> Opening:
        return Opening(self._write, walls, find, writes=True)

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
        find = f"SELECT head_seq, head_hash FROM space WHERE id = {space_key(space)}"
        opening = self._to_read(Walls((space,)), find)
        with self._transaction(opening) as (_, head):
            pass
        return self._standbys.begin(stack, opening, head) if head else None

    @contextmanager
    def _reading_beside(self, space: str | None = None) -> Iterator[PostgresConnection]:
        walls = Walls(every=True) if space is None else Walls((space,))
        with self._transaction(self._to_read(walls)) as (connection, _):
            yield connection

    def _open_to_children(self, connection: PostgresConnection, space: str) -> None:
        connection.open_below(space)
        names = connection.rows("SELECT name FROM space WHERE starts_with(name, ?)", (f"{space}/",))
        connection.open_to(space, *(row[0] for row in names))

    @contextmanager
    def _writing(self, space: str | None = None) -> Iterator[PostgresConnection]:
        if space is None:
            with self._transaction(self._to_write()) as (connection, _):
                yield connection
        else:
            head = _HEAD.format(space_key(space))
            with self._transaction(self._to_write(Walls((space,)), head)) as (connection, found):
                if found is None:
                    self._await_the_first(connection, space)
                yield connection

    def _await_the_first(self, connection: PostgresConnection, space: str) -> None:
        """A space that is not there has no head to lock: whoever makes it is waited for by its number."""
        connection.rows("SELECT pg_advisory_xact_lock(?)", (space_key(space),))
        connection.rows(_HEAD.format("?"), (space_key(space),))

    @contextmanager
    def _writing_beside(self, space: str | None = None) -> Iterator[PostgresConnection]:
        lock = "" if space is None else f"SELECT pg_advisory_xact_lock({_JOBS}, {space_key(space) % (1 << 31)})"
        with self._transaction(self._to_write(Walls(every=True), lock)) as (connection, _):
            yield connection

    def _take_hold(self, connection: PostgresConnection, space: str) -> None:
        connection.open_to(space)
        if not connection.rows(_HEAD.format("?"), (space_key(space),)):
            self._await_the_first(connection, space)

    @contextmanager
    def snapshot(self, of: Reader | None = None) -> Iterator[Snapshot]:
        """A reader's own transaction serves, and costs no way to the server; not where it may be on a standby, which
        may lack what is kept beside the journal."""
        if isinstance(of, PostgresReader) and not self._standbys:
            yield _PostgresSnapshot(of.connection, self._where, of.spaces)
            return
        with self._transaction(self._to_read()) as (connection, _):
            yield _PostgresSnapshot(connection, self._where)

    @contextmanager
    def _at_rest(self) -> Iterator[PostgresConnection]:
        with translated(self._where), self._pool.at_rest() as connection:
            yield connection

    # extensions

    @property
    def measures(self) -> bool:
        return self._engines.vectors == "pgvector"

    @property
    def _mirrors(self) -> bool:
        return self._engines.graph == "age"

    def _reader(self, connection: PostgresConnection, scope: Scope) -> PostgresReader:
        return PostgresReader(connection, scope, self._engines)

    @contextmanager
    def reader(self, scope: Scope) -> Iterator[Reader]:
        with super().reader(scope) as reader:
            yield reader
        if isinstance(reader, PostgresReader):
            for space in reader.behind:
                self._errands.ask_for(("mirror", space), partial(self.bring_mirror_up, space))
            for embedder, dims in reader.unindexed:
                self._errands.ask_for(("index", embedder), partial(self.index_meanings, embedder, dims))

    def _after(self, connection: PostgresConnection, entry: Entry) -> None:
        if self._mirrors:
            mirror.take(connection, space_key(entry.space), entry)

    # telling others

    def write(self, space: str, writer: Writer, now: datetime, plan: Plan) -> Entry | None:
        entry = super().write(space, writer, now, plan)
        if entry is not None:
            self._pool.say(self._news.told_of(space))
        return entry

    def replay(self, entries: Iterable[Entry]) -> list[Replayed]:
        done = super().replay(entries)
        for one in done:
            self._pool.say(self._news.told_of(one.space))
        return done

    def keep_vectors(self, space: str, vectors: Iterable[Embedded]) -> int:
        kept = super().keep_vectors(space, vectors)
        if kept:
            self._pool.say(self._news.told_of(space))
        return kept

    def follow(self, kept: Callable[[], Iterable[str]], tell: Callable[[str], None]) -> None:
        self._news.follow(kept, tell)

    # engines

    def bring_mirror_up(self, space: str) -> None:
        """To where the journal of the space is."""
        with self._writing(space) as connection:
            number, head = space_key(space), chain.head(connection, space)
            seq, _ = mirror.reached(connection, number)
            mirror.catch_up(connection, number, head, chain.entries(connection, space, seq, None))

    def _tell_of_indexes(self) -> None:
        if self.measures:
            with self._transaction(self._to_read()) as (connection, _):
                self._engines.indexed = meaning.indexed(connection)

    def _also_probed(self) -> tuple[tuple[str, str], ...]:
        return ((meaning.TABLE, "thing_id"),) if self.measures else ()

    def strayed(self, space: str) -> list[tuple[str, str]]:
        found: list[tuple[str, str]] = []
        with self._reading_beside(space) as connection:
            number = space_key(space)
            missing = meaning.missing(connection, number) if self.measures else 0
            if missing:
                found.append((meaning.TABLE, f"{missing} vectors are not with pgvector"))
            wrong = mirror.strayed(connection, number, chain.head(connection, space)) if self._mirrors else None
            if wrong:
                found.append((mirror.TABLE, wrong))
        return found

    def index_meanings(self, embedder: str, dims: int) -> None:
        """Makes the index by which vectors of an embedder are found without comparing all. Others go on meanwhile."""
        with self._at_rest() as connection:
            meaning.make_index(connection, embedder, dims)
        self._tell_of_indexes()

    # the database

    def rebuild(self, space: str) -> None:
        with self._writing(space) as connection:
            chain.rebuild(connection, space)
            number = space_key(space)
            if self.measures:
                meaning.clear(connection, number)
                place: meaning.Place | None = (number, 0)
                while place is not None:
                    place = meaning.take_over(connection, place, number)
            if self._mirrors:
                mirror.make_anew(connection, number)
                mirror.catch_up(connection, number, chain.head(connection, space), ())

    def empty_twin(self) -> Store:
        """In a schema of its own on the same server; where there is but one connection, which is in use, in memory."""
        if self._pool.is_single:
            return SqliteStore(":memory:")
        return PostgresStore(self._url, "normal", self._factory, twin=f"treering_twin_{secrets.token_hex(8)}")

    def faults(self) -> list[str]:
        with self._transaction(self._to_read()) as (connection, _):
            return care.faults(connection)

    def troubles(self) -> list[str]:
        """The server sees to its own files, and refuses writes itself."""
        return []

    def look_over(self) -> list[str]:
        return self.faults()

    def scrub(self) -> bool:
        if self._twin:
            return True
        with translated(self._where), self._pool.at_rest() as connection:
            return care.scrub(connection)

    def beside(self) -> Path | None:
        return None

    def backup(self, path: Path, progress: Progress = unseen) -> None:
        """A store in a file of its own, by replay: it opens anywhere, with no server."""
        with written_whole(path) as part, closing(SqliteStore(part, durability="off")) as copy:
            with self.snapshot() as held:
                copy_all(held, copy, progress)
            copy_promises(self, copy)

    def distribute(self) -> list[str]:
        """Spreads the tables over a Citus cluster; answers which."""
        with self._transaction(self._to_write()) as (connection, _):
            return cluster.distribute(connection, self._where)

    def describe(self) -> dict[str, Any]:
        with self._transaction(self._to_read()) as (connection, _):
            version, size = care.size(connection)
            return {
                "engine": f"PostgreSQL {version}",
                "url": self._where,
                "bytes": size,
                "schema": schema.version_of(connection),
                "durability": self._durability,
                "vectors": self._engines.vectors,
                "vectors_because": self._engines.because["vectors"],
                "graph": self._engines.graph,
                "graph_because": self._engines.because["graph"],
                "news": self._news.way,
                "standbys": len(self._standbys),
                "walls": "row-level security" if schema.is_walled(connection) else "none: this role passes them",
            }

    def close(self) -> None:
        self._news.close()
        self._errands.close()
        try:
            if self._twin:
                with self._transaction(self._to_write()) as (connection, _):
                    connection.run(f"DROP SCHEMA {self._twin} CASCADE")
                self._twin = ""
        finally:
            self._pool.close()
            self._standbys.close()
