"""Where is what a client of LongMem speaks of? A collection that was not deleted, and a memory as it is by now."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress

from treering.errors import NotFound
from treering.faces.afar import Door
from treering.faces.dialects.deleting import lives, living
from treering.faces.dialects.everywhere import the_only_one
from treering.faces.dialects.longmem.told import REVISIONS
from treering.model.memory import Mark, Memory
from treering.model.namespaces import space_of


def is_there(door: Door, space: str) -> bool:
    return any(one.name == space for one in door.spaces(prefix=space)) and lives(door, space)


def known(door: Door, collection: str) -> str:
    """The space of a collection that is there."""
    space = space_of(collection)
    if not is_there(door, space):
        raise NotFound(f"collection: there is no collection {collection!r}; list_collections tells which there are")
    return space


def spaces_of(door: Door, collection: str | None) -> list[str]:
    """Of the collection, or of all there are."""
    return list(living(door)) if collection is None else [known(door, collection)]


def memory_at(door: Door, memory_id: str, collection: str | None, hidden: bool = False) -> Memory:
    """As it is by now; only if `hidden` also if it was forgotten."""
    spaces = [one.name for one in door.spaces()] if collection is None else [space_of(collection)]
    latest = (REVISIONS.latest(door, one) for one in _found(door, memory_id, spaces))
    shown = (one for one in latest if hidden or Mark.FORGOTTEN not in one.marks)
    found = the_only_one(shown, memory_id, "memory_id", "give its collection")
    if found is not None:
        return found
    where = "any collection" if collection is None else f"the collection {collection!r}"
    raise NotFound(f"memory_id: there is no memory {memory_id!r} in {where}; check the id")


def _found(door: Door, memory_id: str, spaces: list[str]) -> Iterator[Memory]:
    for space in spaces:
        with suppress(NotFound):
            yield door.get(memory_id, space=space)
