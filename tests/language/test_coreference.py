"""Whom a pronoun means, within a text and across the turns before it."""

from __future__ import annotations

import pytest

from treering.language.coreference import Meant, SpokenTurn, meant
from treering.language.english import read
from treering.language.mentions import mentions
from treering.language.names import names_in


def said(text: str) -> SpokenTurn:
    doc = read(text)
    names = names_in(doc)
    return SpokenTurn(doc, names, mentions(doc, names))


def resolved(text: str, *before: str) -> dict[str, str]:
    found = meant(said(text), [said(turn) for turn in before])
    return {text[start:end]: means.text for (start, end), means in found.items()}


@pytest.mark.parametrize(
    ("text", "means"),
    [
        ("Ran into Solveig today, she is a vet now", {"she": "Solveig"}),
        ("My husband Tancred lost his keys", {"his": "Tancred"}),
        ("my sister says she is fine", {"she": "my sister"}),
        ("Anselm and Britta sold their boat", {"their": "Anselm and Britta"}),
        ("Britta and Anselm fight, he shouts and she cries", {"he": "Anselm", "she": "Britta"}),
        ("I can't stand Jenkins, it breaks daily", {"it": "Jenkins"}),
        ("we lived in Bergamo and I taught there", {"there": "Bergamo"}),
    ],
)
def test_a_pronoun_means_the_nearest_that_fits(text: str, means: dict[str, str]) -> None:
    assert resolved(text) == means


def test_the_turns_before_are_looked_at_nearest_first() -> None:
    assert resolved("she starts in May", "Ingrid got the job", "what job?", "at the harbour") == {"she": "Ingrid"}
    assert resolved("he is the calm one", "Gaspard and Odile are both coming") == {"he": "Gaspard"}


def test_a_name_is_given_to_whoever_was_described() -> None:
    found = resolved("Her name is Zuzanna and she paints", "I met Piotr's girlfriend yesterday")
    assert found == {"Her": "Piotr's girlfriend", "she": "Zuzanna"}


def test_what_was_counted_up_can_be_pointed_at() -> None:
    before = "We saw two boats, one in the old harbour and one near the lock"
    assert resolved("the second one, no doubt", before) == {"the second one": "the boat near the lock"}
    assert resolved("I'd take the first one", "Should we use Litestar or Django?") == {"the first one": "Litestar"}


def test_one_is_the_thing_that_was_talked_about() -> None:
    assert resolved("I flew on one to Malta", "How big is the A320?") == {"one": "A320"}


@pytest.mark.parametrize(
    ("text", "before"),
    [
        ("she called", "Britta met Solveig"),  # either of two
        ("he is late", "Solveig is here"),  # nobody fits
        ("they called her Fenja", ""),  # she gets her name only now
        ("it's raining in the north", "we use Jenkins"),  # weather
        ("there is a problem", "we went to Bergamo"),
        ("thanks for being there for me", "we went to Bergamo"),
        ("his name is Otis", "my cat Biscuit is fat"),  # another one
        ("she is so sweet", "Thanks, Britta!"),  # spoken to, not spoken of
    ],
)
def test_in_doubt_nothing_is_said(text: str, before: str) -> None:
    assert resolved(text, before) == {}


def test_the_names_and_the_turn_of_what_is_meant_are_told() -> None:
    (found,) = meant(said("she left"), [said("Solveig works here"), said("since when?")]).values()
    assert isinstance(found, Meant)
    assert [(name.text, name.kind) for name in found.names] == [("Solveig", "person")]
    assert found.said_before == 2


def test_what_is_done_to_somebody_is_not_done_by_them() -> None:
    assert resolved("Momo looks for him everywhere", "Henrik left") == {"him": "Henrik"}
    assert resolved("Oskar met Henrik. He gave him a bike.") == {"He": "Oskar", "him": "Henrik"}
    assert resolved("Solveig rang. She wanted to see her.") == {"She": "Solveig"}
    assert resolved("Solveig fell. She hurt herself.") == {"She": "Solveig"}


@pytest.mark.parametrize("text", ["Solveig :( him", "Britta him her them it", "her", "Anna\n\nher her - it there one"])
def test_scraps_without_a_verb_are_read_to_their_end(text: str) -> None:
    resolved(text, "Solveig him", text)
