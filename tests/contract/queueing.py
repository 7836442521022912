"""A desk at which jobs are asked for and done."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from tests.conftest import HandClock

from treering.model.ids import mint
from treering.model.job import Job, JobRequest, JobStatus, Progress
from treering.store.contract import Store
from treering.store.queue import ClaimedJob, Queue

LEASE = 60.0


class Desk:
    """One who asks for jobs and works on them, by a clock moved by hand."""

    def __init__(self, store: Store, clock: HandClock) -> None:
        self.queue: Queue = store.jobs
        self.clock = clock

    def ask(self, content: str = "Ada is here", **more: Any) -> Job:
        asked = {"space": "lab", "actor": "ann", "kind": "remember", "request": {"content": content}, "sources": 1}
        return self.queue.put(JobRequest(**{"id": mint(self.clock.now)(), **asked, **more}), self.clock.now)

    def claim(self, worker: str = "w1", **more: Any) -> ClaimedJob | None:
        return self.queue.claim(worker, self.clock.now, LEASE, **more)

    def take(self, worker: str = "w1") -> Job:
        claim = self.claim(worker)
        assert claim is not None
        return claim.job

    def finish(self, job: Job, status: JobStatus = JobStatus.COMPLETED, **more: Any) -> Job | None:
        return self.queue.finish(job, self.clock.now, status, **more)

    def keep(self, job: Job, progress: Progress | None = None) -> Job | None:
        return self.queue.keep(job, self.clock.now, LEASE, progress)

    def retry(self, job: Job, seconds: float, **more: Any) -> Job | None:
        return self.queue.retry(job, self.clock.now, self.clock.now + timedelta(seconds=seconds), **more)

    def cancel(self, job: Job) -> Job:
        found = self.queue.cancel("lab", "ann", job.id, self.clock.now)
        assert found is not None
        return found

    def now(self, job: Job) -> Job:
        found = self.queue.get("lab", "ann", job.id)
        assert found is not None
        return found


@pytest.fixture
def jobs(store: Store, clock: HandClock) -> Desk:
    return Desk(store, clock)
