"""Rule 12: a purge leaves no trace of the content anywhere, and the chain still verifies."""

from __future__ import annotations

import json
import os
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from tests.conftest import STORES, HandClock, contents, everything, scope, write_a_life
from tests.recall.hashing import Hashing

from treering.door import Treering
from treering.errors import Conflict, NotFound
from treering.exchange.journal import read_journal
from treering.ingest.extract.extractors import Extractors
from treering.model.changes import AliasesAdded, Changes, MemoryAdded, SourceAdded, Thing
from treering.model.embedding import Embedded
from treering.model.ids import mint
from treering.model.memory import MemoryRecord
from treering.model.source import BLANK, Source
from treering.recall import index_cache
from treering.store import open_store
from treering.store.contract import Store, Writer
from treering.store.sql import projection
from treering.store.sqlite import connection
from treering.upkeep import purge

TRACES = {
    "content": "Die Zahlenkombination ist größer als lantern",
    "title": "Tresorzettel",
    "context": "geflüstert im Aufzug",
    "tag": "panzerknacker",
    "meta": "hinterzimmer",
    "speaker": "Egon Olsen",
    "session": "nachtsitzung",
    "key": "schlüssel-17",
    "entity": "Franz-Jäger-Tresor",
    "fact": "HAT_DIE_FARBE_VON",
    "object": "Mitternachtsblau",
    "link": "weil es dieselbe Nacht war",
    "derived": "Zusammengefasst: es geht um lantern",
    "forgotten": "bitte vergessen, peinlich",
    "vector": "abdruck der zahlen",
    "vector of an entity": "abdruck des tresors",
    "vector of what was derived": "abdruck der summe",
}


def write_what_is_to_go(mem: Treering) -> str:
    kept = mem.add("Ada is here", entities=["Ada"]).id
    gone = mem.add(
        TRACES["content"],
        title=TRACES["title"],
        context=TRACES["context"],
        tags=[TRACES["tag"]],
        meta={"where": TRACES["meta"]},
        speaker=TRACES["speaker"],
        session=TRACES["session"],
        key=TRACES["key"],
        entities=[TRACES["entity"], "Ada"],
        triples=[["Ada", TRACES["fact"], TRACES["object"]]],
    ).id
    mem.link(kept, gone, why=TRACES["link"], meta={"why": TRACES["link"]})
    derived = mem.add(TRACES["derived"]).id
    mem.link(derived, gone, "derived_from")
    again = mem.add(f"Noch einmal: {TRACES['derived']}").id
    mem.link(again, derived, "derived_from")
    mem.forget(gone, why=TRACES["forgotten"])
    mem.restore(gone)
    vault = mem.entity_get(TRACES["entity"]).id
    prints = {
        gone: TRACES["vector"],
        vault: TRACES["vector of an entity"],
        derived: TRACES["vector of what was derived"],
    }
    # longer than a page, as vectors may be
    read = [Embedded(one, "small@1", trace.encode() * 400) for one, trace in prints.items()]
    assert mem._store.keep_vectors("lab", [*read, Embedded(kept, "small@1", b"kept")]) == 4
    return gone


def traces_in(raw: bytes) -> list[str]:
    spelled = lambda text: {text.encode(), json.dumps(text)[1:-1].encode(), text.encode("utf-16-le")}  # noqa: E731
    return [name for name, text in TRACES.items() if any(one in raw for one in spelled(text))]


def files_of(path: Path) -> list[Path]:
    """The store's own, and those in the folder beside it."""
    every = (part for one in path.parent.glob(path.name + "*") for part in (one, *one.rglob("*")))
    return sorted(part for part in every if part.is_file())


