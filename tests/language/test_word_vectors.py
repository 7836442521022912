"""What the model sees in each word is what spaCy would have worked out, in whatever company: to the last bit, where a
machine's sums do not themselves depend on how many are made at once."""

from __future__ import annotations

import random
from functools import cache
from typing import Any

import numpy as np
import pytest

from treering.language import english, word_vectors
from treering.language.word_vectors import WordVectors

TEXTS = (
    "I left Google last May to join Anthropic.",
    "",
    "i dont  know\n\nwhether it's Dr. O'Neil's",
    "我搬到柏林了 🙂",
    " ",
    "I",
    "I left Google last May to join Anthropic, and I left it again in May.",
)


def _docs(texts: tuple[str, ...]) -> list[Any]:
    return [english._model.get().make_doc(text) for text in texts]


def _theirs(texts: tuple[str, ...]) -> list[Any]:
    step: Any = english._model.get().get_pipe("tok2vec")
    return list(step.predict(_docs(texts)))


def _ours() -> WordVectors:
    step: Any = english._model.get().get_pipe("tok2vec")
    return WordVectors(step.model)


def _same(ours: list[Any], theirs: list[Any]) -> bool:
    near = 0 if _sums_alone_as_together() else 1e-5
    return all(
        our.shape == their.shape and np.allclose(our, their, rtol=0, atol=near)
        for our, their in zip(ours, theirs, strict=True)
    )


@cache
def _sums_alone_as_together() -> bool:
    step: Any = english._model.get().get_pipe("tok2vec")
    rng = np.random.default_rng(3)
    rows, weights = (rng.standard_normal((200, 576)).astype("float32") for _ in range(2))
    together = step.model.ops.gemm(rows, weights, trans2=True)
    return all(
        np.array_equal(step.model.ops.gemm(np.ascontiguousarray(rows[7 : 7 + some]), weights, trans2=True),
                       together[7 : 7 + some])
        for some in (1, 5, 16, 33, 100)
    )  # fmt: skip


def test_every_number_is_the_models_own() -> None:
    assert _same(_ours().of(_docs(TEXTS)), _theirs(TEXTS))


def test_nothing_changes_when_words_were_met_before() -> None:
    ours, theirs = _ours(), dict(zip(TEXTS, _theirs(TEXTS), strict=True))
    rng = random.Random(5)
    for _ in range(20):
        some = tuple(rng.choices(TEXTS, k=rng.randint(1, 5)))
        assert _same(ours.of(_docs(some)), [theirs[text] for text in some])


def test_texts_without_a_word_have_no_rows() -> None:
    assert [one.shape for one in _ours().of(_docs(("", "")))] == [(0, 96), (0, 96)]


@pytest.mark.parametrize("most", [2, 12])
def test_more_words_than_are_kept_are_worked_out_all_the_same(monkeypatch: pytest.MonkeyPatch, most: int) -> None:
    monkeypatch.setattr(word_vectors, "MOST_KEPT", most)
    ours = _ours()
    for _ in range(2):
        assert _same(ours.of(_docs(TEXTS)), _theirs(TEXTS))


def test_words_said_one_after_the_other_take_the_place_of_those_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(word_vectors, "MOST_KEPT", 4)
    ours = _ours()
    said = ["Ada likes tea", "Bo drinks coffee", "Ada likes coffee", "Bo drinks tea"]
    assert all(_same(ours.of(_docs([text])), _theirs([text])) for text in said * 2)
