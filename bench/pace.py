"""How fast is the machine just now? The same piece of work again and again beside a long run: shared machines are
faster and slower by the minute, and what slows that down too is no fault of what is measured."""

from __future__ import annotations

import hashlib
import statistics
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager

EVERY_SECONDS = 1.0
_WORK = b"x" * 4_000_000


@contextmanager
def paced() -> Iterator[list[float]]:
    """The seconds it takes, once a second as long as this is."""
    pace, over = list[float](), threading.Event()

    def measure() -> None:
        while not over.wait(EVERY_SECONDS):
            begun = time.monotonic()
            hashlib.sha256(_WORK).digest()
            pace.append(time.monotonic() - begun)

    thread = threading.Thread(target=measure, daemon=True)
    thread.start()
    try:
        yield pace
    finally:
        over.set()
        thread.join()


def second_and_last_quarter(measured: list[float]) -> tuple[list[float], list[float]]:
    """The first is left out: a server gets warm."""
    quarter = max(1, len(measured) // 4)
    return measured[quarter : 2 * quarter], measured[-quarter:]


def slower(pace: list[float]) -> float:
    """How many times as long it took in the last quarter as in the second."""
    second, last = second_and_last_quarter(pace)
    return statistics.mean(last) / statistics.mean(second)


def p95(seconds: list[float]) -> float:
    return sorted(seconds)[int(len(seconds) * 0.95)]
