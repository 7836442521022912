"""SQLite files as an older version or another life left them."""

from __future__ import annotations

import os
import sqlite3
from pathlib import Path

import pytest
from tests.conftest import HandClock

import treering
from treering.door import Treering
from treering.store.contract import Store
from treering.store.sqlite import schema


def door(store: Store, clock: HandClock | None = None) -> Treering:
    return Treering(store, clock=clock or HandClock(), actor="ann", space="lab")


@pytest.fixture
def written(db_path: Path, clock: HandClock) -> Path:
    """A closed file with a memory in it."""
    with treering.open(db_path, clock=clock, actor="ann", space="lab") as mem:
        mem.add("Ada was here", entities=["Ada"])
    return db_path


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


def read_only(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As if neither the file nor its folder could be written, as on a mount for reading: root may write anything."""
    access = os.access
    monkeypatch.setattr(os, "access", lambda one, mode: mode != os.W_OK and access(one, mode))
