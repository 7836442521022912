"""What does every store promise? This page states it, and tests/contract holds each store to it.

A store keeps one journal a space and answers reads at any moment. Writing has one way in: `write` runs a plan, a pure
function from what is known to the changes that follow, and carries the changes out whole or not at all. A `Reader` is
bound to its spaces, its moment and its principal when it is made, so that no query can forget one of them.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field, replace
from datetime import datetime
from pathlib import Path
from typing import Any, NamedTuple, Protocol

from treering.language.rewording import as_read
from treering.model.changes import Change, Changes, Thing
from treering.model.edge import Direction, Edge, Link
from treering.model.embedding import Embedded
from treering.model.entity import Entity
from treering.model.identity import Identity
from treering.model.ids import Mint
from treering.model.journal import Entry, Head, edge_message
from treering.model.memory import Kind, Memory, Tier, Usage, View
from treering.model.source import Source
from treering.model.space import SignerInfo, SpaceInfo
from treering.model.time import Moment
from treering.store.drawer import Drawer
from treering.store.queue import Queue
from treering.store.tending import Tending


@dataclass(frozen=True, slots=True)
class Scope:
    """Where a read stands. `as_of` none is the present: `now`, or the space's last known time if a clock ran back."""

    space: str
    now: datetime
    as_of: datetime | None = None
    known_at: datetime | None = None
    principal: str | None = None
    children: bool = False


@dataclass(frozen=True, slots=True)
class MemoryFilter:
    """Which memories; every field narrows. `after` is the (recorded_at, id) that the last page ended with."""

    view: View = View.CURRENT
    ids: tuple[str, ...] | None = None
    kinds: tuple[Kind, ...] | None = None
    tags: tuple[str, ...] = ()
    entity_ids: tuple[str, ...] | None = None
    session: str | None = None
    speaker: str | None = None
    source_id: str | None = None
    title: str | None = None
    containing: str | None = None
    since: datetime | None = None
    until: datetime | None = None
    expires_by: datetime | None = None
    newest_first: bool = False
    after: tuple[datetime, str] | None = None
    limit: int | None = None


@dataclass(frozen=True, slots=True)
class EdgeFilter:
    """Which edges; every field narrows. Closed and not yet open edges are left out unless `include_closed`."""

    ids: tuple[str, ...] | None = None
    source_ids: tuple[str, ...] | None = None
    target_ids: tuple[str, ...] | None = None
    either_ids: tuple[str, ...] | None = None
    evidence_id: str | None = None
    evidence_ids: tuple[str, ...] | None = None
    relations: tuple[str, ...] | None = None
    facts_only: bool = False
    include_closed: bool = False
    include_forgotten: bool = False
    begins_or_ends: tuple[datetime, datetime] | None = None
    """After the first of these times and not after the second; with `include_closed`."""
    limit: int | None = None

    @property
    def by_relation_alone(self) -> bool:
        """Whether no edge, end or evidence is named that an index could begin with."""
        named = (self.ids, self.source_ids, self.target_ids, self.either_ids, self.evidence_id, self.evidence_ids)
        return all(one is None for one in named)


@dataclass(frozen=True, slots=True)
class Ways:
    """Which edges a walk may cross, and in which direction. Closed and not yet open ones only if `include_closed`."""

    direction: Direction = Direction.OUT
    relations: tuple[str, ...] | None = None
    include_closed: bool = False

    @property
    def sides(self) -> tuple[tuple[bool, tuple[str, ...] | None], ...]:
        """Along the edges (true), against them (false), or both, each with the relations that lead there. What
        contradicts something is contradicted by it: such edges lead both ways."""
        if self.direction is Direction.BOTH:
            return (True, self.relations), (False, self.relations)
        along = self.direction is Direction.OUT
        mutual = (Link.CONTRADICTS.value,)
        if self.relations is not None and mutual[0] not in self.relations:
            return ((along, self.relations),)
        sides = ((along, self.relations), (not along, mutual))
        return tuple(sorted(sides, key=lambda side: not side[0]))


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
class Hidden:
    """Memories that a view leaves out, and until when that holds if nothing is written; none is for ever."""

    ids: frozenset[str]
    until: datetime | None


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


class Unread(NamedTuple):
    """A thing that an embedder has not read yet: a memory with its speaker, or an entity's name."""

    thing_id: str
    speaker: str | None
    text: str


class Tie(NamedTuple):
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
class Shades:
    """What keeps edges from being walked as they were written, by all that is known, whoever may see it."""

    forgotten: frozenset[str]
    """Memories and edges."""
    private: Mapping[str, frozenset[str]]
    """By memory: who may see it."""
    merged: Mapping[str, str]
    """By entity: which it is merged into."""
    secret_moves: frozenset[str]
    """Private memories on which the end of an edge's window rests."""


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


