"""Which part of a stretch is meant? "early", "mid", "late", the beginning, the middle and the end of it.

Beginning, middle and end are thirds: ten days of a month, four months of a year. "Early" and "late" are halves of a
week, a month or a year. A decade is cut after its fourth and seventh year. As the border of a range, "the middle" and
"the end" are points, kept in the stretch's pin.
"""

from __future__ import annotations

from datetime import datetime

from treering.language.when.stretch import Timed, TimeStretch, mapped, midnight, shift
from treering.language.when.window import Grain

_CUTS: dict[Grain, tuple[Grain, dict[str, tuple[int, int | None]]]] = {
    Grain.WEEK: (
        Grain.DAY,
        {
            "early": (0, 3),
            "start": (0, 3),
            "mid": (1, 5),
            "middle": (1, 5),
            "late": (3, None),
            "end": (4, None),
        },
    ),
    Grain.MONTH: (
        Grain.DAY,
        {
            "early": (0, 15),
            "start": (0, 10),
            "mid": (10, 20),
            "middle": (10, 20),
            "late": (15, None),
            "end": (20, None),
        },
    ),
    Grain.QUARTER: (
        Grain.MONTH,
        {
            "early": (0, 1),
            "start": (0, 1),
            "mid": (1, 2),
            "middle": (1, 2),
            "late": (2, None),
            "end": (2, None),
        },
    ),
    Grain.YEAR: (
        Grain.MONTH,
        {
            "early": (0, 6),
            "start": (0, 4),
            "mid": (4, 8),
            "middle": (4, 8),
            "late": (6, None),
            "end": (8, None),
        },
    ),
    Grain.DECADE: (
        Grain.YEAR,
        {
            "early": (0, 4),
            "start": (0, 4),
            "mid": (4, 7),
            "middle": (4, 7),
            "late": (7, None),
            "end": (7, None),
        },
    ),
    Grain.CENTURY: (
        Grain.YEAR,
        {
            "early": (0, 33),
            "start": (0, 10),
            "mid": (33, 67),
            "middle": (33, 67),
            "late": (67, None),
            "end": (90, None),
        },
    ),
}
"""For each grain the unit to count in, and where each part begins and ends; None is the end of the whole."""


def part_of(whole: Timed, name: str) -> Timed | None:
    if whole.grain not in _CUTS:
        return None
    return mapped(whole, lambda held: _cut(held, name), _CUTS[whole.grain][0])


def _cut(held: TimeStretch, name: str) -> TimeStretch | None:
    if held.grain not in _CUTS:
        return None
    unit, table = _CUTS[held.grain]
    first, last = table[name]
    start = shift(held.start, first, unit)
    end = held.end if last is None else shift(held.start, last, unit)
    return TimeStretch(start, end, Grain.WEEK if unit is Grain.DAY else unit, _pin(held, name))


def _pin(held: TimeStretch, name: str) -> datetime | None:
    if name == "middle":
        return midnight(held.start + (held.end - held.start) / 2)
    return {"start": held.start, "end": held.end}.get(name)
