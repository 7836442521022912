"""How does the calendar count? Stretches of time, things that come round again, and the arithmetic on both.

A `TimeStretch` is fixed on the calendar. A `Recurring` comes once in every year, month, week or day, as "March", "4th",
"Friday" and "evening" do, and becomes a stretch when something says which one. Times here are naive and local to the
reference; `reader` turns them into UTC.
"""

from __future__ import annotations

import calendar
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from treering.language.when.window import Grain

DAY = timedelta(days=1)
WEEK = timedelta(days=7)
MONTHS_IN = {Grain.MONTH: 1, Grain.QUARTER: 3, Grain.YEAR: 12, Grain.DECADE: 120, Grain.CENTURY: 1200}
LENGTH = {
    Grain.SECOND: timedelta(seconds=1),
    Grain.MINUTE: timedelta(minutes=1),
    Grain.HOUR: timedelta(hours=1),
    Grain.DAY: DAY,
    Grain.WEEK: WEEK,
}
BY_CALENDAR = (Grain.QUARTER, Grain.DECADE, Grain.CENTURY)
"""Units so long or so official that "the last two" means whole ones."""
CYCLES_SEARCHED = {Grain.DAY: 2, Grain.WEEK: 2, Grain.MONTH: 40, Grain.YEAR: 9}
"""How far to look for an occurrence: a 29 February may be eight years away, a Friday the 13th fourteen months."""


@dataclass(frozen=True, slots=True)
class TimeStretch:
    """A fixed stretch. `pin` is the point meant where the stretch bounds a range: "from the end of March"."""

    start: datetime
    end: datetime
    grain: Grain
    pin: datetime | None = None


@dataclass(frozen=True, slots=True)
class Open:
    """A stretch with an open side: "before 2020", "since Monday"."""

    start: datetime | None
    end: datetime | None
    grain: Grain


@dataclass(frozen=True, slots=True)
class Recurring:
    """Something that comes round once in each `cycle`; `occurs(n)` is the one in cycle number n, if there is one."""

    cycle: Grain
    grain: Grain
    occurs: Callable[[int], TimeStretch | None]
    loosely: Recurring | None = None
    """The same without the weekday it must fall on, for one who has mixed up the two."""

    def around(self, point: datetime, step: int) -> Iterator[TimeStretch]:
        """The occurrences from the cycle beside `point` onwards, in the direction of `step`."""
        first = cycle_number(point, self.cycle) - step
        for n in range(first, first + step * (CYCLES_SEARCHED[self.cycle] + 2), step):
            found = self._safely(n)
            if found is not None:
                yield found

    def _safely(self, n: int) -> TimeStretch | None:
        try:
            return self.occurs(n)
        except (ValueError, OverflowError):
            return None

    def latest(self, point: datetime) -> TimeStretch | None:
        """The last one that begins at or before `point`."""
        return next((s for s in self.around(point, -1) if s.start <= point), None)

    def latest_over(self, point: datetime) -> TimeStretch | None:
        """The last one that is over by `point`."""
        return next((s for s in self.around(point, -1) if s.end <= point), None)

    def earliest(self, point: datetime) -> TimeStretch | None:
        """The first one that begins at or after `point`."""
        return next((s for s in self.around(point, 1) if s.start >= point), None)

    def earliest_not_over(self, point: datetime) -> TimeStretch | None:
        """The first one that ends after `point`."""
        return next((s for s in self.around(point, 1) if s.end > point), None)


Timed = TimeStretch | Recurring


def at(year: int, month: int = 1, number: int = 1) -> datetime:
    """The midnight that a day begins with, on the clock of the reference's place."""
    return datetime(year, month, number)  # noqa: DTZ001


def cycle_number(point: datetime, cycle: Grain) -> int:
    if cycle is Grain.YEAR:
        return point.year
    if cycle is Grain.MONTH:
        return point.year * 12 + point.month - 1
    if cycle is Grain.WEEK:
        return (point.toordinal() - 1) // 7
    return point.toordinal()


