"""Does an index that comes back from a file answer as the one that was saved? In this process and in another, with what
was remembered since, and without a question writing anything."""

from __future__ import annotations

import json
import stat
from pathlib import Path
from typing import Any

import pytest
from tests.conftest import HandClock
from tests.recall.index_file.filed import QUESTIONS, Opened, afresh, answers, files, loads, run, tell, written

from treering.recall import index_cache


def test_an_index_from_a_file_answers_as_one_made_from_the_store(
    opened: Opened, clock: HandClock, db_path: Path, embedder: Any
) -> None:
    written(opened, clock, db_path)
    used: list[bool] = []
    with loads(used):
        found = answers(opened())
    assert used == [True]
    assert found == afresh(db_path, clock, embedder)


def test_what_was_remembered_since_is_learned_on_top_of_the_file(
    opened: Opened, clock: HandClock, db_path: Path, embedder: Any
) -> None:
    written(opened, clock, db_path)
    more = opened()
    tell(more, clock, 25, seed=2)
    used: list[bool] = []
    with loads(used):
        found = answers(more)
    assert used == [True]
    assert found == afresh(db_path, clock, embedder)
    tell(more, clock, 5, seed=3)
    assert answers(more) == afresh(db_path, clock, embedder)


def test_a_door_closed_again_and_again_leaves_one_file_that_has_learned_all(
    opened: Opened, clock: HandClock, db_path: Path, embedder: Any
) -> None:
    for round_ in range(4):
        door = opened()
        tell(door, clock, 10, seed=round_)
        answers(door)
        door.close()
        assert len(files(db_path)) == 1
    assert answers(opened()) == afresh(db_path, clock, embedder)


def test_the_file_and_its_folder_belong_to_their_owner_alone(opened: Opened, clock: HandClock, db_path: Path) -> None:
    file = written(opened, clock, db_path)
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert stat.S_IMODE(file.parent.stat().st_mode) == 0o700


def test_another_process_uses_the_file_and_says_the_same(opened: Opened, clock: HandClock, db_path: Path) -> None:
    written(opened, clock, db_path)
    asked = opened()
    here = [[(hit.memory.id, hit.score) for hit in asked.recall(one)] for one in QUESTIONS]
    embedder = "Hashing()" if asked._minds.default != "none" else "'none'"
    code = f"""
import json, sys
from datetime import datetime
from tests.conftest import HandClock
from tests.recall.hashing import Hashing
from tests.recall.index_file.filed import QUESTIONS, loads
from treering.door import Treering
from treering.store import open_store
used = []
clock = HandClock(datetime.fromisoformat({clock.now.isoformat()!r}))
door = Treering(open_store(sys.argv[1]), clock=clock, space="lab", embedder={embedder})
with loads(used):
    found = [[(hit.memory.id, hit.score) for hit in door.recall(one)] for one in QUESTIONS]
print(json.dumps([used, found]))
"""
    used, there = json.loads(run(code, str(db_path)).stdout)
    assert used == [True]
    assert [[tuple(hit) for hit in one] for one in there] == here


def test_a_question_writes_nothing(opened: Opened, clock: HandClock, db_path: Path) -> None:
    def listing() -> list[tuple[str, int, int]]:
        return [(str(one), one.stat().st_mtime_ns, one.stat().st_size) for one in sorted(db_path.parent.rglob("*"))]

    door = opened()
    tell(door, clock, 20)
    before = listing()
    answers(door)
    assert listing() == before
    door.close()
    tell(door := opened(), clock, 20, seed=2)
    before = listing()
    answers(door)
    assert listing() == before


def test_a_small_index_is_not_written_and_a_large_one_once(
    opened: Opened, clock: HandClock, db_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(index_cache, "NEW", 30)
    door = opened()
    tell(door, clock, 30)
    answers(door)
    door.add("one more")
    door.close()
    assert files(db_path) == []
    door = opened()
    answers(door)
    door.add("the last straw")
    (file,) = files(db_path)  # by the writing, while the door is open
    first = file.stat().st_mtime_ns
    tell(door, clock, 5, seed=2)
    answers(door)
    door.close()
    assert file.stat().st_mtime_ns == first
