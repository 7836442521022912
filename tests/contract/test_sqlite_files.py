"""The SQLite file and the world around it: other versions, other processes, full disks, and files that are not ours."""

from __future__ import annotations

import errno
import multiprocessing
import os
import re
import shutil
import signal
import sqlite3
import stat
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest
from tests.conftest import HandClock, write_a_life

import treering
from treering.door import Treering
from treering.errors import Conflict, Corrupted, InvalidRequest, TreeringError, Unavailable, Unsupported
from treering.model.embedding import Embedded
from treering.store import open_store
from treering.store.contract import MemoryFilter, Scope, Store
from treering.store.sqlite import SqliteStore, connection, schema


def door(store: Store, clock: HandClock | None = None) -> Treering:
    return Treering(store, clock=clock or HandClock(), actor="ann", space="lab")


@pytest.fixture
def written(db_path: Path, clock: HandClock) -> Path:
    """A closed file with a memory in it."""
    with treering.open(db_path, clock=clock, actor="ann", space="lab") as mem:
        mem.add("Ada was here", entities=["Ada"])
    return db_path


# the schema


def tables_after(*scripts: str) -> list[tuple[str, str, str]]:
    raw = sqlite3.connect(":memory:")
    for script in scripts:
        raw.executescript(script)
    rows = raw.execute("SELECT type, name, sql FROM sqlite_master WHERE sql IS NOT NULL ORDER BY 1, 2").fetchall()
    raw.close()
    bare = [(kind, name, re.sub(r"--.*", "", sql).replace('"', "")) for kind, name, sql in rows]  # a rename quotes
    return [(kind, name, re.sub(r"\s+", " ", sql).strip()) for kind, name, sql in bare]


def test_the_schema_is_what_all_migrations_arrive_at() -> None:
    assert tables_after(schema.schema()) == tables_after(*schema.migrations())
    assert len(tables_after(schema.schema())) > 20


def test_a_new_file_has_that_schema_its_version_and_our_mark(written: Path) -> None:
    raw = sqlite3.connect(written)
    made = raw.execute("SELECT name FROM sqlite_master WHERE type = 'table'").fetchall()
    assert {name for (name,) in made} == {name for kind, name, _ in tables_after(schema.schema()) if kind == "table"}
    assert raw.execute("PRAGMA user_version").fetchone() == (len(schema.migrations()),)
    assert raw.execute("PRAGMA application_id").fetchone() == (schema.APPLICATION_ID,)
    assert raw.execute("PRAGMA journal_mode").fetchone() == ("wal",)
    raw.close()


def test_every_migration_from_every_version_keeps_every_row(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, clock: HandClock
) -> None:
    """With a migration planted on top of today's: the file made today is brought up and loses nothing."""
    path = tmp_path / "old.db"
    store = open_store(str(path))
    write_a_life(door(store, clock), clock)
    before = list(store.rows("lab"))
    store.close()
    steps = schema.migrations()
    monkeypatch.setattr(schema, "migrations", lambda: [*steps, "CREATE TABLE planted (x TEXT) STRICT;"])
    store = open_store(str(path))
    assert store.describe()["schema"] == len(steps) + 1
    assert list(store.rows("lab")) == before
    store.close()


RENAMED = {"vector": "embedding"}
"""Tables by what they were called once."""


def as_written_by_schema(version: int, today: Path, old: Path) -> None:
    """A file such as a Treering of that schema wrote, with every row of today's that it had a table for."""
    raw = sqlite3.connect(old, isolation_level=None)
    raw.execute("PRAGMA journal_mode = WAL")
    for script in schema.migrations()[:version]:
        raw.executescript(script)
    raw.execute(f"PRAGMA application_id = {schema.APPLICATION_ID}")
    raw.execute(f"PRAGMA user_version = {version}")
    raw.execute("ATTACH ? AS today", (str(today),))
    tables = raw.execute("SELECT name FROM main.sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'")
    for (table,) in tables.fetchall():
        columns = ", ".join(row[1] for row in raw.execute(f"PRAGMA main.table_info({table})"))
        now_called = RENAMED.get(table, table)
        raw.execute(f"INSERT INTO main.{table} ({columns}) SELECT {columns} FROM today.{now_called}")
    raw.close()


OLD_SCHEMAS = range(1, len(schema.migrations()))


@pytest.fixture(params=OLD_SCHEMAS, ids=[f"schema {version}" for version in OLD_SCHEMAS])
def old_file(request: pytest.FixtureRequest, tmp_path: Path, clock: HandClock) -> Path:
    today, old = tmp_path / "today.db", tmp_path / "old.db"
    with treering.open(today, clock=clock, actor="ann", space="lab") as mem:
        write_a_life(mem, clock, of_today=False)
        mem.add("Elsewhere", space="other", entities=["Ada"])
    as_written_by_schema(request.param, today, old)
    return old


