"""Does a text give another value for the same thing? The values in it by their kind, and the words around them.

"Sprint length is 3 weeks" and "we're on 2 week sprints now" speak of sprints, and give a length each: two values of one
kind, that cannot both be so at once.
"""

from __future__ import annotations

import re
from functools import lru_cache

from treering.language.words import words

_WEEKDAY = r"(?:mon|tues|wednes|thurs|fri|satur|sun)days?"
_MONTH = r"(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)"  # noqa: E501
_KINDS: tuple[tuple[str, re.Pattern[str]], ...] = tuple(
    (kind, re.compile(pattern, re.IGNORECASE))
    for kind, pattern in (
        ("clock", r"\b\d{1,2}:\d{2}\b|\b\d{1,2} ?(?:am|pm)\b"),  # 09:40, 3pm
        ("date", rf"\b{_MONTH}\.? \d{{1,2}}(?:st|nd|rd|th)?\b|\b\d{{1,2}}(?:st|nd|rd|th)? (?:of )?{_MONTH}\b"),  # May 9
        ("date", r"\b\d{4}-\d{2}-\d{2}\b|\bthe \d{1,2}(?:st|nd|rd|th)\b"),  # 2025-05-09, the 15th
        ("weekday", rf"\b{_WEEKDAY}\b"),
        ("seat", r"\b(?-i:\d{1,3}[A-F]|[A-F]\d{1,3})\b"),  # 32A
        ("span", r"\b(\d+|one|two|three|four|five|six)[ -](?:second|minute|hour|day|week|month|year)s?\b"),  # 2 week
        ("share", r"\b\d+(?:\.\d+)? ?(?:%|percent)"),
        ("size", r"\b\d+(?:\.\d+)? ?(?:[kmgt]b|kg|kilos?|lbs?|cm|km|miles?)\b"),
        ("number", r"(?<![\w.])[$€£]?\d[\d,]*(?:\.\d+)?k?\b"),
    )
)
TIMES = frozenset({"date", "weekday", "clock"})
"""Kinds of values that say when."""


@lru_cache(2_048)
def values_of(text: str) -> dict[str, frozenset[str]]:
    """The values by kind; a stretch counts for the first kind that takes it."""
    found: dict[str, set[str]] = {}
    left = text
    for kind, pattern in _KINDS:
        for match in pattern.finditer(left):
            found.setdefault(kind, set()).add(" ".join(match.group().lower().split()))
        left = pattern.sub(lambda match: " " * len(match.group()), left)
    return {kind: frozenset(values) for kind, values in found.items()}


def clash(old: str, new: str) -> str | None:
    """The kind of value of which the two texts give different ones, if there is such a kind."""
    before, after = values_of(old), values_of(new)
    for kind in after:
        if kind in before and before[kind].isdisjoint(after[kind]):
            return kind
    return None


@lru_cache(2_048)
def topic(text: str) -> frozenset[str]:
    """What it speaks of, without the values."""
    for _, pattern in _KINDS:
        text = pattern.sub(" ", text)
    return frozenset(words(text)) - _SAID_OF_ANYTHING


def is_value(text: str) -> bool:
    """Whether this is a value and nothing else, and not a thing with a number in its name: of a value there is one at a
    time. "3 weeks" and "100 requests/min per key" are, "Pixel 6" is not."""
    if not values_of(text) or _A_NAME.search(text):
        return False
    for _, pattern in _KINDS:
        text = pattern.sub(" ", text)
    return len(words(text)) <= _WORDS_OF_A_VALUE


_A_NAME = re.compile(rf"\b(?!(?i:{_MONTH}|{_WEEKDAY}))[A-Z][A-Za-z]+|[0-9a-f]{{8}}-")
_WORDS_OF_A_VALUE = 4
_SAID_OF_ANYTHING = frozenset(
    words("user now new actually wait currently still today moved changed switched going got get make time thing week")
)
