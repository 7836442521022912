"""What does a store follow from? Its journals: whoever keeps these has a whole store.

`JournalStore` answers everything else of the contract by folding the journals anew for every question. What must be
written first for a new store are its abstract methods; each other one can be overridden when it has become too slow
(docs/concepts/write-a-store.md).
"""

from __future__ import annotations

import sys
import threading
from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from types import MappingProxyType
from typing import Any

from treering.errors import Conflict, Unsupported
from treering.model.changes import (
    EntityAdded,
    MemoryAdded,
    Purged,
    SourceAdded,
    SourceRestated,
)
from treering.model.embedding import Embedded
from treering.model.entity import Entity
from treering.model.journal import PURGING, Entry, Head
from treering.model.memory import MemoryRecord
from treering.model.source import Source
from treering.model.space import SpaceInfo
from treering.model.time import to_micros
from treering.store.admission import admit, next_entry
from treering.store.contract import (
    EdgeVisibility,
    IndexedEdge,
    Plan,
    Probed,
    Progress,
    Reader,
    Renewed,
    Replayed,
    Row,
    Scope,
    Snapshot,
    SpaceVersion,
    Store,
    Text,
    UnembeddedText,
    VectorRow,
    Writer,
    unseen,
)
from treering.store.reference import walking
from treering.store.reference.drawer import ReferenceDrawer
from treering.store.reference.queue import ReferenceQueue
from treering.store.reference.reader import ReferenceReader
from treering.store.reference.tending import ReferenceTending
from treering.store.reference.trail import ReferenceTrail


