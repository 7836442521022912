"""Which March is "March"? The sentence's tense decides, seen from Wednesday 15 May 2024."""

from __future__ import annotations

import pytest

from treering.language.when import when

NOW = "2024-05-15T10:00:00Z"

DIRECTIONS = [
    ("I went on Friday", "2024-05-10"),
    ("I'll go on Friday", "2024-05-17"),
    ("I am meeting Sam on Friday", "2024-05-17"),
    ("Are you free on Friday?", "2024-05-17"),
    ("Let's meet on Friday", "2024-05-17"),
    ("Please book a table for Friday", "2024-05-17"),
    ("We're flying on Friday", "2024-05-17"),
    ("She won't come on Friday", "2024-05-17"),
    ("They have met on Friday", "2024-05-10"),
    ("Notes from Friday", "2024-05-10"),
    ("Friday", "2024-05-17"),
    ("on Friday", "2024-05-17"),
    ("What did I do in March?", "2024-03-01"),
    ("What did I do in July?", "2023-07-01"),
    ("What will I do in July?", "2024-07-01"),
    ("She is moving to Berlin in September", "2024-09-01"),
    ("She moved to Berlin in September", "2023-09-01"),
    ("Sales in September", "2023-09-01"),
    ("September", "2024-09-01"),
    ("I was born on June 3", "2023-06-03"),
    ("My appointment is on June 3", "2024-06-03"),
    ("The lease expires on June 3", "2024-06-03"),
    ("I met her on Wednesday", "2024-05-08"),
    ("I will meet her on Wednesday", "2024-05-15"),
    ("I got it for Christmas", "2023-12-25"),
    ("I'm going to get it for Christmas", "2024-12-25"),
    ("Who came last May?", "2023-05-01"),
    ("Who will come next May?", "2025-05-01"),
    ("Who came this March?", "2024-03-01"),
    ("I planned the trip, then I'll go on Friday", "2024-05-17"),
]
FINITE = [
    ("I finished the book at the end of April", "2024-04-21"),
    ("I bought a book at the end of April", "2024-04-21"),
    ("I finished my very first book in November", "2023-11-01"),
    ("I raked the leaves in October", "2023-10-01"),
    ("We put the meeting on hold in March", "2024-03-01"),
    ("We set the date in July", "2023-07-01"),
    ("I took the bike out and put it back in October", "2023-10-01"),
    ("Did we meet in July?", "2023-07-01"),
    ("Did you book it for July?", "2023-07-01"),
    ("We had to buy a fridge in July", "2023-07-01"),
    ("Should we put it on hold in July?", "2024-07-01"),
    ("Get the keys and put them back in July", "2024-07-01"),
    ("We meet in September", "2024-09-01"),
    ("They book a table for July", "2024-07-01"),
    ("The girls book a table for July", "2024-07-01"),
    ("Can you book it in July?", "2024-07-01"),
    ("The train leaves in July", "2024-07-01"),
    ("Set the date for July", "2024-07-01"),
]
"""Words that could be nouns, forms that are their own past, and infinitives: the finite verb wins."""


@pytest.mark.parametrize(("sentence", "start"), DIRECTIONS + FINITE)
def test_direction(sentence: str, start: str) -> None:
    windows = when(sentence, NOW)
    assert [str(window.start)[:10] for window in windows] == [start]


def test_a_date_with_its_weekday_is_one_on_which_they_agree() -> None:
    (window,) = when("Sat, Aug 23", NOW)
    assert str(window.start)[:10] == "2025-08-23"


def test_a_weekday_that_is_wrong_beside_a_full_date_is_passed_over() -> None:
    (window,) = when("Monday, 9 April 2014", NOW)
    assert str(window.start)[:10] == "2014-04-09"


def test_in_three_days_is_a_time_ahead_but_a_length_behind() -> None:
    assert when("I will paint it in three days", NOW)
    assert not when("I painted it in three days", NOW)


def test_a_contraction_is_not_taken_for_the_word_it_looks_like() -> None:
    (ahead,) = when("We're there on Friday", NOW)
    (back,) = when("We were there on Friday", NOW)
    assert (str(ahead.start)[:10], str(back.start)[:10]) == ("2024-05-17", "2024-05-10")
