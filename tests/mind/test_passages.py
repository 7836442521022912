"""A passage and its sentences from one reading: what every embedder promises, and what those that look inside add."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.conftest import examples

from treering.errors import Fault, InvalidRequest
from treering.mind import PARTS, Embedder, Passage, open_embedder
from treering.mind.batches import CHARACTERS_READ, Batches, BatchPolicy
from treering.mind.inner_output import with_output
from treering.mind.passages import MOST_STRETCHES, STRETCH_PIECES, _grouped, read_passages
from treering.mind.transformer import REACH, WordPieces
from treering.mind.turnfinder import LAST_LAYER, Turnfinder

LOOKING_INSIDE = ("turnfinder", "turnfinder-2", "minilm")
PASSAGES = [
    Passage("I adopted a puppy from the shelter. Her name is Luna. She sleeps in my bed all day.", "Nora: "),
    Passage("hi"),
    Passage("", "Tom: "),
    Passage(""),
    Passage(" \n "),
    Passage("你好。这是第二句话。 😀 café! And a half pair \ud83d here. Yes it is.", "Tom: "),
    Passage("The garden was quiet that evening. " * 60, "Nora: "),
    Passage("and then we walked on and on along the river " * 80, "Nora: "),
    Passage("hi"),
]

Fresh = Callable[[], None]


@pytest.fixture(params=LOOKING_INSIDE)
def reader(request: pytest.FixtureRequest) -> Embedder:
    return open_embedder(request.param, cached_texts=0)


@pytest.fixture(scope="module")
def finder() -> Embedder:
    return open_embedder("turnfinder", cached_texts=0)


def is_unit(rows: Any) -> bool:
    return bool(np.allclose(np.linalg.norm(rows, axis=1), 1, atol=1e-5))


def test_each_passage_gives_unit_rows_of_the_right_width(embedder: Embedder) -> None:
    found = embedder.embed_passages(PASSAGES)
    assert len(found) == len(PASSAGES)
    for rows in found:
        assert rows.dtype == np.float32
        assert rows.shape[1] == embedder.dims
        assert 1 <= len(rows) <= 1 + PARTS
        assert is_unit(rows)


def test_row_0_is_the_very_vector_of_the_whole(embedder: Embedder, fresh: Fresh) -> None:
    for passage, rows in zip(PASSAGES, embedder.embed_passages(PASSAGES), strict=True):
        fresh()
        assert np.abs(embedder.embed([passage.lead + passage.text])[0] - rows[0]).max() < 1e-6


def test_no_passages_give_no_arrays(embedder: Embedder) -> None:
    assert embedder.embed_passages([]) == []


@pytest.mark.parametrize("one", [Passage("hello"), "hello"])
def test_one_passage_in_place_of_a_list_is_refused(embedder: Embedder, one: Any) -> None:
    with pytest.raises(InvalidRequest, match="one was given"):
        embedder.embed_passages(one)


def test_writing_into_an_answer_does_not_spoil_the_next_one(embedder: Embedder) -> None:
    before, again = embedder.embed_passages([PASSAGES[0], PASSAGES[0]])
    kept = before.copy()
    before[:] = 0
    assert np.array_equal(again, kept)
    assert np.array_equal(embedder.embed_passages(PASSAGES[:1])[0], kept)


@pytest.mark.parametrize("name", ["static", "multilingual"])
def test_an_embedder_that_cannot_look_inside_gives_the_whole_alone(name: str) -> None:
    assert [len(rows) for rows in open_embedder(name).embed_passages(PASSAGES)] == [1] * len(PASSAGES)


@pytest.mark.parametrize(
    ("text", "rows"),
    [
        ("I adopted a puppy from the shelter.", 1),
        ("I adopted a puppy. Her name is Luna.", 3),
        ("I adopted a puppy. Yes! Her name is Luna.", 3),
        ("Yes! I adopted a puppy. Her name is Luna. Wow!", 3),
        ("Yes! No! Ok!", 1),
        ("我住在北京。你住在哪里？", 3),  # noqa: RUF001
        ("The garden was quiet. " * PARTS, 1 + PARTS),
        ("The garden was quiet. " * (3 * PARTS + 1), 1 + PARTS),
    ],
)
def test_every_sentence_that_says_something_has_a_row(reader: Embedder, text: str, rows: int) -> None:
    assert len(reader.embed_passages([Passage(text, "Nora: ")])[0]) == rows


BUSY = [
    "We had soup for dinner on Sunday.",
    "My brother plays the violin in an orchestra.",
    "The car needs new tyres before winter.",
    "I still have to call the bank about the loan.",
]


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("What instrument does Nora's brother play?", 1),
        ("What does Nora's car need?", 2),
        ("Whom does Nora have to call?", 3),
        ("What did Nora eat?", 0),
    ],
)
def test_a_sentence_is_found_better_than_the_whole_it_stands_in(reader: Embedder, question: str, answer: int) -> None:
    (rows,) = reader.embed_passages([Passage(" ".join(BUSY), "Nora: ")])
    nearness = rows @ reader.embed_question(question)
    assert nearness[1 + answer] > nearness[0] + 0.02
    if reader.name != "minilm":  # trained for such questions; the stock model takes a neighbour for one of them
        assert nearness[1 + answer] > nearness.max() - 0.02, "machines differ in the third digit"


def test_the_lead_belongs_to_every_sentence(finder: Embedder) -> None:
    text = "I went to Lisbon. The violin is mine."
    by_nora, by_tom = finder.embed_passages([Passage(text, "Nora: "), Passage(text, "Tom: ")])
    asked = finder.embed_question("What does Tom own?")
    assert by_tom[2] @ asked > by_nora[2] @ asked + 0.05


def test_a_sentence_is_read_in_its_context(finder: Embedder) -> None:
    bird, car = finder.embed_passages(
        [Passage("My parrot is green. It is very loud today."), Passage("My car is green. It is very loud today.")]
    )
    asked = finder.embed_question("Which bird makes noise?")
    assert bird[2] @ asked > car[2] @ asked + 0.05


FILLER = "The weather stayed grey and nothing much happened at the office that day. "


@pytest.mark.parametrize("before", [0, 15, 30, 60])
def test_a_sentence_far_into_a_long_passage_is_found(reader: Embedder, before: int) -> None:
    needle = "My brother plays the violin in an orchestra. "
    long = Passage(FILLER * before + needle + FILLER * 5, "Nora: ")
    (rows,), asked = reader.embed_passages([long]), reader.embed_question("What instrument does Nora's brother play?")
    (filler,) = reader.embed_passages([Passage(FILLER * (before + 6), "Nora: ")])
    assert (rows[1:] @ asked).max() > (filler @ asked).max() + 0.05


def test_accents_emoji_and_other_scripts_do_not_shift_the_sentences(reader: Embedder) -> None:
    strange = "Ça été café naïve e\u0301e\u0301e\u0301 ﬁ 👩‍👩‍👧 \u200b İİİ 한국어 你好 \ufeff ok"
    needle = "My brother plays the violin in an orchestra."
    (rows,) = reader.embed_passages([Passage(f"{strange}. {needle} {strange}.", "Zoë\u0301😀: ")])
    assert len(rows) == 4
    assert int(np.argmax(rows @ reader.embed_question(needle))) == 2


@settings(max_examples=examples(60), deadline=None)
@given(st.text(max_size=300), st.text(max_size=20))
def test_any_string_gives_unit_rows(finder: Embedder, text: str, lead: str) -> None:
    (rows,) = finder.embed_passages([Passage(text, lead)])
    assert np.all(np.isfinite(rows))
    assert is_unit(rows)
    assert np.array_equal(rows[0], finder.embed([lead + text])[0])


def test_the_states_looked_at_are_those_the_whole_is_pooled_from() -> None:
    model = Turnfinder()._load()
    ids = np.array([[model._opening, *model.pieces("Nora: My new job starts in June.").ids, model._closing]])
    assert model._outputs[1:] == [LAST_LAYER]
    whole, states = model._session.run(model._outputs, {"input_ids": ids, "attention_mask": np.ones_like(ids)})
    mean = states[0].mean(axis=0)
    assert np.allclose(mean / np.linalg.norm(mean), whole[0], atol=1e-5)


def test_an_output_is_added_to_a_model_by_the_bytes_that_follow_it() -> None:
    assert with_output(b"model", "name") == b"model" + bytes.fromhex("3a0e620c0a04") + b"name" + bytes.fromhex(
        "12040a020801"
    )
    assert with_output(b"", "n" * 200)[:8] == bytes.fromhex("3ad40162d1010ac8")


class Model:
    """A word is a piece, whose state holds one 1 at its own number; every pass is written down."""

    def __init__(self, words: int) -> None:
        self.passes: list[list[int]] = []
        self._words = words

    def pieces(self, text: str) -> WordPieces:
        starts = [place for place, sign in enumerate(text) if sign != " " and text[place - 1 : place] in ("", " ")]
        return WordPieces(list(range(len(starts))), starts)

    def look(self, coded: list[list[int]]) -> list[tuple[Any, Any]]:
        (ids,) = coded
        assert len(ids) <= REACH
        self.passes.append(ids)
        states = np.eye(self._words, dtype=np.float32)[ids]
        return [(states.sum(axis=0), states)]


def read(text: str, lead: str = "") -> tuple[Model, list[list[int]]]:
    """The passes, and the pieces that went into each row."""
    model = Model(len((lead + text).split()))
    (rows,) = read_passages(model, [Passage(text, lead)])  # type: ignore[arg-type]
    return model, [np.flatnonzero(row).tolist() for row in rows]


FIVE = "one two three four five. "


def test_a_row_holds_the_pieces_of_its_sentence_and_of_the_lead() -> None:
    model, rows = read("a b c d. e f g h i. j k.", "Nora says: ")
    assert rows == [list(range(13)), [0, 1, 2, 3, 4, 5], [0, 1, *range(6, 13)]]
    assert len(model.passes) == 1


def test_what_the_first_pass_does_not_reach_is_read_in_stretches_with_the_lead() -> None:
    model, rows = read(FIVE * 100, "Nora says: ")
    first, *further = model.passes
    assert first == list(range(REACH))
    assert [(ids[:2], ids[2], ids[-1] + 1) for ids in further] == [
        ([0, 1], 252, 252 + STRETCH_PIECES),
        ([0, 1], 252 + STRETCH_PIECES, 502),
    ]
    bodies = [row[2:] for row in rows[1:]]
    assert [piece for body in bodies for piece in body] == list(range(2, 502))
    assert len(bodies) == PARTS
    assert {len(body) for body in bodies} == {30, 35}


def test_a_sentence_without_an_end_is_cut_to_stretches() -> None:
    model, rows = read("word " * 400, "Nora: ")
    assert [len(row) - 1 for row in rows[1:]] == [133, 133, 134]
    assert [len(ids) for ids in model.passes] == [REACH, 134, 135]


def test_a_book_is_read_as_far_as_the_stretches_go() -> None:
    model, rows = read(FIVE * 1000)
    assert len(model.passes) == 1 + MOST_STRETCHES
    assert rows[-1][-1] + 1 == 250 + MOST_STRETCHES * STRETCH_PIECES
    assert len(rows) == 1 + PARTS


def test_a_lead_longer_than_a_pass_leaves_room_for_the_text() -> None:
    model, rows = read(FIVE * 3, "lead " * 400)
    assert len(rows) == 4
    assert [len(row) for row in rows[1:]] == [REACH - STRETCH_PIECES + 5] * 3
    assert len(model.passes) == 2


@given(st.lists(st.integers(4, 60), min_size=1, max_size=200))
def test_groups_are_as_many_as_they_may_be_and_about_equal(lengths: list[int]) -> None:
    bounds = [0, *np.cumsum(lengths).tolist()]
    grouped = _grouped(bounds)
    assert (grouped[0], grouped[-1]) == (bounds[0], bounds[-1])
    assert len(grouped) == min(len(lengths), PARTS) + 1
    assert all(start < end for start, end in pairwise(grouped))
    assert set(grouped) <= set(bounds)
    assert max(end - start for start, end in pairwise(grouped)) <= bounds[-1] / PARTS + 2 * max(lengths)


def made(**policy: int) -> tuple[list[Passage], Batches]:
    seen: list[Passage] = []

    def look(passages: list[Passage]) -> list[Any]:
        seen.extend(passages)
        return [np.ones((1 + passage.text.count("."), 2), np.float32) for passage in passages]

    return seen, Batches(2, lambda texts: np.ones((len(texts), 2), np.float32), BatchPolicy(**policy), look)


def test_a_repeated_passage_is_read_once_while_it_is_kept() -> None:
    seen, batches = made()
    first, again = Passage("a. b."), Passage("a. b.", "Nora: ")
    assert [len(rows) for rows in batches.embed_passages([first, again, first])] == [3, 3, 3]
    batches.embed_passages([again, first])
    assert seen == [first, again]


def test_a_passage_counts_in_the_cache_as_many_times_as_it_has_rows() -> None:
    _, batches = made(cached_texts=7)
    batches.embed_passages([Passage("a. b.", "1"), Passage("a. b.", "2")])
    assert len(batches.cache) == 2
    batches.embed(["x", "y"])
    assert len(batches.cache) == 3
    batches.embed_passages([Passage("." * 7)])
    assert len(batches.cache) == 0


def test_lanes_side_by_side_change_nothing_but_the_time(reader: Embedder) -> None:
    beside = open_embedder(reader.name, cached_texts=0, lanes=3)
    alone = open_embedder(reader.name, cached_texts=0, lanes=1)
    for one, other in zip(alone.embed_passages(PASSAGES), beside.embed_passages(PASSAGES), strict=True):
        assert np.array_equal(one, other)


def test_the_company_a_passage_is_read_in_does_not_change_its_vectors(reader: Embedder) -> None:
    for passage, together in zip(PASSAGES, reader.embed_passages(PASSAGES), strict=True):
        assert np.abs(reader.embed_passages([passage])[0] - together).max() < 1e-5


def test_a_passage_is_read_no_further_than_a_text() -> None:
    seen, batches = made()
    batches.embed_passages([Passage("x" * CHARACTERS_READ, "Nora: "), Passage("\ud83d", "\ud83d")])
    assert [len(passage.lead + passage.text) for passage in seen] == [2, CHARACTERS_READ]
    assert seen[0] == Passage("?", "?")


@pytest.mark.parametrize("answer", [np.ones((0, 2)), np.ones((2 + PARTS, 2)), np.ones((1, 3)), np.ones(2)])
def test_a_model_that_misbehaves_is_a_fault(answer: Any) -> None:
    batches = Batches(2, lambda _: answer, BatchPolicy(), lambda _: [answer])
    with pytest.raises(Fault, match="a passage gave an array of"):
        batches.embed_passages([Passage("a")])
    assert len(batches.cache) == 0
