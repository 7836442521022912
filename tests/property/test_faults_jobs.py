"""What if the disk fails in the middle of a job or a remembering? All of a step or nothing; what was kept goes on."""

from __future__ import annotations

import shutil
from contextlib import suppress
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest
from tests.property.drawing import START
from tests.property.faults import (
    EVERY_THIRD,
    MOST,
    SECRET,
    Act,
    Ground,
    Trap,
    copies_of,
    door_on,
    goes_on_to,
    ground,
    held_after,
    outcomes_of,
    outline,
    whole,
)
from tests.property.twins import minting

from treering.errors import Fault, Unavailable
from treering.model.job import Job, JobRequest, JobStatus, Made, Progress, Stage
from treering.store.sqlite import SqliteStore

__all__ = ["ground"]


SOME = [pytest.param(EVERY_THIRD, id="some"), pytest.param(1, id="every", marks=pytest.mark.slow)]


LATE = [False, pytest.param(True, marks=pytest.mark.slow)]
"""Faults before a statement are tried at every change, those right after it in the slow group."""


def _ask(store: SqliteStore, n: int, content: str) -> Job:
    request = {"content": content}
    asked = JobRequest(
        id=f"019b796d-d600-7000-8000-{n:012d}", space="acme", actor="ann", kind="remember", request=request, sources=1
    )
    return store.jobs.put(asked, START)


def _queue_of(store: SqliteStore) -> list[object]:
    with store._reading() as connection:
        rows = connection.rows("SELECT * FROM job ORDER BY place")
    return [*rows, *([row.key for row in store.rows("acme") if row.table == "memory"])]


def _claimed(store: SqliteStore) -> Job:
    """The one in work, as its worker holds it."""
    [job] = store.jobs.listed("acme", "ann", JobStatus.PROCESSING)
    return job


LATER = START + timedelta(hours=1)
QUEUE_STEPS: dict[str, Act] = {
    "put": lambda door, on: _ask(door._store, 9, "Something new"),
    "claim": lambda door, on: door._store.jobs.claim("w2", START, 60),
    "claim what a worker died of": lambda door, on: door._store.jobs.claim("w2", LATER, 60),
    "keep": lambda door, on: door._store.jobs.keep(_claimed(door._store), LATER, 60, Progress(1, 1, Stage.STORED)),
    "retry": lambda door, on: door._store.jobs.retry(_claimed(door._store), START, LATER),
    "finish": lambda door, on: door._store.jobs.finish(_claimed(door._store), START, JobStatus.COMPLETED, Made(seq=3)),
    "cancel": lambda door, on: door._store.jobs.cancel("acme", "ann", _claimed(door._store).id, LATER),
    "purge": lambda door, on: door.purge(on.secret, "asked"),
}


@pytest.mark.parametrize("step", SOME)
@pytest.mark.parametrize("name", QUEUE_STEPS)
def test_a_fault_at_any_statement_of_a_step_of_a_job_leaves_all_of_it_or_nothing(
    name: str, step: int, ground: Ground, tmp_path: Path
) -> None:
    path, act = tmp_path / "jobs.db", QUEUE_STEPS[name]
    shutil.copy(ground.path, path)
    store = SqliteStore(path)
    _ask(store, 1, SECRET)
    _ask(store, 2, "Ann is here")
    assert store.jobs.claim("w1", START, 60) is not None
    before = _queue_of(store)
    store.close()
    with_jobs = replace(ground, path=path)
    outcomes = outcomes_of(with_jobs, act, tmp_path)
    shutil.copy(path, tmp_path / "after.db")
    with minting(900), door_on(SqliteStore(tmp_path / "after.db")) as door:
        act(door, ground)
        after = _queue_of(door._store)
    for n, copy in zip(range(1, MOST, step), copies_of(with_jobs, tmp_path), strict=False):
        trap = Trap()
        store = SqliteStore(copy, durability="off", factory=trap.connection())
        trap.set(n)
        with minting(900), suppress(Unavailable, Fault):
            act(door_on(store), ground)
        trap.left = 0
        assert _queue_of(store) in (before, after), f"half of it after a fault at statement {n}: {trap.fired}"
        goes_on_to(door_on(store), *outcomes)
        store.close()
        if trap.fired is None:
            assert n > 3
            break


TOLD: dict[str, Act] = {
    "a text": lambda door, on: door.remember("Ann bought a boat", extractor="none", key="told"),
    "drafts that end a fact": lambda door, on: door.remember(
        drafts=[{"content": "Ann left Acme for Zoo", "triples": [["Ann", "WORKS_FOR", "Zoo"]], "entities": ["Zoo"]}],
        key="told",
    ),
    "a conversation": lambda door, on: door.remember(
        messages=[{"content": "Ann sings"}, {"content": "Ben dances"}], extractor="none", key="told"
    ),
    "in private": lambda door, on: door.remember("Ann is ill", extractor="none", key="told", visibility="private"),
}
AT_EVERY_CHANGE = ("drafts that end a fact", "a conversation")


@pytest.mark.parametrize("step", SOME)
@pytest.mark.parametrize("late", LATE, ids=["at the statement", "after it was carried out"])
@pytest.mark.parametrize(
    "name",
    [one if one in AT_EVERY_CHANGE else pytest.param(one, marks=pytest.mark.slow) for one in TOLD],
)
def test_a_fault_at_any_statement_of_a_remembering_loses_nothing_that_was_kept_and_the_same_key_goes_on(
    name: str, late: bool, step: int, ground: Ground, tmp_path: Path
) -> None:
    """Several writes, each whole or not at all: whatever was reached, saying it again ends the same."""
    act, trap, reached = TOLD[name], Trap(late), set[int]()
    right = outline(held_after(ground, act, tmp_path))
    for n, path in zip(range(1, MOST, 1 if late else step), copies_of(ground, tmp_path), strict=False):
        store = SqliteStore(path, durability="off", factory=trap.connection())
        door = door_on(store)
        trap.set(n)
        try:
            act(door, ground)
            assert trap.fired is None
            break
        except (Unavailable, Fault):
            assert trap.fired is not None
        reached.add(store.head("acme").seq)
        trap.set(0)
        found = door.verify()
        assert found.ok, found.differences
        act(door, ground)
        store.close()
        assert outline(whole(path)) == right, f"not the same after a fault at statement {n}: {trap.fired}"
    store.close()
    assert len(reached) >= (1 if late else 2)
