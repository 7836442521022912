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
    whole: (
        unit,
        {"early": (0, early), "start": (0, start), "mid": mid, "middle": mid, "late": (late, None), "end": (end, None)},
    )
    for whole, unit, early, start, mid, late, end in (
        (Grain.WEEK, Grain.DAY, 3, 3, (1, 5), 3, 4),
        (Grain.MONTH, Grain.DAY, 15, 10, (10, 20), 15, 20),
        (Grain.QUARTER, Grain.MONTH, 1, 1, (1, 2), 2, 2),
        (Grain.YEAR, Grain.MONTH, 6, 4, (4, 8), 6, 8),
        (Grain.DECADE, Grain.YEAR, 4, 4, (4, 7), 7, 7),
        (Grain.CENTURY, Grain.YEAR, 33, 10, (33, 67), 67, 90),
    )
}
"""For each grain the unit to count in, and where each part begins and ends. "Early" and the beginning open with the
whole, "late" and the end close with it (None)."""


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
