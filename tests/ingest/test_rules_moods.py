"""What is planned, supposed, joked, quoted, asked or told by others is remembered, but makes no fact."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from treering.ingest.extract.contract import Extracted, Heard, Stance
from treering.ingest.extract.rules import RulesExtractor

SAID = datetime(2026, 2, 10, 9, tzinfo=UTC)


def read(text: str) -> tuple[Extracted, ...]:
    (extraction,) = RulesExtractor().extract([Heard(text=text, at=SAID)])
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
        "I almost left Volvo in 2019",
        "My brother nearly took a job at Nokia and moved to Oslo",
        "Let's say Ida works at Nokia and Bo works at Volvo.",
        "In my screenplay, Ida lives in Paris and works for Nokia",
        "For example, Ida lives in Ghent",
        "Hypothetically, Ida works at Nokia",
        "Nobody in my family lives in Ghent",
        "Everyone on the team uses Slack",
        "I dreamed that I lived in Rome and worked for NASA",
        "Last night I had a dream that Ida joined Nokia",
        "I think Ida lives in Ghent and works at Nokia",
        "I heard Ida moved to Ghent and Bo joined Volvo",
        "according to Sam, Julia works at Meta and lives in Rome",
    ],
)
def test_what_is_not_stated_makes_no_fact(text: str) -> None:
    assert held(text) == set()
    assert read(text)


@pytest.mark.parametrize(
    ("text", "fact"),
    [
        ("I've lived in Ghent for almost ten years", ("User", "LIVES_IN", "Ghent")),
        ("I dreamed of Rome, but I live in Ghent", ("User", "LIVES_IN", "Ghent")),
        ("My novel is set in Rome, and I live in Ghent", ("User", "LIVES_IN", "Ghent")),
        ("In the film industry, Ida works at Pixar", ("Ida", "WORKS_FOR", "Pixar")),
        ("I think Ida lives in Rome, and I live in Ghent", ("User", "LIVES_IN", "Ghent")),
        ("I'm joining Volvo next month", ("User", "WORKS_FOR", "Volvo")),
    ],
)
def test_what_is_stated_beside_it_is_a_fact(text: str, fact: tuple[str, str, str]) -> None:
    assert held(text) == {fact}


@pytest.mark.parametrize(
    "text",
    [
        "Let's say Ida works at Nokia and Bo works at Volvo",
        "I heard Ida moved to Ghent and Bo joined Volvo",
        "I dreamed that I lived in Rome and worked for NASA",
    ],
)
def test_what_is_made_up_or_hearsay_stays_with_the_words_that_say_so(text: str) -> None:
    (one,) = read(text)
    assert one.content.endswith(("Volvo", "NASA"))


@pytest.mark.parametrize(
    ("text", "planned"),
    [
        ("I will join Volvo", "Volvo"),
        ("I'm joining Volvo when my visa comes through", "Volvo"),
        ("I'll be working at Nokia soon", "Nokia"),
        ("thinking about doing the Camino next spring", "Camino"),
        ("I've booked a flight to Reykjavik for June", "Reykjavik"),
        ("Yiannis is moving to Nicosia in April", "Nicosia"),
    ],
)
def test_a_plan_is_told_as_a_plan(text: str, planned: str) -> None:
    claims = [claim for one in read(text) for claim in one.claims]
    assert [(claim.relation, claim.object) for claim in claims] == [("PLANNED", planned)]


@pytest.mark.parametrize(
    "text",
    [
        "I never want to go to Vegas",
        "I was about to join Volvo",
        "Tom isn't moving to Rome until June",
        "I don't want to visit Texas",
        "Tom doesn't want to visit Texas",
    ],
)
def test_what_is_not_planned_is_no_plan(text: str) -> None:
    (one,) = read(text)
    assert one.claims == ()
    assert "asked" not in one.content


def test_a_plan_that_is_off_ends() -> None:
    for text in (
        "We're not moving to Porto after all",
        "I'm no longer going to Porto",
        "I'm not going to Porto in May",
    ):
        (claim,) = read(text)[0].claims
        assert (claim.relation, claim.object, claim.stance) == ("PLANNED", "Porto", Stance.ENDS)


def test_a_plan_told_by_another_is_of_whom_it_is_told() -> None:
    (claim,) = read("Emma told me that her brother Nick is moving to Chicago")[0].claims
    assert (claim.subject, claim.object, claim.confidence) == ("Nick", "Chicago", 0.5)


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
    (extraction,) = RulesExtractor().extract([Heard(text=text, at=SAID)])
    assert not extraction.extracted
    assert extraction.passed_over


def test_small_talk_around_a_fact_is_cut_off_and_named() -> None:
    (extraction,) = RulesExtractor().extract([Heard(text="hey there! I moved to Ghent. thanks!", at=SAID)])
    assert extraction.extracted[0].content == "User moved to Ghent"
    assert [over.span for over in extraction.passed_over] == [(0, 10), (29, 36)]


def test_what_is_told_of_oneself_in_few_words_is_no_order() -> None:
    assert held("use Emacs these days") == {("User", "USES", "Emacs")}
