"""Every queue: nothing promised is lost, nothing is given to two, sessions keep their order, and words go in time."""

from __future__ import annotations

import json
import subprocess
import sys
from collections import Counter
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from tests.conftest import HandClock

from treering.door import Treering
from treering.errors import Conflict, LimitExceeded, Unavailable
from treering.model import limits
from treering.model.ids import mint
from treering.model.job import Job, JobError, JobRequest, JobStatus, Made, Progress, Stage
from treering.store import open_store
from treering.store.contract import Store
from treering.store.queue import ClaimedJob, Queue

LEASE = 60.0
SECRET = "Die Zahlenkombination ist größer als 8142"


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


# asking


def test_a_job_that_was_asked_for_waits_with_all_that_was_said_of_it(jobs: Desk) -> None:
    asked = jobs.ask("Ada is here", session="s1")
    assert jobs.now(asked) == asked
    assert (asked.status, asked.attempts, asked.done, asked.of, asked.stage) == (JobStatus.PENDING, 0, 0, 1, None)
    assert asked.created_at == asked.updated_at == jobs.clock.now
    claim = jobs.claim()
    assert claim is not None
    assert (claim.job.id, claim.request) == (asked.id, {"content": "Ada is here"})


def test_asking_again_with_the_same_key_answers_the_same_job_also_when_it_is_done(jobs: Desk) -> None:
    first = jobs.ask(key="turn 1")
    assert jobs.ask(key="turn 1") == first
    assert jobs.ask(key="turn 2").id != first.id
    assert jobs.ask(key="turn 1", actor="bob").id != first.id
    assert jobs.ask(key="turn 1", space="den").id != first.id
    jobs.finish(jobs.take())
    assert jobs.ask(key="turn 1").status is JobStatus.COMPLETED


def test_a_key_cannot_be_used_for_another_request(jobs: Desk) -> None:
    jobs.ask(key="turn 1")
    with pytest.raises(Conflict, match="key: was used before for another request; give a new key"):
        jobs.ask("Something else", key="turn 1")


@pytest.mark.parametrize("end", [JobStatus.FAILED, JobStatus.CANCELLED])
def test_a_key_whose_job_came_to_nothing_may_be_used_again(jobs: Desk, end: JobStatus) -> None:
    first = jobs.ask(key="turn 1")
    jobs.finish(jobs.take(), end)
    assert jobs.ask(key="turn 1").id != first.id


def test_jobs_of_other_spaces_in_between_take_nobodys_room(jobs: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "JOBS_WAITING_IN_A_SPACE", 3)
    for _ in range(2):
        jobs.ask()
        jobs.ask(space="den")
    assert jobs.ask().status is JobStatus.PENDING
    with pytest.raises(Unavailable, match=r"queue of this space 'lab' is full \(3 jobs wait\)"):
        jobs.ask()


def test_a_full_queue_says_when_to_try_again_and_takes_more_once_there_is_room(
    jobs: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limits, "JOBS_WAITING_IN_A_SPACE", 2)
    monkeypatch.setattr(limits, "JOBS_WAITING", 3)
    jobs.ask(key="first")
    jobs.ask()
    with pytest.raises(
        Unavailable, match=r"queue of this space 'lab' is full \(2 jobs wait\); nothing was accepted"
    ) as full:
        jobs.ask()
    assert full.value.retry_after_seconds == limits.FULL_QUEUE_SECONDS
    assert jobs.ask(key="first").status is JobStatus.PENDING
    jobs.ask(space="den")
    with pytest.raises(Unavailable, match=r"queue of this store is full \(3 jobs wait\)"):
        jobs.ask(space="yard")
    jobs.finish(jobs.take())
    assert jobs.ask().status is JobStatus.PENDING


def test_a_request_beyond_the_limit_is_refused(jobs: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "JOB_BYTES", 20)
    with pytest.raises(LimitExceeded, match=r"request: 25 bytes; a job takes 20\. Split it"):
        jobs.ask("Ada is here")


