"""Which memory is meant by an id that stays? In other systems an update keeps the id; here it is another memory in the
place of the first, which stays readable.

Every revision that a client made names the first memory in what is kept with it, and clients only ever see that id. A
memory that was revised in another way is, to these clients, another memory.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from treering.errors import NotFound
from treering.faces.afar import Door
from treering.model.memory import Mark, Memory
from treering.model.value import plain
from treering.values import dataclass

_PAGE = 1_000


@dataclass(frozen=True, slots=True)
class Revisions:
    """Those that the clients of one dialect made. `key`: under what its own is kept in the meta of a memory."""

    key: str

    def kept_of(self, memory: Memory) -> Mapping[str, Any]:
        kept = memory.meta.get(self.key)
        return kept if isinstance(kept, Mapping) else {}

    def client_id(self, memory: Memory) -> str:
        """The id by which clients know it: of a revision, that of the first."""
        return str(self.kept_of(memory).get("first") or memory.id)

    def latest(self, door: Door, memory: Memory) -> Memory:
        """What the memory says by now."""
        return memory if memory.superseded_by is None else _newest_of(self._standing(door, memory))

    def all_of(self, door: Door, memory: Memory) -> list[Memory]:
        """Every revision, the newest first. What is hidden has no links to follow, so there all memories are looked
        at."""
        first = self.client_id(memory)
        if not is_hidden(memory):
            every = {one.id: one for one in self._standing(door, door.get(first, space=memory.space))}
        else:
            every = {one.id: one for one in everything(door, memory.space) if self.client_id(one) == first}
        return sorted(every.values(), key=_when, reverse=True)

    def made(self, door: Door, memory: Memory, change: dict[str, Any], **also: Any) -> Memory:
        """Another memory in its place, seen by clients under the same id. `change` is as `add` would take it; `also` is
        what else is kept of where it comes from."""
        kept = self.kept_of(memory)
        came = {
            "first": self.client_id(memory),
            "created_at": kept.get("created_at") or plain(memory.recorded_at),
            **also,
        }
        meta = dict(change.pop("meta"))
        meta[self.key] = {**meta.get(self.key, {}), **came}
        made = door.revise(memory.id, change.pop("content"), meta=meta, space=memory.space, why="updated", **change)
        return door.get(made.id, space=memory.space)

    def _standing(self, door: Door, memory: Memory) -> Iterator[Memory]:
        yield memory
        for one in door.history(memory.id, space=memory.space).superseded_by:
            try:
                other = door.get(one, space=memory.space)
            except NotFound:  # private to another
                continue
            if self.client_id(other) == self.client_id(memory):
                yield other


def _when(memory: Memory) -> tuple[Any, str]:
    return memory.recorded_at, memory.id


def _newest_of(memories: Iterable[Memory]) -> Memory:
    return max(memories, key=_when)


def is_hidden(memory: Memory) -> bool:
    """Forgotten or archived; also where it is superseded besides, which its state tells first."""
    return Mark.FORGOTTEN in memory.marks or Mark.ARCHIVED in memory.marks


def everything(
    door: Door, space: str, children: bool = False, view: str = "all", tags: Sequence[str] = ()
) -> Iterator[Memory]:
    """In whatever state, the newest first; or only those that the view shows and that have the tags."""
    which: dict[str, Any] = {"space": space, "children": children, "view": view, "tags": tags, "order": "newest"}
    cursor = None
    while True:
        page = door.list(**which, limit=_PAGE, cursor=cursor)
        yield from page
        cursor = page.next
        if cursor is None:
            return
