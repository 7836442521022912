"""How two things are connected: the shortest explanations first, over what holds, each with its evidence."""

from __future__ import annotations

import pytest
from tests.conftest import Doors, HandClock
from tests.graph.test_walks import state

from treering.door import Treering
from treering.errors import InvalidRequest, LimitExceeded, NotFound
from treering.graph import paths as room
from treering.graph.paths import Path


def read(path: Path) -> str:
    """As `Ada KNOWS> Bo <KNOWS Cy`."""
    told = [path.nodes[0].name or ""]
    for here, edge, there in zip(path.nodes, path.edges, path.nodes[1:], strict=False):
        along = edge.source_id == here.id
        told += [f"{edge.relation}>" if along else f"<{edge.relation}", there.name or there.content or ""]
    return " ".join(told)


def test_the_shortest_explanations_come_first(mem: Treering) -> None:
    state(mem, "Ada WORKS_FOR Acme", "Bo WORKS_FOR Acme", "Ada KNOWS Cy", "Cy KNOWS Dee", "Dee KNOWS Bo")
    told = [read(one) for one in mem.paths("Ada", "Bo")]
    assert told == ["Ada WORKS_FOR> Acme <WORKS_FOR Bo", "Ada KNOWS> Cy KNOWS> Dee KNOWS> Bo"]
    assert [one.length for one in mem.paths("Ada", "Bo")] == [2, 3]
    assert [read(one) for one in mem.paths("Ada", "Bo", max_depth=2)] == told[:1]
    assert [read(one) for one in mem.paths("Ada", "Bo", limit=1)] == told[:1]
    assert mem.paths("Ada", "Bo", max_depth=1) == []


def test_every_edge_between_the_same_two_is_an_explanation_of_its_own(mem: Treering) -> None:
    state(mem, "Ada KNOWS Bo", "Ada LIKES Bo", "Bo MANAGES Ada")
    assert [read(one) for one in mem.paths("Ada", "Bo")] == ["Ada KNOWS> Bo", "Ada LIKES> Bo", "Ada <MANAGES Bo"]


def test_no_path_comes_to_a_node_twice(mem: Treering) -> None:
    state(mem, "Ada KNOWS Bo", "Bo KNOWS Cy", "Cy KNOWS Ada", "Cy KNOWS Dee", "Ada LIKES Ada")
    told = [read(one) for one in mem.paths("Ada", "Dee", max_depth=7)]
    assert told == ["Ada <KNOWS Cy KNOWS> Dee", "Ada KNOWS> Bo KNOWS> Cy KNOWS> Dee"]


def test_paths_hold_at_the_moment_and_as_it_was_known(mem: Treering, clock: HandClock) -> None:
    state(mem, "Ada WORKS_FOR Acme 2010-2015", "Bo WORKS_FOR Acme 2014-2020", "Ada KNOWS Bo 2018-")
    early = clock.now
    assert [one.length for one in mem.paths("Ada", "Bo", as_of="2014-06-01")] == [2]
    assert [one.length for one in mem.paths("Ada", "Bo", as_of="2019-01-01")] == [1]
    assert mem.paths("Ada", "Bo", as_of="2016-01-01") == []
    clock.advance(days=1)
    mem.invalidate("Ada", "Bo", "KNOWS", at="2018-06-01")
    assert mem.paths("Ada", "Bo") == []
    assert len(mem.paths("Ada", "Bo", known_at=early)) == 1


def test_memories_explain_too_and_each_edge_names_its_evidence(mem: Treering) -> None:
    note = mem.add("Ada met Bo", entities=["Ada", "Bo"], triples=[["Ada", "MET", "Bo"]])
    direct, mentioned = mem.paths("Ada", "Bo")
    assert direct.edges[0].memory_id == note.id
    assert read(mentioned) == "Ada <about_entity Ada met Bo about_entity> Bo"
    assert [read(one) for one in mem.paths("Ada", "Bo", relations=["MET"])] == ["Ada MET> Bo"]
    assert [node.depth for node in mentioned.nodes] == [0, 1, 2]
    assert [edge.depth for edge in mentioned.edges] == [1, 2]
    mem.forget(note.id)
    assert mem.paths("Ada", "Bo") == []


def test_paths_are_the_same_every_time_and_on_every_store(mem: Treering) -> None:
    state(mem, *(f"A KNOWS M{n}" for n in range(9)), *(f"M{n} KNOWS B" for n in range(9)))
    found = mem.paths("A", "B", limit=5)
    assert [read(one) for one in found] == [f"A KNOWS> M{n} KNOWS> B" for n in range(5)]
    assert found == mem.paths("A", "B", limit=5)


def test_private_things_explain_nothing_to_others(doors: Doors) -> None:
    ann, bob = doors("ann", "bob")
    state(ann, "Ada KNOWS Cy", "Dee KNOWS Bo")
    ann.add("Hush", triples=[["Ada", "LOVES", "Bo"], ["Bo", "OWNS", "Lair"]], visibility="private")
    assert [read(one) for one in ann.paths("Ada", "Bo", relations=["LOVES"])] == ["Ada LOVES> Bo"]
    assert bob.paths("Ada", "Bo", max_depth=7) == []
    with pytest.raises(NotFound, match="b: there is no memory or entity 'Lair'"):
        bob.paths("Ada", "Lair")


def test_ends_must_be_two_things_that_are_known(mem: Treering) -> None:
    state(mem, "Ada KNOWS Bo")
    mem.entity_register("Ada", aliases=["Countess"])
    with pytest.raises(InvalidRequest, match="the same as a"):
        mem.paths("Ada", "Countess")
    with pytest.raises(NotFound, match="a: there is no"):
        mem.paths("Nobody", "Ada")
    with pytest.raises(InvalidRequest, match="max_depth"):
        mem.paths("Ada", "Bo", max_depth=8)


def test_too_much_between_two_ends_is_said_and_not_searched(mem: Treering, monkeypatch: pytest.MonkeyPatch) -> None:
    state(mem, *(f"A KNOWS M{n}" for n in range(8)), *(f"B KNOWS N{n}" for n in range(8)), "M1 KNOWS N1", "A LIKES C")
    assert [one.length for one in mem.paths("A", "B")] == [3]
    monkeypatch.setattr(room, "MOST_EDGES", 10)
    with pytest.raises(LimitExceeded, match="more than 10 edges"):
        mem.paths("A", "B")
    assert [read(one) for one in mem.paths("A", "C")] == ["A LIKES> C"]


def test_paths_stay_within_a_space(doors: Doors) -> None:
    lab, papers = doors("ann"), doors("ann", space="lab/papers")
    state(lab, "Ada KNOWS Bo")
    state(papers, "Bo KNOWS Cy", "Ada LIKES Bo")
    assert lab.paths("Ada", "Bo", children=True) != lab.paths("Ada", "Bo")
    assert [one.nodes[0].space for one in lab.paths("Ada", "Bo", children=True)] == ["lab", "lab/papers"]
    state(lab, "Eve KNOWS Bo")
    assert lab.paths("Eve", "Cy", children=True) == []
