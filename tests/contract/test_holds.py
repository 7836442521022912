"""What is on hold cannot be purged, in whatever way; what a space no longer keeps is, and is looked for afterwards."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.conftest import Doors, HandClock, contents, scope

import treering
from treering.door import Treering
from treering.errors import Held, InvalidRequest, NotFound
from treering.store.contract import Store
from treering.upkeep.retention import is_due


def test_a_memory_on_hold_is_not_purged_until_it_is_released(mem: Treering) -> None:
    tea = mem.add("Ada likes tea").id
    assert mem.hold("case 7", tea).changed
    assert not mem.hold("case 7", tea).changed  # again: nothing new
    for dry in (True, False):
        with pytest.raises(Held, match=rf"on hold \({tea}\); `release` lifts"):
            mem.purge(tea, "asked to", dry_run=dry)
    assert mem.get(tea).content == "Ada likes tea"
    [hold] = mem.holds()
    assert (hold.id, hold.why, hold.by) == (tea, "case 7", "ann")
    assert mem.release("closed", tea).changed
    assert mem.holds() == []
    assert mem.purge(tea, "asked to").memories == (tea,)
    assert mem.verify().ok


def test_what_would_take_something_on_hold_along_is_not_purged(mem: Treering) -> None:
    tea = mem.add("Ada likes tea").id
    sum_of_it = mem.add("Ada drinks hot things").id
    mem.link(sum_of_it, tea, "derived_from")
    mem.hold("case 7", sum_of_it)
    with pytest.raises(Held, match=sum_of_it):
        mem.purge(tea, "asked to")
    mem.release("closed", sum_of_it)
    assert set(mem.purge(tea, "asked to").memories) == {tea, sum_of_it}


def test_the_words_beside_a_memory_on_hold_stay_as_they_were_said(mem: Treering) -> None:
    told = mem.remember(
        "Ada likes tea. Bo likes rum", drafts=[{"content": "Ada likes tea"}, {"content": "Bo likes rum"}]
    )
    tea, rum = (one.id for one in mem.list(order="oldest"))
    assert {mem.get(tea).source_id, mem.get(rum).source_id} == set(told.source_ids)
    mem.hold("case 7", rum)
    with pytest.raises(Held, match=rum):
        mem.purge(tea, "asked to")


def test_nothing_in_a_space_on_hold_is_purged(mem: Treering) -> None:
    tea = mem.add("Ada likes tea").id
    elsewhere = mem.add("Bo likes rum", space="den").id
    mem.hold("case 8")
    with pytest.raises(Held, match=r"'lab' is on hold \(case 8\)"):
        mem.purge(tea, "asked to")
    assert [(one.id, one.why) for one in mem.holds()] == [(None, "case 8")]
    assert mem.purge(elsewhere, "asked to", space="den").memories == (elsewhere,)
    mem.release("closed")
    assert mem.purge(tea, "asked to").memories == (tea,)


def test_no_undo_lifts_a_hold(mem: Treering) -> None:
    tea = mem.add("Ada likes tea").id
    mem.hold("case 7", tea)
    mem.undo(str(mem.status().seq))
    assert [one.id for one in mem.holds()] == [tea]


def test_a_hold_on_what_others_keep_private_is_refused_as_if_there_were_nothing(doors: Doors) -> None:
    ann, bob = doors("ann", "bob")
    secret = ann.add("Ada has a secret", visibility="private").id
    with pytest.raises(NotFound):
        bob.hold("case 7", secret)
    ann.hold("case 7", secret)
    assert bob.holds() == []


def test_when_something_was_on_hold_is_known_for_every_moment(mem: Treering, clock: HandClock) -> None:
    tea = mem.add("Ada likes tea").id
    before = clock.now
    clock.advance(hours=1)
    mem.hold("case 7", tea)
    held = clock.now
    clock.advance(hours=1)
    mem.release("closed", tea)
    assert [[one.id for one in mem.holds(known_at=at)] for at in (before, held, clock.now)] == [[], [tea], []]
    assert [one.what for one in mem.history(tea).events][-2:] == ["held", "no longer held"]


# retention


def test_what_a_space_no_longer_keeps_is_purged_and_looked_for(mem: Treering, clock: HandClock) -> None:
    mem.add("Ada likes tea")
    clock.advance(days=40)
    young = mem.add("Bo likes rum").id
    assert mem.retain(dry_run=False).due == 0  # nothing was said of how long to keep
    mem.settings({"purging": {"after_days": 30}})
    dry = mem.retain()
    assert (dry.due, dry.purged, dry.dry_run) == (1, 1, True)
    assert len(mem.list()) == 2
    done = mem.retain(dry_run=False)
    assert (done.due, done.purged, done.held, done.left, done.remains) == (1, 1, 0, 0, ())
    assert done.probed
    assert [one.id for one in mem.list(view="all")] == [young]
    assert mem.verify().ok


def test_forgotten_memories_go_so_many_days_after_they_were_forgotten(mem: Treering, clock: HandClock) -> None:
    tea, rum = mem.add("Ada likes tea").id, mem.add("Bo likes rum").id
    clock.advance(days=40)
    mem.forget(tea)
    mem.settings({"purging": {"forgotten_after_days": 30}})
    clock.advance(days=29)
    assert mem.retain(dry_run=False).purged == 0
    mem.restore(tea)
    clock.advance(days=5)
    mem.forget(tea)  # anew: it counts from here
    clock.advance(days=29)
    assert mem.retain(dry_run=False).purged == 0
    clock.advance(days=2)
    assert mem.retain(dry_run=False).purged == 1
    assert [one.id for one in mem.list(view="all")] == [rum]


def test_words_that_made_no_memory_are_kept_no_longer_than_memories(mem: Treering, clock: HandClock) -> None:
    [said] = mem.remember("Hello there!", extractor="reader").source_ids
    assert mem.list(view="all").memories == ()
    clock.advance(days=40)
    [new] = mem.remember("Good morning!", extractor="reader").source_ids
    mem.settings({"purging": {"after_days": 30}})
    assert mem.retain(dry_run=False).purged == 1
    with pytest.raises(NotFound):
        mem.source(said)
    assert mem.source(new).content == "Good morning!"


def test_a_source_on_which_a_memory_has_come_to_rest_is_not_due_by_itself(
    mem: Treering, store: Store, clock: HandClock
) -> None:
    [said] = mem.remember("Hello there!", extractor="reader").source_ids
    [rests_on] = mem.add("Ada likes tea").source_ids
    clock.advance(days=40)
    mem.settings({"purging": {"after_days": 30}})
    with store.reader(scope(clock)) as reader:
        assert [is_due(reader, one, clock.now) for one in (said, rests_on)] == [True, False]


def test_what_is_on_hold_is_not_retained_away(mem: Treering, clock: HandClock) -> None:
    tea, rum = mem.add("Ada likes tea").id, mem.add("Bo likes rum").id
    mem.hold("case 7", tea)
    mem.settings({"purging": {"after_days": 1}})
    clock.advance(days=2)
    done = mem.retain(dry_run=False)
    assert (done.due, done.held, done.purged) == (2, 1, 1)
    assert contents(mem.list()) == ["Ada likes tea"]
    mem.hold("case 8")
    mem.add("Cy sings")
    clock.advance(days=2)
    done = mem.retain(dry_run=False)
    assert (done.due, done.held, done.purged) == (2, 2, 0)
    with pytest.raises(NotFound):
        mem.get(rum)


def test_at_most_so_many_go_at_once_the_oldest_first(mem: Treering, clock: HandClock) -> None:
    ids = []
    for word in ("one", "two", "three"):
        ids.append(mem.add(f"Number {word}").id)
        clock.advance(hours=1)
    mem.settings({"purging": {"after_days": 0}})
    done = mem.retain(dry_run=False, limit=2)
    assert (done.purged, done.left) == (2, 1)
    assert [one.id for one in mem.list(view="all")] == ids[2:]


@pytest.mark.parametrize("wrong", [{"after_days": -1}, {"after_days": "soon"}, {"days": 3}])
def test_a_time_to_keep_that_makes_no_sense_is_refused(mem: Treering, wrong: dict[str, object]) -> None:
    with pytest.raises(InvalidRequest, match="purging"):
        mem.settings({"purging": wrong})


def test_a_purge_of_another_store_does_not_reach_what_is_on_hold_here(tmp_path: Path) -> None:
    here, there = (
        treering.open(str(tmp_path / f"{name}.db"), actor=name, embedder="none", judge="none")
        for name in ("here", "there")
    )
    meet = tmp_path / "meet"
    meet.mkdir()
    with here, there:
        tea = here.add("Ada likes tea").id
        here.sync(str(meet))
        there.sync(str(meet))
        there.purge(tea, "asked to")
        there.sync(str(meet))
        here.hold("case 7", tea)
        with pytest.raises(Held, match=tea):
            here.sync(str(meet))
        assert here.get(tea).content == "Ada likes tea"
        here.release("closed", tea)
        here.sync(str(meet))
        with pytest.raises(NotFound):
            here.get(tea)
