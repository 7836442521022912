"""A server under load for a while: nobody is turned away, and it needs no more at last than at first."""

from __future__ import annotations

import os
import sqlite3
import statistics
import sys
from contextlib import closing
from pathlib import Path

import bench.calling
import pytest
from bench.pace import p95, paced, second_and_last_quarter, slower
from bench.serve import beside_a_backlog, filled, serving, under_load

SHORT_SECONDS = 90
SECONDS = int(os.environ.get("TREERING_SOAK_SECONDS") or SHORT_SECONDS)
"""`make soak` makes it an hour."""
WRITES = bench.calling.WRITES * min(1.0, SHORT_SECONDS / SECONDS)
"""About as much is remembered however long it lasts, so that a store which grows is not taken for a leak."""
MEGABYTES_GROW, P95_GROWS = 1.05, 1.5 if SECONDS >= 600 else 2.0
"""How far the last quarter may be above the second. The less is seen, the more of it is chance."""


@pytest.fixture
def as_installed(monkeypatch: pytest.MonkeyPatch) -> None:
    """The models read and judge, as they do for whoever has just installed it: other tests are spared them."""
    for name in ("TREERING_EMBEDDER", "TREERING_JUDGE", "TREERING_EXTRACTOR"):
        monkeypatch.delenv(name, raising=False)


@pytest.mark.slow
@pytest.mark.timeout(SECONDS + 510)
@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="what processes take is told by /proc")
@pytest.mark.usefixtures("as_installed")
def test_memory_and_times_stay_flat_while_many_ask_and_some_remember(tmp_path: Path) -> None:
    path = tmp_path / "load.db"
    filled(path, 1_000)
    with serving(path, "--processes", "2") as server, paced() as pace:
        server.warm()
        pace.clear()
        seen, costs = under_load(server, SECONDS, clients=16, writes=WRITES)
    megabytes = [one.megabytes for one in costs]
    second, last = (p95(part) for part in second_and_last_quarter(seen.recalls))
    print(f"{len(seen.recalls)} questions, {len(seen.writes)} writes, {[round(one) for one in megabytes]} MB")
    print(f"p95 in the second quarter {second * 1000:.1f} ms, in the last {last * 1000:.1f} ms")
    times_slower = slower(pace)
    print(f"a fixed piece of work beside it took {times_slower:.2f} times as long in the last quarter as in the second")
    assert seen.errors == [], server.told(seen.errors)
    assert len(seen.recalls) > SECONDS
    assert last < P95_GROWS * max(1.0, times_slower) * second
    assert has_read(path) > 1_000, "no model was at work"
    first, later = (statistics.median(part) for part in second_and_last_quarter(megabytes))
    assert later < MEGABYTES_GROW * first, "what was remembered meanwhile takes far less"


def has_read(path: Path) -> int:
    """How many vectors the embedder has made."""
    with closing(sqlite3.connect(path)) as file:
        found: int = file.execute("SELECT COUNT(*) FROM embedding").fetchone()[0]
    return found


def test_quarters_are_those_that_are_compared() -> None:
    assert second_and_last_quarter([*map(float, range(11))]) == ([2.0, 3.0], [9.0, 10.0])
    assert slower([9.0] * 4 + [1.0] * 4 + [5.0] * 4 + [3.0] * 4) == 3.0
    assert p95([*map(float, range(100))]) == 95.0


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