class Reader(Protocol):
    """Answers at one moment, in one snapshot. A thing of another space, unknown then, purged, or private to others is
    not there: it is neither given nor counted nor hinted at."""

    spaces: tuple[str, ...]
    moment: Moment
    principal: str | None
    head: Head
    heads: Mapping[str, Head]
    """By space: how far its journal had come."""

    def all_seeing(self) -> Reader:
        """The same reader for what must weigh everything, whoever may see it: a name's uniqueness, a purge's reach."""

    def memory(self, memory_id: str) -> Memory | None:
        """The memory in whatever state, also before its window begins."""

    def memories(self, which: MemoryFilter) -> list[Memory]:
        """In order of (recorded_at, id); reversed if newest_first."""

    def hidden(self, view: View) -> Hidden:
        """The memories that the view leaves out: certainly those left out for another reason than their own times
        (known, valid, expired), of which an index can see to itself."""

    def mentioning(self, entity_ids: Iterable[str]) -> set[str]:
        """The memories that mention one of these entities, as a `MemoryFilter` by entity finds them."""

    def mentions(self, entity_id: str, limit: int) -> list[str]:
        """Memories that mention the entity, the newest mention first, whether or not the memories may be seen: that is
        for the caller to look at, who knows it of all memories at once."""

    def mentioned(self, memory_ids: Iterable[str]) -> list[tuple[str, str]]:
        """Each of these memories with each entity that it mentions, as far as `edges` would show it, in any order."""

    def mentions_of(self, entity_ids: Iterable[str], limit: int) -> dict[str, list[str]]:
        """The same of each of these, at most so many of each."""

    def source(self, source_id: str) -> Source | None: ...

    def sources(self, source_ids: Iterable[str]) -> dict[str, Source]:
        """Those of them that are there, by id."""

    def source_by_key(self, key: str) -> Source | None:
        """The source written with this idempotency key, whoever may see it."""

    def said(self, session: str, limit: int) -> list[Source]:
        """The latest sources of a session, the one recorded last at the end."""

    def documents(self, content: str) -> list[Source]:
        """The documents and files that say exactly this, the one recorded first before the others."""

    def waiting(self, limit: int | None = None, among: Iterable[str] | None = None) -> list[Source]:
        """Sources that nobody has read yet, the one recorded first before the others; among these, if given."""

    def evidence(self, memory_ids: Iterable[str], undone: bool = False) -> list[Evidence]:
        """Where else these memories were said, in the order in which that became known; `undone`: also what no longer
        counts."""

    def usage(self, memory_ids: Iterable[str], since: datetime | None = None) -> dict[str, Usage]:
        """What use was made of those of these memories that were used, by id; since some time, if given."""

    def standing(self, among: Iterable[str] | None = None) -> Iterator[Standing]:
        """Every current memory, or those among these ids, in order of (recorded_at, id), a few at a time: they need not
        fit in memory."""

    def cited(self, memory_ids: Iterable[str]) -> set[str]:
        """Those of these that others rest on: evidence of facts that hold, what something was derived from, and both
        sides of a decision."""

    def tally(self, since: Sequence[datetime], ops: Sequence[str]) -> Tally: ...

    def entity(self, entity_id: str) -> Entity | None:
        """The entity, or the one it is merged into, with all aliases of both."""

    def entities(
        self, name: str | None = None, ids: Iterable[str] | None = None, limit: int | None = None
    ) -> list[Entity]:
        """Those that answer to the name, in any spelling that folds alike; those that the ids stand for; or all.
        Newest first, merged ones once."""

    def named(self, names: Iterable[str]) -> list[tuple[str, str]]:
        """For each of the names, folded, that something answers to: the name and the entity's id."""

    def named_like(self, beginning: str, limit: int) -> list[tuple[str, str]]:
        """Names, folded, that begin so, each with the id of the entity that answers to it, in alphabetical order."""

    def bearer(self, name: str) -> Entity | None:
        """The entity that was itself given this name, merged into another or not; the newest if several were."""

    def openly_named(self, entity_id: str) -> bool:
        """Whether all who read the space may see how it is called."""

    def own_entity(self, entity_id: str) -> tuple[Entity, str | None] | None:
        """The entity as registered, and the id of what it is merged into directly, if it is."""

    def edges(self, which: EdgeFilter) -> list[Edge]:
        """In order of (valid_from, recorded_at, id). Ends are the entities that merged ones stand for. An edge is
        hidden while it, its evidence or a memory it touches is forgotten or private to others."""

    def events(self, *thing_ids: str) -> list[Event]:
        """Every change about one of these things, once, oldest first. Changes that touch what is private to others are
        left out."""

    def happened(self, after: int, limit: int) -> tuple[list[Event], int]:
        """What the journal of the space itself, not of those below, tells of after that entry, in order, and how far
        that goes: at most so many entries. As for `events`, what is private to others is left out."""

    def crossings(self, space: str, nodes: Iterable[str], ways: Ways, limit: int) -> list[Crossing]:
        """The edges of a space that lead away from these nodes, the same that `edges` would give, without more of them
        than a walk needs: in order of (here, along before against, relation, id), the first `limit`. One
        that joins two of the nodes may come from both sides."""

    def steps(self, space: str, nodes: Iterable[str], ways: Ways, limit: int) -> list[StepTaken]:
        """Of the same crossings in the same order only the edge, `here` and `there`."""

    def tombstone(self, thing_id: str) -> Tombstone | None: ...

    def setting(self, name: str) -> Any:
        """The space's own value, else the default."""

    def actor_key(self, actor: str) -> str | None: ...

    def signers(self) -> list[SignerInfo]:
        """Every actor that is bound to a key, by space and name."""

    def counts(self) -> Counts: ...

    def weight(self) -> Weight:
        """What the spaces hold, whoever may see it, by all that is known. It looks at all of it."""

    def census(self) -> dict[str, int]:
        """How many memories the current view shows in each of the spaces that have any."""


