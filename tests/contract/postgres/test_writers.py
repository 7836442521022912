"""Who waits for whom? Writers for those of their own space only, workers for nobody, and one who waits too long is told
of it."""

from __future__ import annotations

import threading
from typing import Any

import psycopg
import pytest
from tests.conftest import HandClock
from tests.contract.postgres.doing import SOON, asked, at_once, door, nothing

from treering.errors import Unavailable
from treering.model.job import JobStatus
from treering.store.contract import Writer
from treering.store.postgres import PostgresStore
from treering.store.postgres.connection import about


def test_a_write_waits_for_writers_of_its_own_space_and_for_no_others(store: PostgresStore, clock: HandClock) -> None:
    door(store, clock, "lab").add("Ann was first")
    begun, go_on = threading.Event(), threading.Event()

    def slowly(reader: Any, at: Any) -> Any:
        begun.set()
        assert go_on.wait(SOON)
        return nothing(reader, at)

    holding = threading.Thread(target=lambda: store.write("lab", Writer("ann"), clock.now, slowly))
    waiting = threading.Thread(target=lambda: door(store, clock, "lab").add("Ann came second"))
    holding.start()
    assert begun.wait(SOON)
    for space in ("den", "another"):
        assert door(store, clock, space).add("Bo does not wait", space=space).seq == 1
    waiting.start()
    waiting.join(0.2)
    assert waiting.is_alive(), "two writers were in one space at once"
    go_on.set()
    waiting.join(SOON)
    holding.join(SOON)
    assert store.head("lab").seq == 2


def test_who_writes_first_to_a_new_space_is_waited_for(store: PostgresStore, clock: HandClock) -> None:
    for number in range(5):
        space = f"new{number}"
        at_once(*[lambda space=space: door(store, clock, space).add("Ann") for _ in range(4)])
        assert store.head(space).seq == 4


def test_a_writer_that_is_waited_for_too_long_is_told_of_as_unavailable(
    store: PostgresStore, clock: HandClock, raw: psycopg.Connection[Any]
) -> None:
    door(store, clock).add("Ann")
    raw.execute(f"BEGIN; {about('lab')}; SELECT 1 FROM space FOR UPDATE".encode())
    store._write = store._write.replace("lock_timeout = '10s'", "lock_timeout = '100ms'")
    with pytest.raises(Unavailable, match=r"others have been writing .* nothing was written, try again"):
        door(store, clock).add("Bo")
    raw.execute("ROLLBACK")
    assert door(store, clock).add("Bo").seq == 2


def test_many_writers_to_many_spaces_leave_whole_journals_and_no_deadlock(
    store: PostgresStore, clock: HandClock
) -> None:
    def write(number: int) -> None:
        for turn in range(4):
            mine = door(store, clock, f"space{(number + turn) % 6}", f"writer{number}")
            mine.add(f"{number} in turn {turn}", entities=["Ann"], triples=[["Ann", "MET", f"n{number}"]])

    at_once(*[lambda number=number: write(number) for number in range(16)])
    heads = [store.head(f"space{one}").seq for one in range(6)]
    assert sum(heads) == 64
    assert door(store, clock).verify().ok


def test_workers_at_once_are_never_given_the_same_job(store: PostgresStore, clock: HandClock) -> None:
    for number in range(24):
        store.jobs.put(asked(number, f"space{number % 5}"), clock.now)
    given: list[str] = []

    def work(name: str) -> None:
        while claim := store.jobs.claim(name, clock.now, 60):
            given.append(claim.job.id)
            store.jobs.finish(claim.job, clock.now, JobStatus.COMPLETED)

    at_once(*[lambda name=name: work(name) for name in ("w1", "w2", "w3", "w4")])
    assert sorted(given) == sorted({*given})
    assert len(given) == 24


def test_a_worker_passes_over_the_job_that_another_is_about_to_take(
    store: PostgresStore, clock: HandClock, raw: psycopg.Connection[Any]
) -> None:
    first, second = (store.jobs.put(asked(number, "lab"), clock.now) for number in (1, 2))
    raw.execute("BEGIN; SET LOCAL treering.every = 'on'")
    raw.execute("SELECT 1 FROM job WHERE id = %s FOR UPDATE", (first.id,))
    claim = store.jobs.claim("w1", clock.now, 60)
    assert claim is not None
    assert claim.job.id == second.id
    raw.execute("ROLLBACK")
