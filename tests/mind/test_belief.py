"""How far the words of a turn bear out a claim."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.conftest import examples

from treering.mind.judges import open_reader
from treering.mind.reading import AssertedFact, Place
from treering.mind.turnreader.belief import parts_of

TEXT = "Ana keeps bees and Bolt pays her"
BEFORE = "Ravi: the barn is full"


def rows_of(text: str, place: Place) -> list[tuple[Place, tuple[int, int]]]:
    at, found = 0, []
    for word in text.split():
        start = text.index(word, at)
        at = start + len(word)
        found.append((place, (start, at)))
    return found


ROWS = [
    (Place.NOWHERE, (0, 0)),
    *rows_of(BEFORE, Place.BEFORE),
    (Place.NOWHERE, (0, 0)),
    (Place.SPEAKER, (0, 0)),
    *rows_of(TEXT, Place.TURN),
]
STATES = np.eye(len(ROWS), dtype=np.float32)
"""The state of each row says which it is."""


def seen(subject: str, value: str) -> tuple[list[int], list[int], list[int]]:
    parts = parts_of(AssertedFact(subject, "OWNS", value), TEXT, BEFORE, "Ravi", ROWS, STATES)
    value_at, subject_at, opening = (np.flatnonzero(one).tolist() for one in parts)
    return value_at, subject_at, opening


@pytest.mark.parametrize(
    ("subject", "value", "value_words", "subject_words"),
    [
        ("Ana", "bees", ["bees"], ["Ana"]),
        ("Bolt", "bees and", ["bees", "and"], ["Bolt"]),
        ("barn", "bees", ["bees"], ["barn"]),
    ],
)
def test_a_claim_is_its_value_and_its_subject_where_they_stand(
    subject: str, value: str, value_words: list[str], subject_words: list[str]
) -> None:
    value_at, subject_at, opening = seen(subject, value)
    said = {Place.TURN: TEXT, Place.BEFORE: BEFORE}

    def words(places: list[int]) -> list[str]:
        return [said[ROWS[place][0]][slice(*ROWS[place][1])] for place in places]

    assert (words(value_at), words(subject_at), opening) == (value_words, subject_words, [0])


def test_who_speaks_is_a_subject_and_who_is_not_named_stands_nowhere() -> None:
    assert [ROWS[place][0] for place in seen("Ravi", "bees")[1]] == [Place.SPEAKER]
    assert seen("Ottokar", "bees")[1] == [0]


def test_a_value_that_is_not_among_the_words_is_neither_believed_nor_doubted() -> None:
    wasps = AssertedFact("Ana", "OWNS", "wasps")
    assert parts_of(wasps, TEXT, BEFORE, "Ravi", ROWS, STATES) is None
    assert open_reader().beliefs(TEXT, "Ravi", BEFORE, [wasps]) == [0.0]
    assert open_reader().beliefs(TEXT, "Ravi", BEFORE, []) == []


@pytest.mark.parametrize(
    ("text", "right", "wrong"),
    [
        ("our plumber Gustav charges 80 euros", ("Gustav", "HAS_ROLE", "plumber"), ("User", "HAS_ROLE", "plumber")),
        ("my sister works at Corvane", ("sister", "WORKS_FOR", "Corvane"), ("User", "LIVES_IN", "Corvane")),
        ("we host the wiki on Hetzner now", ("wiki", "HOSTED_ON", "Hetzner"), ("Hetzner", "OWNED_BY", "wiki")),
        ("Pilar takes 20 mg of ramipril", ("Pilar", "TAKES", "ramipril"), ("Pilar", "WORKS_FOR", "ramipril")),
    ],
)
def test_what_the_words_say_is_believed_before_what_they_do_not(
    text: str, right: tuple[str, str, str], wrong: tuple[str, str, str]
) -> None:
    more, less = open_reader().beliefs(text, "User", "", [AssertedFact(*right), AssertedFact(*wrong)])
    assert more > less


def test_a_claim_far_into_a_long_turn_is_weighed_where_it_stands() -> None:
    text = "Nothing much happened on the farm today, it rained. " * 20 + "Ana sold the mule to Ottokar."
    [late] = open_reader().beliefs(text, "User", "", [AssertedFact("Ana", "OWNS", "mule")])
    assert late != 0.0


@settings(max_examples=examples(40), deadline=None)
@given(st.text(max_size=120), st.text(min_size=1, max_size=8), st.text(min_size=1, max_size=8))
def test_any_claim_about_any_text_is_weighed(text: str, subject: str, value: str) -> None:
    [told] = open_reader().beliefs(text, "User", text[:30], [AssertedFact(subject, "NOT_KNOWN", value)])
    assert np.isfinite(told)
