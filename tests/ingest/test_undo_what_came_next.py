"""An undo of an older write: what came after stays, and what had made way makes way for it."""

from __future__ import annotations

from tests.conftest import Doors, HandClock
from tests.ingest.telling import current, lives, objects, tell, windows

from treering.door import Treering
from treering.ingest.receipt import Receipt


def test_an_undo_of_an_older_write_leaves_what_came_after(mem: Treering, clock: HandClock) -> None:
    tell(mem, "User lives in Oslo", lives("User", "Oslo", "2019"))
    clock.advance(days=1)
    rome = tell(mem, "User lives in Rome", lives("User", "Rome", "2021"))
    clock.advance(days=1)
    tell(mem, "User lives in Nice", lives("User", "Nice", "2023"))
    mem.undo(str(rome.seq))
    assert "Nice" in objects(mem, "User", "LIVES_IN")
    assert "User lives in Nice" in current(mem)
    assert [what for what, *_ in windows(mem, "User", "LIVES_IN")] == ["Oslo", "Nice"]


def moved_twice(mem: Treering, clock: HandClock) -> list[Receipt]:
    receipts = []
    for place, year in (("Oslo", "2019"), ("Rome", "2021"), ("Nice", "2023")):
        cue = {} if place == "Oslo" else {"cue": "change"}
        receipts.append(tell(mem, f"User lives in {place}", lives("User", place, year), **cue))
        clock.advance(days=1)
    return receipts


def test_what_made_way_for_something_undone_makes_way_for_what_came_next(mem: Treering, clock: HandClock) -> None:
    oslo, rome, nice = moved_twice(mem, clock)
    undone = mem.undo(str(rome.seq))
    assert windows(mem, "User", "LIVES_IN") == [("Oslo", "2019-01-01", "2023-01-01"), ("Nice", "2023-01-01", None)]
    assert current(mem) == ["User lives in Nice"]
    [fact] = mem.facts(subject="User", as_of="2022-01-01")
    assert (undone.closed, undone.reopened) == ((fact.id,), (fact.id,))
    last = mem.history(fact.id).events[-1]
    assert (last.rule, last.evidence, last.why) == (
        "next in line",
        nice.memories[0].id,
        "what stood between them was undone",
    )
    assert mem.get(oslo.memories[0].id).superseded_by == nice.memories[0].id
    assert objects(mem, "User", "LIVES_IN", known_at=nice.at, as_of="2022-01-01") == {"Rome"}
    assert mem.undo(str(rome.seq)).changed is False
    found = mem.verify()
    assert found.ok, found.differences


def test_what_came_next_may_be_undone_as_well_before_or_after(mem: Treering, clock: HandClock) -> None:
    _, rome, nice = moved_twice(mem, clock)
    mem.undo(str(rome.seq))
    clock.advance(days=1)
    mem.undo(str(nice.seq))
    assert windows(mem, "User", "LIVES_IN") == [("Oslo", "2019-01-01", None)]
    assert current(mem) == ["User lives in Oslo"]


def test_what_stands_between_is_undone_one_after_the_other(mem: Treering, clock: HandClock) -> None:
    _, rome, nice = moved_twice(mem, clock)
    tell(mem, "User lives in Bern", lives("User", "Bern", "2024"), cue="change")
    clock.advance(days=1)
    mem.undo(str(rome.seq))
    clock.advance(days=1)
    mem.undo(str(nice.seq))
    assert windows(mem, "User", "LIVES_IN") == [("Oslo", "2019-01-01", "2024-01-01"), ("Bern", "2024-01-01", None)]
    assert current(mem) == ["User lives in Bern"]


def test_facts_stated_without_a_memory_make_way_for_what_came_next_too(mem: Treering, clock: HandClock) -> None:
    seqs = []
    for place, year in (("Oslo", 2019), ("Rome", 2021), ("Nice", 2023)):
        mem.assert_fact("Ada", "LIVES_IN", place, valid_from=f"{year}-01-01", supersede=True)
        seqs.append(str(mem.status().seq))
        clock.advance(days=1)
    mem.undo(seqs[1])
    assert windows(mem, "Ada", "LIVES_IN") == [("Oslo", "2019-01-01", "2023-01-01"), ("Nice", "2023-01-01", None)]
    assert mem.undo(seqs[1]).changed is False
    mem.undo(seqs[2])
    assert windows(mem, "Ada", "LIVES_IN") == [("Oslo", "2019-01-01", None)]


def test_what_came_next_in_private_ends_nothing_for_others(doors: Doors, clock: HandClock) -> None:
    ann, bob = doors("ann", "bob")
    tell(ann, "User lives in Oslo", lives("User", "Oslo", "2019"))
    rome = tell(ann, "User lives in Rome", lives("User", "Rome", "2021"), cue="change")
    clock.advance(days=1)
    tell(ann, "User lives in Nice", lives("User", "Nice", "2023"), cue="change", call={"visibility": "private"})
    clock.advance(days=1)
    ann.undo(str(rome.seq))
    assert objects(bob, "User", "LIVES_IN") == {"Oslo"}
    assert objects(ann, "User", "LIVES_IN") == {"Oslo", "Nice"}