def test_a_file_of_every_older_schema_is_brought_up_keeps_every_row_and_takes_vectors(
    old_file: Path, clock: HandClock
) -> None:
    today = open_store(str(old_file.with_name("today.db")))
    raw = sqlite3.connect(old_file)
    assert raw.execute("PRAGMA user_version").fetchone()[0] < len(schema.migrations())
    raw.close()
    assert _tables_of(old_file) != tables_after(schema.schema())
    for opened in range(2):
        store = open_store(str(old_file))
        mem = door(store, clock)
        assert store.describe()["schema"] == len(schema.migrations())
        for space in ("lab", "other"):
            assert list(store.rows(space)) == list(today.rows(space))
            assert list(store.entries(space)) == list(today.entries(space))
            assert list(store.texts(space)) == list(today.texts(space))
            unread = store.unread(space, "small@1", 100)
            read = [Embedded(one.thing_id, "small@1", one.text.encode()) for one in unread]
            assert store.keep_vectors(space, read) == len(read)
            assert bool(read) is (opened == 0)
            assert [row.thing_id for row in store.vectors(space, "small@1")] == [
                one.thing_id for one in today.unread(space, "small@1", 100)
            ]
        assert mem.verify().ok
        store.close()
    today.close()
    assert tables_after(schema.schema()) == _tables_of(old_file)


def _tables_of(path: Path) -> list[tuple[str, str, str]]:
    raw = sqlite3.connect(path)
    script = ";".join(
        sql
        for (sql,) in raw.execute(
            "SELECT sql FROM sqlite_master WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite_%' ORDER BY type = 'index'"
        )
    )
    raw.close()
    return tables_after(script)


def test_a_read_only_file_of_an_older_schema_is_refused_with_what_to_do(
    old_file: Path, monkeypatch: pytest.MonkeyPatch, clock: HandClock
) -> None:
    before = old_file.read_bytes()
    with monkeypatch.context() as held:
        read_only(old_file, held)
        told = r"old\.db: was written by an older Treering \(schema \d+, today's is \d+\) and cannot be written to; "
        with pytest.raises(Unavailable, match=told + "open it once where it can be, or open a writable copy"):
            treering.open(old_file)
    assert old_file.read_bytes() == before
    copy = old_file.with_name("copy.db")
    shutil.copy(old_file, copy)
    with treering.open(copy, space="lab", actor="ann", clock=clock) as mem:
        assert mem.verify().ok
    with monkeypatch.context() as held:
        read_only(copy, held)
        with treering.open(copy, space="lab", actor="ann", clock=clock) as mem:
            assert len(mem.list(view="all")) == 6


def test_several_that_bring_up_the_same_old_file_at_once_all_succeed(old_file: Path) -> None:
    with ThreadPoolExecutor(4) as pool:
        stores = list(pool.map(lambda _: open_store(str(old_file)), range(4)))
    for store in stores:
        assert store.describe()["schema"] == len(schema.migrations())
        assert store.faults() == []
        store.close()


