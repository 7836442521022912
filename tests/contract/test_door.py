"""What a user of the door sees, operation by operation, on every store."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from tests.conftest import Doors, HandClock, everything, write_a_life

from treering.door import OPERATIONS, Treering
from treering.errors import Conflict, InvalidRequest, LimitExceeded, NotFound
from treering.store.contract import Scope, Store

DAY = timedelta(days=1)


def at(year: int, month: int = 1, day: int = 1) -> datetime:
    return datetime(year, month, day, tzinfo=UTC)


def contents(page: Any) -> list[str]:
    return [memory.content for memory in page]


def windows(mem: Treering, **more: Any) -> list[tuple[str, int, int | None]]:
    """Object, first year and last year of every fact, closed ones too."""
    facts = mem.facts(include_closed=True, **more)
    return [(one.object, one.valid_from.year, one.valid_until.year if one.valid_until else None) for one in facts]


# add


def test_add_keeps_everything_it_is_given(mem: Treering, clock: HandClock) -> None:
    given = {
        "kind": "episode",
        "title": "Lunch",
        "context": "After work",
        "tags": ["food", "friends"],
        "meta": {"turn": 17, "deep": {"list": [1, None]}},
        "importance": 0.9,
        "confidence": 0.5,
        "strength": 2.0,
        "tier": "long",
        "event_time": at(2025, 5, 1),
        "event_end": at(2025, 5, 2),
        "expires_at": at(2030),
        "observed_by": "camera",
        "visibility": "private",
        "visible_to": ["ann"],
    }
    receipt = mem.add("Ada met Bo", at="2025-06-01T10:00:00+02:00", speaker="Ada", session="s1", key="k1", **given)
    memory = mem.get(receipt.id)
    for name, value in given.items():
        kept = getattr(memory, name)
        assert kept == (tuple(value) if isinstance(value, list) else value), name
    assert memory.said_at == datetime(2025, 6, 1, 8, tzinfo=UTC)
    assert (memory.recorded_at, memory.valid_from, memory.valid_until) == (clock.now, at(2025, 5, 1), at(2030))
    assert memory.span == (0, len("Ada met Bo"))
    assert (receipt.seq, receipt.at, receipt.repeated, receipt.dry_run) == (1, clock.now, False, False)
    assert mem.get(mem.add("Plain").id).observed_by == "ann"


def test_add_names_entities_and_states_facts_with_their_windows(mem: Treering, clock: HandClock) -> None:
    receipt = mem.add(
        "Ada works at Acme with Bo",
        event_time=at(2020),
        entities=["ada", {"name": "Acme", "kind": "organization"}],
        triples=[
            ["Ada", "works for", "ACME"],
            {"subject": "Bo", "relation": "KNOWS", "object": "Ada", "valid_from": at(2021), "valid_until": at(2022)},
        ],
    )
    assert [(one.name, one.kind, one.created) for one in receipt.entities] == [
        ("ada", "concept", True),
        ("Acme", "organization", True),
        ("Bo", "concept", True),
    ]
    assert len(receipt.edges_added) == 5
    said = [(one.subject, one.relation, one.object, one.valid_from) for one in receipt.memories[0].triples]
    assert said == [("ada", "WORKS_FOR", "Acme", at(2020)), ("Bo", "KNOWS", "ada", at(2021))]
    works, knows = mem.facts(include_closed=True)
    assert (works.memory_id, works.valid_from, works.valid_until) == (receipt.id, at(2020), None)
    assert (knows.valid_from, knows.valid_until) == (at(2021), at(2022))
    assert [one.created for one in mem.add("Again", entities=["ADA", " Bo "]).entities] == [False, False]
    assert contents(mem.list(entities=["Ada"])) == ["Ada works at Acme with Bo", "Again"]
    assert contents(mem.list(entities=["Acme", "nobody"])) == ["Ada works at Acme with Bo"]
    assert contents(mem.list(entities=["nobody"])) == []


def test_a_fact_without_a_window_begins_with_the_event_else_with_the_saying(mem: Treering, clock: HandClock) -> None:
    mem.add("One", triples=[["A", "KNOWS", "B"]], event_time=at(2019), at=at(2020))
    mem.add("Two", triples=[["C", "KNOWS", "D"]], at=at(2020))
    mem.add("Three", triples=[["E", "KNOWS", "F"]])
    assert [fact.valid_from for fact in mem.facts()] == [at(2019), at(2020), clock.now]


def test_the_same_name_within_one_write_is_the_same_entity(mem: Treering) -> None:
    receipt = mem.add_many(
        [{"content": "One", "entities": ["Ada", "ADA"]}, {"content": "Two", "triples": [["ada", "KNOWS", "Ada"]]}]
    )
    assert len(receipt.entities) == 1
    assert [[one.created for one in memory.entities] for memory in receipt.memories] == [[True], [False]]
    assert mem.status().entities == 1


def test_add_many_is_one_entry_in_the_order_given_all_or_none(mem: Treering, store: Store) -> None:
    receipt = mem.add_many([{"content": f"Item {n}", "kind": "fact", "tags": ["t"]} for n in range(12)])
    assert store.head("lab").seq == 1
    assert [memory.content for memory in receipt.memories] == contents(mem.list()) == [f"Item {n}" for n in range(12)]
    assert len(receipt.source_ids) == 12
    for wrong in ({"content": ""}, {"content": "x", "importance": 2}, {"content": "x", "colour": "red"}, {}):
        with pytest.raises(InvalidRequest):
            mem.add_many([{"content": "Good"}, wrong])
    assert store.head("lab").seq == 1


# keys


def test_a_key_with_the_same_content_gives_the_first_result_and_writes_nothing(
    mem: Treering, store: Store, clock: HandClock
) -> None:
    first = mem.add("Ada lives in Berlin", key="turn-1", triples=[["Ada", "LIVES_IN", "Berlin"]])
    clock.advance(hours=1)
    again = mem.add("Ada lives in Berlin", key="turn-1", triples=[["Ada", "LIVES_IN", "Berlin"]])
    assert again.repeated is True
    assert again.id == first.id
    assert again.source_ids == first.source_ids
    told = lambda one: [(e.id, e.name, e.created) for e in one.entities]  # noqa: E731
    assert sorted(told(again)) == sorted(told(first))
    assert again.memories[0].triples == first.memories[0].triples
    assert store.head("lab").seq == 1


def test_a_key_with_other_content_is_a_conflict_and_another_space_has_its_own(mem: Treering, store: Store) -> None:
    mem.add("One", key="k")
    with pytest.raises(Conflict, match=r"^key: 'k' was used before with other content; give a new key"):
        mem.add("Two", key="k")
    with pytest.raises(Conflict):
        mem.add_many([{"content": "Good"}, {"content": "Two", "key": "k"}])
    assert store.head("lab").seq == 1
    assert mem.add("Two", key="k", space="other").repeated is False


def test_keys_hold_within_one_batch_too(mem: Treering, store: Store) -> None:
    receipt = mem.add_many([{"content": "One", "key": "a"}, {"content": "One", "key": "a"}, {"content": "Two"}])
    assert contents(mem.list()) == ["One", "Two"]
    assert receipt.repeated is False
    with pytest.raises(Conflict, match="'b' was used before"):
        mem.add_many([{"content": "Three", "key": "b"}, {"content": "Four", "key": "b"}])
    again = mem.add_many([{"content": "One", "key": "a"}, {"content": "Three", "key": "c"}])
    assert again.repeated is False
    assert contents(mem.list()) == ["One", "Two", "Three"]
    assert mem.add_many([{"content": "One", "key": "a"}, {"content": "Three", "key": "c"}]).repeated is True
    assert store.head("lab").seq == 2


def test_a_key_holds_for_a_revision(mem: Treering, store: Store) -> None:
    old = mem.add("Berlin").id
    first = mem.revise(old, "Paris", key="r1")
    again = mem.revise(old, "Paris", key="r1")
    assert (again.id, again.repeated, again.superseded) == (first.id, True, (old,))
    with pytest.raises(Conflict):
        mem.revise(old, "Rome", key="r1")
    assert store.head("lab").seq == 2


def test_a_forgotten_memory_still_holds_its_key(mem: Treering) -> None:
    first = mem.add("One", key="k").id
    mem.forget(first)
    assert mem.add("One", key="k").id == first
    with pytest.raises(Conflict):
        mem.add("Two", key="k")


# dry runs


def test_a_dry_run_tells_what_would_happen_and_writes_nothing(
    mem: Treering, store: Store, clock: HandClock, tmp_path: Path
) -> None:
    told = write_a_life(mem, clock)
    vault = tmp_path / "vault"
    vault.mkdir()
    (vault / "Tea.md").write_text("Ada likes tea.", encoding="utf-8")
    soon = {"collect_below": 5.0, "fading_below": 5.0}
    mem.settings({"retention": soon, "tiers": {"enabled": True, "short_hours": 1.0, "mid_days": 0.25}})
    runs: dict[str, Callable[[bool], Any]] = {
        "add": lambda dry: mem.add("New", triples=[["Ada", "KNOWS", "Cy"]], dry_run=dry),
        "add_file": lambda dry: mem.add_file(b"# Ada\n\nAda likes tea.", name="ada.md", dry_run=dry),
        "add_many": lambda dry: mem.add_many([{"content": "New"}, {"content": "Newer"}], dry_run=dry),
        "revise": lambda dry: mem.revise(told.tea, "Ada likes coffee", why="taste", dry_run=dry),
        "remember": lambda dry: mem.remember(
            "Ada moved to Rome",
            drafts=[{"content": "Ada moved", "triples": [["Ada", "LIVES_IN", "Rome"]]}],
            dry_run=dry,
        ),
        "undo": lambda dry: mem.undo("1", dry_run=dry),
        "forget": lambda dry: mem.forget(told.tea, dry_run=dry),
        "restore": lambda dry: mem.restore(told.job, dry_run=dry),
        "purge": lambda dry: mem.purge(told.plan, "asked to", dry_run=dry),
        "touch": lambda dry: mem.touch(told.secret, True, dry_run=dry),
        "observe": lambda dry: mem.observe([told.secret, told.new_home], ["x"], dry_run=dry),
        "promote": lambda dry: mem.promote(told.new_home, force=True, dry_run=dry),
        "expire": lambda dry: mem.expire(limit=1, dry_run=dry),
        "gc": lambda dry: mem.gc(dry_run=dry),
        "import_vault": lambda dry: mem.import_vault(vault, dry_run=dry),
        "archive": lambda dry: mem.archive(told.home, dry_run=dry),
        "run_agent": lambda dry: mem.run_agent("promote", space="empty", dry_run=dry),
        "run_pipeline": lambda dry: mem.run_pipeline(space="empty", dry_run=dry),
    }
    listed = [name for name, one in OPERATIONS.items() if "dry_run" in {p.name for p in one.parameters}]
    assert sorted(runs) == sorted(listed)
    for name, run in runs.items():
        before = everything(store, Scope("lab", clock.now, principal="ann"))
        dry = run(True)
        assert everything(store, Scope("lab", clock.now, principal="ann")) == before
        real = run(False)
        assert (dry.dry_run, real.dry_run) == (True, False)
        assert shape(real.to_dict()) == shape(dry.to_dict()), name


def shape(value: Any) -> Any:
    """The same without what can only be known by doing it: ids, places and times of the write."""
    if isinstance(value, dict):
        unknown = ("id", "seq", "at", "scrubbed", "valid_from", "source_id", "milliseconds", "entries", "dry_run")
        return {key: shape(one) for key, one in value.items() if key not in unknown}
    if isinstance(value, list):
        return [shape(one) for one in value]
    return "ID" if isinstance(value, str) and len(value) == 36 and value.count("-") == 4 else value


def test_a_dry_run_refuses_what_the_real_one_would(mem: Treering) -> None:
    mem.add("One", key="k")
    with pytest.raises(Conflict):
        mem.add("Two", key="k", dry_run=True)
    with pytest.raises(NotFound):
        mem.forget("nothing", dry_run=True)
    with pytest.raises(InvalidRequest):
        mem.add(" ", dry_run=True)


# revise


def test_a_revision_keeps_what_is_not_given_but_when_it_happened(mem: Treering, clock: HandClock) -> None:
    kept = {
        "kind": "viewpoint",
        "title": "T",
        "context": "C",
        "tags": ["a"],
        "meta": {"m": 1},
        "importance": 0.9,
        "confidence": 0.4,
        "strength": 1.5,
        "tier": "long",
        "expires_at": at(2040),
    }
    when = {"event_time": at(2025), "event_end": at(2025, 2)}
    old = mem.get(mem.add("Old", entities=["Ada", "Bo"], **kept, **when).id)
    clock.advance(days=1)
    receipt = mem.revise(old.id, "New")
    new = mem.get(receipt.id)
    for name in kept:
        assert getattr(new, name) == getattr(old, name), name
    assert sorted(one.name for one in receipt.entities) == ["Ada", "Bo"]
    assert receipt.superseded == (old.id,)
    assert (new.said_at, new.event_time, new.event_end) == (clock.now, None, None)
    other = mem.get(
        mem.revise(
            new.id, "Newer", kind="fact", title="U", tags=[], meta={"n": 2}, importance=0.1, confidence=1.0,
            entities=["Cy"],
        ).id
    )  # fmt: skip
    assert (other.kind, other.title, other.tags, other.meta) == ("semantic", "U", (), {"n": 2})
    assert (other.importance, other.confidence) == (0.1, 1.0)
    assert contents(mem.list(entities=["Cy"])) == ["Newer"]
    assert contents(mem.list(entities=["Ada"])) == []


def test_a_revision_holds_from_when_it_was_said_and_one_with_an_earlier_event_from_then(
    mem: Treering, clock: HandClock
) -> None:
    old = mem.add("Ada lives in Berlin").id
    began = clock.now
    clock.advance(days=10)
    new = mem.revise(old, "Ada lives in Paris").id
    assert mem.get(old).valid_until == clock.now
    assert contents(mem.list(as_of=began + DAY)) == ["Ada lives in Berlin"]
    clock.advance(days=10)
    mem.revise(new, "Ada lives in Rome", event_time=began + 5 * DAY)
    assert contents(mem.list(as_of=began + 12 * DAY)) == ["Ada lives in Rome"]
    assert mem.get(new).valid_until == mem.get(new).valid_from
    assert contents(mem.list(as_of=began + 12 * DAY, known_at=clock.now - DAY)) == ["Ada lives in Paris"]


def test_a_revision_with_facts_closes_those_it_does_not_state_again(mem: Treering, clock: HandClock) -> None:
    old = mem.add("Ada lives in Berlin with Bo", triples=[["Ada", "LIVES_IN", "Berlin"], ["Ada", "KNOWS", "Bo"]]).id
    clock.advance(days=1)
    new = mem.revise(
        old, "Ada lives in Paris with Bo", triples=[["Ada", "LIVES_IN", "Paris"], ["Ada", "KNOWS", "Bo"]]
    ).id
    assert {fact.object for fact in mem.facts()} == {"Paris", "Bo"}
    assert [fact.memory_id for fact in mem.facts(object="Paris")] == [new]
    [closed] = [fact for fact in mem.facts(include_closed=True) if fact.valid_until]
    assert (closed.object, closed.valid_until, closed.closed_by) == ("Berlin", clock.now, "revised")
    assert mem.history(closed.id).events[-1].evidence == new
    clock.advance(days=1)
    mem.revise(new, "Ada lives in Paris, alone")
    assert {fact.object for fact in mem.facts()} == {"Paris", "Bo"}


# links


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


# windows


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


# facts


def test_a_newer_value_closes_the_older_one_only_when_asked_and_only_where_one_holds_at_a_time(mem: Treering) -> None:
    mem.assert_fact("Ada", "LIVES_IN", "Berlin", valid_from=at(2020))
    mem.assert_fact("Ada", "LIVES_IN", "Paris", valid_from=at(2022))
    assert windows(mem) == [("Berlin", 2020, None), ("Paris", 2022, None)]
    told = mem.assert_fact("Ada", "LIVES_IN", "Rome", valid_from=at(2024), supersede=True)
    assert len(told.closed) == 2
    assert windows(mem) == [("Berlin", 2020, 2024), ("Paris", 2022, 2024), ("Rome", 2024, None)]
    mem.assert_facts([["Ada", "LIKES", "tea"], ["Ada", "LIKES", "coffee"]], supersede=True)
    assert len(mem.facts(relation="LIKES")) == 2
    mem.assert_fact("Bo", "LIVES_IN", "Oslo", supersede=True)
    assert len(mem.facts(relation="LIVES_IN")) == 2


def test_a_fact_learned_late_goes_into_the_past_and_leaves_the_present(mem: Treering) -> None:
    mem.assert_fact("Ada", "LIVES_IN", "Berlin", valid_from=at(2020))
    mem.assert_fact("Ada", "LIVES_IN", "Rome", valid_from=at(2024), supersede=True)
    told = mem.assert_fact("Ada", "LIVES_IN", "Paris", valid_from=at(2022), supersede=True)
    assert windows(mem) == [("Berlin", 2020, 2022), ("Paris", 2022, 2024), ("Rome", 2024, None)]
    assert told.facts[0].valid_until == at(2024)
    early = mem.assert_fact("Ada", "LIVES_IN", "Oslo", valid_from=at(2010), valid_until=at(2012), supersede=True)
    assert (early.facts[0].valid_until, early.closed) == (at(2012), ())
    assert [fact.object for fact in mem.facts(as_of=at(2023))] == ["Paris"]


def test_the_same_value_and_one_that_had_ended_are_left_alone(mem: Treering) -> None:
    mem.assert_fact("Ada", "LIVES_IN", "Oslo", valid_from=at(2010), valid_until=at(2012))
    mem.assert_fact("Ada", "LIVES_IN", "Berlin", valid_from=at(2020))
    told = mem.assert_fact("Ada", "LIVES_IN", "berlin", valid_from=at(2022), supersede=True)
    assert told.closed == ()
    assert windows(mem) == [("Oslo", 2010, 2012), ("Berlin", 2020, None), ("Berlin", 2022, None)]


def test_another_value_from_the_same_instant_takes_the_place_of_the_first(mem: Treering) -> None:
    mem.assert_fact("Ada", "LIVES_IN", "Berlin", valid_from=at(2020))
    mem.assert_fact("Ada", "LIVES_IN", "Paris", valid_from=at(2020), supersede=True)
    assert [fact.object for fact in mem.facts()] == ["Paris"]


@pytest.mark.parametrize("order", [(0, 1, 2), (0, 2, 1), (2, 1, 0), (1, 0, 2)])
def test_many_values_at_once_follow_one_another_whatever_their_order(mem: Treering, order: tuple[int, ...]) -> None:
    mem.assert_fact("Ada", "WORKS_FOR", "Acme", valid_from=at(2015))
    facts = [
        {"subject": "Ada", "relation": "WORKS_FOR", "object": name, "valid_from": at(year)}
        for name, year in (("Bell", 2018), ("Cray", 2020), ("Dell", 2022))
    ]
    told = mem.assert_facts([facts[n] for n in order], supersede=True)
    assert windows(mem) == [("Acme", 2015, 2018), ("Bell", 2018, 2020), ("Cray", 2020, 2022), ("Dell", 2022, None)]
    assert {(one.object, one.valid_until.year if one.valid_until else None) for one in told.facts} == {
        ("Bell", 2020), ("Cray", 2022), ("Dell", None),
    }  # fmt: skip
    assert len(told.entities_created) == 3


def test_which_relations_have_one_value_is_the_spaces_own_setting(mem: Treering) -> None:
    assert "LIVES_IN" in mem.settings()["functional_relations"]
    changed = mem.settings({"functional_relations": ["prefers"]})
    assert changed["functional_relations"] == ["PREFERS"]
    mem.assert_fact("Ada", "PREFERS", "tea", valid_from=at(2020))
    mem.assert_fact("Ada", "PREFERS", "coffee", valid_from=at(2021), supersede=True)
    assert windows(mem) == [("tea", 2020, 2021), ("coffee", 2021, None)]
    assert "LIVES_IN" in mem.settings(space="other")["functional_relations"]
    with pytest.raises(InvalidRequest, match="there is no setting 'colour'"):
        mem.settings({"colour": "blue"})


def test_facts_are_found_by_subject_relation_object_and_moment(mem: Treering, clock: HandClock) -> None:
    memory = mem.add("Heard", event_time=at(2021)).id
    mem.assert_facts(
        [
            {"subject": "Ada", "relation": "KNOWS", "object": "Bo", "valid_from": at(2020), "confidence": 0.5},
            {"subject": "Bo", "relation": "KNOWS", "object": "Ada", "memory_id": memory},
            {"subject": "Ada", "relation": "LIKES", "object": "Bo", "valid_until": at(2030)},
            {"subject": "Ada", "relation": "MET", "object": "Cy", "valid_from": at(2018), "valid_until": at(2019)},
        ]
    )
    told = lambda **more: [(f.subject, f.relation, f.object) for f in mem.facts(**more)]  # noqa: E731
    assert len(told()) == 3
    assert told(subject="ada") == [("Ada", "KNOWS", "Bo"), ("Ada", "LIKES", "Bo")]
    assert told(object="Ada") == [("Bo", "KNOWS", "Ada")]
    assert told(relation="knows", subject="Ada") == [("Ada", "KNOWS", "Bo")]
    assert told(relation="met") == []
    assert told(relation="met", include_closed=True) == [("Ada", "MET", "Cy")]
    assert told(as_of=at(2018, 6)) == [("Ada", "MET", "Cy")]
    assert told(limit=1, include_closed=True) == [("Ada", "MET", "Cy")]
    assert told(known_at=clock.now - DAY) == []
    fact = mem.facts(subject="Bo")[0]
    assert (fact.valid_from, fact.memory_id) == (at(2021), memory)
    assert mem.facts(subject="Ada", relation="KNOWS")[0].confidence == 0.5
    assert fact.subject_id == mem.entity_get("Bo").id
    with pytest.raises(NotFound, match="subject: there is no entity 'Zoe' in lab"):
        mem.facts(subject="Zoe")
    with pytest.raises(NotFound, match="memory_id"):
        mem.assert_fact("Ada", "KNOWS", "Bo", memory_id=fact.id)


def test_many_facts_are_stated_all_or_none(mem: Treering, store: Store) -> None:
    with pytest.raises(InvalidRequest):
        mem.assert_facts([["Ada", "KNOWS", "Bo"], ["Ada", "?", "Bo"]])
    with pytest.raises(NotFound):
        mem.assert_facts([["Ada", "KNOWS", "Bo"], {"subject": "A", "relation": "R", "object": "B", "memory_id": "x"}])
    assert store.head("lab").seq == 0


# entities


def test_registering_again_reuses_the_entity_and_adds_only_new_aliases(mem: Treering, store: Store) -> None:
    first = mem.entity_register("Ada Lovelace", aliases=["Ada"], kind="person")
    assert (first.created, first.kind, first.aliases, first.aliases_added) == (True, "person", ("Ada",), ("Ada",))
    again = mem.entity_register(" ADA  lovelace", aliases=["ada", "Countess", "Ada Lovelace"], kind="place")
    assert (again.entity_id, again.created, again.name, again.kind) == (
        first.entity_id,
        False,
        "Ada Lovelace",
        "person",
    )
    assert (again.aliases, again.aliases_added) == (("Ada", "Countess"), ("Countess",))
    head = store.head("lab")
    assert mem.entity_register("Ada Lovelace", aliases=["COUNTESS"]).aliases_added == ()
    assert store.head("lab") == head
    assert mem.entity_get("countess").aliases == ("Ada", "Countess")


def test_a_name_that_titles_a_memory_is_not_taken_for_an_entity(mem: Treering) -> None:
    mem.add("Something", title="Roadmap")
    with pytest.raises(Conflict, match=r"^name: a memory in this space is titled 'Roadmap'; register the entity under"):
        mem.entity_register("Roadmap")
    assert mem.status().entities == 0


def test_of_several_with_an_alias_the_newest_answers(mem: Treering, clock: HandClock) -> None:
    mem.entity_register("Robert", aliases=["Bob"])
    clock.advance(hours=1)
    newer = mem.entity_register("Bobby", aliases=["bob"]).entity_id
    assert mem.entity_get("BOB").id == newer
    assert mem.entity_get("Bob", known_at=clock.now - timedelta(minutes=1)).name == "Robert"
    with pytest.raises(NotFound, match="alias: there is no entity 'Zoe' in lab; check the id"):
        mem.entity_get("Zoe")


def test_an_entity_known_from_a_memory_becomes_the_spaces_own_when_registered(mem: Treering) -> None:
    memory = mem.add("Ada is here", entities=["Ada"]).id
    assert mem.entity_get("Ada").memory_id == memory
    told = mem.entity_register("Ada", aliases=["Countess"])
    assert told.created is False
    assert mem.entity_get("Ada").memory_id is None
    mem.purge(memory, "asked to")
    assert mem.entity_get("countess").name == "Ada"


def test_a_merge_is_made_once_and_a_split_undoes_it(mem: Treering, store: Store) -> None:
    bob, robert = mem.entity_register("Bob").entity_id, mem.entity_register("Robert").entity_id
    told = mem.entity_merge("Bob", "Robert", why="same")
    assert (told.entity_id, told.into_id, told.changed) == (bob, robert, True)
    assert mem.entity_merge(bob, robert).changed is False
    with pytest.raises(InvalidRequest, match="are the same entity already"):
        mem.entity_merge("Robert", "robert")
    assert mem.entity_split(bob).changed is True
    assert mem.entity_split(bob).changed is False
    with pytest.raises(NotFound, match="entity_id: there is no entity 'Zoe'"):
        mem.entity_split("Zoe")
    with pytest.raises(NotFound, match="into: there is no entity 'Zoe'"):
        mem.entity_merge("Bob", "Zoe")
    assert mem.entity_get("Bob").id == bob


def test_a_name_that_was_merged_away_leads_to_what_took_it_in(mem: Treering) -> None:
    mem.entity_register("Bob")
    robert = mem.entity_register("Robert").entity_id
    mem.entity_merge("Bob", "Robert")
    assert mem.add("Bob is here", entities=["Bob"]).entities[0].id == robert
    again = mem.entity_register("Bob", aliases=["Bobby"])
    assert (again.entity_id, again.created) == (robert, False)
    assert mem.entity_get("bobby").id == robert
    assert mem.verify().ok


# history


def test_a_history_tells_what_happened_by_whom_and_why_in_order(doors: Doors, clock: HandClock) -> None:
    ann, bob = doors("ann", "bob")
    old = ann.add("Ada lives in Berlin", entities=["Ada"]).id
    clock.advance(hours=1)
    new = bob.revise(old, "Ada lives in Paris", why="moved").id
    clock.advance(hours=1)
    ann.forget(old, why="no longer needed")
    ann.restore(old)
    told = ann.history(old)
    assert (told.id, told.thing, told.state) == (old, "memory", "superseded")
    assert (told.supersedes, told.superseded_by) == ((), (new,))
    ada = ann.entity_get("Ada").id
    assert [(event.seq, event.actor, event.op, event.what, event.why) for event in told.events] == [
        (1, "ann", "add", "remembered", None),
        (1, "ann", "add", "about_entity → Ada from 2026-01-01T12:00:00Z", None),
        (2, "bob", "revise", "supersedes ← “Ada lives in Paris” from 2026-01-01T13:00:00Z", "moved"),
        (3, "ann", "forget", "forgotten", "no longer needed"),
        (4, "ann", "restore", "no longer forgotten", None),
    ]
    assert [event.about for event in told.events] == [(), (ada,), (new,), (), ()]
    assert told.events[0].evidence == ann.get(old).source_id
    assert len(ann.history(old, known_at=told.events[2].at).events) == 3
    entity = ann.history(ada)
    assert (entity.thing, entity.state, entity.events[0].what) == ("entity", None, "entity 'Ada' made")
    with pytest.raises(NotFound, match="id: there is no memory, entity or edge 'x' in lab"):
        ann.history("x")
    json.dumps(told.to_dict())


def test_the_history_of_an_entity_tells_its_names_merges_and_splits(mem: Treering) -> None:
    bob = mem.entity_register("Bob", aliases=["B"]).entity_id
    mem.entity_register("Bob", aliases=["Bobby"])
    rob = mem.entity_register("Rob").entity_id
    mem.entity_merge(bob, rob, why="same")
    mem.entity_split(bob, why="not the same")
    assert [(event.what, event.why) for event in mem.history(bob).events] == [
        ("entity 'Bob' made", None),
        ("also called 'Bobby'", None),
        ("merged into Rob", "same"),
        ("split from Rob", "not the same"),
    ]


# export and import


def test_an_export_comes_in_under_the_same_or_another_name_once(
    mem: Treering, store: Store, clock: HandClock, new_store: Callable[[str], Store], tmp_path: Path, store_url: str
) -> None:
    write_a_life(mem, clock)
    path = str(tmp_path / "out.jsonl")
    exported = mem.export(path)
    assert (exported.spaces, exported.entries) == (("lab",), store.head("lab").seq)
    other = Treering(new_store("memory"), clock=clock, actor="ann")
    told = other.import_journal(path)
    assert (told.spaces, told.added, told.skipped) == (("lab",), exported.entries, 0)
    assert other.import_journal(path).added == 0
    renamed = other.import_journal(path, space="copy/of")
    assert (renamed.spaces, renamed.added) == (("copy/of",), exported.entries)
    assert other.import_journal(path, space="copy/of").skipped == exported.entries
    assert other.verify().ok
    there = everything(other._store, Scope("copy/of", clock.now, principal="ann"))
    here = everything(store, Scope("lab", clock.now, principal="ann"))
    assert [replace(one, space="lab") for one in there["all"]] == here["all"]
    assert [replace(one, space="lab") for one in there["edges"]] == here["edges"]
    with pytest.raises(Conflict, match="never overwrites"):
        mem.export(path)


def test_an_export_of_one_space_holds_no_other_and_several_keep_their_names(
    doors: Doors, tmp_path: Path, new_store: Callable[[str], Store]
) -> None:
    for space in ("one", "two"):
        doors("ann", space=space).add(f"In {space}")
    mem = doors("ann")
    mem.export(str(tmp_path / "one.jsonl"), space="one")
    assert "In two" not in (tmp_path / "one.jsonl").read_text()
    mem.export(str(tmp_path / "all.jsonl"))
    other = Treering(new_store("memory"))
    with pytest.raises(InvalidRequest, match=r"holds several spaces \(one, two\); leave it out"):
        other.import_journal(str(tmp_path / "all.jsonl"), space="new")
    assert other.spaces() == []
    other.import_journal(str(tmp_path / "all.jsonl"))
    assert [one.name for one in other.spaces()] == ["one", "two"]


def test_a_file_with_a_wrong_line_is_refused_whole_and_says_where(
    mem: Treering, tmp_path: Path, new_store: Callable[[str], Store]
) -> None:
    for n in range(3):
        mem.add(f"Item {n}")
    path = tmp_path / "out.jsonl"
    mem.export(str(path))
    lines = path.read_text().splitlines()
    other = Treering(new_store("memory"))
    for wrong, error, words in (
        ("Dear diary", InvalidRequest, r"wrong\.jsonl, line 2: is not a journal entry"),
        ("{}", InvalidRequest, r"wrong\.jsonl, line 2: is not a journal entry"),
        (lines[1].replace('"seq":2', '"seq":"2"'), InvalidRequest, "line 2"),
        (lines[1].replace("Item 1", "Item 7"), Conflict, "entry 2 cannot be taken over: payload_hash does not match"),
        (lines[2], Conflict, "seq is 3 where 2 must follow"),
    ):
        (tmp_path / "wrong.jsonl").write_text("\n".join([lines[0], wrong, lines[2]]))
        with pytest.raises(error, match=words):
            other.import_journal(str(tmp_path / "wrong.jsonl"))
        assert other.spaces() == []
    (tmp_path / "blank.jsonl").write_text("\n\n".join(lines) + "\n\n")
    assert other.import_journal(str(tmp_path / "blank.jsonl")).added == 3
    (tmp_path / "latin.jsonl").write_bytes(b"\xff\xfe")
    with pytest.raises(InvalidRequest, match="is not UTF-8 text"):
        other.import_journal(str(tmp_path / "latin.jsonl"))
    with pytest.raises(InvalidRequest, match="cannot be read"):
        other.import_journal(str(tmp_path / "missing.jsonl"))


# what is refused, and how it is said


@pytest.mark.parametrize(
    ("call", "error", "words"),
    [
        (lambda mem: mem.add("x", importance=7), InvalidRequest, r"importance: .*less than or equal to 1, not 7"),
        (lambda mem: mem.add("x", kind="event"), InvalidRequest, r"kind: 'event' is not one of episode, semantic"),
        (
            lambda mem: mem.add("x", at="yesterday"),
            InvalidRequest,
            r"at: 'yesterday' is not an ISO 8601 time; write it",
        ),
        (lambda mem: mem.add("x", event_time="2026-01-01T10:00"), InvalidRequest, r"event_time: .*has no time zone"),
        (lambda mem: mem.add("x" * 50_001), LimitExceeded, r"content: .*50000"),
        (lambda mem: mem.add("x", colour="red"), InvalidRequest, r"colour: add has no such parameter; there are"),
        (lambda mem: mem.add("x", tag=["a"]), InvalidRequest, r"tag: add has no such parameter; did you mean tags\?"),
        (lambda mem: mem.add(), InvalidRequest, r"content: "),
        (lambda mem: mem.add("x", space="My Space"), InvalidRequest, r"space: 'My Space' has the segment 'My Space'"),
        (
            lambda mem: mem.add("x", visibility="secret"),
            InvalidRequest,
            r"visibility: 'secret' is not one of space, private",
        ),
        (lambda mem: mem.add("x", visible_to=["bob"]), InvalidRequest, r"visible_to: .*set visibility to private"),
        (lambda mem: mem.add("x", event_end=at(2020)), InvalidRequest, r"event_end: needs an event_time"),
        (lambda mem: mem.add("x", entities=[7]), InvalidRequest, r"entities: 7 is neither a name nor an object"),
        (lambda mem: mem.add("x", triples=[["A", "B"]]), InvalidRequest, r"\['A', 'B'\] is not a fact; write \["),
        (lambda mem: mem.list(limit=0), InvalidRequest, r"limit: .*greater than or equal to 1, not 0"),
        (lambda mem: mem.list(cursor="nonsense"), InvalidRequest, r"cursor: 'nonsense' is not one that a page gave"),
        (
            lambda mem: mem.list(view="everything"),
            InvalidRequest,
            r"view: 'everything' is not one of current, history, all",
        ),
        (lambda mem: mem.list(order="random"), InvalidRequest, r"order: .*'oldest' or 'newest'"),
        (lambda mem: mem.get("nothing"), NotFound, r"id: there is no memory 'nothing' in an empty space; check the id"),
        (lambda mem: mem.get(""), InvalidRequest, r"id: "),
        (lambda mem: mem.purge("x"), InvalidRequest, r"why: "),
        (lambda mem: mem.assert_fact("A", "größer", "B"), InvalidRequest, r"relation: 'größer' cannot be written as"),
        (lambda mem: mem.list("x", "y", *["z"] * 99), InvalidRequest, r"list: takes at most \d+ arguments"),
        (lambda mem: mem.add("x", content="y"), InvalidRequest, r"add: content was given twice"),
    ],
)
def test_bad_input_is_refused_with_field_value_and_the_way_to_mend_it(
    mem: Treering, call: Callable[[Any], Any], error: type[Exception], words: str
) -> None:
    with pytest.raises(error, match=words):
        call(mem)
    assert mem.spaces() == []


def test_a_door_bound_to_a_space_is_the_same_door_elsewhere(mem: Treering) -> None:
    other = mem.space("other")
    other.add("There")
    assert (len(mem.list()), len(other.list()), len(mem.list(space="other"))) == (0, 1, 1)
    assert "space='other'" in repr(other)
    assert other.status().space == "other"
    with pytest.raises(InvalidRequest):
        mem.space("Not A Space")
    with pytest.raises((InvalidRequest, LimitExceeded)):
        Treering(mem._store, actor="")


def test_the_clock_is_read_once_an_operation_and_must_be_aware(store: Store) -> None:
    readings: list[datetime] = []

    def clock() -> datetime:
        readings.append(at(2026) + len(readings) * DAY)
        return readings[-1]

    mem = Treering(store, clock=clock, actor="ann", space="lab")
    receipt = mem.add("One", triples=[["A", "KNOWS", "B"]])
    assert len(readings) == 1
    memory = mem.get(receipt.id)
    assert len(readings) == 2
    assert memory.said_at == memory.recorded_at == receipt.at == readings[0]
    naive = Treering(store, clock=lambda: datetime(2026, 1, 1), space="lab")  # noqa: DTZ001
    with pytest.raises(InvalidRequest, match=r"clock: .*has no time zone"):
        naive.list()


def test_a_status_counts_what_there_is_and_says_where(mem: Treering, store: Store, clock: HandClock) -> None:
    write_a_life(mem, clock)
    status = mem.status()
    head = store.head("lab")
    assert (status.space, status.seq, status.changed_at, status.head_hash) == ("lab", head.seq, head.at, head.hash)
    assert status.memories == {
        "forgotten": 1, "expired": 1, "superseded": 1, "archived": 0, "promoted": 0, "active": 3,
    }  # fmt: skip
    assert status.spaces == 1
    assert sum(mem.status(known_at=head.at - 90 * DAY).memories.values()) == 0
    json.dumps(status.to_dict())
