"""How do numbers about memories lie in memory? As columns that only grow at their end.

Whoever reads takes the first `n` rows as they stand: rows are never changed after they are there, with the exceptions
that are documented where they are made, so a reader needs no lock while another thread appends.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

Numbers = npt.NDArray[Any]


class MemoryColumn:
    """A numpy array with room at its end; `width` components a row, or plain numbers."""

    def __init__(self, dtype: npt.DTypeLike, width: int | None = None, start: Numbers | None = None) -> None:
        shape = (0,) if width is None else (0, width)
        self._room: Numbers = np.zeros(shape, dtype) if start is None else start
        self._used = len(self._room)

    def __len__(self) -> int:
        return self._used

    @property
    def rows(self) -> Numbers:
        return self._room[: self._used]

    def reserve(self, rows: int) -> None:
        """Room for so many, so that nothing has to move until there are more. Memory is taken as it is filled."""
        if rows > len(self._room):
            roomy = np.zeros((rows, *self._room.shape[1:]), self._room.dtype)
            roomy[: self._used] = self.rows
            self._room = roomy

    def extend(self, rows: Sequence[Any] | Numbers) -> None:
        new = np.asarray(rows, self._room.dtype).reshape(-1, *self._room.shape[1:])
        wanted = self._used + len(new)
        if wanted > len(self._room) or not self._room.flags.writeable:
            grown = np.zeros((max(wanted, self._used + self._used // 4, 64), *self._room.shape[1:]), self._room.dtype)
            grown[: self._used] = self.rows
            self._room = grown
        self._room[self._used : wanted] = new
        self._used = wanted
