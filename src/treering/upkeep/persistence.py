"""How long is it worth keeping, whatever its score? Importance that wears off slowly, and uses that renew it.

Decay asks how present a memory is; persistence asks how much would be lost with it.
"""

from __future__ import annotations

import math
from datetime import datetime
from typing import Protocol

from treering.upkeep.decay import DAY_SECONDS
from treering.values import dataclass


class Persistent(Protocol):
    """What persistence looks at of a memory."""

    @property
    def importance(self) -> float: ...
    @property
    def recorded_at(self) -> datetime: ...
    @property
    def use_count(self) -> int: ...
    @property
    def last_used(self) -> datetime: ...


@dataclass(frozen=True, slots=True)
class PersistencePolicy:
    """`keeps`: from this importance on nothing is let go by itself."""

    wear_a_day: float = 0.005
    weight_of_use: float = 0.1
    keeps: float = 0.9

    def of(self, memory: Persistent, at: datetime) -> float:
        """From 0, nothing would be lost, to 1."""
        days = _days(at, memory.recorded_at)
        gap = _days(at, memory.last_used)
        worth = memory.importance * math.exp(-self.wear_a_day * days)
        renewed = self.weight_of_use * math.sqrt(memory.use_count) / (1 + math.sqrt(gap))
        return min(1.0, max(0.0, worth + renewed))

    def never_lets_go(self, memory: Persistent) -> bool:
        return memory.importance >= self.keeps


def _days(at: datetime, since: datetime) -> float:
    return max(0.0, (at - since).total_seconds() / DAY_SECONDS)
