"""Embedders that tell what they were given to read and do something meanwhile, and doors that know several."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from tests.conftest import HandClock
from tests.recall.hashing import Hashing

from treering.door import Treering
from treering.mind.contract import Passage
from treering.mind.minds import Minds
from treering.store.contract import Store

if TYPE_CHECKING:
    from treering.mind.contract import Vectors


class Listening(Hashing):
    """Each name has directions of its own. `meanwhile` is called with the passages before they are read."""

    def __init__(self, name: str = "old", meanwhile: Callable[[Sequence[Passage]], Any] | None = None) -> None:
        self.name = name
        self.heard: list[Passage] = []
        self.meanwhile = meanwhile

    def _vector(self, text: str) -> Vectors:
        return super()._vector(" ".join(f"{self.name}:{word}" for word in text.split()))

    def embed_passages(self, passages: Sequence[Passage]) -> list[Vectors]:
        if self.meanwhile is not None:
            self.meanwhile(passages)
        self.heard += passages
        return super().embed_passages(passages)

    @property
    def texts(self) -> list[str]:
        return [one.lead + one.text for one in self.heard]


def knowing(default: Listening | str, *others: Listening) -> Minds:
    """Minds in which embedders are found that no name of the product stands for."""
    minds = Minds(default)
    minds._open |= {one.name: one for one in others}
    return minds


def door(store: Store, clock: HandClock, default: Listening | str, *others: Listening, space: str = "lab") -> Treering:
    return Treering(store, clock=clock, actor="ann", space=space, minds=knowing(default, *others))


def read_by(store: Store, embedder: str, space: str = "lab") -> list[str]:
    return [row.thing_id for row in store.vectors(space, embedder)]
