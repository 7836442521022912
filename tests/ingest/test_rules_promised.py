"""What the other systems promise of reading, on sentences that stand in none of their documents: times that recur, what
passes beside what stays, how much something matters, parts of products, and who is introduced by what they are."""

from __future__ import annotations

import re

import pytest
from tests.ingest.rules_read import SAID, contents, read

from treering.ingest.extract.contract import Heard
from treering.ingest.extract.rules import RulesExtractor
from treering.ingest.extract.wholes import as_it_stands

# times that recur


@pytest.mark.parametrize(
    "said",
    [
        "We have dinner at 7pm every day.",
        "My sister normally finishes work at 5pm.",
        "I typically go to bed around 11pm.",
        "Most days I run at 7:30.",
        "Every Tuesday I have choir at 7pm.",
        "I go swimming on Saturdays at 9am.",
        "I usually visit my parents in December.",
    ],
)
def test_what_happens_again_and_again_is_on_no_day(said: str) -> None:
    (one,) = read(said)
    assert (one.event_time, one.expires_at) == (None, None)
    assert not {"2025", "2026"} & set(re.findall(r"\d{4}", one.content))


@pytest.mark.parametrize(
    ("said", "when"),
    [
        ("I have to be up at 5am tomorrow.", "2026-02-11"),
        ("I usually skip breakfast, but today I had porridge at 8am.", "2026-02-10"),
        ("I always book in March, but on 3 May 2024 I flew to Rome.", "2024-05-03"),
        ("I've always lived here, since June 2019.", "2019-06-01"),
        ("The Greek course starts 22 Sept, Tuesdays.", "2026-09-22"),
        ("Sunday call, mostly about the shed roof.", "2026-02-15"),
    ],
)
def test_a_time_that_names_its_day_is_dated_whatever_recurs_beside_it(said: str, when: str) -> None:
    assert when in {f"{one.event_time:%Y-%m-%d}" for one in read(said) if one.event_time is not None}


def test_what_recurs_and_what_is_on_a_day_are_two_statements() -> None:
    assert len(read("Usually I get up at 6am, but tomorrow I have to be up at 5am.")) == 2


# what passes beside what stays


@pytest.mark.parametrize(
    ("said", "stays"),
    [
        ("I have a haircut tomorrow at 4pm. I collect stamps.", "stamps"),
        ("My sister paints. I've got a call with the bank at 3pm today.", "paints"),
        ("The plumber comes tomorrow at 8am. My dog sleeps on the sofa.", "dog"),
        ("Meeting the landlord today at 6pm. We grow tomatoes.", "tomatoes"),
    ],
)
def test_what_stays_does_not_expire_with_what_passes(said: str, stays: str) -> None:
    found = read(said)
    assert [one.expires_at for one in found if stays in one.content] == [None]
    assert [one.expires_at is None for one in found if stays not in one.content] == [False]


@pytest.mark.parametrize(
    "said",
    [
        "I have a call at 3pm today. It is about the budget.",
        "Gran lands at Gatwick tonight at 22:35. Someone has to be there with a wheelchair.",
        "The power goes off tonight at 10pm. The utility would not commit.",
    ],
)
def test_what_only_says_more_of_an_appointment_passes_with_it(said: str) -> None:
    (one,) = read(said)
    assert one.expires_at is not None


# what is only said to please


@pytest.mark.parametrize("said", ["Great choice!", "Got it. Happy to help!", "That's wonderful to hear!"])
def test_an_assistant_who_only_pleases_says_nothing(said: str) -> None:
    heard = Heard(text=said, at=SAID, speaker="assistant")
    for extraction in (*RulesExtractor().extract([heard]), as_it_stands(heard, "reader")):
        assert extraction.extracted == ()
        assert "".join(said[slice(*over.span)] for over in extraction.passed_over).replace(" ", "") == said.replace(
            " ", ""
        )


def test_an_assistant_who_also_says_something_is_kept_whole() -> None:
    assert contents("Great choice! Neovim starts in 40 ms.", speaker="assistant") == [
        "assistant: Great choice! Neovim starts in 40 ms."
    ]


# how much it matters


@pytest.mark.parametrize(
    ("said", "importance"),
    [
        ("I went for a walk in the rain.", 0.3),
        ("Did the laundry and the dishes this morning.", 0.3),
        ("I ate a sandwich for lunch.", 0.3),
        ("I watched TV.", 0.3),
        ("I had lunch with my sister.", 0.6),
        ("I broke my leg on a walk.", 0.6),
        ("I made a cake for my wedding.", 0.6),
        ("I had surgery.", 0.6),
        ("I had a baby.", 0.6),
        ("I stopped drinking coffee.", 0.6),
        ("I missed the bus and lost my wallet.", 0.6),
        ("I run every morning.", 0.6),
        ("I can have lunch sitting down.", 0.6),
        ("My new neighbour is called Gulnara.", 0.6),
        ("My sourdough starter is called Clint.", 0.6),
        ("Call me Ulla.", 0.9),
        ("I'm allergic to penicillin.", 0.9),
        ("We live in Ghent.", 0.9),
    ],
)
def test_what_anybody_does_any_day_is_minor_and_who_one_is_defining(said: str, importance: float) -> None:
    assert {one.importance for one in read(said)} == {importance}


# what is no thing, what has parts, and who is introduced by what they are


@pytest.mark.parametrize(
    "said", ["The train was early this morning.", "The meeting was late yesterday.", "The mail was late last week."]
)
def test_how_punctual_something_was_is_no_value_of_it(said: str) -> None:
    assert [one.claims for one in read(said)] == [()]


@pytest.mark.parametrize(
    ("said", "part", "whole"),
    [
        ("VS Code has an extension named GitLens.", "GitLens", "VS Code"),
        ("Our Jenkins has a plugin called Blue Ocean.", "Blue Ocean", "Jenkins"),
    ],
)
def test_a_named_extension_is_part_of_its_product(said: str, part: str, whole: str) -> None:
    assert (part, "PART_OF", whole) in _facts(said)


@pytest.mark.parametrize("said", ["Lena has a plugin called Blue Ocean.", "My brother has a package for Emacs."])
def test_what_somebody_has_is_no_part_of_them(said: str) -> None:
    assert "PART_OF" not in {relation for _, relation, _ in _facts(said)}


def test_who_is_introduced_by_what_they_are_is_spoken_of() -> None:
    said = "Greta, now a nurse at Siemens; she loves sailing."
    assert {("Greta", "WORKS_FOR", "Siemens"), ("Greta", "HAS_ROLE", "nurse"), ("Greta", "LIKES", "sailing")} <= _facts(
        said
    )
    assert len(read(said)) > 1


def test_who_is_only_addressed_works_nowhere() -> None:
    assert "Greta" not in {subject for subject, relation, _ in _facts("Greta, my boss at Siemens is ill.")}


def _facts(said: str) -> set[tuple[str, str, str]]:
    return {(claim.subject, claim.relation, claim.object) for one in read(said) for claim in one.claims}
