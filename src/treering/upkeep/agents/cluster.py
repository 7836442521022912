"""Which memories belong together? The agent groups a space as `cluster` does. What is coherent without doubt is left to
the merge agent; what somebody should look at goes to the review queue."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from treering.model.review import ReviewKind, Urgency
from treering.model.upkeep import AgentName
from treering.model.value import Value
from treering.store.contract import Progress
from treering.upkeep.agents.contract import Applied, WriteBudget
from treering.upkeep.beads import ask
from treering.upkeep.cluster import Cluster, clusters
from treering.upkeep.grouping import all_leaves, keep
from treering.upkeep.review import Proposed
from treering.upkeep.space import UpkeepSpace
from treering.values import dataclass

_AT_ONCE = 100


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class ClusterResult(Value):
    """`action`: auto-merge, review or keep."""

    cluster_id: str
    memory_ids: tuple[str, ...]
    cohesion: float
    action: str


class ClusterAgent:
    name = AgentName.CLUSTER

    def plan(self, upkeep: UpkeepSpace, progress: Progress) -> list[ClusterResult]:
        chosen = _chosen(upkeep)
        return [result(one, chosen) for one in grouped(upkeep, chosen, progress)]

    def apply(
        self, upkeep: UpkeepSpace, planned: Sequence[ClusterResult], allowance: WriteBudget, progress: Progress
    ) -> Applied:
        keep(upkeep, planned)
        doubtful = [one for one in planned if one.action == "review"]
        done: list[ClusterResult] = []
        for start in range(0, len(doubtful), _AT_ONCE):
            some = doubtful[start : start + _AT_ONCE]
            if not allowance.take():
                return Applied(tuple(done), len(doubtful) - len(done))
            done += some[: ask(upkeep, [_proposed(one) for one in some])]
            progress(start + len(some), len(doubtful))
        return Applied(tuple(done))


def _chosen(upkeep: UpkeepSpace) -> Mapping[str, Any]:
    with upkeep.reading() as reader:
        chosen: Mapping[str, Any] = reader.setting("consolidation")
    return chosen


def grouped(upkeep: UpkeepSpace, chosen: Mapping[str, Any], progress: Progress) -> list[Cluster]:
    """As the space has set it."""
    found = all_leaves(upkeep)
    groups = clusters(found, upkeep.likeness(found), chosen["threshold"], chosen["max_size"], progress)
    return [one for one in groups if one.size >= chosen.get("min_size", 2)]


def result(cluster: Cluster, chosen: Mapping[str, Any]) -> ClusterResult:
    how = cluster.cohesion
    action = "auto-merge" if how >= chosen["auto_merge"] else "review" if how >= chosen["review"] else "keep"
    return ClusterResult(cluster_id=cluster.id, memory_ids=cluster.memory_ids, cohesion=how, action=action)


def _proposed(one: ClusterResult) -> Proposed:
    return Proposed(
        ReviewKind.CLUSTER,
        Urgency.MEDIUM if one.cohesion >= 0.75 else Urgency.LOW,
        one.memory_ids,
        "consolidate",
        {"op": "consolidate", "cluster_id": one.cluster_id, "cohesion": one.cohesion},
        f"{len(one.memory_ids)} memories that belong together, with a cohesion of {one.cohesion:.2f}",
    )
