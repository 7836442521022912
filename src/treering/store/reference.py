"""What does the contract mean? The store in plain Python: a list of entries a space, folded anew for every read.

It is slow on purpose. There is no index, no cache and no state but the journal, so that each answer can be checked by
eye; the other stores are tested against it.
"""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, fields, replace
from datetime import datetime
from pathlib import Path
from typing import Any

from treering.errors import Conflict, Unsupported
from treering.model.changes import (
    AliasesAdded,
    Change,
    EdgeAdded,
    EdgeClosed,
    EdgeReopened,
    EntityAdded,
    EntityMerged,
    EntitySplit,
    KeyBound,
    Marked,
    MemoryAdded,
    Purged,
    SettingChanged,
    SourceAdded,
    SourceRestated,
)
from treering.model.edge import MENTION, Edge, Family, Link
from treering.model.embedding import Embedded
from treering.model.entity import Entity, fold
from treering.model.journal import Entry, Head
from treering.model.memory import SHOWN, Mark, Memory, MemoryRecord, State, View, Visibility
from treering.model.setting import SETTINGS
from treering.model.source import Source
from treering.model.space import SpaceInfo
from treering.model.time import Moment, to_micros
from treering.store.admission import admit, next_entry
from treering.store.contract import (
    Counts,
    EdgeFilter,
    Event,
    Hidden,
    MemoryFilter,
    Plan,
    Reader,
    Replayed,
    Row,
    Scope,
    Snapshot,
    Store,
    Text,
    Tombstone,
    Unread,
    VectorRow,
    Writer,
)


@dataclass(frozen=True)
class Naming:
    """One time an entity was named: as what, and through which memory, if not to the whole space."""

    name: str
    kind: str | None
    memory_id: str | None
    at: datetime


@dataclass
class World:
    """What one space's journal says, folded up to some known time."""

    all_seeing: bool
    sources: dict[str, Source] = field(default_factory=dict)
    memories: dict[str, MemoryRecord] = field(default_factory=dict)
    entities: dict[str, Entity] = field(default_factory=dict)
    namings: dict[str, list[Naming]] = field(default_factory=dict)
    edges: dict[str, Edge] = field(default_factory=dict)
    moves: dict[str, list[EdgeClosed | EdgeReopened]] = field(default_factory=dict)
    marks: dict[tuple[str, Mark], datetime] = field(default_factory=dict)
    merged: dict[str, str] = field(default_factory=dict)
    settings: dict[str, Any] = field(default_factory=dict)
    keys: dict[str, str] = field(default_factory=dict)
    tombstones: dict[str, Tombstone] = field(default_factory=dict)

    def take(self, change: Change, at: datetime) -> None:  # noqa: PLR0912  one arm a change
        match change:
            case SourceAdded(source):
                self.sources[source.id] = source
            case SourceRestated(source):
                self.sources[source.id] = change.as_first_recorded()
            case MemoryAdded(memory):
                self.memories[memory.id] = memory
            case EntityAdded(entity):
                self.entities[entity.id] = entity
                named = (entity.name, *entity.aliases)
                self.namings[entity.id] = [Naming(name, entity.kind, entity.memory_id, at) for name in named]
            case AliasesAdded(entity_id, aliases, memory_id, kind):
                self.namings[entity_id].extend(Naming(name, kind, memory_id, at) for name in aliases)
            case EdgeAdded(edge):
                self.edges[edge.id] = edge
            case EdgeClosed() | EdgeReopened():
                self.moves.setdefault(change.edge_id, []).append(change)
            case Marked(_, thing_id, mark, on):
                if on:
                    self.marks[thing_id, mark] = at
                else:
                    del self.marks[thing_id, mark]
            case EntityMerged(entity_id, into_id):
                self.merged[entity_id] = into_id
            case EntitySplit(entity_id):
                del self.merged[entity_id]
            case SettingChanged(name, value):
                self.settings[name] = value
            case KeyBound(actor, public_key):
                self.keys[actor] = public_key
            case Purged():
                pass  # what is gone was cut out of the entries that had brought it

    def bury(self, change: Change, at: datetime) -> None:
        """A purge is the one thing that every moment knows of, also those before it."""
        match change:
            case Purged(gone, _, why):
                buried = [one for one in gone if self.all_seeing or not one.private]
                self.tombstones.update({one.id: Tombstone(one.id, one.thing, at, why) for one in buried})
            case SourceRestated(source):
                self.sources[source.id] = change.as_first_recorded()


