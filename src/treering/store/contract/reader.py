"""What does every reader promise? It is bound to its spaces, its moment and its principal when it is made, so that no
query can forget one of them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from typing import Any, Protocol

from treering.model.edge import Edge
from treering.model.entity import Entity
from treering.model.journal import Head
from treering.model.memory import Memory, Usage, View
from treering.model.source import Source
from treering.model.space import SignerInfo
from treering.model.time import Moment
from treering.store.contract.asked import EdgeFilter, MemoryFilter, Ways
from treering.store.contract.told import (
    ClockTurn,
    Counts,
    Crossing,
    Event,
    Evidence,
    HiddenMemories,
    Standing,
    StepTaken,
    Tally,
    Tombstone,
    Weight,
)


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

    def hidden(self, view: View) -> HiddenMemories:
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

    def bare_sources(self, before: datetime, limit: int) -> list[str]:
        """Sources recorded before then on which no memory rests and that do not wait to be read, the oldest first."""

    def on_hold(self, among: Iterable[str] | None = None) -> list[str]:
        """Memories that must not be purged, the one held first before the others; among these, if given."""

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

    def relations_of(self, entity_ids: Iterable[str]) -> dict[str, frozenset[str]]:
        """The relations of the facts in which each of these stands, of all that were ever known, whether or not `edges`
        would show one of them now: to ask it for those alone that matter."""

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

    def titles(self) -> list[str]:
        """Every title of a memory, once, whether or not the memory may be seen: that is for the caller to look at."""

    def ids_ending(self, ending: str, limit: int) -> list[str]:
        """The first ids of memories, entities, edges and sources that end so, in order, whether or not they may be
        seen: that is for the caller to look at."""

    def tombstone(self, thing_id: str) -> Tombstone | None: ...

    def setting(self, name: str) -> Any:
        """The space's own value, else the default."""

    def actor_key(self, actor: str) -> str | None: ...

    def signers(self) -> list[SignerInfo]:
        """Every actor that is bound to a key, by space and name."""

    def counts(self) -> Counts: ...

    def weight(self) -> Weight:
        """What the spaces hold, whoever may see it, by all that is known. It looks at all of it."""

    def facets(self, which: MemoryFilter) -> dict[str, dict[str, int]]:
        """How many memories the filter leaves, by kind, state, tier, tag, speaker and session, each by value; its limit
        and place do not count. What nobody said, or said in no session, is counted under neither."""

    def turns(self, clock: str) -> list[ClockTurn]:
        """The times at which something changes, in order. `valid`: a memory begins to hold, or a fact begins or ends,
        as believed at the moment, forgotten ones left out. `known`: an entry of the journal was written of which
        something may be told."""

    def last_told(self) -> datetime | None:
        """When the last entry was written, in any of the spaces, of which something may be told, whatever the moment.
        Behind very many that are private to others only those that brought a memory are looked for."""

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
