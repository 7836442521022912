"""Remembering later, through the door: what is accepted is remembered as if it had been at once."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest
from tests.conftest import Doors, HandClock, contents

from treering.door import Treering
from treering.errors import Conflict, Forbidden, InvalidRequest, NotFound, TreeringError, Unavailable
from treering.ingest.extract.contract import Extraction, Heard
from treering.ingest.extract.none import AsItStands
from treering.ingest.jobs import PATIENT, WorkedOff
from treering.model import limits
from treering.model.identity import Identity
from treering.store import open_store
from treering.store.contract import Store

Fail = Callable[[str], Exception | None]


def enqueue(mem: Treering, content: str | None = "Ada is here", **more: Any) -> Any:
    return mem.enqueue(content, extractor="none", **more)


def talk(*said: str) -> dict[str, Any]:
    return {"content": None, "messages": [{"content": one} for one in said]}


@pytest.fixture
def trouble(monkeypatch: pytest.MonkeyPatch) -> dict[str, Exception]:
    """By a word of what is read: what goes wrong with it."""
    troubles: dict[str, Exception] = {}
    read = AsItStands.extract

    def extract(self: AsItStands, heard: Sequence[Heard]) -> list[Extraction]:
        for one in heard:
            for word, error in troubles.items():
                if word in one.text:
                    raise error
        return read(self, heard)

    monkeypatch.setattr(AsItStands, "extract", extract)
    return troubles


# as if at once


def test_what_was_accepted_is_remembered_when_jobs_are_run(mem: Treering) -> None:
    job = enqueue(mem)
    assert (job.status, job.of, len(mem.list())) == ("pending", 1, 0)
    assert mem.run_jobs() == WorkedOff(completed=1)
    done = mem.job(job.id)
    assert (done.status, done.stage, done.done, done.errors) == ("completed", "enriched", 1, ())
    [memory] = mem.list()
    assert done.result.memory_ids == (memory.id,)
    assert done.result.source_ids == (memory.source_id,)
    assert done.result.seq == mem.status().seq


def test_it_is_remembered_with_all_that_was_said_of_it(mem: Treering, clock: HandClock) -> None:
    more: dict[str, Any] = {
        "at": "2025-05-01T09:00:00Z",
        "speaker": "Ada",
        "session": "s1",
        "tags": ["home"],
        "meta": {"turn": 3},
        "observed_by": "ear",
        "visibility": "private",
        "visible_to": ["ann"],
    }
    enqueue(mem, **more)
    clock.advance(hours=1)
    mem.run_jobs()
    mem.remember("Ada was here", extractor="none", **more)
    its_own = ("id", "content", "recorded_at", "source_id", "span", "strength", "last_used")
    told = [{k: v for k, v in one.to_dict().items() if k not in its_own} for one in mem.list()]
    assert told[0] == told[1]
    assert told[0]["said_at"] == "2025-05-01T09:00:00Z"


def test_it_was_said_when_it_was_accepted_not_when_it_was_read(mem: Treering, clock: HandClock) -> None:
    asked = clock.now
    enqueue(mem)
    clock.advance(days=3)
    mem.run_jobs()
    assert mem.list()[0].said_at == asked


def test_drafts_and_conversations_are_accepted_too(mem: Treering) -> None:
    enqueue(mem, **talk("Ada lives in Berlin", "Bo knows Ada"))
    mem.enqueue(drafts=[{"content": "Ada likes tea", "triples": [["Ada", "LIKES", "Tea"]]}])
    assert mem.run_jobs() == WorkedOff(completed=2)
    assert contents(mem.list()) == ["Ada lives in Berlin", "Bo knows Ada", "Ada likes tea"]
    assert [fact.relation for fact in mem.facts(subject="Ada", object="Tea")] == ["LIKES"]


REFUSED: dict[str, dict[str, Any]] = {
    "nothing": {},
    "nothing but blanks": {"content": " "},
    "two ways in": {"content": "x", "messages": [{"content": "y"}]},
    "a message that says nothing": {"messages": [{"content": "x"}, {"role": "user"}]},
    "a draft of another shape": {"drafts": [{"content": "x", "colour": "red"}]},
    "a draft with a wrong time": {"drafts": [{"content": "x", "event_time": "yesterday"}]},
    "too many tags": {"content": "x", "tags": ["t"] * 51},
    "a wrong time": {"content": "x", "at": "tomorrow"},
    "an unknown extractor": {"content": "x", "extractor": "magic"},
    "a half character": {"content": "\ud800"},
    "meta that is no object": {"content": "x", "meta": [1]},
    "a key in use": {"content": "x", "key": "taken", "extractor": "none"},
    "an extractor that is not set up": {"content": "x", "extractor": "client"},
}


@pytest.mark.parametrize("what", REFUSED)
def test_what_remember_would_refuse_is_refused_in_the_same_words_before_it_is_accepted(
    mem: Treering, what: str
) -> None:
    mem.remember("Something else", key="taken", extractor="none")
    with pytest.raises(TreeringError) as at_once:
        mem.remember(**REFUSED[what])
    with pytest.raises(TreeringError) as later:
        mem.enqueue(**REFUSED[what])
    assert (type(later.value), str(later.value)) == (type(at_once.value), str(at_once.value))
    assert mem.jobs() == []


def test_a_full_queue_is_unavailable_and_says_when_to_come_back(mem: Treering, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "JOBS_WAITING_IN_A_SPACE", 1)
    enqueue(mem)
    with pytest.raises(Unavailable) as full:
        enqueue(mem, "Bo is here")
    assert full.value.retry_after_seconds == limits.FULL_QUEUE_SECONDS
    mem.run_jobs()
    enqueue(mem, "Bo is here")


# once


def test_the_same_key_answers_the_same_job_and_is_remembered_once(mem: Treering, clock: HandClock) -> None:
    first = enqueue(mem, key="turn 1")
    clock.advance(minutes=1)
    assert enqueue(mem, key="turn 1") == first
    mem.run_jobs()
    assert enqueue(mem, key="turn 1").status == "completed"
    assert mem.remember("Ada is here", key="turn 1", extractor="none").repeated
    assert contents(mem.list()) == ["Ada is here"]
    with pytest.raises(Conflict, match="key"):
        enqueue(mem, "Other words", key="turn 1")


def test_without_a_key_what_is_said_twice_is_two_jobs(mem: Treering) -> None:
    assert enqueue(mem).id != enqueue(mem).id


def test_what_was_remembered_at_once_under_the_key_is_not_remembered_again(mem: Treering) -> None:
    mem.remember("Ada is here", key="turn 1", extractor="none")
    enqueue(mem, key="turn 1")
    assert mem.run_jobs() == WorkedOff(completed=1)
    assert contents(mem.list()) == ["Ada is here"]


# trouble


def test_a_source_that_cannot_be_read_leaves_the_others_remembered(
    mem: Treering, trouble: dict[str, Exception]
) -> None:
    trouble["Bo"] = InvalidRequest("content: what?")
    job = enqueue(mem, **talk("Ada lives in Berlin", "Bo knows Ada", "Cy likes tea"))
    assert mem.run_jobs() == WorkedOff(partial=1)
    told = mem.job(job.id)
    assert [(one.source, one.code, one.message) for one in told.errors] == [(1, "invalid_request", "content: what?")]
    assert (told.done, told.of, len(told.result.memory_ids)) == (2, 3, 2)
    assert contents(mem.list()) == ["Ada lives in Berlin", "Cy likes tea"]
    trouble.clear()
    mem.resume(extractor="none")
    assert sorted(contents(mem.list())) == ["Ada lives in Berlin", "Bo knows Ada", "Cy likes tea"]


def test_what_does_not_answer_is_asked_again_and_then_all_is_remembered_once(
    mem: Treering, clock: HandClock, trouble: dict[str, Exception]
) -> None:
    trouble["Bo"] = Unavailable("mind: no answer")
    job = enqueue(mem, **talk("Ada lives in Berlin", "Bo knows Ada"))
    assert mem.run_jobs() == WorkedOff(retried=1)
    assert mem.job(job.id).stage == "stored"
    trouble.clear()
    clock.advance(seconds=1)
    assert mem.run_jobs() == WorkedOff(completed=1)
    assert contents(mem.list()) == ["Ada lives in Berlin", "Bo knows Ada"]


def test_what_fails_for_good_after_it_was_stored_waits_to_be_read_and_its_words_leave_the_job(
    mem: Treering, trouble: dict[str, Exception]
) -> None:
    trouble["Ada"] = InvalidRequest("content: what?")
    job = enqueue(mem)
    assert mem.run_jobs() == WorkedOff(failed=1)
    assert (mem.job(job.id).stage, mem.job(job.id).holds_words) == ("stored", False)
    trouble.clear()
    mem.resume(extractor="none")
    assert contents(mem.list()) == ["Ada is here"]


def test_what_failed_before_it_was_stored_can_be_tried_again_with_nothing_lost(
    mem: Treering, clock: HandClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    job = enqueue(mem)
    with monkeypatch.context() as broken:
        broken.setattr(Treering, "_journey", lambda self, space: (_ for _ in ()).throw(Unavailable("disk full")))
        for _ in range(PATIENT.attempts):
            mem.run_jobs()
            clock.advance(minutes=5)
    assert (mem.job(job.id).status, mem.job(job.id).holds_words) == ("failed", True)
    assert mem.retry_job(job.id).status == "pending"
    assert mem.run_jobs() == WorkedOff(completed=1)
    assert contents(mem.list()) == ["Ada is here"]


def test_a_session_is_remembered_in_order_also_when_one_of_it_is_tried_again(
    mem: Treering, clock: HandClock, trouble: dict[str, Exception]
) -> None:
    trouble["one"] = Unavailable("mind: no answer")
    for said in ("Number one", "Number two"):
        enqueue(mem, said, session="s1")
    enqueue(mem, "Elsewhere", session="s2")
    assert mem.run_jobs() == WorkedOff(retried=1, completed=1)
    assert contents(mem.list()) == ["Elsewhere"]
    trouble.clear()
    clock.advance(seconds=1)
    mem.run_jobs()
    assert contents(mem.list()) == ["Elsewhere", "Number one", "Number two"]


# cancelling


def test_a_cancelled_job_is_not_done(mem: Treering) -> None:
    job = enqueue(mem)
    assert mem.cancel_job(job.id).status == "cancelled"
    assert mem.run_jobs() == WorkedOff()
    assert contents(mem.list()) == []


def test_a_job_cancelled_while_it_is_done_stops_between_sources_and_keeps_what_was_remembered(
    mem: Treering, clock: HandClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    job = enqueue(mem, **talk("One", "Two", "Three", "Four"))
    whole = Treering._write

    def write(self: Treering, *rest: Any, **more: Any) -> Any:
        clock.advance(seconds=2)
        result = whole(self, *rest, **more)
        if contents(mem.list()) == ["One", "Two"]:
            mem.cancel_job(job.id)
        return result

    monkeypatch.setattr(Treering, "_write", write)
    assert mem.run_jobs() == WorkedOff(cancelled=1)
    assert contents(mem.list()) == ["One", "Two"]
    assert (mem.job(job.id).done, mem.job(job.id).of, mem.job(job.id).holds_words) == (2, 4, False)


# whose it is


def test_a_job_is_done_on_behalf_of_who_asked_whoever_s_process_does_it(doors: Doors) -> None:
    ann, bob = doors("ann", "bob")
    enqueue(ann, "Ann's secret", visibility="private")
    assert bob.run_jobs() == WorkedOff(completed=1)
    assert contents(bob.list()) == []
    [memory] = ann.list()
    assert memory.observed_by == "ann"


def test_jobs_of_others_are_not_there(doors: Doors) -> None:
    ann, bob = doors("ann", "bob")
    job = enqueue(ann)
    assert bob.jobs() == []
    for ask in (bob.job, bob.cancel_job, bob.retry_job, ann.space("den").job):
        with pytest.raises(NotFound, match=f"id: you have no job '{job.id}' here"):
            ask(job.id)
    assert ann.jobs() == [job]


def test_what_an_actor_that_signs_asked_for_is_signed_and_so_done_by_a_holder_of_the_key(doors: Doors) -> None:
    ann, bob = doors("ann", identity=Identity.generate()), doors("bob")
    enqueue(ann)
    assert bob.run_jobs() == WorkedOff()
    assert ann.run_jobs() == WorkedOff(completed=1)
    with pytest.raises(Forbidden):
        doors("ann").add("Not Ann")
    assert ann.verify().signatures["peer_attested"] + ann.verify().signatures["self_signed"] > 0


def test_jobs_of_all_spaces_are_done_and_each_stays_in_its_own(doors: Doors) -> None:
    lab, den = doors("ann"), doors("ann", space="den")
    enqueue(lab)
    enqueue(den, "Bo is here")
    assert lab.run_jobs() == WorkedOff(completed=2)
    assert (contents(lab.list()), contents(den.list())) == (["Ada is here"], ["Bo is here"])
    assert den.jobs(status="completed")[0].space == "den"


def test_jobs_are_listed_by_how_they_stand(mem: Treering) -> None:
    done = enqueue(mem)
    mem.run_jobs()
    waits = enqueue(mem, "Bo is here")
    assert [job.id for job in mem.jobs()] == [waits.id, done.id]
    assert [job.id for job in mem.jobs(status="pending")] == [waits.id]
    assert [job.id for job in mem.jobs(limit=1)] == [waits.id]


# what is left


def test_jobs_are_in_no_journal_and_change_nothing_that_verify_looks_at(
    mem: Treering, tmp_path: Path, new_store: Callable[[str], Store]
) -> None:
    mem.add("Ada was here")
    before = mem.status().seq
    enqueue(mem, "Bo is coming")
    assert mem.status().seq == before
    mem.export(str(tmp_path / "out.jsonl"))
    assert "Bo is coming" not in (tmp_path / "out.jsonl").read_text()
    assert mem.verify().ok


SECRET = "Die Zahlenkombination ist größer als 8142"


@pytest.mark.parametrize("meanwhile", ["nothing", "another reader"])
def test_of_what_was_remembered_by_a_job_a_purge_leaves_no_byte(
    db_path: Path, clock: HandClock, meanwhile: str
) -> None:
    store = open_store(str(db_path))
    mem = Treering(store, clock=clock, actor="ann", space="lab")
    enqueue(mem, SECRET, session="nachtsitzung", key="schlüssel-17", speaker="Egon Olsen", tags=["panzerknacker"])
    enqueue(mem, "Ada is here")
    mem.run_jobs()
    reader = sqlite3.connect(db_path)
    if meanwhile == "another reader":
        reader.execute("BEGIN")
        reader.execute("SELECT COUNT(*) FROM job").fetchone()
    [gone] = [one for one in mem.list() if one.content == SECRET]
    report = mem.purge(gone.id, "asked to")
    assert report.scrubbed is (meanwhile == "nothing")
    reader.close()
    mem.close()
    open_store(str(db_path)).close()
    left = b"".join(one.read_bytes() for one in db_path.parent.glob(db_path.name + "*") if one.is_file())
    traces = ("Zahlenkombination", "nachtsitzung", "schlüssel-17", "Egon Olsen", "panzerknacker")
    assert [one for one in traces if one.encode() in left] == []


def test_what_was_purged_while_its_job_was_to_be_tried_again_does_not_come_back(
    mem: Treering, clock: HandClock, trouble: dict[str, Exception]
) -> None:
    trouble["Bo"] = Unavailable("mind: no answer")
    job = enqueue(mem, **talk(SECRET, "Bo knows"))
    mem.run_jobs()
    trouble.clear()
    mem.resume(extractor="none")
    [gone] = [one for one in mem.list() if one.content == SECRET]
    mem.purge(gone.id, "asked to")
    clock.advance(minutes=10)
    assert mem.run_jobs() == WorkedOff()
    assert (mem.job(job.id).status, mem.job(job.id).holds_words) == ("cancelled", False)
    assert contents(mem.list()) == ["Bo knows"]


def test_a_purge_tells_of_your_jobs_that_are_still_to_say_the_same(doors: Doors) -> None:
    ann, bob = doors("ann", "bob")
    gone = ann.add(SECRET).id
    waits = enqueue(ann, **talk("Something else", f"{SECRET}, I said"))
    enqueue(ann, "Ada is here")
    enqueue(bob, SECRET)
    for dry_run in (True, False):
        assert ann.purge(gone, "asked to", dry_run=dry_run).jobs == (waits.id,)
    assert ann.job(waits.id).holds_words
