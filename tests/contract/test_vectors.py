"""Where do vectors live? They come with the write that brings their things or are kept afterwards, each at a place that
is never taken again, in their own space, and outside of the journal."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path
from typing import Any

import pytest
from tests.conftest import HandClock, scope
from tests.contract.vectors import LARGE, NOBODY, SMALL, kept, last_place, read, tell, telling, unread
from tests.contract.writing import ANN

from treering.door import Treering
from treering.errors import Forbidden
from treering.model.changes import Changes, SettingChanged
from treering.model.edge import Link
from treering.model.embedding import Embedded
from treering.model.identity import Identity
from treering.store import open_store
from treering.store.contract import MemoryFilter, SpaceVersion, Store, VectorRow, Writer


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


def test_the_version_moves_with_whatever_there_is_to_learn_and_with_nothing_else(
    store: Store, clock: HandClock
) -> None:
    assert store.version("lab") == SpaceVersion(0, 0, {})
    first, _ = tell(store, clock, "Ada sings", names=("Ada",))
    told = store.version("lab")
    assert (told.seq, told.purges, list(told.read)) == (1, 0, [SMALL])
    assert told.read[SMALL] == max(row.place for row in store.vectors("lab", SMALL))
    tell(store, clock, "Bo paints", space="lab/attic")
    assert store.version("lab") == told, "another space has a version of its own"
    store.keep_vectors("lab", [read(first, LARGE)])
    again = store.version("lab")
    assert (again.seq, list(again.read)) == (1, [SMALL, LARGE]), "the one that began first before the others"
    assert again.read[SMALL] == told.read[SMALL] < again.read[LARGE]
    store.drop_vectors("lab", SMALL)
    store.keep_vectors("lab", [read(first, SMALL)])
    anew = store.version("lab")
    assert anew.read[SMALL] > again.read[LARGE] == anew.read[LARGE], "what is read again lies in a new place"
    assert list(anew.read) == [LARGE, SMALL]
    store.drop_vectors("lab", SMALL)
    store.keep_vectors("lab", [read(first, SMALL)])
    assert store.version("lab").read[SMALL] > anew.read[SMALL], "also where it was the last of all"
    tell(store, clock, "Cy waits")
    assert (store.version("lab").seq, store.version("lab").read[SMALL] > anew.read[SMALL]) == (2, True)


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
