"""How do edges lie in memory? As columns of numbers with room at their end; ids as two integers each."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

Numbers = npt.NDArray[Any]

_HYPHENS = (8, 13, 18, 23)
_DIGITS = np.array([place for place in range(36) if place not in _HYPHENS])


class EdgeColumn:
    """A numpy array with room at its end."""

    def __init__(self, rows: Numbers) -> None:
        self._room, self._used = rows, len(rows)

    @property
    def rows(self) -> Numbers:
        return self._room[: self._used]

    def append(self, value: int | str) -> None:
        if self._used == len(self._room):
            grown = np.zeros(self._used + self._used // 8 + 64, self._room.dtype)
            grown[: self._used] = self._room
            self._room = grown
        self._room[self._used] = value
        self._used += 1


def halves(ids: Sequence[str]) -> tuple[Numbers, Numbers]:
    """Ids as pairs of integers that sort as the ids do."""
    read = np.frombuffer(bytes.fromhex("".join(ids).replace("-", "")), ">u8").astype(np.uint64).reshape(-1, 2)
    return np.ascontiguousarray(read[:, 0]), np.ascontiguousarray(read[:, 1])


def texts(high: Numbers, low: Numbers) -> list[str]:
    """The ids again."""
    pairs = np.empty((len(high), 2), ">u8")
    pairs[:, 0], pairs[:, 1] = high, low
    written = np.full((len(high), 37), ord("-"), np.uint8)
    written[:, 36] = ord("\n")
    written[:, _DIGITS] = np.frombuffer(pairs.tobytes().hex().encode(), np.uint8).reshape(-1, 32)
    return written.tobytes().decode().splitlines()


def find(high: Numbers, low: Numbers, one: str, order: Numbers | None = None) -> int:
    """The place of an id among sorted ones, or among those that `order` sorts; -1 if it is not there."""
    digits = int(one.replace("-", ""), 16)
    above, below = np.uint64(digits >> 64), np.uint64(digits & 0xFFFFFFFFFFFFFFFF)
    first, last = (int(high.searchsorted(above, side, sorter=order)) for side in ("left", "right"))
    places = slice(first, last) if order is None else order[first:last]
    place = first + int(low[places].searchsorted(below))
    if place == last:
        return -1
    here = place if order is None else int(order[place])
    return here if low[here] == below else -1


def runs(starts: Numbers, counts: Numbers) -> Numbers:
    """Every place of these runs, one run after the other."""
    ends = np.cumsum(counts)
    shifts: Numbers = np.repeat(starts - ends + counts, counts)
    return shifts + np.arange(len(shifts))


def distinct(numbers: Numbers) -> Numbers:
    """Each once, in order."""
    ordered = np.sort(numbers)
    new = np.ones(len(ordered), bool)
    np.not_equal(ordered[1:], ordered[:-1], out=new[1:])
    return ordered[new]
