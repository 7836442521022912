"""Which memories are there at this moment, and in which state? A state is worked out from marks, edges and times for
each read, and so is what use was made of a memory."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import fields
from datetime import datetime

from treering.model.edge import Edge, Family, Link
from treering.model.memory import SHOWN, Mark, Memory, MemoryRecord, State, Tier, Usage, Use, View
from treering.store.contract import EdgeFilter, HiddenMemories, MemoryFilter, Standing
from treering.store.contract.asked import spellings
from treering.store.reference.edges import ReferenceEdges
from treering.store.reference.folded import FoldedSpace

_OF_A_MEMORY = (Mark.FORGOTTEN, Mark.ARCHIVED, Mark.PROMOTED)


class ReferenceMemories(ReferenceEdges):
    def memory(self, memory_id: str) -> Memory | None:
        for world in self._worlds.values():
            record = world.memories.get(memory_id)
            if record and self._sees(record):
                return self._at_moment(world, record)
        return None

    def on_hold(self, among: Iterable[str] | None = None) -> list[str]:
        asked = None if among is None else set(among)
        found = [
            (since, thing_id)
            for world in self._worlds.values()
            for (thing_id, mark), since in world.marks.items()
            if mark is Mark.HELD and thing_id in world.memories and (asked is None or thing_id in asked)
            and self._sees(world.memories[thing_id])
        ]  # fmt: skip
        return [thing_id for _, thing_id in sorted(found)]

    def memories(self, which: MemoryFilter) -> list[Memory]:
        found = [
            self._at_moment(world, record)
            for world in self._worlds.values()
            for record in world.memories.values()
            if self._sees(record) and self._passes(world, record, which)
        ]
        found = [
            memory
            for memory in found
            if self._shown(memory, which.view)
            and (which.states is None or memory.state in which.states)
            and (which.tiers is None or memory.tier in which.tiers)
        ]
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

    def _passes(self, world: FoldedSpace, memory: MemoryRecord, which: MemoryFilter) -> bool:
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
            and all(any(one in memory.content for one in spellings(word)) for word in which.words)
            and (which.since is None or memory.holds_from >= which.since)
            and (which.until is None or memory.holds_from < which.until)
            and (which.expires_by is None or _expires(memory, which.expires_by))
        )

    def _mentions(self, memory_id: str, entity_ids: tuple[str, ...]) -> bool:
        about = self.edges(EdgeFilter(source_ids=(memory_id,), target_ids=entity_ids, include_closed=True))
        return any(edge.family is Family.MENTION for edge in about)

    def _at_moment(self, world: FoldedSpace, record: MemoryRecord) -> Memory:
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

    def _superseding(self, world: FoldedSpace, memory_id: str) -> Iterator[Edge]:
        """The supersedes edges that stand or are to come at the moment; a closed one replaces nothing any more."""
        for edge in world.edges.values():
            if edge.target_id == memory_id and edge.relation == Link.SUPERSEDES and self._believed(world, edge):
                over = edge.valid_until is not None and edge.valid_until <= self.moment.as_of
                if not over and not edge.period.empty:
                    yield edge

    def usage(self, memory_ids: Iterable[str], since: datetime | None = None) -> dict[str, Usage]:
        asked = set(memory_ids)
        found = {
            record.id: self._usage(world, record.id, since)
            for world in self._worlds.values()
            for record in world.memories.values()
            if record.id in asked and self._sees(record)
        }
        return {memory_id: usage for memory_id, usage in found.items() if usage.last is not None}

    def _usage(self, world: FoldedSpace, memory_id: str, since: datetime | None) -> Usage:
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

    def hidden(self, view: View) -> HiddenMemories:
        """All that it leaves out, and for no longer than this moment."""
        shown = {memory.id for memory in self.memories(MemoryFilter(view=view))}
        known = {memory_id for world in self._worlds.values() for memory_id in world.memories}
        return HiddenMemories(frozenset(known - shown), self.moment.as_of)

    def mentioning(self, entity_ids: Iterable[str]) -> set[str]:
        which = MemoryFilter(view=View.ALL, entity_ids=tuple(entity_ids))
        return {memory.id for memory in self.memories(which)}


def _expires(memory: MemoryRecord, by: datetime) -> bool:
    return memory.expires_at is not None and memory.expires_at <= by


def _memory_order(memory: Memory) -> tuple[datetime, str]:
    return memory.recorded_at, memory.id
