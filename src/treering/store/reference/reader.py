"""What was known, and true, at this moment? The journal folded anew for every read, so that each answer can be checked
by eye."""

from __future__ import annotations

from collections import Counter as CountOf
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import fields, replace
from datetime import datetime
from typing import Any

from treering.model.changes import (
    Attested,
    Change,
    EdgeClosed,
    EdgeReopened,
    EntityAdded,
    EntityMerged,
    EntitySplit,
    Marked,
    Purged,
)
from treering.model.edge import MENTION, Edge, Family, Link
from treering.model.entity import Entity, fold
from treering.model.identity import attestation
from treering.model.journal import Entry, Head
from treering.model.memory import (
    SHOWN,
    Mark,
    Memory,
    MemoryRecord,
    State,
    Tier,
    Usage,
    Use,
    View,
    Visibility,
)
from treering.model.setting import SETTINGS
from treering.model.source import Source, SourceKind
from treering.model.space import SignerInfo
from treering.model.time import Moment
from treering.store.contract import (
    Counts,
    Crossing,
    EdgeFilter,
    Event,
    Evidence,
    Hidden,
    MemoryFilter,
    Reader,
    Scope,
    Standing,
    StepTaken,
    Tally,
    Tombstone,
    Ways,
    Weight,
)
from treering.store.openness import sources_are_open
from treering.store.reference.world import Naming, World

_OF_A_MEMORY = (Mark.FORGOTTEN, Mark.ARCHIVED, Mark.PROMOTED)


