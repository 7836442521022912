"""How long does it take to read for meaning? The embedders of a door, with those who want to know: a server counts."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING

from treering.mind.contract import Embedder, Passage
from treering.mind.minds import Minds

if TYPE_CHECKING:
    from treering.mind.contract import Vectors

Tell = Callable[[str, int, float], None]
"""Told of every reading: the embedder's name, how many texts, how many seconds."""


class ObservedMinds(Minds):
    """The same embedders; `listeners` are told of what each of them reads."""

    def __init__(self, minds: Minds) -> None:
        self._behind = minds
        self.default = minds.default
        self.listeners: list[Tell] = []

    def named(self, name: str) -> Embedder | None:
        embedder = self._behind.named(name)
        return embedder if embedder is None or not self.listeners else _Timed(embedder, self.listeners)

    def choose(self, own: str | None, kept: list[str]) -> str:
        return self._behind.choose(own, kept)


class _Timed:
    def __init__(self, embedder: Embedder, listeners: list[Tell]) -> None:
        self._embedder, self._listeners = embedder, listeners

    @property
    def name(self) -> str:
        return self._embedder.name

    @property
    def dims(self) -> int:
        return self._embedder.dims

    def embed(self, texts: Sequence[str]) -> Vectors:
        with self._timed(len(texts)):
            return self._embedder.embed(texts)

    def embed_passages(self, passages: Sequence[Passage]) -> list[Vectors]:
        with self._timed(len(passages)):
            return self._embedder.embed_passages(passages)

    def embed_question(self, text: str) -> Vectors:
        with self._timed(1):
            return self._embedder.embed_question(text)

    @contextmanager
    def _timed(self, texts: int) -> Iterator[None]:
        began = time.perf_counter()
        yield
        for tell in self._listeners:
            tell(self._embedder.name, texts, time.perf_counter() - began)
