"""What is put away when it has faded, what is never, and that all of it comes back."""

from __future__ import annotations

import pytest
from tests.conftest import Doors, HandClock, contents

from treering.door import Treering
from treering.errors import CallerError
from treering.upkeep.gc import Weakest


def test_what_has_faded_is_shown_first_and_archived_when_told_to(mem: Treering, clock: HandClock) -> None:
    old = mem.add("A passing fact", strength=1.0).id
    clock.advance(days=60)
    new = mem.add("A new fact").id
    shown = mem.gc()
    assert (shown.dry_run, shown.ids, shown.archived, shown.looked_at) == (True, (old,), 1, 2)
    assert mem.get(old).state == "active"
    done = mem.gc(dry_run=False)
    assert (done.dry_run, done.ids, done.archived, done.forgotten, done.left) == (False, (old,), 1, 0, 0)
    assert done.memories[0].content == "A passing fact"
    assert done.freed_score == pytest.approx(done.memories[0].score)
    assert done.memories[0].score < done.threshold == 0.05
    assert (mem.get(old).state, mem.get(new).state) == ("archived", "active")
    assert "faded to 0.0" in (mem.history(old).events[-1].why or "")
    assert contents(mem.list()) == ["A new fact"]


def test_it_forgets_instead_when_not_to_archive_and_never_purges(mem: Treering, clock: HandClock) -> None:
    old = mem.add("A passing fact", strength=1.0).id
    clock.advance(days=60)
    done = mem.gc(dry_run=False, archive=False)
    assert (done.archived, done.forgotten) == (0, 1)
    assert mem.get(old).state == "forgotten"
    mem.restore(old)
    assert mem.get(old).state == "active"


def test_what_was_archived_is_restored_and_so_is_a_whole_collection(mem: Treering, clock: HandClock) -> None:
    ids = [mem.add(f"Fact {n}", strength=1.0).id for n in range(3)]
    clock.advance(days=60)
    mem.gc(dry_run=False)
    assert mem.restore(ids[0]).changed
    assert not mem.restore(ids[0]).changed
    assert mem.get(ids[0]).state == "active"
    undone = mem.undo("4")
    assert sorted(undone.restored) == sorted(ids[1:])
    assert {mem.get(one).state.value for one in ids} == {"active"}


def test_it_never_takes_what_is_important_promoted_or_what_others_rest_on(mem: Treering, clock: HandClock) -> None:
    identity = mem.add("Ada is a doctor", importance=0.9, strength=1.0).id
    promoted = mem.add("Ada lives for jazz", strength=1.0).id
    evidence = mem.add("Ada works at Acme", triples=[["Ada", "WORKS_FOR", "Acme"]], strength=1.0).id
    origin, decision, reason = (mem.add(text, strength=1.0).id for text in ("Said so", "Use Go", "It is quick"))
    derived = mem.add("Concluded", strength=1.0).id
    mem.link(derived, origin, "derived_from")
    mem.link(reason, decision, "has_decision")
    mem.promote(promoted, force=True)
    clock.advance(days=180)
    done = mem.gc(dry_run=False)
    assert (done.ids, done.left) == ((derived,), 0)
    assert done.kept == {"importance": 1, "promoted": 1, "cited": 4}
    for kept in (identity, evidence, origin, decision, reason):
        assert mem.get(kept).state == "active"


def test_what_no_longer_backs_anything_may_go(mem: Treering, clock: HandClock) -> None:
    evidence = mem.add("Ada works at Acme", triples=[["Ada", "WORKS_FOR", "Acme"]], strength=1.0).id
    origin, derived = mem.add("Said so", strength=1.0).id, mem.add("Concluded", strength=1.0).id
    mem.link(derived, origin, "derived_from")
    mem.invalidate("Ada", "Acme", "WORKS_FOR")
    mem.forget(derived)
    clock.advance(days=90)
    assert set(mem.gc().ids) == {evidence, origin}


