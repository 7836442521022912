"""What a test of vectors writes with and looks at: things told together with what an embedder made of them, in bytes
that say whose they are."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from typing import Any

from tests.conftest import HandClock
from tests.contract.writing import ANN

from treering.model.changes import Changes, EntityAdded, MemoryAdded, SourceAdded
from treering.model.embedding import Embedded
from treering.model.entity import Entity
from treering.model.ids import mint
from treering.model.memory import MemoryRecord
from treering.model.source import Source
from treering.store.contract import Plan, Store

SMALL, LARGE = "small@1", "large@2"
NOBODY = "00000000-0000-7000-8000-000000000000"


def read(thing_id: str, embedder: str = SMALL, mark: str = "") -> Embedded:
    """What an embedder made of a thing: bytes that say whose they are, and hold every kind of byte."""
    return Embedded(thing_id, embedder, f"{embedder} {thing_id}{mark}".encode() + bytes(range(256)))


def telling(clock: HandClock, *said: str, names: Iterable[str] = (), space: str = "lab") -> tuple[Plan, list[str]]:
    """A plan that brings in memories and entities with what an embedder made of them, and the ids in that order."""
    fresh = mint(clock.now)
    source_id, memory_ids, entity_ids = fresh(), [fresh() for _ in said], [fresh() for _ in names]
    text = " ".join(said) or "-"

    def memory(one: str, part: str, at: datetime) -> MemoryAdded:
        begin = text.index(part)
        return MemoryAdded(
            MemoryRecord(
                id=one, space=space, content=part, said_at=clock.now, recorded_at=at, source_id=source_id,
                span=(begin, begin + len(part)),
            )
        )  # fmt: skip

    def plan(reader: Any, at: datetime) -> Changes:
        source = Source(id=source_id, space=space, content=text, speaker="Ada", occurred_at=clock.now, recorded_at=at)
        memories = (memory(one, part, at) for one, part in zip(memory_ids, said, strict=True))
        entities = (
            EntityAdded(Entity(id=one, space=space, name=name, recorded_at=at))
            for one, name in zip(entity_ids, names, strict=True)
        )
        vectors = tuple(read(one) for one in (*memory_ids, *entity_ids))
        return Changes("remember", (SourceAdded(source), *memories, *entities), vectors)

    return plan, memory_ids + entity_ids


def tell(store: Store, clock: HandClock, *said: str, names: Iterable[str] = (), space: str = "lab") -> list[str]:
    plan, made = telling(clock, *said, names=names, space=space)
    assert store.write(space, ANN, clock.now, plan) is not None
    return made


def kept(store: Store, embedder: str = SMALL, space: str = "lab") -> list[str]:
    """The things that the embedder has read, in the order of their places; each with its own bytes."""
    rows = list(store.vectors(space, embedder))
    assert all(row.data.startswith(f"{embedder} {row.thing_id}".encode()) for row in rows)
    places = [row.place for row in rows]
    assert places == sorted(set(places))
    return [row.thing_id for row in rows]


def unread(store: Store, embedder: str = SMALL, space: str = "lab", limit: int = 100) -> list[str]:
    return [one.thing_id for one in store.unread(space, embedder, limit)]


def last_place(store: Store, embedder: str = SMALL, space: str = "lab") -> int:
    return max(row.place for row in store.vectors(space, embedder))
