"""Forgetting what a question finds, reviewing what fades, and how a space is doing."""

from __future__ import annotations

from dataclasses import replace

import pytest
from tests.conftest import Doors, HandClock, contents

import treering
from treering.door import Treering
from treering.errors import Conflict, InvalidRequest
from treering.upkeep.forget import Forgetting
from treering.upkeep.health import Elsewhere, health


def by_query(mem: Treering, query: str, confirm: str | None = None, **more: object) -> Forgetting:
    found = mem.forget(query=query, confirm=confirm, **more)  # type: ignore[arg-type]
    assert isinstance(found, Forgetting)
    return found


def test_a_question_only_shows_what_would_be_forgotten(mem: Treering) -> None:
    tea = mem.add("Ada likes green tea", entities=["Ada"]).id
    mem.add("Bo plays chess")
    shown = by_query(mem, "green tea")
    assert (shown.forgotten, shown.dry_run) == (False, True)
    assert [(one.id, one.content) for one in shown.matches] == [(tea, "Ada likes green tea")]
    assert len(mem.list()) == 2
    done = by_query(mem, "green tea", shown.token, why="asked to")
    assert (done.forgotten, done.dry_run, len(done.edges)) == (True, False, 1)
    assert contents(mem.list()) == ["Bo plays chess"]
    assert mem.history(tea).events[-1].why == "asked to"


@pytest.mark.parametrize(
    ("query", "meant"),
    [
        ("coffee", ["Ada drinks coffee after lunch"]),
        ("the wifi password", ["The wifi password is hunter2"]),
        ("Oslo", ["Bo moved to Oslo", "Cy was born in Oslo"]),
        ("quantum gravity", []),
        ("peanuts", []),
    ],
)
@pytest.mark.parametrize("embedder", ["turnfinder", "none"])
def test_only_what_is_clearly_meant_is_proposed(query: str, meant: list[str], embedder: str) -> None:
    said = ("Ada drinks coffee after lunch", "The wifi password is hunter2", "Bo moved to Oslo", "Cy was born in Oslo")
    with treering.open(":memory:", embedder=embedder) as mem:
        for one in said:
            mem.add(one)
        assert sorted(match.content for match in by_query(mem, query).matches) == meant


def test_nothing_is_forgotten_that_was_not_shown(mem: Treering) -> None:
    mem.add("Ada likes green tea")
    shown = by_query(mem, "green tea")
    mem.add("Bo likes green tea too")
    with pytest.raises(Conflict, match="is not the token of what 'green tea' finds now"):
        mem.forget(query="green tea", confirm=shown.token)
    with pytest.raises(Conflict, match="confirm"):
        mem.forget(query="green tea", confirm="yes")
    assert len(mem.list()) == 2


def test_a_confirmed_dry_run_still_writes_nothing(mem: Treering) -> None:
    mem.add("Ada likes green tea")
    shown = by_query(mem, "green tea")
    assert by_query(mem, "green tea", shown.token, dry_run=True).dry_run
    assert len(mem.list()) == 1


def test_where_nothing_is_found_nothing_is_forgotten(mem: Treering) -> None:
    mem.add("Bo plays chess")
    shown = by_query(mem, "green tea")
    assert (shown.matches, by_query(mem, "green tea", shown.token).forgotten) == ((), False)


def test_forget_takes_an_id_or_a_query(mem: Treering) -> None:
    for given in ({}, {"id": "x", "query": "y"}):
        with pytest.raises(InvalidRequest, match="id: give the id of a memory or edge, or a query"):
            mem.forget(**given)  # type: ignore[arg-type]
    with pytest.raises(InvalidRequest, match="confirm: goes with a query"):
        mem.forget("x", confirm="y")


# reviewing


def talked(mem: Treering, clock: HandClock) -> None:
    """Ten memories of tea: six that fade and want a review, then four new ones."""
    for n in range(6):
        mem.add(f"Tea number {n} is from China", strength=1.0)
    clock.advance(days=8)
    for n in range(6, 10):
        mem.add(f"Tea number {n} is from China", strength=1.0)