def cycle_start(n: int, cycle: Grain) -> datetime:
    """The inverse of `cycle_number`; weeks begin on Monday."""
    if cycle is Grain.YEAR:
        return at(n, 1, 1)
    if cycle is Grain.MONTH:
        return at(n // 12, n % 12 + 1, 1)
    return datetime.fromordinal(n * 7 + 1 if cycle is Grain.WEEK else n)


def midnight(point: datetime) -> datetime:
    return point.replace(hour=0, minute=0, second=0, microsecond=0)


def floor(point: datetime, grain: Grain) -> datetime:
    """The beginning of the unit that holds `point`."""
    if grain is Grain.SECOND:
        return point.replace(microsecond=0)
    if grain is Grain.MINUTE:
        return point.replace(second=0, microsecond=0)
    if grain is Grain.HOUR:
        return point.replace(minute=0, second=0, microsecond=0)
    if grain is Grain.DAY:
        return midnight(point)
    if grain is Grain.WEEK:
        return midnight(point) - point.weekday() * DAY
    if grain in (Grain.MONTH, Grain.QUARTER):
        return at(point.year, (point.month - 1) // MONTHS_IN[grain] * MONTHS_IN[grain] + 1, 1)
    years = MONTHS_IN[grain] // 12
    return at(max(1, point.year // years * years), 1, 1)


def shift(point: datetime, count: int, grain: Grain) -> datetime:
    """Whole units on; a day that the month does not have becomes its last."""
    if grain in LENGTH:
        return point + LENGTH[grain] * count
    month = point.year * 12 + point.month - 1 + MONTHS_IN[grain] * count
    year, index = divmod(month, 12)
    if not 1 <= year <= 9999:
        raise OverflowError("year out of range")
    day = min(point.day, calendar.monthrange(year, index + 1)[1])
    return point.replace(year=year, month=index + 1, day=day)


def unit_at(point: datetime, grain: Grain, offset: int = 0) -> TimeStretch:
    """The calendar unit that holds `point`, or the one `offset` units on: the year, the week, the hour."""
    start = shift(floor(point, grain), offset, grain)
    return TimeStretch(start, shift(start, 1, grain), grain)


def moved(stretch: TimeStretch, count: int, grain: Grain) -> TimeStretch:
    return replace(stretch, start=shift(stretch.start, count, grain), end=shift(stretch.end, count, grain), pin=None)


def day(year: int, month: int, number: int) -> TimeStretch:
    start = at(year, month, number)
    return TimeStretch(start, start + DAY, Grain.DAY)


def days(start: datetime, count: int, grain: Grain = Grain.DAY) -> TimeStretch:
    return TimeStretch(start, start + count * DAY, grain)


def year_of(number: int) -> TimeStretch:
    return unit_at(at(number, 1, 1), Grain.YEAR)


def month_of(year: int, month: int) -> TimeStretch:
    return unit_at(at(year, month, 1), Grain.MONTH)


def months(year: int, first: int, count: int, grain: Grain = Grain.QUARTER) -> TimeStretch:
    """`count` months from the `first` of a year; month 13 is the next January."""
    start = shift(at(year, 1, 1), first - 1, Grain.MONTH)
    return TimeStretch(start, shift(start, count, Grain.MONTH), grain)


def yearly(grain: Grain, occurs: Callable[[int], TimeStretch | None]) -> Recurring:
    return Recurring(Grain.YEAR, grain, occurs)


def every_month(number: int) -> Recurring:
    return yearly(Grain.MONTH, lambda year: month_of(year, number))


def every_date(month: int, number: int) -> Recurring:
    return yearly(Grain.DAY, lambda year: day(year, month, number))


def every_day_of_month(number: int) -> Recurring:
    return Recurring(Grain.MONTH, Grain.DAY, lambda n: day(n // 12, n % 12 + 1, number))


def every_weekday(weekday: int) -> Recurring:
    return Recurring(Grain.WEEK, Grain.DAY, lambda n: days(cycle_start(n, Grain.WEEK) + weekday * DAY, 1))


def every_weekend() -> Recurring:
    return Recurring(Grain.WEEK, Grain.WEEK, lambda n: days(cycle_start(n, Grain.WEEK) + 5 * DAY, 2, Grain.WEEK))


def every_weekday_on(weekday: int, number: int) -> Recurring:
    """A day of the month that is that weekday: "Friday the 13th"."""

    def occurs(n: int) -> TimeStretch | None:
        found = day(n // 12, n % 12 + 1, number)
        return found if found.start.weekday() == weekday else None

    return Recurring(Grain.MONTH, Grain.DAY, occurs, loosely=every_day_of_month(number))


def nth_weekday(year: int, month: int, weekday: int, nth: int) -> datetime:
    """The nth weekday of a month; -1 is the last."""
    if nth > 0:
        first = at(year, month, 1)
        return first + ((weekday - first.weekday()) % 7 + 7 * (nth - 1)) * DAY
    last = at(year, month, calendar.monthrange(year, month)[1])
    return last - ((last.weekday() - weekday) % 7 + 7 * (-nth - 1)) * DAY


def inside(thing: Recurring, container: Timed) -> Timed | None:
    """The first `thing` that begins within `container`: "March" in "last year", "Tuesday" in "last week"."""
    if isinstance(container, Recurring):
        return Recurring(container.cycle, thing.grain, lambda n: _held(thing, container.occurs(n)))
    return _held(thing, container)


def _held(thing: Recurring, container: TimeStretch | None) -> TimeStretch | None:
    if container is None:
        return None
    found = thing.earliest(container.start)
    return found if found is not None and found.start < container.end else None


def mapped(
    thing: Timed, change: Callable[[TimeStretch], TimeStretch | None], grain: Grain | None = None
) -> Timed | None:
    """`change` applied to a stretch, or to every occurrence of what comes round again."""
    if isinstance(thing, TimeStretch):
        return change(thing)
    recurring = thing

    def occurs(n: int) -> TimeStretch | None:
        found = recurring.occurs(n)
        return None if found is None else change(found)

    loosely = None if recurring.loosely is None else mapped(recurring.loosely, change, grain)
    return Recurring(
        recurring.cycle, grain or recurring.grain, occurs, loosely if isinstance(loosely, Recurring) else None
    )


def units_within(stretch: TimeStretch, unit: Grain, first: int, count: int) -> TimeStretch | None:
    """The units numbered from `first` (from 1, or -1 backwards) in a stretch. A week belongs to its Thursday."""
    if unit >= stretch.grain and unit is not Grain.WEEK:
        return None
    opening = _first_unit(stretch.start, unit)
    closing = _first_unit(stretch.end, unit)
    start = shift(opening, first - 1, unit) if first > 0 else shift(closing, first + 1 - count, unit)
    end = shift(start, count, unit)
    if start < opening or end > closing:
        return None
    return TimeStretch(start, end, unit)


def _first_unit(point: datetime, unit: Grain) -> datetime:
    if unit is Grain.WEEK:
        return floor(point + 3 * DAY, Grain.WEEK)
    start = floor(point, unit)
    return start if start == point else shift(start, 1, unit)
