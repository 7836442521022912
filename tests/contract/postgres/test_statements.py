"""What is said to the server? Every statement names its space and none two, a recall goes there few times, and nothing
is left in the session for whoever uses it next."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import ClassVar

import psycopg
import pytest
from psycopg.types.string import StrDumper
from tests.conftest import HandClock, write_a_life
from tests.contract.postgres.doing import DIRECTORY, asked, door

from treering.errors import Fault, InvalidRequest
from treering.store.contract import EdgeFilter, Scope
from treering.store.postgres import PostgresStore, schema
from treering.store.postgres.connection import Opening, PostgresConnection, translated
from treering.store.sql.tables import Params, SqlRow


class Noting(PostgresConnection):
    """Keeps what it was asked, transaction by transaction."""

    said: ClassVar[list[list[str]]] = []

    def begin(self, opening: Opening) -> SqlRow | None:
        self.said.append([opening.text])
        return super().begin(opening)

    def run(self, sql: str, params: Params = ()) -> int:
        self._note(sql)
        return super().run(sql, params)

    def rows(self, sql: str, params: Params = ()) -> list[SqlRow]:
        self._note(sql)
        return super().rows(sql, params)

    def run_many(self, sql: str, rows: list[SqlRow]) -> None:
        self._note(sql)
        super().run_many(sql, rows)

    def stream(self, sql: str, params: Params = ()) -> Iterator[SqlRow]:
        self._note(sql)
        return super().stream(sql, params)

    def _note(self, sql: str) -> None:
        if self.said:
            self.said[-1].append(sql)


_TABLES = re.compile(r"\b(?:FROM|JOIN|INTO|UPDATE)\s+([a-z_]+)\b(?!\s*\()")


@pytest.fixture
def noted(url: str) -> Iterator[PostgresStore]:
    """A store of which every statement is kept."""
    made = PostgresStore(url, "normal", factory=Noting)
    Noting.said.clear()
    yield made
    made.close()


def test_no_statement_is_without_its_space_and_none_touches_two(noted: PostgresStore, clock: HandClock) -> None:
    """What a cluster needs that keeps each space in one place."""
    mine = door(noted, clock, "pub")
    told = write_a_life(mine, clock)
    mine.remember("Ann moved to Rome.", extractor="none")
    for _ in mine.list(limit=5), mine.facts(), mine.recall("tea"), mine.history(told.job), mine.entity_get("Ada"):
        pass
    noted.rebuild("pub")
    noted.jobs.put(asked(1, "pub"), clock.now)
    noted.jobs.claim("w", clock.now, 60)
    kept = 0
    for begin, *statements in Noting.said:
        [numbers] = re.findall(r"treering\.spaces = '\{(.*?)\}'", begin + " ".join(statements)) or [""]
        assert "," not in numbers, begin
        for sql in statements:
            touched = {one for one in _TABLES.findall(sql) if one in schema.table_names()}
            if touched <= DIRECTORY:
                continue
            kept += 1
            assert "treering.every" not in begin, sql
            assert len(re.findall(r"space_id", sql)) >= len(touched - DIRECTORY), sql
            assert numbers, sql
    assert kept > 200


def test_a_recall_is_one_transaction_and_goes_to_the_server_few_times(noted: PostgresStore, clock: HandClock) -> None:
    mine = door(noted, clock, "pub")
    write_a_life(mine, clock)
    mine.recall("Who drinks tea with Ada?")
    Noting.said.clear()
    mine.recall("Who drinks coffee with Ada?")
    [[_, *statements]] = Noting.said
    assert len(statements) < 25


def test_the_words_of_links_are_known_to_the_plan_and_values_of_others_never_enter_a_statement(
    noted: PostgresStore, clock: HandClock
) -> None:
    mem = door(noted, clock, "pub")
    mem.link(mem.add("Something").id, mem.add("Something else").id, "supports")  # without links none are looked for
    with noted.reader(Scope("pub", clock.now)) as reader:
        Noting.said[:] = [[]]
        reader.edges(EdgeFilter(relations=("supports", "supersedes"), either_ids=("x",)))
        reader.edges(EdgeFilter(relations=("supports", "LIKES"), either_ids=("x",)))
        ours, others = (sql for sql in Noting.said[0] if "edge_window" in sql)
    assert ours.count("IN ('supersedes', 'supports')") == 3
    assert "LIKES" not in others


def test_nothing_is_left_in_the_session(store: PostgresStore, clock: HandClock) -> None:
    """A pooler may give the next transaction another one."""
    write_a_life(door(store, clock), clock)
    for connection in store._pool._idle:
        for name in ("treering.spaces", "treering.names", "treering.every", "treering.below"):
            assert connection.raw.execute("SELECT current_setting(%s, true)", (name,)).fetchone() in ((None,), ("",))
        assert connection.rows("SHOW lock_timeout") == [("0",)]
        assert connection.rows("SELECT name FROM pg_cursors") == []


def test_behind_a_pooler_no_statement_is_prepared(url: str, clock: HandClock, monkeypatch: pytest.MonkeyPatch) -> None:
    sql = b"SELECT COUNT(*) FROM pg_prepared_statements"
    counts = []
    for pid in (None, 1):
        if pid:  # a pooler tells a process number of its own
            monkeypatch.setattr(psycopg.ConnectionInfo, "backend_pid", property(lambda self: 1))
        store = PostgresStore(url, factory=Noting)
        for _ in range(3):
            door(store, clock).list()
        [(count,)] = store._pool._idle[0].raw.execute(sql).fetchall()
        counts.append(count)
        store.close()
    assert counts[0] > 0
    assert counts[1] == 0


def test_a_text_with_a_nul_is_the_callers_mistake_and_no_fault() -> None:
    with pytest.raises(InvalidRequest, match="holds a NUL character"), translated("here"):
        StrDumper(str).dump("tea\0")
    with pytest.raises(Fault), translated("here"):
        raise psycopg.DataError("a number is too large")
