"""Which memories are alike? Every pair of a space whose vectors lie near one another, without comparing all with all.

Memories are sorted into cells around some of their own, each into the few it is nearest to, and only those of one cell
are compared: the work grows with the square root of the space for each memory, and what is held at once does not grow
with it. A small space is one cell, and nothing is missed there; of a large one a few pairs near the bound are.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise

import numpy as np

from treering.recall.index.columns import Numbers
from treering.recall.index.nearness import EXACT_UP_TO, Vectors
from treering.recall.index.space import SpaceIndex

CELLS_EACH = 5
"""In how many cells a memory lies: one that lies between two is found from both."""
ONE_CELL_UP_TO = EXACT_UP_TO
ROWS_AT_ONCE = 1_024
NEARER_IN_ORDER = 1e-5
"""What the distance in order weighs, from the first to the last of a cell: of many that are equally alike, those that
became known one after another are paired."""

Progress = Callable[[int, int], None]


class Alike:
    """The vectors of one space, as an embedder made them: what may be seen is for the caller to say."""

    def __init__(self, index: SpaceIndex, vectors: Vectors) -> None:
        self._index, self._vectors = index, vectors

    def pairs(
        self, ids: Sequence[str], least: float, each: int, progress: Progress | None = None
    ) -> list[tuple[str, str, float]]:
        """Those of these memories whose cosine is at least `least`, for each memory its `each` nearest; the most alike
        first."""
        things = self._read(ids)
        if len(things) < 2:
            return []
        rows = self._vectors.row.rows[things]
        firsts, seconds, cosines = _gathered(_near(self._vectors, rows, least, each, progress), len(rows))
        order = np.lexsort((seconds, firsts, -np.round(cosines, 4)))
        names = [self._index.ids[int(thing)] for thing in things]
        return [(names[int(firsts[one])], names[int(seconds[one])], float(cosines[one])) for one in order]

    def between(self, ids: Sequence[str]) -> list[list[float]]:
        """The cosine of each of these with each; zero where one was not read."""
        wide = np.zeros((len(ids), self._vectors.dims), np.float32)
        for place, one in enumerate(ids):
            thing = self._index.number.get(one)
            row = -1 if thing is None else int(self._vectors.row.rows[thing])
            if row >= 0:
                wide[place] = _unit(self._vectors, np.array([row]))[0]
        found: list[list[float]] = np.clip(wide @ wide.T, -1, 1).tolist()
        return found

    def _read(self, ids: Sequence[str]) -> Numbers:
        known = (self._index.number.get(one) for one in ids)
        things = np.array(sorted(one for one in known if one is not None), np.int64)
        if not len(things):
            return things
        found: Numbers = things[self._vectors.row.rows[things] >= 0]
        return found


Found = tuple[Numbers, Numbers, Numbers]


def _near(
    vectors: Vectors, rows: Numbers, least: float, each: int, progress: Progress | None
) -> Iterator[tuple[Numbers, Numbers, Numbers]]:
    """Pairs by place among the rows, cell by cell; one that lies in several cells is found several times."""
    cells = _cells(vectors, rows)
    for done, members in enumerate(cells, 1):
        yield from _within(vectors, rows, members, least, each)
        if progress is not None:
            progress(done, len(cells))


def _cells(vectors: Vectors, rows: Numbers) -> list[Numbers]:
    """Places among the rows, in order: one cell of all while they are few."""
    count = len(rows)
    if count <= ONE_CELL_UP_TO:
        return [np.arange(count)]
    middles = _unit(vectors, rows[np.linspace(0, count - 1, math.isqrt(count)).astype(np.int64)])
    nearest = np.empty((count, CELLS_EACH), np.int32)
    for start in range(0, count, ROWS_AT_ONCE):
        some = slice(start, start + ROWS_AT_ONCE)
        alike = _unit(vectors, rows[some]) @ middles.T
        nearest[some] = np.argpartition(-alike, CELLS_EACH, axis=1)[:, :CELLS_EACH]
    cell, place = nearest.ravel(), np.repeat(np.arange(count), CELLS_EACH)
    order = np.lexsort((place, cell))
    bounds = np.searchsorted(cell[order], np.arange(len(middles) + 1))
    return [place[order[begin:end]] for begin, end in pairwise(bounds) if end - begin > 1]


def _within(vectors: Vectors, rows: Numbers, members: Numbers, least: float, each: int) -> Iterator[Found]:
    for start in range(0, len(members), ROWS_AT_ONCE):
        here = members[start : start + ROWS_AT_ONCE]
        mine = _unit(vectors, rows[here])
        for other in range(start, len(members), ROWS_AT_ONCE):
            there = members[other : other + ROWS_AT_ONCE]
            alike = mine @ (mine if other == start else _unit(vectors, rows[there])).T
            if other == start:
                alike[np.tril_indices(len(here))] = -1.0
            _keep_nearest(alike, least, each)
            first, second = np.nonzero(alike >= least)
            yield here[first], there[second], alike[first, second]


def _keep_nearest(alike: Numbers, least: float, each: int) -> None:
    """Rows with more than `each` lose those beyond: ten thousand that say the same would be fifty million pairs."""
    full = np.flatnonzero(np.count_nonzero(alike >= least, axis=1) > each)
    if not len(full):
        return
    ahead = np.arange(alike.shape[1]) * (NEARER_IN_ORDER / alike.shape[1])
    weighed = alike[full] - ahead
    bound = np.partition(weighed, -each, axis=1)[:, -each]
    alike[full] = np.where(weighed >= bound[:, None], alike[full], -1.0)


def _gathered(found: Iterator[Found], count: int) -> Found:
    """Each pair once."""
    keys, cosines = np.empty(0, np.int64), np.empty(0, np.float32)
    waiting: list[tuple[Numbers, Numbers]] = []
    size = 0
    for first, second, alike in found:
        waiting.append((first * np.int64(count) + second, alike))
        size += len(first)
        if size > 1_000_000:
            keys, cosines = _once(keys, cosines, waiting)
            waiting, size = [], 0
    keys, cosines = _once(keys, cosines, waiting)
    return keys // count, keys % count, cosines


def _once(keys: Numbers, cosines: Numbers, more: list[tuple[Numbers, Numbers]]) -> tuple[Numbers, Numbers]:
    every = np.concatenate([keys, *(one for one, _ in more)])
    values = np.concatenate([cosines, *(one for _, one in more)])
    unique, places = np.unique(every, return_index=True)
    return unique, values[places]


def _unit(vectors: Vectors, rows: Numbers) -> Numbers:
    wide: Numbers = vectors.whole.rows[rows].astype(np.float32)
    wide *= 1.0 / np.maximum(np.linalg.norm(wide, axis=1, keepdims=True), 1e-9)
    return wide
