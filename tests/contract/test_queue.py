"""Every queue: nothing promised is lost, nothing is given to two, sessions keep their order, and words go in time."""

from __future__ import annotations

import json
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest
from tests.conftest import HandClock
from tests.contract.queueing import LEASE, Desk, jobs

from treering.errors import Conflict, LimitExceeded, Unavailable
from treering.model import limits
from treering.model.job import JobStatus, Progress, Stage
from treering.store import open_store

__all__ = ["jobs"]


# asking


def test_a_job_that_was_asked_for_waits_with_all_that_was_said_of_it(jobs: Desk) -> None:
    asked = jobs.ask("Ada is here", session="s1")
    assert jobs.now(asked) == asked
    assert (asked.status, asked.attempts, asked.done, asked.of, asked.stage) == (JobStatus.PENDING, 0, 0, 1, None)
    assert asked.created_at == asked.updated_at == jobs.clock.now
    claim = jobs.claim()
    assert claim is not None
    assert (claim.job.id, claim.request) == (asked.id, {"content": "Ada is here"})


def test_asking_again_with_the_same_key_answers_the_same_job_also_when_it_is_done(jobs: Desk) -> None:
    first = jobs.ask(key="turn 1")
    assert jobs.ask(key="turn 1") == first
    assert jobs.ask(key="turn 2").id != first.id
    assert jobs.ask(key="turn 1", actor="bob").id != first.id
    assert jobs.ask(key="turn 1", space="den").id != first.id
    jobs.finish(jobs.take())
    assert jobs.ask(key="turn 1").status is JobStatus.COMPLETED


def test_a_key_cannot_be_used_for_another_request(jobs: Desk) -> None:
    jobs.ask(key="turn 1")
    with pytest.raises(Conflict, match="key: was used before for another request; give a new key"):
        jobs.ask("Something else", key="turn 1")


@pytest.mark.parametrize("end", [JobStatus.FAILED, JobStatus.CANCELLED])
def test_a_key_whose_job_came_to_nothing_may_be_used_again(jobs: Desk, end: JobStatus) -> None:
    first = jobs.ask(key="turn 1")
    jobs.finish(jobs.take(), end)
    assert jobs.ask(key="turn 1").id != first.id


def test_jobs_of_other_spaces_in_between_take_nobodys_room(jobs: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "JOBS_WAITING_IN_A_SPACE", 3)
    for _ in range(2):
        jobs.ask()
        jobs.ask(space="den")
    assert jobs.ask().status is JobStatus.PENDING
    with pytest.raises(Unavailable, match=r"queue of this space 'lab' is full \(3 jobs wait\)"):
        jobs.ask()


def test_a_full_queue_says_when_to_try_again_and_takes_more_once_there_is_room(
    jobs: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limits, "JOBS_WAITING_IN_A_SPACE", 2)
    monkeypatch.setattr(limits, "JOBS_WAITING", 3)
    jobs.ask(key="first")
    jobs.ask()
    with pytest.raises(
        Unavailable, match=r"queue of this space 'lab' is full \(2 jobs wait\); nothing was accepted"
    ) as full:
        jobs.ask()
    assert full.value.retry_after_seconds == limits.FULL_QUEUE_SECONDS
    assert jobs.ask(key="first").status is JobStatus.PENDING
    jobs.ask(space="den")
    with pytest.raises(Unavailable, match=r"queue of this store is full \(3 jobs wait\)"):
        jobs.ask(space="yard")
    jobs.finish(jobs.take())
    assert jobs.ask().status is JobStatus.PENDING


def test_a_request_beyond_the_limit_is_refused(jobs: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "JOB_BYTES", 20)
    with pytest.raises(LimitExceeded, match=r"request: 25 bytes; a job takes 20\. Split it"):
        jobs.ask("Ada is here")


def test_jobs_are_seen_by_who_asked_for_them_in_their_space_and_by_nobody_else(jobs: Desk) -> None:
    mine = jobs.ask()
    for space, actor in (("lab", "bob"), ("den", "ann")):
        assert jobs.queue.get(space, actor, mine.id) is None
        assert jobs.queue.cancel(space, actor, mine.id, jobs.clock.now) is None
        assert jobs.queue.revive(space, actor, mine.id, jobs.clock.now) is None
        assert jobs.queue.listed(space, actor) == []
    assert jobs.now(mine).status is JobStatus.PENDING


def test_jobs_are_listed_newest_first_by_status(jobs: Desk) -> None:
    asked = [jobs.ask(f"Number {n}") for n in range(3)]
    jobs.finish(jobs.take())
    ids = [job.id for job in asked]
    assert [job.id for job in jobs.queue.listed("lab", "ann")] == ids[::-1]
    assert [job.id for job in jobs.queue.listed("lab", "ann", limit=2)] == ids[:0:-1]
    assert [job.id for job in jobs.queue.listed("lab", "ann", JobStatus.COMPLETED)] == ids[:1]


# order


def test_the_oldest_comes_first_also_when_the_clock_runs_back(jobs: Desk) -> None:
    first = jobs.ask("First")
    jobs.clock.advance(hours=-1)
    second = jobs.ask("Second")
    jobs.clock.advance(hours=2)
    assert [jobs.take("w1").id, jobs.take("w2").id] == [first.id, second.id]


