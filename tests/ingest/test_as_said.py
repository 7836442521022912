"""A statement is worded to stand alone, and still says what was said: where the words were taken apart wrongly, it is
kept as it came."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.conftest import examples

from treering.ingest.extract.contract import Heard, Turn
from treering.ingest.extract.rules import RulesExtractor
from treering.ingest.extract.rules.as_said import still_says
from treering.ingest.extract.rules.extractor import JUST_BEFORE

AT = datetime(2026, 3, 2, 9, tzinfo=UTC)


def told(text: str, speaker: str | None = None, before: tuple[Turn, ...] = ()) -> list[str]:
    heard = Heard(text=text, at=AT, speaker=speaker, before=before)
    return [one.content for one in RulesExtractor().extract([heard])[0].extracted]


@pytest.mark.parametrize(
    ("worded", "said"),
    [
        ("User has moved to Oslo", "I've moved to Oslo"),
        ("User doesn't carry keys", "I don't carry keys"),
        ("User tries out the kiln", "I try out the kiln"),
        ("Ilse's kiln is hot (2026-03-02)", "her kiln is hot today"),
        ("User left Vey to join Olm in May 2025", "I left Vey last May to join Olm"),
        ("User said that that was it", "I said that that was it"),
    ],
)
def test_names_dates_and_forms_of_a_verb_may_come_in(worded: str, said: str) -> None:
    assert still_says(worded, said, before="User Ilse")


@pytest.mark.parametrize(
    ("worded", "said"),
    [
        ("the kiln visits Userd", "the kiln visits Wed"),
        ("so the kiln kiln stays", "so the kiln it stays"),
        ("I's opened a shop", "He's opened a shop"),
        ("User prefers the kiln", "the kiln, I guess"),
    ],
    ids=["two words in one", "said twice", "of nobody", "not said"],
)
def test_no_other_word_may(worded: str, said: str) -> None:
    assert not still_says(worded, said, before="User Ilse")


@pytest.mark.parametrize("day", ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"])
def test_a_day_stays_a_day(day: str) -> None:
    [content] = told(f"Nurse Pauline visits {day}.")
    assert day in content.replace("(", " ").split()


def test_a_wish_is_nothing_that_somebody_does() -> None:
    [content] = told("Dentist with Dr. Aalto at 15:30, don't let me forget")
    assert "don't let User forget" in content
    assert told("Don't jinx it.") == ["User: Don't jinx it"]


def test_it_stays_as_it_was_said() -> None:
    [whole] = told("Our backend runs on Postgres 17 and Fly.io sits behind it")
    assert whole.endswith("Postgres 17 and Fly.io sits behind it")
    before = (Turn(None, "I bought a Brompton.", AT),)
    assert told("It squeaks on every hill.", before=before) == ["User: It squeaks on every hill"]


@pytest.mark.parametrize(("ago", "who"), [(JUST_BEFORE, "Ilse"), (JUST_BEFORE + timedelta(seconds=1), "She")])
def test_somebody_who_was_named_long_ago_is_not_meant(ago: timedelta, who: str) -> None:
    before = (Turn(None, "Ilse called from the harbour.", AT - ago),)
    assert [one.removeprefix("User: ") for one in told("She sold the boat.", before=before)] == [f"{who} sold the boat"]


@pytest.mark.parametrize(
    "text",
    ["Folding chairs: two in the shed", "Seen with my own eyes", "Milo himself picked the butter"],
)
def test_words_that_may_tell_of_something_else_get_no_subject(text: str) -> None:
    [content] = told(text)
    assert content.removeprefix("User: ") == text.replace("my", "User's")


SAYABLE = """
I me my we he she it they Ilse Ravi kiln is was don't I'm she's he'd we'll it's that's who's and but , . Wed May moved
sold likes bought to in the a new old really not no longer
"""
WORDS = st.sampled_from(SAYABLE.split())


@settings(max_examples=examples(60), deadline=None)
@given(st.lists(WORDS, min_size=3, max_size=14))
def test_whatever_is_said_no_word_is_made_up(words: list[str]) -> None:
    text = " ".join(words)
    for one in RulesExtractor().extract([Heard(text=text, at=AT)])[0].extracted:
        if not one.claims:  # a state that a change leads to is told in the relation's own words
            assert still_says(one.content, text, "User asked May")


NOUNS = st.sampled_from(["ferry", "bachelor", "kiln", "gauge", "atelier", "Halden", "Ms Oyelaran", "county", "lodger"])


@settings(deadline=None, max_examples=examples(60))
@given(NOUNS, st.sampled_from(["at Vey Hall", "closed", "on Friday", "finished the course", "by the gate"]))
def test_an_apostrophe_of_a_noun_stays_as_it_was_written(noun: str, rest: str) -> None:
    """Whether "the bachelor's" is his or he is, only who said it knows."""
    whole = " ".join(told(f"I heard of the {noun}'s {rest}."))
    assert f"{noun}'s" in whole
    assert f"{noun} is" not in whole


@pytest.mark.parametrize(
    ("said", "kept"),
    [
        ("I'd go to Oslo", "User would go to Oslo"),
        ("I'd never go to Oslo", "User would never go to Oslo"),
        ("I'd gone to Oslo", "User had gone to Oslo"),
        ("I'd already forgotten the page", "User had already forgotten the page"),
        ("I'd a bad night in Oslo", "User: I'd a bad night in Oslo"),
    ],
)
def test_what_is_short_for_had_or_would_is_told_by_the_verb(said: str, kept: str) -> None:
    assert told(said)[0].startswith(kept)


@pytest.mark.parametrize("text", ["the's kiln", "I like the 's kiln", "my's kiln is hot", "we sold my 's boat"])
def test_an_apostrophe_behind_nobody_is_read(text: str) -> None:
    assert "".join(told(text))
