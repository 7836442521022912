"""Was it said? Holds what a model writes against the words it was given, so that nothing becomes a memory that nobody
said. It judges by words alone: whether a statement is true to their meaning is not known here.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from functools import cache, cached_property

from treering.errors import InvalidRequest
from treering.ingest.extract.contract import OWNER, Heard, Turn
from treering.language.when import Grain, Window, when
from treering.language.words import spelled, stem, words
from treering.model.edge import KNOWN_FACTS
from treering.model.time import MICROSECOND, utc

MOST_UNSAID = 0.25
"""How much of a statement may be words that nobody said: a model may put things in its own words here and there.
Names and numbers must have been said, every one."""

STATE_WORDS = """ask become begin buy call change consider current early end enjoy feel former get give go happen hate
home intend job join keep late leave long love make meet name need new old own person plan quit say speak start state
stay stop switch take talk tell thing think time travel trip try use want work child day today date week month year
morning evening night """ + " ".join(KNOWN_FACTS).replace("_", " ").lower()
"""Words in which states and events are put that were said in others: one who "joined Anthropic" works there."""

NEAR = timedelta(days=1)
"""How far a time may lie beside the one that was said: days begin elsewhere at other hours."""

_NUMBER = re.compile(r"\d+(?:,\d{3})*(?!\d)|\d+")
_ISO_DATE = re.compile(r"\b\d{4}-\d{2}-\d{2}\b")
_NAME = re.compile(r"(?<=[\w,;:)] )[\"'(“‘]*([A-Z][\w'’-]*)")  # noqa: RUF001  a capital inside a sentence
_MONTHS = frozenset(
    ("january", "february", "march", "april", "may", "june", "july", "august", "september", "october", "november",
     "december")
)  # fmt: skip
_WEEKDAYS = frozenset(("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"))
_WHICH = frozenset(("last", "next", "this", "past", "coming", "previous", "following", "ago"))

_TO_A_MODEL = re.compile(
    r"""\b(?:ignore|disregard|forget|override|bypass)\b[^.!?\n]{0,40}
            \b(?:instructions?|prompts?|rules?|guidelines|directives|above|system)\b
      | \b(?:system|developer)\s+(?:prompt|message|note|override)\b
      | \b(?:you\s+are\s+now|from\s+now\s+on,?\s+you)\b
      | (?:^|[.!?:]\s)[ ]*(?:please\s+)?(?:act\s+as|pretend\s+(?:to\s+be|you|that))\b
      | \b(?:output|print|return|emit|respond|reply|answer)\b[^.!?\n]{0,20}\b(?:only|exactly|json|that\s+the\s+user)\b
      | \b(?:new|updated|following)\s+instructions\b | \bas\s+an?\s+(?:ai|assistant|language\s+model)\b
      | <\|\w+\|> | </?s> | \[/?INST\] | ^[ \t]*(?:\#+[ ]*)?(?:system|assistant|developer)[ ]*:""",
    re.IGNORECASE | re.VERBOSE | re.MULTILINE,
)


def speaks_to_a_model(text: str) -> bool:
    """Whether words in it look as if they told a reading model what to do. They are kept like any others, but no model
    is asked about them. It is a second fence and full of holes: the first is that no answer is believed unheld."""
    return _TO_A_MODEL.search(text) is not None


