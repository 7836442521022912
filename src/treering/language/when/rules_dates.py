"""Which date is named? Years, decades, what comes once a year, and dates in their many written forms.

The tables are read top down: a part of the grammar, its patterns, and an example of each. Parts stand in layers: a
`MONTHDAY` has no year, a `DATED` may have one.
"""

from __future__ import annotations

from datetime import timedelta

from treering.language.when.durations import Duration
from treering.language.when.grammar import GrammarRule, same
from treering.language.when.numeric import Figures
from treering.language.when.stretch import (
    Recurring,
    Timed,
    TimeStretch,
    at,
    day,
    every_date,
    every_month,
    month_of,
    months,
    unit_at,
    units_within,
    year_of,
    yearly,
)
from treering.language.when.time_context import TimeContext, closest
from treering.language.when.window import Grain

CENTURY_WINDOW_YEARS = 20
"""A year of two digits lies no further ahead than this: in 2016, '35 is 2035 and '40 is 1940."""


HOURS_DOUBT = timedelta(days=60)
"""Beyond this, "Monday 2-6" is rather from three to eight."""


# Years


def _year(_: TimeContext, number: int) -> TimeStretch:
    return year_of(number)


def full_year(scene: TimeContext, short: int) -> int:
    century = scene.now.year // 100 * 100
    return century + short - (100 if century + short > scene.now.year + CENTURY_WINDOW_YEARS else 0)


def _short_year(scene: TimeContext, short: int) -> TimeStretch | None:
    return year_of(full_year(scene, short)) if short < 100 else None


def _early_year(_: TimeContext, number: int) -> TimeStretch | None:
    return year_of(number) if number >= 1 else None


def _shifted_year(scene: TimeContext, steps: int, unit: Grain) -> TimeStretch | None:
    return unit_at(scene.now, Grain.YEAR, steps) if unit is Grain.YEAR else None


def _years_away(scene: TimeContext, length: Duration, sign: int) -> TimeStretch | None:
    if len(length) == 1 and length[0][1] is Grain.YEAR:
        return unit_at(scene.now, Grain.YEAR, sign * length[0][0])
    return None


YEARREF = (
    GrammarRule("YEAR", _year, "2019"),
    GrammarRule("the? year YEAR", _year, "the year 2008"),
    GrammarRule("the year of? DIGITS", _early_year, "the year 476"),
    GrammarRule("calendar|fiscal year YEAR", _year, "calendar year 2008"),
    GrammarRule("cy|fy YEAR", _year, "cy 2011"),
    GrammarRule("cy|fy DIGITS", _short_year, "fy 21"),
    GrammarRule("' DIGITS", _short_year, "'98"),
    GrammarRule("YEAR ad|ce", _year, "1066 AD"),
    GrammarRule("DIGITS ad|ce", _early_year, "79 AD"),
    GrammarRule("DIGITS a . d .?", _early_year, "14 A.D."),
    GrammarRule("ad DIGITS", _early_year, "AD 79"),
    GrammarRule("the? SHIFT ONE", _shifted_year, "last year"),
    GrammarRule("the? SHIFT calendar|fiscal ONE", _shifted_year, "this calendar year"),
    GrammarRule("DURATION ago|back", lambda s, d: _years_away(s, d, -1), "two years ago"),
    GrammarRule("DURATION hence", lambda s, d: _years_away(s, d, 1), "six years hence"),
    GrammarRule("in DURATION", lambda s, d: _years_away(s, d, 1), "in three years"),
    GrammarRule("DURATION from now|today", lambda s, d: _years_away(s, d, 1), "three years from now"),
)


# Decades and centuries


def _decade(_: TimeContext, number: int) -> TimeStretch | None:
    if number % 100 == 0 and number < 2000:
        return TimeStretch(at(number), at(number + 100), Grain.CENTURY)
    return unit_at(at(number), Grain.DECADE) if number % 10 == 0 else None


def _short_decade(scene: TimeContext, tens: int) -> TimeStretch | None:
    """The nineties are those of the last century as soon as this one has not come to them."""
    if tens % 10 or tens > 90:
        return None
    century = scene.now.year // 100 * 100
    start = century + tens if century + tens <= scene.now.year else century - 100 + tens
    return unit_at(at(start), Grain.DECADE)


def _spoken_decade(_: TimeContext, century: int, tens: int) -> TimeStretch | None:
    return unit_at(at(century * 100 + tens), Grain.DECADE) if 10 <= century <= 20 else None


def _century(_: TimeContext, nth: int, unit: Grain) -> TimeStretch | None:
    if unit is not Grain.CENTURY or not 1 <= nth <= 30:
        return None
    first = max(1, (nth - 1) * 100)
    return TimeStretch(at(first), at(nth * 100), Grain.CENTURY)


