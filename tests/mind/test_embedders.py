"""What every embedder promises, asked of each one that runs on this machine, with its real model."""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from treering.errors import InvalidRequest
from treering.mind import Embedder

TEXTS = [
    "Nora: I finally adopted a puppy from the shelter last weekend.",
    "hi",
    "Tom: The train to Lisbon was three hours late, so we missed the dinner my aunt had planned for the whole family.",
    "Where does Nora keep her bicycle?",
    "",
    "   ",
    "Tom: 你好, this one mixes scripts 😀 and a half pair \ud83d here",
    "Nora: My new job at the harbour starts in June.",
    "Tom: ok",
    "Nora: " + "and then we walked on and on along the river " * 80,
    "hi",
]

Fresh = Callable[[], None]


def test_every_row_is_a_float32_vector_of_length_one(embedder: Embedder) -> None:
    rows = embedder.embed(TEXTS)
    assert rows.shape == (len(TEXTS), embedder.dims)
    assert rows.dtype == np.float32
    assert np.allclose(np.linalg.norm(rows, axis=1), 1, atol=1e-5)


def test_no_texts_give_no_rows_of_the_right_width(embedder: Embedder) -> None:
    assert embedder.embed([]).shape == (0, embedder.dims)


def test_a_text_read_again_gives_the_very_same_vector(embedder: Embedder, fresh: Fresh) -> None:
    first = embedder.embed(TEXTS)
    fresh()
    assert np.array_equal(embedder.embed(TEXTS), first)


def test_the_company_a_text_is_read_in_does_not_change_its_vector(embedder: Embedder, fresh: Fresh) -> None:
    fresh()
    together = embedder.embed(TEXTS)
    for text, row in zip(TEXTS, together, strict=True):
        fresh()
        assert np.abs(embedder.embed([text])[0] - row).max() < 1e-3


def test_rows_come_back_in_the_order_of_the_texts(embedder: Embedder, fresh: Fresh) -> None:
    forwards = embedder.embed(TEXTS)
    fresh()
    backwards = embedder.embed(TEXTS[::-1])
    assert np.allclose(forwards, backwards[::-1], atol=1e-3)
    assert not np.allclose(forwards[0], forwards[2], atol=1e-2)


def test_a_question_is_one_vector_comparable_with_the_rows(embedder: Embedder) -> None:
    question = embedder.embed_question("Where does Nora keep her bicycle?")
    assert question.shape == (embedder.dims,)
    assert float(question @ embedder.embed(["Where does Nora keep her bicycle?"])[0]) == pytest.approx(1, abs=1e-3)


@pytest.mark.parametrize(
    ("said", "meant", "unrelated"),
    [
        ("Nora: I adopted a puppy last week.", "Nora got a new dog.", "The invoice is due on the third."),
        ("Tom: My flight was cancelled because of snow.", "Tom's plane did not leave.", "Nora paints her kitchen."),
        ("Nora: I start my new job in June.", "When does Nora's work begin?", "The soup needs more salt."),
    ],
)
def test_a_paraphrase_is_nearer_than_an_unrelated_sentence(
    embedder: Embedder, said: str, meant: str, unrelated: str
) -> None:
    near, far = embedder.embed([meant, unrelated]) @ embedder.embed_question(said)
    assert near > far + 0.05


def test_threads_that_ask_at_once_get_equal_answers(embedder: Embedder, fresh: Fresh) -> None:
    expected = embedder.embed(TEXTS)
    fresh()
    start = threading.Barrier(4)

    def ask(_: int) -> object:
        start.wait()
        return embedder.embed(TEXTS)

    with ThreadPoolExecutor(4) as pool:
        for rows in pool.map(ask, range(4)):
            assert np.allclose(rows, expected, atol=1e-6)


def test_writing_into_an_answer_does_not_spoil_the_next_one(embedder: Embedder) -> None:
    before = embedder.embed(["Tom: ok"])
    embedder.embed(["Tom: ok"])[:] = 0
    embedder.embed_question("Tom: ok")[:] = 0
    assert np.array_equal(embedder.embed(["Tom: ok"]), before)


def test_one_string_in_place_of_a_list_is_refused(embedder: Embedder) -> None:
    with pytest.raises(InvalidRequest, match="one string was given"):
        embedder.embed("hello")
