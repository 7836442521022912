"""Which memories are near in meaning, where the store itself measures? What was read is known here, and the vectors
that were looked at lately are at hand; which are the nearest among many is the store's word.

Cosines of what is at hand are computed as everywhere, from the same bytes. So answers differ from those of an index in
memory only where the store's own index, which is approximate, misses one of the nearest.
"""

from __future__ import annotations

import threading
from collections.abc import Sequence
from dataclasses import replace
from typing import Protocol

import numpy as np

from treering.recall.index.columns import MemoryColumn, Numbers
from treering.recall.index.nearness import EXACT_UP_TO, LOOKED_INTO, Vectors
from treering.store.contract import Measuring, MemoryFilter

MOST_AT_HAND = 100_000
"""Things; with more at hand it is begun anew before the next question."""
ASKED_FOR = 300
"""How many of the nearest a store is asked for: those that are weighed. A search takes as long as it is wide."""
LOOKED_INTO_A_HIT, LEAST_LOOKED_INTO = 12, 120
"""Of so many for each hit that is wanted the parts are brought: what stands further down came among none of the hits
that were looked at, of talk that was made up and of real one."""
LEFT_OUT = 2_000
"""So many may be left out by naming them."""
SELECTIVE = 10
"""Where filters leave fewer than one in so many, a store compares all that are left."""


class Numbered(Protocol):
    """Memories by number, as one embedder reads them: all that is asked of the index of a space."""

    embedder: str | None
    ids: list[str]
    number: dict[str, int]


class Distant(Vectors):
    """The vectors of numbered things as far as they are at hand."""

    def __init__(self, dims: int) -> None:
        super().__init__(dims)
        self._place = MemoryColumn(np.int64)
        """Where the store keeps each, -1 while it has not been read."""
        self.signs = []  # which are the nearest is the store's word
        self._lock = threading.Lock()
        self.in_order = False

    def __len__(self) -> int:
        return int(np.count_nonzero(self.read))

    @property
    def read(self) -> Numbers:
        marks: Numbers = self._place.rows >= 0
        return marks

    def have_read(self, things: Numbers) -> Numbers:
        marks: Numbers = self._place.rows[things] >= 0
        return marks

    def make_room(self, things: int) -> None:
        super().make_room(things)
        if things > len(self._place):
            self._place.extend(np.full(things - len(self._place), -1))

    def note(self, things: Sequence[int], places: Sequence[int]) -> None:
        """These have been read, and lie there."""
        self._place.rows[np.asarray(things, np.int64)] = places

    def lacking(self, things: Numbers) -> Numbers:
        """Those of them that were read and are not at hand."""
        found: Numbers = things[(self._place.rows[things] >= 0) & (self.row.rows[things] < 0)]
        return found

    def places(self, things: Numbers) -> Numbers:
        found: Numbers = self._place.rows[things]
        return found

    def _signs(self, rows: Numbers) -> Numbers:
        return np.zeros((len(rows), 0), np.uint64)

    def hold(self, things: Sequence[int], data: Sequence[bytes]) -> None:
        with self._lock:  # several questions may bring the same
            new = np.flatnonzero(self.row.rows[np.asarray(things, np.int64)] < 0).tolist()
            if new:
                self._make_way()
                self.take([things[place] for place in new], [data[place] for place in new])
                self.in_order = False

    def _make_way(self) -> None:
        """For all that may come: what is at hand grows with every question, and would be moved again and again."""
        most = min(len(self._place), MOST_AT_HAND)
        for column in (self.whole, self.scale, self.part, self.part_scale, self.part_ends):
            column.reserve(most)

    def is_full(self) -> bool:
        return len(self.whole) > MOST_AT_HAND

    def emptied(self) -> Distant:
        """With nothing at hand."""
        fresh = Distant(self.dims)
        fresh.make_room(len(self._place))
        fresh._place.rows[:] = self._place.rows
        return fresh


class DistantQuery:
    """The same as one reader may see it, for one question."""

    def __init__(
        self, index: Numbered, held: Distant, reader: Measuring, which: MemoryFilter, allowed: Numbers, hits: int
    ) -> None:
        """`which` leaves the same memories as `allowed` marks; `hits` are wanted of them."""
        self._index, self._held, self._reader = index, held, reader
        self._which, self._allowed = which, allowed
        self._told: Numbers = np.zeros(len(allowed), np.float32)
        """Cosines that came with the nearest, zero for all others."""
        self.looked_into = min(max(LOOKED_INTO_A_HIT * hits, LEAST_LOOKED_INTO), LOOKED_INTO)

    @property
    def dims(self) -> int:
        return self._held.dims

    def bring(self, things: Numbers) -> None:
        """From the store, what is not at hand: at once, for every way there takes its time."""
        lacking = self._held.lacking(things)
        if len(lacking):
            lies = dict(zip(self._held.places(lacking).tolist(), lacking.tolist(), strict=True))
            packed = self._reader.packed(list(lies))
            self._held.hold([lies[place] for place, _ in packed], [data for _, data in packed])

    def whole_rows(self, things: Numbers) -> Numbers:
        self.bring(things)
        return self._held.whole_rows(things)

    def cosines(self, question: Numbers, things: Numbers) -> Numbers:
        """What came with the nearest need not be brought for it."""
        told = self._told[things]
        self.bring(things[told == 0])
        found = self._held.cosines(question, things)
        away = self._held.row.rows[things] < 0
        found[away] = told[away]
        return found

    def best_parts(self, question: Numbers, things: Numbers, otherwise: Numbers) -> Numbers:
        self.bring(things)
        return self._held.best_parts(question, things, otherwise)

    def last_parts(self, question: Numbers, things: Numbers, otherwise: Numbers) -> Numbers:
        self.bring(things)
        return self._held.last_parts(question, things, otherwise)

    def shortlist(self, question: Numbers, seen: Numbers, limit: int) -> Numbers:
        read = self._held.read[: len(seen)]
        among = seen & read
        if np.count_nonzero(among) <= EXACT_UP_TO:
            return np.flatnonzero(among)
        told = self._ask(question, seen, among, read & ~seen, limit)
        known = {number: cosine for number, cosine in told if number < len(seen) and seen[number]}
        found = np.array(sorted(known), np.int64)
        self._told[found] = [known[one] for one in found.tolist()]
        return found

    def _ask(
        self, question: Numbers, seen: Numbers, among: Numbers, others: Numbers, limit: int
    ) -> list[tuple[int, float]]:
        """By the shortest way to say which are meant: all but a few, those of the filter, or these by id."""
        assert self._index.embedder is not None
        ids, vector, most = self._index.ids, question.tolist(), min(limit, ASKED_FOR)
        if np.count_nonzero(others) <= LEFT_OUT:
            without = [ids[one] for one in np.flatnonzero(others).tolist()]
            told = self._reader.nearest_without(self._index.embedder, vector, without, most)
        elif seen is self._allowed:
            whole = bool(np.count_nonzero(among) * SELECTIVE < len(self._held))
            told = self._reader.nearest(self._index.embedder, vector, self._which, most, whole)
        else:
            these = replace(self._which, ids=tuple(ids[one] for one in np.flatnonzero(among).tolist()))
            told = self._reader.nearest(self._index.embedder, vector, these, limit, whole=True)
        number = self._index.number
        return [(number[one], cosine) for one, cosine in told if one in number]
