"""What changed between two moments? Facts opened, closed, superseded, and learned late."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from tests.conftest import START, Doors, HandClock

from treering.door import OPERATIONS, Treering
from treering.errors import InvalidRequest
from treering.graph.diff import Diff
from treering.graph.facts import Fact


def said(facts: Any) -> list[str]:
    return [f"{fact.subject} {fact.relation} {fact.object}" for fact in facts]


def late(found: Diff) -> list[tuple[str, str]]:
    return [(said([one.fact])[0], one.then) for one in found.learned_late]


@pytest.fixture
def moving(mem: Treering) -> Treering:
    """Oslo from 2019, Rome from 2021, Nice from 2023; a dog from 2020 to 2022."""
    for place, year in (("Oslo", 2019), ("Rome", 2021), ("Nice", 2023)):
        mem.assert_fact("Ada", "LIVES_IN", place, valid_from=f"{year}-01-01", supersede=True)
    mem.assert_fact("Ada", "OWNS", "Rex", valid_from="2020-01-01", valid_until="2022-01-01")
    return mem


def test_what_began_and_ended_between_them_is_told_and_what_made_way_with_what_for(moving: Treering) -> None:
    found = moving.diff(from_="2020-06-01", to="2022-06-01")
    assert said(found.opened) == ["Ada LIVES_IN Rome"]
    assert said(found.closed) == ["Ada LIVES_IN Oslo", "Ada OWNS Rex"]
    [moved] = found.superseded
    assert (said([moved.fact]), said(moved.by), moved.rule) == (
        ["Ada LIVES_IN Oslo"],
        ["Ada LIVES_IN Rome"],
        "functional",
    )


def test_what_was_so_only_in_between_is_both_opened_and_closed(moving: Treering) -> None:
    found = moving.diff(from_="2019-06-01", to="2022-06-01")
    assert "Ada OWNS Rex" in said(found.opened)
    assert "Ada OWNS Rex" in said(found.closed)


@pytest.mark.parametrize(
    ("since", "until", "opened", "closed"),
    [
        ("2021-01-01", "2022-12-31", [], ["Ada OWNS Rex"]),
        ("2020-12-31", "2021-01-01", ["Ada LIVES_IN Rome"], ["Ada LIVES_IN Oslo"]),
        ("2021-06-01", "2021-06-01", [], []),
        ("2010-01-01", "2018-01-01", [], []),
    ],
)
def test_what_turns_at_a_moment_belongs_to_the_time_before_it(
    moving: Treering, since: str, until: str, opened: list[str], closed: list[str]
) -> None:
    found = moving.diff(from_=since, to=until)
    assert (said(found.opened), said(found.closed)) == (opened, closed)


def test_without_an_end_it_goes_to_the_present(moving: Treering, clock: HandClock) -> None:
    found = moving.diff(from_="2022-06-01")
    assert said(found.opened) == ["Ada LIVES_IN Nice"]
    assert found.until >= clock.now


def test_what_was_true_before_and_became_known_in_between_was_learned_late(mem: Treering, clock: HandClock) -> None:
    mem.assert_fact("Ada", "KNOWS", "Bo", valid_from="2020-01-01")
    since = clock.now
    clock.advance(days=10)
    mem.assert_fact("Ada", "KNOWS", "Cy", valid_from="2021-01-01")
    mem.assert_fact("Ada", "KNOWS", "Di", valid_from=clock.now)
    mem.invalidate("Ada", "Bo", "KNOWS", at="2024-01-01")
    until = clock.advance(days=10)
    clock.advance(days=10)
    mem.assert_fact("Ada", "KNOWS", "Ed", valid_from="2022-01-01")
    found = mem.diff(from_=since, to=until)
    assert late(found) == [("Ada KNOWS Bo", "held"), ("Ada KNOWS Cy", "did not hold")]
    assert said(found.opened) == ["Ada KNOWS Di"]
    assert ("Ada KNOWS Ed", "did not hold") in late(mem.diff(from_=since))
    assert late(mem.diff(from_=since, to=until, known_at=since)) == []


def test_it_is_read_by_what_was_known(moving: Treering, clock: HandClock) -> None:
    known = moving._store.head("lab").at
    clock.advance(days=1)
    moving.invalidate("Ada", "Nice", "LIVES_IN", at="2024-01-01")
    assert said(moving.diff(from_="2023-06-01").closed) == ["Ada LIVES_IN Nice"]
    assert moving.diff(from_="2023-06-01", known_at=known).closed == ()


def test_the_word_from_is_taken_as_python_spells_it_and_as_others_do(moving: Treering) -> None:
    expected = moving.diff(from_="2020-06-01", to="2022-06-01")
    assert moving.diff(**{"from": "2020-06-01", "to": "2022-06-01"}) == expected
    assert moving.diff("lab", "2020-06-01", "2022-06-01") == expected  # type: ignore[misc]
    schema = OPERATIONS["diff"].schema()
    assert (schema["required"], "from_" in schema["properties"]) == (["from"], False)
    with pytest.raises(InvalidRequest, match="diff: from was given twice"):
        moving.diff(from_="2020-06-01", **{"from": "2020-06-01"})
    with pytest.raises(InvalidRequest, match="from: field required"):
        moving.diff()  # type: ignore[call-arg]
    with pytest.raises(InvalidRequest, match="from: '2020' is not an ISO 8601 time"):
        moving.diff(from_="2020")
    with pytest.raises(InvalidRequest, match=r"to: .* lies before from"):
        moving.diff(from_="2022-01-01", to="2021-01-01")


def test_what_rests_on_a_memory_private_to_another_is_not_told(doors: Doors) -> None:
    ann, bob = doors("ann", "bob")
    ann.add("Ada bought a house", visibility="private", triples=[["Ada", "OWNS", "House"]])
    since = START - timedelta(days=1)
    assert said(ann.diff(from_=since).opened) == ["Ada OWNS House"]
    assert (bob.diff(from_=since).opened, bob.diff(from_=since).learned_late) == ((), ())


def test_the_spaces_below_are_told_when_asked_for(mem: Treering) -> None:
    mem.assert_fact("Ada", "KNOWS", "Bo", space="lab/a", valid_from="2020-01-01")
    assert mem.diff(from_="2019-01-01").opened == ()
    [fact] = mem.diff(from_="2019-01-01", children=True).opened
    assert isinstance(fact, Fact)
