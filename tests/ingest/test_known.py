"""What is known of somebody decides what is meant: where they went over to, and which memories are about them."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

import treering
from treering.door import Treering
from treering.model.edge import MENTION


@pytest.fixture
def mem() -> Iterator[Treering]:
    with treering.open(":memory:", embedder="none", judge="none", extractor="rules") as door:
        yield door


def told(mem: Treering, *said: str) -> None:
    for month, one in enumerate(said, 1):
        mem.remember(one, at=f"2025-0{month}-05T09:00:00Z")


def facts(mem: Treering, relation: str) -> set[tuple[str, str]]:
    return {(one.subject, one.object) for one in mem.facts() if one.relation == relation}


@pytest.mark.parametrize(
    ("before", "move", "after"),
    [
        ("Tom works at Siemens.", "Tom moved over to Vodafone.", ("Tom", "Vodafone")),
        ("Samir works at Ikea.", "Samir went over to Volvo, his mug too.", ("Samir", "Volvo")),
        ("Mara works at Bosch.", "Mara has switched to Siemens.", ("Mara", "Siemens")),
        ("Greta works at Nokia.", "Greta jumped ship to Vodafone.", ("Greta", "Vodafone")),
        ("I work at Ikea.", "I've moved on to Volvo.", ("User", "Volvo")),
    ],
)
def test_who_has_an_employer_goes_over_to_another(
    mem: Treering, before: str, move: str, after: tuple[str, str]
) -> None:
    told(mem, before, move)
    assert facts(mem, "WORKS_FOR") == {after}
    assert facts(mem, "USES") == set()
    contents = [one.content for one in mem.list()]
    assert f"{after[0]} works at {after[1]}" in contents
    assert not any("uses" in one for one in contents)


def test_it_is_known_from_what_was_told_just_before_in_one_call(mem: Treering) -> None:
    mem.remember(messages=[{"content": "Tom works at Siemens."}, {"content": "Tom moved over to Vodafone."}])
    assert facts(mem, "WORKS_FOR") == {("Tom", "Vodafone")}


@pytest.mark.parametrize(
    "move",
    [
        "Tom switched to Neovim.",  # a tool
        "Tom switched to Netflix.",  # what people subscribe to
        "Tom moved to Slack.",  # where everybody is
        "Tom moved to Oslo.",  # a place
        "I switched to Vodafone.",  # whose customer one may be
        "Tom went to Vodafone.",  # and came back
    ],
)
def test_what_may_be_no_employer_ends_none(mem: Treering, move: str) -> None:
    told(mem, "Tom works at Siemens.", "I work at Ikea.", move)
    assert facts(mem, "WORKS_FOR") == {("Tom", "Siemens"), ("User", "Ikea")}


def test_of_whom_no_employer_is_known_none_is_told(mem: Treering) -> None:
    told(mem, "Tom moved over to Vodafone.")
    assert (facts(mem, "WORKS_FOR"), facts(mem, "USES")) == (set(), {("Tom", "Vodafone")})


def test_who_is_a_customer_goes_back_as_one(mem: Treering) -> None:
    told(mem, "Mara works at Volvo.", "Mara uses Vodafone.", "Mara moved back to Vodafone.")
    assert facts(mem, "WORKS_FOR") == {("Mara", "Volvo")}


# who is spoken of


def test_every_memory_about_the_owner_is_found_from_it(mem: Treering) -> None:
    told(mem, "My bike was stolen.", "I slept badly.", "We live in Ghent.", "The bus was late.", "Where is Lyon?")
    about = {one.content for one in mem.entity("User").memories}
    assert about == {"User's bike was stolen", "User slept badly", "User lives in Ghent"}


def test_the_owner_keeps_its_memories_under_its_own_name(mem: Treering) -> None:
    told(mem, "My bike was stolen.", "My name is Ulla.", "I slept badly.")
    about = {one.content for one in mem.entity("Ulla").memories}
    assert {"User's bike was stolen", "Ulla slept badly"} <= about


def test_what_somebody_else_says_of_themselves_is_not_about_the_owner(mem: Treering) -> None:
    told(mem, "My bike was stolen.")
    mem.remember("I slept badly.", speaker="Ben")
    assert {one.content for one in mem.entity("User").memories} == {"User's bike was stolen"}


def test_a_memory_is_tied_to_the_owner_once(mem: Treering) -> None:
    told(mem, "My bike was stolen.", "I slept badly.", "I like tea.")
    ties = [one.source_id for one in mem.graph("User", depth=1).edges if one.relation == MENTION]
    plain = {one.id for one in mem.list() if "tea" not in one.content}
    assert sorted(ties) == sorted(plain)