def test_a_session_keeps_its_order_and_sessions_do_not_wait_for_each_other(jobs: Desk) -> None:
    one, two = jobs.ask("One", session="s1"), jobs.ask("Two", session="s1")
    other, elsewhere = jobs.ask("Other", session="s2"), jobs.ask("Elsewhere", session="s1", space="den")
    loose, looser = jobs.ask("Loose"), jobs.ask("Looser")
    taken = [jobs.take(f"w{n}") for n in range(5)]
    assert [job.id for job in taken] == [one.id, other.id, elsewhere.id, loose.id, looser.id]
    assert jobs.claim() is None
    jobs.finish(taken[0])
    assert jobs.take().id == two.id


@pytest.mark.parametrize("end", [one for one in JobStatus if one.is_end])
def test_the_next_of_a_session_goes_on_however_the_one_before_ended(jobs: Desk, end: JobStatus) -> None:
    jobs.ask("One", session="s1")
    two = jobs.ask("Two", session="s1")
    jobs.finish(jobs.take(), end)
    assert jobs.take().id == two.id


def test_the_next_of_a_session_waits_while_the_one_before_backs_off(jobs: Desk) -> None:
    one, two = jobs.ask("One", session="s1"), jobs.ask("Two", session="s1")
    jobs.retry(jobs.take(), 10)
    assert jobs.claim() is None
    jobs.clock.advance(seconds=10)
    again = jobs.take()
    assert (again.id, again.attempts) == (one.id, 2)
    jobs.finish(again)
    assert jobs.take().id == two.id


# leases


def test_a_job_is_one_worker_s_until_its_lease_runs_out(jobs: Desk) -> None:
    jobs.ask()
    mine = jobs.take("w1")
    assert (mine.status, mine.worker, mine.attempts) == (JobStatus.PROCESSING, "w1", 1)
    jobs.clock.advance(seconds=LEASE - 1)
    assert jobs.claim("w2") is None
    assert jobs.keep(mine) is not None
    jobs.clock.advance(seconds=LEASE - 1)
    assert jobs.claim("w2") is None
    jobs.clock.advance(seconds=1)
    theirs = jobs.take("w2")
    assert (theirs.id, theirs.attempts) == (mine.id, 2)


def test_a_worker_whose_lease_ran_out_can_say_nothing_more_of_the_job(jobs: Desk) -> None:
    jobs.ask()
    late = jobs.take("w1")
    jobs.clock.advance(seconds=LEASE)
    current = jobs.take("w1")  # of the same name, and yet another
    assert jobs.keep(late, Progress(1, 1, Stage.STORED)) is None
    assert jobs.retry(late, 1) is None
    assert jobs.finish(late, JobStatus.FAILED) is None
    assert jobs.now(current) == current
    assert jobs.finish(current) is not None
    assert jobs.finish(current) is None


def test_a_worker_that_comes_late_but_before_any_other_may_still_finish(jobs: Desk) -> None:
    jobs.ask()
    mine = jobs.take()
    jobs.clock.advance(seconds=LEASE * 2)
    assert jobs.finish(mine) is not None
    assert jobs.claim() is None


def test_progress_is_told_as_it_comes_and_a_stage_once_reached_stays(jobs: Desk) -> None:
    mine = jobs.take() if jobs.ask() else None
    assert mine is not None
    jobs.keep(mine, Progress(3, 10, Stage.STORED))
    jobs.clock.advance(seconds=5)
    jobs.keep(mine, Progress(4, 10))
    told = jobs.now(mine)
    assert (told.done, told.of, told.stage, told.updated_at) == (4, 10, Stage.STORED, jobs.clock.now)


def test_a_job_of_an_actor_that_signs_waits_for_a_worker_that_holds_the_key(jobs: Desk) -> None:
    signed = jobs.ask("Signed", signer="key of ann")
    plain = jobs.ask("Plain")
    assert jobs.take().id == plain.id
    assert jobs.claim() is None
    assert jobs.claim(signer="key of bob") is None
    claim = jobs.claim(signer="key of ann")
    assert claim is not None
    assert claim.job.id == signed.id


# several at once

CLAIMING = """
import sys
from datetime import UTC, datetime
from treering.store import open_store
store = open_store(sys.argv[1], "normal")
print("ready", flush=True)
sys.stdin.readline()
while (claim := store.jobs.claim(sys.argv[2], datetime.now(UTC), 600)) is not None:
    print(claim.job.id, flush=True)
store.close()
"""


def test_workers_in_several_processes_are_never_given_the_same_job(db_path: Path, clock: HandClock) -> None:
    store = open_store(str(db_path), "normal")
    jobs = Desk(store, clock)
    asked = Counter(jobs.ask(f"Number {n}").id for n in range(200))
    workers = [
        subprocess.Popen(
            [sys.executable, "-c", CLAIMING, str(db_path), f"w{n}"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        for n in range(2)
    ]
    for one in workers:
        assert one.stdout is not None
        assert one.stdout.readline() == "ready\n"
    for one in workers:
        assert one.stdin is not None
        one.stdin.write("go\n")
        one.stdin.flush()
    said = [one.communicate(timeout=60)[0].split() for one in workers]
    assert Counter(job_id for words in said for job_id in words) == asked
    assert all(said), "one of them found nothing to do"
    store.close()


def test_jobs_outlive_the_process_that_asked(db_path: Path, clock: HandClock) -> None:
    store = open_store(str(db_path))
    asked = Desk(store, clock).ask("Ada is here")
    store.close()
    store = open_store(str(db_path))
    claim = Desk(store, clock).claim()
    assert claim is not None
    assert (claim.job.id, json.dumps(claim.request)) == (asked.id, '{"content": "Ada is here"}')
    store.close()
