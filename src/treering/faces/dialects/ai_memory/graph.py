"""The graph as ai-memory's clients ask for it: links of four relations, timelines, entities by alias.

A link may join memories of two namespaces. It is then kept in both, each time to a card of the other end.
"""

from __future__ import annotations

from contextlib import suppress
from typing import Annotated, Any

from pydantic import Field

from treering.errors import InvalidRequest, NotFound
from treering.faces.afar import Door
from treering.faces.dialects.ai_memory import arguments as a
from treering.faces.dialects.ai_memory.cards import cards_among, end_in, known_end, may_be_card, tied
from treering.faces.dialects.ai_memory.places import entities_at, node_at
from treering.faces.dialects.ai_memory.shapes import node_id
from treering.faces.dialects.ai_memory.walking import BY_A_CLIENT, in_client_ids, relations_of
from treering.faces.dialects.contract import Answer, Arguments, tool
from treering.faces.dialects.namespaces import namespace_of, space_of
from treering.graph.links import Linked
from treering.model.edge import Edge
from treering.model.entity import Entity
from treering.model.memory import Memory
from treering.model.value import plain
from treering.operation import READS, WRITES_ONCE

_ENDS = {"source": "source_id", "target": "target_id"}
"""The ends of an edge, by the names of the door and by theirs."""
_EDGE_EVENTS = {
    "edge_added": "edge_added",
    "superseded": "edge_added",
    "edge_invalidated": "edge_invalidated",
    "edge_reopened": "edge_reopened",
}


@tool(a.Link, WRITES_ONCE, _ENDS)
def memory_link(door: Door, asked: a.Link) -> Answer:
    """Link two memories: related_to, supersedes, contradicts or derived_from. A link that stands is not doubled."""
    source, target = node_at(door, asked.source_id, "source_id"), node_at(door, asked.target_id, "target_id")
    linked = _tie(door, source, target, asked, source.space, asked.valid_from)
    if target.space != source.space:
        _tie(door, source, target, asked, target.space, linked.edge.valid_from)
    shown = {"source_id": node_id(source), "target_id": node_id(target)}
    return {"linked": True, "created": linked.created, **link_told(linked.edge), **shown}


def _tie(door: Door, source: Memory | Entity, target: Memory | Entity, asked: a.Link, space: str, since: Any) -> Linked:
    newer, older = end_in(door, source, space), end_in(door, target, space)
    return door.link(newer, older, asked.relation, space=space, valid_from=since)


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


@tool(a.KgTimeline, READS)
def memory_kg_timeline(door: Door, asked: a.KgTimeline) -> Answer:
    """The edges of a memory or entity in order of time, those that are no longer valid too."""
    node = node_at(door, asked.node_id, "node_id")
    relations = relations_of(asked.relations)
    own = [node_id(node)]
    with suppress(NotFound):
        own.append(tied(door, node))
    stories = [door.timeline(one, asked.since, asked.until, relations, space=node.space) for one in dict.fromkeys(own)]
    told = [event for story in stories for event in story if event.type in _EDGE_EVENTS and event.rule != "revised"]
    ends = (end for event in told for end in (event.source_id, event.target_id) if end and end != node_id(node))
    cards = cards_among(door, node.space, ends)
    called_so = cards.names
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
        if cards.unseen.isdisjoint((event.source_id, event.target_id))
    ]
    return {"events": plain(events), "count": len(events)}


@tool(a.KgInvalidate, WRITES_ONCE, {**_ENDS, "at": "valid_until"})
def memory_kg_invalidate(door: Door, asked: a.KgInvalidate) -> Answer:
    """End an edge's validity. It stays on timelines, and walks with an earlier `as_of` still follow it."""
    try:
        source, target = node_at(door, asked.source_id, "source_id"), node_at(door, asked.target_id, "target_id")
        at, spaces = asked.valid_until or door.now(), dict.fromkeys((source.space, target.space))
        ends = {space: (known_end(door, source, space), known_end(door, target, space)) for space in spaces}
        moved, *_ = [door.invalidate(*pair, asked.relation, at=at, space=space) for space, pair in ends.items()]
    except NotFound:
        return {"found": False, "invalidated": False, "valid_until": None, "previous_valid_until": None}
    return {
        "found": True,
        "invalidated": True,
        "valid_until": plain(moved.valid_until),
        "previous_valid_until": plain(moved.previous_valid_until),
    }


@tool(a.EntityRegister, WRITES_ONCE, {"name": "canonical_name"})
def memory_entity_register(door: Door, asked: a.EntityRegister) -> Answer:
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
def memory_entity_get_by_alias(door: Door, asked: a.EntityByAlias) -> Answer:
    """The entity that answers to a name or alias; the one made last if several do."""
    answering = entities_at(door, asked.alias, asked.namespace)
    if not answering:
        raise NotFound(f"alias: no entity answers to {asked.alias!r}; memory_entity_register makes one")
    found = answering[-1]
    return {
        "entity_id": found.id,
        "canonical_name": found.name,
        "aliases": list(found.aliases),
        "all_aliases": list(found.aliases),
        "namespace": namespace_of(found.space),
        "kind": found.kind,
    }


class LinksOf(Arguments):
    id: Annotated[a.Id, Field(description="The memory's id.")]


@tool(LinksOf, READS)
def memory_get_links(door: Door, asked: LinksOf) -> Answer:
    """The links of a memory in both directions, with their windows."""
    node = node_at(door, asked.id, "id")
    told = links_of(door, node, include_closed=True)
    return {"links": told, "count": len(told)}


def links_of(door: Door, node: Memory | Entity, include_closed: bool = False) -> list[Answer]:
    """Both ways, those that a client made."""
    try:
        walked = door.graph(
            tied(door, node), [*a.RELATIONS], 1, "both", space=node.space, include_closed=include_closed
        )
    except NotFound:  # an entity that nobody linked
        return []
    cards = cards_among(door, node.space, (one.id for one in walked.nodes if may_be_card(one.name)))
    names = ("source_id", "target_id", "relation", "valid_from", "valid_until")
    stated = [
        in_client_ids(edge, cards.names)
        for edge in walked.edges
        if edge.rule in BY_A_CLIENT and cards.unseen.isdisjoint((edge.source_id, edge.target_id))
    ]
    return [plain({name: getattr(edge, name) for name in names}) for edge in stated]


def same_space(spaces: list[str], namespace: str | None) -> str:
    """The one space that memories stand in which are to be tied together."""
    found = dict.fromkeys([*spaces, *([] if namespace is None else [space_of(namespace)])])
    if len(found) > 1:
        names = ", ".join(namespace_of(one) for one in found)
        raise InvalidRequest(f"namespace: {names} are several; what is tied together stands in one namespace")
    return spaces[0]
