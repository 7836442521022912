"""A space may ask that what recall answers with counts as used. It is written soon after, by nobody who waits."""

from __future__ import annotations

import logging
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

import pytest
from tests.conftest import Doors, HandClock

import treering
from treering.door import Treering
from treering.door import uses as uses_room
from treering.door.uses import Uses
from treering.errors import InvalidRequest, Unavailable

ON = {"touch_on_recall": True}


def counted(mem: Treering) -> None:
    """Waits until all that was recalled is written."""
    mem._uses.flush()


def counts(mem: Treering, **more: Any) -> dict[str, int]:
    return {one.content: one.use_count for one in mem.list(**more)}


def writers() -> list[str]:
    return [one.name for one in threading.enumerate() if one.name == "treering-uses"]


@pytest.fixture
def tea(mem: Treering) -> str:
    mem.add("Bo plays the cello")
    return mem.add("Ada drinks green tea").id


def test_a_recall_writes_nothing_and_starts_no_thread_unless_the_space_asks_for_it(mem: Treering, tea: str) -> None:
    before = mem.status().seq
    assert mem.recall("Who drinks tea?").hits
    assert mem.context("Who drinks tea?").citations == (tea,)
    assert writers() == []
    counted(mem)
    assert (mem.status().seq, counts(mem)["Ada drinks green tea"]) == (before, 0)


def test_what_is_recalled_counts_as_used_where_the_space_asks_for_it(mem: Treering, tea: str, clock: HandClock) -> None:
    mem.settings(ON)
    strength = mem.get(tea).strength
    clock.advance(days=2)
    for _ in range(3):
        mem.recall("Who drinks tea?")
    mem.context("Who drinks tea?")
    counted(mem)
    memory = mem.get(tea)
    assert (memory.use_count, memory.review_count, memory.strength) == (4, 0, strength)
    assert memory.last_used >= clock.now
    assert counts(mem)["Bo plays the cello"] == 0
    assert mem.verify().ok


def test_uses_that_come_close_together_are_one_entry_of_the_journal(mem: Treering, tea: str) -> None:
    mem.settings(ON)
    before = mem.status().seq
    mem._uses._gathered_seconds = 60
    for _ in range(20):
        mem.recall("Who drinks tea?")
    counted(mem)
    assert (mem.status().seq, mem.get(tea).use_count) == (before + 1, 20)
    assert [event.what for event in mem.history(tea).events][-1].startswith("touched")


def test_the_answer_is_the_same_with_and_without(mem: Treering, tea: str) -> None:
    plain, written = mem.recall("Who drinks tea?"), mem.context("Who drinks tea?")
    mem.settings(ON)
    answer = mem.recall("Who drinks tea?")
    assert [(hit.memory, hit.score) for hit in answer] == [(hit.memory, hit.score) for hit in plain]
    counted(mem)
    assert mem.context("Who drinks tea?").text == written.text
    counted(mem)


def test_who_looks_something_up_uses_nothing(mem: Treering, tea: str, clock: HandClock) -> None:
    mem.settings(ON)
    mem.recall("Who drinks tea?", as_of=clock.now)
    mem.recall("Who drinks tea?", known_at=clock.now)
    mem.context("Who drinks tea?", as_of=clock.now)
    mem.why_not("Who drinks tea?", tea)
    mem.forget(query="Who drinks tea?")
    mem.forget(query="Who drinks tea?", dry_run=True)
    mem.unnoticed().recall("Who drinks tea?")
    assert writers() == []
    assert mem.get(tea).use_count == 0


def test_it_can_be_switched_off_again_and_takes_true_or_false(mem: Treering, tea: str) -> None:
    assert mem.settings()["touch_on_recall"] is False
    assert mem.settings(ON)["touch_on_recall"] is True
    mem.recall("Who drinks tea?")
    counted(mem)
    mem.settings({"touch_on_recall": False})
    mem.recall("Who drinks tea?")
    assert writers() == []
    assert mem.get(tea).use_count == 1
    with pytest.raises(InvalidRequest, match="touch_on_recall: 'yes' is neither true nor false"):
        mem.settings({"touch_on_recall": "yes"})


def test_each_space_below_decides_for_itself(mem: Treering) -> None:
    for space in ("acme", "acme/asks", "acme/silent"):
        mem.add(f"Ada drinks tea in {space}", space=space)
    mem.settings(ON, space="acme/asks")
    mem.recall("Who drinks tea?", space="acme", children=True)
    mem.context("Who drinks tea?", space="acme", children=True)
    counted(mem)
    assert counts(mem, space="acme", children=True) == {
        "Ada drinks tea in acme": 0,
        "Ada drinks tea in acme/asks": 2,
        "Ada drinks tea in acme/silent": 0,
    }


