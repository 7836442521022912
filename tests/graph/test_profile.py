"""What is known of an entity? Names, facts now and before, memories and its story, at any moment."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from tests.conftest import Doors, HandClock, contents

from treering.door import Treering
from treering.errors import NotFound


def said(facts: Any) -> list[str]:
    return [f"{fact.subject} {fact.relation} {fact.object}" for fact in facts]


@pytest.fixture
def ada(mem: Treering, clock: HandClock) -> Treering:
    mem.entity_register("Ada Lovelace", aliases=["Ada"], kind="person")
    mem.assert_fact("Ada", "LIVES_IN", "Oslo", valid_from="2019-01-01", supersede=True)
    mem.assert_fact("Ada", "LIVES_IN", "Rome", valid_from="2021-01-01", supersede=True)
    mem.assert_fact("Bo", "KNOWS", "Ada", valid_from="2020-01-01")
    mem.assert_fact("Ada", "PLANNED", "Trip", valid_from=clock.now + timedelta(days=30))
    for n in range(3):
        clock.advance(hours=1)
        mem.add(f"Ada said {n}", entities=["Ada"])
    clock.advance(hours=1)
    return mem


@pytest.mark.parametrize("ref", ["Ada Lovelace", "ada", None])
def test_a_profile_is_found_by_id_name_or_alias_and_has_all_that_is_known(ada: Treering, ref: str | None) -> None:
    known = ada.entity(ref or ada.entity_get("Ada").id)
    assert (known.name, known.kind, known.aliases) == ("Ada Lovelace", "person", ("Ada",))
    assert said(known.facts_now) == ["Bo KNOWS Ada Lovelace", "Ada Lovelace LIVES_IN Rome"]
    assert said(known.facts_before) == ["Ada Lovelace LIVES_IN Oslo"]
    assert said(known.facts_to_come) == ["Ada Lovelace PLANNED Trip"]
    assert contents(known.memories) == ["Ada said 2", "Ada said 1", "Ada said 0"]
    assert known.timeline == ada.timeline("Ada", limit=50)


def test_a_profile_stands_at_its_moment(ada: Treering, clock: HandClock) -> None:
    then = ada.entity("Ada", as_of="2020-06-01")
    assert said(then.facts_now) == ["Ada Lovelace LIVES_IN Oslo", "Bo KNOWS Ada Lovelace"]
    assert said(then.facts_before) == []
    assert "Ada Lovelace LIVES_IN Rome" in said(then.facts_to_come)
    assert contents(then.memories) == []
    early = ada.entity("Ada", known_at=clock.now - timedelta(hours=2, minutes=30))
    assert contents(early.memories) == ["Ada said 0"]


def test_the_newest_memories_are_shown_and_all_are_counted(ada: Treering) -> None:
    known = ada.entity("Ada", limit=2)
    assert (contents(known.memories), known.memories_count) == (["Ada said 2", "Ada said 1"], 3)
    assert (len(known.timeline), known.timeline.truncated) == (2, True)


def test_what_says_a_fact_of_an_entity_is_about_it(mem: Treering) -> None:
    mem.add("I like tea", triples=[("User", "LIKES", "tea")])
    mem.add("User's cat is ill", entities=["User"])
    over = mem.add("I live in Oslo", triples=[("User", "LIVES_IN", "Oslo")])
    mem.forget(over.id)
    known = mem.entity("User")
    assert (set(contents(known.memories)), known.memories_count) == ({"I like tea", "User's cat is ill"}, 2)


def test_an_entity_nobody_has_is_missed_by_name(ada: Treering) -> None:
    with pytest.raises(NotFound, match="id: there is no entity 'Nobody'"):
        ada.entity("Nobody")


def test_what_is_private_to_another_is_not_in_a_profile(doors: Doors) -> None:
    ann, bob = doors("ann", "bob")
    ann.add("Ada is here", entities=["Ada"])
    before = bob.entity("Ada")
    ann.add("Ada owns a lair", visibility="private", entities=["Ada"], triples=[["Ada", "OWNS", "Lair"]])
    assert bob.entity("Ada") == before
    assert said(ann.entity("Ada").facts_now) == ["Ada OWNS Lair"]
    with pytest.raises(NotFound):
        bob.entity("Lair")


# edges follow a merge and come back with a split, at every moment


def test_edges_follow_a_merge_with_their_windows_and_return_with_a_split(mem: Treering, clock: HandClock) -> None:
    mem.assert_fact("Bob", "WORKS_FOR", "Google", valid_from="2018-01-01")
    mem.invalidate("Bob", "Google", "WORKS_FOR", at="2020-01-01", why="left")
    mem.assert_fact("Robert", "WORKS_FOR", "Stripe", valid_from="2020-01-01")
    apart = clock.now
    clock.advance(days=1)
    merged = mem.entity_merge("Bob", "Robert", why="one man").entity_id
    together = clock.now
    clock.advance(days=1)

    def holds(name: str, as_of: str, **more: Any) -> list[str]:
        return said(mem.facts(subject=name, as_of=as_of, **more))

    for name in ("Bob", "Robert"):
        assert holds(name, "2019-01-01") == ["Robert WORKS_FOR Google"]
        assert holds(name, "2019-12-31T23:59:59.999999Z") == ["Robert WORKS_FOR Google"]
        assert holds(name, "2020-01-01") == ["Robert WORKS_FOR Stripe"]
        assert holds(name, "2017-01-01") == []
    assert holds("Robert", "2019-01-01", known_at=apart + timedelta(minutes=1)) == []
    clock.advance(days=1)
    mem.entity_split(merged)
    assert (holds("Bob", "2019-01-01"), holds("Bob", "2021-01-01")) == (["Bob WORKS_FOR Google"], [])
    assert (holds("Robert", "2019-01-01"), holds("Robert", "2021-01-01")) == ([], ["Robert WORKS_FOR Stripe"])
    assert holds("Bob", "2021-01-01", known_at=together) == ["Robert WORKS_FOR Stripe"]


def test_closing_twice_changes_nothing_and_reopening_restores_the_window_at_every_moment(
    mem: Treering, clock: HandClock
) -> None:
    mem.assert_fact("Ada", "WORKS_FOR", "Google", valid_from="2018-01-01", valid_until="2030-01-01")
    moments = ["2017-12-31", "2018-01-01", "2019-12-31", "2020-01-01", "2029-12-31", "2030-01-01"]

    def windows(**more: Any) -> list[list[str]]:
        return [said(mem.facts(subject="Ada", as_of=as_of, **more)) for as_of in moments]

    whole, known = windows(), clock.now
    assert [len(facts) for facts in whole] == [0, 1, 1, 1, 1, 0]
    clock.advance(days=1)
    first = mem.invalidate("Ada", "Google", "WORKS_FOR", at="2020-01-01")
    assert [len(facts) for facts in windows()] == [0, 1, 1, 0, 0, 0]
    seq = mem.status().seq
    again = mem.invalidate("Ada", "Google", "WORKS_FOR", at="2020-01-01")
    later = mem.invalidate("Ada", "Google", "WORKS_FOR", at="2025-01-01")
    assert (first.changed, again.changed, later.changed, mem.status().seq) == (True, False, False, seq)
    assert windows(known_at=known) == whole
    closed = clock.now
    clock.advance(days=1)
    assert mem.reopen("Ada", "Google", "WORKS_FOR").valid_until == mem.facts(subject="Ada")[0].valid_until
    assert windows() == whole
    assert [len(facts) for facts in windows(known_at=closed)] == [0, 1, 1, 0, 0, 0]
