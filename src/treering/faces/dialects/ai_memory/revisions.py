"""Which memory is meant by an id that stays? In ai-memory an update keeps the id; here it is another memory in the
place of the first, which stays readable.

Every revision that a client made names the first memory in what is kept with it, and clients only ever see that id.
Links are tied to the first, so that they hold through all revisions. A memory that was revised in another way is, to
these clients, another memory.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from treering.door import Treering
from treering.errors import NotFound
from treering.faces.dialects.ai_memory.shapes import KEPT, client_id, kept_of
from treering.model.memory import Mark, Memory
from treering.model.value import plain

_PAGE = 1_000


def is_hidden(memory: Memory) -> bool:
    """Forgotten or archived; also where it is superseded besides, which its state tells first."""
    return Mark.FORGOTTEN in memory.marks or Mark.ARCHIVED in memory.marks


def latest(door: Treering, memory: Memory) -> Memory:
    """What the memory says by now."""
    return memory if memory.superseded_by is None else _newest_of(_standing(door, memory))


def _newest_of(memories: Iterable[Memory]) -> Memory:
    return max(memories, key=lambda one: (one.recorded_at, one.id))


def _standing(door: Treering, memory: Memory) -> Iterator[Memory]:
    yield memory
    for one in door.history(memory.id, space=memory.space).superseded_by:
        try:
            other = door.get(one, space=memory.space)
        except NotFound:  # private to another
            continue
        if client_id(other) == client_id(memory):
            yield other


def all_of(door: Treering, memory: Memory) -> list[Memory]:
    """Every revision, the newest first. What is hidden has no links to follow, so there all memories are looked at."""
    first = client_id(memory)
    if not is_hidden(memory):
        every = {one.id: one for one in _standing(door, door.get(first, space=memory.space))}
    else:
        every = {one.id: one for one in everything(door, memory.space) if client_id(one) == first}
    return sorted(every.values(), key=lambda one: (one.recorded_at, one.id), reverse=True)


def everything(door: Treering, space: str, children: bool = False) -> Iterator[Memory]:
    """In whatever state, the newest first."""
    cursor = None
    while True:
        page = door.list(space=space, children=children, view="all", order="newest", limit=_PAGE, cursor=cursor)
        yield from page
        cursor = page.next
        if cursor is None:
            return


def kept_through(memory: Memory) -> dict[str, Any]:
    """What a revision keeps of where it comes from: the first id and author, when that was, and its uses so far."""
    kept = kept_of(memory)
    came: dict[str, Any] = {
        "first": client_id(memory),
        "author": kept.get("author") or memory.observed_by,
        "created_at": kept.get("created_at") or plain(memory.recorded_at),
        "accessed": int(kept.get("accessed", 0)) + memory.use_count,
    }
    return came


def revised(door: Treering, memory: Memory, change: dict[str, Any]) -> Memory:
    """Another memory in its place, seen by clients under the same id. `change`: as `add` would take it."""
    meta = dict(change.pop("meta"))
    meta[KEPT] = {**meta.get(KEPT, {}), **kept_through(memory)}
    made = door.revise(memory.id, change.pop("content"), meta=meta, space=memory.space, why="updated", **change)
    return door.get(made.id, space=memory.space)