DECADEREF = (
    GrammarRule("the? YEAR s", _decade, "the 1990s"),
    GrammarRule("the? YEAR ' s", _decade, "the 1960's"),
    GrammarRule("the? ' DIGITS s", _short_decade, "the '90s"),
    GrammarRule("the? ' DIGITS ' s", _short_decade, "the '90's"),
    GrammarRule("the DIGITS s", _short_decade, "the 90s"),
    GrammarRule("the? DIGITS ' s", _short_decade, "the 70's"),
    GrammarRule("the? TENSNAME", _short_decade, "the nineties"),
    GrammarRule("the? INTEGER TENSNAME", _spoken_decade, "the nineteen eighties"),
    GrammarRule("the? two thousands", lambda _: _decade(_, 2000), "the two thousands"),
    GrammarRule(
        "the? two thousand and? TENSNAME", lambda _, tens: _decade(_, 2000 + tens), "the two thousand and tens"
    ),
    GrammarRule("the? twenty tens", lambda _: _decade(_, 2010), "the twenty tens"),
    GrammarRule("the? ORDINAL UNIT", _century, "the 17th century"),
)


# What comes once a year


def season(_: TimeContext, first: int) -> Recurring:
    return yearly(Grain.QUARTER, lambda year: months(year, first, 3))


def _quarter(_: TimeContext, number: int) -> Recurring | None:
    if not 1 <= number <= 4:
        return None
    return yearly(Grain.QUARTER, lambda year: months(year, number * 3 - 2, 3))


def _quarter_unit(scene: TimeContext, number: int, unit: Grain) -> Recurring | None:
    return _quarter(scene, number) if unit is Grain.QUARTER else None


def _half(_: TimeContext, number: int) -> Recurring | None:
    if number not in (1, 2):
        return None
    return yearly(Grain.QUARTER, lambda year: months(year, number * 6 - 5, 6))


def _week_number(_: TimeContext, number: int) -> Recurring | None:
    if not 1 <= number <= 53:
        return None
    return yearly(Grain.WEEK, lambda year: units_within(year_of(year), Grain.WEEK, number, 1))


def week_this_year(scene: TimeContext, number: int) -> TimeStretch | None:
    """A numbered week without its year is this year's, whichever way the sentence looks."""
    week = _week_number(scene, number)
    return week.occurs(scene.now.year) if week else None


def _month_and_day(_: TimeContext, month: int, number: int) -> Recurring:
    return every_date(month, number)


def _day_and_month(_: TimeContext, number: int, month: int) -> Recurring:
    return every_date(month, number)


def _figures_without_year(_: TimeContext, read: Figures) -> Recurring | None:
    if read.year is None and read.day is not None:
        return every_date(read.month, read.day)
    return None


def _on_weekday(_: TimeContext, weekday: int, date: Recurring) -> Recurring:
    """Only the years in which the date is that weekday."""

    def occurs(year: int) -> TimeStretch | None:
        found = date.occurs(year)
        return found if found is not None and found.start.weekday() == weekday else None

    return Recurring(Grain.YEAR, Grain.DAY, occurs, loosely=date)


def _on_weekday_in_figures(scene: TimeContext, weekday: int, read: Figures) -> Recurring | None:
    """ "Friday 5-17" is a date if it can be one; else it is an hour."""
    date = _figures_without_year(scene, read)
    checked = _on_weekday(scene, weekday, date) if date else None
    found = closest(scene, checked) if checked else None
    if found is None or (read.dashed and abs(found.start - scene.now) > HOURS_DOUBT):
        return None
    return checked


MONTHDAY = (
    GrammarRule("MONTH ,? DAYNUMBER", _month_and_day, "March 4th"),
    GrammarRule("MONTH the ORDINAL", _month_and_day, "March the fourth"),
    GrammarRule("MONTH -|/ DAYNUMBER", _month_and_day, "Jan-3"),
    GrammarRule("the? DAYNUMBER .? of? MONTH", _day_and_month, "the 4th of March"),
    GrammarRule("the? ORDINAL day of MONTH", _day_and_month, "the third day of September"),
    GrammarRule("DAYNUMBER -|/ MONTH", _day_and_month, "4-Mar"),
    GrammarRule("FIGURES", _figures_without_year, "19/07"),
)
NAMEDDAY = MONTHDAY[:-1]
WEEKDAYDATE = (
    GrammarRule("WEEKDAY ,? FIGURES", _on_weekday_in_figures, "Friday 5-17"),
    GrammarRule("WEEKDAY ,? NAMEDDAY", _on_weekday, "Friday, March 4"),
    GrammarRule("WEEKDAY ,? the NAMEDDAY", _on_weekday, "Friday the 4th of March"),
    GrammarRule("WEEKDAY -|( NAMEDDAY )?", _on_weekday, "Friday (Mar-4)"),
    GrammarRule("NAMEDDAY ,? WEEKDAY", lambda s, d, w: _on_weekday(s, w, d), "Mar 4, Fri"),
    GrammarRule("NAMEDDAY ( WEEKDAY )", lambda s, d, w: _on_weekday(s, w, d), "Mar 4 (Fri)"),
    GrammarRule("this WEEKDAY ,? NAMEDDAY", _on_weekday, "this Friday, March 4"),
    GrammarRule("this WEEKDAY -|( NAMEDDAY )?", _on_weekday, "this Friday (Mar-4)"),
)
YEARLY = (
    GrammarRule("MONTH", lambda _, month: every_month(month), "March"),
    GrammarRule("the? month of MONTH", lambda _, month: every_month(month), "the month of March"),
    GrammarRule("the? SEASON", season, "summer"),
    same("HOLIDAY", "Christmas Eve"),
    GrammarRule("q DIGITS", _quarter, "Q3"),
    GrammarRule("quarter DIGITS", _quarter, "quarter 3"),
    GrammarRule("the? ORDINAL UNIT", _quarter_unit, "the third quarter"),
    GrammarRule("h DIGITS", _half, "H1"),
    GrammarRule("the? ORDINAL half", _half, "the first half"),
    GrammarRule("week|wk|cw INTEGER", _week_number, "week 17"),
    same("MONTHDAY", "March 4th"),
)


