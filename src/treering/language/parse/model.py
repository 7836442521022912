"""The whole model: text in, words with their kinds and arcs out. A file that is not the one expected is refused."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from treering.errors import Corrupted
from treering.installed import check_digest
from treering.language.parse.arcs import Parser
from treering.language.parse.doc import Doc
from treering.language.parse.kinds import WordKinds
from treering.language.parse.lemmas import Lemmas
from treering.language.parse.lexicon import Lexicon
from treering.language.parse.tokenizer import Tokenizer
from treering.language.parse.vectors import Rows, WordVectors

FOLDER = Path(__file__).parent
MENDING = "run: pip install --force-reinstall treering"
DIGESTS = {
    "model.npz": "98fc6f757d22057ca79b512da299418d96ab32d7b6e9156c09b2cb45260d59ef",
    "tables.json": "c9216c674ee69cbb0f96570d65839dc11d14015003b53cea83c39f0736a0978b",
}


class ParserModel:
    def __init__(self, weights: Mapping[str, Any], tables: Mapping[str, Any]) -> None:
        lexicon = Lexicon(tables)
        self.lemmas = Lemmas(tables)
        self.words = Tokenizer(tables, lexicon)
        self._vectors = WordVectors(weights, tables, lexicon)
        self._tag_weights, self._tag_bias = weights["tag_weights"].T, weights["tag_bias"]
        self._tags: list[str] = tables["tags"]
        self._parser = Parser(weights, tables)
        self._kinds = WordKinds(tables, self.lemmas)

    def read(self, docs: Sequence[Doc]) -> None:
        rows = self._vectors.of(docs)
        for doc, its in zip(docs, rows, strict=True):
            self._tag(doc, its)
        self._parser.hang(docs, rows)
        for doc in docs:
            self._kinds.tell(doc)

    def _tag(self, doc: Doc, rows: Rows) -> None:
        best = (rows @ self._tag_weights + self._tag_bias).argmax(axis=1).tolist()
        for token, number in zip(doc, best, strict=True):
            token.tag_ = self._tags[number]


def load(folder: Path = FOLDER) -> ParserModel:
    for name, digest in DIGESTS.items():
        check_digest(folder / name, digest)
    try:
        with np.load(folder / "model.npz", allow_pickle=False) as weights:
            return ParserModel(dict(weights), json.loads((folder / "tables.json").read_text(encoding="utf-8")))
    except (OSError, ValueError, KeyError) as error:
        raise Corrupted(f"english: the model in {folder} cannot be read ({error}); {MENDING}") from error