class JournalStore(ABC):
    """A store by its journals. Jobs, upkeep, small papers and what was spent are kept in memory until a store overrides
    `jobs`, `tending`, `drawer`, `trail`, `spent` and `spend`."""

    def __init__(self) -> None:
        self._spent: dict[tuple[str, str], tuple[int, int]] = {}
        self.jobs = ReferenceQueue()
        self.tending = ReferenceTending()
        self.drawer = ReferenceDrawer()
        self.trail = ReferenceTrail()

    # What must be written first.

    @abstractmethod
    def journal_names(self) -> list[str]:
        """The spaces that have an entry, in order of name."""

    @abstractmethod
    def journal(self, space: str) -> Sequence[Entry]:
        """All entries of a space, in order; none if nothing was written there. What is given does not change when
        another entry is put."""

    @abstractmethod
    def put_entry(self, entry: Entry) -> None:
        """At the end of its space's journal. Called within `writing` only, as the next two are."""

    @abstractmethod
    def put_cut(self, entry: Entry) -> None:
        """In place of the entry with its number: a purge has taken words from it, which must be gone from the files."""

    @abstractmethod
    def put_vectors(self, space: str, vectors: Sequence[Embedded]) -> None:
        """After those of all spaces that were put before."""

    @abstractmethod
    def drop_places(self, places: Collection[int]) -> None:
        """Lets go of the vectors at these places, counted from nought. The places stay, and are empty."""

    @abstractmethod
    def places(self) -> Sequence[tuple[str, Embedded | None]]:
        """Every vector with its space, in the order in which they were put; none where one was let go."""

    @abstractmethod
    def writing(self) -> AbstractContextManager[None]:
        """One thread and process at a time is within it, and sees what those before it have put. What is put within it
        is kept when it ends, durably and all of it; nothing is if it ends with an error."""

    @abstractmethod
    def empty_twin(self) -> Store: ...

    @abstractmethod
    def describe(self) -> dict[str, Any]: ...

    @abstractmethod
    def close(self) -> None: ...

    # What follows from it.

    @property
    def measures(self) -> bool:
        return False

    def follow(self, kept: Callable[[], Iterable[str]], tell: Callable[[str], None]) -> None:  # noqa: B027
        """No other process can write to it."""

    def strayed(self, space: str) -> list[tuple[str, str]]:
        return []

    @contextmanager
    def reader(self, scope: Scope) -> Iterator[Reader]:
        yield ReferenceReader(self._journals(), scope)

    @contextmanager
    def snapshot(self, of: Reader | None = None) -> Iterator[Snapshot]:
        yield InMemory(self._journals(), self.places())

    def write(self, space: str, writer: Writer, now: datetime, plan: Plan) -> Entry | None:
        with self.writing():
            reader = ReferenceReader(self._journals(), Scope(space, now, principal=writer.actor))
            sealed = next_entry(reader, self.head(space), space, writer, now, plan)
            if sealed is None:
                return None
            entry, changes = sealed
            self._append(entry)
            self.put_vectors(space, changes.vectors)
            return entry

    def _journals(self) -> dict[str, list[Entry]]:
        return {name: list(self.journal(name)) for name in self.journal_names()}

    def together(self) -> AbstractContextManager[None]:
        return nullcontext()

    def _append(self, entry: Entry) -> None:
        if entry.op in PURGING and entry.taken:
            self.jobs.let_go(entry.space, self._contents_of(entry), entry.at)
            self.tending.let_go(entry.space, entry.taken)
        self.put_entry(entry)
        for change in entry.changes():
            if isinstance(change, Purged):
                for cut in change.cuts:
                    self.put_cut(self.journal(entry.space)[cut.seq - 1].cut([cut.index]))
                self._let_go(entry.space, change.about)

    def _contents_of(self, purge: Entry) -> list[str]:
        """Of the sources that it takes, before they go."""
        gone = set(purge.taken)
        changes = (change for entry in self.journal(purge.space) for change in entry.changes())
        sources = [change.source for change in changes if isinstance(change, SourceAdded | SourceRestated)]
        return [one.content for one in sources if one.id in gone]

    def entries(self, space: str, after: int = 0, limit: int | None = None) -> Iterator[Entry]:
        return iter(self.journal(space)[after:][:limit])

    def head(self, space: str) -> Head:
        journal = self.journal(space)
        return journal[-1].head() if journal else Head()

    def spaces(self) -> list[SpaceInfo]:
        journals = [(name, self.journal(name)) for name in self.journal_names()]
        return [SpaceInfo(name, every[-1].seq, every[0].at, every[-1].at) for name, every in journals]

    def replay(self, entries: Iterable[Entry]) -> list[Replayed]:
        done: dict[str, Replayed] = {}
        with self.writing():
            for entry in entries:
                self._replay_one(entry, done)
        return list(done.values())

    def _replay_one(self, entry: Entry, done: dict[str, Replayed]) -> None:
        here = self.journal(entry.space)
        so_far = done.get(entry.space, Replayed(entry.space, 0, 0))
        if entry.seq <= len(here):
            admit(entry, here[entry.seq - 1])
            done[entry.space] = replace(so_far, skipped=so_far.skipped + 1)
            return
        wrong = entry.follows(self.head(entry.space))
        if wrong:
            raise Conflict(f"journal of {entry.space}: entry {entry.seq} cannot be taken over: {wrong}")
        self._append(entry)
        done[entry.space] = replace(so_far, added=so_far.added + 1)

    def rows(self, space: str) -> Iterator[Row]:
        for entry in self.journal(space):
            yield Row("journal", (entry.seq,), {"hash": entry.hash, "payload": entry.payload()})

    def texts(self, space: str, after: int = 0) -> Iterator[Text]:
        changes = [change for entry in self.journal(space) for change in entry.changes()]
        sources = {change.source.id: change.source for change in changes if isinstance(change, SourceAdded)}
        sources |= {change.source.id: change.source for change in changes if isinstance(change, SourceRestated)}
        memories = [change.memory for change in changes if isinstance(change, MemoryAdded)]
        for one in sorted(memories, key=lambda memory: (memory.recorded_at, memory.id)):
            if to_micros(one.recorded_at) > after:
                yield _text(one, sources[one.source_id])

    def vectors(self, space: str, embedder: str, after: int = 0) -> Iterator[VectorRow]:
        for place, (where, kept) in enumerate(self.places(), 1):
            if place > after and where == space and kept is not None and kept.embedder == embedder:
                yield VectorRow(place, kept.thing_id, kept.data)

    read_things = vectors

    def ties(self, space: str) -> Iterator[IndexedEdge]:
        return walking.ties(self.journal(space))

    def edge_visibility(self, space: str) -> EdgeVisibility:
        return walking.edge_visibility(self.journal(space))

    def version(self, space: str) -> SpaceVersion:
        last = {one: max(row.place for row in self.vectors(space, one)) for one in self.embedders(space)}
        return SpaceVersion(self.head(space).seq, self.purges(space), last)

    def embedders(self, space: str) -> list[str]:
        names = (kept.embedder for where, kept in self.places() if where == space and kept is not None)
        return list(dict.fromkeys(names))

    def purges(self, space: str) -> int:
        changes = (change for entry in self.journal(space) for change in entry.changes())
        return sum(len(change.gone) for change in changes if isinstance(change, Purged))

    def unread(self, space: str, embedder: str, limit: int) -> list[UnembeddedText]:
        read = {row.thing_id for row in self.vectors(space, embedder)}
        found = [UnembeddedText(text.id, text.speaker, text.read) for text in self.texts(space)]
        found += [UnembeddedText(entity.id, None, entity.name) for entity in self._entities(space)]
        return [one for one in found if one.thing_id not in read][:limit]

    def left(self, space: str, embedder: str) -> int:
        return len(self.unread(space, embedder, sys.maxsize))

    def _entities(self, space: str) -> list[Entity]:
        changes = (change for entry in self.journal(space) for change in entry.changes())
        entities = (change.entity for change in changes if isinstance(change, EntityAdded))
        return sorted(entities, key=lambda entity: (entity.recorded_at, entity.id))

    def keep_vectors(self, space: str, vectors: Iterable[Embedded]) -> int:
        with self.writing():
            there = {text.id for text in self.texts(space)} | {entity.id for entity in self._entities(space)}
            before = len(self.places())
            for one in vectors:
                read = {row.thing_id for row in self.vectors(space, one.embedder)}
                if one.thing_id in there - read:
                    self.put_vectors(space, [one])
            return len(self.places()) - before

    def drop_vectors(self, space: str, embedder: str) -> None:
        with self.writing():
            self._let_go(space, (row.thing_id for row in self.vectors(space, embedder)), embedder)

    def _let_go(self, space: str, things: Iterable[str], embedder: str | None = None) -> None:
        """The place of what goes stays empty."""
        gone = set(things)
        self.drop_places(
            {
                place
                for place, (where, kept) in enumerate(self.places())
                if where == space and kept is not None and kept.thing_id in gone and embedder in (None, kept.embedder)
            }
        )

    def spent(self, space: str, day: str | None = None) -> tuple[int, int]:
        rows = [row for (of, on), row in self._spent.items() if of == space and day in (None, on)]
        return sum(row[0] for row in rows), sum(row[1] for row in rows)

    def spend(self, space: str, day: str, read: int, written: int) -> None:
        with self.writing():
            before = self._spent.get((space, day), (0, 0))
            self._spent[space, day] = before[0] + read, before[1] + written

    def rebuild(self, space: str) -> None:  # noqa: B027
        """There is nothing but the journal."""

    def faults(self) -> list[str]:
        return []

    def troubles(self) -> list[str]:
        return []

    def look_over(self) -> list[str]:
        return self.faults()

    def renew(self) -> Renewed | None:
        return None

    def scrub(self) -> bool:
        return True

    def probe(self, space: str, ids: Collection[str], since: int) -> Probed:
        gone = frozenset(ids)
        found = {"journal"} if any(one.belongs_to(gone) for one in self.entries(space, since - 1)) else set()
        if any(where == space and kept is not None and kept.thing_id in gone for where, kept in self.places()):
            found.add("vectors")
        return Probed(("journal", "vectors"), tuple(sorted(found)))

    def beside(self) -> Path | None:
        return None

    def backup(self, path: Path, progress: Progress = unseen) -> None:
        raise Unsupported(f"backup: this store cannot be copied to {path}; export its journals instead")


