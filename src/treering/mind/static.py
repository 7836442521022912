"""Static word vectors from the package `wordllama`: a text is the mean of its word pieces. Some hundred times faster
than reading with a transformer, and blind to order: for bulk and for small machines.
"""

from __future__ import annotations

import logging
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from treering.installed import Once, check_digest
from treering.mind.batches import CACHED_TEXTS, Batches, BatchPolicy, package_folder

if TYPE_CHECKING:
    from pathlib import Path

    from treering.mind.contract import Passage, Vectors

DIGESTS = {
    "weights/l2_supercat_256.safetensors": "64b47a2dc493cb8e85944076601189739852d7b64e0e1eedcb1937a251cd9fd5",
    "tokenizers/l2_supercat_tokenizer_config.json": "93248f2a9ec36c7b35f700a033d5f36228aae48db61aee31007fa49062cdeb68",
}
IN_PLACE_OF_NOTHING = "."  # a text without a single word piece has no mean


class Static:
    name = "static"
    dims = 256

    def __init__(self, *, cached_texts: int = CACHED_TEXTS) -> None:
        self._folder = package_folder("wordllama", "static")
        self._model: Once[Any] = Once(self._load)
        self._batches = Batches(self.dims, self._read, BatchPolicy(texts_per_batch=64, cached_texts=cached_texts))

    def embed(self, texts: Sequence[str]) -> Vectors:
        return self._batches.embed(texts)

    def embed_passages(self, passages: Sequence[Passage]) -> list[Vectors]:
        return self._batches.embed_passages(passages)

    def embed_question(self, text: str) -> Vectors:
        return self._batches.embed_one(text)

    def _read(self, texts: list[str]) -> Vectors:
        rows: Vectors = self._model.get().embed([text if text.strip() else IN_PLACE_OF_NOTHING for text in texts])
        return rows

    def _load(self) -> Any:
        return _load_checked(self._folder)


def _load_checked(folder: Path) -> Any:
    for name, digest in DIGESTS.items():
        check_digest(folder / name, digest)
    with _logging_untouched():
        from wordllama import WordLlama  # type: ignore[import-untyped]

        return WordLlama.load(dim=Static.dims, cache_dir=folder, disable_download=True)


@contextmanager
def _logging_untouched() -> Iterator[None]:
    """wordllama sets up the root logger when it is imported; whose it is, is the application's business."""
    root = logging.getLogger()
    handlers, level = root.handlers[:], root.level
    try:
        yield
    finally:
        root.handlers[:] = handlers
        root.setLevel(level)
