"""The queue over tables: each step a transaction of its own, beside the journal and with the same durability."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager
from datetime import datetime

from treering.model.job import Job, JobRequest, JobStatus
from treering.store.queue import ClaimedJob, QueueByStep, Waiting
from treering.store.sql import jobs
from treering.store.sql.tables import Connection

Transaction = Callable[[str | None], AbstractContextManager[Connection]]
"""On the jobs of a space, or of all."""


class SqlQueue(QueueByStep):
    def __init__(self, reading: Transaction, writing: Transaction) -> None:
        super().__init__()
        self._reading = reading
        self._writing = writing

    def put(self, asked: JobRequest, now: datetime) -> Job:
        with self._writing(asked.space) as connection:
            job = jobs.put(connection, asked, now)
        self.wake()
        return job

    def claim(self, worker: str, now: datetime, lease_seconds: float, signer: str | None = None) -> ClaimedJob | None:
        with self._reading(None) as connection:  # who finds nothing to do holds no writer up
            if jobs.next_ready(connection, now, signer) is None:
                return None
        with self._writing(None) as connection:
            return jobs.claim(connection, worker, now, lease_seconds, signer)

    def _step(self, claim: Job, step: Callable[[Job], Job]) -> Job | None:
        with self._writing(claim.space) as connection:
            job = jobs.held(connection, claim)
            return None if job is None else _saved(connection, step(job))

    def _turn(self, space: str, actor: str, job_id: str, step: Callable[[Job], Job]) -> Job | None:
        with self._writing(space) as connection:
            found = jobs.to_change(connection, space, actor, job_id)
            return _saved(connection, step(found[0])) if found else None

    def saying(self, space: str, actor: str, words: str) -> tuple[str, ...]:
        with self._reading(space) as connection:
            return jobs.saying(connection, space, actor, words)

    def get(self, space: str, actor: str, job_id: str) -> Job | None:
        with self._reading(space) as connection:
            found = jobs.found(connection, space, actor, job_id)
            return found[0] if found else None

    def waiting(self) -> Waiting:
        with self._reading(None) as connection:
            return jobs.waiting(connection)

    def listed(self, space: str, actor: str, status: JobStatus | None = None, limit: int = 50) -> list[Job]:
        with self._reading(space) as connection:
            return jobs.listed(connection, space, actor, status, limit)


def _saved(connection: Connection, job: Job) -> Job:
    jobs.save(connection, job)
    return job
