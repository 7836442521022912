"""What every store keeps of upkeep: one run at a time, clusters by id, and items that nobody is asked twice."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

import pytest
from tests.conftest import HandClock

from treering.door import Treering
from treering.errors import Conflict
from treering.model import limits
from treering.model.ids import mint
from treering.model.review import ReviewItem, ReviewKind, ReviewStatus, Urgency
from treering.model.upkeep import AgentDone, AgentName, UpkeepRun
from treering.store.contract import Store
from treering.store.tending import FoundCluster, ReviewFilter

EVERY = ReviewFilter()


def item(clock: HandClock, memory: str = "m", **more: object) -> ReviewItem:
    given = {
        "id": mint(clock.now)(),
        "space": "lab",
        "kind": ReviewKind.DECAY,
        "memory_ids": (memory,),
        "action": "reinforce",
        "made_by": "ann",
        "created_at": clock.now,
        "updated_at": clock.now,
        **more,
    }
    return ReviewItem(**given)  # type: ignore[arg-type]


def test_a_run_is_kept_as_it_was_put_and_changed_with_nobody_in_between(store: Store, clock: HandClock) -> None:
    assert store.tending.run("lab") is None
    fresh = UpkeepRun(id="r", actor="ann", agents=tuple(AgentName), started_at=clock.now)
    run = fresh.taken_up("here", "ann", clock.now, 60)
    run = run.with_done(AgentDone(agent=AgentName.DECAY, found=3, changed=2, at=clock.now))
    assert store.tending.turn_run("lab", lambda _: run) == run
    assert store.tending.run("lab") == run
    assert store.tending.run("elsewhere") is None
    assert store.tending.turn_run("lab", lambda _: None) is None
    assert store.tending.run("lab") == run

    def refuse(_: UpkeepRun | None) -> UpkeepRun:
        raise Conflict("no")

    with pytest.raises(Conflict):
        store.tending.turn_run("lab", refuse)
    assert store.tending.run("lab") == run


def test_clusters_are_found_by_id_and_the_oldest_make_room(
    store: Store, clock: HandClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limits, "CLUSTERS_KEPT", 3)
    found = [FoundCluster(f"cluster-{n}", ("a", f"b{n}"), 0.5 + n / 10) for n in range(4)]
    store.tending.keep_clusters("lab", found, clock.now)
    assert store.tending.cluster("lab", "cluster-0") is None
    assert [store.tending.cluster("lab", one.id) for one in found[1:]] == found[1:]
    assert store.tending.cluster("other", "cluster-1") is None
    store.tending.keep_clusters("lab", [found[1], replace(found[0], cohesion=0.1)], clock.now)
    assert store.tending.cluster("lab", "cluster-2") is None, "what was found again is the newest"
    assert store.tending.cluster("lab", "cluster-1") == found[1]


def test_the_same_question_is_put_once_while_it_waits_or_was_dismissed(store: Store, clock: HandClock) -> None:
    first = item(clock)
    assert store.tending.put([first]) == [first]
    again = item(clock, reason="in other words")
    assert store.tending.put([again]) == [first]
    store.tending.turn_item("lab", first.id, lambda one: one.ended_as(ReviewStatus.DISMISSED, "ann", clock.now))
    assert store.tending.put([again])[0].id == first.id
    applied = store.tending.put([item(clock, "other")])[0]
    store.tending.turn_item("lab", applied.id, lambda one: one.ended_as(ReviewStatus.APPLIED, "ann", clock.now))
    assert store.tending.put([item(clock, "other")])[0].id != applied.id, "what was done may come up again"
    elsewhere = item(clock, space="elsewhere")
    assert store.tending.put([elsewhere]) == [elsewhere]


def test_items_come_the_most_urgent_first_and_what_ended_last(store: Store, clock: HandClock) -> None:
    low, high, late = (
        item(clock, "a", urgency=Urgency.LOW),
        item(clock, "b", urgency=Urgency.HIGH),
        item(clock, "c", urgency=Urgency.LOW, kind=ReviewKind.STALE, proposal={"op": "archive", "id": "c"}),
    )
    store.tending.put([low, high, late])
    assert store.tending.items("lab", EVERY) == [high, low, late]
    assert store.tending.items("lab", replace(EVERY, limit=1, offset=1)) == [low]
    assert store.tending.items("lab", replace(EVERY, kinds=(ReviewKind.STALE,))) == [late]
    clock.advance()
    ended = store.tending.turn_item("lab", high.id, lambda one: one.ended_as(ReviewStatus.APPLIED, "ann", clock.now))
    assert store.tending.items("lab", EVERY) == [low, late, ended]
    assert store.tending.items("lab", replace(EVERY, statuses=(ReviewStatus.APPLIED,))) == [ended]
    assert store.tending.count_items("lab") == {
        (ReviewKind.DECAY, ReviewStatus.OPEN): 1,
        (ReviewKind.DECAY, ReviewStatus.APPLIED): 1,
        (ReviewKind.STALE, ReviewStatus.OPEN): 1,
    }
    assert store.tending.item("lab", late.id) == late
    assert store.tending.turn_item("lab", mint(clock.now)(), lambda one: one) is None


def test_of_what_ended_the_newest_are_kept(store: Store, clock: HandClock, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "REVIEWS_ENDED", 2)
    items = [item(clock, f"m{n}") for n in range(4)]
    store.tending.put(items)
    for one in items[:3]:
        clock.advance()
        store.tending.turn_item("lab", one.id, lambda it: it.ended_as(ReviewStatus.APPLIED, "ann", clock.now))
    kept = store.tending.items("lab", EVERY)
    assert [one.id for one in kept] == [items[3].id, items[2].id, items[1].id]


def test_what_was_dismissed_is_never_asked_again_whatever_ended_since(
    store: Store, clock: HandClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limits, "REVIEWS_ENDED", 2)
    unwanted, *others = [item(clock, f"m{n}") for n in range(6)]
    store.tending.put([unwanted, *others])
    store.tending.turn_item("lab", unwanted.id, lambda it: it.ended_as(ReviewStatus.DISMISSED, "ann", clock.now))
    for number, one in enumerate(others):
        clock.advance()
        how = ReviewStatus.DISMISSED if number == 1 else ReviewStatus.APPLIED
        store.tending.turn_item("lab", one.id, lambda it, how=how: it.ended_as(how, "ann", clock.now))  # type: ignore[misc]
    assert [one.id for one in store.tending.put([item(clock, "m0"), item(clock, "m2")])] == [unwanted.id, others[1].id]
    done = [one.id for one in store.tending.items("lab", EVERY) if one.status is ReviewStatus.APPLIED]
    assert done == [others[4].id, others[3].id]


def test_an_item_is_one_workers_until_their_time_has_run_out(clock: HandClock) -> None:
    one = item(clock).claimed("ann", clock.now, 60)
    assert one.claimed("ann", clock.now, 60).worker == "ann"
    with pytest.raises(Conflict, match="claimed by ann"):
        one.claimed("bob", clock.now, 60)
    with pytest.raises(Conflict, match="claimed by ann"):
        one.ended_as(ReviewStatus.APPLIED, "bob", clock.now)
    later = clock.now + timedelta(seconds=61)
    assert one.claimed("bob", later, 60).worker == "bob"
    ended = one.ended_as(ReviewStatus.DISMISSED, "ann", clock.now, "no")
    with pytest.raises(Conflict, match="dismissed already"):
        ended.claimed("bob", later, 60)


def test_a_purge_takes_the_clusters_of_its_space_that_name_the_memory_and_no_others(
    mem: Treering, store: Store, clock: HandClock
) -> None:
    gone, stays = mem.add("The vase is chipped").id, mem.add("The lamp is lit").id
    mem.add("Elsewhere", space="other")
    store.tending.keep_clusters(
        "lab", [FoundCluster("with", (gone, stays), 0.5), FoundCluster("without", (stays, "x"), 0.5)], clock.now
    )
    store.tending.keep_clusters("other", [FoundCluster("there", (gone, "y"), 0.5)], clock.now)
    mem.purge(gone, "asked to")
    assert store.tending.cluster("lab", "with") is None
    assert store.tending.cluster("lab", "without") is not None
    assert store.tending.cluster("other", "there") is not None
