"""A server under load for a while: nobody is turned away, and it needs no more at last than at first."""

from __future__ import annotations

import statistics
import sys
from pathlib import Path

import pytest
from bench.serve import beside_a_backlog, filled, serving, under_load

SECONDS = 90


@pytest.mark.slow
@pytest.mark.timeout(600)
@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="what processes take is told by /proc")
def test_memory_stays_as_it_is_while_many_ask_and_some_remember(tmp_path: Path) -> None:
    path = tmp_path / "load.db"
    filled(path, 1_000)
    with serving(path, "--processes", "2") as server:
        server.warm()
        seen, costs = under_load(server, SECONDS, clients=16)
    print(f"{len(seen.recalls)} questions, {len(seen.writes)} writes, {[round(one.megabytes) for one in costs]} MB")
    assert seen.errors == []
    assert len(seen.recalls) > SECONDS
    half = len(costs) // 2
    first, last = (
        statistics.median(one.megabytes for one in part) for part in (costs[half - 2 : half + 1], costs[-3:])
    )
    assert last - first < 0.05 * first, "what was remembered meanwhile takes far less"


@pytest.mark.slow
@pytest.mark.timeout(600)
def test_questions_are_answered_as_fast_while_very_many_jobs_wait(tmp_path: Path) -> None:
    path = tmp_path / "load.db"
    filled(path, 2_000)
    told = beside_a_backlog(path)
    print(told)
    assert told["jobs"] > 98_000
    assert told["recall_beside"]["p50_ms"] < 1.5 * told["recall_before"]["p50_ms"]
    assert told["enqueue_beside"]["p50_ms"] < 2 * told["enqueue_before"]["p50_ms"], "a long queue is joined as fast"
