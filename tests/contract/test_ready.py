"""A file that cannot be trusted takes no more writes, and says so."""

from __future__ import annotations

import shutil
from collections import namedtuple
from pathlib import Path

import pytest
from tests.conftest import HandClock

import treering
from treering.errors import Corrupted, Unavailable
from treering.faces.rest.soundness import Soundness
from treering.store.sqlite import store as sqlite_store


def damage(path: Path) -> None:
    """Pages in the middle of it become noise."""
    data = bytearray(path.read_bytes())
    pages = len(data) // 4096
    for page in range(pages // 2, pages - 1):
        data[page * 4096 : page * 4096 + 4096] = b"\x5a" * 4096
    path.write_bytes(data)


@pytest.fixture
def damaged(tmp_path: Path) -> Path:
    path = tmp_path / "work.db"
    with treering.open(path, embedder="none") as mem:
        mem.add_many([{"content": f"Thing {number} is " + "long " * 200} for number in range(300)])
    damage(path)
    return path


def test_a_damaged_file_takes_no_more_writes_once_it_was_looked_over(damaged: Path) -> None:
    with treering.open(damaged, embedder="none") as mem:
        assert mem.look_over()
        for _ in range(2):
            with pytest.raises(Corrupted, match="nothing is written to it any more"):
                mem.space("new").add("One more")
        with pytest.raises(Corrupted):
            mem.key_create("ann", spaces=["*"])
        assert "is damaged" in mem.troubles()[0]


def test_verify_says_so_and_stops_writes_too(damaged: Path) -> None:
    with treering.open(damaged, embedder="none") as mem:
        assert not mem.verify().ok
        with pytest.raises(Corrupted):
            mem.space("new").add("One more")


def test_who_meets_damage_while_reading_stops_writes(damaged: Path) -> None:
    with treering.open(damaged, embedder="none") as mem:
        with pytest.raises(Corrupted):
            list(mem.list(limit=300))
        with pytest.raises(Corrupted, match="nothing is written"):
            mem.space("new").add("One more")


def test_a_whole_file_is_looked_over_and_goes_on(tmp_path: Path, clock: HandClock) -> None:
    with treering.open(tmp_path / "work.db", clock=clock, embedder="none") as mem:
        mem.add("Ada was here")
        assert mem.look_over() == []
        assert mem.troubles() == []
        mem.add("And went")


def test_a_store_that_was_closed_is_not_called_damaged(
    tmp_path: Path, damaged: Path, caplog: pytest.LogCaptureFixture
) -> None:
    with treering.open(tmp_path / "whole.db", embedder="none") as mem:
        mem.add("Ada was here")
    Soundness(mem)._look()
    assert "not looked over" in caplog.text
    assert "damaged" not in caplog.text
    with treering.open(damaged, embedder="none") as mem:
        Soundness(mem)._look()
    assert '"store": "damaged"' in caplog.text


def test_a_full_disk_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    usage = namedtuple("usage", "total used free")
    with treering.open(tmp_path / "work.db", embedder="none") as mem:
        monkeypatch.setattr(sqlite_store.shutil, "disk_usage", lambda _: usage(1, 1, 4096))
        assert "the disk is full" in mem.troubles()[0]


def test_a_file_mended_by_doctor_is_written_to_again(tmp_path: Path) -> None:
    path = tmp_path / "work.db"
    with treering.open(path, embedder="none") as mem:
        mem.add("Ada was here")
        mem._store._damage = "x"  # type: ignore[attr-defined]
        with pytest.raises(Corrupted):
            mem.add("More")
        assert mem.doctor(repair=True).ok
        mem.add("More")


def test_a_copy_for_reading_only_says_that_it_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "work.db"
    with treering.open(path, embedder="none") as mem:
        mem.add("Ada was here")
    copy = tmp_path / "copy" / "work.db"
    copy.parent.mkdir()
    shutil.copy(path, copy)
    access = sqlite_store.os.access
    monkeypatch.setattr(sqlite_store.os, "access", lambda one, mode: mode != sqlite_store.os.W_OK and access(one, mode))
    with treering.open(copy, embedder="none") as mem:
        assert [one.content for one in mem.list()] == ["Ada was here"]
        assert "read-only" in mem.troubles()[0]
        with pytest.raises(Unavailable, match="read-only"):
            mem.add("More")
