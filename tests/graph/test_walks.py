"""What a walk comes to: on every hop only what holds, each node once, either way, and never what is hidden."""

from __future__ import annotations

from typing import Any

import pytest
from tests.conftest import Doors, HandClock

from treering.door import Treering
from treering.errors import InvalidRequest, NotFound
from treering.graph.walk import Walked


def names(walk: Walked) -> dict[str, int]:
    """What was come to, with how far away it is."""
    return {node.name or node.content or "": node.depth for node in walk.nodes}


def crossed(walk: Walked) -> set[tuple[str, str, str]]:
    named = {node.id: node.name or node.content or "" for node in walk.nodes}
    return {(named[edge.source_id], edge.relation, named[edge.target_id]) for edge in walk.edges}


def state(mem: Treering, *facts: str, **more: Any) -> None:
    """Facts such as `Ada KNOWS Bo`, with from-until years if given: `Ada KNOWS Bo 2001-2005`."""
    stated = []
    for fact in facts:
        subject, relation, object_, *years = fact.split()
        since, _, until = (years or ["2000-"])[0].partition("-")
        window = {"valid_from": f"{since}-01-01", **({"valid_until": f"{until}-01-01"} if until else {})}
        stated.append({"subject": subject, "relation": relation, "object": object_, **window})
    mem.assert_facts(stated, **more)


def test_a_walk_tells_what_can_be_reached_with_depth_and_path(mem: Treering) -> None:
    state(mem, "Ada WORKS_FOR Acme", "Acme LOCATED_IN Berlin", "Berlin LOCATED_IN Germany", "Germany PART_OF Europe")
    walk = mem.graph("ada", direction="out")
    assert names(walk) == {"Ada": 0, "Acme": 1, "Berlin": 2, "Germany": 3}
    assert (walk.depth_reached, walk.edges_walked, walk.truncated) == (3, 3, False)
    ids = [node.id for node in walk.nodes]
    assert [(edge.depth, list(edge.path)) for edge in walk.edges] == [(1, ids[:2]), (2, ids[:3]), (3, ids[:4])]
    assert names(mem.graph("Ada", depth=8, direction="out"))["Europe"] == 4


def test_only_edges_that_hold_at_the_moment_are_crossed_on_every_hop(mem: Treering) -> None:
    state(mem, "Ada WORKS_FOR Acme 2010-2015", "Acme LOCATED_IN Berlin 2000-2012", "Acme LOCATED_IN Rome 2012-")
    assert names(mem.graph("Ada", as_of="2011-06-01", direction="out")) == {"Ada": 0, "Acme": 1, "Berlin": 2}
    assert names(mem.graph("Ada", as_of="2014-06-01", direction="out")) == {"Ada": 0, "Acme": 1, "Rome": 2}
    assert names(mem.graph("Ada", as_of="2012-01-01", direction="out")) == {
        "Ada": 0,
        "Acme": 1,
        "Rome": 2,
    }  # windows end before
    assert names(mem.graph("Ada", as_of="2009-06-01", direction="out")) == {"Ada": 0}
    assert names(mem.graph("Ada", direction="out")) == {"Ada": 0}


def test_closed_edges_are_crossed_if_asked_for(mem: Treering) -> None:
    state(mem, "Ada WORKS_FOR Acme 2010-2015", "Acme LOCATED_IN Berlin 2000-2012", "Berlin PART_OF Mars 2090-")
    assert names(mem.graph("Ada", include_closed=True, direction="out")) == {
        "Ada": 0,
        "Acme": 1,
        "Berlin": 2,
        "Mars": 3,
    }


def test_circles_end_and_every_node_and_edge_comes_once(mem: Treering) -> None:
    state(mem, "Ada KNOWS Bo", "Bo KNOWS Cy", "Cy KNOWS Ada", "Ada KNOWS Cy", "Ada LIKES Ada")
    for direction in ("out", "in", "both"):
        walk = mem.graph("Ada", depth=8, direction=direction)
        assert sorted(names(walk)) == ["Ada", "Bo", "Cy"]
        assert len(walk.nodes) == 3
        assert len({edge.id for edge in walk.edges}) == len(walk.edges) == 5
        assert walk.depth_reached <= 3


def test_a_walk_goes_along_edges_against_them_or_both_ways(mem: Treering) -> None:
    state(mem, "Ada MANAGES Bo", "Bo MANAGES Cy", "Eve MANAGES Bo")
    assert names(mem.graph("Bo", direction="out")) == {"Bo": 0, "Cy": 1}
    assert names(mem.graph("Bo", direction="in")) == {"Bo": 0, "Ada": 1, "Eve": 1}
    assert names(mem.graph("Cy", direction="both")) == {"Cy": 0, "Bo": 1, "Ada": 2, "Eve": 2}


