"""Which memories are near in meaning? The vectors of a space, and the search for the nearest among them.

Vectors lie as int8 with a scale each. A small space is compared with the question whole. In a large one the signs of
the components come first: 384 bits a memory, counted where they differ from the question's, and only the few that
differ least are compared in full. Both see every memory: a rare one is never missed for the sake of a filter, the
answer is the same in every process, and there is nothing to build.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import lru_cache
from typing import Protocol

import numpy as np

from treering.mind.packing import unpack_many
from treering.recall.index.columns import MemoryColumn, Numbers

EXACT_UP_TO = 4_096
MOST_OF = 3  # one in so many
LOOKED_INTO = 500
"""Of so many, the best of a pool, the sentences and the neighbours are compared too."""
_BLOCK = 32_768
_ROWS_AT_ONCE = 512
_COUNTED = 100_000
_WORTH_SHARING = 8  # blocks
_COLUMNS = ("whole", "scale", "part", "part_scale", "part_ends")


class Meanings(Protocol):
    """What things mean, as one question is compared with them: all at hand, or asked of a store that measures."""

    @property
    def dims(self) -> int: ...

    @property
    def looked_into(self) -> int:
        """Of how many, the best, the parts and the neighbours are worth comparing."""

    def bring(self, things: Numbers) -> None:
        """All of these are about to be compared in whole and in parts."""

    def whole_rows(self, things: Numbers) -> Numbers:
        """A vector a thing, of length 1; zero for what has not been read."""

    def cosines(self, question: Numbers, things: Numbers) -> Numbers: ...

    def best_parts(self, question: Numbers, things: Numbers, otherwise: Numbers) -> Numbers: ...

    def last_parts(self, question: Numbers, things: Numbers, otherwise: Numbers) -> Numbers: ...

    def shortlist(self, question: Numbers, seen: Numbers, limit: int) -> Numbers: ...


class Vectors:
    """The vectors of numbered things: one for the whole of each, and some for its parts."""

    def __init__(self, dims: int) -> None:
        self.dims = dims
        self.row = MemoryColumn(np.int32)
        """For each thing its row among the wholes, -1 while it has not been read. Set once, later than the thing."""
        self.in_order = True
        """Whether the wholes lie in the order of the things, as they do when each is read as it comes."""
        self.whole = MemoryColumn(np.int8, dims)
        self.scale = MemoryColumn(np.float32)
        self.signs = [MemoryColumn(np.uint64) for _ in range(-(-dims // 64))]
        """One column for every 64 components: a scan of each in turn is several times faster than of all at once."""
        self.part = MemoryColumn(np.int8, dims)
        self.part_scale = MemoryColumn(np.float32)
        self.part_ends = MemoryColumn(np.int64)

    def __len__(self) -> int:
        return len(self.whole)

    @property
    def read(self) -> Numbers:
        """Marks the things that have been read."""
        marks: Numbers = self.row.rows >= 0
        return marks

    def have_read(self, things: Numbers) -> Numbers:
        """Marks those of these that have been read."""
        marks: Numbers = self.row.rows[things] >= 0
        return marks

    def make_room(self, things: int) -> None:
        if things > len(self.row):
            self.row.extend(np.full(things - len(self.row), -1))

    def take(self, things: Sequence[int], data: Sequence[bytes]) -> None:
        """The packed vectors of some things, for which there is room."""
        rows, scales, counts = unpack_many(data, self.dims)
        starts = np.cumsum(counts) - counts
        first = np.zeros(len(rows), bool)
        first[starts] = True
        begin = len(self.whole)
        self.scale.extend(scales[first])
        for column, signs in zip(self.signs, self._signs(rows[first]).T, strict=True):
            column.extend(signs)
        self.part.extend(rows[~first])
        self.part_scale.extend(scales[~first])
        last = int(self.part_ends.rows[-1]) if begin else 0
        self.part_ends.extend(last + np.cumsum(counts - 1))
        self.whole.extend(rows[first])
        order = np.arange(begin, begin + len(things))
        self.in_order = self.in_order and np.array_equal(things, order)
        self.row.rows[np.asarray(things, np.int64)] = order

    def _signs(self, rows: Numbers) -> Numbers:
        bits = np.zeros((len(rows), len(self.signs) * 64), bool)
        bits[:, : self.dims] = rows > 0
        return np.packbits(bits, axis=1, bitorder="little").view(np.uint64)

    # as arrays, for a snapshot

    def arrays(self) -> dict[str, Numbers]:
        """Views of what only grows, and a copy of `row`."""
        signs = {f"signs{number}": column.rows for number, column in enumerate(self.signs)}
        columns = {name: getattr(self, name).rows for name in _COLUMNS}
        return {**columns, **signs, "row": self.row.rows.copy()}

    @classmethod
    def from_arrays(cls, dims: int, arrays: dict[str, Numbers]) -> Vectors:
        vectors = cls(dims)
        for name in _COLUMNS:
            setattr(vectors, name, MemoryColumn(arrays[name].dtype, start=arrays[name]))
        vectors.signs = [MemoryColumn(np.uint64, start=arrays[f"signs{one}"]) for one in range(len(vectors.signs))]
        vectors.row = MemoryColumn(np.int32, start=arrays["row"].copy())  # set later
        count = len(vectors.whole)
        vectors.in_order = np.array_equal(vectors.row.rows[:count], np.arange(count))
        return vectors

    # comparing

    @property
    def looked_into(self) -> int:
        return LOOKED_INTO

    def bring(self, things: Numbers) -> None:
        """They are at hand."""

    def cosines(self, question: Numbers, things: Numbers) -> Numbers:
        """Of each of these things with the question; zero for what has not been read."""
        found = np.zeros(len(things), np.float32)
        rows = self.row.rows[things].astype(np.intp)
        read = rows >= 0
        if read.all():
            return _products(self.whole.rows, self.scale.rows, rows, question)
        found[read] = _products(self.whole.rows, self.scale.rows, rows[read], question)
        return found

    def whole_rows(self, things: Numbers) -> Numbers:
        """A vector a thing, of length 1; zero for what has not been read."""
        rows = self.row.rows[things]
        if not len(self.whole):
            return np.zeros((len(things), self.dims), np.float32)
        found: Numbers = self.whole.rows[rows].astype(np.float32) * self.scale.rows[rows][:, None]
        return found * (rows >= 0)[:, None]

    def best_parts(self, question: Numbers, things: Numbers, otherwise: Numbers) -> Numbers:
        """The cosine of the part of each thing that is nearest; `otherwise` where a thing has no parts."""
        found = otherwise.copy()
        some, counts, ends = self._parted(things)
        if not len(some):
            return found
        starts = ends - counts
        place = np.cumsum(counts) - counts
        which = np.repeat(starts - place, counts) + np.arange(int(counts.sum()))
        cosines = _products(self.part.rows, self.part_scale.rows, which, question)
        found[some] = np.maximum.reduceat(cosines, place)
        return found

    def last_parts(self, question: Numbers, things: Numbers, otherwise: Numbers) -> Numbers:
        """The same of the part with which each thing ends."""
        found = otherwise.copy()
        some, _, ends = self._parted(things)
        if len(some):
            found[some] = _products(self.part.rows, self.part_scale.rows, ends - 1, question)
        return found

    def _parted(self, things: Numbers) -> tuple[Numbers, Numbers, Numbers]:
        """Which of the things have parts, how many each has, and where they end."""
        rows, ends = self.row.rows[things], self.part_ends.rows
        if not len(ends):
            return np.zeros(0, np.intp), rows[:0], ends
        counts = np.where(rows < 0, 0, ends[rows] - np.where(rows > 0, ends[np.maximum(rows - 1, 0)], 0))
        some = np.flatnonzero(counts > 0)
        return some, counts[some], ends[rows[some]]

    def shortlist(self, question: Numbers, seen: Numbers, limit: int) -> Numbers:
        """The things among those that `seen` marks that may be the nearest: all of them if they are few, else at least
        `limit`, by the signs of their components."""
        if self.in_order and len(seen) == len(self.whole) > EXACT_UP_TO and seen.all():
            apart = self._apart(question, None, len(seen))
            return np.flatnonzero(apart <= _bound(apart, limit))
        things = np.flatnonzero(seen & (self.row.rows[: len(seen)] >= 0))
        if len(things) <= EXACT_UP_TO:
            return things
        rows, read = self.row.rows[things], len(self.whole)
        # to pick them out of all afterwards is quicker than before, for each column of signs, unless they are few
        among_all = len(things) * MOST_OF > read
        apart = self._apart(question, None, read)[rows] if among_all else self._apart(question, rows, len(rows))
        found: Numbers = things[apart <= _bound(apart, limit)]
        return found

    def _apart(self, question: Numbers, rows: Numbers | None, many: int) -> Numbers:
        """In how many components each differs in sign from the question, of these rows, or of the first `many` if none
        are named: others may be learned meanwhile."""
        asked = self._signs(question[None, :])[0]
        apart = np.zeros(many, np.uint16)

        def count(start: int) -> None:
            some = slice(start, min(start + _BLOCK, many))
            here = apart[some]
            differ, count_of = np.empty(len(here), np.uint64), np.empty(len(here), np.uint8)
            for column, word in zip(self.signs, asked, strict=True):
                np.bitwise_xor(column.rows[some] if rows is None else column.rows[rows[some]], word, out=differ)
                np.bitwise_count(differ, out=count_of)
                here += count_of

        blocks = range(0, len(apart), _BLOCK)
        for _ in map(count, blocks) if len(blocks) < _WORTH_SHARING else _counters(os.getpid()).map(count, blocks):
            pass
        return apart


def _products(steps: Numbers, scales: Numbers, which: Numbers, question: Numbers) -> Numbers:
    """Of the rows `which` with the question, some at a time: they stay in the cache, and are too few for the library of
    linear algebra to wake further threads for, which on a busy machine takes longer than the work."""
    found = np.empty(len(which), np.float32)
    side_by_side = len(which) > 0 and bool((which[1:] - which[:-1] == 1).all())
    lying = steps[which[0] : which[-1] + 1] if side_by_side else None  # they need not be picked out
    for start in range(0, len(which), _ROWS_AT_ONCE):
        some = slice(start, start + _ROWS_AT_ONCE)
        rows = steps.take(which[some], axis=0, mode="clip") if lying is None else lying[some]
        found[some] = rows.astype(np.float32) @ question
    return found * scales[which]


def _bound(numbers: Numbers, limit: int) -> int:
    """A number that at least `limit` of the numbers do not exceed, and not many more. Counting a sample is enough to
    come near it."""
    step, limit = max(1, len(numbers) // _COUNTED), min(limit, len(numbers))
    counts = np.cumsum(np.bincount(numbers[::step]))
    bound = int(np.searchsorted(counts, limit / step * (1.25 if step > 1 else 1)))
    while step > 1 and np.count_nonzero(numbers <= bound) < limit:
        bound += 1
    return bound


@lru_cache(maxsize=1)
def _counters(process: int) -> ThreadPoolExecutor:
    """Threads to count on: numpy lets go of the interpreter while it counts. A forked process needs its own."""
    return ThreadPoolExecutor(min(4, os.cpu_count() or 1), thread_name_prefix="treering-count")
