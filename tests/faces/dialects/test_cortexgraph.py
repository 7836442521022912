"""CortexGraph's tools: its names, parameters, defaults, bounds, answers and errors; and nothing is ever deleted."""

from __future__ import annotations

from typing import Any

import pytest
from jsonschema import Draft202012Validator
from tests.conftest import HandClock

import treering
from treering.door import Treering
from treering.faces.dialects import DIALECTS

CORTEXGRAPH = DIALECTS["cortexgraph"]
REQUIRED = "required"
A_UUID = "01a1df35-ec0b-75c0-a726-445b0d2e15ee"
RELATIONS = ("related", "causes", "supports", "contradicts", "has_decision", "consolidated_from")

# tool: its parameters with their defaults
PARAMETERS: dict[str, dict[str, Any]] = {
    "save_memory": {
        "content": REQUIRED, "tags": None, "entities": None, "source": None, "context": None, "meta": None,
        "strength": None,
    },
    "search_memory": {
        "query": None, "tags": None, "top_k": 10, "window_days": None, "min_score": None, "use_embeddings": False,
        "status": None, "include_review_candidates": True, "page": None, "page_size": None, "preview_length": None,
    },
    "search_unified": {
        "query": None, "tags": None, "limit": 10, "stm_weight": 1.0, "ltm_weight": 0.7, "window_days": None,
        "min_score": None, "verbose": False, "status": None, "page": None, "page_size": None, "preview_length": None,
    },
    "touch_memory": {"memory_id": REQUIRED, "boost_strength": False},
    "observe_memory_usage": {"memory_ids": REQUIRED, "context_tags": []},
    "analyze_message": {"message": REQUIRED},
    "analyze_for_recall": {"message": REQUIRED},
    "gc": {"dry_run": True, "archive_instead": False, "limit": None},
    "promote_memory": {
        "memory_id": None, "auto_detect": False, "dry_run": False, "target": "obsidian", "force": False,
    },
    "cluster_memories": {
        "strategy": "similarity", "threshold": 0.83, "max_cluster_size": 12, "min_cluster_size": None,
        "find_duplicates": False, "duplicate_threshold": 0.88,
    },
    "consolidate_memories": {
        "cluster_id": None, "mode": "preview", "auto_detect": False, "cohesion_threshold": 0.75,
    },
    "read_graph": {"status": "active", "include_scores": True, "limit": None, "page": 1, "page_size": 10},
    "open_memories": {
        "memory_ids": REQUIRED, "include_relations": True, "include_scores": True, "page": 1, "page_size": 10,
    },
    "create_relation": {
        "from_memory_id": REQUIRED, "to_memory_id": REQUIRED, "relation_type": REQUIRED, "strength": 1.0,
        "metadata": {},
    },
    "auto_recall_process_message": {"message": REQUIRED},
    "backfill_embeddings": {"model": None, "limit": None, "force": False, "dry_run": False},
    "get_performance_metrics": {},
    "reset_performance_metrics": {},
}  # fmt: skip


@pytest.fixture
def door(clock: HandClock) -> Treering:
    return treering.open(":memory:", clock=clock, actor="ann", space="lab")


def ask(door: Treering, name: str, **given: Any) -> dict[str, Any]:
    return CORTEXGRAPH.answer(door, name, given)


def save(door: Treering, content: str, **more: Any) -> str:
    return str(ask(door, "save_memory", content=content, **more)["memory_id"])


def test_there_are_its_eighteen_tools() -> None:
    assert list(CORTEXGRAPH.tools) == list(PARAMETERS)


@pytest.mark.parametrize("name", PARAMETERS)
def test_a_tool_takes_its_parameters_with_their_defaults(name: str) -> None:
    tool = CORTEXGRAPH.tools[name]
    Draft202012Validator.check_schema(tool.schema())
    told = {
        parameter: REQUIRED if field.is_required() else field.get_default(call_default_factory=True)
        for parameter, field in tool.arguments.model_fields.items()
    }
    assert told == PARAMETERS[name]
    assert all(field.description for field in tool.arguments.model_fields.values())
    assert tool.description


