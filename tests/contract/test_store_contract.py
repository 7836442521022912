"""The contract of every store, method by method: what `treering.store.contract` promises, on each store in turn."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from tests.conftest import STORES, Doors, HandClock, everything, write_a_life

from treering.door import Treering
from treering.errors import Conflict, Forbidden, Unsupported
from treering.model.changes import (
    Changes,
    EdgeAdded,
    EntityAdded,
    EntityMerged,
    Marked,
    MemoryAdded,
    SettingChanged,
    SourceAdded,
    Thing,
)
from treering.model.edge import Edge
from treering.model.entity import Entity
from treering.model.identity import Identity
from treering.model.ids import mint
from treering.model.journal import GENESIS, Entry, Head
from treering.model.memory import Kind, Mark, MemoryRecord, View
from treering.model.setting import SETTINGS
from treering.model.source import Source
from treering.store import open_store
from treering.store.contract import EdgeFilter, MemoryFilter, Scope, Store, Writer, catch_up

ANN = Writer("ann")
TICK = timedelta(microseconds=1)


def setting(*relations: str) -> Callable[[Any, datetime], Changes]:
    """The smallest change there is."""
    return lambda reader, at: Changes("settings", (SettingChanged("functional_relations", list(relations)),))


def scope(clock: HandClock, **more: Any) -> Scope:
    return Scope(**{"space": "lab", "now": clock.now, "principal": "ann", **more})


def ids(things: list[Any]) -> list[str]:
    return [thing.id for thing in things]


# write


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


# reader


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


# entries, head and spaces


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


# replay


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


# rows, rebuild, twin, backup


def test_rows_are_ordered_by_table_and_key(mem: Treering, store: Store, clock: HandClock) -> None:
    write_a_life(mem, clock)
    places = [(row.table, *row.key) for row in store.rows("lab")]
    assert len(places) > 20
    assert places == sorted(places)
    assert len(set(places)) == len(places)


def test_an_empty_twin_is_of_the_same_kind_empty_and_apart(store: Store, clock: HandClock) -> None:
    store.write("lab", ANN, clock.now, setting("R0"))
    twin = store.empty_twin()
    assert twin.spaces() == []
    twin.write("twin", ANN, clock.now, setting("R1"))
    assert [one.name for one in store.spaces()] == ["lab"]
    assert type(twin) is type(store)
    twin.close()


def test_a_twin_leaves_no_file_behind(new_store: Callable[[str], Store]) -> None:
    twin = new_store("sqlite").empty_twin()
    place = Path(twin.describe()["url"]).parent
    assert place.exists()
    twin.close()
    assert not place.exists()


def test_a_backup_is_a_whole_store_and_never_overwrites(
    clock: HandClock, new_store: Callable[[str], Store], tmp_path: Path
) -> None:
    for kind in ("sqlite", "memory"):
        store, target = new_store(kind), tmp_path / f"{kind}-copy.db"
        write_a_life(Treering(store, clock=clock, actor="ann", space="lab"), clock)
        store.backup(target)
        copy = new_store(str(target))
        assert everything(copy, scope(clock)) == everything(store, scope(clock))
        assert Treering(copy).verify().ok
        assert target.stat().st_mode & 0o777 == 0o600
        with pytest.raises(Conflict, match="never overwrites"):
            store.backup(target)


def test_the_reference_store_says_that_it_cannot_be_backed_up(new_store: Callable[[str], Store]) -> None:
    with pytest.raises(Unsupported, match="lives in memory only"):
        new_store("reference").backup(Path("x.db"))


def test_every_store_says_what_it_is_and_finds_nothing_wrong_with_itself(store: Store, store_url: str) -> None:
    told = store.describe()
    assert told["url"] == store_url
    json.dumps(told)
    assert store.faults() == []
    assert store.scrub() is True


# catch-up


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


# MemoryFilter, field by field


@pytest.fixture
def many(mem: Treering, clock: HandClock) -> dict[str, str]:
    """Memories that differ in what a filter can ask for."""
    said = {}
    for name, more in {
        "plain": {},
        "tagged": {"tags": ["a", "b"], "kind": "episode"},
        "half tagged": {"tags": ["a"], "kind": "viewpoint"},
        "in session": {"session": "s", "speaker": "Ada"},
        "mentions": {"entities": ["Ada"], "title": "The title"},
        "past": {"event_time": "2020-01-01T00:00:00Z"},
        "state%": {"triples": [["Bo", "KNOWS", "Ada"]]},
    }.items():
        said[name] = mem.add(f"It is {name} here", **more).id
        clock.advance(hours=1)
    return said


MEMORY_FILTERS: dict[str, tuple[dict[str, Any], list[str]]] = {
    "nothing": ({}, ["plain", "tagged", "half tagged", "in session", "mentions", "past", "state%"]),
    "kinds": ({"kinds": (Kind.EPISODE, Kind.VIEWPOINT)}, ["tagged", "half tagged"]),
    "no kinds": ({"kinds": ()}, []),
    "tags": ({"tags": ("a",)}, ["tagged", "half tagged"]),
    "all tags": ({"tags": ("b", "a")}, ["tagged"]),
    "session": ({"session": "s"}, ["in session"]),
    "speaker": ({"speaker": "Ada"}, ["in session"]),
    "other speaker": ({"speaker": "ada"}, []),
    "title": ({"title": "The title"}, ["mentions"]),
    "containing": ({"containing": "tagged"}, ["tagged", "half tagged"]),
    "containing a sign": ({"containing": "e%"}, ["state%"]),
    "limit": ({"limit": 2}, ["plain", "tagged"]),
    "newest": ({"limit": 2, "newest_first": True}, ["state%", "past"]),
    "since": ({"since": datetime(2026, 1, 1, 17, tzinfo=UTC)}, ["state%"]),
    "since and later": ({"since": datetime(2026, 1, 1, 18, tzinfo=UTC)}, ["state%"]),
    "since after": ({"since": datetime(2026, 1, 1, 18, tzinfo=UTC) + TICK}, []),
    "until": ({"until": datetime(2026, 1, 1, 12, tzinfo=UTC)}, ["past"]),
    "until and earlier": ({"until": datetime(2026, 1, 1, 12, tzinfo=UTC) + TICK}, ["plain", "past"]),
    "several": ({"tags": ("a",), "kinds": (Kind.EPISODE,), "containing": "here"}, ["tagged"]),
    "several that exclude": ({"tags": ("a",), "session": "s"}, []),
}


@pytest.mark.parametrize("name", MEMORY_FILTERS)
def test_a_memory_filter_narrows_by(name: str, many: dict[str, str], store: Store, clock: HandClock) -> None:
    fields, expected = MEMORY_FILTERS[name]
    with store.reader(scope(clock)) as reader:
        assert ids(reader.memories(MemoryFilter(**fields))) == [many[one] for one in expected]


def test_a_memory_filter_narrows_by_ids_source_and_entities(
    many: dict[str, str], mem: Treering, store: Store, clock: HandClock
) -> None:
    ada, bo = mem.entity_get("Ada").id, mem.entity_get("Bo").id
    with store.reader(scope(clock)) as reader:
        find = lambda **more: ids(reader.memories(MemoryFilter(**more)))  # noqa: E731
        assert find(ids=(many["past"], many["plain"], "x")) == [many["plain"], many["past"]]
        assert find(ids=()) == []
        memory = reader.memory(many["past"])
        assert memory is not None
        assert find(source_id=memory.source_id) == [many["past"]]
        assert find(entity_ids=(ada,)) == [many["mentions"], many["state%"]]
        assert find(entity_ids=(bo,)) == [many["state%"]]
        assert find(entity_ids=(bo, ada)) == [many["mentions"], many["state%"]]
        assert find(entity_ids=()) == find(entity_ids=("x",)) == []
    mem.entity_merge(bo, ada)
    with store.reader(scope(clock)) as reader:
        for one in (bo, ada):
            assert ids(reader.memories(MemoryFilter(entity_ids=(one,)))) == [many["mentions"], many["state%"]]


@pytest.mark.parametrize("order", ["oldest", "newest"])
@pytest.mark.parametrize("limit", [1, 2, 3, 7])
def test_pages_follow_one_another_without_a_gap_or_a_repeat_even_at_one_instant(
    mem: Treering, clock: HandClock, order: str, limit: int
) -> None:
    mem.add_many([{"content": f"Batch {n}"} for n in range(5)])
    mem.add("Same instant")
    clock.advance(hours=1)
    mem.add("Later")
    everyone = [memory.id for memory in mem.list(order=order, limit=100)]
    assert len(everyone) == 7
    got, cursor = [], None
    for _ in range(8):
        page = mem.list(order=order, limit=limit, cursor=cursor)
        got += [memory.id for memory in page]
        cursor = page.next
        if cursor is None:
            break
        assert len(page) == limit
    assert got == everyone
    assert [memory.id for memory in mem.list(order="newest", limit=100)] == [
        memory.id for memory in reversed(mem.list(order="oldest", limit=100).memories)
    ]


def test_a_cursor_holds_while_others_write_and_forget(mem: Treering, clock: HandClock) -> None:
    first = [mem.add(f"Item {n}").id for n in range(6)]
    page = mem.list(limit=3)
    mem.forget(first[2])
    mem.forget(first[4])
    clock.advance(hours=1)
    last = mem.add("New").id
    rest = mem.list(limit=10, cursor=page.next)
    assert [memory.id for memory in rest] == [first[3], first[5], last]


# views


def test_each_view_shows_its_states_at_the_moment(mem: Treering, store: Store, clock: HandClock) -> None:
    start = clock.now
    made = {
        name: mem.add(name, **more).id
        for name, more in {
            "active": {},
            "expired": {"expires_at": start + timedelta(hours=1)},
            "superseded": {},
            "forgotten": {},
            "archived": {},
            "promoted": {},
            "archived then superseded": {},
        }.items()
    }
    clock.advance(hours=2)
    mem.revise(made["superseded"], "new")
    mem.revise(made["archived then superseded"], "newer")
    mem.forget(made["forgotten"])
    marks = [
        Marked(Thing.MEMORY, made[name], mark, True)
        for name, mark in (
            ("archived", Mark.ARCHIVED),
            ("archived then superseded", Mark.ARCHIVED),
            ("promoted", Mark.PROMOTED),
            ("forgotten", Mark.PROMOTED),
        )
    ]
    store.write("lab", ANN, clock.now, lambda reader, at: Changes("mark", tuple(marks)))
    clock.advance(hours=1)
    mem.add("not yet", at=clock.now, event_time=clock.now + timedelta(days=1))
    shown = {view: [memory.content for memory in mem.list(view=view)] for view in ("current", "history", "all")}
    assert shown["current"] == ["active", "promoted", "new", "newer", "not yet"]
    history = ["active", "expired", "superseded", "promoted", "archived then superseded", "new", "newer", "not yet"]
    assert shown["history"] == history
    assert len(shown["all"]) == 10
    states = [memory.state.value for memory in mem.list(view="all")]
    assert states[:7] == ["active", "expired", "superseded", "forgotten", "archived", "promoted", "superseded"]
    assert mem.status().memories == {
        "forgotten": 1, "expired": 1, "superseded": 2, "archived": 1, "promoted": 1, "active": 4,
    }  # fmt: skip
    earlier = mem.list(view="current", as_of=start)
    assert [memory.content for memory in earlier] == [
        "active", "expired", "superseded", "promoted",
    ]  # fmt: skip


def test_a_memory_superseded_by_several_ends_with_the_first_and_names_it(mem: Treering, clock: HandClock) -> None:
    old = mem.add("Old").id
    clock.advance(days=1)
    late = mem.add("Late", event_time=clock.now).id
    early = mem.add("Early", event_time=clock.now - timedelta(hours=12)).id
    mem.link(late, old, "supersedes")
    mem.link(early, old, "supersedes")
    memory = mem.get(old)
    assert (memory.superseded_by, memory.valid_until) == (early, clock.now - timedelta(hours=12))
    mem.forget(early)
    assert mem.get(old).superseded_by == late


def test_a_window_is_never_told_to_end_before_it_begins(mem: Treering, clock: HandClock) -> None:
    old = mem.add("Old").id
    new = mem.add("Older still", event_time=clock.now - timedelta(days=9)).id
    mem.link(new, old, "supersedes")
    memory = mem.get(old)
    assert memory.valid_until == memory.valid_from
    gone = mem.add("Gone before it was said", expires_at=clock.now - timedelta(days=1)).id
    assert mem.get(gone).valid_until == mem.get(gone).valid_from
    assert mem.get(gone).state == "expired"


# a snapshot of a reader


def test_a_snapshot_of_a_reader_knows_all_that_the_reader_does(mem: Treering, store: Store, clock: HandClock) -> None:
    mem.add("Before")
    with store.reader(scope(clock)) as reader:
        with store.snapshot(reader) as snapshot:
            assert snapshot.head("lab") == reader.head
            assert snapshot.tide("lab").seq == reader.head.seq
            assert [text.content for text in snapshot.texts("lab")] == ["Before"]
        assert [memory.content for memory in reader.memories(MemoryFilter())] == ["Before"]  # it is open still


# EdgeFilter, field by field


def test_mentions_are_told_newest_first_and_so_many_of_each_entity(
    mem: Treering, store: Store, clock: HandClock
) -> None:
    told: dict[str, list[str]] = {"Ada": [], "Bo": []}
    for number in range(5):
        names = ["Ada", "Bo"] if number % 2 else ["Ada"]
        memory = mem.add(f"It was said {number} times", entities=names).id
        for name in names:
            told[name].insert(0, memory)
        clock.advance(minutes=1)
    secret = mem.add("Nobody is to know", entities=["Bo"], visibility="private").id
    ada, bo = mem.entity_get("Ada").id, mem.entity_get("Bo").id
    with store.reader(scope(clock)) as reader:
        assert reader.mentions_of((bo, ada, "x"), 3) == {bo: [secret, *told["Bo"]][:3], ada: told["Ada"][:3], "x": []}
        assert reader.mentions_of((ada,), 100) == {ada: told["Ada"]}
        assert reader.mentions(ada, 2) == told["Ada"][:2]
        assert reader.mentions_of((), 3) == {}
        many = [f"x{number}" for number in range(1_200)]  # more than SQLite takes in one statement
        assert reader.mentions_of((*many, ada), 3)[ada] == told["Ada"][:3]


def test_an_edge_filter_narrows_by_each_of_its_fields(mem: Treering, store: Store, clock: HandClock) -> None:
    memory = mem.add("Ada knows Bo", triples=[["Ada", "KNOWS", "Bo"]]).id
    other = mem.add("Else").id
    link = mem.link(other, memory).edge.id
    likes = mem.assert_fact("Bo", "LIKES", "Ada", valid_from="2020-01-01T00:00:00Z").facts[0].id
    closed = (
        mem.assert_fact("Ada", "MET", "Bo", valid_from="2019-01-01T00:00:00Z", valid_until="2019-01-02T00:00:00Z")
        .facts[0]
        .id
    )
    coming = mem.assert_fact("Ada", "PLANNED", "Bo", valid_from="2030-01-01T00:00:00Z").facts[0].id
    forgotten = mem.link(memory, other, "causes").edge.id
    mem.forget(forgotten)
    ada, bo = mem.entity_get("Ada").id, mem.entity_get("Bo").id
    knows = mem.facts(relation="KNOWS")[0].id
    with store.reader(scope(clock)) as reader:
        mentions = ids(reader.edges(EdgeFilter(relations=("about_entity",))))
        find = lambda **more: ids(reader.edges(EdgeFilter(**more)))  # noqa: E731
        assert len(mentions) == 2
        assert set(find()) == {*mentions, knows, link, likes}
        assert set(find(include_closed=True)) == {*mentions, knows, link, likes, closed, coming}
        assert set(find(include_forgotten=True)) == {*mentions, knows, link, likes, forgotten}
        assert find(ids=(knows, "x")) == [knows]
        assert find(ids=()) == []
        assert set(find(source_ids=(ada,))) == {knows}
        assert set(find(source_ids=(ada, bo), facts_only=True)) == {knows, likes}
        assert set(find(target_ids=(memory,))) == {link}
        assert set(find(target_ids=(ada,))) == {likes, *mentions} - {find(target_ids=(bo,), source_ids=(memory,))[0]}
        assert set(find(either_ids=(bo,), facts_only=True)) == {knows, likes}
        assert find(source_ids=()) == find(target_ids=()) == find(either_ids=()) == find(relations=()) == []
        assert set(find(evidence_id=memory)) == set(find(evidence_ids=(memory,))) == {*mentions, knows}
        assert find(relations=("LIKES", "MET")) == [likes]
        assert find(relations=("LIKES", "MET"), include_closed=True) == [closed, likes]
        assert find(relations=("related_to", "causes")) == [link]
        assert find(relations=("causes", "related_to"), either_ids=(memory,), include_forgotten=True) == [
            link,
            forgotten,
        ]
        assert set(find(relations=("related_to", "LIKES"))) == {link, likes}
        assert set(find(facts_only=True)) == {knows, likes}
        everything_there = reader.edges(EdgeFilter(include_closed=True, include_forgotten=True))
        order = [(edge.valid_from, edge.recorded_at, edge.id) for edge in everything_there]
        assert order == sorted(order)
        assert find(include_closed=True, limit=2) == [closed, likes]
        assert [edge.forgotten_at is not None for edge in everything_there].count(True) == 1


def test_an_edge_with_several_windows_is_believed_in_each_as_it_was(mem: Treering, clock: HandClock) -> None:
    mem.assert_fact("Ada", "KNOWS", "Bo", valid_from="2020-01-01T00:00:00Z")
    moments, ends = [clock.now], []
    for end in ("2024-01-01T00:00:00Z", "2023-01-01T00:00:00Z", None, None):
        moments.append(clock.advance(hours=1))
        if end is None:
            mem.reopen("Ada", "Bo", "KNOWS")
        else:
            mem.invalidate("Ada", "Bo", "KNOWS", at=end)
    for known_at in moments:
        fact = mem.facts(known_at=known_at, include_closed=True)[0]
        ends.append(fact.valid_until.year if fact.valid_until else None)
    assert ends == [None, 2024, 2023, 2024, None]
    holds = [len(mem.facts(known_at=at, as_of="2023-06-01T00:00:00Z")) for at in moments]
    assert holds == [1, 1, 0, 1, 1]


# entities


def test_merges_in_a_chain_lead_to_the_last_and_each_split_undoes_its_own(
    mem: Treering, store: Store, clock: HandClock
) -> None:
    made = {name: mem.entity_register(name, aliases=[name.lower() + "s"]).entity_id for name in ("A", "B", "C", "D")}
    for name in "ABCD":
        mem.assert_fact(name, "KNOWS", "X")
    clock.advance(hours=1)
    mem.entity_merge("A", "B")
    mem.entity_merge("B", "C")
    mem.entity_merge("C", "D")
    assert {mem.entity_get(one).id for one in (*made, *made.values(), "as", "cs")} == {made["D"]}
    assert set(mem.entity_get("A").aliases) == {"A", "B", "C", "as", "bs", "cs", "ds"}
    assert {fact.subject for fact in mem.facts()} == {"D"}
    assert mem.status().entities == 2
    with store.reader(scope(clock)) as reader:
        own = reader.own_entity(made["A"])
        assert own is not None
        assert (own[0].name, own[0].aliases, own[1]) == ("A", ("as",), made["B"])
        assert len(reader.edges(EdgeFilter(source_ids=(made["A"],)))) == 4
    clock.advance(hours=1)
    mem.entity_split(made["B"])
    assert {name: mem.entity_get(name).name for name in "ABCD"} == {"A": "B", "B": "B", "C": "D", "D": "D"}
    mem.entity_split(made["A"])
    mem.entity_split(made["C"])
    assert [mem.entity_get(name).name for name in "ABCD"] == ["A", "B", "C", "D"]
    assert sorted(fact.subject for fact in mem.facts()) == ["A", "B", "C", "D"]
    assert mem.entity_get("A", known_at=clock.now - timedelta(minutes=30)).name == "D"


def test_entities_are_found_by_any_spelling_newest_first_and_merged_ones_once(
    mem: Treering, store: Store, clock: HandClock
) -> None:
    first = mem.entity_register("Robert", aliases=["Bob", "\uff32\uff4f\uff42"]).entity_id
    clock.advance(hours=1)
    second = mem.entity_register("Bobby", aliases=["bob"]).entity_id
    with store.reader(scope(clock)) as reader:
        assert ids(reader.entities("BOB")) == [second, first]
        assert ids(reader.entities(" rob ")) == [first]
        assert ids(reader.entities("bob", limit=1)) == [second]
        assert ids(reader.entities()) == [second, first]
        assert reader.entities("nobody") == []
    mem.entity_merge(first, second)
    with store.reader(scope(clock)) as reader:
        assert ids(reader.entities("bob")) == ids(reader.entities("robert")) == ids(reader.entities()) == [second]


# changes made by hand: what other rooms will write later


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
            "KNOWS ← One from 2026-01-01T12:00:00Z",
            "merged into One",
        ]
        assert mem.verify().ok
