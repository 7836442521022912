"""What does `write` promise? One entry after another in each space, known times that only ever grow, whole or not at
all, and nobody writing in another's name. The contract (`treering.store.contract`), on each store in turn."""

from __future__ import annotations

import threading
from datetime import datetime, timedelta
from typing import Any

import pytest
from tests.conftest import Doors, HandClock
from tests.contract.writing import ANN, TICK, setting

from treering.door import Treering
from treering.errors import Forbidden
from treering.model.changes import Changes
from treering.model.identity import Identity
from treering.model.journal import Head
from treering.store.contract import MemoryFilter, Store, Writer


def test_each_space_counts_its_entries_from_one_without_a_gap(store: Store, clock: HandClock) -> None:
    for n in range(5):
        for space in ("one", "two/deep"):
            entry = store.write(space, ANN, clock.now, setting(f"R{n}"))
            assert entry is not None
            assert (entry.space, entry.seq, entry.actor, entry.op) == (space, n + 1, "ann", "settings")
    for space in ("one", "two/deep"):
        assert [entry.seq for entry in store.entries(space)] == [1, 2, 3, 4, 5]


@pytest.mark.parametrize("step", [timedelta(0), timedelta(seconds=-5), timedelta(microseconds=-1)])
def test_known_time_strictly_increases_when_the_clock_stands_still_or_runs_back(
    store: Store, clock: HandClock, step: timedelta
) -> None:
    start, at = clock.now, []
    for n in range(4):
        entry = store.write("lab", ANN, clock.now, setting(f"R{n}"))
        assert entry is not None
        at.append(entry.at)
        clock.now += step
    assert at == [start, start + TICK, start + 2 * TICK, start + 3 * TICK]
    clock.now = start + timedelta(hours=1)
    entry = store.write("lab", ANN, clock.now, setting())
    assert entry is not None
    assert entry.at == clock.now


def test_the_plan_is_told_the_known_time_its_write_gets(store: Store, clock: HandClock) -> None:
    told = []

    def plan(reader: Any, at: datetime) -> Changes:
        told.append(at)
        return setting("R1")(reader, at)

    store.write("lab", ANN, clock.now, setting("R0"))
    entry = store.write("lab", ANN, clock.now, plan)
    assert entry is not None
    assert told == [entry.at]


def test_the_present_sees_the_latest_write_even_when_the_clock_runs_back(mem: Treering, clock: HandClock) -> None:
    mem.add("First", entities=["Ada"])
    clock.advance(hours=-3)
    second = mem.add("Second", triples=[["Ada", "KNOWS", "Bo"]])
    assert [memory.content for memory in mem.list()] == ["First", "Second"]
    assert mem.get(second.id).state == "active"
    assert len(mem.facts()) == 1
    mem.forget(second.id)
    assert [memory.content for memory in mem.list()] == ["First"]


def test_a_plan_that_changes_nothing_writes_nothing(store: Store, clock: HandClock) -> None:
    assert store.write("lab", ANN, clock.now, lambda reader, at: Changes("nothing")) is None
    assert store.head("lab") == Head()
    assert store.spaces() == []
    store.write("lab", ANN, clock.now, setting("R0"))
    head = store.head("lab")
    assert store.write("lab", ANN, clock.now, lambda reader, at: Changes("nothing")) is None
    assert store.head("lab") == head


def test_a_plan_that_raises_leaves_nothing_and_the_store_goes_on(store: Store, clock: HandClock) -> None:
    def broken(reader: Any, at: datetime) -> Changes:
        raise ZeroDivisionError("planned")

    with pytest.raises(ZeroDivisionError, match="planned"):
        store.write("lab", ANN, clock.now, broken)
    assert store.spaces() == []
    assert store.write("lab", ANN, clock.now, setting("R0")) is not None
    with pytest.raises(ZeroDivisionError):
        store.write("lab", ANN, clock.now, broken)
    assert store.head("lab").seq == 1


def test_a_plan_reads_the_latest_state_as_its_actor(doors: Doors, store: Store, clock: HandClock) -> None:
    doors("ann").add("Secret", visibility="private")
    doors("ann").add("Open")
    seen = {}
    for actor in ("ann", "bob"):

        def plan(reader: Any, at: datetime) -> Changes:
            seen[reader.principal] = [memory.content for memory in reader.memories(MemoryFilter())]
            return Changes("nothing")

        store.write("lab", Writer(actor), clock.now, plan)
    assert seen == {"ann": ["Secret", "Open"], "bob": ["Open"]}


def test_writers_at_once_are_one_after_another(store: Store, clock: HandClock) -> None:
    mem = Treering(store, clock=clock, actor="ann", space="lab")
    mem.settings({"functional_relations": []})

    def count_up() -> None:
        for _ in range(10):
            store.write("lab", ANN, clock.now, lambda reader, at: setting(f"R{len_of(reader) + 1}")(reader, at))

    def len_of(reader: Any) -> int:
        found = reader.setting("functional_relations")
        return int(found[0][1:]) if found else 0

    threads = [threading.Thread(target=count_up) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert mem.settings()["functional_relations"] == ["R40"]
    assert store.head("lab").seq == 41


def test_an_actor_that_has_signed_once_must_go_on_signing_with_that_key(doors: Doors, store: Store) -> None:
    identity = Identity.generate()
    signing, unsigned = doors("ann", identity=identity), doors("ann")
    other, bob = doors("ann", identity=Identity.generate()), doors("bob")
    unsigned.add("Before there was a key")
    signing.add("Signed")
    for door in (unsigned, other):
        with pytest.raises(Forbidden, match="'ann' signs its writes"):
            door.add("Not mine")
    bob.add("Mine")
    unsigned.add("Elsewhere", space="other")
    signatures = [entry.signature is not None for entry in store.entries("lab")]
    assert signatures == [False, True, False]
    assert signing.verify().signatures == {"unsigned": 3, "self_signed": 1, "peer_attested": 0}
