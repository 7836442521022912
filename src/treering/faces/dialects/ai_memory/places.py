"""Where is what a client of ai-memory speaks of? There an id is known everywhere, and no namespace means all of them;
here everything is asked of a space."""

from __future__ import annotations

import heapq
from collections.abc import Iterator
from contextlib import suppress

from treering.errors import NotFound
from treering.faces.afar import Door
from treering.faces.dialects.ai_memory.cards import is_card
from treering.faces.dialects.ai_memory.revisions import latest
from treering.faces.dialects.ai_memory.shapes import client_id
from treering.faces.dialects.everywhere import SpaceAndBelow, everywhere, the_only_one
from treering.faces.dialects.revisions import is_hidden
from treering.model.entity import Entity
from treering.model.memory import Mark, Memory, State
from treering.recall.listing import Page

_PAGE = 200


def memory_at(
    door: Door, memory_id: str, field: str = "id", namespace: str | None = None, hidden: bool = False
) -> Memory:
    """As it is by now. `hidden`: also if it was forgotten or archived."""

    def ask(place: SpaceAndBelow) -> Memory | None:
        with suppress(NotFound):
            return door.get(memory_id, space=place.space, children=place.children)
        return None

    found = the_only_one(everywhere(door, namespace, ask), memory_id, field, "give its namespace")
    if found is None:
        raise NotFound(f"{field}: there is no memory {memory_id!r}; check the id")
    found = latest(door, found)
    if is_hidden(found) and not hidden:
        raise NotFound(f"{field}: {memory_id!r} is {_hidden_how(found)}; restoring it from the archive brings it back")
    return found


def _hidden_how(memory: Memory) -> str:
    return "forgotten" if Mark.FORGOTTEN in memory.marks else "archived"


def entities_at(door: Door, ref: str, namespace: str | None) -> list[Entity]:
    """Those that answer to the name or id, one a place; the one made last at the end."""

    def ask(place: SpaceAndBelow) -> Entity | None:
        with suppress(NotFound):
            return door.entity_get(ref, space=place.space, children=place.children)
        return None

    found = [one for one in everywhere(door, namespace, ask) if one is not None]
    return sorted(found, key=lambda one: (one.recorded_at, one.id))


def node_at(door: Door, ref: str, field: str, namespace: str | None = None) -> Memory | Entity:
    """A memory by id, or an entity by id, name or alias."""
    with suppress(NotFound):
        return memory_at(door, ref, field, namespace)
    found = entities_at(door, ref, namespace)
    if not found:
        raise NotFound(f"{field}: there is no memory or entity {ref!r}; check the id")
    return found[-1]


def newest(door: Door, namespace: str | None, session: str | None = None) -> Iterator[Memory]:
    """All memories, the newest first and each as it is by now; not what was forgotten, archived or has expired. One
    that another supersedes is there: those clients link, and hide nothing by it."""

    def page(place: SpaceAndBelow, cursor: str | None = None) -> Page:
        return door.list(
            space=place.space,
            children=place.children,
            view="history",
            session=session,
            order="newest",
            limit=_PAGE,
            cursor=cursor,
        )

    def on_from(place: SpaceAndBelow, read: Page) -> Iterator[Memory]:
        while True:
            yield from read
            if read.next is None:
                return
            read = page(place, read.next)

    def ask(place: SpaceAndBelow) -> Iterator[Memory]:
        return on_from(place, page(place))

    of_each = list(everywhere(door, namespace, ask))
    merged = heapq.merge(*of_each, key=lambda one: (one.recorded_at, one.id), reverse=True)
    seen: set[str] = set()
    for memory in merged:
        if not is_card(memory) and client_id(memory) not in seen:
            seen.add(client_id(memory))
            # a revision comes before what it revises, but need not have been made in the same session
            now = latest(door, memory) if session is not None else memory
            if now.state is not State.EXPIRED and not is_hidden(now):
                yield now
