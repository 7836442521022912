"""Which stretch is meant by its place in another? "The first week of October", "Tuesday of last week", "mid-April".

A `CONTAINER` is a date or a unit; others count in it or cut it. `SIMPLE` gathers all that needs no second time to be
measured from.
"""

from __future__ import annotations

from datetime import timedelta

from treering.language.when.grammar import Make, Rule
from treering.language.when.parts import part_of
from treering.language.when.rules_dates import HOURS_DOUBT, in_year, week_this_year
from treering.language.when.rules_units import shifted_thing
from treering.language.when.scene import Scene, closest
from treering.language.when.stretch import (
    DAY,
    MONTHS_IN,
    Recurring,
    Stretch,
    Timed,
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
from treering.language.when.window import Grain

# Units and weekdays counted within others


def _nth_unit(_: Scene, nth: int, unit: Grain, container: Timed) -> Timed | None:
    return mapped(container, lambda held: units_within(held, unit, nth, 1), unit)


def _nth_units(_: Scene, nth: int, number: int, unit: Grain, container: Timed) -> Timed | None:
    return mapped(container, lambda held: units_within(held, unit, (nth - 1) * number + 1, number), unit)


def _last_units(_: Scene, number: int, unit: Grain, container: Timed) -> Timed | None:
    return mapped(container, lambda held: units_within(held, unit, -1, number), unit)


def _weekday_held(held: Stretch, weekday: int, nth: int) -> Stretch | None:
    if nth > 0:
        found = held.start + ((weekday - held.start.weekday()) % 7 + 7 * (nth - 1)) * DAY
    else:
        last = held.end - DAY
        found = last - ((last.weekday() - weekday) % 7 + 7 * (-nth - 1)) * DAY
    return days(found, 1) if held.start <= found < held.end else None


def _nth_day(_: Scene, nth: int, weekday: int, container: Timed) -> Timed | None:
    return mapped(container, lambda held: _weekday_held(held, weekday, nth), Grain.DAY)


def _nth_of_month(_: Scene, nth: int, weekday: int) -> Recurring | None:
    """ "the third Wednesday", of whichever month."""
    if not 1 <= nth <= 4:
        return None
    return Recurring(Grain.MONTH, Grain.DAY, lambda n: days(nth_weekday(n // 12, n % 12 + 1, weekday, nth), 1))


def _nth_weekend(_: Scene, nth: int, container: Timed) -> Timed | None:
    def found(held: Stretch) -> Stretch | None:
        saturday = _weekday_held(held, 5, nth)
        return days(saturday.start, 2, Grain.WEEK) if saturday else None

    return mapped(container, found, Grain.WEEK)


def _half_of(_: Scene, nth: int, container: Timed) -> Timed | None:
    def found(held: Stretch) -> Stretch | None:
        middle = (
            shift(held.start, MONTHS_IN[held.grain] // 2, Grain.MONTH)
            if MONTHS_IN.get(held.grain, 1) % 2 == 0
            else midnight(held.start + (held.end - held.start) / 2)
        )
        start, end = (held.start, middle) if nth == 1 else (middle, held.end)
        return Stretch(start, end, Grain.DAY if held.grain < Grain.QUARTER else Grain.MONTH)

    return mapped(container, found) if nth in (1, 2) else None


COUNTED = (
    Rule("the? ORDINAL UNIT of|in|from CONTAINER", _nth_unit, "the first week of October"),
    Rule("the? ORDINAL UNIT CONTAINER", _nth_unit, "the second quarter this year"),
    Rule(
        "the? last|final UNIT of|in CONTAINER",
        lambda s, u, c: _nth_unit(s, -1, u, c),
        "the last week of May",
    ),
    Rule(
        "the? ORDINAL last UNIT of|in CONTAINER",
        lambda s, n, u, c: _nth_unit(s, -n, u, c),
        "the 3rd last day of June",
    ),
    Rule("the? ORDINAL COUNT UNIT of|in CONTAINER", _nth_units, "the first 3 weeks of 2018"),
    Rule("the? last|final COUNT UNIT of|in CONTAINER", _last_units, "the last two days of June"),
    Rule("the? ORDINAL WEEKDAY of|in CONTAINER", _nth_day, "the first Friday of next month"),
    Rule(
        "the? last|final WEEKDAY of|in CONTAINER",
        lambda s, w, c: _nth_day(s, -1, w, c),
        "the last Friday in October",
    ),
    Rule(
        "the? ORDINAL last WEEKDAY of|in CONTAINER",
        lambda s, n, w, c: _nth_day(s, -n, w, c),
        "second last Friday in May",
    ),
    Rule("the? ORDINAL weekend of|in CONTAINER", _nth_weekend, "the first weekend of May"),
    Rule("the? last weekend of|in CONTAINER", lambda s, c: _nth_weekend(s, -1, c), "the last weekend of May"),
    Rule("the? ORDINAL half of CONTAINER", _half_of, "the first half of June"),
    Rule("the? last|latter half of CONTAINER", lambda s, c: _half_of(s, 2, c), "the latter half of June"),
    Rule("the ORDINAL WEEKDAY", _nth_of_month, "the third Wednesday"),
    Rule("week|wk INTEGER of|in CONTAINER", lambda s, n, c: _nth_unit(s, n, Grain.WEEK, c), "week 2 of October"),
)


# Days within weeks and months, weeks around days


def _day_number_in(_: Scene, number: int, container: Timed) -> Timed | None:
    if container.grain is not Grain.MONTH:
        return None
    return inside(every_day_of_month(number), container)


def _around(unit: Grain, thing: Timed) -> Timed | None:
    if thing.grain >= unit:
        return None
    return mapped(thing, lambda held: unit_at(held.start, unit), unit)


def _weekend_around(_: Scene, thing: Timed) -> Timed | None:
    """The days off around a feast: a Monday feast makes three of them, a Thursday one four."""

    def found(held: Stretch) -> Stretch | None:
        if held.grain > Grain.DAY:
            return None
        weekday = held.start.weekday()
        saturday = held.start - timedelta(days=weekday + 2) if weekday == 0 else held.start + (5 - weekday) * DAY
        start = min(saturday, held.start) if weekday in (3, 4) else saturday
        return Stretch(start, max(saturday + 2 * DAY, held.end if weekday == 0 else saturday), Grain.WEEK)

    return mapped(thing, found, Grain.WEEK)


def _weekday_number(_: Scene, weekday: int, number: int) -> Recurring | None:
    return every_weekday_on(weekday, number) if number <= 31 else None


def _weekday_integer(scene: Scene, weekday: int, number: int) -> Recurring | None:
    """ "Monday 21" is a date; "Monday 8" only if one is near, else the number is an hour."""
    found = _weekday_number(scene, weekday, number)
    if number > 12:
        return found
    near = closest(scene, found) if found else None
    return found if near and abs(near.start - scene.now) < HOURS_DOUBT else None


def _weekday_by_week(_: Scene, weekday: int, week: Timed) -> Timed | None:
    return inside(every_weekday(weekday), week) if week.grain is Grain.WEEK else None


def _monthly_day(_: Scene, number: int) -> Recurring:
    return every_day_of_month(number)


DAYNUMBERREF = (
    Rule("the DAYNUMBER", _monthly_day, "the 4th"),
    Rule("the ORDINAL of CONTAINER", _day_number_in, "the 4th of next month"),
    Rule("the? DAYNUMBER of CONTAINER", _day_number_in, "23 of this month"),
    Rule("the? ORDINAL CONTAINER", _day_number_in, "the 20th this month"),
    Rule("the? ORDINAL day of CONTAINER", _day_number_in, "the 12th day of next month"),
)
WITHIN = (
    Rule("WEEKDAY of|in|from? CONTAINER", _weekday_by_week, "Tuesday of last week"),
    Rule("WEEKDAY COUNTED", _weekday_by_week, "Friday the first week of May"),
    Rule("WEEKDAY of|in COUNTED", _weekday_by_week, "Friday of the first week of May"),
    Rule("CONTAINER on? WEEKDAY", lambda s, c, w: _weekday_by_week(s, w, c), "last week Sunday"),
    Rule("COUNTED on? WEEKDAY", lambda s, c, w: _weekday_by_week(s, w, c), "first week of October on Friday"),
    Rule("WEEKDAY ,? the? ORDINAL", _weekday_number, "Friday the 13th"),
    Rule("WEEKDAY ,? the DAYNUMBER", _weekday_number, "Friday the 13"),
    Rule("WEEKDAY INTEGER", _weekday_integer, "Tuesday 21"),
    Rule("WEEKDAY ,? DAYNUMBERREF", lambda _s, _w, date: date, "Friday the 13th of next month"),
    Rule("DAYNUMBERREF", lambda _, date: date, "the 4th of next month"),
    Rule(
        "the? week of|beginning|commencing|starting on? WEEKBASE",
        lambda _, thing: _around(Grain.WEEK, thing),
        "the week of the 21st",
    ),
    Rule("the? weekend of|around WEEKBASE", _weekend_around, "the weekend of 7 June"),
    Rule("HOLIDAYREF weekend", _weekend_around, "Labor Day weekend"),
    Rule(
        "HOLIDAY weekend of|in|,? YEARREF",
        lambda s, h, y: _weekend_around(s, h.occurs(y.start.year)),
        "Labor Day weekend 2016",
    ),
    Rule("HOLIDAYREF week", lambda _, thing: _around(Grain.WEEK, thing), "Christmas week"),
)
WEEKBASE = (
    Rule("DATED", lambda _, thing: thing, "March 4"),
    Rule("DAYNUMBERREF", lambda _, thing: thing, "the 18th"),
    Rule("WEEKLY", lambda _, thing: thing, "Monday"),
    Rule("SHIFTED", lambda _, thing: thing, "last Monday"),
)
HOLIDAYREF = (
    Rule("HOLIDAY", lambda _, feast: feast, "Labor Day"),
    Rule("HOLIDAY YEARREF", in_year, "Labor Day 2021"),
    Rule("SHIFT HOLIDAY", shifted_thing, "last Labor Day"),
    Rule("HOLIDAY of YEARREF", in_year, "Labor Day of 2021"),
)


# Containers, parts of them, and all that can stand alone


def _same(_: Scene, thing: Timed) -> Timed:
    return thing


def _part(_: Scene, name: str, container: Timed) -> Timed | None:
    return part_of(container, name)


def _part_now(grain: Grain, name: str) -> Make:
    return lambda scene: part_of(unit_at(scene.now, grain), name)


def _rest(scene: Scene, container: Timed) -> Stretch | None:
    if isinstance(container, Stretch) and container.start <= scene.now < container.end:
        return Stretch(scene.today, container.end, Grain.DAY)
    return None


def _so_far(scene: Scene, container: Timed) -> Stretch | None:
    if isinstance(container, Stretch) and container.start <= scene.now < container.end:
        return Stretch(container.start, max(scene.now, container.start + DAY), Grain.DAY)
    return None


def _later(scene: Scene, container: Timed) -> Timed | None:
    """ "later this week" begins now, "later that year" in its second half."""
    return _rest(scene, container) or part_of(container, "late")


def _earlier(scene: Scene, container: Timed) -> Timed | None:
    return _so_far(scene, container) or part_of(container, "early")


def _later_in_day(scene: Scene, day: Stretch) -> Stretch:
    start = scene.now if day.start <= scene.now < day.end else day.start + (day.end - day.start) / 2
    return Stretch(start, day.end, Grain.HOUR)


def _earlier_in_day(scene: Scene, day: Stretch) -> Stretch:
    end = scene.now if day.start < scene.now < day.end else day.start + (day.end - day.start) / 2
    return Stretch(day.start, end, Grain.HOUR)


CONTAINER = (
    Rule("DATED", _same, "March 2015"),
    Rule("YEARREF", _same, "2015"),
    Rule("DECADEREF", _same, "the 1990s"),
    Rule("UNITREF", _same, "next month"),
    Rule("SHIFTED", _same, "last summer"),
    Rule("the? year", lambda s: unit_at(s.now, Grain.YEAR), "year"),
)
PARTED = (
    Rule("the? PART -? of? CONTAINER", _part, "mid-April"),
    Rule("the? PART of COUNTED", _part, "the end of the first week of May"),
    Rule("the? PART part of CONTAINER", _part, "the early part of 2019"),
    Rule("the? very PART of CONTAINER", _part, "the very end of May"),
    Rule("the? turn of CONTAINER", lambda s, c: _part(s, "start", c), "the turn of the century"),
    Rule("rest|remainder|remaining of CONTAINER", _rest, "rest of the week"),
    Rule("the rest|remainder|remaining of CONTAINER", _rest, "the rest of the week"),
    Rule("later CONTAINER", _later, "later this week"),
    Rule("later on? in CONTAINER", _later, "later in the year"),
    Rule("earlier CONTAINER", _earlier, "earlier this month"),
    Rule("earlier on? in CONTAINER", _earlier, "earlier in the week"),
    Rule("later|late DAYREF", _later_in_day, "later today"),
    Rule("earlier|early DAYREF", _earlier_in_day, "earlier today"),
    Rule("CONTAINER so far", _so_far, "this year so far"),
    Rule("CONTAINER to date", _so_far, "this year to date"),
    Rule("the? eom", _part_now(Grain.MONTH, "end"), "EOM"),
    Rule("the? eoy", _part_now(Grain.YEAR, "end"), "EOY"),
    Rule("the? eow", _part_now(Grain.WEEK, "end"), "EOW"),
    Rule("the? bom", _part_now(Grain.MONTH, "start"), "BOM"),
    Rule("the? year -? end", _part_now(Grain.YEAR, "end"), "year-end"),
    Rule("the? year -? end of? YEARREF", lambda s, y: _part(s, "end", y), "year-end 2019"),
    Rule("the? month -? end", _part_now(Grain.MONTH, "end"), "month-end"),
    Rule("ONE to date", lambda s, unit: _so_far(s, unit_at(s.now, unit)), "month to date"),
    Rule("ytd", lambda s: _so_far(s, unit_at(s.now, Grain.YEAR)), "YTD"),
    Rule("qtd", lambda s: _so_far(s, unit_at(s.now, Grain.QUARTER)), "QTD"),
    Rule("mtd", lambda s: _so_far(s, unit_at(s.now, Grain.MONTH)), "MTD"),
    Rule("wtd", lambda s: _so_far(s, unit_at(s.now, Grain.WEEK)), "WTD"),
)
SIMPLE = (
    Rule("DAYREF", _same, "yesterday"),
    Rule("the? week|wk|cw INTEGER", week_this_year, "week 17"),
    Rule("DATED", _same, "March 2015"),
    Rule("COUNTED", _same, "the first week of October"),
    Rule("WITHIN", _same, "Tuesday of last week"),
    Rule("PARTED", _same, "the end of last year"),
    Rule("UNITREF", _same, "last month"),
    Rule("SHIFTED", _same, "last summer"),
    Rule("YEARREF", _same, "2015"),
    Rule("DECADEREF", _same, "the nineties"),
    Rule("WEEKLY", _same, "Friday"),
)

WITHINS = {
    "COUNTED": COUNTED,
    "DAYNUMBERREF": DAYNUMBERREF,
    "WITHIN": WITHIN,
    "WEEKBASE": WEEKBASE,
    "HOLIDAYREF": HOLIDAYREF,
    "CONTAINER": CONTAINER,
    "PARTED": PARTED,
    "SIMPLE": SIMPLE,
}
