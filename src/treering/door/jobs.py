"""The part of the door for what is to be remembered later."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar

from treering import parameters as p
from treering.door.remembering import Remembers, told_in
from treering.errors import NotFound
from treering.ingest.hear import KeptSources, hear
from treering.ingest.jobs import PATIENT, Done, JobRetryPolicy, JobWatch, WorkedOff, Worker
from treering.ingest.later import remember_later
from treering.ingest.telling import Telling
from treering.model.changes import Changes
from treering.model.ids import mint
from treering.model.job import Job, JobRequest, JobStatus, Stage
from treering.model.memory import Visibility
from treering.model.value import plain
from treering.operation import READS, WRITES, WRITES_ONCE, operation
from treering.store.contract import Act
from treering.traces import traced

T = TypeVar("T")


class Promises(Remembers):
    """Work is accepted at once and done in its own time."""

    @operation(WRITES)
    def enqueue(
        self,
        content: p.Telling = None,
        *,
        messages: p.Messages = None,
        drafts: p.Drafts = None,
        space: p.Space = None,
        at: p.SaidAt = None,
        speaker: p.Speaker = None,
        session: p.Session = None,
        key: p.Key = None,
        tags: p.Tags = (),
        meta: p.Meta = None,
        observed_by: p.ObservedBy = None,
        visibility: p.Visibility = Visibility.SPACE,
        visible_to: p.VisibleTo = (),
        extractor: p.ExtractorName = None,
    ) -> Job:
        """Accept something to be remembered later, as `remember` would: it is on disk when this answers.

        `run_jobs` does it, here or in any other process. Jobs of one session are done in order. The same key again
        answers the same job.
        """
        said = {
            "content": content, "messages": messages, "drafts": drafts, "at": at, "speaker": speaker, "session": session,
            "key": key, "tags": tags, "meta": meta, "observed_by": observed_by, "visibility": visibility,
            "visible_to": visible_to, "extractor": extractor,
        }  # fmt: skip
        request = self._attributed(said)
        told = told_in(request)
        self._write(space, lambda act: self._would_hear(act, told), dry_run=True)
        now, signs = self._now(), self._writer.identity
        asked = JobRequest(
            id=mint(now)(),
            space=space or self._space,
            actor=self._writer.actor,
            kind="remember",
            request=plain(request),
            sources=len(told.said),
            session=session,
            key=key,
            signer=None if signs is None else signs.public,
        )
        return self._store.jobs.put(asked, now)

    @operation(READS)
    def job(self, id: p.JobId, *, space: p.Space = None, principal: p.Principal = None) -> Job:
        """One of your jobs: where it stands, how far it came, and what came of it."""
        return _own_job(self._store.jobs.get(space or self._space, principal or self._writer.actor, id), id)

    @operation(READS)
    def jobs(
        self,
        *,
        space: p.Space = None,
        status: p.OfStatus = None,
        limit: p.Limit = 50,
        principal: p.Principal = None,
    ) -> p.Jobs:
        """Your jobs, the newest first."""
        chosen = None if status is None else JobStatus(status)
        return self._store.jobs.listed(space or self._space, principal or self._writer.actor, chosen, limit)

    @operation(WRITES_ONCE)
    def cancel_job(self, id: p.JobId, *, space: p.Space = None) -> Job:
        """Drop a job. If a worker is at it, it stops after the source it is at; what was remembered by then stays."""
        return _own_job(self._store.jobs.cancel(space or self._space, self._writer.actor, id, self._now()), id)

    @operation(WRITES_ONCE)
    def retry_job(self, id: p.JobId, *, space: p.Space = None) -> Job:
        """Try a job again that failed before its words were stored."""
        return _own_job(self._store.jobs.revive(space or self._space, self._writer.actor, id, self._now()), id)

    @operation(WRITES_ONCE)
    def run_jobs(self, *, limit: p.MostJobs = None) -> WorkedOff:
        """Do the jobs that are ready, of all spaces, each on behalf of who asked for it."""
        return self.worker().work_off(limit)

    def worker(self, policy: JobRetryPolicy = PATIENT) -> Worker:
        """One that does jobs until it is told to stop: run its `work` in a thread of your own."""
        signs = self._writer.identity
        signer = None if signs is None else signs.public
        return Worker(self._store.jobs, self._do_job, clock=self._now, policy=policy, signer=signer)

    def _do_job(self, job: Job, request: Mapping[str, Any], watch: JobWatch) -> Done:
        door = self.space(job.space).acting_for(job.actor)
        door = door.watched(lambda done, of: watch.progress(done, of, Stage.STORED))
        with traced(self._traces, f"job {job.kind}", {"treering.attempt": job.attempts, "treering.sources": job.of}):
            return remember_later(job, request, watch, door.remember, door._has_key)

    def _would_hear(self, act: Act, told: Telling) -> tuple[Changes, KeptSources]:
        self._extractors.name(told.extractor, act.reader.setting("extractor"))
        return hear(act, told.said, told.manner)

    def _has_key(self, key: str) -> bool:
        with self._reading(None) as reader:
            return reader.source_by_key(key) is not None


def _own_job(job: Job | None, job_id: str) -> Job:
    if job is None:
        raise NotFound(f"id: you have no job {job_id!r} here; `jobs` lists those of a space", job_id)
    return job
