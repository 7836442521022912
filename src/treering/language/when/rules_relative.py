"""How far from now, or from another time? "two weeks ago", "the past 3 months", "three years before 2020", "recently".

Distances from now are as fine as one means them (`durations`). Stretches that run up to now end at the reference
itself; those ahead begin with tomorrow.
"""

from __future__ import annotations

from datetime import datetime

from treering.language.when.durations import Duration, at_distance, away
from treering.language.when.grammar import GrammarRule, Make, same
from treering.language.when.stretch import (
    BY_CALENDAR,
    DAY,
    LENGTH,
    Timed,
    TimeStretch,
    floor,
    mapped,
    midnight,
    moved,
    shift,
    unit_at,
)
from treering.language.when.time_context import TimeContext, TimeDirection, coming, latest, pick
from treering.language.when.window import Grain
from treering.language.when.words import VAGUE_COUNTS

RECENT_DAYS = 30
OTHER_DAY_DAYS = 7
THESE_DAYS_DAYS = 90
FEW = VAGUE_COUNTS["few"]


def _instant(scene: TimeContext) -> TimeStretch:
    return TimeStretch(scene.now, scene.now + LENGTH[Grain.MINUTE], Grain.MINUTE)


def _back(days: int) -> Make:
    return lambda scene: TimeStretch(scene.today - days * DAY, max(scene.now, scene.today), Grain.DAY)


NOW = (
    GrammarRule("now", _instant, "now"),
    GrammarRule("right|just now", _instant, "right now"),
    GrammarRule("currently", _instant, "currently"),
    GrammarRule("at the moment", _instant, "at the moment"),
    GrammarRule("at this time|moment|point", _instant, "at this moment"),
    GrammarRule("at present", _instant, "at present"),
)
VAGUE = (
    GrammarRule("recently|lately", _back(RECENT_DAYS), "recently"),
    GrammarRule("of late", _back(RECENT_DAYS), "of late"),
    GrammarRule("not long ago", _back(RECENT_DAYS), "not long ago"),
    GrammarRule("a short while|time ago", _back(RECENT_DAYS), "a short while ago"),
    GrammarRule("in recent days", _back(OTHER_DAY_DAYS), "in recent days"),
    GrammarRule("in recent weeks", _back(RECENT_DAYS), "in recent weeks"),
    GrammarRule("in recent months", _back(180), "in recent months"),
    GrammarRule("in recent years", _back(5 * 365), "in recent years"),
    GrammarRule("the other day|night|morning|evening", _back(OTHER_DAY_DAYS), "the other day"),
    GrammarRule("the other week", _back(RECENT_DAYS), "the other week"),
    GrammarRule("these days", _back(THESE_DAYS_DAYS), "these days"),
    GrammarRule("nowadays", _back(THESE_DAYS_DAYS), "nowadays"),
)


def _ago(scene: TimeContext, length: Duration) -> TimeStretch:
    return at_distance(scene.now, length, -1)


def _hence(scene: TimeContext, length: Duration) -> TimeStretch:
    return at_distance(scene.now, length, 1)


def _in(scene: TimeContext, length: Duration) -> TimeStretch | None:
    """ "I will be there in two days" looks ahead; "I wrote it in two days" tells how long it took."""
    return None if scene.direction is TimeDirection.PAST else _hence(scene, length)


def _soon(sign: int) -> Make:
    """ "an hour later" may be from now; "two days later" follows something told before."""

    def made(scene: TimeContext, length: Duration) -> TimeStretch | None:
        near = length[-1][1] <= Grain.HOUR and scene.direction is not TimeDirection.PAST
        return at_distance(scene.now, length, sign) if near else None

    return made


def _last(scene: TimeContext, length: Duration) -> TimeStretch | None:
    number, unit = length[0]
    if len(length) == 1 and unit in BY_CALENDAR:
        end = floor(scene.now, unit)
        return TimeStretch(shift(end, -number, unit), end, unit)
    if length[-1][1] <= Grain.HOUR:
        return TimeStretch(away(scene.now, length, -1), scene.now, Grain.MINUTE)
    return TimeStretch(midnight(away(scene.now, length, -1)), scene.now, Grain.DAY)


def _next(scene: TimeContext, length: Duration) -> TimeStretch | None:
    number, unit = length[0]
    if len(length) == 1 and unit in BY_CALENDAR:
        start = shift(floor(scene.now, unit), 1, unit)
        return TimeStretch(start, shift(start, number, unit), unit)
    if length[-1][1] <= Grain.HOUR:
        return TimeStretch(scene.now, away(scene.now, length, 1), Grain.MINUTE)
    start = scene.today + DAY
    return TimeStretch(start, away(start, length, 1), Grain.DAY)


