"""Which unit is meant by its distance from now? "Last month", "this week", "next Friday", "two Fridays ago".

Weekdays and what comes once a year are shifted alike: "last Friday", "last March", "last Easter".
"""

from __future__ import annotations

from treering.language.when.grammar import GrammarRule, any_of
from treering.language.when.rules_dates import season
from treering.language.when.stretch import (
    BY_CALENDAR,
    DAY,
    LENGTH,
    Recurring,
    Timed,
    TimeStretch,
    days,
    every_weekday,
    every_weekend,
    mapped,
    moved,
    shift,
    unit_at,
)
from treering.language.when.time_context import TimeContext, nearest, nth_from_now, shifted
from treering.language.when.window import Grain

# Units by their distance from now


def _unit(scene: TimeContext, steps: int, unit: Grain) -> TimeStretch | None:
    """The last minute is an idiom, and "this second" is now."""
    if unit is Grain.HOUR and steps:
        ends = sorted((scene.now, scene.now + steps * LENGTH[unit]))
        return TimeStretch(ends[0], ends[1], Grain.MINUTE)
    return unit_at(scene.now, unit, steps) if unit >= Grain.HOUR else None


def shifted_thing(scene: TimeContext, steps: int, thing: Timed) -> Timed | None:
    return shifted(scene, steps, thing) if isinstance(thing, Recurring) else None


def _nearest(scene: TimeContext, steps: int, thing: Timed) -> Timed | None:
    return nearest(scene, steps, thing) if isinstance(thing, Recurring) else None


def _past_unit(scene: TimeContext, unit: Grain) -> TimeStretch | None:
    """ "the past month" runs up to now; "last month" is the one of the calendar."""
    if unit <= Grain.HOUR or unit in BY_CALENDAR:
        return None
    start = shift(scene.today, -1, unit)
    return TimeStretch(start, scene.now, unit)


def _after_next(scene: TimeContext, thing: Timed) -> Timed | None:
    if not isinstance(thing, Recurring):
        return None
    if thing.cycle is Grain.WEEK:
        return nth_from_now(scene, 2, thing)
    found = thing.earliest(scene.today + DAY)
    return thing.earliest(found.start + DAY) if found else None


def _before_last(scene: TimeContext, thing: Timed) -> Timed | None:
    return nth_from_now(scene, -2, thing) if isinstance(thing, Recurring) else None


def _working_week(scene: TimeContext, steps: int) -> TimeStretch:
    start = unit_at(scene.now, Grain.WEEK, steps).start
    return days(start, 5, Grain.WEEK)


def _season_unit(scene: TimeContext, steps: int) -> TimeStretch | None:
    """ "last season": the meteorological one before this."""
    this = shift(scene.today.replace(day=1), -(scene.now.month % 3), Grain.MONTH)
    start = shift(this, 3 * steps, Grain.MONTH)
    return TimeStretch(start, shift(start, 3, Grain.MONTH), Grain.QUARTER)


def _all_of(scene: TimeContext, unit: Grain) -> TimeStretch | None:
    return unit_at(scene.now, unit) if unit >= Grain.WEEK else None


UNITREF = (
    GrammarRule("the past|last ONE", _past_unit, "the past month"),
    GrammarRule("this past ONE", _past_unit, "this past year"),
    GrammarRule("the? SHIFT ONE", _unit, "last month"),
    GrammarRule("the ONE", _all_of, "the week"),
    GrammarRule("my|our|your ONE", _all_of, "my week"),
    GrammarRule("the? SHIFT calendar|whole|entire|full ONE", _unit, "the next calendar month"),
    GrammarRule("the? ONE before last", lambda s, u: _unit(s, -2, u), "the week before last"),
    GrammarRule("the? ONE after the? next", lambda s, u: _unit(s, 2, u), "the week after next"),
    GrammarRule("all|whole|entire ONE", _all_of, "all week"),
    GrammarRule("the whole|entire ONE", _all_of, "the whole week"),
    GrammarRule("the? SHIFT working|work|business week", _working_week, "this working week"),
    GrammarRule("the? SHIFT workweek", _working_week, "last workweek"),
    GrammarRule("the? SHIFT season|seasons", _season_unit, "last season"),
)
WEEKLY = (
    GrammarRule("WEEKDAY", lambda _, weekday: every_weekday(weekday), "Friday"),
    GrammarRule("the? weekend", lambda _: every_weekend(), "the weekend"),
    GrammarRule("the? week - end", lambda _: every_weekend(), "the week-end"),
)
SHIFTABLE = any_of(WEEKLY="Friday", YEARLY="March")
SHIFTED = (
    GrammarRule("this past SHIFTABLE", lambda s, thing: _nearest(s, -1, thing), "this past Wednesday"),
    GrammarRule("this coming|upcoming SHIFTABLE", lambda s, thing: _nearest(s, 1, thing), "this coming Friday"),
    GrammarRule("the? SHIFT SHIFTABLE", shifted_thing, "last summer"),
    GrammarRule("this very SHIFTABLE", lambda s, thing: shifted_thing(s, 0, thing), "this very Friday"),
    GrammarRule("the? SHIFTABLE after next", _after_next, "the Friday after next"),
    GrammarRule("the? SHIFTABLE before last", _before_last, "the summer before last"),
    GrammarRule("COUNT DAYNAMES ago|back", lambda s, n, w: nth_from_now(s, -n, every_weekday(w)), "two Fridays ago"),
    GrammarRule(
        "COUNT DAYNAMES from now", lambda s, n, w: nth_from_now(s, n, every_weekday(w)), "two Fridays from now"
    ),
    GrammarRule("in COUNT DAYNAMES", lambda s, n, w: nth_from_now(s, n, every_weekday(w)), "in two Fridays"),
    GrammarRule("COUNT weekends ago", lambda s, n: nth_from_now(s, -n, every_weekend()), "two weekends ago"),
    GrammarRule("COUNT SEASON ago", lambda s, n, m: nth_from_now(s, -n, season(s, m)), "one summer ago"),
)
DAYREF = (
    GrammarRule("DAYWORD", lambda s, offset: days(s.today + offset * DAY, 1), "yesterday"),
    GrammarRule(
        "the? eve of HOLIDAY",
        lambda _, feast: mapped(feast, lambda held: moved(held, -1, Grain.DAY)),
        "the eve of Easter",
    ),
    GrammarRule("this day", lambda s: days(s.today, 1), "this day"),
    GrammarRule("the? current date", lambda s: days(s.today, 1), "the current date"),
    GrammarRule("DAYWORD date", lambda s, offset: days(s.today + offset * DAY, 1), "today's date"),
    GrammarRule("the? day before yesterday", lambda s: days(s.today - 2 * DAY, 1), "the day before yesterday"),
    GrammarRule("the? day after tomorrow|tmrw|tmr", lambda s: days(s.today + 2 * DAY, 1), "the day after tomorrow"),
    GrammarRule("overmorrow", lambda s: days(s.today + 2 * DAY, 1), "overmorrow"),
    GrammarRule("ereyesterday", lambda s: days(s.today - 2 * DAY, 1), "ereyesterday"),
    GrammarRule("WEEKDAY , DAYWORD", lambda s, _w, offset: days(s.today + offset * DAY, 1), "Friday, tomorrow"),
    GrammarRule("DAYWORD , WEEKDAY", lambda s, offset, _w: days(s.today + offset * DAY, 1), "tomorrow, Friday"),
)
