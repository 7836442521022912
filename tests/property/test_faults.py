"""What if the disk fails in the middle? A fault at the Nth statement of every write, for every N: all or nothing."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from tests.property.drawing import START
from tests.property.faults import (
    MOST,
    SECRET,
    TOLD_AT,
    WRITES,
    Act,
    Ground,
    Trap,
    copies_of,
    door_on,
    goes_on_to,
    ground,
    outcomes_of,
    whole,
    whole_of,
)
from tests.property.twins import minting

from treering.errors import Fault, Unavailable
from treering.store.sqlite import SqliteStore

__all__ = ["ground"]


def _telling(seen: list[str]) -> list[int]:
    """Which faults tell the most: at statements that write when they come first, of which the first and the last are
    among them, at the first that reads and at the last."""
    reads = [n for n, sql in enumerate(seen, 1) if sql.lstrip().startswith(("SELECT", "WITH"))]
    writes = sorted({sql: n for n, sql in reversed(list(enumerate(seen, 1))) if n not in reads}.values())
    return sorted({*writes[:: -(-len(writes) // TOLD_AT)], *writes[-1:], *reads[:1], *reads[-1:]})


def _statements(ground: Ground, act: Act, folder: Path) -> list[str]:
    path, trap = folder / "counted.db", Trap()
    shutil.copy(ground.path, path)
    store = SqliteStore(path, durability="off", factory=trap.connection())
    trap.set(MOST)
    with minting(900):
        act(door_on(store), ground)
    seen = list(trap.seen)
    store.close()
    return seen


@pytest.mark.parametrize(
    ("late", "every"),
    [
        pytest.param(False, False, id="at a statement"),
        pytest.param(False, True, id="at every statement", marks=pytest.mark.slow),
        pytest.param(True, True, id="after it was carried out", marks=pytest.mark.slow),
    ],
)
@pytest.mark.parametrize("name", WRITES)
def test_a_fault_at_any_statement_of_a_write_leaves_all_of_it_or_nothing(
    name: str, late: bool, every: bool, ground: Ground, tmp_path: Path
) -> None:
    act = WRITES[name]
    before, after = outcomes_of(ground, act, tmp_path)
    trap, faults, reached = Trap(late), 0, set[bool]()
    places = range(1, MOST) if every else _telling(_statements(ground, act, tmp_path))
    for n, path in zip(places, copies_of(ground, tmp_path), strict=False):
        store = SqliteStore(path, durability="off", factory=trap.connection())
        door = door_on(store)
        trap.set(n)
        try:
            with minting(900):
                act(door, ground)
            if trap.fired is None and every:
                break
            pytest.fail(f"nobody heard of the fault at statement {n}: {trap.fired}")
        except (Unavailable, Fault):
            assert trap.fired is not None
        faults += 1
        now = whole(path)
        assert now in (before.held, after.held), f"half of it after a fault at statement {n}: {trap.fired}"
        reached.add(now == after.held)
        goes_on_to(door, before if now == before.held else after)
        store.close()
        if name == "purge" and now == after.held:
            _leaves_no_byte_of_the_secret(path)
    store.close()
    assert faults >= (1 if late else 5)
    assert late in reached or before == after


def _leaves_no_byte_of_the_secret(path: Path) -> None:
    """The scrub that a fault cut short is made up for by whoever opens the file next."""
    SqliteStore(path).close()
    for part in path.parent.glob(path.name + "*"):
        assert SECRET.encode() not in part.read_bytes(), part


IN_MEMORY = ("add", "a write with vectors", "keep_vectors")
IN_MEMORY_TOO = ("add_many", "purge", "assert_fact")


@pytest.mark.parametrize("name", [*IN_MEMORY, *(pytest.param(one, marks=pytest.mark.slow) for one in IN_MEMORY_TOO)])
def test_a_fault_leaves_all_or_nothing_in_a_store_that_lives_in_memory(
    name: str, ground: Ground, tmp_path: Path
) -> None:
    journal = tmp_path / "ground.jsonl"
    with door_on(SqliteStore(ground.path)) as door:
        door.export(str(journal))
    outcomes = outcomes_of(ground, WRITES[name], tmp_path)
    for n in range(1, MOST):
        trap = Trap()
        store = SqliteStore(":memory:", factory=trap.connection())
        door = door_on(store)
        door.import_journal(str(journal))
        store.keep_vectors("acme", ground.read)
        trap.set(n)
        try:
            with minting(900):
                WRITES[name](door, ground)
        except (Unavailable, Fault):
            assert whole_of(store) in [one.held for one in outcomes]
            goes_on_to(door, *outcomes)
        store.close()
        if trap.fired is None:
            assert n > 5
            return


def test_the_trap_counts_what_it_says(tmp_path: Path) -> None:
    """Else every test above would pass for want of faults."""
    trap = Trap()
    store = SqliteStore(tmp_path / "work.db", factory=trap.connection())
    trap.set(3)
    with pytest.raises(Unavailable, match="SQLITE_IOERR"):
        door_on(store).add("one")
    assert trap.fired is not None
    assert len(trap.seen) == 3
    trap.set(0)
    assert door_on(store).add("one").seq == 1
    assert door_on(store).status().changed_at == START
    store.close()
