"""Memories as Crosmos's clients search, list, read and delete them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from datetime import datetime
from typing import Any

from treering.errors import NotFound
from treering.exchange.others.crosmos import KEPT, memory_record
from treering.faces.afar import Door
from treering.faces.dialects.contract import Answer, tool
from treering.faces.dialects.crosmos import arguments as a
from treering.faces.dialects.crosmos.ingest import source_id
from treering.faces.dialects.crosmos.spaces import id_of, places, space_at
from treering.faces.dialects.everywhere import the_only_one
from treering.faces.dialects.forgetting import along_with, forgotten, restore_with
from treering.faces.dialects.revisions import everything
from treering.model.memory import Mark, Memory
from treering.model.value import plain
from treering.operation import READS, WRITES_ONCE
from treering.recall.answer import Hit

VARIETY = 0.3
"""How much, where variety is wished for: clients only say whether."""
_PAGE = 1_000
_SORTED: dict[str, Callable[[Memory], Any]] = {
    "created_at": lambda one: one.recorded_at,
    "importance_score": lambda one: one.importance,
    "event_time": lambda one: one.event_time,
    "last_accessed_at": lambda one: one.last_used if one.use_count else None,
    "access_frequency": lambda one: one.use_count,
}


@tool(a.Search, READS)
def search(door: Door, asked: a.Search) -> Answer:
    """The memories that answer a question, best first. All signals are always weighed together; with `rerank` the
    reranker that is set up, if one is, has its say."""
    space = space_at(door, asked.space_id)
    found = (door if asked.rerank else door.without_reranker()).recall(
        asked.query,
        space=space,
        limit=asked.limit,
        recency_bias=asked.recency_bias,
        diversify=VARIETY if asked.diversify else 0.0,
        include_source=asked.include_source,
    )
    candidates = [_candidate(hit, asked.include_source) for hit in found]
    return {"candidates": candidates, "count": len(candidates), "query": asked.query}


def _candidate(hit: Hit, include_source: bool) -> Answer:
    memory = hit.memory
    told: Answer = plain(
        {
            "memory_id": memory.id,
            "content": memory.content,
            "memory_type": memory.kind,
            "score": hit.score,
            "source": _source(hit) if include_source else None,
            "created_at": memory.recorded_at,
            "event_time": memory.event_time,
        }
    )
    return told


def _source(hit: Hit) -> Answer | None:
    if not hit.sources:
        return None
    first = hit.sources[0]
    return {
        "id": source_id(first.key, first.id),
        "content": first.text,
        "role": first.speaker,
        "session_id": first.session,
        "created_at": first.occurred_at,
        "meta": dict(first.meta),
    }


@tool(a.Memories, READS)
def list_memories(door: Door, asked: a.Memories) -> Answer:
    """Memories that hold, sorted; what has no such time comes last."""
    by = _SORTED[asked.sort_by]
    found = list(_current(door, asked.space_id))
    if asked.include_forgotten:
        found += _forgotten(door, asked.space_id)
    known = [one for one in found if by(one) is not None]
    known.sort(key=lambda one: (by(one), one.recorded_at, one.id), reverse=asked.order == "desc")
    ordered = [*known, *(one for one in found if by(one) is None)]
    shown = ordered[asked.offset : asked.offset + asked.limit]
    return {
        "memories": [memory_told(one, forgotten(door, one)[0]) for one in shown],
        "total": len(found),
        "limit": asked.limit,
        "offset": asked.offset,
    }


def _current(door: Door, space_id: str | None) -> Iterator[Memory]:
    for place in places(door, space_id):
        cursor = None
        while True:
            page = door.list(space=place.space, children=place.children, order="newest", limit=_PAGE, cursor=cursor)
            yield from page
            cursor = page.next
            if cursor is None:
                break


def _forgotten(door: Door, space_id: str | None) -> list[Memory]:
    """What was forgotten, and not with a space that is gone."""
    return [
        one
        for place in places(door, space_id)
        for one in everything(door, place.space, place.children)
        if Mark.FORGOTTEN in one.marks
    ]


@tool(a.OneMemory, READS)
def get_memory(door: Door, asked: a.OneMemory) -> Answer:
    """One memory by its id; one that was forgotten if that is asked for, with when that was."""
    memory = _memory(door, asked.id, asked.include_forgotten)
    return memory_told(memory, forgotten(door, memory)[0])


@tool(a.One, WRITES_ONCE)
def delete_memory(door: Door, asked: a.One) -> Answer:
    """Forget a memory, with what it took the place of: who deletes a fact does not want the one before it back."""
    memory = _memory(door, asked.id)
    for one in (memory.id, *door.history(memory.id, space=memory.space).supersedes):
        door.forget(one, space=memory.space, why=along_with(memory.id))
    return {"deleted": True, "id": memory.id}


@tool(a.One, WRITES_ONCE)
def restore_memory(door: Door, asked: a.One) -> Answer:
    """Bring back a memory that was deleted, with all that went along with it."""
    memory = _memory(door, asked.id, hidden=True)
    back = restore_with(door, memory.id, memory.space)
    if not back:
        raise NotFound(f"id: {asked.id!r} was not forgotten; there is nothing to restore")
    return {**memory_told(door.get(memory.id, space=memory.space)), "restored": back}


def _memory(door: Door, memory_id: str, hidden: bool = False) -> Memory:
    """`hidden`: also if it was forgotten."""
    shown = (one for one in _with_id(door, memory_id) if hidden or Mark.FORGOTTEN not in one.marks)
    found = the_only_one(shown, memory_id, "id", "ask with a key that opens one of them")
    if found is None:
        raise NotFound(f"id: there is no memory {memory_id!r}; check the id")
    return found


def _with_id(door: Door, memory_id: str) -> Iterator[Memory]:
    for place in places(door, None):
        with suppress(NotFound):
            yield door.get(memory_id, space=place.space, children=place.children)


def memory_told(memory: Memory, forgotten_at: datetime | None = None) -> Answer:
    """What came from Crosmos tells its times as they were there."""
    came = memory.meta.get(KEPT)
    gone = came.get("forgotten_at") if isinstance(came, Mapping) else None
    told: Answer = plain(
        {"id": memory.id, "memory_id": memory.id, "forgotten_at": forgotten_at and (gone or forgotten_at)}
    )
    return {**memory_record(memory, id_of(memory.space)), **told}
