"""How far is the upkeep of a space? One run at a time: who is at it, which agents are done, and what they did.

A runner that dies leaves its run behind; when its lease has run out, the next one goes on where it stopped. Every step
is made here, from one frozen value to the next; a store only keeps the latest run of a space.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from datetime import datetime, timedelta
from enum import StrEnum

from treering.errors import Unavailable
from treering.model.time import to_text
from treering.model.value import Value
from treering.values import dataclass

OLDEST_BROKEN = timedelta(days=1)
LONGEST_LEASE = timedelta(hours=1)


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
    actor: str
    """On whose behalf: what agents find is of what this one may see."""
    agents: tuple[AgentName, ...]
    done: tuple[AgentDone, ...] = ()
    runner: str | None = None
    lease_until: datetime | None = None
    attempts: int = 0
    started_at: datetime
    ended_at: datetime | None = None
    whole_before: datetime | None = None
    """When the last run of all agents before this one began."""
    step: int = 0
    steps: int = 0
    """How far the agent at work is."""

    @property
    def whole_at(self) -> datetime | None:
        """When all agents last began to run."""
        return self.started_at if len(self.agents) == len(AgentName) else self.whole_before

    @property
    def left(self) -> tuple[AgentName, ...]:
        finished = {one.agent for one in self.done}
        return tuple(one for one in self.agents if one not in finished)

    def is_held(self, now: datetime) -> bool:
        """A lease that begins in the future was taken by a clock that was ahead, and holds nobody up."""
        return self.ended_at is None and self.lease_until is not None and now < self.lease_until < now + LONGEST_LEASE

    def is_broken(self, now: datetime) -> bool:
        """Begun, not ended, and nobody at it: to be gone on with, if it is not so long ago that all is to be done
        anew."""
        return self.ended_at is None and not self.is_held(now) and now - self.started_at < OLDEST_BROKEN

    def is_of(self, runner: str) -> bool:
        return self.ended_at is None and self.runner == runner

    # the steps

    def taken_up(self, runner: str, actor: str, now: datetime, lease_seconds: float) -> UpkeepRun:
        until = now + timedelta(seconds=lease_seconds)
        return replace(self, runner=runner, actor=actor, lease_until=until, attempts=self.attempts + 1)

    def also(self, agents: Iterable[AgentName], again: bool) -> UpkeepRun:
        """With these too; `again`: even if they are done."""
        wanted = set(agents)
        done = tuple(one for one in self.done if not again or one.agent not in wanted)
        return replace(self, agents=tuple(one for one in AgentName if one in wanted or one in self.agents), done=done)

    def released(self) -> UpkeepRun:
        """Not done, and free to be taken up at once."""
        return replace(self, runner=None, lease_until=None, step=0, steps=0)

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
