"""Which names stand in a statement: those that a model sees, as far as they are written large."""

from __future__ import annotations

import pytest
from tests.ingest.seen import named, seen

from treering.ingest.extract.contract import Extraction


def names(text: str, **seen_too: str) -> dict[str, str | None]:
    return {name: kind for one in seen(text, names=seen_too).extracted for name, kind in named(one).items()}


def test_what_is_written_large_in_a_sentence_is_a_name_though_nobody_sees_it() -> None:
    assert names("we rehearse with Mireya Zelkova in hall Vesper") == {"Mireya Zelkova": None, "Vesper": None}


@pytest.mark.parametrize("text", ["Rehearsals are loud", "the wheel squeaks. Loud as a gull", "WE ARE LATE AGAIN"])
def test_a_first_word_and_what_is_all_large_is_none(text: str) -> None:
    assert names(text) == {}


def test_a_first_word_is_one_where_the_model_says_so() -> None:
    assert names("Mireya sings in the hall", Mireya="person") == {"Mireya": "person"}


@pytest.mark.parametrize("text", ["we meet on Friday", "we moved in March 2025", "we learn Portuguese"])
def test_a_time_and_a_language_are_none(text: str) -> None:
    assert names(text) == {}


def test_a_run_of_large_words_is_one_name_of_the_kind_that_is_seen() -> None:
    assert names("we rehearse in Vesper Hall", Vesper="place") == {"Vesper Hall": "place"}
    assert names("we like the University of Bergen", Bergen="place") == {"University of Bergen": "place"}


def test_of_who_writes_names_large_a_small_word_is_a_name_only_in_code() -> None:
    assert names("we play with Mireya and a theremin", theremin="product") == {"Mireya": None}
    told = names("we ask Mireya about ferry-gateway", **{"ferry-gateway": "product"})
    assert told == {"Mireya": None, "ferry-gateway": "object"}
    assert names("we play with a theremin", theremin="product") == {"theremin": "object"}


def test_whose_it_is_is_no_part_of_a_name() -> None:
    assert names("we sing at Mireya's", Mireya="person") == {"Mireya": "person"}


def test_each_statement_has_the_names_in_its_own_words() -> None:
    text = "We rehearse in hall Vesper on most days of the year\nthen we read Larkspur aloud until late"
    told = seen(text, names={"Vesper": "place", "Larkspur": "product"}).extracted
    assert [named(one) for one in told] == [{"Vesper": "place"}, {"Larkspur": "object"}]


def roles(told: Extraction) -> dict[str, str | None]:
    return {name.name: name.role for one in told.extracted for name in one.entities}


def test_who_is_somebody_to_who_speaks_is_named_with_it() -> None:
    text = "we saw my dentist Mireya and Odile from choir, and Ravi"
    people = dict.fromkeys(("Mireya", "Odile", "Ravi"), "person")
    assert roles(seen(text, names=people)) == {"Mireya": "dentist", "Odile": "choir", "Ravi": None}


def test_a_thing_has_no_role() -> None:
    text = "we took my trusty Vesper"
    assert roles(seen(text, names={"Vesper": "product"})) == {"Vesper": None}
    assert roles(seen(text, names={"Vesper": "person"})) == {"Vesper": "trusty"}


def test_whom_nobody_sees_is_a_person_by_a_role_that_only_people_have() -> None:
    [one] = seen("we saw my sister Mireya with my dog Odile").extracted
    assert {name.name: (name.kind, name.role) for name in one.entities} == {
        "Mireya": ("person", "sister"),
        "Odile": (None, None),
    }
