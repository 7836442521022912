"""From where is a text read? The scene holds the reference moment and the direction in which the sentence looks.

Here is decided which March "March" is. A sentence in the past tense means the latest, one about the future the coming
one; one in the present tense means the coming day but the latest month. Where nothing is said, a memory looks back.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from enum import Enum

from treering.language.when.stretch import (
    DAY,
    Recurring,
    Timed,
    TimeStretch,
    cycle_number,
    inside,
    midnight,
    unit_at,
)
from treering.language.when.window import Grain


class TimeDirection(Enum):
    PAST = "past"
    PRESENT = "present"
    FUTURE = "future"
    UNSAID = "unsaid"


@dataclass(frozen=True, slots=True)
class TimeContext:
    now: datetime
    direction: TimeDirection

    @property
    def today(self) -> datetime:
        return midnight(self.now)

    def looks_ahead(self, grain: Grain) -> bool:
        if self.direction is TimeDirection.PRESENT:
            return grain <= Grain.WEEK
        return self.direction is TimeDirection.FUTURE


WEEKDAY_REACH = 550 * DAY
"""How far a date and its weekday are believed together; beyond it the weekday is taken for a slip."""


def pick(scene: TimeContext, thing: Timed) -> TimeStretch | None:
    """The occurrence that is meant when nothing but the sentence's direction says which."""
    if isinstance(thing, TimeStretch):
        return thing
    if thing.loosely is not None:
        return closest(scene, thing) or pick(scene, thing.loosely)
    return coming(scene, thing) if scene.looks_ahead(thing.grain) else latest(scene, thing)


def closest(scene: TimeContext, thing: Recurring) -> TimeStretch | None:
    """A date that must fall on its weekday: in the sentence's direction if that is within a year, else the nearest."""
    ahead, back = thing.earliest_not_over(scene.now), thing.latest(scene.now)
    wished = ahead if scene.looks_ahead(thing.grain) else back
    near = [found for found in (ahead, back) if found and abs(found.start - scene.now) < WEEKDAY_REACH]
    if wished is not None and abs(wished.start - scene.now) < 366 * DAY:
        return wished
    return min(near, key=lambda found: abs(found.start - scene.now), default=None)


def latest(scene: TimeContext, thing: Timed) -> TimeStretch | None:
    """ "I saw her on Monday", said on a Monday, is a week ago: else one would have said today."""
    if isinstance(thing, TimeStretch):
        return thing
    if thing.loosely is not None:
        return pick(scene, thing)
    return thing.latest_over(scene.today) if thing.cycle is Grain.WEEK else thing.latest(scene.now)


def coming(scene: TimeContext, thing: Timed) -> TimeStretch | None:
    if isinstance(thing, TimeStretch):
        return thing
    if thing.loosely is not None:
        return pick(scene, thing)
    return thing.earliest_not_over(scene.now)


def shifted(scene: TimeContext, steps: int, thing: Recurring) -> Timed | None:
    """ "last March", "this Friday", "next Easter".

    Speakers mean by "last Friday" the latest one, though it be of this week, but by "next Friday" that of next week.
    """
    if steps < 0:
        return thing.latest_over(scene.today)
    if thing.cycle is Grain.WEEK:
        return inside(thing, unit_at(scene.now, Grain.WEEK, steps))
    if steps > 0:
        return thing.earliest(scene.today + DAY)
    found = _ongoing(scene, thing) or thing.occurs(cycle_number(scene.now, thing.cycle))
    if found is not None and found.start > scene.now and scene.direction is TimeDirection.PAST:
        return thing.latest(scene.now)
    return found


def _ongoing(scene: TimeContext, thing: Recurring) -> TimeStretch | None:
    found = thing.latest(scene.now)
    return found if found is not None and found.end > scene.now else None


def nearest(scene: TimeContext, steps: int, thing: Recurring) -> Timed | None:
    """ "this past Wednesday", "this coming Friday": the next one over, whichever week it is in."""
    return thing.latest_over(scene.today) if steps < 0 else thing.earliest(scene.today + DAY)


def nth_from_now(scene: TimeContext, count: int, thing: Recurring) -> TimeStretch | None:
    """ "two Sundays from now" (2), "three Thursdays ago" (-3)."""
    found = thing.earliest(scene.today + DAY) if count > 0 else thing.latest_over(scene.today)
    if found is None:
        return None
    whole = cycle_number(found.start, thing.cycle) + (count - 1 if count > 0 else count + 1)
    return thing.occurs(whole)
