"""How a statement is told that states a fact: in its own words, in the relation's sentence, or with its state."""

from __future__ import annotations

from dataclasses import replace

import pytest
from tests.ingest.seen import AT

from treering.ingest.extract.contract import Claim, Cue, Extracted, Heard, Mentioned, Stance
from treering.ingest.extract.facts_told import told
from treering.ingest.extract.importance import DEFINING, MINOR, MODERATE
from treering.ingest.extract.learned_facts import LEAST, MOST, SURE, LikelyClaim, StatedFacts
from treering.mind.reading import FactMood
from treering.model.memory import Kind


def sure(
    value: str,
    relation: str = "LIVES_IN",
    subject: str = "User",
    mood: FactMood = FactMood.SO,
    stance: Stance = Stance.HOLDS,
) -> LikelyClaim:
    claim = Claim(subject=subject, relation=relation, object=value, stance=stance, confidence=SURE)
    return LikelyClaim(claim, mood, SURE)


def guess(value: str, relation: str = "LIVES_IN", **more: object) -> LikelyClaim:
    one = sure(value, relation, **more)  # type: ignore[arg-type]
    return LikelyClaim(replace(one.claim, confidence=MOST), one.mood, LEAST)


def became(value: str, relation: str = "LIVES_IN", subject: str = "User") -> LikelyClaim:
    return sure(value, relation, subject, FactMood.BECAME)


def as_told(text: str, *facts: LikelyClaim, speaker: str | None = None, **more: object) -> list[Extracted]:
    heard = Heard(text=text, at=AT, speaker=speaker)
    given = {"content": f"{heard.first_person}: {text}", "span": (0, len(text)), "kind": Kind.VIEWPOINT, **more}
    return list(told(StatedFacts(Extracted(**given), facts), heard))  # type: ignore[arg-type]


def contents(text: str, *facts: LikelyClaim, speaker: str | None = None) -> list[str]:
    return [one.content for one in as_told(text, *facts, speaker=speaker)]


# in the sentence of the relation


@pytest.mark.parametrize(
    ("text", "fact", "content"),
    [
        ("I live in Oslo.", sure("Oslo"), "User lives in Oslo"),
        ("i live in Oslo these days, actually", sure("Oslo"), "User lives in Oslo"),
        ("I now live in Oslo", became("Oslo"), "User lives in Oslo"),
        ("Ana lives in Oslo", sure("Oslo", subject="Ana"), "Ana lives in Oslo"),
        ("ferry-gateway uses Redis", sure("Redis", "USES", "ferry-gateway"), "ferry-gateway uses Redis"),
    ],
    ids=["plain", "now", "became so", "of somebody", "of code"],
)
def test_what_the_sentence_of_the_relation_says_all_of_is_told_as_that(
    text: str, fact: LikelyClaim, content: str
) -> None:
    [one] = as_told(text, fact)
    assert (one.content, one.claims, one.span) == (content, (fact.claim,), (0, len(text)))


def test_who_speaks_has_it_by_any_name() -> None:
    assert contents("I live in Oslo", sure("Oslo", subject="ravi"), speaker="ravi") == ["ravi lives in Oslo"]


def keeps_its_words(text: str) -> bool:
    fact = sure("Zed", "USES") if "Zed" in text else sure("Oslo")
    [one] = as_told(text, fact)
    assert one.claims == (fact.claim,)
    return (one.content, one.kind) == (f"User: {text}", Kind.VIEWPOINT)


@pytest.mark.parametrize(
    "text",
    [
        "I happily live in Oslo",
        "I live in Oslo with two cats",
        "I live in Oslo, since 2019",
        "I never really liked it, but I live in Oslo",
        "I moved the boat to Oslo",
    ],
)
def test_a_statement_of_which_a_word_would_be_left_untold_keeps_its_own(text: str) -> None:
    assert keeps_its_words(text)


