"""How much does this server hold, and how does all of it come and go? What ai-memory's clients ask of the whole, and
how they begin a session."""

from __future__ import annotations

from collections import Counter
from itertools import islice
from typing import Annotated, Any
from uuid import uuid4

from pydantic import Field

from treering.errors import Conflict, NotFound
from treering.exchange.others.ai_memory import is_entity
from treering.faces.afar import Door
from treering.faces.dialects.ai_memory import arguments as a
from treering.faces.dialects.ai_memory.archive import Nothing
from treering.faces.dialects.ai_memory.graph import links_of, memory_link
from treering.faces.dialects.ai_memory.memories import memory_store
from treering.faces.dialects.ai_memory.places import entities_at, memory_at, newest
from treering.faces.dialects.ai_memory.shapes import client_id, entity_told, memory_told
from treering.faces.dialects.contract import Answer, Arguments, tool
from treering.faces.dialects.everywhere import everywhere
from treering.model import limits
from treering.model.namespaces import namespace_of, space_of
from treering.model.value import plain
from treering.operation import READS, WRITES_ONCE

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
        (one["source_id"], one["target_id"], one["relation"], one["valid_from"], one["valid_until"]): one
        for memory in found
        for one in links_of(door, memory, include_closed=True)
    }
    entities = [
        entity_told(one)
        for some in everywhere(
            door,
            asked.namespace,
            lambda place: door.entities(space=place.space, children=place.children, limit=limits.PAGE),
        )
        for one in some
    ]
    memories = [*(memory_told(one) for one in found), *entities]
    return {"memories": memories, "links": [*links.values()], "count": len(memories)}


@tool(Import, WRITES_ONCE)
def memory_import(door: Door, asked: Import) -> Answer:
    """Take in what was exported, with its ids, times, accesses and links. What was taken in before is not stored
    twice."""
    new = [one for one in asked.memories if _known(door, one) is None]
    told = [_whole(one, asked.agent_id, door) for one in new]
    done = door.import_memories(records={"memories": told}, system="ai-memory") if told else None
    ids = {str(one["id"]): _known(door, one) for one in (*asked.memories, *told) if one.get("id")}
    for link in asked.links:
        ends = {name: ids.get(getattr(link, name)) or getattr(link, name) for name in ("source_id", "target_id")}
        memory_link.run(door, link.model_copy(update=ends))
    left_out = {} if done is None else done.left_out
    return {
        "imported": 0 if done is None else done.memories + done.entities,
        "skipped": len(asked.memories) - len(new),
        "ids": {other: own for other, own in ids.items() if own is not None},
        "errors": [{"id": name, "error": why} for name, why in left_out.items()],
    }


def _known(door: Door, one: dict[str, Any]) -> str | None:
    """Under which id it is here, if it is: a memory under its own, an entity under that of its name."""
    if is_entity(one):
        named = entities_at(door, str(one.get("title")), one.get("namespace"))
        return named[-1].id if named else None
    try:
        return None if one.get("id") is None else client_id(memory_at(door, str(one["id"]), hidden=True))
    except NotFound:
        return None
    except Conflict:  # it is here more than once
        return str(one["id"])


def _whole(one: dict[str, Any], agent: str | None, door: Door) -> dict[str, Any]:
    """Checked as what is stored, with what a record must have."""
    metadata = dict(one.get("metadata") or {})
    if agent and not metadata.get("agent_id"):
        metadata["agent_id"] = agent
    record = {**one, "metadata": metadata, "created_at": one.get("created_at") or plain(door.now())}
    if not is_entity(record):
        known = {name: value for name, value in one.items() if name in a.Store.model_fields and value is not None}
        memory_store.check(known)
    return {**record, "id": one.get("id") or str(uuid4()), "namespace": one.get("namespace") or door_space(door)}


def door_space(door: Door) -> str:
    """The namespace of what names none."""
    return namespace_of(door.status().space)


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
