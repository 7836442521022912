"""What PostgreSQL adds to the contract: walls between spaces, writers that do not wait for strangers, a server that may
go away and come back, and statements that a cluster can send to one place.
"""

from __future__ import annotations

import re
import threading
import time
from collections.abc import Callable, Iterator
from typing import Any, ClassVar

import psycopg
import pytest
from tests.conftest import HandClock, write_a_life
from tests.postgres import Server, databases

from treering.door import Treering
from treering.errors import InvalidRequest, Unavailable, Unsupported
from treering.model.changes import Changes
from treering.model.job import Asked, JobStatus
from treering.store import open_store
from treering.store.contract import EdgeFilter, MemoryFilter, Scope, Store, Writer
from treering.store.postgres import PostgresStore, dialect, schema
from treering.store.postgres.connection import Opening, PostgresConnection, about, shown
from treering.store.sql.tables import Params, SqlRow
from treering.store.sqlite import schema as shared

SOON = 5.0


@pytest.fixture
def url(postgres_url: Callable[[], str]) -> str:
    return postgres_url()


@pytest.fixture
def store(url: str) -> Iterator[PostgresStore]:
    made = PostgresStore(url, "normal")
    yield made
    made.close()


@pytest.fixture
def raw(url: str) -> Iterator[psycopg.Connection[Any]]:
    """As the store's own role, with no store in between."""
    with psycopg.connect(url, autocommit=True) as connection:
        yield connection


@pytest.fixture
def blank() -> Iterator[str]:
    """A database in which nobody has made anything."""
    name = databases().blank()
    yield databases().url_of(name)
    databases().drop(databases().url_of(name))


def door(store: Store, clock: HandClock, space: str = "lab", actor: str = "ann") -> Treering:
    return Treering(store, clock=clock, actor=actor, space=space)


# the schema


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
    _at_once(*[lambda: opened.append(PostgresStore(blank)) for _ in range(4)])
    assert len(opened) == 4
    for one in opened:
        one.close()


def test_every_key_begins_with_the_space(raw: psycopg.Connection[Any]) -> None:
    for table in schema.table_names():
        if table in _DIRECTORY:
            continue
        sql = "SELECT indexdef FROM pg_indexes WHERE tablename = %s"
        for (made,) in raw.execute(sql, (table,)):
            assert "(space_id" in made, made


# walls


def test_a_statement_that_forgets_its_space_sees_no_other(
    store: PostgresStore, clock: HandClock, raw: psycopg.Connection[Any]
) -> None:
    for space in ("lab", "lab/den", "den"):
        write_a_life(door(store, clock, space), clock)
    with store.reader(Scope("lab", clock.now)) as reader:
        connection = reader._connection  # type: ignore[attr-defined]
        for table in schema.table_names():
            if table in _BESIDE:
                continue
            number = "id" if table == "space" else "space_id"
            seen = {row[0] for row in connection.rows(f"SELECT {number} FROM {table}")}
            assert seen <= {dialect.space_key("lab")}, table
            assert seen or table in ("embedding", "actor_key"), table
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
        store.jobs.put(_asked(place, space), clock.now)
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


# one space waits for itself only


def test_a_write_waits_for_writers_of_its_own_space_and_for_no_others(store: PostgresStore, clock: HandClock) -> None:
    door(store, clock, "lab").add("Ann was first")
    begun, go_on = threading.Event(), threading.Event()

    def slowly(reader: Any, at: Any) -> Any:
        begun.set()
        assert go_on.wait(SOON)
        return _nothing(reader, at)

    holding = threading.Thread(target=lambda: store.write("lab", Writer("ann"), clock.now, slowly))
    waiting = threading.Thread(target=lambda: door(store, clock, "lab").add("Ann came second"))
    holding.start()
    assert begun.wait(SOON)
    for space in ("den", "another"):
        assert door(store, clock, space).add("Bo does not wait", space=space).seq == 1
    waiting.start()
    waiting.join(0.2)
    assert waiting.is_alive(), "two writers were in one space at once"
    go_on.set()
    waiting.join(SOON)
    holding.join(SOON)
    assert store.head("lab").seq == 2


def test_who_writes_first_to_a_new_space_is_waited_for(store: PostgresStore, clock: HandClock) -> None:
    for number in range(5):
        space = f"new{number}"
        _at_once(*[lambda space=space: door(store, clock, space).add("Ann") for _ in range(4)])
        assert store.head(space).seq == 4


def test_a_writer_that_is_waited_for_too_long_is_told_of_as_unavailable(
    store: PostgresStore, clock: HandClock, raw: psycopg.Connection[Any]
) -> None:
    door(store, clock).add("Ann")
    raw.execute(f"BEGIN; {about('lab')}; SELECT 1 FROM space FOR UPDATE".encode())
    store._write = store._write.replace("lock_timeout = '10s'", "lock_timeout = '100ms'")
    with pytest.raises(Unavailable, match=r"others have been writing .* nothing was written, try again"):
        door(store, clock).add("Bo")
    raw.execute("ROLLBACK")
    assert door(store, clock).add("Bo").seq == 2


