"""A cross-encoder in a folder: `model.onnx`, which gives one number for a pair of texts, and its `tokenizer.json`.

It is read in this process, by what reads the embedders; nothing leaves the machine.
"""

from __future__ import annotations

import threading
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from treering.errors import Corrupted, InvalidRequest
from treering.mind.transformer import open_session

REACH = 512  # word pieces of a question and a text together
AT_ONCE = 8  # pairs of about one length in one pass: more gain nothing
MODEL, TOKENIZER = "model.onnx", "tokenizer.json"


class CrossEncoder:
    at_once = AT_ONCE

    def __init__(self, *, model: str | Path, reach: int = REACH) -> None:
        """`model`: the folder. `reach`: how many word pieces a pair may have; of longer ones the text is cut."""
        self._folder = Path(model).expanduser()
        missing = [name for name in (MODEL, TOKENIZER) if not (self._folder / name).is_file()]
        if missing:
            raise InvalidRequest(
                f"reranker onnx: {' and '.join(missing)} not found in {self._folder}; TREERING_RERANKER_MODEL names "
                f"the folder that holds {MODEL} and {TOKENIZER} of a cross-encoder"
            )
        self._begin(f"onnx/{self._folder.resolve().name}", reach)

    def _begin(self, name: str, reach: int) -> None:
        if reach < 8:
            raise InvalidRequest(f"reach: {reach} word pieces are too few for a question and a text")
        self.name = name
        self._reach = reach
        self._lock = threading.Lock()
        self._opened: tuple[Any, Any] | None = None

    def __repr__(self) -> str:
        return f"CrossEncoder(model={str(self._folder)!r})"

    def scores(self, question: str, texts: Sequence[str]) -> list[float]:
        tokenizer, session = self._open()
        coded = tokenizer.encode_batch([(question, text) for text in texts]) if texts else []
        found = [0.0] * len(texts)
        by_length = sorted(range(len(texts)), key=lambda place: len(coded[place].ids))
        for start in range(0, len(by_length), self.at_once):
            some = by_length[start : start + self.at_once]
            for place, number in zip(some, self._read(session, [coded[place] for place in some]), strict=True):
                found[place] = number
        return found

    def _open(self) -> tuple[Any, Any]:
        """Read at the first question, by whoever comes first."""
        with self._lock:
            if self._opened is None:
                tokenizer, session = self._load()
                tokenizer.no_padding()
                tokenizer.enable_truncation(self._reach, strategy="only_second")
                self._opened = tokenizer, session
            return self._opened

    def _load(self) -> tuple[Any, Any]:
        from tokenizers import Tokenizer

        try:
            return Tokenizer.from_file(str(self._folder / TOKENIZER)), open_session(self._folder / MODEL)
        except Exception as error:  # both libraries raise plain exceptions of their own
            raise Corrupted(f"reranker {self.name}: its files cannot be read ({error})") from error

    def _read(self, session: Any, coded: list[Any]) -> list[float]:
        longest = max(len(one.ids) for one in coded)
        given = {name: np.zeros((len(coded), longest), np.int64) for name in ("input_ids", "token_type_ids")}
        given["attention_mask"] = np.zeros((len(coded), longest), np.int64)
        for place, one in enumerate(coded):
            given["input_ids"][place, : len(one.ids)] = one.ids
            given["token_type_ids"][place, : len(one.ids)] = one.type_ids
            given["attention_mask"][place, : len(one.ids)] = 1
        wanted = [entry.name for entry in session.get_inputs()]
        if not given.keys() >= set(wanted):
            raise Corrupted(
                f"reranker {self.name}: the model wants {', '.join(wanted)}, which a cross-encoder does not"
            )
        told = np.asarray(session.run(None, {name: given[name] for name in wanted})[0], float)
        if told.size != len(coded) or not np.all(np.isfinite(told)):
            raise Corrupted(
                f"reranker {self.name}: the model gives {told.shape} for {len(coded)} pairs, not one number for each"
            )
        return [float(number) for number in told.ravel()]
