"""Rule 12: a purge leaves no trace of the content anywhere, and the chain still verifies."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest
from tests.conftest import STORES, HandClock, contents, everything, scope, write_a_life
from tests.contract.purging import TRACES, traces_in, two_said_in_one_breath, write_what_is_to_go

from treering.door import Treering
from treering.errors import NotFound
from treering.exchange.journal import read_journal
from treering.model.changes import Thing
from treering.store.contract import Store
from treering.store.sql import projection
from treering.upkeep import purge


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


def test_a_dry_run_of_a_purge_tells_its_reach_and_removes_nothing(mem: Treering, store: Store) -> None:
    gone = write_what_is_to_go(mem)
    head = store.head("lab")
    dry = mem.purge(gone, "asked to", dry_run=True)
    assert store.head("lab") == head
    assert mem.get(gone).content == TRACES["content"]
    wet = mem.purge(gone, "asked to")
    assert replace(dry, dry_run=False, scrubbed=wet.scrubbed, probed=wet.probed) == wet
    assert (dry.probed, wet.remains) == (0, ())


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
