"""Spaces as Crosmos has them: known by an id that says nothing, described, and deleted. What is deleted is forgotten
and no longer listed; nothing is removed, and a space of that name may be made again."""

from __future__ import annotations

from typing import Any
from uuid import UUID, uuid5

from treering.errors import Conflict, NotFound
from treering.faces.afar import Door
from treering.faces.dialects.contract import Answer, tool
from treering.faces.dialects.crosmos import arguments as a
from treering.faces.dialects.deleting import delete, lives, living, own
from treering.faces.dialects.everywhere import SpaceAndBelow, everywhere
from treering.model.namespaces import namespace_of, space_of
from treering.model.value import plain
from treering.operation import READS, WRITES, WRITES_ONCE

IDS = UUID("b0f0c7b4-53a4-5b0e-9d6c-6f1f3a5d0c11")
"""Ids are made of names within this: the same name has the same id wherever the store is."""


def id_of(name: str) -> str:
    return str(uuid5(IDS, name))


@tool(a.NewSpace, WRITES, {"namespace": "name", "metadata": "meta"})
def create_space(door: Door, asked: a.NewSpace) -> Answer:
    """Make a space."""
    space = space_of(asked.name)
    if any(one.name == space for one in door.spaces()) and lives(door, space):
        raise Conflict(
            f"name: there is a space {asked.name!r} already; give another name, or use its id {id_of(space)}"
        )
    door.describe(description=asked.description, metadata=own(asked.meta), space=space)
    return _told(door, space)


@tool(a.Stats, READS)
def list_spaces(door: Door, asked: a.Stats) -> Answer:
    """All spaces, by name."""
    told = [_told(door, one) for one in sorted(living(door))]
    return {"spaces": told, "count": len(told)}


@tool(a.OneSpace, READS)
def get_space(door: Door, asked: a.OneSpace) -> Answer:
    """One space, with how much it holds."""
    return _told(door, space_at(door, asked.id, "id"))


@tool(a.OneSpace, WRITES_ONCE)
def delete_space(door: Door, asked: a.OneSpace) -> Answer:
    """Forget all that a space holds, and list it no longer."""
    space = space_at(door, asked.id, "id")
    delete(door, space, "the space was deleted")
    return {"deleted": True, "id": id_of(space)}


def space_at(door: Door, ref: str, field: str = "space_id") -> str:
    """By its id or its name."""
    names = (one.name for one in door.spaces())
    found = next((one for one in names if ref in (id_of(one), namespace_of(one), one)), None)
    if found is None or not lives(door, found):
        raise NotFound(f"{field}: there is no space {ref!r}; POST /spaces makes one")
    return found


def places(door: Door, ref: str | None) -> list[SpaceAndBelow]:
    """Where to look: in that space, or in all that may be seen."""
    if ref is not None:
        return [SpaceAndBelow(space_at(door, ref), False)]
    return list(everywhere(door, None, _itself(door)))


def _itself(door: Door) -> Any:
    def ask(place: SpaceAndBelow) -> SpaceAndBelow:
        door.status(space=place.space, children=place.children)  # refuses what is closed
        return place

    return ask


def _told(door: Door, space: str) -> Answer:
    about, status = door.about(space=space), door.status(space=space)
    told: Answer = plain(
        {
            "id": id_of(space),
            "space_id": id_of(space),
            "name": namespace_of(space),
            "description": about.description,
            "meta": own(about.metadata),
            "memory_count": status.memories.get("active", 0) + status.memories.get("promoted", 0),
            "entity_count": status.entities,
            "updated_at": status.changed_at,
        }
    )
    return told
