"""The examples of ai-memory's own page, word for word: entities, walks, timelines, invalidation."""

from __future__ import annotations

import itertools

import pytest
from tests.conftest import HandClock
from tests.faces.dialects.ai_memory_said import NEVER, Say, say, stored

from treering.door import Treering
from treering.errors import Conflict, NotFound

__all__ = ["say"]


PAPERS = "alphaone/research/papers"
REGISTER = {
    "canonical_name": "AlphaOne LLC",
    "namespace": PAPERS,
    "aliases": ["AlphaOne", "AO", "alpha-one"],
    "kind": "organization",
}


def test_an_entity_is_registered_as_the_page_shows(say: Say) -> None:
    answer = say("memory_entity_register", **REGISTER)
    assert answer["created"] is True
    assert answer["aliases_added"] == ["AlphaOne", "AO", "alpha-one"]
    again = say("memory_entity_register", **{**REGISTER, "aliases": ["AO", "A1"]})
    assert again["entity_id"] == answer["entity_id"]
    assert (again["created"], again["aliases_added"]) == (False, ["A1"])
    assert again["aliases"] == ["AlphaOne", "AO", "alpha-one", "A1"]


def test_an_entity_is_found_by_alias_as_the_page_shows(say: Say) -> None:
    made = say("memory_entity_register", **REGISTER)
    answer = say("memory_entity_get_by_alias", alias="AO", namespace=PAPERS)
    assert answer["entity_id"] == made["entity_id"]
    assert answer["canonical_name"] == "AlphaOne LLC"
    assert answer["all_aliases"] == ["AlphaOne", "AO", "alpha-one"]


def test_an_alias_is_of_its_namespace_and_the_entity_made_last_wins(say: Say, clock: HandClock) -> None:
    first = say("memory_entity_register", **REGISTER)["entity_id"]
    clock.advance(hours=1)
    later = say("memory_entity_register", canonical_name="Adults Only", namespace="films", aliases=["AO"])["entity_id"]
    assert say("memory_entity_get_by_alias", alias="AO")["entity_id"] == later
    assert say("memory_entity_get_by_alias", alias="AO", namespace=PAPERS)["entity_id"] == first
    with pytest.raises(NotFound, match="alias: no entity answers to 'AO'"):
        say("memory_entity_get_by_alias", alias="AO", namespace="alphaone")


def test_a_memory_of_that_title_is_a_conflict_and_is_not_overwritten(say: Say) -> None:
    memory = stored(say, "AlphaOne LLC", namespace=PAPERS)
    with pytest.raises(Conflict, match="AlphaOne LLC"):
        say("memory_entity_register", **REGISTER)
    assert say("memory_get", id=memory)["title"] == "AlphaOne LLC"


def test_an_entity_is_also_a_lasting_memory_tagged_as_one(say: Say) -> None:
    made = say("memory_entity_register", **REGISTER)
    seen = say("memory_get", id=made["entity_id"])
    assert (seen["tier"], seen["tags"], seen["metadata"]["kind"]) == ("long", ["entity"], "entity")
    assert (seen["title"], seen["namespace"], seen["links"]) == ("AlphaOne LLC", PAPERS, [])


class Graph:
    """The graph of the page: drafts and reviews, a retro made of them, and what contradicts what."""

    def __init__(self, say: Say, clock: HandClock) -> None:
        self.m1 = stored(say, "Q3 OKR draft")
        self.m2 = stored(say, "Q3 OKR review")
        self.m3 = stored(say, "Q3 retro", tier="long")
        self.m4 = stored(say, "We use Postgres", tier="long")
        self.m5 = stored(say, "Migrated to MySQL", tier="long")
        self.m6 = stored(say, "Postgres steps")
        clock.advance(hours=1)
        for source, target, relation in (
            (self.m1, self.m2, "related_to"),
            (self.m2, self.m1, "supersedes"),
            (self.m3, self.m2, "derived_from"),
            (self.m5, self.m4, "contradicts"),
            (self.m6, self.m4, "derived_from"),
        ):
            say("memory_link", source_id=source, target_id=target, relation=relation)


@pytest.fixture
def graph(say: Say, clock: HandClock) -> Graph:
    return Graph(say, clock)


