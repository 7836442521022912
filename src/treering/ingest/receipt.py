"""What did the write do? The receipt a caller gets: the same for a dry run, which writes nothing."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from treering.model.entity import Entity
from treering.model.memory import Kind, MemoryRecord
from treering.model.value import Value


@dataclass(frozen=True, slots=True, repr=False)
class NamedEntity(Value):
    id: str
    name: str
    kind: str
    created: bool


@dataclass(frozen=True, slots=True, repr=False)
class Triple(Value):
    """A fact as subject, relation and object, by name."""

    subject: str
    relation: str
    object: str
    valid_from: datetime | None = None
    valid_until: datetime | None = None


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Remembered(Value):
    """One memory of a receipt, with what it mentions and states."""

    id: str
    content: str
    kind: Kind
    importance: float
    confidence: float
    event_time: datetime | None
    valid_from: datetime
    expires_at: datetime | None
    source_id: str
    entities: tuple[NamedEntity, ...] = ()
    triples: tuple[Triple, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Receipt(Value):
    """`repeated` says that the key was known and this is the first result again; nothing was written. `notes` tell what
    of a file had to be guessed or left out."""

    space: str
    seq: int
    at: datetime
    source_ids: tuple[str, ...]
    memories: tuple[Remembered, ...]
    entities: tuple[NamedEntity, ...] = ()
    edges_added: tuple[str, ...] = ()
    superseded: tuple[str, ...] = ()
    repeated: bool = False
    notes: tuple[str, ...] = ()
    dry_run: bool = False

    @property
    def id(self) -> str:
        """The first memory's id: the one, where one was added."""
        return self.memories[0].id


def remembered(
    memory: MemoryRecord, entities: tuple[NamedEntity, ...] = (), triples: tuple[Triple, ...] = ()
) -> Remembered:
    return Remembered(
        id=memory.id,
        content=memory.content,
        kind=memory.kind,
        importance=memory.importance,
        confidence=memory.confidence,
        event_time=memory.event_time,
        valid_from=memory.holds_from,
        expires_at=memory.expires_at,
        source_id=memory.source_id,
        entities=entities,
        triples=triples,
    )


def named(entity: Entity, created: bool) -> NamedEntity:
    return NamedEntity(entity.id, entity.name, entity.kind, created)
