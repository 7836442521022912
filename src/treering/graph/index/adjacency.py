"""What does a walk need to know of a space without asking the store? Its edges, and what keeps them from being crossed:
forgetting, privacy, merges. It follows the journal entry by entry.

It knows what is known now, for any point in valid time. It does not answer where who asks may not see what a window or
a merge rests on: that is the store's to say (`serves`).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable

import numpy as np

from treering.graph.index.columns import Numbers, distinct, texts
from treering.graph.index.edges import NONE, EdgeTable
from treering.graph.walk import Trail, WalkLimits
from treering.model.changes import (
    Change,
    EdgeAdded,
    EdgeClosed,
    EdgeReopened,
    EntityMerged,
    EntitySplit,
    Marked,
    MemoryAdded,
    Purged,
)
from treering.model.edge import Edge
from treering.model.journal import Entry, Head
from treering.model.memory import Mark, Visibility
from treering.model.time import to_micros
from treering.store.contract import EdgeVisibility, IndexedEdge, Ways
from treering.values import dataclass

SETTLE = 2_000
"""Edges that have come later are put in their place when there are more than this, and more than an eighth of all."""
_FOREVER = (1 << 63) - 1


class Adjacency:
    def __init__(self, head: Head, ties: Iterable[IndexedEdge], edge_visibility: EdgeVisibility) -> None:
        self.seq, self.hash = head.seq, head.hash
        self._stale = False
        """Whether what is told by number is behind what is told by id."""
        self.edges = EdgeTable(ties)
        self._forgotten = set(edge_visibility.forgotten)
        self._private = dict(edge_visibility.private)
        self._merged = dict(edge_visibility.merged)
        self._secret_moves = set(edge_visibility.secret_moves)
        self._shade()

    # following

    def take(self, entry: Entry) -> bool:
        """Learns one more entry; false if it cannot, and must be made anew: what was purged must not live on in it."""
        evidence = set[str]()
        for change in entry.changes():
            if isinstance(change, Purged):
                return False
            evidence |= self._learn(change)
        self._secret_moves |= evidence & self._private.keys()
        self.seq, self.hash = entry.seq, entry.hash
        return True

    def _learn(self, change: Change) -> set[str]:
        """Answers the memory that a window's end rests on, if it does."""
        match change:
            case EdgeAdded(edge):
                self.edges.add(_tie(edge))
                touched = {edge.source_id, edge.target_id, edge.memory_id}
                self._stale |= not touched.isdisjoint(self._forgotten) or not touched.isdisjoint(self._private)
            case EdgeClosed() | EdgeReopened():
                ends = change.valid_until
                self.edges.move(change.edge_id, _FOREVER if ends is None else to_micros(ends))
                return {change.evidence} if change.evidence else set()
            case Marked(_, thing_id, Mark.FORGOTTEN, on):
                (self._forgotten.add if on else self._forgotten.discard)(thing_id)
                self._stale = True
            case MemoryAdded(memory) if memory.visibility is Visibility.PRIVATE:
                who = (memory.observed_by, *memory.visible_to)
                self._private[memory.id] = frozenset(one for one in who if one is not None)
                self._dark_for.clear()
            case EntityMerged(entity_id, into_id):
                self._merged[entity_id] = into_id
                self._stale = True
            case EntitySplit(entity_id):
                self._merged.pop(entity_id, None)
                self._stale = True
        return set()

    def _shade(self) -> None:
        """What is told by id, by number. There is room for some that are still to come."""
        edges, nodes = self.edges, self.edges.nodes
        whole = {one: self._whole(one) for one in self._merged}
        self._members: dict[int, list[int]] = defaultdict(list)
        for one, into in whole.items():
            self._members[nodes.number(into)].append(nodes.number(one))
        self._room = (len(nodes) + len(nodes) // 8 + 64, len(edges) + len(edges) // 8 + 64)
        self._been, self._crossed = (np.zeros(size, bool) for size in self._room)
        self._canonical = np.arange(self._room[0], dtype=np.int32) if whole else None
        for into_number, members in self._members.items():
            self._canonical[members] = into_number  # type: ignore[index]
            members.append(into_number)
        self._dark_nodes = [number for one in self._forgotten if (number := nodes.find(one)) != NONE]
        dark_edges = [number for one in self._forgotten if (number := edges.find(one)) != NONE]
        self._dark_edges = _marks(self._room[1], dark_edges) if dark_edges else None
        self._dark_for: dict[str | None, Numbers | None] = {}
        self._stale = False

    def _freshen(self) -> None:
        if self.edges.later > max(SETTLE, len(self.edges) // 8):
            self.edges.settle()
            self._shade()
        elif self._stale or len(self.edges.nodes) >= self._room[0] or len(self.edges) > self._room[1]:
            self._shade()

    def _whole(self, entity_id: str) -> str:
        while entity_id in self._merged:
            entity_id = self._merged[entity_id]
        return entity_id

    # who may walk

    def serves(self, principal: str | None) -> bool:
        """Whether it knows all that counts for who asks."""
        closed = self._closed_to(principal)
        return not closed or not (self._merged or closed & self._secret_moves)

    def _closed_to(self, principal: str | None) -> set[str]:
        return {memory for memory, who in self._private.items() if principal not in who}

    def _dark(self, principal: str | None) -> Numbers | None:
        """Marks the memories whose edges are not crossed; the last place stands for none. None if there are no such."""
        if principal not in self._dark_for:
            found = (self.edges.nodes.find(one) for one in self._closed_to(principal))
            numbers = [*self._dark_nodes, *(number for number in found if number != NONE)]
            self._dark_for[principal] = _marks(self._room[0], numbers) if numbers else None
        return self._dark_for[principal]

    # walking

    def walk(self, start: str, route: WalkLimits, as_of: int, principal: str | None) -> Trail:
        self._freshen()
        began = self.edges.nodes.find(start)
        if began == NONE:
            return Trail()
        hops, sides = list[_Hop](), self._sides(route.ways)
        try:
            moment = None if route.ways.include_closed else as_of
            truncated = self._walk(began, route, _Gate(sides, moment, self._dark(principal)), hops)
        finally:
            self._been[began] = False
            for hop in hops:
                self._been[hop.there] = False
                self._crossed[hop.edges] = False
        return self._told(hops, truncated)

    def _sides(self, ways: Ways) -> list[tuple[bool, Numbers | None]]:
        """The sides on which there is anything to cross, with the numbers of the relations; none is all of them."""
        sides = list[tuple[bool, Numbers | None]]()
        for outward, relations in ways.sides:
            numbers = None if relations is None else [self.edges.relation(one) for one in relations]
            known = None if numbers is None else np.array([one for one in numbers if one != NONE], np.int32)
            if known is None or len(known):
                sides.append((outward, known))
        return sides

    def _walk(self, began: int, route: WalkLimits, gate: _Gate, hops: list[_Hop]) -> bool:
        """Fills `hops`; whether there was more than the limit."""
        frontier, room = np.array([began], np.int64), route.limit
        self._been[began] = True
        for _ in range(route.depth):
            hop = self._hop(frontier, gate)
            truncated = len(hop.edges) > room
            hops.append(hop.first(room))
            room -= len(hops[-1].edges)
            self._crossed[hops[-1].edges] = True
            there = hops[-1].there
            frontier = distinct(there[~self._been[there]])
            if truncated or not len(frontier):
                return truncated
            self._been[frontier] = True
            frontier = self.edges.nodes.in_order(frontier)
        return False

    def _hop(self, frontier: Numbers, gate: _Gate) -> _Hop:
        """The edges that may be crossed from these nodes and were not yet, in order."""
        nodes, places = self._with_members(frontier)
        found, ordered = list[tuple[Numbers, Numbers, Numbers]](), places is None
        for outward, relations in gate.sides:
            edges, at, in_order = self.edges.leading(nodes, outward)
            keep = self._may_cross(edges, relations, gate)
            edges, at = edges[keep], at[keep]
            found.append((edges, at if places is None else places[at], np.full(len(edges), outward)))
            ordered = ordered and in_order
        if len(found) == 1:
            edges, at, along = found[0]
        else:
            edges, at, along = (np.concatenate(column) for column in zip(*found, strict=True)) if found else _NOTHING
        if not ordered or len(found) > 1:
            order = self._order(edges, at, along, ordered)
            edges, at, along = edges[order], at[order], along[order]
        if len(found) == 1:
            there = self.edges["target" if gate.sides[0][0] else "source"][edges]
        else:
            there = np.where(along, self.edges["target"][edges], self.edges["source"][edges])
        hop = _Hop(edges, frontier[at], there if self._canonical is None else self._canonical[there])
        return hop.once(self._crossed) if len(found) > 1 else hop

    def _order(self, edges: Numbers, at: Numbers, along: Numbers, by_side: bool) -> Numbers:
        """By node, along before against, relation, id; `by_side`: they are so already on either side."""
        if by_side:
            return np.argsort(at * 2 + ~along, kind="stable")
        rank = self.edges.rank[self.edges["relation"][edges]]
        return np.lexsort((self.edges["low"][edges], self.edges["high"][edges], rank, ~along, at))

    def _with_members(self, frontier: Numbers) -> tuple[Numbers, Numbers | None]:
        """These nodes and all that is merged into them; if there is any such, each with the place of its whole."""
        if not self._members or not any(one in self._members for one in frontier.tolist()):
            return frontier, None
        pairs = [
            (member, place)
            for place, one in enumerate(frontier.tolist())
            for member in sorted(self._members.get(one, (one,)))
        ]
        here, places = (np.array(column, np.int64) for column in zip(*pairs, strict=True))
        return here, places

    def _may_cross(self, e: Numbers, relations: Numbers | None, gate: _Gate) -> Numbers:
        edges = self.edges
        if gate.as_of is None:
            keep = np.ones(len(e), bool)
        else:
            keep = (edges["begins"][e] <= gate.as_of) & (edges["ends"][e] > gate.as_of)
        if relations is not None:
            own = edges["relation"][e]
            keep &= own == relations[0] if len(relations) == 1 else np.isin(own, relations)
        if gate.dark is not None:
            for end in ("source", "target", "evidence"):
                keep &= ~gate.dark[edges[end][e]]
        if self._dark_edges is not None:
            keep &= ~self._dark_edges[e]
        return keep

    def _told(self, hops: list[_Hop], truncated: bool) -> Trail:
        crossed = np.concatenate([hop.edges for hop in hops])
        here, there = np.concatenate([hop.here for hop in hops]), np.concatenate([hop.there for hop in hops])
        names, depths = self.edges.nodes.names, list[int]()
        for depth, hop in enumerate(hops, 1):
            depths += [depth] * len(hop.edges)
        return Trail(
            texts(self.edges["high"][crossed], self.edges["low"][crossed]),
            names[here].tolist(),
            names[there].tolist(),
            depths,
            truncated,
        )


@dataclass(frozen=True, slots=True)
class _Gate:
    """What lets an edge be crossed: its side and relation, its window (none: any), and no memory in the dark."""

    sides: list[tuple[bool, Numbers | None]]
    as_of: int | None
    dark: Numbers | None


class _Hop:
    """The edges crossed on one hop, with the nodes they were crossed from and to."""

    __slots__ = ("edges", "here", "there")

    def __init__(self, edges: Numbers, here: Numbers, there: Numbers) -> None:
        self.edges, self.here, self.there = edges, here, there

    def first(self, most: int) -> _Hop:
        return self if len(self.edges) <= most else self._only(slice(most))

    def once(self, crossed: Numbers) -> _Hop:
        """Without what was crossed before, and each only once."""
        _, first = np.unique(self.edges, return_index=True)
        first.sort()
        return self._only(first[~crossed[self.edges[first]]])

    def _only(self, which: Numbers | slice) -> _Hop:
        return _Hop(self.edges[which], self.here[which], self.there[which])


_NOTHING = (np.zeros(0, np.int64), np.zeros(0, np.int64), np.zeros(0, bool))


def _marks(size: int, numbers: list[int]) -> Numbers:
    marks = np.zeros(size, bool)
    marks[numbers] = True
    return marks


def _tie(edge: Edge) -> IndexedEdge:
    return IndexedEdge(
        edge.id,
        edge.source_id,
        edge.target_id,
        edge.relation,
        to_micros(edge.valid_from),
        _FOREVER if edge.valid_until is None else to_micros(edge.valid_until),
        to_micros(edge.recorded_at),
        edge.memory_id,
    )
