"""CortexGraph's API reference: the graph, opened and related. A test's docstring is the promise, in our words."""

from __future__ import annotations

import pytest
from tests.seeds.conftest import NEVER, Tools
from tests.seeds.cortexgraph import saved, tools

from treering.door import Treering

__all__ = ["tools"]


def test_the_graph_is_read_page_by_page_with_statistics(tools: Tools) -> None:
    """read_graph gives memories with scores, relations, stats over all, and pagination of ten by default."""
    ids = [saved(tools, f"note number {number}") for number in range(12)]
    tools("create_relation", from_memory_id=ids[0], to_memory_id=ids[1], relation_type="supports", strength=0.9)
    answer = tools("read_graph")
    assert [one["id"] for one in answer["memories"]] == ids[:10]
    assert answer["stats"]["total_memories"] == 12
    assert (answer["stats"]["total_relations"], answer["stats"]["status_filter"]) == (1, "active")
    [relation] = answer["relations"]
    assert (relation["from"], relation["to"], relation["type"], relation["strength"]) == (
        ids[0],
        ids[1],
        "supports",
        0.9,
    )
    assert answer["pagination"] == {
        "page": 1, "page_size": 10, "total_count": 12, "total_pages": 2, "has_more": True,
    }  # fmt: skip
    assert [one["id"] for one in tools("read_graph", page=2)["memories"]] == ids[10:]
    assert tools("read_graph", page=2)["relations"] == []


def test_the_graph_is_filtered_by_status_and_limit(tools: Tools) -> None:
    """status is active, promoted, archived or all; limit bounds how many there are in all; scores can be left out."""
    kept, promoted = saved(tools, "stays as it is"), saved(tools, "is promoted")
    tools("promote_memory", memory_id=promoted, force=True)
    assert [one["id"] for one in tools("read_graph")["memories"]] == [kept]
    assert [one["id"] for one in tools("read_graph", status="promoted")["memories"]] == [promoted]
    assert tools("read_graph", status="all", limit=1)["pagination"]["total_count"] == 1
    assert "score" not in tools("read_graph", include_scores=False)["memories"][0]


def test_reading_the_graph_walks_from_no_memory(tools: Tools, door: Treering) -> None:
    """The graph of a store is read in one pass, however many memories there are."""
    door.add_many([{"content": f"note number {number}"} for number in range(300)])
    door.timings(reset=True)
    tools("read_graph")
    counts = {one.operation: one.count for one in door.timings()}
    assert counts == {"survey": 1, "timings": 1}


def test_memories_are_opened_by_id_with_what_was_not_found(tools: Tools) -> None:
    """open_memories takes one id or several, tells relations both ways and which ids nobody has."""
    first, second = saved(tools, "one", source="notes"), saved(tools, "two")
    tools("create_relation", from_memory_id=first, to_memory_id=second, relation_type="related", strength=0.85)
    answer = tools("open_memories", memory_ids=[first, second, NEVER])
    assert (answer["count"], answer["not_found"]) == (2, [NEVER])
    one, two = answer["memories"]
    assert one["relations"]["outgoing"] == [{"to": second, "type": "related", "strength": 0.85}]
    assert two["relations"]["incoming"] == [{"from": first, "type": "related", "strength": 0.85}]


@pytest.mark.parametrize(
    "relation", ["related", "causes", "supports", "contradicts", "has_decision", "consolidated_from"]
)
def test_memories_are_related_by_each_of_the_six_types(tools: Tools, relation: str) -> None:
    """create_relation takes six types and answers with the relation."""
    first, second = saved(tools, "one"), saved(tools, "two")
    answer = tools("create_relation", from_memory_id=first, to_memory_id=second, relation_type=relation, strength=0.9)
    assert (answer["type"], answer["strength"]) == (relation, 0.9)
    assert answer["message"] == f"Relation created: {first} --[{relation}]--> {second}"


def test_an_id_that_is_no_uuid_is_refused(tools: Tools) -> None:
    """from_memory_id and to_memory_id are valid UUIDs."""
    answer = tools("create_relation", from_memory_id="x", to_memory_id=NEVER, relation_type="related")
    assert answer["success"] is False
    assert "from_memory_id" in answer["message"]
