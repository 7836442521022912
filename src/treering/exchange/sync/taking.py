"""What does an entry of another store change here? Its changes as they were sealed there, those that change nothing
here kept beside, and what has to be put right so that both stores come to the same.

What was purged does not come back: of what was purged here, or rests on it, only the hash is taken.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Set
from dataclasses import dataclass, field, replace
from datetime import datetime

from treering.errors import Conflict
from treering.exchange.sync.standing import Stamp, SyncState, register
from treering.model.changes import (
    AliasesAdded,
    Attested,
    Change,
    Changes,
    Cut,
    EdgeAdded,
    EdgeClosed,
    EdgeReopened,
    EdgeRepeated,
    EntityAdded,
    EntityMerged,
    EntitySplit,
    Gone,
    Kept,
    KeyBound,
    Marked,
    MemoryAdded,
    Purged,
    Received,
    Reinforced,
    SettingChanged,
    SourceAdded,
    SourceRestated,
    SourceTold,
    Thing,
    Used,
    read_change,
    write_change,
)
from treering.model.edge import Edge, Link
from treering.model.entity import Entity, fold
from treering.model.journal import SYNC, Entry, Leaf
from treering.model.memory import Mark
from treering.model.source import BLANK
from treering.store.circles import ACYCLIC
from treering.store.contract import EdgeFilter, Event, Reader

OF_THE_STORE = frozenset({"embedder"})
"""Settings that depend on what a store has at hand: each keeps its own."""

APPLY, KEEP, DROP = "apply", "keep", "drop"


@dataclass
class Offered:
    """What the other store's journal has told of entities so far, for those that were purged here and are needed."""

    entities: dict[str, Entity] = field(default_factory=dict)

    def learn(self, change: Change) -> None:
        match change:
            case EntityAdded(entity):
                self.entities[entity.id] = replace(entity, memory_id=None)
            case AliasesAdded(entity_id, aliases) if entity_id in self.entities:
                entity = self.entities[entity_id]
                new = tuple(one for one in aliases if one not in (entity.name, *entity.aliases))
                self.entities[entity_id] = replace(entity, aliases=(*entity.aliases, *new))


def take(reader: Reader, at: datetime, made: Entry, standing: SyncState, offered: Offered) -> Changes:
    """The changes that take this entry over, on what `reader` knows."""
    taking = _Taking(reader.all_seeing(), at, made, standing, offered)
    return taking.changes()


