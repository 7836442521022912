"""What has which embedder read, and what not yet? Embedders in the order they began, things the oldest first, and what
was purged is to be read no more."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime
from typing import Any

from tests.conftest import HandClock
from tests.contract.vectors import LARGE, SMALL, read, tell, telling, unread
from tests.contract.writing import ANN

from treering.door import Treering
from treering.model.changes import Changes
from treering.store.contract import Store, UnembeddedText


def test_embedders_are_told_in_the_order_they_began_and_only_those_with_vectors_here(
    store: Store, clock: HandClock
) -> None:
    assert store.embedders("lab") == []
    (tea,) = tell(store, clock, "Tea")
    clock.advance(hours=1)
    tell(store, clock, "Ice", space="elsewhere")
    names = ["Z@1", "a@1", "a@10", "a@2", "ä@1"]
    assert store.keep_vectors("lab", [read(tea, name) for name in reversed(names)]) == len(names)
    assert store.embedders("lab") == [SMALL, *reversed(names)]
    assert store.embedders("elsewhere") == [SMALL]
    assert store.embedders("nowhere") == []
    store.drop_vectors("lab", "a@10")
    assert store.embedders("lab") == [SMALL, "ä@1", "a@2", "a@1", "Z@1"]
    store.drop_vectors("lab", SMALL)
    store.keep_vectors("lab", [read(tea)])
    assert store.embedders("lab") == ["ä@1", "a@2", "a@1", "Z@1", SMALL]


def test_what_is_unread_is_told_oldest_first_memories_before_entities(
    mem: Treering, store: Store, clock: HandClock
) -> None:
    assert store.unread("lab", SMALL, 10) == []
    first = mem.add("Ada drinks tea", entities=["Tea", "Ada"], speaker="Ada").id
    clock.advance(hours=-3)  # known time goes on all the same
    second = mem.add("Bo drinks milk", entities=["Bo", "Ada"], event_time="1999-01-01T00:00:00Z").id
    secret = mem.add("Ada is ill", visibility="private").id
    mem.forget(second)
    ada, bo, tea = (mem.entity_get(name).id for name in ("Ada", "Bo", "Tea"))
    everyone = store.unread("lab", SMALL, 100)
    assert everyone == [
        UnembeddedText(first, "Ada", "Ada drinks tea"),
        UnembeddedText(second, None, "Bo drinks milk"),
        UnembeddedText(secret, None, "Ada is ill"),
        *sorted([UnembeddedText(tea, None, "Tea"), UnembeddedText(ada, None, "Ada")]),
        UnembeddedText(bo, None, "Bo"),
    ]
    assert all(type(one) is UnembeddedText for one in everyone)
    for limit in range(8):
        assert store.unread("lab", SMALL, limit) == everyone[:limit]
    store.keep_vectors("lab", [read(second), read(ada)])
    assert unread(store) == [one.thing_id for one in everyone if one.thing_id not in (second, ada)]
    assert unread(store, limit=3) == [first, secret, tea]
    assert unread(store, LARGE) == [one.thing_id for one in everyone]
    store.keep_vectors("lab", [read(one) for one in unread(store)])
    assert store.unread("lab", SMALL, 100) == []
    store.drop_vectors("lab", SMALL)
    assert store.unread("lab", SMALL, 100) == everyone
    assert store.unread("nowhere", SMALL, 100) == []


def test_what_is_unread_within_one_write_is_told_in_order_of_ids(store: Store, clock: HandClock) -> None:
    plan, made = telling(clock, "Zoo", "Bar", names=["Xylophone", "Apple", "Moon"])

    def turned(reader: Any, at: datetime) -> Changes:
        planned = plan(reader, at)
        source, *things = planned.items
        return replace(planned, items=(source, *reversed(things)), vectors=())

    store.write("lab", ANN, clock.now, turned)
    assert unread(store) == made


def test_what_was_purged_is_no_longer_unread(mem: Treering, store: Store) -> None:
    gone, stays = mem.add("Ada drinks tea", entities=["Tea"]).id, mem.add("Bo drinks milk").id
    mem.purge(gone, "asked to")
    assert unread(store) == [stays]
