"""What was labelled for a graph, found in the words of the message."""

from __future__ import annotations

from typing import Any

import pytest
from training import data, labels
from training.facts import Names

NAMES = Names(data.canonical(), data.relations()[:-1], ["CHILD_OF"])


def values(text: str, facts: Any = (), over: Any = (), statements: Any = ()) -> list[tuple[str, str, str | None]]:
    message = {"text": text, "speaker": "User", "facts": facts, "over": over, "statements": statements}
    told = labels.of_labels(message, NAMES, data.mutual())
    assert told.whole
    return [(text[slice(*one.span)], one.mood, one.relation) for one in told.values]


def said(span: str, value: str, relation: str, mood: str) -> dict[str, str]:
    return {"span": span, "subject": "User", "relation": relation, "value": value, "old": "", "mood": mood}


@pytest.mark.parametrize(
    ("text", "value", "loosely", "found"),
    [
        ("I joined Corvane in May", "Corvane", False, "Corvane"),
        ("I joined corvane in May", "Corvane", False, "corvane"),
        ("the art class is full", "car", False, None),
        ("we are moving to Gdansk soon", "move to Gdansk", True, "Gdansk"),
        ("we are moving to Gdansk soon", "move to Gdansk", False, None),
        ("Anna retires in May", "retirement", True, "retires"),
        ("see you on Friday", "eye test", True, None),
    ],
)
def test_a_value_is_found_word_for_word_or_loosely(text: str, value: str, loosely: bool, found: str | None) -> None:
    at = labels.place(text, value, loosely)
    assert (None if at is None else text[slice(*at)]) == found


def test_labels_take_the_place_of_what_was_marked_as_so() -> None:
    marked = [said("I row with Kestrel", "row with Kestrel", "HABIT", "so")]
    assert values("I row with Kestrel", [["User", "MEMBER_OF", "Kestrel"]], statements=marked) == [
        ("Kestrel", "so", "MEMBER_OF")
    ]
    assert values("I row with Kestrel", statements=marked) == []


def test_what_was_marked_as_meant_otherwise_stays() -> None:
    marked = [said("I'd love a dog", "dog", "OWNS", "wish")]
    assert values("I'd love a dog", statements=marked) == [("dog", "wish", "OWNS")]


@pytest.mark.parametrize(("mood", "kept"), [("denied", "denied"), ("past", "past"), ("so", "ended")])
def test_how_something_ended_stays_as_it_was_marked(mood: str, kept: str) -> None:
    marked = [said("no more Zed", "Zed", "USES", mood)]
    assert values("no more Zed", over=[["User", "USES", "Zed"]], statements=marked) == [("Zed", kept, "USES")]


def test_a_plan_is_meant_as_one() -> None:
    assert values("eye test on Monday", [["User", "PLANNED", "eye test"]]) == [("eye test", "plan", "PLANNED")]


@pytest.mark.parametrize(
    ("relation", "turned"), [("SIBLING_OF", "SIBLING_OF"), ("PARENT_OF", "CHILD_OF"), ("MANAGES", "REPORTS_TO")]
)
def test_what_is_said_of_who_speaks_is_turned_round(relation: str, turned: str) -> None:
    assert values("Odile came by", [["Odile", relation, "User"]]) == [("Odile", "so", turned)]


def test_what_cannot_be_turned_round_has_no_value() -> None:
    assert values("Odile came by", [["Odile", "TREATED_BY", "User"]]) == []


@pytest.mark.parametrize(
    ("given", "plain"), [("HAS_AGE", "AGE"), ("FAVOURITE_COLOUR", "LIKES"), ("HAS_ROLE", "HAS_ROLE")]
)
def test_names_of_relations_that_say_the_same(given: str, plain: str) -> None:
    assert values("it is 41", [["User", given, "41"]]) == [("41", "so", plain)]
