"""How are two things connected, at this moment? The shortest explanations first: paths over edges that hold, either way
along them, each edge with the memory it rests on.

Both ends are walked from, the one with less around it first, until the two walks together are as long as the path
looked for: what lies further away is never looked at.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from typing import Protocol

from treering.errors import InvalidRequest, LimitExceeded
from treering.graph.reached import Node, Step, edges_of, nodes_of, step_of
from treering.graph.walk import places_of
from treering.model.edge import Direction
from treering.model.value import Value
from treering.store.contract import Crossing, Reader, Ways
from treering.values import dataclass

MOST_EDGES = 50_000
"""More than this is not looked at for one answer."""
MOST_TRIES = 200_000
"""Nor are more steps tried for paths of one length."""


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Path(Value):
    """One explanation: the nodes from one end to the other, and the edges between them, each as it was written."""

    length: int
    nodes: tuple[Node, ...]
    edges: tuple[Step, ...]


class EdgeSource(Protocol):
    """What knows which edges lead away from nodes: a reader, or an index."""

    def crossings(self, space: str, nodes: list[str], ways: Ways, limit: int) -> list[Crossing]: ...


@dataclass(frozen=True, slots=True)
class PathLimits:
    """How long a path may be, over which relations, and how many of them."""

    relations: tuple[str, ...] | None
    max_depth: int
    limit: int


def paths(reader: Reader, a: str, b: str, wanted: PathLimits, terrain: EdgeSource | None = None) -> list[Path]:
    ours, theirs = places_of(reader, a, "a"), places_of(reader, b, "b")
    found: list[tuple[int, str, list[Crossing]]] = []
    for space in sorted(ours.keys() & theirs.keys()):
        if ours[space] == theirs[space]:
            raise InvalidRequest(f"b: {b!r} is the same as a; give two things to connect")
        search = _Search(terrain or reader, space, wanted)
        found += [(len(steps), space, steps) for steps in search.run(ours[space], theirs[space])]
    found.sort(key=lambda one: one[:2])
    return [_told(reader, space, steps) for _, space, steps in found[: wanted.limit]]


def _told(reader: Reader, space: str, steps: list[Crossing]) -> Path:
    ids = [steps[0].here, *(step.there for step in steps)]
    edges = edges_of(reader, space, [step.edge_id for step in steps])
    return Path(
        length=len(steps),
        nodes=tuple(nodes_of(reader, space, {one: place for place, one in enumerate(ids)})),
        edges=tuple(
            step_of(edges[step.edge_id], place, tuple(ids[: place + 1])) for place, step in enumerate(steps, 1)
        ),
    )


class _Side:
    """One of the two walks: what it has come to, and where it would go on."""

    def __init__(self, start: str) -> None:
        self.seen, self.frontier = {start}, [start]


class _Search:
    def __init__(self, terrain: EdgeSource, space: str, wanted: PathLimits) -> None:
        self._terrain, self._space, self._wanted = terrain, space, wanted
        self._ways = Ways(Direction.BOTH, wanted.relations)
        self._known: dict[str, dict[str, Crossing]] = {}
        """By node and edge: every edge met so far, from both of its ends."""
        self._expanded: set[str] = set()
        self._met = 0

    def run(self, a: str, b: str) -> list[list[Crossing]]:
        sides, found = (_Side(a), _Side(b)), list[list[Crossing]]()
        for length in range(1, self._wanted.max_depth + 1):
            # where one side has nowhere to go on, all that is connected with it is known
            if all(side.frontier for side in sides) and not self._expand(min(sides, key=lambda one: len(one.frontier))):
                if found:
                    break
                raise LimitExceeded(
                    f"max_depth: more than {MOST_EDGES:,} edges lie between a and b within {length} steps; "
                    "give relations, or a smaller max_depth"
                )
            room = self._wanted.limit - len(found)
            far = self._distances(b, length)
            tries = iter(range(MOST_TRIES))
            for steps, _ in zip(self._of_length([], a, b, length, far, tries), range(room), strict=False):
                found.append(steps)
            if len(found) >= self._wanted.limit:
                break
        return found

    def _expand(self, side: _Side) -> bool:
        """One step further on this side; false if that would be too much."""
        new = [one for one in side.frontier if one not in self._expanded]
        if new:
            # an edge between two of them comes from both
            most = 2 * (MOST_EDGES - self._met) + 1
            crossings = self._terrain.crossings(self._space, new, self._ways, most)
            for one in crossings:
                self._learn(one)
            if self._met > MOST_EDGES or len(crossings) == most:
                return False
        self._expanded.update(new)
        following = dict.fromkeys(there.there for one in side.frontier for there in self._known.get(one, {}).values())
        side.frontier = [one for one in following if one not in side.seen]
        side.seen.update(side.frontier)
        return True

    def _learn(self, one: Crossing) -> None:
        here = self._known.setdefault(one.here, {})
        if one.edge_id in here or one.here == one.there:
            return
        self._met += 1
        here[one.edge_id] = one
        back = Crossing(one.edge_id, one.there, one.here, one.relation, not one.outward)
        self._known.setdefault(one.there, {})[one.edge_id] = back

    def _distances(self, goal: str, most: int) -> dict[str, int]:
        """How far each node is from the goal, as far as is known."""
        far, queue = {goal: 0}, deque([goal])
        while queue:
            here = queue.popleft()
            if far[here] < most:
                for one in self._known.get(here, {}).values():
                    if one.there not in far:
                        far[one.there] = far[here] + 1
                        queue.append(one.there)
        return far

    def _of_length(
        self, steps: list[Crossing], here: str, goal: str, left: int, far: dict[str, int], tries: Iterator[int]
    ) -> Iterator[list[Crossing]]:
        """Every way to go on from here that comes to the goal in so many steps, and to no node twice."""
        been = {here, *(step.here for step in steps)}
        for one in sorted(self._known.get(here, {}).values(), key=_in_order):
            if next(tries, None) is None:
                return
            if one.there == goal:
                if left == 1:
                    yield [*steps, one]
            elif one.there not in been and far.get(one.there, left) < left:
                yield from self._of_length([*steps, one], one.there, goal, left - 1, far, tries)


def _in_order(one: Crossing) -> tuple[bool, str, str]:
    return not one.outward, one.relation, one.edge_id
