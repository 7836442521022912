"""When does a day of the Islamic calendar fall? By the rule of Umm al-Qura, the civil calendar of Saudi Arabia.

A month begins on the morrow of the first evening on which, at Mecca, the moon is past new and sets after the sun. Where
the moon is watched for, or another rule is kept, a feast may be a day off.
"""

from __future__ import annotations

from datetime import datetime, timedelta
from functools import lru_cache
from math import acos, asin, atan2, cos, degrees, radians, sin, tan

from treering.language.when.moon import DYNAMICAL, J2000, new_moon, sun_longitude

MUHARRAM, RABI_I, RAJAB, RAMADAN, SHAWWAL, DHU_AL_HIJJA = 1, 3, 7, 9, 10, 12
_LATITUDE, _LONGITUDE = radians(21.4225), 39.8262
_MECCA = timedelta(hours=3)
_TURN_DEGREES = 360.98564736629
_SUNSET, _MOONSET = radians(-0.833), radians(0.125)
_FIRST_YEAR, _LAST_YEAR = 1900, 2100
_SHAWWAL_1420 = 1420 * 12 + SHAWWAL
"""The month that began with the new moon numbered nought, of January 2000."""


def in_year(year: int, month: int, number: int) -> datetime:
    """The first such day in a Gregorian year; a few years hold two."""
    if not _FIRST_YEAR <= year <= _LAST_YEAR:
        raise ValueError(f"the Islamic feasts of {year} are not computed")
    guess = (year - 622) * 33 // 32
    for hijri in range(guess - 1, guess + 3):
        found = month_start(hijri * 12 + month) + timedelta(days=number - 1)
        if found.year == year:
            return found
    raise ValueError(f"no such day in {year}")


def month_after(start: datetime) -> datetime:
    """The beginning of the month after the one that begins at `start`."""
    index = _SHAWWAL_1420 + round((start - J2000).days / 29.530588861)
    return next(found for found in map(month_start, range(index, index + 3)) if found > start)


@lru_cache(maxsize=512)
def month_start(index: int) -> datetime:
    """The day on which a month begins; months are counted through, twelve to the year."""
    conjunction = new_moon(index - _SHAWWAL_1420) - DYNAMICAL
    midnight = (conjunction + _MECCA).replace(hour=0, minute=0, second=0, microsecond=0)
    evening = midnight
    while not _new_month(evening, conjunction):
        evening += timedelta(days=1)
    return evening + timedelta(days=1)


def _new_month(day: datetime, conjunction: datetime) -> bool:
    sunset = _sunset(day)
    return conjunction < sunset and _altitude(*_moon(sunset), sunset) > _MOONSET


def _sunset(day: datetime) -> datetime:
    """In universal time, at Mecca."""
    moment = day + timedelta(hours=15)
    for _ in range(3):
        ascension, declination = _equatorial(radians(sun_longitude(moment)), 0.0, moment)
        wanted = acos((sin(_SUNSET) - sin(_LATITUDE) * sin(declination)) / (cos(_LATITUDE) * cos(declination)))
        off = (degrees(wanted) - degrees(_hour_angle(ascension, moment)) + 180) % 360 - 180
        moment += timedelta(days=off / _TURN_DEGREES)
    return moment


def _moon(moment: datetime) -> tuple[float, float]:
    """Longitude and latitude on the ecliptic, to about a twentieth of a degree."""
    t = ((moment + DYNAMICAL) - J2000).total_seconds() / 86_400 / 36_525
    mean = 218.3164 + 481_267.88123 * t
    elongation = radians(297.8502 + 445_267.11140 * t)
    sun = radians(357.5291 + 35_999.05029 * t)
    moon = radians(134.9634 + 477_198.86751 * t)
    node = radians(93.2721 + 483_202.01752 * t)
    longitude = mean + (
        6.288774 * sin(moon)
        + 1.274027 * sin(2 * elongation - moon)
        + 0.658314 * sin(2 * elongation)
        + 0.213618 * sin(2 * moon)
        - 0.185116 * sin(sun)
        - 0.114332 * sin(2 * node)
        + 0.058793 * sin(2 * elongation - 2 * moon)
        + 0.057066 * sin(2 * elongation - sun - moon)
        + 0.053322 * sin(2 * elongation + moon)
        + 0.045758 * sin(2 * elongation - sun)
        - 0.040923 * sin(sun - moon)
        - 0.034720 * sin(elongation)
        - 0.030383 * sin(sun + moon)
    )
    latitude = (
        5.128122 * sin(node)
        + 0.280602 * sin(moon + node)
        + 0.277693 * sin(moon - node)
        + 0.173237 * sin(2 * elongation - node)
        + 0.055413 * sin(2 * elongation - moon + node)
        + 0.046271 * sin(2 * elongation - moon - node)
        + 0.032573 * sin(2 * elongation + node)
    )
    return radians(longitude % 360), radians(latitude)


def _equatorial(longitude: float, latitude: float, moment: datetime) -> tuple[float, float]:
    tilt = radians(23.4393 - 0.0130 * (moment - J2000).total_seconds() / 86_400 / 36_525)
    ascension = atan2(sin(longitude) * cos(tilt) - tan(latitude) * sin(tilt), cos(longitude))
    declination = asin(sin(latitude) * cos(tilt) + cos(latitude) * sin(tilt) * sin(longitude))
    return ascension, declination


def _hour_angle(ascension: float, moment: datetime) -> float:
    since = (moment - J2000).total_seconds() / 86_400
    sidereal = 280.46061837 + _TURN_DEGREES * since + _LONGITUDE
    return radians(sidereal % 360) - ascension


def _altitude(longitude: float, latitude: float, moment: datetime) -> float:
    ascension, declination = _equatorial(longitude, latitude, moment)
    angle = _hour_angle(ascension, moment)
    return asin(sin(_LATITUDE) * sin(declination) + cos(_LATITUDE) * cos(declination) * cos(angle))
