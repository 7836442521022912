"""What a clause is said of, and whose it is, by the look of its words."""

from __future__ import annotations

import pytest

from treering.language.subject import is_a_sentence, leaves_out_i, owners, said_of


@pytest.mark.parametrize(
    ("clause", "of"),
    [
        ("my gas bill is 60 euros", "my gas bill"),
        ("the launch party is on October 9", "the launch party"),
        ("parking went up to 80 a month", "parking"),
        ("frontend's all Svelte", "frontend"),
        ("Elif's brother works at a bank", "Elif's brother"),
        ("the doctor says once a day is enough", "once a day"),
        ("so he's chair", "he"),
        ("moved to Bergen", ""),
        ("officially changed my major to linguistics", ""),
        ("wearing grandpa's watch every day now", ""),
        ("a pug named Olle", ""),
    ],
)
def test_it_is_said_of_the_words_before_its_verb(clause: str, of: str) -> None:
    assert said_of(clause) == of


@pytest.mark.parametrize(
    ("clause", "owned"),
    [
        ("Pia's desk is next to the kitchen", [("Pia", "desk is next")]),
        ("the neighbours' rent went up", [("neighbour", "rent went up")]),
        ("it's raining", []),
        ("Jo's on wine", []),
        ("they moved the desk", []),
    ],
)
def test_who_owns_something_is_told_from_what_is_shortened(clause: str, owned: list[tuple[str, str]]) -> None:
    assert list(owners(clause)) == owned


def test_what_leaves_out_i_is_said_of_the_speaker() -> None:
    assert leaves_out_i("picked up the Skoda today")
    assert leaves_out_i("so moved to Bergen")
    assert not leaves_out_i("parking went up")
    assert not leaves_out_i("the Skoda is blue")


def test_a_name_behind_a_comma_is_no_sentence() -> None:
    assert is_a_sentence("we push a Yoyo")
    assert is_a_sentence("onto Zulip")
    assert not is_a_sentence("Sunna")
    assert not is_a_sentence("a pug named Olle")
