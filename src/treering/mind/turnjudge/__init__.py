"""The reranker that comes with the package, off unless it is asked for: reads a question together with a turn.

It has learned, beside turnfinder-2's texts, which of the turns that look like an answer are one. The card beside this
file says what it was trained on, how well it does and where it ends; it reads English.
"""

from __future__ import annotations

from contextlib import ExitStack
from typing import Any

from treering.mind.rerank.cross_encoder import CrossEncoder
from treering.mind.transformer import open_session
from treering.mind.turnfinder import MODEL, VOCABULARY, WORDS, checked_file, data_file
from treering.mind.word_table import with_words

DIGEST = "cd6d0313dc165b013f406f6d7eb555908d46e795b150395493b4adbc9c0f5fbe"
REACH = 192
"""Word pieces of a question and a turn together."""


class Turnjudge(CrossEncoder):
    """Every pair is read in a run of its own: the graph scales its int8 activations over all it is given at once, so
    that one read in company would depend on the company."""

    at_once = 1

    def __init__(self, *, reach: int = REACH) -> None:
        self._begin("turnjudge", reach)

    def __repr__(self) -> str:
        return "Turnjudge()"

    def _load(self) -> tuple[Any, Any]:
        from tokenizers import BertWordPieceTokenizer

        with ExitStack() as stack:
            model = checked_file(__name__, MODEL, DIGEST, stack)
            tokenizer = BertWordPieceTokenizer(str(data_file(VOCABULARY, stack)), lowercase=True)
            return tokenizer, open_session(with_words(model.read_bytes(), data_file(WORDS, stack).read_bytes()))
