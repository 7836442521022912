"""Advice on a message: whether to save it, and whether to look something up first."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.conftest import examples

from treering.door import Treering
from treering.errors import CallerError
from treering.ingest.advise import saving, searching
from treering.ingest.advise.advice import RecallAdvice, SaveAdvice
from treering.ingest.advise.cues import FoundCue, MessageCue, believed
from treering.mind.judges import open_reader

NOW = datetime(2026, 2, 10, 9, tzinfo=UTC)
SAVING = (*saving.ASKED_FOR, *saving.STATED, *saving.AGAINST)
SEARCHING = (*searching.ASKS_FOR, *searching.POINTS_BACK, *searching.AGAINST)


def analyze_message(text: str) -> SaveAdvice:
    return saving.analyze_message(text, NOW, open_reader)


def analyze_for_recall(text: str) -> RecallAdvice:
    return searching.analyze_for_recall(text, NOW, open_reader)


@pytest.mark.parametrize(
    ("cue", "example"), [(one, text) for one in (*SAVING, *SEARCHING) for text in one.examples], ids=str
)
def test_every_cue_is_found_in_the_words_it_was_made_for(cue: MessageCue, example: str) -> None:
    assert cue.found_in(example) is not None


@pytest.mark.parametrize(("cue", "example"), [(one, text) for one in SAVING for text in one.examples], ids=str)
def test_a_cue_for_saving_is_a_reason_of_the_advice(cue: MessageCue, example: str) -> None:
    alike = {"a taste": {"a preference"}}
    told = {one.split(": ")[0][2:] for one in analyze_message(example).reasons}
    first_of = {one.name for one in saving.ASKED_FOR} if cue in saving.ASKED_FOR else set()
    assert told & ({cue.name} | alike.get(cue.name, set()) | first_of)


@pytest.mark.parametrize(
    ("text", "decision"),
    [
        ("Remember: I prefer TypeScript over JavaScript for all new projects", "save"),
        ("Remember: I prefer dark mode in all my apps", "save"),
        ("I prefer dark mode", "save"),
        ("We decided to ship on Monday", "save"),
        ("The project deadline is December 15th", "save"),
        ("Hi! My name is Ines and I work at Hollandia. How are you?", "save"),
        ("Could you please remember that I'm allergic to nuts?", "save"),
        ("Don’t forget the dentist on Tuesday", "save"),  # noqa: RUF001
        ("Maybe we'll go with Redis", "ask"),
        ("I like pizza", "ask"),
        ("Use JWT tokens for authentication in all new APIs", "ask"),
        ("Off the record, I prefer Vim", "leave"),
        ("Remember this, no wait, forget that", "leave"),
        ("Don't save this: my name is Ines and I prefer Vim", "leave"),
        ("It's not important", "leave"),
        ("What's the capital of France?", "leave"),
        ("Do you remember where I parked?", "leave"),
        ("Do I prefer tea or coffee?", "leave"),
        ("I remember the war", "leave"),
        ("the weather is nice today", "leave"),
        ("hey there! thanks!", "leave"),
        ("🙂", "leave"),
        ("...", "leave"),
        ("Look at this:\n```\nremember: I prefer tabs\n```", "leave"),
        ("> I prefer tea\nsays who", "leave"),
    ],
)
def test_a_message_is_saved_asked_about_or_left(text: str, decision: str) -> None:
    advice = analyze_message(text)
    assert (advice.decision, advice.should_save) == (decision, decision == "save")
    assert advice.reasons


@pytest.mark.parametrize(
    ("text", "decision", "query"),
    [
        ("What did I say about TypeScript?", "search", "TypeScript"),
        ("What did I say about my API preferences?", "search", "API preferences"),
        ("What did I say about authentication?", "search", "authentication"),
        ("hey, so what did we discuss about the Q3 budget last week, please?", "search", "Q3 budget last week"),
        ("Do you remember where I parked?", "search", "where I parked"),
        ("Remind me what the Wi-Fi password is", "search", "what the Wi-Fi password is"),
        ("Thanks! What do you know about Melanie?", "search", "Melanie"),
        ("which database did we decide on?", "search", "database"),
        ("What's my wife's name?", "search", "What's my wife's name"),
        ("what did I do in 2024?", "search", "what did I do in 2024"),
        ("Is Melanie still in Oslo?", "ask", "Is Melanie still in Oslo"),
        ("order my usual", "ask", "order my usual"),
        ("What is the capital of France?", "leave", None),
        ("How do I write a regex for dates?", "leave", None),
        ("remind me to call mom", "leave", ""),
        ("I moved to Oslo", "leave", ""),
        ("thanks a lot!", "leave", ""),
        ("Don't look it up: what did I say about tea?", "leave", None),
        ("Remember that I prefer tea", "leave", None),
    ],
)
def test_a_message_is_searched_for_asked_about_or_left(text: str, decision: str, query: str | None) -> None:
    advice = analyze_for_recall(text)
    assert (advice.decision, advice.should_search) == (decision, decision == "search")
    assert query is None or advice.query == query


def test_names_tags_and_strength_come_with_the_advice() -> None:
    advice = analyze_message("Remember: I prefer TypeScript over JavaScript for all new projects #coding")
    assert advice.entities == ("TypeScript", "JavaScript")
    assert advice.tags == ("preference", "coding")
    assert 1.5 <= advice.strength <= 1.6
    assert analyze_for_recall("What did I say about TypeScript?").entities == ("TypeScript",)


def test_the_strength_advised_is_that_which_it_will_be_saved_with(mem: Treering) -> None:
    text = "Remember: Ada prefers tea. Does she?"
    advice = mem.analyze_message(text)
    assert advice.strength == mem.get(mem.add(text, entities=list(advice.entities)).id).strength > 1.4


def test_a_further_ground_never_lowers_and_doubt_never_raises() -> None:
    one, two, doubt = FoundCue("a", 0.5), FoundCue("b", 0.3), FoundCue("c", -0.4)
    assert believed([]) == 0
    assert believed([one]) == 0.5
    assert believed([one, two]) == 0.65
    assert believed([one, two, doubt]) == 0.39


@settings(max_examples=examples(60), deadline=None)
@given(st.text(min_size=1, max_size=200))
def test_any_text_gets_an_advice_within_bounds(text: str) -> None:
    saved, searched = analyze_message(text), analyze_for_recall(text)
    assert 0 <= saved.confidence <= 1
    assert 0 <= searched.confidence <= 1
    assert 1 <= saved.strength <= 2
    assert saved.to_dict().keys() >= {"should_save", "confidence", "entities", "tags", "strength", "reasons"}
    assert searched.to_dict().keys() >= {"should_search", "confidence", "query", "entities", "reasons"}


def test_a_long_message_is_read_quickly_and_one_beyond_the_limit_is_refused(mem: Treering) -> None:
    assert mem.analyze_message("Remember that I like tea. " + "and so on, " * 4000).should_save
    with pytest.raises(CallerError, match="text"):
        mem.analyze_message("x" * 50_001)
    with pytest.raises(CallerError, match="text"):
        mem.analyze_for_recall("")


def test_advice_changes_nothing(mem: Treering) -> None:
    mem.add("Ada likes tea")
    before = mem.status()
    mem.analyze_message("Remember that Ada likes coffee")
    mem.analyze_for_recall("What did I say about Ada?")
    assert mem.status() == before
