"""A denial ends what it denies, and no more than that: what was not so one day is so on others."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from treering.ingest.extract.contract import Heard
from treering.ingest.extract.rules import RulesExtractor

SAID = datetime(2026, 2, 10, 9, tzinfo=UTC)


def facts(text: str) -> set[str]:
    (extraction,) = RulesExtractor().extract([Heard(text=text, at=SAID)])
    assert extraction.extracted
    return {
        f"{claim.subject} {claim.relation} {claim.object} {claim.stance}"
        for one in extraction.extracted
        for claim in one.claims
    }


@pytest.mark.parametrize(
    "text",
    [
        "I didn't take metformin yesterday.",
        "I haven't used Figma today.",
        "I didn't work at Nokia this week",
        "Tom didn't go to the gym on Tuesday",
        "I'm not working at Volvo next week",
    ],
)
def test_what_was_not_so_one_day_ends_nothing(text: str) -> None:
    assert facts(text) == set()


@pytest.mark.parametrize(
    "text",
    [
        "I don't use Teams on weekends.",
        "I don't use Trello for groceries.",
        "We don't use Zoom with clients",
        "I don't take aspirin at night",
        "I don't live in northern Italy",
        "I don't live in downtown Porto anymore",
        "I don't always use Figma",
        "I never use Slack on Sundays",
        "I don't like coffee in the evening",
        "I don't speak French very well",
        "I'm not in Porto right now",
    ],
)
def test_what_is_denied_in_part_ends_nothing(text: str) -> None:
    assert facts(text) == set()


@pytest.mark.parametrize(
    "text", ["I can't use Figma.", "I wouldn't work at Nokia", "I couldn't live in Porto", "I don't work at Volvo yet"]
)
def test_what_cannot_or_would_not_be_ends_nothing(text: str) -> None:
    assert facts(text) == set()


def test_leaving_at_an_hour_is_no_end_of_a_job() -> None:
    assert facts("I left Nokia at 5:30 pm yesterday") == set()
    assert facts("I left Nokia yesterday") == {"User WORKS_FOR Nokia ends"}


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("I don't live in Porto.", "User LIVES_IN Porto ends"),
        ("I don't use Teams now", "User USES Teams ends"),
        ("I'm not at Volvo as of January", "User WORKS_FOR Volvo ends"),
        ("I no longer take metformin", "User TAKES metformin ends"),
        ("I don't use Jira for tickets anymore", "User USES Jira ends"),
        ("I haven't lived in Riga since 2020", "User LIVES_IN Riga ends"),
        ("Tom isn't vegan", "Tom FOLLOWS_DIET vegan ends"),
        ("I never lived in Riga", "User LIVES_IN Riga never"),
        ("I don't like coffee", "User DISLIKES coffee holds"),
    ],
)
def test_a_plain_denial_ends_what_it_denies(text: str, found: str) -> None:
    assert facts(text) == {found}
