"""What every store keeps for the indexes: vectors beside the journal, texts to learn, and what is unread."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterable
from dataclasses import replace
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from tests.conftest import HandClock, everything, scope, write_a_life

from treering.door import Treering
from treering.errors import Conflict, Forbidden
from treering.exchange.journal import read_journal
from treering.model.changes import Changes, EntityAdded, Marked, MemoryAdded, SettingChanged, SourceAdded, Thing
from treering.model.edge import Link
from treering.model.embedding import Embedded
from treering.model.entity import Entity
from treering.model.identity import Identity
from treering.model.ids import mint
from treering.model.memory import Kind, Mark, MemoryRecord, View
from treering.model.source import Source
from treering.model.time import to_micros
from treering.store import open_store
from treering.store.contract import MemoryFilter, Plan, Store, Text, Tide, Unread, VectorRow, Writer

ANN = Writer("ann")
SMALL, LARGE = "small@1", "large@2"
NOBODY = "00000000-0000-7000-8000-000000000000"
FOREVER = (1 << 63) - 1


def read(thing_id: str, embedder: str = SMALL, mark: str = "") -> Embedded:
    """What an embedder made of a thing: bytes that say whose they are, and hold every kind of byte."""
    return Embedded(thing_id, embedder, f"{embedder} {thing_id}{mark}".encode() + bytes(range(256)))


def telling(clock: HandClock, *said: str, names: Iterable[str] = (), space: str = "lab") -> tuple[Plan, list[str]]:
    """A plan that brings in memories and entities with what an embedder made of them, and the ids in that order."""
    fresh = mint(clock.now)
    source_id, memory_ids, entity_ids = fresh(), [fresh() for _ in said], [fresh() for _ in names]
    text = " ".join(said) or "-"

    def memory(one: str, part: str, at: datetime) -> MemoryAdded:
        begin = text.index(part)
        return MemoryAdded(
            MemoryRecord(
                id=one, space=space, content=part, said_at=clock.now, recorded_at=at, source_id=source_id,
                span=(begin, begin + len(part)),
            )
        )  # fmt: skip

    def plan(reader: Any, at: datetime) -> Changes:
        source = Source(id=source_id, space=space, content=text, speaker="Ada", occurred_at=clock.now, recorded_at=at)
        memories = (memory(one, part, at) for one, part in zip(memory_ids, said, strict=True))
        entities = (
            EntityAdded(Entity(id=one, space=space, name=name, recorded_at=at))
            for one, name in zip(entity_ids, names, strict=True)
        )
        vectors = tuple(read(one) for one in (*memory_ids, *entity_ids))
        return Changes("remember", (SourceAdded(source), *memories, *entities), vectors)

    return plan, memory_ids + entity_ids


def tell(store: Store, clock: HandClock, *said: str, names: Iterable[str] = (), space: str = "lab") -> list[str]:
    plan, made = telling(clock, *said, names=names, space=space)
    assert store.write(space, ANN, clock.now, plan) is not None
    return made


def kept(store: Store, embedder: str = SMALL, space: str = "lab") -> list[str]:
    """The things that the embedder has read, in the order of their places; each with its own bytes."""
    rows = list(store.vectors(space, embedder))
    assert all(row.data.startswith(f"{embedder} {row.thing_id}".encode()) for row in rows)
    places = [row.place for row in rows]
    assert places == sorted(set(places))
    return [row.thing_id for row in rows]


def unread(store: Store, embedder: str = SMALL, space: str = "lab", limit: int = 100) -> list[str]:
    return [one.thing_id for one in store.unread(space, embedder, limit)]


def last_place(store: Store, embedder: str = SMALL, space: str = "lab") -> int:
    return max(row.place for row in store.vectors(space, embedder))


# with a write


def test_vectors_are_there_with_the_write_that_brought_their_things(store: Store, clock: HandClock) -> None:
    made = tell(store, clock, "Tea is hot", "Ice is cold", names=["Tea"])
    rows = list(store.vectors("lab", SMALL))
    assert [row.thing_id for row in rows] == made
    assert [type(row) for row in rows] == [VectorRow] * 3
    assert [row.data for row in rows] == [read(one).data for one in made]
    assert store.embedders("lab") == [SMALL]
    assert unread(store) == []
    with store.reader(scope(clock)) as reader:
        assert {memory.id for memory in reader.memories(MemoryFilter())} == set(made[:2])


def test_vectors_are_not_in_the_journal(store: Store, clock: HandClock) -> None:
    tell(store, clock, "Tea is hot", names=["Tea"])
    assert not any(SMALL in entry.payload() for entry in store.entries("lab"))
    assert len(list(store.entries("lab"))) == 1


def test_the_first_signed_write_keeps_its_vectors_too(store: Store, clock: HandClock) -> None:
    """It is sealed with one change more than was planned: the binding of the key."""
    plan, made = telling(clock, "Tea is hot")
    store.write("lab", Writer("ann", Identity.generate()), clock.now, plan)
    assert kept(store) == made


def test_a_write_that_does_not_happen_leaves_no_vector(store: Store, clock: HandClock) -> None:
    plan, _ = telling(clock, "Tea is hot")

    def broken(reader: Any, at: datetime) -> Changes:
        plan(reader, at)
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        store.write("lab", ANN, clock.now, broken)
    store.write("lab", Writer("ann", Identity.generate()), clock.now, _setting)
    with pytest.raises(Forbidden):
        store.write("lab", ANN, clock.now, plan)
    nothing = Changes("nothing", (), (read(NOBODY),))
    assert store.write("lab", Writer("bob"), clock.now, lambda reader, at: nothing) is None
    assert kept(store) == []
    assert store.embedders("lab") == []


def _setting(reader: Any, at: datetime) -> Changes:
    return Changes("settings", (SettingChanged("functional_relations", []),))


# places


def test_a_place_only_ever_grows_and_is_never_taken_again(store: Store, clock: HandClock) -> None:
    mem = Treering(store, clock=clock, actor="ann", space="lab")
    first = tell(store, clock, "One", "Two")
    last = last_place(store)
    store.drop_vectors("lab", SMALL)
    assert kept(store) == []
    assert store.keep_vectors("lab", [read(first[0])]) == 1
    assert last_place(store) > last
    last = last_place(store)
    clock.advance(hours=1)
    gone = tell(store, clock, "Three")
    assert last_place(store) > last
    last = last_place(store)
    mem.purge(gone[0], "asked to")
    assert kept(store) == first[:1]
    clock.advance(hours=1)
    tell(store, clock, "Four", space="elsewhere")
    assert last_place(store, space="elsewhere") > last
    last = last_place(store, space="elsewhere")
    store.rebuild("lab")
    store.drop_vectors("elsewhere", SMALL)
    tell(store, clock, "Five")
    assert last_place(store) > last


def test_a_place_is_not_taken_again_by_whoever_opens_the_file_next(db_path: Path, clock: HandClock) -> None:
    store = open_store(str(db_path))
    made = tell(store, clock, "One")
    last = last_place(store)
    store.drop_vectors("lab", SMALL)
    Treering(store, clock=clock, actor="ann", space="lab").backup(str(db_path.with_name("copy.db")))
    store.close()
    for path in (db_path, db_path.with_name("copy.db")):
        again = open_store(str(path))
        assert again.keep_vectors("lab", [read(made[0])]) == 1
        assert last_place(again) > last
        again.close()


def test_vectors_after_a_place_are_those_kept_later(store: Store, clock: HandClock) -> None:
    tell(store, clock, "One", "Two", "Three", names=["Tea"])
    rows = list(store.vectors("lab", SMALL))
    for n, row in enumerate(rows):
        assert list(store.vectors("lab", SMALL, row.place)) == rows[n + 1 :]
        assert list(store.vectors("lab", SMALL, after=row.place - 1)) == rows[n:]
    assert list(store.vectors("lab", SMALL, after=rows[-1].place + 1000)) == []
    clock.advance(hours=1)
    (later,) = tell(store, clock, "Four")
    assert [row.thing_id for row in store.vectors("lab", SMALL, after=rows[-1].place)] == [later]


# who has read what


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
        Unread(first, "Ada", "Ada drinks tea"),
        Unread(second, None, "Bo drinks milk"),
        Unread(secret, None, "Ada is ill"),
        *sorted([Unread(tea, None, "Tea"), Unread(ada, None, "Ada")]),
        Unread(bo, None, "Bo"),
    ]
    assert all(type(one) is Unread for one in everyone)
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


# keeping and dropping


def test_vectors_are_kept_for_what_is_there_and_not_read_yet(mem: Treering, store: Store, clock: HandClock) -> None:
    gone = mem.add("Gone", entities=["Vault"]).id
    vault = mem.entity_get("Vault").id
    tea = mem.add("Tea", entities=["Cup"]).id
    cup = mem.entity_get("Cup").id
    elsewhere = mem.add("Elsewhere", space="elsewhere").id
    mem.purge(gone, "asked to")
    source_id = mem.get(tea).source_id
    head = store.head("lab")
    offered = [gone, vault, tea, NOBODY, "no id at all", elsewhere, source_id, cup]
    assert store.keep_vectors("lab", (read(one) for one in offered)) == 2
    assert kept(store) == [tea, cup]
    rows = list(store.vectors("lab", SMALL))
    assert store.keep_vectors("lab", [read(tea, mark=" again"), read(cup, mark=" again")]) == 0
    assert list(store.vectors("lab", SMALL)) == rows
    assert store.keep_vectors("lab", []) == 0
    assert store.keep_vectors("nowhere", [read(tea)]) == 0
    assert store.keep_vectors("lab", [read(tea, LARGE), read(tea, LARGE, " again"), read(tea), read(cup, LARGE)]) == 2
    assert kept(store, LARGE) == [tea, cup]
    assert [row.data for row in store.vectors("lab", LARGE)] == [read(tea, LARGE).data, read(cup, LARGE).data]
    assert store.keep_vectors("elsewhere", [read(elsewhere), read(tea)]) == 1
    assert store.head("lab") == head
    assert [info.name for info in store.spaces()] == ["elsewhere", "lab"]


def test_what_is_kept_counts_only_this_time(store: Store, clock: HandClock) -> None:
    """Also when the highest place is free, and another space has higher ones."""
    one, two = tell(store, clock, "One", "Two")
    clock.advance(hours=1)
    tell(store, clock, "Else", "More", "Yet more", space="elsewhere")
    store.drop_vectors("lab", SMALL)
    assert store.keep_vectors("lab", [read(one)]) == 1
    store.drop_vectors("elsewhere", SMALL)
    assert store.keep_vectors("lab", [read(two)]) == 1
    assert store.keep_vectors("lab", [read(two)]) == 0


def test_an_empty_vector_is_a_vector(mem: Treering, store: Store) -> None:
    memory = mem.add("Tea").id
    assert store.keep_vectors("lab", [Embedded(memory, SMALL, b"")]) == 1
    assert [row.data for row in store.vectors("lab", SMALL)] == [b""]
    assert unread(store) == []


def test_the_tide_turns_with_whatever_there_is_to_learn_and_with_nothing_else(store: Store, clock: HandClock) -> None:
    assert store.tide("lab") == Tide(0, 0, {})
    first, _ = tell(store, clock, "Ada sings", names=("Ada",))
    told = store.tide("lab")
    assert (told.seq, told.purges, list(told.read)) == (1, 0, [SMALL])
    assert told.read[SMALL] == max(row.place for row in store.vectors("lab", SMALL))
    tell(store, clock, "Bo paints", space="lab/attic")
    assert store.tide("lab") == told, "another space is another tide"
    store.keep_vectors("lab", [read(first, LARGE)])
    again = store.tide("lab")
    assert (again.seq, list(again.read)) == (1, [SMALL, LARGE]), "the one that began first before the others"
    assert again.read[SMALL] == told.read[SMALL] < again.read[LARGE]
    store.drop_vectors("lab", SMALL)
    store.keep_vectors("lab", [read(first, SMALL)])
    anew = store.tide("lab")
    assert anew.read[SMALL] > again.read[LARGE] == anew.read[LARGE], "what is read again lies in a new place"
    assert list(anew.read) == [LARGE, SMALL]
    store.drop_vectors("lab", SMALL)
    store.keep_vectors("lab", [read(first, SMALL)])
    assert store.tide("lab").read[SMALL] > anew.read[SMALL], "also where it was the last of all"
    tell(store, clock, "Cy waits")
    assert (store.tide("lab").seq, store.tide("lab").read[SMALL] > anew.read[SMALL]) == (2, True)


def test_dropping_one_embedder_leaves_the_other(store: Store, clock: HandClock) -> None:
    made = tell(store, clock, "One", "Two")
    clock.advance(hours=1)
    other = tell(store, clock, "Else", space="elsewhere")
    store.keep_vectors("lab", [read(one, LARGE) for one in made])
    rows = list(store.vectors("lab", LARGE))
    store.drop_vectors("lab", SMALL)
    store.drop_vectors("lab", "never heard of")
    store.drop_vectors("nowhere", LARGE)
    assert kept(store) == []
    assert list(store.vectors("lab", LARGE)) == rows
    assert kept(store, space="elsewhere") == other
    assert store.embedders("lab") == [LARGE]
    assert unread(store) == made
    assert unread(store, LARGE) == []


def test_a_purge_takes_the_vectors_of_all_that_it_takes(mem: Treering, store: Store) -> None:
    stays = mem.add("Ada is here", entities=["Ada"]).id
    gone = mem.add("Ada has a vault", entities=["Ada", "Vault"]).id
    derived = mem.add("There is a vault").id
    mem.link(derived, gone, Link.DERIVED_FROM.value)
    ada = mem.entity_get("Ada").id
    for embedder in (SMALL, LARGE):
        assert store.keep_vectors("lab", [read(one, embedder) for one in unread(store, embedder)]) == 5
    mem.purge(gone, "asked to")
    for embedder in (SMALL, LARGE):
        assert kept(store, embedder) == [stays, ada]
    mem.forget(stays)
    assert kept(store) == [stays, ada]


# spaces


def test_spaces_never_see_each_others_vectors_texts_or_purges(
    mem: Treering, store: Store, clock: HandClock, tmp_path: Path
) -> None:
    """Not even when the same journal was taken in under another name, so that both hold the same ids."""
    made = tell(store, clock, "One", "Two", names=["Tea"])
    mem.export(str(tmp_path / "out.jsonl"))
    mem.import_journal(str(tmp_path / "out.jsonl"), space="lab/copy")
    assert kept(store, space="lab/copy") == []
    assert unread(store, space="lab/copy") == made
    assert store.keep_vectors("lab/copy", [read(one) for one in made]) == 3
    mem.add("Three", space="lab/copy")
    assert [text.content for text in store.texts("lab/copy")] == ["One", "Two", "Three"]
    assert [text.content for text in store.texts("lab")] == ["One", "Two"]
    clock.advance(hours=1)
    mem.purge(made[0], "asked to")
    assert kept(store) == made[1:]
    assert kept(store, space="lab/copy") == made
    assert (store.purges("lab"), store.purges("lab/copy")) == (1, 0)
    store.rebuild("lab")
    store.drop_vectors("lab", SMALL)
    assert kept(store, space="lab/copy") == made


# texts


def test_a_text_has_all_that_an_index_learns_of_a_memory(mem: Treering, store: Store, clock: HandClock) -> None:
    told = mem.add(
        "Ada bakes bread",
        kind="episode",
        title="Baking",
        tags=["home", "Ärger"],
        importance=0.25,
        confidence=0.75,
        event_time="2020-03-01T08:00:00Z",
        event_end="2020-03-01T09:00:00Z",
        expires_at="2030-01-01T00:00:00Z",
        at="2021-01-01T00:00:00Z",
        speaker="Ada",
        session="s1",
    ).id
    plain = mem.add("Plain").id
    point = lambda text: to_micros(datetime.fromisoformat(text))  # noqa: E731
    first, second = store.texts("lab")
    assert first == Text(
        id=told,
        content="Ada bakes bread",
        title="Baking",
        tags=("home", "Ärger"),
        kind=Kind.EPISODE.value,
        importance=0.25,
        confidence=0.75,
        event_time=point("2020-03-01T08:00:00+00:00"),
        event_end=point("2020-03-01T09:00:00+00:00"),
        said_at=point("2021-01-01T00:00:00+00:00"),
        recorded_at=to_micros(clock.now),
        valid_from=point("2020-03-01T08:00:00+00:00"),
        expires_at=point("2030-01-01T00:00:00+00:00"),
        speaker="Ada",
        session="s1",
    )
    known = to_micros(clock.now) + 1
    assert type(second) is Text
    assert second._replace(importance=0, confidence=0) == Text(
        plain, "Plain", None, (), "semantic", 0, 0, None, None, known - 1, known, known - 1, FOREVER, None, None
    )


def test_texts_come_in_order_of_known_time_whoever_may_see_them(mem: Treering, store: Store, clock: HandClock) -> None:
    told = write_a_life(mem, clock)
    clock.advance(days=-3)
    batch = [memory.id for memory in mem.add_many([{"content": f"Batch {n}"} for n in range(5)]).memories]
    texts = list(store.texts("lab"))
    assert [text.id for text in texts] == [
        told.job, told.home, told.tea, told.new_home, told.plan, told.secret, *sorted(batch),
    ]  # fmt: skip
    order = [(text.recorded_at, text.id) for text in texts]
    assert order == sorted(order)
    for text in texts:
        later = [one for one in texts if one.recorded_at > text.recorded_at]
        assert list(store.texts("lab", text.recorded_at)) == later
        assert set(store.texts("lab", after=text.recorded_at - 1)) >= {text, *later}
    assert list(store.texts("lab", after=texts[-1].recorded_at)) == []
    assert list(store.texts("nowhere")) == []


def test_a_purged_memory_is_no_longer_a_text_and_its_neighbour_on_a_blanked_source_is_as_it_was(
    mem: Treering, store: Store, clock: HandClock
) -> None:
    home, code, tea = tell(store, clock, "Ada lives in Berlin.", "Her code is 8142!", "She likes tea.")
    before = {text.id: text for text in store.texts("lab")}
    clock.advance(hours=1)
    assert mem.purge(code, "asked to").sources_blanked
    assert list(store.texts("lab")) == [before[home], before[tea]]
    assert before[home].speaker == "Ada"
    assert kept(store) == [home, tea]
    assert unread(store, LARGE) == [home, tea]
    mem.purge(home, "asked to")
    assert list(store.texts("lab")) == [before[tea]]
    mem.purge(tea, "asked to")
    assert list(store.texts("lab")) == []


def test_purges_count_all_that_went(mem: Treering, store: Store, new_store: Callable[[str], Store]) -> None:
    assert store.purges("lab") == 0
    gone = mem.add("Ada has a vault", entities=["Vault"]).id
    again = mem.add("Else").id
    assert store.purges("lab") == 0
    report = mem.purge(gone, "asked to")
    went = len(report.memories) + len(report.sources) + len(report.entities) + len(report.edges)
    assert went == 4
    assert store.purges("lab") == went
    assert mem.purge(again, "asked to", dry_run=True).memories
    assert store.purges("lab") == went
    mem.purge(again, "asked to")
    assert store.purges("lab") == went + 2
    store.rebuild("lab")
    assert store.purges("lab") == went + 2
    for kind in ("reference", "sqlite"):
        other = new_store(kind)
        other.replay(store.entries("lab"))
        assert other.purges("lab") == went + 2


@pytest.mark.parametrize("store_url", ["reference", "sqlite"], indirect=True)  # :memory: has one connection for both
def test_a_snapshot_goes_on_telling_what_was_kept_then(mem: Treering, store: Store, clock: HandClock) -> None:
    first, gone = tell(store, clock, "One", "Two")
    clock.advance(hours=1)
    with store.snapshot() as held:
        before = _all_kept(held)
        tell(store, clock, "Three")
        mem.purge(gone, "asked to")
        store.keep_vectors("lab", [read(first, LARGE)])
        store.drop_vectors("lab", SMALL)
        assert _all_kept(held) == before
    assert _all_kept(store) != before
    assert [text.content for text in store.texts("lab")] == ["One", "Three"]


def _all_kept(held: Any) -> list[object]:
    return [
        list(held.texts("lab")),
        list(held.vectors("lab", SMALL)),
        held.embedders("lab"),
        held.purges("lab"),
        held.unread("lab", SMALL, 10),
        held.unread("lab", LARGE, 10),
    ]


# rebuilding, verifying, coming and going


def test_a_store_with_vectors_verifies_and_a_rebuild_keeps_them(mem: Treering, store: Store, clock: HandClock) -> None:
    write_a_life(mem, clock)
    for embedder in (SMALL, LARGE):
        store.keep_vectors("lab", [read(one, embedder) for one in unread(store, embedder)])
    rows = [list(store.vectors("lab", embedder)) for embedder in (SMALL, LARGE)]
    assert len(rows[0]) > 10
    assert mem.verify().ok
    assert mem.doctor(repair=True).ok
    store.rebuild("lab")
    assert [list(store.vectors("lab", embedder)) for embedder in (SMALL, LARGE)] == rows
    assert mem.verify().ok


def damage(path: Path, *statements: str) -> None:
    raw = sqlite3.connect(path, isolation_level=None)
    for sql in statements:
        assert raw.execute(sql).rowcount > 0, sql
    raw.close()


def test_the_doctor_keeps_vectors_and_lets_go_of_orphans(file_mem: Treering, db_path: Path, clock: HandClock) -> None:
    store = file_mem._store
    one, two, tea = tell(store, clock, "One", "Two", names=["Tea"])
    damage(
        db_path,
        f"INSERT INTO embedding (space_id, embedder, thing_id, data) VALUES (1, '{SMALL}', '{NOBODY}', x'00')",
        f"DELETE FROM memory WHERE id = '{one}'",
    )
    assert not file_mem.verify().ok
    diagnosis = file_mem.doctor(repair=True)
    assert (diagnosis.ok, diagnosis.repaired) == (True, ("lab",))
    assert kept(store) == [one, two, tea]


def test_a_rebuild_lets_go_of_vectors_that_belong_to_no_space(
    file_mem: Treering, db_path: Path, clock: HandClock
) -> None:
    store = file_mem._store
    one, two = tell(store, clock, "One", "Two")
    clock.advance(hours=1)
    other = tell(store, clock, "Else", space="elsewhere")
    damage(db_path, f"UPDATE embedding SET space_id = 99 WHERE thing_id = '{one}'")
    assert not file_mem.verify().ok
    store.rebuild("lab")
    assert file_mem.verify().ok
    assert (kept(store), unread(store)) == ([two], [one])
    assert kept(store, space="elsewhere") == other


def test_an_export_carries_no_vectors_and_an_import_finds_all_unread(
    mem: Treering, store: Store, clock: HandClock, tmp_path: Path, new_store: Callable[[str], Store]
) -> None:
    made = tell(store, clock, "One", "Two", names=["Tea"])
    mem.export(str(tmp_path / "out.jsonl"))
    assert SMALL.encode() not in (tmp_path / "out.jsonl").read_bytes()
    for kind in ("reference", "sqlite"):
        other = new_store(kind)
        other.replay(read_journal(tmp_path / "out.jsonl"))
        assert other.embedders("lab") == []
        assert unread(other) == made
        assert list(other.texts("lab")) == list(store.texts("lab"))
        assert everything(other, scope(clock)) == everything(store, scope(clock))


def test_what_comes_by_import_again_leaves_vectors_and_a_purge_that_comes_takes_them(
    mem: Treering, store: Store, clock: HandClock, new_store: Callable[[str], Store]
) -> None:
    one, two = tell(store, clock, "One", "Two")
    other = new_store("sqlite")
    other.replay(store.entries("lab"))
    store.replay(other.entries("lab"))
    assert kept(store) == [one, two]
    clock.advance(hours=1)
    Treering(other, clock=clock, actor="ann", space="lab").purge(one, "asked to")
    added = store.replay(other.entries("lab"))
    assert [(here.added, here.skipped) for here in added] == [(1, 1)]
    assert kept(store) == [two]


def test_an_import_that_is_refused_leaves_every_vector(
    mem: Treering, store: Store, clock: HandClock, new_store: Callable[[str], Store]
) -> None:
    made = tell(store, clock, "One", "Two")
    other = new_store("sqlite")
    other.replay(store.entries("lab"))
    clock.advance(hours=1)
    Treering(other, clock=clock, actor="ann", space="lab").purge(made[0], "asked to")
    first, purge = other.entries("lab")
    with pytest.raises(Conflict):
        store.replay([first, purge, replace(purge, seq=9)])
    assert [text.id for text in store.texts("lab")] == made
    assert kept(store) == made


@pytest.mark.parametrize("store_url", ["sqlite", "memory"], indirect=True)  # the reference cannot be copied to a file
def test_a_backup_carries_vectors(mem: Treering, store: Store, clock: HandClock, tmp_path: Path) -> None:
    made = tell(store, clock, "One", "Two", names=["Tea"])
    store.keep_vectors("lab", [read(one, LARGE) for one in made[1:]])
    mem.backup(str(tmp_path / "copy.db"))
    copy = open_store(str(tmp_path / "copy.db"))
    for embedder in (SMALL, LARGE):
        assert list(copy.vectors("lab", embedder)) == list(store.vectors("lab", embedder))
        assert len(list(copy.vectors("lab", embedder))) > 1
    assert Treering(copy).verify().ok
    copy.close()


# what a view hides


def hidden(store: Store, clock: HandClock, view: View = View.CURRENT, **more: Any) -> tuple[set[str], datetime | None]:
    with store.reader(scope(clock, **more)) as reader:
        found = reader.hidden(view)
    assert type(found.ids) is frozenset
    return set(found.ids), found.until


def test_what_is_hidden_is_so_until_a_memory_is_superseded_or_no_longer_is(
    new_store: Callable[[str], Store], clock: HandClock
) -> None:
    """The reference answers for the moment alone; a table can say when the next turn comes."""
    store = new_store("sqlite")
    mem = Treering(store, clock=clock, actor="ann", space="lab")
    old, new = mem.add("Old").id, mem.add("New").id
    assert hidden(store, clock) == (set(), None)
    begins, ends = clock.now + timedelta(days=1), clock.now + timedelta(days=9)
    mem.link(new, old, "supersedes", valid_from=begins)
    assert hidden(store, clock) == (set(), begins)
    assert hidden(store, clock, as_of=begins) == ({old}, None)
    mem.invalidate(new, old, "supersedes", at=ends)
    assert hidden(store, clock, as_of=begins) == ({old}, ends)
    assert hidden(store, clock, as_of=ends) == (set(), None)
    assert hidden(store, clock, View.HISTORY, as_of=begins)[0] == set()
    assert hidden(store, clock, View.ALL) == (set(), None)


def test_an_archived_memory_is_hidden_from_the_past_until_it_expires(
    new_store: Callable[[str], Store], clock: HandClock
) -> None:
    """From then on it is shown as expired, which is the stronger state."""
    store = new_store("sqlite")
    mem = Treering(store, clock=clock, actor="ann", space="lab")
    expires = clock.now + timedelta(days=1)
    plain, archived = mem.add("Plain", expires_at=expires - timedelta(hours=1)).id, mem.add("A", expires_at=expires).id
    mark = Marked(Thing.MEMORY, archived, Mark.ARCHIVED, True)
    store.write("lab", ANN, clock.now, lambda reader, at: Changes("archive", (mark,)))
    assert hidden(store, clock, View.HISTORY) == ({archived}, expires)
    assert hidden(store, clock, View.HISTORY, as_of=expires) == (set(), None)
    assert hidden(store, clock, View.CURRENT) == ({archived}, None)
    assert plain not in hidden(store, clock, View.CURRENT, as_of=expires)[0]


def test_a_store_without_anything_hides_nothing_and_mentions_nothing(store: Store, clock: HandClock) -> None:
    for view in View:
        assert hidden(store, clock, view)[0] == set()
    with store.reader(scope(clock)) as reader:
        assert reader.mentioning([NOBODY]) == reader.mentioning([]) == set()
