"""Where do words begin and end in a turn, and how are they written?

The model's word pieces know no capitals and no borders of words: both are told to it beside them.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence

from treering.mind.reading import Span

NO_WORD, LOWER, LOWER_ONLY, OPENING, CAPITAL, CAPITALS, DIGITS, MIXED = range(8)
"""How a word is written. LOWER_ONLY: in a text without capitals, where small letters say nothing. OPENING: with a
capital where a sentence begins, which says little."""
SHAPES = 8
_RUN = re.compile(r"\S+")
_AHEAD, _BEHIND = "\"'(`,;:!?[{<*\u201c\u2018\u2013\u2014", "\"')`,;:!?]}>*.\u201d\u2019\u2026\u2013\u2014"
"""What may stand beside a word without being part of it."""
_JOINT = re.compile(r"\u2014|\u2026|\.{2,}|(?<!\d)[,;](?!\d)|(?<!\d)\u2013")
"""What parts words without a blank."""
_ENDING = re.compile(r"['\u2019](?:s|m|d|ll|re|ve)$", re.IGNORECASE)
_BETWEEN, _CLOSES = " \t\"'(\u201c\u2018*-", ".!?:\n\u2026"
_NEAR = 12
"""Within so many characters before a word stands the sign that a sentence has ended, if any."""
_MIXED = re.compile(r"[a-z][A-Z]|[\w)][_/@\\][\w(]|\w\.\w|^[`/~$@#]")


def words(text: str) -> list[Span]:
    """In order; "Ana's" is two of them."""
    return [one for run in _RUN.finditer(text) for one in _within(text, *run.span())]


def _within(text: str, start: int, end: int) -> Iterator[Span]:
    cuts = [one.span() for one in _JOINT.finditer(text, start, end)]
    for first, last in zip([start, *(b for _, b in cuts)], [*(a for a, _ in cuts), end], strict=True):
        yield from _trimmed(text, first, last)


def _trimmed(text: str, start: int, end: int) -> Iterator[Span]:
    while start < end and text[start] in _AHEAD:
        start += 1
    while start < end and text[end - 1] in _BEHIND:
        end -= 1
    if not any(one.isalnum() for one in text[start:end]):
        return
    ending = _ENDING.search(text, start, end)
    if ending is None or ending.start() == start:
        yield start, end
    else:
        yield start, ending.start()
        yield ending.span()


def shapes(text: str, at: Sequence[Span]) -> list[int]:
    """How the word is written in which each of these stretches begins."""
    spans = words(text)
    written = _written(text, spans)
    starts, found = [start for start, _ in spans], []
    for start, _ in at:
        place = bisect_right(starts, start) - 1
        found.append(written[place] if place >= 0 and start < spans[place][1] else NO_WORD)
    return found


def _written(text: str, spans: Sequence[Span]) -> list[int]:
    cased = any(text[start:end] != "I" and text[start:end] != text[start:end].lower() for start, end in spans)
    return [_shape(text, start, end, cased) for start, end in spans]


def _shape(text: str, start: int, end: int, cased: bool) -> int:
    word = text[start:end]
    if any(one.isdigit() for one in word):
        return DIGITS
    if _MIXED.search(word):
        return MIXED
    if len(word) > 1 and word.isupper():
        return CAPITALS
    if word[0].isupper():
        return OPENING if _opens(text, start) else CAPITAL
    return LOWER if cased else LOWER_ONLY


def _opens(text: str, start: int) -> bool:
    before = text[max(0, start - _NEAR) : start].rstrip(_BETWEEN)
    return before[-1] in _CLOSES if before else start <= _NEAR
