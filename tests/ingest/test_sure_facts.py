"""How sure the reader is of a fact that it sees: told as certain, as a guess, or not at all."""

from __future__ import annotations

import pytest
from tests.ingest.seen import (
    ALWAYS,
    AT,
    NEVER,
    TEXT,
    Sees,
    as_likely,
    claims,
    contents,
    found,
    kept,
    read_by,
    read_with,
)

import treering
from treering.ingest.extract import learned_facts
from treering.ingest.extract.contract import Heard
from treering.ingest.extract.learned_facts import LEAST, MOST, SURE, WORTH, LikelyClaim
from treering.ingest.extract.reader import SeenTurn
from treering.ingest.relate import decided
from treering.mind import judges
from treering.mind.reading import FactMood, Place

# how surely


@pytest.mark.parametrize(
    ("share", "confidence"),
    [
        (LEAST - 0.01, None),
        (LEAST, MOST * LEAST),
        (SURE - 0.01, MOST * (SURE - 0.01)),
        (SURE, SURE),
        (0.97, 0.97),
    ],
)
def test_a_claim_is_sure_a_guess_or_none_by_how_likely_it_is(
    monkeypatch: pytest.MonkeyPatch, share: float, confidence: float | None
) -> None:
    as_likely(monkeypatch, share)
    told = [one.confidence for one in claims(read_with(kept()))]
    assert told == ([] if confidence is None else [pytest.approx(confidence, abs=0.001)])
    assert all((one > MOST) == (share >= SURE) for one in told)


@pytest.mark.parametrize(
    ("listed", "mood", "is_fact"),
    [
        (WORTH - 0.01, FactMood.SO, False),
        (WORTH, FactMood.SO, True),
        (WORTH - 0.01, FactMood.ENDED, True),
    ],
    ids=["would not be listed", "would be listed", "ends what was"],
)
def test_what_nobody_would_list_is_told_by_its_statement_alone(
    monkeypatch: pytest.MonkeyPatch, listed: float, mood: FactMood, is_fact: bool
) -> None:
    monkeypatch.setattr(learned_facts, "likely_right", lambda _: 0.99)
    monkeypatch.setattr(learned_facts, "likely_listed", lambda _: listed)
    told = read_with(kept(mood=mood))
    assert contents(told) != []
    assert bool(claims(told)) == is_fact


def test_a_guess_ends_nothing_and_what_is_sure_does() -> None:
    assert MOST < decided.SURE <= SURE


@pytest.mark.parametrize(("share", "ended"), [(SURE - 0.01, False), (SURE, True)])
def test_what_was_known_ends_by_what_is_sure_and_by_no_guess(
    monkeypatch: pytest.MonkeyPatch, share: float, ended: bool
) -> None:
    known, said = "I work for Brightwater", "first week at Corvane done"
    with treering.open(":memory:", embedder="none", judge="none", extractor="reader") as mem:
        for text, value, likely, month in ((known, "Brightwater", 0.99, 1), (said, "Corvane", share, 6)):
            reader = Sees(facts=[found(text, value, relation="WORKS_FOR")])
            monkeypatch.setattr(judges, "open_reader", lambda reader=reader: reader)
            as_likely(monkeypatch, likely)
            mem.remember(text, at=AT.replace(month=month))
        assert {one.object for one in mem.facts(subject="User")} == (
            {"Corvane"} if ended else {"Brightwater", "Corvane"}
        )
        assert mem.contradictions() == []


@pytest.mark.parametrize(
    ("text", "of", "sure"),
    [
        ("we live in Oslo", None, False),
        ("Our home is in Oslo", None, False),
        ("we're based in Oslo", None, False),
        ("we\u2019re based in Oslo", None, False),
        ("I live in Oslo", None, True),
        ("we moved, and I live in Oslo", None, True),
        ("We packed for days. I live in Oslo.", None, True),
        ("I like Oslo. We live in Oslo.", None, False),
        ("moved to the US, living in Oslo", None, True),
        ("our neighbour Ilse lives in Oslo", "Ilse", True),
    ],
)
def test_what_we_do_is_not_surely_said_of_who_speaks(
    likely: pytest.MonkeyPatch, text: str, of: str | None, sure: bool
) -> None:
    at = text.rindex("Oslo")
    told = read_with(found(text, "Oslo", of, value=(at, at + 4), relation="LIVES_IN"), text=text)
    assert [one.confidence > MOST for one in claims(told)] == [sure]


