"""How is a space searched for what belongs together? Its memories are read, compared and grouped; the clusters are kept
by id, so that whoever is told one can name it afterwards, in any process."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from treering.model import limits
from treering.store.tending import FoundCluster
from treering.upkeep.cluster import Cluster, Clustering, ClusterItem, cluster_id, clusters, duplicates, leaves
from treering.upkeep.space import UpkeepSpace
from treering.values import dataclass


@dataclass(frozen=True, slots=True)
class Grouping:
    """What is looked for, and how near it must be."""

    strategy: str
    threshold: float
    max_size: int
    find_duplicates: bool
    duplicate_threshold: float
    min_size: int = 2


class Members(Protocol):
    """Some memories that belong together."""

    @property
    def memory_ids(self) -> tuple[str, ...]: ...

    @property
    def cohesion(self) -> float: ...


def group(upkeep: UpkeepSpace, asked: Grouping) -> Clustering:
    found = all_leaves(upkeep)
    if asked.find_duplicates:
        return _duplicates(upkeep, asked, found)
    by_meaning = asked.strategy == "similarity"
    every = found_clusters(upkeep, found, asked.threshold, asked.max_size, by_meaning)
    groups = [one for one in every if one.size >= asked.min_size]
    return Clustering(
        mode="clustering",
        strategy=asked.strategy,
        threshold=asked.threshold,
        memories=len(found),
        clusters_found=len(groups),
        clusters=tuple(groups),
        message=f"Found {_count(len(groups), 'cluster')} using {asked.strategy} strategy",
    )


def all_leaves(upkeep: UpkeepSpace) -> list[ClusterItem]:
    with upkeep.reading() as reader:
        return list(leaves(reader))


def found_clusters(
    upkeep: UpkeepSpace, found: Sequence[ClusterItem], threshold: float, max_size: int, by_meaning: bool = True
) -> list[Cluster]:
    """Found, and kept by id."""
    groups = clusters(found, upkeep.likeness(found, by_meaning), threshold, max_size, upkeep.progress)
    keep(upkeep, groups)
    return groups


def keep(upkeep: UpkeepSpace, groups: Sequence[Members]) -> None:
    """By id, the most coherent longest."""
    if groups:
        kept = [FoundCluster(cluster_id(one.memory_ids), one.memory_ids, one.cohesion) for one in reversed(groups)]
        upkeep.tending.keep_clusters(upkeep.space, kept, upkeep.now)


def _duplicates(upkeep: UpkeepSpace, asked: Grouping, found: Sequence[ClusterItem]) -> Clustering:
    likeness = upkeep.likeness(found, asked.strategy == "similarity")
    pairs = duplicates(found, likeness, asked.duplicate_threshold, upkeep.progress)
    more = "; there may be more: merge these, and look again" if len(pairs) == limits.DUPLICATES else ""
    return Clustering(
        mode="duplicate_detection",
        strategy=asked.strategy,
        threshold=asked.duplicate_threshold,
        memories=len(found),
        duplicates_found=len(pairs),
        duplicates=tuple(pairs),
        message=f"Found {_count(len(pairs), 'pair')} that say the same{more}",
    )


def _count(number: int, word: str) -> str:
    return f"{number} {word}{'' if number == 1 else 's'}"
