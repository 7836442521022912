"""What does a store tell of its journal, and take from another's? Entries in order, heads, spaces, and a replay that
refuses what was changed or has a gap. The contract (`treering.store.contract`), on each store in turn."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import datetime
from typing import Any

import pytest
from tests.conftest import STORES, HandClock, everything, scope, write_a_life
from tests.contract.writing import ANN, TICK, setting

from treering.door import Treering
from treering.errors import Conflict
from treering.model.changes import (
    Changes,
    EdgeAdded,
    EntityAdded,
    EntityMerged,
    Marked,
    MemoryAdded,
    SourceAdded,
    Thing,
)
from treering.model.edge import Edge
from treering.model.entity import Entity
from treering.model.ids import mint
from treering.model.journal import GENESIS, Entry, Head
from treering.model.memory import Mark, MemoryRecord
from treering.model.source import Source
from treering.store import open_store
from treering.store.contract import Store, catch_up


def test_entries_come_in_order_after_any_seq_and_no_more_than_asked_for(store: Store, clock: HandClock) -> None:
    for n in range(7):
        store.write("lab", ANN, clock.now, setting(f"R{n}"))
    seqs = lambda *args: [entry.seq for entry in store.entries("lab", *args)]  # noqa: E731
    assert seqs() == [1, 2, 3, 4, 5, 6, 7]
    assert seqs(3) == [4, 5, 6, 7]
    assert seqs(0, 2) == [1, 2]
    assert seqs(5, 10) == [6, 7]
    assert seqs(7) == seqs(99) == seqs(0, 0) == []
    assert list(store.entries("nowhere")) == []


def test_entries_are_read_whole_when_there_are_more_than_are_fetched_at_once(
    store: Store, clock: HandClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("treering.store.sql.chain.CHARACTERS_A_READ", 2_000)
    for n in range(9):
        store.write("lab", ANN, clock.now, setting(f"R{n}"))
    assert [entry.seq for entry in store.entries("lab")] == list(range(1, 10))
    assert [entry.seq for entry in store.entries("lab", 2, 5)] == [3, 4, 5, 6, 7]
    before = list(store.rows("lab"))
    store.rebuild("lab")
    assert list(store.rows("lab")) == before


def test_the_head_is_the_last_entry(store: Store, clock: HandClock) -> None:
    assert store.head("lab") == Head(0, None, GENESIS)
    previous = GENESIS
    for n in range(3):
        entry = store.write("lab", ANN, clock.now, setting(f"R{n}"))
        assert entry is not None
        assert store.head("lab") == Head(entry.seq, entry.at, entry.hash)
        assert entry.prev_hash == previous
        previous = entry.hash


def test_spaces_are_told_by_name_with_when_they_began_and_how_far_they_came(store: Store, clock: HandClock) -> None:
    began = clock.now
    for space in ("b", "a/x", "a"):
        store.write(space, ANN, clock.now, setting())
    changed = clock.advance(hours=1)
    store.write("a/x", ANN, clock.now, setting("R1"))
    told = [(one.name, one.seq, one.created_at, one.changed_at) for one in store.spaces()]
    assert told == [("a", 1, began, began), ("a/x", 2, began, changed), ("b", 1, began, began)]
    mem = Treering(store, clock=clock)
    assert [one.name for one in mem.spaces(prefix="a")] == ["a", "a/x"]


@pytest.fixture
def journal(clock: HandClock) -> list[Entry]:
    """A life lived on another store."""
    store = open_store("reference:")
    write_a_life(Treering(store, clock=clock, actor="ann", space="lab"), clock)
    return list(store.entries("lab"))


def test_replay_takes_over_what_is_new_and_passes_over_what_is_here(store: Store, journal: list[Entry]) -> None:
    third = len(journal) // 3
    told = store.replay(journal[:third])
    assert [(one.space, one.added, one.skipped) for one in told] == [("lab", third, 0)]
    told = store.replay(journal)
    assert [(one.added, one.skipped) for one in told] == [(len(journal) - third, third)]
    told = store.replay(journal)
    assert [(one.added, one.skipped) for one in told] == [(0, len(journal))]
    assert list(store.entries("lab")) == journal
    assert store.replay([]) == []


def test_replay_of_a_journal_with_a_gap_or_from_its_middle_is_refused_and_leaves_nothing(
    store: Store, journal: list[Entry]
) -> None:
    for wrong in (journal[1:], journal[:2] + journal[3:]):
        with pytest.raises(Conflict, match="must follow"):
            store.replay(wrong)
        assert store.spaces() == []


def test_replay_of_another_history_is_a_conflict_and_leaves_what_was_here(
    store: Store, journal: list[Entry], clock: HandClock
) -> None:
    store.write("lab", ANN, clock.now, setting("OTHER"))
    before = list(store.entries("lab"))
    with pytest.raises(Conflict, match="entry 1 here is not the one offered"):
        store.replay(journal)
    assert list(store.entries("lab")) == before


@pytest.mark.parametrize(
    "tamper",
    [
        lambda entry: replace(entry, actor="eve"),
        lambda entry: replace(entry, op="add_much"),
        lambda entry: replace(entry, at=entry.at + TICK),
        lambda entry: replace(entry, hash="f" * 64),
        lambda entry: replace(entry, prev_hash="f" * 64),
        lambda entry: replace(entry, payload_hash="f" * 64),
        lambda entry: replace(entry, leaves=entry.leaves[:-1]),
        lambda entry: replace(entry, leaves=(*entry.leaves, entry.leaves[0])),
        lambda entry: replace(entry, leaves=(replace(entry.leaves[0], salt="00" * 16), *entry.leaves[1:])),
        lambda entry: replace(
            entry,
            leaves=(replace(entry.leaves[0], text=str(entry.leaves[0].text).replace("Ada", "Eve")), *entry.leaves[1:]),
        ),
    ],
    ids=["actor", "op", "at", "hash", "prev", "payload_hash", "leaf gone", "leaf twice", "salt", "text"],
)
def test_replay_of_a_changed_entry_is_refused(store: Store, journal: list[Entry], tamper: Any) -> None:
    with pytest.raises(Conflict, match="entry 1 cannot be taken over"):
        store.replay([tamper(journal[0]), *journal[1:]])
    assert store.spaces() == []


def test_replay_of_several_spaces_happens_whole_or_not_at_all(
    store: Store, journal: list[Entry], clock: HandClock
) -> None:
    elsewhere = [replace(entry, space="other") for entry in journal]
    with pytest.raises(Conflict):
        store.replay([*journal, *elsewhere[:3], replace(elsewhere[3], op="x")])
    assert store.spaces() == []
    told = store.replay(entry for pair in zip(journal, elsewhere, strict=True) for entry in pair)
    assert sorted((one.space, one.added) for one in told) == [("lab", len(journal)), ("other", len(journal))]


def test_a_store_can_be_written_on_after_a_replay(store: Store, journal: list[Entry], clock: HandClock) -> None:
    store.replay(journal)
    mem = Treering(store, clock=clock, actor="ann", space="lab")
    receipt = mem.add("More")
    assert receipt.seq == len(journal) + 1
    assert mem.add("Ada works at Google", key="turn-1").repeated is True
    assert mem.verify().ok


class Tally:
    """A toy index: how often each operation happened."""

    def __init__(self) -> None:
        self.seq = 0
        self.ops: dict[str, int] = {}

    def take(self, entry: Entry) -> None:
        self.ops[entry.op] = self.ops.get(entry.op, 0) + 1


def test_an_index_catches_up_with_what_it_missed_once_and_in_order(mem: Treering, store: Store) -> None:
    early, late = Tally(), Tally()
    assert catch_up(store, "lab", early) == 0
    first = mem.add("One").id
    assert catch_up(store, "lab", early) == 1
    mem.add("Two")
    mem.forget(first)
    mem.add("Elsewhere", space="other")
    assert catch_up(store, "lab", early) == 2
    assert catch_up(store, "lab", early) == 0
    assert catch_up(store, "lab", late) == 3
    assert early.ops == late.ops == {"add": 2, "forget": 1}
    assert early.seq == late.seq == 3


def test_every_kind_of_change_is_kept_alike_by_every_store(clock: HandClock, new_store: Callable[[str], Store]) -> None:
    fresh = mint(clock.now)
    one, two, source, memory, edge = (fresh() for _ in range(5))

    def plan(reader: Any, at: datetime) -> Changes:
        return Changes(
            "by hand",
            (
                SourceAdded(
                    Source(id=source, space="lab", content="Hm", occurred_at=clock.now, recorded_at=at, key="k")
                ),
                MemoryAdded(
                    MemoryRecord(
                        id=memory, space="lab", content="H", said_at=clock.now, recorded_at=at, source_id=source,
                        span=(0, 1),
                    )
                ),
                EntityAdded(Entity(id=one, space="lab", name="One", aliases=("Eins",), recorded_at=at)),
                EntityAdded(Entity(id=two, space="lab", name="Two", recorded_at=at, memory_id=memory)),
                EdgeAdded(
                    Edge(
                        id=edge, space="lab", source_id=one, target_id=two, relation="KNOWS", valid_from=clock.now,
                        recorded_at=at, strength=0.5,
                    )
                ),
                EntityMerged(two, one, "by hand"),
                Marked(Thing.EDGE, edge, Mark.FORGOTTEN, True, "why not"),
            ),
        )  # fmt: skip

    first = new_store("reference")
    first.write("lab", ANN, clock.now, plan)
    for kind in STORES[1:]:
        other = new_store(kind)
        other.replay(first.entries("lab"))
        assert everything(other, scope(clock)) == everything(first, scope(clock))
        mem = Treering(other, space="lab", actor="ann", clock=clock)
        assert [event.what for event in mem.history(two).events] == [
            "entity 'Two' made",
            "One KNOWS Two from 2026-01-01T12:00:00Z",
            "merged into One",
        ]
        assert mem.verify().ok
