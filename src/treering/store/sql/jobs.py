"""How does a queue lie in a table? The statements around jobs. Each is to run in a transaction of its caller's.

A job's value changes in `model/job.py` only: here it is read, and written back whole.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import fields
from datetime import datetime
from typing import Any

from treering.model import limits
from treering.model.codec import canonical, decode, encode
from treering.model.job import Job, JobError, JobRequest, JobStatus, Made, Stage
from treering.model.time import from_micros, to_micros
from treering.store.queue import ClaimedJob, Waiting, digest, must_be_same_request, must_have_room, spelled, words_of
from treering.store.sql.chain import space_id
from treering.store.sql.tables import Connection, SqlRow

_COLUMNS = """id, space, actor, kind, session, status, stage, done, total, attempts, not_before, worker, lease_until,
    stop_asked, created_at, updated_at, errors, result, request IS NOT NULL"""
_FIELDS = [one.name for one in fields(Job)]
_OPEN = "('pending', 'processing')"
_DONE_WITH = "request IS NULL"
_SAYING = "request IS NOT NULL AND INSTR(request, ?) > 0"
_WAITING_HERE = "space = ?1 AND request IS NOT NULL"
_MINE = "space = ? AND actor = ? AND id = ?"
_NEXT = f"""SELECT {_COLUMNS} FROM job j
    WHERE status IN {_OPEN} AND CASE status WHEN 'pending' THEN not_before ELSE lease_until END <= ?1
    AND (signer IS NULL OR signer = ?2)
    AND NOT EXISTS (SELECT 1 FROM job older WHERE older.space = j.space AND older.session = j.session
        AND older.place < j.place AND older.status IN {_OPEN})
    ORDER BY place LIMIT 1"""


def put(connection: Connection, asked: JobRequest, now: datetime) -> Job:
    words, key = words_of(asked), None if asked.key is None else digest(asked.key)
    sql = f"SELECT {_COLUMNS}, request_hash FROM job WHERE space = ? AND actor = ? AND key_hash = ?"
    for row in connection.rows(sql, (asked.space, asked.actor, key)):
        must_be_same_request(row[-1] in (None, digest(words)))
        return _job(row[:-1])
    must_have_room(asked.space, *_waiting(connection, asked.space))
    at = to_micros(now)
    who = (asked.id, asked.space, asked.actor, asked.kind, asked.session)
    connection.run(
        """INSERT INTO job (id, space, actor, kind, session, status, done, total, attempts, not_before, stop_asked,
            created_at, updated_at, errors, signer, key_hash, request_hash, request)
        VALUES (?, ?, ?, ?, ?, 'pending', 0, ?, 0, 0, 0, ?, ?, '[]', ?, ?, ?, ?)""",
        (*who, asked.sources, at, at, asked.signer, key, digest(words), words),
    )
    return found(connection, asked.space, asked.actor, asked.id)[0]


def _waiting(connection: Connection, space: str) -> tuple[int, int]:
    """How many jobs wait in the space and in all, or may at most. Between the oldest and the newest there are at most
    as many as places. Only where that is too many are they counted: to count for each that comes would make a long
    queue slow to join."""
    ends = [f"(SELECT {end}(place) FROM job WHERE {_WAITING_HERE})" for end in ("MAX", "MIN")]
    ends += [f"(SELECT {end}(place) FROM job)" for end in ("MAX", "MIN")]
    last, first, last_of_all, first_of_all = connection.rows(f"SELECT {', '.join(ends)}", (space,))[0]
    here, everywhere = (last or 0) - (first or 0) + 1, (last_of_all or 0) - (first_of_all or 0) + 1
    if here >= limits.JOBS_WAITING_IN_A_SPACE:
        here = connection.rows(f"SELECT COUNT(*) FROM job WHERE {_WAITING_HERE}", (space,))[0][0]
    if everywhere >= limits.JOBS_WAITING:
        everywhere = connection.rows("SELECT COUNT(*) FROM job WHERE request IS NOT NULL")[0][0]
    return here, everywhere


def next_ready(connection: Connection, now: datetime, signer: str | None) -> Job | None:
    """As it is found; nobody is kept from claiming it."""
    return _first_ready(connection, now, signer, "")


def _first_ready(connection: Connection, now: datetime, signer: str | None, locking: str) -> Job | None:
    rows = connection.rows(_NEXT + locking, (to_micros(now), signer))
    return _job(rows[0]) if rows else None


def claim(
    connection: Connection, worker: str, now: datetime, lease_seconds: float, signer: str | None
) -> ClaimedJob | None:
    while True:
        ready = _first_ready(connection, now, signer, connection.dialect.skip_locked)
        if ready is None:
            return None
        if ready.stop_asked:  # and whoever was asked has died
            save(connection, ready.ended_as(JobStatus.CANCELLED, now, errors=ready.errors))
            continue
        mine = ready.begun(worker, now, lease_seconds)
        save(connection, mine)
        words = connection.rows("SELECT request FROM job WHERE space = ? AND id = ?", (mine.space, mine.id))[0][0]
        return ClaimedJob(mine, json.loads(words))


def held(connection: Connection, claim: Job) -> Job | None:
    """The job as it stands, if it is still this worker's, to be changed."""
    sql = f"SELECT {_COLUMNS} FROM job WHERE space = ? AND id = ?{connection.dialect.for_update}"
    for row in connection.rows(sql, (claim.space, claim.id)):
        job = _job(row)
        return job if job.is_held_by(claim) else None
    return None


def found(connection: Connection, space: str, actor: str, job_id: str) -> list[Job]:
    return _found(connection, space, actor, job_id, "")


def to_change(connection: Connection, space: str, actor: str, job_id: str) -> list[Job]:
    return _found(connection, space, actor, job_id, connection.dialect.for_update)


