"""Are PostgreSQL's tables what the migrations arrive at, and does a wall stand around each? A statement that forgets
its space neither sees nor touches another."""

from __future__ import annotations

from typing import Any

import psycopg
import pytest
from tests.conftest import HandClock, write_a_life
from tests.contract.postgres.doing import BESIDE, DIRECTORY, asked, at_once, door
from tests.postgres import databases

from treering.errors import InvalidRequest, Unavailable, Unsupported
from treering.store.contract import Scope, Store
from treering.store.postgres import PostgresStore, dialect, schema
from treering.store.postgres.connection import about
from treering.store.sqlite import schema as shared


def _made(url: str) -> list[tuple[Any, ...]]:
    """Every column, index, constraint and policy."""
    with psycopg.connect(url) as connection:
        found: list[tuple[Any, ...]] = []
        for sql in (
            """SELECT table_name, column_name, data_type, collation_name, is_nullable, column_default, is_identity
            FROM information_schema.columns WHERE table_schema = 'public' ORDER BY 1, 2""",
            "SELECT tablename, indexdef FROM pg_indexes WHERE schemaname = 'public' ORDER BY 1, 2",
            """SELECT conrelid::regclass::text, pg_get_constraintdef(oid) FROM pg_constraint
            WHERE connamespace = 'public'::regnamespace ORDER BY 1, 2""",
            "SELECT tablename, policyname, qual FROM pg_policies WHERE schemaname = 'public' ORDER BY 1",
        ):
            found += connection.execute(sql.encode()).fetchall()
        return found