def test_a_purge_leaves_no_byte_in_the_file_beside_it_or_in_an_export(
    file_mem: Treering, db_path: Path, tmp_path: Path
) -> None:
    gone = write_what_is_to_go(file_mem)
    assert set(traces_in(b"".join(one.read_bytes() for one in files_of(db_path)))) == set(TRACES)
    report = file_mem.purge(gone, "asked to")
    assert report.scrubbed is True
    file_mem.export(str(tmp_path / "out.jsonl"))
    file_mem.backup(str(tmp_path / "copy.db"))
    assert [path.name for path in files_of(db_path)] == ["work.db", "work.db-shm", "work.db-wal"]
    for path in (*files_of(db_path), tmp_path / "out.jsonl", *files_of(tmp_path / "copy.db")):
        assert traces_in(path.read_bytes()) == [], path
    assert [row.data for row in file_mem._store.vectors("lab", "small@1")] == [b"kept"]
    assert file_mem.verify().ok
    assert file_mem.verify().purged_changes == report.changes_cut > 10


def test_a_purge_leaves_no_byte_in_the_index_beside_the_file(
    db_path: Path, clock: HandClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(index_cache, "NEW", 0)
    mine, other = (Treering(open_store(str(db_path)), clock=clock, actor="ann", space="lab") for _ in range(2))
    gone = write_what_is_to_go(mine)
    mine.settings({"embedder": "none"})
    for door in (mine, other):
        assert door.recall("Zahlenkombination")[0].memory.id == gone
    mine.add("Bo is here")  # who writes also writes the index down
    beside = [one for one in files_of(db_path) if one.parent != db_path.parent]
    assert {"tag", "speaker", "session"} <= set(traces_in(b"".join(one.read_bytes() for one in beside)))
    assert b"zahlenkombin" in b"".join(one.read_bytes() for one in beside)
    assert mine.purge(gone, "asked to").scrubbed is True
    for door in (mine, other):
        door.close()  # the other with an index that still knows it
        for path in files_of(db_path):
            assert traces_in(path.read_bytes()) == [], path
            assert b"zahlenkombin" not in path.read_bytes()


def test_a_purge_rewrites_the_file_without_the_room_that_was_freed(file_mem: Treering, db_path: Path) -> None:
    memory = file_mem.add("A long story. " * 3000).id
    file_mem.purge(memory, "asked to")
    raw = sqlite3.connect(db_path)
    assert raw.execute("PRAGMA freelist_count").fetchone() == (0,)
    raw.close()
    assert db_path.with_name("work.db-wal").stat().st_size < 100_000


def test_a_purge_leaves_nothing_to_be_read_at_any_moment_and_the_chain_holds(
    mem: Treering, store: Store, clock: HandClock, tmp_path: Path
) -> None:
    gone = write_what_is_to_go(mem)
    before = clock.advance(hours=1)
    clock.advance(hours=1)
    report = mem.purge(gone, "asked to")
    assert len(report.memories) == 3
    assert len(report.entities) == 2
    for known_at in (None, before):
        told = everything(store, scope(clock, known_at=known_at))
        assert traces_in(repr(told).encode()) == []
    for entry in store.entries("lab"):
        assert traces_in(entry.payload().encode()) == []
    assert contents(mem.list(view="all")) == ["Ada is here"]
    for one in report.memories:
        with pytest.raises(NotFound, match="was purged"):
            mem.get(one)
        assert mem.history(one).state == "purged"
        assert mem.history(one).events[-1].why == "asked to"
    assert mem.verify().ok
    assert mem.add("New", key=TRACES["key"], entities=[TRACES["entity"]]).entities[0].created is True


@pytest.mark.parametrize("kind", STORES)
def test_the_export_after_a_purge_makes_an_equal_store_of_every_kind(
    mem: Treering, store: Store, clock: HandClock, new_store: Callable[[str], Store], kind: str, tmp_path: Path
) -> None:
    mem.purge(write_what_is_to_go(mem), "asked to")
    two_said_in_one_breath(mem, store, clock)
    mem.purge(mem.list(speaker="Ada")[0].id, "asked to")
    mem.export(str(tmp_path / "out.jsonl"))
    other = new_store(kind)
    other.replay(read_journal(tmp_path / "out.jsonl"))
    for known_at in (None, clock.now - timedelta(minutes=30)):
        where = scope(clock, known_at=known_at)
        assert everything(other, where) == everything(store, where)


def test_what_another_memory_also_speaks_of_stays_when_one_is_purged(mem: Treering) -> None:
    first = mem.add("Ada met Bo", entities=["Ada", "Bo"]).id
    mem.add("Bo was late", entities=["bo"])
    report = mem.purge(first, "asked to")
    assert len(report.entities) == 1
    assert mem.entity_get("Bo").name == "Bo"
    assert contents(mem.list(entities=["Bo"])) == ["Bo was late"]
    again = mem.add("Bo is here", entities=["Bo"]).entities[0]
    assert again.created is False
    assert mem.verify().ok


def two_said_in_one_breath(mem: Treering, store: Store, clock: HandClock) -> list[str]:
    """One source and three memories that each rest on a stretch of it, written by hand."""
    fresh, said = mint(clock.now), "Ada lives in Berlin. Her code is lantern! She likes tea."
    source_id, ids = fresh(), [fresh() for _ in range(3)]

    def plan(reader: Any, at: datetime) -> Changes:
        source = Source(
            id=source_id, space="lab", content=said, speaker="Ada", occurred_at=clock.now, recorded_at=at, meta={}
        )
        parts = ["Ada lives in Berlin.", "Her code is lantern!", "She likes tea."]
        memories = [
            MemoryRecord(
                id=one,
                space="lab",
                content=part,
                said_at=clock.now,
                recorded_at=at,
                source_id=source_id,
                span=(said.index(part), said.index(part) + len(part)),
            )
            for one, part in zip(ids, parts, strict=True)
        ]
        return Changes("remember", (SourceAdded(source), *(MemoryAdded(one) for one in memories)))

    store.write("lab", Writer("ann"), clock.now, plan)
    return ids


def test_a_source_that_others_rest_on_is_blanked_and_their_spans_still_hold(
    mem: Treering, store: Store, clock: HandClock
) -> None:
    home, code, tea = two_said_in_one_breath(mem, store, clock)
    source_id = mem.get(home).source_id
    clock.advance(hours=1)
    report = mem.purge(code, "asked to")
    assert (report.sources, report.sources_blanked) == ((), (source_id,))
    recorded_at = mem.get(home).recorded_at
    for known_at in (None, recorded_at):
        with store.reader(scope(clock, known_at=known_at)) as reader:
            source = reader.source(source_id)
            assert source is not None
            assert source.content == f"Ada lives in Berlin. {BLANK * 20} She likes tea."
            assert source.recorded_at == recorded_at
            for one in (home, tea):
                memory = reader.memory(one)
                assert memory is not None
                assert source.content[slice(*memory.span)] == memory.content
    assert not any("lantern" in entry.payload() for entry in store.entries("lab"))
    assert mem.verify().ok
    assert mem.purge(tea, "asked to").sources_blanked == (source_id,)
    assert not any("tea" in entry.payload() for entry in store.entries("lab"))
    assert mem.purge(home, "asked to").sources == (source_id,)
    assert not any("Ada lives" in entry.payload() for entry in store.entries("lab"))
    with store.reader(scope(clock)) as reader:
        assert reader.source(source_id) is None
    assert mem.verify().ok


def test_a_name_that_a_purged_memory_gave_to_an_entity_that_stays_goes_with_it(
    mem: Treering, store: Store, clock: HandClock
) -> None:
    entity = mem.entity_register("Ada", aliases=["Countess"]).entity_id
    memory = mem.add("Her nickname is Zahlenfee", entities=["Ada"]).id
    nickname = AliasesAdded(entity, ("Zahlenfee",), memory)
    store.write("lab", Writer("ann"), clock.now, lambda reader, at: Changes("alias", (nickname,)))
    assert mem.entity_get("zahlenfee").id == entity
    mem.purge(memory, "asked to")
    assert mem.entity_get("Ada").aliases == ("Countess",)
    with pytest.raises(NotFound):
        mem.entity_get("Zahlenfee")
    assert not any("Zahlenfee" in entry.payload() for entry in store.entries("lab"))
    assert mem.verify().ok


@pytest.mark.parametrize("turned", [False, True])
@pytest.mark.parametrize("split", [False, True])
def test_a_name_that_only_a_purged_memory_brought_goes_even_if_it_was_merged(
    mem: Treering, store: Store, clock: HandClock, new_store: Callable[[str], Store], turned: bool, split: bool
) -> None:
    mem.add("Ada is here", entities=["Ada"])
    memory = mem.add("They call her Zahlenfee", entities=["Zahlenfee"]).id
    merged = mem.entity_merge(*(("Ada", "Zahlenfee") if turned else ("Zahlenfee", "Ada"))).entity_id
    if split:
        mem.entity_split(merged)
    mem.purge(memory, "asked to")
    assert not any("Zahlenfee" in entry.payload() for entry in store.entries("lab"))
    assert (mem.entity_get("Ada").name, mem.entity_get("Ada").aliases) == ("Ada", ())
    assert contents(mem.list(entities=["Ada"])) == ["Ada is here"]
    assert mem.verify().ok
    other = new_store("reference")
    other.replay(store.entries("lab"))
    assert everything(other, scope(clock)) == everything(store, scope(clock))


def test_a_purge_while_another_reads_says_so_and_the_next_open_scrubs(
    db_path: Path, clock: HandClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connection, "BUSY_SECONDS", 0.2)
    store = open_store(str(db_path))
    mem = Treering(store, clock=clock, actor="ann", space="lab")
    gone = write_what_is_to_go(mem)
    reading = sqlite3.connect(db_path, isolation_level=None)
    reading.execute("BEGIN")
    assert reading.execute("SELECT COUNT(*) FROM memory").fetchone() == (4,)
    assert mem.purge(gone, "asked to").scrubbed is False
    assert contents(mem.list(view="all")) == ["Ada is here"]
    reading.execute("COMMIT")
    reading.close()
    store.close()
    again = open_store(str(db_path))
    for path in files_of(db_path):
        assert traces_in(path.read_bytes()) == [], path
    assert Treering(again, space="lab").verify().ok
    again.close()


def test_a_scrub_that_a_writer_elsewhere_holds_up_says_so_and_is_not_an_error(
    db_path: Path, clock: HandClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connection, "BUSY_SECONDS", 0.1)
    store = open_store(str(db_path))
    Treering(store, clock=clock, space="lab").add("One")
    writing = sqlite3.connect(db_path, isolation_level=None)
    writing.execute("BEGIN IMMEDIATE")
    assert store.scrub() is False
    writing.execute("ROLLBACK")
    writing.close()
    assert store.scrub() is True
    store.close()


def test_a_crash_between_the_purge_and_its_scrub_is_made_good_at_the_next_open(db_path: Path, clock: HandClock) -> None:
    code = """
import os, sys
sys.path.insert(0, ".")
from tests.conftest import HandClock
from tests.contract.test_purge import write_what_is_to_go
from treering.door import Treering
from treering.store import open_store
store = open_store(sys.argv[1])
mem = Treering(store, clock=HandClock(), actor="ann", space="lab")
gone = write_what_is_to_go(mem)
store.scrub = lambda: os._exit(9)
mem.purge(gone, "asked to")
"""
    died = subprocess.run([sys.executable, "-c", code, str(db_path)], check=False)
    assert died.returncode == 9
    assert traces_in(b"".join(one.read_bytes() for one in files_of(db_path))) != []
    store = open_store(str(db_path))
    for path in files_of(db_path):
        assert traces_in(path.read_bytes()) == [], path
    mem = Treering(store, clock=clock, actor="ann", space="lab")
    assert contents(mem.list(view="all")) == ["Ada is here"]
    assert mem.verify().ok
    store.close()
    assert os.path.getsize(db_path) > 0  # noqa: PTH202


def test_a_dry_run_of_a_purge_tells_its_reach_and_removes_nothing(mem: Treering, store: Store) -> None:
    gone = write_what_is_to_go(mem)
    head = store.head("lab")
    dry = mem.purge(gone, "asked to", dry_run=True)
    assert store.head("lab") == head
    assert mem.get(gone).content == TRACES["content"]
    wet = mem.purge(gone, "asked to")
    assert replace(dry, dry_run=False, scrubbed=wet.scrubbed, probed=wet.probed) == wet
    assert (dry.probed, wet.remains) == (0, ())


# what was remembered, and said again

WORDS = {
    "first": "Ada hides the Zahlenfee brooch in the attic",
    "source": "Hallo! Ada hides the Zahlenfee brooch in the attic. Bitte nicht weitersagen.",
    "again": "Übrigens: Ada hides the Zahlenfee brooch in the attic. Sapperlot!",
    "aside": "Bo lives in Oslo.",
    "rewritten": "User's blanket is lavendelblau as of 2026-01-01",
    "own words": "my blanket is lavendelblau today",
}


def said_in(raw: bytes, text: str) -> bool:
    return any(one in raw for one in (text.encode(), json.dumps(text)[1:-1].encode(), text.encode("utf-16-le")))


def listening(store: Store, clock: HandClock) -> Treering:
    """A door that knows when the same is said again."""
    return Treering(store, clock=clock, actor="ann", space="lab", embedder=Hashing(), extractors=Extractors("none"))


def every_byte(store: Store, path: Path, tmp_path: Path, mem: Treering) -> bytes:
    """The files of the store, an export and a backup."""
    number = len(list(tmp_path.glob("out-*.jsonl")))
    mem.export(str(tmp_path / f"out-{number}.jsonl"))
    mem.backup(str(tmp_path / f"copy-{number}.db"))
    files = [*files_of(path), tmp_path / f"out-{number}.jsonl", *files_of(tmp_path / f"copy-{number}.db")]
    return b"".join(one.read_bytes() for one in files)


def test_a_purge_takes_the_words_of_every_source_in_which_it_was_said_again(
    db_path: Path, clock: HandClock, tmp_path: Path, new_store: Callable[[str], Store]
) -> None:
    store = new_store(str(db_path))
    mem = listening(store, clock)
    first = mem.remember(WORDS["source"], drafts=[{"content": WORDS["first"], "entities": ["Zahlenfee"]}]).id
    clock.advance(days=1)
    again = mem.remember(WORDS["again"], drafts=[{"content": WORDS["first"]}])
    undone = mem.remember(WORDS["again"], drafts=[{"content": WORDS["first"]}])
    assert [one.memory_id for one in (*again.duplicates, *undone.duplicates)] == [first, first]
    mem.undo(str(undone.seq))
    before = every_byte(store, db_path, tmp_path, mem)
    assert all(said_in(before, word) for word in ("Zahlenfee", "Sapperlot", "weitersagen"))
    report = mem.purge(first, "asked to")
    assert len(report.sources) == 3
    after = every_byte(store, db_path, tmp_path, mem)
    assert [word for word in ("Zahlenfee", "brooch") if said_in(after, word)] == []
    assert mem.verify().ok
    assert mem.recall("brooch attic").hits == ()


def test_a_source_that_also_backs_another_memory_loses_only_the_purged_words(
    mem: Treering, store: Store, clock: HandClock, new_store: Callable[[str], Store]
) -> None:
    mem = listening(store, clock)
    brooch = mem.remember(drafts=[{"content": WORDS["first"]}]).id
    oslo = mem.remember(drafts=[{"content": WORDS["aside"]}]).id
    both = f"{WORDS['first']} {WORDS['aside']}"
    again = mem.remember(both, drafts=[{"content": WORDS["first"]}, {"content": WORDS["aside"]}])
    assert {one.memory_id for one in again.duplicates} == {brooch, oslo}
    clock.advance(days=1)
    report = mem.purge(brooch, "asked to")
    assert report.sources_blanked == again.source_ids
    with store.reader(scope(clock)) as reader:
        source = reader.source(again.source_ids[0])
        assert source is not None
        assert source.content == f"{BLANK * len(WORDS['first'])} {WORDS['aside']}"
        assert [one.source_id for one in reader.evidence([oslo])] == list(again.source_ids)
        assert reader.waiting() == []
    assert not any("Zahlenfee" in entry.payload() for entry in store.entries("lab"))
    assert mem.verify().ok
    other = new_store("reference")
    other.replay(store.entries("lab"))
    assert everything(other, scope(clock)) == everything(store, scope(clock))
    (hit,) = [hit for hit in mem.recall("Who lives in Oslo?") if hit.memory.id == oslo]
    assert len(hit.sources) == 2


def test_a_purge_of_a_statement_that_was_reworded_takes_the_speakers_own_words_too(
    db_path: Path, clock: HandClock, tmp_path: Path, new_store: Callable[[str], Store]
) -> None:
    store = new_store(str(db_path))
    mem = listening(store, clock)
    text = f"{WORDS['own words']}. {WORDS['aside']}"
    receipt = mem.remember(text, drafts=[{"content": WORDS["rewritten"]}], key="lavendelblau-key")
    assert said_in(every_byte(store, db_path, tmp_path, mem), "lavendelblau")
    report = mem.purge(receipt.id, "asked to")
    assert report.sources == receipt.source_ids
    assert not said_in(every_byte(store, db_path, tmp_path, mem), "lavendelblau")
    assert mem.verify().ok
    assert mem.remember("Something else", key="lavendelblau-key").repeated is False


def test_a_purge_takes_the_words_from_each_of_the_memories_drawn_from_one_text_in_turn(
    mem: Treering, store: Store, clock: HandClock
) -> None:
    text = f"{WORDS['first']}. {WORDS['aside']}"
    receipt = mem.remember(text, drafts=[{"content": WORDS["first"]}, {"content": WORDS["aside"]}])
    one, other = (memory.id for memory in receipt.memories)
    assert mem.purge(one, "asked to").sources_blanked == receipt.source_ids
    assert not any("Zahlenfee" in entry.payload() for entry in store.entries("lab"))
    assert mem.purge(other, "asked to").sources == receipt.source_ids
    assert not any("Oslo" in entry.payload() for entry in store.entries("lab"))
    assert mem.verify().ok


def test_what_waits_to_be_read_in_the_same_words_can_be_purged_once_it_was_read(mem: Treering, store: Store) -> None:
    first = mem.remember(WORDS["first"], extractor="none").id

    def stop(number: int, of: int) -> None:
        raise KeyboardInterrupt

    said = [{"content": "Bo came"}, {"content": WORDS["first"]}]
    with pytest.raises(KeyboardInterrupt):
        mem.watched(stop).remember(messages=said, extractor="none")
    mem.purge(first, "asked to")
    (read,) = mem.resume(extractor="none").memories
    assert read.content == WORDS["first"]
    mem.purge(read.id, "asked to")
    assert not any("Zahlenfee" in entry.payload() for entry in store.entries("lab"))
    assert mem.verify().ok


def test_a_purge_of_what_closed_a_fact_leaves_no_word_of_it(mem: Treering, store: Store, clock: HandClock) -> None:
    mem.remember(drafts=[{"content": "Ada lives in Oslo", "triples": [["Ada", "LIVES_IN", "Oslo"]]}])
    clock.advance(days=1)
    new = mem.remember(drafts=[{"content": "Ada moved to Zahlenfee", "triples": [["Ada", "LIVES_IN", "Zahlenfee"]]}])
    assert new.superseded
    mem.purge(new.id, "asked to")
    assert not any("Zahlenfee" in entry.payload() for entry in store.entries("lab"))
    assert contents(mem.list()) == ["Ada lives in Oslo"]
    assert mem.verify().ok


def test_a_name_that_came_with_a_new_entity_in_one_write_goes_with_the_memory_that_gave_it(
    mem: Treering, store: Store, clock: HandClock, new_store: Callable[[str], Store]
) -> None:
    """SQLite once kept the row, and its words, after the journal had lost them."""
    person = {"name": "Zahlenfee Jones", "kind": "person"}
    first = mem.remember(drafts=[{"content": "She came", "entities": [person]}]).id
    mem.remember(drafts=[{"content": "She left", "entities": [person]}])
    assert mem.entity_get("Zahlenfee").name == "Zahlenfee Jones"
    mem.purge(first, "asked to")
    assert mem.entity_get("Zahlenfee Jones").aliases == ()
    assert mem.verify().ok
    other = new_store("reference")
    other.replay(store.entries("lab"))
    assert everything(other, scope(clock)) == everything(store, scope(clock))


def test_a_name_that_a_memory_brought_and_nothing_states_goes_with_it(mem: Treering, store: Store) -> None:
    ends = {"subject": "Zahlenfee", "relation": "LIVES_IN", "object": "Schlaraffia", "stance": "never"}
    memory = mem.remember(drafts=[{"content": "It is not so", "triples": [ends]}]).id
    mem.purge(memory, "asked to")
    assert not any(word in entry.payload() for entry in store.entries("lab") for word in ("Zahlenfee", "Schlaraffia"))
    assert mem.verify().ok


@pytest.mark.parametrize("order", [(0, 1, 2), (2, 1, 0), (1, 0, 2)])
def test_a_name_that_several_memories_spoke_of_goes_with_the_last_of_them(
    mem: Treering, store: Store, order: tuple[int, ...]
) -> None:
    said = ("He called", "He wrote back", "He never came")
    ids = [mem.add(one, entities=["Zahlenfee", "Ada"]).id for one in said]
    mem.add("Ada is here", entities=["Ada"])
    *first, last = [ids[one] for one in order]
    assert [mem.purge(one, "asked to").entities for one in first] == [(), ()]
    known = mem.entity_get("Zahlenfee").id
    assert mem.purge(last, "asked to").entities == (known,)
    with pytest.raises(NotFound):
        mem.entity_get("Zahlenfee")
    assert not any("Zahlenfee" in entry.payload() for entry in store.entries("lab"))
    assert mem.entity_get("Ada").name == "Ada"
    assert mem.verify().ok


def test_names_go_from_the_file_with_the_last_memory_of_one_telling(file_mem: Treering, db_path: Path) -> None:
    told = [{"content": f"Visit {n}", "triples": [["Zahlenfee", "VISITED", f"Ort {n}"]]} for n in range(3)]
    receipt = file_mem.remember("Three visits of Zahlenfee", drafts=told)
    for memory in receipt.memories:
        assert file_mem.purge(memory.id, "asked to").remains == ()
    assert not any(b"Zahlenfee" in path.read_bytes() for path in files_of(db_path))
    assert file_mem.verify().ok


def test_a_name_that_somebody_registered_or_that_a_fact_states_stays(mem: Treering) -> None:
    mem.entity_register("Zahlenfee")
    one, other = (mem.add("She came", entities=[name, "Bo"]).id for name in ("Zahlenfee", "Cleo"))
    mem.assert_fact("Cleo", "KNOWS", "Dan")
    for memory in (one, other):
        mem.purge(memory, "asked to")
    assert [mem.entity_get(name).name for name in ("Zahlenfee", "Cleo")] == ["Zahlenfee", "Cleo"]
    with pytest.raises(NotFound):
        mem.entity_get("Bo")
    assert mem.verify().ok


# is it really gone?


def test_after_each_of_many_purges_nothing_is_found_anywhere(mem: Treering, clock: HandClock) -> None:
    write_a_life(mem, clock)
    write_what_is_to_go(mem)
    while (left := mem.list(view="all").memories) != ():
        report = mem.purge(left[len(left) // 2].id, "asked to")
        assert report.remains == ()
        assert report.probed > 1
    assert mem.verify().ok


def test_a_row_that_a_purge_left_behind_is_found_and_named(file_mem: Treering, monkeypatch: pytest.MonkeyPatch) -> None:
    memory = file_mem.add("They call her Zahlenfee").id
    file_mem.touch(memory)
    kept = [one for one in projection._REMOVALS[Thing.MEMORY] if " used " not in one]
    monkeypatch.setitem(projection._REMOVALS, Thing.MEMORY, tuple(kept))
    assert file_mem.purge(memory, "asked to").remains == ("used",)


def test_words_that_a_purge_left_in_the_journal_are_found(mem: Treering, monkeypatch: pytest.MonkeyPatch) -> None:
    memory = mem.add("They call her Zahlenfee", entities=["Zahlenfee"]).id
    whole = purge._Reach._cuts
    monkeypatch.setattr(purge._Reach, "_cuts", lambda self, touched: [sorted(whole(self, touched), key=str)[-1]])
    assert "journal" in mem.purge(memory, "asked to").remains


def test_the_same_words_in_another_memory_are_looked_for_when_all_is_done(mem: Treering, clock: HandClock) -> None:
    first, second = (mem.add("Her code is lantern", event_time=f"2024-01-0{n}T00:00:00Z").id for n in (1, 2))
    assert mem.purge(first, "asked to").found == (second,)
    assert mem.purge(second, "asked to").found == ()


# what a purged memory stood for


def test_what_was_put_away_for_a_merged_memory_comes_back_when_that_goes(mem: Treering, store: Store) -> None:
    said = ("Sam likes green tea", "Sam likes green tea a lot", "Sam really likes green tea")
    tea, much, really = (mem.add(one).id for one in said)
    merged = mem.consolidate(mem.cluster().clusters[0].id, mode="apply").new_memory_id
    review = mem.review_create("stale", memory_ids=[much], action="archive", reason="about what stays").id
    assert mem.purge(tea, "asked to", dry_run=True).restored == tuple(sorted((much, really)))
    report = mem.purge(tea, "asked to")
    assert set(report.memories) == {tea, merged}
    assert report.restored == tuple(sorted((much, really)))
    assert set(contents(mem.list())) == set(said[1:])
    assert mem.review_get(review).id == review
    assert mem.verify().ok


def test_what_was_archived_by_hand_or_again_stays_put_away(mem: Treering) -> None:
    said = ("Sam likes green tea", "Sam likes green tea a lot", "Sam really likes green tea")
    tea, much, really = (mem.add(one).id for one in said)
    merged = mem.consolidate(mem.cluster().clusters[0].id, mode="apply").new_memory_id
    assert merged is not None
    mem.restore(much)
    mem.archive(much)
    quoted = mem.add("In short: coffee", derived_from=[mem.add("She drinks coffee").id]).id
    assert mem.purge(quoted, "asked to").restored == ()
    assert mem.purge(merged, "asked to").restored == tuple(sorted((tea, really)))
    assert mem.get(much).state == "archived"


# a source that made no memory


def test_a_source_that_made_no_memory_is_purged_by_its_id(mem: Treering, store: Store) -> None:
    receipt = mem.remember("Hello there, Zahlenfee!", extractor="rules", tags=["gruss"])
    [source] = receipt.source_ids
    assert receipt.memories == ()
    before = mem.status().seq
    assert mem.purge(source, "asked to", dry_run=True).sources == (source,)
    assert mem.status().seq == before
    report = mem.purge(source, "asked to")
    assert (report.memories, report.sources, report.found) == ((), (source,), ())
    assert report.changes_cut >= 2
    assert not any("Zahlenfee" in entry.payload() for entry in store.entries("lab"))
    with mem._reading(None) as reader:
        assert reader.source(source) is None
        assert reader.tombstone(source) is not None
        assert reader.waiting() == []
    assert mem.verify().ok


def test_a_source_that_still_waits_is_purged_and_never_read(mem: Treering, store: Store) -> None:
    def stop(number: int, of: int) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        mem.watched(stop).remember(messages=[{"content": "Bo came"}, {"content": "Zahlenfee"}], extractor="none")
    with mem._reading(None) as reader:
        [waiting] = reader.waiting()
    mem.purge(waiting.id, "asked to")
    assert mem.resume(extractor="none").memories == ()
    assert not any("Zahlenfee" in entry.payload() for entry in store.entries("lab"))
    assert mem.verify().ok


def test_a_source_on_which_memories_rest_is_not_purged_under_them(mem: Treering, clock: HandClock) -> None:
    tea = write_a_life(mem, clock).tea
    with mem._reading(None) as reader:
        sources = [reader.memory(tea).source_id, *(one.source_id for one in reader.evidence([tea]))]  # type: ignore[union-attr]
    assert len(sources) == 2
    before = mem.status().seq
    for source in sources:
        with pytest.raises(Conflict, match=rf"memories rest on.*{tea}.*purge those"):
            mem.purge(source, "asked to")
    assert mem.status().seq == before


def test_a_source_private_to_another_is_not_there(doors: Any) -> None:
    ann, bob = doors("ann", "bob")
    [source] = ann.remember("Hello there, Zahlenfee!", extractor="rules", visibility="private").source_ids
    with pytest.raises(NotFound):
        bob.purge(source, "curious")
    ann.purge(source, "asked to")
    with bob._reading(None) as reader:
        assert reader.tombstone(source) is None
