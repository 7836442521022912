"""From when to when? Ranges and open ends: "between May and July", "from 3 to 7 June", "before 2020", "since Monday".

A range takes in its last unit: "from March to May" runs to the first of June. Where one end leaves its year or month
unsaid, the other end gives it.
"""

from __future__ import annotations

from datetime import datetime

from treering.language.when.clock import Clock
from treering.language.when.durations import Duration, away
from treering.language.when.grammar import GrammarRule, any_of, same
from treering.language.when.rules_clock import at_hours, hours_of, on_day
from treering.language.when.stretch import LENGTH, Open, Recurring, Timed, TimeStretch, days, every_day_of_month, inside
from treering.language.when.time_context import TimeContext, TimeDirection, coming, latest, pick
from treering.language.when.window import Grain


def _both(scene: TimeContext, first: Timed, last: Timed) -> tuple[TimeStretch | None, TimeStretch | None]:
    """Fix two ends so that the second follows the first."""
    first, last = _loosely(first), _loosely(last)
    if isinstance(first, TimeStretch):
        return first, last if isinstance(last, TimeStretch) else last.earliest_not_over(first.start)
    if isinstance(last, TimeStretch) or last.cycle > first.cycle:
        end = pick(scene, last)
        return (first.latest(end.start) if end else None), end
    if scene.direction is TimeDirection.PAST and first.cycle is last.cycle:
        end = last.latest_over(scene.now)
        return (first.latest(end.start) if end else None), end
    start = _under_way(scene, first, last) or pick(scene, first)
    return start, (last.earliest_not_over(start.end) if start else None)


def _loosely(thing: Timed) -> Timed:
    """The other end already says which year; a weekday beside a date need not be right."""
    return thing.loosely if isinstance(thing, Recurring) and thing.loosely else thing


def _under_way(scene: TimeContext, first: Recurring, last: Recurring) -> TimeStretch | None:
    """ "I'll be out from August to October", said in September, has already begun."""
    start = first.latest(scene.now)
    end = last.earliest_not_over(start.end) if start else None
    return start if end is not None and end.end > scene.now else None


def span(scene: TimeContext, first: Timed, last: Timed) -> TimeStretch | None:
    start, end = _both(scene, first, last)
    if start is None or end is None or start == end:
        return None
    begin, until = start.pin or start.start, _close(end)
    return TimeStretch(begin, until, min(start.grain, end.grain)) if begin < until else None


def _close(end: TimeStretch) -> datetime:
    """Where a range ends: with its last unit, but at an hour's stroke: "to 4pm" does not take in the hour."""
    stroke = end.grain <= Grain.HOUR and end.end - end.start <= LENGTH[Grain.HOUR]
    return end.pin or (end.start if stroke else end.end)


def _numbers_in(scene: TimeContext, first: int, last: int, container: Timed) -> TimeStretch | None:
    """ "between 6 and 19 this month"."""
    if container.grain is not Grain.MONTH:
        return None
    end = inside(every_day_of_month(last), container)
    return None if end is None else span(scene, every_day_of_month(first), end)


def _number_to(scene: TimeContext, first: int, last: Timed) -> TimeStretch | None:
    """ "from 3 to 7 June"."""
    return span(scene, every_day_of_month(first), last) if last.grain is Grain.DAY else None


def _to_number(scene: TimeContext, first: Timed, last: int) -> TimeStretch | None:
    """ "July 8 to 11"."""
    return span(scene, first, every_day_of_month(last)) if first.grain is Grain.DAY else None


def _to_number_of_year(scene: TimeContext, first: Recurring, last: int, year: TimeStretch) -> TimeStretch | None:
    start = first.occurs(year.start.year)
    return span(scene, start, every_day_of_month(last)) if start else None


def _lasting(scene: TimeContext, thing: Timed, length: Duration) -> TimeStretch | None:
    found = pick(scene, thing)
    return TimeStretch(found.start, away(found.start, length, 1), found.grain) if found else None


TO = "to|until|till|til|through|thru|-|~"


def _clock_to(scene: TimeContext, first: Clock, last: Timed) -> TimeStretch | None:
    return span(scene, on_day(days(scene.today, 1), hours_of(scene, first)), last)


