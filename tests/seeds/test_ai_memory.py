"""ai-memory's page on its knowledge graph, section by section. A test's docstring is the promise, in our words."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from itertools import pairwise
from typing import Any

import pytest
from tests.conftest import HandClock
from tests.seeds.conftest import NEVER, Http, Tools

from treering.door import Treering
from treering.model.identity import Identity
from treering.store import open_store

NS = "alphaone/research/papers"


@pytest.fixture
def tools(door: Treering) -> Tools:
    return Tools(door, "ai-memory")


@pytest.fixture
def http(served: Callable[[str, str], Http]) -> Http:
    return served("ai-memory", "/api/v1")


def stored(tools: Tools, title: str, content: str = "", **more: Any) -> str:
    return str(tools("memory_store", title=title, content=content or title, **more)["id"])


def text(at: Any) -> str:
    return str(at.isoformat().replace("+00:00", "Z"))


# memories and edges


def test_every_memory_is_a_node_and_every_link_a_directed_edge(tools: Tools) -> None:
    """Memories are nodes; a link is a directed edge with a typed relation and a window of validity."""
    draft, review = stored(tools, "Q3 OKR draft"), stored(tools, "Q3 OKR review")
    link = tools("memory_link", source_id=review, target_id=draft, relation="supersedes")
    assert (link["source_id"], link["target_id"], link["relation"]) == (review, draft, "supersedes")
    assert link["valid_until"] is None
    assert [one["target_id"] for one in tools("memory_kg_query", start_id=review)["edges"]] == [draft]
    assert tools("memory_kg_query", start_id=draft)["edges"] == []


@pytest.mark.parametrize("relation", ["related_to", "supersedes", "contradicts", "derived_from"])
def test_the_four_relations_are_taken(tools: Tools, relation: str) -> None:
    """There are four relations: related_to, supersedes, contradicts and derived_from."""
    one, other = stored(tools, "one"), stored(tools, "other")
    assert tools("memory_link", source_id=one, target_id=other, relation=relation)["relation"] == relation


def test_any_other_relation_is_refused(tools: Tools) -> None:
    """The set is closed: a relation outside it is rejected."""
    one, other = stored(tools, "one"), stored(tools, "other")
    answer = tools.asked("memory_link", source_id=one, target_id=other, relation="causes")
    assert answer.is_error


def test_the_default_relation_is_a_plain_association(tools: Tools) -> None:
    """related_to is the relation where none is named."""
    one, other = stored(tools, "one"), stored(tools, "other")
    assert tools("memory_link", source_id=one, target_id=other)["relation"] == "related_to"


# windows


def test_an_edge_begins_with_its_source_unless_it_says_otherwise(tools: Tools, clock: HandClock) -> None:
    """valid_from defaults to the source's creation, and may be given."""
    one = stored(tools, "one")
    made = clock.now
    clock.advance(days=1)
    other = stored(tools, "other")
    assert tools("memory_link", source_id=one, target_id=other)["valid_from"] == text(made)
    earlier = tools("memory_link", source_id=other, target_id=one, valid_from="2020-01-01T00:00:00Z")
    assert earlier["valid_from"] == "2020-01-01T00:00:00Z"


def test_an_edge_may_be_told_with_its_end_and_its_observer(tools: Tools, clock: HandClock) -> None:
    """An edge carries valid_until and observed_by: it was true between two dates, and somebody said so."""
    one, other = stored(tools, "one"), stored(tools, "other")
    link = tools(
        "memory_link",
        source_id=one,
        target_id=other,
        valid_from="2025-03-15T00:00:00Z",
        valid_until="2025-04-20T00:00:00Z",
        observed_by="agent:bob",
    )
    assert (link["valid_until"], link["observed_by"]) == ("2025-04-20T00:00:00Z", "agent:bob")
    assert tools("memory_kg_query", start_id=one)["count"] == 0
    then = tools("memory_kg_query", start_id=one, as_of="2025-04-01T00:00:00Z")
    assert [(edge["target_id"], edge["observed_by"]) for edge in then["edges"]] == [(other, "agent:bob")]


def test_an_edge_of_which_only_the_end_is_known_has_no_beginning(tools: Tools) -> None:
    """A window may be open at its beginning: valid_from is null where nobody knows it."""
    one, other = stored(tools, "one"), stored(tools, "other")
    link = tools("memory_link", source_id=one, target_id=other, valid_until="2020-04-20T00:00:00Z")
    assert link["valid_from"] is None
    assert tools("memory_kg_query", start_id=one, as_of="2012-01-01T00:00:00Z")["count"] == 1


