"""One SQLite file and several processes or threads: everybody succeeds, and nobody's write is lost."""

from __future__ import annotations

import multiprocessing
import os
import sqlite3
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from contextlib import ExitStack
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest
from tests.conftest import HandClock
from tests.contract.sqlite_files import written

import treering
from treering.errors import Unavailable, Unsupported
from treering.store import open_store
from treering.store.contract import MemoryFilter, Scope, Store
from treering.store.sqlite import SqliteStore, connection, schema

__all__ = ["written"]


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
        assert time.monotonic() - began < 9  # as a rule ten are waited for
        assert len(mem.list()) == 1
        busy.execute("ROLLBACK")
        busy.close()
        mem.add("Now")
        assert len(mem.list()) == 2


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


def test_what_is_looked_up_for_a_reader_is_of_its_instant_and_on_its_connection(
    written: Path, clock: HandClock
) -> None:
    store = SqliteStore(written)
    with treering.open(written, space="lab") as other, store.reader(Scope("lab", clock())) as reader:
        other.add("Ada has moved to Oslo.")
        with store.snapshot(reader) as held:
            assert held.head("lab") == reader.head
            assert held.version("lab").seq == reader.head.seq
        assert store._pool._opened == 1
        assert store.head("lab").seq > reader.head.seq
    store.close()