def test_the_schema_is_what_all_migrations_arrive_at(blank: str, url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    steps = shared.migrations()
    with monkeypatch.context() as older:
        older.setattr(shared, "migrations", lambda: steps[:1])
        older.setattr(shared, "schema", lambda: steps[0])
        PostgresStore(blank).close()
    with pytest.raises(Unavailable, match=r"older Treering \(schema 1, today's is \d+\); run `treering db migrate`"):
        PostgresStore(blank)
    made = PostgresStore(blank, bring_up=True)
    assert made.describe()["schema"] == len(steps)
    made.close()
    assert _made(blank) == _made(url)


def test_a_migration_reaches_the_rows_of_every_space(
    url: str, clock: HandClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    """They stand behind walls, for the owner of the tables too."""
    store = PostgresStore(url, "normal")
    told = [door(store, clock, space).add("Ann was here").id for space in ("lab", "den")]
    store.close()
    steps = shared.migrations()
    monkeypatch.setattr(shared, "migrations", lambda: [*steps, "UPDATE memory SET importance = 0.9"])
    store = PostgresStore(url, "normal", bring_up=True)
    for space, one in zip(("lab", "den"), told, strict=True):
        assert door(store, clock, space).get(one).importance == 0.9
    with store._at_rest() as connection:
        connection.run("UPDATE treering_schema SET version = version - 1")
    store.close()


def test_a_database_of_a_newer_treering_or_of_something_else_is_refused(
    raw: psycopg.Connection[Any], url: str, blank: str
) -> None:
    raw.execute("UPDATE treering_schema SET version = version + 1")
    try:
        with pytest.raises(Unsupported, match=r"newer Treering \(schema \d+, this one knows \d+\); upgrade"):
            PostgresStore(url)
    finally:
        raw.execute("UPDATE treering_schema SET version = version - 1")
    with psycopg.connect(blank) as other:
        other.execute("CREATE TABLE memory (size INT)")
    with pytest.raises(InvalidRequest, match="has tables of something else"):
        PostgresStore(blank)


def test_several_processes_may_make_a_database_ready_at_once(blank: str) -> None:
    opened: list[Store] = []
    at_once(*[lambda: opened.append(PostgresStore(blank)) for _ in range(4)])
    assert len(opened) == 4
    for one in opened:
        one.close()


def test_every_key_begins_with_the_space(raw: psycopg.Connection[Any]) -> None:
    for table in schema.table_names():
        if table in DIRECTORY:
            continue
        sql = "SELECT indexdef FROM pg_indexes WHERE tablename = %s"
        for (made,) in raw.execute(sql, (table,)):
            assert "(space_id" in made, made


def test_a_statement_that_forgets_its_space_sees_no_other(
    store: PostgresStore, clock: HandClock, raw: psycopg.Connection[Any]
) -> None:
    for space in ("lab", "lab/den", "den"):
        write_a_life(door(store, clock, space), clock)
    with store.reader(Scope("lab", clock.now)) as reader:
        connection = reader._connection  # type: ignore[attr-defined]
        for table in schema.table_names():
            if table in BESIDE:
                continue
            number = "id" if table == "space" else "space_id"
            seen = {row[0] for row in connection.rows(f"SELECT {number} FROM {table}")}
            assert seen <= {dialect.space_key("lab")}, table
            assert seen or table in ("embedding", "actor_key", "kept"), table
    for table in schema.table_names():
        assert raw.execute(f"SELECT * FROM {table}".encode()).fetchall() == [], f"{table} without any setting"


def test_a_statement_that_forgets_its_space_writes_to_no_other(
    store: PostgresStore, clock: HandClock, raw: psycopg.Connection[Any]
) -> None:
    ours, theirs = (door(store, clock, space).add("Ann stays", space=space).id for space in ("lab", "den"))
    raw.execute(f"BEGIN; {about('lab')}".encode())
    assert raw.execute("UPDATE memory SET content = 'gone'").rowcount == 1
    assert raw.execute("DELETE FROM memory_tag").rowcount == 0
    with pytest.raises(psycopg.errors.InsufficientPrivilege, match="row-level security"):
        raw.execute(
            "INSERT INTO mark (space_id, target_id, mark, known_from, known_until) VALUES (%s, 'x', 'forgotten', 0, 1)",
            (dialect.space_key("den"),),
        )
    raw.execute("ROLLBACK")
    assert door(store, clock, "den").get(theirs).content == "Ann stays"
    assert door(store, clock, "lab").get(ours).content == "Ann stays"


def test_jobs_stand_behind_the_wall_too(store: PostgresStore, clock: HandClock, raw: psycopg.Connection[Any]) -> None:
    for place, space in enumerate(("lab", "den")):
        store.jobs.put(asked(place, space), clock.now)
        store.spend(space, "2026-01-01", 5, 5)
    raw.execute(f"BEGIN; {about('lab')}".encode())
    assert raw.execute("SELECT space FROM job").fetchall() == [("lab",)]
    assert raw.execute("SELECT space FROM spending").fetchall() == [("lab",)]
    raw.execute("ROLLBACK")


def test_every_table_is_walled_and_status_says_whether_the_walls_hold(
    store: PostgresStore, raw: psycopg.Connection[Any], url: str
) -> None:
    sql = "SELECT relname, relrowsecurity, relforcerowsecurity FROM pg_class WHERE relname = ANY (%s)"
    found = raw.execute(sql, (schema.table_names(),)).fetchall()
    assert {name for name, *_ in found} == set(schema.table_names())
    assert all(walled and forced for _, walled, forced in found)
    assert store.describe()["walls"] == "row-level security"
    name = str(psycopg.conninfo.conninfo_to_dict(url)["dbname"])
    almighty = PostgresStore(databases().url_of(name, "postgres"))
    assert almighty.describe()["walls"] == "none: this role passes them"
    almighty.close()


def test_a_name_with_quotes_neither_breaks_out_nor_in(store: PostgresStore, clock: HandClock) -> None:
    door(store, clock).add("Ann")
    for name in ("l'ab", 'l"ab', "l\\ab", "','lab", "lab'; DROP TABLE memory; --"):
        with store.reader(Scope(name, clock.now, children=True)) as reader:
            assert reader.spaces == ()
        assert store.jobs.listed(name, "ann") == []
