"""When is what was told on disk? When the call returns, however many messages it had: the disk is waited for once."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from treering.door import Treering
from treering.store.sqlite.store import SqliteStore

MESSAGES = [{"speaker": "Ana", "content": text} for text in ("I live in Oslo.", "I own a boat.", "I work at Volvo.")]


class Noting(sqlite3.Connection):
    """Notes every transaction that wrote, with whether its commit waited for the disk."""

    waited: list[bool]
    synced, wrote = True, 0

    def execute(self, sql: str, *given: Any) -> sqlite3.Cursor:
        if sql.startswith("PRAGMA synchronous = "):
            type(self).synced = sql.endswith(("FULL", "full"))
        if sql == "BEGIN IMMEDIATE":
            self.wrote = self.total_changes
        if sql == "COMMIT" and self.total_changes > self.wrote:
            self.waited.append(self.synced)
            self.wrote = self.total_changes
        return super().execute(sql, *given)


@pytest.fixture
def waited() -> list[bool]:
    Noting.waited = []
    return Noting.waited


@pytest.fixture
def mem(tmp_path: Path, waited: list[bool]) -> Iterator[Treering]:
    with Treering(SqliteStore(tmp_path / "told.db", factory=Noting)) as mem:
        mem.remember("Somebody was here before.")
        waited.clear()
        yield mem


def test_a_call_of_one_message_waits_for_what_was_said_and_for_what_was_made_of_it(
    mem: Treering, waited: list[bool]
) -> None:
    mem.remember("I live in Oslo.")
    assert waited == [True, True]


def test_a_call_of_many_waits_once_for_all_that_was_made_of_them(mem: Treering, waited: list[bool]) -> None:
    mem.remember(messages=MESSAGES)
    assert waited == [True, False, False, False, True]
    mem.remember("I like tea.")
    assert waited[5:] == [True, True]


def test_what_was_written_before_a_failure_is_on_disk_when_the_error_comes(mem: Treering, waited: list[bool]) -> None:
    def told(done: int, of: int) -> None:
        if done == 2:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        mem.watched(told).remember(messages=MESSAGES)
    assert waited == [True, False, False, True]
    assert len(mem.resume().memories) == 1


def test_a_dry_run_of_many_writes_nothing(mem: Treering, waited: list[bool]) -> None:
    mem.remember(messages=MESSAGES, dry_run=True)
    assert waited == []


def test_who_chose_not_to_wait_does_not_wait_at_all(tmp_path: Path, waited: list[bool]) -> None:
    with Treering(SqliteStore(tmp_path / "told.db", "normal", factory=Noting)) as mem:
        waited.clear()
        mem.remember(messages=MESSAGES)
    assert waited == [False] * 4
