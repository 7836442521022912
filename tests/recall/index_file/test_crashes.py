"""What is left of the file of an index when its writer is killed, when two write at once, and where nothing can be
written? An old file, none, or a whole new one; and a door that closes all the same."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from tests.conftest import STORES, HandClock
from tests.recall.hashing import Hashing
from tests.recall.index_file.filed import ROOT, Opened, afresh, answers, files, loads, run, tell, written

from treering.door import Treering
from treering.recall.index import snapshot
from treering.store import beside, open_store
from treering.store.contract import Store


@pytest.mark.parametrize("moment", ["first", "middle", "fsync", "replace", "after"])
@pytest.mark.parametrize("old", [pytest.param(False, marks=pytest.mark.slow), True])
def test_a_process_killed_while_it_writes_leaves_the_old_file_or_none_or_the_new(
    db_path: Path, clock: HandClock, moment: str, old: bool
) -> None:
    def opened() -> Treering:
        return Treering(open_store(str(db_path)), clock=clock, space="lab", embedder=Hashing())

    with opened() as door:
        tell(door, clock, 15)
        if old:
            answers(door)
    with opened() as door:
        tell(door, clock, 15, seed=2)
    before = [one.read_bytes() for one in files(db_path)]
    code = f"""
import os, signal, sys
from datetime import datetime
from pathlib import Path
from tests.conftest import HandClock
from tests.recall.hashing import Hashing
from treering.door import Treering
from treering.recall import index_cache
from treering.recall.index import snapshot
from treering.store import open_store
index_cache.NEW = 0
die = lambda *_: os.kill(os.getpid(), signal.SIGKILL)
door = Treering(open_store(sys.argv[1]), clock=HandClock(datetime.fromisoformat({clock.now.isoformat()!r})),
                space="lab", embedder=Hashing())
door.recall("tea in the garden")
parts, replace = snapshot._parts, Path.replace
passes = []
def some(arrays):
    passes.append(1)
    for number, part in enumerate(parts(arrays)):
        if len(passes) == 2 and number == (1 if {moment!r} == "first" else 30):
            die()
        yield part
def moved(self, target):
    done = replace(self, target)
    die()
if {moment!r} in ("first", "middle"):
    snapshot._parts = some
elif {moment!r} == "fsync":
    snapshot.os.fsync = die
elif {moment!r} == "replace":
    Path.replace = die
else:
    Path.replace = moved
door.close()
"""
    died = run(code, str(db_path))
    assert died.returncode == -signal.SIGKILL, died.stderr
    after = [one.read_bytes() for one in files(db_path)]
    if moment == "after":
        assert len(after) == 1
        assert after != before
    else:
        assert after == before
    used: list[bool] = []
    with loads(used), opened() as door:
        assert answers(door) == afresh(db_path, clock, Hashing())
    assert used[0] == (old or moment == "after")


def test_what_a_killed_process_left_is_removed_in_time(opened: Opened, clock: HandClock, db_path: Path) -> None:
    file = written(opened, clock, db_path)
    left = file.with_suffix(".0123.tmp")
    new = file.with_suffix(".4567.tmp")
    for one in (left, new):
        one.write_bytes(b"half")
    long_ago = time.time() - 2 * snapshot.ABANDONED_SECONDS
    os.utime(left, (long_ago, long_ago))
    tell(door := opened(), clock, 5, seed=2)
    answers(door)
    door.close()
    assert not left.exists()
    assert new.exists()


def test_two_processes_that_write_at_once_leave_a_whole_file(
    opened: Opened, clock: HandClock, db_path: Path, embedder: Any
) -> None:
    tell(opened(), clock, 40)
    mind = "Hashing()" if embedder != "none" else "'none'"
    code = f"""
import sys
from datetime import datetime
from tests.conftest import HandClock
from tests.recall.hashing import Hashing
from treering.door import Treering
from treering.recall import index_cache
from treering.store import open_store
index_cache.NEW = 0
clock = HandClock(datetime.fromisoformat({clock.now.isoformat()!r}))
door = Treering(open_store(sys.argv[1]), clock=clock, space="lab", embedder={mind})
for _ in range(15):
    door.recall("tea")
    for place in door._found[0]._cache._kept.values():
        place.written = (-9, -9)
    door._found[0].keep_indexes()
"""
    path = os.pathsep.join([str(ROOT), str(ROOT / "src")])
    command = [sys.executable, "-c", code, str(db_path)]
    running = [subprocess.Popen(command, cwd=ROOT, env={**os.environ, "PYTHONPATH": path}) for _ in range(2)]
    used: list[bool] = []
    while any(one.poll() is None for one in running):
        door = opened()
        with loads(used):
            door.recall("tea")
        door._found[0].drop_indexes("lab")
        door.close()
    assert [one.returncode for one in running] == [0, 0]
    assert used == sorted(used)  # once there is one, it is whole at any time
    with loads(used):
        found = answers(opened())
    assert used[-1]
    assert found == afresh(db_path, clock, embedder)
    assert len(list(db_path.with_name("work.db.index").iterdir())) == 1


@pytest.mark.parametrize("fault", ["a file in its place", "read-only", "full", "replace"])
def test_a_door_closes_although_its_index_cannot_be_written(
    opened: Opened,
    clock: HandClock,
    db_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
    fault: str,
) -> None:
    door = opened()
    tell(door, clock, 10)
    answers(door)

    def fails(*_: Any) -> None:
        raise OSError(28, "No space left on device")

    if fault == "full":
        monkeypatch.setattr(os, "fsync", fails)
    elif fault == "read-only":
        monkeypatch.setattr(os, "open", fails)
    elif fault == "replace":
        monkeypatch.setattr(Path, "replace", fails)
    else:
        db_path.with_name("work.db.index").write_text("not a folder")
    door.close()
    assert "the index of lab could not be written" in caplog.text
    if fault != "a file in its place":
        assert list(db_path.with_name("work.db.index").iterdir()) == []


@pytest.mark.parametrize("kind", STORES)
def test_only_a_file_that_can_be_written_to_has_a_place_beside_it(
    new_store: Callable[[str], Store], kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = new_store(kind)
    folder = store.beside()
    assert (folder is not None) == (kind == "sqlite")
    if folder is not None:
        assert not folder.exists()
        assert folder.name.endswith(".db.index")
        monkeypatch.setattr(os, "access", lambda *_: False)
        assert store.beside() is None
    assert beside.stamp(store.beside(), "lab") == ""


def test_a_store_without_such_a_place_answers_all_the_same(store: Store, clock: HandClock) -> None:
    door = Treering(store, clock=clock, space="lab", embedder=Hashing())
    tell(door, clock, 10)
    answers(door)
    door.close()
