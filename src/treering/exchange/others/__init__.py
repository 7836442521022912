"""WHAT did another system keep, and how does it go back? A folder or file of its own kind, read into plain values and
written from them, with times, ids, uses and states.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from treering.errors import InvalidRequest
from treering.exchange.forms.whole import Whole
from treering.exchange.others import ai_memory, cortexgraph, crosmos, longmem
from treering.language.masking import Masking
from treering.model.moved import MovedRecords

_READERS: Mapping[str, Callable[[Path, Masking], MovedRecords]] = {
    cortexgraph.SYSTEM: cortexgraph.read,
    ai_memory.SYSTEM: ai_memory.read,
    crosmos.SYSTEM: crosmos.read,
    longmem.SYSTEM: longmem.read,
}
_KNOWN: Mapping[str, Callable[[Path], bool]] = {
    cortexgraph.SYSTEM: cortexgraph.is_its_own,
    ai_memory.SYSTEM: ai_memory.is_its_own,
    crosmos.SYSTEM: crosmos.is_its_own,
    longmem.SYSTEM: longmem.is_its_own,
}
_OF_RECORDS: Mapping[str, Callable[[Any], MovedRecords]] = {
    ai_memory.SYSTEM: ai_memory.from_records,
    crosmos.SYSTEM: crosmos.from_records,
    longmem.SYSTEM: longmem.from_records,
}
SYSTEMS = tuple(_READERS)
WRITERS: Mapping[str, Callable[[Path, list[Whole]], int]] = {
    cortexgraph.SYSTEM: cortexgraph.write_folder,
    ai_memory.SYSTEM: ai_memory.write_export,
    crosmos.SYSTEM: crosmos.write_export,
    longmem.SYSTEM: longmem.write_export,
}


def system_of(path: Path) -> str | None:
    """Whose it is, as far as its own files tell; none where it is nobody's that is known."""
    return next((name for name, is_its_own in _KNOWN.items() if is_its_own(path)), None)


def records_of(value: Any, system: str | None, masking: Masking) -> MovedRecords:
    """From what a route was sent; as ai-memory exports it, if nobody is named."""
    if system == cortexgraph.SYSTEM:
        raise InvalidRequest(f"system: records of {system} are read from its folder; give its path")
    return _OF_RECORDS[system or ai_memory.SYSTEM](masking.value(value))


def read_other(path: Path, system: str | None, masking: Masking) -> MovedRecords:
    by = system or system_of(path)
    if by is not None:
        return _READERS[by](path, masking)
    raise InvalidRequest(
        f"path: {path} is neither a storage folder of CortexGraph (memories.jsonl, relations.jsonl or cortexgraph.db) "
        "nor an export or database of ai-memory, nor what Crosmos or LongMem answered; give one of these, or import "
        "another file with `add_file`"
    )
