"""The graph as ai-memory's clients ask for it: links of four relations, walks, timelines, entities by alias.

Every hop of a walk is over an edge that was valid at the moment asked for, not only the first.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from treering.door import Treering
from treering.errors import InvalidRequest, NotFound
from treering.faces.dialects.ai_memory import arguments as a
from treering.faces.dialects.ai_memory.places import entities_at, memory_at, node_at
from treering.faces.dialects.contract import Answer, tool
from treering.faces.dialects.namespaces import namespace_of, space_of
from treering.model.edge import MENTION, Edge
from treering.model.entity import Entity
from treering.model.value import plain
from treering.operation import READS, WRITES_ONCE

MOST_EDGES = 1_000
_EDGE_EVENTS = {
    "edge_added": "edge_added",
    "superseded": "edge_added",
    "edge_invalidated": "edge_invalidated",
    "edge_reopened": "edge_reopened",
}


def _relations(asked: Sequence[str] | None) -> list[str]:
    """Those asked for, or all there are in that system and what ties memories to entities."""
    return list(asked) if asked else [*a.RELATIONS, MENTION]


@tool(a.Link, WRITES_ONCE)
def memory_link(door: Treering, asked: a.Link) -> Answer:
    """Link two memories: related_to, supersedes, contradicts or derived_from. A link that stands is not doubled."""
    space = memory_at(door, asked.source_id, "source_id").space
    linked = door.link(asked.source_id, asked.target_id, asked.relation, space=space, valid_from=asked.valid_from)
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
    walked = door.graph(
        start.id,
        _relations(asked.relations),
        asked.depth,
        "in" if isinstance(start, Entity) else "out",
        as_of=asked.as_of,
        space=start.space,
        include_closed=asked.include_invalidated,
        limit=MOST_EDGES,
    )
    nodes = {one.id: _node_told(one) for one in walked.nodes}
    edges = [_edge_told(one) for one in walked.edges]
    reached = [{**nodes.get(edge["path"][-1], {}), **edge} for edge in edges]
    return {
        "nodes": list(nodes.values()),
        "edges": edges,
        "depth_reached": walked.depth_reached,
        "edges_walked": walked.edges_walked,
        "memories": [{**one, "target_namespace": one.get("namespace")} for one in reached],
        "paths": [edge["path"] for edge in edges],
        "count": len(edges),
        "truncated": walked.truncated,
    }


def _node_told(node: Any) -> Answer:
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


def _edge_told(step: Any) -> Answer:
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
    story = door.timeline(node.id, asked.since, asked.until, relations, space=node.space)
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
        if event.type in _EDGE_EVENTS
    ]
    return {"events": plain(events), "count": len(events)}


@tool(a.KgInvalidate, WRITES_ONCE)
def memory_kg_invalidate(door: Treering, asked: a.KgInvalidate) -> Answer:
    """End an edge's validity. It stays on timelines, and walks with an earlier `as_of` still follow it."""
    try:
        space = node_at(door, asked.source_id, "source_id").space
        moved = door.invalidate(asked.source_id, asked.target_id, asked.relation, at=asked.valid_until, space=space)
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


def same_space(spaces: list[str], namespace: str | None) -> str:
    """The one space that memories stand in which are to be tied together."""
    found = dict.fromkeys([*spaces, *([] if namespace is None else [space_of(namespace)])])
    if len(found) > 1:
        names = ", ".join(namespace_of(one) for one in found)
        raise InvalidRequest(f"namespace: {names} are several; what is tied together stands in one namespace")
    return spaces[0]
