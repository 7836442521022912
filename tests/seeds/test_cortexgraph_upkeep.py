"""CortexGraph's API reference: garbage, promotion, clusters. A test's docstring is the promise, in our words."""

from __future__ import annotations

from typing import Any

from tests.conftest import HandClock
from tests.seeds.conftest import Tools
from tests.seeds.cortexgraph import opened, saved, tools

from treering.door import Treering

__all__ = ["tools"]


def test_garbage_is_previewed_unless_told_otherwise(tools: Tools, clock: HandClock) -> None:
    """gc is a dry run by default; its answer counts, sums and names what would go."""
    memory_id = saved(tools, "nobody needs this")
    clock.advance(days=365)
    preview = tools("gc")
    assert (preview["dry_run"], preview["memory_ids"], preview["total_affected"]) == (True, [memory_id], 1)
    assert tools("open_memories", memory_ids=memory_id)["count"] == 1
    done = tools("gc", dry_run=False, archive_instead=True, limit=50)
    assert (done["archived_count"], done["removed_count"]) == (1, 0)
    assert opened(tools, memory_id)["status"] == "archived"


def test_a_memory_is_promoted_to_a_note_and_says_where_that_lies(tools: Tools, door: Treering) -> None:
    """promoted_to is the path of the note in the vault, promoted_at when."""
    memory_id = saved(tools, "We chose Postgres for the ledger")
    answer = tools("promote_memory", memory_id=memory_id, force=True)
    assert (answer["promoted_count"], answer["promoted_ids"]) == (1, [memory_id])
    memory = opened(tools, memory_id)
    assert memory["status"] == "promoted"
    assert memory["promoted_to"].endswith(".md")
    assert isinstance(memory["promoted_at"], int)


def test_candidates_are_detected_by_score_or_by_uses(tools: Tools, clock: HandClock) -> None:
    """auto_detect promotes what scores at least 0.65, or was used five times within 14 days."""
    often = saved(tools, "used all the time", strength=1.0)
    seldom = saved(tools, "hardly ever used", strength=1.0)
    for _ in range(5):
        clock.advance(hours=12)
        tools("touch_memory", memory_id=often)
    clock.advance(days=5)
    answer = tools("promote_memory", auto_detect=True, dry_run=True)
    assert [one["id"] for one in answer["candidates"]] == [often]
    assert set(answer["candidates"][0]) == {"id", "content_preview", "reason", "score", "use_count", "age_days"}
    assert seldom not in answer["promoted_ids"]


def test_what_does_not_meet_the_criteria_is_refused_unless_forced(tools: Tools) -> None:
    """Without force a memory that does not meet the criteria is refused with the reason."""
    memory_id = saved(tools, "too young")
    answer = tools("promote_memory", memory_id=memory_id)
    assert answer["success"] is False
    assert "does not meet promotion criteria" in answer["message"]


# cluster_memories, consolidate_memories


def clustered(tools: Tools) -> dict[str, Any]:
    for content in ("The weekly project meeting is on Tuesday", "The weekly project meeting is on Tuesday at ten"):
        saved(tools, content, tags=["meeting"], entities=["project"])
    [cluster] = tools("cluster_memories", threshold=0.5)["clusters"]
    return dict(cluster)


def test_alike_memories_are_clustered_with_a_cohesion_and_an_action(tools: Tools) -> None:
    """A cluster has id, size, cohesion, suggested_action, memory_ids and content_previews."""
    cluster = clustered(tools)
    assert cluster["size"] == 2
    assert 0 < cluster["cohesion"] <= 1
    assert cluster["suggested_action"] in ("auto-merge", "llm-review", "keep-separate")
    assert len(cluster["memory_ids"]) == len(cluster["content_previews"]) == 2


def test_a_cluster_can_be_asked_to_have_a_least_size(tools: Tools, door: Treering) -> None:
    """min_cluster_size leaves out smaller clusters; the space's setting says it where the call does not."""
    clustered(tools)
    assert tools("cluster_memories", threshold=0.5, min_cluster_size=3)["clusters"] == []
    door.settings({"consolidation": {"min_size": 3}})
    assert tools("cluster_memories", threshold=0.5)["clusters"] == []
    assert len(tools("cluster_memories", threshold=0.5, min_cluster_size=2)["clusters"]) == 1


def test_duplicates_are_told_as_pairs(tools: Tools) -> None:
    """find_duplicates answers mode duplicate_detection and pairs with previews and similarity."""
    for content in ("The meeting is scheduled for Tuesday", "The meeting is scheduled for Tuesday."):
        saved(tools, content)
    answer = tools("cluster_memories", find_duplicates=True, duplicate_threshold=0.8)
    assert (answer["mode"], answer["duplicates_found"]) == ("duplicate_detection", 1)
    [pair] = answer["duplicates"]
    assert set(pair) == {"id1", "id2", "content1_preview", "content2_preview", "similarity"}


def test_a_merge_is_previewed_first(tools: Tools) -> None:
    """mode=preview shows content, tags, entities and strength of the merged memory, and changes nothing."""
    cluster = clustered(tools)
    answer = tools("consolidate_memories", cluster_id=cluster["id"])
    [preview] = answer["previews"]
    assert (answer["mode"], preview["memory_count"], preview["merged_tags"]) == ("preview", 2, ["meeting"])
    assert preview["calculated_strength"] >= 1.0
    assert tools("read_graph")["stats"]["total_memories"] == 2


def test_a_merge_keeps_the_earliest_creation_and_the_latest_use(tools: Tools, clock: HandClock) -> None:
    """apply preserves the earliest created_at and the latest last_used, archives the sources and relates to each."""
    cluster = clustered(tools)
    first = min(opened(tools, one)["created_at"] for one in cluster["memory_ids"])
    clock.advance(days=1)
    tools("touch_memory", memory_id=cluster["memory_ids"][0])
    used = max(opened(tools, one)["last_used"] for one in cluster["memory_ids"])
    clock.advance(days=1)
    answer = tools("consolidate_memories", cluster_id=cluster["id"], mode="apply")
    assert (answer["archived_count"], len(answer["relation_ids"])) == (2, 2)
    merged = opened(tools, answer["new_memory_id"])
    assert (merged["created_at"], merged["last_used"]) == (first, used)
    assert {one["type"] for one in merged["relations"]["outgoing"]} == {"consolidated_from"}
    assert {opened(tools, one)["status"] for one in answer["source_ids"]} == {"archived"}


def test_what_is_merged_of_a_promoted_memory_has_a_note_too(tools: Tools) -> None:
    """Merging what was promoted leaves a promoted memory with a note of its own."""
    cluster = clustered(tools)
    tools("promote_memory", memory_id=cluster["memory_ids"][0], force=True)
    merged = tools("consolidate_memories", cluster_id=cluster["id"], mode="apply")["new_memory_id"]
    assert opened(tools, merged)["status"] == "promoted"
    assert opened(tools, merged)["promoted_to"].endswith(".md")


def test_a_cluster_can_be_linked_instead_of_merged(tools: Tools) -> None:
    """mode=link relates the members and merges nothing."""
    cluster = clustered(tools)
    answer = tools("consolidate_memories", cluster_id=cluster["id"], mode="link")
    assert answer["relations_created"] >= 1
    assert tools("read_graph")["stats"]["total_memories"] == 2