class ReferenceReader:
    def __init__(self, journals: dict[str, list[Entry]], scope: Scope, all_seeing: bool = False) -> None:
        self._scope, self._journals, self._all_seeing = scope, journals, all_seeing
        self.spaces = tuple(sorted(name for name in journals if _within(name, scope)))
        self.principal = scope.principal
        heads = [journals[name][-1].head() for name in self.spaces]
        own = journals[scope.space][-1].head() if scope.space in journals else Head()
        self.head = replace(own, at=max((head.at for head in heads if head.at), default=None))
        present = max(scope.now, self.head.at or scope.now)
        self.moment = Moment(scope.as_of or present, scope.known_at)
        self._worlds = {name: self._fold(journals[name]) for name in self.spaces}

    def _fold(self, entries: list[Entry]) -> World:
        world = World(self._all_seeing)
        for entry in entries:
            for change in entry.changes():
                if self.moment.knows(entry.at):
                    world.take(change, entry.at)
                world.bury(change, entry.at)
        world.sources = {key: one for key, one in world.sources.items() if self.moment.knows(one.recorded_at)}
        world.edges = {edge.id: self._with_window(world, edge) for edge in world.edges.values()}
        world.merged = {
            one: into
            for one, into in world.merged.items()
            if self._known_by_itself(world, one) and self._known_by_itself(world, into)
        }
        return world

    def _with_window(self, world: World, edge: Edge) -> Edge:
        """The edge as the latest move of its window has it that rests on nothing private to others."""
        moves = [one for one in world.moves.get(edge.id, []) if self._open_evidence(world, one.evidence)]
        if not moves:
            return edge
        last = moves[-1]
        return replace(
            edge,
            valid_until=last.valid_until,
            closed_by=last.rule,
            closed_why=last.why,
            closed_evidence=last.evidence,
        )

    def _open_evidence(self, world: World, memory_id: str | None) -> bool:
        memory = world.memories.get(memory_id or "")
        return memory is None or self._sees(memory)

    def all_seeing(self) -> Reader:
        return ReferenceReader(self._journals, self._scope, all_seeing=True)

    def _sees(self, memory: MemoryRecord) -> bool:
        return self._all_seeing or memory.visible(self.principal)

    # memories

    def memory(self, memory_id: str) -> Memory | None:
        for world in self._worlds.values():
            record = world.memories.get(memory_id)
            if record and self._sees(record):
                return self._at_moment(world, record)
        return None

    def memories(self, which: MemoryFilter) -> list[Memory]:
        found = [
            self._at_moment(world, record)
            for world in self._worlds.values()
            for record in world.memories.values()
            if self._sees(record) and self._passes(world, record, which)
        ]
        found = [memory for memory in found if self._shown(memory, which.view)]
        found.sort(key=_memory_order, reverse=which.newest_first)
        if which.after is not None:
            after = which.after
            passed: Callable[[Memory], bool] = (
                (lambda one: _memory_order(one) < after)
                if which.newest_first
                else (lambda one: _memory_order(one) > after)
            )
            found = [memory for memory in found if passed(memory)]
        return found[: which.limit]

    def _shown(self, memory: Memory, view: View) -> bool:
        begun = memory.valid_from <= self.moment.as_of
        return memory.state in SHOWN[view] and (begun or view is View.ALL)

    def _passes(self, world: World, memory: MemoryRecord, which: MemoryFilter) -> bool:
        source = world.sources[memory.source_id]
        return (
            (which.ids is None or memory.id in which.ids)
            and (which.kinds is None or memory.kind in which.kinds)
            and set(which.tags) <= set(memory.tags)
            and (which.entity_ids is None or self._mentions(memory.id, which.entity_ids))
            and which.session in (None, source.session)
            and which.speaker in (None, source.speaker)
            and which.source_id in (None, memory.source_id)
            and which.title in (None, memory.title)
            and (which.containing is None or which.containing in memory.content)
            and (which.since is None or memory.holds_from >= which.since)
            and (which.until is None or memory.holds_from < which.until)
        )

    def _mentions(self, memory_id: str, entity_ids: tuple[str, ...]) -> bool:
        about = self.edges(EdgeFilter(source_ids=(memory_id,), target_ids=entity_ids, include_closed=True))
        return any(edge.family is Family.MENTION for edge in about)

    def _at_moment(self, world: World, record: MemoryRecord) -> Memory:
        as_of = self.moment.as_of
        superseding = sorted(
            (edge for edge in self._superseding(world, record.id)),
            key=lambda edge: (edge.valid_from, edge.id),
        )
        begins = record.holds_from
        ends = [edge.valid_from for edge in superseding[:1]]
        if record.expires_at is not None:
            ends.append(record.expires_at)
        state = State.ACTIVE
        if (record.id, Mark.FORGOTTEN) in world.marks:
            state = State.FORGOTTEN
        elif record.expires_at is not None and record.expires_at <= as_of:
            state = State.EXPIRED
        elif superseding and superseding[0].valid_from <= as_of:
            state = State.SUPERSEDED
        elif (record.id, Mark.ARCHIVED) in world.marks:
            state = State.ARCHIVED
        elif (record.id, Mark.PROMOTED) in world.marks:
            state = State.PROMOTED
        return Memory(
            **{one.name: getattr(record, one.name) for one in fields(record)},
            state=state,
            valid_from=begins,
            valid_until=max(begins, min(ends)) if ends else None,
            superseded_by=superseding[0].source_id if superseding else None,
        )

    def _superseding(self, world: World, memory_id: str) -> Iterator[Edge]:
        """The supersedes edges that stand or are to come at the moment; a closed one replaces nothing any more."""
        for edge in world.edges.values():
            if edge.target_id == memory_id and edge.relation == Link.SUPERSEDES and self._believed(world, edge):
                over = edge.valid_until is not None and edge.valid_until <= self.moment.as_of
                if not over and not edge.period.empty:
                    yield edge

    def hidden(self, view: View) -> Hidden:
        """All that it leaves out, and for no longer than this moment."""
        shown = {memory.id for memory in self.memories(MemoryFilter(view=view))}
        known = {memory_id for world in self._worlds.values() for memory_id in world.memories}
        return Hidden(frozenset(known - shown), self.moment.as_of)

    def mentioning(self, entity_ids: Iterable[str]) -> set[str]:
        which = MemoryFilter(view=View.ALL, entity_ids=tuple(entity_ids))
        return {memory.id for memory in self.memories(which)}

    def mentions(self, entity_id: str, limit: int) -> list[str]:
        about = [
            edge
            for world in self._worlds.values()
            for edge in world.edges.values()
            if edge.relation == MENTION
            and self._is_one_of(world, (entity_id,), self._canonical(world, edge.target_id))
            and (edge.id, Mark.FORGOTTEN) not in world.marks
        ]
        about.sort(key=lambda edge: (edge.recorded_at, edge.id), reverse=True)
        return [edge.source_id for edge in about[:limit]]

    def sources(self, source_ids: Iterable[str]) -> dict[str, Source]:
        found = ((one, self.source(one)) for one in source_ids)
        return {key: source for key, source in found if source is not None}

    def named(self, names: Iterable[str]) -> list[tuple[str, str]]:
        asked = set(names)
        found = set()
        for world in self._worlds.values():
            for entity_id in world.entities:
                for naming in self._namings_seen(world, entity_id):
                    if fold(naming.name) in asked:
                        found.add((fold(naming.name), self._canonical(world, entity_id)))
        return sorted(found)

    def source(self, source_id: str) -> Source | None:
        for world in self._worlds.values():
            if source_id in world.sources:
                resting = [memory for memory in world.memories.values() if memory.source_id == source_id]
                if not resting or any(self._sees(memory) for memory in resting):
                    return world.sources[source_id]
        return None

    def source_by_key(self, key: str) -> Source | None:
        for world in self._worlds.values():
            for source in world.sources.values():
                if source.key == key:
                    return source
        return None

    # entities

    def _canonical(self, world: World, thing_id: str) -> str:
        while thing_id in world.merged:
            thing_id = world.merged[thing_id]
        return thing_id

    def entity(self, entity_id: str) -> Entity | None:
        for world in self._worlds.values():
            if entity_id in world.entities and self._knows_entity(world, self._canonical(world, entity_id)):
                return self._whole(world, self._canonical(world, entity_id))
        return None

    def bearer(self, name: str) -> Entity | None:
        bearers = []
        for world in self._worlds.values():
            for entity_id in world.entities:
                seen = self._namings_seen(world, entity_id)
                if any(fold(naming.name) == fold(name) for naming in seen):
                    aliases = tuple(naming.name for naming in seen)
                    bearers.append(self._as_named(world, entity_id, seen, aliases))
        return max(bearers, key=lambda entity: (entity.recorded_at, entity.id), default=None)

    def openly_named(self, entity_id: str) -> bool:
        for world in self._worlds.values():
            for naming in world.namings.get(entity_id, []):
                memory = world.memories.get(naming.memory_id or "")
                if naming.memory_id is None or (memory and memory.visibility is Visibility.SPACE):
                    return True
        return False

    def own_entity(self, entity_id: str) -> tuple[Entity, str | None] | None:
        for world in self._worlds.values():
            if entity_id in world.entities and self._knows_entity(world, self._canonical(world, entity_id)):
                namings = world.namings[entity_id]
                aliases = tuple(naming.name for naming in namings)
                return self._as_named(world, entity_id, namings, aliases), world.merged.get(entity_id)
        return None

    def entities(
        self, name: str | None = None, ids: Iterable[str] | None = None, limit: int | None = None
    ) -> list[Entity]:
        found, asked = [], None if ids is None else set(ids)
        for world in self._worlds.values():
            wanted = None if asked is None else {self._canonical(world, one) for one in asked}
            for entity_id in world.entities:
                whole = self._whole(world, entity_id)
                answers = name is None or fold(name) in {fold(one) for one in (whole.name, *whole.aliases)}
                answers = answers and (wanted is None or entity_id in wanted)
                if entity_id not in world.merged and answers and self._knows_entity(world, entity_id):
                    found.append(whole)
        found.sort(key=lambda entity: (entity.recorded_at, entity.id), reverse=True)
        return found[:limit]

    def _whole(self, world: World, entity_id: str) -> Entity:
        members = [one for one in world.entities if self._canonical(world, one) == entity_id]
        members.sort(key=lambda one: (one != entity_id, world.entities[one].recorded_at, one))
        aliases = tuple(naming.name for one in members for naming in self._namings_seen(world, one))
        namings = self._namings_seen(world, entity_id) or world.namings[entity_id]
        return self._as_named(world, entity_id, namings, aliases)

    def _as_named(self, world: World, entity_id: str, among: list[Naming], aliases: tuple[str, ...]) -> Entity:
        """The entity as the first of these namings has it; not all may see how it was named first of all."""
        first, named_to_all = among[0], any(one.memory_id is None for one in world.namings[entity_id])
        return Entity(
            id=entity_id,
            space=world.entities[entity_id].space,
            name=first.name,
            kind=first.kind or "concept",
            aliases=aliases,
            recorded_at=first.at,
            memory_id=None if named_to_all else first.memory_id,
        )

    def _namings_seen(self, world: World, entity_id: str) -> list[Naming]:
        return [one for one in world.namings[entity_id] if self._sees_evidence(world, one.memory_id)]

    def _sees_evidence(self, world: World, memory_id: str | None) -> bool:
        if memory_id is None or self._all_seeing:
            return True
        return memory_id in world.memories and self._sees(world.memories[memory_id])

    def _knows_entity(self, world: World, entity_id: str) -> bool:
        members = [one for one in world.entities if self._canonical(world, one) == entity_id]
        return any(self._known_by_itself(world, one) for one in members)

    def _known_by_itself(self, world: World, entity_id: str) -> bool:
        """Whether we may know of it without any merge: what is merged with a secret tells nothing of the secret."""
        if self._all_seeing or (entity_id in world.namings and self._namings_seen(world, entity_id)):
            return True
        return any(
            entity_id in (edge.source_id, edge.target_id) and self._open_to_us(world, edge)
            for edge in world.edges.values()
        )

    # edges

    def edges(self, which: EdgeFilter) -> list[Edge]:
        found = []
        for world in self._worlds.values():
            for edge in world.edges.values():
                if self._believed(world, edge, which.include_forgotten) and self._selected(world, edge, which):
                    found.append(self._seen(world, edge))
        found.sort(key=lambda edge: (edge.valid_from, edge.recorded_at, edge.id))
        return found[: which.limit]

    def _seen(self, world: World, edge: Edge) -> Edge:
        return replace(
            edge,
            source_id=self._canonical(world, edge.source_id),
            target_id=self._canonical(world, edge.target_id),
            forgotten_at=world.marks.get((edge.id, Mark.FORGOTTEN)),
        )

    def _selected(self, world: World, edge: Edge, which: EdgeFilter) -> bool:
        source, target = self._canonical(world, edge.source_id), self._canonical(world, edge.target_id)
        return (
            (which.ids is None or edge.id in which.ids)
            and self._is_one_of(world, which.source_ids, source)
            and self._is_one_of(world, which.target_ids, target)
            and self._is_one_of(world, which.either_ids, source, target)
            and which.evidence_id in (None, edge.memory_id)
            and (which.relations is None or edge.relation in which.relations)
            and (not which.facts_only or edge.family is Family.FACT)
            and (which.include_closed or edge.period.holds(self.moment.as_of))
        )

    def _is_one_of(self, world: World, ids: tuple[str, ...] | None, *ends: str) -> bool:
        return ids is None or not {self._canonical(world, one) for one in ids}.isdisjoint(ends)

    def _believed(self, world: World, edge: Edge, include_forgotten: bool = False) -> bool:
        if not include_forgotten:
            touched = (edge.id, edge.memory_id, edge.source_id, edge.target_id)
            if any((one, Mark.FORGOTTEN) in world.marks for one in touched):
                return False
        return self._open_to_us(world, edge)

    def _open_to_us(self, world: World, edge: Edge) -> bool:
        touched = (world.memories.get(one or "") for one in (edge.memory_id, edge.source_id, edge.target_id))
        return all(memory is None or self._sees(memory) for memory in touched)

    # the rest

    def events(self, thing_id: str) -> list[Event]:
        told = []
        for name, world in self._worlds.items():
            for entry in self._journals[name]:
                for index, change in entry.numbered_changes:
                    known = self.moment.knows(entry.at) or isinstance(change, Purged)
                    if known and thing_id in change.about and self._may_tell(world, change):
                        told.append(Event(name, entry.seq, index, entry.at, entry.actor, entry.op, change))
        return sorted(told, key=lambda event: (event.at, event.space, event.index))

    def _may_tell(self, world: World, change: Change) -> bool:
        if isinstance(change, EntityMerged | EntitySplit):
            return all(self._known_by_itself(world, one) for one in change.about)
        owner = change.entity.memory_id if isinstance(change, EntityAdded) else getattr(change, "memory_id", None)
        touched = [world.memories.get(one) for one in (*change.about, *([owner] if owner else []))]
        if isinstance(change, EdgeClosed | EdgeReopened | Marked):
            edge = world.edges.get(change.about[0])
            if edge is not None and not self._open_to_us(world, edge):
                return False
        return all(memory is None or self._sees(memory) for memory in touched)

    def tombstone(self, thing_id: str) -> Tombstone | None:
        return next((w.tombstones[thing_id] for w in self._worlds.values() if thing_id in w.tombstones), None)

    def setting(self, name: str) -> Any:
        own = [world.settings[name] for world in self._worlds.values() if name in world.settings]
        return own[0] if own else SETTINGS[name].default

    def actor_key(self, actor: str) -> str | None:
        return next((world.keys[actor] for world in self._worlds.values() if actor in world.keys), None)

    def counts(self) -> Counts:
        states = [memory.state.value for memory in self.memories(MemoryFilter(view=View.ALL))]
        return Counts(
            {state.value: states.count(state) for state in State if state is not State.PURGED},
            len(self.entities()),
            len(self.edges(EdgeFilter())),
        )