def test_an_edge_is_signed_by_who_has_a_key(tmp_path: Any, clock: HandClock) -> None:
    """A signature stands in every edge that is shown, where its observer has a key."""
    store = open_store(str(tmp_path / "signed.db"), "normal")
    signed = Tools(Treering(store, clock=clock, actor="ann", identity=Identity.generate()), "ai-memory")
    one, other = stored(signed, "one"), stored(signed, "other")
    link = signed("memory_link", source_id=one, target_id=other)
    [edge] = signed("memory_kg_query", start_id=one)["edges"]
    assert link["signature"]
    assert (edge["signature"], edge["observed_by"], edge["attest_level"]) == (link["signature"], "ann", "self_signed")
    store.close()


def test_links_are_listed_with_observer_and_signature(tools: Tools, http: Http) -> None:
    """A memory's links are listed both ways with windows, observer and signature."""
    one, other = stored(tools, "one"), stored(tools, "other")
    tools("memory_link", source_id=one, target_id=other, observed_by="bob")
    for end in (one, other):
        [link] = http.ok("GET", f"/links/{end}")["links"]
        assert (link["source_id"], link["observed_by"], link["signature"]) == (one, "bob", None)


# entities


def test_an_entity_is_registered_with_its_aliases(tools: Tools) -> None:
    """Registering answers entity_id, created and aliases_added."""
    answer = tools(
        "memory_entity_register",
        canonical_name="AlphaOne LLC",
        namespace=NS,
        aliases=["AlphaOne", "AO", "alpha-one"],
        kind="organization",
    )
    assert answer["created"] is True
    assert answer["aliases_added"] == ["AlphaOne", "AO", "alpha-one"]


def test_registering_again_reuses_the_entity_and_adds_aliases(tools: Tools) -> None:
    """Registering is idempotent on name and namespace; new aliases are added."""
    first = tools("memory_entity_register", canonical_name="AlphaOne LLC", namespace=NS, aliases=["AO"])
    again = tools("memory_entity_register", canonical_name="AlphaOne LLC", namespace=NS, aliases=["AO", "A1"])
    assert (again["entity_id"], again["created"], again["aliases_added"]) == (first["entity_id"], False, ["A1"])


def test_a_memory_of_the_same_title_is_not_overwritten(tools: Tools) -> None:
    """A memory that has the title already is a conflict, and stays."""
    taken = stored(tools, "AlphaOne LLC", "a note of that title", namespace=NS)
    assert tools.asked("memory_entity_register", canonical_name="AlphaOne LLC", namespace=NS).is_error
    assert tools("memory_get", id=taken)["content"] == "a note of that title"


def test_any_alias_leads_to_the_entity(tools: Tools) -> None:
    """An alias is resolved to the entity with its canonical name and all aliases; the newest of several."""
    made = tools("memory_entity_register", canonical_name="AlphaOne LLC", namespace=NS, aliases=["AlphaOne", "AO"])
    found = tools("memory_entity_get_by_alias", alias="AO", namespace=NS)
    assert (found["entity_id"], found["canonical_name"]) == (made["entity_id"], "AlphaOne LLC")
    assert found["all_aliases"] == ["AlphaOne", "AO"]


def test_all_memories_about_an_entity_are_found_from_it(tools: Tools) -> None:
    """From an entity every memory that names it by any alias is reached, whether stored before or after it."""
    before = stored(tools, "Invoice", "AO sent the invoice", namespace=NS)
    entity = tools("memory_entity_register", canonical_name="AlphaOne LLC", namespace=NS, aliases=["AO", "alpha-one"])
    after = stored(tools, "Office", "alpha-one's new office is in Turin", namespace=NS)
    stored(tools, "Other", "the aorta is an artery", namespace=NS)
    walked = tools("memory_kg_query", start_id=entity["entity_id"], depth=1)
    assert {one["id"] for one in walked["nodes"] if one["type"] == "memory"} == {before, after}


# memory_kg_query


def test_a_walk_goes_three_hops_by_default_and_eight_at_most(tools: Tools) -> None:
    """depth is 3 by default and 8 at most; the answer tells how far it came and how many edges it walked."""
    ids = [stored(tools, f"step {number}") for number in range(6)]
    for one, other in pairwise(ids):
        tools("memory_link", source_id=one, target_id=other)
    answer = tools("memory_kg_query", start_id=ids[0])
    assert (answer["depth_reached"], answer["edges_walked"]) == (3, 3)
    assert tools("memory_kg_query", start_id=ids[0], depth=8)["depth_reached"] == 5
    assert tools.asked("memory_kg_query", start_id=ids[0], depth=9).is_error


def test_a_walk_that_comes_back_leaves_its_start_where_it_was(tools: Tools) -> None:
    """The start has depth 0, also where a circle leads back to it."""
    one, other = stored(tools, "one"), stored(tools, "other")
    tools("memory_link", source_id=one, target_id=other)
    tools("memory_link", source_id=other, target_id=one)
    depths = {node["id"]: node["depth"] for node in tools("memory_kg_query", start_id=one)["nodes"]}
    assert depths == {one: 0, other: 1}


