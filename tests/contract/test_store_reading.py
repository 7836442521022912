"""What does a reader promise? One moment, one principal and one snapshot, whatever is written meanwhile; and spaces
that are not there are empty. The contract (`treering.store.contract`), on each store in turn."""

from __future__ import annotations

import threading
from datetime import datetime
from typing import Any

import pytest
from tests.conftest import Doors, HandClock, scope
from tests.contract.writing import ANN, TICK, ids, setting

from treering.door import Treering
from treering.model.changes import Changes
from treering.model.identity import Identity
from treering.model.journal import Head
from treering.model.memory import View
from treering.model.setting import SETTINGS
from treering.store.contract import EdgeFilter, MemoryFilter, Store


def test_a_reader_is_a_snapshot_that_later_writes_do_not_change(store: Store, clock: HandClock, store_url: str) -> None:
    mem = Treering(store, clock=clock, actor="ann", space="lab")
    mem.add("First")
    with store.reader(scope(clock)) as reader:
        before = reader.memories(MemoryFilter())
        head = reader.head
        done = threading.Thread(target=lambda: mem.add("Second"))
        done.start()
        if store_url != ":memory:":  # a store with one connection makes the writer wait for its turn
            done.join()
        assert reader.memories(MemoryFilter()) == before
        assert reader.head == head
    done.join()
    assert len(mem.list()) == 2


def test_two_readers_may_be_open_at_once(store: Store, clock: HandClock) -> None:
    Treering(store, clock=clock, actor="ann", space="lab").add("First")
    with store.reader(scope(clock)) as outer, store.reader(scope(clock, principal="bob")) as inner:
        assert ids(outer.memories(MemoryFilter())) == ids(inner.memories(MemoryFilter()))
        assert (outer.principal, inner.principal) == ("ann", "bob")


def test_a_write_that_fails_beside_an_open_reader_leaves_nothing(store: Store, clock: HandClock) -> None:
    def broken(reader: Any, at: datetime) -> Changes:
        raise ZeroDivisionError("planned")

    store.write("lab", ANN, clock.now, setting("R0"))
    with store.reader(scope(clock)) as reader:
        with pytest.raises(ZeroDivisionError):
            store.write("lab", ANN, clock.now, broken)
        store.write("lab", ANN, clock.now, setting("R1"))
        assert reader.spaces == ("lab",)
    assert store.head("lab").seq == 2
    with store.reader(scope(clock)) as reader:
        assert reader.setting("functional_relations") == ["R1"]


def test_a_reader_of_a_space_that_is_not_there_finds_nothing(store: Store, clock: HandClock) -> None:
    with store.reader(scope(clock, space="nowhere")) as reader:
        assert reader.spaces == ()
        assert reader.head == Head()
        assert reader.memories(MemoryFilter(view=View.ALL)) == []
        assert reader.edges(EdgeFilter(include_closed=True)) == []
        assert reader.entities() == []
        assert reader.events("x") == []
        assert reader.setting("functional_relations") == SETTINGS["functional_relations"].default
        assert (reader.memory("x"), reader.source("x"), reader.source_by_key("x")) == (None, None, None)
        assert (reader.entity("x"), reader.own_entity("x"), reader.tombstone("x")) == (None, None, None)
        assert reader.actor_key("ann") is None
        assert (reader.counts().entities, reader.counts().edges, sum(reader.counts().memories.values())) == (0, 0, 0)


def test_a_document_is_found_by_what_it_says_by_those_who_may_see_it(
    doors: Doors, store: Store, clock: HandClock
) -> None:
    ann, bob = doors("ann", "bob")
    ann.add("The same words.")
    before = clock.now
    clock.advance()
    private = ann.add_file(b"The same words.", name="a.txt", visibility="private").source_ids
    clock.advance()
    shared = bob.add_file(b"The same words.", name="b.txt").source_ids
    bob.add_file(b"The same words.", name="b.txt", space="elsewhere")

    def found(**more: Any) -> tuple[str, ...]:
        with store.reader(scope(clock, **more)) as reader:
            return tuple(one.id for one in reader.documents("The same words."))

    assert found() == private + shared
    assert found(principal="bob") == shared
    assert found(known_at=before) == ()
    ann.purge(ann.list(view="all")[1].id, "private")
    assert found() == shared
    with store.reader(scope(clock)) as reader:
        assert reader.documents("Other words.") == []


def test_the_moment_of_a_reader_is_the_present_unless_it_is_given(
    mem: Treering, store: Store, clock: HandClock
) -> None:
    mem.add("First")
    then = clock.now
    with store.reader(scope(clock)) as reader:
        assert reader.moment.as_of == clock.now
        assert reader.moment.known_at is None
        assert reader.head.seq == 1
    clock.advance(hours=-1)
    with store.reader(scope(clock)) as reader:
        assert reader.moment.as_of == then
    with store.reader(scope(clock, as_of=clock.now, known_at=clock.now)) as reader:
        assert (reader.moment.as_of, reader.moment.known_at) == (clock.now, clock.now)
        assert reader.memories(MemoryFilter(view=View.ALL)) == []


def test_settings_and_actor_keys_are_read_as_they_were_known(doors: Doors, store: Store, clock: HandClock) -> None:
    identity = Identity.generate()
    door = doors("ann", identity=identity)
    door.settings({"functional_relations": ["KNOWS"]})
    first = clock.now
    clock.advance(hours=1)
    door.settings({"functional_relations": ["LIKES"]})
    for known_at, expected, key in (
        (None, ["LIKES"], identity.public),
        (first, ["KNOWS"], identity.public),
        (first - TICK, SETTINGS["functional_relations"].default, None),
    ):
        with store.reader(scope(clock, known_at=known_at)) as reader:
            assert reader.setting("functional_relations") == expected
            assert reader.actor_key("ann") == key


def test_a_snapshot_of_a_reader_knows_all_that_the_reader_does(mem: Treering, store: Store, clock: HandClock) -> None:
    mem.add("Before")
    with store.reader(scope(clock)) as reader:
        with store.snapshot(reader) as snapshot:
            assert snapshot.head("lab") == reader.head
            assert snapshot.version("lab").seq == reader.head.seq
            assert [text.content for text in snapshot.texts("lab")] == ["Before"]
        assert [memory.content for memory in reader.memories(MemoryFilter())] == ["Before"]  # it is open still
