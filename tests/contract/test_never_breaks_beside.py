"""The rules of the model that may never break, whatever fails, is killed or writes beside: all or nothing."""

from __future__ import annotations

import signal
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from tests.conftest import HandClock, contents, everything, scope, write_a_life

from treering.door import Treering
from treering.errors import TreeringError
from treering.store import open_store
from treering.store.contract import Store
from treering.store.sqlite import SqliteStore


class Failing(sqlite3.Connection):
    """Fails at the statement whose number comes up."""

    left: int | None = None

    def _count(self) -> None:
        if Failing.left is not None:
            Failing.left -= 1
            if Failing.left < 0:
                raise sqlite3.OperationalError("disk I/O error (planted)")

    def execute(self, *args: Any) -> Any:
        self._count()
        return super().execute(*args)

    def executemany(self, *args: Any) -> Any:
        self._count()
        return super().executemany(*args)


WRITES: dict[str, Callable[[Treering, Any], Any]] = {
    "add": lambda mem, told: mem.add("New", entities=["Neu"], triples=[["Neu", "KNOWS", "Ada"]], tags=["t"], key="k"),
    "revise": lambda mem, told: mem.revise(told.new_home, "Ada lives in Rome", triples=[["Ada", "LIVES_IN", "Rome"]]),
    "assert_fact": lambda mem, told: mem.assert_fact("Ada", "LIVES_IN", "Oslo", supersede=True),
    "merge": lambda mem, told: mem.entity_merge("Tea", "Paris"),
    "purge": lambda mem, told: mem.purge(told.new_home, "asked to"),
}


@pytest.mark.parametrize("name", WRITES)
def test_a_fault_at_any_statement_of_a_write_leaves_all_of_it_or_nothing(
    db_path: Path, clock: HandClock, name: str
) -> None:
    store = SqliteStore(db_path, "normal", factory=Failing)
    mem = Treering(store, clock=clock, actor="ann", space="lab")
    told = write_a_life(mem, clock)
    before, head = list(store.rows("lab")), store.head("lab")
    statements = 0
    while True:
        Failing.left = statements
        try:
            WRITES[name](mem, told)
            break
        except TreeringError:
            pass
        finally:
            Failing.left = None
        if store.head("lab") != head:
            break  # committed; what failed came after the write itself
        assert list(store.rows("lab")) == before
        statements += 1
    assert statements > 3
    assert store.head("lab").seq == head.seq + 1
    assert mem.verify().ok
    store.close()


KILLED = """
import sys
import treering
mem = treering.open(sys.argv[1], actor=sys.argv[2], space="lab")
n = 0
while True:
    receipt = mem.add(f"{sys.argv[2]} {n}", entities=[f"E{n % 7}"], triples=[["Ada", "KNOWS", f"E{n % 5}"]])
    print(receipt.id, flush=True)
    n += 1
"""


def test_killing_two_writers_at_any_moment_loses_no_acknowledged_write_and_leaves_no_half(db_path: Path) -> None:
    acknowledged: list[str] = []
    for wait in (1, 7, 23):
        writers = [
            subprocess.Popen([sys.executable, "-c", KILLED, str(db_path), who], stdout=subprocess.PIPE, text=True)
            for who in ("ann", "bob")
        ]
        for writer in writers:
            assert writer.stdout is not None
            acknowledged += [writer.stdout.readline().strip() for _ in range(wait)]
            writer.send_signal(signal.SIGKILL)
            acknowledged += [line.strip() for line in writer.stdout.read().splitlines(keepends=True) if "\n" in line]
            writer.wait()
            writer.stdout.close()
    store = open_store(str(db_path))
    mem = Treering(store, space="lab")
    assert len(acknowledged) >= 62
    for memory_id in acknowledged:
        assert mem.get(memory_id).state == "active"
    assert mem.verify().ok
    store.close()


# 8. The same question on the same state at the same moment gives the same answer in the same order.


def test_the_same_question_gives_the_same_answer_in_the_same_order(
    mem: Treering, store: Store, clock: HandClock, store_url: str, new_store: Callable[[str], Store]
) -> None:
    write_a_life(mem, clock)
    mem.add_many([{"content": f"Item {n}", "entities": [f"E{n % 3}"]} for n in range(20)])
    first = everything(store, scope(clock))
    assert everything(store, scope(clock)) == first
    store.rebuild("lab")
    assert everything(store, scope(clock)) == first
    assert contents(mem.list(limit=1000))[-20:] == [f"Item {n}" for n in range(20)]


# 9. Two processes on one file both see each other's writes in the next read.


ECHO = """
import sys
import treering
mem = treering.open(sys.argv[1], actor="other", space="lab")
for line in sys.stdin:
    word = line.strip()
    seen = [memory.content for memory in mem.list()]
    mem.add(f"{word} heard")
    print(len(seen), word in seen, flush=True)
"""


def test_two_processes_on_one_file_see_each_others_writes_in_the_next_read(
    file_mem: Treering, db_path: Path, clock: HandClock
) -> None:
    file_mem.add("before")
    other = subprocess.Popen(
        [sys.executable, "-c", ECHO, str(db_path)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    assert other.stdin is not None
    assert other.stdout is not None
    for n in range(10):
        file_mem.add(f"word {n}")
        other.stdin.write(f"word {n}\n")
        other.stdin.flush()
        assert other.stdout.readline().split() == [str(2 + 2 * n), "True"]
        assert contents(file_mem.list(limit=1000))[-1] == f"word {n} heard"
    other.stdin.close()
    assert other.wait() == 0
    other.stdout.close()
    assert file_mem.verify().ok
