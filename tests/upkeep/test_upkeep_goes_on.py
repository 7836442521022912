"""Upkeep asks about everything in the end, goes on where the queue is full or a clock was wrong, and loses nothing."""

from __future__ import annotations

from datetime import timedelta

import pytest
from tests.conftest import HandClock

import treering
from treering.errors import InvalidRequest
from treering.model import limits
from treering.model.review import ReviewKind
from treering.model.upkeep import AgentName, UpkeepRun
from treering.upkeep.agents import decay


@pytest.fixture
def mem(clock: HandClock) -> treering.Treering:
    return treering.open(":memory:", clock=clock, embedder="none", actor="ann")


def faded(mem: treering.Treering, clock: HandClock, count: int) -> list[str]:
    told = [{"content": f"The {number}th bus came late", "strength": 1.0} for number in range(count)]
    ids = [one.id for one in mem.add_many(told).memories]
    clock.advance(days=60)
    return ids


def test_what_was_dismissed_makes_room_for_those_behind_it(
    mem: treering.Treering, clock: HandClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(decay, "MOST_OPEN", 5)
    ids, asked = faded(mem, clock, 12), list[str]()
    for expected in (5, 5, 2, 0):
        run = mem.run_agent("decay")
        assert (run.found, run.changed) == (12, expected)
        for item in mem.review_list():
            asked += item.memory_ids
            mem.review_dismiss(item.id)
    assert sorted(asked) == sorted(ids)


def test_a_full_queue_does_not_stop_the_other_agents(
    mem: treering.Treering, clock: HandClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limits, "REVIEWS_OPEN", 3)
    faded(mem, clock, 6)
    run = mem.run_pipeline()
    assert [one.agent.value for one in run.agents] == ["decay", "cluster", "merge", "promote", "relations"]
    assert len(mem.review_list()) == 3
    assert mem.run_agent("decay").changed == 0


def test_what_others_rest_on_is_never_called_one_to_be_collected(mem: treering.Treering, clock: HandClock) -> None:
    cited = mem.add("Ada lives in Rome", strength=1.0, triples=[("Ada", "LIVES_IN", "Rome")]).id
    [plain] = faded(mem, clock, 1)
    told = {one.memory_id: one.action for one in mem.run_agent("decay", dry_run=True).results}
    assert told == {cited: "needs_review", plain: "gc_candidate"}
    assert mem.gc().kept["cited"] == 1


def test_what_stands_for_a_promoted_memory_is_promoted_too(mem: treering.Treering, clock: HandClock) -> None:
    first = mem.add("Sam likes green tea", strength=1.0).id
    second = mem.add("Sam really likes green tea", strength=1.0).id
    mem.promote(first, force=True)
    [cluster] = mem.cluster(threshold=0.3).clusters
    done = mem.consolidate(cluster.id, mode="apply")
    clock.advance(days=400)
    assert mem.gc(dry_run=False).kept["promoted"] == 1
    assert [one.id for one in mem.list()] == [done.new_memory_id]
    mem.undo(str(done.seqs[0]))
    assert {one.id for one in mem.list()} == {first, second}


def test_a_tier_that_is_over_is_put_away_by_the_hourly_run(mem: treering.Treering, clock: HandClock) -> None:
    mem.settings({"tiers": {"enabled": True}})
    short = mem.add("The kettle is on", tier="short").id
    mem.add("Ada lives in Rome")
    clock.advance(hours=7)
    run = mem.run_scheduled()
    assert run.pipeline is not None
    assert run.pipeline.outlived == 1
    assert mem.get(short).state == "archived"
    assert len(mem.list().memories) == 1


def test_a_clock_that_was_a_year_ahead_holds_nobody_up(mem: treering.Treering, clock: HandClock) -> None:
    mem.add("Ada lives in Rome")
    right = clock()
    clock.advance(days=365)
    assert mem.run_scheduled().ran
    clock.now = right
    assert mem.run_scheduled().ran


def test_who_died_at_it_under_such_a_clock_holds_nobody_up(mem: treering.Treering, clock: HandClock) -> None:
    mem.add("Ada lives in Rome")
    ahead = clock() + timedelta(days=365)
    left = UpkeepRun(id="r1", actor="ann", agents=tuple(AgentName), started_at=ahead)
    mem._store.tending.turn_run("default", lambda _: left.taken_up("host:1:ab", "ann", ahead, 60.0))
    assert mem.run_scheduled(force=True).ran


@pytest.mark.parametrize(
    "proposal",
    [
        {"op": "consolidate", "cohesion": "abc"},
        {"op": "link", "source": "a", "target": "b", "strength": "x"},
        {"op": "merge_entities", "entity": {"x": 1}, "into": "q"},
        {"op": ["archive"]},
    ],
)
def test_a_proposal_that_makes_no_sense_is_refused_when_it_is_made(
    mem: treering.Treering, proposal: dict[str, object]
) -> None:
    one = mem.add("Ada lives in Rome").id
    with pytest.raises(InvalidRequest, match="proposal: "):
        mem.review_create("merge", "look", memory_ids=[one], proposal=proposal)


def test_what_could_not_be_applied_is_anybodys_again(mem: treering.Treering, clock: HandClock) -> None:
    one = mem.add("Ada lives in Rome").id
    item = mem.review_create(
        "relations", "link", memory_ids=[one], proposal={"op": "link", "source": one, "target": "x"}
    )
    with pytest.raises(treering.TreeringError):
        mem.review_apply(item.id)
    assert [(waits.kind, waits.status.value) for waits in mem.review_list()] == [(ReviewKind.RELATIONS, "open")]
    clock.advance(seconds=timedelta(minutes=1).seconds)
    assert mem.review_dismiss(item.id).status.value == "dismissed"
