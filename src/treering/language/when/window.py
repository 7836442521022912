"""What does a reading give back? A `Window` is a stretch of time that a text speaks of, with the words that said so.

Both ends are aware UTC datetimes, the end is not part of the window, and `None` is an end that the text left open.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from enum import Enum
from functools import total_ordering
from typing import Any

from treering.model.time import Period, to_text
from treering.model.value import Value


@total_ordering
class Grain(Enum):
    """How finely a time was named: "in 2019" is a YEAR, "at half past six" a MINUTE. Coarser is greater."""

    SECOND = "second"
    MINUTE = "minute"
    HOUR = "hour"
    DAY = "day"
    WEEK = "week"
    MONTH = "month"
    QUARTER = "quarter"
    YEAR = "year"
    DECADE = "decade"
    CENTURY = "century"

    def __lt__(self, other: Grain) -> bool:
        return _COARSENESS[self] < _COARSENESS[other]


_COARSENESS = {grain: i for i, grain in enumerate(Grain)}


@dataclass(frozen=True, slots=True, repr=False)
class Window(Value):
    """A closed-open stretch `[start, end)` named by `text`, which stands at `span` in what was read."""

    start: datetime | None
    end: datetime | None
    text: str
    span: tuple[int, int]
    grain: Grain = Grain.DAY

    @property
    def period(self) -> Period:
        return Period(self.start, self.end)

    def to_dict(self) -> dict[str, Any]:
        return {
            "start": None if self.start is None else to_text(self.start),
            "end": None if self.end is None else to_text(self.end),
            "text": self.text,
            "span": list(self.span),
            "grain": self.grain.value,
        }

    def __repr__(self) -> str:
        return f"Window({self.period}, {self.text!r}, span={self.span}, grain={self.grain.value})"
