"""CortexGraph's tools for housekeeping: collecting, promoting, clustering, consolidating."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import Field

from treering.errors import InvalidRequest
from treering.faces.afar import Door
from treering.faces.dialects.contract import Answer, Arguments, tool
from treering.faces.dialects.cortexgraph.told import preview
from treering.model import limits
from treering.operation import WRITES, WRITES_ONCE

_ACTIONS = {"auto-merge": "auto-merge", "review": "llm-review", "keep": "keep-separate"}


class Gc(Arguments):
    dry_run: bool = Field(True, description="Only say what would be removed.")
    archive_instead: bool = Field(False, description="Archive instead of removing.")
    limit: int | None = Field(None, ge=1, le=limits.BATCH, description="Most memories to take.")


@tool(Gc, WRITES_ONCE)
def gc(door: Door, asked: Gc) -> Answer:
    """Put away memories that have decayed below the threshold. Only shows them unless dry_run is false."""
    done = door.gc(dry_run=asked.dry_run, archive=asked.archive_instead, limit=asked.limit)
    verb = "archive" if asked.archive_instead else "remove"
    said = f"Would {verb}" if asked.dry_run else f"{verb.capitalize()}d"
    return {
        "success": True,
        "dry_run": asked.dry_run,
        "removed_count": done.forgotten,
        "archived_count": done.archived,
        "freed_score_sum": round(done.freed_score, 4),
        "memory_ids": list(done.ids),
        "total_affected": len(done.ids),
        "message": f"{said} {len(done.ids)} low-scoring memories (threshold: {done.threshold:g})",
    }


class PromoteMemory(Arguments):
    memory_id: str | None = Field(None, max_length=limits.NAME_CHARS, description="The memory to promote.")
    auto_detect: bool = Field(False, description="Promote all that meet the criteria instead.")
    dry_run: bool = Field(False, description="Only say what would be promoted.")
    target: Literal["obsidian"] = Field("obsidian", description="Where to: a note of the vault, if there is one.")
    force: bool = Field(False, description="Promote it even if it does not meet the criteria.")


@tool(PromoteMemory, WRITES_ONCE, {"id": "memory_id", "auto": "auto_detect"})
def promote_memory(door: Door, asked: PromoteMemory) -> Answer:
    """Promote memories to long-term storage: one by its id, or all that meet the criteria."""
    if (asked.memory_id is None) == (not asked.auto_detect):
        raise InvalidRequest("memory_id: give the memory to promote, or auto_detect=true; one of the two")
    done = door.promote(asked.memory_id, auto=asked.auto_detect, dry_run=asked.dry_run, force=asked.force)
    if done.refused:
        raise InvalidRequest(f"Memory does not meet promotion criteria: {done.refused[0].reason}")
    where = "obsidian" if done.notes else "long-term memory"
    said = "Would promote" if asked.dry_run else "Promoted"
    return {
        "success": True,
        "dry_run": asked.dry_run,
        "candidates_found": len(done.candidates),
        "promoted_count": 0 if asked.dry_run else len(done.promoted_ids),
        "promoted_ids": [] if asked.dry_run else list(done.promoted_ids),
        "candidates": [
            {
                "id": one.id,
                "content_preview": preview(one.content),
                "reason": one.reason,
                "score": round(one.score, 4),
                "use_count": one.use_count,
                "age_days": round(one.age_days, 2),
            }
            for one in done.candidates
        ],
        "message": f"{said} {len(done.candidates if asked.dry_run else done.promoted_ids)} memories to {where}",
    }


class ClusterMemories(Arguments):
    strategy: Literal["similarity"] = Field("similarity", description="How memories come together.")
    threshold: float = Field(0.83, ge=0, le=1, description="How alike memories of one cluster are.")
    max_cluster_size: int = Field(12, ge=2, le=limits.CLUSTER_SIZE, description="Most memories of one cluster.")
    find_duplicates: bool = Field(False, description="Look for pairs that say the same instead.")
    duplicate_threshold: float = Field(0.88, ge=0, le=1, description="How alike duplicates are.")


@tool(ClusterMemories, WRITES_ONCE)
def cluster_memories(door: Door, asked: ClusterMemories) -> Answer:
    """Find memories that belong together, to be consolidated; or pairs that say the same."""
    found = door.cluster(
        asked.strategy, asked.threshold, asked.max_cluster_size, asked.find_duplicates, asked.duplicate_threshold
    )
    if asked.find_duplicates:
        return {
            "success": True,
            "mode": "duplicate_detection",
            "duplicates_found": len(found.duplicates),
            "duplicates": [one.to_dict() for one in found.duplicates],
            "message": f"Found {len(found.duplicates)} potential duplicate pairs",
        }
    return {
        "success": True,
        "mode": "clustering",
        "clusters_found": len(found.clusters),
        "strategy": asked.strategy,
        "threshold": asked.threshold,
        "clusters": [
            {**one.to_dict(), "suggested_action": _ACTIONS.get(one.suggested_action, one.suggested_action)}
            for one in found.clusters
        ],
        "message": f"Found {len(found.clusters)} clusters using {asked.strategy} strategy",
    }


class ConsolidateMemories(Arguments):
    cluster_id: str | None = Field(None, max_length=limits.NAME_CHARS, description="The cluster, unless auto_detect.")
    mode: Literal["preview", "apply", "link"] = Field("preview", description="Show, merge, or only relate.")
    auto_detect: bool = Field(False, description="All clusters that are coherent enough.")
    cohesion_threshold: float = Field(0.75, ge=0, le=1, description="How coherent a cluster must be for auto_detect.")


@tool(ConsolidateMemories, WRITES, {"auto": "auto_detect", "cluster": "cluster_memories"})
def consolidate_memories(door: Door, asked: ConsolidateMemories) -> Answer:
    """Make one memory of a cluster (apply), relate its members (link), or show what would be (preview)."""
    if asked.cluster_id is None and not asked.auto_detect:
        raise InvalidRequest("cluster_id: is required unless auto_detect is true; cluster_memories finds clusters")
    done = door.consolidate(asked.cluster_id, asked.auto_detect, asked.mode, asked.cohesion_threshold)
    told: dict[str, Any] = {"success": True, "mode": asked.mode}
    if asked.mode == "preview":
        told |= {"auto_detect": asked.auto_detect, "candidates_found": done.candidates_found}
        return {**told, "previews": [one.to_dict() for one in done.previews]}
    if asked.mode == "link":
        count = len({one for tied in done.linked for one in tied.relation_ids})
        return {
            **told,
            "relations_created": done.relations_created or count,
            "cluster_id": done.cluster_id or asked.cluster_id,
            "message": done.message,
        }
    return {
        **told,
        "new_memory_id": done.new_memory_id,
        "source_ids": list(done.source_ids),
        "relation_ids": list(done.relation_ids),
        "archived_count": done.archived_count,
        "message": done.message,
        **({"consolidated": [one.to_dict() for one in done.merged]} if asked.auto_detect else {}),
    }