def test_the_graph_is_walked_as_the_page_shows(say: Say, graph: Graph, clock: HandClock) -> None:
    answer = say(
        "memory_kg_query",
        start_id=graph.m3,
        relations=["supersedes", "derived_from"],
        depth=3,
        as_of=clock.now.isoformat(),
    )
    assert [node["id"] for node in answer["nodes"]] == [graph.m3, graph.m2, graph.m1]
    assert [(edge["relation"], edge["depth"]) for edge in answer["edges"]] == [("derived_from", 1), ("supersedes", 2)]
    assert (answer["depth_reached"], answer["edges_walked"], answer["count"]) == (2, 2, 2)


EDGE_FIELDS = {
    "source_id", "target_id", "relation", "valid_from", "valid_until", "observed_by", "signature", "depth", "path",
    "attest_level",
}  # fmt: skip
NODE_FIELDS = {"id", "type", "kind", "title", "content", "namespace", "depth"}


def test_every_field_of_a_walk_is_there(say: Say, graph: Graph) -> None:
    answer = say("memory_kg_query", start_id=graph.m3)
    assert set(answer) == {
        "nodes", "edges", "depth_reached", "edges_walked", "memories", "paths", "count", "truncated",
    }  # fmt: skip
    assert all(set(one) == EDGE_FIELDS for one in answer["edges"])
    assert all(set(one) == NODE_FIELDS for one in answer["nodes"])
    assert all(set(one) == EDGE_FIELDS | NODE_FIELDS | {"target_namespace"} for one in answer["memories"])
    first = answer["memories"][0]
    assert (first["target_id"], first["title"], first["path"]) == (graph.m2, "Q3 OKR review", [graph.m3, graph.m2])
    assert answer["paths"][0] == [graph.m3, graph.m2]


def test_every_hop_must_be_valid_and_not_only_the_first(say: Say, graph: Graph, clock: HandClock) -> None:
    """The query that the page shows leaves later hops unchecked; here a closed edge ends the walk wherever it is."""
    before = clock.now
    clock.advance(days=1)
    say("memory_kg_invalidate", source_id=graph.m2, target_id=graph.m1, relation="supersedes")
    now = say("memory_kg_query", start_id=graph.m3, relations=["supersedes", "derived_from"])
    assert [one["relation"] for one in now["edges"]] == ["derived_from"]
    then = say("memory_kg_query", start_id=graph.m3, relations="supersedes,derived_from", as_of=before.isoformat())
    assert [one["relation"] for one in then["edges"]] == ["derived_from", "supersedes"]
    all_of_them = say(
        "memory_kg_query", start_id=graph.m3, relations=["supersedes", "derived_from"], include_invalidated=True
    )
    assert all_of_them["edges_walked"] == 2


def test_the_start_of_a_window_is_inclusive_and_as_of_speaks_of_edges_not_of_nodes(say: Say) -> None:
    one, two = stored(say, "one"), stored(say, "two")
    linked = say("memory_link", source_id=one, target_id=two, valid_from="2001-01-01T00:00:00Z")
    assert linked["valid_from"] == "2001-01-01T00:00:00Z"
    assert say("memory_kg_query", start_id=one, as_of="2001-01-01T00:00:00Z")["count"] == 1
    assert say("memory_kg_query", start_id=one, as_of="2000-12-31T23:59:59Z")["count"] == 0


def test_depth_is_three_unless_said(say: Say) -> None:
    chain = [stored(say, f"n{number}") for number in range(10)]
    for one, other in itertools.pairwise(chain):
        say("memory_link", source_id=one, target_id=other)
    assert say("memory_kg_query", start_id=chain[0])["depth_reached"] == 3
    assert say("memory_kg_query", start_id=chain[0], depth=8)["depth_reached"] == 8
    say("memory_link", source_id=chain[9], target_id=chain[0])
    assert say("memory_kg_query", start_id=chain[5], depth=8)["edges_walked"] == 8


def test_from_an_entity_the_memories_about_it_are_found(say: Say, mem: Treering) -> None:
    entity = say("memory_entity_register", canonical_name="AlphaOne", namespace="lab")["entity_id"]
    about = mem.add("AlphaOne ships in May", entities=["AlphaOne"]).id
    answer = say("memory_kg_query", start_id=entity, depth=1)
    assert [(one["relation"], one["path"]) for one in answer["edges"]] == [("about_entity", [entity, about])]
    assert [one["type"] for one in answer["nodes"]] == ["entity", "memory"]


