"""How is a promise kept? A worker takes jobs from the queue, does them, and tries again what trying again can mend.

Doing a job twice must do no harm: a worker can die between the work and the word that it is done. What is remembered
under the job's own key is written once, so the second time completes what the first began and doubles nothing.
"""

from __future__ import annotations

import secrets
import socket
import threading
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from os import getpid
from typing import Any, Protocol

from treering.errors import CallerError, TreeringError, Unavailable, Unsupported
from treering.model.job import Job, JobError, JobStatus, Made, Progress, Stage
from treering.model.time import Clock
from treering.model.value import Value
from treering.store.queue import ClaimedJob, Queue

MESSAGE_CHARS = 1_000
TOLD_EVERY_SECONDS = 1.0
IDLE_SECONDS = 0.5


@dataclass(frozen=True, slots=True)
class JobRetryPolicy:
    """How often and when. A job that a worker died of counts as tried, so that it cannot kill workers for ever."""

    attempts: int = 5
    first_seconds: float = 1.0
    factor: float = 4.0
    most_seconds: float = 300.0
    lease_seconds: float = 60.0

    def delay(self, attempts: int) -> timedelta:
        """How long to wait after so many attempts. Without chance: jobs of one session wait for each other anyway."""
        seconds = self.first_seconds * self.factor ** (attempts - 1)
        return timedelta(seconds=min(seconds, self.most_seconds))


PATIENT = JobRetryPolicy()


@dataclass(frozen=True, slots=True)
class Done:
    """What a run came to; `errors` are of single sources, the others being done."""

    result: Made
    errors: tuple[JobError, ...] = ()
    stage: Stage | None = Stage.ENRICHED


class Stopped(Exception):
    """Raised in a run by its `JobWatch`: the job was cancelled, or is another worker's by now."""


class JobRun(Protocol):
    def __call__(self, job: Job, request: Mapping[str, Any], watch: JobWatch) -> Done:
        """Does the job. Told progress between sources, the watch stops a job that is to stop."""


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class WorkedOff(Value):
    """How many jobs came to which end. `retried` are those that are to be tried again later."""

    completed: int = 0
    partial: int = 0
    failed: int = 0
    cancelled: int = 0
    retried: int = 0

    def counting(self, job: Job) -> WorkedOff:
        name = "retried" if job.status is JobStatus.PENDING else job.status.value
        return replace(self, **{name: getattr(self, name) + 1})


class JobWatch:
    """Holds a job while it is done: keeps the lease from a thread of its own, and brings news both ways."""

    def __init__(self, queue: Queue, job: Job, clock: Clock, lease_seconds: float) -> None:
        self._queue, self._job, self._clock, self._lease_seconds = queue, job, clock, lease_seconds
        self._told_at: datetime | None = None
        self._told = Progress(job.done, job.of, job.stage)
        self._lost = False
        self._stop_asked = False
        self._over = threading.Event()
        self._keeper = threading.Thread(target=self._hold_on, name=f"job {job.id}", daemon=True)

    def __enter__(self) -> JobWatch:
        self._keeper.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._over.set()
        self._keeper.join()

    @property
    def stops(self) -> bool:
        return self._lost or self._stop_asked

    def progress(self, done: int, of: int, stage: Stage | None = None) -> None:
        """Tells how far the job is, at once if it has reached another stage and else every second."""
        now = self._clock()
        reached = stage is not None and stage is not self._told.stage
        due = self._told_at is None or abs((now - self._told_at).total_seconds()) >= TOLD_EVERY_SECONDS
        if reached or due:
            self._told_at, self._told = now, Progress(done, of, stage or self._told.stage)
            self._keep(now, self._told)
        if self.stops:
            raise Stopped

    def reached(self, stage: Stage) -> None:
        """Tells of a stage without stopping for anything: what comes of the job depends on it."""
        self._told = replace(self._told, stage=stage)
        self._keep(self._clock(), self._told)

    def _keep(self, now: datetime, progress: Progress | None = None) -> None:
        job = self._queue.keep(self._job, now, self._lease_seconds, progress)
        self._lost = job is None
        self._stop_asked = job is not None and job.stop_asked

    def _hold_on(self) -> None:
        while not self._over.wait(self._lease_seconds / 3):
            try:
                self._keep(self._clock())
            except TreeringError:
                continue  # there are two more times before the lease runs out


