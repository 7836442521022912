"""CortexGraph's tools for single memories: saving, searching, and saying what was used."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from pydantic import Field

from treering.faces.afar import Door
from treering.faces.dialects.contract import Answer, Arguments, Listed, tool
from treering.faces.dialects.cortexgraph.told import preview, scores, seconds
from treering.model import limits
from treering.model.memory import Memory
from treering.operation import READS, WRITES

STRONGEST = 2.0
_MOST_WEIGHT = 2.0


class SaveMemory(Arguments):
    content: str = Field(min_length=1, max_length=limits.CONTENT_CHARS, description="What to remember.")
    tags: Listed | None = Field(None, max_length=limits.TAGS, description="Tags to file it under.")
    entities: Listed | None = Field(None, description="Names it mentions; found in the content if left out.")
    source: str | None = Field(None, max_length=limits.CONTEXT_CHARS, description="Where it comes from.")
    context: str | None = Field(None, max_length=limits.CONTEXT_CHARS, description="What it was said in.")
    meta: dict[str, Any] | None = Field(None, description="Further data of your own.")
    strength: float | None = Field(
        None, ge=1, le=STRONGEST, description="1.0 normal, 1.5 important, 2.0 never to be lost; judged if left out."
    )


@tool(SaveMemory, WRITES)
def save_memory(door: Door, asked: SaveMemory) -> Answer:
    """Save a memory. Entities and strength are read out of the content if they are not given."""
    entities, strength = asked.entities, asked.strength
    enriched = entities is None or strength is None
    if enriched:
        advice = door.analyze_message(asked.content)
        entities = list(advice.entities) if entities is None else entities
        strength = advice.strength if strength is None else strength
    meta = {**(asked.meta or {}), **({"source": asked.source} if asked.source else {}), **(asked.model_extra or {})}
    receipt = door.add(
        asked.content,
        tags=asked.tags or (),
        entities=entities or (),
        context=asked.context,
        meta=meta or None,
        strength=min(STRONGEST, strength or 1.0),
    )
    return {
        "success": True,
        "memory_id": receipt.id,
        "message": f"Memory saved with ID: {receipt.id}",
        "has_embedding": _has_embedding(door, receipt.space),
        "enrichment_applied": enriched,
    }


def _has_embedding(door: Door, space: str) -> bool:
    [index, *_] = door.unnoticed().recall("x", space=space, limit=1, include_source=False).index or [None]
    return index is not None and index.embedder is not None and index.embedded > 0


class SearchMemory(Arguments):
    query: str | None = Field(None, max_length=limits.QUERY_CHARS, description="What to look for; all if left out.")
    tags: Listed | None = Field(None, max_length=limits.TAGS, description="Only memories with all these tags.")
    top_k: int = Field(10, ge=1, le=limits.HITS, description="Most results.")
    window_days: int | None = Field(
        None, ge=1, le=limits.WINDOW_DAYS, description="Only what was used in the last so many days."
    )
    min_score: float | None = Field(None, ge=0, description="Leave out what has decayed below this score.")
    use_embeddings: bool = Field(False, description="Say how near each is to the query in meaning.")


@tool(SearchMemory, READS)
def search_memory(door: Door, asked: SearchMemory) -> Answer:
    """Search memories, with optional filters by tag, time and decay score."""
    filtered = asked.window_days is not None or asked.min_score is not None
    found = _found(door, asked.query, asked.tags, limits.HITS if filtered or not asked.query else asked.top_k)
    worth = scores(door, [memory.id for memory, _ in found])
    since = None if asked.window_days is None else door.now() - timedelta(days=asked.window_days)
    results: list[dict[str, Any]] = [
        {
            "id": memory.id,
            "content": memory.content,
            "tags": list(memory.tags),
            "score": round(worth[memory.id].score, 4),
            "similarity": round(near, 4) if asked.use_embeddings and asked.query else None,
            "use_count": memory.use_count,
            "last_used": seconds(memory.last_used),
            "age_days": round(worth[memory.id].age_days, 2),
        }
        for memory, near in found
        if (since is None or memory.last_used >= since)
        and (asked.min_score is None or worth[memory.id].score >= asked.min_score)
    ]
    if not asked.query:
        results.sort(key=lambda one: -one["score"])
    return {"success": True, "count": len(results[: asked.top_k]), "results": results[: asked.top_k]}


def _found(door: Door, query: str | None, tags: list[str] | None, most: int) -> list[tuple[Memory, float]]:
    """Current memories with how near each is, the nearest first; without a query the newest first."""
    if query:
        answer = door.recall(query, tags=tags or (), limit=most, view="current", include_source=False)
        return [(hit.memory, hit.score) for hit in answer]
    return [(memory, 0.0) for memory in door.list(tags=tags or (), limit=min(most, limits.PAGE), order="newest")]


class SearchUnified(Arguments):
    query: str | None = Field(None, max_length=limits.QUERY_CHARS, description="What to look for; else the newest.")
    tags: Listed | None = Field(None, max_length=limits.TAGS, description="Only what has all these tags.")
    limit: int = Field(10, ge=1, le=limits.HITS, description="Most results in all.")
    stm_weight: float = Field(1.0, ge=0, le=_MOST_WEIGHT, description="What short-term memories count.")
    ltm_weight: float = Field(0.7, ge=0, le=_MOST_WEIGHT, description="What notes of the vault count.")
    window_days: int | None = Field(
        None, ge=1, le=limits.WINDOW_DAYS, description="Only memories of the last so many days."
    )
    min_score: float | None = Field(None, ge=0, description="Leave out memories that have decayed below this score.")
    verbose: bool = Field(False, description="With ids and paths.")


@tool(SearchUnified, READS)
def search_unified(door: Door, asked: SearchUnified) -> Answer:
    """Search short-term memories and the notes of the vault together, in one ranking, as a block of text."""
    unified = door.search_unified(
        asked.query,
        tags=asked.tags or (),
        limit=asked.limit if asked.min_score is None else limits.HITS,
        stm_weight=asked.stm_weight,
        ltm_weight=asked.ltm_weight,
        window_days=asked.window_days,
    )
    ids = [one.id for one in unified.results if one.kind == "memory" and one.id]
    worth = scores(door, ids) if asked.min_score is not None else {}
    kept = [
        one
        for one in unified.results
        if asked.min_score is None or one.id not in worth or worth[one.id].score >= asked.min_score
    ][: asked.limit]
    lines = [f"Found {len(kept)} results:"] if kept else ["No results found."]
    for place, one in enumerate(kept, 1):
        kind = "STM" if one.kind == "memory" else "LTM"
        lines += ["", f"{place}. [{kind}] {one.title or preview(one.content, 60)} (score: {one.score:.3f})"]
        lines += [f"   {preview(one.content, 200)}"] + ([f"   tags: {', '.join(one.tags)}"] if one.tags else [])
        if asked.verbose:
            lines += [f"   {name}: {value}" for name, value in (("id", one.id), ("path", one.path)) if value]
    return {"result": "\n".join(lines)}


class TouchMemory(Arguments):
    memory_id: str = Field(min_length=1, max_length=limits.NAME_CHARS, description="The memory that was used.")
    boost_strength: bool = Field(False, description="Make it stronger too.")


@tool(TouchMemory, WRITES, {"id": "memory_id"})
def touch_memory(door: Door, asked: TouchMemory) -> Answer:
    """Reinforce a memory: it was used now, and decays anew."""
    touched = door.touch(asked.memory_id, asked.boost_strength)
    return {
        "success": True,
        "memory_id": touched.id,
        "old_score": round(touched.old_score, 4),
        "new_score": round(touched.new_score, 4),
        "use_count": touched.use_count,
        "strength": round(touched.strength, 4),
        "message": f"Memory reinforced. Score: {touched.old_score:.2f} -> {touched.new_score:.2f}",
    }


class ObserveMemoryUsage(Arguments):
    memory_ids: Listed = Field(min_length=1, max_length=limits.USED_AT_ONCE, description="The memories that were used.")
    context_tags: Listed = Field(default_factory=list, max_length=limits.TAGS, description="What is talked about.")


@tool(ObserveMemoryUsage, WRITES, {"ids": "memory_ids"})
def observe_memory_usage(door: Door, asked: ObserveMemoryUsage) -> Answer:
    """Record which memories were used in an answer, so that what proves useful stays."""
    seen = door.observe(asked.memory_ids, asked.context_tags)
    if not seen.reinforced and seen.reason is not None:
        return {"reinforced": False, "reason": seen.reason, "count": 0}
    return {
        "reinforced": seen.reinforced,
        "count": seen.count,
        "cross_domain_count": seen.cross_domain_count,
        "results": [
            {
                "id": one.id,
                "status": one.status,
                "cross_domain": one.cross_domain,
                "new_use_count": one.use_count,
                "new_review_count": one.review_count,
                "strength": None if one.strength is None else round(one.strength, 4),
            }
            for one in seen.results
        ],
    }
