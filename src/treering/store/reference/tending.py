"""What is kept of upkeep, in plain Python? A run a space, clusters by id, and a list of review items."""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from datetime import datetime

from treering.model import limits
from treering.model.review import ReviewItem, ReviewKind, ReviewStatus
from treering.model.upkeep import UpkeepRun
from treering.store.tending import FoundCluster, ReviewFilter

_STANDING = (ReviewStatus.OPEN, ReviewStatus.CLAIMED, ReviewStatus.DISMISSED)


class ReferenceTending:
    def __init__(self) -> None:
        self._runs: dict[str, UpkeepRun] = {}
        self._clusters: dict[tuple[str, str], FoundCluster] = {}
        self._items: list[ReviewItem] = []
        self._lock = threading.RLock()

    def run(self, space: str) -> UpkeepRun | None:
        return self._runs.get(space)

    def turn_run(self, space: str, step: Callable[[UpkeepRun | None], UpkeepRun | None]) -> UpkeepRun | None:
        with self._lock:
            after = step(self._runs.get(space))
            if after is not None:
                self._runs[space] = after
            return after

    def keep_clusters(self, space: str, clusters: Iterable[FoundCluster], now: datetime) -> None:
        with self._lock:
            for one in clusters:
                self._clusters.pop((space, one.id), None)
                self._clusters[space, one.id] = one
            here = [key for key in self._clusters if key[0] == space]
            for key in here[: -limits.CLUSTERS_KEPT]:
                del self._clusters[key]

    def cluster(self, space: str, cluster_id: str) -> FoundCluster | None:
        return self._clusters.get((space, cluster_id))

    def put(self, items: Sequence[ReviewItem]) -> list[ReviewItem]:
        with self._lock:
            return [self._put(item) for item in items]

    def _put(self, item: ReviewItem) -> ReviewItem:
        for one in self._items:
            if (one.space, one.key) == (item.space, item.key) and one.status in _STANDING:
                return one
        self._items.append(item)
        return item

    def item(self, space: str, item_id: str) -> ReviewItem | None:
        return next((one for one in self._items if (one.space, one.id) == (space, item_id)), None)

    def items(self, space: str, which: ReviewFilter) -> list[ReviewItem]:
        with self._lock:
            found = [
                one
                for one in self._items
                if one.space == space
                and (which.kinds is None or one.kind in which.kinds)
                and (which.statuses is None or one.status in which.statuses)
            ]
        waiting = sorted((one for one in found if not one.ended), key=lambda one: one.urgency.rank)
        ended = sorted((one for one in found if one.ended), key=lambda one: one.updated_at, reverse=True)
        return [*waiting, *ended][which.offset : which.offset + which.limit]

    def turn_item(self, space: str, item_id: str, step: Callable[[ReviewItem], ReviewItem]) -> ReviewItem | None:
        with self._lock:
            before = self.item(space, item_id)
            if before is None:
                return None
            after = step(before)
            self._items[self._items.index(before)] = after
            done_with = [one for one in self._items if one.space == space and one.status not in _STANDING]
            for one in sorted(done_with, key=lambda o: o.updated_at)[: -limits.REVIEWS_ENDED]:
                self._items.remove(one)
            return after

    def count_items(self, space: str) -> dict[tuple[ReviewKind, ReviewStatus], int]:
        return dict(Counter((one.kind, one.status) for one in self._items if one.space == space))

    def let_go(self, space: str, gone: Iterable[str]) -> None:
        """What a purge of these takes from here."""
        names = set(gone)
        with self._lock:
            self._items = [one for one in self._items if one.space != space or not names & set(one.concerns)]
            for key, cluster in list(self._clusters.items()):
                if key[0] == space and names & set(cluster.memory_ids):
                    del self._clusters[key]
