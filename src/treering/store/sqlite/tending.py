"""Upkeep on one SQLite file: each step a transaction of its own, beside the journal and with the same durability."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from datetime import datetime

from treering.model.review import ReviewItem, ReviewKind, ReviewStatus
from treering.model.upkeep import UpkeepRun
from treering.store.sql import tending
from treering.store.sqlite.jobs import Transaction
from treering.store.tending import FoundCluster, ReviewFilter


class SqliteTending:
    def __init__(self, reading: Transaction, writing: Transaction) -> None:
        self._reading = reading
        self._writing = writing

    def run(self, space: str) -> UpkeepRun | None:
        with self._reading() as connection:
            return tending.run(connection, space)

    def turn_run(self, space: str, step: Callable[[UpkeepRun | None], UpkeepRun | None]) -> UpkeepRun | None:
        with self._writing() as connection:
            return tending.turn_run(connection, space, step)

    def keep_clusters(self, space: str, clusters: Iterable[FoundCluster], now: datetime) -> None:
        with self._writing() as connection:
            tending.keep_clusters(connection, space, clusters, now)

    def cluster(self, space: str, cluster_id: str) -> FoundCluster | None:
        with self._reading() as connection:
            return tending.cluster(connection, space, cluster_id)

    def put(self, items: Sequence[ReviewItem]) -> list[ReviewItem]:
        with self._writing() as connection:
            return tending.put(connection, items)

    def item(self, space: str, item_id: str) -> ReviewItem | None:
        with self._reading() as connection:
            return tending.item(connection, space, item_id)

    def items(self, space: str, which: ReviewFilter) -> list[ReviewItem]:
        with self._reading() as connection:
            return tending.items(connection, space, which)

    def turn_item(self, space: str, item_id: str, step: Callable[[ReviewItem], ReviewItem]) -> ReviewItem | None:
        with self._writing() as connection:
            return tending.turn_item(connection, space, item_id, step)

    def count_items(self, space: str) -> dict[tuple[ReviewKind, ReviewStatus], int]:
        with self._reading() as connection:
            return tending.count_items(connection, space)