class _Taking:
    def __init__(self, reader: Reader, at: datetime, made: Entry, standing: SyncState, offered: Offered) -> None:
        self._reader, self._at, self._made = reader, at, made
        self._standing, self._offered = standing, offered
        self._fresh: set[str] = set()
        """Things that come with this entry."""
        self._first: list[Change] = []
        self._then: list[Change] = []
        self._gone: dict[str, Gone] = {}
        self._cuts: set[Cut] = set()
        told = ((n, json.loads(leaf.text)) for n, leaf in enumerate(made.leaves) if leaf.text is not None)
        self._read = {n: read_change(body, made.space, at) for n, body in told}
        self._doomed = set(self._quoting_the_purged())

    def changes(self) -> Changes:
        made, inside, salts = self._made, list[Change](), list[str | None]()
        self._must_fit_the_keys()
        for index, leaf in enumerate(made.leaves):
            change = self._read.get(index)
            how = DROP if change is None else self._how(change, (made.at, made.hash, index))
            if change is not None and how == APPLY and _sealed(change, leaf):
                inside.append(change)
                salts.append(leaf.salt)
            else:
                if how == APPLY and change is not None:  # another version would write it in other words
                    self._then.insert(0, change)
                inside.append(Kept() if how == DROP else Kept(json.loads(leaf.text or "null"), leaf.salt))
                salts.append(None)
        frame = Received(
            seq=made.seq,
            at=made.at,
            actor=made.actor,
            op=made.op,
            leaves=tuple(leaf.hash for leaf in made.leaves),
            payload_hash=made.payload_hash,
            prev_hash=made.prev_hash,
            hash=made.hash,
            signature=made.signature,
        )
        then = [*self._then, *self._put_right()]
        if self._gone or self._cuts:
            cuts = tuple(sorted(self._cuts, key=lambda cut: (cut.seq, cut.index)))
            then.insert(0, Purged(tuple(self._gone.values()), cuts, "purged in another store"))
        items = (*self._first, frame, *inside, *then)
        return Changes(SYNC, items, salts=(*(None for _ in self._first), None, *salts, *(None for _ in then)))

    def _must_fit_the_keys(self) -> None:
        bound = self._reader.actor_key(self._made.actor)
        if bound is not None and self._made.signature is None:
            raise Conflict(
                f"entry {self._made.seq} of the other store: {self._made.actor!r} did not sign it, and signs in this "
                "one; give the two stores' actors different names, or the same identity"
            )
        for change in self._read.values():
            if isinstance(change, KeyBound) and self._reader.actor_key(change.actor) not in (None, change.public_key):
                raise Conflict(
                    f"actor {change.actor!r} signs with one key in this store and with another in the other; "
                    "give them different names, or the same identity"
                )

    # what becomes of a change

    def _how(self, change: Change, stamp: Stamp) -> str:  # noqa: PLR0912  one arm a change
        if any(one in self._doomed for one in change.owners):
            return DROP
        match change:
            case SourceAdded(source):
                return self._new(source.id, not self._buried(source.id))
            case SourceTold(source_id):
                return APPLY if self._source(source_id) else self._absent(change)
            case MemoryAdded(memory):
                return self._new(memory.id, not self._buried(memory.id) and self._source(memory.source_id))
            case EntityAdded(entity):
                return self._new(entity.id, not self._buried(entity.id))
            case AliasesAdded(entity_id, _, memory_id):
                if memory_id is not None and not self._memory(memory_id):
                    return DROP
                return APPLY if self._entity(entity_id) else KEEP
            case EdgeAdded(edge):
                return self._edge_added(change, edge, stamp)
            case EdgeClosed() | EdgeReopened():
                return self._last(change, stamp) if self._edge(change.edge_id) else self._absent(change)
            case EdgeRepeated(edge_id, memory_id):
                here = self._edge(edge_id) and self._memory(memory_id)
                return APPLY if here else self._absent(change)
            case Marked():
                return self._marked(change, stamp)
            case Reinforced():
                here = self._memory(change.memory_id) and self._source(change.source_id)
                return self._reinforced(change, stamp) if here else self._absent(change)
            case Used():
                return APPLY if self._memory(change.memory_id) else self._absent(change)
            case EntityMerged() | EntitySplit():
                return self._absent(change)
            case SettingChanged(name):
                return KEEP if name in OF_THE_STORE else self._last(change, stamp)
            case KeyBound(actor):
                return APPLY if self._reader.actor_key(actor) is None else KEEP
            case Attested(edge_id, actor):
                there = (edge_id, actor) in self._standing.attested
                return self._absent(change) if not self._edge(edge_id) else KEEP if there else APPLY
            case Purged():
                self._bury(change)
                return KEEP
            case SourceRestated(source):
                return self._restated(change) if self._source(source.id) else self._absent(change)
        return DROP

    def _absent(self, change: Change) -> str:
        """What it speaks of is not here: purged, or not come yet."""
        return DROP if any(self._buried(one) for one in change.owners) else KEEP

    def _new(self, thing_id: str, may_come: bool) -> str:
        if may_come:
            self._fresh.add(thing_id)
        return APPLY if may_come else DROP

    def _last(self, change: Change, stamp: Stamp) -> str:
        place = register(change)
        assert place is not None
        return APPLY if self._standing.is_last(place, stamp) else KEEP

    def _marked(self, change: Marked, stamp: Stamp) -> str:
        thing, of_an_edge = change.id, change.thing is Thing.EDGE
        if not (self._edge(thing) if of_an_edge else self._memory(thing) or self._source(thing)):
            return self._absent(change)
        return APPLY if self._last(change, stamp) == APPLY and self._is_marked(change) != change.on else KEEP

    def _is_marked(self, change: Marked) -> bool:
        if change.id in self._fresh:
            return False
        marked = False
        for event in self._reader.events(change.id):
            one = event.change
            if isinstance(one, Marked) and (one.id, one.mark) == (change.id, change.mark):
                marked = one.on
        return marked

    def _reinforced(self, change: Reinforced, stamp: Stamp) -> str:
        if self._last(change, stamp) == KEEP:
            return KEEP
        counts = any(one.source_id == change.source_id for one in self._reader.evidence([change.memory_id]))
        return APPLY if counts != change.on else KEEP

    def _edge_added(self, change: EdgeAdded, edge: Edge, stamp: Stamp) -> str:
        if self._buried(edge.id) or any(self._is_purged_memory(one) for one in (*ends_of(edge), edge.memory_id)):
            return DROP
        if self._edge(edge.id):
            return KEEP
        if edge.memory_id is not None and not self._memory(edge.memory_id):
            return KEEP
        for one in ends_of(edge):
            if not (self._memory(one) or self._entity(one) or self._brought_back(one)):
                return KEEP
        self._fresh.add(edge.id)
        if edge.relation in ACYCLIC:
            self._break_circle(change, stamp)
        return APPLY

    def _break_circle(self, change: EdgeAdded, stamp: Stamp) -> None:
        """Each store saw no circle when it wrote its edge; of the circle that both make, the edge made last is
        forgotten."""
        circle = self._standing.round_trip(change, self._lives)
        if circle:
            stamps = {**self._standing.stamps, change.edge.id: stamp}
            loser = max(circle, key=lambda one: stamps[one])
            why = "with what another store wrote it goes round in a circle"
            self._then.append(Marked(Thing.EDGE, loser, Mark.FORGOTTEN, True, why))

    def _lives(self, edge_id: str) -> bool:
        found = self._reader.edges(EdgeFilter(ids=(edge_id,), include_closed=True, include_forgotten=True))
        return bool(found) and found[0].forgotten_at is None

    def _restated(self, change: SourceRestated) -> str:
        """What is blank in either is blank; what was said stays where it stood."""
        there, here = change.source.content, self._reader.source(change.source.id)
        if here is None or len(here.content) != len(there):
            return KEEP
        both = "".join(BLANK if BLANK in (one, other) else one for one, other in zip(here.content, there, strict=True))
        if both != here.content:
            self._then.append(SourceRestated(replace(here, content=both), here.recorded_at))
            self._cuts |= {Cut(event.seq, event.index) for event in self._telling_words_of(here.id)}
        return KEEP if both == there else DROP

    def _telling_words_of(self, source_id: str) -> Iterator[Event]:
        for event in self._reader.events(source_id):
            said = event.change.inner if isinstance(event.change, Kept) else event.change
            if isinstance(said, SourceAdded | SourceRestated | SourceTold) and source_id in said.owners:
                yield event

    def _bury(self, purged: Purged) -> None:
        """What is gone there is gone here too, but for an entity that something else here still speaks of."""
        for one in purged.gone:
            if self._buried(one.id) or one.id in self._gone:
                continue
            if one.thing is Thing.ENTITY and self._entity(one.id):
                continue
            self._gone[one.id] = one
            for event in self._reader.events(one.id):
                if one.id in event.change.owners:
                    self._cuts.add(Cut(event.seq, event.index))

    def _is_purged_memory(self, thing_id: str | None) -> bool:
        buried = None if thing_id is None else self._reader.tombstone(thing_id)
        return buried is not None and buried.thing is Thing.MEMORY

    def _brought_back(self, entity_id: str) -> bool:
        """An entity purged here, since nothing here spoke of it any more; something in the other store does."""
        entity = self._offered.entities.get(entity_id)
        if entity is None:
            return False
        self._first.append(EntityAdded(replace(entity, space=self._made.space, recorded_at=self._at)))
        self._fresh.add(entity_id)
        return True

    def _put_right(self) -> Iterator[Change]:
        """Merges as the last words on them say, now that there are more."""
        telling = EntityAdded | EntityMerged | EntitySplit
        told: list[tuple[int, Change]] = [(n, one) for n, one in self._read.items() if isinstance(one, telling)]
        if not told and not self._first:
            return
        self._standing.learn(self._made, told)
        yield from merges(self._reader, self._standing, self._fresh)

    # what is here

    def _quoting_the_purged(self) -> Iterator[str]:
        for change in self._read.values():
            derived = isinstance(change, EdgeAdded) and change.edge.relation == Link.DERIVED_FROM
            if isinstance(change, EdgeAdded) and derived and self._buried(change.edge.target_id):
                yield change.edge.source_id

    def _buried(self, thing_id: str) -> bool:
        return self._reader.tombstone(thing_id) is not None

    def _source(self, source_id: str) -> bool:
        return source_id in self._fresh or self._reader.source(source_id) is not None

    def _memory(self, memory_id: str) -> bool:
        return memory_id in self._fresh or self._reader.memory(memory_id) is not None

    def _entity(self, entity_id: str) -> bool:
        return entity_id in self._fresh or self._reader.own_entity(entity_id) is not None

    def _edge(self, edge_id: str) -> bool:
        every = EdgeFilter(ids=(edge_id,), include_closed=True, include_forgotten=True)
        return edge_id in self._fresh or bool(self._reader.edges(every))