def test_jobs_are_seen_by_who_asked_for_them_in_their_space_and_by_nobody_else(jobs: Desk) -> None:
    mine = jobs.ask()
    for space, actor in (("lab", "bob"), ("den", "ann")):
        assert jobs.queue.get(space, actor, mine.id) is None
        assert jobs.queue.cancel(space, actor, mine.id, jobs.clock.now) is None
        assert jobs.queue.revive(space, actor, mine.id, jobs.clock.now) is None
        assert jobs.queue.listed(space, actor) == []
    assert jobs.now(mine).status is JobStatus.PENDING


def test_jobs_are_listed_newest_first_by_status(jobs: Desk) -> None:
    asked = [jobs.ask(f"Number {n}") for n in range(3)]
    jobs.finish(jobs.take())
    ids = [job.id for job in asked]
    assert [job.id for job in jobs.queue.listed("lab", "ann")] == ids[::-1]
    assert [job.id for job in jobs.queue.listed("lab", "ann", limit=2)] == ids[:0:-1]
    assert [job.id for job in jobs.queue.listed("lab", "ann", JobStatus.COMPLETED)] == ids[:1]


# order


def test_the_oldest_comes_first_also_when_the_clock_runs_back(jobs: Desk) -> None:
    first = jobs.ask("First")
    jobs.clock.advance(hours=-1)
    second = jobs.ask("Second")
    jobs.clock.advance(hours=2)
    assert [jobs.take("w1").id, jobs.take("w2").id] == [first.id, second.id]


def test_a_session_keeps_its_order_and_sessions_do_not_wait_for_each_other(jobs: Desk) -> None:
    one, two = jobs.ask("One", session="s1"), jobs.ask("Two", session="s1")
    other, elsewhere = jobs.ask("Other", session="s2"), jobs.ask("Elsewhere", session="s1", space="den")
    loose, looser = jobs.ask("Loose"), jobs.ask("Looser")
    taken = [jobs.take(f"w{n}") for n in range(5)]
    assert [job.id for job in taken] == [one.id, other.id, elsewhere.id, loose.id, looser.id]
    assert jobs.claim() is None
    jobs.finish(taken[0])
    assert jobs.take().id == two.id


@pytest.mark.parametrize("end", [one for one in JobStatus if one.is_end])
def test_the_next_of_a_session_goes_on_however_the_one_before_ended(jobs: Desk, end: JobStatus) -> None:
    jobs.ask("One", session="s1")
    two = jobs.ask("Two", session="s1")
    jobs.finish(jobs.take(), end)
    assert jobs.take().id == two.id


def test_the_next_of_a_session_waits_while_the_one_before_backs_off(jobs: Desk) -> None:
    one, two = jobs.ask("One", session="s1"), jobs.ask("Two", session="s1")
    jobs.retry(jobs.take(), 10)
    assert jobs.claim() is None
    jobs.clock.advance(seconds=10)
    again = jobs.take()
    assert (again.id, again.attempts) == (one.id, 2)
    jobs.finish(again)
    assert jobs.take().id == two.id


# leases


def test_a_job_is_one_worker_s_until_its_lease_runs_out(jobs: Desk) -> None:
    jobs.ask()
    mine = jobs.take("w1")
    assert (mine.status, mine.worker, mine.attempts) == (JobStatus.PROCESSING, "w1", 1)
    jobs.clock.advance(seconds=LEASE - 1)
    assert jobs.claim("w2") is None
    assert jobs.keep(mine) is not None
    jobs.clock.advance(seconds=LEASE - 1)
    assert jobs.claim("w2") is None
    jobs.clock.advance(seconds=1)
    theirs = jobs.take("w2")
    assert (theirs.id, theirs.attempts) == (mine.id, 2)


def test_a_worker_whose_lease_ran_out_can_say_nothing_more_of_the_job(jobs: Desk) -> None:
    jobs.ask()
    late = jobs.take("w1")
    jobs.clock.advance(seconds=LEASE)
    current = jobs.take("w1")  # of the same name, and yet another
    assert jobs.keep(late, Progress(1, 1, Stage.STORED)) is None
    assert jobs.retry(late, 1) is None
    assert jobs.finish(late, JobStatus.FAILED) is None
    assert jobs.now(current) == current
    assert jobs.finish(current) is not None
    assert jobs.finish(current) is None


