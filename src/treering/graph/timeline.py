"""What happened to a memory or an entity, in the order of time? Its own changes, and those of the edges it is part of.

An event stands where it belongs in valid time: an edge where it begins and where it ends, whether it was written with
that end or closed later; a memory where it begins to hold and where it expires. What has no time of its own in the
world (forgetting, merging, reopening) stands where it became known; `recorded_at` is always when that was. For the
order in which things were learned there is `history`.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from datetime import datetime

from treering.graph.names import shortened
from treering.graph.story import Story, TimelineEvent
from treering.model.changes import EdgeClosed, EdgeReopened, EntityMerged, Thing
from treering.model.edge import Edge, Link
from treering.model.memory import Memory, State, View
from treering.model.value import Value
from treering.store.contract import EdgeFilter, MemoryFilter, Reader
from treering.store.naming import missing, node_of
from treering.store.support import batches
from treering.values import dataclass


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Timeline(Value):
    """What happened to one node, the earliest first. `truncated`: there were more than asked for."""

    id: str
    thing: Thing
    name: str
    events: tuple[TimelineEvent, ...]
    truncated: bool = False

    def __iter__(self) -> Iterator[TimelineEvent]:
        return iter(self.events)

    def __len__(self) -> int:
        return len(self.events)

    def __getitem__(self, place: int) -> TimelineEvent:
        return self.events[place]


@dataclass(frozen=True, slots=True)
class TimelineLimits:
    """Which of the events are wanted: from `since` on and before `until`, of some relations, so many at most."""

    since: datetime | None = None
    until: datetime | None = None
    relations: tuple[str, ...] | None = None
    limit: int | None = None

    def holds(self, event: TimelineEvent) -> bool:
        return (
            (self.since is None or event.at >= self.since)
            and (self.until is None or event.at < self.until)
            and (self.relations is None or event.relation in self.relations)
        )


def timeline(reader: Reader, node: str, which: TimelineLimits) -> Timeline:
    gone = reader.tombstone(node)
    thing, node_id = (gone.thing, node) if gone is not None else node_of(reader, node, "node")
    if thing not in (Thing.MEMORY, Thing.ENTITY):
        raise missing(reader, node, "node", "memory or entity")
    own = {node_id, *_merged_in(reader, node_id)} if thing is Thing.ENTITY else {node_id}
    memories, edges = _around(reader, thing, node_id)
    story = Story(reader, thing, node_id, own, edges, memories)
    events = [event for event in story.told() if which.holds(event)]
    memory = memories.get(node_id)
    return Timeline(
        id=node_id,
        thing=thing,
        name=shortened(memory.content) if memory else story.names.of(node_id),
        events=tuple(events[: which.limit]),
        truncated=which.limit is not None and len(events) > which.limit,
    )


def _merged_in(reader: Reader, entity_id: str) -> Iterator[str]:
    """The entities that this one stands for as well."""
    seen, waiting = {entity_id}, [entity_id]
    while waiting:
        into_id = waiting.pop()
        for event in reader.events(into_id):
            match event.change:
                case EntityMerged(one, into) if into == into_id and one not in seen:
                    whole = reader.entity(one)
                    if whole is not None and whole.id == entity_id:
                        seen.add(one)
                        waiting.append(one)
                        yield one


def _around(reader: Reader, thing: Thing, node_id: str) -> tuple[dict[str, Memory], dict[str, Edge]]:
    """The edges whose changes are told, and the memories that they touch or rest on. What rests on, or leads to,
    another memory that is forgotten is hidden by that."""
    found = _every(reader, EdgeFilter(either_ids=(node_id,)))
    if thing is Thing.MEMORY:
        moved = [event.change for event in reader.events(node_id)]
        closed_by_it = tuple(one.edge_id for one in moved if isinstance(one, EdgeClosed | EdgeReopened))
        found += _every(reader, EdgeFilter(evidence_ids=(node_id,))) + _every(reader, EdgeFilter(ids=closed_by_it))
    else:
        # an entity's edges come and go with what they rest on
        resting = sorted({edge.memory_id for edge in found if edge.memory_id is not None})
        for some in batches(resting):
            superseding = EdgeFilter(target_ids=tuple(some), relations=(Link.SUPERSEDES.value,))
            found += _every(reader, superseding)
    memories: dict[str, Memory] = {}
    touched = {node_id, *(one for edge in found for one in _touched(edge))}
    for some in batches(sorted(touched)):
        them = reader.memories(MemoryFilter(view=View.ALL, ids=tuple(some)))
        memories.update({memory.id: memory for memory in them})
    forgotten = {one for one, memory in memories.items() if memory.state is State.FORGOTTEN and one != node_id}
    return memories, {edge.id: edge for edge in found if forgotten.isdisjoint(_touched(edge))}


def _touched(edge: Edge) -> set[str]:
    return {one for one in (edge.source_id, edge.target_id, edge.memory_id) if one is not None}


def _every(reader: Reader, which: EdgeFilter) -> list[Edge]:
    return reader.edges(replace(which, include_closed=True, include_forgotten=True))
