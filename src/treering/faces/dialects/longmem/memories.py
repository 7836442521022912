"""LongMem's tools for single memories: storing, searching, reading, and what they are related to."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import AliasChoices, Field

from treering.door import Treering
from treering.errors import NotFound
from treering.faces.dialects.contract import Answer, Arguments, tool
from treering.faces.dialects.longmem.told import (
    CATEGORY,
    DEFAULT_COLLECTION,
    RELATIONS,
    SOURCE,
    CollectionName,
    filed,
    of_collection,
    told,
)
from treering.model import limits
from treering.model.edge import Link
from treering.model.memory import Memory
from treering.operation import READS, WRITES
from treering.recall.answer import Hit

TEXT_CHARS = 10_000
MOST_FOUND = 200
_ARMS = {"vector": "semantic", "text": "keyword"}


class StoreMemory(Arguments):
    text: str = Field(
        min_length=1,
        max_length=TEXT_CHARS,
        validation_alias=AliasChoices("text", "content"),
        description="What to remember, as it stands.",
    )
    collection: CollectionName = DEFAULT_COLLECTION
    importance: float = Field(0.7, ge=0, le=1, description="How much it matters.")
    category: str = Field(CATEGORY, max_length=limits.TAG_CHARS, description="A word to file it under.")
    source: str = Field(SOURCE, max_length=limits.NAME_CHARS, description="Where it comes from.")
    metadata: dict[str, Any] = Field(default_factory=dict, description="Further data of your own.")
    container_tag: str | None = Field(
        None, max_length=limits.NAME_CHARS, description="Whose it is, within a collection."
    )


@tool(StoreMemory, WRITES)
def store_memory(door: Treering, asked: StoreMemory) -> Answer:
    """Store a memory in a collection, as it stands; no language model is asked."""
    meta = {**filed(asked.category, asked.source, asked.container_tag, asked.metadata), **(asked.model_extra or {})}
    space = of_collection(asked.collection)
    receipt = door.add(asked.text, space=space, importance=asked.importance, meta=meta)
    return told(door.get(receipt.id, space=space))


class SearchMemory(Arguments):
    query: str = Field(min_length=1, max_length=limits.QUERY_CHARS, description="What to look for.")
    collection: CollectionName | None = Field(None, description="Only this collection; all if left out.")
    limit: int = Field(5, ge=1, le=MOST_FOUND, description="Most results.")
    min_score: float = Field(0.3, ge=0, le=1, description="Accepted; how near is near enough, recall judges itself.")
    mode: Literal["hybrid", "vector", "text"] = Field("hybrid", description="By meaning and words, or by one of them.")
    category: str | None = Field(None, description="Only of this category.")
    metadata_filter: dict[str, Any] | None = Field(None, description="Only with these values in the metadata.")
    container_tag: str | None = Field(None, description="Only with this container tag.")


@tool(SearchMemory, READS)
def search_memory(door: Treering, asked: SearchMemory) -> Answer:
    """Search what is true now: outdated and expired memories are left out."""
    spaces = [of_collection(asked.collection)] if asked.collection else [one.name for one in door.spaces()]
    filtered = asked.mode != "hybrid" or asked.category or asked.metadata_filter or asked.container_tag
    most = limits.HITS if filtered else asked.limit
    found = [
        hit
        for space in spaces
        for hit in door.recall(
            asked.query, space=space, limit=most, view="current", include_source=False, explain=asked.mode != "hybrid"
        )
        if _wanted(hit, asked)
    ]
    best = sorted(found, key=lambda hit: -hit.score)[: asked.limit]
    return {"results": [{**told(hit.memory), "score": round(hit.score, 4)} for hit in best], "count": len(best)}


def _wanted(hit: Hit, asked: SearchMemory) -> bool:
    about = told(hit.memory)
    wished = [("category", asked.category), ("container_tag", asked.container_tag)]
    if any(value is not None and about[name] != value for name, value in wished):
        return False
    if any(about["metadata"].get(name) != value for name, value in (asked.metadata_filter or {}).items()):
        return False
    return asked.mode == "hybrid" or _by_arm(hit, asked)


def _by_arm(hit: Hit, asked: SearchMemory) -> bool:
    """Whether that way of looking had something to say for it."""
    signals = hit.explanation.signals if hit.explanation is not None else {}
    arm = signals.get(_ARMS[asked.mode])
    return arm is not None and arm.score > 0


class GetMemory(Arguments):
    memory_id: str = Field(min_length=1, max_length=limits.NAME_CHARS, description="The memory's id.")
    collection: CollectionName | None = Field(None, description="Its collection; looked for in all if left out.")


@tool(GetMemory, READS)
def get_memory(door: Treering, asked: GetMemory) -> Answer:
    """One memory by its id, latest or not."""
    return told(_memory(door, asked.memory_id, asked.collection))


def _memory(door: Treering, memory_id: str, collection: str | None) -> Memory:
    if collection is not None:
        return door.get(memory_id, space=of_collection(collection))
    for space in door.spaces():
        try:
            return door.get(memory_id, space=space.name)
        except NotFound:
            continue
    raise NotFound(f"memory_id: there is no memory {memory_id!r} in any collection; check the id")


class RelatedMemory(Arguments):
    memory_id: str = Field(min_length=1, max_length=limits.NAME_CHARS, description="The memory to start from.")
    collection: CollectionName | None = Field(None, description="Its collection; looked for in all if left out.")
    limit: int = Field(5, ge=1, le=MOST_FOUND, description="Most results.")


@tool(RelatedMemory, READS)
def related_memory(door: Treering, asked: RelatedMemory) -> Answer:
    """What a memory updates, extends or is otherwise linked to, in both directions."""
    start = _memory(door, asked.memory_id, asked.collection)
    links = [one.value for one in Link]
    walked = door.graph(start.id, relations=links, depth=1, direction="both", space=start.space)
    related = []
    for edge in walked.edges[: asked.limit]:
        outgoing = edge.source_id == start.id
        other = door.get(edge.target_id if outgoing else edge.source_id, space=start.space)
        named = RELATIONS.get(edge.relation, edge.relation)
        related.append({**told(other), "relation": named, "direction": "outgoing" if outgoing else "incoming"})
    return {"memory_id": start.id, "related": related, "count": len(related)}
