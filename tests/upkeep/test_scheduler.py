"""Who keeps a space, and when: in order, when it is time, one at a time, and on from where another died."""

from __future__ import annotations

import threading
from datetime import timedelta
from typing import Any

import pytest
from tests.conftest import Doors, HandClock

from treering.door import Treering
from treering.errors import Unavailable
from treering.model.upkeep import AgentName, UpkeepRun
from treering.store.contract import Store
from treering.upkeep import scheduler as room
from treering.upkeep.agents.merge import MergeAgent

TEA = ("Sam likes green tea", "Sam likes green tea a lot", "Sam really likes green tea")


def a_space(mem: Treering) -> None:
    for one in TEA:
        mem.add(one)


def held(store: Store, clock: HandClock, **more: Any) -> UpkeepRun:
    """A run that somebody else is at."""
    run = UpkeepRun(id="theirs", actor="bob", agents=tuple(AgentName), started_at=clock.now)
    run = run.taken_up("elsewhere", "bob", clock.now, 60)
    return store.tending.turn_run("lab", lambda _: run) or run


def test_it_runs_when_it_is_time_again_or_forced(mem: Treering, clock: HandClock) -> None:
    a_space(mem)
    first = mem.run_scheduled()
    assert (first.ran, first.reason, first.next_at) == (True, "it was time", clock.now + timedelta(hours=1))
    assert first.pipeline is not None
    assert [one.agent for one in first.pipeline.agents] == list(AgentName)
    clock.advance(minutes=59)
    early = mem.run_scheduled()
    assert (early.ran, early.reason, early.pipeline) == (False, "it is not time yet", None)
    assert mem.run_scheduled(interval_seconds=60).ran
    assert mem.run_scheduled(force=True).reason == "it was asked for"
    clock.advance(minutes=60)
    assert mem.run_scheduled().ran


def test_an_agent_alone_does_not_put_the_others_off(mem: Treering, clock: HandClock) -> None:
    a_space(mem)
    mem.run_agent("decay")
    assert mem.upkeep_status().next_at is None
    assert mem.run_scheduled().ran
    clock.advance(minutes=30)
    mem.run_agent("decay")
    assert mem.run_scheduled().ran is False
    assert mem.upkeep_status().next_at == clock.now + timedelta(minutes=30)


def test_while_one_is_at_it_nobody_else_is(mem: Treering, store: Store, clock: HandClock) -> None:
    a_space(mem)
    held(store, clock)
    waited = mem.run_scheduled(force=True)
    assert (waited.ran, waited.reason, waited.next_at) == (
        False,
        "another runner is at it",
        clock.now + timedelta(seconds=60),
    )
    for attempt in (mem.run_pipeline, lambda: mem.run_agent("decay")):
        with pytest.raises(Unavailable, match="by one at a time"):
            attempt()
    assert mem.run_pipeline(dry_run=True).merge != ()
    assert mem.upkeep_status().running
    assert mem.status().seq == 3
    assert mem.space("elsewhere").run_pipeline().agents != (), "another space is another matter"


def test_a_run_that_was_left_is_gone_on_with_when_its_lease_has_run_out(
    mem: Treering, store: Store, clock: HandClock
) -> None:
    a_space(mem)
    held(store, clock)
    done = room.AgentDone(agent=AgentName.DECAY, found=0, changed=0, at=clock.now)
    store.tending.turn_run("lab", lambda run: run and run.with_done(done))
    clock.advance(seconds=61)
    told = mem.run_scheduled()
    assert (told.ran, told.reason) == (True, "a broken run was taken up")
    assert told.pipeline is not None
    assert told.pipeline.resumed
    assert [one.agent for one in told.pipeline.agents] == ["cluster", "merge", "promote", "relations"]
    run = store.tending.run("lab")
    assert run is not None
    assert (run.id, run.attempts, run.runner, len(run.done)) == ("theirs", 2, None, 5)


def test_one_that_was_left_long_ago_is_begun_anew(mem: Treering, store: Store, clock: HandClock) -> None:
    held(store, clock)
    clock.advance(days=2)
    told = mem.run_pipeline()
    assert (told.resumed, len(told.agents)) == (False, 5)


def test_an_error_leaves_the_run_to_be_gone_on_with_at_once(
    mem: Treering, clock: HandClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    a_space(mem)

    def broken(*_: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr(MergeAgent, "apply", broken)
        with pytest.raises(KeyboardInterrupt):
            mem.run_pipeline()
    status = mem.upkeep_status()
    assert (status.running, status.next_at) == (False, None)
    told = mem.run_scheduled()
    assert told.pipeline is not None
    assert [one.agent for one in told.pipeline.agents] == ["merge", "promote", "relations"]
    assert len(mem.list()) == 1


def test_of_two_schedulers_at_once_one_runs(doors: Doors, store: Store) -> None:
    ann, bob = doors("ann", "bob")
    for number in range(12):
        ann.add(f"Sam likes green tea {'!' * number}")
    start, told = threading.Barrier(2), list[Any]()

    def run(door: Treering) -> None:
        start.wait()
        told.append(door.run_scheduled())

    threads = [threading.Thread(target=run, args=(door,)) for door in (ann, bob)]
    for one in threads:
        one.start()
    for one in threads:
        one.join()
    assert sorted(one.ran for one in told) == [False, True]
    assert len(ann.list()) == 1
    assert ann.status().seq == 13
    assert ann.verify().ok


def test_a_lease_is_kept_while_the_work_goes_on_and_one_that_lost_it_stops(
    mem: Treering, store: Store, clock: HandClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    a_space(mem)
    kept = threading.Event()
    real = store.tending.turn_run

    def plan(self: object, upkeep: Any, progress: Any) -> list[Any]:
        clock.advance(seconds=30)
        before = store.tending.run("lab")
        assert before is not None
        for _ in range(200):
            now = store.tending.run("lab")
            if now is not None and now.lease_until != before.lease_until:
                kept.set()
                break
            threading.Event().wait(0.01)
        stolen = UpkeepRun(id="stolen", actor="bob", agents=tuple(AgentName), started_at=clock.now)
        real("lab", lambda _: stolen.taken_up("elsewhere", "bob", clock.now, 600))
        for _ in range(200):
            threading.Event().wait(0.01)
            progress(1, 2)
        return []

    monkeypatch.setattr("treering.upkeep.agents.decay.DecayAgent.plan", plan)
    with pytest.raises(Unavailable, match="another has taken its place"):
        mem._scheduler(None, 600, lease_seconds=0.3).run_pipeline()
    assert kept.is_set()
    run = store.tending.run("lab")
    assert run is not None
    assert run.id == "stolen", "who lost the lease leaves the other's run alone"
    assert len(mem.list()) == 3


def test_status_tells_how_far_it_is_and_what_waits(mem: Treering, store: Store, clock: HandClock) -> None:
    status = mem.upkeep_status()
    assert (status.running, status.run, status.next_at, status.waiting) == (False, None, None, {})
    one = mem.add("Ben drives a bus", strength=1.0).id
    clock.advance(days=20)
    mem.run_pipeline()
    status = mem.upkeep_status()
    assert status.run is not None
    assert [done.agent for done in status.run.done] == list(AgentName)
    assert status.waiting == {"decay": 1}
    mem.review_dismiss(mem.review_list()[0].id)
    assert mem.upkeep_status().waiting == {}
    assert mem.run_pipeline().decay[0].memory_id == one
    assert mem.review_list() == [], "what was dismissed is not asked again"
