"""What was written before is judged again: what is sure makes way, what is in doubt is put to somebody."""

from __future__ import annotations

import pytest
from tests.conftest import HandClock
from tests.ingest.test_judged import Fixed
from tests.recall.hashing import Hashing

import treering
from treering import Treering
from treering.errors import InvalidRequest, NotFound
from treering.mind.judging import Verdict
from treering.model.memory import State

CODES = ("The gate code is 4411 this year", "The gate code is 9053 this year", "The gate code is 7120 this year")


def written(clock: HandClock, tmp_path: object, judge: Fixed, texts: tuple[str, ...] = CODES) -> Treering:
    """By nobody who judges; opened again with a judge."""
    place = f"{tmp_path}/store.db"
    with treering.open(place, clock=clock, embedder=Hashing(), judge="none", extractor="none") as mem:
        for number, text in enumerate(texts):
            clock.advance(days=1)
            mem.remember(text, session=str(number))
    return treering.open(place, clock=clock, embedder=Hashing(), judge=judge, extractor="none")


def states(mem: Treering) -> list[State]:
    return [one.state for one in sorted(mem.list(view="history"), key=lambda one: one.recorded_at)]


def test_what_is_sure_makes_way_and_is_undone(clock: HandClock, tmp_path: object) -> None:
    mem = written(clock, tmp_path, Fixed(Verdict.REPLACES, 0.97))
    told = mem.relate_again()
    assert told.memories == 3
    assert states(mem) == [State.SUPERSEDED, State.SUPERSEDED, State.ACTIVE]
    assert {one.why for one in told.superseded} == {"judged to replace it, 0.97, by fixed"}
    for one in told.superseded:
        mem.undo(str(one.seq))
    assert states(mem) == [State.ACTIVE] * 3


def test_a_dry_run_tells_and_writes_nothing(clock: HandClock, tmp_path: object) -> None:
    mem = written(clock, tmp_path, Fixed(Verdict.REPLACES, 0.97))
    before = mem.status().seq
    told = mem.relate_again(dry_run=True)
    assert [one.older for one in told.superseded] == [CODES[0], CODES[1]]
    assert mem.status().seq == before
    assert told.superseded == mem.relate_again(dry_run=True).superseded


def test_what_is_in_doubt_is_put_to_somebody_once(clock: HandClock, tmp_path: object) -> None:
    mem = written(clock, tmp_path, Fixed(Verdict.ENDS, 0.7))
    assert len(mem.relate_again().proposed) == 3
    assert states(mem) == [State.ACTIVE] * 3
    assert len(mem.review_list()) == 3
    mem.relate_again()
    assert len(mem.review_list()) == 3


def test_what_is_decided_is_not_decided_again(clock: HandClock, tmp_path: object) -> None:
    mem = written(clock, tmp_path, Fixed(Verdict.REPLACES, 0.97))
    mem.relate_again()
    assert mem.relate_again().superseded == ()


def test_a_long_store_is_gone_through_in_parts(clock: HandClock, tmp_path: object) -> None:
    mem = written(clock, tmp_path, Fixed(Verdict.REPLACES, 0.97))
    first = mem.relate_again(limit=2)
    assert (first.memories, len(first.superseded)) == (2, 1)
    rest = mem.relate_again(since=first.next)
    assert [one.older for one in rest.superseded] == [CODES[1]]
    assert rest.next is None


def test_nothing_near_is_left_alone(clock: HandClock, tmp_path: object) -> None:
    judge = Fixed(Verdict.REPLACES, 0.97)
    mem = written(clock, tmp_path, judge, ("The gate code is 4411", "Zoe paints boats"))
    mem.relate_again()
    assert states(mem) == [State.ACTIVE] * 2
    assert judge.asked == []


def test_where_nobody_judges_the_packages_own_judge_does(clock: HandClock) -> None:
    mem = treering.open(":memory:", clock=clock, embedder=Hashing(), judge="none", extractor="none")
    for text in ("The staging server is up.", "The staging server is down."):
        clock.advance(days=1)
        mem.remember(text, session=text)
    told = mem.relate_again(dry_run=True)
    assert [one.older for one in (*told.superseded, *told.proposed)] == ["The staging server is up."]


def test_two_memories_are_compared_in_the_order_in_which_they_were_said(clock: HandClock, tmp_path: object) -> None:
    judge = Fixed(Verdict.REPLACES, 0.97)
    mem = written(clock, tmp_path, judge)
    first, second, _ = sorted(mem.list(), key=lambda one: one.recorded_at)
    for told in (mem.compare(first.id, second.id), mem.compare(second.id, first.id)):
        assert (told.older_id, told.newer_id, told.verdict, told.clash) == (first.id, second.id, Verdict.REPLACES, 0.97)
        assert told.by == "fixed"
    assert {(one.older, one.newer) for one in judge.asked[-2:]} == {(f"User: {CODES[0]}", f"User: {CODES[1]}")}
    assert states(mem) == [State.ACTIVE] * 3


def test_what_only_adds_is_no_clash(clock: HandClock, tmp_path: object) -> None:
    mem = written(clock, tmp_path, Fixed(Verdict.ADDS, 0.9))
    first, second, _ = mem.list()
    assert (mem.compare(first.id, second.id).verdict, mem.compare(first.id, second.id).clash) == (Verdict.ADDS, 0.0)


def test_a_memory_is_not_compared_with_itself_nor_with_nobodys(clock: HandClock, tmp_path: object) -> None:
    mem = written(clock, tmp_path, Fixed(Verdict.ADDS, 0.9))
    [one, *_] = mem.list()
    with pytest.raises(InvalidRequest, match="b: is the same memory as a"):
        mem.compare(one.id, one.id)
    with pytest.raises(NotFound, match="b: there is no memory"):
        mem.compare(one.id, "550e8400-e29b-41d4-a716-446655440000")