class Worker:
    def __init__(
        self, queue: Queue, run: JobRun, *, clock: Clock, policy: JobRetryPolicy = PATIENT, signer: str | None = None
    ) -> None:
        self._queue, self._run, self._clock, self._policy, self._signer = queue, run, clock, policy, signer
        self._name = f"{socket.gethostname()}:{getpid()}:{secrets.token_hex(4)}"
        self._stopping = threading.Event()

    def work_off(self, limit: int | None = None) -> WorkedOff:
        """Does what is ready, and what becomes ready meanwhile."""
        done, count = WorkedOff(), 0
        while not self._stopping.is_set() and (limit is None or count < limit):
            claim = self._claim()
            if claim is None:
                break
            job = self._do(claim)
            done, count = done if job is None else done.counting(job), count + 1
        return done

    def work(self, idle_seconds: float = IDLE_SECONDS) -> None:
        """Goes on until it is told to stop. While the store does not answer it waits."""
        while not self._stopping.is_set():
            with suppress(Unavailable):
                self.work_off()
            if not self._stopping.is_set():
                self._queue.await_more(idle_seconds)

    def stop(self) -> None:
        """After the job that it is at. May be called from any thread."""
        self._stopping.set()
        self._queue.wake()

    def _claim(self) -> ClaimedJob | None:
        return self._queue.claim(self._name, self._clock(), self._policy.lease_seconds, self._signer)

    def _do(self, claim: ClaimedJob) -> Job | None:
        """One job; none if it became another's meanwhile."""
        job = claim.job
        if job.attempts > self._policy.attempts:
            return self._fail(job, (_died(job),))
        watch = JobWatch(self._queue, job, self._clock, self._policy.lease_seconds)
        try:
            with watch:
                done = self._run(job, claim.request, watch)
        except Stopped:
            return self._queue.finish(job, self._clock(), JobStatus.CANCELLED)
        except (CallerError, Unsupported) as error:
            return self._fail(job, (error_of(error),))
        except Exception as error:
            return self._again(job, (error_of(error),), getattr(error, "retry_after_seconds", None))
        except BaseException:  # such as Ctrl-C: the next worker need not wait for the lease to run out
            with suppress(TreeringError):
                self._queue.retry(job, self._clock(), self._clock(), job.errors)
            raise
        return self._end(job, done)

    def _end(self, job: Job, done: Done) -> Job | None:
        mendable = any(one.code == Unavailable.code for one in done.errors)
        if mendable and job.attempts < self._policy.attempts:
            return self._again(job, done.errors)
        failed = JobStatus.PARTIAL if done.result.source_ids else JobStatus.FAILED
        status = failed if done.errors else JobStatus.COMPLETED
        failures = {one.source for one in done.errors}
        progress = Progress(job.of - len(failures), job.of, done.stage)
        return self._queue.finish(job, self._clock(), status, done.result, done.errors, progress)

    def _again(self, job: Job, errors: tuple[JobError, ...], at_least: float | None = None) -> Job | None:
        if job.attempts >= self._policy.attempts:
            return self._fail(job, errors)
        now = self._clock()
        delay = max(self._policy.delay(job.attempts), timedelta(seconds=at_least or 0))
        return self._queue.retry(job, now, now + delay, errors)

    def _fail(self, job: Job, errors: tuple[JobError, ...]) -> Job | None:
        return self._queue.finish(job, self._clock(), JobStatus.FAILED, errors=errors)


def error_of(error: Exception, source: int | None = None) -> JobError:
    if isinstance(error, TreeringError):
        return JobError(code=error.code, message=str(error)[:MESSAGE_CHARS], source=source)
    told = f"{type(error).__name__}: {error}"
    return JobError(code="fault", message=told[:MESSAGE_CHARS], source=source)


def _died(job: Job) -> JobError:
    told = f"given up after {job.attempts - 1} attempts: each time its worker ended without a word, as if killed"
    return JobError(code="fault", message=told)
