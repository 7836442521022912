"""A worker keeps what was promised: it tries again what trying again can mend, and stops when it is told to."""

from __future__ import annotations

import threading
import time
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import pytest
from tests.conftest import HandClock

from treering.errors import InvalidRequest, Unavailable, Unsupported
from treering.ingest.jobs import PATIENT, Done, JobRetryPolicy, JobWatch, Stopped, WorkedOff, Worker
from treering.model.ids import mint
from treering.model.job import Job, JobError, JobRequest, JobStatus, Made, Stage
from treering.store.contract import Store

MADE = Made(seq=1, source_ids=("s",), memory_ids=("m",))


class Bench:
    """A queue, a clock moved by hand, and workers that do what the test says."""

    def __init__(self, store: Store, clock: HandClock) -> None:
        self.queue, self.clock = store.jobs, clock
        self.ran: list[str] = []

    def ask(self, content: str = "Ada is here", session: str | None = None, sources: int = 1) -> Job:
        asked = JobRequest(
            id=mint(self.clock.now)(),
            space="lab",
            actor="ann",
            kind="remember",
            request={"content": content},
            sources=sources,
            session=session,
        )
        return self.queue.put(asked, self.clock.now)

    def worker(self, what: Any = None, policy: JobRetryPolicy = PATIENT) -> Worker:
        """`what` is an error to raise, or a function of the watch; without it the work succeeds."""

        def run(job: Job, request: Mapping[str, Any], watch: JobWatch) -> Done:
            self.ran.append(request["content"])
            if isinstance(what, BaseException):
                raise what
            done = what(watch) if what is not None else None
            return done or Done(MADE)

        return Worker(self.queue, run, clock=self.clock, policy=policy)

    def now(self, job: Job) -> Job:
        found = self.queue.get("lab", "ann", job.id)
        assert found is not None
        return found


@pytest.fixture
def bench(store: Store, clock: HandClock) -> Bench:
    return Bench(store, clock)


def test_all_that_is_ready_is_worked_off_in_order(bench: Bench) -> None:
    for content in ("one", "two", "three"):
        bench.ask(content, session="s1")
    assert bench.worker().work_off() == WorkedOff(completed=3)
    assert bench.ran == ["one", "two", "three"]
    assert bench.worker().work_off() == WorkedOff()


def test_no_more_than_asked_for_is_worked_off(bench: Bench) -> None:
    for content in ("one", "two", "three"):
        bench.ask(content)
    assert bench.worker().work_off(limit=2) == WorkedOff(completed=2)
    assert bench.ran == ["one", "two"]


def test_a_done_job_tells_what_it_made(bench: Bench) -> None:
    job = bench.ask()
    bench.worker().work_off()
    assert (bench.now(job).status, bench.now(job).result) == (JobStatus.COMPLETED, MADE)


# errors


@pytest.mark.parametrize("error", [InvalidRequest("content: is empty"), Unsupported("extractor: no such")])
def test_what_trying_again_cannot_mend_fails_at_once(bench: Bench, error: Exception) -> None:
    job = bench.ask()
    assert bench.worker(error).work_off() == WorkedOff(failed=1)
    told = bench.now(job)
    assert (told.attempts, told.errors) == (1, (JobError(code=error.code, message=str(error)),))  # type: ignore[attr-defined]
    assert told.holds_words


@pytest.mark.parametrize("error", [Unavailable("mind: no answer"), RuntimeError("a slip")])
def test_what_may_mend_is_tried_again_later_and_later_and_then_given_up(bench: Bench, error: Exception) -> None:
    job = bench.ask()
    waited = []
    for _ in range(4):
        assert bench.worker(error).work_off() == WorkedOff(retried=1)
        told = bench.now(job)
        assert told.not_before is not None
        waited.append((told.not_before - bench.clock.now).total_seconds())
        bench.clock.now = told.not_before
    assert waited == [1, 4, 16, 64]
    assert bench.worker(error).work_off() == WorkedOff(failed=1)
    told = bench.now(job)
    assert (told.attempts, told.status, told.holds_words) == (5, JobStatus.FAILED, True)
    assert str(error) in told.errors[0].message


def test_what_mends_in_time_is_completed_and_its_errors_are_forgotten(bench: Bench) -> None:
    job = bench.ask()
    bench.worker(Unavailable("mind: no answer")).work_off()
    assert bench.worker().work_off() == WorkedOff()
    bench.clock.advance(seconds=1)
    assert bench.worker().work_off() == WorkedOff(completed=1)
    assert bench.now(job).errors == ()


def test_the_longest_wait_is_five_minutes_and_who_says_when_to_come_back_is_heeded(bench: Bench) -> None:
    assert [PATIENT.delay(n).total_seconds() for n in range(1, 8)] == [1, 4, 16, 64, 256, 300, 300]
    job = bench.ask()
    bench.worker(Unavailable("mind: busy", retry_after_seconds=30)).work_off()
    told = bench.now(job)
    assert told.not_before is not None
    assert (told.not_before - bench.clock.now).total_seconds() == 30


def test_a_job_of_which_some_sources_failed_is_partial_and_says_which(bench: Bench) -> None:
    job, error = bench.ask(sources=5), JobError(code="limit_exceeded", message="too long", source=3)
    assert bench.worker(lambda watch: Done(MADE, (error,))).work_off() == WorkedOff(partial=1)
    told = bench.now(job)
    assert (told.result, told.errors, told.done, told.of) == (MADE, (error,), 4, 5)


def test_a_job_of_which_all_sources_failed_has_failed(bench: Bench) -> None:
    error = JobError(code="limit_exceeded", message="too long", source=0)
    bench.ask()
    assert bench.worker(lambda watch: Done(Made(), (error,))).work_off() == WorkedOff(failed=1)