def _rolling(scene: TimeContext, steps: int, length: Duration) -> TimeStretch | None:
    """Two or more units, or several kinds of them: one alone ("last month") is the calendar's."""
    return _last(scene, length) if steps < 0 else _next(scene, length) if steps > 0 else None


def _whole_last(scene: TimeContext, length: Duration) -> TimeStretch | None:
    """ "last two months", like "last month" and unlike "the last two months", is the calendar's."""
    number, unit = length[0]
    if len(length) > 1 or number < 2 or unit not in (Grain.WEEK, Grain.MONTH, Grain.YEAR):
        return None
    end = floor(scene.now, unit)
    return TimeStretch(shift(end, -number, unit), end, unit)


def _rolling_units(scene: TimeContext, number: int, steps: int, unit: Grain) -> TimeStretch | None:
    return _rolling(scene, steps, ((number, unit),))


def _within(scene: TimeContext, length: Duration) -> TimeStretch | None:
    if scene.direction is TimeDirection.PAST:
        return None
    end = away(scene.now, length, 1)
    return TimeStretch(scene.now, end, Grain.MINUTE if length[-1][1] <= Grain.HOUR else Grain.DAY)


def _within_of(scene: TimeContext, length: Duration, thing: Timed) -> TimeStretch | None:
    found = pick(scene, thing)
    return TimeStretch(found.start, away(found.start, length, 1), Grain.DAY) if found else None


ROLLING = (
    GrammarRule("last|previous DURATION", _whole_last, "last two months"),
    GrammarRule("in|for|over|during|throughout last|previous DURATION", _last, "over last two months"),
    GrammarRule("the? SHIFT DURATION", _rolling, "the past 3 months"),
    GrammarRule("the? SHIFT MANY", lambda s, n, unit: _rolling(s, n, ((FEW, unit),)), "the coming weeks"),
    GrammarRule("these past|last DURATION", _last, "these past two weeks"),
    GrammarRule("the? COUNT SHIFT MANY", _rolling_units, "the 10 past days"),
    GrammarRule("within DURATION", _within, "within two hours"),
    GrammarRule(
        "within the? SHIFT DURATION",
        lambda s, n, d: _within(s, d) if n > 0 else _rolling(s, n, d),
        "within the next 3 days",
    ),
    GrammarRule("within DURATION of|from|after SIMPLE", _within_of, "within two weeks from today"),
    GrammarRule("within DURATION of|from|after NOW", lambda s, d, _n: _within(s, d), "within two weeks from now"),
)
ABOUT = "about|around|roughly|approximately|almost|nearly|just|like|maybe|some|only|exactly|over|under"

RELATIVE = (
    GrammarRule("DURATION ago|back", _ago, "two weeks ago"),
    GrammarRule(f"{ABOUT} DURATION ago|back", _ago, "about two weeks ago"),
    GrammarRule("DURATION and? change ago", _ago, "a year and change ago"),
    GrammarRule("DURATION hence", _hence, "two years hence"),
    GrammarRule("DURATION from|after now", _hence, "two weeks from now"),
    GrammarRule("DURATION before now", _ago, "two weeks before now"),
    GrammarRule(f"in {ABOUT}? DURATION", _in, "in three days"),
    GrammarRule(f"in {ABOUT}? DURATION time", _in, "in about two weeks time"),
    GrammarRule("in DURATION ' s? time", _in, "in two weeks' time"),
    GrammarRule("in DURATION from now|today", _in, "in two weeks from now"),
    GrammarRule("in less than DURATION", _within, "in less than two hours"),
    GrammarRule("DURATION later", _soon(1), "an hour later"),
    GrammarRule("DURATION earlier", _soon(-1), "half an hour earlier"),
)


def _measured(_: TimeContext, length: Duration, sign: int, thing: Timed | None) -> Timed | None:
    """ "three years before 2020" is a year, "two weeks after Christmas" a day, "three days before June" a day."""
    if thing is None:
        return None
    unit = length[-1][1]

    def found(held: TimeStretch) -> TimeStretch | None:
        if held.pin is not None:
            return at_distance(held.pin, length, sign)
        if held.grain > unit and held.grain > Grain.DAY:
            edge = held.start if sign < 0 else held.end
            return at_distance(edge, length, sign)
        for number, grain in length:
            held = moved(held, sign * number, grain)
        return held

    return mapped(thing, found, min(thing.grain, unit) if unit < thing.grain else thing.grain)


def _beside(_: TimeContext, unit: Grain, sign: int, thing: Timed) -> Timed | None:
    """ "the day after Christmas", "the week before Easter", "the year after 2010"."""

    def found(held: TimeStretch) -> TimeStretch:
        if sign < 0:
            return unit_at(held.start, unit, -1)
        last = held.end - LENGTH[Grain.SECOND]
        return unit_at(last, unit, 1)

    return mapped(thing, found, unit) if unit >= Grain.DAY else None


