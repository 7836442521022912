"""Oslo made way for Rome, and Rome for Nice: with Rome gone, however it goes, it is Nice that Oslo makes way for."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

import treering
from treering import Treering

ACTIVE, SUPERSEDED, FORGOTTEN = "active", "superseded", "forgotten"


@pytest.fixture
def mem() -> Iterator[Treering]:
    with treering.open(":memory:", space="me", embedder="none") as opened:
        yield opened


def states(mem: Treering) -> dict[str, str]:
    return {one.content.split()[-1]: one.state.value for one in mem.list(view="all").memories}


def told(mem: Treering, *places: str) -> list[str]:
    return [mem.remember(f"I live in {place}.").memories[0].id for place in places]


@pytest.mark.parametrize("how", ["forget", "purge", "undo"])
def test_the_first_makes_way_for_the_last_when_the_middle_goes(mem: Treering, how: str) -> None:
    told(mem, "Oslo")
    between = mem.remember("I live in Rome.")
    (last,) = told(mem, "Nice")
    if how == "forget":
        mem.forget(between.memories[0].id)
    elif how == "purge":
        mem.purge(between.memories[0].id, "wrong")
    else:
        mem.undo(str(between.seq))
    found = states(mem)
    assert (found["Oslo"], found["Nice"]) == (SUPERSEDED, ACTIVE)
    assert [fact.object for fact in mem.facts(relation="LIVES_IN")] == ["Nice"]
    first = next(one for one in mem.list(view="all").memories if "Oslo" in one.content)
    assert first.superseded_by == last
    assert mem.verify().ok


def test_what_made_way_for_nothing_that_stays_is_back(mem: Treering) -> None:
    _, _, last = told(mem, "Oslo", "Rome", "Nice")
    mem.forget(last)
    assert states(mem) == {"Oslo": SUPERSEDED, "Rome": ACTIVE, "Nice": FORGOTTEN}


def test_of_two_in_the_middle_that_go_one_by_one_the_place_is_handed_on_twice(mem: Treering) -> None:
    _, second, third, _ = told(mem, "Oslo", "Rome", "Nice", "Bern")
    mem.forget(third)
    mem.forget(second)
    assert states(mem) == {"Oslo": SUPERSEDED, "Rome": FORGOTTEN, "Nice": FORGOTTEN, "Bern": ACTIVE}


def test_what_comes_back_finds_its_place(mem: Treering) -> None:
    _, middle, _ = told(mem, "Oslo", "Rome", "Nice")
    mem.forget(middle)
    mem.restore(middle)
    assert states(mem) == {"Oslo": SUPERSEDED, "Rome": SUPERSEDED, "Nice": ACTIVE}


def test_a_revision_between_two_others_is_undone(mem: Treering) -> None:
    first = mem.add("The deploy script needs Python 3.9").id
    second = mem.revise(first, "The deploy script needs Python 3.10")
    third = mem.revise(second.memories[0].id, "The deploy script needs Python 3.11").memories[0].id
    mem.undo(str(second.seq))
    assert states(mem) == {"3.9": SUPERSEDED, "3.10": FORGOTTEN, "3.11": ACTIVE}
    found = mem.get(first)
    assert found is not None
    assert found.superseded_by == third
    assert mem.verify().ok


def test_what_only_its_author_may_see_takes_no_place_of_what_all_may_see(mem: Treering) -> None:
    first = mem.add("The deploy script needs Python 3.9").id
    second = mem.revise(first, "The deploy script needs Python 3.10").memories[0].id
    mem.add("The deploy script needs Python 3.11", visibility="private")
    mem.forget(second)
    assert states(mem)["3.9"] == ACTIVE
