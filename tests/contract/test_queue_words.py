"""On every queue the words of a job go in time: with a purge, at its end, and from a backup."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from tests.conftest import HandClock
from tests.contract.queueing import Desk, jobs

from treering.door import Treering
from treering.model.job import JobError, JobStatus, Made
from treering.store import open_store
from treering.store.contract import Store

__all__ = ["jobs"]


SECRET = "Die Zahlenkombination ist größer als 8142"


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
