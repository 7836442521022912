"""What was known, and true, at this moment? The journal folded anew for every read, so that each answer can be checked
by eye. Its parts are this folder's other pages; here is what looks at all of them."""

from __future__ import annotations

from collections import Counter as CountOf
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any

from treering.model.changes import (
    Attested,
    Change,
    EdgeClosed,
    EdgeReopened,
    EdgeRepeated,
    EntityAdded,
    EntityMerged,
    EntitySplit,
    Kept,
    Marked,
    Purged,
    Received,
)
from treering.model.edge import Family, Link
from treering.model.journal import SYNC, Entry
from treering.model.memory import State, View
from treering.model.setting import SETTINGS
from treering.model.space import SignerInfo
from treering.model.time import to_micros
from treering.store.contract import ClockTurn, Counts, EdgeFilter, Event, MemoryFilter, Reader, Tally, Tombstone, Weight
from treering.store.openness import is_told, sources_are_open
from treering.store.reference.entities import ReferenceEntities
from treering.store.reference.folded import FoldedSpace
from treering.store.reference.memories import ReferenceMemories
from treering.store.reference.sources import ReferenceSources


class ReferenceReader(ReferenceEntities, ReferenceMemories, ReferenceSources):
    def all_seeing(self) -> Reader:
        return ReferenceReader(self._journals, self._scope, all_seeing=True)

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

    def _may_tell(self, world: FoldedSpace, change: Change) -> bool:
        if isinstance(change, Kept | Received):
            return world.all_seeing
        if isinstance(change, EntityMerged | EntitySplit):
            return all(self._known_by_itself(world, one) for one in change.about)
        owner = change.entity.memory_id if isinstance(change, EntityAdded) else getattr(change, "memory_id", None)
        touched = [world.memories.get(one) for one in (*change.about, *([owner] if owner else []))]
        if isinstance(change, EdgeClosed | EdgeReopened | EdgeRepeated | Marked | Attested):
            edge = world.edges.get(change.about[0])
            if edge is not None and not self._open_to_us(world, edge):
                return False
        return all(memory is None or self._sees(memory) for memory in touched)

    def titles(self) -> list[str]:
        given = (memory.title for world in self._worlds.values() for memory in world.memories.values())
        return sorted({title for title in given if title is not None})

    def ids_ending(self, ending: str, limit: int) -> list[str]:
        found: list[str] = []
        for world in self._worlds.values():
            for things in (world.memories, world.entities, world.edges, world.sources):
                found += [one for one in things if one.endswith(ending)]
        return sorted(found)[:limit]

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

    def _folded_whole(self, name: str) -> FoldedSpace:
        """By all that is known, whatever the moment."""
        world = FoldedSpace(all_seeing=True)
        for entry in self._journals[name]:
            for change in entry.changes():
                world.take(change, entry.at, entry.op == SYNC)
                world.bury(change, entry.at)
        return world

    def facets(self, which: MemoryFilter) -> dict[str, dict[str, int]]:
        found = self.memories(replace(which, limit=None, after=None))
        sources = self.sources(memory.source_id for memory in found)
        said = [sources[memory.source_id] for memory in found if memory.source_id in sources]
        return {
            "kind": dict(CountOf(one.kind.value for one in found)),
            "state": dict(CountOf(one.state.value for one in found)),
            "tier": dict(CountOf(one.tier.value for one in found)),
            "tag": dict(CountOf(tag for one in found for tag in one.tags)),
            "speaker": dict(CountOf(one.speaker for one in said if one.speaker is not None)),
            "session": dict(CountOf(one.session for one in said if one.session is not None)),
        }

    def turns(self, clock: str) -> list[ClockTurn]:
        changes, memories = CountOf[int](), CountOf[int]()
        if clock == "known":
            changes.update(to_micros(entry.at) for entry in self._told_entries() if self.moment.knows(entry.at))
            memories.update(to_micros(one.recorded_at) for one in self.memories(MemoryFilter(view=View.ALL)))
        else:
            held = [one for one in self.memories(MemoryFilter(view=View.ALL)) if one.state is not State.FORGOTTEN]
            memories.update(to_micros(one.valid_from) for one in held)
            changes.update(memories)
            for edge in self.edges(EdgeFilter(facts_only=True, include_closed=True)):
                changes.update(to_micros(one) for one in (edge.valid_from, edge.valid_until) if one is not None)
        return [ClockTurn(at, changes[at], memories[at]) for at in sorted(changes)]

    def last_told(self) -> datetime | None:
        if self._all_seeing:
            return self.head.at
        # what is private is not yet known to be at an earlier moment
        latest = ReferenceReader(self._journals, replace(self._scope, known_at=None))
        return max((entry.at for entry in latest._told_entries()), default=None)

    def _told_entries(self) -> Iterator[Entry]:
        for name, world in self._worlds.items():
            for entry in self._journals[name]:
                changes = (change for _, change in entry.numbered_changes)
                if any(self._may_tell(world, one) and sources_are_open(self, one) and is_told(one) for one in changes):
                    yield entry

    def census(self) -> dict[str, int]:
        return dict(CountOf(memory.space for memory in self.memories(MemoryFilter())))