def settled(reader: Reader, at: datetime, standing: SyncState, offered: Offered) -> Changes:
    """What has to change when all was taken: an edge that could not come before what it joins comes now; an entity that
    was purged somewhere goes here too, unless an edge that is left speaks of it; what was merged into it is merged
    anew."""
    late, fresh = list[Change](), set[str]()
    for change in standing.waiting.values():
        late += _come_late(reader, at, change.edge, standing, offered, fresh)
    gone, cuts = list[Gone](), list[Cut]()
    for entity_id in sorted(standing.purged - fresh):
        events = reader.events(entity_id) if reader.own_entity(entity_id) is not None else []
        if events and not any(isinstance(event.change, EdgeAdded) for event in events):
            gone.append(Gone(Thing.ENTITY, entity_id))
            cuts += [Cut(event.seq, event.index) for event in events if entity_id in event.change.owners]
    left = tuple(merges(reader, standing, fresh, without={one.id for one in gone}))
    purged = (Purged(tuple(gone), tuple(cuts), "purged in another store"),) if gone else ()
    return Changes(SYNC, (*late, *purged, *left))


def _come_late(
    reader: Reader, at: datetime, edge: Edge, standing: SyncState, offered: Offered, fresh: set[str]
) -> Iterator[Change]:
    """The edge with the last words on it, if all that it joins is here by now or can be had. `fresh` are entities that
    come back with it."""
    every = EdgeFilter(ids=(edge.id,), include_closed=True, include_forgotten=True)
    if reader.tombstone(edge.id) is not None or reader.edges(every):
        return
    if edge.memory_id is not None and reader.memory(edge.memory_id) is None:
        return
    ends = [one for one in ends_of(edge) if not (one in fresh or reader.memory(one) or reader.own_entity(one))]
    if all(one in offered.entities for one in ends):
        for one in dict.fromkeys(ends):
            fresh.add(one)
            standing.named[fold(offered.entities[one].name)].add(one)
            yield EntityAdded(replace(offered.entities[one], space=edge.space, recorded_at=at))
        yield EdgeAdded(replace(edge, recorded_at=at))
        if isinstance(moved := standing.words.get(("window", edge.id)), EdgeClosed | EdgeReopened):
            yield moved
        for mark in Mark:
            marked = standing.words.get(("mark", edge.id, mark.value))
            if isinstance(marked, Marked) and marked.on:
                yield marked


def ends_of(edge: Edge) -> tuple[str, str]:
    return edge.source_id, edge.target_id


def merges(
    reader: Reader, standing: SyncState, fresh: Set[str] = frozenset(), without: Set[str] = frozenset()
) -> Iterator[Change]:
    """What has to change so that entities are merged as the last words on them say. `fresh` are about to come, those
    `without` to go."""

    def is_here(entity_id: str) -> bool:
        return entity_id in fresh or (entity_id not in without and reader.own_entity(entity_id) is not None)

    for entity_id, wanted in standing.merged(is_here).items():
        own = reader.own_entity(entity_id)
        into = own[1] if own and own[1] not in without else None
        if into == (wanted.into_id if wanted else None) or not is_here(entity_id):
            continue
        if into is not None:
            yield EntitySplit(entity_id, into, "another store said otherwise later")
        if wanted is not None:
            yield wanted


def _sealed(change: Change, leaf: Leaf) -> bool:
    """Whether it would be written here in the very words that were sealed there."""
    return leaf.salt is not None and Leaf.of(write_change(change), leaf.salt) == leaf
