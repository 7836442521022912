"""The graph as ai-memory's clients ask for it: links of four relations, walks, timelines, entities by alias.

Every hop of a walk is over an edge that was valid at the moment asked for, not only the first.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Annotated

from pydantic import Field

from treering.door import Treering
from treering.errors import InvalidRequest, NotFound
from treering.faces.dialects.ai_memory import arguments as a
from treering.faces.dialects.ai_memory.places import entities_at, memory_at, node_at, node_id
from treering.faces.dialects.ai_memory.revisions import latest
from treering.faces.dialects.ai_memory.shapes import client_id
from treering.faces.dialects.contract import Answer, Arguments, tool
from treering.faces.dialects.namespaces import namespace_of, space_of
from treering.graph.reached import Node, Step
from treering.model.edge import MENTION, Edge
from treering.model.entity import Entity
from treering.model.memory import State
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
    source, target = memory_at(door, asked.source_id, "source_id"), memory_at(door, asked.target_id, "target_id")
    linked = door.link(
        client_id(source), client_id(target), asked.relation, space=source.space, valid_from=asked.valid_from
    )
    return {"linked": True, "created": linked.created, **link_told(linked.edge)}


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
    begin, inward = node_id(start), isinstance(start, Entity)
    walked = door.graph(
        begin,
        _relations(asked.relations),
        asked.depth,
        "in" if inward else "out",
        as_of=asked.as_of,
        space=start.space,
        include_closed=asked.include_invalidated,
        limit=MOST_EDGES,
    )
    steps = walked.edges if asked.include_automatic else _as_stated(walked.edges, begin, inward)
    depths = {begin: 0} | {one.path[-1]: one.depth for one in reversed(steps)}
    nodes = {one.id: _node_told(door, replace(one, depth=depths[one.id])) for one in walked.nodes if one.id in depths}
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
        "truncated": walked.truncated,
    }


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


def _node_told(door: Treering, node: Node) -> Answer:
    if node.state is State.SUPERSEDED:
        now = latest(door, door.get(node.id, space=node.space))
        node = replace(node, name=now.title, content=now.content)
    told: Answer = plain(
        {
            "id": node.id,
            "type": node.thing,
            "kind": node.kind,
            "title": node.name,
            "content": node.content,
            "namespace": namespace_of(node.space),
            "depth": node.depth,
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
    story = door.timeline(node_id(node), asked.since, asked.until, relations, space=node.space)
    events = [
        {
            "at": event.at,
            "type": _EDGE_EVENTS[event.type],
            "relation": event.relation,
            "source_id": event.source_id,
            "target_id": event.target_id,
            "valid_from": event.valid_from,
            "valid_until": event.valid_until,
        }
        for event in story
        if event.type in _EDGE_EVENTS and event.rule != "revised"
    ]
    return {"events": plain(events), "count": len(events)}


@tool(a.KgInvalidate, WRITES_ONCE)
def memory_kg_invalidate(door: Treering, asked: a.KgInvalidate) -> Answer:
    """End an edge's validity. It stays on timelines, and walks with an earlier `as_of` still follow it."""
    try:
        source, target = node_at(door, asked.source_id, "source_id"), node_at(door, asked.target_id, "target_id")
        ends = node_id(source), node_id(target)
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
    told = links_of(door, node_id(node), node.space, include_closed=True)
    return {"links": told, "count": len(told)}


def links_of(door: Treering, node: str, space: str, include_closed: bool = False) -> list[Answer]:
    """Both ways, those that a client made."""
    walked = door.graph(node, [*a.RELATIONS], 1, "both", space=space, include_closed=include_closed)
    names = ("source_id", "target_id", "relation", "valid_from", "valid_until")
    return [plain({name: getattr(edge, name) for name in names}) for edge in walked.edges if edge.rule in _BY_A_CLIENT]


def same_space(spaces: list[str], namespace: str | None) -> str:
    """The one space that memories stand in which are to be tied together."""
    found = dict.fromkeys([*spaces, *([] if namespace is None else [space_of(namespace)])])
    if len(found) > 1:
        names = ", ".join(namespace_of(one) for one in found)
        raise InvalidRequest(f"namespace: {names} are several; what is tied together stands in one namespace")
    return spaces[0]
