"""What does the door tell of itself and of what happened? Histories, a status, exports that come in elsewhere, and what
it refuses, with the value and the way to mend it."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest
from tests.conftest import Doors, HandClock, everything, write_a_life
from tests.contract.spans import DAY, at

from treering.door import Treering
from treering.errors import Conflict, InvalidRequest, LimitExceeded, NotFound
from treering.store.contract import Scope, Store


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
        (1, "ann", "add", "mentions Ada from 2026-01-01T12:00:00Z", None),
        (2, "bob", "revise", "was replaced by “Ada lives in Paris” from 2026-01-01T13:00:00Z", "moved"),
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
