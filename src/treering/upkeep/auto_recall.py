"""Which memories does a conversation keep alive? Those that a message speaks of count as used, without being shown.

A memory that was used a short while ago is let be: a long talk about one thing is one use, not fifty.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta

from treering.model.memory import Memory
from treering.model.value import Value
from treering.values import dataclass


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class AutoRecalled(Value):
    """`found` are the memories that the message speaks of, the nearest first; `cooling` are those of them that were
    used too short a while ago to count again. `reason` says why nothing was done, where that is so."""

    enabled: bool = True
    topics: tuple[str, ...] = ()
    found: tuple[str, ...] = ()
    reinforced: tuple[str, ...] = ()
    cooling: tuple[str, ...] = ()
    reason: str | None = None
    dry_run: bool = False


@dataclass(frozen=True, slots=True)
class AutoRecallPolicy:
    """`relevance`: how much of the best one's a memory must have. `most`: how many memories a message keeps alive."""

    enabled: bool = True
    min_interval_seconds: float = 300.0
    relevance: float = 0.3
    most: int = 3

    def ready(self, found: Sequence[Memory], now: datetime) -> list[Memory]:
        """Those that were not used within the interval. What was never used counts from when it was learned."""
        since = now - timedelta(seconds=self.min_interval_seconds)
        return [one for one in found if one.last_used <= since]
