"""How close is it to the time that the question names? Nothing is left out for its time: it only ranks lower."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

import numpy as np

from treering.language.when.window import Window
from treering.language.words import words
from treering.model.time import to_micros
from treering.recall.index.columns import Numbers
from treering.recall.question import Question
from treering.recall.search import Search

DAY = 86_400_000_000
LATER_COUNTS = 0.5  # what happened is told afterwards
NEAR_DAYS, FAR_DAYS, NEAR_SHARE = 4.0, 15.0, 0.6
_EVER = 1 << 62
DECIDES = 4.0
"""How much more closeness counts where a question asks for nothing but a time: nothing else is said to go by."""
SAYS_NOTHING = frozenset(
    words(
        "happen happened happening occur occurred take took taken place went going gone event events anything "
        "something everything notable noteworthy special interesting important memorable thing things new news life"
    )
)
"""Words of a question that tell nothing of what it is about, beside the time that it names."""


def asks_only_when(question: Question) -> bool:
    """Whether it names a time and nothing else: "what happened in May", "what was going on last week"."""
    return bool(question.windows) and SAYS_NOTHING.issuperset(question.terms)


def closeness(search: Search, pool: Numbers) -> Numbers:
    """One inside a window that the question names, less the further outside; zeros if it names none."""
    closest = np.zeros(len(pool))
    for stretch in search.question.stretches:
        days = days_outside(search, pool, [stretch.window])
        near, far = np.exp(-days / NEAR_DAYS), np.exp(-days / FAR_DAYS)
        closest = np.maximum(closest, stretch.weight * (NEAR_SHARE * near + (1 - NEAR_SHARE) * far))
    return closest * DECIDES if asks_only_when(search.question) else closest


def days_outside(search: Search, pool: Numbers, windows: Sequence[Window]) -> Numbers:
    """In whole days of UTC: nobody remembers on which side of midnight."""
    begins, ends, said = (search.column(name)[pool] // DAY for name in ("begins", "ends", "said"))
    # what happened at a time of its own did not happen when it was told, if that is all that is asked
    told = ((begins, ends),) if asks_only_when(search.question) else ((begins, ends), (said, said))
    found = np.full(len(pool), np.inf)
    for window in windows:
        start, end = _micros(window.start, -_EVER) // DAY, -(-_micros(window.end, _EVER) // DAY)
        for first, last in told:  # when it happened, or when it was told
            early = np.maximum(start - last, 0)
            late = np.maximum(first - end + 1, 0)
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
