"""What can happen to knowledge? The closed set of changes, as pure data: the only thing a store is ever told to do.

Every change is about some ids (`about`, for histories) and belongs to some (`owners`: when one of them is purged, the
change leaves the journal too). Planning them is the journeys' work, applying them the store's.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from datetime import UTC, datetime
from enum import StrEnum
from typing import Any, ClassVar

from treering.errors import Corrupted, InvalidRequest
from treering.model import limits
from treering.model.codec import canonical, decode, encode
from treering.model.edge import Edge
from treering.model.embedding import Embedded
from treering.model.entity import Entity
from treering.model.memory import Mark, MemoryRecord, Use
from treering.model.setting import checked_setting
from treering.model.source import Source
from treering.model.time import must_be_utc
from treering.values import dataclass


class Thing(StrEnum):
    """What an id can stand for."""

    SOURCE = "source"
    MEMORY = "memory"
    ENTITY = "entity"
    EDGE = "edge"


@dataclass(frozen=True, slots=True)
class SourceAdded:
    source: Source

    @property
    def owners(self) -> tuple[str, ...]:
        return (self.source.id,)

    about = owners


@dataclass(frozen=True, slots=True)
class SourceTold:
    """How a source is to be read, as far as its words do not say: kept with it, so that whoever reads it later does as
    was asked. `drafts` are the statements that the caller had drawn from it."""

    source_id: str
    tags: tuple[str, ...] = ()
    observed_by: str | None = None
    extractor: str | None = None
    drafts: tuple[Any, ...] = ()

    @property
    def owners(self) -> tuple[str, ...]:
        return (self.source_id,)

    about = owners


@dataclass(frozen=True, slots=True)
class MemoryAdded:
    memory: MemoryRecord

    @property
    def owners(self) -> tuple[str, ...]:
        return (self.memory.id,)

    @property
    def about(self) -> tuple[str, ...]:
        return (self.memory.id, self.memory.source_id)


@dataclass(frozen=True, slots=True)
class EntityAdded:
    entity: Entity

    @property
    def owners(self) -> tuple[str, ...]:
        return (self.entity.id,)

    about = owners


@dataclass(frozen=True, slots=True)
class AliasesAdded:
    """New names for an entity, known to the whole space (`memory_id` none) or through a memory. `kind` is what it was
    said to be, for those who may not see how it was first named."""

    entity_id: str
    aliases: tuple[str, ...]
    memory_id: str | None = None
    kind: str | None = None

    @property
    def owners(self) -> tuple[str, ...]:
        return (self.entity_id,) if self.memory_id is None else (self.entity_id, self.memory_id)

    @property
    def about(self) -> tuple[str, ...]:
        return (self.entity_id,)


@dataclass(frozen=True, slots=True)
class EdgeAdded:
    edge: Edge

    @property
    def owners(self) -> tuple[str, ...]:
        return (self.edge.id,)

    @property
    def about(self) -> tuple[str, ...]:
        edge = self.edge
        ends = (edge.id, edge.source_id, edge.target_id)
        return ends if edge.memory_id is None else (*ends, edge.memory_id)


@dataclass(frozen=True, slots=True)
class EdgeClosed:
    """The window's end moves to `valid_until`. `previous` is the end it had, `evidence` the memory that says so."""

    edge_id: str
    valid_until: datetime
    previous: datetime | None
    rule: str
    evidence: str | None = None
    why: str | None = None

    def __post_init__(self) -> None:
        limits.text_or_none(self.why, "why", limits.WHY_CHARS)

    @property
    def owners(self) -> tuple[str, ...]:
        return (self.edge_id,)

    @property
    def about(self) -> tuple[str, ...]:
        return (self.edge_id,) if self.evidence is None else (self.edge_id, self.evidence)


@dataclass(frozen=True, slots=True)
class EdgeReopened:
    """The latest closing is undone: the window ends again where, and for the reason, it did before. `undone` is the
    evidence of the closing that no longer counts."""

    edge_id: str
    valid_until: datetime | None
    rule: str | None = None
    evidence: str | None = None
    why: str | None = None
    undone: str | None = None

    @property
    def owners(self) -> tuple[str, ...]:
        return (self.edge_id,)

    @property
    def about(self) -> tuple[str, ...]:
        return (self.edge_id, *(one for one in (self.evidence, self.undone) if one is not None))


