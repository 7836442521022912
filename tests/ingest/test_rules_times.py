"""What a user finds remembered of when: what expires, begins, ends and was put off."""

from __future__ import annotations

from datetime import datetime

import pytest
from tests.ingest.rules_read import contents, day, read


@pytest.mark.parametrize(
    ("text", "expires"),
    [
        ("dentist at 3pm today", day(2026, 2, 11)),
        ("I'm on leave until Friday", day(2026, 2, 14)),
        ("the pool is closed until the end of this month", day(2026, 3, 1)),
        ("I'm staying at my brother's place in Cork for two weeks", day(2026, 2, 25)),
        ("I am stuck in a meeting till about five, sorry", day(2026, 2, 11)),
        ("I live in Ghent", None),
        ("I bought a bike today", None),
        ("Lock the shed at 21:15 on Sundays, house rule", None),
        ("5am. The twins are up every hour", None),
        ("Scan today, and Rosa is having twins", None),
        ("The lease on the garage starts tomorrow", None),
        ("Ines moved the deploy job to Jenkins this morning", None),
    ],
)
def test_what_is_only_worth_knowing_shortly_expires(text: str, expires: datetime | None) -> None:
    assert read(text)[0].expires_at == expires


AWAY = ("User", "I'm on vacation until the 20th")


@pytest.mark.parametrize(
    ("before", "text", "expires"),
    [
        (AWAY, "have fun, I'll water the plants until you're back", day(2026, 2, 21)),
        (AWAY, "I'll feed the cat while you're away", day(2026, 2, 21)),
        (("User", "Marit is on leave until March 3"), "I'm handling invoices until she's back", day(2026, 3, 4)),
        (("User", "Sana is abroad till Friday"), "taking over the newsletter till Sana returns", day(2026, 2, 14)),
        (("User", "I'm on vacation soon"), "I'll water the plants until you're back", None),
        (("User", "I might be away until Friday"), "I've got the keys until you're back", None),
        (("User", "I was on vacation until Friday"), "I have the keys until you're back", None),
        (("User", "the bakery is closed until the 20th"), "I'll drive the shuttle until you're back", None),
        (("User", "Sana is abroad till Friday"), "I'll drive the shuttle until Hanne's back", None),
        (AWAY, "I water the plants every Monday", None),
        (AWAY, "fed the cat while you're away", None),
    ],
)
def test_who_stands_in_until_somebody_is_back_does_so_until_the_day_that_was_told(
    before: tuple[str, str], text: str, expires: datetime | None
) -> None:
    assert [one.expires_at for one in read(text, before, speaker="Odd")][-1:] == [expires]


def test_what_is_so_until_somebody_is_back_is_a_claim_until_then() -> None:
    (claim,) = [c for one in read("I'm the team lead until you're back", AWAY, speaker="Odd") for c in one.claims]
    assert (claim.subject, claim.relation, claim.valid_until) == ("Odd", "HAS_ROLE", day(2026, 2, 21))


def test_what_begins_in_the_future_is_a_claim_from_then_on() -> None:
    (claim,) = [c for one in read("Starting April 1st I'll be working for Arup") for c in one.claims]
    assert (claim.relation, claim.valid_from) == ("WORKS_FOR", day(2026, 4, 1))


def test_a_past_stay_has_both_ends() -> None:
    (claim,) = [c for one in read("I lived in Split from 2011 to 2013") for c in one.claims]
    assert (claim.valid_from, claim.valid_until) == (day(2011, 1, 1), day(2014, 1, 1))


@pytest.mark.parametrize(
    ("text", "date"),
    [
        ("The release slipped to April 9.", "2026-04-09"),
        ("Deadline extended to March 30", "2026-03-30"),
        ("Bridge closed through April 15", "2026-04-15"),
        ("The fair was postponed until May 2", "2026-05-02"),
        ("The bridge was closed through April 15", "2025-04-15"),
        ("I moved to Ghent on April 9", "2025-04-09"),
    ],
)
def test_what_was_put_off_or_closed_to_a_day_is_so_until_the_coming_one(text: str, date: str) -> None:
    assert f"({date})" in contents(text)[0]
