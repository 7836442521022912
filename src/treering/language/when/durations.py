"""How long is it? Durations in words and figures, and the moment that lies one away.

"3 months and 2 weeks", "a year and a half", "half an hour", "2h", "a fortnight", "a couple of days".
"""

from __future__ import annotations

from datetime import datetime

from treering.language.when.numbers import count
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


def duration(tokens: list[TimeToken], i: int) -> list[tuple[int, Duration]]:
    found: list[tuple[int, Duration]] = []
    parts: Duration = ()
    j: int | None = i
    while j is not None and len(parts) < MOST_PARTS:
        step = _half(tokens, j) or _counted(tokens, j)
        if step is None or (parts and step[1][0][1] >= parts[-1][1]):
            break
        end, more = step
        parts += more
        found.insert(0, (end, parts))
        half_end = _and_a_half(tokens, end)
        if half_end is not None and more[0][1] in HALVES:
            found.insert(0, (half_end, (*parts, HALVES[more[0][1]])))
        j = _past_joint(tokens, end)
    return found


def _counted(tokens: list[TimeToken], i: int) -> tuple[int, Duration] | None:
    """ "three weeks", "2 more days", "3 business days", "one and a half years"."""
    decimal = _decimal(tokens, i)
    if decimal is not None:
        return decimal
    for end, number in count(tokens, i):
        j = end + (end < len(tokens) and tokens[end].text in ("more", "full", "whole", "long", "short", "-"))
        half_end = _and_a_half(tokens, j)
        grain = _unit(tokens, half_end if half_end is not None else j)
        if grain is None and _text(tokens, j) in ("fortnight", "fortnights"):
            return j + 1, ((number * 14, Grain.DAY),)
        if grain is None:
            continue
        if half_end is not None and grain in HALVES:
            return half_end + 1, ((number, grain), HALVES[grain])
        return j + 1, ((number, grain),)
    return None


def _decimal(tokens: list[TimeToken], i: int) -> tuple[int, Duration] | None:
    """ "2.5 hours": halves and the like, told in the next smaller unit."""
    if i + 3 >= len(tokens) or _text(tokens, i + 1) != "." or not (tokens[i + 1].glued and tokens[i + 2].glued):
        return None
    grain = _unit(tokens, i + 3)
    if grain not in HALVES or not (_text(tokens, i).isdecimal() and _text(tokens, i + 2).isdecimal()):
        return None
    half, smaller = HALVES[grain]
    part = round(float(f"0.{_text(tokens, i + 2)[:3]}") * 2 * half)
    return i + 4, ((min(int(_text(tokens, i)[:4]), 2000), grain), (part, smaller))


def _half(tokens: list[TimeToken], i: int) -> tuple[int, Duration] | None:
    """ "half an hour", "half a year", "a half hour"."""
    j = i + (_text(tokens, i) in ("a", "about"))
    if [_text(tokens, j + k) for k in range(4)] == ["quarter", "of", "an", "hour"]:
        return j + 4, ((15, Grain.MINUTE),)
    if _text(tokens, j) != "half":
        return None
    j += 1 + (_text(tokens, j + 1) in ("a", "an"))
    grain = _unit(tokens, j)
    return (j + 1, (HALVES[grain],)) if grain in HALVES else None


def _and_a_half(tokens: list[TimeToken], i: int) -> int | None:
    words = [_text(tokens, i + k) for k in range(3)]
    return i + 3 if words == ["and", "a", "half"] else None


def _past_joint(tokens: list[TimeToken], i: int) -> int | None:
    j = i + (_text(tokens, i) == ",")
    j += _text(tokens, j) == "and"
    return j if j < len(tokens) else None


def _text(tokens: list[TimeToken], i: int) -> str:
    return tokens[i].text if i < len(tokens) else ""


def _unit(tokens: list[TimeToken], i: int) -> Grain | None:
    """The unit named here; "h" only when it touches its number."""
    if i >= len(tokens) or (tokens[i].text == "h" and not tokens[i].glued):
        return None
    value = tokens[i].classes.get("UNIT")
    return value if isinstance(value, Grain) else None


def away(point: datetime, length: Duration, sign: int) -> datetime:
    for number, grain in length:
        point = shift(point, sign * number, grain)
    return point


def at_distance(point: datetime, length: Duration, sign: int) -> TimeStretch:
    """What lies that far from a moment, as finely as one means it."""
    return unit_at(away(point, length, sign), grain_of(length))


def grain_of(length: Duration) -> Grain:
    return _GRAIN_OF[length[-1][1]]
