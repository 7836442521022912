"""A fact that two memories tell holds while one of them stays; what a memory ended holds again when it goes, and is
ended again when it comes back. Lists and facts agree all the way.

The statements come as drafts with their facts, so that nothing here hangs on how a sentence is read.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.conftest import HandClock
from tests.ingest.telling import claim, lives, works

import treering
from treering import Treering
from treering.upkeep.forget import Forgetting

FIRST, SECOND = "Ana works at Acme.", "Ana is still at Acme."
NO_LONGER = "Ana no longer works at Acme."
STATED = {
    FIRST: works("Ana", "Acme"),
    SECOND: works("Ana", "Acme"),
    "Ana is working at Acme.": works("Ana", "Acme"),
    NO_LONGER: claim("Ana", "WORKS_FOR", "Acme", stance="ends"),
    "Ana lives in Oslo.": lives("Ana", "Oslo"),
    "Ana lives in Rome now.": lives("Ana", "Rome"),
    "Ana is living in Rome with her cat.": lives("Ana", "Rome"),
    "I live in Oslo.": lives("User", "Oslo"),
    "I live in Rome.": lives("User", "Rome"),
    "I live in Nice.": lives("User", "Nice"),
}
"""What each sentence states."""
CHANGES = ("Ana lives in Rome now.", NO_LONGER)
WAYS = ["forget", "purge", "undo"]


@pytest.fixture
def mem() -> Iterator[Treering]:
    with treering.open(":memory:", space="me", actor="ann", embedder="none") as opened:
        yield opened


def drawn(text: str) -> list[dict[str, Any]]:
    """The sentence with its fact, as an agent hands it in."""
    return [{"content": text, "triples": [STATED[text]], "cue": "change" if text in CHANGES else None}]


def tell(mem: Treering, *texts: str) -> list[tuple[str, int]]:
    """The memory and the entry of each."""
    told = [mem.remember(drafts=drawn(text)) for text in texts]
    return [(one.memories[0].id, one.seq) for one in told]


def let_go(mem: Treering, how: str, told: tuple[str, int]) -> None:
    memory_id, seq = told
    if how == "forget":
        mem.forget(memory_id)
    elif how == "purge":
        mem.purge(memory_id, "wrong")
    else:
        mem.undo(str(seq))


def facts(mem: Treering) -> list[tuple[str, str]]:
    return sorted((one.relation, one.object) for one in mem.facts())


def contents(mem: Treering) -> list[str]:
    return sorted(one.content for one in mem.list())


@pytest.mark.parametrize("how", WAYS)
def test_a_fact_told_twice_stands_on_the_second_when_the_first_goes(mem: Treering, how: str) -> None:
    first, second = tell(mem, FIRST, SECOND)
    let_go(mem, how, first)
    (fact,) = mem.facts()
    assert (fact.object, fact.memory_id) == ("Acme", second[0])
    assert contents(mem) == [SECOND]
    assert mem.verify().ok
    let_go(mem, how, second)
    assert facts(mem) == []


@pytest.mark.parametrize("how", WAYS)
def test_when_the_second_goes_the_first_is_enough(mem: Treering, how: str) -> None:
    first, second = tell(mem, FIRST, SECOND)
    let_go(mem, how, second)
    (fact,) = mem.facts()
    assert fact.memory_id == first[0]
    let_go(mem, how, first)
    assert facts(mem) == []
    assert mem.verify().ok


@pytest.mark.parametrize("how", WAYS)
def test_of_three_that_tell_it_the_last_is_enough(mem: Treering, how: str) -> None:
    told = tell(mem, FIRST, SECOND, "Ana is working at Acme.")
    for one in told[:2]:
        let_go(mem, how, one)
    (fact,) = mem.facts()
    assert fact.memory_id == told[2][0]
    assert mem.verify().ok


def test_how_it_came_is_told(mem: Treering) -> None:
    first, second = tell(mem, FIRST, SECOND)
    before = mem.facts()[0].id
    kinds = [(one.type, one.evidence) for one in mem.timeline("Ana") if one.edge_id == before]
    assert kinds == [("edge_added", first[0]), ("edge_repeated", second[0])]
    mem.forget(first[0])
    (now,) = mem.facts()
    told = [one for one in mem.timeline("Ana") if one.edge_id == now.id]
    assert [(one.rule, one.why) for one in told] == [("told again", "what told it first was forgotten")]


@pytest.mark.parametrize("back", ["restore", "undo"])
def test_what_comes_back_is_told_once(mem: Treering, back: str) -> None:
    first, _ = tell(mem, FIRST, SECOND)
    mem.forget(first[0])
    if back == "restore":
        mem.restore(first[0])
    else:
        mem.undo(str(mem.journal().lines[0].seq))
    (fact,) = mem.facts()
    assert fact.memory_id == first[0]
    mem.undo(str(mem.journal().lines[0].seq))
    assert facts(mem) == [("WORKS_FOR", "Acme")]
    assert mem.verify().ok


@pytest.mark.parametrize("how", WAYS)
def test_what_it_had_ended_is_not_open_again_while_another_tells_the_same(mem: Treering, how: str) -> None:
    """Oslo, Rome, Rome: with the first Rome gone it is still Rome."""
    _, second, third = tell(mem, "Ana lives in Oslo.", "Ana lives in Rome now.", "Ana is living in Rome with her cat.")
    assert [one.object for one in mem.facts(relation="LIVES_IN")] == ["Rome"]
    let_go(mem, how, second)
    (fact,) = mem.facts(relation="LIVES_IN")
    assert (fact.object, fact.memory_id) == ("Rome", third[0])
    assert [one for one in contents(mem) if "Oslo" in one] == []
    before = next(one for one in mem.facts(relation="LIVES_IN", include_closed=True) if one.object == "Oslo")
    assert before.valid_until == fact.valid_from
    assert mem.verify().ok


@pytest.mark.parametrize("how", WAYS)
def test_what_a_memory_ended_holds_again_when_it_goes(mem: Treering, how: str) -> None:
    _, second = tell(mem, "I live in Oslo.", "I live in Rome.")
    let_go(mem, how, second)
    assert (facts(mem), contents(mem)) == ([("LIVES_IN", "Oslo")], ["I live in Oslo."])
    assert mem.verify().ok


@pytest.mark.parametrize("how", WAYS)
def test_what_was_only_ended_holds_again(mem: Treering, how: str) -> None:
    _, second = tell(mem, FIRST, NO_LONGER)
    assert facts(mem) == []
    let_go(mem, how, second)
    assert facts(mem) == [("WORKS_FOR", "Acme")]
    assert mem.verify().ok


def test_what_comes_back_ends_it_again(mem: Treering) -> None:
    _, second = tell(mem, "I live in Oslo.", "I live in Rome.")
    mem.forget(second[0])
    mem.restore(second[0])
    assert (facts(mem), contents(mem)) == ([("LIVES_IN", "Rome")], ["I live in Rome."])
    mem.forget(second[0])
    assert facts(mem) == [("LIVES_IN", "Oslo")]
    assert mem.verify().ok


def test_what_had_ended_ends_for_who_tells_it_too_and_is_told_once_when_the_first_is_back(mem: Treering) -> None:
    first, second, _ = tell(mem, FIRST, SECOND, NO_LONGER)
    before = mem.facts(include_closed=True)
    mem.forget(first[0])
    (over,) = mem.facts(include_closed=True)
    assert (over.memory_id, over.valid_until) == (second[0], before[0].valid_until)
    mem.restore(first[0])
    assert mem.facts(include_closed=True) == before
    assert mem.verify().ok


def test_an_end_that_somebody_else_set_since_stays(mem: Treering) -> None:
    """What comes back ends nothing later than it ends by now."""
    _, second = tell(mem, "I live in Oslo.", "I live in Rome.")
    mem.forget(second[0])
    tell(mem, "I live in Nice.")
    mem.restore(second[0])
    assert facts(mem)[0] in [("LIVES_IN", "Nice"), ("LIVES_IN", "Rome")]
    oslo = next(one for one in mem.facts(include_closed=True) if one.object == "Oslo")
    assert oslo.valid_until is not None
    assert mem.verify().ok


@pytest.fixture
def later(clock: HandClock) -> Iterator[Treering]:
    with treering.open(":memory:", space="me", actor="ann", embedder="none", clock=clock) as opened:
        yield opened


def test_what_was_over_before_it_was_told_again_is_not_told_anew(later: Treering, clock: HandClock) -> None:
    (first,) = tell(later, FIRST)
    over = clock.advance(days=5)
    clock.advance(days=5)
    tell(later, SECOND)
    later.invalidate("Ana", "Acme", "WORKS_FOR", at=over)
    later.forget(first[0])
    assert later.facts(include_closed=True) == []
    assert later.verify().ok


def test_what_comes_back_moves_no_end_to_a_later_time(later: Treering, clock: HandClock) -> None:
    tell(later, "Ana lives in Oslo.")
    left = clock.advance(days=5)
    clock.advance(days=5)
    (rome,) = tell(later, "Ana lives in Rome now.")
    later.forget(rome[0])
    later.invalidate("Ana", "Oslo", "LIVES_IN", at=left)
    later.restore(rome[0])
    oslo = next(one for one in later.facts(include_closed=True) if one.object == "Oslo")
    assert oslo.valid_until == left
    assert later.verify().ok


def test_what_is_forgotten_by_review_goes_as_by_hand(mem: Treering) -> None:
    first, second = tell(mem, FIRST, SECOND)
    item = mem.review_create("decay", "forget", memory_ids=[first[0]], proposal={"op": "forget"})
    mem.review_apply(item.id)
    assert [one.memory_id for one in mem.facts()] == [second[0]]


def test_a_forgetting_that_was_undone_can_be_done_again(mem: Treering) -> None:
    _, second = tell(mem, "I live in Oslo.", "I live in Rome.")
    mem.forget(second[0])
    for held in ("Rome", "Oslo", "Rome"):
        mem.undo(str(mem.journal().lines[0].seq))
        assert facts(mem) == [("LIVES_IN", held)]
    assert mem.verify().ok


def test_a_dry_run_changes_nothing_of_it(mem: Treering) -> None:
    first, _ = tell(mem, FIRST, SECOND)
    assert mem.forget(first[0], dry_run=True).dry_run
    assert mem.facts()[0].memory_id == first[0]


def test_what_a_question_finds_goes_together(mem: Treering) -> None:
    """Neither of the two takes the other's place when both go."""
    tell(mem, FIRST, SECOND)
    found = mem.forget(query="Ana Acme")
    assert isinstance(found, Forgetting)
    assert len(found.matches) == 2
    mem.forget(query="Ana Acme", confirm=found.token)
    assert facts(mem) == []


