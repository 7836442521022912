"""The graph as Crosmos's clients draw it: entities as nodes, facts that hold as edges, the most connected first."""

from __future__ import annotations

from collections import Counter
from contextlib import suppress

from treering.errors import NotFound
from treering.faces.afar import Door
from treering.faces.dialects.contract import Answer, tool
from treering.faces.dialects.crosmos import arguments as a
from treering.faces.dialects.crosmos.memories import memory_told
from treering.faces.dialects.crosmos.spaces import id_of, places
from treering.graph.facts import Fact
from treering.model import limits
from treering.model.entity import Entity
from treering.model.value import plain
from treering.operation import READS


@tool(a.Entities, READS)
def list_entities(door: Door, asked: a.Entities) -> Answer:
    """Entities with their names, the newest first."""
    found = _entities(door, asked.space_id)
    shown = found[asked.offset : asked.offset + asked.limit]
    return {
        "entities": [_told(one) for one in shown],
        "total": len(found),
        "limit": asked.limit,
        "offset": asked.offset,
    }


@tool(a.One, READS)
def get_entity(door: Door, asked: a.One) -> Answer:
    """What is known of an entity: its names, facts and memories."""
    for place in places(door, None):
        with suppress(NotFound):
            known = door.entity(asked.id, space=place.space, children=place.children)
            entity = door.entity_get(asked.id, space=place.space, children=place.children)
            return {
                **_told(entity),
                "relations": [_edge(one) for one in known.facts_now],
                "past_relations": [_edge(one) for one in known.facts_before],
                "memories": [memory_told(one) for one in known.memories],
                "memory_count": known.memories_count,
            }
    raise NotFound(f"id: there is no entity {asked.id!r}; check the id")


@tool(a.Graph, READS)
def get_graph(door: Door, asked: a.Graph) -> Answer:
    """The entities with the most edges, and the edges between them."""
    facts = _facts(door, asked.space_id)
    degree = Counter(end for one in facts for end in (one.subject_id, one.object_id))
    entities = {one.id: one for one in _entities(door, asked.space_id)}
    ranked = sorted(entities, key=lambda one: (-degree[one], entities[one].name, one))
    shown = set(ranked[: asked.limit])
    edges = [_edge(one) for one in facts if one.subject_id in shown and one.object_id in shown]
    return {
        "nodes": [{**_told(entities[one]), "degree": degree[one]} for one in ranked[: asked.limit]],
        "edges": edges,
        "total_nodes": len(entities),
        "total_edges": len(facts),
        "truncated": len(ranked) > asked.limit,
    }


@tool(a.Stats, READS)
def get_graph_stats(door: Door, asked: a.Stats) -> Answer:
    """How many nodes, edges and memories there are, and of which relations."""
    facts = _facts(door, asked.space_id)
    told = [door.status(space=one.space, children=one.children) for one in places(door, asked.space_id)]
    return {
        "nodes": sum(one.entities for one in told),
        "entities": sum(one.entities for one in told),
        "edges": len(facts),
        "memories": sum(one.memories.get("active", 0) + one.memories.get("promoted", 0) for one in told),
        "relations": dict(Counter(one.relation for one in facts).most_common()),
    }


def _entities(door: Door, space_id: str | None) -> list[Entity]:
    """The newest of each place, as many as one reading gives."""
    return [
        entity
        for one in places(door, space_id)
        for entity in door.entities(space=one.space, children=one.children, limit=limits.PAGE)
    ]


def _facts(door: Door, space_id: str | None) -> list[Fact]:
    return [fact for one in places(door, space_id) for fact in door.facts(space=one.space, children=one.children)]


def _told(entity: Entity) -> Answer:
    told: Answer = plain(
        {
            "id": entity.id,
            "entity_id": entity.id,
            "space_id": id_of(entity.space),
            "name": entity.name,
            "entity_type": entity.kind,
            "aliases": entity.aliases,
            "created_at": entity.recorded_at,
        }
    )
    return told


def _edge(fact: Fact) -> Answer:
    told: Answer = plain(
        {
            "id": fact.id,
            "source_id": fact.subject_id,
            "target_id": fact.object_id,
            "source": fact.subject,
            "target": fact.object,
            "relation": fact.relation,
            "valid_from": fact.valid_from,
            "valid_until": fact.valid_until,
            "recorded_at": fact.recorded_at,
            "confidence": fact.confidence,
            "memory_id": fact.memory_id,
        }
    )
    return told