def test_memories_are_opened_by_one_id_or_by_a_list_and_the_schema_says_so(door: Treering) -> None:
    one = save(door, "Ann rows")
    check = Draft202012Validator(CORTEXGRAPH.tools["open_memories"].schema())
    for ids, fine in ((one, True), ([one], True), ([], False), (1, False), ([1], False)):
        assert check.is_valid({"memory_ids": ids}) is fine
        assert ask(door, "open_memories", memory_ids=ids)["success"] is fine


def test_a_merge_of_nothing_says_so(door: Treering) -> None:
    save(door, "Ann rows")
    told = ask(door, "consolidate_memories", mode="apply", auto_detect=True)
    assert (told["success"], told["new_memory_id"]) == (True, None)
    assert told["message"] == "Nothing was merged: no cluster is coherent enough"


BAD: dict[str, tuple[str, dict[str, Any], str]] = {
    "a strength below one": ("save_memory", {"content": "x", "strength": 0.5}, "strength:"),
    "a strength above two": ("save_memory", {"content": "x", "strength": 2.5}, "strength:"),
    "nothing to save": ("save_memory", {"content": ""}, "content:"),
    "no content": ("save_memory", {}, "content: field required"),
    "no results wanted": ("search_memory", {"top_k": 0}, "top_k:"),
    "page zero": ("read_graph", {"page": 0}, "page:"),
    "too large a page": ("read_graph", {"page_size": 101}, "page_size:"),
    "too high a limit": ("read_graph", {"limit": 10_001}, "limit:"),
    "a status that is none": ("read_graph", {"status": "gone"}, "status:"),
    "too many ids": ("open_memories", {"memory_ids": ["x"] * 101}, "memory_ids:"),
    "no id": ("open_memories", {"memory_ids": []}, "memory_ids:"),
    "an id that is none": (
        "create_relation",
        {"from_memory_id": "x", "to_memory_id": "y", "relation_type": "related"},
        "'x' is not a valid UUID",
    ),
    "a memory that is not there": ("touch_memory", {"memory_id": A_UUID}, "memory_id: there is no memory"),
    "a promotion of nobody": ("promote_memory", {"memory_id": A_UUID}, "memory_id: there is no memory"),
    "no such cluster": ("consolidate_memories", {"cluster_id": "x"}, "`cluster_memories` finds those there are"),
    "a relation from nowhere": (
        "create_relation",
        {"from_memory_id": A_UUID, "to_memory_id": A_UUID, "relation_type": "related"},
        "from_memory_id: there is no memory",
    ),
    "a relation that is none": (
        "create_relation",
        {"from_memory_id": A_UUID, "to_memory_id": A_UUID, "relation_type": "loves"},
        "relation_type:",
    ),
    "a memory nobody knows": ("touch_memory", {"memory_id": "x"}, "there is no memory 'x'"),
    "nothing to promote": ("promote_memory", {}, "memory_id: give the memory to promote, or auto_detect"),
    "nothing to consolidate": ("consolidate_memories", {}, "cluster_id: is required unless auto_detect"),
    "a mode that is none": ("consolidate_memories", {"mode": "erase"}, "mode:"),
    "a threshold above one": ("cluster_memories", {"threshold": 1.5}, "threshold:"),
    "an empty message": ("analyze_message", {"message": ""}, "message:"),
    "a tool that is none": ("save_memories", {}, "did you mean save_memory?"),
}


@pytest.mark.parametrize("case", BAD)
def test_an_error_is_an_answer_that_says_so(case: str, door: Treering) -> None:
    name, given, told = BAD[case]
    answer = ask(door, name, **given)
    assert answer.keys() == {"success", "message"}
    assert answer["success"] is False
    assert told in answer["message"]
    assert door.status().seq == 0


def test_a_memory_is_saved_as_it_stands_and_enriched_where_nothing_is_given(door: Treering) -> None:
    saved = ask(door, "save_memory", content="Remember: I prefer TypeScript over JavaScript", tags=["code"])
    assert saved == {
        "success": True,
        "memory_id": saved["memory_id"],
        "message": f"Memory saved with ID: {saved['memory_id']}",
        "has_embedding": False,
        "enrichment_applied": True,
        "auto_entities": 2,
        "calculated_strength": saved["calculated_strength"],
    }
    [opened] = ask(door, "open_memories", memory_ids=saved["memory_id"])["memories"]
    assert opened["content"] == "Remember: I prefer TypeScript over JavaScript"
    assert opened["entities"] == ["TypeScript", "JavaScript"]
    assert 1.0 < opened["strength"] <= 2.0


