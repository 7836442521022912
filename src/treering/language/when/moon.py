"""On which day is the Chinese New Year? New moons and the sun's place, near enough for Chinese civil days.

The eleventh month holds the winter solstice and the year begins with the second new moon after that month's own,
or the third if a leap month comes between. Series are cut where a term is worth less than a few minutes.
"""

from __future__ import annotations

from datetime import datetime, timedelta
from functools import lru_cache
from math import floor, radians, sin

from treering.language.when.stretch import at

NOON = timedelta(hours=12)
_LUNATION = 29.530588861
J2000 = at(2000) + NOON
_CHINA = timedelta(hours=8)
DYNAMICAL = timedelta(seconds=69)
_FIRST_YEAR, _LAST_YEAR = 1900, 2100
"""Outside these the clocks drift from the series and China kept other rules."""


def new_moon(k: int) -> datetime:
    """The moment of the new moon numbered k from January 2000, in dynamical time."""
    t = k / 1236.85
    day = 5.59766 + _LUNATION * k + 0.00015437 * t * t
    sun = radians(2.5534 + 29.10535670 * k)
    moon = radians(201.5643 + 385.81693528 * k + 0.0107582 * t * t)
    latitude = radians(160.7108 + 390.67050284 * k - 0.0016118 * t * t)
    node = radians(124.7746 - 1.56375588 * k)
    drift = 1 - 0.002516 * t
    day += (
        -0.40720 * sin(moon)
        + 0.17241 * drift * sin(sun)
        + 0.01608 * sin(2 * moon)
        + 0.01039 * sin(2 * latitude)
        + 0.00739 * drift * sin(moon - sun)
        - 0.00514 * drift * sin(moon + sun)
        + 0.00208 * sin(2 * sun)
        - 0.00111 * sin(moon - 2 * latitude)
        - 0.00057 * sin(moon + 2 * latitude)
        + 0.00056 * sin(2 * moon + sun)
        - 0.00042 * sin(3 * moon)
        + 0.00042 * sin(sun + 2 * latitude)
        + 0.00038 * sin(sun - 2 * latitude)
        - 0.00024 * sin(2 * moon - sun)
        - 0.00017 * sin(node)
    )
    return at(2000) + timedelta(days=day)


def sun_longitude(moment: datetime) -> float:
    """Degrees along the ecliptic, to about a hundredth."""
    t = (moment - J2000).total_seconds() / 86_400 / 36_525
    mean = 280.46646 + 36_000.76983 * t
    anomaly = radians(357.52911 + 35_999.05029 * t)
    centre = (1.914602 - 0.004817 * t) * sin(anomaly) + 0.019993 * sin(2 * anomaly) + 0.000289 * sin(3 * anomaly)
    node = radians(125.04 - 1934.136 * t)
    return (mean + centre - 0.00569 - 0.00478 * sin(node)) % 360


def _chinese_day(moment: datetime) -> int:
    return (moment - DYNAMICAL + _CHINA).toordinal()


def _solstice(year: int) -> int:
    """The Chinese civil day on which the sun stands at 270 degrees."""
    moment = at(year, 12, 21)
    for _ in range(4):
        moment += timedelta(days=(270 - sun_longitude(moment)) / 0.98565)
    return _chinese_day(moment)


def _month_starts(year: int) -> list[int]:
    """New-moon days from the month that holds the solstice of the year before, to that of this year."""
    first, last = _solstice(year - 1), _solstice(year)
    k = floor((year - 2000 - 0.1) * 12.3685) - 2
    starts = [_chinese_day(new_moon(k + n)) for n in range(18)]
    begin = max(n for n, start in enumerate(starts) if start <= first)
    until = max(n for n, start in enumerate(starts) if start <= last)
    return starts[begin : until + 1]


def _has_no_term(start: int, end: int) -> bool:
    """Whether the sun enters no new thirty degrees in these days: a leap month."""

    def sign(number: int) -> int:
        return floor(sun_longitude(datetime.fromordinal(number) - _CHINA + DYNAMICAL) / 30)

    return sign(start) == sign(end)


@lru_cache(maxsize=256)
def chinese_new_year(year: int) -> datetime:
    if not _FIRST_YEAR < year < _LAST_YEAR:
        raise ValueError(f"the Chinese New Year of {year} is not computed")
    starts = _month_starts(year)
    leap_year = len(starts) == 14
    early_leap = leap_year and any(_has_no_term(starts[n], starts[n + 1]) for n in (1, 2))
    return datetime.fromordinal(starts[3 if early_leap else 2])
