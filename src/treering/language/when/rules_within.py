"""Which stretch is meant by its place in another? "The first week of October", "Tuesday of last week", "mid-April".

A `CONTAINER` is a date or a unit; others count in it or cut it. `SIMPLE` gathers all that needs no second time to be
measured from.
"""

from __future__ import annotations

from datetime import timedelta

from treering.language.when.grammar import GrammarRule, Make, any_of, same
from treering.language.when.parts import part_of
from treering.language.when.rules_dates import HOURS_DOUBT, in_year, week_this_year
from treering.language.when.rules_units import shifted_thing
from treering.language.when.stretch import (
    DAY,
    MONTHS_IN,
    Recurring,
    Timed,
    TimeStretch,
    days,
    every_day_of_month,
    every_weekday,
    every_weekday_on,
    inside,
    mapped,
    midnight,
    nth_weekday,
    shift,
    unit_at,
    units_within,
)
from treering.language.when.time_context import TimeContext, closest
from treering.language.when.window import Grain

# Units and weekdays counted within others


def _nth_unit(_: TimeContext, nth: int, unit: Grain, container: Timed) -> Timed | None:
    return mapped(container, lambda held: units_within(held, unit, nth, 1), unit)


def _nth_units(_: TimeContext, nth: int, number: int, unit: Grain, container: Timed) -> Timed | None:
    return mapped(container, lambda held: units_within(held, unit, (nth - 1) * number + 1, number), unit)


def _last_units(_: TimeContext, number: int, unit: Grain, container: Timed) -> Timed | None:
    return mapped(container, lambda held: units_within(held, unit, -1, number), unit)


def _weekday_held(held: TimeStretch, weekday: int, nth: int) -> TimeStretch | None:
    if nth > 0:
        found = held.start + ((weekday - held.start.weekday()) % 7 + 7 * (nth - 1)) * DAY
    else:
        last = held.end - DAY
        found = last - ((last.weekday() - weekday) % 7 + 7 * (-nth - 1)) * DAY
    return days(found, 1) if held.start <= found < held.end else None


def _nth_day(_: TimeContext, nth: int, weekday: int, container: Timed) -> Timed | None:
    return mapped(container, lambda held: _weekday_held(held, weekday, nth), Grain.DAY)


