"""A file of every older schema is brought up with every row, by one or by several at once, or left as it was."""

from __future__ import annotations

import re
import shutil
import sqlite3
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from tests.conftest import HandClock, write_a_life
from tests.contract.sqlite_files import as_written_by_schema, door, read_only, written

import treering
from treering.errors import TreeringError, Unavailable
from treering.model.embedding import Embedded
from treering.store import open_store
from treering.store.sqlite import schema

__all__ = ["written"]


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