def _weekend_beside(_: TimeContext, sign: int, thing: Timed) -> Timed | None:
    def found(held: TimeStretch) -> TimeStretch:
        saturday = floor(held.start, Grain.WEEK) + 5 * DAY
        if sign < 0 and saturday >= held.start:
            saturday -= 7 * DAY
        if sign > 0 and saturday < held.end:
            saturday += 7 * DAY
        return TimeStretch(saturday, saturday + 2 * DAY, Grain.WEEK)

    return mapped(thing, found, Grain.WEEK) if thing.grain <= Grain.WEEK else None


def _weekday_beside(_: TimeContext, weekday: int, sign: int, thing: Timed) -> Timed | None:
    """ "the Friday before Christmas": the nearest such weekday on that side."""

    def found(held: TimeStretch) -> TimeStretch:
        if sign < 0:
            last = midnight(held.start) - DAY
            start = last - (last.weekday() - weekday) % 7 * DAY
        else:
            first = midnight(held.end - LENGTH[Grain.SECOND]) + DAY
            start = first + (weekday - first.weekday()) % 7 * DAY
        return TimeStretch(start, start + DAY, Grain.DAY)

    return mapped(thing, found, Grain.DAY)


def _nth_weekday_beside(scene: TimeContext, nth: int, weekday: int, sign: int, thing: Timed) -> Timed | None:
    first = _weekday_beside(scene, weekday, sign, thing)
    return None if first is None else mapped(first, lambda held: moved(held, sign * (nth - 1), Grain.WEEK))


def _years_since(scene: TimeContext, length: Duration, thing: Timed) -> TimeStretch | None:
    """ "in four years since 2006": counted from where it begins."""
    found = latest(scene, thing)
    return None if found is None else unit_at(away(found.start, length, 1), Grain.DAY)


BESIDE = (
    GrammarRule("DURATION from WEEKLY", lambda s, d, day: _measured(s, d, 1, coming(s, day)), "a week from Friday"),
    GrammarRule("DURATION SIDE SIMPLE", _measured, "three years before 2020"),
    GrammarRule("DURATION from SIMPLE", lambda s, d, t: _measured(s, d, 1, t), "three weeks from tomorrow"),
    GrammarRule("in DURATION since|from SIMPLE", _years_since, "in four years since 2006"),
    GrammarRule("the? UNIT SIDE SIMPLE", _beside, "the day after Christmas"),
    GrammarRule(
        "the? SHIFT UNIT SIDE SIMPLE",
        lambda s, _n, u, side, t: _beside(s, u, side, t),
        "the following day after Christmas",
    ),
    GrammarRule("the? weekend SIDE SIMPLE", _weekend_beside, "the weekend before Christmas"),
    GrammarRule("the? WEEKDAY SIDE SIMPLE", _weekday_beside, "the Friday before Christmas"),
    GrammarRule("the? ORDINAL WEEKDAY SIDE SIMPLE", _nth_weekday_beside, "the second Friday after Easter"),
    GrammarRule("COUNT DAYNAMES SIDE SIMPLE", _nth_weekday_beside, "two Fridays before Christmas"),
)
SIDE = (
    GrammarRule("before|preceding", lambda _: -1),
    GrammarRule("prior to", lambda _: -1),
    GrammarRule("ahead of", lambda _: -1),
    GrammarRule("after|following|past", lambda _: 1),
)


def _weekday_of(_: TimeContext, thing: Timed, weekday: int) -> Timed | None:
    """ "three weeks ago on Friday": the Friday of the week that this leads to."""
    if thing.grain > Grain.DAY:
        return None
    return mapped(thing, lambda held: TimeStretch(*_weekday_in_week(held, weekday), Grain.DAY), Grain.DAY)


def _weekday_in_week(held: TimeStretch, weekday: int) -> tuple[datetime, datetime]:
    start = floor(held.start, Grain.WEEK) + weekday * DAY
    return start, start + DAY


PERIOD = (
    GrammarRule("RELATIVE on? WEEKDAY", _weekday_of, "three weeks ago on Friday"),
    GrammarRule("WEEKDAY RELATIVE", lambda s, weekday, thing: _weekday_of(s, thing, weekday), "Friday three weeks ago"),
    GrammarRule("BESIDE on WEEKDAY", _weekday_of, "three weeks after Christmas on Friday"),
    same("RELATIVE", "two weeks ago"),
    same("BESIDE", "three years before 2020"),
    same("SIMPLE", "last summer"),
)
