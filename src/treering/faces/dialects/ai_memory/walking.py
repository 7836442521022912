"""A walk as ai-memory's clients ask for it: over links of every namespace that the caller may read.

Every hop is over an edge that was valid at the moment asked for, not only the first. Within a namespace the graph is
walked as ever; where a card stands for a memory of another one, the walk goes on there.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from treering.faces.afar import Door
from treering.faces.dialects.ai_memory import arguments as a
from treering.faces.dialects.ai_memory.cards import Cards, card_of, cards_among, may_be_card
from treering.faces.dialects.ai_memory.places import node_at
from treering.faces.dialects.ai_memory.revisions import latest
from treering.faces.dialects.ai_memory.shapes import content_of, node_id
from treering.faces.dialects.contract import Answer, tool
from treering.faces.dialects.namespaces import namespace_of
from treering.graph.reached import Node, Step
from treering.graph.walk import Walked
from treering.model.changes import Thing
from treering.model.edge import MENTION
from treering.model.entity import Entity
from treering.model.memory import Memory, State
from treering.model.value import plain
from treering.operation import READS

MOST_EDGES = 1_000
BY_A_CLIENT = ("stated", None)
"""Rules that made an edge because somebody said so; every other made it by itself."""


@tool(a.KgQuery, READS)
def memory_kg_query(door: Door, asked: a.KgQuery) -> Answer:
    """Walk the edges that are valid now, or were at `as_of`, from a memory or entity. Every hop is valid then.

    From a memory the walk follows edges onward; from an entity it begins with the memories about it. It goes on in
    other namespaces, unless one is named.
    """
    start = node_at(door, asked.start_id, "start_id", asked.namespace)
    walk = _Walk(door, asked)
    walk.go(start, (node_id(start),))
    edges = [_edge_told(one) for one in walk.told()]
    reached = [{**walk.nodes.get(edge["path"][-1], {}), **edge} for edge in edges]
    return {
        "nodes": list(walk.nodes.values()),
        "edges": edges,
        "depth_reached": max((edge["depth"] for edge in edges), default=0),
        "edges_walked": len(edges),
        "memories": [{**one, "target_namespace": one.get("namespace")} for one in reached],
        "paths": [edge["path"] for edge in edges],
        "count": len(edges),
        "truncated": walk.truncated,
    }


class _Walk:
    """One walk, through as many namespaces as it leads."""

    def __init__(self, door: Door, asked: a.KgQuery) -> None:
        self._door, self._asked = door, asked
        self._steps: list[Step] = []
        self._begun: set[str] = set()
        self.nodes: dict[str, Answer] = {}
        self.truncated = False

    def go(self, start: Memory | Entity, path: tuple[str, ...]) -> None:
        """On from where that path has led, in the namespace of what is there."""
        self._begun.add(path[-1])
        walks = [self._walked(start.space, len(path) - 1, *way) for way in self._ways(start)]
        nodes = [node for walked, _ in walks for node in walked.nodes]
        cards = cards_among(self._door, start.space, (one.id for one in nodes if may_be_card(one.name)))
        steps = _told_once(
            _as_called(one, cards.names, path)
            for _, some in walks
            for one in some
            if cards.unseen.isdisjoint((one.source_id, one.target_id, *one.path))
        )
        self._steps += steps
        self.truncated |= any(walked.truncated for walked, _ in walks)
        self._meet(nodes, cards, {path[-1]: len(path) - 1} | {one.path[-1]: one.depth for one in reversed(steps)})
        if self._asked.namespace is None:
            self._cross(cards, steps)

    def told(self) -> list[Step]:
        """A link between two namespaces is kept in both, and told once."""
        once: dict[tuple[object, ...], Step] = {}
        for one in sorted(self._steps, key=lambda one: one.depth):
            once.setdefault((one.source_id, one.target_id, one.relation, one.valid_from, one.valid_until), one)
        return list(once.values())

    def _ways(self, start: Memory | Entity) -> list[tuple[str, bool]]:
        """Where to begin, and whether against the edges."""
        card = card_of(self._door, start) if isinstance(start, Entity) else None
        return [(node_id(start), isinstance(start, Entity))] + ([(card.id, False), (card.id, True)] if card else [])

    def _walked(self, space: str, come: int, begin: str, inward: bool) -> tuple[Walked, Sequence[Step]]:
        """A walk, and those of its steps that are told of."""
        asked = self._asked
        walked = self._door.graph(
            begin,
            relations_of(asked.relations),
            asked.depth - come,
            "in" if inward else "out",
            as_of=asked.as_of,
            space=space,
            include_closed=asked.include_invalidated,
            limit=MOST_EDGES,
        )
        return walked, walked.edges if asked.include_automatic else _as_stated(walked.edges, begin, inward)

    def _meet(self, nodes: Iterable[Node], cards: Cards, depths: Mapping[str, int]) -> None:
        for one in nodes:
            key = cards.names.get(one.id, one.id)
            if key not in depths or key in self.nodes:
                continue
            abroad = cards.abroad.get(one.id)
            if abroad is not None:
                self.nodes[key] = _told_from_afar(abroad, depths[key])
            else:
                self.nodes[key] = _node_told(self._door, one, key, depths[key], self._asked.as_of is not None)

    def _cross(self, cards: Cards, steps: Sequence[Step]) -> None:
        meant = {cards.names[card]: node for card, node in cards.abroad.items()}
        for one in steps:
            there = one.path[-1]
            if there in meant and there not in self._begun and one.depth < self._asked.depth:
                self.go(meant[there], one.path)


def relations_of(asked: Sequence[str] | None) -> list[str]:
    """Those asked for, or all there are in that system and what ties memories to entities."""
    return list(asked) if asked else [*a.RELATIONS, MENTION]


def _as_called(step: Step, called_so: Mapping[str, str], before: tuple[str, ...]) -> Step:
    """By the ids that clients know, at the end of the path that led here."""
    path = (*before, *(called_so.get(one, one) for one in step.path[1:]))
    return replace(in_client_ids(step, called_so), path=path, depth=step.depth + len(before) - 1)


def in_client_ids(step: Step, called_so: Mapping[str, str]) -> Step:
    ends = called_so.get(step.source_id, step.source_id), called_so.get(step.target_id, step.target_id)
    return replace(step, source_id=ends[0], target_id=ends[1])


def _told_once(steps: Iterable[Step]) -> list[Step]:
    nearest = {one.id: one for one in sorted(steps, key=lambda one: -one.depth)}
    return sorted(nearest.values(), key=lambda one: one.depth)


def _as_stated(edges: Sequence[Step], start: str, inward: bool) -> list[Step]:
    """The same walk over those edges alone that a client made; from an entity also over what mentions it."""
    ways: dict[str, tuple[str, ...]] = {start: (start,)}
    left = [one for one in edges if one.rule in BY_A_CLIENT or (inward and one.relation == MENTION)]
    walked: list[Step] = []
    depth = 0
    while left:
        depth += 1
        reached, onward = dict(ways), list[Step]()
        for one in left:
            ends = [(one.target_id, one.source_id)] if inward else [(one.source_id, one.target_id)]
            if one.relation == "contradicts":
                ends.append((ends[0][1], ends[0][0]))
            way = next(((here, there) for here, there in ends if here in ways), None)
            if way is None:
                onward.append(one)
                continue
            path = (*ways[way[0]], way[1])
            walked.append(replace(one, depth=depth, path=path))
            reached.setdefault(way[1], path)
        if len(onward) == len(left):
            break
        ways, left = reached, onward
    return walked


def _node_told(door: Door, node: Node, key: str, depth: int, of_the_past: bool) -> Answer:
    """As it is by now: the moment that is asked for is that of edges."""
    if node.state is State.SUPERSEDED or (of_the_past and node.thing is Thing.MEMORY):
        now = latest(door, door.get(node.id, space=node.space))
        node = replace(node, name=now.title, content=now.content)
    is_entity = node.thing is Thing.ENTITY or key != node.id
    told: Answer = plain(
        {
            "id": key,
            "type": "entity" if is_entity else node.thing,
            "kind": node.kind,
            "title": node.content if key != node.id else node.name,
            "content": node.content,
            "namespace": namespace_of(node.space),
            "depth": depth,
        }
    )
    return told


def _told_from_afar(node: Memory | Entity, depth: int) -> Answer:
    told: Answer = plain(
        {
            "id": node_id(node),
            "type": "memory" if isinstance(node, Memory) else "entity",
            "kind": node.kind,
            "title": node.title if isinstance(node, Memory) else node.name,
            "content": content_of(node) if isinstance(node, Memory) else node.name,
            "namespace": namespace_of(node.space),
            "depth": depth,
        }
    )
    return told


def _edge_told(step: Step) -> Answer:
    told: Answer = plain(
        {
            "source_id": step.source_id,
            "target_id": step.target_id,
            "relation": step.relation,
            "valid_from": step.valid_from,
            "valid_until": step.valid_until,
            "attest_level": step.attestation,
            "depth": step.depth,
            "path": step.path,
        }
    )
    return told