def test_recall_blends_in_no_more_than_its_share_of_what_fades(mem: Treering, clock: HandClock) -> None:
    talked(mem, clock)
    plain = mem.recall("Which tea is from China?", limit=4)
    answer = mem.recall("Which tea is from China?", limit=4, review=True)
    assert [hit.review for hit in plain] == [False] * 4
    assert [hit.review for hit in answer] == [False, False, False, True]
    assert [hit.memory.id for hit in answer][:3] == [hit.memory.id for hit in plain][:3]
    assert answer[3].memory.id not in {hit.memory.id for hit in plain}
    assert answer.tokens == sum(-(-len(hit.memory.content) // 4) for hit in answer)


def test_how_many_are_blended_in_is_a_setting(mem: Treering, clock: HandClock) -> None:
    talked(mem, clock)
    mem.settings({"review": {"blend": 0.0}})
    assert not any(hit.review for hit in mem.recall("Which tea is from China?", limit=4, review=True))
    mem.settings({"review": {"blend": 0.5}})
    assert sum(hit.review for hit in mem.recall("Which tea is from China?", limit=4, review=True)) == 2


def test_what_is_fresh_is_not_put_up_for_review(mem: Treering) -> None:
    for n in range(8):
        mem.add(f"Tea number {n} is from China")
    assert not any(hit.review for hit in mem.recall("Which tea is from China?", limit=4, review=True))


# health


def test_the_health_of_an_empty_space(mem: Treering) -> None:
    found = mem.health()
    assert (found.memories, found.mean_score, found.last_upkeep) == (0, None, None)
    assert set(found.states.values()) == set(found.tiers.values()) == set(found.bands.values()) == {0}


def test_health_counts_what_there_is_and_how_it_fades(mem: Treering, clock: HandClock) -> None:
    old = mem.add("Old", strength=1.0, tier="short").id
    clock.advance(days=20)
    mem.add("Linked", strength=1.0, entities=["Ada"])
    first, second = mem.add("It is on", strength=1.0).id, mem.add("It is off", strength=1.0).id
    mem.link(second, first, "contradicts")
    mem.forget(mem.add("Forgotten").id)
    mem.promote(mem.add("Promoted", strength=1.0).id, force=True)
    clock.advance(hours=1)
    found = mem.health()
    assert (found.space, found.memories) == ("lab", 5)
    assert (found.states["active"], found.states["promoted"], found.states["forgotten"]) == (4, 1, 1)
    assert found.tiers == {"short": 1, "mid": 3, "long": 1}
    assert found.bands == {"strong": 4, "active": 1, "fading": 0, "faded": 0}
    assert found.mean_score == pytest.approx(sum(one.score for one in mem.scores([m.id for m in mem.list()])) / 5)
    assert (found.conflicts, found.orphans) == (1, 2)
    assert found.growth == {"day": 5, "week": 5, "month": 6}
    assert (found.stale, found.duplicates, found.review_backlog) == (0, 0, 0)
    promoted_at = found.last_upkeep
    assert promoted_at is not None
    assert promoted_at < clock.now
    clock.advance(days=100)
    mem.gc(dry_run=False)
    assert mem.health().last_upkeep == clock.now
    assert mem.get(old).state == "archived"


def test_what_rests_on_something_that_fell_is_counted_as_stale(mem: Treering) -> None:
    origin, derived = mem.add("Said so").id, mem.add("Concluded").id
    mem.link(derived, origin, "derived_from")
    mem.forget(origin)
    assert mem.health().stale == 1


def test_what_wants_a_review_is_counted(mem: Treering, clock: HandClock) -> None:
    mem.add("Fading", strength=1.0)
    clock.advance(days=8)
    mem.add("Fresh", strength=1.0)
    assert mem.health().in_danger == 1


def test_health_at_a_known_time_never_changes(mem: Treering, clock: HandClock) -> None:
    tea = mem.add("Ada likes tea", strength=1.0).id
    clock.advance(days=1)
    mem.touch(tea)
    then, before = clock.now, mem.health(known_at=clock.now)
    clock.advance(days=30)
    mem.add("Later")
    mem.touch(tea)
    mem.gc(dry_run=False)
    assert mem.health(known_at=then) == before


def test_health_takes_what_others_know(mem: Treering) -> None:
    mem.add("Ada likes tea")
    with mem._reading(None) as reader:
        found = health(reader, "lab", Elsewhere(stale=1, review_backlog=3, last_upkeep=mem._now()))
    assert (found.stale, found.review_backlog, found.last_upkeep) == (1, 3, mem._now())


def test_health_counts_nothing_that_is_private_to_others(doors: Doors, clock: HandClock) -> None:
    ann, bob = doors("ann", "bob")
    bob.add("Bob was here")
    before = bob.health()
    first = ann.add("A secret", visibility="private", entities=["Lair"]).id
    ann.link(ann.add("No secret", visibility="private").id, first, "contradicts")
    assert replace(bob.health(), at=before.at) == before
    assert ann.health().memories == 3
