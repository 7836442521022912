"""What are the pieces of a text, in any language? Words, digits, ordinals and single signs, each with its place.

Words lose case and apostrophes ("Mother's" is `mothers`), so that patterns need one spelling. Letters and digits are
cut apart ("Oct2", "8am", "Q3"), and a piece that touches the one before it knows that it does.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Set
from dataclasses import dataclass
from functools import lru_cache

_PIECE = re.compile(
    r"\d+(?:st|nd|rd|th|ST|ND|RD|TH)(?![^\W_])"
    r"|\d+"
    r"|[^\W\d_]+(?:['\u2019`][^\W\d_]+)*"
    r"|[^\w\s]|_"
    r"|\n(?=[ \t]{0,8}(?:\n|[-*#|>\u2022]|\d{1,3}[.)] ))"
)
"""The last: a line's end is a piece, and so a border, before an empty line or an item of a list."""
_APOSTROPHES = "'\u2019`"
_PLAIN_SIGNS = {
    "\u2018": "'",
    "\u2019": "'",
    "`": "'",
    "\u201c": '"',
    "\u201d": '"',
    "\u2010": "-",
    "\u2011": "-",
    "\u2012": "-",
    "\u2013": "-",
    "\u2014": "-",
    "\u2212": "-",
}
"""Curly quotes and long dashes mean what the plain ones do."""
_DIGIT_LIMIT = 8
Classes = dict[str, object]
"""The classes that a word may stand for, each with its value there."""
OF_DIGITS = frozenset(("DIGITS", "DIGITORDINAL"))
"""The classes of figures: "4", "4th"."""
_NONE: Classes = {}
LookUp = Callable[[str], tuple[str, Classes, frozenset[str]]]
"""A piece as it is written: the word to meet it by, its classes, and both together as keys."""
Tokenise = Callable[[str], list["TimeToken"]]


@dataclass(slots=True)
class TimeToken:
    """One piece. `keys` is all that a pattern can meet it by: its own text and the names of its classes."""

    text: str
    raw: str
    start: int
    end: int
    glued: bool
    classes: Classes
    keys: frozenset[str]

    @property
    def capitalised(self) -> bool:
        return self.raw[0].isupper()


def tokeniser(
    words: Mapping[str, Classes], marks: str = "", plain: str = "", owning: Set[str] = frozenset()
) -> Tokenise:
    """Cuts a text into pieces and looks each up in the words of a language.

    Letters of `marks` are met as those of `plain` ("á" as "a"), since many write none. `owning` are the classes that a
    word keeps with an "'s" behind it.
    """
    folded = str.maketrans(marks, plain, _APOSTROPHES)

    @lru_cache(maxsize=4096)
    def look_up(raw: str) -> tuple[str, Classes, frozenset[str]]:
        word, classes = _read_digits(raw) if raw[0].isdigit() else looked_up(raw)
        return word, classes, frozenset((word, *classes))

    def looked_up(raw: str) -> tuple[str, Classes]:
        if len(raw) == 1:
            word = _PLAIN_SIGNS.get(raw) or raw.lower().translate(folded) or raw
            return word, words.get(word, _NONE)
        word = raw.lower().translate(folded)
        if owning and len(raw) > 2 and raw[-2] in _APOSTROPHES:
            owner = words.get(word[:-1], _NONE)
            return word, {kind: value for kind, value in owner.items() if kind in owning}
        return word, words.get(word, _NONE)

    return lambda text: _pieces(text, look_up)


def _pieces(text: str, look_up: LookUp) -> list[TimeToken]:
    tokens = []
    last_end = -1
    for match in _PIECE.finditer(text):
        raw = match.group()
        word, classes, keys = look_up(raw)
        start, end = match.span()
        tokens.append(TimeToken(word, raw, start, end, start == last_end, classes, keys))
        last_end = end
    return tokens


def _read_digits(raw: str) -> tuple[str, Classes]:
    digits = raw.rstrip("stndrhSTNDRH")
    if len(digits) > _DIGIT_LIMIT or not digits.isascii():
        return raw, _NONE
    return raw.lower(), {"DIGITS" if digits == raw else "DIGITORDINAL": int(digits)}
