"""What is the same for every store that keeps its knowledge in tables? Reading, writing and replaying.

Each engine begins and ends transactions in its own way; what happens in them is told here.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Iterable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from datetime import datetime
from typing import Any, Generic, TypeVar

from treering.errors import Conflict
from treering.model.embedding import Embedded
from treering.model.journal import PURGING, Entry, Head
from treering.model.space import SpaceInfo
from treering.store.admission import admit, next_entry
from treering.store.contract import (
    EdgeVisibility,
    IndexedEdge,
    Plan,
    Probed,
    Reader,
    Renewed,
    Replayed,
    Row,
    Scope,
    Snapshot,
    SpaceVersion,
    Text,
    UnembeddedText,
    VectorRow,
    Writer,
)
from treering.store.sql import chain, probing, spending
from treering.store.sql import jobs as sql_jobs
from treering.store.sql import tending as sql_tending
from treering.store.sql import vectors as sql_vectors
from treering.store.sql.drawer import SqlDrawer
from treering.store.sql.queue import SqlQueue
from treering.store.sql.reader import SqlReader
from treering.store.sql.tables import Connection
from treering.store.sql.tending import SqlTending
from treering.store.sql.trail import SqlTrail

C = TypeVar("C", bound=Connection)


class SqlStore(ABC, Generic[C]):
    def __init__(self) -> None:
        self.jobs = SqlQueue(self._reading_beside, self._writing_beside)
        self.tending = SqlTending(self._reading_beside, self._writing_beside)
        self.drawer = SqlDrawer(self._reading_beside, self._writing_beside)
        self.trail = SqlTrail(self._reading_beside, self._writing_beside)

    # what an engine gives

    @abstractmethod
    def _reading(self, space: str | None = None, children: bool = False) -> AbstractContextManager[C]:
        """One instant of this space, of it and its children, or of all."""

    def _reading_beside(self, space: str | None = None) -> AbstractContextManager[C]:
        """For what is not in the journal, so that how far that has come says nothing of it."""
        return self._reading(space)

    @abstractmethod
    def _writing(self, space: str | None = None) -> AbstractContextManager[C]:
        """Nobody else writes to this space until it ends."""

    @abstractmethod
    def _writing_beside(self, space: str | None = None) -> AbstractContextManager[C]:
        """For what is not in the journal: nobody who writes to the space waits for it."""

    def _take_hold(self, connection: C, space: str) -> None:
        """In a write to several spaces: from here on nobody else writes to this one."""

    @abstractmethod
    def snapshot(self, of: Reader | None = None) -> AbstractContextManager[Snapshot]: ...

    def _before(self, connection: C, entry: Entry) -> None:
        """What is purged goes from the queue, and from what is kept of upkeep, in the same transaction."""
        if entry.op in PURGING and entry.taken:
            sql_jobs.let_go(connection, entry.space, entry.taken, entry.at)
            sql_tending.let_go(connection, entry.space, entry.taken)

    def _after(self, connection: C, entry: Entry) -> None:
        """What an engine does once an entry's changes are in the tables, in the same transaction."""

    def hand_over_promises(self, target: SqlStore[Any]) -> tuple[int, int]:
        """Work that waits, what is to be decided or was, and what was spent, to another store; what is there already
        stays. Answers how many jobs and review items."""
        with self._reading() as connection:
            waiting, spent = sql_jobs.kept(connection), spending.rows(connection)
            reviews = sql_tending.kept(connection)
        with target._writing_beside() as connection:
            spending.take_in(connection, spent)
            return sql_jobs.take_in(connection, waiting), sql_tending.take_in(connection, reviews)

    def probe(self, space: str, ids: Collection[str], since: int) -> Probed:
        with self._reading_beside(space) as connection:
            return probing.probe(connection, space, ids, since, self._also_probed())

    def renew(self) -> Renewed | None:
        """A server looks after its own files."""
        return None

    def _also_probed(self) -> tuple[probing.Column, ...]:
        """Tables that only this engine has, with the column that names a thing."""
        return ()

    @property
    def measures(self) -> bool:
        return False

    def follow(self, kept: Callable[[], Iterable[str]], tell: Callable[[str], None]) -> None:
        """A file does not say that another process has written to it."""

    def strayed(self, space: str) -> list[tuple[str, str]]:
        return []

    # reading

    @contextmanager
    def reader(self, scope: Scope) -> Iterator[Reader]:
        with self._reading(scope.space, scope.children) as connection:
            yield self._reader(connection, scope)

    def _reader(self, connection: C, scope: Scope) -> SqlReader:
        """What answers on this engine."""
        return SqlReader(connection, scope)

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

    def read_things(self, space: str, embedder: str, after: int = 0) -> Iterator[VectorRow]:
        with self.snapshot() as snapshot:
            yield from snapshot.read_things(space, embedder, after)

    def ties(self, space: str) -> Iterator[IndexedEdge]:
        with self.snapshot() as snapshot:
            yield from snapshot.ties(space)

    def edge_visibility(self, space: str) -> EdgeVisibility:
        with self.snapshot() as snapshot:
            return snapshot.edge_visibility(space)

    def version(self, space: str) -> SpaceVersion:
        with self.snapshot() as snapshot:
            return snapshot.version(space)

    def embedders(self, space: str) -> list[str]:
        with self.snapshot() as snapshot:
            return snapshot.embedders(space)

    def purges(self, space: str) -> int:
        with self.snapshot() as snapshot:
            return snapshot.purges(space)

    def unread(self, space: str, embedder: str, limit: int) -> list[UnembeddedText]:
        with self.snapshot() as snapshot:
            return snapshot.unread(space, embedder, limit)

    def left(self, space: str, embedder: str) -> int:
        with self.snapshot() as snapshot:
            return snapshot.left(space, embedder)

    # writing

    def write(self, space: str, writer: Writer, now: datetime, plan: Plan) -> Entry | None:
        with self._writing(space) as connection:
            reader = SqlReader(connection, Scope(space, now, principal=writer.actor))
            sealed = next_entry(reader, reader.heads.get(space, Head()), space, writer, now, plan)
            if sealed is None:
                return None
            entry, changes = sealed
            self._before(connection, entry)
            chain.append(connection, entry, enumerate(changes), changes.vectors)
            self._after(connection, entry)
            return entry

    def together(self) -> AbstractContextManager[None]:
        """Each write is on disk by itself, unless an engine knows better."""
        return nullcontext()

    def replay(self, entries: Iterable[Entry]) -> list[Replayed]:
        added: dict[str, int] = {}
        skipped: dict[str, int] = {}
        with self._writing() as connection:
            for entry in entries:
                if entry.space not in added and entry.space not in skipped:
                    self._take_hold(connection, entry.space)
                here = chain.entry_at(connection, entry.space, entry.seq)
                if here is not None:
                    admit(entry, here)
                    skipped[entry.space] = skipped.get(entry.space, 0) + 1
                    continue
                wrong = entry.follows(chain.head(connection, entry.space))
                if wrong:
                    raise Conflict(f"journal of {entry.space}: entry {entry.seq} cannot be taken over: {wrong}")
                self._before(connection, entry)
                chain.append(connection, entry, entry.numbered_changes)
                self._after(connection, entry)
                added[entry.space] = added.get(entry.space, 0) + 1
        names = dict.fromkeys([*added, *skipped])
        return [Replayed(name, added.get(name, 0), skipped.get(name, 0)) for name in names]

    def keep_vectors(self, space: str, vectors: Iterable[Embedded]) -> int:
        with self._writing(space) as connection:
            return sql_vectors.keep_missing(connection, chain.space_id(connection, space), vectors)

    def drop_vectors(self, space: str, embedder: str) -> None:
        with self._writing(space) as connection:
            sql_vectors.drop(connection, chain.space_id(connection, space), embedder)

    def spent(self, space: str, day: str | None = None) -> tuple[int, int]:
        with self._reading_beside(space) as connection:
            return spending.spent(connection, space, day)

    def spend(self, space: str, day: str, read: int, written: int) -> None:
        with self._writing_beside(space) as connection:
            spending.spend(connection, space, day, read, written)
