"""What if the process dies in the middle of a job? It dies at the Nth statement, for every N; another takes over."""

from __future__ import annotations

import sqlite3
from collections import Counter
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from tests.conftest import HandClock
from tests.property.killing_jobs import kill_and_look

from treering.door import Treering
from treering.ingest.jobs import PATIENT
from treering.store.sqlite import SqliteStore

MOST = 1_000
SAID = ["Ada lives in Berlin", "Ada likes tea", "Bo knows Ada"]


class Death(BaseException):
    """Nothing catches it, and nothing is done after it."""


class Mortal:
    """Connections of a process that dies at the Nth statement: the first thing it does not do, and all after it."""

    def __init__(self, left: int) -> None:
        self.left = left

    @property
    def dead(self) -> bool:
        return self.left <= 0

    def connection(self) -> type[sqlite3.Connection]:
        life = self

        class Dying(sqlite3.Connection):
            def execute(self, sql: str, *rest: Any) -> sqlite3.Cursor:
                life.left -= 1
                if life.dead:
                    raise Death(sql)
                return super().execute(sql, *rest)

            def executemany(self, sql: str, *rest: Any) -> sqlite3.Cursor:
                life.left -= 1
                if life.dead:
                    raise Death(sql)
                return super().executemany(sql, *rest)

        return Dying


def _door(store: SqliteStore, clock: HandClock) -> Treering:
    return Treering(store, clock=clock, actor="ann", space="lab")


@pytest.mark.parametrize("said", [{"content": SAID[0]}, {"messages": [{"content": one} for one in SAID]}], ids=list)
def test_whenever_a_worker_dies_the_next_completes_its_job_and_doubles_nothing(
    said: dict[str, Any], tmp_path: Path
) -> None:
    for n in range(1, MOST):
        path, clock = tmp_path / f"{n}.db", HandClock()
        with _door(SqliteStore(path, "off"), clock) as door:
            job = door.enqueue(**said, session="s1", extractor="none")
            after = door.enqueue("Ada moved to Paris", session="s1", extractor="none")
        life = Mortal(MOST * MOST)
        store = SqliteStore(path, "off", factory=life.connection())
        life.left = n
        with suppress(Death):
            _door(store, clock).run_jobs(limit=1)
        died = life.dead
        life.left = MOST
        store.close()
        clock.advance(seconds=PATIENT.lease_seconds)
        with _door(SqliteStore(path, "off"), clock) as door:
            door.run_jobs()
            told = Counter(memory.content for memory in door.list())
            assert told == Counter([*(SAID if "messages" in said else SAID[:1]), "Ada moved to Paris"]), n
            assert [door.job(one.id).status for one in (job, after)] == ["completed", "completed"]
            assert not door.job(job.id).holds_words
            assert door.verify().ok
        if not died:
            assert n > 20
            return
        for part in tmp_path.glob("*"):
            part.unlink()
    pytest.fail("it never lived long enough")


@pytest.mark.timeout(110)
def test_jobs_are_done_once_while_those_who_ask_and_do_are_killed(tmp_path: Path) -> None:
    """The long version is in tests/slow."""
    jobs, _ = kill_and_look(tmp_path, rounds=4, seed=3)
    assert jobs > 4
