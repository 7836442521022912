"""What are the pieces of a text? Words, runs of digits, ordinals and single signs, each with its place.

Words lose case and apostrophes ("Mother's" is `mothers`), so that patterns need one spelling. Letters and digits are
cut apart ("Oct2", "8am", "Q3"), and a piece that touches the one before it knows that it does.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache

from treering.language.when.words import LEXICON, Classes

_PIECE = re.compile(
    r"\d+(?:st|nd|rd|th|ST|ND|RD|TH)(?![^\W_])"
    r"|\d+"
    r"|[^\W\d_]+(?:['\u2019`][^\W\d_]+)*"
    r"|[^\w\s]|_"
    r"|\n(?=[ \t]{0,8}(?:\n|[-*#|>\u2022]|\d{1,3}[.)] ))"
)
"""The last: a line's end is a piece, and so a border, before an empty line or an item of a list."""
_APOSTROPHES = "'\u2019`"
_WITHOUT_APOSTROPHES = str.maketrans("", "", _APOSTROPHES)
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
_NONE: Classes = {}
LookUp = Callable[[str], tuple[str, Classes, frozenset[str]]]
"""A piece as it is written: the word to meet it by, its classes, and both together as keys."""


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


def tokenise(text: str, look_up: LookUp | None = None) -> list[TimeToken]:
    """The pieces of a text, each looked up in English or in the words of another language."""
    look_up = look_up or _read
    tokens = []
    last_end = -1
    for match in _PIECE.finditer(text):
        raw = match.group()
        word, classes, keys = look_up(raw)
        start, end = match.span()
        tokens.append(TimeToken(word, raw, start, end, start == last_end, classes, keys))
        last_end = end
    return tokens


@lru_cache(maxsize=4096)
def _read(raw: str) -> tuple[str, Classes, frozenset[str]]:
    """A piece as it is looked up, its classes, and its keys. Most pieces are words that every text has."""
    word, classes = _looked_up(raw)
    return word, classes, frozenset((word, *classes))


def _looked_up(raw: str) -> tuple[str, Classes]:
    if raw[0].isdigit():
        return read_digits(raw)
    if len(raw) == 1:
        word = _PLAIN_SIGNS.get(raw) or raw.lower()
        return word, LEXICON.get(word, _NONE)
    word = raw.lower().translate(_WITHOUT_APOSTROPHES)
    if len(raw) > 2 and raw[-2] in _APOSTROPHES:
        owner = LEXICON.get(word[:-1], _NONE)
        return word, {kind: value for kind, value in owner.items() if kind in _CAN_OWN}
    return word, LEXICON.get(word, _NONE)


_CAN_OWN = frozenset(("DAYWORD", "DAYNAME", "UNIT", "ONE"))
"""'Yesterday's', 'Friday's' and 'last week's' still name the time; 'April's' is more often a person's."""


def read_digits(raw: str) -> tuple[str, Classes]:
    digits = raw.rstrip("stndrhSTNDRH")
    if len(digits) > _DIGIT_LIMIT or not digits.isascii():
        return raw, _NONE
    return raw.lower(), {"DIGITS" if digits == raw else "DIGITORDINAL": int(digits)}
