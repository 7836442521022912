"""Where words begin and end, and how they are written, is told to the model beside its word pieces."""

from __future__ import annotations

import pytest

from treering.mind.turnreader.units import (
    CAPITAL,
    CAPITALS,
    DIGITS,
    LOWER,
    LOWER_ONLY,
    MIXED,
    NO_WORD,
    OPENING,
    shapes,
    words,
)


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("I work at Pargeter & Sons, in Leith.", ["I", "work", "at", "Pargeter", "Sons", "in", "Leith"]),
        ("Ana's cat, Nadia\u2019s dog", ["Ana", "'s", "cat", "Nadia", "\u2019s", "dog"]),
        ("see `src/a.py` (v2.3)", ["see", "src/a.py", "v2.3"]),
        ("it costs $1,200.50 - or 9\u201317", ["it", "costs", "$1,200.50", "or", "9\u201317"]),
        ("anchovies,capers\u2014sweetcorn...never", ["anchovies", "capers", "sweetcorn", "never"]),
        ("C++ and 50%", ["C++", "and", "50%"]),
        ("... -- \U0001f600 !", []),
        ("", []),
    ],
)
def test_words_stand_without_what_is_around_them(text: str, found: list[str]) -> None:
    assert [text[a:b] for a, b in words(text)] == found


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("The van is at Boulder", [OPENING, LOWER, LOWER, LOWER, CAPITAL]),
        ("the van is at boulder", [LOWER_ONLY] * 5),
        ("so I said yes", [LOWER_ONLY, CAPITAL, LOWER_ONLY, LOWER_ONLY]),
        ('Done. "Then Fenn" left', [OPENING, OPENING, CAPITAL, LOWER]),
        ("use NixOS on DS220, via IKEA", [LOWER, MIXED, LOWER, DIGITS, LOWER, CAPITALS]),
    ],
)
def test_how_a_word_is_written(text: str, found: list[int]) -> None:
    assert shapes(text, words(text)) == found


def test_a_piece_within_a_word_is_written_as_the_word_and_a_sign_is_none() -> None:
    assert shapes("at Boulder, now", [(3, 6), (6, 10), (10, 11), (12, 15)]) == [CAPITAL, CAPITAL, NO_WORD, LOWER]


def test_a_sentence_that_ended_long_before_opens_nothing() -> None:
    text = "End." + " " * 40 + "Then " + "a" * 30 + " Fenn"
    assert shapes(text, words(text))[-1] == CAPITAL
