"""A statement is told as it was said; what explains it stands beside its words."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from tests.ingest.seen import AT, Sees, contents, named, read_by, seen, wholes

from treering.ingest.extract.contract import Turn
from treering.ingest.extract.importance import MINOR, MODERATE
from treering.ingest.extract.reader import EVERYDAY, JUST_BEFORE, WORTH
from treering.mind.reading import FactMood

ILSE = {"Ilse": "person"}


def test_no_word_of_it_is_changed() -> None:
    text = "we've put `deploy.sh --now` on 10.0.4.7, she'd say it isn't Ilse's"
    assert contents(seen(text, names=ILSE)) == [f"User: {text}"]
    assert contents(seen(text, names=ILSE, speaker="Ravi")) == [f"Ravi: {text}"]


def test_whom_a_pronoun_means_stands_behind_it_where_one_was_named() -> None:
    lines = "Ilse runs the ferry\nshe sold her boat to Ravi"
    told = seen(lines, names=ILSE)
    assert contents(told)[1] == "User: she [Ilse] sold her boat to Ravi"
    assert named(told.extracted[1]) == {"Ilse": "person", "Ravi": None}


@pytest.mark.parametrize(
    "before", ["Ilse and Odile run the ferry", "somebody runs the ferry"], ids=["two are meant", "nobody was named"]
)
def test_a_pronoun_stays_alone_where_two_may_be_meant_or_nobody(before: str) -> None:
    told = seen(f"{before}\nshe sold her boat to Ravi", names={**ILSE, "Odile": "person"})
    assert contents(told)[1] == "User: she sold her boat to Ravi"


@pytest.mark.parametrize(("ago", "who"), [(timedelta(minutes=1), " [Ilse]"), (JUST_BEFORE * 2, "")])
def test_somebody_named_in_the_turn_just_before_is_meant(ago: timedelta, who: str) -> None:
    before = (Turn(None, "Ilse runs the ferry", AT - ago),)
    told = read_by(Sees(names=ILSE), "she sold her boat", before=before)
    assert contents(told) == [f"User: she{who} sold her boat"]


def test_a_place_stands_behind_there_and_not_behind_there_is() -> None:
    place = {"Bergen": "place"}
    told = seen("Ravi works in Bergen\nthe rain there never ends", names=place)
    assert contents(told)[1] == "User: the rain there [Bergen] never ends"
    assert contents(seen("Ravi works in Bergen\nthere is a lot of rain", names=place))[1].endswith(
        "there is a lot of rain"
    )


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ("the boat was sold yesterday", "the boat was sold yesterday (2026-03-01)"),
        ("the boat was sold last May", "the boat was sold last May (May 2025)"),
        ("the boat was sold on 3 May 2025", "the boat was sold on 3 May 2025"),
        ("the boat is sold now", "the boat is sold now"),
        ("the boat leaves every Friday", "the boat leaves every Friday"),
    ],
)
def test_a_day_stands_behind_the_words_that_lean_on_the_day_they_were_said(said: str, told: str) -> None:
    assert contents(seen(said)) == [f"User: {told}"]


@pytest.mark.parametrize(
    ("said", "day"),
    [
        ("the surgery is on the 21st", datetime(2026, 3, 21, tzinfo=UTC)),
        ("the parcel came on the 21st", datetime(2026, 2, 21, tzinfo=UTC)),
        ("shopping for Saturday's paella", datetime(2026, 3, 7, tzinfo=UTC)),
        ("we leave in January", datetime(2027, 1, 1, tzinfo=UTC)),
        ("we left in January", datetime(2026, 1, 1, tzinfo=UTC)),
        ("I usually get up at 6am", None),
    ],
)
def test_a_day_without_its_year_is_to_come_unless_it_is_told_in_the_past(said: str, day: datetime | None) -> None:
    assert seen(said).extracted[0].event_time == day


def test_what_is_asked_is_kept_as_a_question_and_states_nothing() -> None:
    [one] = seen("do you sell boats in May?").extracted
    assert one.content == "User asked: do you sell boats in May (May 2026)?"
    assert one.event_time is None
    assert one.importance == MINOR


@pytest.mark.parametrize(
    ("more", "importance"),
    [
        ({"worth": WORTH, "importance": EVERYDAY}, MODERATE),
        ({"worth": WORTH - 0.01, "importance": EVERYDAY}, MINOR),
        ({"worth": WORTH, "importance": EVERYDAY - 0.01}, MINOR),
    ],
)
def test_what_hardly_says_anything_or_is_everyday_is_of_little_weight(
    more: dict[str, float], importance: float
) -> None:
    assert [one.importance for one in seen("the gate squeaks", [("the gate squeaks", more)]).extracted] == [importance]


@pytest.mark.parametrize(
    ("mood", "confidence"),
    [(FactMood.SO, 1.0), (FactMood.HEARSAY, 0.5), (FactMood.JOKE, 0.5), (FactMood.HYPOTHETICAL, 0.5)],
)
def test_what_is_hearsay_or_supposed_is_half_believed(mood: FactMood, confidence: float) -> None:
    assert [one.confidence for one in seen("the gate squeaks", [("the gate squeaks", {"mood": mood})]).extracted] == [
        confidence
    ]


@pytest.mark.parametrize(("second", "expires"), [(0.9, False), (0.1, True)])
def test_what_lasts_does_not_expire_with_what_passes(second: float, expires: bool) -> None:
    text = "dentist tomorrow at 10am, the cello needs strings"
    cut = text.index("the")
    [one] = wholes(seen(text, [(text[:cut], {"lasts": 0.1}), (text[cut:], {"lasts": second})]))
    assert (one.expires_at is not None) == expires