@pytest.mark.parametrize(("text", "sure"), [("moved to Oslo", False), ("my flat is in Oslo", True)])
def test_what_is_said_of_nothing_that_is_named_is_a_guess_unless_somebody_says_i(
    likely: pytest.MonkeyPatch, text: str, sure: bool
) -> None:
    told = read_with(found(text, "Oslo", place=Place.NOWHERE, relation="LIVES_IN"), text=text)
    assert [one.confidence > MOST for one in claims(told)] == [sure]
    told = read_with(found(text, "Oslo", relation="LIVES_IN"), text=text)
    assert [one.confidence > MOST for one in claims(told)] == [True]


@pytest.mark.parametrize(
    ("text", "mood", "sure"),
    [
        ("I left Nokia", FactMood.ENDED, True),
        ("I left Nokia yesterday", FactMood.ENDED, True),
        ("I left Nokia at 6 pm", FactMood.ENDED, False),
        ("I don't go to Nokia", FactMood.DENIED, True),
        ("I don't go to Nokia since Monday", FactMood.DENIED, True),
        ("I didn't go to Nokia yesterday", FactMood.DENIED, False),
        ("I don't go to Nokia on weekends", FactMood.DENIED, False),
        ("I go to Nokia at 6 pm", FactMood.SO, True),
        ("I don't go to Nokia. On weekends I sleep.", FactMood.DENIED, True),
    ],
)
def test_what_is_left_at_an_hour_or_denied_of_a_day_is_not_surely_over(
    likely: pytest.MonkeyPatch, text: str, mood: FactMood, sure: bool
) -> None:
    told = read_with(found(text, "Nokia", relation="WORKS_FOR", mood=mood), text=text)
    assert [one.confidence > MOST for one in claims(told)] == [sure]


def likelihoods(text: str, reader: Sees) -> list[LikelyClaim]:
    return SeenTurn.of(Heard(text=text, at=AT), reader).facts.claims


def test_what_the_words_bear_out_is_likelier_than_what_they_do_not() -> None:
    def likely(belief: float) -> list[float]:
        return [one.likely for one in likelihoods(TEXT, Sees(facts=[kept()], beliefs={"Ilse": belief}))]

    assert likely(2.0) > likely(0.0)
    assert likely(NEVER) == []
    assert likely(ALWAYS) == [pytest.approx(1, abs=0.001)]


def test_what_both_readings_see_is_told_once_with_what_it_takes_the_place_of() -> None:
    text = "I switched from Kate to Zed"
    parts = {name: (text.index(word), text.index(word) + len(word)) for name, word in (("v", "Zed"), ("old", "Kate"))}
    reader = Sees([(text, {"relation": "USES", "parts": parts})], {}, [found(text, "Zed", mood=FactMood.BECAME)])
    assert [(one.object, one.instead_of) for one in claims(read_by(reader, text))] == [("Zed", "Kate")]


def test_what_only_the_coarser_reading_sees_is_meant_as_it_sees_it(likely: pytest.MonkeyPatch) -> None:
    text = "I moved to Oslo"
    piece = (text, {"relation": "LIVES_IN", "mood": FactMood.BECAME, "parts": {"v": (11, 15)}})
    assert [(one.claim.object, one.mood) for one in likelihoods(text, Sees([piece]))] == [("Oslo", FactMood.BECAME)]


# a relation that what ends and what takes its place share


@pytest.mark.parametrize(
    ("of_old", "of_new", "seen", "relation"),
    [
        (ALWAYS, 0.0, "MEMBER_OF", "WORKS_FOR"),
        (0.0, ALWAYS, "MEMBER_OF", "MEMBER_OF"),
        (ALWAYS, 0.0, "LIVES_IN", "LIVES_IN"),
        (ALWAYS, 0.0, "KEPT_BY", "KEPT_BY"),
    ],
    ids=["old likelier", "new likelier", "a value of another kind", "no row in the table"],
)
def test_what_takes_the_place_of_another_has_the_relation_of_the_likelier_claim_of_its_kind(
    of_old: float, of_new: float, seen: str, relation: str
) -> None:
    text = "I left Nokia to join Siemens"
    parts = {"v": (text.index("Siemens"), len(text)), "old": (7, 12)}
    reader = Sees(
        [(text, {"relation": seen, "mood": FactMood.BECAME, "parts": parts})],
        facts=[
            found(text, "Nokia", relation="WORKS_FOR", mood=FactMood.ENDED),
            found(text, "Siemens", relation=seen, mood=FactMood.BECAME),
        ],
        beliefs={"Nokia": of_old, "Siemens": of_new},
    )
    made = {one.claim.object: one.claim.relation for one in likelihoods(text, reader)}
    assert made == {"Nokia": "WORKS_FOR", "Siemens": relation}
