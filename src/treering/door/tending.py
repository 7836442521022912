"""The part of the door for what belongs together: memories that are alike are found, and made one or linked."""

from __future__ import annotations

from typing import TypeVar

from treering import parameters as p
from treering.door.hands import Hands
from treering.door.upkeep import Keeps
from treering.operation import WRITES, WRITES_ONCE, operation
from treering.upkeep.cluster import Clustering
from treering.upkeep.consolidate import Consolidation
from treering.upkeep.consolidating import Wanted, consolidate
from treering.upkeep.grouping import Grouping, group

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
        space: p.Space = None,
    ) -> Clustering:
        """Find memories that belong together, or pairs that say the same. No memory changes.

        A cluster's id depends on its members alone; `consolidate` takes it. Only what the same people may see comes
        together. Two that say the same are near in meaning and agree in numbers, names, denial and tense.
        """
        asked = Grouping(strategy, threshold, max_size, find_duplicates, duplicate_threshold)
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
        """Make one memory of a cluster, or of every coherent one: all that its members say, tags and entities united.

        The members are archived, never deleted, and the new memory is derived from each; `undo` with its seq restores
        them. `link` relates them instead and keeps all. Without a mode it says what would be.
        """
        return consolidate(self._hands(space), Wanted(cluster_id, auto, mode, cohesion_threshold, why))

    def _hands(self, space: str | None) -> Hands:
        return Hands(self, space or self._space)