def test_what_is_given_is_kept_as_it_is(door: Treering) -> None:
    given = {"entities": ["project"], "strength": 1.5, "source": "meeting", "context": "Q4", "meta": {"a": 1}}
    saved = ask(door, "save_memory", content="The deadline is December 15th", tags=["deadline"], **given)
    assert not saved["enrichment_applied"]
    [opened] = ask(door, "open_memories", memory_ids=[saved["memory_id"]])["memories"]
    wanted = {"entities": ["project"], "strength": 1.5, "source": "meeting", "context": "Q4", "tags": ["deadline"]}
    assert {name: opened[name] for name in wanted} == wanted
    assert door.get(saved["memory_id"]).meta["a"] == 1


def test_a_search_tells_score_use_and_age(door: Treering, clock: HandClock) -> None:
    old = save(door, "The project deadline is December 15th", tags=["project"])
    clock.advance(days=10)
    new = save(door, "The project begins in May", tags=["project", "plan"])
    found = ask(door, "search_memory", query="project")
    assert (found["success"], found["count"]) == (True, 2)
    [first] = [one for one in found["results"] if one["id"] == old]
    assert first.keys() == {
        "id", "content", "tags", "score", "similarity", "use_count", "last_used", "age_days", "review_priority",
    }  # fmt: skip
    assert (first["similarity"], first["use_count"], first["age_days"]) == (None, 0, 10.0)
    assert first["last_used"] == int(clock.now.timestamp()) - 10 * 86_400
    assert first["score"] < 0.3
    for narrowed in ({"window_days": 7}, {"min_score": 0.5}, {"tags": ["plan"]}):
        assert [one["id"] for one in ask(door, "search_memory", query="project", **narrowed)["results"]] == [new]
    assert ask(door, "search_memory", query="project", use_embeddings=True)["results"][0]["similarity"] > 0
    assert [one["id"] for one in ask(door, "search_memory")["results"]] == [new, old]
    assert ask(door, "search_memory", top_k=1)["count"] == 1


def test_a_unified_search_is_a_block_of_text(door: Treering, clock: HandClock) -> None:
    old = save(door, "I prefer dark mode", tags=["look"])
    clock.advance(days=30)
    save(door, "Dark chocolate is in the drawer")
    told = ask(door, "search_unified", query="dark", verbose=True)["result"]
    assert '[STM] "I prefer dark mode' in told
    assert f"id: {old}" in told
    assert "chocolate" not in ask(door, "search_unified", query="dark", tags=["look"])["result"]
    assert "mode" not in ask(door, "search_unified", query="dark", min_score=0.5)["result"]
    assert ask(door, "search_unified", query="zebra")["result"] == "No results found."


def test_use_is_recorded_with_old_and_new_score(door: Treering, clock: HandClock) -> None:
    one = save(door, "JWT for every API", strength=1.0, tags=["security"])
    clock.advance(days=3)
    touched = ask(door, "touch_memory", memory_id=one, boost_strength=True)
    assert touched == {
        "success": True,
        "memory_id": one,
        "old_score": 0.5,
        "new_score": touched["new_score"],
        "use_count": 1,
        "strength": 1.1,
        "message": f"Memory reinforced. Score: 0.50 -> {touched['new_score']:.2f}",
    }
    seen = ask(door, "observe_memory_usage", memory_ids=[one, "x"], context_tags=["api", "backend"])
    assert (seen["reinforced"], seen["count"], seen["cross_domain_count"]) == (True, 1, 1)
    assert seen["results"][0] == {
        "id": one,
        "status": "reinforced",
        "cross_domain": True,
        "new_use_count": 2,
        "new_review_count": 1,
        "strength": 1.2,
    }
    assert seen["results"][1]["status"] == "not_found"