def _found(connection: Connection, space: str, actor: str, job_id: str, locking: str) -> list[Job]:
    sql = f"SELECT {_COLUMNS} FROM job WHERE {_MINE}{locking}"
    return [_job(row) for row in connection.rows(sql, (space, actor, job_id))]


def listed(connection: Connection, space: str, actor: str, status: JobStatus | None, limit: int) -> list[Job]:
    sql = f"""SELECT {_COLUMNS} FROM job WHERE space = ?1 AND actor = ?2 AND status = COALESCE(?3, status)
        ORDER BY place DESC LIMIT ?4"""
    return [_job(row) for row in connection.rows(sql, (space, actor, status and status.value, limit))]


def waiting(connection: Connection) -> Waiting:
    rows = connection.rows("SELECT status, COUNT(*), MIN(created_at) FROM job GROUP BY status")
    oldest = [int(row[2]) for row in rows if row[0] in ("pending", "processing")]
    return Waiting({row[0]: int(row[1]) for row in rows}, from_micros(min(oldest)) if oldest else None)


def saying(connection: Connection, space: str, actor: str, words: str) -> tuple[str, ...]:
    sql = f"SELECT id FROM job WHERE space = ? AND actor = ? AND {_SAYING} ORDER BY place"
    return tuple(row[0] for row in connection.rows(sql, (space, actor, spelled(words))))


def save(connection: Connection, job: Job) -> None:
    frees_key = job.status in (JobStatus.FAILED, JobStatus.CANCELLED)
    connection.run(
        """UPDATE job SET session = ?, status = ?, stage = ?, done = ?, total = ?, attempts = ?, not_before = ?,
            worker = ?, lease_until = ?, stop_asked = ?, updated_at = ?, errors = ?, result = ?,
            request = CASE WHEN ? THEN request END, key_hash = CASE WHEN ? THEN NULL ELSE key_hash END
        WHERE space = ? AND id = ?""",
        (
            job.session,
            job.status.value,
            job.stage and job.stage.value,
            job.done,
            job.of,
            job.attempts,
            0 if job.not_before is None else to_micros(job.not_before),
            job.worker,
            None if job.lease_until is None else to_micros(job.lease_until),
            int(job.stop_asked),
            to_micros(job.updated_at),
            canonical([encode(one) for one in job.errors]),
            None if job.result is None else canonical(encode(job.result)),
            job.holds_words,
            frees_key,
            job.space,
            job.id,
        ),
    )
    if job.ended:
        _drop_oldest(connection, job.space)


def _drop_oldest(connection: Connection, space: str) -> None:
    oldest = f"SELECT place FROM job WHERE {_DONE_WITH} AND space = ? ORDER BY place DESC LIMIT 1 OFFSET ?"
    sql = f"DELETE FROM job WHERE {_DONE_WITH} AND space = ? AND place <= ({oldest})"
    connection.run(sql, (space, space, limits.JOBS_ENDED))


def let_go(connection: Connection, space: str, source_ids: Iterable[str], now: datetime) -> None:
    """What a purge of these sources takes from the queue: jobs that had begun to write them, lest they come back, and
    every message that might quote them. To be asked while the sources are still there."""
    sql, number = "SELECT content FROM source WHERE space_id = ? AND id = ?", space_id(connection, space)
    contents = [row[0] for one in source_ids for row in connection.rows(sql, (number, one))]
    for content in contents:
        sql = (
            f"SELECT {_COLUMNS} FROM job WHERE space = ? AND attempts > 0 AND {_SAYING}{connection.dialect.for_update}"
        )
        for row in connection.rows(sql, (space, spelled(content))):
            save(connection, _job(row).ended_as(JobStatus.CANCELLED, now))
    sql = f"SELECT {_COLUMNS} FROM job WHERE space = ? AND errors <> '[]'{connection.dialect.for_update}"
    for row in connection.rows(sql, (space,)):
        save(connection, _job(row).without_messages())
    connection.run(f"UPDATE job SET request_hash = NULL WHERE {_DONE_WITH} AND space = ?", (space,))


_KEPT = """id, space, actor, kind, session, status, stage, done, total, attempts, not_before, worker, lease_until,
    stop_asked, created_at, updated_at, errors, result, signer, key_hash, request_hash, request"""


def kept(connection: Connection) -> list[SqlRow]:
    """All of every job that still holds its words, the oldest first, for another store to take in."""
    return connection.rows(f"SELECT {_KEPT} FROM job WHERE request IS NOT NULL ORDER BY place")


def take_in(connection: Connection, jobs: list[SqlRow]) -> int:
    """Those that are not here already; answers how many."""
    marks = ", ".join("?" * (_KEPT.count(",") + 1))
    sql = f"INSERT INTO job ({_KEPT}) VALUES ({marks}) ON CONFLICT (id) DO NOTHING"
    return sum(connection.run(sql, row) for row in jobs)


def drop_ended(connection: Connection) -> None:
    connection.run(f"DELETE FROM job WHERE {_DONE_WITH}")


def _job(row: SqlRow) -> Job:
    read: dict[str, Any] = dict(zip(_FIELDS, row, strict=True))
    for name in ("created_at", "updated_at"):
        read[name] = from_micros(read[name])
    for name in ("not_before", "lease_until"):
        read[name] = from_micros(read[name]) if read[name] else None
    return Job(
        **read
        | {
            "status": JobStatus(read["status"]),
            "stage": read["stage"] and Stage(read["stage"]),
            "stop_asked": bool(read["stop_asked"]),
            "errors": tuple(decode(JobError, one) for one in json.loads(read["errors"])),
            "result": read["result"] and decode(Made, json.loads(read["result"])),
            "holds_words": bool(read["holds_words"]),
        }
    )
