"""What can this server do, how much does it hold, and how does all of it come and go? What ai-memory's clients ask of
the whole, and how they begin a session."""

from __future__ import annotations

from collections import Counter
from itertools import islice
from typing import Annotated, Any
from uuid import uuid4

from pydantic import Field

from treering.errors import NotFound
from treering.faces.afar import Door
from treering.faces.dialects.ai_memory import arguments as a
from treering.faces.dialects.ai_memory.archive import Nothing
from treering.faces.dialects.ai_memory.changing import AT_ONCE, store_all
from treering.faces.dialects.ai_memory.graph import links_of
from treering.faces.dialects.ai_memory.places import memory_at, newest
from treering.faces.dialects.ai_memory.shapes import client_id, memory_told
from treering.faces.dialects.contract import Answer, Arguments, tool
from treering.faces.dialects.everywhere import everywhere
from treering.faces.dialects.namespaces import namespace_of, space_of
from treering.model import limits
from treering.operation import READS, WRITES_ONCE
from treering.version import VERSION

_OF_THE_OTHER_STORE = ("access_count", "updated_at", "last_accessed_at", "links")
_RECENT = 10


class Export(Arguments):
    namespace: Annotated[a.Namespace, Field(description="Only this namespace; all if left out.")] = None


class Import(Arguments):
    memories: Annotated[
        list[dict[str, Any]],
        Field(max_length=limits.BATCH, description="Each as an export tells it, or as it is stored."),
    ]
    links: Annotated[list[a.Link], Field(max_length=limits.BATCH, description="Between them, by their ids there.")] = (
        Field([])
    )
    agent_id: a.Author = None


class SessionStart(Arguments):
    agent_id: a.Author = None
    namespace: Annotated[a.Namespace, Field(description="Where the session works; all if left out.")] = None
    limit: Annotated[int, Field(ge=1, le=50, description="Most memories to begin with.")] = _RECENT


@tool(Nothing, READS)
def memory_capabilities(door: Door, asked: Nothing) -> Answer:
    """What there is, by name, and within which bounds."""
    return {
        "schema_version": "2",
        "name": "treering",
        "version": VERSION,
        "dialect": "ai-memory",
        "tier": "semantic",
        "models": {"embedding": "each space's own", "llm": "none", "cross_encoder": "none"},
        "permissions": {"mode": "enforced", "active_rules": 0, "by": "keys with a role and spaces"},
        "hooks": {"registered_count": 0, "by_event": {}},
        "compaction": {"enabled": True, "by": "memory_consolidate, and the server's own upkeep"},
        "approval": {"subscribers": 0, "pending_requests": 0, "by": "review_list of the native routes"},
        "transcripts": {"enabled": False, "total_count": 0, "total_size_mb": 0},
        "features": {
            "hybrid_recall": True,
            "keyword_search": True,
            "semantic_search": True,
            "knowledge_graph": True,
            "temporal_validity": True,
            "entity_registry": True,
            "contradictions": True,
            "consolidation": True,
            "archive": True,
            "taxonomy": True,
            "check_duplicate": True,
            "query_expansion": False,
        },
        "relations": list(a.RELATIONS),
        "tiers": ["short", "mid", "long"],
        "limits": {"content_bytes": a.CONTENT_BYTES, "bulk": AT_ONCE, "list": 1000, "kg_depth": limits.WALK_DEPTH},
    }


@tool(Nothing, READS)
def memory_stats(door: Door, asked: Nothing) -> Answer:
    """How many memories there are: in all, by tier and by namespace."""
    tiers, entities, edges, archived = Counter[str](), 0, 0, 0
    for one in everywhere(door, None, lambda place: door.health(space=place.space, children=place.children)):
        tiers.update(one.tiers)
        entities, edges = entities + one.entities, edges + one.edges
        archived += one.states.get("archived", 0)
    spaces = {one.name: door.status(space=one.name).memories for one in door.spaces()}
    held = {name: some.get("active", 0) + some.get("promoted", 0) for name, some in spaces.items()}
    return {
        "total": tiers.total(),
        "by_tier": [{"tier": name, "count": tiers[name]} for name in ("short", "mid", "long")],
        "by_namespace": [{"namespace": namespace_of(name), "count": count} for name, count in held.items() if count],
        "links_count": edges,
        "entities": entities,
        "archived": archived,
    }


@tool(Export, READS)
def memory_export(door: Door, asked: Export) -> Answer:
    """All memories and the links between them. For a copy that loses nothing there is `treering export`."""
    spaces = [one.name for one in door.spaces()] if asked.namespace is None else [space_of(asked.namespace)]
    for space in spaces or [door.bound_space]:
        door.must_allow("export", space=space)
    found = list(newest(door, asked.namespace))
    links = {
        (one["source_id"], one["target_id"], one["relation"]): one for memory in found for one in links_of(door, memory)
    }
    return {"memories": [memory_told(one) for one in found], "links": [*links.values()], "count": len(found)}


@tool(Import, WRITES_ONCE)
def memory_import(door: Door, asked: Import) -> Answer:
    """Take in what was exported. What is here already, or was taken in before, is not stored twice."""
    ids: dict[str, str] = {}
    new: list[tuple[str | None, a.Store]] = []
    for one in asked.memories:
        other = str(one["id"]) if one.get("id") else None
        known = None if other is None else _known(door, other)
        if known is not None and other is not None:
            ids[other] = known
        else:
            new.append((other, _read(one, asked.agent_id)))
    keys = [None if other is None else f"ai-memory:{other}"[: limits.KEY_CHARS] for other, _ in new]
    made = store_all(door, [store for _, store in new], keys)
    ids |= {other: one for (other, _), one in zip(new, made, strict=True) if other is not None}
    for link in asked.links:
        ends = ids.get(link.source_id, link.source_id), ids.get(link.target_id, link.target_id)
        space = memory_at(door, ends[0], "links.source_id").space
        door.link(*ends, link.relation, space=space, valid_from=link.valid_from)
    return {"imported": len(made), "skipped": len(asked.memories) - len(made), "ids": ids, "errors": []}


def _known(door: Door, other: str) -> str | None:
    try:
        return client_id(memory_at(door, other, hidden=True))
    except NotFound:
        return None


def _read(one: dict[str, Any], agent: str | None) -> a.Store:
    from treering.faces.dialects.ai_memory.memories import memory_store

    told = {
        name: value for name, value in one.items() if name not in ("id", *_OF_THE_OTHER_STORE) and value is not None
    }
    store = memory_store.check({"agent_id": agent, **told})
    assert isinstance(store, a.Store)
    return store


@tool(SessionStart, READS)
def memory_session_start(door: Door, asked: SessionStart) -> Answer:
    """Begin a session: a new id for it, and the newest memories to begin with."""
    told = [memory_told(one) for one in islice(newest(door, asked.namespace), asked.limit)]
    return {
        "session_id": str(uuid4()),
        "agent_id": asked.agent_id or door.actor,
        "namespace": asked.namespace,
        "memories": told,
        "count": len(told),
    }