def test_a_limit_takes_the_weakest_first_and_tells_how_many_are_left(mem: Treering, clock: HandClock) -> None:
    ids = []
    for n in range(5):
        ids.append(mem.add(f"Fact {n}", strength=1.0).id)
        clock.advance(days=1)
    clock.advance(days=60)
    done = mem.gc(dry_run=False, limit=2)
    assert (done.ids, done.left) == (tuple(ids[:2]), 3)
    assert mem.gc(dry_run=False).ids == tuple(ids[2:])


def test_the_weakest_are_kept_in_bounded_room() -> None:
    weakest = Weakest(3)
    for n in range(100):
        weakest.take((n * 37 % 100) / 100, f"{n * 37 % 100:02}")
    assert (weakest.ids, weakest.below) == (["00", "01", "02"], 100)


def test_a_memory_used_between_the_look_and_the_lock_stays(mem: Treering, clock: HandClock) -> None:
    from treering.upkeep.gc import collect, weakest

    old = mem.add("A passing fact", strength=1.0).id
    clock.advance(days=60)
    with mem._reading(None) as reader:
        found = weakest(reader, None)
    assert found.ids == [old]
    mem.touch(old)
    assert mem._write(None, lambda act: collect(act, found, True)).ids == ()


def test_a_space_sets_what_is_collected_and_what_never_is(mem: Treering, clock: HandClock) -> None:
    mem.settings({"retention": {"collect_below": 0.4, "fading_below": 0.5, "keep_importance": 0.5}})
    kept, gone = mem.add("Kept", strength=1.0).id, mem.add("Gone", importance=0.4, strength=1.0).id
    clock.advance(days=7)
    assert mem.gc().ids == (gone,)
    assert mem.scores([kept])[0].band == "faded"


def test_nobody_collects_or_counts_what_is_private_to_others(doors: Doors, clock: HandClock) -> None:
    ann, bob = doors("ann", "bob")
    secret = ann.add("A secret", visibility="private", strength=1.0).id
    ann.add("A dear secret", visibility="private", importance=1.0)
    clock.advance(days=90)
    done = bob.gc(dry_run=False)
    assert (done.ids, done.looked_at, done.left, done.kept) == ((), 0, 0, {"importance": 0, "promoted": 0, "cited": 0})
    assert ann.gc(dry_run=False).ids == (secret,)


# promoting


def test_a_memory_is_promoted_for_its_score_once_it_has_stood_for_a_day(mem: Treering, clock: HandClock) -> None:
    tea = mem.add("Ada likes tea", strength=1.0).id
    early = mem.promote(tea)
    assert (early.promoted_ids, early.candidates) == ((), ())
    assert early.refused[0].reason == "0.0 hours old; it must have stood for 24, unless forced"
    clock.advance(days=1)
    done = mem.promote(tea)
    assert done.promoted_ids == (tea,)
    assert (done.candidates[0].criteria, done.candidates[0].reason) == (("score",), "high score (0.75 of 0.65)")
    memory = mem.get(tea)
    assert (memory.state, memory.tier, memory.marks) == ("promoted", "long", ("promoted",))
    assert mem.promote(tea).refused[0].reason == "it is promoted"
    assert contents(mem.list()) == ["Ada likes tea"]


def test_or_for_being_used_often_of_late(mem: Treering, clock: HandClock) -> None:
    mem.settings({"decay": {"half_life_days": 0.2, "beta": 0.0}})
    often, once = mem.add("Often", strength=1.0).id, mem.add("Once", strength=1.0).id
    for _ in range(4):
        mem.touch(often)
    clock.advance(days=2)
    assert "4 uses in 14 days are fewer than 5" in mem.promote(often).refused[0].reason
    mem.touch(often)
    clock.advance(days=13)
    assert "1 uses in 14 days" in mem.promote(often).refused[0].reason
    for _ in range(4):
        mem.touch(often)
    clock.advance(days=1)
    assert mem.promote(once).promoted_ids == ()
    done = mem.promote(auto=True)
    assert done.promoted_ids == (often,)
    assert done.candidates[0].criteria == ("uses",)
    assert done.candidates[0].recent_uses == 5


