"""Does what was remembered travel? Waiting marks, evidence, undoings through export, import, backup, old files."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from pathlib import Path

import pytest
from tests.conftest import STORES, HandClock, everything, scope
from tests.contract.sqlite_files import as_written_by_schema
from tests.ingest.telling import claim, lives, objects, tell
from tests.recall.hashing import Hashing

from treering.door import Treering
from treering.errors import TreeringError, Unavailable
from treering.exchange.journal import read_journal
from treering.ingest.extract.extractors import Extractors
from treering.model.memory import View
from treering.store import open_store
from treering.store.contract import MemoryFilter, Store
from treering.store.sqlite import schema


class Asleep:
    name = "llm"

    def extract(self, heard: object) -> list[object]:
        raise Unavailable("asleep")


def door(store: Store, clock: HandClock, actor: str = "ann") -> Treering:
    extractors = Extractors("none", {"llm": lambda space, fallback: Asleep()})  # type: ignore[dict-item,return-value]
    return Treering(store, clock=clock, actor=actor, space="lab", embedder=Hashing(), extractors=extractors)


def a_remembered_life(mem: Treering, clock: HandClock) -> None:
    """Everything that remembering can bring into a journal."""
    tell(mem, "User lives in Oslo", lives("User", "Oslo"), call={"session": "s", "key": "k"})
    clock.advance(hours=1)
    tell(mem, "User lives in Rome", lives("User", "Rome"), cue="change")
    mem.remember("Ada plays the cello on weekends", session="s")
    mem.remember("Ada plays the cello on weekends", session="s")
    clock.advance(hours=1)
    again = mem.remember("Ada plays the cello on weekends", session="s")
    mem.undo(str(again.seq))
    tell(mem, "User is called Teun", claim("User", "NAMED", "Teun"))
    tell(mem, "Teun is ill", claim("Teun", "HAS_CONDITION", "flu"), call={"visibility": "private"})
    nice = tell(mem, "User lives in Nice", lives("User", "Nice"), cue="change")
    mem.undo(str(nice.seq), why="misheard")
    for more in ({}, {"visibility": "private"}):
        with pytest.raises(TreeringError):
            mem.remember("This waits to be read", extractor="llm", session="s", **more)  # type: ignore[arg-type]
    clock.advance(hours=1)


def seen(store: Store, clock: HandClock, **where: object) -> list[object]:
    at = scope(clock, **where)
    with store.reader(at) as reader:
        ids = [memory.id for memory in reader.all_seeing().memories(MemoryFilter(view=View.ALL))]
        beside = [reader.waiting(), reader.evidence(ids), reader.evidence(ids, True), reader.said("s", 50)]
    return [everything(store, at), *beside]


@pytest.mark.parametrize("kind", STORES)
def test_a_journal_taken_in_elsewhere_knows_what_waits_what_backs_what_and_what_was_undone(
    store: Store, clock: HandClock, tmp_path: Path, new_store: Callable[[str], Store], kind: str
) -> None:
    mem = door(store, clock)
    a_remembered_life(mem, clock)
    mem.export(str(tmp_path / "out.jsonl"))
    other = new_store(kind)
    taken = door(other, clock).import_journal(str(tmp_path / "out.jsonl"))
    again = door(other, clock).import_journal(str(tmp_path / "out.jsonl"))
    assert (again.added, again.skipped) == (0, taken.added)
    for principal in ("ann", "bob"):
        for known_at in (None, clock.now.replace(hour=13)):
            where = {"principal": principal, "known_at": known_at}
            assert seen(other, clock, **where) == seen(store, clock, **where)
    assert door(other, clock).verify().ok
    assert len(list(read_journal(tmp_path / "out.jsonl"))) == taken.added


def test_what_waited_is_read_where_the_journal_came_to(
    store: Store, clock: HandClock, tmp_path: Path, new_store: Callable[[str], Store]
) -> None:
    mem = door(store, clock)
    a_remembered_life(mem, clock)
    mem.export(str(tmp_path / "out.jsonl"))
    other = door(new_store("sqlite"), clock)
    other.import_journal(str(tmp_path / "out.jsonl"))
    with pytest.raises(Unavailable, match="asleep"):
        other.resume()  # as it was asked for, which is of no use here either
    receipt = other.resume(extractor="none")
    assert [one.content for one in receipt.memories] == ["This waits to be read"] * 2
    assert [other.get(one.id).visibility for one in receipt.memories] == ["space", "private"]
    assert other.resume(extractor="none").memories == ()
    assert other.verify().ok


def test_a_backup_holds_what_waits_and_what_backs_what(
    db_path: Path, clock: HandClock, tmp_path: Path, new_store: Callable[[str], Store]
) -> None:
    store = new_store(str(db_path))
    a_remembered_life(door(store, clock), clock)
    door(store, clock).backup(str(tmp_path / "copy.db"))
    copy = new_store(str(tmp_path / "copy.db"))
    assert seen(copy, clock) == seen(store, clock)
    assert door(copy, clock).verify().ok


@pytest.mark.parametrize("version", range(1, len(schema.migrations())))
def test_a_file_of_an_older_schema_takes_up_remembering(
    tmp_path: Path, clock: HandClock, new_store: Callable[[str], Store], version: int
) -> None:
    today = open_store(str(tmp_path / "today.db"))
    door(today, clock).add("User lives in Oslo", triples=[["User", "LIVES_IN", "Oslo"]], session="s", key="k")
    today.close()
    as_written_by_schema(version, tmp_path / "today.db", tmp_path / "old.db")
    store = new_store(str(tmp_path / "old.db"))
    mem = door(store, clock)
    assert mem.remember("User lives in Oslo", key="k").repeated is True
    a_remembered_life(mem.space("lab/more"), clock)
    clock.advance(hours=1)
    receipt = tell(mem, "User lives in Rome", lives("User", "Rome"), cue="change")
    assert objects(mem, "User", "LIVES_IN") == {"Rome"}
    mem.undo(str(receipt.seq))
    assert objects(mem, "User", "LIVES_IN") == {"Oslo"}
    found = mem.verify()
    assert found.ok, found.differences


@pytest.mark.parametrize("table", ["evidence", "mark"])
def test_a_lost_row_of_evidence_or_of_a_mark_is_found_and_mended(
    db_path: Path, clock: HandClock, new_store: Callable[[str], Store], table: str
) -> None:
    store = new_store(str(db_path))
    mem = door(store, clock)
    a_remembered_life(mem, clock)
    before = seen(store, clock)
    raw = sqlite3.connect(db_path)
    assert raw.execute(f"DELETE FROM {table}").rowcount >= 2
    raw.commit()
    raw.close()
    assert mem.verify().ok is False
    assert mem.doctor(repair=True).ok is True
    assert seen(store, clock) == before
