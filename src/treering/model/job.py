"""What is a job? Something promised for later: where it stands, how often it was tried, and what came of it.

Every step of its life is made here, from one frozen value to the next; a queue only keeps the value. The words that are
to be remembered are not part of it: they lie beside it for as long as `holds_words` says.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Any

from treering.errors import Conflict
from treering.model.value import Value
from treering.values import dataclass


class JobStatus(StrEnum):
    PENDING = "pending"
    PROCESSING = "processing"
    COMPLETED = "completed"
    PARTIAL = "partial"  # some of its sources failed
    FAILED = "failed"
    CANCELLED = "cancelled"

    @property
    def is_end(self) -> bool:
        return self not in (JobStatus.PENDING, JobStatus.PROCESSING)


class Stage(StrEnum):
    """How far it came: what was said is kept; its memories can be found by words; and by meaning, related to what was
    known."""

    STORED = "stored"
    INDEXED = "indexed"
    ENRICHED = "enriched"


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class JobError(Value):
    """What went wrong. `source` counts what was said from 0; none is the job as a whole."""

    code: str
    message: str
    source: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Made(Value):
    """What a job left behind: the journal entry it ended with, and the ids of what it wrote."""

    seq: int = 0
    source_ids: tuple[str, ...] = ()
    memory_ids: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Progress:
    """How many of the sources are done."""

    done: int
    of: int
    stage: Stage | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class JobRequest:
    """A job as it is asked for. Jobs of one session are done in the order they were asked for, those of none in any.
    `key` makes asking again answer the same job. `signer` is the public key of an actor that signs: only a worker that
    holds it can do the job."""

    id: str
    space: str
    actor: str
    kind: str
    request: Mapping[str, Any]
    sources: int
    session: str | None = None
    key: str | None = None
    signer: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Job(Value):
    """`worker` and `attempts` together say whose a job in work is: one that was taken for dead has them no more."""

    id: str
    space: str
    actor: str
    kind: str
    session: str | None = None
    status: JobStatus = JobStatus.PENDING
    stage: Stage | None = None
    done: int = 0
    of: int = 0
    attempts: int = 0
    not_before: datetime | None = None
    worker: str | None = None
    lease_until: datetime | None = None
    stop_asked: bool = False
    created_at: datetime
    updated_at: datetime
    errors: tuple[JobError, ...] = ()
    result: Made | None = None
    holds_words: bool = True

    @property
    def ended(self) -> bool:
        return self.status.is_end

    def is_ready(self, now: datetime) -> bool:
        """To be begun, or begun by a worker that has not been heard of for longer than its lease."""
        if self.status is JobStatus.PENDING:
            return self.not_before is None or self.not_before <= now
        return self.has_lapsed(now)

    def has_lapsed(self, now: datetime) -> bool:
        return self.status is JobStatus.PROCESSING and (self.lease_until is None or self.lease_until <= now)

    def is_held_by(self, claim: Job) -> bool:
        same = (self.worker, self.attempts) == (claim.worker, claim.attempts)
        return self.status is JobStatus.PROCESSING and same

    # the steps

    def begun(self, worker: str, now: datetime, lease_seconds: float) -> Job:
        return replace(
            self,
            status=JobStatus.PROCESSING,
            attempts=self.attempts + 1,
            not_before=None,
            worker=worker,
            lease_until=now + timedelta(seconds=lease_seconds),
            updated_at=now,
        )

    def kept(self, now: datetime, lease_seconds: float, progress: Progress | None) -> Job:
        lease_until = now + timedelta(seconds=lease_seconds)
        return replace(self.so_far(progress), lease_until=lease_until, updated_at=now)

    def so_far(self, progress: Progress | None) -> Job:
        if progress is None:
            return self
        return replace(self, done=progress.done, of=progress.of, stage=progress.stage or self.stage)

    def put_back(self, now: datetime, not_before: datetime, errors: tuple[JobError, ...]) -> Job:
        """To be tried again, unless somebody asked it to stop meanwhile."""
        if self.stop_asked:
            return self.ended_as(JobStatus.CANCELLED, now, errors=errors)
        waiting = replace(self, status=JobStatus.PENDING, not_before=not_before, errors=errors, updated_at=now)
        return replace(waiting, worker=None, lease_until=None)

    def ended_as(
        self,
        status: JobStatus,
        now: datetime,
        result: Made | None = None,
        errors: tuple[JobError, ...] = (),
        progress: Progress | None = None,
    ) -> Job:
        """The words go with the end, since the sources hold them; a job that failed before there were any keeps them,
        so that nothing said is lost."""
        told = self.so_far(progress)
        holds_words = self.holds_words and status is JobStatus.FAILED and told.stage is None
        return replace(
            told,
            status=status,
            session=self.session if holds_words else None,
            not_before=None,
            worker=None,
            lease_until=None,
            updated_at=now,
            errors=errors,
            result=result or self.result,
            holds_words=holds_words,
        )

    def cancelled(self, now: datetime) -> Job:
        """At once, unless a worker is at it, which is asked to stop. What has ended stays as it is, but lets go of
        words it still held."""
        if self.status is JobStatus.PROCESSING and not self.has_lapsed(now):
            return replace(self, stop_asked=True, updated_at=now)
        if self.ended and not self.holds_words:
            return self
        return self.ended_as(JobStatus.CANCELLED, now, errors=self.errors)

    def tried_again(self, now: datetime) -> Job:
        if not (self.status is JobStatus.FAILED and self.holds_words):
            why = f"its words are stored; it ended {self.status}" if self.ended else f"it is {self.status}"
            raise Conflict(f"id: job {self.id} cannot be tried again: {why}")
        return replace(self, status=JobStatus.PENDING, attempts=0, errors=(), stop_asked=False, updated_at=now)

    def without_messages(self) -> Job:
        """A message may quote what was said, so a purge takes it."""
        return replace(self, errors=tuple(replace(one, message="") for one in self.errors))
