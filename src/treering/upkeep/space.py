"""What does upkeep take hold of? One space, read and written on behalf of somebody, and who can say how alike its
memories are. The door gives it; nothing here knows what lies behind."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from datetime import datetime
from typing import Protocol, TypeVar

from treering.model.changes import Changes
from treering.model.embedding import Embedded
from treering.model.memory import MemoryRecord
from treering.model.source import Source
from treering.store.contract import Act, Progress, Reader
from treering.store.tending import Tending
from treering.upkeep.cluster import ClusterItem, Likeness

T = TypeVar("T")


class UpkeepSpace(Protocol):
    space: str
    actor: str
    progress: Progress

    @property
    def now(self) -> datetime: ...

    @property
    def tending(self) -> Tending: ...

    def new_id(self) -> str: ...

    def reading(self) -> AbstractContextManager[Reader]: ...

    def write(self, planned: Callable[[Act], tuple[Changes, T]]) -> T:
        """One entry of the journal, planned under the lock."""

    def tie(self, source: str, target: str, relation: str, strength: float, why: str) -> int | None:
        """Links two memories in one write; answers its entry, none if they were linked so already."""

    def same(self, entity: str, into: str, why: str) -> int | None:
        """Joins two entities in one write; answers its entry, none if they were one already."""

    def promote(self, memory_ids: Sequence[str]) -> dict[str, str | None]:
        """Promotes those that meet the criteria, in one write; answers them, each with where its note is, if it has
        one."""

    def note(self, memory_ids: Sequence[str]) -> None:
        """Writes notes of memories that were promoted, where there is a vault."""

    def likeness(self, found: Sequence[ClusterItem], by_meaning: bool = True) -> Likeness: ...

    def read_ahead(self, content: str) -> Callable[[MemoryRecord, Source], tuple[Embedded, ...]]:
        """Lets the space's embedder read what is about to be written, before anything is locked."""
