"""Are purged words gone from PostgreSQL's files? They are, or the purge says that somebody held it up."""

from __future__ import annotations

import time
from typing import Any

import psycopg
import pytest
from tests.conftest import HandClock
from tests.contract.postgres.doing import door
from tests.postgres import Server

from treering.store.postgres import PostgresStore
from treering.store.postgres.connection import about


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
