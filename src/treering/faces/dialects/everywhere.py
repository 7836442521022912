"""Where to look, if a client names no place? In other systems that means everywhere; here everything is asked of a
space, or of a tree of spaces, and some may be closed to whoever asks."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import groupby
from typing import TypeVar

from treering.errors import Forbidden
from treering.faces.afar import Door
from treering.faces.dialects.namespaces import space_of

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Place:
    """A space, or with `children` all below it too: what every reading of the door takes."""

    space: str
    children: bool


def everywhere(door: Door, namespace: str | None, ask: Callable[[Place], T]) -> Iterator[T]:
    """Asks of the namespace, or of all that can be seen: whole trees of spaces at once, where that may be asked."""
    if namespace is not None:
        yield ask(Place(space_of(namespace), False))
        return
    seen = sorted(one.name for one in door.spaces())
    for root, below in groupby(seen, key=lambda name: name.split("/")[0]):
        try:
            answers = [ask(Place(root, True))]
        except Forbidden:  # some of the tree is open to who asks, and not all
            answers = [ask(Place(name, False)) for name in below]
        yield from answers
