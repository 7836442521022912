"""What do those who watch a server want to know of its store? Gauges of memories, jobs, webhooks, indexes, disk and
backups, and how long reading for meaning takes. The figures are looked up when they are asked for, and not more often
than they are worth: looking takes at most a twentieth of the time.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

from prometheus_client import CollectorRegistry, Counter, Histogram, generate_latest
from prometheus_client.core import GaugeMetricFamily, Metric
from prometheus_client.registry import Collector

from treering.errors import TreeringError

if TYPE_CHECKING:
    from datetime import datetime

    from treering.door import Treering
    from treering.door.vitals import Vitals

LEAST_SECONDS = 5.0
"""So long a figure is told again."""
_SHARE = 20
_SECONDS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10)
Tell = Callable[[str, int, float], None]


def embedding_counts(registry: CollectorRegistry) -> Tell:
    """Who is to be told of what embedders read."""
    seconds = Histogram(
        "embedding_seconds",
        "How long a call of an embedder took.",
        ["embedder"],
        buckets=_SECONDS,
        registry=registry,
        namespace="treering",
    )
    texts = Counter(
        "embedded_texts", "Texts that embedders have read.", ["embedder"], registry=registry, namespace="treering"
    )

    def tell(embedder: str, count: int, took: float) -> None:
        seconds.labels(embedder).observe(took)
        texts.labels(embedder).inc(count)

    return tell


class Gauges(Collector):
    """Of the store behind a door."""

    def __init__(self, door: Treering, least_seconds: float = LEAST_SECONDS) -> None:
        self._door, self._least = door, least_seconds
        self._lock = threading.Lock()
        self._registry = CollectorRegistry(auto_describe=False)
        self._registry.register(self)
        self._kept: Vitals | None = None
        self._until = 0.0
        self._took = 0.0

    def told(self) -> bytes:
        """As Prometheus reads it. If the store does not answer, that is what is told."""
        return generate_latest(self._registry)

    def describe(self) -> Iterator[Metric]:
        return iter(())

    def collect(self) -> Iterator[Metric]:
        try:
            vitals = self._looked()
        except TreeringError:
            yield _gauge("up", "Whether the store answers.", 0)
            return
        yield _gauge("up", "Whether the store answers.", 1)
        yield _gauge("vitals_seconds", "How long it took to look these figures up.", self._took)
        yield from _of_knowledge(vitals)
        yield from _of_jobs(vitals, self._door.now())
        yield from _of_webhooks(vitals)
        yield from _of_indexes(vitals)
        yield from _of_disk(vitals)
        yield from _of_backups(vitals)

    def _looked(self) -> Vitals:
        with self._lock:
            now = time.monotonic()
            if self._kept is None or now >= self._until:
                self._kept = self._door.vitals()
                self._took = time.monotonic() - now
                self._until = now + max(self._least, _SHARE * self._took)
            return self._kept


def _gauge(name: str, said: str, value: float) -> GaugeMetricFamily:
    return GaugeMetricFamily(f"treering_{name}", said, value=value)


def _of_knowledge(vitals: Vitals) -> Iterator[Metric]:
    yield _gauge("spaces", "Spaces.", vitals.spaces)
    memories = GaugeMetricFamily("treering_memories", "Memories of all spaces, by state.", labels=["state"])
    for state, count in sorted(vitals.memories.items()):
        memories.add_metric([state], count)
    yield memories
    yield _gauge("entities", "Entities.", vitals.entities)
    yield _gauge("edges", "Edges.", vitals.edges)
    yield _gauge("held_memories", "Memories on hold.", vitals.held)


def _of_jobs(vitals: Vitals, now: datetime) -> Iterator[Metric]:
    jobs = GaugeMetricFamily(
        "treering_jobs", "Jobs, by status; ended ones as long as they are kept.", labels=["status"]
    )
    for status in ("pending", "processing", "completed", "partial", "failed", "cancelled"):
        jobs.add_metric([status], vitals.jobs.jobs.get(status, 0))
    yield jobs
    oldest = vitals.jobs.oldest
    waited = 0.0 if oldest is None else max(0.0, (now - oldest).total_seconds())
    yield _gauge("job_oldest_seconds", "How long ago the oldest job that has not ended was asked for.", waited)


def _of_webhooks(vitals: Vitals) -> Iterator[Metric]:
    told = vitals.webhooks
    yield _gauge("webhooks", "Webhooks.", told.hooks)
    yield _gauge("webhooks_failing", "Webhooks whose last call failed.", told.failing)
    yield _gauge("webhook_behind_entries", "Entries that webhooks are still to be told of.", told.behind)
    yield _gauge("webhook_lag_seconds", "How long the oldest of those entries has waited.", told.lag_seconds)
    yield _gauge("webhook_dead_letters", "Entries that could not be delivered after every try.", told.dead_letters)


def _of_indexes(vitals: Vitals) -> Iterator[Metric]:
    learned = vitals.indexes
    yield _gauge("indexes", "Indexes in the memory of the process that answers.", learned.indexes)
    yield _gauge("index_behind_entries", "Most entries that one of them has not learned yet.", learned.behind)
    yield _gauge("index_age_seconds", "How long ago the first of those entries was written.", learned.age_seconds)


def _of_disk(vitals: Vitals) -> Iterator[Metric]:
    yield _gauge("store_bytes", "How large the store is.", vitals.store_bytes)
    yield _gauge("store_writable", "Whether the store can be written to.", int(vitals.writable))
    if vitals.disk_free_bytes is not None and vitals.disk_bytes is not None:
        yield _gauge("disk_free_bytes", "Room left on the disk of the store's file.", vitals.disk_free_bytes)
        yield _gauge("disk_bytes", "How large that disk is.", vitals.disk_bytes)


def _of_backups(vitals: Vitals) -> Iterator[Metric]:
    """Nothing where none was ever made: an alert on the age must not take that for a fresh one."""
    backup = vitals.backup
    if backup.began_at is not None:
        yield _gauge("backup_failed", "Whether the latest scheduled backup failed.", int(backup.error is not None))
    if backup.made_at is not None:
        said = "When the latest scheduled backup was made and verified."
        yield _gauge("backup_timestamp_seconds", said, backup.made_at.timestamp())
        yield _gauge("backup_bytes", "How large it is.", backup.bytes)
