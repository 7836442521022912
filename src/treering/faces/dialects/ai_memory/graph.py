"""The graph as ai-memory's clients ask for it: links of four relations, walks, timelines, entities by alias.

Every hop of a walk is over an edge that was valid at the moment asked for, not only the first.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Annotated

from pydantic import Field

from treering.door import Treering
from treering.errors import InvalidRequest, NotFound
from treering.faces.dialects.ai_memory import arguments as a
from treering.faces.dialects.ai_memory.cards import called, card_for, card_of, may_be_card, tied
from treering.faces.dialects.ai_memory.places import entities_at, node_at, node_id
from treering.faces.dialects.ai_memory.revisions import latest
from treering.faces.dialects.ai_memory.shapes import client_id
from treering.faces.dialects.contract import Answer, Arguments, tool
from treering.faces.dialects.namespaces import namespace_of, space_of
from treering.graph.reached import Node, Step
from treering.graph.walk import Walked
from treering.model.changes import Thing
from treering.model.edge import MENTION, Edge
from treering.model.entity import Entity
from treering.model.memory import Memory, State
from treering.model.value import plain
from treering.operation import READS, WRITES_ONCE

MOST_EDGES = 1_000
_EDGE_EVENTS = {
    "edge_added": "edge_added",
    "superseded": "edge_added",
    "edge_invalidated": "edge_invalidated",
    "edge_reopened": "edge_reopened",
}


_BY_A_CLIENT = ("stated", None)
"""Rules that made an edge because somebody said so; every other made it by itself."""


def _relations(asked: Sequence[str] | None) -> list[str]:
    """Those asked for, or all there are in that system and what ties memories to entities."""
    return list(asked) if asked else [*a.RELATIONS, MENTION]


@tool(a.Link, WRITES_ONCE)
def memory_link(door: Treering, asked: a.Link) -> Answer:
    """Link two memories: related_to, supersedes, contradicts or derived_from. A link that stands is not doubled."""
    source, target = node_at(door, asked.source_id, "source_id"), node_at(door, asked.target_id, "target_id")
    newer, older = (client_id(one) if isinstance(one, Memory) else card_for(door, one).id for one in (source, target))
    linked = door.link(newer, older, asked.relation, space=source.space, valid_from=asked.valid_from)
    shown = {"source_id": node_id(source), "target_id": node_id(target)}
    return {"linked": True, "created": linked.created, **link_told(linked.edge), **shown}


def link_told(edge: Edge) -> Answer:
    told: Answer = plain(
        {
            "id": edge.id,
            "source_id": edge.source_id,
            "target_id": edge.target_id,
            "relation": edge.relation,
            "created_at": edge.recorded_at,
            "valid_from": edge.valid_from,
            "valid_until": edge.valid_until,
            "observed_by": edge.observed_by,
            "signature": edge.signature,
            "attest_level": edge.attestation,
        }
    )
    return told


@tool(a.KgQuery, READS)
def memory_kg_query(door: Treering, asked: a.KgQuery) -> Answer:
    """Walk the edges that are valid now, or were at `as_of`, from a memory or entity. Every hop is valid then.

    From a memory the walk follows edges onward; from an entity it begins with the memories about it.
    """
    start = node_at(door, asked.start_id, "start_id", asked.namespace)
    card = card_of(door, start) if isinstance(start, Entity) else None
    ways = [(node_id(start), isinstance(start, Entity))] + ([(card.id, False), (card.id, True)] if card else [])
    walks = [_walked(door, asked, start.space, begin, inward) for begin, inward in ways]
    called_so = called(
        door, start.space, (one.id for walked, _ in walks for one in walked.nodes if may_be_card(one.name))
    )
    steps = _told_once([_as_called(one, called_so) for _, some in walks for one in some])
    depths = {node_id(start): 0} | {one.path[-1]: one.depth for one in reversed(steps)}
    nodes: dict[str, Answer] = {}
    for one in (node for walked, _ in walks for node in walked.nodes):
        key = called_so.get(one.id, one.id)
        if key in depths:
            nodes.setdefault(key, _node_told(door, one, key, depths[key], asked.as_of is not None))
    edges = [_edge_told(one) for one in steps]
    reached = [{**nodes.get(edge["path"][-1], {}), **edge} for edge in edges]
    return {
        "nodes": list(nodes.values()),
        "edges": edges,
        "depth_reached": max((one.depth for one in steps), default=0),
        "edges_walked": len(steps),
        "memories": [{**one, "target_namespace": one.get("namespace")} for one in reached],
        "paths": [edge["path"] for edge in edges],
        "count": len(edges),
        "truncated": any(walked.truncated for walked, _ in walks),
    }


def _walked(door: Treering, asked: a.KgQuery, space: str, begin: str, inward: bool) -> tuple[Walked, Sequence[Step]]:
    """A walk, and those of its steps that are told of."""
    walked = door.graph(
        begin,
        _relations(asked.relations),
        asked.depth,
        "in" if inward else "out",
        as_of=asked.as_of,
        space=space,
        include_closed=asked.include_invalidated,
        limit=MOST_EDGES,
    )
    return walked, walked.edges if asked.include_automatic else _as_stated(walked.edges, begin, inward)


def _as_called(step: Step, called_so: Mapping[str, str]) -> Step:
    ends = called_so.get(step.source_id, step.source_id), called_so.get(step.target_id, step.target_id)
    path = tuple(called_so.get(one, one) for one in step.path)
    return replace(step, source_id=ends[0], target_id=ends[1], path=path)


def _told_once(steps: list[Step]) -> list[Step]:
    nearest = {one.id: one for one in sorted(steps, key=lambda one: -one.depth)}
    return sorted(nearest.values(), key=lambda one: one.depth)


def _as_stated(edges: Sequence[Step], start: str, inward: bool) -> list[Step]:
    """The same walk over those edges alone that a client made; from an entity also over what mentions it."""
    ways: dict[str, tuple[str, ...]] = {start: (start,)}
    left = [one for one in edges if one.rule in _BY_A_CLIENT or (inward and one.relation == MENTION)]
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


def _node_told(door: Treering, node: Node, key: str, depth: int, of_the_past: bool) -> Answer:
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


@tool(a.KgTimeline, READS)
def memory_kg_timeline(door: Treering, asked: a.KgTimeline) -> Answer:
    """The edges of a memory or entity in order of time, those that are no longer valid too."""
    node = node_at(door, asked.node_id, "node_id")
    relations = _relations(asked.relations)
    own = [node_id(node)]
    with suppress(NotFound):
        own.append(tied(door, node))
    stories = [door.timeline(one, asked.since, asked.until, relations, space=node.space) for one in dict.fromkeys(own)]
    told = [event for story in stories for event in story if event.type in _EDGE_EVENTS and event.rule != "revised"]
    ends = (end for event in told for end in (event.source_id, event.target_id) if end and end != node_id(node))
    called_so = called(door, node.space, ends)
    events = [
        {
            "at": event.at,
            "type": _EDGE_EVENTS[event.type],
            "relation": event.relation,
            "source_id": called_so.get(event.source_id or "", event.source_id),
            "target_id": called_so.get(event.target_id or "", event.target_id),
            "valid_from": event.valid_from,
            "valid_until": event.valid_until,
        }
        for event in sorted(told, key=lambda one: one.at)
    ]
    return {"events": plain(events), "count": len(events)}


@tool(a.KgInvalidate, WRITES_ONCE)
def memory_kg_invalidate(door: Treering, asked: a.KgInvalidate) -> Answer:
    """End an edge's validity. It stays on timelines, and walks with an earlier `as_of` still follow it."""
    try:
        source, target = node_at(door, asked.source_id, "source_id"), node_at(door, asked.target_id, "target_id")
        ends = tied(door, source), tied(door, target)
        moved = door.invalidate(*ends, asked.relation, at=asked.valid_until, space=source.space)
    except NotFound:
        return {"found": False, "invalidated": False, "valid_until": None, "previous_valid_until": None}
    return {
        "found": True,
        "invalidated": True,
        "valid_until": plain(moved.valid_until),
        "previous_valid_until": plain(moved.previous_valid_until),
    }


