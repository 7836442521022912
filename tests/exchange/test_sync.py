"""Two stores of one space that meet: in a folder, by a file, and at a real server."""

from __future__ import annotations

import json
import os
import shutil
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import httpx
import pytest
from tests.postgres import databases

import treering
from treering.door import Treering
from treering.errors import Conflict, InvalidRequest, QuotaExceeded
from treering.model.identity import Identity
from treering.model.journal import Head

FACTS = ("Ann", "WORKS_FOR")


@pytest.fixture
def meeting(tmp_path: Path) -> Path:
    (tmp_path / "meet").mkdir()
    return tmp_path / "meet"


@pytest.fixture
def pair(tmp_path: Path) -> Iterator[tuple[Treering, Treering]]:
    doors = [treering.open(str(tmp_path / f"{name}.db"), actor=name) for name in ("laptop", "desktop")]
    yield doors[0], doors[1]
    for door in doors:
        door.close()


def contents(door: Treering) -> list[str]:
    return sorted(one.content for one in door.list(limit=100))


def test_each_store_learns_what_the_other_was_told(pair: tuple[Treering, Treering], meeting: Path) -> None:
    here, there = pair
    here.remember("Ann lives in Oslo.")
    there.remember("Bob plays chess.")
    here.sync(str(meeting))
    assert there.sync(str(meeting)).received == 2
    assert here.sync(str(meeting)).received == 2
    assert contents(here) == contents(there) == ["Ann lives in Oslo", "User: Bob plays chess."]
    assert here.sync(str(meeting)).received == there.sync(str(meeting)).received == 0
    for door in pair:
        assert door.verify().ok
        assert door.recall("Where does Ann live?").hits[0].memory.content == "Ann lives in Oslo"


def test_what_two_stores_say_differently_is_told_as_a_contradiction(
    pair: tuple[Treering, Treering], meeting: Path
) -> None:
    here, there = pair
    here.assert_fact(*FACTS, "Acme")
    here.sync(str(meeting)), there.sync(str(meeting))
    here.assert_fact(*FACTS, "Initech", supersede=True)
    there.assert_fact(*FACTS, "Hooli", supersede=True)
    old = there.add("the door is red").memories[0].id
    there.sync(str(meeting)), here.sync(str(meeting))
    for door, word in ((here, "green"), (there, "blue")):
        door.link(door.add(f"the door is {word}").memories[0].id, old, "supersedes")
    for door in (here, there, here, there):
        door.sync(str(meeting))
    for door in pair:
        sides = {frozenset((one.newer.content, one.older.content)) for one in door.contradictions()}
        assert frozenset(("the door is green", "the door is blue")) in sides
        told = [(one.newer.fact, one.older.fact) for one in door.contradictions()]
        assert {frozenset((new.object, old.object)) for new, old in told if new and old} == {
            frozenset(("Initech", "Hooli"))
        }


def test_what_was_purged_in_one_store_is_gone_from_both_and_does_not_come_back(
    pair: tuple[Treering, Treering], meeting: Path, tmp_path: Path
) -> None:
    here, there = pair
    secret = here.add("the code is 48151623").memories[0].id
    here.sync(str(meeting)), there.sync(str(meeting))
    quoting = there.add("he said the code is 48151623", derived_from=[secret]).memories[0].id
    here.purge(secret, "asked")
    here.sync(str(meeting))
    assert there.sync(str(meeting)).purged
    here.sync(str(meeting)), there.sync(str(meeting))
    for door in pair:
        assert door.verify().ok
        assert not [one for one in door.list(view="all", limit=50) if one.id in (secret, quoting)]
    there.export(str(tmp_path / "out.jsonl"))
    everything = [tmp_path / "out.jsonl", *tmp_path.glob("*.db*"), *meeting.rglob("*.journal")]
    assert not [path for path in everything if path.is_file() and b"48151623" in path.read_bytes()]


def test_what_was_known_before_the_meeting_is_answered_as_it_was(
    pair: tuple[Treering, Treering], meeting: Path
) -> None:
    here, there = pair
    there.add("from the desktop")
    here.add("from the laptop")
    before = here.status().changed_at
    there.sync(str(meeting)), here.sync(str(meeting))
    assert [one.content for one in here.list(known_at=before)] == ["from the laptop"]
    assert contents(here) == ["from the desktop", "from the laptop"]


