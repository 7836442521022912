"""What becomes of what is added? All that was given is kept, names and facts with it; the same key writes once, a dry
run not at all, and a revision keeps what it does not say otherwise."""

from __future__ import annotations

from collections.abc import Callable
from copy import copy
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from tests.conftest import HandClock, contents, everything, write_a_life
from tests.contract.spans import DAY, at
from tests.ingest.test_judged import Fixed

from treering.door import OPERATIONS, Treering
from treering.errors import Conflict, InvalidRequest, NotFound
from treering.mind.judging import Verdict
from treering.store.contract import Scope, Store


def test_add_keeps_everything_it_is_given(mem: Treering, clock: HandClock) -> None:
    given: dict[str, Any] = {
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
    given["meta"] = {**given["meta"], "written_by": "ann"}  # whoever it is said to have been observed by
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
        "hold": lambda dry: mem.hold("case", told.home, dry_run=dry),
        "release": lambda dry: mem.release("case", told.home, dry_run=dry),
        "retain": lambda dry: mem.retain(dry_run=dry),
        "archive": lambda dry: mem.archive(told.home, dry_run=dry),
        "run_agent": lambda dry: mem.run_agent("promote", space="empty", dry_run=dry),
        "run_pipeline": lambda dry: mem.run_pipeline(space="empty", dry_run=dry),
        "relate_again": lambda dry: judging(mem).relate_again(dry_run=dry),
        "auto_recall": lambda dry: mem.auto_recall("What about the home of Ada?", dry_run=dry),
        "entity_gather": lambda dry: mem.entity_gather("Ada", dry_run=dry),
        "import_memories": lambda dry: mem.import_memories(
            records={"memories": [{"id": "m1", "content": "From elsewhere"}]}, system="ai-memory", dry_run=dry
        ),
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


def judging(mem: Treering) -> Treering:
    """The same, with somebody who judges."""
    judged = copy(mem)
    judged._opens_judge = lambda _: Fixed(Verdict.REPLACES, 0.97)
    return judged


def shape(value: Any) -> Any:
    """The same without what can only be known by doing it: ids, places and times of the write."""
    if isinstance(value, dict):
        unknown = (
            "id",
            "seq",
            "at",
            "scrubbed",
            "probed",
            "valid_from",
            "source_id",
            "milliseconds",
            "entries",
            "dry_run",
        )
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
    mem.revise(new, "Ada lives in Paris, alone", triples=[["Ada", "LIVES_IN", "Paris"]])
    assert {fact.object for fact in mem.facts()} == {"Paris"}