def test_who_may_not_see_the_second_telling_sees_the_fact_no_more(tmp_path: Path) -> None:
    path = str(tmp_path / "two.db")
    with treering.open(path, space="me", actor="ann", embedder="none") as ann:
        first = ann.remember(drafts=drawn(FIRST)).memories[0].id
        ann.remember(drafts=drawn(SECOND), visibility="private")
        ann.forget(first)
        assert [one.object for one in ann.facts()] == ["Acme"]
        with treering.open(path, space="me", actor="bob", embedder="none") as bob:
            assert bob.facts() == []
        assert ann.verify().ok


def test_nothing_of_the_purged_is_left(mem: Treering) -> None:
    first, second = tell(mem, FIRST, SECOND)
    for one in (second, first):
        report = mem.purge(one[0], "wrong")
        assert report.remains == ()
    assert facts(mem) == []
    assert mem.verify().ok


def test_another_store_learns_who_else_tells_it(tmp_path: Path) -> None:
    meet = tmp_path / "meet"
    meet.mkdir()
    doors = [treering.open(str(tmp_path / f"{name}.db"), actor=name, embedder="none") for name in ("here", "there")]
    here, there = doors
    first, second = tell(here, FIRST, SECOND)
    for door in (here, there):
        door.sync(str(meet))
    there.forget(first[0])
    assert [one.memory_id for one in there.facts()] == [second[0]]
    there.sync(str(meet))
    here.sync(str(meet))
    assert [one.id for one in here.facts()] == [one.id for one in there.facts()]
    for door in doors:
        assert door.verify().ok
        door.close()
