"""What does a store answer with, besides the values of the model? Frozen values for pages, walks and audits, and bare
rows for what is held in memory and must not weigh much."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from datetime import datetime
from pathlib import Path
from typing import Any, NamedTuple

from treering.language.rewording import as_read
from treering.model.changes import Change, Thing
from treering.model.memory import Kind, Tier
from treering.values import dataclass


@dataclass(frozen=True, slots=True)
class Event:
    """A change together with the entry that carried it, and its place there."""

    space: str
    seq: int
    index: int
    at: datetime
    actor: str
    op: str
    change: Change


@dataclass(frozen=True, slots=True)
class Tombstone:
    """All that remains of a purged thing."""

    id: str
    thing: Thing
    purged_at: datetime
    why: str | None


@dataclass(frozen=True, slots=True)
class Counts:
    memories: Mapping[str, int]
    entities: int
    edges: int


@dataclass(frozen=True, slots=True)
class HiddenMemories:
    """Memories that a view leaves out, and until when that holds if nothing is written; none is for ever."""

    ids: frozenset[str]
    until: datetime | None


class Weight(NamedTuple):
    """How much is kept: memories that were not purged, whatever their state, and the bytes of what was said (UTF-8)."""

    memories: int
    bytes: int


class Tally(NamedTuple):
    """`orphans`: current memories that no edge touches. `learned`: how many were recorded since each time asked.
    `written_at`: when one of the operations asked for was last written."""

    orphans: int
    learned: tuple[int, ...]
    written_at: datetime | None


class ClockTurn(NamedTuple):
    """A time on one of the clocks at which something changes, in microseconds since 1970: so many memories begin to
    hold or were recorded, and so many changes there are in all."""

    at: int
    changes: int
    memories: int


class Evidence(NamedTuple):
    """Another source in which a memory was said, and where in it."""

    memory_id: str
    source_id: str
    span: tuple[int, int]


class Standing(NamedTuple):
    """A current memory without its words: what says how long it stays, for looking at all of them."""

    id: str
    kind: Kind
    tags: tuple[str, ...]
    importance: float
    strength: float
    tier: Tier
    promoted: bool
    recorded_at: datetime
    use_count: int
    last_used: datetime
    said_at: datetime


class Crossing(NamedTuple):
    """An edge as a walk comes to it: from the node where it stands, `here`, to the one at the other end; `outward` is
    along the edge's own direction."""

    edge_id: str
    here: str
    there: str
    relation: str
    outward: bool


StepTaken = tuple[str, str, str]
"""The start of a crossing: its edge, `here` and `there`."""


class Text(NamedTuple):
    """A memory as an index learns it, with who said it and where. Times are microseconds since 1970, as in the
    tables: an open end is the largest integer."""

    id: str
    content: str
    title: str | None
    tags: tuple[str, ...]
    kind: str
    importance: float
    confidence: float
    event_time: int | None
    event_end: int | None
    said_at: int
    recorded_at: int
    valid_from: int
    expires_at: int
    speaker: str | None
    session: str | None
    said: str | None = None
    """The stretch of the source that it rests on."""

    @property
    def read(self) -> str:
        """The words by which it is searched."""
        return as_read(self.content, self.said)


class VectorRow(NamedTuple):
    """Vectors as they were kept. A row kept later has a higher place."""

    place: int
    thing_id: str
    data: bytes

    @property
    def mark(self) -> str:
        """Tells it from any other that might have come to lie in its place."""
        return f"{self.thing_id} {hashlib.sha256(self.data).hexdigest()}"


class UnembeddedText(NamedTuple):
    """A thing that an embedder has not read yet: a memory with its speaker, or an entity's name."""

    thing_id: str
    speaker: str | None
    text: str


class IndexedEdge(NamedTuple):
    """An edge as an index learns it, its window as all that is known has it. Times are microseconds since 1970; an
    open end is the largest integer."""

    id: str
    source_id: str
    target_id: str
    relation: str
    valid_from: int
    valid_until: int
    recorded_at: int
    memory_id: str | None


@dataclass(frozen=True, slots=True)
class EdgeVisibility:
    """What keeps edges from being walked as they were written, by all that is known, whoever may see it."""

    forgotten: frozenset[str]
    """Memories and edges."""
    private: Mapping[str, frozenset[str]]
    """By memory: who may see it."""
    merged: Mapping[str, str]
    """By entity: which it is merged into."""
    secret_moves: frozenset[str]
    """Private memories on which the end of an edge's window rests."""


@dataclass(frozen=True, slots=True)
class Row:
    """One row of a projection, for `verify` to compare; rows come in the order of table and key."""

    table: str
    key: tuple[Any, ...]
    values: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Probed:
    """Where purged things were looked for, and where something of them is still found: tables, and the journal."""

    places: tuple[str, ...]
    found: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Renewed:
    """A store whose damaged file was made anew: where a copy of the damaged one lies, and the tables beside the journal
    of which not all could be read."""

    aside: Path
    lost: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Replayed:
    """What an import did to one space."""

    space: str
    added: int
    skipped: int


@dataclass(frozen=True, slots=True)
class SpaceVersion:
    """How far a space has come. As long as it stands, what was learned of the space is all there is to learn."""

    seq: int
    purges: int
    read: Mapping[str, int]
    """Whose vectors are kept, the one that began to read first before the others, and the last place of each."""
