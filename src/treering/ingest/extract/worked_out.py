"""When does a statement hold, happen and end? From the times its words tell, and from how it is meant."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from treering.language.when import looks_back, when
from treering.language.when.window import Grain, Window
from treering.mind.reading import FactMood, Span

_YEAR = re.compile(r"\b(?:1[89]|20)\d\d\b")
_LEADS = re.compile(
    r"(?:\b(?:in|on|at|for|over|during|around|about|early|late|mid|back|from|starting|effective|through|till|until|by"
    r"|since|before)\s+)+$",
    re.IGNORECASE,
)
"""Words before a time that say how it is meant: "back in 2019", "from October"."""
SINCE = re.compile(r"\s*(?:ever since|since|from|starting|as of|effective|beginning|after)\b", re.IGNORECASE)
_SINCE_THEN = re.compile(r"\s*(?:ever since|since|as of|back in|over|after)\b", re.IGNORECASE)
UNTIL = re.compile(r"\s*(?:until|till|til|'til|through|up to)\b", re.IGNORECASE)
BY = re.compile(r"\s*(?:by|before|prior to)\b", re.IGNORECASE)
_ONLY_NOW = re.compile(
    r"(?:(?:right |just )?now|currently|these days|nowadays|at the moment|from now on|lately|recently|at present"
    r"|presently|for now)",
    re.IGNORECASE,
)
_OF_SOMETHING = re.compile(r"\s+(?:at|of|with|in|on)\b", re.IGNORECASE)
_SOMEBODYS = re.compile(r"(?:\b(?:my|our|your|his|her|their)|['’]s?)\s+$", re.IGNORECASE)  # noqa: RUF001
_EDGE_DAY = re.compile(r"(?:the )?(?:last|first|final) (?:day|week|month)", re.IGNORECASE)
RECURS = re.compile(
    r"\b(?:usually|normally|typically|generally|always|regularly|whenever|daily|nightly|weekly|monthly|yearly"
    r"|week(?:days|ends|nights)|(?:mon|tues|wednes|thurs|fri|satur|sun)days"
    r"|(?:every|each|most)\s+(?:single\s+|other\s+|second\s+)?\w+)\b",
    re.IGNORECASE,
)
"""Words by which something happens again and again."""
_ON_A_DAY = re.compile(
    r"\d{4}|\b\d{1,2}(?:st|nd|rd|th)?(?: of)? (?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)"
    r"|\b(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\.? \d"
    r"|\b(?:today|tonight|tomorrow|yesterday|ago|last|next|this|past|coming|previous|since|until|till|til|as of"
    r"|from|starting|effective|beginning)\b",
    re.IGNORECASE,
)
_COMING = re.compile(
    r"(?:\b(?:am|is|are)|'m|'re|'s|im)\s+(?:\w+\s+)?(?:getting|going|leaving|flying|moving|starting|coming"
    r"|having|meeting|visiting|launching|hosting|"
    r"travell?ing|arriving|returning|throwing)\b[^.!?;]*$|\b(?:i|we|he|she|they|it|\w+) (?:starts?|begins?"
    r"|leaves?|arrives?|departs?|opens?|launches)\b[^.!?;,]*$"
    r"|(?:\b(?:is|are)|'s|'re)\s*$"
    r"|\b(?:moved|pushed|postponed|rescheduled|shifted|delayed|slipped|extended|bumped|deferred|put\s+off)"
    r"\s+(?:back\s+|forward\s+|out\s+)?to\s*$",
    re.I,
)
_PUT_OFF = re.compile(
    r"\b(?:pushed|postponed|delayed|extended|deferred|put\s+off)(?:\s+(?:back|out))?\s*$"
    r"|(?<!was )(?<!were )(?<!been )\b(?:closed|shut|blocked|suspended|unavailable)\s*$",
    re.I,
)
"""Until a day that is yet to come: "Road closed through April 15"."""
_BEHIND = re.compile(r"\b(?:ago|last|yesterday|past|previous|this)\b", re.IGNORECASE)
_FROM = re.compile(r"^(?:from|by)\b", re.IGNORECASE)
AN_HOUR = re.compile(r"\b(?:noon|midnight|\d{1,2}(?:[:.]\d\d)? ?(?:[ap]\.?m\b|o'clock)|\d{1,2}:\d\d)", re.IGNORECASE)
_TURNS = re.compile(r"[.!?;\n]|\b(?:but|except|although|though|however|yet)\b", re.IGNORECASE)
_WORD = re.compile(r"\S+")
_CODE = re.compile(r"[`\\=_@#]|://|^--|[^\W\d]/|/[^\W\d]")
"""A path, an address or an option is no time, whatever stands in it."""
AHEAD = frozenset((FactMood.PLAN, FactMood.INSTRUCTION, FactMood.WISH))
BEHIND = frozenset((FactMood.HAPPENED, FactMood.PAST, FactMood.ENDED, FactMood.BECAME))
PASSING, PASSING_WORDS, SOON = 0.5, 24, timedelta(days=62)
FIRST_YEAR, LAST_YEAR = 1900, 2100


@dataclass(frozen=True, slots=True)
class StatementTimes:
    event: datetime | None = None
    event_end: datetime | None = None
    since: datetime | None = None
    until: datetime | None = None
    expires: datetime | None = None


def windows_of(text: str, said_at: datetime, names: Sequence[Span] = ()) -> list[Window]:
    """The times that a turn speaks of, with the words that lead to them. What lies in a name is none, nor is a number
    that is no year; what recurs is on no day, and keeps its words only."""
    found = []
    for window in when(text, said_at):
        if _is_a_time(window, text, names):
            led = _led(window, text)
            found.append(replace(led, start=None, end=None) if _recurs(led, text) else _ahead(led, text, said_at))
    return found


def _ahead(window: Window, text: str, said_at: datetime) -> Window:
    """A day or month without its year is the coming one, unless it is told in the past."""
    before = text[: window.span[0]]
    put_off = (UNTIL.match(window.text) or BY.match(window.text)) and _PUT_OFF.search(before)
    told_back = looks_back(text, window.span) and not _COMING.search(before) and not put_off
    return window if told_back else _to_come(window, said_at)


def _is_a_time(window: Window, text: str, names: Sequence[Span]) -> bool:
    start, end = window.span
    if any(start < last and first < end for first, last in names) or _ONLY_NOW.fullmatch(window.text.strip()):
        return False
    if any(_CODE.search(word[0]) for word in _WORD.finditer(text) if start < word.end() and word.start() < end):
        return False
    if re.fullmatch(r"\d{4}", window.text) and not FIRST_YEAR <= int(window.text) <= LAST_YEAR:
        return False
    if window.start is not None and not FIRST_YEAR - 500 <= window.start.year <= LAST_YEAR + 100:
        return False
    of_something = _OF_SOMETHING.match(text, end) or _SOMEBODYS.search(text[:start])
    return not (_EDGE_DAY.fullmatch(window.text) and of_something)


def _led(window: Window, text: str) -> Window:
    start, end = window.span
    lead = _LEADS.search(text[:start])
    start = lead.start() if lead else start
    return replace(window, text=text[start:end], span=(start, end))


def _recurs(window: Window, text: str) -> bool:
    """ "I usually get up at 6am". What says its day does not: "usually late, but early on 3 May 2024"."""
    if _ON_A_DAY.search(window.text):
        return False
    start, end = window.span
    first = max((one.end() for one in _TURNS.finditer(text, 0, start)), default=0)
    last = next((one.start() for one in _TURNS.finditer(text, end)), len(text))
    return RECURS.search(text, first, last) is not None


def times_of(text: str, said_at: datetime, mood: FactMood, lasts: float) -> StatementTimes:
    """Of a text that is one statement."""
    return told_times(windows_of(text, said_at), said_at, mood, lasts, len(text.split()))


def told_times(
    windows: Sequence[Window], said_at: datetime, mood: FactMood, lasts: float, words: int
) -> StatementTimes:
    """`windows`: the times in its words; `lasts`: how sure it is that it does not pass by itself; `words`: how many
    there are, since a long statement says more than what passes."""
    found = [one for one in windows if one.start is not None or one.end is not None]
    until = next((one for one in found if UNTIL.match(one.text)), None)
    window = next((one for one in found if one is not until), None)
    if window is not None and mood in AHEAD:
        window = _to_come(window, said_at)
    if window is None:
        event = None
    elif window.start is None and BY.match(window.text) and window.end is not None:
        event = window.end - timedelta(days=1)
    else:
        event = window.start
    since = event if window is not None and (mood is not FactMood.SO or SINCE.match(window.text)) else None
    ranged = window is not None and window.end and window.grain > Grain.DAY and _is_range(window)
    return StatementTimes(
        event,
        window.end if window is not None and ranged else None,
        since,
        until.end if until is not None else None,
        _expires(until, window, said_at, mood, lasts) if words <= PASSING_WORDS else None,
    )


def _expires(
    until: Window | None, window: Window | None, said_at: datetime, mood: FactMood, lasts: float
) -> datetime | None:
    """An appointment, and what is only so until a day that is near."""
    if mood in BEHIND or (lasts >= PASSING and mood is not FactMood.TEMPORARY):
        return None
    for one in (until, window):
        near = one is not None and one.end is not None and said_at < one.end <= said_at + SOON
        if one is not None and near and (one is until or AN_HOUR.search(one.text) or mood is FactMood.TEMPORARY):
            return _midnight_after(one.end) if one.end is not None else None
    return None


def _midnight_after(moment: datetime) -> datetime:
    floor = moment.replace(hour=0, minute=0, second=0, microsecond=0)
    return floor if floor == moment else floor + timedelta(days=1)


def _is_range(window: Window) -> bool:
    return bool(re.match(r"\s*(?:from|between)\b.*\b(?:to|and|till|until)\b", window.text, re.IGNORECASE))


def _to_come(window: Window, said_at: datetime) -> Window:
    """A year is never guessed backwards for what is to come: "April 2", said in March, is the next one. What says its
    day, or begins in the past by its words, stays."""
    moment = window.start or window.end
    if moment is None or moment >= said_at - timedelta(days=1) or window.grain >= Grain.YEAR:
        return window
    if _YEAR.search(window.text) or _BEHIND.search(window.text) or _SINCE_THEN.match(window.text):
        return window
    again = when(f"It will be {_FROM.sub('starting', window.text)}", said_at)
    return replace(window, start=again[0].start, end=again[0].end) if again else window