def test_only_the_relations_asked_for_are_crossed_in_any_spelling(mem: Treering) -> None:
    state(mem, "Ada WORKS_FOR Acme", "Ada KNOWS Bo", "Bo WORKS_FOR Acme")
    assert names(mem.graph("Ada", ["works for"], direction="out")) == {"Ada": 0, "Acme": 1}
    assert names(mem.graph("Ada", ["works_for", "KNOWS"], direction="out")) == {"Ada": 0, "Acme": 1, "Bo": 1}
    old, new = mem.add("Tea is green").id, mem.add("Tea is black").id
    mem.link(new, old, "updates")
    assert (
        names(mem.graph(new, ["updates"], direction="out"))
        == names(mem.graph(new, ["supersedes"], direction="out"))
        == {
            "Tea is black": 0,
            "Tea is green": 1,
        }
    )
    with pytest.raises(InvalidRequest, match="UPPER_SNAKE"):
        mem.graph("Ada", ["?"], direction="out")


def test_what_contradicts_leads_both_ways(mem: Treering) -> None:
    first, second, third = (mem.add(f"Statement {n}").id for n in range(3))
    mem.link(second, first, "contradicts")
    mem.link(third, first, "extends")
    both = {"Statement 0": 0, "Statement 1": 1}
    assert names(mem.graph(first, direction="out")) == both
    assert names(mem.graph(first, ["contradicts"], direction="out")) == both
    assert names(mem.graph(second, direction="in")) == {"Statement 1": 0, "Statement 0": 1, "Statement 2": 2}
    assert names(mem.graph(first, ["extends"], direction="out")) == {"Statement 0": 0}


def test_a_walk_begins_at_a_memory_or_at_any_name_of_an_entity(mem: Treering) -> None:
    note = mem.add("Ada likes tea", entities=["Ada", "Tea"], title="Tea time")
    mem.entity_register("Ada", aliases=["Countess"])
    assert names(mem.graph(note.id, direction="out")) == {"Tea time": 0, "Ada": 1, "Tea": 1}
    ada = mem.entity_get("Ada").id
    assert mem.graph("COUNTESS", direction="in") == mem.graph(ada, direction="in") == mem.graph("Ada", direction="in")
    start, memory = mem.graph("countess", direction="in").nodes
    assert (start.thing, start.name, memory.thing, memory.content) == ("entity", "Ada", "memory", "Ada likes tea")
    assert memory.state == "active"


def test_a_start_that_nobody_knows_is_named_in_the_error(mem: Treering) -> None:
    mem.add("Something")
    with pytest.raises(NotFound, match="start: there is no memory or entity 'Nobody' in lab"):
        mem.graph("Nobody", direction="out")
    gone = mem.add("To be purged").id
    mem.purge(gone, "asked")
    with pytest.raises(NotFound, match="was purged"):
        mem.graph(gone, direction="out")


@pytest.mark.parametrize(
    "wrong", [{"depth": 0}, {"depth": 9}, {"direction": "up"}, {"limit": 0}, {"as_of": "2020-01-01T00:00:00"}]
)
def test_what_cannot_be_walked_is_refused(mem: Treering, wrong: dict[str, Any]) -> None:
    state(mem, "Ada KNOWS Bo")
    with pytest.raises(InvalidRequest, match=next(iter(wrong))):
        mem.graph("Ada", **wrong)


def test_a_limit_holds_and_says_so(mem: Treering) -> None:
    state(mem, *(f"Hub KNOWS N{n:02}" for n in range(30)), *(f"N{n:02} KNOWS M{n}" for n in range(30)))
    whole = mem.graph("Hub", direction="out")
    assert (whole.edges_walked, whole.truncated) == (60, False)
    for limit in (1, 29, 30, 31, 59):
        walk = mem.graph("Hub", limit=limit, direction="out")
        assert (walk.edges_walked, len(walk.edges), walk.truncated) == (limit, limit, True)
        assert walk.edges == whole.edges[:limit]
        assert len(walk.nodes) == limit + 1
    assert not mem.graph("Hub", limit=60, direction="out").truncated
    assert not mem.graph("Hub", depth=1, limit=30, direction="out").truncated
    assert mem.graph("M7", direction="both", depth=8, limit=20).truncated


def test_what_was_known_then_is_walked_as_it_was_known(mem: Treering, clock: HandClock) -> None:
    state(mem, "Ada WORKS_FOR Acme 2010-", "Acme LOCATED_IN Berlin 2000-")
    before = clock.now
    clock.advance(days=1)
    mem.invalidate("Acme", "Berlin", "LOCATED_IN", at="2015-01-01")
    closed = clock.now
    clock.advance(days=1)
    mem.reopen("Acme", "Berlin", "LOCATED_IN")
    state(mem, "Acme LOCATED_IN Rome 1990-")
    as_of = "2020-01-01"
    assert names(mem.graph("Ada", as_of=as_of, known_at=before, direction="out")) == {"Ada": 0, "Acme": 1, "Berlin": 2}
    assert names(mem.graph("Ada", as_of=as_of, known_at=closed, direction="out")) == {"Ada": 0, "Acme": 1}
    assert names(mem.graph("Ada", as_of=as_of, direction="out")) == {"Ada": 0, "Acme": 1, "Berlin": 2, "Rome": 2}


