"""At which hour of which day? A day joined with a time of day: "yesterday evening", "Monday at 5pm", "tonight".

A time of day is a pair of minutes counted from that day's midnight; one that runs past 24:00 ends on the next day.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta

from treering.language.when.clock import Clock, between, likely
from treering.language.when.durations import Duration, away
from treering.language.when.grammar import GrammarRule, any_of, same
from treering.language.when.stretch import DAY, Timed, TimeStretch, days, mapped, midnight
from treering.language.when.time_context import TimeContext
from treering.language.when.window import Grain

EVENING_MINUTES = 18 * 60
TONIGHT_ENDS_MINUTES = 28 * 60


@dataclass(frozen=True, slots=True)
class Hours:
    """Minutes from and to within a day, how fine, and whether nothing but a time of day is meant."""

    start: int
    end: int
    grain: Grain
    sure: bool = True


END_OF_DAY = Hours(16 * 60, 24 * 60, Grain.HOUR)


def _part(_: TimeContext, part: tuple[int, int]) -> Hours:
    return Hours(part[0] * 60, part[1] * 60, Grain.HOUR)


def _early(scene: TimeContext, part: tuple[int, int]) -> Hours:
    whole = _part(scene, part)
    return Hours(whole.start, (whole.start + whole.end) // 2, Grain.HOUR)


def _late(scene: TimeContext, part: tuple[int, int]) -> Hours:
    whole = _part(scene, part)
    return Hours((whole.start + whole.end) // 2, whole.end, Grain.HOUR)


def hours_of(_: TimeContext, read: Clock) -> Hours:
    start = likely(read)
    return Hours(start, start + read.lasts, Grain.HOUR if read.lasts > 1 else Grain.MINUTE, read.sure)


def _span(_: TimeContext, first: Clock, last: Clock) -> Hours:
    start, end = between(first, last)
    if first.half is None and last.half is None and start < 7 * 60 and end <= 12 * 60:
        start, end = start + 12 * 60, end + 12 * 60
    return Hours(start, end, Grain.HOUR, first.sure or last.sure)


def _for(scene: TimeContext, read: Clock, length: Duration) -> Hours:
    start = likely(read)
    lasted = away(scene.today, length, 1) - scene.today
    return Hours(start, start + int(lasted.total_seconds() // 60), Grain.HOUR)


def _clock_in(scene: TimeContext, part: tuple[int, int], read: Clock) -> Hours:
    """ "at 9 in the evening": the part of the day tells which nine."""
    start = read.minutes
    if read.half is None and start < part[0] * 60 and start + 12 * 60 <= part[1] * 60:
        start += 12 * 60
    return Hours(start, start + read.lasts, Grain.HOUR if read.lasts > 1 else Grain.MINUTE)


def _span_in(scene: TimeContext, part: tuple[int, int], hours: Hours) -> Hours:
    if hours.start < part[0] * 60 and hours.start + 12 * 60 <= part[1] * 60:
        return Hours(hours.start + 12 * 60, hours.end + 12 * 60, Grain.HOUR)
    return Hours(hours.start, hours.end, Grain.HOUR)


CLOCKSPAN = (
    GrammarRule("from CLOCK to|until|till|til|-|through CLOCK", _span, "from 2pm to 4pm"),
    GrammarRule("between CLOCK and|to|- CLOCK", _span, "between 2 and 4:30pm"),
    GrammarRule("CLOCK to|until|till|til|- CLOCK", _span, "10am to 12pm"),
    GrammarRule("from CLOCK for DURATION", _for, "from 8:15am for 3 hours"),
    GrammarRule("at? CLOCK for DURATION", _for, "at 8:15am for 3 hours"),
)
PARTHOURS = (
    GrammarRule("DAYPART", _part, "morning"),
    GrammarRule("early -? DAYPART", _early, "early morning"),
    GrammarRule("late -? DAYPART", _late, "late evening"),
    GrammarRule("mid -? DAYPART", _part, "mid-morning"),
    GrammarRule("night - time", lambda s: _part(s, (20, 28)), "night-time"),
)
HOURS = (
    same("PARTHOURS", "morning"),
    GrammarRule("in|during|at? the PARTHOURS", lambda _, hours: hours, "in the morning"),
    GrammarRule("early in|during|at the DAYPART", _early, "early in the morning"),
    GrammarRule("late in|during|at the DAYPART", _late, "late in the evening"),
    GrammarRule("at|around|about|by? night", lambda s: _part(s, (20, 28)), "at night"),
    GrammarRule("CLOCK", hours_of, "8:00am"),
    same("CLOCKSPAN", "from 2pm to 4pm"),
    GrammarRule("DAYPART ,? at|around|about CLOCK", _clock_in, "evening at 9"),
    GrammarRule("late|early DAYPART ,? at|around|about CLOCK", _clock_in, "late evening at 10"),
    GrammarRule("CLOCK in the DAYPART", lambda s, c, p: _clock_in(s, p, c), "9 in the evening"),
    GrammarRule("DAYPART CLOCKSPAN", _span_in, "evening from 7 to 9"),
    GrammarRule("CLOCKSPAN in the DAYPART", lambda s, h, p: _span_in(s, p, h), "from 7 to 9 in the evening"),
    GrammarRule("the? end of the? day", lambda _: END_OF_DAY, "end of day"),
    GrammarRule("close of business", lambda _: Hours(16 * 60, 18 * 60, Grain.HOUR), "close of business"),
    GrammarRule("eod|cob", lambda _: END_OF_DAY, "EOD"),
)


def on_day(held: TimeStretch, hours: Hours) -> TimeStretch:
    start = midnight(held.start)
    return TimeStretch(start + timedelta(minutes=hours.start), start + timedelta(minutes=hours.end), hours.grain)


def _join(_: TimeContext, period: Timed, hours: Hours) -> Timed | None:
    """A bare number is no time of day here: "May 5 20" stays a date."""
    if period.grain is not Grain.DAY or not hours.sure:
        return None
    return mapped(period, lambda held: on_day(held, hours), hours.grain)


def _join_said(scene: TimeContext, period: Timed, hours: Hours) -> Timed | None:
    """With "at", "from" or "between" a bare number is one."""
    sure = Hours(hours.start, hours.end, hours.grain)
    return _join(scene, period, sure)


def at_hours(scene: TimeContext, period: Timed, read: Clock) -> Timed | None:
    return _join_said(scene, period, hours_of(scene, read))


def _shifted_part(scene: TimeContext, steps: int, hours: Hours) -> TimeStretch:
    if steps == 0 and hours == _part(scene, (20, 28)):
        hours = Hours(EVENING_MINUTES, TONIGHT_ENDS_MINUTES, Grain.HOUR)
    return on_day(days(scene.today + steps * DAY, 1), hours)


def _last_part(scene: TimeContext, part: tuple[int, int]) -> TimeStretch:
    """ "last night" is the one that has just ended, and its evening with it."""
    start = EVENING_MINUTES if part[1] > 24 else part[0] * 60
    return on_day(days(scene.today - DAY, 1), Hours(start, part[1] * 60, Grain.HOUR))


def _tonight(scene: TimeContext) -> TimeStretch:
    return on_day(days(scene.today, 1), Hours(EVENING_MINUTES, TONIGHT_ENDS_MINUTES, Grain.HOUR))


def _clock_within(scene: TimeContext, part: TimeStretch, hours: Hours) -> TimeStretch:
    """ "tonight at 7" is nineteen, "this morning at 7" is seven, "midnight last night" is past the day's end."""
    first = part.start.hour
    if hours.start >= 12 * 60 and first < 12 and hours.start - 12 * 60 >= first * 60:
        hours = Hours(hours.start - 12 * 60, hours.end - 12 * 60, hours.grain)
    elif hours.start < first * 60 and first >= 12:
        later = 12 * 60 if hours.start + 12 * 60 >= first * 60 else 24 * 60
        hours = Hours(hours.start + later, hours.end + later, hours.grain)
    return on_day(part, hours)


