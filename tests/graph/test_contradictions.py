"""What is known that cannot all be so? Both sides of each conflict, until one of them is settled."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from tests.conftest import Doors, HandClock

from treering.door import Treering


def sides(found: Any) -> list[tuple[str, str]]:
    return [(one.newer.content, one.older.content) for one in found]


@pytest.fixture
def clash(mem: Treering, clock: HandClock) -> tuple[str, str]:
    """Two memories that contradict one another, the newer first."""
    older = mem.add("The shop opens at nine", tags=["hours"], entities=["Corner Shop"], speaker="Bo").id
    clock.advance(hours=1)
    newer = mem.add("The shop opens at ten", entities=["Corner Shop"], speaker="Cy").id
    mem.link(newer, older, "contradicts", why="same day")
    clock.advance(hours=1)
    return newer, older


def test_both_sides_are_shown_with_where_they_were_said_their_windows_and_the_rule(
    mem: Treering, clash: tuple[str, str], clock: HandClock
) -> None:
    [found] = mem.contradictions()
    assert (found.newer.memory_id, found.older.memory_id) == clash
    assert [side.sources[0].speaker for side in (found.newer, found.older)] == ["Cy", "Bo"]
    assert found.older.sources[0].text == "The shop opens at nine"
    assert (found.rule, found.why) == ("stated", "same day")
    assert found.newer.valid_from - found.older.valid_from == timedelta(hours=1)


@pytest.mark.parametrize("topic", ["shop", "opens at TEN", "Corner Shop", "corner shop", "hours"])
def test_a_topic_is_words_that_one_side_says_a_thing_or_a_tag(
    mem: Treering, clash: tuple[str, str], topic: str
) -> None:
    assert len(mem.contradictions(topic=topic)) == 1


@pytest.mark.parametrize("topic", ["bakery", "shop bakery", "Bo", "the", "hour glass"])
def test_another_topic_finds_nothing(mem: Treering, clash: tuple[str, str], topic: str) -> None:
    assert mem.contradictions(topic=topic) == []


def test_a_conflict_is_over_when_one_side_is_and_open_again_when_that_is_undone(
    mem: Treering, clash: tuple[str, str], clock: HandClock
) -> None:
    newer, older = clash
    open_then = clock.now
    clock.advance(hours=1)
    settled = {
        "forgotten": (lambda: mem.forget(older), lambda: mem.restore(older)),
        "superseded": (lambda: mem.link(newer, older, "supersedes"), lambda: mem.unlink(newer, older, "supersedes")),
        "unlinked": (
            lambda: mem.unlink(newer, older, "contradicts"),
            lambda: mem.link(newer, older, "contradicts"),
        ),
        "closed": (
            lambda: mem.invalidate(newer, older, "contradicts"),
            lambda: mem.reopen(newer, older, "contradicts"),
        ),
    }
    for settle, undo in settled.values():
        settle()
        assert mem.contradictions() == []
        assert len(mem.contradictions(known_at=open_then)) == 1
        undo()
        assert len(mem.contradictions()) == 1
        clock.advance(hours=1)


def test_two_values_of_what_has_one_at_a_time_are_a_conflict_though_nobody_linked_them(
    mem: Treering, clock: HandClock
) -> None:
    mem.assert_fact("Ada", "LIVES_IN", "Oslo", valid_from="2020-01-01", valid_until="2022-01-01")
    mem.assert_fact("Ada", "LIVES_IN", "Rome", valid_from="2021-01-01")
    mem.assert_fact("Ada", "KNOWS", "Bo")
    mem.assert_fact("Ada", "KNOWS", "Cy")
    assert mem.contradictions() == []
    [found] = mem.contradictions(as_of="2021-06-01")
    assert (found.newer.content, found.older.content) == ("Ada LIVES_IN Rome", "Ada LIVES_IN Oslo")
    assert (found.rule, found.edge_id) == ("one value at a time", None)
    assert len(mem.contradictions(as_of="2021-06-01", topic="Rome")) == 1
    assert mem.contradictions(as_of="2021-06-01", topic="Bo") == []
    mem.settings({"functional_relations": []})
    assert mem.contradictions(as_of="2021-06-01") == []


def test_facts_whose_memories_are_linked_already_are_told_once(mem: Treering) -> None:
    one = mem.add("Ada lives in Oslo", triples=[["Ada", "LIVES_IN", "Oslo"]]).id
    other = mem.add("Ada lives in Rome", triples=[["Ada", "LIVES_IN", "Rome"]]).id
    [found] = mem.contradictions()
    assert (found.newer.memory_id, found.older.memory_id, found.edge_id) == (other, one, None)
    link = mem.link(other, one, "contradicts").edge.id
    [found] = mem.contradictions()
    assert found.edge_id == link


def test_each_space_is_read_by_its_own_settings(mem: Treering) -> None:
    for space in ("lab/a", "lab/b"):
        mem.assert_facts([["Ada", "LIKES", "Tea"], ["Ada", "LIKES", "Cake"]], space=space)
    mem.settings({"functional_relations": ["LIKES"]}, space="lab/b")
    assert mem.contradictions(children=True) == mem.contradictions(space="lab/b") != []
    assert mem.contradictions(space="lab/a") == []


def test_a_side_private_to_another_is_no_conflict(doors: Doors) -> None:
    ann, bob = doors("ann", "bob")
    one = ann.add("Ada lives in Oslo", triples=[["Ada", "LIVES_IN", "Oslo"]]).id
    secret = ann.add("Ada lives in Rome", visibility="private", triples=[["Ada", "LIVES_IN", "Rome"]]).id
    ann.link(secret, one, "contradicts")
    assert len(ann.contradictions()) == 1
    assert bob.contradictions() == []
