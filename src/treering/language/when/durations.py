"""How long is it? Durations in words and figures, and the moment that lies one away.

"3 months and 2 weeks", "a year and a half", "half an hour", "2h", "a fortnight", "a couple of days".
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime

from treering.language.when.numbers import count
from treering.language.when.readers import text_at, texts_at, unit_named
from treering.language.when.stretch import TimeStretch, shift, unit_at
from treering.language.when.tokens import TimeToken
from treering.language.when.window import Grain

Duration = tuple[tuple[int, Grain], ...]
MOST_PARTS = 5

HALVES = {
    Grain.MINUTE: (30, Grain.SECOND),
    Grain.HOUR: (30, Grain.MINUTE),
    Grain.DAY: (12, Grain.HOUR),
    Grain.WEEK: (3, Grain.DAY),
    Grain.MONTH: (15, Grain.DAY),
    Grain.YEAR: (6, Grain.MONTH),
    Grain.DECADE: (5, Grain.YEAR),
    Grain.CENTURY: (50, Grain.YEAR),
}
_GRAIN_OF = {
    Grain.SECOND: Grain.MINUTE,
    Grain.MINUTE: Grain.MINUTE,
    Grain.HOUR: Grain.HOUR,
    Grain.DAY: Grain.DAY,
    Grain.WEEK: Grain.DAY,
    Grain.MONTH: Grain.DAY,
    Grain.QUARTER: Grain.MONTH,
    Grain.YEAR: Grain.MONTH,
    Grain.DECADE: Grain.YEAR,
    Grain.CENTURY: Grain.DECADE,
}
"""How finely a distance is meant: "three months ago" is a day, "two years ago" a month, "two decades ago" a year."""


Step = Callable[[list[TimeToken], int], tuple[int, Duration] | None]
"""A number and its unit at a place, and where reading goes on."""


def added_up(
    tokens: list[TimeToken], i: int, step: Step, half: Callable[[list[TimeToken], int], int | None], joint: str
) -> list[tuple[int, Duration]]:
    """Every duration that begins here, the longest first: units one after another, each smaller than the one before.

    `half` gives the place after "and a half", `joint` is "and".
    """
    found: list[tuple[int, Duration]] = []
    parts: Duration = ()
    j = i
    while j < len(tokens) and len(parts) < MOST_PARTS:
        read = step(tokens, j)
        if read is None or (parts and read[1][0][1] >= parts[-1][1]):
            break
        j, more = read
        parts += more
        found.insert(0, (j, parts))
        half_end = half(tokens, j)
        if half_end is not None and more[0][1] in HALVES:
            found.insert(0, (half_end, (*parts, HALVES[more[0][1]])))
        j += text_at(tokens, j) == ","
        j += text_at(tokens, j) == joint
    return found


def duration(tokens: list[TimeToken], i: int) -> list[tuple[int, Duration]]:
    return added_up(tokens, i, lambda t, k: _half(t, k) or _counted(t, k), _and_a_half, "and")


def _counted(tokens: list[TimeToken], i: int) -> tuple[int, Duration] | None:
    """ "three weeks", "2 more days", "3 business days", "one and a half years"."""
    decimal = _decimal(tokens, i)
    if decimal is not None:
        return decimal
    for end, number in count(tokens, i):
        j = end + (end < len(tokens) and tokens[end].text in ("more", "full", "whole", "long", "short", "-"))
        half_end = _and_a_half(tokens, j)
        grain = unit_named(tokens, half_end if half_end is not None else j)
        if grain is None and text_at(tokens, j) in ("fortnight", "fortnights"):
            return j + 1, ((number * 14, Grain.DAY),)
        if grain is None:
            continue
        if half_end is not None and grain in HALVES:
            return half_end + 1, ((number, grain), HALVES[grain])
        return j + 1, ((number, grain),)
    return None


def _decimal(tokens: list[TimeToken], i: int) -> tuple[int, Duration] | None:
    """ "2.5 hours": halves and the like, told in the next smaller unit."""
    if i + 3 >= len(tokens) or text_at(tokens, i + 1) != "." or not (tokens[i + 1].glued and tokens[i + 2].glued):
        return None
    grain = unit_named(tokens, i + 3)
    if grain not in HALVES or not (text_at(tokens, i).isdecimal() and text_at(tokens, i + 2).isdecimal()):
        return None
    half, smaller = HALVES[grain]
    part = round(float(f"0.{text_at(tokens, i + 2)[:3]}") * 2 * half)
    return i + 4, ((min(int(text_at(tokens, i)[:4]), 2000), grain), (part, smaller))


def _half(tokens: list[TimeToken], i: int) -> tuple[int, Duration] | None:
    """ "half an hour", "half a year", "a half hour"."""
    j = i + (text_at(tokens, i) in ("a", "about"))
    if texts_at(tokens, j, "quarter", "of", "an", "hour"):
        return j + 4, ((15, Grain.MINUTE),)
    if text_at(tokens, j) != "half":
        return None
    j += 1 + (text_at(tokens, j + 1) in ("a", "an"))
    grain = unit_named(tokens, j)
    return (j + 1, (HALVES[grain],)) if grain in HALVES else None


def _and_a_half(tokens: list[TimeToken], i: int) -> int | None:
    return i + 3 if texts_at(tokens, i, "and", "a", "half") else None


def away(point: datetime, length: Duration, sign: int) -> datetime:
    for number, grain in length:
        point = shift(point, sign * number, grain)
    return point


def at_distance(point: datetime, length: Duration, sign: int) -> TimeStretch:
    """What lies that far from a moment, as finely as one means it."""
    return unit_at(away(point, length, sign), grain_of(length))


def grain_of(length: Duration) -> Grain:
    return _GRAIN_OF[length[-1][1]]
