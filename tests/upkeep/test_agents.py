"""The five agents: what each finds, what it does, and what it leaves to a person; a dry run is the finding alone."""

from __future__ import annotations

import pytest
from tests.conftest import Doors, HandClock, contents

from treering.door import Treering
from treering.errors import InvalidRequest
from treering.model.memory import State
from treering.store.contract import EdgeFilter, Store
from treering.upkeep.agents.relations import relation

TEA = ("Sam likes green tea", "Sam likes green tea a lot", "Sam really likes green tea")


def a_space(mem: Treering) -> list[str]:
    ids = [mem.add(one, strength=1.0).id for one in TEA]
    return [*ids, mem.add("The server runs on port 8080", strength=1.0).id]


# decay


@pytest.mark.parametrize(
    ("days", "urgency", "action"),
    [
        (7, "low", "needs_review"),
        (10, "medium", "needs_review"),
        (17, "high", "needs_review"),
        (50, "high", "gc_candidate"),
    ],
)
def test_what_fades_is_told_by_how_urgent_it_is(
    mem: Treering, clock: HandClock, days: int, urgency: str, action: str
) -> None:
    one = mem.add(TEA[0], strength=1.0).id
    assert mem.run_agent("decay").results == ()
    clock.advance(days=days)
    (found,) = mem.run_agent("decay").results
    assert (found.memory_id, found.urgency, found.action) == (one, urgency, action)
    assert found.score == pytest.approx(mem.scores([one])[0].score)
    (item,) = mem.review_list("decay")
    assert (item.urgency, item.action, item.memory_ids) == (urgency, action, (one,))
    assert mem.get(one).state is State.ACTIVE, "nothing is done without asking"


@pytest.mark.parametrize("worth", [{"importance": 0.9}, {"strength": 1.8}])
def test_what_is_worth_it_is_to_be_reinforced(mem: Treering, clock: HandClock, worth: dict[str, float]) -> None:
    mem.add(TEA[0], **{"strength": 1.0, **worth})
    clock.advance(days=60)
    assert [one.action for one in mem.run_agent("decay").results] == ["reinforce"]
    (item,) = mem.review_list()
    mem.review_apply(item.id)
    assert mem.run_agent("decay").results == ()


def test_the_weakest_come_first_and_the_queue_is_not_flooded(mem: Treering, clock: HandClock) -> None:
    from treering.upkeep.agents import decay

    for number in range(8):
        mem.add(f"Note {number} of many", strength=1.0)
        clock.advance(hours=1)
    clock.advance(days=30)
    before, decay.MOST_OPEN = decay.MOST_OPEN, 5
    try:
        found = mem.run_agent("decay", dry_run=True).results
        assert [one.score for one in found] == sorted(one.score for one in found)
        assert len(mem.run_agent("decay").results) == 5
        assert mem.run_agent("decay").changed == 0
    finally:
        decay.MOST_OPEN = before
    assert [one.memory_ids[0] for one in mem.review_list()] == [one.memory_id for one in found[:5]]


# cluster and merge


def test_what_is_coherent_becomes_one_and_what_clashes_is_asked_about(mem: Treering) -> None:
    tea = a_space(mem)[:3]
    bills = [mem.add(f"The big invoice {n} of Acme was paid by Ann on Monday").id for n in (17, 18)]
    loose = [mem.add(f"Ben likes to eat bread with {what}").id for what in ("honey", "butter")]
    mem.settings({"consolidation": {"threshold": 0.7}})
    planned = {one.memory_ids: one.action for one in mem.run_agent("cluster", dry_run=True).results}
    assert planned == {tuple(tea): "auto-merge", tuple(bills): "auto-merge", tuple(loose): "review"}
    done = mem.run_agent("cluster")
    assert (done.found, done.changed) == (3, 1)
    (item,) = mem.review_list("cluster")
    assert (item.memory_ids, item.action) == (tuple(loose), "consolidate")
    merged = mem.run_agent("merge")
    assert (merged.found, merged.changed) == (2, 1)
    by_success = {one.success: one for one in merged.results}
    assert by_success[True].source_ids == tuple(tea)
    assert len(by_success[True].relation_ids) == 3
    assert "numbers" in by_success[False].reason
    (item,) = mem.review_list("merge")
    assert item.memory_ids == tuple(bills)
    mem.review_apply(item.id)
    assert len(mem.list()) == 5
    mem.undo(str(by_success[True].seq))
    assert len(mem.list()) == 7


def test_cluster_and_merge_alone_do_nothing_twice(mem: Treering) -> None:
    a_space(mem)
    assert mem.run_agent("merge").changed == 1
    before = mem.status().seq
    assert mem.run_agent("merge").found == mem.run_agent("cluster").found == 0
    assert mem.status().seq == before


# promote


def test_what_has_proved_itself_is_promoted(mem: Treering, clock: HandClock) -> None:
    one, other = mem.add(TEA[0], strength=1.0).id, mem.add("Ben drives a bus", strength=1.0).id
    clock.advance(days=2)
    for _ in range(6):
        mem.touch(one)
    (planned,) = mem.run_agent("promote", dry_run=True).results
    assert (planned.memory_id, planned.criteria_met) == (one, ("score", "uses"))
    assert mem.get(one).state is State.ACTIVE
    (done,) = mem.run_agent("promote").results
    assert (done.memory_id, done.vault_path) == (one, None)
    assert (mem.get(one).state, mem.get(other).state) == (State.PROMOTED, State.ACTIVE)
    assert mem.run_agent("promote").results == ()


