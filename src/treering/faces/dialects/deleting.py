"""What is it to delete a whole space, for a client of another system? All it holds is forgotten, and it is no longer
listed until something is written to it again or it is made anew. Nothing is removed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from treering.faces.afar import Door
from treering.faces.dialects.revisions import everything
from treering.model.memory import Mark

_KEPT = "dialects"
_KEYS = (_KEPT, "crosmos")
"""Where the metadata of a space tells that it was deleted; the second is from when only Crosmos's routes did so."""


def delete(door: Door, space: str, why: str) -> int:
    """How many memories were forgotten."""
    held = [one for one in everything(door, space) if Mark.FORGOTTEN not in one.marks]
    for memory in held:
        door.forget(memory.id, space=space, why=why)
    about = door.about(space=space)
    kept = {"deleted": True, "newest": _newest(door, space)}
    door.describe(description=about.description, metadata={**own(about.metadata), _KEPT: kept}, space=space)
    return len(held)


def living(door: Door) -> Iterator[str]:
    """The spaces that were not deleted."""
    return (one.name for one in door.spaces() if lives(door, one.name))


def lives(door: Door, space: str) -> bool:
    """Whether it was never deleted, or something was written to it since."""
    metadata = door.about(space=space).metadata
    kept: Mapping[str, Any] = next((metadata[one] for one in _KEYS if isinstance(metadata.get(one), Mapping)), {})
    return not kept.get("deleted") or ("newest" in kept and kept["newest"] != _newest(door, space))


def _newest(door: Door, space: str) -> str | None:
    """The memory that was written last, in whatever state."""
    found = door.list(space=space, view="all", order="newest", limit=1).memories
    return found[0].id if found else None


def own(metadata: Mapping[str, Any]) -> dict[str, Any]:
    """The client's own, without what is kept beside it."""
    return {name: value for name, value in metadata.items() if name not in _KEYS}
