"""How long do operations take in this process? The latest of each, kept in memory until they are set back.

For whoever looks after a server of their own; spans for a collector are in `traces`.
"""

from __future__ import annotations

import threading
from collections import Counter, defaultdict, deque
from collections.abc import Iterator
from contextlib import contextmanager
from time import perf_counter

from treering.model.value import Value
from treering.values import dataclass

KEPT = 1_000
"""Of each operation, the latest so many."""


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Timing(Value):
    """`count`: how often it was asked for; the figures are of the latest thousand."""

    operation: str
    count: int
    mean_ms: float
    least_ms: float
    most_ms: float
    total_ms: float


@dataclass(frozen=True, slots=True, repr=False)
class Timed(Value):
    """Of each operation that was asked for, by name; `count` is how many those are."""

    operations: tuple[Timing, ...]
    count: int

    def __iter__(self) -> Iterator[Timing]:
        return iter(self.operations)


class Timings:
    def __init__(self) -> None:
        self._spent: dict[str, deque[float]] = defaultdict(lambda: deque(maxlen=KEPT))
        self._count: Counter[str] = Counter()
        self._lock = threading.Lock()

    @contextmanager
    def of(self, operation: str) -> Iterator[None]:
        start = perf_counter()
        try:
            yield
        finally:
            spent = (perf_counter() - start) * 1000
            with self._lock:
                self._spent[operation].append(spent)
                self._count[operation] += 1

    def told(self) -> Timed:
        with self._lock:
            kept = {name: list(some) for name, some in sorted(self._spent.items())}
            counts = dict(self._count)
        told = tuple(
            Timing(
                operation=name,
                count=counts[name],
                mean_ms=round(sum(some) / len(some), 3),
                least_ms=round(min(some), 3),
                most_ms=round(max(some), 3),
                total_ms=round(sum(some), 3),
            )
            for name, some in kept.items()
        )
        return Timed(told, len(told))

    def reset(self) -> None:
        with self._lock:
            self._spent.clear()
            self._count.clear()
