"""What can be reached from here, at this moment? A walk goes breadth-first over edges that hold at the moment on every
hop; it comes to each node once and crosses each edge once, so that circles end.

It costs by the edges it visits: one statement a hop (`by_steps`), or none where an index of the edges is at hand
(`atlas`). Both give the same trail.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import field
from datetime import datetime
from typing import Protocol

from treering.graph.reached import Node, Step, nodes_of, steps_of
from treering.model.value import Value
from treering.store.contract import Reader, StepTaken, Ways
from treering.store.naming import missing
from treering.values import dataclass


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Walked(Value):
    """What a walk came to: the start first, nodes and edges by depth. `truncated`: there was more than the limit."""

    nodes: tuple[Node, ...]
    edges: tuple[Step, ...]
    depth_reached: int
    edges_walked: int
    truncated: bool
    as_of: datetime
    known_at: datetime | None


@dataclass(frozen=True, slots=True)
class WalkLimits:
    """How far a walk goes, over which edges, and how many of them at most."""

    ways: Ways
    depth: int
    limit: int


@dataclass(slots=True)
class Trail:
    """The edges that a walk crossed in one space, in order: each with where it stood, where that led, and how many
    edges that is from the start."""

    edge_ids: list[str] = field(default_factory=list)
    here: list[str] = field(default_factory=list)
    there: list[str] = field(default_factory=list)
    depth: list[int] = field(default_factory=list)
    truncated: bool = False

    def add(self, edge_ids: Sequence[str], here: Sequence[str], there: Sequence[str], depth: int) -> None:
        self.edge_ids += edge_ids
        self.here += here
        self.there += there
        self.depth += [depth] * len(edge_ids)


class Walker(Protocol):
    """One way of walking."""

    def __call__(self, reader: Reader, space: str, start: str, route: WalkLimits) -> Trail: ...


def by_steps(reader: Reader, space: str, start: str, route: WalkLimits) -> Trail:
    """The walk by asking the store for each hop: what every other way of walking is held to."""
    trail, seen, crossed, frontier = Trail(), {start}, set[str](), [start]
    for depth in range(1, route.depth + 1):
        room = route.limit - len(crossed)
        # an edge between two nodes of the frontier comes from both sides, one crossed before from its other side
        found = reader.steps(space, frontier, route.ways, 2 * (room + 1) + len(crossed))
        new = _once(found, crossed)
        if not new:
            break
        ids, here, there = zip(*new[:room], strict=True) if room else ((), (), ())
        crossed.update(ids)
        trail.add(ids, here, there, depth)
        if len(new) > room:
            trail.truncated = True
            break
        frontier = [one for one in dict.fromkeys(there) if one not in seen]
        if not frontier:
            break
        seen.update(frontier)
    return trail


def _once(found: list[StepTaken], crossed: set[str]) -> list[StepTaken]:
    """Each edge as it came first, without those crossed before."""
    ids = [one[0] for one in found]
    if len(set(ids)) == len(ids) and crossed.isdisjoint(ids):
        return found
    by_edge = dict(zip(reversed(ids), reversed(found), strict=True))
    return [by_edge[one] for one in dict.fromkeys(ids) if one not in crossed]


def graph(reader: Reader, start: str, route: WalkLimits, walker: Walker = by_steps) -> Walked:
    room, nodes, edges, truncated = route.limit, list[Node](), list[Step](), False
    for space, node in places_of(reader, start, "start").items():
        trail = walker(reader, space, node, WalkLimits(route.ways, route.depth, room))
        nodes += nodes_of(reader, space, _depths(node, trail))
        edges += steps_of(reader, space, trail.edge_ids, trail.depth, _paths(node, trail))
        room, truncated = room - len(trail.edge_ids), truncated or trail.truncated
    nodes.sort(key=lambda one: one.depth)
    edges.sort(key=lambda one: one.depth)
    return Walked(
        nodes=tuple(nodes),
        edges=tuple(edges),
        depth_reached=max((edge.depth for edge in edges), default=0),
        edges_walked=len(edges),
        truncated=truncated,
        as_of=reader.moment.as_of,
        known_at=reader.moment.known_at,
    )


def _depths(start: str, trail: Trail) -> dict[str, int]:
    depths = {start: 0}
    for there, depth in zip(trail.there, trail.depth, strict=True):
        depths.setdefault(there, depth)
    return depths


def _paths(start: str, trail: Trail) -> list[tuple[str, ...]]:
    """For each edge the nodes from the start to where it leads, by the way that came there first."""
    ways: dict[str, tuple[str, ...]] = {start: (start,)}
    paths = []
    for here, there in zip(trail.here, trail.there, strict=True):
        path = (*ways[here], there)
        ways.setdefault(there, path)
        paths.append(path)
    return paths


def places_of(reader: Reader, ref: str, field_name: str) -> dict[str, str]:
    """By space: the node that is meant. An id means one; a name means, in each space, the newest that answers to it."""
    memory = reader.memory(ref)
    if memory is not None:
        return {memory.space: memory.id}
    entity = reader.entity(ref)
    if entity is not None:
        return {entity.space: entity.id}
    newest: dict[str, str] = {}
    for one in reader.entities(ref):
        newest.setdefault(one.space, one.id)
    if not newest:
        raise missing(reader, ref, field_name, "memory or entity")
    return dict(sorted(newest.items()))