@dataclass(frozen=True, slots=True)
class EdgeRepeated:
    """Another memory states what an edge holds already, from `since` on: further evidence, on which the fact stands
    should the memory that told it first go."""

    edge_id: str
    memory_id: str
    since: datetime
    confidence: float = 1.0

    def __post_init__(self) -> None:
        must_be_utc(self.since, "since")
        limits.number(self.confidence, "confidence")

    @property
    def owners(self) -> tuple[str, ...]:
        return (self.edge_id, self.memory_id)

    about = owners


@dataclass(frozen=True, slots=True)
class Marked:
    """A mark is put on a memory or edge (`on`) or taken off."""

    thing: Thing
    id: str
    mark: Mark
    on: bool
    why: str | None = None

    def __post_init__(self) -> None:
        limits.text_or_none(self.why, "why", limits.WHY_CHARS)

    @property
    def owners(self) -> tuple[str, ...]:
        return (self.id,)

    about = owners


@dataclass(frozen=True, slots=True)
class Reinforced:
    """A memory was said once more, in another source: further evidence for it (`on`), or not after all."""

    memory_id: str
    source_id: str
    span: tuple[int, int]
    on: bool = True

    @property
    def owners(self) -> tuple[str, ...]:
        return (self.memory_id, self.source_id)

    about = owners


@dataclass(frozen=True, slots=True)
class Used:
    """A memory was used, `times` over, and its strength grew by `boost`. `at`: when, if not when it became known; so a
    memory takes over the uses of those it was made of."""

    memory_id: str
    how: Use
    boost: float = 0.0
    cross_domain: bool = False
    times: int = 1
    at: datetime | None = None

    def __post_init__(self) -> None:
        limits.number(self.boost, "boost", limits.STRENGTH)
        if not 0 <= self.times <= limits.USES:
            raise InvalidRequest(f"times: {self.times:,} uses at once; give a number from 0 to {limits.USES:,}")
        if self.at is not None:
            must_be_utc(self.at, "at")

    @property
    def owners(self) -> tuple[str, ...]:
        return (self.memory_id,)

    about = owners


@dataclass(frozen=True, slots=True)
class EntityMerged:
    """From now on `entity_id` is another name for `into_id`, until split again."""

    entity_id: str
    into_id: str
    rule: str
    why: str | None = None

    @property
    def owners(self) -> tuple[str, ...]:
        return (self.entity_id, self.into_id)

    about = owners


@dataclass(frozen=True, slots=True)
class EntitySplit:
    entity_id: str
    from_id: str
    why: str | None = None

    @property
    def owners(self) -> tuple[str, ...]:
        return (self.entity_id, self.from_id)

    about = owners


@dataclass(frozen=True, slots=True)
class SettingChanged:
    name: str
    value: Any

    def __post_init__(self) -> None:
        checked_setting(self.name, self.value)

    owners: ClassVar[tuple[str, ...]] = ()
    about: ClassVar[tuple[str, ...]] = ()


@dataclass(frozen=True, slots=True)
class KeyBound:
    """From this entry on, what this actor writes in the space must be signed with this key."""

    actor: str
    public_key: str

    owners: ClassVar[tuple[str, ...]] = ()
    about: ClassVar[tuple[str, ...]] = ()


@dataclass(frozen=True, slots=True)
class Attested:
    """An actor vouches with its own key for an edge that is there already: the edge as it was first written, of which
    `edge_hash` is the hash."""

    edge_id: str
    actor: str
    edge_hash: str
    signature: str

    def __post_init__(self) -> None:
        limits.text(self.actor, "actor", limits.NAME_CHARS, least=1)

    @property
    def owners(self) -> tuple[str, ...]:
        return (self.edge_id,)

    about = owners


@dataclass(frozen=True, slots=True)
class Gone:
    """`private`: not all who read the space knew of it, and they shall not learn of it now."""

    thing: Thing
    id: str
    private: bool = False


@dataclass(frozen=True, slots=True)
class Cut:
    """A change taken out of the journal: entry `seq`, place `index`."""

    seq: int
    index: int


@dataclass(frozen=True, slots=True)
class Purged:
    """The bytes of `gone` leave every table, and those of `cuts` the journal."""

    gone: tuple[Gone, ...]
    cuts: tuple[Cut, ...]
    why: str | None = None

    def __post_init__(self) -> None:
        limits.text_or_none(self.why, "why", limits.WHY_CHARS)

    owners: ClassVar[tuple[str, ...]] = ()

    @property
    def about(self) -> tuple[str, ...]:
        return tuple(one.id for one in self.gone)


