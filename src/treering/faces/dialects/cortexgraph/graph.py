"""CortexGraph's tools for the graph: reading it page by page, opening memories by id, relating two of them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Any, Literal
from uuid import UUID

from pydantic import Field, ValidationInfo, WithJsonSchema, field_validator

from treering.errors import InvalidRequest, NotFound
from treering.faces.afar import Door
from treering.faces.dialects.contract import Answer, Arguments, Listed, tool
from treering.faces.dialects.cortexgraph.told import RELATIONS, STATUSES, around, paged, scores, seconds, told
from treering.model import limits
from treering.model.memory import Memory
from treering.operation import READS, WRITES_ONCE

MOST_OPENED = 100
MOST_READ = 10_000
MOST_OF_A_PAGE = 100
_SOME_IDS = {"type": "array", "items": {"type": "string"}, "minItems": 1, "maxItems": MOST_OPENED}


class ReadGraph(Arguments):
    status: Literal["active", "promoted", "archived", "all"] = Field("active", description="Which memories.")
    include_scores: bool = Field(True, description="With decay scores and ages.")
    limit: int | None = Field(None, ge=1, le=MOST_READ, description="Most memories in all.")
    page: int = Field(1, ge=1, description="Which page, from 1.")
    page_size: int = Field(10, ge=1, le=MOST_OF_A_PAGE, description="Memories of a page.")


@tool(ReadGraph, READS)
def read_graph(door: Door, asked: ReadGraph) -> Answer:
    """Read the graph of memories and their relations, page by page, with statistics."""
    every = [one for one in _all(door, asked.status) if asked.status in ("all", STATUSES[one.state])][: asked.limit]
    window, pagination = paged(len(every), asked.page, asked.page_size)
    shown = every[window]
    nearby = {one.id: around(door, one.id) for one in {one.id: one for one in (*shown, *every[:MOST_READ])}.values()}
    worth = scores(door, [one.id for one in every])
    relations = {edge["id"]: edge for one in shown for edge in nearby[one.id].relations}
    values = [worth[one.id].score for one in every]
    return {
        "success": True,
        "memories": [
            told(one, nearby[one.id].entities, worth[one.id] if asked.include_scores else None) for one in shown
        ],
        "relations": list(relations.values()),
        "stats": {
            "total_memories": len(every),
            "total_relations": len({edge["id"] for one in nearby.values() for edge in one.relations}),
            "avg_score": round(sum(values) / len(values), 4) if values else 0.0,
            "avg_use_count": round(sum(one.use_count for one in every) / len(every), 2) if every else 0.0,
            "status_filter": asked.status,
        },
        "pagination": pagination,
    }


def _all(door: Door, status: str) -> Iterator[Memory]:
    """Memories that have a status here, in the order they were learned."""
    view, cursor = "current" if status in ("active", "promoted") else "all", None
    while True:
        page = door.list(view=view, limit=limits.PAGE, cursor=cursor)
        yield from (one for one in page if one.state in STATUSES)
        cursor = page.next
        if cursor is None:
            return


class OpenMemories(Arguments):
    memory_ids: Annotated[
        Listed,
        Field(min_length=1, max_length=MOST_OPENED, description="One id, or a list of them."),
        WithJsonSchema({"anyOf": [{"type": "string"}, _SOME_IDS]}),
    ]
    include_relations: bool = Field(True, description="With relations from and to them.")
    include_scores: bool = Field(True, description="With decay scores and ages.")
    page: int = Field(1, ge=1, description="Which page, from 1.")
    page_size: int = Field(10, ge=1, le=MOST_OF_A_PAGE, description="Memories of a page.")


@tool(OpenMemories, READS)
def open_memories(door: Door, asked: OpenMemories) -> Answer:
    """Open memories by their ids, with their relations."""
    found, missing = _opened(door, list(dict.fromkeys(asked.memory_ids)))
    window, pagination = paged(len(found), asked.page, asked.page_size)
    shown = found[window]
    worth = scores(door, [one.id for one in shown]) if asked.include_scores else {}
    return {
        "success": True,
        "count": len(shown),
        "memories": [_open(door, one, asked, worth) for one in shown],
        "not_found": missing,
        "pagination": pagination,
    }


def _opened(door: Door, ids: list[str]) -> tuple[list[Memory], list[str]]:
    found: list[Memory] = []
    missing: list[str] = []
    for memory_id in ids:
        try:
            memory = door.get(memory_id)
        except NotFound:
            missing.append(memory_id)
            continue
        if memory.state in STATUSES:
            found.append(memory)
        else:
            missing.append(memory_id)
    return found, missing


def _open(door: Door, memory: Memory, asked: OpenMemories, worth: dict[str, Any]) -> dict[str, Any]:
    near = around(door, memory.id)
    promoted = _promoted(door, memory)
    about = {
        **told(memory, near.entities, worth.get(memory.id)),
        "source": memory.meta.get("source"),
        "context": memory.context,
        "promoted_at": promoted,
        "promoted_to": None if promoted is None else memory.meta.get("promoted_to", "long-term memory"),
    }
    if asked.include_relations:
        about["relations"] = {
            "outgoing": [_end("to", one) for one in near.relations if one["from"] == memory.id],
            "incoming": [_end("from", one) for one in near.relations if one["to"] == memory.id],
        }
    return about


def _end(end: str, relation: Any) -> dict[str, Any]:
    return {end: relation[end], "type": relation["type"], "strength": relation["strength"]}


def _promoted(door: Door, memory: Memory) -> int | None:
    if STATUSES[memory.state] != "promoted":
        return None
    return next((seconds(one.at) for one in reversed(door.history(memory.id).events) if one.op == "promote"), None)


class CreateRelation(Arguments):
    from_memory_id: str = Field(description="Where it starts.")
    to_memory_id: str = Field(description="Where it leads.")
    relation_type: Literal["related", "causes", "supports", "contradicts", "has_decision", "consolidated_from"] = Field(
        description="What the first is to the second."
    )
    strength: float = Field(1.0, ge=0, le=1, description="How strong the tie is.")
    metadata: dict[str, Any] = Field(default_factory=dict, description="Further data of your own.")

    @field_validator("from_memory_id", "to_memory_id")
    @classmethod
    def _an_id(cls, value: str, info: ValidationInfo) -> str:
        try:
            return str(UUID(value))
        except ValueError:
            raise InvalidRequest(f"{info.field_name}: {value!r} is not a valid UUID") from None


@tool(CreateRelation, WRITES_ONCE, {"source": "from_memory_id", "target": "to_memory_id", "meta": "metadata"})
def create_relation(door: Door, asked: CreateRelation) -> Answer:
    """Relate two memories."""
    relation = RELATIONS[asked.relation_type]
    linked = door.link(
        asked.from_memory_id, asked.to_memory_id, relation, strength=asked.strength, meta=asked.metadata or None
    )
    ends = f"{asked.from_memory_id} --[{asked.relation_type}]--> {asked.to_memory_id}"
    return {
        "success": True,
        "relation_id": linked.edge.id,
        "from": asked.from_memory_id,
        "to": asked.to_memory_id,
        "type": asked.relation_type,
        "strength": linked.edge.strength,
        "message": f"Relation created: {ends}" if linked.created else f"Relation exists already: {ends}",
    }