class ReferenceStore:
    def __init__(self) -> None:
        self._journals: dict[str, list[Entry]] = {}
        self._vectors: list[tuple[str, Embedded | None]] = []
        self._lock = threading.RLock()

    @contextmanager
    def reader(self, scope: Scope) -> Iterator[Reader]:
        with self._lock:
            snapshot = {name: list(entries) for name, entries in self._journals.items()}
        yield ReferenceReader(snapshot, scope)

    @contextmanager
    def snapshot(self) -> Iterator[Snapshot]:
        held = ReferenceStore()
        with self._lock:
            held._journals = {name: list(entries) for name, entries in self._journals.items()}
            held._vectors = list(self._vectors)
        yield held

    def write(self, space: str, writer: Writer, now: datetime, plan: Plan) -> Entry | None:
        with self._lock:
            reader = ReferenceReader(self._journals, Scope(space, now, principal=writer.actor))
            sealed = next_entry(reader, self.head(space), space, writer, now, plan)
            if sealed is None:
                return None
            entry, changes = sealed
            self._append(entry)
            self._vectors += [(space, one) for one in changes.vectors]
            return entry

    def _append(self, entry: Entry) -> None:
        journal = self._journals.setdefault(entry.space, [])
        journal.append(entry)
        for change in entry.changes():
            if isinstance(change, Purged):
                for cut in change.cuts:
                    journal[cut.seq - 1] = journal[cut.seq - 1].cut([cut.index])
                self._let_go(entry.space, change.about)

    def entries(self, space: str, after: int = 0, limit: int | None = None) -> Iterator[Entry]:
        with self._lock:
            chosen = self._journals.get(space, [])[after:]
        return iter(chosen[:limit])

    def head(self, space: str) -> Head:
        journal = self._journals.get(space)
        return journal[-1].head() if journal else Head()

    def spaces(self) -> list[SpaceInfo]:
        return [
            SpaceInfo(name, journal[-1].seq, journal[0].at, journal[-1].at)
            for name, journal in sorted(self._journals.items())
        ]

    def replay(self, entries: Iterable[Entry]) -> list[Replayed]:
        done: dict[str, Replayed] = {}
        with self._lock:
            before = {name: list(journal) for name, journal in self._journals.items()}, list(self._vectors)
            try:
                for entry in entries:
                    self._replay_one(entry, done)
            except BaseException:
                self._journals, self._vectors = before
                raise
        return list(done.values())

    def _replay_one(self, entry: Entry, done: dict[str, Replayed]) -> None:
        here = self._journals.get(entry.space, [])
        so_far = done.get(entry.space, Replayed(entry.space, 0, 0))
        if entry.seq <= len(here):
            admit(entry, here[entry.seq - 1])
            done[entry.space] = replace(so_far, skipped=so_far.skipped + 1)
            return
        wrong = entry.follows(self.head(entry.space))
        if wrong:
            raise Conflict(f"journal of {entry.space}: entry {entry.seq} cannot be taken over: {wrong}")
        self._append(entry)
        done[entry.space] = replace(so_far, added=so_far.added + 1)

    def rows(self, space: str) -> Iterator[Row]:
        for entry in self._journals.get(space, []):
            yield Row("journal", (entry.seq,), {"hash": entry.hash, "payload": entry.payload()})

    def texts(self, space: str, after: int = 0) -> Iterator[Text]:
        changes = [change for entry in self._journals.get(space, []) for change in entry.changes()]
        sources = {change.source.id: change.source for change in changes if isinstance(change, SourceAdded)}
        sources |= {change.source.id: change.source for change in changes if isinstance(change, SourceRestated)}
        memories = [change.memory for change in changes if isinstance(change, MemoryAdded)]
        for one in sorted(memories, key=lambda memory: (memory.recorded_at, memory.id)):
            if to_micros(one.recorded_at) > after:
                yield _text(one, sources[one.source_id])

    def vectors(self, space: str, embedder: str, after: int = 0) -> Iterator[VectorRow]:
        for place, (where, kept) in enumerate(self._vectors, 1):
            if place > after and where == space and kept is not None and kept.embedder == embedder:
                yield VectorRow(place, kept.thing_id, kept.data)

    def embedders(self, space: str) -> list[str]:
        names = (kept.embedder for where, kept in self._vectors if where == space and kept is not None)
        return list(dict.fromkeys(names))

    def purges(self, space: str) -> int:
        changes = (change for entry in self._journals.get(space, []) for change in entry.changes())
        return sum(len(change.gone) for change in changes if isinstance(change, Purged))

    def unread(self, space: str, embedder: str, limit: int) -> list[Unread]:
        read = {row.thing_id for row in self.vectors(space, embedder)}
        found = [Unread(text.id, text.speaker, text.content) for text in self.texts(space)]
        found += [Unread(entity.id, None, entity.name) for entity in self._entities(space)]
        return [one for one in found if one.thing_id not in read][:limit]

    def left(self, space: str, embedder: str) -> int:
        return len(self.unread(space, embedder, sys.maxsize))

    def _entities(self, space: str) -> list[Entity]:
        changes = (change for entry in self._journals.get(space, []) for change in entry.changes())
        entities = (change.entity for change in changes if isinstance(change, EntityAdded))
        return sorted(entities, key=lambda entity: (entity.recorded_at, entity.id))

    def keep_vectors(self, space: str, vectors: Iterable[Embedded]) -> int:
        with self._lock:
            there = {text.id for text in self.texts(space)} | {entity.id for entity in self._entities(space)}
            before = len(self._vectors)
            for one in vectors:
                read = {row.thing_id for row in self.vectors(space, one.embedder)}
                if one.thing_id in there - read:
                    self._vectors.append((space, one))
            return len(self._vectors) - before

    def drop_vectors(self, space: str, embedder: str) -> None:
        with self._lock:
            self._let_go(space, (row.thing_id for row in self.vectors(space, embedder)), embedder)

    def _let_go(self, space: str, things: Iterable[str], embedder: str | None = None) -> None:
        """The place of what goes stays empty."""
        gone = set(things)
        for place, (where, kept) in enumerate(self._vectors):
            if where == space and kept is not None and kept.thing_id in gone and embedder in (None, kept.embedder):
                self._vectors[place] = (where, None)

    def rebuild(self, space: str) -> None:
        """There is nothing but the journal."""

    def empty_twin(self) -> Store:
        return ReferenceStore()

    def faults(self) -> list[str]:
        return []

    def scrub(self) -> bool:
        return True

    def beside(self) -> Path | None:
        return None

    def backup(self, path: Path) -> None:
        raise Unsupported(f"backup: the reference store lives in memory only and cannot be copied to {path}")

    def describe(self) -> dict[str, Any]:
        return {"engine": "reference", "url": "reference:"}

    def close(self) -> None:
        """There is nothing to close."""


def _memory_order(memory: Memory) -> tuple[datetime, str]:
    return memory.recorded_at, memory.id


def _text(memory: MemoryRecord, source: Source) -> Text:
    return Text(
        id=memory.id,
        content=memory.content,
        title=memory.title,
        tags=memory.tags,
        kind=memory.kind.value,
        importance=memory.importance,
        confidence=memory.confidence,
        event_time=None if memory.event_time is None else to_micros(memory.event_time),
        event_end=None if memory.event_end is None else to_micros(memory.event_end),
        said_at=to_micros(memory.said_at),
        recorded_at=to_micros(memory.recorded_at),
        valid_from=to_micros(memory.holds_from),
        expires_at=(1 << 63) - 1 if memory.expires_at is None else to_micros(memory.expires_at),
        speaker=source.speaker,
        session=source.session,
    )


def _within(name: str, scope: Scope) -> bool:
    return name == scope.space or (scope.children and name.startswith(scope.space + "/"))
