"""Where to look, if a client names no place? In other systems that means everywhere; here everything is asked of a
space, or of a tree of spaces, and some may be closed to whoever asks."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from itertools import groupby
from typing import TypeVar

from treering.errors import Conflict, Forbidden
from treering.faces.afar import Door
from treering.model.memory import Memory
from treering.model.namespaces import namespace_of, space_of
from treering.values import dataclass

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class SpaceAndBelow:
    """A space, or with `children` all below it too: what every reading of the door takes."""

    space: str
    children: bool


def the_only_one(found: Iterable[Memory | None], memory_id: str, field: str, how: str) -> Memory | None:
    """The one that was found. Where several spaces have a memory of this id, nobody can say which is meant: whoever may
    write in one space could have put it there to stand for that of another."""
    each = {one.space: one for one in found if one is not None}
    if len(each) > 1:
        names = ", ".join(sorted(namespace_of(one) for one in each))
        raise Conflict(f"{field}: there is a memory {memory_id!r} in each of {names}; {how} to say which is meant")
    return next(iter(each.values()), None)


def everywhere(door: Door, namespace: str | None, ask: Callable[[SpaceAndBelow], T]) -> Iterator[T]:
    """Asks of the namespace, or of all that can be seen: whole trees of spaces at once, where that may be asked."""
    if namespace is not None:
        yield ask(SpaceAndBelow(space_of(namespace), False))
        return
    seen = sorted(one.name for one in door.spaces())
    for root, below in groupby(seen, key=lambda name: name.split("/")[0]):
        try:
            answers = [ask(SpaceAndBelow(root, True))]
        except Forbidden:  # some of the tree is open to who asks, and not all
            answers = [ask(SpaceAndBelow(name, False)) for name in below]
        yield from answers