def test_a_use_is_its_actors_and_of_nothing_that_the_actor_may_not_see(doors: Doors) -> None:
    ann, bob = doors("ann", "bob")
    secret = ann.add("Ada drinks tea in secret", visibility="private").id
    ann.settings(ON)
    before = ann.status().seq
    assert bob.recall("Who drinks tea?", principal="ann").hits
    counted(bob)
    assert (ann.get(secret).use_count, ann.status().seq) == (0, before)
    ann.recall("Who drinks tea?")
    counted(ann)
    assert ann.get(secret).use_count == 1
    assert [event.actor for event in ann.history(secret).events][-1] == "ann"


def test_a_write_that_fails_is_told_once_and_hurts_no_answer(
    mem: Treering, tea: str, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    mem.settings(ON)
    real = mem._store.write

    def full(*_: Any) -> None:
        raise Unavailable("the disk is full")

    with caplog.at_level(logging.WARNING, "treering.door.uses"):
        monkeypatch.setattr(mem._store, "write", full)
        for _ in range(2):
            assert [hit.memory.id for hit in mem.recall("Who drinks tea?")] == [tea]
            counted(mem)
        monkeypatch.setattr(mem._store, "write", real)
    assert [
        one.getMessage()
        for one in caplog.records
        if one.levelno >= logging.WARNING and "the disk is full" in one.getMessage()
    ] == ["what was recalled in lab could not be counted (the disk is full); the answers are not touched by it"]
    mem.recall("Who drinks tea?")
    counted(mem)
    assert mem.get(tea).use_count == 1


def test_what_is_forgotten_or_purged_meanwhile_is_passed_over(mem: Treering, tea: str) -> None:
    mem.settings(ON)
    mem._uses._gathered_seconds = 60
    gone = mem.add("Cy drinks black tea").id
    assert {hit.memory.id for hit in mem.recall("Who drinks tea?")} == {tea, gone}
    mem.purge(gone, "asked to")
    mem.forget(tea)
    counted(mem)
    mem.restore(tea)
    assert mem.get(tea).use_count == 0
    assert mem.verify().ok


def test_threads_that_ask_at_once_are_all_counted(mem: Treering, tea: str) -> None:
    mem.settings(ON)

    def ask() -> None:
        for _ in range(10):
            mem.recall("Who drinks tea?")

    asking = [threading.Thread(target=ask) for _ in range(2)]
    for one in asking:
        one.start()
    for one in asking:
        one.join()
    counted(mem)
    assert mem.get(tea).use_count == 20


def test_closing_the_door_writes_what_waits_and_then_nothing_more(tmp_path: Path) -> None:
    with treering.open(tmp_path / "a.db") as mem:
        tea = mem.add("Ada drinks green tea").id
        mem.settings(ON)
        mem._uses._gathered_seconds = 60
        mem.recall("Who drinks tea?")
    assert writers() == []
    mem._uses.note("ann", [("lab", tea)], pytest.fail)
    assert writers() == []
    with treering.open(tmp_path / "a.db") as mem:
        assert mem.get(tea).use_count == 1


ASKS = "import sys, treering; treering.open(sys.argv[1]).recall('Who drinks tea?')"


@pytest.mark.parametrize(
    "asked",
    [["-m", "treering.faces.cli", "--url", "{url}", "recall", "Who drinks tea?"], ["-c", ASKS, "{url}"]],
    ids=["the command line", "a program that closes nothing"],
)
def test_a_program_that_ends_has_written_what_it_recalled(asked: list[str], tmp_path: Path) -> None:
    url = str(tmp_path / "a.db")
    with treering.open(url) as mem:
        tea = mem.add("Ada drinks green tea").id
        mem.settings(ON)
    subprocess.run([sys.executable, *(one.format(url=url) for one in asked)], check=True, capture_output=True)
    with treering.open(url) as mem:
        assert mem.get(tea).use_count == 1


def test_no_more_wait_than_there_is_room_for(monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture) -> None:
    monkeypatch.setattr(uses_room, "MOST_WAITING", 2)
    written: dict[str, int] = {}
    uses = Uses(gathered_seconds=60)
    for memory_id in ("a", "b", "c", "a", "d"):
        uses.note("ann", [("lab", memory_id)], lambda _, times: written.update(times))
    uses.close()
    assert written == {"a": 2, "b": 1}
    assert (
        len(
            [
                one
                for one in caplog.records
                if one.levelno >= logging.WARNING and "wait to be counted" in one.getMessage()
            ]
        )
        == 1
    )


def test_where_no_thread_can_be_started_nothing_is_counted_and_nothing_breaks(
    mem: Treering, tea: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    mem.settings(ON)

    real = threading.Thread.start

    def none_left(thread: threading.Thread) -> None:
        if thread.name == "treering-uses":
            raise RuntimeError("can't start new thread")
        real(thread)

    with monkeypatch.context() as short:
        short.setattr(threading.Thread, "start", none_left)
        assert mem.recall("Who drinks tea?").hits
    mem.recall("Who drinks tea?")
    counted(mem)
    assert mem.get(tea).use_count == 1
