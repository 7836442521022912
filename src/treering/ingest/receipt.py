"""What did the write do? The receipt a caller gets: the same for a dry run, which writes nothing."""

from __future__ import annotations

from dataclasses import dataclass, field, fields, replace
from datetime import datetime

from treering.model.entity import Entity
from treering.model.job import Stage
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
class EdgeTold(Value):
    """An edge that was added or closed, by the names of its ends, with the rule that did it and the memory that is the
    evidence."""

    id: str
    source: str
    relation: str
    target: str
    valid_from: datetime
    valid_until: datetime | None
    rule: str
    evidence: str | None
    why: str | None = None


@dataclass(frozen=True, slots=True, repr=False)
class SaidAgain(Value):
    """A memory that was known already: the source is further evidence for it."""

    memory_id: str
    source_id: str
    score: float


@dataclass(frozen=True, slots=True, repr=False)
class Clash(Value):
    """Two memories that cannot both be so, with nothing to say which came later."""

    memory_id: str
    other_id: str
    why: str


@dataclass(frozen=True, slots=True, repr=False)
class MaybeSame(Value):
    """Two entities that may be one, kept apart until somebody says so."""

    entity_id: str
    other_id: str
    score: float
    why: str


@dataclass(frozen=True, slots=True, repr=False)
class Skipped(Value):
    """A stretch of a source that made no memory, and why."""

    source_id: str
    span: tuple[int, int]
    why: str


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
    entries: tuple[int, ...] = ()
    """The journal entries in which memories came in, one a source: `undo` takes them back."""
    edges: tuple[EdgeTold, ...] = ()
    closed: tuple[EdgeTold, ...] = ()
    duplicates: tuple[SaidAgain, ...] = ()
    conflicts: tuple[Clash, ...] = ()
    possible_same: tuple[MaybeSame, ...] = ()
    skipped: tuple[Skipped, ...] = ()
    stage: Stage = Stage.INDEXED
    extractor: str | None = None
    trouble: str | None = None
    """Why it was not read by the extractor that was asked for."""
    milliseconds: dict[str, float] = field(default_factory=dict)
    repeated: bool = False
    notes: tuple[str, ...] = ()
    dry_run: bool = False

    @property
    def id(self) -> str:
        """The first memory's id: the one, where one was added. Where none was, that of the first source."""
        return self.memories[0].id if self.memories else self.source_ids[0]

    def in_brief(self) -> Receipt:
        """For whoever is elsewhere: of much that was told, what came of it, and not all of it again."""
        words = sum(len(one.content) for one in self.memories)
        lists = {one.name: getattr(self, one.name) for one in fields(self) if one.name in _MAY_BE_LONG}
        if words <= BRIEF_CHARS and all(len(one) <= BRIEF_THINGS for one in lists.values()):
            return self
        note = (
            f"{len(self.memories):,} memories; of each list at most {BRIEF_THINGS} are told here, and of each memory "
            f"at most {BRIEF_CONTENT_CHARS} letters: `list` and `get` tell all"
        )
        cut = {name: many[:BRIEF_THINGS] for name, many in lists.items()}
        cut["memories"] = tuple(replace(one, content=_begins(one.content)) for one in cut["memories"])
        return replace(self, **cut, notes=(*self.notes, note))


BRIEF_CHARS, BRIEF_THINGS, BRIEF_CONTENT_CHARS = 20_000, 100, 200
"""A receipt with more words or things than this is told in brief."""
_MAY_BE_LONG = frozenset(
    {"source_ids", "memories", "entities", "edges_added", "superseded", "edges", "closed", "duplicates", "conflicts",
     "possible_same", "skipped"}
)  # fmt: skip


def _begins(text: str) -> str:
    return text if len(text) <= BRIEF_CONTENT_CHARS else text[: BRIEF_CONTENT_CHARS - 1] + "…"


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