def test_the_timeline_is_as_the_page_shows(say: Say, clock: HandClock) -> None:
    draft, review, other = (stored(say, title) for title in ("Q3 OKR draft", "Q3 OKR review", "Q3 plan"))
    clock.advance(days=200)
    for target, relation, since in ((review, "related_to", "03-15"), (other, "supersedes", "04-01")):
        say("memory_link", source_id=draft, target_id=target, relation=relation, valid_from=f"2026-{since}T00:00:00Z")
    say(
        "memory_kg_invalidate",
        source_id=draft,
        target_id=review,
        relation="related_to",
        valid_until="2026-04-20T00:00:00Z",
    )
    answer = say("memory_kg_timeline", node_id=draft, since="2026-01-01T00:00:00Z", until="2026-04-30T00:00:00Z")
    assert [(one["at"], one["type"], one["relation"], one["target_id"]) for one in answer["events"]] == [
        ("2026-03-15T00:00:00Z", "edge_added", "related_to", review),
        ("2026-04-01T00:00:00Z", "edge_added", "supersedes", other),
        ("2026-04-20T00:00:00Z", "edge_invalidated", "related_to", review),
    ]
    fields = {"at", "type", "relation", "source_id", "target_id", "valid_from", "valid_until"}
    assert all(set(one) == fields for one in answer["events"])
    some = say("memory_kg_timeline", node_id=draft, relations=["supersedes", "contradicts"])
    assert [one["relation"] for one in some["events"]] == ["supersedes"]
    seen_from_the_other_side = say("memory_kg_timeline", node_id=other, relations=["supersedes"])
    assert [(one["type"], one["source_id"]) for one in seen_from_the_other_side["events"]] == [("edge_added", draft)]


def test_an_edge_is_invalidated_as_the_page_shows(say: Say, clock: HandClock) -> None:
    one, two = stored(say, "one"), stored(say, "two")
    say("memory_link", source_id=one, target_id=two)
    clock.now = clock.now.replace(year=2026, month=4, day=27, hour=5, minute=30)
    answer = say("memory_kg_invalidate", source_id=one, target_id=two, relation="related_to")
    assert answer == {
        "found": True,
        "invalidated": True,
        "valid_until": "2026-04-27T05:30:00Z",
        "previous_valid_until": None,
    }
    clock.advance(days=1)
    again = say("memory_kg_invalidate", source_id=one, target_id=two, relation="related_to")
    assert (again["valid_until"], again["previous_valid_until"]) == ("2026-04-27T05:30:00Z",) * 2
    assert say("memory_kg_query", start_id=one)["edges"] == []
    assert say("memory_kg_query", start_id=one, as_of="2026-04-27T05:29:59Z")["count"] == 1
    assert [event["type"] for event in say("memory_kg_timeline", node_id=one)["events"]] == [
        "edge_added",
        "edge_invalidated",
    ]


@pytest.mark.parametrize("target", [NEVER, None])
def test_an_edge_that_is_not_there_is_not_found_and_nothing_is_changed(
    say: Say, mem: Treering, target: str | None
) -> None:
    one, two = stored(say, "one"), stored(say, "two")
    seq = mem.status().seq
    answer = say("memory_kg_invalidate", source_id=one, target_id=target or two, relation="related_to")
    assert answer == {"found": False, "invalidated": False, "valid_until": None, "previous_valid_until": None}
    assert mem.status().seq == seq


def test_a_link_is_answered_and_not_doubled(say: Say) -> None:
    one, two = stored(say, "one"), stored(say, "two")
    first = say("memory_link", source_id=one, target_id=two, relation="kg_related_to")
    assert first["linked"] is first["created"] is True
    assert set(first) == {
        "linked", "created", "id", "source_id", "target_id", "relation", "created_at", "valid_from", "valid_until",
        "observed_by", "signature", "attest_level",
    }  # fmt: skip
    assert (first["relation"], first["observed_by"], first["attest_level"]) == ("related_to", "ann", "unsigned")
    again = say("memory_link", source_id=one, target_id=two)
    assert (again["created"], again["id"]) == (False, first["id"])
