"""The SQLite file and the world around it: other versions, other processes, full disks, and files that are not ours."""

from __future__ import annotations

import errno
import os
import re
import sqlite3
import stat
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from tests.conftest import HandClock
from tests.contract.sqlite_files import door, read_only, written

import treering
from treering.errors import Corrupted, InvalidRequest, TreeringError, Unavailable, Unsupported
from treering.store.sqlite import SqliteStore, schema

__all__ = ["written"]


# files that are not for us


def test_a_file_of_a_newer_version_is_refused_and_left_alone(written: Path) -> None:
    raw = sqlite3.connect(written)
    raw.execute(f"PRAGMA user_version = {len(schema.migrations()) + 1}")
    raw.close()
    before = written.read_bytes()
    with pytest.raises(Unsupported, match=r"written by a newer Treering \(schema \d+, this one knows \d+\); upgrade"):
        treering.open(written)
    assert written.read_bytes() == before


def test_an_sqlite_file_of_something_else_is_refused_and_left_alone(db_path: Path) -> None:
    raw = sqlite3.connect(db_path)
    raw.execute("CREATE TABLE notes (x)")
    raw.close()
    before = db_path.read_bytes()
    with pytest.raises(InvalidRequest, match="an SQLite file of something else"):
        treering.open(db_path)
    assert db_path.read_bytes() == before


@pytest.mark.parametrize("content", [b"Dear diary, " * 100, b"\x00" * 4096, b"SQLite format 3\x00" + b"\xff" * 4000])
def test_a_file_that_is_no_database_is_refused_and_left_alone(db_path: Path, content: bytes) -> None:
    db_path.write_bytes(content)
    with pytest.raises(TreeringError, match=re.escape(str(db_path))) as refused:
        treering.open(db_path)
    assert isinstance(refused.value, Corrupted | InvalidRequest)
    assert db_path.read_bytes() == content


def test_a_folder_is_refused_with_a_path_that_would_do(tmp_path: Path) -> None:
    with pytest.raises(InvalidRequest, match=r"is a folder; give the path of a file, such as .*work\.db"):
        treering.open(tmp_path)


def test_an_empty_file_becomes_a_store(db_path: Path) -> None:
    db_path.touch()
    with treering.open(db_path) as mem:
        mem.add("Hello")
        assert mem.verify().ok


def test_other_kinds_of_store_are_refused_by_name() -> None:
    with pytest.raises(Unsupported, match="mysql:// is no store of this version"):
        treering.open("mysql://localhost/x")
    with pytest.raises(InvalidRequest, match="durability: 'none' is not one of full, normal"):
        treering.open(":memory:", durability="none")


def test_a_url_of_sqlite_is_a_path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    treering.open("sqlite:///here.db").close()
    treering.open(f"sqlite:///{tmp_path}/there.db").close()
    assert sorted(one.name for one in tmp_path.glob("*.db")) == ["here.db", "there.db"]


# where it may be and who may read it


def test_missing_folders_are_made_and_the_file_is_its_owners_alone(tmp_path: Path) -> None:
    path = tmp_path / "a" / "b" / "work.db"
    with treering.open(path) as mem:
        mem.add("Mine")
        modes = {one.name: stat.S_IMODE(one.stat().st_mode) for one in path.parent.iterdir()}
        assert set(modes) == {"work.db", "work.db-wal", "work.db-shm"}
        assert set(modes.values()) == {0o600}
        mem.export(str(tmp_path / "out.jsonl"))
    assert stat.S_IMODE((tmp_path / "out.jsonl").stat().st_mode) == 0o600


def test_a_path_that_cannot_be_made_says_so(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    with pytest.raises(Unavailable, match=r"cannot be made \(.*\); give another path"):
        treering.open(tmp_path / "file" / "work.db")


def test_a_read_only_file_can_be_read_and_a_write_says_why_not(written: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    beside = sorted(written.parent.iterdir())
    read_only(written, monkeypatch)
    with treering.open(written, space="lab", actor="ann") as mem:
        assert sorted(written.parent.iterdir()) == beside, "nothing can be made there"
        assert mem.recall("Who was here?").hits
        assert [memory.content for memory in mem.list()] == ["Ada was here"]
        assert mem.history(mem.list()[0].id).state == "active"
        with pytest.raises(Unavailable, match="read-only"):
            mem.add("More")
        assert mem.status().seq == 1


# faults


class SmallDisk(sqlite3.Connection):
    """A disk with room for what is there and no more, when told so."""

    full = False

    def execute(self, sql: str, *args: Any) -> sqlite3.Cursor:
        if SmallDisk.full and sql.startswith("BEGIN"):
            pages = super().execute("PRAGMA page_count").fetchone()[0]
            super().execute(f"PRAGMA max_page_count = {pages}")
        return super().execute(sql, *args)


def test_a_full_disk_makes_a_write_unavailable_and_nothing_is_half_written(db_path: Path, clock: HandClock) -> None:
    store = SqliteStore(db_path, "normal", factory=SmallDisk)
    mem = door(store, clock)
    mem.add("Before", entities=["Ada"])
    before = list(store.rows("lab"))
    SmallDisk.full = True
    try:
        with pytest.raises(Unavailable, match="the disk is full; nothing was written"):
            mem.add_many([{"content": f"Word {n} " * 500, "entities": [f"E{n}"]} for n in range(100)])
        assert list(store.rows("lab")) == before
    finally:
        SmallDisk.full = False
    store.close()
    with treering.open(db_path, space="lab", actor="ann", clock=clock) as mem:
        assert mem.verify().ok
        mem.add("After")
        assert [memory.content for memory in mem.list()] == ["Before", "After"]


def test_an_export_that_the_disk_cannot_take_leaves_no_half_of_a_file(
    written: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(_: int) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(os, "fsync", full)
    with treering.open(written) as mem, pytest.raises(InvalidRequest, match="No space left on device"):
        mem.export(str(tmp_path / "out.jsonl"))
    assert list(tmp_path.glob("out*")) == []


def test_a_closed_store_says_so_for_every_kind_of_call(written: Path, tmp_path: Path) -> None:
    mem = treering.open(written, space="lab", actor="ann")
    memory = mem.list()[0].id
    mem.close()
    mem.close()
    calls: list[Callable[[], Any]] = [
        lambda: mem.get(memory),
        mem.list,
        lambda: mem.add("More"),
        lambda: mem.forget(memory),
        lambda: mem.purge(memory, "asked to"),
        mem.status,
        mem.spaces,
        lambda: mem.export(str(tmp_path / "x.jsonl")),
        lambda: mem.backup(str(tmp_path / "x.db")),
    ]
    for call in calls:
        with pytest.raises(Unavailable, match="this store is closed; open it again"):
            call()
