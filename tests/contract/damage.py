"""A healthy file, the damages that can be done to it, and the bench where they are done."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from tests.conftest import HandClock, write_a_life

from treering.door import Treering
from treering.model.identity import Identity
from treering.store import open_store
from treering.store.contract import Store
from treering.store.sql import tables as t
from treering.store.verify import Verification

KEYS = {table.name: table.key for table in (*t.PROJECTED, t.JOURNAL)} | {"space": ("name",)}
TABLES = tuple(name for name in KEYS if name != "kept")
"""All that a store holds by itself. `kept` has rows after an exchange only: tests/exchange/test_sync.py has those."""
SECRET = "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8"


def write_two_spaces(store: Store, clock: HandClock) -> None:
    """Signed and unsigned entries and edges, merges, marks, closings, settings, a purge: a row in every table."""
    signer = Treering(store, clock=clock, actor="ann", identity=Identity.from_secret(SECRET), space="lab")
    write_a_life(signer, clock)
    Treering(store, clock=clock, actor="bob", space="lab").add("Bob was here", triples=[["Bo", "KNOWS", "Ada"]])
    other = Treering(store, clock=clock, actor="bob", space="other")
    other.add("Ada is elsewhere", entities=["Ada"])
    other.add("Still", visibility="private")


@pytest.fixture(scope="module")
def healthy(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """The bytes of such a store, all in one file."""
    path = tmp_path_factory.mktemp("healthy") / "work.db"
    store = open_store(str(path))
    write_two_spaces(store, HandClock())
    assert Treering(store).verify().ok
    store.close()
    assert [one.name for one in path.parent.iterdir()] == ["work.db"]
    return path.read_bytes()


class Bench:
    """Copies of the healthy file, damaged one by one."""

    def __init__(self, folder: Path, healthy: bytes) -> None:
        self.path, self.healthy = folder / "copy.db", healthy

    def rows(self, table: str) -> list[dict[str, Any]]:
        with closing(self._raw()) as raw:
            raw.row_factory = sqlite3.Row
            rowid = "" if "WITHOUT ROWID" in self._made(raw, table) else ", rowid AS rowid_"
            return [dict(row) for row in raw.execute(f"SELECT *{rowid} FROM {table} ORDER BY 1, 2")]

    @staticmethod
    def _made(raw: sqlite3.Connection, table: str) -> str:
        return str(raw.execute("SELECT sql FROM sqlite_master WHERE name = ?", (table,)).fetchone()[0])

    def _raw(self) -> sqlite3.Connection:
        self.write(self.healthy)
        return sqlite3.connect(self.path)

    def write(self, content: bytes) -> None:
        for beside in ("-wal", "-shm"):
            Path(f"{self.path}{beside}").unlink(missing_ok=True)
        self.path.write_bytes(content)

    def verify_after(self, sql: str, params: tuple[Any, ...] = ()) -> Verification:
        assert self.damage(sql, params)
        return self.verify()

    def damage(self, sql: str, params: tuple[Any, ...] = ()) -> bool:
        """Whether the engine let it happen: some changes break a constraint at once."""
        raw = self._raw()
        try:
            assert raw.execute(sql, params).rowcount == 1
            raw.commit()
            return True
        except sqlite3.IntegrityError:
            return False
        finally:
            raw.close()

    def verify(self) -> Verification:
        store = open_store(str(self.path))
        try:
            return Treering(store).verify()
        finally:
            store.close()

    def doctor(self) -> Any:
        store = open_store(str(self.path))
        try:
            return Treering(store).doctor(repair=True)
        finally:
            store.close()


@pytest.fixture
def bench(tmp_path: Path, healthy: bytes) -> Bench:
    return Bench(tmp_path, healthy)