class InMemory(JournalStore):
    """Journals and vectors as lists, gone with the process."""

    def __init__(
        self,
        journals: Mapping[str, Sequence[Entry]] = MappingProxyType({}),
        vectors: Sequence[tuple[str, Embedded | None]] = (),
    ) -> None:
        super().__init__()
        self._entries = {name: list(entries) for name, entries in journals.items()}
        self._vectors = list(vectors)
        self._lock = threading.RLock()

    def journal_names(self) -> list[str]:
        with self._lock:
            return sorted(self._entries)

    def journal(self, space: str) -> Sequence[Entry]:
        with self._lock:
            return tuple(self._entries.get(space, ()))

    def put_entry(self, entry: Entry) -> None:
        self._entries.setdefault(entry.space, []).append(entry)

    def put_cut(self, entry: Entry) -> None:
        self._entries[entry.space][entry.seq - 1] = entry

    def put_vectors(self, space: str, vectors: Sequence[Embedded]) -> None:
        self._vectors += [(space, one) for one in vectors]

    def drop_places(self, places: Collection[int]) -> None:
        for place in places:
            self._vectors[place] = (self._vectors[place][0], None)

    def places(self) -> Sequence[tuple[str, Embedded | None]]:
        with self._lock:
            return tuple(self._vectors)

    @contextmanager
    def writing(self) -> Iterator[None]:
        with self._lock:
            before = {name: list(entries) for name, entries in self._entries.items()}, list(self._vectors)
            try:
                yield
            except BaseException:
                self._entries, self._vectors = before
                raise

    def empty_twin(self) -> Store:
        return type(self)()

    def describe(self) -> dict[str, Any]:
        return {"engine": "memory", "url": "memory"}

    def close(self) -> None:
        """There is nothing to close."""


def _text(memory: MemoryRecord, source: Source) -> Text:
    return Text(
        id=memory.id,
        content=memory.content,
        title=memory.title,
        tags=memory.tags,
        kind=memory.kind.value,
        importance=memory.importance,
        confidence=memory.confidence,
        event_time=None if memory.event_time is None else to_micros(memory.event_time),
        event_end=None if memory.event_end is None else to_micros(memory.event_end),
        said_at=to_micros(memory.said_at),
        recorded_at=to_micros(memory.recorded_at),
        valid_from=to_micros(memory.holds_from),
        expires_at=(1 << 63) - 1 if memory.expires_at is None else to_micros(memory.expires_at),
        speaker=source.speaker,
        session=source.session,
        said=None if (said := source.content[slice(*memory.span)]) == memory.content else said,
    )
