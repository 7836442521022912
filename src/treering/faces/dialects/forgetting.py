"""What does it take to un-forget? Deleting a fact forgets what it took the place of as well, so that the older does not
come back; restoring it brings back all that went along, and nothing that was forgotten at another time.

What goes along says so in the reason that it was forgotten for.
"""

from __future__ import annotations

from contextlib import suppress
from datetime import datetime

from treering.errors import NotFound
from treering.faces.afar import Door
from treering.faces.dialects.revisions import everything
from treering.model.memory import Mark, Memory

_ALONG = "deleted with "


def along_with(memory_id: str) -> str:
    """The reason to forget a memory for, where it goes with this one."""
    return f"{_ALONG}{memory_id}"


def forgotten(door: Door, memory: Memory) -> tuple[datetime | None, str | None]:
    """When it was forgotten, and why; nothing if it is not."""
    if Mark.FORGOTTEN not in memory.marks:
        return None, None
    with suppress(NotFound):
        for event in reversed(door.history(memory.id, space=memory.space).events):
            if Mark.FORGOTTEN.value in (event.type, event.what):
                return event.at, event.why
    return None, None


def restore_with(door: Door, memory_id: str, space: str) -> list[str]:
    """The ids of what was brought back: that memory, and what was forgotten along with it; none if it was not
    forgotten."""
    hidden = [one for one in everything(door, space) if Mark.FORGOTTEN in one.marks]
    along = [one for one in hidden if forgotten(door, one)[1] == along_with(memory_id)]
    own = [one for one in hidden if one.id == memory_id and one not in along]
    for one in (*own, *along):
        door.restore(one.id, space=space)
    return [one.id for one in (*own, *along)]