def test_a_worker_that_comes_late_but_before_any_other_may_still_finish(jobs: Desk) -> None:
    jobs.ask()
    mine = jobs.take()
    jobs.clock.advance(seconds=LEASE * 2)
    assert jobs.finish(mine) is not None
    assert jobs.claim() is None


def test_progress_is_told_as_it_comes_and_a_stage_once_reached_stays(jobs: Desk) -> None:
    mine = jobs.take() if jobs.ask() else None
    assert mine is not None
    jobs.keep(mine, Progress(3, 10, Stage.STORED))
    jobs.clock.advance(seconds=5)
    jobs.keep(mine, Progress(4, 10))
    told = jobs.now(mine)
    assert (told.done, told.of, told.stage, told.updated_at) == (4, 10, Stage.STORED, jobs.clock.now)


def test_a_job_of_an_actor_that_signs_waits_for_a_worker_that_holds_the_key(jobs: Desk) -> None:
    signed = jobs.ask("Signed", signer="key of ann")
    plain = jobs.ask("Plain")
    assert jobs.take().id == plain.id
    assert jobs.claim() is None
    assert jobs.claim(signer="key of bob") is None
    claim = jobs.claim(signer="key of ann")
    assert claim is not None
    assert claim.job.id == signed.id


# ends


def test_an_ended_job_tells_what_came_of_it(jobs: Desk) -> None:
    jobs.ask(session="s1")
    result, error = Made(seq=7, source_ids=("s",), memory_ids=("m", "n")), JobError(code="x", message="no", source=1)
    told = jobs.finish(jobs.take(), JobStatus.PARTIAL, result=result, errors=[error])
    assert told is not None
    assert jobs.now(told) == told
    assert (told.status, told.result, told.errors) == (JobStatus.PARTIAL, result, (error,))
    assert (told.session, told.worker, told.lease_until, told.holds_words) == (None, None, None, False)


def test_a_job_to_be_tried_again_tells_why_and_waits_until_then(jobs: Desk) -> None:
    jobs.ask()
    told = jobs.retry(jobs.take(), 16, errors=[JobError(code="unavailable", message="no answer")])
    assert told is not None
    assert (told.status, told.attempts, told.errors[0].code) == (JobStatus.PENDING, 1, "unavailable")
    assert told.not_before == jobs.clock.now + timedelta(seconds=16)
    jobs.clock.advance(seconds=15)
    assert jobs.claim() is None
    jobs.clock.advance(seconds=1)
    assert jobs.take().attempts == 2


def test_what_failed_before_it_was_stored_keeps_its_words_and_can_be_tried_again(jobs: Desk) -> None:
    asked = jobs.ask("Ada is here", session="s1")
    failed = jobs.finish(jobs.take(), JobStatus.FAILED, errors=[JobError(code="unavailable", message="no answer")])
    assert failed is not None
    assert failed.holds_words
    assert jobs.claim() is None
    revived = jobs.queue.revive("lab", "ann", asked.id, jobs.clock.now)
    assert revived is not None
    assert (revived.status, revived.attempts, revived.errors, revived.session) == (JobStatus.PENDING, 0, (), "s1")
    claim = jobs.claim()
    assert claim is not None
    assert claim.request == {"content": "Ada is here"}


def test_what_failed_after_it_was_stored_lets_its_words_go(jobs: Desk) -> None:
    jobs.ask()
    mine = jobs.take()
    jobs.keep(mine, Progress(1, 1, Stage.STORED))
    failed = jobs.finish(mine, JobStatus.FAILED)
    assert failed is not None
    assert not failed.holds_words
    with pytest.raises(Conflict, match="cannot be tried again: its words are stored; it ended failed"):
        jobs.queue.revive("lab", "ann", failed.id, jobs.clock.now)