@dataclass(frozen=True, slots=True)
class SourceRestated:
    """A source that other memories still rest on, again, with the purged stretches blanked. It was first recorded at
    `since`, and stays so."""

    source: Source
    since: datetime

    @property
    def owners(self) -> tuple[str, ...]:
        return (self.source.id,)

    about = owners

    def as_first_recorded(self) -> Source:
        return replace(self.source, recorded_at=self.since)


@dataclass(frozen=True, slots=True)
class Received:
    """The next changes were made in another store of the same space, in the entry that these are the bounds of.
    `leaves` are the hashes of its changes: as many changes follow, each as it was made there or `Kept`."""

    seq: int
    at: datetime
    actor: str
    op: str
    leaves: tuple[str, ...]
    payload_hash: str
    prev_hash: str
    hash: str
    signature: str | None = None

    owners: ClassVar[tuple[str, ...]] = ()
    about: ClassVar[tuple[str, ...]] = ()


@dataclass(frozen=True, slots=True)
class Kept:
    """A received change that changes nothing here, such as one that a later one overrules: with its salt, so that the
    entry it came from can be handed on. Without a body it was purged, here or there."""

    body: Any = None
    salt: str | None = None

    @property
    def inner(self) -> Change | None:
        """As it was made, but for its times: none of what it owns or says of others depends on them."""
        return None if self.body is None else read_change(self.body, "kept", datetime.fromtimestamp(0, UTC))

    @property
    def owners(self) -> tuple[str, ...]:
        return () if (inner := self.inner) is None else inner.owners

    about = owners


Change = (
    SourceAdded
    | SourceTold
    | MemoryAdded
    | EntityAdded
    | AliasesAdded
    | EdgeAdded
    | EdgeClosed
    | EdgeReopened
    | EdgeRepeated
    | Marked
    | Reinforced
    | Used
    | EntityMerged
    | EntitySplit
    | SettingChanged
    | KeyBound
    | Attested
    | Purged
    | SourceRestated
    | Received
    | Kept
)

_NAMES: dict[type, str] = {
    SourceAdded: "source_added",
    SourceTold: "source_told",
    MemoryAdded: "memory_added",
    EntityAdded: "entity_added",
    AliasesAdded: "aliases_added",
    EdgeAdded: "edge_added",
    EdgeClosed: "edge_closed",
    EdgeReopened: "edge_reopened",
    EdgeRepeated: "edge_repeated",
    Marked: "marked",
    Reinforced: "reinforced",
    Used: "used",
    EntityMerged: "entity_merged",
    EntitySplit: "entity_split",
    SettingChanged: "setting_changed",
    KeyBound: "key_bound",
    Attested: "attested",
    Purged: "purged",
    SourceRestated: "source_restated",
    Received: "received",
    Kept: "kept",
}
KEPT = _NAMES[Kept]
_TYPES = {name: cls for cls, name in _NAMES.items()}


def change_name(change: Change) -> str:
    return _NAMES[type(change)]


def write_change(change: Change) -> str:
    """The change in canonical JSON: the text that the journal hashes and keeps."""
    return canonical({"change": change_name(change), **encode(change)})


def read_change(data: Mapping[str, Any], space: str, at: datetime) -> Change:
    cls = _TYPES.get(data.get("change", ""))
    if cls is None:
        raise Corrupted(f"journal: {data.get('change')!r} is no change this version of Treering knows")
    fields = {name: value for name, value in data.items() if name != "change"}
    change: Change = decode(cls, fields, space=space, recorded_at=at)
    return change


@dataclass(frozen=True, slots=True)
class Changes:
    """All that one operation does, in order. Empty means that nothing is to change, and nothing is written."""

    op: str
    items: tuple[Change, ...] = ()
    vectors: tuple[Embedded, ...] = ()
    """Of things these changes bring in: kept in the same transaction, and not in the journal."""
    salts: tuple[str | None, ...] = ()
    """Of changes that were sealed elsewhere and keep their hashes, by place; none is a fresh one."""

    def __iter__(self) -> Iterator[Change]:
        return iter(self.items)

    def __len__(self) -> int:
        return len(self.items)