ENDPOINT = any_of(TIMED="March 4", NOW="now", BARECLOCK="5pm")
FROMTO = (
    GrammarRule(f"from|between ENDPOINT {TO} ENDPOINT", span, "from March to May"),
    GrammarRule("from|between ENDPOINT ,? and ENDPOINT", span, "between May and July"),
)
RANGE = (
    same("FROMTO", "from March to May"),
    GrammarRule("for DURATION ,? FROMTO", lambda _s, _d, stretch: stretch, "for five years, from 2010 to 2015"),
    GrammarRule(f"ENDPOINT {TO} ENDPOINT", span, "March to May"),
    GrammarRule(f"from|between DAYNUMBER {TO} the? ENDPOINT", _number_to, "from 3 to 7 June"),
    GrammarRule("from|between DAYNUMBER and the? ENDPOINT", _number_to, "between 3 and 7 June"),
    GrammarRule(f"the? DAYNUMBER {TO} the? MONTHDAY", _number_to, "3 to 7 June"),
    GrammarRule(f"the? DAYNUMBER {TO} the? DATED1", _number_to, "3 to 7 June 2020"),
    GrammarRule(
        f"from? ENDPOINT {TO} the? present", lambda s, first: span(s, first, days(s.today, 1)), "May 2023 to present"
    ),
    GrammarRule(f"from|between? ENDPOINT {TO} the? DAYNUMBER", _to_number, "July 8 to 11"),
    GrammarRule("from|between ENDPOINT and the? DAYNUMBER", _to_number, "between July 8 and 11"),
    GrammarRule(f"from? MONTHDAY {TO} DAYNUMBER ,? YEARREF", _to_number_of_year, "July 8-11, 2020"),
    GrammarRule(f"from|between DAYNUMBER {TO} DAYNUMBER of|in? CONTAINER", _numbers_in, "from 6 to 19 this month"),
    GrammarRule("between DAYNUMBER and DAYNUMBER of|in? CONTAINER", _numbers_in, "between 6 and 19 this month"),
    GrammarRule(
        f"CONTAINER ,? from|between DAYNUMBER {TO} DAYNUMBER",
        lambda s, c, a, b: _numbers_in(s, a, b, c),
        "this May from 6 to 19",
    ),
    GrammarRule(
        "CONTAINER ,? between DAYNUMBER and DAYNUMBER",
        lambda s, c, a, b: _numbers_in(s, a, b, c),
        "this May between 6 and 19",
    ),
    GrammarRule(f"from CLOCK {TO} MOMENT", _clock_to, "from 3pm till tomorrow 11:15am"),
    GrammarRule("TIMED for DURATION", _lasting, "18 December for 10 days"),
    GrammarRule(
        "DURATION ,? starting|beginning on|from? TIMED",
        lambda s, d, t: _lasting(s, t, d),
        "a week starting 20 December",
    ),
    GrammarRule(
        "for DURATION ,? from|starting|beginning on|from? TIMED",
        lambda s, d, t: _lasting(s, t, d),
        "for a week from 20 December",
    ),
)


def _before(scene: TimeContext, thing: Timed | None) -> Open | None:
    found = None if thing is None else pick(scene, thing)
    return Open(None, found.pin or found.start, found.grain) if found else None


def _by(scene: TimeContext, thing: Timed) -> Open | None:
    """A deadline lies ahead unless the sentence looks back."""
    found = latest(scene, thing) if scene.direction is TimeDirection.PAST else coming(scene, thing)
    return Open(None, _close(found), found.grain) if found else None


def _after(scene: TimeContext, thing: Timed) -> Open | None:
    found = pick(scene, thing)
    if found is None:
        return None
    return Open(found.pin or (found.start if found.grain <= Grain.DAY else found.end), None, found.grain)


def _since(scene: TimeContext, thing: Timed) -> Open | None:
    found = latest(scene, thing)
    return Open(found.start, None, found.grain) if found else None


def _onwards(scene: TimeContext, thing: Timed | None) -> Open | None:
    found = None if thing is None else pick(scene, thing)
    return Open(found.pin or found.start, None, found.grain) if found else None


def _and_before(scene: TimeContext, thing: Timed) -> Open | None:
    found = pick(scene, thing)
    return Open(None, found.end, found.grain) if found else None


def _longer_ago(scene: TimeContext, length: Duration) -> Open:
    return Open(None, away(scene.now, length, -1), Grain.DAY)


def _shorter_ago(scene: TimeContext, length: Duration) -> TimeStretch:
    return TimeStretch(away(scene.today, length, -1), scene.now, Grain.DAY)