def test_sources_that_may_mend_are_tried_again_before_the_job_is_partial(bench: Bench) -> None:
    job, error = bench.ask(), JobError(code="unavailable", message="no answer", source=3)
    for _ in range(4):
        assert bench.worker(lambda watch: Done(MADE, (error,))).work_off() == WorkedOff(retried=1)
        bench.clock.advance(minutes=5)
    assert bench.worker(lambda watch: Done(MADE, (error,))).work_off() == WorkedOff(partial=1)
    assert bench.now(job).attempts == 5


def test_a_job_that_kills_its_workers_is_given_up(bench: Bench) -> None:
    job = bench.ask()
    for _ in range(5):
        assert bench.queue.claim("one that dies", bench.clock.now, PATIENT.lease_seconds) is not None
        bench.clock.advance(seconds=PATIENT.lease_seconds)
    assert bench.worker().work_off() == WorkedOff(failed=1)
    assert bench.ran == []
    assert "given up after 5 attempts: each time its worker ended without a word" in bench.now(job).errors[0].message


def test_a_failed_job_does_not_hold_up_its_session(bench: Bench) -> None:
    bench.ask("one", session="s1")
    bench.worker(InvalidRequest("content: no")).work_off()
    bench.ask("two", session="s1")
    assert bench.worker().work_off() == WorkedOff(completed=1)


# while a job is done


def test_progress_is_seen_while_the_job_is_done(bench: Bench) -> None:
    job = bench.ask(sources=3)
    seen = []

    def work(watch: JobWatch) -> None:
        for done, stage in ((0, Stage.STORED), (1, None), (2, None), (3, Stage.ENRICHED)):
            watch.progress(done, 3, stage)
            seen.append((bench.now(job).done, bench.now(job).stage))
            bench.clock.advance(seconds=0.4)

    bench.worker(work).work_off()
    stored, enriched = Stage.STORED, Stage.ENRICHED
    assert seen == [(0, stored), (0, stored), (0, stored), (3, enriched)]
    assert (bench.now(job).done, bench.now(job).of, bench.now(job).stage) == (3, 3, enriched)


def test_a_cancelled_job_stops_between_sources(bench: Bench) -> None:
    job = bench.ask()
    reached = []

    def work(watch: JobWatch) -> None:
        for done in range(10):
            bench.clock.advance(seconds=2)
            watch.progress(done, 10, Stage.STORED)
            reached.append(done)
            if done == 3:
                bench.queue.cancel("lab", "ann", job.id, bench.clock.now)

    assert bench.worker(work).work_off() == WorkedOff(cancelled=1)
    assert reached == [0, 1, 2, 3]
    assert bench.now(job).status is JobStatus.CANCELLED


def test_a_worker_whose_job_became_another_s_leaves_it_alone(bench: Bench) -> None:
    job = bench.ask()

    def work(watch: JobWatch) -> None:
        bench.clock.advance(seconds=PATIENT.lease_seconds)
        assert bench.queue.claim("another", bench.clock.now, PATIENT.lease_seconds) is not None
        with pytest.raises(Stopped):
            watch.progress(1, 2)
        raise Unavailable("too late")

    assert bench.worker(work).work_off() == WorkedOff()
    assert (bench.now(job).worker, bench.now(job).status) == ("another", JobStatus.PROCESSING)


def test_the_lease_is_kept_while_the_work_takes_longer_than_it(bench: Bench) -> None:
    """By the clock on the wall: the thread that keeps it cannot be moved by hand."""
    job = bench.ask()

    def work(watch: JobWatch) -> None:
        give_up = time.monotonic() + 10
        begun = bench.now(job).lease_until
        bench.clock.advance(seconds=0.05)
        while bench.now(job).lease_until == begun:
            assert time.monotonic() < give_up
            time.sleep(0.01)

    policy = replace(PATIENT, lease_seconds=0.1)
    assert bench.worker(work, policy).work_off() == WorkedOff(completed=1)
    assert not [one for one in threading.enumerate() if one.name.startswith("job ")]


def test_a_worker_that_is_interrupted_gives_the_job_back_at_once(bench: Bench) -> None:
    job = bench.ask()
    with pytest.raises(KeyboardInterrupt):
        bench.worker(KeyboardInterrupt()).work_off()
    assert bench.now(job).status is JobStatus.PENDING
    assert bench.worker().work_off() == WorkedOff(completed=1)


def test_a_worker_told_to_stop_ends_the_job_it_is_at_and_takes_no_other(bench: Bench) -> None:
    first, second = bench.ask("one"), bench.ask("two")
    begun, go_on = threading.Event(), threading.Event()

    def work(watch: JobWatch) -> None:
        begun.set()
        assert go_on.wait(10)

    worker = bench.worker(work)
    running = threading.Thread(target=worker.work)
    running.start()
    assert begun.wait(10)
    worker.stop()
    go_on.set()
    running.join(10)
    assert not running.is_alive()
    assert (bench.now(first).status, bench.now(second).status) == (JobStatus.COMPLETED, JobStatus.PENDING)


def test_a_worker_at_rest_takes_up_what_comes(bench: Bench) -> None:
    worker = bench.worker()
    running = threading.Thread(target=worker.work, args=(0.01,))
    running.start()
    job = bench.ask()
    give_up = time.monotonic() + 10
    while not bench.now(job).ended and time.monotonic() < give_up:
        time.sleep(0.01)
    worker.stop()
    running.join(10)
    assert bench.now(job).status is JobStatus.COMPLETED