def test_force_promotes_whatever_its_score(mem: Treering) -> None:
    tea = mem.add("Ada likes tea").id
    done = mem.promote(tea, force=True, dry_run=True)
    assert (done.dry_run, done.promoted_ids, done.candidates[0].reason) == (True, (tea,), "forced")
    assert mem.get(tea).state == "active"
    assert mem.promote(tea, force=True).promoted_ids == (tea,)


def test_what_does_not_hold_is_not_promoted_even_by_force(mem: Treering) -> None:
    tea = mem.add("Ada likes tea").id
    mem.forget(tea)
    done = mem.promote(tea, force=True)
    assert (done.promoted_ids, done.refused[0].reason) == ((), "it is forgotten")


def test_candidates_are_looked_for_and_the_highest_come_first(mem: Treering, clock: HandClock) -> None:
    weak, strong = mem.add("Weak", strength=1.0).id, mem.add("Strong", strength=2.0).id
    faint = mem.add("Faint", strength=0.1).id
    clock.advance(days=1, seconds=1)
    new = mem.add("New", strength=2.0).id
    assert mem.promote(auto=True, dry_run=True).promoted_ids == (strong, weak)
    assert mem.promote(auto=True, limit=1).promoted_ids == (strong,)
    assert mem.promote(auto=True).promoted_ids == (weak,)
    assert mem.promote(auto=True).promoted_ids == ()
    assert {mem.get(one).state.value for one in (faint, new)} == {"active"}


def test_a_promotion_is_undone(mem: Treering) -> None:
    tea = mem.add("Ada likes tea").id
    mem.promote(tea, force=True)
    assert mem.undo("2").changed
    assert (mem.get(tea).state, mem.get(tea).tier) == ("active", "mid")


@pytest.mark.parametrize(
    ("given", "told"),
    [
        ({}, "id: give the id of a memory, or auto"),
        ({"id": "x", "auto": True}, "id: give the id of a memory, or auto"),
        ({"auto": True, "force": True}, "force: is for one memory by id"),
        ({"id": "x", "target": "paper"}, "target"),
        ({"id": "x"}, "id: there is no memory 'x'"),
    ],
)
def test_promote_says_what_it_needs(mem: Treering, given: dict[str, object], told: str) -> None:
    with pytest.raises(CallerError, match=told):
        mem.promote(**given)  # type: ignore[arg-type]


# expiring


def test_tiers_last_for_ever_unless_the_space_asks(mem: Treering, clock: HandClock) -> None:
    mem.add("A note", tier="short")
    clock.advance(days=30)
    assert mem.expire().archived == {}
    assert len(mem.list()) == 1


def test_what_outlived_its_tier_unused_is_archived(mem: Treering, clock: HandClock) -> None:
    mem.settings({"tiers": {"enabled": True}})
    short, used, mid, long = (
        mem.add(name, tier=tier).id for name, tier in (("s", "short"), ("u", "short"), ("m", "mid"), ("l", "long"))
    )
    dear = mem.add("dear", tier="short", importance=0.95).id
    clock.advance(hours=5)
    mem.touch(used)
    clock.advance(hours=2)
    assert mem.expire(dry_run=True).archived == {"short": (short,), "mid": ()}
    assert mem.get(short).state == "active"
    assert mem.expire().archived == {"short": (short,), "mid": ()}
    clock.advance(days=7)
    assert mem.expire().archived == {"short": (used,), "mid": (mid,)}
    assert mem.get(short).state == "archived"
    assert {mem.get(one).state.value for one in (long, dear)} == {"active"}


def test_what_is_past_its_own_time_is_told_and_nothing_written(mem: Treering, clock: HandClock) -> None:
    plan = mem.add("Meeting at three", expires_at="2026-01-02T00:00:00Z").id
    gone = mem.add("Meeting at four", expires_at="2026-01-02T00:00:00Z").id
    mem.forget(gone)
    seq = mem.status().seq
    assert mem.expire().expired == 0
    clock.advance(days=2)
    done = mem.expire()
    assert (done.expired, done.ids) == (1, (plan,))
    assert mem.status().seq == seq
    assert mem.get(plan).state == "expired"
