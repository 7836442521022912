"""CortexGraph's tools for single memories: saving them, and saying which were used."""

from __future__ import annotations

from typing import Any

from pydantic import Field

from treering.faces.afar import Door
from treering.faces.dialects.contract import Answer, Arguments, Listed, tool
from treering.model import limits
from treering.operation import WRITES

STRONGEST = 2.0


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
    wanted = entities is None or strength is None
    enriched = wanted and bool(door.setting("enrichment")["enrichment"]["enabled"])
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
        **(
            {"auto_entities": len(entities or ()), "calculated_strength": min(STRONGEST, strength or 1.0)}
            if enriched
            else {}
        ),
    }


def _has_embedding(door: Door, space: str) -> bool:
    [index, *_] = door.unnoticed().recall("x", space=space, limit=1, include_source=False).index or [None]
    return index is not None and index.embedder is not None and index.embedded > 0


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
