"""Which hour do these words say? Times of day in their many written forms, and ranges of them.

A bare number ("at 5") is a time only beside a day or another time, so each reading says whether it is sure. Without
"am" or "pm" an hour from 1 to 6 is taken for the afternoon when nothing else decides.
"""

from __future__ import annotations

from dataclasses import dataclass

from treering.language.when.numbers import integer
from treering.language.when.readers import text_at
from treering.language.when.tokens import TimeToken


@dataclass(frozen=True, slots=True)
class Clock:
    """Minutes after midnight, how long the named time lasts, and whether it can only be a time of day."""

    minutes: int
    lasts: int
    sure: bool
    half: int | None = None
    """The half of the day that was said: 0 is am, 1 is pm, None is neither."""
    named: bool = False


Clocks = list[tuple[int, Clock]]


def clock(tokens: list[TimeToken], i: int) -> Clocks:
    """Every way to read a time of day at a position: "8:00am", "8.30 pm", "9a", "half past six", "noon"."""
    named = _named(tokens, i)
    if named:
        return named
    found: Clocks = []
    for end, hour, minute, shown in _hours(tokens, i):
        after, half = meridiem(tokens, end)
        if half is not None and 1 <= hour <= 12:
            spelt_out = after - end > 1 or tokens[end].text in ("am", "pm")
            found.append((after, _at(hour % 12 + 12 * half, minute, spelt_out, half)))
        if shown != "dotted" and hour <= 24 and not (half is not None and hour <= 12):
            oclock = text_at(tokens, end) in ("oclock", "o'clock")
            found.append((end + oclock, _at(hour % 24, minute, shown == "colon" or oclock, None)))
    return found


def _at(hour: int, minute: int | None, sure: bool, half: int | None) -> Clock:
    return Clock(hour * 60 + (minute or 0), 60 if minute is None else 1, sure, half)


def _named(tokens: list[TimeToken], i: int) -> Clocks:
    word = text_at(tokens, i)
    if word == "noon":
        return [(i + 1, Clock(12 * 60, 60, True, 1, named=True))]
    if word == "midnight":
        return [(i + 1, Clock(0, 60, True, 0, named=True))]
    minute = {"half": 30, "quarter": 15}.get(word)
    side = text_at(tokens, i + 1)
    if minute is None or side not in ("past", "to", "after") or i + 2 >= len(tokens):
        return []
    offset = -minute if side == "to" else minute
    found: Clocks = []
    for end, hour in integer(tokens, i + 2):
        if 1 <= hour <= 12:
            after, half = meridiem(tokens, end)
            found.append((after, Clock((hour % 12 + 12 * (half or 0)) * 60 + offset, 1, True, half)))
    return [(end, read) for end, read in found if read.minutes >= 0]


def _hours(tokens: list[TimeToken], i: int) -> list[tuple[int, int, int | None, str]]:
    """(next, hour, minute or None, how it was shown)."""
    token = tokens[i]
    if "DIGITS" not in token.classes:
        return _spelt(tokens, i)
    if len(token.text) > 2:
        return _military(token, tokens, i)
    hour = int(token.text)
    found: list[tuple[int, int, int | None, str]] = []
    separator = text_at(tokens, i + 1)
    if separator in (":", ".") and i + 2 < len(tokens) and tokens[i + 1].glued and tokens[i + 2].glued:
        minute = tokens[i + 2]
        if len(minute.text) == 2 and minute.text.isdecimal() and int(minute.text) < 60:
            end = _past_seconds(tokens, i + 3)
            found.append((end, hour, int(minute.text), "colon" if separator == ":" else "dotted"))
    return [*found, (i + 1, hour, None, "bare")]


def _military(token: TimeToken, tokens: list[TimeToken], i: int) -> list[tuple[int, int, int | None, str]]:
    """Four digits run together need their "am" or "pm": "0730 am"."""
    value = int(token.text) if len(token.text) <= 4 else 9999
    if value % 100 < 60 and value < 1300 and meridiem(tokens, i + 1)[1] is not None:
        return [(i + 1, value // 100, value % 100, "colon")]
    return []


def _spelt(tokens: list[TimeToken], i: int) -> list[tuple[int, int, int | None, str]]:
    """ "six", "seven twenty-seven", "three oh five"."""
    found: list[tuple[int, int, int | None, str]] = []
    for end, hour in integer(tokens, i):
        if not 1 <= hour <= 12:
            continue
        minutes = integer(tokens, end) if end < len(tokens) and "DIGITS" not in tokens[end].classes else []
        found += [(after, hour, minute, "bare") for after, minute in minutes if 10 <= minute < 60]
        found.append((end, hour, None, "bare"))
    return found


def _past_seconds(tokens: list[TimeToken], i: int) -> int:
    """Seconds and their fraction are read over: windows are no finer than minutes."""
    if text_at(tokens, i) == ":" and text_at(tokens, i + 1).isdecimal() and len(text_at(tokens, i + 1)) == 2:
        i += 2
        if text_at(tokens, i) == "." and text_at(tokens, i + 1).isdecimal() and tokens[i + 1].glued:
            i += 2
    return i


def meridiem(tokens: list[TimeToken], i: int) -> tuple[int, int | None]:
    """ "am", "pm", "a.m.", "p m", and "a" or "p" when it touches the number."""
    word = text_at(tokens, i)
    if word in ("am", "pm"):
        return i + 1, int(word == "pm")
    if word not in ("a", "p"):
        return i, None
    half = int(word == "p")
    if text_at(tokens, i + 1) == "." and text_at(tokens, i + 2) == "m":
        return i + 3 + (text_at(tokens, i + 3) == "."), half
    if text_at(tokens, i + 1) == "m":
        return i + 2, half
    return (i + 1, half) if tokens[i].glued and tokens[i - 1].text.isdecimal() else (i, None)


def between(first: Clock, last: Clock) -> tuple[int, int]:
    """Minutes from and to for "from 2 to 4:30pm": the half of the day said once holds for both."""
    start, end = first.minutes, last.minutes
    if first.half is None and last.half == 1 and start < 12 * 60 and start + 12 * 60 <= end:
        start += 12 * 60
    if first.half is not None and last.half is None and end < start and end + 12 * 60 > start:
        end += 12 * 60
    if end <= start:
        end += 12 * 60 if end + 12 * 60 > start and last.half is None else 24 * 60
    return start, end


def likely(read: Clock) -> int:
    """Minutes after midnight for a time said without its half of the day: few people meet at 4 in the morning."""
    return read.minutes + 12 * 60 if read.half is None and 60 <= read.minutes < 7 * 60 else read.minutes