# Dates with their year


def in_year(_: TimeContext, thing: Recurring, year: TimeStretch) -> Timed | None:
    """ "winter 2020" begins in that year; so does its week 1, which may open in the December before."""
    return thing.occurs(year.start.year)


def _figures(scene: TimeContext, read: Figures) -> TimeStretch | None:
    if read.year is None:
        return None
    year = full_year(scene, read.year) if read.short_year else read.year
    return month_of(year, read.month) if read.day is None else day(year, read.month, read.day)


def _short_quarter(scene: TimeContext, short: int, number: int) -> TimeStretch | None:
    quarter = _quarter(scene, number)
    return quarter.occurs(full_year(scene, short)) if quarter and short < 100 else None


def _split_year(_: TimeContext, first: int, short: int) -> TimeStretch | None:
    """ "the 2017/18 season": two years that follow each other; "2008/09" is rather a month."""
    if (first + 1) % 100 != short or short <= 12:
        return None
    return TimeStretch(at(first), at(first + 2), Grain.YEAR)


def _week_of_year(_: TimeContext, year: TimeStretch, number: int) -> TimeStretch | None:
    return units_within(year, Grain.WEEK, number, 1)


def _month_of_year_of_day(_: TimeContext, year: TimeStretch, month: int, number: int) -> TimeStretch:
    return day(year.start.year, month, number)


def _short_dated(scene: TimeContext, number: int, month: int, short: int) -> TimeStretch | None:
    return day(full_year(scene, short), month, number) if short < 100 else None


DATED = (
    GrammarRule("YEARLY YEARREF", in_year, "March 2015"),
    GrammarRule("YEARLY ,|of|in|-|/ YEARREF", in_year, "March of 2015"),
    GrammarRule("YEARLY of the YEARREF", in_year, "March of the year 2015"),
    GrammarRule("YEARLY ( YEARREF )", in_year, "Easter (2015)"),
    GrammarRule("YEARREF YEARLY", lambda s, y, t: in_year(s, t, y), "2012 Q2"),
    GrammarRule("YEARREF in|at YEARLY", lambda s, y, t: in_year(s, t, y), "next year in March"),
    GrammarRule("YEARREF ,|-|/ YEARLY", lambda s, y, t: in_year(s, t, y), "2016, Nov"),
    GrammarRule("YEARREF w DIGITS", _week_of_year, "2020 W12"),
    GrammarRule("YEARREF - w DIGITS", _week_of_year, "2020-W12"),
    GrammarRule("DAYNUMBER -|/ MONTH -|/ DIGITS", _short_dated, "27-Jun-81"),
    GrammarRule("MONTH DAYNUMBER , ' DIGITS", lambda s, m, d, y: _short_dated(s, d, m, y), "March 4th, '21"),
    GrammarRule("YEARREF -|/ MONTH -|/ DAYNUMBER", _month_of_year_of_day, "2013/Feb/09"),
    GrammarRule("WEEKDAY ,? DATED1", lambda _s, _w, date: date, "Friday, March 4, 2022"),
    GrammarRule("WEEKDAY - DATED1", lambda _s, _w, date: date, "Friday-March 4, 2022"),
    same("WEEKDAYDATE", "Friday, March 4"),
    GrammarRule("WEEKDAYDATE ,? YEARREF", in_year, "Mar 4, Fri 2022"),
    GrammarRule("DIGITS q DIGITS", _short_quarter, "15q2"),
    GrammarRule("YEAR /|- DIGITS", _split_year, "2017/18"),
    GrammarRule("FIGURES", _figures, "2021-03-04"),
    same("YEARLY", "summer"),
)
DATED1 = (
    GrammarRule("MONTHDAY ,? YEARREF", in_year, "March 4, 2022"),
    GrammarRule("MONTHDAY of|in|-|/ YEARREF", in_year, "4 March of 2022"),
    GrammarRule("the MONTHDAY ,? YEARREF", in_year, "the 4th of March 2022"),
    GrammarRule("FIGURES", _figures, "3/4/2022"),
)
