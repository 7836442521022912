"""Does a sentence look back or ahead, in any language? Its signs, found by what its language knows, and which decides.

The nearest sign before a time in its sentence decides, else the first one after it; a present tense gives way to any
other sign. Weak signs, such as a noun that could be a verb, are asked only where there is no other.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable

from treering.language.when.time_context import TimeDirection
from treering.language.when.tokens import TimeToken

SENTENCE_END = frozenset(".!?;\n")
FindSign = Callable[[list[TimeToken], int], TimeDirection | None]
"""What the word at a place tells, if it tells anything."""


class Tenses:
    """The signs of one text, found once."""

    def __init__(self, tokens: list[TimeToken], *finders: FindSign) -> None:
        """The strong signs first, then weaker ones."""
        self._signs = [_Signs(tokens, find) for find in finders]

    def at(self, start: int, end: int) -> TimeDirection:
        """Whether the sentence around `tokens[start:end]` looks back or ahead; UNSAID where it has no sign."""
        found = (signs.at(start, end) for signs in self._signs)
        return next((one for one in found if one is not TimeDirection.UNSAID), TimeDirection.UNSAID)


class _Signs:
    def __init__(self, tokens: list[TimeToken], find: FindSign) -> None:
        self._places: list[int] = []
        self._signs: list[TimeDirection | None] = []
        for i in range(len(tokens)):
            if _ends_sentence(tokens, i):
                self._add(i, None)
            elif (sign := find(tokens, i)) is not None and not self._outdone(sign):
                self._add(i, sign)

    def _add(self, place: int, sign: TimeDirection | None) -> None:
        self._places.append(place)
        self._signs.append(sign)

    def _outdone(self, sign: TimeDirection) -> bool:
        """ "What will I do": the "will" holds for the "do"."""
        return sign is TimeDirection.PRESENT and bool(self._signs) and self._signs[-1] is not None

    def at(self, start: int, end: int) -> TimeDirection:
        k = bisect_left(self._places, start) - 1
        if k >= 0 and (sign := self._signs[k]) is not None:
            return sign
        k = bisect_left(self._places, end)
        if k < len(self._signs) and (sign := self._signs[k]) is not None:
            return sign
        return TimeDirection.UNSAID


def _ends_sentence(tokens: list[TimeToken], i: int) -> bool:
    """A full stop within a figure or an abbreviation ends nothing."""
    if tokens[i].text not in SENTENCE_END:
        return False
    return i + 1 >= len(tokens) or not tokens[i + 1].glued
