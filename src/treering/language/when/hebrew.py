"""When does a day of the Hebrew calendar fall? The arithmetic calendar in use since the fourth century.

Months are numbered from Nisan; Adar is the last before Nisan, so the second Adar of a leap year. Dates here are those
of the daylight; that a day begins on the evening before is for the feast to say.
"""

from __future__ import annotations

from datetime import datetime

NISAN, IYAR, SIVAN, TAMMUZ, AV, ELUL, TISHREI, CHESHVAN, KISLEV, TEVET, SHEVAT, ADAR = range(1, 13)
_EPOCH = -1373427
"""The proleptic Gregorian ordinal from which the days to a new year are counted."""
_SATURDAY = 5


def _elapsed(year: int) -> int:
    """Days from the epoch to the new year, after the rule that keeps it off Sunday, Wednesday and Friday."""
    lunations = (235 * year - 234) // 19
    parts = 12084 + 13753 * lunations
    number = 29 * lunations + parts // 25920
    return number + 1 if 3 * (number + 1) % 7 < 3 else number


def _new_year(year: int) -> int:
    before, this, after = (_elapsed(y) for y in (year - 1, year, year + 1))
    if after - this == 356:
        delay = 2
    elif this - before == 382:
        delay = 1
    else:
        delay = 0
    return _EPOCH + this + delay


def _lengths(year: int) -> list[int]:
    """The months from Tishrei to Elul; Adar I of a leap year counts with Shevat."""
    whole = _new_year(year + 1) - _new_year(year)
    leap = whole > 380
    cheshvan = 30 if whole % 10 == 5 else 29
    kislev = 29 if whole % 10 == 3 else 30
    return [30, cheshvan, kislev, 29, 30 + 30 * leap, 29, 30, 29, 30, 29, 30, 29]


def ordinal(year: int, month: int, number: int) -> int:
    """The proleptic Gregorian ordinal of a Hebrew date."""
    place = (month - TISHREI) % 12
    return _new_year(year) + sum(_lengths(year)[:place]) + number - 1


def in_year(year: int, month: int, number: int) -> datetime:
    """The day in that Gregorian year. From Tishrei to Kislev the Hebrew year is 3761 on, from Tevet 3760."""
    hebrew_year = year + (3761 if month in (TISHREI, CHESHVAN, KISLEV) else 3760)
    return datetime.fromordinal(ordinal(hebrew_year, month, number))


def ninth_of_av(year: int) -> datetime:
    """The fast moves from a sabbath to the day after."""
    found = in_year(year, AV, 9)
    return datetime.fromordinal(found.toordinal() + 1) if found.weekday() == _SATURDAY else found