def _nth_of_month(_: TimeContext, nth: int, weekday: int) -> Recurring | None:
    """ "the third Wednesday", of whichever month."""
    if not 1 <= nth <= 4:
        return None
    return Recurring(Grain.MONTH, Grain.DAY, lambda n: days(nth_weekday(n // 12, n % 12 + 1, weekday, nth), 1))


def _nth_weekend(_: TimeContext, nth: int, container: Timed) -> Timed | None:
    def found(held: TimeStretch) -> TimeStretch | None:
        saturday = _weekday_held(held, 5, nth)
        return days(saturday.start, 2, Grain.WEEK) if saturday else None

    return mapped(container, found, Grain.WEEK)


def _half_of(_: TimeContext, nth: int, container: Timed) -> Timed | None:
    def found(held: TimeStretch) -> TimeStretch | None:
        middle = (
            shift(held.start, MONTHS_IN[held.grain] // 2, Grain.MONTH)
            if MONTHS_IN.get(held.grain, 1) % 2 == 0
            else midnight(held.start + (held.end - held.start) / 2)
        )
        start, end = (held.start, middle) if nth == 1 else (middle, held.end)
        return TimeStretch(start, end, Grain.DAY if held.grain < Grain.QUARTER else Grain.MONTH)

    return mapped(container, found) if nth in (1, 2) else None


COUNTED = (
    GrammarRule("the? ORDINAL UNIT of|in|from CONTAINER", _nth_unit, "the first week of October"),
    GrammarRule("the? ORDINAL UNIT CONTAINER", _nth_unit, "the second quarter this year"),
    GrammarRule("the? last|final UNIT of|in CONTAINER", lambda s, u, c: _nth_unit(s, -1, u, c), "the last week of May"),
    GrammarRule(
        "the? ORDINAL last UNIT of|in CONTAINER", lambda s, n, u, c: _nth_unit(s, -n, u, c), "the 3rd last day of June"
    ),
    GrammarRule("the? ORDINAL COUNT UNIT of|in CONTAINER", _nth_units, "the first 3 weeks of 2018"),
    GrammarRule("the? last|final COUNT UNIT of|in CONTAINER", _last_units, "the last two days of June"),
    GrammarRule("the? ORDINAL WEEKDAY of|in CONTAINER", _nth_day, "the first Friday of next month"),
    GrammarRule(
        "the? last|final WEEKDAY of|in CONTAINER", lambda s, w, c: _nth_day(s, -1, w, c), "the last Friday in October"
    ),
    GrammarRule(
        "the? ORDINAL last WEEKDAY of|in CONTAINER",
        lambda s, n, w, c: _nth_day(s, -n, w, c),
        "second last Friday in May",
    ),
    GrammarRule("the? ORDINAL weekend of|in CONTAINER", _nth_weekend, "the first weekend of May"),
    GrammarRule("the? last weekend of|in CONTAINER", lambda s, c: _nth_weekend(s, -1, c), "the last weekend of May"),
    GrammarRule("the? ORDINAL half of CONTAINER", _half_of, "the first half of June"),
    GrammarRule("the? last|latter half of CONTAINER", lambda s, c: _half_of(s, 2, c), "the latter half of June"),
    GrammarRule("the ORDINAL WEEKDAY", _nth_of_month, "the third Wednesday"),
    GrammarRule("week|wk INTEGER of|in CONTAINER", lambda s, n, c: _nth_unit(s, n, Grain.WEEK, c), "week 2 of October"),
)


# Days within weeks and months, weeks around days


def _day_number_in(_: TimeContext, number: int, container: Timed) -> Timed | None:
    if container.grain is not Grain.MONTH:
        return None
    return inside(every_day_of_month(number), container)


def _around(unit: Grain, thing: Timed) -> Timed | None:
    if thing.grain >= unit:
        return None
    return mapped(thing, lambda held: unit_at(held.start, unit), unit)


def _weekend_around(_: TimeContext, thing: Timed) -> Timed | None:
    """The days off around a feast: a Monday feast makes three of them, a Thursday one four."""

    def found(held: TimeStretch) -> TimeStretch | None:
        if held.grain > Grain.DAY:
            return None
        weekday = held.start.weekday()
        saturday = held.start - timedelta(days=weekday + 2) if weekday == 0 else held.start + (5 - weekday) * DAY
        start = min(saturday, held.start) if weekday in (3, 4) else saturday
        return TimeStretch(start, max(saturday + 2 * DAY, held.end if weekday == 0 else saturday), Grain.WEEK)

    return mapped(thing, found, Grain.WEEK)


def _weekday_number(_: TimeContext, weekday: int, number: int) -> Recurring | None:
    return every_weekday_on(weekday, number) if number <= 31 else None


def _weekday_integer(scene: TimeContext, weekday: int, number: int) -> Recurring | None:
    """ "Monday 21" is a date; "Monday 8" only if one is near, else the number is an hour."""
    found = _weekday_number(scene, weekday, number)
    if number > 12:
        return found
    near = closest(scene, found) if found else None
    return found if near and abs(near.start - scene.now) < HOURS_DOUBT else None


def _weekday_by_week(_: TimeContext, weekday: int, week: Timed) -> Timed | None:
    return inside(every_weekday(weekday), week) if week.grain is Grain.WEEK else None


def _monthly_day(_: TimeContext, number: int) -> Recurring:
    return every_day_of_month(number)


DAYNUMBERREF = (
    GrammarRule("the DAYNUMBER", _monthly_day, "the 4th"),
    GrammarRule("the ORDINAL of CONTAINER", _day_number_in, "the 4th of next month"),
    GrammarRule("the? DAYNUMBER of CONTAINER", _day_number_in, "23 of this month"),
    GrammarRule("the? ORDINAL CONTAINER", _day_number_in, "the 20th this month"),
    GrammarRule("the? ORDINAL day of CONTAINER", _day_number_in, "the 12th day of next month"),
)
WITHIN = (
    GrammarRule("WEEKDAY of|in|from? CONTAINER", _weekday_by_week, "Tuesday of last week"),
    GrammarRule("WEEKDAY COUNTED", _weekday_by_week, "Friday the first week of May"),
    GrammarRule("WEEKDAY of|in COUNTED", _weekday_by_week, "Friday of the first week of May"),
    GrammarRule("CONTAINER on? WEEKDAY", lambda s, c, w: _weekday_by_week(s, w, c), "last week Sunday"),
    GrammarRule("COUNTED on? WEEKDAY", lambda s, c, w: _weekday_by_week(s, w, c), "first week of October on Friday"),
    GrammarRule("WEEKDAY ,? the? ORDINAL", _weekday_number, "Friday the 13th"),
    GrammarRule("WEEKDAY ,? the DAYNUMBER", _weekday_number, "Friday the 13"),
    GrammarRule("WEEKDAY INTEGER", _weekday_integer, "Tuesday 21"),
    GrammarRule("WEEKDAY ,? DAYNUMBERREF", lambda _s, _w, date: date, "Friday the 13th of next month"),
    same("DAYNUMBERREF", "the 4th of next month"),
    GrammarRule(
        "the? week of|beginning|commencing|starting on? WEEKBASE",
        lambda _, thing: _around(Grain.WEEK, thing),
        "the week of the 21st",
    ),
    GrammarRule("the? weekend of|around WEEKBASE", _weekend_around, "the weekend of 7 June"),
    GrammarRule("HOLIDAYREF weekend", _weekend_around, "Labor Day weekend"),
    GrammarRule(
        "HOLIDAY weekend of|in|,? YEARREF",
        lambda s, h, y: _weekend_around(s, h.occurs(y.start.year)),
        "Labor Day weekend 2016",
    ),
    GrammarRule("HOLIDAYREF week", lambda _, thing: _around(Grain.WEEK, thing), "Christmas week"),
)
WEEKBASE = any_of(DATED="March 4", DAYNUMBERREF="the 18th", WEEKLY="Monday", SHIFTED="last Monday")
HOLIDAYREF = (
    same("HOLIDAY", "Labor Day"),
    GrammarRule("HOLIDAY YEARREF", in_year, "Labor Day 2021"),
    GrammarRule("SHIFT HOLIDAY", shifted_thing, "last Labor Day"),
    GrammarRule("HOLIDAY of YEARREF", in_year, "Labor Day of 2021"),
)


# Containers, parts of them, and all that can stand alone


def _part(_: TimeContext, name: str, container: Timed) -> Timed | None:
    return part_of(container, name)


def _part_now(grain: Grain, name: str) -> Make:
    return lambda scene: part_of(unit_at(scene.now, grain), name)


def _rest(scene: TimeContext, container: Timed) -> TimeStretch | None:
    if isinstance(container, TimeStretch) and container.start <= scene.now < container.end:
        return TimeStretch(scene.today, container.end, Grain.DAY)
    return None


def _so_far(scene: TimeContext, container: Timed) -> TimeStretch | None:
    if isinstance(container, TimeStretch) and container.start <= scene.now < container.end:
        return TimeStretch(container.start, max(scene.now, container.start + DAY), Grain.DAY)
    return None


def _later(scene: TimeContext, container: Timed) -> Timed | None:
    """ "later this week" begins now, "later that year" in its second half."""
    return _rest(scene, container) or part_of(container, "late")


def _earlier(scene: TimeContext, container: Timed) -> Timed | None:
    return _so_far(scene, container) or part_of(container, "early")


def _later_in_day(scene: TimeContext, day: TimeStretch) -> TimeStretch:
    start = scene.now if day.start <= scene.now < day.end else day.start + (day.end - day.start) / 2
    return TimeStretch(start, day.end, Grain.HOUR)


def _earlier_in_day(scene: TimeContext, day: TimeStretch) -> TimeStretch:
    end = scene.now if day.start < scene.now < day.end else day.start + (day.end - day.start) / 2
    return TimeStretch(day.start, end, Grain.HOUR)


CONTAINER = (
    same("DATED", "March 2015"),
    same("YEARREF", "2015"),
    same("DECADEREF", "the 1990s"),
    same("UNITREF", "next month"),
    same("SHIFTED", "last summer"),
    GrammarRule("the? year", lambda s: unit_at(s.now, Grain.YEAR), "year"),
)
PARTED = (
    GrammarRule("the? PART -? of? CONTAINER", _part, "mid-April"),
    GrammarRule("the? PART of COUNTED", _part, "the end of the first week of May"),
    GrammarRule("the? PART part of CONTAINER", _part, "the early part of 2019"),
    GrammarRule("the? very PART of CONTAINER", _part, "the very end of May"),
    GrammarRule("the? turn of CONTAINER", lambda s, c: _part(s, "start", c), "the turn of the century"),
    GrammarRule("rest|remainder|remaining of CONTAINER", _rest, "rest of the week"),
    GrammarRule("the rest|remainder|remaining of CONTAINER", _rest, "the rest of the week"),
    GrammarRule("later CONTAINER", _later, "later this week"),
    GrammarRule("later on? in CONTAINER", _later, "later in the year"),
    GrammarRule("earlier CONTAINER", _earlier, "earlier this month"),
    GrammarRule("earlier on? in CONTAINER", _earlier, "earlier in the week"),
    GrammarRule("later|late DAYREF", _later_in_day, "later today"),
    GrammarRule("earlier|early DAYREF", _earlier_in_day, "earlier today"),
    GrammarRule("CONTAINER so far", _so_far, "this year so far"),
    GrammarRule("CONTAINER to date", _so_far, "this year to date"),
    GrammarRule("the? eom", _part_now(Grain.MONTH, "end"), "EOM"),
    GrammarRule("the? eoy", _part_now(Grain.YEAR, "end"), "EOY"),
    GrammarRule("the? eow", _part_now(Grain.WEEK, "end"), "EOW"),
    GrammarRule("the? bom", _part_now(Grain.MONTH, "start"), "BOM"),
    GrammarRule("the? year -? end", _part_now(Grain.YEAR, "end"), "year-end"),
    GrammarRule("the? year -? end of? YEARREF", lambda s, y: _part(s, "end", y), "year-end 2019"),
    GrammarRule("the? month -? end", _part_now(Grain.MONTH, "end"), "month-end"),
    GrammarRule("ONE to date", lambda s, unit: _so_far(s, unit_at(s.now, unit)), "month to date"),
    GrammarRule("ytd", lambda s: _so_far(s, unit_at(s.now, Grain.YEAR)), "YTD"),
    GrammarRule("qtd", lambda s: _so_far(s, unit_at(s.now, Grain.QUARTER)), "QTD"),
    GrammarRule("mtd", lambda s: _so_far(s, unit_at(s.now, Grain.MONTH)), "MTD"),
    GrammarRule("wtd", lambda s: _so_far(s, unit_at(s.now, Grain.WEEK)), "WTD"),
)
SIMPLE = (
    same("DAYREF", "yesterday"),
    GrammarRule("the? week|wk|cw INTEGER", week_this_year, "week 17"),
    same("DATED", "March 2015"),
    same("COUNTED", "the first week of October"),
    same("WITHIN", "Tuesday of last week"),
    same("PARTED", "the end of last year"),
    same("UNITREF", "last month"),
    same("SHIFTED", "last summer"),
    same("YEARREF", "2015"),
    same("DECADEREF", "the nineties"),
    same("WEEKLY", "Friday"),
)