def _night_before(_: TimeContext, part: tuple[int, int], period: Timed) -> Timed | None:
    if period.grain > Grain.DAY:
        return None
    hours = Hours(part[0] * 60, part[1] * 60, Grain.HOUR)
    return mapped(period, lambda held: on_day(days(midnight(held.start) - DAY, 1), hours), Grain.HOUR)


TONIGHT = (
    GrammarRule("late|later? tonight|tonite", _tonight, "late tonight"),
    GrammarRule("this PARTHOURS", lambda s, h: _shifted_part(s, 0, h), "this morning"),
    GrammarRule("early|late this DAYPART", lambda s, p: _shifted_part(s, 0, _part(s, p)), "early this morning"),
    GrammarRule(
        "the SHIFT DAYPART", lambda s, n, p: _shifted_part(s, n, _part(s, p)) if n else None, "the next morning"
    ),
    GrammarRule("next|tomorrow PARTHOURS", lambda s, h: _shifted_part(s, 1, h), "next evening"),
    GrammarRule("last DAYPART", _last_part, "last night"),
    GrammarRule("late last DAYPART", _last_part, "late last night"),
)
MOMENT = (
    GrammarRule("PERIOD ,? HOURS", _join, "yesterday evening"),
    GrammarRule("PERIOD @ CLOCK", at_hours, "Monday @ 5"),
    GrammarRule("PERIOD ,? at|around|about|by HOURS", _join, "Monday at 2 in the afternoon"),
    GrammarRule("PERIOD ,? at|around|about|by around|about? CLOCK", at_hours, "Monday around 5"),
    GrammarRule("PERIOD ,|- HOURS", _join, "Monday - 5pm"),
    GrammarRule("PERIOD ,? CLOCKSPAN", _join_said, "Monday from 3 to 8"),
    GrammarRule("PERIOD t CLOCK z?", at_hours, "2021-03-04T10:00Z"),
    GrammarRule("HOURS on|of|,? PERIOD", lambda s, h, p: _join(s, p, h), "8am tomorrow"),
    GrammarRule("HOURS on|of the PERIOD", lambda s, h, p: _join(s, p, h), "5pm on the 4th of March"),
    GrammarRule("the HOURS of PERIOD", lambda s, h, p: _join(s, p, h), "the evening of March 4"),
    GrammarRule("at CLOCK on|of|,? PERIOD", lambda s, c, p: at_hours(s, p, c), "at 5 on Monday"),
    GrammarRule(
        "at? CLOCK on|of? PERIOD DAYPART",
        lambda s, c, p, part: _join(s, p, _clock_in(s, part, c)),
        "at 7:45 on Thursday morning",
    ),
    GrammarRule(
        "CLOCKSPAN on|of? PERIOD DAYPART",
        lambda s, h, p, part: _join(s, p, _span_in(s, part, h)),
        "9am to 11am Friday morning",
    ),
    GrammarRule("CLOCKSPAN on|of|in|,? PERIOD", lambda s, h, p: _join_said(s, p, h), "from 3 to 5pm of June 9"),
    same("TONIGHT", "tonight"),
    GrammarRule("TONIGHT ,? HOURS", _clock_within, "tonight from 8 to 9:15"),
    GrammarRule(
        "TONIGHT ,? at|around|about|by around|about? CLOCK",
        lambda s, n, c: _clock_within(s, n, hours_of(s, c)),
        "tonight at 7",
    ),
    GrammarRule("HOURS TONIGHT", lambda s, h, n: _clock_within(s, n, h), "7am this morning"),
    GrammarRule(
        "at|around|about CLOCK TONIGHT", lambda s, c, n: _clock_within(s, n, hours_of(s, c)), "at 8 this morning"
    ),
    GrammarRule("late|early PERIOD DAYPART", lambda s, p, part: _join(s, p, _part(s, part)), "late Friday night"),
    GrammarRule("the? DAYPART before PERIOD", _night_before, "the night before Christmas"),
    GrammarRule(
        "the? DAYPART before last", lambda s, p: _night_before(s, p, days(s.today - DAY, 1)), "the night before last"
    ),
    GrammarRule(
        "the? DAYPART after PERIOD",
        lambda s, p, d: _night_before(s, (p[0] + 48, p[1] + 48), d),
        "the morning after Christmas",
    ),
)


def _today_at(scene: TimeContext, read: Clock) -> TimeStretch | None:
    return on_day(days(scene.today, 1), hours_of(scene, read)) if read.sure else None


def _today_exactly(scene: TimeContext, read: Clock) -> TimeStretch | None:
    """Without "at", only what carries its "am" or "pm": "a midnight dip" is no hour."""
    return None if read.half is None or read.named else _today_at(scene, read)


def _today_span(scene: TimeContext, hours: Hours) -> TimeStretch | None:
    return on_day(days(scene.today, 1), hours) if hours.sure else None


TIMED = any_of(PERIOD="yesterday", MOMENT="yesterday evening")
BARECLOCK = (
    GrammarRule("at|around|by CLOCK", _today_at, "at 5:30"),
    GrammarRule("CLOCK", _today_exactly, "5pm"),
    GrammarRule("CLOCKSPAN", _today_span, "from 2pm to 4pm"),
    GrammarRule("eod|cob", lambda s: on_day(days(s.today, 1), END_OF_DAY), "EOD"),
    GrammarRule("the? end of the? day", lambda s: on_day(days(s.today, 1), END_OF_DAY), "end of day"),
)
