"""WHAT did another system keep, and how does it go back? A folder or file of its own kind, read into plain values and
written from them, with times, ids, uses and states.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from treering.errors import InvalidRequest
from treering.exchange.others import ai_memory, cortexgraph
from treering.model.moved import MovedRecords

SYSTEMS = (cortexgraph.SYSTEM, ai_memory.SYSTEM)


def system_of(path: Path) -> str | None:
    """Whose it is, as far as its own files tell; none where it is nobody's that is known."""
    if cortexgraph.is_its_own(path):
        return cortexgraph.SYSTEM
    return ai_memory.SYSTEM if ai_memory.is_its_own(path) else None


def records_of(value: Any, system: str | None) -> MovedRecords:
    """From what a route was sent, as ai-memory exports it."""
    if system not in (None, ai_memory.SYSTEM):
        raise InvalidRequest(f"system: records of {system} are read from its folder; give its path")
    return ai_memory.from_records(value)


def read_other(path: Path, system: str | None) -> MovedRecords:
    by = system or system_of(path)
    if by == cortexgraph.SYSTEM:
        return cortexgraph.read(path)
    if by == ai_memory.SYSTEM:
        return ai_memory.read(path)
    raise InvalidRequest(
        f"path: {path} is neither a storage folder of CortexGraph (memories.jsonl, relations.jsonl or cortexgraph.db) "
        "nor an export or database of ai-memory; give one of these, or import another file with `add_file`"
    )
