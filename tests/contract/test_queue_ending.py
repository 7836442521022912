"""How a job ends on every queue: done, tried again, failed, cancelled."""

from __future__ import annotations

from datetime import timedelta

import pytest
from tests.contract.queueing import LEASE, Desk, jobs

from treering.errors import Conflict
from treering.model import limits
from treering.model.job import JobError, JobStatus, Made, Progress, Stage

__all__ = ["jobs"]


def test_an_ended_job_tells_what_came_of_it(jobs: Desk) -> None:
    jobs.ask(session="s1")
    result, error = Made(seq=7, source_ids=("s",), memory_ids=("m", "n")), JobError(code="x", message="no", source=1)
    told = jobs.finish(jobs.take(), JobStatus.PARTIAL, result=result, errors=[error])
    assert told is not None
    assert jobs.now(told) == told
    assert (told.status, told.result, told.errors) == (JobStatus.PARTIAL, result, (error,))
    assert (told.session, told.worker, told.lease_until, told.holds_words) == (None, None, None, False)


def test_a_job_to_be_tried_again_tells_why_and_waits_until_then(jobs: Desk) -> None:
    jobs.ask()
    told = jobs.retry(jobs.take(), 16, errors=[JobError(code="unavailable", message="no answer")])
    assert told is not None
    assert (told.status, told.attempts, told.errors[0].code) == (JobStatus.PENDING, 1, "unavailable")
    assert told.not_before == jobs.clock.now + timedelta(seconds=16)
    jobs.clock.advance(seconds=15)
    assert jobs.claim() is None
    jobs.clock.advance(seconds=1)
    assert jobs.take().attempts == 2


def test_what_failed_before_it_was_stored_keeps_its_words_and_can_be_tried_again(jobs: Desk) -> None:
    asked = jobs.ask("Ada is here", session="s1")
    failed = jobs.finish(jobs.take(), JobStatus.FAILED, errors=[JobError(code="unavailable", message="no answer")])
    assert failed is not None
    assert failed.holds_words
    assert jobs.claim() is None
    revived = jobs.queue.revive("lab", "ann", asked.id, jobs.clock.now)
    assert revived is not None
    assert (revived.status, revived.attempts, revived.errors, revived.session) == (JobStatus.PENDING, 0, (), "s1")
    claim = jobs.claim()
    assert claim is not None
    assert claim.request == {"content": "Ada is here"}


def test_what_failed_after_it_was_stored_lets_its_words_go(jobs: Desk) -> None:
    jobs.ask()
    mine = jobs.take()
    jobs.keep(mine, Progress(1, 1, Stage.STORED))
    failed = jobs.finish(mine, JobStatus.FAILED)
    assert failed is not None
    assert not failed.holds_words
    with pytest.raises(Conflict, match="cannot be tried again: its words are stored; it ended failed"):
        jobs.queue.revive("lab", "ann", failed.id, jobs.clock.now)


def test_only_the_newest_of_the_ended_jobs_are_kept(jobs: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "JOBS_ENDED", 2)
    for number in range(4):
        jobs.ask(f"Number {number}")
        jobs.finish(jobs.take())
    waiting = jobs.ask("Waits")
    kept = jobs.queue.listed("lab", "ann")
    assert [job.status for job in kept] == [JobStatus.PENDING, JobStatus.COMPLETED, JobStatus.COMPLETED]
    assert kept[0].id == waiting.id


# cancelling


def test_a_waiting_job_is_cancelled_at_once(jobs: Desk) -> None:
    told = jobs.cancel(jobs.ask())
    assert (told.status, told.holds_words) == (JobStatus.CANCELLED, False)
    assert jobs.claim() is None
    assert jobs.cancel(told) == told


def test_a_job_that_backs_off_is_cancelled_at_once(jobs: Desk) -> None:
    jobs.ask()
    jobs.retry(jobs.take(), 60)
    assert jobs.cancel(jobs.queue.listed("lab", "ann")[0]).status is JobStatus.CANCELLED


def test_a_worker_at_a_job_is_asked_to_stop_and_ends_it(jobs: Desk) -> None:
    jobs.ask()
    mine = jobs.take()
    assert jobs.cancel(mine).status is JobStatus.PROCESSING
    kept = jobs.keep(mine)
    assert kept is not None
    assert kept.stop_asked
    assert jobs.finish(mine, JobStatus.CANCELLED) is not None
    assert jobs.now(mine).status is JobStatus.CANCELLED


def test_what_was_to_stop_is_not_tried_again(jobs: Desk) -> None:
    jobs.ask()
    mine = jobs.take()
    jobs.cancel(mine)
    told = jobs.retry(mine, 1)
    assert told is not None
    assert (told.status, told.holds_words) == (JobStatus.CANCELLED, False)


def test_what_was_to_stop_ends_also_when_its_worker_has_died(jobs: Desk) -> None:
    died = jobs.ask("First", session="s1")
    next_one = jobs.ask("Next", session="s1")
    jobs.take()
    jobs.cancel(died)
    jobs.clock.advance(seconds=LEASE)
    assert jobs.take("w2").id == next_one.id
    assert jobs.now(died).status is JobStatus.CANCELLED


def test_what_is_done_stays_done(jobs: Desk) -> None:
    jobs.ask()
    done = jobs.finish(jobs.take())
    assert done is not None
    assert jobs.cancel(done) == done


def test_cancelling_what_failed_lets_go_of_its_words(jobs: Desk) -> None:
    jobs.ask()
    failed = jobs.finish(jobs.take(), JobStatus.FAILED)
    assert failed is not None
    assert jobs.cancel(failed).holds_words is False
