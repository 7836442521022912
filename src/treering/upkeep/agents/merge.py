"""Which memories become one without asking? Clusters that are coherent beyond doubt and in which nothing clashes: of
two that differ in a number, a name, a denial or a tense somebody is asked first."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import field, replace
from itertools import combinations

from treering.errors import CallerError
from treering.model.review import ReviewKind, Urgency
from treering.model.upkeep import AgentName
from treering.model.value import Value
from treering.store.contract import Progress, Reader
from treering.upkeep.agents.cluster import ClusterAgent, ClusterResult
from treering.upkeep.agents.contract import Applied, WriteBudget
from treering.upkeep.beads import ask
from treering.upkeep.cluster import Cluster, suggested
from treering.upkeep.consolidating import merge
from treering.upkeep.duplicates import clash
from treering.upkeep.review import Proposed
from treering.upkeep.space import UpkeepSpace
from treering.values import dataclass


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class MergeResult(Value):
    """`new_memory_id` none and no success: it was not, or not yet, merged, for this `reason`."""

    cluster_id: str
    cohesion: float
    source_ids: tuple[str, ...]
    new_memory_id: str | None = None
    relation_ids: tuple[str, ...] = ()
    success: bool = False
    seq: int | None = None
    reason: str = ""


@dataclass
class MergeAgent:
    """`found`: what the cluster agent found in the same run, so that it is not looked for twice."""

    name = AgentName.MERGE
    found: Sequence[ClusterResult] | None = field(default=None)

    def plan(self, upkeep: UpkeepSpace, progress: Progress) -> list[MergeResult]:
        found = ClusterAgent().plan(upkeep, progress) if self.found is None else self.found
        with upkeep.reading() as reader:
            return [_planned(reader, one) for one in found if one.action == "auto-merge"]

    def apply(
        self, upkeep: UpkeepSpace, planned: Sequence[MergeResult], allowance: WriteBudget, progress: Progress
    ) -> Applied:
        done: list[MergeResult] = []
        for one in planned:
            if not allowance.take():
                return Applied(tuple(done), len(planned) - len(done))
            done.append(_ask(upkeep, one) if one.reason else _merge(upkeep, one))
            progress(len(done), len(planned))
        return Applied(tuple(done))


def _planned(reader: Reader, found: ClusterResult) -> MergeResult:
    texts = [memory.content for one in found.memory_ids if (memory := reader.memory(one)) is not None]
    clashes = {what for one, other in combinations(texts, 2) if (what := clash(one, other))}
    return MergeResult(
        cluster_id=found.cluster_id,
        cohesion=found.cohesion,
        source_ids=found.memory_ids,
        reason=f"they differ in {', '.join(sorted(clashes))}" if clashes else "",
    )


def _merge(upkeep: UpkeepSpace, one: MergeResult) -> MergeResult:
    cluster = Cluster(
        id=one.cluster_id,
        size=len(one.source_ids),
        cohesion=one.cohesion,
        suggested_action=suggested(one.cohesion),
        memory_ids=one.source_ids,
    )
    try:
        merged = merge(upkeep, cluster, "found by upkeep to belong together")
    except CallerError as error:  # changed since it was planned, or too long together
        return replace(one, reason=str(error))
    return replace(
        one,
        new_memory_id=merged.new_memory_id,
        source_ids=merged.source_ids,
        relation_ids=merged.relation_ids,
        success=True,
        seq=merged.seq,
    )


def _ask(upkeep: UpkeepSpace, one: MergeResult) -> MergeResult:
    proposal = {"op": "consolidate", "cluster_id": one.cluster_id, "cohesion": one.cohesion}
    reason = f"{len(one.source_ids)} memories are alike, but {one.reason}"
    ask(upkeep, [Proposed(ReviewKind.MERGE, Urgency.MEDIUM, one.source_ids, "consolidate", proposal, reason)])
    return one
