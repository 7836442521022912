"""What somebody is to who speaks, by the words around the name."""

from __future__ import annotations

import pytest

from treering.language.en.roles import is_a_person, role_of


def role(text: str, name: str = "Anna") -> str | None:
    start = text.index(name)
    return role_of(text, start, start + len(name))


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("my dentist Anna called", "dentist"),
        ("Our neighbour Anna called", "neighbour"),
        ("MY DENTIST Anna called", "dentist"),
        ("I saw my good friend Anna", "friend"),  # what is only dear to me tells nobody apart
        ("I saw my older sister Anna", "sister"),
        ("my sister-in-law Anna called", "sister-in-law"),
        ("my piano teacher Anna called", "piano teacher"),
        ("I saw Anna, my dentist", "dentist"),
        ("I saw Anna, our neighbour, and she waved", "neighbour"),
        ("I saw Anna my dentist.", "dentist"),
        ("I saw Anna (my dentist) today", "dentist"),
        ("Anna from choir called", "choir"),
        ("Anna from the choir called", "choir"),
        ("Anna from our choir called", "choir"),
        ("Anna (from choir) called", "choir"),
        ("I saw Anna, my boss from Bolt", "boss"),
        ("I saw Anna, my dentist and friend", "dentist"),
        ("my dentist today was Anna from choir", "choir"),
    ],
)
def test_a_role_stands_before_or_behind_a_name(text: str, said: str) -> None:
    assert role(text) == said


@pytest.mark.parametrize(
    "text",
    [
        "Anna called",
        "the dentist Anna called",
        "your dentist Anna called",
        "my dentist, Anna's friend",
        "my dentist knows that. Anna called",
        "today I saw Anna, her dentist",
        "Anna from Berlin called",
        "Anna from there called",
        "my name Anna",
        "my dear Anna",
        "on my way home Anna called",
        "my flight with Anna",
        "my brother and Anna",
        "my mum likes Anna",
        "my mum called Anna",
        "my dentist is Ilse, not Anna",
    ],
)
def test_other_words_are_no_role(text: str) -> None:
    assert role(text) is None


def test_of_several_names_each_has_its_own() -> None:
    text = "my dentist Anna met my boss Ben and Cleo from choir"
    assert [role(text, name) for name in ("Anna", "Ben", "Cleo")] == ["dentist", "boss", "choir"]


@pytest.mark.parametrize(
    ("said", "person"),
    [
        ("sister", True),
        ("older sister", True),
        ("boss", True),
        ("neighbour", True),
        ("dog", False),
        ("team", False),
        ("choir", False),
        (None, False),
    ],
)
def test_some_roles_only_people_have(said: str | None, person: bool) -> None:
    assert is_a_person(said) == person