@tool(a.EntityRegister, WRITES_ONCE)
def memory_entity_register(door: Treering, asked: a.EntityRegister) -> Answer:
    """Make an entity known by its canonical name and aliases. Registering it again reuses it and adds new aliases."""
    space = None if asked.namespace is None else space_of(asked.namespace)
    made = door.entity_register(asked.canonical_name, space=space, aliases=asked.aliases, kind=asked.kind)
    return {
        "entity_id": made.entity_id,
        "created": made.created,
        "aliases_added": list(made.aliases_added),
        "canonical_name": made.name,
        "aliases": list(made.aliases),
    }


@tool(a.EntityByAlias, READS)
def memory_entity_get_by_alias(door: Treering, asked: a.EntityByAlias) -> Answer:
    """The entity that answers to a name or alias; the one made last if several do."""
    answering = entities_at(door, asked.alias, asked.namespace)
    if not answering:
        raise NotFound(f"alias: no entity answers to {asked.alias!r}; memory_entity_register makes one")
    found = answering[-1]
    return {
        "entity_id": found.id,
        "canonical_name": found.name,
        "all_aliases": list(found.aliases),
        "namespace": namespace_of(found.space),
        "kind": found.kind,
    }


class LinksOf(Arguments):
    id: Annotated[a.Id, Field(description="The memory's id.")]


@tool(LinksOf, READS)
def memory_get_links(door: Treering, asked: LinksOf) -> Answer:
    """The links of a memory in both directions, with their windows."""
    node = node_at(door, asked.id, "id")
    told = links_of(door, node, include_closed=True)
    return {"links": told, "count": len(told)}


def links_of(door: Treering, node: Memory | Entity, include_closed: bool = False) -> list[Answer]:
    """Both ways, those that a client made."""
    try:
        walked = door.graph(
            tied(door, node), [*a.RELATIONS], 1, "both", space=node.space, include_closed=include_closed
        )
    except NotFound:  # an entity that nobody linked
        return []
    called_so = called(door, node.space, (one.id for one in walked.nodes if may_be_card(one.name)))
    names = ("source_id", "target_id", "relation", "valid_from", "valid_until")
    stated = [_as_called(edge, called_so) for edge in walked.edges if edge.rule in _BY_A_CLIENT]
    return [plain({name: getattr(edge, name) for name in names}) for edge in stated]


def same_space(spaces: list[str], namespace: str | None) -> str:
    """The one space that memories stand in which are to be tied together."""
    found = dict.fromkeys([*spaces, *([] if namespace is None else [space_of(namespace)])])
    if len(found) > 1:
        names = ", ".join(namespace_of(one) for one in found)
        raise InvalidRequest(f"namespace: {names} are several; what is tied together stands in one namespace")
    return spaces[0]
