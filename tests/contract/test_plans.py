"""How does SQLite find what a question asks for? Never by going through a whole space: what takes a moment among a
thousand memories would take minutes among a million."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

import treering
from treering.store.sqlite.connection import SqliteConnection

LARGE = frozenset({"memory", "edge", "edge_window", "mark", "source", "alias", "entity", "memory_tag", "journal"})
ALIASES = {"m": "memory", "p": "memory", "e": "edge", "f": "edge", "w": "edge_window", "x": "edge_window", "k": "mark",
           "o": "source", "a": "alias", "n": "entity", "j": "journal"}  # fmt: skip
ALL_OF_IT = re.compile(r"SCAN (\w+)|SEARCH (\w+) USING .*\((?:space_id=\?|space_id=\? AND mark=\?.*)\)")


@pytest.fixture
def walked(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[str]]:
    """The steps of all statements by which a whole space would be gone through, or all that bears a mark."""
    found: list[str] = []

    def looked_at(how: Callable[..., Any]) -> Callable[..., Any]:
        def look(connection: SqliteConnection, sql: str, params: Any = ()) -> Any:
            for *_, step in connection.raw.execute(f"EXPLAIN QUERY PLAN {sql}", params):
                whole = ALL_OF_IT.fullmatch(step)
                table = whole and (whole[1] or whole[2])
                one_is_enough = sql.endswith("LIMIT 1")
                if table and not one_is_enough and ALIASES.get(table, table) in LARGE:
                    found.append(f"{step}: {' '.join(sql.split())}")
            return how(connection, sql, params)

        return look

    with monkeypatch.context() as patch:
        for name in ("rows", "stream"):
            patch.setattr(SqliteConnection, name, looked_at(getattr(SqliteConnection, name)))
        yield found


@pytest.fixture
def mem(tmp_path: Path) -> Iterator[treering.Treering]:
    with treering.open(tmp_path / "plans.db", space="lab") as one:
        one.remember("Anna lives in Oslo.")
        one.remember("Anna moved to Rome. She works at Acme with Bo.")
        for number in range(4):
            one.add(f"Anna saw Bo, time {number}", entities=["Anna", "Bo"], tags=["seen"], speaker="Cy", session="s")
        one.forget(one.add("Anna sang").id)
        one.recall("Where does Anna live?")  # what is seen, and what is hidden, is looked up once
        yield one


ASKED: dict[str, Callable[[treering.Treering, str], Any]] = {
    "recall": lambda mem, _: mem.recall("Where does Anna live, and with whom does she work?", limit=20),
    "recall of a tag": lambda mem, _: mem.recall("Whom did Anna see?", tags=["seen"], entities=["Anna"]),
    "context": lambda mem, _: mem.context("Where does Anna live?"),
    "get": lambda mem, one: mem.get(one),
    "facts": lambda mem, _: mem.facts(subject="Anna"),
    "facts then": lambda mem, _: mem.facts(subject="Anna", include_closed=True, known_at="2031-01-01"),
    "entity": lambda mem, _: mem.entity("Anna"),
    "history": lambda mem, one: mem.history(one),
    "timeline": lambda mem, _: mem.timeline("Anna"),
    "graph": lambda mem, _: mem.graph("Anna", depth=2),
    "lineage": lambda mem, one: mem.lineage(one),
    "add": lambda mem, _: mem.add("Anna slept", entities=["Anna"], speaker="Cy", session="s", key="k"),
    "touch": lambda mem, one: mem.touch(one),
}


@pytest.mark.parametrize("asked", ASKED)
def test_nothing_goes_through_a_whole_space(mem: treering.Treering, walked: list[str], asked: str) -> None:
    one = mem.list(limit=1)[0].id
    walked.clear()
    ASKED[asked](mem, one)
    assert not walked
