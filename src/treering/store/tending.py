"""What does every store keep of upkeep? This page states it, and tests/contract/test_tending.py holds each store to it.

The latest run of each space, the clusters that were found last, and the items that wait for somebody to decide. It lies
in the same place as the knowledge but not in the journal: it is not knowledge, and holds no words of it, only ids. What
is purged goes from here in the same transaction.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from datetime import datetime
from typing import Protocol

from treering.model.review import ReviewItem, ReviewKind, ReviewStatus
from treering.model.upkeep import UpkeepRun
from treering.values import dataclass


@dataclass(frozen=True, slots=True)
class FoundCluster:
    """Memories that were found to belong together."""

    id: str
    memory_ids: tuple[str, ...]
    cohesion: float


@dataclass(frozen=True, slots=True)
class ReviewFilter:
    """Which items; every field narrows. `after` is the place at which the last page ended."""

    kinds: tuple[ReviewKind, ...] | None = None
    statuses: tuple[ReviewStatus, ...] | None = None
    limit: int = 100
    offset: int = 0


class Tending(Protocol):
    def run(self, space: str) -> UpkeepRun | None:
        """The latest."""

    def turn_run(self, space: str, step: Callable[[UpkeepRun | None], UpkeepRun | None]) -> UpkeepRun | None:
        """Puts what the step makes of the latest run in its place, with nobody in between; none changes nothing. The
        step may raise, and may be done more than once. Durable when it returns."""

    def keep_clusters(self, space: str, clusters: Iterable[FoundCluster], now: datetime) -> None:
        """Remembers them by id, for who is given an id. Of a space the newest `limits.CLUSTERS_KEPT` are kept."""

    def cluster(self, space: str, cluster_id: str) -> FoundCluster | None: ...

    def put(self, items: Sequence[ReviewItem]) -> list[ReviewItem]:
        """Adds items, all or none; for one with the key of another that is open, claimed or was dismissed, answers
        that one instead. Of the items of a space that ended otherwise the newest `limits.REVIEWS_ENDED` are kept."""

    def item(self, space: str, item_id: str) -> ReviewItem | None: ...

    def items(self, space: str, which: ReviewFilter) -> list[ReviewItem]:
        """The most urgent first, and of those the oldest; ended ones after open ones, the latest ended first."""

    def turn_item(self, space: str, item_id: str, step: Callable[[ReviewItem], ReviewItem]) -> ReviewItem | None:
        """Puts what the step makes of the item in its place, with nobody in between. None if there is no such item."""

    def count_items(self, space: str) -> dict[tuple[ReviewKind, ReviewStatus], int]:
        """How many there are, whoever may see them."""
