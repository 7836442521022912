"""What if the disk fails while a file is made, brought up, repaired or copied? It can be opened, or is as it was."""

from __future__ import annotations

import shutil
import sqlite3
from pathlib import Path

import pytest
from tests.property.faults import MOST, Ground, Trap, copies_of, door_on, goes_on, ground, whole

from treering.door import Diagnosis
from treering.errors import Fault, Unavailable
from treering.store.sqlite import SqliteStore, schema

__all__ = ["ground"]


def test_a_fault_while_a_new_file_is_made_leaves_a_file_that_can_be_opened(tmp_path: Path) -> None:
    for late in (False, True):
        for n in range(1, MOST):
            path, trap = tmp_path / f"{late}-{n}.db", Trap(late)
            trap.set(n)
            try:
                SqliteStore(path, factory=trap.connection()).close()
            except (Unavailable, Fault):
                with door_on(SqliteStore(path)) as door:
                    assert door.spaces() == []
                    goes_on(door)
                    assert door.verify().ok
            if trap.fired is None:
                assert n > 3
                break
            for part in tmp_path.glob("*"):
                part.unlink()


def test_a_fault_in_the_middle_of_a_migration_leaves_the_file_as_it_was_or_as_it_shall_be(
    ground: Ground, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before, newest = whole(ground.path), len(schema.migrations())
    step = "CREATE TABLE extra (id INTEGER PRIMARY KEY) STRICT;\nALTER TABLE chore ADD COLUMN since INTEGER;\n"
    steps = [*schema.migrations(), step]
    monkeypatch.setattr(schema, "migrations", lambda: steps)
    for late in (False, True):
        for n, path in enumerate(copies_of(ground, tmp_path), 1):
            trap = Trap(late)
            trap.set(n)
            try:
                SqliteStore(path, factory=trap.connection()).close()
            except (Unavailable, Fault):
                raw = sqlite3.connect(path)
                version = raw.execute("PRAGMA user_version").fetchone()[0]
                made = raw.execute("SELECT COUNT(*) FROM sqlite_master WHERE name = 'extra'").fetchone()[0]
                raw.close()
                assert (version, made) in ((newest, 0), (newest + 1, 1))
                assert whole(path) == before
            if trap.fired is None:
                assert n > 3
                break


@pytest.mark.parametrize("step", [pytest.param(7, id="some"), pytest.param(1, id="every", marks=pytest.mark.slow)])
def test_a_fault_while_repairing_leaves_the_damage_or_the_repair(ground: Ground, tmp_path: Path, step: int) -> None:
    damaged = Ground(tmp_path / "damaged.db", ground.journal)
    shutil.copy(ground.path, damaged.path)
    raw = sqlite3.connect(damaged.path)
    raw.execute("UPDATE memory SET content = 'something else' WHERE id = ?", (ground.first,))
    raw.commit()
    raw.close()
    states = whole(damaged.path), whole(ground.path)
    told = tried = 0
    for n, path in zip(range(1, MOST, step), copies_of(damaged, tmp_path), strict=False):
        trap = Trap()
        store = SqliteStore(path, durability="off", factory=trap.connection())
        door = door_on(store)
        trap.set(n)
        try:
            diagnosis = door.doctor(repair=True)
            if trap.fired is None:
                assert diagnosis.ok
                store.close()
                break
            tried += 1
            told += _says_that_something_is_wrong(diagnosis)
        except (Unavailable, Fault):
            tried, told = tried + 1, told + 1
        trap.set(0)
        assert whole(path) in states
        store.rebuild("acme")
        assert whole(path) == states[1]
        store.close()
    assert trap.fired is None
    assert told == tried > 10


def _says_that_something_is_wrong(diagnosis: Diagnosis) -> bool:
    """A file that could not be read is not sound."""
    return not diagnosis.ok or not diagnosis.before.ok


def test_a_fault_in_a_backup_leaves_no_half_of_a_file(ground: Ground, tmp_path: Path) -> None:
    target = tmp_path / "copy.db"
    for late in (False, True):
        for n in range(1, MOST):
            trap = Trap(late)
            store = SqliteStore(ground.path, factory=trap.connection())
            trap.set(n)
            try:
                door_on(store).backup(str(target))
            except (Unavailable, Fault):
                assert not target.exists()
            finally:
                store.close()
            if trap.fired is None:
                assert n > 1
                assert whole(target) == whole(ground.path)
                target.unlink()
                break