def test_a_walk_follows_only_the_relations_asked_for(tools: Tools) -> None:
    """relations narrows the walk."""
    one, other, third = (stored(tools, name) for name in ("one", "other", "third"))
    tools("memory_link", source_id=one, target_id=other, relation="supersedes")
    tools("memory_link", source_id=one, target_id=third, relation="related_to")
    answer = tools("memory_kg_query", start_id=one, relations=["supersedes", "derived_from"])
    assert [edge["target_id"] for edge in answer["edges"]] == [other]


def test_a_walk_within_a_namespace_tells_nothing_of_another(tools: Tools) -> None:
    """A namespace is a wall: what lies beyond it is neither walked to nor shown."""
    here, near = stored(tools, "here", namespace="a"), stored(tools, "near", namespace="a")
    beyond = stored(tools, "beyond", "secret words", namespace="b")
    tools("memory_link", source_id=here, target_id=near)
    tools("memory_link", source_id=here, target_id=beyond)
    assert {node["id"] for node in tools("memory_kg_query", start_id=here)["nodes"]} == {here, near, beyond}
    walled = tools("memory_kg_query", start_id=here, namespace="a")
    assert {node["id"] for node in walled["nodes"]} == {here, near}
    assert "secret words" not in str(walled)


# memory_kg_timeline


def test_a_timeline_tells_what_was_added_and_what_was_ended_in_order(tools: Tools, clock: HandClock) -> None:
    """A timeline has edge_added and edge_invalidated events in order, those of ended edges too."""
    one, other = stored(tools, "one"), stored(tools, "other")
    tools("memory_link", source_id=one, target_id=other)
    clock.advance(days=5)
    tools("memory_kg_invalidate", source_id=one, target_id=other, relation="related_to")
    events = tools("memory_kg_timeline", node_id=one)["events"]
    assert [(event["type"], event["target_id"]) for event in events] == [
        ("edge_added", other),
        ("edge_invalidated", other),
    ]
    assert tools("memory_kg_timeline", node_id=one, until=text(clock.now - timedelta(days=1)))["count"] == 1
    assert tools("memory_kg_timeline", node_id=one, relations=["supersedes"])["count"] == 0


# memory_kg_invalidate


def test_an_edge_is_ended_and_still_walked_in_its_past(tools: Tools, clock: HandClock) -> None:
    """Invalidating stamps valid_until; the edge leaves walks of the present, and walks of earlier moments follow it."""
    one, other = stored(tools, "one"), stored(tools, "other")
    tools("memory_link", source_id=one, target_id=other)
    then = clock.now
    clock.advance(days=5)
    answer = tools("memory_kg_invalidate", source_id=one, target_id=other, relation="related_to")
    assert (answer["invalidated"], answer["valid_until"]) == (True, text(clock.now))
    assert tools("memory_kg_query", start_id=one)["count"] == 0
    assert tools("memory_kg_query", start_id=one, as_of=text(then))["count"] == 1


def test_a_link_made_again_leaves_the_gap(tools: Tools, clock: HandClock) -> None:
    """An edge that was ended and is linked again holds from then on: in between it did not."""
    one, other = stored(tools, "one"), stored(tools, "other")
    tools("memory_link", source_id=one, target_id=other)
    clock.advance(days=5)
    tools("memory_kg_invalidate", source_id=one, target_id=other, relation="related_to")
    between = clock.advance(days=5)
    clock.advance(days=5)
    tools("memory_link", source_id=one, target_id=other)
    assert tools("memory_kg_query", start_id=one)["count"] == 1
    assert tools("memory_kg_query", start_id=one, as_of=text(between))["count"] == 0


def test_a_link_can_be_taken_away_altogether(tools: Tools, http: Http) -> None:
    """Deleting a link is another thing than ending it: no timeline and no walk of the past shows it any more."""
    one, other = stored(tools, "one"), stored(tools, "other")
    tools("memory_link", source_id=one, target_id=other)
    gone = http.ok("DELETE", "/links", {"source_id": one, "target_id": other, "relation": "related_to"})
    assert gone["deleted"] is True
    assert tools("memory_kg_query", start_id=one, include_invalidated=True)["count"] == 0
    assert tools("memory_kg_timeline", node_id=one)["events"] == []
    assert http("DELETE", "/links", {"source_id": one, "target_id": other}).status_code == 404


# what the graph is for


def test_consolidation_keeps_its_sources_and_leads_to_them(tools: Tools) -> None:
    """A consolidated memory is derived from each of its sources, which stay readable: one walk lists them."""
    notes = [stored(tools, f"week {number}", f"what happened in week {number}") for number in range(1, 4)]
    retro = tools("memory_consolidate", ids=notes, title="Q3 retro", summary="a good quarter")["id"]
    walked = tools("memory_kg_query", start_id=retro, relations=["derived_from"], depth=1)
    assert {edge["target_id"] for edge in walked["edges"]} == set(notes)
    assert tools("memory_get", id=notes[0])["content"] == "what happened in week 1"


