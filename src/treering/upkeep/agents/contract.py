"""What is an upkeep agent? Somebody who looks at a space and says what should be done, and then does it: two steps, so
that a dry run is the first alone. What needs a person to decide goes to the review queue."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol

from treering.model.upkeep import AgentName
from treering.model.value import Value
from treering.store.contract import Progress
from treering.upkeep.space import UpkeepSpace
from treering.values import dataclass

RATE_LIMIT = 600
"""Most writes that an agent makes in a minute: then it stops, and the rest is for the next run."""
RATE_SECONDS = 60.0


class WriteBudget:
    """How much an agent may still write."""

    def __init__(self, most: int) -> None:
        self._left = most

    def take(self) -> bool:
        self._left -= 1
        return self._left >= 0


@dataclass(frozen=True, slots=True)
class Applied:
    """`results` is what was done, `left` how much was not for want of allowance."""

    results: tuple[Any, ...]
    left: int = 0


class Agent(Protocol):
    name: AgentName

    def plan(self, upkeep: UpkeepSpace, progress: Progress) -> Sequence[Any]:
        """What it would do: reads, decides, writes nothing."""

    def apply(self, upkeep: UpkeepSpace, planned: Sequence[Any], allowance: WriteBudget, progress: Progress) -> Applied:
        """Does it, each piece in a write of its own. What was done before, by whomever, is not done again."""


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class AgentRun(Value):
    """What an agent found, and what it did about it; `results` are of its own kind."""

    agent: AgentName
    dry_run: bool
    found: int
    changed: int = 0
    left: int = 0
    results: tuple[Any, ...] = ()
    message: str = ""
