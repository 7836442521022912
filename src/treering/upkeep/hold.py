"""What must not be removed? What is on hold: a memory, or a whole space. While a hold stands no purge takes it, neither
by hand nor by retention nor because another store of the space purged it. Reading, fading and forgetting go on as ever.

A hold is a mark on the memory, or a setting of the space: it is in the journal with who, when and why, and so is its
release. Nothing else lifts it, `undo` neither.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime

from treering.errors import Held, InvalidRequest
from treering.model.changes import Change, Changes, Marked, SettingChanged, Thing
from treering.model.memory import Mark, Memory, View
from treering.model.value import Value
from treering.store.contract import MemoryFilter, Reader
from treering.store.naming import missing
from treering.values import dataclass

SETTING = "hold"
NAMED = 5
"""So many ids stand in an error."""


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Hold(Value):
    """One hold: on a memory, or on the whole space where `id` is none."""

    id: str | None
    why: str | None
    by: str | None = None
    at: datetime | None = None


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class HoldChange(Value):
    """Whether it is on hold now, and whether that is new."""

    space: str
    id: str | None
    held: bool
    changed: bool
    dry_run: bool = False


def set_hold(reader: Reader, space: str, memory_id: str | None, why: str, on: bool) -> tuple[Changes, HoldChange]:
    op = "hold" if on else "release"
    found: Change
    if memory_id is None:
        if reader.memory(why) is not None:  # who forgets the reason must not be taken to mean the whole space
            raise InvalidRequest(f"why: {why} is the id of a memory; give the reason first, and then the id")
        stands = bool(_of_space(reader))
        found = SettingChanged(SETTING, {"on": on, "why": why})
    else:
        if reader.memory(memory_id) is None:
            raise missing(reader, memory_id, "id", "memory")
        stands = bool(reader.on_hold((memory_id,)))
        found = Marked(Thing.MEMORY, memory_id, Mark.HELD, on, why)
    told = HoldChange(space=space, id=memory_id, held=on, changed=stands != on)
    return Changes(op, (found,) if stands != on else ()), told


def _of_space(reader: Reader) -> str | None:
    """Why the whole space is on hold; none if it is not."""
    kept = reader.setting(SETTING)
    return (kept["why"] or "no reason was given") if kept["on"] else None


def holds(reader: Reader) -> list[Hold]:
    """That of the space first, then those of memories that may be seen, the earliest first."""
    whole = _of_space(reader)
    found = [] if whole is None else [Hold(id=None, why=whole)]
    return found + [_told(reader, memory_id) for memory_id in reader.on_hold()]


def _told(reader: Reader, memory_id: str) -> Hold:
    marks = (event for event in reader.events(memory_id) if isinstance(event.change, Marked))
    last = next(event for event in reversed(list(marks)) if getattr(event.change, "mark", None) is Mark.HELD)
    return Hold(id=memory_id, why=getattr(last.change, "why", None), by=last.actor, at=last.at)


def space_must_be_free(reader: Reader, space: str) -> None:
    why = _of_space(reader)
    if why is not None:
        raise Held(
            f"the space {space!r} is on hold ({why}): nothing in it can be purged; `release` lifts the hold, with the "
            "key of an admin of all spaces"
        )


def must_be_free(seen: Reader, going: Iterable[str], sources: Iterable[str]) -> None:
    """Of what would go, and of the sources of which a part would be blanked. `seen`: what the caller may know of."""
    everything, ids, blanked = seen.all_seeing(), set(going), set(sources)
    held = everything.on_hold()
    found = [one for one in held if one in ids]
    if not found and blanked:
        found = [one.id for one in _memories(everything, held) if one.source_id in blanked]
    if found:
        named = [one for one in found if seen.memory(one) is not None][:NAMED]
        which = f" ({', '.join(named)})" if named else ""
        raise Held(
            f"id: {len(found)} of the memories that would go, or share a source with what would, are on hold{which}; "
            "`release` lifts a hold, with the key of an admin of all spaces"
        )


def _memories(reader: Reader, ids: Iterable[str]) -> list[Memory]:
    return reader.memories(MemoryFilter(view=View.ALL, ids=tuple(ids)))
