"""How does a worker on another machine hear of a job at once? By a notice when it was put; where that cannot be heard,
by looking, as everywhere."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime

from treering.model.job import Job, JobRequest
from treering.store.sql.queue import SqlQueue, Transaction


class PostgresQueue(SqlQueue):
    def __init__(
        self,
        reading: Transaction,
        writing: Transaction,
        tell: Callable[[], None],
        attend: Callable[[Callable[[], None]], None],
    ) -> None:
        """`tell` lets other processes know of work; `attend` has this one be woken when they do."""
        super().__init__(reading, writing)
        self._tell, self._attend = tell, attend
        self._attends = False

    def put(self, asked: JobRequest, now: datetime) -> Job:
        job = super().put(asked, now)
        self._tell()
        return job

    def await_more(self, seconds: float) -> None:
        if not self._attends:
            self._attends = True
            self._attend(self.wake)
        super().await_more(seconds)
