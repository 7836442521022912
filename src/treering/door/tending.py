"""The part of the door for what keeps a space in order: what is alike is found, and made one or linked; and the agents
that see to it by themselves."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from typing import TypeVar

from treering import parameters as p
from treering.door.ground import DoorIngestSpace
from treering.door.upkeep import Keeps
from treering.door.upkeep_space import DoorUpkeepSpace
from treering.errors import InvalidRequest
from treering.ingest.relate.again import JudgedAgain, judged_again
from treering.ingest.relate.judged import words_of
from treering.mind.judges import DEFAULT_JUDGE, open_judge
from treering.mind.judging import Judged, Pair, Verdict
from treering.model.edge import Link
from treering.model.memory import Memory, View
from treering.model.review import ReviewKind, Urgency
from treering.model.time import utc_or_none
from treering.model.upkeep import AgentName
from treering.model.value import Value
from treering.operation import READS, WRITES, WRITES_ONCE, operation
from treering.store.contract import MemoryFilter, Reader
from treering.store.naming import missing
from treering.upkeep.agents.contract import AgentRun
from treering.upkeep.cluster import Clustering
from treering.upkeep.consolidate import Consolidation
from treering.upkeep.consolidating import ConsolidationWish, consolidate
from treering.upkeep.grouping import Grouping, group
from treering.upkeep.review import Proposed, ask, counted, unasked
from treering.upkeep.scheduler import LEASE_SECONDS, PipelineRun, Scheduled, Scheduler, UpkeepStatus, next_time, seen_by
from treering.values import dataclass

T = TypeVar("T")
AT_ONCE = 64
"""So many memories are judged together; what comes of them is written before the next are read."""


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class RelatedAgain(Value):
    """What the judge says of what was there. `superseded`: older memories that made way, each with the entry by which
    `undo` takes it back; `proposed`: pairs in doubt, which wait in the review queue. `next`: where to go on, if `limit`
    came first."""

    memories: int
    superseded: tuple[JudgedAgain, ...]
    proposed: tuple[JudgedAgain, ...]
    dry_run: bool
    next: datetime | None = None


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Compared(Value):
    """What the later of two memories does to the earlier. `verdict`: replaces, ends, contradicts, same, adds or none,
    the likeliest, with its `score`; `clash`: how likely it is that not both hold. `by`: who judged."""

    newer_id: str
    older_id: str
    newer: str
    older: str
    verdict: Verdict
    score: float
    clash: float
    by: str


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
        return group(self._upkeep_space(space), asked)

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
        return consolidate(
            self._upkeep_space(space), ConsolidationWish(cluster_id, auto, mode, cohesion_threshold, why)
        )

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

    @operation(WRITES)
    def relate_again(
        self,
        *,
        space: p.Space = None,
        since: p.WrittenSince = None,
        limit: p.Things = None,
        dry_run: p.DryRun = False,
    ) -> RelatedAgain:
        """Judge memories that were written before: what replaces or ends an older one, as `remember` would now.

        A sure verdict lets the older memory make way, in a write of its own that `undo` takes back; a doubtful one goes
        to the review queue. Memories are read in the order in which they came; `since` goes on where a run has ended.
        Where nobody judges, the judge that comes with the package does.
        """
        name = space or self._space
        judge = self._judge(name) or open_judge(DEFAULT_JUDGE)
        ground, upkeep = DoorIngestSpace(self, name), self._upkeep_space(space)
        done: list[JudgedAgain] = []
        count, begin = 0, utc_or_none(since, "since")
        page, last = self._as_they_came(name, None if begin is None else (begin, ""), limit), None
        while page:
            for one in judged_again(ground, judge, page):
                done.append(one if dry_run else self._made_way(upkeep, one))
            count, last = count + len(page), page[-1]
            self._progress(count, count)
            left = None if limit is None else limit - count
            page = self._as_they_came(name, (last.recorded_at, last.id), left) if left is None or left > 0 else []
        more = last is not None and limit is not None and count >= limit
        return RelatedAgain(
            memories=count,
            superseded=tuple(one for one in done if one.acts),
            proposed=tuple(one for one in done if not one.acts),
            dry_run=dry_run,
            next=last.recorded_at if more and last is not None else None,
        )

    @operation(READS)
    def compare(
        self, a: p.OneOfTwo, b: p.OtherOfTwo, *, space: p.Space = None, principal: p.Principal = None
    ) -> Compared:
        """What the later of two memories does to the earlier: replaces it, ends it, contradicts it, or lets it be.

        The judge reads both as they were said; nothing is written. Where nobody judges, the judge that comes with the
        package does.
        """
        with self._reading(space, principal=principal) as reader:
            older, newer = sorted(_two(reader, a, b), key=lambda one: (one.said_at, one.recorded_at, one.id))
            sources = reader.sources({older.source_id, newer.source_id})
        judge = self._judge(space or self._space) or open_judge(DEFAULT_JUDGE)
        said = [words_of(one, sources.get(one.source_id)) for one in (older, newer)]
        [told] = (
            judge.judge([Pair(*said)]) if said[0] != said[1] else [Judged(Verdict.SAME, 1.0, ((Verdict.SAME, 1.0),))]
        )
        return Compared(
            newer_id=newer.id,
            older_id=older.id,
            newer=newer.content,
            older=older.content,
            verdict=told.verdict,
            score=told.score,
            clash=told.of(Verdict.REPLACES, Verdict.ENDS, Verdict.CONTRADICTS),
            by=told.by or judge.name,
        )

    def _as_they_came(self, space: str, after: tuple[datetime, str] | None, left: int | None) -> list[Memory]:
        most = AT_ONCE if left is None else min(AT_ONCE, left)
        with self._reading(space) as reader:
            return list(reader.memories(MemoryFilter(view=View.CURRENT, after=after, limit=most)))

    def _made_way(self, upkeep: DoorUpkeepSpace, one: JudgedAgain) -> JudgedAgain:
        if one.acts:
            seq = upkeep.tie(one.newer_id, one.older_id, Link.SUPERSEDES.value, one.score, one.why)
            return replace(one, seq=seq)
        proposal = {"op": "supersede", "newer": one.newer_id, "older": one.older_id}
        ids = (one.newer_id, one.older_id)
        ask(
            upkeep,
            unasked(upkeep, [Proposed(ReviewKind.CONTRADICTION, Urgency.MEDIUM, ids, "supersede", proposal, one.why)]),
        )
        return one

    @operation(READS)
    def upkeep_status(
        self, *, space: p.Space = None, interval_seconds: p.Interval = 3600.0, principal: p.Principal = None
    ) -> UpkeepStatus:
        """Who keeps the space, how far the run is, when the next is due, and how much waits for a decision."""
        upkeep, who = self._upkeep_space(space), principal or self._writer.actor
        run = upkeep.tending.run(upkeep.space)
        with self._reading(space, principal=principal) as reader:
            waiting = counted(upkeep, reader)
        return UpkeepStatus(
            space=upkeep.space,
            running=run is not None and run.is_held(upkeep.now),
            run=seen_by(run, who),
            next_at=next_time(run, interval_seconds),
            waiting=waiting,
        )

    def _scheduler(self, space: str | None, rate_limit: int, lease_seconds: float = LEASE_SECONDS) -> Scheduler:
        return Scheduler(self._upkeep_space(space), rate_limit=rate_limit, lease_seconds=lease_seconds)

    def _upkeep_space(self, space: str | None) -> DoorUpkeepSpace:
        return DoorUpkeepSpace(self, space or self._space, self._noted)

    def _noted(self, memory_ids: Sequence[str], space: str) -> dict[str, str]:
        vault = self._vault_to_write(None, needed=False)
        return {} if vault is None else self._write_notes(vault, memory_ids, space, False)


def _two(reader: Reader, a: str, b: str) -> list[Memory]:
    if a == b:
        raise InvalidRequest("b: is the same memory as a; give two")
    found = []
    for ref, name in ((a, "a"), (b, "b")):
        memory = reader.memory(ref)
        if memory is None:
            raise missing(reader, ref, name, "memory")
        found.append(memory)
    return found