def test_reinforcement_that_is_switched_off_says_so(door: Treering) -> None:
    one = save(door, "JWT for every API")
    door.settings({"reinforcement": {"enabled": False}})
    told = ask(door, "observe_memory_usage", memory_ids=[one])
    assert told == {"reinforced": False, "reason": told["reason"], "count": 0}
    assert "switched off" in told["reason"]


def test_advice_has_its_fields(door: Treering) -> None:
    save_it = ask(door, "analyze_message", message="Remember: I prefer TypeScript over JavaScript")
    assert save_it.keys() == {
        "should_save", "confidence", "suggested_entities", "suggested_tags", "suggested_strength", "reasoning",
        "phrase_signals",
    }  # fmt: skip
    assert save_it["should_save"]
    look = ask(door, "analyze_for_recall", message="What did I say about TypeScript?")
    assert look.keys() == {
        "should_search", "confidence", "suggested_query", "suggested_tags", "suggested_entities", "reasoning",
        "phrase_signals",
    }  # fmt: skip
    assert (look["should_search"], look["suggested_query"]) == (True, "TypeScript")


def test_what_has_faded_is_shown_then_put_away_and_never_deleted(door: Treering, clock: HandClock) -> None:
    one = save(door, "The bus was late", strength=1.0)
    clock.advance(days=120)
    shown = ask(door, "gc")
    assert shown == {
        "success": True,
        "dry_run": True,
        "removed_count": shown["removed_count"],
        "archived_count": 0,
        "freed_score_sum": shown["freed_score_sum"],
        "memory_ids": [one],
        "total_affected": 1,
        "message": "Would remove 1 low-scoring memories (threshold: 0.05)",
    }
    assert ask(door, "search_memory")["count"] == 1
    done = ask(door, "gc", dry_run=False, archive_instead=True)
    assert (done["archived_count"], done["message"]) == (1, "Archived 1 low-scoring memories (threshold: 0.05)")
    assert [each["id"] for each in ask(door, "read_graph", status="archived")["memories"]] == [one]
    assert door.restore(one).changed


def test_promotion_needs_its_criteria_or_force(door: Treering) -> None:
    one = save(door, "We decided on Postgres")
    refused = ask(door, "promote_memory", memory_id=one)
    assert refused["success"] is False
    assert "does not meet promotion criteria" in refused["message"]
    done = ask(door, "promote_memory", memory_id=one, force=True)
    assert (done["promoted_count"], done["promoted_ids"], done["candidates_found"]) == (1, [one], 1)
    assert done["candidates"][0].keys() == {"id", "content_preview", "reason", "score", "use_count", "age_days"}
    [opened] = ask(door, "open_memories", memory_ids=[one])["memories"]
    assert opened["status"] == "promoted"
    assert opened["promoted_at"] is not None
    assert ask(door, "read_graph", status="promoted")["stats"]["total_memories"] == 1
    assert ask(door, "read_graph")["stats"]["total_memories"] == 0


def test_what_belongs_together_is_found_linked_and_merged(door: Treering) -> None:
    first = save(door, "The project deadline is December 15th", tags=["a"], entities=["Project"])
    second = save(door, "The project deadline is Dec 15th", tags=["b"], entities=["Project"])
    pairs = ask(door, "cluster_memories", find_duplicates=True, duplicate_threshold=0.5)
    assert pairs.keys() == {"success", "mode", "duplicates_found", "duplicates", "message"}
    assert (pairs["mode"], pairs["duplicates_found"]) == ("duplicate_detection", 1)
    found = ask(door, "cluster_memories", threshold=0.5)
    assert found.keys() == {"success", "mode", "clusters_found", "strategy", "threshold", "clusters", "message"}
    [cluster] = found["clusters"]
    assert cluster.keys() == {"id", "size", "cohesion", "suggested_action", "memory_ids", "content_previews"}
    assert cluster["suggested_action"] in ("auto-merge", "llm-review", "keep-separate")
    preview = ask(door, "consolidate_memories", cluster_id=cluster["id"])
    assert preview.keys() == {"success", "mode", "auto_detect", "candidates_found", "previews"}
    assert preview["previews"][0]["merged_tags"] == ["a", "b"]
    linked = ask(door, "consolidate_memories", cluster_id=cluster["id"], mode="link")
    assert linked.keys() == {"success", "mode", "relations_created", "cluster_id", "message"}
    merged = ask(door, "consolidate_memories", cluster_id=cluster["id"], mode="apply")
    assert merged.keys() == {
        "success", "mode", "new_memory_id", "source_ids", "relation_ids", "archived_count", "message",
    }  # fmt: skip
    assert (sorted(merged["source_ids"]), merged["archived_count"]) == (sorted([first, second]), 2)
    archived = ask(door, "read_graph", status="archived")["memories"]
    assert {one["id"] for one in archived} == {first, second}


