"""How do Crosmos's clients hand things in? As sources or as a conversation: both are accepted at once and read in their
own time, and a job tells how far that is."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from itertools import groupby
from typing import Any
from uuid import uuid4

from treering.errors import NotFound
from treering.faces.afar import Door
from treering.faces.dialects.contract import Answer, tool
from treering.faces.dialects.crosmos import arguments as a
from treering.faces.dialects.crosmos.spaces import id_of, space_at
from treering.language.sections import Section, sections
from treering.model import limits
from treering.model.codec import canonical
from treering.model.job import Job, JobStatus
from treering.model.value import plain
from treering.operation import READS, WRITES
from treering.values import dataclass

SEEN_BY = {"org": "space", "private": "private"}
_KEY = "crosmos:"
_TOGETHER = "."
"""Between the numbers of jobs that were asked for at once."""
_PART = "#"
"""Between the key of a source and the number of a further part of it."""


@tool(a.Sources, WRITES)
def add_sources(door: Door, asked: a.Sources) -> Answer:
    """Hand in texts to be read. Those that are for the same eyes, of one type and with the same meta, are one job.
    Markdown with headings is kept section by section."""
    space = space_at(door, asked.space_id)
    jobs, keys = list[Job](), list[str]()
    for _, some in groupby(map(_Handed.of, asked.sources), key=_Handed.alike):
        alike = list(some)
        first = alike[0].source
        more = {"meta": {**first.meta, "content_type": first.content_type}}
        if alike[0].sections:
            made = [_enqueued_by_section(door, space, one, more) for one in alike]
        else:
            made = [_enqueued(door, space, [one.said for one in alike], first.visibility, more)]
        jobs += [job for some_jobs, _ in made for job in some_jobs]
        keys += [key for _, some_keys in made for key in some_keys]
    return _accepted(jobs, keys, space)


@dataclass(frozen=True, slots=True)
class _Handed:
    """A source that was handed in; `sections` are those of Markdown that has several, or headings."""

    source: a.Source
    sections: tuple[Section, ...] = ()

    @classmethod
    def of(cls, source: a.Source) -> _Handed:
        found = sections(source.content) if source.content_type == "markdown" else []
        return cls(source, tuple(found) if len(found) > 1 or any(one.path for one in found) else ())

    def alike(self) -> tuple[str, str, str, bool]:
        one = self.source
        return one.visibility, one.content_type, canonical(one.meta), bool(self.sections)

    @property
    def said(self) -> dict[str, str]:
        return {"content": self.source.content, **({"role": self.source.role} if self.source.role else {})}


def _enqueued_by_section(door: Door, space: str, one: _Handed, more: dict[str, Any]) -> tuple[list[Job], list[str]]:
    """One source with a memory a section; of very many sections, several."""
    text, key = one.source.content, f"{_KEY}{uuid4()}"
    jobs = []
    for start in range(0, len(one.sections), limits.MESSAGES):
        some = one.sections[start : start + limits.MESSAGES]
        job = door.enqueue(
            text if some == one.sections else text[some[0].start : some[-1].end],
            drafts=[{"content": text[section.start : section.end]} for section in some],
            speaker=one.source.role,
            space=space,
            key=f"{key}{_PART}{start}" if start else key,
            visibility=SEEN_BY[one.source.visibility],
            **more,
        )
        jobs.append(job)
    return jobs, [key]


@tool(a.Conversation, WRITES)
def add_conversation(door: Door, asked: a.Conversation) -> Answer:
    """Hand in a conversation to be read, message by message."""
    space = space_at(door, asked.space_id)
    said = [{"content": one.content, "role": one.role} for one in asked.messages]
    more = {"session": asked.session_id, "at": asked.session_date, "meta": asked.meta}
    jobs, keys = _enqueued(door, space, said, asked.visibility, more)
    return {**_accepted(jobs, keys, space), "session_id": asked.session_id}


def _enqueued(
    door: Door, space: str, said: list[dict[str, str]], visibility: str, more: dict[str, Any]
) -> tuple[list[Job], list[str]]:
    key = f"{_KEY}{uuid4()}"
    job = door.enqueue(messages=said, space=space, key=key, visibility=SEEN_BY[visibility], **more)
    return [job], [f"{key}/{number}" for number in range(len(said))]


def _accepted(jobs: list[Job], keys: list[str], space: str) -> Answer:
    return {
        "job_id": _TOGETHER.join(one.id for one in jobs),
        "status": JobStatus.PENDING.value,
        "source_ids": [source_id(one, "") for one in keys],
        "space_id": id_of(space),
    }


def source_id(key: str | None, own: str) -> str:
    """The id that was told when a source was handed in; of any other source its own."""
    return id_of(key.partition(_PART)[0]) if key is not None and key.startswith(_KEY) else own


@tool(a.OneJob, READS)
def get_job(door: Door, asked: a.OneJob) -> Answer:
    """How far what was handed in has been read."""
    jobs = [_job(door, one) for one in asked.id.split(_TOGETHER)]
    errors = [plain(error) for job in jobs for error in job.errors]
    memories = [one for job in jobs if job.result is not None for one in job.result.memory_ids]
    counts = {
        "total": sum(job.of for job in jobs),
        "processed": sum(job.done for job in jobs),
        "failed": len([one for one in errors if one["source"] is not None]),
        "memories": len(memories),
    }
    return {
        "job_id": asked.id,
        "id": asked.id,
        "status": _together([job.status for job in jobs]).value,
        "space_id": id_of(jobs[0].space),
        "counts": counts,
        **counts,
        "memory_ids": memories,
        "errors": errors,
        "created_at": plain(min(job.created_at for job in jobs)),
        "updated_at": plain(max(job.updated_at for job in jobs)),
    }


def _job(door: Door, job_id: str) -> Job:
    def tried() -> Iterator[Job]:
        for one in door.spaces():
            with suppress(NotFound):
                yield door.job(job_id, space=one.name)

    found = next(tried(), None)
    if found is None:
        raise NotFound(f"id: you have no job {job_id!r}")
    return found


def _together(each: list[JobStatus]) -> JobStatus:
    if len(set(each)) == 1:
        return each[0]
    return JobStatus.PARTIAL if all(one.is_end for one in each) else JobStatus.PROCESSING