class Measuring(Protocol):
    """A reader of a store that `measures`."""

    def packed(self, places: Sequence[int]) -> list[tuple[int, bytes]]:
        """The vectors at these places of the space, as far as there are any, whether or not what they are of may be
        seen: that is for the caller to look at, who knows it of all memories at once."""

    def nearest(
        self, embedder: str, vector: Sequence[float], which: MemoryFilter, limit: int, whole: bool = False
    ) -> list[tuple[str, float]]:
        """Of the memories that the filter leaves those nearest in meaning, with their cosines: about in order, and the
        very nearest up to the tolerance of an approximate index. `whole`: all of them are compared."""

    def nearest_without(
        self, embedder: str, vector: Sequence[float], without: Sequence[str], limit: int
    ) -> list[tuple[str, float]]:
        """The same of all memories but these, whatever else is to be said of them: for who knows what is to be left
        out, and that it is little."""


Plan = Callable[[Reader, datetime], Changes]
"""From what is known, and the known time the write will get, to what is to change. It may run more than once, so it
must not do anything but read."""


@dataclass(frozen=True, slots=True)
class Row:
    """One row of a projection, for `verify` to compare; rows come in the order of table and key."""

    table: str
    key: tuple[Any, ...]
    values: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Replayed:
    """What an import did to one space."""

    space: str
    added: int
    skipped: int


@dataclass(frozen=True, slots=True)
class Writer:
    """On whose behalf a write is made."""

    actor: str
    identity: Identity | None = field(default=None, repr=False)

    def sign(self, edge: Edge) -> Edge:
        """The edge with the actor's signature, if it has a key and observed the edge itself."""
        if self.identity is None or edge.observed_by != self.actor:
            return edge
        return replace(edge, signature=self.identity.sign(edge_message(edge)))


@dataclass(frozen=True, slots=True)
class Act:
    """One write in the making, as the journeys see it: what is known, on whose behalf, and the operation's times."""

    reader: Reader
    space: str
    writer: Writer
    now: datetime
    """The operation's one clock reading."""
    at: datetime
    """The known time that all it writes will have."""
    mint: Mint


@dataclass(frozen=True, slots=True)
class Tide:
    """How far a space has come. As long as it stands, what was learned of the space is all there is to learn."""

    seq: int
    purges: int
    read: Mapping[str, int]
    """Whose vectors are kept, the one that began to read first before the others, and the last place of each."""


class Snapshot(Protocol):
    """The journal and its projections as they stand at one instant, whatever is written meanwhile."""

    def spaces(self) -> list[SpaceInfo]: ...

    def head(self, space: str) -> Head: ...

    def entries(self, space: str, after: int = 0, limit: int | None = None) -> Iterator[Entry]:
        """The journal from `after` on, in order: audit, export and index catch-up are this."""

    def rows(self, space: str) -> Iterator[Row]:
        """Every projected row, ordered by table and key."""

    def texts(self, space: str, after: int = 0) -> Iterator[Text]:
        """Every memory recorded after this known time, whoever may see it, in order of (recorded_at, id)."""

    def vectors(self, space: str, embedder: str, after: int = 0) -> Iterator[VectorRow]:
        """What this embedder made of the space's things, in order of place, after this one."""

    def read_things(self, space: str, embedder: str, after: int = 0) -> Iterator[VectorRow]:
        """The same as `vectors` without the data of memories: only that they were read."""

    def ties(self, space: str) -> Iterator[Tie]:
        """Every edge, whoever may see it, in no order."""

    def shades(self, space: str) -> Shades: ...

    def tide(self, space: str) -> Tide: ...

    def embedders(self, space: str) -> list[str]:
        """Those whose vectors are kept, the one that began to read first before the others."""

    def purges(self, space: str) -> int:
        """How many things have been purged: what was learned before another one must be learned anew."""

    def unread(self, space: str, embedder: str, limit: int) -> list[Unread]:
        """Things that this embedder has not read, the oldest first."""

    def left(self, space: str, embedder: str) -> int:
        """How many things it has not read."""


