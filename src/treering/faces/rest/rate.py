"""How often has this caller come? So many requests a minute each, saved up to a minute's worth; counted together where
several processes serve.

The counts lie in a table of fixed size, so that no number of callers fills memory: in a file that the processes of a
server share, or in this process alone. Of very many callers, those who came longest ago are forgotten.
"""

from __future__ import annotations

import hashlib
import mmap
import os
import struct
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from treering.values import dataclass

PLACES, LOOKED_AT = 16_384, 8
"""Of the table, and how many of them a caller may have."""
_ROW = struct.Struct("<16sdd")
_FILE = "rates"


@dataclass(frozen=True, slots=True)
class Left:
    """What a caller has left after a request; `wait_seconds` if that was one too many."""

    a_minute: int
    requests: float
    wait_seconds: float = 0.0

    def headers(self) -> dict[str, str]:
        reset = (self.a_minute - self.requests) * 60 / self.a_minute
        return {
            "RateLimit-Limit": str(self.a_minute),
            "RateLimit-Remaining": str(int(self.requests)),
            "RateLimit-Reset": str(int(reset) + 1),
        }


class Buckets:
    def __init__(self, folder: Path | None = None) -> None:
        """`folder`: what the processes share."""
        self._file = -1
        if folder is not None:
            self._file = os.open(folder / _FILE, os.O_RDWR | os.O_CREAT, 0o600)
            os.ftruncate(self._file, PLACES * _ROW.size)
        self._table = mmap.mmap(self._file, PLACES * _ROW.size)

    def take(self, caller: str, a_minute: int) -> Left:
        """One request of the caller's, who may have so many a minute."""
        who = hashlib.blake2b(caller.encode(), digest_size=16).digest()
        now = time.monotonic()  # the same in all processes of a machine
        with self._alone():
            place, saved, at = self._found(who) or (self._free(who), float(a_minute), now)
            left = min(float(a_minute), saved + max(now - at, 0.0) * a_minute / 60)
            short = left < 1
            _ROW.pack_into(self._table, place, who, left if short else left - 1, now)
        return Left(a_minute, left, (1 - left) * 60 / a_minute) if short else Left(a_minute, left - 1)

    def _found(self, who: bytes) -> tuple[int, float, float] | None:
        """Where the caller's row is, what was saved there, and when it came last."""
        for place in self._places(who):
            named, saved, at = _ROW.unpack_from(self._table, place)
            if named == who:
                return place, saved, at
        return None

    def _free(self, who: bytes) -> int:
        """Where its row will be: in place of who came longest ago."""
        return min(self._places(who), key=lambda place: float(_ROW.unpack_from(self._table, place)[2]))

    @staticmethod
    def _places(who: bytes) -> list[int]:
        first = int.from_bytes(who[:4], "little")
        return [(first + step) % PLACES * _ROW.size for step in range(LOOKED_AT)]

    @contextmanager
    def _alone(self) -> Iterator[None]:
        """No other process counts meanwhile; one that is killed lets go."""
        if self._file < 0:
            yield
            return
        import fcntl

        fcntl.flock(self._file, fcntl.LOCK_EX)
        try:
            yield
        finally:
            fcntl.flock(self._file, fcntl.LOCK_UN)