class SaidWords:
    """The words of one text and of what was said before it."""

    def __init__(self, text: str, heard: Heard, before: Sequence[Turn] = ()) -> None:
        self._turns = [Turn(heard.speaker, text, heard.at), *before]
        context = [turn.text for turn in self._turns]
        people = {OWNER, heard.first_person, heard.owner or OWNER}
        others = {turn.speaker for turn in heard.before if turn.speaker}
        self._runs = [_stems(one) for one in (*context, *people, *others)]
        self._stems = {one for run in self._runs for one in run}
        self._selves = {one for name in people for one in _stems(name)}
        self._numbers = {one for part in context for one in _numbers(part)}

    def name(self, name: str) -> bool:
        """Whether these words were said side by side, or are who speaks."""
        asked = _stems(name)
        return bool(asked) and any(_within(asked, run) for run in self._runs)

    def relation(self, relation: str) -> bool:
        """Whether one of its words was said."""
        return any(one in self._stems for one in words(relation.replace("_", " ")))

    def time(self, point: datetime) -> bool:
        """Whether it is a time that was spoken of, about the moment of speaking, or in a year that was named."""
        if str(point.year) in self._numbers or abs(point - self._turns[0].at) <= NEAR:
            return True
        return any(_touches(window, point) for window in self._windows)

    @cached_property
    def _windows(self) -> list[Window]:
        found = [window for turn in self._turns for window in when(turn.text, turn.at)]
        return [reading for window in found for reading in _readings(window)]

    def unsaid(self, content: str, quote: str) -> str | None:
        """What in a statement was not said, in words; None if it may stand. `quote` is what it rests on."""
        own = [one for one in words(content) if one not in self._selves]
        if not set(own) & set(words(quote)) - self._selves:
            return "it has no word in common with its quote"
        foreign = [one for one in own if not one.isdigit() and one not in self._stems and one not in _licensed()]
        if len(foreign) > MOST_UNSAID * len(own):
            return f"{', '.join(foreign[:3])}: not said"
        names = [one for one in _NAME.findall(content) if not self._knows_word(one)]
        if names:
            return f"{names[0]!r} was not said"
        return self._unsaid_number(content)

    def _unsaid_number(self, content: str) -> str | None:
        for written in _ISO_DATE.findall(content):
            if not self._date(written):
                return f"{written} is no time that was spoken of"
        numbers = _numbers(_ISO_DATE.sub("", content)) - self._numbers
        if numbers:  # the reader of times is asked only where it matters
            numbers -= {one for window in self._windows for one in _spelled_out(window)}
        return f"{min(numbers)!r} was not said" if numbers else None

    def _date(self, written: str) -> bool:
        try:
            return self.time(utc(written))
        except InvalidRequest:
            return False

    def _knows_word(self, word: str) -> bool:
        return word.casefold() in _MONTHS | _WEEKDAYS or all(one in self._stems for one in _stems(word))


@cache
def _licensed() -> frozenset[str]:
    return frozenset(words(STATE_WORDS)) | frozenset(words(" ".join(_MONTHS | _WEEKDAYS)))


def _stems(text: str) -> list[str]:
    return [stem(one) or one for one in spelled(text)]


def _within(asked: Sequence[str], run: Sequence[str]) -> bool:
    width = len(asked)
    return any(list(run[place : place + width]) == list(asked) for place in range(len(run) - width + 1))


def _numbers(text: str) -> set[str]:
    return {one.replace(",", "").lstrip("0") or "0" for one in _NUMBER.findall(text)}


def _readings(window: Window) -> list[Window]:
    """A bare "Friday" or "in June" may be the one before or the one after: which is for the model to say."""
    named = set(spelled(window.text))
    if named & _WHICH or any(one.isdigit() and len(one) == len("2026") for one in named):
        return [window]
    apart = timedelta(days=7) if named & _WEEKDAYS else timedelta(days=365) if named & _MONTHS else None
    if apart is None:
        return [window]
    shifts = (-apart, timedelta(), apart)
    return [replace(window, start=_shifted(window.start, by), end=_shifted(window.end, by)) for by in shifts]


def _shifted(point: datetime | None, by: timedelta) -> datetime | None:
    try:
        return None if point is None else point + by
    except OverflowError:
        return point


def _touches(window: Window, point: datetime) -> bool:
    begun = window.start is None or window.start - point <= NEAR
    return begun and (window.end is None or point - window.end <= NEAR)


def _spelled_out(window: Window) -> set[str]:
    """Numbers in which a time may be written that was said in words: "last Friday" is 6 February 2026. Of a month only
    the year: which day it was is not said."""
    points = [point for point in (window.start, window.end and window.end - MICROSECOND) if point is not None]
    found = {str(point.year) for point in points}
    if window.grain <= Grain.WEEK:
        found |= {str(point.day) for point in (*points, window.end) if point is not None}
    if window.grain < Grain.DAY:
        found |= {str(one) for point in points for one in (point.hour, point.hour % 12 or 12, point.minute)}
    return found
