"""How many requests has a key left today? Days are UTC's. What is used is kept in the drawer, so that a restart
forgives nothing and several servers of one store count together.

A server takes requests from the day's number in small lots and gives them out from memory. So not every request writes;
a server that dies has used up what was left of its lot.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Protocol

from treering.store.drawer import Drawer

KIND = "requests"
_LARGEST_LOT = 100
_LOTS_A_DAY = 100


class Counted(Protocol):
    """Who has so many requests a day, or any number."""

    @property
    def id(self) -> str: ...

    @property
    def requests_a_day(self) -> int | None: ...


class Allowance:
    def __init__(self, drawer: Drawer, clock: Callable[[], datetime]) -> None:
        self._drawer, self._clock = drawer, clock
        self._lots: dict[str, tuple[str, int]] = {}
        self._lock = threading.Lock()

    def take(self, key: Counted) -> float:
        """Takes one of the key's requests; else how many seconds it is until there are more."""
        if key.requests_a_day is None:
            return 0.0
        now = self._clock()
        today = now.date().isoformat()
        with self._lock:
            day, left = self._lots.get(key.id, (today, 0))
            if day != today or left == 0:
                left = self._lot(key.id, key.requests_a_day, today)
            self._lots[key.id] = today, max(0, left - 1)
        return 0.0 if left else _until_tomorrow(now)

    def _lot(self, key_id: str, a_day: int, today: str) -> int:
        """How many more may be given out from memory; none when the day's number is used up."""
        wanted = max(1, min(_LARGEST_LOT, a_day // _LOTS_A_DAY))
        while True:
            paper = self._drawer.get(KIND, key_id)
            used = int(paper.value["used"]) if paper and paper.value["day"] == today else 0
            lot = min(wanted, a_day - used)
            if lot <= 0:
                return 0
            kept = {"day": today, "used": used + lot}
            if self._drawer.put(KIND, key_id, kept, version=paper.version if paper else 0) is not None:
                return lot


def _until_tomorrow(now: datetime) -> float:
    midnight = now.replace(hour=0, minute=0, second=0, microsecond=0) + timedelta(days=1)
    return (midnight - now).total_seconds()