class Store(Snapshot, Protocol):
    @property
    def jobs(self) -> Queue:
        """Work to be done later, kept beside the journal. A purge takes its words from there too."""

    @property
    def tending(self) -> Tending:
        """What is kept of upkeep, beside the journal. A purge takes from there what names the purged."""

    @property
    def drawer(self) -> Drawer:
        """Small papers that are no knowledge, such as keys and webhooks."""

    @property
    def measures(self) -> bool:
        """Whether its readers tell what is near in meaning (`Measuring`), so that no process needs to hold all vectors
        in memory."""

    def follow(self, kept: Callable[[], Iterable[str]], tell: Callable[[str], None]) -> None:
        """From now on, until the store is closed, `tell` is called from another thread with each of the `kept` spaces
        soon after another process has written to it. It is a hint: where a store cannot know, nothing is told."""

    def strayed(self, space: str) -> list[tuple[str, str]]:
        """What an engine keeps of the space beside its tables and what is not as these have it: by name."""

    def snapshot(self, of: Reader | None = None) -> AbstractContextManager[Snapshot]:
        """Holds one instant for several questions; each method of the store itself answers from the latest. `of`: the
        instant of this reader, or a later one."""

    def reader(self, scope: Scope) -> AbstractContextManager[Reader]:
        """A consistent snapshot that holds every write acknowledged before, by any process."""

    def write(self, space: str, writer: Writer, now: datetime, plan: Plan) -> Entry | None:
        """Runs the plan on the latest state with no other writer between, seals its changes into the next entry, and
        applies both or neither. None if the plan changes nothing. Durable when it returns.
        Unavailable if the store is busy, full or read-only; Forbidden if the actor has a key and did not sign."""

    def together(self) -> AbstractContextManager[None]:
        """What this thread writes within it is on disk when it ends, and need not be before: a crash of the process
        loses nothing, and a power cut may take the last of these writes, never one from their middle."""

    def replay(self, entries: Iterable[Entry]) -> list[Replayed]:
        """Takes over entries made elsewhere, checking the chain; those already here are passed over. Each space in one
        transaction. Conflict if the two histories differ."""

    def keep_vectors(self, space: str, vectors: Iterable[Embedded]) -> int:
        """Keeps what an embedder read outside of a write, for things that are there and have none of that embedder;
        answers how many."""

    def drop_vectors(self, space: str, embedder: str) -> None:
        """Lets go of what one embedder read."""

    def spent(self, space: str, day: str | None = None) -> tuple[int, int]:
        """Tokens that a language model has read and written for the space, on a day (ISO) or since ever."""

    def spend(self, space: str, day: str, read: int, written: int) -> None:
        """Adds to what the space has spent that day. Durable when it returns."""

    def rebuild(self, space: str) -> None:
        """Throws the projections away and makes them again from the journal; with them goes what lies beside."""

    def empty_twin(self) -> Store:
        """An empty store of the same kind in a place of its own, gone when it is closed: `verify` replays into it."""

    def faults(self) -> list[str]:
        """What the engine itself finds wrong with its files."""

    def scrub(self) -> bool:
        """Makes sure that removed bytes are gone from the files, those `beside` included. False if a reader elsewhere
        held it up: try later."""

    def beside(self) -> Path | None:
        """A folder next to the store for what can be made anew from it, named as `store.beside` says; made by who first
        writes there. None if there is no such place, or nothing may be written. A backup leaves it out."""

    def backup(self, path: Path) -> None:
        """A consistent copy while others go on writing."""

    def describe(self) -> dict[str, Any]:
        """Engine, location, size and schema version, for people."""

    def close(self) -> None: ...


class Index(Protocol):
    """Something in memory that is derived from the journal and follows it."""

    seq: int

    def take(self, entry: Entry) -> None:
        """Learns one more entry; entries come in order and once."""


def catch_up(store: Store, space: str, index: Index) -> int:
    """Brings an index up to the journal's head; answers how many entries it had missed. Cheap when there are none."""
    missed = 0
    for entry in store.entries(space, after=index.seq):
        index.take(entry)
        index.seq = entry.seq
        missed += 1
    return missed