def test_a_copied_store_takes_a_name_of_its_own_in_the_folder(tmp_path: Path, meeting: Path) -> None:
    with treering.open(str(tmp_path / "a.db"), actor="laptop") as here:
        here.add("before the copy")
        here.sync(str(meeting))
        here.backup(str(tmp_path / "b.db"))
        here.add("after the copy")
        here.sync(str(meeting))
        with treering.open(str(tmp_path / "b.db"), actor="desktop") as there:
            there.add("on the copy")
            there.sync(str(meeting)), here.sync(str(meeting)), there.sync(str(meeting))
            assert len(list(meeting.rglob("*.journal"))) == 2
            assert contents(here) == contents(there) == ["after the copy", "before the copy", "on the copy"]


def test_a_journal_that_was_altered_is_refused_and_nothing_of_the_entry_is_taken(
    pair: tuple[Treering, Treering], meeting: Path
) -> None:
    here, there = pair
    here.add("Ann owes Bob ten"), here.add("more")
    here.sync(str(meeting))
    [laid] = meeting.rglob("*.journal")
    laid.write_text(laid.read_text().replace("owes Bob ten", "owes Bob two"))
    with pytest.raises(Conflict, match="entry 1 cannot be taken over"):
        there.sync(str(meeting))
    assert contents(there) == []


