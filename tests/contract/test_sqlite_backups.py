"""A backup of a file in use: whole, under its name or not at all."""

from __future__ import annotations

import os
import signal
import sqlite3
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest
from tests.contract.sqlite_files import written

import treering
from treering.errors import Conflict, TreeringError

__all__ = ["written"]


def test_a_backup_to_a_place_that_is_not_there_says_so(written: Path, tmp_path: Path) -> None:
    with treering.open(written) as mem, pytest.raises(TreeringError, match="nowhere"):
        mem.backup(str(tmp_path / "nowhere" / "copy.db"))


def test_a_backup_ends_while_another_goes_on_writing(written: Path, tmp_path: Path) -> None:
    with treering.open(written, space="lab", actor="ann") as mem:
        mem.add_many([{"content": f"{n} " + "Ada came by. " * 1_000} for n in range(1_000)])
        assert written.stat().st_size > 5_000 * 4_096, "more than one step of a copy by steps"
        done = threading.Event()

        def keep_writing() -> None:
            other, give_up = sqlite3.connect(written, isolation_level=None), time.monotonic() + 30
            while not done.is_set() and time.monotonic() < give_up:
                other.execute("INSERT INTO spending VALUES ('lab', ?, 1, 1)", (str(time.monotonic_ns()),))
            other.close()

        writing = threading.Thread(target=keep_writing)
        writing.start()
        mem.backup(str(tmp_path / "copy.db"))
        still_written_to = writing.is_alive()
        done.set()
        writing.join()
    assert still_written_to
    with treering.open(tmp_path / "copy.db", space="lab") as copy:
        assert copy.verify().ok
        assert copy.status().memories["active"] == 1_001


def test_who_is_killed_in_a_backup_leaves_no_file_that_passes_for_one(written: Path, tmp_path: Path) -> None:
    target = tmp_path / "copy.db"
    code = """
import os, signal, sys, treering
from treering.store.sql import jobs
jobs.drop_ended = lambda connection: os.kill(os.getpid(), signal.SIGKILL)
treering.open(sys.argv[1]).backup(sys.argv[2])
"""
    died = subprocess.run([sys.executable, "-c", code, str(written), str(target)], check=False)
    assert died.returncode == -signal.SIGKILL
    assert not target.exists()
    with treering.open(written) as mem:
        mem.backup(str(target))
    with treering.open(target, space="lab") as copy:
        assert [memory.content for memory in copy.list()] == ["Ada was here"]


def test_a_backup_leaves_nothing_behind_and_takes_no_name_that_was_taken_meanwhile(
    written: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    target = tmp_path / "copies" / "copy.db"
    target.parent.mkdir()
    with treering.open(written) as mem:
        monkeypatch.setattr("treering.store.sql.jobs.drop_ended", lambda _: target.write_text("mine"))
        with pytest.raises(Conflict, match="never overwrites"):
            mem.backup(str(target))
        assert [one.name for one in target.parent.iterdir()] == ["copy.db"]
        assert target.read_text() == "mine"
        target.unlink()
        monkeypatch.setattr("treering.store.sql.jobs.drop_ended", _fails)
        with pytest.raises(OSError, match="the disk is gone"):
            mem.backup(str(target))
        assert list(target.parent.iterdir()) == []


def test_a_backup_comes_to_its_name_where_files_cannot_be_linked(
    written: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(os, "link", _fails)
    with treering.open(written) as mem:
        mem.backup(str(tmp_path / "copy.db"))
    with treering.open(tmp_path / "copy.db", space="lab") as copy:
        assert copy.verify().ok
        assert len(copy.list().memories) == 1
    assert not list(tmp_path.glob("*.part*"))


def _fails(*_: object) -> None:
    raise OSError("the disk is gone")