def test_only_the_newest_of_the_ended_jobs_are_kept(jobs: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "JOBS_ENDED", 2)
    for number in range(4):
        jobs.ask(f"Number {number}")
        jobs.finish(jobs.take())
    waiting = jobs.ask("Waits")
    kept = jobs.queue.listed("lab", "ann")
    assert [job.status for job in kept] == [JobStatus.PENDING, JobStatus.COMPLETED, JobStatus.COMPLETED]
    assert kept[0].id == waiting.id


# cancelling


def test_a_waiting_job_is_cancelled_at_once(jobs: Desk) -> None:
    told = jobs.cancel(jobs.ask())
    assert (told.status, told.holds_words) == (JobStatus.CANCELLED, False)
    assert jobs.claim() is None
    assert jobs.cancel(told) == told


def test_a_job_that_backs_off_is_cancelled_at_once(jobs: Desk) -> None:
    jobs.ask()
    jobs.retry(jobs.take(), 60)
    assert jobs.cancel(jobs.queue.listed("lab", "ann")[0]).status is JobStatus.CANCELLED


def test_a_worker_at_a_job_is_asked_to_stop_and_ends_it(jobs: Desk) -> None:
    jobs.ask()
    mine = jobs.take()
    assert jobs.cancel(mine).status is JobStatus.PROCESSING
    kept = jobs.keep(mine)
    assert kept is not None
    assert kept.stop_asked
    assert jobs.finish(mine, JobStatus.CANCELLED) is not None
    assert jobs.now(mine).status is JobStatus.CANCELLED


def test_what_was_to_stop_is_not_tried_again(jobs: Desk) -> None:
    jobs.ask()
    mine = jobs.take()
    jobs.cancel(mine)
    told = jobs.retry(mine, 1)
    assert told is not None
    assert (told.status, told.holds_words) == (JobStatus.CANCELLED, False)


def test_what_was_to_stop_ends_also_when_its_worker_has_died(jobs: Desk) -> None:
    died = jobs.ask("First", session="s1")
    next_one = jobs.ask("Next", session="s1")
    jobs.take()
    jobs.cancel(died)
    jobs.clock.advance(seconds=LEASE)
    assert jobs.take("w2").id == next_one.id
    assert jobs.now(died).status is JobStatus.CANCELLED


def test_what_is_done_stays_done(jobs: Desk) -> None:
    jobs.ask()
    done = jobs.finish(jobs.take())
    assert done is not None
    assert jobs.cancel(done) == done


def test_cancelling_what_failed_lets_go_of_its_words(jobs: Desk) -> None:
    jobs.ask()
    failed = jobs.finish(jobs.take(), JobStatus.FAILED)
    assert failed is not None
    assert jobs.cancel(failed).holds_words is False


# purging


def _purge(mem: Treering, content: str) -> None:
    [memory] = [one for one in mem.list(view="all") if one.content == content]
    mem.purge(memory.id, "asked to")


def test_a_purge_ends_the_job_that_had_begun_to_write_it_lest_it_comes_back(jobs: Desk, mem: Treering) -> None:
    begun, waits = jobs.ask(f'Said "quietly":\n{SECRET}'), jobs.ask("Something else")
    jobs.retry(jobs.take(), 60)
    mem.add(f'Said "quietly":\n{SECRET}')
    _purge(mem, f'Said "quietly":\n{SECRET}')
    assert (jobs.now(begun).status, jobs.now(begun).holds_words) == (JobStatus.CANCELLED, False)
    assert jobs.now(waits).holds_words


def test_a_worker_at_what_was_purged_meanwhile_finds_the_job_no_longer_its_own(jobs: Desk, mem: Treering) -> None:
    begun = jobs.ask(SECRET)
    mine = jobs.take()
    mem.add(SECRET)
    _purge(mem, SECRET)
    assert jobs.keep(mine) is None
    assert jobs.now(begun).status is JobStatus.CANCELLED


def test_a_purge_takes_messages_that_might_quote_it_and_leaves_their_kind(jobs: Desk, mem: Treering) -> None:
    jobs.ask()
    told = jobs.finish(jobs.take(), JobStatus.FAILED, errors=[JobError(code="conflict", message=SECRET, source=0)])
    assert told is not None
    mem.add(SECRET)
    _purge(mem, SECRET)
    assert jobs.now(told).errors == (JobError(code="conflict", message="", source=0),)


