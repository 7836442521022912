"""When does what a clause says hold, happen and end? From the windows that were read in it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from treering.ingest.extract.rules.clauses import Clause
from treering.ingest.extract.rules.lexicon import words
from treering.ingest.extract.worked_out import AN_HOUR, BY, SINCE, UNTIL
from treering.language.when import when
from treering.language.when.window import Window

_NOW = re.compile(r"(?:now|currently|right now|these days|nowadays|at the moment|from now on|lately|recently)", re.I)
_ONLY_AN_HOUR = re.compile(
    r"(?:at |by |from |around )?\d{1,2}(?:[:.]\d\d)? ?(?:[ap]\.?m\.?|o'clock|sharp)?", re.IGNORECASE
)
_TILL_AN_HOUR = re.compile(
    r"\b(?:till|until|til)\s+(?:about\s+|around\s+)?(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|noon"
    r"|midnight|lunch|dinner|(?:[1-9]|1[0-2]))(?:ish)?(?=\s*(?:[,.!?;)]|$|o'clock|today|tonight))",
    re.I,
)
_YEAR = re.compile(r"\b(?:1[89]|20)\d\d\b")
PASSING_WORDS = 24
_PAST_WORDS = re.compile(r"\b(?:ago|last|yesterday|since|this morning|back in|past|previous)\b", re.I)
_SHORT_MAX = timedelta(days=62)
_PASSING = words(
    """
    staying, house-sitting, housesitting, sitting, visiting, covering, filling, crashing, borrowing,
    subbing, trial, loaner, vacation, holiday, leave
    """
)
_LASTING = re.compile(
    r"\bfor (?:about |around |roughly |the next |another )?(\d+|a|an|one|two|three|four|five|six|seven|eight|nine"
    r"|ten|a few|a couple of|couple of) (day|night|week|month|year)s?\b",
    re.I,
)
_NUMBERS = {
    "a": 1,
    "an": 1,
    "one": 1,
    "two": 2,
    "three": 3,
    "four": 4,
    "five": 5,
    "six": 6,
    "seven": 7,
    "eight": 8,
    "nine": 9,
    "ten": 10,
    "a few": 3,
    "a couple of": 2,
    "couple of": 2,
}
_DAYS = {"day": 1, "night": 1, "week": 7, "month": 30, "year": 365}
_LONG_AGO = re.compile(
    r"\b(?:for|since) (?:about |around |roughly |over |almost |nearly |the last |the past )?(\d+|one|two|three"
    r"|four|five|six|seven|eight|nine|ten|twelve|fifteen|twenty) (month|year)s?\b",
    re.I,
)


@dataclass(frozen=True, slots=True)
class ClauseTimes:
    """`said` is whether a clause names a time at all."""

    start: datetime | None = None
    end: datetime | None = None
    said: bool = False


def windows_in(clauses: Sequence[Clause]) -> list[Window]:
    """In order, each once; what only means now is none."""
    found: list[Window] = []
    for clause in clauses:
        for i in range(clause.start, clause.end):
            number = clause.reading.time_at.get(i)
            if number is None:
                continue
            window = clause.reading.windows[number]
            if window not in found and not _NOW.fullmatch(window.text.strip()):
                found.append(window)
    return found


def times_of(clause: Clause, change: bool, past: bool) -> ClauseTimes:
    """A change holds from its time on; a past state during it; a present state only from since and until until."""
    start = end = None
    said = False
    for window in windows_in([clause]):
        said = True
        if UNTIL.match(window.text):
            end = end or window.end
        elif BY.match(window.text):
            start = start or (_day_before(window.end) if change else None)
        elif SINCE.match(window.text) or change or past:
            start = start or window.start
            end = end or (window.end if past or _is_range(window) else None)
    if not said:
        start = _long_since(clause)
        said = start is not None
    if start and end and end <= start:
        end = None
    return ClauseTimes(start, end, said)


def _is_range(window: Window) -> bool:
    return bool(re.match(r"\s*(?:from|between)\b.*\b(?:to|and|till|until)\b", window.text, re.I))


def _day_before(moment: datetime | None) -> datetime | None:
    return None if moment is None else moment - timedelta(days=1)


def _long_since(clause: Clause) -> datetime | None:
    """ "for ten years" said of a state that lasts."""
    found = _LONG_AGO.search(clause.text)
    if found is None or " was " in f" {clause.line} ":
        return None
    count = (
        _NUMBERS.get(found[1].lower())
        or {"twelve": 12, "fifteen": 15, "twenty": 20}.get(found[1].lower())
        or _int(found[1])
    )
    days = count * _DAYS[found[2].lower()]
    try:
        since = clause.reading.at - timedelta(days=days)
    except OverflowError:
        return None
    month = 1 if found[2].lower() == "year" else since.month
    return since.replace(month=month, day=1, hour=0, minute=0, second=0, microsecond=0)


def _int(text: str) -> int:
    return min(int(text), 900) if text.isdigit() else 0


def says_since(window: Window) -> bool:
    return SINCE.match(window.text) is not None


def coming(window: Window, clause: Clause) -> Window:
    """The same words read of what is yet to come: "signed up for a swim in May" is next May."""
    at = clause.reading.at
    if window.start is None or window.start >= at or _YEAR.search(window.text) or _PAST_WORDS.search(window.text):
        return window
    again = when(f"I will be there {window.text}", at)
    return replace(window, start=again[0].start, end=again[0].end) if again else window


def happened(clauses: Sequence[Clause], ahead: bool = False) -> tuple[datetime | None, datetime | None]:
    """When the statement that these clauses make took place or began, and when it was over if a range was said. What
    is told as yet to come is looked for `ahead`."""
    said = windows_in(clauses)
    for window in [coming(one, clauses[0]) for one in said] if ahead else said:
        if UNTIL.match(window.text):
            continue
        if window.start is None:
            if BY.match(window.text) and window.end is not None:
                return window.end - timedelta(days=1), None
            continue
        end = window.end if _is_range(window) else None
        return window.start, end
    for clause in clauses:
        since = _long_since(clause)
        if since is not None:
            return since, None
        if _TILL_AN_HOUR.search(clause.text) and not told_in_past(clause):
            return clause.reading.at.replace(hour=0, minute=0, second=0, microsecond=0), None
    return None, None


def worth_until(clauses: Sequence[Clause]) -> datetime | None:
    """After which moment it is no longer worth knowing: an appointment, and what is only so until a day. A long
    statement says more than that, and stays."""
    if sum(len(clause.text.split()) for clause in clauses) > PASSING_WORDS:
        return None
    for clause in clauses:
        at = clause.reading.at
        past = told_in_past(clause)
        passing = bool(clause.words & _PASSING)
        for window in clause.reading.windows if passing else windows_in([clause]):
            if window.end is None or (window.end <= at and window.end.date() < at.date()) or past:
                continue
            if UNTIL.match(window.text) and window.end - at <= _SHORT_MAX:
                return _midnight_after(window.end)
            if SINCE.match(window.text) or window.start is None:
                continue
            soon = window.start.date() <= at.date() + timedelta(days=1)
            if soon and _is_an_appointment(window):
                return _midnight_after(window.end)
        if not past and _TILL_AN_HOUR.search(clause.text):
            return _midnight_after(at)
        if not past and clause.words & _PASSING:
            found = _LASTING.search(clause.text)
            if found:
                count = _NUMBERS.get(found[1].lower()) or _int(found[1])
                return _midnight_after(at + timedelta(days=min(count, 400) * _DAYS[found[2].lower()]))
    return None


def _is_an_appointment(window: Window) -> bool:
    """An hour of a day: "at three tomorrow". News comes with its day ("it's a boy, we heard today") and stays; and an
    hour of which nobody said the day may be every day's."""
    return bool(AN_HOUR.search(window.text)) and not _ONLY_AN_HOUR.fullmatch(window.text)


def told_in_past(clause: Clause) -> bool:
    verbs = [tag for tag in clause.reading.tags[clause.start : clause.end] if tag in ("VBD", "VBZ", "VBP", "MD", "VBG")]
    return bool(verbs) and verbs[0] == "VBD"


def _midnight_after(moment: datetime) -> datetime:
    floor = moment.replace(hour=0, minute=0, second=0, microsecond=0)
    return floor if floor == moment else floor + timedelta(days=1)