def test_many_writers_to_many_spaces_leave_whole_journals_and_no_deadlock(
    store: PostgresStore, clock: HandClock
) -> None:
    def write(number: int) -> None:
        for turn in range(4):
            mine = door(store, clock, f"space{(number + turn) % 6}", f"writer{number}")
            mine.add(f"{number} in turn {turn}", entities=["Ann"], triples=[["Ann", "MET", f"n{number}"]])

    _at_once(*[lambda number=number: write(number) for number in range(16)])
    heads = [store.head(f"space{one}").seq for one in range(6)]
    assert sum(heads) == 64
    assert door(store, clock).verify().ok


# jobs


def test_workers_at_once_are_never_given_the_same_job(store: PostgresStore, clock: HandClock) -> None:
    for number in range(24):
        store.jobs.put(_asked(number, f"space{number % 5}"), clock.now)
    given: list[str] = []

    def work(name: str) -> None:
        while claim := store.jobs.claim(name, clock.now, 60):
            given.append(claim.job.id)
            store.jobs.finish(claim.job, clock.now, JobStatus.COMPLETED)

    _at_once(*[lambda name=name: work(name) for name in ("w1", "w2", "w3", "w4")])
    assert sorted(given) == sorted({*given})
    assert len(given) == 24


def test_a_worker_passes_over_the_job_that_another_is_about_to_take(
    store: PostgresStore, clock: HandClock, raw: psycopg.Connection[Any]
) -> None:
    first, second = (store.jobs.put(_asked(number, "lab"), clock.now) for number in (1, 2))
    raw.execute("BEGIN; SET LOCAL treering.every = 'on'")
    raw.execute("SELECT 1 FROM job WHERE id = %s FOR UPDATE", (first.id,))
    claim = store.jobs.claim("w1", clock.now, 60)
    assert claim is not None
    assert claim.job.id == second.id
    raw.execute("ROLLBACK")


# sessions, poolers and servers that go away


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
_BESIDE = {"job", "spending", "drawer", "upkeep", "found_cluster", "review"}
_DIRECTORY = {"space", *_BESIDE}
"""Which spaces there are; and what is no knowledge, but work still to be done, of a space by name or of a server."""


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
    noted.jobs.put(_asked(1, "pub"), clock.now)
    noted.jobs.claim("w", clock.now, 60)
    kept = 0
    for begin, *statements in Noting.said:
        [numbers] = re.findall(r"treering\.spaces = '\{(.*?)\}'", begin + " ".join(statements)) or [""]
        assert "," not in numbers, begin
        for sql in statements:
            touched = {one for one in _TABLES.findall(sql) if one in schema.table_names()}
            if touched <= _DIRECTORY:
                continue
            kept += 1
            assert "treering.every" not in begin, sql
            assert len(re.findall(r"space_id", sql)) >= len(touched - _DIRECTORY), sql
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


def test_who_waits_longest_for_a_connection_is_next_and_an_operation_may_use_several(
    url: str, clock: HandClock
) -> None:
    store = PostgresStore(url, "normal", connections=1)
    door(store, clock).add("Ann")
    order: list[int] = []

    def come(number: int) -> None:
        with store.snapshot():
            order.append(number)

    threads = [threading.Thread(target=come, args=(number,)) for number in range(4)]
    with store.reader(Scope("lab", clock.now)) as reader, store.snapshot() as held:
        assert held.head("lab").seq == reader.head.seq == 1
        for thread in threads:
            thread.start()
            thread.join(0.05)
            assert thread.is_alive()
    for thread in threads:
        thread.join(SOON)
    assert order == [0, 1, 2, 3]
    store.close()


def test_a_url_is_shown_without_its_secrets() -> None:
    assert (
        shown("postgresql://ann:s3cret@host:5432/db?sslmode=require") == "postgresql://ann@host:5432/db?sslmode=require"
    )
    assert shown("postgresql://host/db?password=s3cret&user=ann") == "postgresql://host/db?user=ann"
    assert shown("postgresql://host/db?user=ann&password=s3cret") == "postgresql://host/db?user=ann"


@pytest.mark.parametrize(
    ("given", "error", "told"),
    [
        ("postgresql://nobody@127.0.0.1:1/none?connect_timeout=2", Unavailable, "the server does not answer"),
        ("postgresql://a b", InvalidRequest, "write postgresql://user@host/database"),
        ("mysql://host/db", Unsupported, "mysql:// is no store of this version"),
    ],
)
def test_an_address_that_leads_nowhere_is_told_of(given: str, error: type[Exception], told: str) -> None:
    with pytest.raises(error, match=told):
        open_store(given)


def test_a_database_that_is_not_there_is_told_of(url: str) -> None:
    missing = url.replace(str(psycopg.conninfo.conninfo_to_dict(url)["dbname"]), "treering_none")
    with pytest.raises((InvalidRequest, Unavailable), match=r"no such database|does not exist"):
        open_store(missing)


