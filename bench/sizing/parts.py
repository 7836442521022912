"""What was measured? The parts that the model reckons with, each out of `bench/results`, and which bench wrote it."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

from bench import record
from treering.recall.index_cache import BESIDE, MEMORIES, SPACES
from treering.store.postgres.pool import CONNECTIONS

READER = "turnfinder-2"
"""The embedder of a space that chose none."""
SMALL, MIDDLE, LARGE = 1_000, 10_000, 100_000
MB = 1024 * 1024


@dataclass(frozen=True, slots=True)
class Parts:
    """Milliseconds are of a core."""

    around_ms: float
    """What a server does around a recall: HTTP, rights, the judge's second thread."""
    asked_ms: dict[int, float]
    asked_without_judge_ms: dict[int, float]
    """A recall in a process of its own, by how many memories the space has."""
    cold: dict[int, float]
    database_cold: dict[int, float]
    """To learn a space that is not in memory, by its memories: of the process that asks, and of PostgreSQL."""
    accepted_ms: float
    turn_ms: float
    """To read a turn: reader, embedder, judge and writing."""
    add_ms: float
    memories_a_turn: float
    database_asked_ms: dict[int, float]
    database_turn_ms: float
    transactions_a_turn: float
    disk_bytes_a_memory: float
    index_bytes_a_memory: float
    base_mb: float
    """A process with its models and no space."""
    writes_a_second: float
    one_writer_ms: float
    writes_by_one: float
    writes_by_several: float
    """By 64 writers, in one process and in several, on the same two cores."""
    connections_a_process: int = CONNECTIONS + 1

    def recall_ms(self, memories: int, judge: bool = True) -> float:
        """Of a space that is in memory, as a server answers it."""
        return self.around_ms + _between(self.asked_ms if judge else self.asked_without_judge_ms, memories)

    @staticmethod
    def spaces_at_hand(memories: int) -> int:
        """That one process keeps."""
        return max(SPACES, MEMORIES // (BESIDE + memories))

    def cold_ms(self, memories: int) -> float:
        return _along(self.cold, memories)

    def database_recall_ms(self, memories: int, cold: float) -> float:
        return _between(self.database_asked_ms, memories) + cold * _along(self.database_cold, memories)


def measured() -> Parts:
    served, writing, part = record.read("serve"), record.read("postgres")["writing"], record.read("parts")
    recall: dict[int, Any] = {int(name): row for name, row in record.read("speed_recall")["sizes"].items()}
    told = record.read("speed_remember")["embedders"][READER]["one a call"]
    asked = {size: row["recall"]["p50_ms"] for size, row in recall.items()}
    accepted = served["backlog"]["enqueue_before"]["p50_ms"]
    recalls, writes = served["recalls_a_second"], served["remembers_a_second"]
    a_recall = (served["core_ms"]["a_request"] * (recalls + writes) - accepted * writes) / recalls
    index_bytes = max(
        (recall[size]["resident_mb"] - recall[SMALL]["resident_mb"]) * MB / (size - SMALL) for size in (MIDDLE, LARGE)
    )
    spaces = {one["memories"]: one for one in (part["spaces"], part["large_space"])}
    return Parts(
        around_ms=a_recall - _between(asked, served["memories"]),
        asked_ms=asked,
        asked_without_judge_ms={size: row["unjudged"]["p50_ms"] for size, row in recall.items()},
        cold=_colder(spaces, "own_core_ms"),
        database_cold=_colder(spaces, "server_core_ms"),
        accepted_ms=accepted,
        turn_ms=1000 / told["turns_per_second"],
        add_ms=part["writing"]["alone"]["own_core_ms"],
        memories_a_turn=told["memories"] / told["turns"],
        database_asked_ms={size: one["warm"]["server_core_ms"] for size, one in spaces.items()},
        database_turn_ms=part["turn"]["server_core_ms"],
        transactions_a_turn=part["turn"]["transactions"],
        disk_bytes_a_memory=max(
            part["spaces"]["disk_bytes_a_memory"], *(row["bytes_per_memory"] for row in recall.values())
        ),
        index_bytes_a_memory=index_bytes,
        base_mb=recall[SMALL]["resident_mb"] - index_bytes * SMALL / MB,
        writes_a_second=writing["PostgreSQL"]["per_second"],
        one_writer_ms=1000 / writing["PostgreSQL, alone"]["per_second"],
        writes_by_one=part["writing"]["many"]["per_second"],
        writes_by_several=part["writing"]["several"]["per_second"],
    )


def _colder(spaces: dict[int, Any], whose: str) -> dict[int, float]:
    return {size: one["cold"][whose] - one["warm"][whose] for size, one in spaces.items()}


def _along(two: dict[int, float], memories: int) -> float:
    """On the straight line through two points, and never less than nothing."""
    (low, small), (high, large) = sorted(two.items())
    return max(0.0, small + (memories - low) * (large - small) / (high - low))


def _between(by_size: dict[int, float], memories: int) -> float:
    """Along a line over the number's logarithm; below the smallest as the smallest, and on beyond the largest."""
    sizes = sorted(by_size)
    place = max(1, next((n for n, size in enumerate(sizes) if size >= memories), len(sizes) - 1))
    low, high = sizes[place - 1], sizes[place]
    share = math.log(max(memories, low) / low) / math.log(high / low)
    return by_size[low] + share * (by_size[high] - by_size[low])
