"""The part of the door for what keeps a space in order: what is alike is found, and made one or linked; and the agents
that see to it by themselves."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

from treering import parameters as p
from treering.door.hands import Hands
from treering.door.upkeep import Keeps
from treering.model.upkeep import AgentName
from treering.operation import READS, WRITES, WRITES_ONCE, operation
from treering.upkeep.agents.contract import AgentRun
from treering.upkeep.cluster import Clustering
from treering.upkeep.consolidate import Consolidation
from treering.upkeep.consolidating import Wanted, consolidate
from treering.upkeep.grouping import Grouping, group
from treering.upkeep.review import counted
from treering.upkeep.scheduler import LEASE_SECONDS, PipelineRun, Scheduled, Scheduler, UpkeepStatus, next_time, seen_by

T = TypeVar("T")


class Tends(Keeps):
    """What is alike is brought together."""

    @operation(WRITES_ONCE)
    def cluster(
        self,
        strategy: p.Strategy = "similarity",
        threshold: p.ClusterThreshold = 0.83,
        max_size: p.MaxSize = 12,
        find_duplicates: p.FindDuplicates = False,
        duplicate_threshold: p.DuplicateThreshold = 0.88,
        *,
        min_size: p.MinSize = 2,
        space: p.Space = None,
    ) -> Clustering:
        """Find memories that belong together, or pairs that say the same. No memory changes.

        A cluster's id depends on its members alone; `consolidate` takes it. Only what the same people may see comes
        together. Two that say the same are near in meaning and agree in numbers, names, denial and tense.
        """
        asked = Grouping(strategy, threshold, max_size, find_duplicates, duplicate_threshold, min_size)
        return group(self._hands(space), asked)

    @operation(WRITES)
    def consolidate(
        self,
        cluster_id: p.ClusterId = None,
        auto: p.AutoClusters = False,
        mode: p.ConsolidationMode = "preview",
        cohesion_threshold: p.CohesionThreshold = 0.75,
        *,
        space: p.Space = None,
        why: p.Why = None,
    ) -> Consolidation:
        """Make one memory of a cluster, or of every coherent one: all that its members say, with all their tags.

        The members are archived, never deleted, and the new memory is derived from each; `undo` with its seq restores
        them. `link` relates them instead and keeps all. Without a mode it says what would be.
        """
        return consolidate(self._hands(space), Wanted(cluster_id, auto, mode, cohesion_threshold, why))

    @operation(WRITES)
    def run_pipeline(
        self, *, space: p.Space = None, dry_run: p.DryRun = False, rate_limit: p.RateLimit = 600
    ) -> PipelineRun:
        """Let the five agents keep the space, in order: decay, cluster, merge, promote, relations.

        What is beyond doubt is done, each in a write of its own that undo takes back; what somebody should decide goes
        to the review queue. One runner at a time keeps a space; a run that was broken off is gone on with.
        """
        return self._scheduler(space, rate_limit).run_pipeline(dry_run)

    @operation(WRITES)
    def run_agent(
        self,
        agent: p.AgentWord,
        *,
        space: p.Space = None,
        dry_run: p.DryRun = False,
        rate_limit: p.RateLimit = 600,
    ) -> AgentRun:
        """Let one agent keep the space: decay, cluster, merge, promote or relations."""
        return self._scheduler(space, rate_limit).run_agent(AgentName(agent), dry_run)

    @operation(WRITES)
    def run_scheduled(
        self,
        force: p.ForceRun = False,
        *,
        space: p.Space = None,
        interval_seconds: p.Interval = 3600.0,
        rate_limit: p.RateLimit = 600,
    ) -> Scheduled:
        """Keep the space if it is time again, an hour after the last run began, and nobody else is at it."""
        return self._scheduler(space, rate_limit).run_scheduled(force, interval_seconds)

    @operation(READS)
    def upkeep_status(
        self, *, space: p.Space = None, interval_seconds: p.Interval = 3600.0, principal: p.Principal = None
    ) -> UpkeepStatus:
        """Who keeps the space, how far the run is, when the next is due, and how much waits for a decision."""
        hands, who = self._hands(space), principal or self._writer.actor
        run = hands.tending.run(hands.space)
        with self._reading(space, principal=principal) as reader:
            waiting = counted(hands, reader)
        return UpkeepStatus(
            space=hands.space,
            running=run is not None and run.is_held(hands.now),
            run=seen_by(run, who),
            next_at=next_time(run, interval_seconds),
            waiting=waiting,
        )

    def _scheduler(self, space: str | None, rate_limit: int, lease_seconds: float = LEASE_SECONDS) -> Scheduler:
        return Scheduler(self._hands(space), rate_limit=rate_limit, lease_seconds=lease_seconds)

    def _hands(self, space: str | None) -> Hands:
        return Hands(self, space or self._space, self._noted)

    def _noted(self, memory_ids: Sequence[str], space: str) -> dict[str, str]:
        vault = self._vault_to_write(None, needed=False)
        return {} if vault is None else self._write_notes(vault, memory_ids, space, False)
