"""WHEN was a message written, in the many ways in which exports write it? Times without a zone are read as UTC, since
an export does not say where it was made."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from itertools import pairwise

_NUMBER = re.compile(r"\d{9,19}(?:\.\d+)?")
_DATE = r"(?P<{0}>\d{{1,4}})[./-](?P<{1}>\d{{1,2}})[./-](?P<{2}>\d{{1,4}})"
_CLOCK = (
    r"(?P<hour>\d{1,2})[:.](?P<minute>\d{2})(?:[:.](?P<second>\d{2}))?(?:\.\d+)?(?:\s*(?P<half>[AaPp])\.?\s?[Mm]\.?)?"
)
STAMP = _DATE.format("a", "b", "c") + r"(?:,|\s|T)\s*" + _CLOCK
"""A date and a time of day, in digits, for a pattern of a line."""
_MOST_SECONDS = 1e11  # the year 5138
_MOST_NUMBER = 1e20


def moment(value: object) -> datetime | None:
    """The time, in UTC; None if it is none."""
    try:
        if isinstance(value, bool) or value is None:
            return None
        if isinstance(value, int | float):
            return _since_1970(float(value))
        if not isinstance(value, str):
            return None
        return _written(value.strip())
    except (ValueError, OverflowError, OSError):
        return None


def _since_1970(number: float) -> datetime | None:
    while _MOST_SECONDS <= number < _MOST_NUMBER:  # it counts thousandths, or thousandths of those
        number /= 1000
    return datetime.fromtimestamp(round(number, 6), UTC) if number > 0 else None


def _written(text: str) -> datetime | None:
    if _NUMBER.fullmatch(text):
        return _since_1970(float(text))
    try:
        read = datetime.fromisoformat(text.removesuffix(" UTC"))
    except ValueError:
        read = parsedate_to_datetime(text) if "," in text else datetime.strptime(text, "%d.%m.%Y %H:%M:%S %Z%z")
    return (read if read.tzinfo else read.replace(tzinfo=UTC)).astimezone(UTC)


def in_order(stamps: Iterable[Mapping[str, str]]) -> list[datetime | None]:
    """Times from what STAMP found. Whether the day or the month comes first is decided for all of them together: by a
    number that can only be a day, else by which of the two lets time run forward, else by the clock of twelve hours,
    which is used where the month comes first."""
    found = list(stamps)
    ways = [[_point(one, day_first) for one in found] for day_first in (True, False)]
    wrong = [sum(point is None for point in way) for way in ways]
    back = [sum(b < a for a, b in _neighbours(way)) for way in ways]
    twelve = sum("half" in one for one in found) * 2 > len(found)
    month_first = (wrong[1], back[1], not twelve) < (wrong[0], back[0], twelve)
    return ways[1] if month_first else ways[0]


def _neighbours(points: list[datetime | None]) -> Iterable[tuple[datetime, datetime]]:
    known = [point for point in points if point is not None]
    return pairwise(known)


def _point(found: Mapping[str, str], day_first: bool) -> datetime | None:
    a, b, c = found["a"], found["b"], found["c"]
    if len(a) == 4:
        year, month, day = a, b, c
    else:
        year, (day, month) = c, (a, b) if day_first else (b, a)
    hour = int(found["hour"])
    if "half" in found:
        hour = hour % 12 + (12 if found["half"] in "Pp" else 0)
    try:
        full = int(year) + (2000 if len(year) <= 2 else 0)
        return datetime(full, int(month), int(day), hour, int(found["minute"]), int(found.get("second", 0)), tzinfo=UTC)
    except ValueError:
        return None
