"""Which memory is meant by an id that stays, in ai-memory? Its revisions keep the first author and all uses so far, and
links are tied to the first, so that they hold through all of them."""

from __future__ import annotations

from typing import Any

from treering.faces.afar import Door
from treering.faces.dialects.ai_memory.shapes import REVISIONS, accesses, kept_of, last_access
from treering.model.memory import Memory
from treering.model.value import plain

latest, all_of = REVISIONS.latest, REVISIONS.all_of


def revised(door: Door, memory: Memory, change: dict[str, Any]) -> Memory:
    """Another memory in its place, seen by clients under the same id. `change`: as `add` would take it."""
    came = {
        "author": kept_of(memory).get("author") or memory.observed_by,
        "accessed": accesses(memory),
        "last_accessed_at": plain(last_access(memory)),
    }
    return REVISIONS.made(door, memory, change, **came)
