"""Rule 12: no byte of what was purged is left in a file, whoever reads, crashes or holds it up meanwhile."""

from __future__ import annotations

import os
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest
from tests.conftest import HandClock, contents
from tests.contract.purging import TRACES, files_of, traces_in, write_what_is_to_go

from treering.door import Treering
from treering.recall import index_cache
from treering.store import open_store
from treering.store.sqlite import connection


def test_a_purge_leaves_no_byte_in_the_file_beside_it_or_in_an_export(
    file_mem: Treering, db_path: Path, tmp_path: Path
) -> None:
    gone = write_what_is_to_go(file_mem)
    assert set(traces_in(b"".join(one.read_bytes() for one in files_of(db_path)))) == set(TRACES)
    report = file_mem.purge(gone, "asked to")
    assert report.scrubbed is True
    file_mem.export(str(tmp_path / "out.jsonl"))
    file_mem.backup(str(tmp_path / "copy.db"))
    assert [path.name for path in files_of(db_path)] == ["work.db", "work.db-shm", "work.db-wal"]
    for path in (*files_of(db_path), tmp_path / "out.jsonl", *files_of(tmp_path / "copy.db")):
        assert traces_in(path.read_bytes()) == [], path
    assert [row.data for row in file_mem._store.vectors("lab", "small@1")] == [b"kept"]
    assert file_mem.verify().ok
    assert file_mem.verify().purged_changes == report.changes_cut > 10


def test_a_purge_leaves_no_byte_in_the_index_beside_the_file(
    db_path: Path, clock: HandClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(index_cache, "NEW", 0)
    mine, other = (Treering(open_store(str(db_path)), clock=clock, actor="ann", space="lab") for _ in range(2))
    gone = write_what_is_to_go(mine)
    mine.settings({"embedder": "none"})
    for door in (mine, other):
        assert door.recall("Zahlenkombination")[0].memory.id == gone
    mine.add("Bo is here")  # who writes also writes the index down
    beside = [one for one in files_of(db_path) if one.parent != db_path.parent]
    assert {"tag", "speaker", "session"} <= set(traces_in(b"".join(one.read_bytes() for one in beside)))
    assert b"zahlenkombin" in b"".join(one.read_bytes() for one in beside)
    assert mine.purge(gone, "asked to").scrubbed is True
    for door in (mine, other):
        door.close()  # the other with an index that still knows it
        for path in files_of(db_path):
            assert traces_in(path.read_bytes()) == [], path
            assert b"zahlenkombin" not in path.read_bytes()


def test_a_purge_rewrites_the_file_without_the_room_that_was_freed(file_mem: Treering, db_path: Path) -> None:
    memory = file_mem.add("A long story. " * 3000).id
    file_mem.purge(memory, "asked to")
    raw = sqlite3.connect(db_path)
    assert raw.execute("PRAGMA freelist_count").fetchone() == (0,)
    raw.close()
    assert db_path.with_name("work.db-wal").stat().st_size < 100_000


def test_a_purge_while_another_reads_says_so_and_the_next_open_scrubs(
    db_path: Path, clock: HandClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connection, "BUSY_SECONDS", 0.2)
    store = open_store(str(db_path))
    mem = Treering(store, clock=clock, actor="ann", space="lab")
    gone = write_what_is_to_go(mem)
    reading = sqlite3.connect(db_path, isolation_level=None)
    reading.execute("BEGIN")
    assert reading.execute("SELECT COUNT(*) FROM memory").fetchone() == (4,)
    assert mem.purge(gone, "asked to").scrubbed is False
    assert contents(mem.list(view="all")) == ["Ada is here"]
    reading.execute("COMMIT")
    reading.close()
    store.close()
    again = open_store(str(db_path))
    for path in files_of(db_path):
        assert traces_in(path.read_bytes()) == [], path
    assert Treering(again, space="lab").verify().ok
    again.close()


def test_a_scrub_that_a_writer_elsewhere_holds_up_says_so_and_is_not_an_error(
    db_path: Path, clock: HandClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connection, "BUSY_SECONDS", 0.1)
    store = open_store(str(db_path))
    Treering(store, clock=clock, space="lab").add("One")
    writing = sqlite3.connect(db_path, isolation_level=None)
    writing.execute("BEGIN IMMEDIATE")
    assert store.scrub() is False
    writing.execute("ROLLBACK")
    writing.close()
    assert store.scrub() is True
    store.close()


def test_a_crash_between_the_purge_and_its_scrub_is_made_good_at_the_next_open(db_path: Path, clock: HandClock) -> None:
    code = """
import os, sys
sys.path.insert(0, ".")
from tests.conftest import HandClock
from tests.contract.purging import write_what_is_to_go
from treering.door import Treering
from treering.store import open_store
store = open_store(sys.argv[1])
mem = Treering(store, clock=HandClock(), actor="ann", space="lab")
gone = write_what_is_to_go(mem)
store.scrub = lambda: os._exit(9)
mem.purge(gone, "asked to")
"""
    died = subprocess.run([sys.executable, "-c", code, str(db_path)], check=False)
    assert died.returncode == 9
    assert traces_in(b"".join(one.read_bytes() for one in files_of(db_path))) != []
    store = open_store(str(db_path))
    for path in files_of(db_path):
        assert traces_in(path.read_bytes()) == [], path
    mem = Treering(store, clock=clock, actor="ann", space="lab")
    assert contents(mem.list(view="all")) == ["Ada is here"]
    assert mem.verify().ok
    store.close()
    assert os.path.getsize(db_path) > 0  # noqa: PTH202


def test_names_go_from_the_file_with_the_last_memory_of_one_telling(file_mem: Treering, db_path: Path) -> None:
    told = [{"content": f"Visit {n}", "triples": [["Zahlenfee", "VISITED", f"Ort {n}"]]} for n in range(3)]
    receipt = file_mem.remember("Three visits of Zahlenfee", drafts=told)
    for memory in receipt.memories:
        assert file_mem.purge(memory.id, "asked to").remains == ()
    assert not any(b"Zahlenfee" in path.read_bytes() for path in files_of(db_path))
    assert file_mem.verify().ok
