"""What may upkeep take hold of? The door as upkeep sees it: one space, read and written on behalf of its actor, and who
can say how alike its memories are."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from datetime import datetime
from typing import TYPE_CHECKING, TypeVar

from treering.graph import entities as entities_room
from treering.graph import links as links_room
from treering.ingest.reading import Reading, passage_of, read_passages
from treering.model.changes import Changes, MemoryAdded
from treering.model.embedding import Embedded
from treering.model.ids import mint
from treering.model.memory import MemoryRecord
from treering.model.source import Source
from treering.store.contract import Act, Progress, Reader, Scope
from treering.store.tending import Tending
from treering.upkeep import promote as promote_room
from treering.upkeep.cluster import ClusterItem, Likeness
from treering.upkeep.overlap import ByWords

if TYPE_CHECKING:
    from treering.door.ground import Ground

T = TypeVar("T")
Noted = Callable[[Sequence[str], str], dict[str, str]]


class DoorUpkeepSpace:
    """One space of a door, at one reading of the clock for each piece of work."""

    def __init__(self, door: Ground, space: str, noted: Noted | None = None) -> None:
        """`noted` writes notes of memories that were promoted, where there is a vault."""
        self._door = door
        self._noted = noted
        self.space = space
        self.actor = door._writer.actor
        self.progress: Progress = door._progress

    @property
    def now(self) -> datetime:
        return self._door._now()

    @property
    def tending(self) -> Tending:
        return self._door._store.tending

    def new_id(self) -> str:
        return mint(self.now)()

    def reading(self) -> AbstractContextManager[Reader]:
        return self._door._store.reader(self._scope)

    @property
    def _scope(self) -> Scope:
        return Scope(self.space, self.now, principal=self.actor)

    def write(self, planned: Callable[[Act], tuple[Changes, T]]) -> T:
        return self._door._write(self.space, planned)

    def tie(self, source: str, target: str, relation: str, strength: float, why: str) -> int | None:
        tie = links_room.LinkFields(strength, None, None, why)
        return self.write(lambda act: _numbered(act, links_room.link(act, source, target, relation, tie)[0]))

    def same(self, entity: str, into: str, why: str) -> int | None:
        return self.write(lambda act: _numbered(act, entities_room.merge(act.reader, entity, into, why)[0]))

    def promote(self, memory_ids: Sequence[str]) -> dict[str, str | None]:
        done = self.write(lambda act: promote_room.promote(act, memory_ids, False, "long"))
        notes = self._noted(list(done.promoted_ids), self.space) if self._noted and done.promoted_ids else {}
        return {one: notes.get(one) for one in done.promoted_ids}

    def note(self, memory_ids: Sequence[str]) -> None:
        if self._noted:
            self._noted(list(memory_ids), self.space)

    def likeness(self, found: Sequence[ClusterItem], by_meaning: bool = True) -> Likeness:
        """By the vectors of the space's embedder; by words where there are none."""
        alike = self._door._finder.alike(self._scope) if by_meaning else None
        return ByWords({leaf.id: leaf.content for leaf in found}) if alike is None else alike

    def read_ahead(self, content: str) -> Callable[[MemoryRecord, Source], tuple[Embedded, ...]]:
        """Lets the space's embedder read what is about to be written, before anything is locked."""
        reading = self._read(content)

        def vectors(memory: MemoryRecord, source: Source) -> tuple[Embedded, ...]:
            return reading.of([MemoryAdded(memory)], {source.id: source}, reading.own)

        return vectors

    def _read(self, content: str) -> Reading:
        with self.reading() as reader:
            own = reader.setting("embedder")
        embedder = self._door._minds.reads(own, self._door._store.embedders(self.space))
        at = self.now
        some = Source(id=self.new_id(), space=self.space, content=content, occurred_at=at, recorded_at=at)
        return read_passages(embedder, own, [passage_of(some, content, (0, len(content)))])


def _numbered(act: Act, changes: Changes) -> tuple[Changes, int | None]:
    """With the entry that they will be, if they are any."""
    return changes, act.reader.head.seq + 1 if len(changes) else None