def test_a_contradiction_surfaces_on_recall_with_its_words(tools: Tools) -> None:
    """Two memories with a contradicts edge surface together: each tells the other's words."""
    postgres = stored(tools, "Database", "We use Postgres")
    mysql = stored(tools, "Database move", "Migrated to MySQL")
    tools("memory_link", source_id=mysql, target_id=postgres, relation="contradicts")
    [found, *_] = tools("memory_recall", context="We use Postgres")["memories"]
    assert (found["id"], found["contradicted_by"]) == (postgres, [mysql])
    assert [one["content"] for one in found["contradictions"]] == ["Migrated to MySQL"]


def test_detecting_a_contradiction_links_the_two(tools: Tools) -> None:
    """Two memories on one topic that cannot both be so are found and linked by contradicts."""
    one = stored(tools, "Port", "The server listens on port 8080", metadata={"topic": "port"})
    other = stored(tools, "Port now", "The server listens on port 9090", metadata={"topic": "port"})
    assert tools("memory_detect_contradiction", id_a=one, id_b=other)["contradicts"] is True
    assert [edge["relation"] for edge in tools("memory_kg_query", start_id=other)["edges"]] == ["contradicts"]


@pytest.mark.parametrize("then", ["Migrated to MySQL", "We migrated to MySQL"])
def test_the_documents_own_pair_is_detected_by_its_words_alone(tools: Tools, clock: HandClock, then: str) -> None:
    """ "We use Postgres" and "migrated to MySQL" contradict each other, though nobody gave them a topic."""
    postgres = stored(tools, "Database", "We use Postgres")
    clock.advance(days=1)
    mysql, tea = stored(tools, "Move", then), stored(tools, "Tea", "Ann drinks tea in the afternoon")
    found = tools("memory_detect_contradiction", id_a=postgres, id_b=mysql)
    assert found["contradicts"] is True
    assert "replaces" in found["why"]
    [edge] = tools("memory_kg_query", start_id=mysql)["edges"]
    assert (edge["source_id"], edge["target_id"], edge["relation"]) == (mysql, postgres, "contradicts")
    assert tools("memory_detect_contradiction", id_a=postgres, id_b=tea)["contradicts"] is False


def test_the_graph_of_any_moment_can_be_asked_for(tools: Tools, clock: HandClock) -> None:
    """as_of returns the graph as it was, without a copy having been made then."""
    draft, review = stored(tools, "Q3 OKR draft"), stored(tools, "Q3 OKR review")
    before = clock.now
    clock.advance(days=1)
    tools("memory_link", source_id=review, target_id=draft, relation="supersedes", valid_from=text(clock.now))
    assert tools("memory_kg_query", start_id=review, as_of=text(before))["count"] == 0
    assert tools("memory_kg_query", start_id=review)["count"] == 1


# coming and going


def test_an_export_holds_ended_edges_and_comes_back_as_it_was(
    tools: Tools, http: Http, tmp_path: Any, clock: HandClock
) -> None:
    """Exporting loses no edge, and importing keeps ids, creation, accesses and windows; twice is once."""
    one, other = stored(tools, "one", namespace="Team:a"), stored(tools, "other", namespace="Team:a")
    tools("memory_link", source_id=one, target_id=other)
    clock.advance(days=1)
    tools("memory_kg_invalidate", source_id=one, target_id=other, relation="related_to")
    tools("memory_get", id=one)
    told = http.ok("GET", "/export")
    assert [link["valid_until"] for link in told["links"]] == [text(clock.now)]
    clock.advance(days=30)
    store = open_store(str(tmp_path / "other.db"), "normal")
    there = Tools(Treering(store, clock=clock, actor="local"), "ai-memory")
    there.door.import_memories(records=told, system="ai-memory")
    again = there.door.import_memories(records=told, system="ai-memory")
    assert (again.memories, again.known) == (0, 2)
    before = {memory["id"]: memory for memory in told["memories"]}
    for memory in there("memory_list", namespace="Team:a")["memories"]:
        for name in ("title", "content", "created_at", "access_count", "last_accessed_at", "tier", "namespace"):
            assert memory[name] == before[memory["id"]][name], name
    assert there("memory_kg_timeline", node_id=one)["count"] == 2
    store.close()


def test_what_nobody_stored_is_not_found(tools: Tools) -> None:
    """An id that nobody has is an error that says so."""
    answer = tools.asked("memory_get", id=NEVER)
    assert answer.is_error
    assert NEVER in str(answer.content)
