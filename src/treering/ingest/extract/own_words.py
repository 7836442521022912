"""How is a statement worded? As it was said, led by who says it.

Nothing that was said is changed. What must be known to understand it by itself stands beside it in brackets: whom a
pronoun means, the day that "last Friday" was.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from treering.language.en import persons
from treering.language.en.months import MONTHS
from treering.language.when.window import Grain, Window
from treering.mind.reading import ReadName, Span

_SOMEBODY = re.compile(r"\b(?:he|she|him|her|his)\b(?:['’](?:s|d|ll)\b)?", re.IGNORECASE)  # noqa: RUF001
_THERE = re.compile(r"\bthere\b(?!['’]|\s+(?:is|are|was|were|will|has|have|be)\b)", re.IGNORECASE)  # noqa: RUF001
_STAND_INS = ((_SOMEBODY, "person"), (_THERE, "place"))
_SAYS_THE_YEAR = re.compile(r"\b(?:1[89]|20)\d\d\b")
_EDGE = " ,;:–—\n\t"  # noqa: RUF001  dashes
_ENDS = re.compile(r"['’]s?$")  # noqa: RUF001


@dataclass(frozen=True, slots=True)
class Beside:
    """What is put behind a word of the text."""

    at: int
    words: str


def worded(text: str, span: Span, lead: str, beside: Sequence[Beside]) -> str:
    """`lead`: who says it. `beside`: what explains its words, anywhere in the text."""
    start, end = trimmed(text, span)
    out, last = [], start
    for one in sorted(beside, key=lambda each: each.at):
        if start < one.at <= end:
            out += [text[last : one.at], one.words]
            last = one.at
    return lead + "".join([*out, text[last:end]])


def trimmed(text: str, span: Span) -> Span:
    """Without blanks, and without signs that only joined it to what stands beside it."""
    start, end = span
    while start < end and text[start] in _EDGE:
        start += 1
    while end > start and text[end - 1] in _EDGE:
        end -= 1
    return start, end


def meant(
    text: str, spans: Sequence[Span], names: Sequence[ReadName], before: Callable[[str], str | None]
) -> Iterator[tuple[Beside, str, str]]:
    """Whom and which place the first pronoun of a statement means that names none before it: who was named last, if
    that was one. `before`: the one of a kind that was named in the turns just before. With what it means and its
    kind."""
    for start, end in spans:
        for pattern, kind in _STAND_INS:
            found = pattern.search(text, start, end)
            of_kind = [one for one in names if one.kind == kind]
            if found is None or any(start <= one.span[0] < found.start() for one in of_kind):
                continue
            earlier = [one for one in of_kind if one.span[1] <= start]
            name = _last_of(text, earlier) if earlier else before(kind)
            if name is not None:
                yield Beside(found.end(), f" [{name}]"), name, kind


def _last_of(text: str, some: Sequence[ReadName]) -> str | None:
    """None for "Ana and Rui": neither is meant more than the other."""
    if len(some) > 1 and text[some[-2].span[1] : some[-1].span[0]].strip().lower() in persons.AND:
        return None
    return called(text, some[-1])


def called(text: str, name: ReadName) -> str:
    return _ENDS.sub("", text[slice(*name.span)].strip(' .,;:!?"()`'))


def dated(windows: Sequence[Window]) -> Iterator[Beside]:
    """The date behind each time that leans on the day it was said."""
    for window in windows:
        date = date_of(window)
        if date:
            yield Beside(window.span[1], f" ({date})")


def date_of(window: Window) -> str:
    """ "May 2025" for "last May"; nothing where the words already say it."""
    if _SAYS_THE_YEAR.search(window.text):
        return ""
    moment: datetime | None = window.start or (window.end - timedelta(days=1) if window.end else None)
    if moment is None:
        return ""
    if window.grain >= Grain.YEAR:
        return str(moment.year)
    if window.grain in (Grain.MONTH, Grain.QUARTER):
        return f"{MONTHS[moment.month - 1]} {moment.year}"
    return moment.date().isoformat()
