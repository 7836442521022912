"""How are edges made, closed and opened again? Links are made once and undone, and every window comes back exactly as
it was."""

from __future__ import annotations

import pytest
from tests.conftest import HandClock
from tests.contract.spans import DAY, at, windows

from treering.door import Treering
from treering.errors import Conflict, InvalidRequest, NotFound
from treering.store.contract import Store


def test_a_link_is_made_once_answered_after_that_and_has_what_it_was_given(mem: Treering, store: Store) -> None:
    old, new = mem.add("Old").id, mem.add("New").id
    first = mem.link(new, old, "Updates", strength=0.5, meta={"k": 1}, why="newer", valid_from=at(2025))
    assert first.created is True
    edge = first.edge
    assert (edge.relation, edge.strength, edge.meta, edge.why, edge.rule) == (
        "supersedes",
        0.5,
        {"k": 1},
        "newer",
        "stated",
    )
    assert (edge.valid_from, edge.memory_id, edge.observed_by) == (at(2025), new, "ann")
    again = mem.link(new, old, "supersedes")
    assert (again.created, again.edge.id) == (False, edge.id)
    assert mem.link(new, old).created is True
    coming = mem.link(new, old, "causes", valid_from=at(2030))
    assert mem.link(new, old, "causes").edge.id == coming.edge.id
    assert store.head("lab").seq == 5


def test_a_memory_cannot_supersede_itself_even_the_long_way_round(mem: Treering) -> None:
    a, b, c = (mem.add(name).id for name in "abc")
    mem.link(a, b, "supersedes")
    mem.link(b, c, "supersedes")
    with pytest.raises(Conflict, match=r"it cannot go both ways"):
        mem.link(c, a, "supersedes")
    with pytest.raises(Conflict):
        mem.link(b, a, "supersedes")
    with pytest.raises(InvalidRequest, match="a memory is not linked to itself"):
        mem.link(a, a)
    mem.link(c, a, "contradicts")
    mem.link(a, c, "contradicts")
    mem.link(b, a, "derived_from")
    with pytest.raises(Conflict):
        mem.link(a, b, "derived_from")


def test_unlinking_forgets_the_link_and_restoring_the_edge_brings_it_back(mem: Treering, store: Store) -> None:
    a, b = mem.add("a").id, mem.add("b").id
    edge = mem.link(a, b).edge.id
    assert mem.unlink(a, b, why="wrong").changed is True
    assert mem.status().edges == 0
    head = store.head("lab")
    assert mem.unlink(a, b).changed is False
    assert store.head("lab") == head
    assert mem.history(edge).state == "forgotten"
    assert mem.history(edge).events[-1].why == "wrong"
    mem.restore(edge)
    assert mem.status().edges == 1
    with pytest.raises(NotFound, match=rf"no related_to leads from {b} to {a}"):
        mem.unlink(b, a)
    mem.unlink(a, b)
    assert mem.link(a, b).created is True


def test_a_link_of_a_word_that_is_none_is_refused_with_those_there_are(mem: Treering) -> None:
    a, b = mem.add("a").id, mem.add("b").id
    with pytest.raises(InvalidRequest, match=r"relation: 'likes' is not a link .*related_to, supersedes"):
        mem.link(a, b, "likes")


def test_closing_twice_and_reopening_twice_restores_every_window_exactly(mem: Treering, clock: HandClock) -> None:
    mem.assert_fact("Ada", "WORKS_FOR", "Acme", valid_from=at(2015), valid_until=at(2025))
    steps = []
    for end, why in ((at(2022), "first"), (at(2020), "second")):
        clock.advance(hours=1)
        moved = mem.invalidate("Ada", "Acme", "works for", at=end, why=why)
        steps.append((moved.previous_valid_until.year, moved.valid_until.year, moved.changed))  # type: ignore[union-attr]
    assert steps == [(2025, 2022, True), (2022, 2020, True)]
    clock.advance(hours=1)
    moved = mem.reopen("Ada", "Acme", "WORKS_FOR")
    assert (moved.valid_until, moved.changed) == (at(2022), True)
    [fact] = mem.facts(include_closed=True)
    assert fact.closed_by == "invalidated"
    moved = mem.reopen("Ada", "Acme", "WORKS_FOR")
    assert (moved.valid_until, moved.previous_valid_until) == (at(2025), at(2022))
    [fact] = mem.facts(include_closed=True)
    assert fact.closed_by is None
    assert mem.reopen("Ada", "Acme", "WORKS_FOR").changed is False
    whats = [event.what for event in mem.history(fact.id).events]
    assert whats[1:] == [
        "closed at 2022-01-01T00:00:00Z",
        "closed at 2020-01-01T00:00:00Z",
        "reopened, ending 2022-01-01T00:00:00Z",
        "reopened, ending 2025-01-01T00:00:00Z",
    ]


