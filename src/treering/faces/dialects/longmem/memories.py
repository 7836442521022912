"""LongMem's tools for single memories: storing, reading, listing, updating, deleting, and what they are related to."""

from __future__ import annotations

from itertools import islice
from typing import Any

from pydantic import AliasChoices, Field

from treering.errors import InvalidRequest, NotFound
from treering.faces.afar import Door
from treering.faces.dialects.contract import Answer, Arguments, tool
from treering.faces.dialects.longmem.places import known, memory_at
from treering.faces.dialects.longmem.told import (
    CATEGORY,
    DEFAULT_COLLECTION,
    RELATIONS,
    REVISIONS,
    SOURCE,
    WORDS,
    CollectionName,
    filed,
    of_collection,
    tags_of,
    told,
)
from treering.faces.dialects.revisions import everything
from treering.model import limits
from treering.model.edge import Link
from treering.model.memory import Mark, Memory, View
from treering.operation import READS, WRITES, WRITES_ONCE

TEXT_CHARS = 10_000
MOST_LISTED = 200


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


@tool(StoreMemory, WRITES, WORDS)
def store_memory(door: Door, asked: StoreMemory) -> Answer:
    """Store a memory in a collection, as it stands; no language model is asked."""
    metadata = {**asked.metadata, **(asked.model_extra or {})}
    meta = filed(asked.category, asked.source, asked.container_tag, metadata)
    tags = tags_of(asked.category, asked.container_tag)
    space = of_collection(asked.collection)
    receipt = door.add(asked.text, space=space, importance=asked.importance, meta=meta, tags=tags)
    return told(door.get(receipt.id, space=space))


class GetMemory(Arguments):
    memory_id: str = Field(min_length=1, max_length=limits.NAME_CHARS, description="The memory's id.")
    collection: CollectionName | None = Field(None, description="Its collection; looked for in all if left out.")


@tool(GetMemory, READS, WORDS)
def get_memory(door: Door, asked: GetMemory) -> Answer:
    """One memory by its id, latest or not."""
    return told(memory_at(door, asked.memory_id, asked.collection))


class ListMemories(Arguments):
    collection: CollectionName
    limit: int = Field(50, ge=1, le=MOST_LISTED, description="Most memories.")
    offset: int = Field(0, ge=0, description="How many to pass over.")
    include_archived: bool = Field(False, description="Also what is outdated, expired or archived.")


@tool(ListMemories, READS, WORDS)
def list_memories(door: Door, asked: ListMemories) -> Answer:
    """The memories of a collection, the newest first."""
    held = everything(door, known(door, asked.collection), view=View.ALL if asked.include_archived else View.CURRENT)
    by_id: dict[str, Memory] = {}
    for memory in held:  # of an updated one what it says by now comes first
        if Mark.FORGOTTEN not in memory.marks:
            by_id.setdefault(REVISIONS.client_id(memory), memory)
        if len(by_id) == asked.offset + asked.limit:
            break
    shown = islice(by_id.values(), asked.offset, None)
    return {"memories": [told(one) for one in shown], "limit": asked.limit, "offset": asked.offset}


class UpdateMemory(GetMemory):
    text: str | None = Field(
        None, min_length=1, max_length=TEXT_CHARS, validation_alias=AliasChoices("text", "content")
    )
    importance: float | None = Field(None, ge=0, le=1)
    category: str | None = Field(None, max_length=limits.TAG_CHARS)
    source: str | None = Field(None, max_length=limits.NAME_CHARS)
    metadata: dict[str, Any] | None = None
    container_tag: str | None = Field(None, max_length=limits.NAME_CHARS)


@tool(UpdateMemory, WRITES, WORDS)
def update_memory(door: Door, asked: UpdateMemory) -> Answer:
    """Change a memory. Its id stays, and so does what is not given."""
    old = memory_at(door, asked.memory_id, asked.collection)
    given = asked.model_dump(include={"text", "importance", "category", "source", "metadata", "container_tag"})
    named = {name: value for name, value in given.items() if value is not None}
    if not named:
        raise InvalidRequest("text: say what to change: text, importance, category, source, metadata, container_tag")
    return told(REVISIONS.made(door, old, _changed(old, named)))


def _changed(old: Memory, named: dict[str, Any]) -> dict[str, Any]:
    """As `revise` takes it: what is named, and the rest as it was."""
    before = told(old)
    now = {**before, **named}
    others = [one for one in old.tags if one not in tags_of(before["category"], before["container_tag"])]
    return {
        "content": now["text"],
        "importance": now["importance"],
        "meta": filed(now["category"], now["source"], now["container_tag"], now["metadata"]),
        "tags": [*others, *tags_of(now["category"], now["container_tag"])],
    }


@tool(GetMemory, WRITES_ONCE, WORDS)
def delete_memory(door: Door, asked: GetMemory) -> Answer:
    """Forget a memory, with what it said before and what it took the place of: who deletes a fact does not want the one
    before it back."""
    memory = memory_at(door, asked.memory_id, asked.collection)
    revisions = REVISIONS.all_of(door, memory)
    before = (door.history(one.id, space=one.space).supersedes for one in revisions)
    for one in dict.fromkeys([*(one.id for one in revisions), *(other for some in before for other in some)]):
        door.forget(one, space=memory.space)
    return {"deleted": True, "id": REVISIONS.client_id(memory)}


class RelatedMemory(Arguments):
    memory_id: str = Field(min_length=1, max_length=limits.NAME_CHARS, description="The memory to start from.")
    collection: CollectionName | None = Field(None, description="Its collection; looked for in all if left out.")
    limit: int = Field(5, ge=1, le=MOST_LISTED, description="Most results.")


@tool(RelatedMemory, READS, WORDS)
def related_memory(door: Door, asked: RelatedMemory) -> Answer:
    """What a memory updates, extends or is otherwise linked to, in both directions."""
    start = memory_at(door, asked.memory_id, asked.collection)
    own = [one.id for one in REVISIONS.all_of(door, start)]
    related: dict[tuple[str, str, bool], Answer] = {}
    for one in own:
        for edge in door.graph(one, relations=list(Link), depth=1, direction="both", space=start.space).edges:
            outgoing = edge.source_id == one
            other = _other(door, edge.target_id if outgoing else edge.source_id, start.space)
            if other is not None and other.id not in own:
                named = RELATIONS.get(edge.relation, edge.relation)
                about = {"relation": named, "direction": "outgoing" if outgoing else "incoming"}
                related.setdefault((other.id, named, outgoing), {**told(other), **about})
    shown = list(related.values())[: asked.limit]
    return {"memory_id": REVISIONS.client_id(start), "related": shown, "count": len(shown)}


def _other(door: Door, memory_id: str, space: str) -> Memory | None:
    """What is at the other end, as it is by now; none if that may not be seen."""
    try:
        found = REVISIONS.latest(door, door.get(memory_id, space=space))
    except NotFound:
        return None
    return None if Mark.FORGOTTEN in found.marks else found
