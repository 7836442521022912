"""CortexGraph's tools beside its documents, as version 1.2.1 has them: keeping alive what a message speaks of, reading
what nobody has read for meaning, and how long calls take."""

from __future__ import annotations

from pydantic import Field

from treering.faces.afar import Door
from treering.faces.dialects.contract import Answer, Arguments, tool
from treering.model import limits
from treering.operation import READS, WRITES, WRITES_ONCE

MOST_BACKFILLED = 10_000


class AutoRecall(Arguments):
    message: str = Field(min_length=1, max_length=limits.QUERY_CHARS, description="What the user said.")


@tool(AutoRecall, WRITES)
def auto_recall_process_message(door: Door, asked: AutoRecall) -> Answer:
    """Reinforce memories that a message speaks of, without showing them; each once in a while."""
    done = door.auto_recall(asked.message)
    said = f"Auto-recall: Found {len(done.found)} related memories, reinforced {len(done.reinforced)} to prevent decay"
    if not done.reinforced:
        said = done.reason or f"{len(done.found)} related memories were used a short while ago"
    return {
        "success": True,
        "enabled": done.enabled,
        "topics_found": list(done.topics),
        "memories_found": len(done.found),
        "memories_reinforced": list(done.reinforced),
        "mode": "silent",
        "message": said,
    }


class BackfillEmbeddings(Arguments):
    model: str | None = Field(None, max_length=limits.NAME_CHARS, description="Ignored: the space's embedder reads.")
    limit: int | None = Field(None, ge=1, le=MOST_BACKFILLED, description="Most memories to read.")
    force: bool = Field(False, description="Ignored: what was read once need not be read again.")
    dry_run: bool = Field(False, description="Only say how many would be read.")


@tool(BackfillEmbeddings, WRITES_ONCE)
def backfill_embeddings(door: Door, asked: BackfillEmbeddings) -> Answer:
    """Let the space's embedder read what it has not read yet."""
    total = sum(door.status().memories.values())
    [state, *_] = door.unnoticed().recall("x", limit=1, include_source=False).index or [None]
    embedder = None if state is None else state.embedder
    unread = 0 if state is None or embedder is None else max(0, state.memories - state.embedded)
    told: Answer = {
        "success": True,
        "dry_run": asked.dry_run,
        "processed": 0,
        "errors": 0,
        "model": embedder or "none",
        "total_memories": total,
        "memories_without_embeddings": unread,
    }
    if embedder is None:
        return told | {"message": "No embedder reads this space; TREERING_EMBEDDER or `reembed` names one"}
    if not unread:
        return told | {"message": "No memories need embeddings backfill"}
    if asked.dry_run:
        count = min(unread, asked.limit or unread)
        said = f"Dry run: Would process {count} memories with model {embedder}"
        return told | {"would_process": count, "message": said}
    done = door.reembed(limit=asked.limit)
    said = f"Backfilled {done.read} memories and names with model {done.embedder}"
    return told | {"processed": done.read, "model": done.embedder, "message": said}


class Nothing(Arguments):
    """Asked without any argument."""


@tool(Nothing, READS)
def get_performance_metrics(door: Door, asked: Nothing) -> Answer:
    """How long operations take in this process: count, mean, least and most, in milliseconds."""
    told: Answer = {}
    for one in door.timings():
        told[one.operation] = {
            "count": one.count,
            "avg_ms": one.mean_ms,
            "min_ms": one.least_ms,
            "max_ms": one.most_ms,
            "total_ms": one.total_ms,
        }
        told[f"{one.operation}_count"] = one.count
    return told


@tool(Nothing, READS)
def reset_performance_metrics(door: Door, asked: Nothing) -> Answer:
    """Begin to count anew."""
    door.timings(reset=True)
    return {"success": True, "message": "Performance metrics have been reset"}
