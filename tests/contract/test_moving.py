"""A store moved to another place is the same store there, and whoever moves it is told if it is not."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import psycopg
import pytest
from tests.conftest import START, HandClock, everything, scope, write_a_life
from tests.faces.command import program
from tests.postgres import databases
from tests.property.twins import minting
from tests.recall.hashing import Hashing

from treering.door import Treering
from treering.errors import Conflict
from treering.model.embedding import Embedded
from treering.model.job import JobRequest
from treering.store.contract import Store
from treering.store.moving import move
from treering.store.postgres import PostgresStore, schema

Stores = Callable[[str], Store]


def lived(store: Store, clock: HandClock) -> Treering:
    door = Treering(store, clock=clock, actor="ann", space="lab")
    told = write_a_life(door, clock)
    door.add("Bo is elsewhere", space="den")
    store.keep_vectors("lab", [Embedded(told.tea, "small@1", b"numbers"), Embedded(told.home, "small@1", b"more")])
    store.spend("lab", "2026-01-01", 7, 3)
    asked = JobRequest(
        id="019b796d-d600-7000-8000-000000000001",
        space="lab",
        actor="ann",
        kind="remember",
        request={"content": "Ann waits"},
        sources=1,
    )
    store.jobs.put(asked, clock.now)
    return door


def test_what_waits_in_review_comes_over_and_what_was_dismissed_is_not_asked_again(
    new_store: Stores, clock: HandClock
) -> None:
    here, there = (Treering(new_store("sqlite"), clock=clock, actor="ann", space="lab") for _ in range(2))
    one, other = (here.add(words).id for words in ("Ada is here", "Bo is there"))
    waits = here.review_create("stale", "archive", memory_ids=[one], reason="it is old")
    unwanted = here.review_dismiss(here.review_create("decay", "reinforce", memory_ids=[other]).id, "no")
    assert move(here._store, there._store).reviews == 2
    assert there.review_get(waits.id) == waits
    assert there.review_create("decay", "reinforce", memory_ids=[other]).id == unwanted.id
    there.review_dismiss(waits.id)
    assert move(here._store, there._store).reviews == 0
    assert there.review_get(waits.id).status == "dismissed", "what is there stays"


@pytest.mark.parametrize(("origin", "target"), [("sqlite", "postgres"), ("postgres", "sqlite")])
def test_everything_comes_over_and_is_compared(origin: str, target: str, new_store: Stores, clock: HandClock) -> None:
    here, there = new_store(origin), new_store(target)
    lived(here, clock)
    moved = move(here, there)
    assert moved.ok
    assert moved.spaces == ("den", "lab")
    assert (moved.skipped, moved.vectors, moved.jobs) == (0, 2, 1)
    assert moved.added == here.head("lab").seq + 1
    assert moved.rows == sum(len(list(there.rows(space))) for space in moved.spaces)
    assert everything(there, scope(clock)) == everything(here, scope(clock))
    assert [one.thing_id for one in there.vectors("lab", "small@1")] == [
        one.thing_id for one in here.vectors("lab", "small@1")
    ]
    assert there.spent("lab") == (7, 3)
    assert there.jobs.listed("lab", "ann") == here.jobs.listed("lab", "ann")
    claim = there.jobs.claim("w", clock.now, 60)
    assert claim is not None
    assert claim.request == {"content": "Ann waits"}
    assert Treering(there, clock=clock).verify().ok


def test_done_again_it_brings_over_what_came_meanwhile(new_store: Stores, clock: HandClock) -> None:
    here, there = new_store("sqlite"), new_store("postgres")
    door = lived(here, clock)
    first = move(here, there)
    door.add("Ada came back")
    again = move(here, there)
    assert (again.ok, again.added, again.skipped, again.vectors, again.jobs) == (True, 1, first.added, 0, 0)
    Treering(there, clock=clock, actor="bo", space="lab").add("Somebody wrote there")
    door.add("And here")
    with pytest.raises(Conflict, match="parted"):
        move(here, there)


def test_a_row_that_is_not_the_same_is_told_of(new_store: Stores, clock: HandClock) -> None:
    here, there = new_store("sqlite"), new_store("postgres")
    door = lived(here, clock)
    move(here, there)
    url = there.describe()["url"]
    name = str(psycopg.conninfo.conninfo_to_dict(url)["dbname"])
    with psycopg.connect(databases().url_of(name, "postgres")) as almighty:
        almighty.execute("UPDATE memory SET content = 'Bo is here' WHERE content = 'Bo is elsewhere'")
    moved = move(here, there)
    assert not moved.ok
    assert list(moved.differences) == ["den"]
    assert moved.differences["den"].startswith(f"memory {door.space('den').list()[0].id} is not the same")


SAID = (
    "I work at Acme and live in Berlin.",
    "My sister Zoë plays the violin.",
    "I moved to Rome last May.",
    "Zoë and I had tea with Bo in the garden.",
    "I no longer drink coffee; I prefer tea.",
)
ASKED = ("Where do I live?", "Who plays an instrument?", "What do I drink?", "Where did I live in 2024?", "tea with Bo")


def test_the_same_conversation_gives_the_same_answers_in_the_same_order(new_store: Stores, clock: HandClock) -> None:
    told = []
    for kind in ("sqlite", "postgres"):
        clock.now = START
        door = Treering(new_store(kind), clock=clock, actor="ann", space="lab", embedder=Hashing())
        for number, words in enumerate(SAID, 1):
            clock.advance(hours=1)
            with minting(number):
                door.remember(words, speaker="Ann", session="monday")
        answers = [door.recall(question, explain=True) for question in ASKED]
        told.append([[(hit.memory.id, hit.memory.content, hit.score) for hit in answer] for answer in answers])
    assert told[0] == told[1]
    assert all(told[0][:3])


# on the command line


def _json(*words: str) -> Any:
    outcome = program(*words, "--json")
    assert outcome.code == 0, outcome.err
    return json.loads(outcome.out)


@pytest.mark.slow
def test_a_file_is_moved_to_a_database_by_one_command(
    new_store: Stores, clock: HandClock, db_path: Path, postgres_url: Callable[[], str]
) -> None:
    url = postgres_url()
    here = new_store(str(db_path))
    lived(here, clock)
    moved = _json("migrate", "--from", str(db_path), "--to", url)
    assert (moved["ok"], moved["spaces"], moved["differences"]) == (True, ["den", "lab"], {})
    found = _json("list", "--space", "den", "--url", url, "--actor", "ann")
    assert [one["content"] for one in found["memories"]] == ["Bo is elsewhere"]
    assert "ok" in program("migrate", "--from", str(db_path), "--to", url).out


def test_what_is_not_there_is_not_moved(tmp_path: Path) -> None:
    outcome = program("migrate", "--from", str(tmp_path / "none.db"), "--to", str(tmp_path / "new.db"))
    assert outcome.code == 2
    assert "there is no store" in outcome.err
    assert not (tmp_path / "new.db").exists()


@pytest.mark.slow
def test_a_database_is_made_ready_and_tells_how_it_stands(tmp_path: Path) -> None:
    name = databases().blank()
    url = databases().url_of(name)
    try:
        made = _json("db", "init", "--url", url)
        told = _json("db", "status", "--url", url)
        assert made["schema"] == told["schema"] > 0
        assert (told["walls"], told["vectors"], told["graph"]) == ("row-level security", "local", "sql")
        assert (told["spaces"], told["faults"]) == (0, [])
        assert _json("db", "migrate", "--url", url)["schema"] == told["schema"]
        assert "walls" in program("db", "status", "--url", url).out
        refused = program("db", "distribute", "--url", url)
        assert refused.code == 7
        assert "has no Citus" in refused.err
    finally:
        databases().drop(url)
    assert program("db", "distribute", "--url", str(tmp_path / "a.db")).code == 7
    assert "init" in program("db").out


def test_every_table_of_a_space_is_spread_with_its_keys_where_there_is_a_cluster(clock: HandClock) -> None:
    """There is none here: two stand-ins note what they are called with."""
    url = databases().url_of(databases().blank())
    store = PostgresStore(url)
    with psycopg.connect(url, autocommit=True) as raw:
        raw.execute("CREATE TABLE pg_dist_partition (logicalrelid regclass, by text, beside text)")
        raw.execute(
            """CREATE FUNCTION create_distributed_table(t regclass, c text, colocate_with text DEFAULT 'default')
            RETURNS void AS 'INSERT INTO pg_dist_partition VALUES (t, c, colocate_with)' LANGUAGE sql"""
        )
        keys = (
            "SELECT conrelid::regclass::text, conname, pg_get_constraintdef(oid) FROM pg_constraint WHERE contype = 'f'"
        )
        before = sorted(raw.execute(keys.encode()).fetchall())
        spread = store.distribute()
        assert set(schema.table_names()) - {*spread} == {
            "job",
            "spending",
            "drawer",
            "upkeep",
            "found_cluster",
            "review",
            "audit",
        }
        found = raw.execute("SELECT logicalrelid::text, by, beside FROM pg_dist_partition").fetchall()
        assert found[0] == ("space", "id", "default")
        assert set(found[1:]) == {(one, "space_id", "space") for one in spread if one != "space"}
        assert sorted(raw.execute(keys.encode()).fetchall()) == before
    assert store.distribute() == []
    door = Treering(store, clock=clock, actor="ann", space="lab")
    write_a_life(door, clock)
    assert door.verify().ok
    store.close()
    databases().drop(url)
