"""What does every queue of jobs promise? This page states it, and tests/contract/test_queue.py holds each store to it.

A queue keeps work that was promised, in the same place as the knowledge but not in the journal: jobs are not knowledge.
Whoever asked for a job finds it by space and actor; only a worker sees those of all.
"""

from __future__ import annotations

import hashlib
import threading
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping
from datetime import datetime
from typing import Any, Protocol

from treering.errors import Conflict, InvalidRequest, LimitExceeded, Unavailable
from treering.model import limits
from treering.model.codec import canonical
from treering.model.job import Job, JobError, JobRequest, JobStatus, Made, Progress
from treering.values import dataclass


@dataclass(frozen=True, slots=True)
class ClaimedJob:
    """A job that is now this worker's, and the words it needs."""

    job: Job
    request: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Waiting:
    """How many jobs there are by status, of all spaces, and when the oldest that has not ended was asked for."""

    jobs: Mapping[str, int]
    oldest: datetime | None = None


class Queue(Protocol):
    def put(self, asked: JobRequest, now: datetime) -> Job:
        """Durable when it returns. If this actor has asked with this key before, and that job neither failed nor was
        cancelled, answers that one.
        Unavailable, with when to try again, if too many wait; Conflict if the key was used for another request."""

    def claim(self, worker: str, now: datetime, lease_seconds: float, signer: str | None = None) -> ClaimedJob | None:
        """The oldest job that is ready, now this worker's until its lease runs out; none if there is none. A job waits
        while an older one of its session has not ended, and while its actor signs with another key than this. No two
        workers are given the same job, but that the lease of one has run out."""

    def await_more(self, seconds: float) -> None:
        """Returns when there may be something new to do, at the latest after so long."""

    def wake(self) -> None:
        """Lets whoever awaits more look at once."""

    def keep(self, claim: Job, now: datetime, lease_seconds: float, progress: Progress | None = None) -> Job | None:
        """Holds on to a claimed job and tells how far it is; answers it, `stop_asked` or not. None if it is another
        worker's by now, or has ended: then it is to be left alone. The same goes for `retry` and `finish`."""

    def retry(self, claim: Job, now: datetime, not_before: datetime, errors: Iterable[JobError] = ()) -> Job | None:
        """Gives a claimed job back, to be tried again from then on."""

    def finish(
        self,
        claim: Job,
        now: datetime,
        status: JobStatus,
        result: Made | None = None,
        errors: Iterable[JobError] = (),
        progress: Progress | None = None,
    ) -> Job | None:
        """Ends a claimed job, and erases its words unless it failed before they were stored. Of the ended jobs of a
        space the newest `limits.JOBS_ENDED` are kept."""

    def cancel(self, space: str, actor: str, job_id: str, now: datetime) -> Job | None:
        """Ends a job that no worker is at, and asks the worker to stop otherwise. None if this actor has no such
        job."""

    def revive(self, space: str, actor: str, job_id: str, now: datetime) -> Job | None:
        """Makes a job that failed with its words still held wait again. None as for `cancel`; Conflict if it did not
        fail, or its words are stored."""

    def saying(self, space: str, actor: str, words: str) -> tuple[str, ...]:
        """The ids of this actor's jobs that hold these words, the oldest first."""

    def get(self, space: str, actor: str, job_id: str) -> Job | None: ...

    def listed(self, space: str, actor: str, status: JobStatus | None = None, limit: int = 50) -> list[Job]:
        """The newest first."""

    def waiting(self) -> Waiting:
        """For who watches: of all spaces together."""


class QueueByStep(ABC):
    """What every queue does alike: a job changes by a step of its own (`Job`), taken while nobody else can."""

    def __init__(self) -> None:
        self._come = threading.Event()

    def await_more(self, seconds: float) -> None:
        if self._come.wait(seconds):
            self._come.clear()

    def wake(self) -> None:
        self._come.set()

    def keep(self, claim: Job, now: datetime, lease_seconds: float, progress: Progress | None = None) -> Job | None:
        return self._step(claim, lambda job: job.kept(now, lease_seconds, progress))

    def retry(self, claim: Job, now: datetime, not_before: datetime, errors: Iterable[JobError] = ()) -> Job | None:
        return self._step(claim, lambda job: job.put_back(now, not_before, tuple(errors)))

    def finish(
        self,
        claim: Job,
        now: datetime,
        status: JobStatus,
        result: Made | None = None,
        errors: Iterable[JobError] = (),
        progress: Progress | None = None,
    ) -> Job | None:
        return self._step(claim, lambda job: job.ended_as(status, now, result, tuple(errors), progress))

    def cancel(self, space: str, actor: str, job_id: str, now: datetime) -> Job | None:
        return self._turn(space, actor, job_id, lambda job: job.cancelled(now))

    def revive(self, space: str, actor: str, job_id: str, now: datetime) -> Job | None:
        return self._turn(space, actor, job_id, lambda job: job.tried_again(now))

    @abstractmethod
    def _step(self, claim: Job, step: Callable[[Job], Job]) -> Job | None:
        """Of a job that this claim still holds; else None."""

    @abstractmethod
    def _turn(self, space: str, actor: str, job_id: str, step: Callable[[Job], Job]) -> Job | None:
        """Of a job that this actor asked for; else None."""


def words_of(asked: JobRequest) -> str:
    """The request as it is kept."""
    try:
        words = canonical(dict(asked.request))
    except (TypeError, ValueError, RecursionError) as error:
        raise InvalidRequest(f"request: cannot be written as JSON ({error}); give texts, numbers and lists") from None
    if len(words.encode()) > limits.JOB_BYTES:
        raise LimitExceeded(f"request: {len(words.encode()):,} bytes; a job takes {limits.JOB_BYTES:,}. Split it")
    return words


def spelled(words: str) -> str:
    """Words as they stand within a request as it is kept."""
    return canonical(words)[1:-1]


def digest(text: str) -> str:
    """For what is only ever compared: a key or a request is not to be read from the queue once it has ended."""
    return hashlib.sha256(text.encode()).hexdigest()


def must_have_room(space: str, in_space: int, in_all: int) -> None:
    full = in_space >= limits.JOBS_WAITING_IN_A_SPACE or in_all >= limits.JOBS_WAITING
    if full:
        where, count = (
            (f"space {space!r}", in_space) if in_space >= limits.JOBS_WAITING_IN_A_SPACE else ("store", in_all)
        )
        raise Unavailable(
            f"the queue of this {where} is full ({count:,} jobs wait); nothing was accepted, try again later",
            retry_after_seconds=limits.FULL_QUEUE_SECONDS,
        )


def must_be_same_request(same: bool) -> None:
    if not same:
        raise Conflict("key: was used before for another request; give a new key for new content")
