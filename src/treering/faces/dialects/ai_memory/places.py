"""Where is what a client of ai-memory speaks of? There an id is known everywhere, and no namespace means all of them;
here everything is asked of a space."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from treering.door import Treering
from treering.errors import NotFound
from treering.faces.dialects.namespaces import space_of
from treering.model.entity import Entity
from treering.model.memory import Memory


@dataclass(frozen=True, slots=True)
class Place:
    """A space, or with `children` all below it too: what every reading of the door takes."""

    space: str
    children: bool


def asked_places(door: Treering, namespace: str | None) -> list[Place]:
    """The namespace, or everything that can be seen, a place for each of the outermost spaces."""
    if namespace is not None:
        return [Place(space_of(namespace), False)]
    roots = dict.fromkeys(one.name.split("/")[0] for one in door.spaces())
    return [Place(root, True) for root in roots]


def memory_at(door: Treering, memory_id: str, field: str = "id", namespace: str | None = None) -> Memory:
    for place in asked_places(door, namespace):
        try:
            return door.get(memory_id, space=place.space, children=place.children)
        except NotFound:
            continue
    raise NotFound(f"{field}: there is no memory {memory_id!r}; check the id")


def entities_at(door: Treering, ref: str, namespace: str | None) -> Iterator[Entity]:
    """Those that answer to the name or id, one a place."""
    for place in asked_places(door, namespace):
        try:
            yield door.entity_get(ref, space=place.space, children=place.children)
        except NotFound:
            continue


def node_at(door: Treering, ref: str, field: str, namespace: str | None = None) -> Memory | Entity:
    """A memory by id, or an entity by id, name or alias."""
    try:
        return memory_at(door, ref, field, namespace)
    except NotFound:
        found = next(entities_at(door, ref, namespace), None)
    if found is None:
        raise NotFound(f"{field}: there is no memory or entity {ref!r}; check the id")
    return found