def _bytes_of(path: Path) -> bytes:
    return b"".join(one.read_bytes() for one in path.parent.glob(path.name + "*"))


def test_of_a_finished_job_no_word_is_left_in_the_file(db_path: Path, clock: HandClock) -> None:
    store = open_store(str(db_path))
    jobs = Desk(store, clock)
    jobs.ask(SECRET * 200, session="nachtsitzung", key="schlüssel-17")
    assert SECRET.encode() in _bytes_of(db_path)
    jobs.finish(jobs.take(), result=Made(seq=1))
    store.close()
    left = _bytes_of(db_path)
    assert not [word for word in (SECRET, "Zahlenkombination", "nachtsitzung", "schlüssel-17") if word.encode() in left]


def test_of_a_purged_job_no_word_is_left_while_the_file_is_open(
    file_mem: Treering, db_path: Path, clock: HandClock, tmp_path: Path
) -> None:
    jobs = Desk(file_mem._store, clock)
    jobs.ask(SECRET, session="nachtsitzung", key="schlüssel-17")
    jobs.ask("Something else")
    jobs.retry(jobs.take(), 60, errors=[JobError(code="fault", message=f"cannot read {SECRET!r}")])
    file_mem.add(SECRET, session="nachtsitzung", key="schlüssel-17")
    _purge(file_mem, SECRET)
    file_mem.backup(str(tmp_path / "copy.db"))
    for left in (_bytes_of(db_path), _bytes_of(tmp_path / "copy.db")):
        found = [word for word in ("Zahlenkombination", "nachtsitzung", "schlüssel-17") if word.encode() in left]
        assert found == []


def test_a_backup_keeps_what_waits_and_leaves_out_what_has_ended(
    db_path: Path, clock: HandClock, tmp_path: Path, new_store: Callable[[str], Store]
) -> None:
    store = new_store(str(db_path))
    jobs = Desk(store, clock)
    jobs.ask("Done")
    jobs.finish(jobs.take())
    waits = jobs.ask("Waits")
    store.backup(tmp_path / "copy.db")
    copy = Desk(new_store(str(tmp_path / "copy.db")), clock)
    assert [job.id for job in copy.queue.listed("lab", "ann")] == [waits.id]
    assert copy.take().id == waits.id
    assert len(jobs.queue.listed("lab", "ann")) == 2


# several at once

CLAIMING = """
import sys
from datetime import UTC, datetime
from treering.store import open_store
store = open_store(sys.argv[1], "normal")
print("ready", flush=True)
sys.stdin.readline()
while (claim := store.jobs.claim(sys.argv[2], datetime.now(UTC), 600)) is not None:
    print(claim.job.id, flush=True)
store.close()
"""


def test_workers_in_several_processes_are_never_given_the_same_job(db_path: Path, clock: HandClock) -> None:
    store = open_store(str(db_path), "normal")
    jobs = Desk(store, clock)
    asked = Counter(jobs.ask(f"Number {n}").id for n in range(200))
    workers = [
        subprocess.Popen(
            [sys.executable, "-c", CLAIMING, str(db_path), f"w{n}"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        for n in range(2)
    ]
    for one in workers:
        assert one.stdout is not None
        assert one.stdout.readline() == "ready\n"
    for one in workers:
        assert one.stdin is not None
        one.stdin.write("go\n")
        one.stdin.flush()
    said = [one.communicate(timeout=60)[0].split() for one in workers]
    assert Counter(job_id for words in said for job_id in words) == asked
    assert all(said), "one of them found nothing to do"
    store.close()


def test_jobs_outlive_the_process_that_asked(db_path: Path, clock: HandClock) -> None:
    store = open_store(str(db_path))
    asked = Desk(store, clock).ask("Ada is here")
    store.close()
    store = open_store(str(db_path))
    claim = Desk(store, clock).claim()
    assert claim is not None
    assert (claim.job.id, json.dumps(claim.request)) == (asked.id, '{"content": "Ada is here"}')
    store.close()
