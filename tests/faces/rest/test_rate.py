"""So many requests a minute: saved up, counted together, and never more to hold than a table."""

from __future__ import annotations

from pathlib import Path

import pytest

from treering.faces.rest import rate
from treering.faces.rest.rate import Buckets


@pytest.fixture
def seconds(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """A clock to be moved by hand."""
    now = [1000.0]
    monkeypatch.setattr(rate.time, "monotonic", lambda: now[0])
    return now


def test_who_has_used_up_a_minute_waits_for_the_next_request(seconds: list[float]) -> None:
    buckets = Buckets()
    assert [buckets.take("ann", 2).wait_seconds for _ in range(3)] == [0, 0, 30]
    assert buckets.take("bo", 2).wait_seconds == 0
    seconds[0] += 30
    assert [buckets.take("ann", 2).wait_seconds for _ in range(2)] == [0, 30]
    seconds[0] += 3600
    assert buckets.take("ann", 2).requests == 1


def test_two_processes_count_the_same_caller_together(tmp_path: Path, seconds: list[float]) -> None:
    one, other = Buckets(tmp_path), Buckets(tmp_path)
    assert [each.take("ann", 3).wait_seconds for each in (one, other, one, other, one)] == [0, 0, 0, 20, 20]


def test_of_very_many_callers_the_last_ones_are_remembered(
    monkeypatch: pytest.MonkeyPatch, seconds: list[float]
) -> None:
    monkeypatch.setattr(rate, "PLACES", 8)
    buckets = Buckets()
    for number in range(100):
        seconds[0] += 0.001
        buckets.take(f"caller {number}", 5)
    assert int(buckets.take("caller 99", 5).requests) == 3
    assert int(buckets.take("caller 0", 5).requests) == 4