def _further_ahead(scene: TimeContext, length: Duration, thing: Timed) -> Open | None:
    found = pick(scene, thing)
    return Open(away(found.start, length, 1), None, Grain.DAY) if found else None


OPENEND = (
    GrammarRule("before ENDPOINT", _before, "before 2020"),
    GrammarRule("pre - ENDPOINT", _before, "pre-2020"),
    GrammarRule("prior to ENDPOINT", _before, "prior to 2020"),
    GrammarRule("earlier than ENDPOINT", _before, "earlier than 2020"),
    GrammarRule("since before ENDPOINT", _before, "since before 2020"),
    GrammarRule("before about|around TIMED", _before, "before around 4pm today"),
    GrammarRule("by|until|till|til ENDPOINT", _by, "until Friday"),
    GrammarRule("up to ENDPOINT", _by, "up to last May"),
    GrammarRule("up|right until|till ENDPOINT", _by, "up until last May"),
    GrammarRule("no later than ENDPOINT", _by, "no later than Friday"),
    GrammarRule("after ENDPOINT", _after, "after last Christmas"),
    GrammarRule("post - ENDPOINT", _after, "post-2020"),
    GrammarRule("later than ENDPOINT", _after, "later than 2020"),
    GrammarRule("no|not earlier|sooner than ENDPOINT", _onwards, "no earlier than 2020"),
    GrammarRule("not before ENDPOINT", _onwards, "not before 2020"),
    GrammarRule("as early as ENDPOINT", _onwards, "as early as next week"),
    GrammarRule("as late as ENDPOINT", _by, "as late as 1998"),
    GrammarRule("not after ENDPOINT", _by, "not after Friday"),
    GrammarRule("any time from ENDPOINT", _onwards, "any time from this month"),
    GrammarRule("any time before ENDPOINT", _before, "any time before 2020"),
    GrammarRule("anytime from ENDPOINT", _onwards, "anytime from this month"),
    GrammarRule("any time after ENDPOINT", _after, "any time after 2020"),
    GrammarRule("ever? since about|around|at|the? ENDPOINT", _since, "since Monday"),
    GrammarRule("from ENDPOINT on|onward|onwards|forward", _onwards, "from March onwards"),
    GrammarRule("starting|beginning|commencing on|from|in|with? ENDPOINT", _onwards, "starting in March"),
    GrammarRule("as of|from ENDPOINT", _onwards, "as of March 4"),
    GrammarRule("effective ENDPOINT", _onwards, "effective March 4"),
    GrammarRule("ENDPOINT and|or after|later|onward|onwards|beyond", _onwards, "2016 and later"),
    GrammarRule("ENDPOINT onward|onwards", _onwards, "2016 onwards"),
    GrammarRule("ENDPOINT and|or before|earlier", _and_before, "2016 or earlier"),
    GrammarRule("on or before ENDPOINT", _and_before, "on or before May 3"),
    GrammarRule("on or after ENDPOINT", _onwards, "on or after May 3"),
    GrammarRule("PERIOD after CLOCK", lambda s, p, c: _onwards(s, at_hours(s, p, c)), "Monday after 2"),
    GrammarRule("PERIOD before|until CLOCK", lambda s, p, c: _before(s, at_hours(s, p, c)), "Monday before 5"),
    GrammarRule("to date", lambda s: Open(None, s.now, Grain.DAY), "to date"),
    GrammarRule("from now on", lambda s: Open(s.now, None, Grain.MINUTE), "from now on"),
    GrammarRule("more than|over DURATION ago", _longer_ago, "more than two weeks ago"),
    GrammarRule("more than DURATION ago", _longer_ago, "more than two weeks ago"),
    GrammarRule("at least DURATION ago", _longer_ago, "at least two weeks ago"),
    GrammarRule("less than DURATION ago", _shorter_ago, "less than two weeks ago"),
    GrammarRule(
        "in more than DURATION", lambda s, d: Open(away(s.now, d, 1), None, Grain.DAY), "in more than two weeks"
    ),
    GrammarRule("more than DURATION after|from SIMPLE", _further_ahead, "more than two weeks after today"),
    GrammarRule(
        "less than DURATION after|from SIMPLE", lambda s, d, t: _lasting(s, t, d), "less than two weeks from today"
    ),
)
TIME = any_of(
    TIMED="yesterday evening",
    ROLLING="the past 3 months",
    RANGE="from March to May",
    OPENEND="before 2020",
    VAGUE="recently",
    NOW="now",
    BARECLOCK="at 5pm",
)