# relations


def test_memories_that_share_two_things_are_related(mem: Treering, store: Store, clock: HandClock) -> None:
    old = mem.add("Ada met Bo in Oslo", entities=["Ada", "Bo", "Oslo"], tags=["trip", "work"]).id
    new = mem.add("Bo wrote to Ada", entities=["Ada", "Bo"], tags=["work"]).id
    mem.add("Ada likes tea", entities=["Ada"])
    (found,) = mem.run_agent("relations").results
    assert (found.from_id, found.to_id, found.relation_type) == (new, old, "related_to")
    assert found.strength == pytest.approx(0.7 * 2 / 3 + 0.3 * 1 / 2, abs=1e-4)
    assert found.confidence >= 0.5
    assert found.shared_entities == ("Ada", "Bo")
    assert found.reasoning == "both mention Ada, Bo; both are filed under work"
    linked = mem.link(new, old)
    assert (linked.created, linked.edge.strength, linked.edge.why) == (False, found.strength, found.reasoning)
    assert mem.run_agent("relations").results == ()


def test_what_somebody_untied_is_not_tied_again(mem: Treering) -> None:
    ids = [mem.add(text, entities=["Ada", "Bo"]).id for text in ("Ada met Bo", "Bo wrote to Ada")]
    assert mem.run_agent("relations").changed == 1
    mem.unlink(ids[1], ids[0])
    assert mem.run_agent("relations").found == 0


def test_what_different_people_may_see_is_not_related(doors: Doors) -> None:
    ann, bob = doors("ann", "bob")
    ann.add("Ada met Bo", entities=["Ada", "Bo"])
    ann.add("Bo wrote to Ada", entities=["Ada", "Bo"], visibility="private")
    assert ann.run_agent("relations").found == bob.run_agent("relations").found == 0


def test_one_thing_in_common_is_not_enough(mem: Treering) -> None:
    one, other = mem.get(mem.add("Ada met Bo").id), mem.get(mem.add("Ada met Cy").id)
    assert relation(one, other, {"a", "b"}, {"a", "c"}, {}) is None


# all of them


def test_a_dry_run_writes_nothing_at_all(mem: Treering, store: Store, clock: HandClock) -> None:
    a_space(mem)
    clock.advance(days=20)
    before = mem.status().seq
    seen: list[tuple[int, int]] = []
    told = mem.watched(lambda done, of: seen.append((done, of))).run_pipeline(dry_run=True)
    assert [one.agent for one in told.agents] == ["decay", "cluster", "merge", "promote", "relations"]
    assert (len(told.decay), len(told.cluster), len(told.merge)) == (4, 1, 1)
    assert told.dry_run
    assert mem.status().seq == before
    assert store.tending.run("lab") is None
    assert store.tending.cluster("lab", told.cluster[0].cluster_id) is None
    assert mem.review_list() == []
    assert seen[-1] == (500, 500)
    assert [done for done, _ in seen] == sorted(done for done, _ in seen)


def test_the_rate_limit_leaves_the_rest_for_the_next_run(mem: Treering, clock: HandClock) -> None:
    for what in ("Sam likes fresh tea", "Sam drives blue buses", "Sam plays old games"):
        for how in ("", " now", " still"):
            mem.add(f"{what}{how}")
    first = mem.run_pipeline(rate_limit=1)
    assert [(one.changed, one.left) for one in first.agents if one.agent == "merge"] == [(1, 2)]
    assert mem.run_scheduled().ran is False
    clock.advance(seconds=61)
    again = mem.run_scheduled()
    assert again.ran is True
    assert len(mem.list()) == 3
    assert all(one.count("Sam") == 3 for one in contents(mem.list()))


def test_what_is_in_doubt_enters_the_queue_once_and_leaves_it_when_settled(mem: Treering, clock: HandClock) -> None:
    old, new = mem.add("Ben lives in Oslo").id, mem.add("Ben is at home in Rome").id
    mem.link(new, old, "contradicts")
    mem.entity_register("Ada", kind="person")
    mem.entity_register("Ada Lovelace", kind="person")
    told = mem.run_pipeline()
    assert told.gathered == 2
    assert {one.kind: one.urgency for one in mem.review_list()} == {"contradiction": "high", "same_entity": "low"}
    mem.run_pipeline()
    assert len(mem.review_list()) == 2
    mem.forget(old)
    assert mem.run_pipeline().settled == 1
    assert [one.kind for one in mem.review_list()] == ["same_entity"]


def test_an_agent_that_does_not_exist_is_refused(mem: Treering) -> None:
    with pytest.raises(InvalidRequest, match="agent"):
        mem.run_agent("cleaner")


def test_nobody_learns_from_a_run_what_they_may_not_see(doors: Doors, clock: HandClock) -> None:
    ann, bob = doors("ann", "bob")
    for one in TEA:
        ann.add(one, visibility="private")
    told = ann.run_pipeline()
    assert told.merge[0].success
    status = bob.upkeep_status()
    assert status.run is not None
    assert {(one.found, one.changed, one.left) for one in status.run.done} == {(0, 0, 0)}
    assert bob.run_pipeline().cluster == ()
    with ann._store.reader(ann._scope(None, principal="bob")) as reader:
        assert reader.edges(EdgeFilter(include_closed=True, include_forgotten=True)) == []
