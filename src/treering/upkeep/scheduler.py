"""Who keeps a space, when, and who goes on if they die? The agents run in order, alone, or when it is time again; one
runner at a time, in whatever process, by a lease that it must keep up.

An agent that is done is noted, and what it did is in the journal: whoever takes a broken run up goes on with the next
agent, and an agent that begins again finds nothing to do where it had been.
"""

from __future__ import annotations

import os
import secrets
import socket
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any

from treering.errors import TreeringError, Unavailable
from treering.model.upkeep import AgentDone, AgentName, UpkeepRun, must_be_free
from treering.model.value import Value
from treering.upkeep.agents.cluster import ClusterAgent
from treering.upkeep.agents.contract import RATE_LIMIT, RATE_SECONDS, Agent, AgentRun, WriteBudget
from treering.upkeep.agents.decay import DecayAgent
from treering.upkeep.agents.merge import MergeAgent
from treering.upkeep.agents.promote import PromoteAgent
from treering.upkeep.agents.relations import RelationsAgent
from treering.upkeep.doubts import gather, settle
from treering.upkeep.expire import expire, over
from treering.upkeep.space import UpkeepSpace
from treering.values import dataclass

INTERVAL_SECONDS = 3_600.0
LEASE_SECONDS = 60.0
_PARTS = 100
"""Into how many steps the progress of one agent is told."""


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class PipelineRun(Value):
    """What each agent came to, in order. `resumed`: it went on where another runner had stopped, and agents that were
    done by then are not told again. `gathered`: how much is in doubt and is in the review queue; `settled`: how much in
    it was about what no longer holds, and was closed. `outlived`: how many outlived their tier, and were archived."""

    dry_run: bool
    resumed: bool = False
    decay: tuple[Any, ...] = ()
    cluster: tuple[Any, ...] = ()
    merge: tuple[Any, ...] = ()
    promote: tuple[Any, ...] = ()
    relations: tuple[Any, ...] = ()
    agents: tuple[AgentRun, ...] = ()
    gathered: int = 0
    settled: int = 0
    outlived: int = 0
    message: str = ""


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Scheduled(Value):
    """Whether it was time, and what came of it; `next_at` is when it will be time again."""

    ran: bool
    reason: str
    next_at: datetime | None = None
    pipeline: PipelineRun | None = None


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class UpkeepStatus(Value):
    """`run` is the latest; what its agents did is told to who ran it alone. `waiting` counts review items by kind."""

    space: str
    running: bool
    run: UpkeepRun | None
    next_at: datetime | None
    waiting: dict[str, int]


@dataclass
class Holding:
    """A run as this runner holds it: a thread keeps the lease while the work goes on."""

    upkeep: UpkeepSpace
    run: UpkeepRun
    lease_seconds: float
    resumed: bool = False

    def __post_init__(self) -> None:
        self._lost = False
        self._at = (0, 0)
        self._over = threading.Event()
        self._keeper = threading.Thread(target=self._keep_on, name=f"upkeep {self.run.id}", daemon=True)

    def __enter__(self) -> Holding:
        self._keeper.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._over.set()
        self._keeper.join()

    def progress(self, step: int, steps: int) -> None:
        self._at = (step, steps)
        if self._lost:
            raise Unavailable(
                "upkeep: this runner was held up for so long that another has taken its place; nothing is lost"
            )

    def turn(self, step: Callable[[UpkeepRun], UpkeepRun]) -> None:
        """Changes the run, as long as it is this runner's."""

        def mine(run: UpkeepRun | None) -> UpkeepRun | None:
            return step(run) if run is not None and run.id == self.run.id and run.is_of(_runner(self.run)) else None

        kept = self.upkeep.tending.turn_run(self.upkeep.space, mine)
        self._lost = kept is None
        self.run = kept or self.run

    def _keep_on(self) -> None:
        while not self._over.wait(self.lease_seconds / 3):
            with suppress(TreeringError):  # there are two more times before the lease runs out
                self.turn(lambda run: run.kept(self.upkeep.now, self.lease_seconds, *self._at))


def _runner(run: UpkeepRun) -> str:
    return run.runner or ""