def test_connections_that_died_at_rest_are_replaced_unheard(store: PostgresStore, clock: HandClock, url: str) -> None:
    door(store, clock).add("Ann")
    name = str(psycopg.conninfo.conninfo_to_dict(url)["dbname"])
    with psycopg.connect(databases().url_of(name, "postgres"), autocommit=True) as almighty:
        almighty.execute(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = %s AND usename <> 'postgres'",
            (name,),
        )
    assert door(store, clock).add("Bo").seq == 2
    assert len(door(store, clock).list()) == 2


def test_a_connection_that_dies_in_a_write_is_unavailable_and_leaves_nothing(
    store: PostgresStore, clock: HandClock, url: str
) -> None:
    name = str(psycopg.conninfo.conninfo_to_dict(url)["dbname"])

    def cut(reader: Any, at: Any) -> Any:
        with psycopg.connect(databases().url_of(name, "postgres"), autocommit=True) as almighty:
            pid = reader._connection.raw.info.backend_pid
            almighty.execute("SELECT pg_terminate_backend(%s)", (pid,))
        return _nothing(reader, at)

    with pytest.raises(Unavailable, match=r"the server does not answer .* a key makes that safe"):
        store.write("lab", Writer("ann"), clock.now, cut)
    assert store.head("lab").seq == 0
    assert door(store, clock).add("Ann").seq == 1


@pytest.mark.slow
def test_a_restart_under_load_is_unavailable_for_a_while_and_loses_nothing_acknowledged(clock: HandClock) -> None:
    server = Server("max_connections = 50\n")
    made = PostgresStore(server.url)
    acknowledged: list[str] = []
    refused: list[str] = []
    over = threading.Event()

    def write(number: int) -> None:
        while not over.is_set():
            try:
                acknowledged.append(door(made, clock, f"space{number}").add(f"said by {number}").id)
            except Unavailable as error:
                refused.append(str(error))
                over.wait(0.05)

    threads = [threading.Thread(target=write, args=(number,)) for number in range(4)]
    for thread in threads:
        thread.start()
    for _ in range(2):
        over.wait(1)
        server.stop()
        over.wait(0.5)
        server.start()
    before = len(acknowledged)
    over.wait(2)
    over.set()
    for thread in threads:
        thread.join(30)
    assert refused
    assert len(acknowledged) > before, "nobody recovered"
    there = {one.id for number in range(4) for one in _all_of(made, clock, f"space{number}")}
    assert there >= {*acknowledged}
    assert door(made, clock).verify().ok
    made.close()
    server.remove()


def _all_of(store: Store, clock: HandClock, space: str) -> list[Any]:
    with store.reader(Scope(space, clock.now)) as reader:
        return reader.memories(MemoryFilter())


# bytes


@pytest.mark.slow
def test_what_is_purged_is_gone_from_the_tables_files(clock: HandClock) -> None:
    server = Server("fsync = off\n")
    made = PostgresStore(server.url)
    mine = door(made, clock)
    secret = "the unspeakable word"
    gone = mine.add(secret, entities=["Nowhere"], tags=["x"]).id
    with psycopg.connect(server.url, autocommit=True) as almighty:
        almighty.execute("CHECKPOINT")
        assert _holding(server, secret), "the test does not look where the bytes are"
        report = mine.purge(gone, "asked")
        assert report.scrubbed
        almighty.execute("CHECKPOINT")
    made.close()
    server.stop()
    assert _holding(server, secret) == []
    server.remove()


def _holding(server: Server, words: str) -> list[str]:
    files = (one for one in (server.data / "base").rglob("*") if one.is_file())
    return [str(one) for one in files if words.encode() in one.read_bytes()]


def test_a_scrub_that_is_held_up_says_so(store: PostgresStore, clock: HandClock, raw: psycopg.Connection[Any]) -> None:
    mine = door(store, clock)
    gone = mine.add("Ann").id
    raw.execute(f"BEGIN; {about('lab')}; SELECT * FROM memory".encode())
    assert not mine.purge(gone, "asked").scrubbed
    raw.execute("COMMIT")
    give_up = time.monotonic() + 20
    while not store.scrub():  # the server's own cleaning may be at a table just then
        assert time.monotonic() < give_up
        time.sleep(0.1)


# what the tests stand on


def _asked(number: int, space: str) -> Asked:
    return Asked(
        id=f"019b796d-d600-7000-8000-{number:012d}",
        space=space,
        actor="ann",
        kind="remember",
        request={"content": f"number {number}"},
        sources=1,
    )


def _nothing(reader: Any, at: Any) -> Any:
    return Changes("add", ())


def _at_once(*acts: Callable[[], object]) -> None:
    failed: list[BaseException] = []

    def run(act: Callable[[], object]) -> None:
        try:
            act()
        except BaseException as error:
            failed.append(error)

    threads = [threading.Thread(target=run, args=(act,)) for act in acts]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    if failed:
        raise failed[0]