def test_the_graph_is_read_page_by_page(door: Treering) -> None:
    ids = [save(door, f"note {n}") for n in range(12)]
    ask(door, "create_relation", from_memory_id=ids[0], to_memory_id=ids[11], relation_type="related", strength=0.85)
    first = ask(door, "read_graph")
    assert first.keys() == {"success", "memories", "relations", "stats", "pagination"}
    assert [one["id"] for one in first["memories"]] == ids[:10]
    assert first["pagination"] == {
        "page": 1, "page_size": 10, "total_count": 12, "total_pages": 2, "has_more": True,
    }  # fmt: skip
    assert first["memories"][0].keys() == {
        "id", "content", "entities", "tags", "created_at", "last_used", "use_count", "strength", "status", "score",
        "age_days",
    }  # fmt: skip
    assert first["relations"] == [
        {
            "id": first["relations"][0]["id"],
            "from": ids[0],
            "to": ids[11],
            "type": "related",
            "strength": 0.85,
            "created_at": first["relations"][0]["created_at"],
        }
    ]
    assert first["stats"].keys() == {
        "total_memories", "total_relations", "avg_score", "avg_use_count", "status_filter",
    }  # fmt: skip
    assert (first["stats"]["total_relations"], first["stats"]["status_filter"]) == (1, "active")
    last = ask(door, "read_graph", page=2)
    assert ([one["id"] for one in last["memories"]], last["pagination"]["has_more"]) == (ids[10:], False)
    assert ask(door, "read_graph", page=3)["memories"] == []
    assert ask(door, "read_graph", limit=5)["pagination"]["total_count"] == 5
    assert "score" not in ask(door, "read_graph", include_scores=False)["memories"][0]


def test_memories_are_opened_with_their_relations(door: Treering) -> None:
    one, two, gone = save(door, "one"), save(door, "two"), save(door, "three")
    made = ask(
        door, "create_relation", from_memory_id=one, to_memory_id=two, relation_type="supports", metadata={"why": "x"}
    )
    assert made == {
        "success": True,
        "relation_id": made["relation_id"],
        "from": one,
        "to": two,
        "type": "supports",
        "strength": 1.0,
        "message": f"Relation created: {one} --[supports]--> {two}",
    }
    door.forget(gone)
    opened = ask(door, "open_memories", memory_ids=[two, gone, "nope"])
    assert (opened["success"], opened["count"], opened["not_found"]) == (True, 1, [gone, "nope"])
    [memory] = opened["memories"]
    assert memory["relations"] == {"outgoing": [], "incoming": [{"from": one, "type": "supports", "strength": 1.0}]}
    assert (memory["promoted_at"], memory["promoted_to"]) == (None, None)
    assert "relations" not in ask(door, "open_memories", memory_ids=two, include_relations=False)["memories"][0]
    pages = ask(door, "open_memories", memory_ids=[one, two], page=2, page_size=1)
    assert ([each["id"] for each in pages["memories"]], pages["pagination"]["total_pages"]) == ([two], 2)


@pytest.mark.parametrize("relation", RELATIONS)
def test_every_relation_comes_back_under_its_name(relation: str, door: Treering) -> None:
    one, two = save(door, "one"), save(door, "two")
    ask(door, "create_relation", from_memory_id=one, to_memory_id=two, relation_type=relation)
    [opened] = ask(door, "open_memories", memory_ids=one)["memories"]
    assert opened["relations"]["outgoing"] == [{"to": two, "type": relation, "strength": 1.0}]
