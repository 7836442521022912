"""What is planned, supposed, joked, quoted, asked or told by others is remembered, but makes no fact."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from treering.ingest.extract.contract import Extracted, Heard, Stance
from treering.ingest.extract.rules import Rules

SAID = datetime(2026, 2, 10, 9, tzinfo=UTC)


def read(text: str) -> tuple[Extracted, ...]:
    (extraction,) = Rules().extract([Heard(text=text, at=SAID)])
    return extraction.extracted


def held(text: str) -> set[tuple[str, str, str]]:
    return {
        (claim.subject, claim.relation, claim.object)
        for one in read(text)
        for claim in one.claims
        if claim.stance is Stance.HOLDS and claim.relation != "PLANNED"
    }


@pytest.mark.parametrize(
    "text",
    [
        "thinking of moving to Lisbon next year",
        "I might switch to Zed",
        "maybe I'll join Volvo",
        "we're considering Portland for the spring",
        "I want to work at Nokia one day",
        "if I worked at Google I'd retire at 45",
        "imagine I'm a pilot at Lufthansa and interview me",
        "suppose we moved to Slack, what would it cost?",
        "I live in an oven, it's 41 degrees",
        "I quit Nokia and joined the circus!! just kidding",
        'my novel begins: "I moved to Marseille and now I work for Renault."',
        "do I live in Vienna or what?",
        "should I work for a bank?",
        "my cousin claims Deepak works at Nortal",
        "heard that Ingrid moved to Oslo",
        "according to Sam, Julia works at Meta now",
        "I think Marta lives in Ghent",
        "rumour has it that Ida joined Volvo",
        "Use spreadsheets for the invoices, it saves hours.",
        "Go to Yale, you won't regret it!",
        "Enjoy hot chocolate by the fire, you earned it",
    ],
)
def test_what_is_not_stated_makes_no_fact(text: str) -> None:
    assert held(text) == set()
    assert read(text)


@pytest.mark.parametrize(
    ("text", "planned"),
    [
        ("thinking about doing the Camino next spring", "Camino"),
        ("I've booked a flight to Reykjavik for June", "Reykjavik"),
        ("Yiannis is moving to Nicosia in April", "Nicosia"),
    ],
)
def test_a_plan_is_told_as_a_plan(text: str, planned: str) -> None:
    claims = [claim for one in read(text) for claim in one.claims]
    assert [(claim.relation, claim.object) for claim in claims] == [("PLANNED", planned)]


@pytest.mark.parametrize(
    "text", ["I think Marta might be in Ghent", "Sam says the shop is closing", "maybe it's Friday"]
)
def test_what_is_doubted_or_told_by_others_is_less_sure(text: str) -> None:
    assert all(one.confidence < 0.6 for one in read(text))


def test_what_is_certain_is_less_so_only_by_the_share_that_is_guessed() -> None:
    (one,) = read("I finished the report on the bridge. I think they liked it.")
    assert one.confidence == 0.75
    (one,) = read("I finished the report on the bridge.")
    assert one.confidence == 1.0


@pytest.mark.parametrize(
    ("text", "ended"),
    [
        ("I don't work at Aldi anymore", ("User", "WORKS_FOR", "Aldi")),
        ("I'm no longer with Accenture", ("User", "WORKS_FOR", "Accenture")),
        ("we no longer use Jenkins", ("User", "USES", "Jenkins")),
        ("I'm not vegan anymore", ("User", "FOLLOWS_DIET", "vegan")),
        ("I don't live in Berlin anymore", ("User", "LIVES_IN", "Berlin")),
        ("our dog Rex passed away", ("User", "OWNS", "Rex")),
        ("sold the cello", ("User", "OWNS", "cello")),
        ("cancelled Netflix", ("User", "SUBSCRIBES_TO", "Netflix")),
        ("Odette and I broke up", ("Odette", "PARTNER_OF", "User")),
    ],
)
def test_what_is_over_is_told_as_ended(text: str, ended: tuple[str, str, str]) -> None:
    claims = [claim for one in read(text) for claim in one.claims if claim.stance is Stance.ENDS]
    assert (claims[0].subject, claims[0].relation, claims[0].object) == ended


def test_a_correction_names_the_value_that_was_wrong() -> None:
    (claim,) = [claim for one in read("my blood type is A negative, not A positive") for claim in one.claims]
    assert (claim.relation, claim.object, claim.instead_of) == ("HAS_BLOOD_TYPE", "A negative", "A positive")


@pytest.mark.parametrize("text", ["hey!", "thanks a lot", "lol", "ok cool"])
def test_small_talk_makes_no_memory_and_is_named(text: str) -> None:
    (extraction,) = Rules().extract([Heard(text=text, at=SAID)])
    assert not extraction.extracted
    assert extraction.passed_over


def test_small_talk_around_a_fact_is_cut_off_and_named() -> None:
    (extraction,) = Rules().extract([Heard(text="hey there! I moved to Ghent. thanks!", at=SAID)])
    assert extraction.extracted[0].content == "User moved to Ghent"
    assert [over.span for over in extraction.passed_over] == [(0, 10), (29, 36)]


def test_what_is_told_of_oneself_in_few_words_is_no_order() -> None:
    assert held("use Emacs these days") == {("User", "USES", "Emacs")}
