"""The reader and judge that come with the package: a small BERT that has learned how people say things.

It judges what a later statement does to an earlier one, what a statement is for a question, and reads a message into
statements. The card beside this file says what it was trained on, how well it does and where it ends; it reads English.
"""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from functools import lru_cache
from importlib.resources import as_file, files
from typing import TYPE_CHECKING, Any

import numpy as np

from treering.installed import Once, check_digest
from treering.mind.batches import default_lanes
from treering.mind.judging import Asking, Judged, Pair, Role, Roled, Verdict
from treering.mind.transformer import open_session
from treering.mind.turnfinder import VOCABULARY
from treering.mind.turnfinder import data_file as finder_file

if TYPE_CHECKING:
    from pathlib import Path

MODEL, PIECES = "model_int8.onnx", "pieces.npz"
DIGESTS = {
    MODEL: "4bb9b3276e0163347249abec57917fd8b281ce2edf2f7ac41940b6a9a6c700cd",
    PIECES: "cebdf0ff8c8ff046426c4e6058ab5c43533f090fe49740c916f8dc6fd5559348",
}
QUESTION, STATEMENT, BEFORE, MESSAGE = 32, 64, 32, 160
"""The most word pieces of each that are read."""
VERDICTS = (Verdict.NONE, Verdict.REPLACES, Verdict.ENDS, Verdict.SAME, Verdict.ADDS)
ROLES = (Role.NONE, Role.NOW, Role.ENDS, Role.PAST, Role.PLAYS)
ASKINGS = (Asking.NOW, Asking.PAST, Asking.WHEN, Asking.TALK)
REMEMBERED = 16_384
"""Verdicts and roles kept in memory: the same are asked for again and again."""
DIGITS = 3


class TurnReader:
    """Every pair is read in a run of its own: the graph scales its int8 activations over all it is given at once, so
    that one read in company would depend on the company."""

    name = "turnreader-1"

    def __init__(self, *, lanes: int | None = None) -> None:
        self._model = Once(_load)
        self._lanes = default_lanes() if lanes is None else lanes
        self._threads: ThreadPoolExecutor | None = None
        self._role = lru_cache(REMEMBERED)(self._role_of)
        self._verdict = lru_cache(REMEMBERED)(self._verdict_of)
        self._asked = lru_cache(REMEMBERED)(self._asking_of)

    def judge(self, pairs: Sequence[Pair]) -> list[Judged]:
        return self._side_by_side(self._verdict, [(pair,) for pair in pairs])

    def roles(self, question: str, statements: Sequence[str]) -> list[Roled]:
        return self._side_by_side(self._role, [(question, one) for one in statements])

    def asking(self, question: str) -> Asking:
        return self._asked(question)

    def _side_by_side(self, ask: Any, given: Sequence[tuple[Any, ...]]) -> list[Any]:
        if len(given) < 2 or self._lanes < 2:
            return [ask(*one) for one in given]
        if self._threads is None:
            self._threads = ThreadPoolExecutor(self._lanes, thread_name_prefix="treering-judge")
        return list(self._threads.map(lambda one: ask(*one), given))

    def _verdict_of(self, pair: Pair) -> Judged:
        coder = self._model.get()
        first = [coder.pieces(pair.question, QUESTION), coder.pieces(pair.older, STATEMENT)]
        second = [coder.pieces(pair.newer, STATEMENT), coder.pieces(pair.before, BEFORE)]
        told = coder.run("verdict", first, second)
        best = int(np.argmax(told))
        scores = tuple((one, _rounded(score)) for one, score in zip(VERDICTS, told, strict=True))
        return Judged(VERDICTS[best], _rounded(told[best]), scores)

    def _role_of(self, question: str, statement: str) -> Roled:
        coder = self._model.get()
        told = coder.run("role", [coder.pieces(question, QUESTION)], [coder.pieces(statement, STATEMENT)])
        best = int(np.argmax(told))
        return Roled(
            ROLES[best], _rounded(told[best]), tuple((r, _rounded(s)) for r, s in zip(ROLES, told, strict=True))
        )

    def _asking_of(self, question: str) -> Asking:
        coder = self._model.get()
        told = coder.run("asks", [[]], [coder.pieces(f"User: {question}", MESSAGE)])
        return ASKINGS[int(np.argmax(told))]


def _rounded(score: float) -> float:
    return round(float(score), DIGITS)


class Loaded:
    """The session, its tokenizer, and the heads that are laid over pieces of a message."""

    def __init__(self, model: Path, vocabulary: Path, pieces: Path) -> None:
        from tokenizers import BertWordPieceTokenizer

        self._tokenizer = BertWordPieceTokenizer(str(vocabulary), lowercase=True)
        self._opening, self._closing = (self._tokenizer.token_to_id(name) for name in ("[CLS]", "[SEP]"))
        self._session = open_session(model)
        with np.load(pieces) as laid:
            self.heads = {name: laid[name] for name in laid.files}

    def pieces(self, text: str, most: int) -> list[int]:
        return list(self._tokenizer.encode(text, add_special_tokens=False).ids[:most])

    def coded(self, text: str) -> Any:
        """With the characters of each word piece."""
        return self._tokenizer.encode(text, add_special_tokens=False)

    def run(self, output: str, first: Sequence[list[int]], second: Sequence[list[int]]) -> Any:
        return self.outputs([output], first, second)[0]

    def outputs(self, names: list[str], first: Sequence[list[int]], second: Sequence[list[int]]) -> list[Any]:
        ids, types = [self._opening], [0]
        for kind, parts in ((0, first), (1, second)):
            for part in parts:
                ids += [*part, self._closing]
                types += [kind] * (len(part) + 1)
        row = np.array([ids], np.int64)
        given = {"input_ids": row, "attention_mask": np.ones_like(row), "token_type_ids": np.array([types], np.int64)}
        return [told[0] for told in self._session.run(names, given)]


def _load() -> Loaded:
    with ExitStack() as stack:
        model, pieces = (_data_file(name, stack) for name in (MODEL, PIECES))
        return Loaded(model, finder_file(VOCABULARY, stack), pieces)


def _data_file(name: str, stack: ExitStack) -> Path:
    path = stack.enter_context(as_file(files(__name__) / name))
    check_digest(path, DIGESTS[name])
    return path