@pytest.mark.parametrize(
    "text",
    [
        "I live in Oslo with Will",  # names that are everyday words too
        "I live in Oslo with May",
        "I should use Zed",  # what only may be or once was
        "I would use Zed",
        "I may use Zed",
        "I can use Zed",
        "I had been living in Oslo",
        "I do not live in Oslo",
        "do I live in Oslo?",
    ],
)
def test_nor_is_an_everyday_word_left_untold_that_says_something(text: str) -> None:
    """Words that search passes over."""
    assert keeps_its_words(text)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("I use `zed`", "zed"),
        ("I use --fast=7", "fast=7"),
        ("I use /opt/zed", "opt/zed"),
        ("I use .zedrc", "zedrc"),
        ("I use zed()", "zed"),
        ("I use zed_zed", "zed"),
        ("I use C++", "C"),
    ],
)
def test_code_and_paths_lose_no_sign(text: str, value: str) -> None:
    [content] = contents(text, sure(value, "USES"))
    assert text.removeprefix("I use ") in content


@pytest.mark.parametrize(
    "facts",
    [
        (sure("Oslo"), sure("User", "KNOWS")),
        (sure("Oslo"), guess("Oslo", "VISITED")),
        (sure("Oslo", relation="RUNS_THROUGH"),),
        (sure("Oslo", stance=Stance.ENDS, mood=FactMood.DENIED),),
    ],
    ids=["two facts", "a guess beside", "no such relation", "over"],
)
def test_several_facts_a_strange_one_and_an_end_have_the_words_that_were_said(facts: tuple[LikelyClaim, ...]) -> None:
    [one] = as_told("I live in Oslo", *facts)
    assert (one.content, one.kind) == ("User: I live in Oslo", Kind.VIEWPOINT)
    assert one.claims == tuple(each.claim for each in facts)


@pytest.mark.parametrize(
    ("text", "subject"),
    [
        ("my landlady lives in Oslo", "landlady"),
        ("my old landlady lives in Oslo", "old landlady"),
        ("my sister-in-law lives in Oslo", "sister-in-law"),
        ("our co-worker lives in Oslo", "co-worker"),
    ],
)
def test_who_is_only_described_keeps_the_words_of_the_description(text: str, subject: str) -> None:
    assert contents(text, sure("Oslo", subject=subject)) == [f"User: {text}"]
    assert contents(text, became("Oslo", subject=subject)) == [f"User: {text}"]


# a change


def test_a_change_is_told_twice_as_what_happened_and_as_the_state_it_leads_to() -> None:
    fact = became("Oslo")
    event, state = as_told("I moved to Oslo", fact, event_time=AT, expires_at=AT)
    assert (event.content, event.kind, event.claims) == ("User: I moved to Oslo", Kind.EPISODE, ())
    assert (state.content, state.kind, state.claims) == ("User lives in Oslo", Kind.SEMANTIC, (fact.claim,))
    assert event.span == state.span == (0, 15)
    assert event.cue is state.cue is Cue.CHANGE
    assert event.event_time == state.event_time == AT
    assert (event.expires_at, state.expires_at) == (AT, None)


def test_what_ends_and_what_is_guessed_stay_with_the_event() -> None:
    over, guessed, new = (
        sure("Vim", "USES", mood=FactMood.ENDED, stance=Stance.ENDS),
        guess("Kate"),
        became("Zed", "USES"),
    )
    event, state = as_told("I switched from Vim to Zed", over, new, guessed)
    assert event.claims == (over.claim, guessed.claim)
    assert (state.content, state.claims) == ("User uses Zed", (new.claim,))


def test_every_change_of_a_statement_has_its_state() -> None:
    text = "I moved to Oslo and joined Bolt"
    assert contents(text, became("Oslo"), became("Bolt", "WORKS_FOR")) == [
        f"User: {text}",
        "User lives in Oslo",
        "User works at Bolt",
    ]


def test_a_state_names_only_whom_its_sentence_names() -> None:
    names = tuple(Mentioned(one) for one in ("Oslo", "Ravi"))
    event, state = as_told("I moved to Oslo with Ravi", became("Oslo"), entities=names)
    assert [one.name for one in event.entities] == ["Oslo", "Ravi"]
    assert [one.name for one in state.entities] == ["Oslo"]


