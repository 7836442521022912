"""Where does a memory come from, and what depends on it? Down to the words, up to whatever rests on it."""

from __future__ import annotations

from datetime import timedelta

import pytest
from tests.conftest import Doors, HandClock

from treering.door import Treering
from treering.errors import Conflict, NotFound
from treering.model.changes import Changes, EdgeAdded
from treering.model.edge import Edge
from treering.model.memory import State, Support


def test_a_lineage_leads_to_the_words_that_were_said_and_where(mem: Treering) -> None:
    memory = mem.add("Ada likes tea", speaker="Ada", session="s1", key="turn-1").id
    line = mem.lineage(memory)
    [said] = line.sources
    assert (said.text, said.span, said.speaker, said.session, said.key) == (
        "Ada likes tea",
        (0, 13),
        "Ada",
        "s1",
        "turn-1",
    )
    assert (line.memory.id, line.support, line.because) == (memory, Support.UNKNOWN, ())


def test_it_tells_what_a_memory_was_derived_from_and_what_was_derived_from_it(mem: Treering, clock: HandClock) -> None:
    ids = [mem.add(f"Statement {number}").id for number in range(5)]
    for newer, older in zip(ids[1:], ids, strict=False):
        mem.link(newer, older, "derived_from", why="summed up")
    clock.advance(hours=1)
    line = mem.lineage(ids[2])
    assert [(one.memory_id, one.depth, one.over) for one in line.derived_from] == [
        (ids[1], 1, ids[2]),
        (ids[0], 2, ids[1]),
    ]
    assert [(one.memory_id, one.depth, one.over) for one in line.derived] == [(ids[3], 1, ids[2]), (ids[4], 2, ids[3])]
    assert [(one.content, one.support, one.why) for one in line.derived_from] == [
        ("Statement 1", Support.CURRENT, "summed up"),
        ("Statement 0", Support.UNKNOWN, "summed up"),
    ]
    assert line.support is Support.CURRENT
    assert not line.truncated


def test_both_ends_of_a_chain_of_corrections_are_told_nearest_first(mem: Treering, clock: HandClock) -> None:
    ids = [mem.add("Ada lives in Oslo").id]
    for place in ("Rome", "Nice", "Bern"):
        clock.advance(days=1)
        ids.append(mem.revise(ids[-1], f"Ada lives in {place}").id)
    line = mem.lineage(ids[1])
    assert [one.memory_id for one in line.supersedes] == [ids[0]]
    assert [(one.content, one.state) for one in line.superseded_by] == [
        ("Ada lives in Nice", State.SUPERSEDED),
        ("Ada lives in Bern", State.ACTIVE),
    ]
    early = mem.lineage(ids[1], known_at=clock.now - timedelta(days=2))
    assert (early.memory.state, early.superseded_by) == (State.ACTIVE, ())


def test_facts_and_links_that_rest_on_it_are_told(mem: Treering) -> None:
    other = mem.add("Ada codes", triples=[["Ada", "USES", "Vim"]]).id
    job = mem.add("Ada works at Google", triples=[["Ada", "WORKS_FOR", "Google"]]).id
    mem.link(job, other, "supports")
    line = mem.lineage(job)
    assert [(one.subject, one.relation, one.object) for one in line.facts] == [("Ada", "WORKS_FOR", "Google")]
    assert [(one.relation, one.target_id) for one in line.links] == [("supports", other)]


def test_what_is_forgotten_is_told_by_its_id_alone_and_what_was_unlinked_not_at_all(
    mem: Treering, clock: HandClock
) -> None:
    origin, other, derived = (mem.add(text).id for text in ("The code is lantern", "It rains", "The safe opens"))
    mem.link(derived, origin, "derived_from")
    mem.link(derived, other, "derived_from")
    mem.unlink(derived, other, "derived_from")
    clock.advance(hours=1)
    mem.forget(origin, why="asked to")
    line = mem.lineage(derived)
    [lost] = line.derived_from
    assert (lost.memory_id, lost.content, lost.state) == (origin, None, State.FORGOTTEN)
    assert line.support is Support.STALE
    assert [(cause.memory_id, cause.why) for cause in line.because] == [(origin, "asked to")]
    assert "lantern" not in str(line.to_dict())


def test_a_circle_that_came_from_elsewhere_ends_where_it_began(mem: Treering, clock: HandClock) -> None:
    one, other = mem.add("The hen").id, mem.add("The egg").id
    mem.link(one, other, "derived_from")
    clock.advance(hours=1)

    def close_the_circle(act):  # type: ignore[no-untyped-def]
        edge = Edge(
            id=act.mint(),
            space="lab",
            source_id=other,
            target_id=one,
            relation="derived_from",
            valid_from=act.now,
            recorded_at=act.at,
            memory_id=other,
        )
        return Changes("link", (EdgeAdded(edge),)), None

    mem._write(None, close_the_circle)
    line = mem.lineage(one)
    assert [relative.memory_id for relative in line.derived_from] == [other]
    assert [relative.memory_id for relative in line.derived] == [other]
    assert line.support is Support.CURRENT
    mem.forget(other)
    assert mem.get(one).support is Support.STALE


def test_depth_and_limit_cut_it_and_it_says_so(mem: Treering) -> None:
    ids = [mem.add(f"Statement {number}").id for number in range(6)]
    for newer, older in zip(ids[1:], ids, strict=False):
        mem.link(newer, older, "derived_from")
    short = mem.lineage(ids[-1], depth=2)
    assert ([one.depth for one in short.derived_from], short.truncated) == ([1, 2], True)
    few = mem.lineage(ids[-1], limit=3)
    assert (len(few.derived_from), few.truncated) == (3, True)
    whole = mem.lineage(ids[-1], depth=5)
    assert (len(whole.derived_from), whole.truncated) == (5, False)


def test_what_is_private_to_another_is_neither_shown_nor_counted(doors: Doors, clock: HandClock) -> None:
    ann, bob = doors("ann", "bob")
    origin = ann.add("Ada works at Google").id
    before = bob.lineage(origin)
    secret = ann.add("Ada will leave", visibility="private").id
    ann.link(secret, origin, "derived_from")
    ann.link(secret, origin, "supersedes")
    assert bob.lineage(origin) == before
    assert [one.memory_id for one in ann.lineage(origin).derived] == [secret]
    with pytest.raises(NotFound, match="memory: there is no memory"):
        bob.lineage(secret)


def test_no_circle_is_made_through_a_memory_that_is_forgotten_and_may_come_back(mem: Treering) -> None:
    one, other = mem.add("The hen").id, mem.add("The egg").id
    mem.link(one, other, "derived_from")
    mem.forget(one)
    with pytest.raises(Conflict, match="it cannot go both ways"):
        mem.link(other, one, "derived_from")


@pytest.mark.parametrize("relation", ["supersedes", "derived_from"])
def test_a_link_that_was_taken_away_comes_back_only_where_it_makes_no_circle(mem: Treering, relation: str) -> None:
    one, other = mem.add("The hen").id, mem.add("The egg").id
    mem.link(one, other, relation)
    mem.unlink(one, other, relation)
    taken_away = str(mem.status().seq)
    mem.link(other, one, relation)
    with pytest.raises(Conflict, match="it cannot go both ways"):
        mem.undo(taken_away)
    mem.unlink(other, one, relation)
    mem.undo(taken_away)
    with pytest.raises(Conflict, match="it cannot go both ways"):
        mem.link(other, one, relation)