class Scheduler:
    def __init__(
        self, upkeep: UpkeepSpace, *, rate_limit: int = RATE_LIMIT, lease_seconds: float = LEASE_SECONDS
    ) -> None:
        self._upkeep_space, self._rate_limit, self._lease_seconds = upkeep, rate_limit, lease_seconds
        self._runner = f"{socket.gethostname()}:{os.getpid()}:{secrets.token_hex(4)}"

    def run_pipeline(self, dry_run: bool = False) -> PipelineRun:
        if dry_run:
            return self._every(tuple(AgentName), None)
        with self._holding(tuple(AgentName), goes_on=True) as held:
            done = self._every(held.run.left, held)
            held.turn(lambda run: run.ended(self._upkeep_space.now))
        return replace(done, resumed=held.resumed)

    def run_agent(self, name: AgentName, dry_run: bool = False) -> AgentRun:
        if dry_run:
            return self._one(_agent(name, None), None, 0, 1)
        with self._holding((name,), goes_on=False) as held:
            done = self._one(_agent(name, None), held, 0, 1)
            held.turn(lambda run: run.ended(self._upkeep_space.now) if not run.left else run.released())
        return done

    def run_scheduled(self, force: bool = False, interval_seconds: float = INTERVAL_SECONDS) -> Scheduled:
        last, now = self._upkeep_space.tending.run(self._upkeep_space.space), self._upkeep_space.now
        if last is not None and last.is_held(now):
            return Scheduled(ran=False, reason="another runner is at it", next_at=last.lease_until)
        due = next_time(last, interval_seconds)
        is_to_come = last is not None and last.started_at > now  # by a clock that was ahead
        if not force and due is not None and due > now and not is_to_come:
            return Scheduled(ran=False, reason="it is not time yet", next_at=due)
        try:
            pipeline = self.run_pipeline()
        except Unavailable:  # another was quicker
            held = self._upkeep_space.tending.run(self._upkeep_space.space)
            if held is None or not held.is_held(self._upkeep_space.now):
                raise
            return Scheduled(ran=False, reason="another runner is at it", next_at=held.lease_until)
        reason = "it was asked for" if force else "a broken run was taken up" if pipeline.resumed else "it was time"
        after = next_time(self._upkeep_space.tending.run(self._upkeep_space.space), interval_seconds)
        return Scheduled(ran=True, reason=reason, next_at=after, pipeline=pipeline)

    # one run

    @contextmanager
    def _holding(self, agents: Sequence[AgentName], goes_on: bool) -> Iterator[Holding]:
        resumed: list[bool] = []

        def take(run: UpkeepRun | None) -> UpkeepRun:
            now = self._upkeep_space.now
            must_be_free(run, now)
            resumed.append(run is not None and goes_on and run.is_broken(now))
            if run is not None and run.is_broken(now):
                wanted = run.also(agents, again=not goes_on)
                return wanted.taken_up(self._runner, self._upkeep_space.actor, now, self._lease_seconds)
            fresh = UpkeepRun(
                id=self._upkeep_space.new_id(),
                agents=tuple(agents),
                actor=self._upkeep_space.actor,
                started_at=now,
                whole_before=None if run is None else run.whole_at,
            )
            return fresh.taken_up(self._runner, self._upkeep_space.actor, now, self._lease_seconds)

        run = self._upkeep_space.tending.turn_run(self._upkeep_space.space, take)
        assert run is not None
        with Holding(self._upkeep_space, run, self._lease_seconds, resumed[-1]) as held:
            try:
                yield held
            except BaseException:  # the next runner need not wait for the lease to run out
                with suppress(TreeringError):
                    held.turn(lambda one: one.released())
                raise

    def _every(self, names: Sequence[AgentName], held: Holding | None) -> PipelineRun:
        runs: list[AgentRun] = []
        outlived = self._expire() if held is not None else 0
        for place, name in enumerate(names):
            before = {one.agent: one.results for one in runs}
            agent = _agent(name, before.get(AgentName.CLUSTER))
            runs.append(self._one(agent, held, place, len(names)))
        gathered = gather(self._upkeep_space) if held is not None else 0
        settled = settle(self._upkeep_space) if held is not None else 0
        results: dict[str, Any] = {one.agent.value: one.results for one in runs}
        changed = sum(one.changed for one in runs)
        return PipelineRun(
            dry_run=held is None,
            agents=tuple(runs),
            gathered=gathered,
            settled=settled,
            outlived=outlived,
            message=f"{sum(one.found for one in runs)} found, {changed} done",
            **results,
        )

    def _expire(self) -> int:
        """As `expire` does, before any agent looks at what there is."""
        with self._upkeep_space.reading() as reader:
            found = over(reader, None)
        if not found.outlived:
            return 0
        return sum(map(len, self._upkeep_space.write(lambda act: expire(act, found)).archived.values()))

    def _one(self, agent: Agent, held: Holding | None, place: int, of: int) -> AgentRun:
        def progress(step: int, steps: int) -> None:
            if held is not None:
                held.progress(step, steps)
            share = _PARTS * step // steps if steps else _PARTS
            self._upkeep_space.progress(place * _PARTS + min(share, _PARTS), of * _PARTS)

        planned = agent.plan(self._upkeep_space, progress)
        if held is None:
            progress(1, 1)
            return AgentRun(agent=agent.name, dry_run=True, found=len(planned), results=tuple(planned))
        applied = agent.apply(self._upkeep_space, planned, WriteBudget(self._rate_limit), progress)
        done = AgentDone(
            agent=agent.name,
            found=len(planned),
            changed=_changed(applied.results),
            left=applied.left,
            at=self._upkeep_space.now,
        )
        held.turn(lambda run: run.with_done(done))
        progress(1, 1)
        told = tuple(planned) if agent.name is AgentName.CLUSTER else applied.results
        return AgentRun(
            agent=agent.name, dry_run=False, found=done.found, changed=done.changed, left=done.left, results=told
        )


def _agent(name: AgentName, clusters: Sequence[Any] | None) -> Agent:
    """`clusters`: what the cluster agent found in the same run."""
    match name:
        case AgentName.DECAY:
            return DecayAgent()
        case AgentName.CLUSTER:
            return ClusterAgent()
        case AgentName.MERGE:
            return MergeAgent(clusters)
        case AgentName.PROMOTE:
            return PromoteAgent()
        case AgentName.RELATIONS:
            return RelationsAgent()


def _changed(results: Sequence[Any]) -> int:
    """How many came to something."""
    return sum(getattr(one, "success", True) for one in results)


def next_time(run: UpkeepRun | None, interval_seconds: float) -> datetime | None:
    """When upkeep is due: an interval after it began, a minute after it had to stop for the rate limit; none is now."""
    if run is None or run.ended_at is None:
        return None
    if any(one.left for one in run.done):
        return run.ended_at + timedelta(seconds=RATE_SECONDS)
    return None if run.whole_at is None else run.whole_at + timedelta(seconds=interval_seconds)


def seen_by(run: UpkeepRun | None, actor: str) -> UpkeepRun | None:
    """What the agents found is of what their runner may see, and nobody else's business."""
    if run is None or run.actor == actor:
        return run
    return replace(run, done=tuple(replace(one, found=0, changed=0, left=0) for one in run.done), step=0, steps=0)
