"""The default embedder, carried inside the package: finds the turn of a conversation that answers a question.

Embed a turn as `Speaker: text` and a question as it stands. The card beside this file says what it was trained on, how
well it does and where it ends; it reads English.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from importlib.resources import as_file, files
from typing import TYPE_CHECKING

from treering.installed import Once, check_digest
from treering.mind.batches import CACHED_TEXTS, Batches, BatchPolicy, default_lanes
from treering.mind.passages import read_passages
from treering.mind.transformer import Transformer
from treering.mind.word_table import with_words

if TYPE_CHECKING:
    from pathlib import Path

    from treering.mind.contract import Passage, Vectors

MODEL = "model_int8.onnx"
VOCABULARY = "vocab.txt"
WORDS = "words.int8"
LAST_LAYER = "/m/encoder/layer.5/output/LayerNorm/LayerNormalization_output_0"  # the token states that are pooled
DIGESTS = {
    MODEL: "889707165ae16430de8b7a3ff907aaee20ab22813d425e270386d4b2529570f8",
    VOCABULARY: "07eced375cec144d27c900241f3e339478dec958f92fddbc551f295c992038a3",
    WORDS: "7dce394ff2261de8e2f31e10715227150a3d46e2a3e260a14429c6b1fbadf083",
}
_LOADED: dict[str, Once[Transformer]] = {}
"""By package, one for all doors of a process: it holds no state but its weights, and takes a fifth of a second to
load."""


class Turnfinder:
    """Reads each text in a run of its own: the graph scales its int8 activations over all it is given at once, so a
    text read in company would get a vector that depends on the company (cosine down to 0.97)."""

    name = "turnfinder"
    dims = 384
    package = __name__
    """Where the model lies. Vocabulary and word table are here for all of them."""
    digests: Mapping[str, str] = DIGESTS

    def __init__(
        self, *, lanes: int | None = None, cached_texts: int = CACHED_TEXTS, folder: Path | None = None
    ) -> None:
        """`lanes`: texts read at the same time, the number of cores (at most 4) by default. `folder`: another place
        where the same model, vocabulary and word table lie."""
        self._folder = folder
        self._model = Once(self._load)
        policy = BatchPolicy(
            texts_per_batch=1, lanes=default_lanes() if lanes is None else lanes, cached_texts=cached_texts
        )
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
        if self._folder is not None:
            return self._opened()
        with ExitStack() as stack:
            self._files(stack)  # a file that was damaged since another door opened it is refused all the same
        return _LOADED.setdefault(self.package, Once(type(self)()._opened)).get()

    def _opened(self) -> Transformer:
        with ExitStack() as stack:
            model, vocabulary, words = self._files(stack)
            return Transformer(with_words(model.read_bytes(), words.read_bytes()), vocabulary, LAST_LAYER)

    def _files(self, stack: ExitStack) -> tuple[Path, Path, Path]:
        """Model, vocabulary and word table, checked."""
        return (
            checked_file(self.package, MODEL, self.digests[MODEL], stack, self._folder),
            checked_file(__name__, VOCABULARY, self.digests[VOCABULARY], stack, self._folder),
            checked_file(__name__, WORDS, self.digests[WORDS], stack, self._folder),
        )


def data_file(name: str, stack: ExitStack) -> Path:
    """A checked file of this package, on disk for as long as the stack is open."""
    return checked_file(__name__, name, DIGESTS[name], stack)


def checked_file(package: str, name: str, digest: str, stack: ExitStack, folder: Path | None = None) -> Path:
    """A file of any package of models, or of a folder."""
    path = folder / name if folder else stack.enter_context(as_file(files(package) / name))
    check_digest(path, digest)
    return path