def test_closing_what_is_closed_already_changes_nothing(mem: Treering, store: Store, clock: HandClock) -> None:
    mem.assert_fact("Ada", "KNOWS", "Bo", valid_from=at(2020))
    mem.invalidate("Ada", "Bo", "KNOWS", at=at(2022))
    head = store.head("lab")
    for later in (at(2022), at(2023), None):
        moved = mem.invalidate("Ada", "Bo", "KNOWS", at=later)
        assert (moved.changed, moved.valid_until) == (False, at(2022))
    assert store.head("lab") == head


def test_an_edge_is_not_closed_before_it_begins(mem: Treering) -> None:
    mem.assert_fact("Ada", "KNOWS", "Bo", valid_from=at(2020))
    with pytest.raises(InvalidRequest, match=r"^at: 2019-01-01T00:00:00Z lies before the edge begins \(2020-01-01"):
        mem.invalidate("Ada", "Bo", "KNOWS", at=at(2019))
    moved = mem.invalidate("Ada", "Bo", "KNOWS", at=at(2020))
    assert moved.valid_until == at(2020)
    assert mem.facts(as_of=at(2020)) == []
    mem.reopen("Ada", "Bo", "KNOWS")
    assert len(mem.facts()) == 1


def test_edges_are_closed_by_name_alias_or_id_and_by_direction(mem: Treering) -> None:
    ada = mem.entity_register("Ada", aliases=["Countess"]).entity_id
    mem.assert_fact("Ada", "KNOWS", "Bo", valid_from=at(2020))
    with pytest.raises(NotFound, match="no KNOWS leads from 'Bo' to 'Ada'; check names and direction"):
        mem.invalidate("Bo", "Ada", "KNOWS")
    with pytest.raises(NotFound, match="no LIKES leads from"):
        mem.invalidate("Ada", "Bo", "LIKES")
    for name in ("countess", ada, "ADA"):
        assert mem.invalidate(name, "bo", "knows").changed is True
        assert mem.reopen(name, "bo", "knows").changed is True


def test_a_link_and_a_mention_can_be_closed_as_a_fact_can(mem: Treering, clock: HandClock) -> None:
    old = mem.add("Old").id
    new = mem.add("New", entities=["Ada"]).id
    mem.link(new, old, "supersedes")
    clock.advance(days=1)
    mem.invalidate(new, old, "supersedes", why="not after all")
    assert mem.get(old).state == "active"
    assert mem.get(old, as_of=clock.now - DAY).state == "superseded"
    mem.invalidate(new, "Ada", "about_entity")
    assert mem.status().edges == 0
    mem.reopen(new, old, "updates")
    assert mem.get(old).state == "superseded"


def test_closing_several_edges_of_one_relation_is_undone_one_after_the_other(mem: Treering) -> None:
    for year in (2020, 2021):
        mem.assert_fact("Ada", "VISITED", "Rome", valid_from=at(year))
    mem.invalidate("Ada", "Rome", "VISITED", at=at(2022))
    assert mem.facts() == []
    mem.reopen("Ada", "Rome", "VISITED")
    assert len(mem.facts()) == 1
    mem.reopen("Ada", "Rome", "VISITED")
    assert windows(mem) == [("Rome", 2020, None), ("Rome", 2021, None)]
