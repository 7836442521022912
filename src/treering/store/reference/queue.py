"""What is a queue, in plain Python? A list of jobs in the order they were asked for, with their words beside them."""

from __future__ import annotations

import json
import threading
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import datetime

from treering.model import limits
from treering.model.job import Job, JobRequest, JobStatus
from treering.store.queue import (
    ClaimedJob,
    QueueByStep,
    Waiting,
    digest,
    must_be_same_request,
    must_have_room,
    spelled,
    words_of,
)


@dataclass
class _Row:
    job: Job
    signer: str | None
    key: str | None
    request_hash: str | None
    words: str | None

    def is_before(self, other: Job) -> bool:
        same = (self.job.space, self.job.session) == (other.space, other.session)
        return same and other.session is not None and not self.job.ended


class ReferenceQueue(QueueByStep):
    def __init__(self) -> None:
        super().__init__()
        self._rows: list[_Row] = []
        self._lock = threading.RLock()

    def put(self, asked: JobRequest, now: datetime) -> Job:
        words, key = words_of(asked), None if asked.key is None else digest(asked.key)
        self.wake()
        with self._lock:
            for row in self._rows:
                if key and (row.job.space, row.job.actor, row.key) == (asked.space, asked.actor, key):
                    must_be_same_request(row.request_hash in (None, digest(words)))
                    return row.job
            waiting = [row.job.space for row in self._rows if row.job.holds_words]
            must_have_room(asked.space, waiting.count(asked.space), len(waiting))
            job = Job(
                id=asked.id,
                space=asked.space,
                actor=asked.actor,
                kind=asked.kind,
                session=asked.session,
                of=asked.sources,
                created_at=now,
                updated_at=now,
            )
            self._rows.append(_Row(job, asked.signer, key, digest(words), words))
            return job

    def claim(self, worker: str, now: datetime, lease_seconds: float, signer: str | None = None) -> ClaimedJob | None:
        with self._lock:
            for place, row in enumerate(self._rows):
                waits = any(older.is_before(row.job) for older in self._rows[:place])
                if waits or not row.job.is_ready(now) or row.signer not in (None, signer):
                    continue
                if row.job.stop_asked:
                    self._save(row, row.job.ended_as(JobStatus.CANCELLED, now, errors=row.job.errors))
                    return self.claim(worker, now, lease_seconds, signer)
                assert row.words is not None
                return ClaimedJob(self._save(row, row.job.begun(worker, now, lease_seconds)), json.loads(row.words))
            return None

    def _step(self, claim: Job, step: Callable[[Job], Job]) -> Job | None:
        with self._lock:
            row = next((row for row in self._rows if row.job.id == claim.id), None)
            return self._save(row, step(row.job)) if row is not None and row.job.is_held_by(claim) else None

    def _turn(self, space: str, actor: str, job_id: str, step: Callable[[Job], Job]) -> Job | None:
        with self._lock:
            row = next((row for row in self._of(space, actor) if row.job.id == job_id), None)
            return None if row is None else self._save(row, step(row.job))

    def saying(self, space: str, actor: str, words: str) -> tuple[str, ...]:
        with self._lock:
            return tuple(row.job.id for row in self._of(space, actor) if spelled(words) in (row.words or ""))

    def get(self, space: str, actor: str, job_id: str) -> Job | None:
        with self._lock:
            return next((row.job for row in self._of(space, actor) if row.job.id == job_id), None)

    def listed(self, space: str, actor: str, status: JobStatus | None = None, limit: int = 50) -> list[Job]:
        with self._lock:
            mine = [row.job for row in reversed(self._of(space, actor))]
        return [job for job in mine if status in (None, job.status)][:limit]

    def waiting(self) -> Waiting:
        with self._lock:
            jobs = [row.job for row in self._rows]
        oldest = min((job.created_at for job in jobs if not job.ended), default=None)
        return Waiting(Counter(job.status.value for job in jobs), oldest)

    def let_go(self, space: str, contents: Iterable[str], now: datetime) -> None:
        """What a purge of sources with these contents takes from the queue."""
        gone = [spelled(one) for one in contents]
        with self._lock:
            for row in [row for row in self._rows if row.job.space == space]:
                words = row.words or ""
                if row.job.attempts and any(one in words for one in gone):
                    self._save(row, row.job.ended_as(JobStatus.CANCELLED, now))
                self._save(row, row.job.without_messages())
                row.request_hash = row.request_hash if row.words else None

    def _of(self, space: str, actor: str) -> list[_Row]:
        return [row for row in self._rows if (row.job.space, row.job.actor) == (space, actor)]

    def _save(self, row: _Row, job: Job) -> Job:
        row.job = job
        row.words = row.words if job.holds_words else None
        row.key = None if job.status in (JobStatus.FAILED, JobStatus.CANCELLED) else row.key
        ended = [one for one in self._rows if one.job.space == job.space and one.job.ended and one.words is None]
        gone = {one.job.id for one in ended[: -limits.JOBS_ENDED]}
        self._rows = [one for one in self._rows if one.job.id not in gone]
        return job
