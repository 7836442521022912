"""How far is the upkeep of a space? One run at a time: who is at it, which agents are done, and what they did.

A runner that dies leaves its run behind; when its lease has run out, the next one goes on where it stopped. Every step
is made here, from one frozen value to the next; a store only keeps the latest run of a space.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from enum import StrEnum

from treering.errors import Unavailable
from treering.model.time import to_text
from treering.model.value import Value


class AgentName(StrEnum):
    """In the order in which they run."""

    DECAY = "decay"
    CLUSTER = "cluster"
    MERGE = "merge"
    PROMOTE = "promote"
    RELATIONS = "relations"


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class AgentDone(Value):
    """What an agent came to: `found` it would do something about, `changed` it has, `left` for the next run."""

    agent: AgentName
    found: int
    changed: int
    left: int = 0
    at: datetime


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class UpkeepRun(Value):
    """`runner` is whose it is; a run that ended has none. `attempts` counts those that took it up."""

    id: str
    agents: tuple[AgentName, ...]
    done: tuple[AgentDone, ...] = ()
    runner: str | None = None
    lease_until: datetime | None = None
    attempts: int = 1
    started_at: datetime
    ended_at: datetime | None = None
    step: int = 0
    steps: int = 0
    """How far the agent at work is."""

    @property
    def left(self) -> tuple[AgentName, ...]:
        finished = {one.agent for one in self.done}
        return tuple(one for one in self.agents if one not in finished)

    def is_held(self, now: datetime) -> bool:
        return self.ended_at is None and self.lease_until is not None and self.lease_until > now

    def is_of(self, runner: str) -> bool:
        return self.ended_at is None and self.runner == runner

    # the steps

    def taken_up(self, runner: str, now: datetime, lease_seconds: float) -> UpkeepRun:
        until = now + timedelta(seconds=lease_seconds)
        return replace(self, runner=runner, lease_until=until, attempts=self.attempts + 1)

    def kept(self, now: datetime, lease_seconds: float, step: int, steps: int) -> UpkeepRun:
        return replace(self, lease_until=now + timedelta(seconds=lease_seconds), step=step, steps=steps)

    def with_done(self, done: AgentDone) -> UpkeepRun:
        return replace(self, done=(*self.done, done), step=0, steps=0)

    def ended(self, now: datetime) -> UpkeepRun:
        return replace(self, runner=None, lease_until=None, ended_at=now, step=0, steps=0)


def must_be_free(run: UpkeepRun | None, now: datetime) -> None:
    if run is not None and run.is_held(now) and run.lease_until is not None:
        seconds = max(1.0, (run.lease_until - now).total_seconds())
        raise Unavailable(
            f"upkeep of this space is under way, since {to_text(run.started_at)}; it is done by one at a time. "
            "`upkeep_status` shows how far it is",
            retry_after_seconds=seconds,
        )
