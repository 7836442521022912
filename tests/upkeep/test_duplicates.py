"""Whether two sentences say the same: the words decide, and a labelled set of pairs says how well."""

from __future__ import annotations

import pytest
from bench.grouping import labelled_pairs, score_duplicates

from treering.upkeep.duplicates import clash, difference, say_the_same


def test_of_pairs_taken_for_duplicates_nearly_all_are() -> None:
    pairs = labelled_pairs()
    assert len(pairs) >= 150
    assert sum(not one.same for one in pairs) >= 100
    figures = score_duplicates("static")
    assert figures["precision"] >= 0.95
    assert figures["recall"] >= 0.75


def test_the_words_alone_are_as_careful() -> None:
    pairs = labelled_pairs()
    taken = [one for one in pairs if say_the_same(one.first, one.second)]
    assert sum(one.same for one in taken) / len(taken) >= 0.95
    assert all(say_the_same(one.second, one.first) == say_the_same(one.first, one.second) for one in pairs)


@pytest.mark.parametrize(
    ("other", "what"),
    [
        ("Sam lived in Oslo", "times"),
        ("Sam will live in Oslo", "times"),
        ("Sam does not live in Oslo", "denied"),
        ("Sam might live in Oslo", "certainty"),
        ("Does Sam live in Oslo?", "asks"),
        ("Sam lives in Oslo 3", "numbers"),
        ("Kim lives in Oslo", "things"),
        ("Sam only lives in Oslo", "small"),
    ],
)
def test_a_look_alike_differs_in_something_that_can_be_named(other: str, what: str) -> None:
    assert difference("Sam lives in Oslo", other) == what


@pytest.mark.parametrize("text", ["", "…", "好的", "Ünïcödé", "12:30", "I'm", "don't", "'s"])
def test_every_text_says_the_same_as_itself(text: str) -> None:
    assert say_the_same(text, text)


def test_what_must_not_pass_for_one_another_clashes() -> None:
    assert clash("Invoice 17 was paid", "Invoice 18 was paid") == "numbers"
    assert clash("Sam lives in Oslo", "Sam lives in Rome") == "names"
    assert clash("Sam eats meat", "Sam does not eat meat") == "denied"
    assert clash("Sam likes tea", "Sam likes tea in the morning") is None
