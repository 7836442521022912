"""How another embedder takes a space over: in steps that are kept, beside the old one, and all at once in the end."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from tests.conftest import HandClock
from tests.recall.listening import Listening, door, read_by

from treering.door import Treering
from treering.errors import Unavailable
from treering.store import open_store
from treering.store.contract import Store
from treering.upkeep.reembed import STEP

ROOT = Path(__file__).parents[2]
PLANTS = ("rose", "oak", "fern", "moss", "lily", "pine", "ivy", "reed")
QUESTION = "Which tree stands in the garden?"


@pytest.fixture
def old() -> Listening:
    return Listening("old")


@pytest.fixture
def new() -> Listening:
    return Listening("new")


@pytest.fixture
def mem(store: Store, clock: HandClock, old: Listening, new: Listening) -> Treering:
    return door(store, clock, old, new)


def tell(mem: Treering, count: int, **more: Any) -> list[str]:
    """Statements and a few names; the ids of the statements."""
    said = [
        {"content": f"The {PLANTS[n % 8]} number {n} is in the garden", "speaker": "Ada", "entities": [PLANTS[n % 8]]}
        for n in range(count)
    ]
    return [one.id for one in mem.add_many(said, **more).memories]


def answers(mem: Treering) -> list[tuple[str, float]]:
    return [(hit.memory.id, hit.score) for hit in mem.recall(QUESTION)]


# completing


def test_what_was_left_for_later_is_read_as_if_it_had_been_read_at_once(
    mem: Treering, store: Store, clock: HandClock, old: Listening, new_store: Callable[[str], Store]
) -> None:
    tell(mem, 10, embed_later=True)
    done = mem.reembed()
    assert (done.embedder, done.read, done.left, done.complete, done.switched) == ("old", 18, 0, True, False)
    assert old.texts[:1] == ["Ada: The rose number 0 is in the garden"]
    other = new_store("sqlite")
    tell(door(other, clock, old), 10)
    assert [row.data for row in store.vectors("lab", "old")][:10] == [
        row.data for row in other.vectors("lab", "old") if row.thing_id in {text.id for text in other.texts("lab")}
    ]
    assert mem.recall(QUESTION).index[0].embedded == 10


def test_what_came_by_import_is_read(
    mem: Treering, clock: HandClock, old: Listening, tmp_path: Path, new_store: Callable[[str], Store]
) -> None:
    tell(mem, 3)
    mem.export(str(tmp_path / "out.jsonl"))
    other = door(new_store("sqlite"), clock, old)
    other.import_journal(str(tmp_path / "out.jsonl"))
    assert other.reembed().read == 6
    assert answers(other) == answers(mem)


def test_with_nothing_to_do_nothing_changes(mem: Treering, store: Store, old: Listening) -> None:
    assert mem.reembed().complete
    assert mem.spaces() == []
    tell(mem, 3)
    before, rows = mem.status().head_hash, list(store.vectors("lab", "old"))
    old.heard.clear()
    told: list[tuple[int, int]] = []
    for name in (None, "old"):
        done = mem.watched(lambda *one: told.append(one)).reembed(name)
        assert (done.read, done.complete, done.switched) == (0, True, False)
    assert (mem.status().head_hash, list(store.vectors("lab", "old"))) == (before, rows)
    assert (old.heard, told) == ([], [])


# switching


def test_the_switch_is_one_entry_and_the_old_vectors_go(mem: Treering, store: Store, new: Listening) -> None:
    ids = tell(mem, 9)
    done = mem.reembed("new")
    assert (done.embedder, done.read, done.complete, done.switched) == ("new", 17, True, True)
    assert [entry.op for entry in store.entries("lab")] == ["add_many", "reembed"]
    assert mem.settings()["embedder"] == "new"
    assert store.embedders("lab") == ["new"]
    assert set(ids) < set(read_by(store, "new"))
    assert len(new.heard) == 17
    assert mem.verify().ok
    assert mem.recall(QUESTION).index[0].embedder == "new"
    assert not mem.reembed("new").switched
    assert mem.status().seq == 2


def test_another_door_sees_the_switch_at_its_next_question(
    mem: Treering, store: Store, clock: HandClock, old: Listening, new: Listening
) -> None:
    tell(mem, 9)
    other = door(store, clock, old, new)
    before = other.recall(QUESTION)
    mem.reembed("new")
    after = other.recall(QUESTION)
    assert (before.index[0].embedder, after.index[0].embedder, after.index[0].embedded) == ("old", "new", 9)
    assert answers(other) == answers(mem) == answers(door(store, clock, old, new))
    other.add("One more")
    assert store.unread("lab", "new", 9) == []


@pytest.mark.parametrize("default", ["old", "new", "none"])
def test_questions_go_on_with_the_old_one_until_the_new_one_has_read_all(
    default: str, mem: Treering, store: Store, clock: HandClock, old: Listening, new: Listening
) -> None:
    """Whatever the asking door, or the one that reembeds, would prefer."""
    tell(mem, 9)
    before, seq = answers(mem), mem.status().seq
    other = door(store, clock, {"old": old, "new": new}.get(default, "none"), old, new)
    done = other.reembed("new", limit=5)
    assert (done.read, done.left, done.complete, done.switched) == (5, 12, False, False)
    assert (mem.status().seq, store.embedders("lab")) == (seq, ["old", "new"])
    for one in (mem, door(store, clock, new, old)):
        assert one.recall(QUESTION).index[0].embedder == "old"
        assert answers(one) == before
    mem.add("Added meanwhile")
    assert "Added meanwhile" not in new.texts
    assert other.reembed("new").switched
    assert "Added meanwhile" in new.texts
    assert store.embedders("lab") == ["new"]
    assert mem.recall(QUESTION).index[0].embedder == "new"
    assert answers(mem) != before


def test_what_is_added_while_it_runs_is_read_by_the_new_one_in_the_end(
    mem: Treering, store: Store, clock: HandClock, old: Listening, new: Listening
) -> None:
    tell(mem, STEP + 9)
    other, steps = door(store, clock, old, new), []

    def writes(passages: Any) -> None:
        if len(steps) < 3:
            steps.append(len(passages))
            other.add(f"Added at step {len(steps)}")

    new.meanwhile = writes
    done = mem.reembed("new")
    assert (len(steps), done.complete) == (3, True)
    assert store.unread("lab", "new", 9) == []
    assert mem.recall(QUESTION).index[0].embedded == STEP + 12


def test_what_is_added_between_the_last_step_and_the_switch_is_read_too(
    mem: Treering, store: Store, clock: HandClock, old: Listening, new: Listening, monkeypatch: pytest.MonkeyPatch
) -> None:
    tell(mem, 3)
    other, real, told = door(store, clock, old, new), store.write, list[tuple[int, int]]()

    def late(*args: Any) -> Any:
        monkeypatch.setattr(store, "write", real)
        other.add("Just in time")
        return real(*args)

    monkeypatch.setattr(store, "write", late)
    done = mem.watched(lambda *one: told.append(one)).reembed("new")
    assert (done.read, store.unread("lab", "new", 9), store.embedders("lab")) == (7, [], ["new"])
    assert told == [(0, 6), (6, 6), (6, 7), (7, 7)]


def test_to_none_and_back(mem: Treering, store: Store, clock: HandClock, old: Listening) -> None:
    tell(mem, 9)
    before = answers(mem)
    done = mem.reembed("none")
    assert (done.embedder, done.read, done.complete, done.switched) == ("none", 0, True, True)
    assert (store.embedders("lab"), mem.settings()["embedder"]) == ([], "none")
    assert mem.recall(QUESTION).index[0].embedder is None
    mem.add("Read by nobody")
    assert not mem.reembed().switched
    assert not mem.reembed("none").switched
    assert store.embedders("lab") == []
    assert mem.reembed("old").read == 18
    assert mem.recall(QUESTION).index[0].embedded == 10
    mem.purge(mem.list(order="newest", limit=1).memories[0].id, "as before")
    assert answers(mem) == before == answers(door(store, clock, old))
    assert mem.verify().ok


def test_a_door_that_reads_nothing_can_say_that_nobody_shall(mem: Treering, store: Store, clock: HandClock) -> None:
    tell(mem, 3)
    assert door(store, clock, "none").reembed("none").switched
    assert (store.embedders("lab"), mem.settings()["embedder"]) == ([], "none")


# broken off


def test_a_limit_is_kept_to_the_thing_and_the_next_run_goes_on(mem: Treering, new: Listening) -> None:
    tell(mem, 8)
    read = [mem.reembed("new", limit=limit).read for limit in (1, 5, 9, 3)]
    assert read == [1, 5, 9, 1]
    assert len(new.heard) == len(set(new.heard)) == 16


@pytest.mark.parametrize("kind", [Unavailable, KeyboardInterrupt])
def test_what_was_read_before_an_error_is_kept(
    kind: type[BaseException], mem: Treering, store: Store, new: Listening
) -> None:
    tell(mem, STEP + 20)
    before = answers(mem)

    def fails(_: Any) -> None:
        if new.heard:
            raise kind("no answer")

    new.meanwhile = fails
    with pytest.raises(kind):
        mem.reembed("new")
    assert len(read_by(store, "new")) == STEP
    assert (answers(mem), mem.status().seq) == (before, 1)
    new.meanwhile = None
    assert mem.reembed("new").read == 28
    assert len(new.heard) == len(set(new.heard))
    assert mem.verify().ok


def test_broken_off_after_the_switch_the_next_run_clears_away_the_old_vectors(
    mem: Treering, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    tell(mem, 3)

    def killed(*_: Any) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(store, "drop_vectors", killed)
        with pytest.raises(KeyboardInterrupt):
            mem.reembed("new")
    assert store.embedders("lab") == ["old", "new"]
    assert mem.recall(QUESTION).index[0].embedder == "new"
    mem.reembed("new")
    assert (store.embedders("lab"), mem.status().seq) == (["new"], 2)


_READS_SLOWLY = """
import sys, time
from tests.conftest import HandClock
from tests.recall.listening import Listening, door
from treering.store import open_store
new = Listening("new", lambda _: time.sleep(float(sys.argv[2])))
mem = door(open_store(sys.argv[1]), HandClock(), Listening("old"), new)
mem.watched(lambda done, of: print(done, flush=True)).reembed("new")
print("all", flush=True)
"""


def reembedding(path: Path, seconds_a_step: float) -> subprocess.Popen[str]:
    words = [sys.executable, "-c", _READS_SLOWLY, str(path), str(seconds_a_step)]
    return subprocess.Popen(words, stdout=subprocess.PIPE, text=True, cwd=ROOT)


def test_a_killed_process_leaves_what_it_read_and_another_reads_the_rest(
    db_path: Path, clock: HandClock, old: Listening, new: Listening
) -> None:
    store = open_store(str(db_path))
    mem = door(store, clock, old, new)
    tell(mem, STEP * 3)
    before = answers(mem)
    with reembedding(db_path, 0.3) as running:
        assert running.stdout is not None
        assert [running.stdout.readline() for _ in range(2)] == ["0\n", f"{STEP}\n"]
        os.kill(running.pid, signal.SIGKILL)
    kept = set(read_by(store, "new"))
    assert STEP <= len(kept) < STEP * 3
    assert (answers(mem), mem.verify().ok) == (before, True)
    assert mem.reembed("new").read == STEP * 3 + 8 - len(kept)
    assert (store.embedders("lab"), mem.verify().ok) == (["new"], True)
    store.close()


def test_two_processes_at_once_do_no_harm(db_path: Path, clock: HandClock, old: Listening, new: Listening) -> None:
    store = open_store(str(db_path))
    mem = door(store, clock, old, new)
    tell(mem, STEP * 3)
    with reembedding(db_path, 0.1) as one, reembedding(db_path, 0.15) as other:
        assert [each.communicate(timeout=60)[0].split()[-1] for each in (one, other)] == ["all", "all"]
    assert [entry.op for entry in store.entries("lab")] == ["add_many", "reembed"]
    assert store.embedders("lab") == ["new"]
    assert len(read_by(store, "new")) == len(set(read_by(store, "new"))) == STEP * 3 + 8
    assert mem.recall(QUESTION).index[0].embedded == STEP * 3
    assert mem.verify().ok
    store.close()


def test_of_two_with_different_wishes_the_last_wins_and_is_complete(
    store: Store, clock: HandClock, old: Listening, new: Listening
) -> None:
    """The other finishes while this one is at its last step, and again while it is about to clear away."""
    third = Listening("third")
    mem, other = door(store, clock, old, new, third), door(store, clock, old, new, third)
    tell(mem, 9)
    new.meanwhile = lambda _: other.reembed("third")
    assert mem.reembed("new").switched
    assert store.embedders("lab") == ["new"]
    assert mem.recall(QUESTION).index[0].embedded == 9
    new.meanwhile, real = None, store.write

    def overtaken(*args: Any) -> Any:
        written = real(*args)
        store.write = real  # type: ignore[method-assign]
        other.reembed("old")
        return written

    store.write = overtaken  # type: ignore[method-assign]
    mem.reembed("third")
    assert (store.embedders("lab"), mem.settings()["embedder"]) == (["old"], "old")
    assert mem.recall(QUESTION).index[0].embedded == 9
    assert mem.verify().ok


# progress


def test_progress_only_grows_and_ends_at_the_whole(mem: Treering) -> None:
    tell(mem, STEP * 2)
    told: list[tuple[int, int]] = []
    mem.watched(lambda *one: told.append(one)).reembed("new")
    assert told == [(0, 136), (64, 136), (128, 136), (136, 136)]
    told.clear()
    mem.watched(lambda *one: told.append(one)).reembed("old", limit=70)
    assert told == [(0, 70), (64, 70), (70, 70)]
    mem.reembed("old")
    assert len(told) == 3  # the door itself is not watched


def test_progress_ends_at_the_whole_when_something_was_purged_meanwhile(mem: Treering, new: Listening) -> None:
    gone = tell(mem, STEP + 5)[-1]
    told: list[tuple[int, int]] = []

    def purges(_: Any) -> None:
        new.meanwhile = None
        mem.purge(gone, "asked to")

    new.meanwhile = purges
    assert mem.watched(lambda *one: told.append(one)).reembed("new").complete
    assert [done for done, _ in told] == sorted(done for done, _ in told)
    assert told[-1] == (STEP + 12, STEP + 12)