def test_a_file_that_is_still_being_copied_is_taken_as_far_as_it_came(
    pair: tuple[Treering, Treering], meeting: Path
) -> None:
    here, there = pair
    for n in range(5):
        here.add(f"number {n}")
    here.sync(str(meeting))
    [laid] = meeting.rglob("*.journal")
    whole = laid.read_bytes()
    laid.write_bytes(whole[: len(whole) * 7 // 10])
    done = there.sync(str(meeting))
    assert done.cut == (laid.name,)
    assert 0 < done.received < 5
    laid.write_bytes(whole)
    assert there.sync(str(meeting)).received == 5 - done.received
    assert contents(there) == contents(here)


def test_signatures_are_checked_where_entries_arrive_and_hold_in_the_new_journal(tmp_path: Path, meeting: Path) -> None:
    key = Identity.generate()
    with (
        treering.open(str(tmp_path / "a.db"), actor="planner", identity=key) as here,
        treering.open(str(tmp_path / "b.db"), actor="desktop") as there,
    ):
        here.assert_fact(*FACTS, "Acme")
        here.sync(str(meeting)), there.sync(str(meeting))
        assert there.verify().ok
        assert [one.actor for one in there.signers()] == ["planner"]
        [told], [known] = there.facts(subject="Ann"), here.facts(subject="Ann")
        assert told.attestation == known.attestation
    with treering.open(str(tmp_path / "c.db"), actor="planner", identity=Identity.generate()) as other:
        other.add("mine")
        with pytest.raises(Conflict, match="'planner'"):
            other.sync(str(meeting))


def test_a_clock_that_is_days_ahead_is_refused(tmp_path: Path, meeting: Path) -> None:
    with treering.open(str(tmp_path / "a.db")) as here:
        ahead = Treering(here._store, clock=lambda: here.now() + timedelta(days=3), actor="ahead")
        ahead.add("from the future")
        here.sync(str(meeting))
    with treering.open(str(tmp_path / "b.db")) as there, pytest.raises(Conflict, match="clock of the other store"):
        there.sync(str(meeting))


def test_what_a_space_may_hold_is_not_exceeded_by_what_arrives(pair: tuple[Treering, Treering], meeting: Path) -> None:
    here, there = pair
    for n in range(4):
        here.add(f"number {n}")
    here.sync(str(meeting))
    there.settings({"quota": {"memories": 2}})
    with pytest.raises(QuotaExceeded, match="may hold 2 memories"):
        there.sync(str(meeting))
    assert contents(there) == ["number 0", "number 1"]
    there.settings({"quota": {"memories": 9}})
    there.sync(str(meeting))
    assert contents(there) == contents(here)


def test_a_place_that_is_no_folder_is_named(pair: tuple[Treering, Treering], tmp_path: Path) -> None:
    with pytest.raises(InvalidRequest, match="is no folder"):
        pair[0].sync(str(tmp_path / "nowhere"))


def test_the_journal_of_what_was_received_imports_into_an_empty_store(
    pair: tuple[Treering, Treering], meeting: Path, tmp_path: Path
) -> None:
    here, there = pair
    here.remember("Ann lives in Oslo."), there.remember("Ann lives in Rome.")
    for door in (here, there, here):
        door.sync(str(meeting))
    here.export(str(tmp_path / "out.jsonl"))
    with treering.open(str(tmp_path / "c.db")) as third:
        third.import_journal(str(tmp_path / "out.jsonl"))
        assert contents(third) == contents(here)
        assert third.verify().ok
        assert third._store.head("default") == here._store.head("default") != Head()


def test_a_file_and_a_database_exchange_and_answer_alike(pair: tuple[Treering, Treering], meeting: Path) -> None:
    here, _ = pair
    url = databases().empty()
    try:
        with treering.open(url, actor="centre") as centre:
            here.assert_fact(*FACTS, "Acme")
            gone = here.add("to be purged").memories[0].id
            for door in (here, centre, here):
                door.sync(str(meeting))
            centre.assert_fact(*FACTS, "Hooli")
            centre.purge(gone, "asked")
            here.forget(here.add("forgotten").memories[0].id)
            for door in (centre, here, centre, here):
                door.sync(str(meeting))
            assert contents(here) == contents(centre)
            assert len(here.contradictions()) == len(centre.contradictions()) == 1
            assert [one.state for one in here.list(view="all")] == [one.state for one in centre.list(view="all")]
            assert here.verify().ok
            assert centre.verify().ok
    finally:
        databases().give_back(url)


@pytest.fixture
def server(tmp_path: Path) -> Iterator[tuple[str, str]]:
    """A real one, in a process of its own; its address, and the key of an admin."""
    store = tmp_path / "centre.db"
    with treering.open(str(store)) as door:
        door.remember("The centre is in Oslo.")
        key = door.key_create("sync", role="admin", spaces=["*"]).secret
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = [sys.executable, "-m", "treering.faces.cli", "serve", "--port", str(port)]
    env = {**os.environ, "TREERING_URL": str(store), "HOME": str(tmp_path)}
    running = subprocess.Popen(command, env=env, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    url = f"http://127.0.0.1:{port}"
    try:
        for _ in range(600):
            try:
                if httpx.get(f"{url}/healthz", trust_env=False).status_code == 200:
                    break
            except httpx.HTTPError:
                time.sleep(0.1)
        yield url, key
    finally:
        running.terminate()
        running.wait(30)


def test_a_store_and_a_server_exchange_both_ways_in_one_call(
    pair: tuple[Treering, Treering], server: tuple[str, str]
) -> None:
    (here, there), (url, key) = pair, server
    here.remember("Ann lives in Rome.")
    assert here.sync(url, key=key).received == 2
    assert there.sync(url, key=key).received >= 4
    assert contents(there) == contents(here)
    with pytest.raises(treering.errors.Forbidden, match="refused"):
        here.sync(url, key="tr_wrong")


def test_the_command_says_what_it_exchanged(tmp_path: Path, meeting: Path) -> None:
    run = [sys.executable, "-m", "treering.faces.cli"]
    for name in ("a", "b"):
        env = {**os.environ, "TREERING_URL": str(tmp_path / f"{name}.db"), "HOME": str(tmp_path)}
        subprocess.run([*run, "add", f"said at {name}"], env=env, check=True, capture_output=True)
        done = subprocess.run([*run, "sync", str(meeting), "--json"], env=env, check=True, capture_output=True)
    assert json.loads(done.stdout)["received"] == 1


def test_a_folder_that_vanishes_leaves_what_was_taken(pair: tuple[Treering, Treering], meeting: Path) -> None:
    here, there = pair
    here.add("kept")
    here.sync(str(meeting)), there.sync(str(meeting))
    shutil.rmtree(meeting)
    with pytest.raises(InvalidRequest, match="is no folder"):
        there.sync(str(meeting))
    assert contents(there) == ["kept"]
