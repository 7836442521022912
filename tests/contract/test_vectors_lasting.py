"""Do vectors outlive what a store goes through? They are kept by a rebuild, the doctor and a backup, not carried by an
export, and let go of with what they belong to."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from tests.conftest import HandClock, everything, scope, write_a_life
from tests.contract.vectors import LARGE, NOBODY, SMALL, kept, read, tell, unread

from treering.door import Treering
from treering.errors import Conflict
from treering.exchange.journal import read_journal
from treering.store import open_store
from treering.store.contract import Store


def test_a_store_with_vectors_verifies_and_a_rebuild_keeps_them(mem: Treering, store: Store, clock: HandClock) -> None:
    write_a_life(mem, clock)
    for embedder in (SMALL, LARGE):
        store.keep_vectors("lab", [read(one, embedder) for one in unread(store, embedder)])
    rows = [list(store.vectors("lab", embedder)) for embedder in (SMALL, LARGE)]
    assert len(rows[0]) > 10
    assert mem.verify().ok
    assert mem.doctor(repair=True).ok
    store.rebuild("lab")
    assert [list(store.vectors("lab", embedder)) for embedder in (SMALL, LARGE)] == rows
    assert mem.verify().ok


def damage(path: Path, *statements: str) -> None:
    raw = sqlite3.connect(path, isolation_level=None)
    for sql in statements:
        assert raw.execute(sql).rowcount > 0, sql
    raw.close()


def test_the_doctor_keeps_vectors_and_lets_go_of_orphans(file_mem: Treering, db_path: Path, clock: HandClock) -> None:
    store = file_mem._store
    one, two, tea = tell(store, clock, "One", "Two", names=["Tea"])
    damage(
        db_path,
        f"INSERT INTO embedding (space_id, embedder, thing_id, data) VALUES (1, '{SMALL}', '{NOBODY}', x'00')",
        f"DELETE FROM memory WHERE id = '{one}'",
    )
    assert not file_mem.verify().ok
    diagnosis = file_mem.doctor(repair=True)
    assert (diagnosis.ok, diagnosis.repaired) == (True, ("lab",))
    assert kept(store) == [one, two, tea]


def test_a_rebuild_lets_go_of_vectors_that_belong_to_no_space(
    file_mem: Treering, db_path: Path, clock: HandClock
) -> None:
    store = file_mem._store
    one, two = tell(store, clock, "One", "Two")
    clock.advance(hours=1)
    other = tell(store, clock, "Else", space="elsewhere")
    damage(db_path, f"UPDATE embedding SET space_id = 99 WHERE thing_id = '{one}'")
    assert not file_mem.verify().ok
    store.rebuild("lab")
    assert file_mem.verify().ok
    assert (kept(store), unread(store)) == ([two], [one])
    assert kept(store, space="elsewhere") == other


def test_an_export_carries_no_vectors_and_an_import_finds_all_unread(
    mem: Treering, store: Store, clock: HandClock, tmp_path: Path, new_store: Callable[[str], Store]
) -> None:
    made = tell(store, clock, "One", "Two", names=["Tea"])
    mem.export(str(tmp_path / "out.jsonl"))
    assert SMALL.encode() not in (tmp_path / "out.jsonl").read_bytes()
    for kind in ("reference", "sqlite"):
        other = new_store(kind)
        other.replay(read_journal(tmp_path / "out.jsonl"))
        assert other.embedders("lab") == []
        assert unread(other) == made
        assert list(other.texts("lab")) == list(store.texts("lab"))
        assert everything(other, scope(clock)) == everything(store, scope(clock))


def test_what_comes_by_import_again_leaves_vectors_and_a_purge_that_comes_takes_them(
    mem: Treering, store: Store, clock: HandClock, new_store: Callable[[str], Store]
) -> None:
    one, two = tell(store, clock, "One", "Two")
    other = new_store("sqlite")
    other.replay(store.entries("lab"))
    store.replay(other.entries("lab"))
    assert kept(store) == [one, two]
    clock.advance(hours=1)
    Treering(other, clock=clock, actor="ann", space="lab").purge(one, "asked to")
    added = store.replay(other.entries("lab"))
    assert [(here.added, here.skipped) for here in added] == [(1, 1)]
    assert kept(store) == [two]


def test_an_import_that_is_refused_leaves_every_vector(
    mem: Treering, store: Store, clock: HandClock, new_store: Callable[[str], Store]
) -> None:
    made = tell(store, clock, "One", "Two")
    other = new_store("sqlite")
    other.replay(store.entries("lab"))
    clock.advance(hours=1)
    Treering(other, clock=clock, actor="ann", space="lab").purge(made[0], "asked to")
    first, purge = other.entries("lab")
    with pytest.raises(Conflict):
        store.replay([first, purge, replace(purge, seq=9)])
    assert [text.id for text in store.texts("lab")] == made
    assert kept(store) == made


@pytest.mark.parametrize("store_url", ["sqlite", "memory"], indirect=True)  # the reference cannot be copied to a file
def test_a_backup_carries_vectors(mem: Treering, store: Store, clock: HandClock, tmp_path: Path) -> None:
    made = tell(store, clock, "One", "Two", names=["Tea"])
    store.keep_vectors("lab", [read(one, LARGE) for one in made[1:]])
    mem.backup(str(tmp_path / "copy.db"))
    copy = open_store(str(tmp_path / "copy.db"))
    for embedder in (SMALL, LARGE):
        assert list(copy.vectors("lab", embedder)) == list(store.vectors("lab", embedder))
        assert len(list(copy.vectors("lab", embedder))) > 1
    assert Treering(copy).verify().ok
    copy.close()
