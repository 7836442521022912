"""What if the server goes away, or is not there? Connections that died are replaced or told of, nothing acknowledged is
lost, and a url is shown without its secrets."""

from __future__ import annotations

import threading
from typing import Any

import psycopg
import pytest
from tests.conftest import HandClock
from tests.contract.postgres.doing import SOON, door, nothing
from tests.postgres import Server, databases

from treering.errors import InvalidRequest, Unavailable, Unsupported
from treering.store import open_store
from treering.store.contract import MemoryFilter, Scope, Store, Writer
from treering.store.postgres import PostgresStore
from treering.store.postgres.connection import shown


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
        return nothing(reader, at)

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