def test_a_migration_that_fails_leaves_the_file_as_it_was(written: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    steps = schema.migrations()
    broken = "CREATE TABLE planted (x TEXT) STRICT;\nINSERT INTO nowhere VALUES (1);"
    with monkeypatch.context() as planted:
        planted.setattr(schema, "migrations", lambda: [*steps, broken])
        with pytest.raises(TreeringError):
            open_store(str(written))
    with treering.open(written, space="lab") as mem:
        assert len(mem.list()) == 1
        assert mem.status().store["schema"] == len(steps)


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


def read_only(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As if neither the file nor its folder could be written, as on a mount for reading: root may write anything."""
    access = os.access
    monkeypatch.setattr(os, "access", lambda one, mode: mode != os.W_OK and access(one, mode))


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


# several processes


def _open_and_add(path: str, start: Any, told: Any, n: int) -> None:
    start.wait()
    try:
        with treering.open(path, space="lab", actor=f"p{n}") as mem:
            mem.add(f"From process {n}")
        told.put("")
    except BaseException as error:
        told.put(repr(error))


def _keep_opening(paths: list[str], start: Any, told: Any, n: int) -> None:
    for path in paths:
        start.wait()
        _open_and_add(path, start, told, n)


def test_processes_that_make_the_same_new_file_at_the_same_instant_all_succeed(tmp_path: Path) -> None:
    rounds = [str(tmp_path / f"new-{n}.db") for n in range(20)]
    spawn = multiprocessing.get_context("spawn")
    start, told = spawn.Barrier(2), spawn.Queue()
    processes = [spawn.Process(target=_keep_opening, args=(rounds, start, told, n)) for n in range(2)]
    for process in processes:
        process.start()
    answers = [told.get(timeout=60) for _ in range(40)]
    for process in processes:
        process.join(timeout=60)
    assert [answer for answer in answers if answer] == []
    for path in rounds:
        with treering.open(path, space="lab") as mem:
            assert sorted(memory.content for memory in mem.list()) == ["From process 0", "From process 1"]
    assert mem is not None


def test_processes_see_each_others_writes_at_the_next_read(written: Path) -> None:
    code = (
        "import sys, treering\n"
        "mem = treering.open(sys.argv[1], space='lab', actor='other')\n"
        "print(len(mem.list())); mem.add('From elsewhere', entities=['Ada']); mem.close()"
    )
    with treering.open(written, space="lab", actor="ann") as mem:
        for n in range(3):
            assert len(mem.list()) == 1 + n
            done = subprocess.run(
                [sys.executable, "-c", code, str(written)], capture_output=True, text=True, check=True
            )
            assert int(done.stdout) == 1 + n
        assert len(mem.list(entities=["Ada"])) == 4
        assert [entry.seq for entry in mem._store.entries("lab")] == [1, 2, 3, 4]
        assert mem.verify().ok


@pytest.fixture
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connection, "BUSY_SECONDS", 0.2)


@pytest.mark.usefixtures("impatient")
def test_a_writer_elsewhere_that_does_not_end_makes_a_write_unavailable_and_reads_go_on(written: Path) -> None:
    with treering.open(written, space="lab", actor="ann") as mem:
        busy = sqlite3.connect(written, isolation_level=None)
        busy.execute("BEGIN IMMEDIATE")
        began = time.monotonic()
        with pytest.raises(Unavailable, match=r"another process has been writing .*nothing was written, try again"):
            mem.add("Now")
        assert time.monotonic() - began < 5
        assert len(mem.list()) == 1
        busy.execute("ROLLBACK")
        busy.close()
        mem.add("Now")
        assert len(mem.list()) == 2


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


def test_closing_while_a_reader_is_open_lets_it_finish(written: Path, clock: HandClock) -> None:
    store = open_store(str(written))
    with store.reader(Scope("lab", clock.now)) as reader:
        store.close()
        assert len(reader.memories(MemoryFilter())) == 1
    with pytest.raises(Unavailable):
        store.head("lab")


def test_a_forked_child_works_on_its_own_connections_and_so_does_its_parent(written: Path) -> None:
    with treering.open(written, space="lab", actor="ann") as mem:
        assert len(mem.list()) == 1
        child = os.fork()
        if child == 0:
            code = 1
            try:
                mem.add("From the child")
                code = 0 if len(mem.list()) == 2 else 2
            finally:
                os._exit(code)
        _, status = os.waitpid(child, 0)
        assert os.waitstatus_to_exitcode(status) == 0
        mem.add("From the parent")
        assert [memory.content for memory in mem.list()] == ["Ada was here", "From the child", "From the parent"]
        assert mem.verify().ok


@pytest.mark.parametrize("kind", ["sqlite", "memory", "reference"])
def test_eight_threads_that_write_and_read_at_once_leave_every_write_in_order(
    new_store: Callable[[str], Store], kind: str
) -> None:
    each = 50 if kind != "reference" else 4
    mem = treering.Treering(new_store(kind), actor="ann", space="lab")
    errors: list[BaseException] = []
    receipts: list[tuple[int, datetime]] = []

    def work(n: int) -> None:
        try:
            for turn in range(each):
                receipt = mem.add(f"Thread {n}, turn {turn}", entities=[f"E{turn % 3}"])
                receipts.append((receipt.seq, receipt.at))
                assert mem.get(receipt.id).content == f"Thread {n}, turn {turn}"
        except BaseException as error:
            errors.append(error)

    threads = [threading.Thread(target=work, args=(n,)) for n in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert errors == []
    assert [seq for seq, _ in sorted(receipts)] == list(range(1, 8 * each + 1))
    assert [at for _, at in sorted(receipts)] == sorted({at for _, at in receipts})
    assert mem.status().entities == 3
    assert mem.verify().ok


@pytest.mark.usefixtures("impatient")
def test_a_refused_file_can_be_moved_and_deleted_at_once(written: Path) -> None:
    raw = sqlite3.connect(written)
    raw.execute(f"PRAGMA user_version = {len(schema.migrations()) + 1}")
    raw.close()
    with pytest.raises(Unsupported):
        treering.open(written)
    raw = sqlite3.connect(written, timeout=0.1, isolation_level=None)
    raw.execute("BEGIN EXCLUSIVE")
    raw.execute("ROLLBACK")
    assert raw.execute("PRAGMA journal_mode = DELETE").fetchone() == ("delete",)
    raw.close()


def test_connections_that_many_opened_at_once_keep_little_of_the_file(written: Path) -> None:
    """And who asks one thing at a time goes on with the first, which may keep more."""
    store = SqliteStore(written)

    def kept() -> int:
        with store._pool.borrow() as one:
            return -int(one.rows("PRAGMA cache_size")[0][0])

    with ExitStack() as many:
        sizes = [-many.enter_context(store._pool.borrow()).rows("PRAGMA cache_size")[0][0] for _ in range(12)]
    assert sizes == [connection.LARGE_CACHE_KIB] * 2 + [connection.SMALL_CACHE_KIB] * 10
    assert [kept() for _ in range(3)] == [connection.LARGE_CACHE_KIB] * 3
    store.close()
