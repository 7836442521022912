"""Values are stretches of whole words, weighed one by one; of those that lie over one another the likeliest stands."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from treering.mind.reading import FactMood, Place
from treering.mind.turnreader.facts import LEAST, WIDEST, facts_in, words_in
from treering.mind.turnreader.pieces import MOODS

WIDTH, INNER = 8, 4
TEXT = "two whippets, Biscuit and Fenn here"


def _rows(text: str) -> list[tuple[Place, tuple[int, int]]]:
    """One for the opening, one for the speaker, and two for each word of more than three letters."""
    found = [(Place.NOWHERE, (0, 0)), (Place.SPEAKER, (0, 0))]
    for start, end in words_in(text, [(0, (0, len(text)))])[0]:
        middle = start + 3 if end - start > 3 else end
        found += [(Place.TURN, (start, middle)), *([(Place.TURN, (middle, end))] if middle < end else [])]
    return found


def _heads(**given: Any) -> dict[str, Any]:
    shapes = {
        "value.first.weight": (INNER, WIDTH), "value.last.weight": (INNER, WIDTH),
        "value.between.weight": (INNER, WIDTH), "value.words.weight": (WIDEST, INNER),
        "value.outer.weight": (1, INNER), "value.outer.bias": (1,),
        "mood.weight": (len(MOODS), 2 * WIDTH), "mood.bias": (len(MOODS),),
        "relation.inner.weight": (WIDTH, 3 * WIDTH), "relation.inner.bias": (WIDTH,),
        "relation.outer.weight": (2, WIDTH), "relation.outer.bias": (2,),
        **{f"{end}_{what}.{part}": (WIDTH, *([(2 if what == "query" else 1) * WIDTH] if part == "weight" else []))
           for end in ("first", "last") for what in ("query", "key") for part in ("weight", "bias")},
    }  # fmt: skip
    made: dict[str, Any] = {name: np.zeros(shape, np.float32) for name, shape in shapes.items()}
    made |= {"relations": np.array(["OTHER", "OWNS"]), "fold": np.array([0, 1])}
    return made | given


def _states(rows: list[Any], begins: dict[int, float], ends: dict[int, float]) -> Any:
    """The first number says how well a value begins with a row, the second how well it ends."""
    states = np.zeros((len(rows), WIDTH), np.float32)
    for place, (_, (start, end)) in enumerate(rows):
        states[place, 0] = begins.get(start, -6.0) if place > 1 else 0.0
        states[place, 1] = ends.get(end, -6.0) if place > 1 else 0.0
    return states


def _found(text: str, begins: dict[str, float], ends: dict[str, float]) -> list[tuple[str, float]]:
    rows = _rows(text)
    first = np.zeros((INNER, WIDTH), np.float32)
    last, outer = first.copy(), np.zeros((1, INNER), np.float32)
    first[0, 0] = last[0, 1] = outer[0, 0] = 1.0
    heads = _heads(**{
        "value.first.weight": first, "value.last.weight": last, "value.outer.weight": outer,
        "value.outer.bias": np.array([-8.0], np.float32),
        "value.words.weight": np.full((WIDEST, INNER), 6.0, np.float32),
    })  # fmt: skip
    at = {text.index(word): score for word, score in begins.items()}
    to = {text.index(word) + len(word): score for word, score in ends.items()}
    told = facts_in(text, rows, _states(rows, at, to), heads)
    assert all(one.relation == "OWNS" and one.mood in FactMood for one in told)
    return [(text[slice(*one.value)], one.value_score) for one in told]


def test_a_value_is_of_whole_words_from_the_first_that_begins_to_the_last_that_ends_one() -> None:
    assert [value for value, _ in _found(TEXT, {"Biscuit": 4.0, "Fenn": 4.0}, {"Biscuit": 4.0, "Fenn": 4.0})] == [
        "Biscuit",
        "Fenn",
    ]
    assert [value for value, _ in _found(TEXT, {"two": 3.0}, {"whippets": 3.0})] == ["two whippets"]


def test_of_what_lies_over_one_another_the_likeliest_stands() -> None:
    found = _found(TEXT, {"two": 2.0, "whippets": 3.0}, {"whippets": 2.0})
    assert [value for value, _ in found] == ["whippets"]


def test_what_is_hardly_likely_is_no_value() -> None:
    sure = _found(TEXT, {"Fenn": 3.0}, {"Fenn": 2.0})
    doubtful = _found(TEXT, {"Fenn": 0.4}, {"Fenn": 0.0})
    assert sure[0][1] > 0.9
    assert doubtful == []
    assert 0 < LEAST < 0.5


def test_a_value_has_no_more_words_than_are_weighed() -> None:
    text = " ".join(f"word{number}" for number in range(WIDEST + 2))
    assert _found(text, {"word0": 4.0}, {f"word{WIDEST}": 4.0}) == []
    assert [one for one, _ in _found(text, {"word0": 4.0}, {f"word{WIDEST - 1}": 4.0})] == [
        " ".join(f"word{number}" for number in range(WIDEST))
    ]


@pytest.mark.parametrize("text", ["", "... !", "\U0001f600"])
def test_where_no_word_stands_there_is_no_fact(text: str) -> None:
    assert _found(text, {}, {}) == []


def test_a_relation_is_read_with_whatever_its_subject_is() -> None:
    """The same value, said of who speaks or of a name: only the state of the subject differs."""
    text = "Fenn here"
    rows = _rows(text)
    inner, outer = np.zeros((WIDTH, 3 * WIDTH), np.float32), np.zeros((3, WIDTH), np.float32)
    inner[0, 2 * WIDTH + 7] = outer[2, 0] = 8.0  # told by the last number of the subject's state alone
    key = np.zeros((WIDTH, WIDTH), np.float32)
    key[0, 6] = 20.0  # the subject stands where the number before it says
    told = []
    for mark in (0.0, 1.0):
        states = _states(rows, {0: 9.0}, {4: 9.0})
        states[1, 6], states[1, 7] = 9.0, mark
        first, last, outs = (np.zeros(shape, np.float32) for shape in ((INNER, WIDTH), (INNER, WIDTH), (1, INNER)))
        first[0, 0] = last[0, 1] = outs[0, 0] = 1.0
        heads = _heads(**{
            "value.first.weight": first, "value.last.weight": last, "value.outer.weight": outs,
            "relation.inner.weight": inner, "relation.outer.weight": outer,
            "relation.outer.bias": np.array([0, 1, 0.0]),
            "first_key.weight": key, "first_query.bias": np.ones(WIDTH, np.float32),
            "relations": np.array(["OTHER", "OWNS", "NAMED"]), "fold": np.array([0, 1, 2]),
        })  # fmt: skip
        told += [one.relation for one in facts_in(text, rows, states, heads) if text[slice(*one.value)] == "Fenn"]
    assert told == ["OWNS", "NAMED"]