class ReferenceReader:
    def __init__(self, journals: dict[str, list[Entry]], scope: Scope, all_seeing: bool = False) -> None:
        self._scope, self._journals, self._all_seeing = scope, journals, all_seeing
        self.spaces = tuple(sorted(name for name in journals if _within(name, scope)))
        self.principal = scope.principal
        self.heads: Mapping[str, Head] = {name: journals[name][-1].head() for name in self.spaces}
        own = self.heads.get(scope.space, Head())
        self.head = replace(own, at=max((head.at for head in self.heads.values() if head.at), default=None))
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
            and (which.expires_by is None or _expires(memory, which.expires_by))
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
        marks = tuple(mark for mark in _OF_A_MEMORY if (record.id, mark) in world.marks)
        usage = self._usage(world, record.id, None)
        written = {one.name: getattr(record, one.name) for one in fields(record)}
        written["strength"] = usage.strengthen(record.strength)
        if Mark.PROMOTED in marks:
            written["tier"] = Tier.LONG
        return Memory(
            **written,
            state=state,
            valid_from=begins,
            valid_until=max(begins, min(ends)) if ends else None,
            superseded_by=superseding[0].source_id if superseding else None,
            marks=marks,
            use_count=usage.count,
            last_used=usage.last or record.recorded_at,
            review_count=usage.reviews,
            cross_domain_count=usage.cross_domains,
        )

    def usage(self, memory_ids: Iterable[str], since: datetime | None = None) -> dict[str, Usage]:
        asked = set(memory_ids)
        found = {
            record.id: self._usage(world, record.id, since)
            for world in self._worlds.values()
            for record in world.memories.values()
            if record.id in asked and self._sees(record)
        }
        return {memory_id: usage for memory_id, usage in found.items() if usage.last is not None}

    def standing(self, among: Iterable[str] | None = None) -> Iterator[Standing]:
        for one in self.memories(MemoryFilter(ids=None if among is None else tuple(among))):
            promoted = Mark.PROMOTED in one.marks
            yield Standing(
                one.id,
                one.kind,
                one.tags,
                one.importance,
                one.strength,
                one.tier,
                promoted,
                one.recorded_at,
                one.use_count,
                one.last_used,
                one.said_at,
            )

    def cited(self, memory_ids: Iterable[str]) -> set[str]:
        asked, resting = set(memory_ids), set[str | None]()
        for edge in self.edges(EdgeFilter()):
            if edge.family is Family.FACT:
                resting.add(edge.memory_id)
            elif edge.relation == Link.DERIVED_FROM:
                resting.add(edge.target_id)
            elif edge.relation == Link.HAS_DECISION:
                resting |= {edge.source_id, edge.target_id}
        return asked & {one for one in resting if one is not None and self.memory(one) is not None}

    def tally(self, since: Sequence[datetime], ops: Sequence[str]) -> Tally:
        touched = {end for edge in self.edges(EdgeFilter()) for end in (edge.source_id, edge.target_id)}
        known = self.memories(MemoryFilter(view=View.ALL))
        entries = [entry for name in self.spaces for entry in self._journals[name]]
        return Tally(
            sum(one.id not in touched for one in self.memories(MemoryFilter())),
            tuple(sum(memory.recorded_at > point for memory in known) for point in since),
            max((entry.at for entry in entries if entry.op in ops and self.moment.knows(entry.at)), default=None),
        )

    def _usage(self, world: World, memory_id: str, since: datetime | None) -> Usage:
        uses = [
            (use, when) for use, when in world.used if use.memory_id == memory_id and (since is None or when >= since)
        ]
        return Usage(
            count=sum(use.times for use, _ in uses),
            last=max((when for _, when in uses), default=None),
            reviews=sum(use.times for use, _ in uses if use.how in (Use.REVIEWED, Use.OBSERVED)),
            cross_domains=sum(use.cross_domain for use, _ in uses),
            boost=round(sum(use.boost for use, _ in uses), 9),
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

    def mentioned(self, memory_ids: Iterable[str]) -> list[tuple[str, str]]:
        which = EdgeFilter(source_ids=tuple(memory_ids), relations=(MENTION,), include_closed=True)
        return [(edge.source_id, edge.target_id) for edge in self.edges(which)]

    def mentions_of(self, entity_ids: Iterable[str], limit: int) -> dict[str, list[str]]:
        return {one: self.mentions(one, limit) for one in entity_ids}

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

    def named_like(self, beginning: str, limit: int) -> list[tuple[str, str]]:
        found = {
            (fold(naming.name), entity_id, self._canonical(world, entity_id))
            for world in self._worlds.values()
            for entity_id in world.entities
            for naming in self._namings_seen(world, entity_id)
            if fold(naming.name).startswith(beginning)
        }
        return [(name, whole) for name, _, whole in sorted(found)[:limit]]

    def source(self, source_id: str) -> Source | None:
        for world in self._worlds.values():
            if source_id in world.sources:
                return self._open_source(world, world.sources[source_id])
        return None

    def _open_source(self, world: World, source: Source) -> Source | None:
        resting = [memory for memory in world.memories.values() if memory.source_id == source.id]
        if resting:
            return source if any(self._sees(memory) for memory in resting) else None
        return source if self._all_seeing or not source.visible_to or self.principal in source.visible_to else None

    def said(self, session: str, limit: int) -> list[Source]:
        found = [
            source
            for world in self._worlds.values()
            for source in world.sources.values()
            if source.session == session and self._open_source(world, source)
        ]
        return sorted(found, key=lambda source: (source.recorded_at, source.id))[-limit:]

    def documents(self, content: str) -> list[Source]:
        found = [
            source
            for world in self._worlds.values()
            for source in world.sources.values()
            if source.kind in (SourceKind.DOCUMENT, SourceKind.FILE)
            and source.content == content
            and self._open_source(world, source)
        ]
        return sorted(found, key=lambda source: (source.recorded_at, source.id))

    def waiting(self, limit: int | None = None, among: Iterable[str] | None = None) -> list[Source]:
        asked = None if among is None else set(among)
        found = [
            source
            for world in self._worlds.values()
            for source in world.sources.values()
            if (source.id, Mark.WAITING) in world.marks
            and (asked is None or source.id in asked)
            and self._open_source(world, source)
        ]
        return sorted(found, key=lambda source: (source.recorded_at, source.id))[:limit]

    def evidence(self, memory_ids: Iterable[str], undone: bool = False) -> list[Evidence]:
        asked = set(memory_ids)
        found = [
            (since, Evidence(one.memory_id, one.source_id, one.span))
            for world in self._worlds.values()
            for one, since, counts in world.reinforced
            if one.memory_id in asked and (counts or undone) and self._sees(world.memories[one.memory_id])
        ]
        return [one for _, one in sorted(found, key=lambda pair: (pair[0], pair[1].source_id))]

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
        vouching: set[str | None] = {*world.attested.get(edge.id, ())}
        return replace(
            edge,
            source_id=self._canonical(world, edge.source_id),
            target_id=self._canonical(world, edge.target_id),
            forgotten_at=world.marks.get((edge.id, Mark.FORGOTTEN)),
            attestation=attestation(
                edge.signature is not None or edge.observed_by in vouching, bool(vouching - {edge.observed_by})
            ),
        )

    def _selected(self, world: World, edge: Edge, which: EdgeFilter) -> bool:
        source, target = self._canonical(world, edge.source_id), self._canonical(world, edge.target_id)
        return (
            (which.ids is None or edge.id in which.ids)
            and self._is_one_of(world, which.source_ids, source)
            and self._is_one_of(world, which.target_ids, target)
            and self._is_one_of(world, which.either_ids, source, target)
            and which.evidence_id in (None, edge.memory_id)
            and (which.evidence_ids is None or edge.memory_id in which.evidence_ids)
            and (which.relations is None or edge.relation in which.relations)
            and (not which.facts_only or edge.family is Family.FACT)
            and (which.include_closed or edge.period.holds(self.moment.as_of))
            and (which.begins_or_ends is None or _turns(edge, *which.begins_or_ends))
        )

    def crossings(self, space: str, nodes: Iterable[str], ways: Ways, limit: int) -> list[Crossing]:
        if space not in self._worlds:
            return []
        world, asked, found = self._worlds[space], tuple(nodes), []
        for outward, relations in ways.sides:
            which = EdgeFilter(
                source_ids=asked if outward else None,
                target_ids=None if outward else asked,
                relations=relations,
                include_closed=ways.include_closed,
            )
            for edge in world.edges.values():
                if self._believed(world, edge) and self._selected(world, edge, which):
                    seen = self._seen(world, edge)
                    here, there = (seen.source_id, seen.target_id) if outward else (seen.target_id, seen.source_id)
                    found.append((here, not outward, edge.relation, edge.id, there))
        return [
            Crossing(edge_id, here, there, relation, not against)
            for here, against, relation, edge_id, there in sorted(found)[:limit]
        ]

    def steps(self, space: str, nodes: Iterable[str], ways: Ways, limit: int) -> list[StepTaken]:
        return [one[:3] for one in self.crossings(space, nodes, ways, limit)]

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

    def events(self, *thing_ids: str) -> list[Event]:
        told, asked = [], set(thing_ids)
        for name, world in self._worlds.items():
            for entry in self._journals[name]:
                for index, change in entry.numbered_changes:
                    known = self.moment.knows(entry.at) or isinstance(change, Purged)
                    if known and not asked.isdisjoint(change.about) and self._may_tell(world, change):
                        told.append(Event(name, entry.seq, index, entry.at, entry.actor, entry.op, change))
        return sorted(told, key=lambda event: (event.at, event.space, event.index))

    def happened(self, after: int, limit: int) -> tuple[list[Event], int]:
        told: list[Event] = []
        for entry in self._journals.get(self._scope.space, [])[after : after + limit]:
            if not self.moment.knows(entry.at):
                break
            told += [
                Event(self._scope.space, entry.seq, index, entry.at, entry.actor, entry.op, change)
                for index, change in entry.numbered_changes
                if self._may_tell(self._worlds[self._scope.space], change) and sources_are_open(self, change)
            ]
            after = entry.seq
        return told, after

    def _may_tell(self, world: World, change: Change) -> bool:
        if isinstance(change, EntityMerged | EntitySplit):
            return all(self._known_by_itself(world, one) for one in change.about)
        owner = change.entity.memory_id if isinstance(change, EntityAdded) else getattr(change, "memory_id", None)
        touched = [world.memories.get(one) for one in (*change.about, *([owner] if owner else []))]
        if isinstance(change, EdgeClosed | EdgeReopened | Marked | Attested):
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
        return next((world.keys[actor][0] for world in self._worlds.values() if actor in world.keys), None)

    def signers(self) -> list[SignerInfo]:
        return [
            SignerInfo(name, actor, *world.keys[actor])
            for name, world in self._worlds.items()
            for actor in sorted(world.keys)
        ]

    def counts(self) -> Counts:
        states = [memory.state.value for memory in self.memories(MemoryFilter(view=View.ALL))]
        return Counts(
            {state.value: states.count(state) for state in State if state is not State.PURGED},
            len(self.entities()),
            len(self.edges(EdgeFilter())),
        )

    def weight(self) -> Weight:
        worlds = [self._folded_whole(name) for name in self.spaces]
        return Weight(
            sum(len(world.memories) for world in worlds),
            sum(len(source.content.encode()) for world in worlds for source in world.sources.values()),
        )

    def _folded_whole(self, name: str) -> World:
        """By all that is known, whatever the moment."""
        world = World(all_seeing=True)
        for entry in self._journals[name]:
            for change in entry.changes():
                world.take(change, entry.at)
                world.bury(change, entry.at)
        return world

    def census(self) -> dict[str, int]:
        return dict(CountOf(memory.space for memory in self.memories(MemoryFilter())))


def _expires(memory: MemoryRecord, by: datetime) -> bool:
    return memory.expires_at is not None and memory.expires_at <= by


def _memory_order(memory: Memory) -> tuple[datetime, str]:
    return memory.recorded_at, memory.id


def _turns(edge: Edge, after: datetime, until: datetime) -> bool:
    return any(turn is not None and after < turn <= until for turn in (edge.valid_from, edge.valid_until))


def _within(name: str, scope: Scope) -> bool:
    return name == scope.space or (scope.children and name.startswith(scope.space + "/"))
