"""When does a statement hold, happen and end? From the times its words tell, and from how it is meant."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import datetime, timedelta

from treering.language.when import when
from treering.language.when.window import Grain, Window
from treering.mind.reading import FactMood

_YEAR = re.compile(r"\b(?:1[89]|20)\d\d\b")
_SINCE = re.compile(r"\s*(?:ever since|since|from|starting|as of|effective|beginning|after)\b", re.IGNORECASE)
_UNTIL = re.compile(r"\s*(?:until|till|til|through|up to)\b", re.IGNORECASE)
_ONLY_NOW = re.compile(
    r"(?:now|currently|right now|these days|nowadays|at the moment|from now on|lately|recently)", re.IGNORECASE
)
_RECURS = re.compile(r"\b(?:every|each|usually|always|most|weekly|daily|monthly|yearly|\w+days)\b", re.IGNORECASE)
AHEAD = frozenset((FactMood.PLAN, FactMood.INSTRUCTION))
PASSING = 0.5


@dataclass(frozen=True, slots=True)
class StatementTimes:
    event: datetime | None = None
    event_end: datetime | None = None
    since: datetime | None = None
    until: datetime | None = None
    expires: datetime | None = None


def times_of(text: str, said_at: datetime, mood: FactMood, lasts: float) -> StatementTimes:
    """`lasts`: how sure it is that it does not pass by itself. What recurs has no date."""
    found = [one for one in when(text, said_at) if not _ONLY_NOW.fullmatch(one.text.strip())]
    if not found or _RECURS.search(text):
        return StatementTimes()
    until = next((one for one in found if _UNTIL.match(one.text)), None)
    window = next((one for one in found if one is not until), None)
    passing = lasts < PASSING or mood is FactMood.TEMPORARY
    if window is not None and (mood in AHEAD or passing):
        window = _to_come(window, said_at)
    event = window.start if window is not None else None
    expires = None
    if passing:
        ends = [one.end for one in (until, window) if one is not None and one.end is not None and one.end > said_at]
        expires = min(ends, default=None)
    since = (
        event
        if event is not None and (mood is not FactMood.SO or _SINCE.match(window.text if window else ""))
        else None
    )
    event_end = (
        window.end if window is not None and window.end and window.grain > Grain.DAY and _is_range(window) else None
    )
    return StatementTimes(event, event_end, since, until.end if until is not None else None, expires)


def _is_range(window: Window) -> bool:
    return bool(re.match(r"\s*(?:from|between)\b.*\b(?:to|and|till|until)\b", window.text, re.IGNORECASE))


def _to_come(window: Window, said_at: datetime) -> Window:
    """A year is never guessed backwards for what is to come: "April 2", said in March, is the next one."""
    from dataclasses import replace

    if window.end is None or window.end > said_at or _YEAR.search(window.text) or window.start is None:
        return window
    if re.search(r"\b(?:ago|last|yesterday|past|previous)\b", window.text, re.IGNORECASE):
        return window
    try:
        if re.search(r"\b(?:mon|tues|wednes|thurs|fri|satur|sun)day\b", window.text, re.IGNORECASE):
            return replace(window, start=window.start + timedelta(days=7), end=window.end + timedelta(days=7))
        return replace(
            window,
            start=window.start.replace(year=window.start.year + 1),
            end=window.end.replace(year=window.end.year + 1),
        )
    except ValueError:  # 29 February
        return window
