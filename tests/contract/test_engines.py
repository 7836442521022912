"""What answers on PostgreSQL: which extension is used and why, what happens when it is behind, damaged or deadly, and
how one connection serves."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from typing import Any

import psycopg
import pytest
from tests.conftest import HandClock, open_pglite, pglite_url, write_a_life
from tests.pglite import Unprepared, engine
from tests.postgres import databases

from treering.door import Treering
from treering.errors import InvalidRequest, Unsupported
from treering.model.edge import Direction
from treering.store import open_store
from treering.store.contract import Crossing, Scope, Ways, Writer
from treering.store.postgres import PostgresStore, cypher, mirror, probe
from treering.store.postgres.connection import PostgresConnection
from treering.store.postgres.dialect import space_key
from treering.store.sqlite import SqliteStore

SOON = 10.0
EVERY_WAY = Ways(Direction.BOTH, None, include_closed=True)


def opened(vectors: str = "local", graph: str = "age") -> PostgresStore:
    store = open_pglite(vectors, graph)
    assert isinstance(store, PostgresStore)
    return store


@pytest.fixture
def age() -> Iterator[PostgresStore]:
    pglite_url()
    store = opened()
    yield store
    store.close()


def door(store: Any, clock: HandClock) -> Treering:
    return Treering(store, clock=clock, actor="ann", space="lab")


# Apache AGE


def crossed(store: PostgresStore, clock: HandClock, *nodes: str) -> tuple[list[Crossing], bool]:
    """What a step finds, and whether AGE found it."""
    with store.reader(Scope("lab", clock.now, principal="ann")) as reader:
        found = reader.crossings("lab", nodes, EVERY_WAY, 100)
        return found, not reader.behind  # type: ignore[attr-defined]


def test_the_graph_is_mirrored_with_every_relation_as_it_is_written(age: PostgresStore, clock: HandClock) -> None:
    told = write_a_life(door(age, clock), clock)
    assert age.describe()["graph"] == "age"
    found, by_age = crossed(age, clock, told.new_home, told.bo)
    assert by_age
    assert {one.relation for one in found} >= {"about_entity", "KNOWS", "supersedes"}
    assert door(age, clock).verify().ok


def test_what_was_written_without_age_is_answered_by_tables_and_caught_up_on(
    age: PostgresStore, clock: HandClock
) -> None:
    door(age, clock).assert_fact("Ann", "KNOWS", "Bo")
    age.close()
    plain = opened(graph="sql")
    door(plain, clock).assert_fact("Ann", "LIKES", "Tea")
    ann = door(plain, clock).entity_get("Ann").id
    before, _ = crossed(plain, clock, ann)
    plain.close()
    again = opened()
    found, by_age = crossed(again, clock, ann)
    assert (found, by_age) == (before, False)
    assert again._errands.done(SOON)
    assert crossed(again, clock, ann) == (before, True)
    assert again.strayed("lab") == []
    again.close()


def test_a_mirror_that_is_damaged_is_told_of_and_made_anew(age: PostgresStore, clock: HandClock) -> None:
    told = write_a_life(door(age, clock), clock)
    right, _ = crossed(age, clock, told.bo)
    graph = mirror.graph_name(space_key("lab"))
    with age._writing("lab") as connection:
        connection.run(f'DELETE FROM {graph}."Edge"')
    assert crossed(age, clock, told.bo)[0] == []
    [difference] = door(age, clock).verify().differences
    assert difference.table == "mirror"
    assert "relationships in AGE are not as the tables have them" in difference.what
    assert door(age, clock).doctor(repair=True).ok
    assert crossed(age, clock, told.bo) == (right, True)


@pytest.mark.slow
def test_a_graph_that_somebody_dropped_is_made_anew(age: PostgresStore, clock: HandClock) -> None:
    told = write_a_life(door(age, clock), clock)
    right, _ = crossed(age, clock, told.bo)
    with age._writing("lab") as connection:
        connection.rows(f"SELECT ag_catalog.drop_graph('{mirror.graph_name(space_key('lab'))}', true)")
    assert crossed(age, clock, told.bo) == (right, False)
    assert age._errands.done(SOON)
    assert crossed(age, clock, told.bo) == (right, True)


def test_what_is_purged_leaves_the_graph_too(age: PostgresStore, clock: HandClock) -> None:
    mem = door(age, clock)
    gone = mem.add("Zora hides", entities=["Zora"], triples=[["Zora", "LIVES_IN", "Nowhere"]]).id
    kept = mem.add("Ann stays", entities=["Ann"]).id
    mem.purge(gone, "asked")
    graph = mirror.graph_name(space_key("lab"))
    with age._reading("lab") as connection:
        said = str(connection.rows(f'SELECT properties::text FROM {graph}."Edge"'))
        nodes = str(connection.rows(f'SELECT properties::text FROM {graph}."Thing"'))
    assert gone not in said + nodes
    assert kept in said + nodes


def test_who_may_not_see_what_a_window_rests_on_is_answered_by_tables(age: PostgresStore, clock: HandClock) -> None:
    mem = door(age, clock)
    mem.settings({"functional_relations": ["LIVES_IN"]})
    mem.remember(drafts=[{"content": "Ann lives in Rome", "triples": [["Ann", "LIVES_IN", "Rome"]]}])
    clock.advance(hours=1)
    secret = {"content": "Ann lives in Oslo", "triples": [["Ann", "LIVES_IN", "Oslo"]]}
    mem.remember(drafts=[secret], visibility="private")
    served = {}
    for who in ("ann", "bob"):
        with age.reader(Scope("lab", clock.now, principal=who)) as reader:
            served[who] = cypher.serves(reader._bound, space_key("lab"))  # type: ignore[attr-defined]
    assert served == {"ann": True, "bob": False}


# what is used, and why


def test_without_extensions_nothing_of_them_is_used_and_it_is_said_why(postgres_url: Callable[[], str]) -> None:
    store = open_store(postgres_url())
    told = store.describe()
    assert (told["vectors"], told["graph"]) == ("local", "sql")
    assert told["vectors_because"] == "the extension vector is not in this database"
    assert told["graph_because"] == "the extension age is not in this database"
    store.close()


def test_what_is_asked_for_by_name_and_cannot_be_had_is_an_error(postgres_url: Callable[[], str]) -> None:
    url = postgres_url()
    with pytest.raises(Unsupported, match=r"Apache AGE cannot be used: .* set graph to auto"):
        open_store(url, graph="age")
    with pytest.raises(InvalidRequest, match="vectors: 'faiss' is not one of auto, pgvector, local"):
        open_store(url, vectors="faiss")
    with pytest.raises(InvalidRequest, match="graph: 'cypher' is not one of auto, sql, age"):
        open_store(url, graph="cypher")


def test_a_role_that_may_not_make_graphs_is_told_when_the_store_is_opened(monkeypatch: pytest.MonkeyPatch) -> None:
    pglite_url()

    def refuse(*_: Any) -> None:
        raise psycopg.errors.InsufficientPrivilege("permission denied for table ag_graph")

    monkeypatch.setattr(mirror, "_make_graph", refuse)
    store = opened(vectors="local", graph="auto")
    assert store.describe()["graph"] == "sql"
    assert "permission denied for table ag_graph" in store.describe()["graph_because"]
    store.close()


@pytest.mark.slow
def test_migrate_takes_everything_over_that_is_left(clock: HandClock, monkeypatch: pytest.MonkeyPatch) -> None:
    pglite_url()
    before = opened(vectors="local", graph="sql")
    write_a_life(door(before, clock), clock)
    before.close()
    store = PostgresStore(engine().url, "normal", Unprepared, bring_up=True, connections=1, graph="age")
    assert crossed(store, clock, door(store, clock).entity_get("Ada").id)[1], "the mirror is not there"
    store.close()


# a trial that may be deadly


def test_a_build_that_ends_the_server_is_tried_once_and_survived(
    monkeypatch: pytest.MonkeyPatch, clock: HandClock
) -> None:
    pglite_url()
    tried: list[str] = []

    def deadly(raw: psycopg.Connection[Any]) -> None:
        """As an illegal instruction does."""
        tried.append("once")
        raw.close()
        raise psycopg.OperationalError("server closed the connection unexpectedly")

    monkeypatch.setattr(probe, "_try", deadly)
    for _ in range(2):
        store = opened(vectors="auto", graph="sql")
        told = store.describe()
        assert told["vectors"] == "local"
        assert "pgvector" in told["vectors_because"]
        door(store, clock).add("Ann goes on")
        store.close()
    assert tried == ["once"]
    with pytest.raises(
        Unsupported, match=r"pgvector cannot be used: .*crashed when it was tried.* set vectors to auto"
    ):
        opened(vectors="pgvector", graph="sql")


def test_a_trial_that_nobody_told_the_end_of_counts_as_a_crash(monkeypatch: pytest.MonkeyPatch) -> None:
    pglite_url()

    def killed(raw: psycopg.Connection[Any]) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(probe, "_try", killed)
    with pytest.raises(KeyboardInterrupt):
        opened(vectors="auto", graph="sql")
    monkeypatch.undo()
    store = opened(vectors="auto", graph="sql")
    assert "crashed when it was tried" in store.describe()["vectors_because"]
    store.close()


@pytest.mark.parametrize("trial", [None, ("SELECT 1 / 0",)], ids=["as it is", "that fails"])
def test_where_the_servers_programs_can_be_run_the_trial_is_in_a_server_of_its_own(
    trial: tuple[str, ...] | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    if trial is not None:
        monkeypatch.setattr(probe, "TRIAL", trial)
    url = databases().url_of(databases().blank(), "postgres")
    with psycopg.connect(url, autocommit=True) as raw:
        raw.execute("CREATE EXTENSION vector")
        began = raw.execute("SELECT pg_postmaster_start_time()").fetchone()
        connection = PostgresConnection(url)
        outcome = probe._in_a_throw_away_server(url, connection)
        connection.close()
        assert raw.execute("SELECT pg_postmaster_start_time()").fetchone() == began
    assert outcome is not None
    assert "throw-away server" in outcome.told
    if trial is not None:
        assert not outcome.survived
    databases().drop(url)


def test_where_pgvector_came_to_be_deadly_the_server_no_longer_uses_it_by_itself(
    monkeypatch: pytest.MonkeyPatch, clock: HandClock
) -> None:
    pglite_url()
    opened(vectors="auto", graph="sql").close()
    monkeypatch.setattr(probe, "tried", lambda *_: probe.Outcome(False, "another processor"))
    store = opened(vectors="auto", graph="sql")
    with store._reading("lab") as connection:
        assert connection.rows("SELECT COUNT(*) FROM pg_trigger WHERE tgname = 'follow_embedding'") == [(0,)]
    assert store.describe()["vectors_because"] == "another processor"
    store.close()


# one connection


def test_one_connection_serves_a_question_that_reads_in_several_ways(
    postgres_url: Callable[[], str], clock: HandClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    made: list[PostgresConnection] = []

    class Counted(PostgresConnection):
        def __init__(self, url: str) -> None:
            super().__init__(url)
            made.append(self)

    store = PostgresStore(postgres_url(), "normal", Counted, connections=1)
    mem = door(store, clock)
    told = write_a_life(mem, clock)
    mem.add("A child of it", space="lab/den")
    assert mem.recall("tea", children=True)
    assert mem.recall("tea", known_at=clock.now)
    assert mem.graph("Ada").edges
    assert mem.context("tea")
    assert mem.history(told.job)
    assert mem.verify().ok
    assert len(made) == 1
    store.close()


def test_within_one_connection_the_walls_are_as_they_were_when_an_inner_reading_ends(
    postgres_url: Callable[[], str], clock: HandClock
) -> None:
    store = PostgresStore(postgres_url(), "normal", connections=1)
    for space in ("lab", "den"):
        Treering(store, clock=clock, actor="ann", space=space).add(f"Ann in {space}")
    sql = "SELECT COUNT(*) FROM memory"
    with store.reader(Scope("lab", clock.now)) as reader:
        connection = reader._connection  # type: ignore[attr-defined]
        assert connection.rows(sql) == [(1,)]
        with store.snapshot() as held:
            assert held.head("den").seq == 1
            assert len(held.spaces()) == 2
            assert connection.rows(sql) == [(2,)]
        assert connection.rows(sql) == [(1,)]
    store.close()


def test_to_write_while_reading_with_one_connection_is_refused_with_what_to_do(
    postgres_url: Callable[[], str], clock: HandClock
) -> None:
    store = PostgresStore(postgres_url(), "normal", connections=1)
    with (
        store.reader(Scope("lab", clock.now)),
        pytest.raises(Unsupported, match="set TREERING_CONNECTIONS to 2 or more"),
    ):
        store.write("lab", Writer("ann"), clock.now, lambda reader, at: None)  # type: ignore[arg-type, return-value]
    assert isinstance(store.empty_twin(), SqliteStore)
    store.close()


def test_threads_take_turns_at_one_connection(postgres_url: Callable[[], str], clock: HandClock) -> None:
    store = PostgresStore(postgres_url(), "normal", connections=1)
    threads = [
        threading.Thread(target=lambda number=number: door(store, clock).add(f"Ann {number}")) for number in range(6)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(SOON)
    assert store.head("lab").seq == 6
    store.close()


def test_the_engine_of_the_tests_is_the_one_that_is_meant() -> None:
    with engine().raw() as raw:
        told = dict(raw.execute("SELECT extname, extversion FROM pg_extension").fetchall())
        version = raw.execute("SHOW server_version").fetchone()
    assert str(told["vector"]).startswith("0.8")
    assert str(told["age"]).startswith("1.7")
    assert version is not None
    assert str(version[0]).startswith("18")