def test_what_is_forgotten_is_not_crossed_until_it_is_restored(mem: Treering) -> None:
    note = mem.add("Ada works at Acme", triples=[["Ada", "WORKS_FOR", "Acme"]]).id
    mem.add("Acme is in Berlin", triples=[["Acme", "LOCATED_IN", "Berlin"]])
    assert names(mem.graph("Ada", direction="out")) == {"Ada": 0, "Acme": 1, "Berlin": 2}
    mem.forget(note)
    assert names(mem.graph("Ada", include_closed=True, direction="out")) == {"Ada": 0}
    assert "Ada works at Acme" not in names(mem.graph("Acme", direction="both"))
    mem.restore(note)
    assert names(mem.graph("Ada", direction="out")) == {"Ada": 0, "Acme": 1, "Berlin": 2}


def test_merged_entities_are_walked_as_one_until_they_are_split(mem: Treering) -> None:
    state(mem, "Ada KNOWS Bob", "Robert KNOWS Cy", "Bob KNOWS Dee", "Robert KNOWS Bob")
    robert = mem.entity_get("Robert").id
    mem.entity_merge("Robert", "Bob")
    walk = mem.graph("Ada", direction="out")
    assert names(walk) == {"Ada": 0, "Bob": 1, "Cy": 2, "Dee": 2}
    assert ("Bob", "KNOWS", "Bob") in crossed(walk)
    assert (
        mem.graph(robert, direction="out") == mem.graph("Bob", direction="out") == mem.graph("robert", direction="out")
    )
    mem.entity_split(robert)
    assert names(mem.graph("Ada", direction="out")) == {"Ada": 0, "Bob": 1, "Dee": 2}


def test_private_things_are_walked_only_by_those_who_may_see_them(doors: Doors) -> None:
    ann, bob = doors("ann", "bob")
    ann.add("Ada works at Acme", triples=[["Ada", "WORKS_FOR", "Acme"]])
    ann.add("Acme hides in a lair", triples=[["Acme", "HIDES_IN", "Lair"]], visibility="private")
    secret = ann.add("Ada sleeps there", entities=["Ada"], visibility="private", visible_to=["eve"]).id
    assert "Lair" in names(ann.graph("Ada", direction="out"))
    assert names(bob.graph("Ada", include_closed=True, direction="out")) == {"Ada": 0, "Acme": 1}
    assert names(bob.graph("Ada", direction="both", depth=8)) == {"Ada": 0, "Acme": 1, "Ada works at Acme": 1}
    assert "Ada sleeps there" in names(bob.graph("Ada", direction="both", principal="eve"))
    for hidden in ("Lair", secret):
        with pytest.raises(NotFound, match="there is no memory or entity"):
            bob.graph(hidden, direction="out")


def test_a_window_closed_on_private_evidence_stays_open_for_the_others(doors: Doors) -> None:
    ann, bob = doors("ann", "bob")
    ann.add("Ada lives in Rome", triples=[["Ada", "LIVES_IN", "Rome"]], event_time="2020-01-01")
    ann.remember(
        drafts=[{"content": "Ada moved to Oslo", "triples": [["Ada", "LIVES_IN", "Oslo"]]}], visibility="private"
    )
    assert ("Ada", "LIVES_IN", "Rome") in crossed(bob.graph("Ada", direction="out"))
    assert ("Ada", "LIVES_IN", "Rome") not in crossed(ann.graph("Ada", direction="out"))
    assert ("Ada", "LIVES_IN", "Oslo") in crossed(ann.graph("Ada", direction="out"))


def test_spaces_below_are_walked_if_asked_for_each_within_itself(doors: Doors) -> None:
    lab, papers = doors("ann"), doors("ann", space="lab/papers")
    state(lab, "Ada KNOWS Bo")
    state(papers, "Ada KNOWS Cy", "Bo KNOWS Dee")
    assert names(lab.graph("Ada", direction="out")) == {"Ada": 0, "Bo": 1}
    walk = lab.graph("Ada", children=True, direction="out")
    assert [(node.space, node.name) for node in walk.nodes if node.depth] == [("lab", "Bo"), ("lab/papers", "Cy")]
    assert {edge.space for edge in walk.edges} == {"lab", "lab/papers"}
    assert lab.graph("Ada", children=True, limit=1, direction="out").truncated
    with pytest.raises(NotFound):
        lab.graph("Dee", direction="out")
    assert names(lab.graph("Dee", children=True, direction="in")) == {"Dee": 0, "Bo": 1}


def test_edges_tell_what_they_rest_on_and_how_long_they_hold(mem: Treering) -> None:
    note = mem.add("Ada joined Acme", triples=[["Ada", "WORKS_FOR", "Acme"]], event_time="2020-01-01", confidence=0.8)
    mem.invalidate("Ada", "Acme", "WORKS_FOR", at="2021-01-01")
    (edge,) = mem.graph("Ada", ["WORKS_FOR"], as_of="2020-06-01", direction="out").edges
    assert (edge.memory_id, edge.closed_by) == (note.id, "invalidated")
    told = edge.to_dict()
    assert (told["valid_from"], told["valid_until"]) == ("2020-01-01T00:00:00Z", "2021-01-01T00:00:00Z")
