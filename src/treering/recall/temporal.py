"""How close is it to the time that the question names? Nothing is left out for its time: it only ranks lower."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

import numpy as np

from treering.language.when.window import Window
from treering.model.time import to_micros
from treering.recall.index.columns import Numbers
from treering.recall.search import Search

DAY = 86_400_000_000
LATER_COUNTS = 0.5  # what happened is told afterwards
NEAR_DAYS, FAR_DAYS, NEAR_SHARE = 4.0, 15.0, 0.6
_EVER = 1 << 62


def closeness(search: Search, pool: Numbers) -> Numbers:
    """One inside a window that the question names, less the further outside; zeros if it names none."""
    days = days_outside(search, pool, search.question.windows)
    near, far = np.exp(-days / NEAR_DAYS), np.exp(-days / FAR_DAYS)
    closest: Numbers = NEAR_SHARE * near + (1 - NEAR_SHARE) * far
    return closest


def days_outside(search: Search, pool: Numbers, windows: Sequence[Window]) -> Numbers:
    begins, ends = search.column("begins")[pool], search.column("ends")[pool]
    found = np.full(len(pool), np.inf)
    for window in windows:
        start, end = _micros(window.start, -_EVER), _micros(window.end, _EVER)
        early = np.maximum(start - ends, 0) / DAY
        late = np.maximum(begins - end, 0) / DAY
        found = np.minimum(found, np.where(early > 0, early, late * LATER_COUNTS))
    return found


def inside(search: Search) -> Numbers:
    """Marks the memories that fall into a window of the question."""
    begins, ends = search.column("begins"), search.column("ends")
    found = np.zeros(len(begins), bool)
    for window in search.question.windows:
        found |= (begins < _micros(window.end, _EVER)) & (ends >= _micros(window.start, -_EVER))
    return found


def _micros(point: datetime | None, otherwise: int) -> int:
    return otherwise if point is None else to_micros(point)
