"""How much does a statement say?"""

from __future__ import annotations

import pytest

from treering.language.en.one_thing import says_one_thing, things_said


@pytest.mark.parametrize(
    ("text", "things"),
    [
        ("The choir meets in the old cinema", 1),
        ("User: The choir meets in the old cinema", 1),
        ("Ines works at Adyen and lives in Rome", 2),
        ("Our cat turned nine, had a herring to itself", 2),
        ("User: port 8080, owner Samir; logs kept a year", 3),
    ],
)
def test_joined_and_listed_things_are_counted_and_who_speaks_is_not(text: str, things: int) -> None:
    assert things_said(text) == things


def test_a_statement_of_many_words_says_more_than_one_thing() -> None:
    text = "The choir of the lower village meets on most Tuesdays in the old cinema behind the mill"
    assert things_said(text) == 2
    assert not says_one_thing(text)
    assert says_one_thing("The choir meets in the old cinema")