@pytest.mark.parametrize(
    "fact",
    [
        became("Oslo", "RUNS_THROUGH"),
        became("Oslo", "LIKES"),
        sure("Oslo"),
    ],
    ids=["no such relation", "a taste", "no change"],
)
def test_what_has_no_sentence_or_is_no_change_is_told_once(fact: LikelyClaim) -> None:
    [one] = as_told("I moved to Oslo", fact)
    assert (one.content, one.kind, one.claims) == ("User: I moved to Oslo", Kind.VIEWPOINT, (fact.claim,))


def test_what_is_over_is_told_once_as_what_happened() -> None:
    fact = sure("Oslo", mood=FactMood.ENDED, stance=Stance.ENDS)
    [one] = as_told("I left Oslo", fact)
    assert (one.content, one.kind, one.claims) == ("User: I left Oslo", Kind.EPISODE, (fact.claim,))


# a guess


@pytest.mark.parametrize("mood", [FactMood.SO, FactMood.BECAME])
@pytest.mark.parametrize("text", ["I live in Oslo", "I moved to Oslo"])
def test_a_guess_is_never_told_as_a_fact_or_a_state(text: str, mood: FactMood) -> None:
    fact = guess("Oslo", mood=mood)
    [one] = as_told(text, fact)
    assert (one.content, one.kind, one.claims, one.cue) == (f"User: {text}", Kind.VIEWPOINT, (fact.claim,), None)


# words that say that it takes the place of something


@pytest.mark.parametrize(
    ("text", "fact", "cue"),
    [
        ("I moved to Oslo", became("Oslo"), Cue.CHANGE),
        ("I left Oslo", sure("Oslo", mood=FactMood.ENDED, stance=Stance.ENDS), Cue.CHANGE),
        ("I live in Oslo", sure("Oslo"), None),
        ("I lived in Oslo", sure("Oslo", mood=FactMood.PAST, stance=Stance.ENDS), None),
        ("Sorry, I meant I live in Oslo", sure("Oslo"), Cue.CORRECTION),
        ("wait, no, I moved to Oslo", became("Oslo"), Cue.CORRECTION),
        ("Actually I live in Oslo all year", sure("Oslo"), Cue.CORRECTION),
        ("I live in Oslo, not Bergen", sure("Oslo"), Cue.CORRECTION),
        ("Sorry, I meant I live in Oslo", guess("Oslo"), None),
    ],
)
def test_a_cue_is_heard_where_a_sure_fact_changes_or_is_put_right(
    text: str, fact: LikelyClaim, cue: Cue | None
) -> None:
    assert {one.cue for one in as_told(text, fact)} == {cue}


def test_what_states_no_fact_has_no_cue() -> None:
    [one] = as_told("Sorry, I meant it")
    assert (one.content, one.cue, one.claims) == ("User: Sorry, I meant it", None, ())


# how much it matters


@pytest.mark.parametrize(
    ("facts", "before", "importance"),
    [
        ((), MODERATE, MODERATE),
        ((), MINOR, MINOR),
        ((sure("Oslo"),), MODERATE, DEFINING),
        ((sure("Oslo"),), MINOR, DEFINING),
        ((sure("Oslo", "VISITED"),), MINOR, MODERATE),
        ((guess("Oslo"),), MODERATE, MODERATE),
        ((guess("Oslo"),), MINOR, MINOR),
    ],
)
def test_how_much_it_matters_is_said_by_what_is_sure(
    facts: tuple[LikelyClaim, ...], before: float, importance: float
) -> None:
    assert [one.importance for one in as_told("Oslo, all year long", *facts, importance=before)] == [importance]


def test_a_change_and_its_state_matter_each_by_what_is_claimed() -> None:
    event, state = as_told("I moved to Oslo, with Zed", became("Zed", "USES"), sure("Oslo"))
    assert (event.importance, state.importance) == (DEFINING, MODERATE)
