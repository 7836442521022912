"""CortexGraph's API reference, section by section. A test's docstring is the promise, in our words."""

from __future__ import annotations

import math
from datetime import timedelta
from typing import Any

import pytest
from tests.conftest import HandClock
from tests.seeds.conftest import NEVER, Tools

from treering.door import Treering
from treering.upkeep.agents.relations import RelationResult

DAY = 86_400


@pytest.fixture
def tools(door: Treering) -> Tools:
    return Tools(door, "cortexgraph")


def saved(tools: Tools, content: str, **more: Any) -> str:
    return str(tools("save_memory", content=content, **more)["memory_id"])


def opened(tools: Tools, memory_id: str) -> dict[str, Any]:
    [memory] = tools("open_memories", memory_ids=memory_id)["memories"]
    return dict(memory)


# save_memory


def test_saving_answers_with_an_id_and_says_whether_it_was_enriched(tools: Tools) -> None:
    """save_memory answers success, memory_id, message, has_embedding and enrichment_applied."""
    answer = tools("save_memory", content="Use JWT tokens for authentication in all new APIs")
    assert answer["success"] is True
    assert answer["message"] == f"Memory saved with ID: {answer['memory_id']}"
    assert (answer["has_embedding"], answer["enrichment_applied"]) == (False, True)


def test_entities_are_read_out_of_the_content_if_none_are_given(tools: Tools) -> None:
    """Without entities, those of the content are taken: of the document's JWT example jwt, authentication and apis."""
    memory = opened(tools, saved(tools, "Use JWT tokens for authentication in all new APIs"))
    assert {one.lower() for one in memory["entities"]} == {"jwt", "authentication", "apis"}
    other = opened(tools, saved(tools, "We authenticate users with JWT"))
    assert [one.lower() for one in other["entities"]] == ["jwt"]


def test_strength_is_judged_by_length_names_and_words_that_say_it_matters(tools: Tools) -> None:
    """Without a strength it is calculated: words such as critical raise it far more than length or a question do."""
    plain = opened(tools, saved(tools, "The meeting room is on the second floor"))["strength"]
    marked = opened(tools, saved(tools, "This is critical: the meeting room is on the second floor"))["strength"]
    asked = opened(tools, saved(tools, "Is the meeting room on the second floor?"))["strength"]
    assert 1.0 <= plain < 1.2 < marked <= 2.0
    assert asked < marked


def test_explicit_parameters_are_kept_as_they_were_given(tools: Tools) -> None:
    """Tags, entities, source, context and strength are stored as given."""
    memory = opened(
        tools,
        saved(
            tools,
            "The project deadline is December 15th",
            tags=["project", "deadline"],
            entities=["project", "december"],
            source="team meeting",
            context="Q4 planning discussion",
            strength=1.5,
        ),
    )
    assert (memory["tags"], sorted(memory["entities"])) == (["project", "deadline"], ["december", "project"])
    assert (memory["source"], memory["context"], memory["strength"]) == ("team meeting", "Q4 planning discussion", 1.5)


def test_preprocessing_can_be_switched_off(tools: Tools, door: Treering) -> None:
    """enable_preprocessing=false leaves entities and strength alone."""
    door.settings({"enrichment": {"enabled": False}})
    answer = tools("save_memory", content="This is critical: use JWT in all APIs")
    assert answer["enrichment_applied"] is False
    memory = opened(tools, answer["memory_id"])
    assert (memory["entities"], memory["strength"]) == ([], 1.0)


def test_strength_beyond_its_range_is_refused_in_their_shape(tools: Tools) -> None:
    """An error is an answer with success false and a message that names the parameter."""
    answer = tools("save_memory", content="x", strength=2.5)
    assert answer["success"] is False
    assert "strength" in answer["message"]


# search_memory


def test_a_search_gives_count_and_results_with_their_scores(tools: Tools) -> None:
    """Each result has id, content, tags, score, similarity, use_count, last_used and age_days."""
    memory_id = saved(tools, "The project deadline is December 15th", tags=["project"])
    answer = tools("search_memory", query="deadline", tags=["project"], top_k=5, window_days=7, min_score=0.1)
    [one] = answer["results"]
    assert (answer["success"], answer["count"], one["id"]) == (True, 1, memory_id)
    assert {"id", "content", "tags", "score", "similarity", "use_count", "last_used", "age_days"} <= set(one)
    assert isinstance(one["last_used"], int)


def test_one_of_the_tags_is_enough(tools: Tools) -> None:
    """A search by several tags finds what has any of them."""
    first, second = saved(tools, "alpha note", tags=["a"]), saved(tools, "beta note", tags=["b"])
    saved(tools, "gamma note", tags=["c"])
    assert {one["id"] for one in tools("search_memory", tags=["a", "b"])["results"]} == {first, second}
    assert {one["id"] for one in tools("search_memory", query="note", tags=["a", "b"])["results"]} == {first, second}


def test_without_embeddings_words_alone_decide(tools: Tools, door: Treering) -> None:
    """use_embeddings=false searches by words, and similarity is null; with it similarity is a number."""
    saved(tools, "The deadline is December 15th")
    [plain] = tools("search_memory", query="deadline")["results"]
    [near] = tools("search_memory", query="deadline", use_embeddings=True)["results"]
    assert plain["similarity"] is None
    assert isinstance(near["similarity"], float)


def test_no_embedder_is_asked_when_embeddings_are_not_wanted(door: Treering) -> None:
    """use_embeddings=false asks no embedder, whoever reads the space."""
    reads = door.without_meaning().recall("anything at all")
    assert "semantic" not in reads.signals


def test_a_window_of_days_and_a_least_score_narrow(tools: Tools, clock: HandClock) -> None:
    """window_days and min_score leave out what is older or has decayed further."""
    old = saved(tools, "old note about cats")
    clock.advance(days=10)
    new = saved(tools, "new note about cats")
    assert [one["id"] for one in tools("search_memory", query="cats", window_days=7)["results"]] == [new]
    assert [one["id"] for one in tools("search_memory", query="cats", min_score=0.5)["results"]] == [new]
    assert {one["id"] for one in tools("search_memory", query="cats")["results"]} == {old, new}


def test_what_is_about_to_fade_surfaces_in_the_next_search(tools: Tools, clock: HandClock) -> None:
    """A memory in the danger zone that has to do with the query is blended in."""
    fading = saved(tools, "cats: vaccination is due in spring", strength=1.0)
    clock.advance(days=7)
    for number in range(12):
        saved(tools, f"cats like to sleep, cats purr, cats again: note number {number}")
    score = next(one["score"] for one in tools("search_memory", top_k=50)["results"] if one["id"] == fading)
    assert 0.15 < score < 0.35
    assert fading in [one["id"] for one in tools("search_memory", query="cats", top_k=10)["results"]]
    without = tools("search_memory", query="cats", top_k=10, include_review_candidates=False)["results"]
    assert fading not in [one["id"] for one in without]


# search_unified


def test_memories_and_notes_are_ranked_together_as_a_block_of_text(tools: Tools, door: Treering) -> None:
    """search_unified gives a formatted text with results of both, each once, with ids and paths if verbose."""
    memory_id = saved(tools, "I prefer TypeScript for new projects", tags=["preferences"])
    tools("promote_memory", memory_id=memory_id, force=True)
    text = tools("search_unified", query="typescript preferences", verbose=True)["result"]
    assert text.count("I prefer TypeScript") >= 1
    assert f"id: {memory_id}" in text
    assert ".md" in text


# touch_memory and observe_memory_usage


def test_touching_a_memory_reinforces_it(tools: Tools, clock: HandClock) -> None:
    """touch_memory answers old_score, new_score, use_count and strength, which boost_strength raises."""
    memory_id = saved(tools, "kept alive", strength=1.0)
    clock.advance(days=3)
    answer = tools("touch_memory", memory_id=memory_id, boost_strength=True)
    assert answer["new_score"] > answer["old_score"]
    assert (answer["use_count"], answer["strength"]) == (1, 1.1)
    assert answer["message"].startswith("Memory reinforced. Score: ")


def test_use_in_another_domain_makes_a_memory_stronger(tools: Tools) -> None:
    """Used where no tag is shared, its strength grows from 1.0 to 1.1; use and review counts rise."""
    jwt = saved(tools, "JWT for all APIs", tags=["security", "jwt", "preferences"], strength=1.0)
    same = saved(tools, "rate limits", tags=["api", "authentication", "backend"], strength=1.0)
    answer = tools("observe_memory_usage", memory_ids=[jwt, same], context_tags=["api", "authentication", "backend"])
    assert (answer["reinforced"], answer["count"], answer["cross_domain_count"]) == (True, 2, 1)
    first, second = answer["results"]
    assert (first["cross_domain"], first["strength"], first["new_use_count"], first["new_review_count"]) == (
        True, 1.1, 1, 1,
    )  # fmt: skip
    assert (second["cross_domain"], second["strength"]) == (False, 1.0)


def test_reinforcement_can_be_switched_off(tools: Tools, door: Treering) -> None:
    """With auto-reinforce off the answer is reinforced false, a reason, and count 0."""
    memory_id = saved(tools, "x y z")
    door.settings({"reinforcement": {"enabled": False}})
    answer = tools("observe_memory_usage", memory_ids=[memory_id])
    assert (answer["reinforced"], answer["count"]) == (False, 0)
    assert "switched off" in answer["reason"]


# analyze_message and analyze_for_recall


@pytest.mark.parametrize(
    "message",
    [
        "Remember: I prefer TypeScript over JavaScript for all new projects",
        "Remember: I prefer dark mode in all my apps",
        "Remember: I prefer JWT for authentication",
        "Don't forget that the demo is on Friday",
        "keep in mind that Ola is colour blind",
    ],
)
def test_what_asks_to_be_kept_is_to_be_saved(tools: Tools, message: str) -> None:
    """Phrases such as remember this, don't forget and keep in mind give a confidence above 0.7."""
    answer = tools("analyze_message", message=message)
    assert answer["should_save"] is True
    assert answer["confidence"] > 0.7
    assert {
        "should_save", "confidence", "suggested_entities", "suggested_tags", "suggested_strength", "reasoning",
    } <= set(answer)  # fmt: skip


@pytest.mark.parametrize(
    "message",
    [
        "Do you remember my birthday?",
        "do you remember my wife's name?",
        "Can you remember my birthday?",
        "Remember my dentist's name?",
        "What did I say about TypeScript?",
        "What did I say about my API preferences?",
        "What did I say about authentication?",
    ],
)
def test_what_asks_for_something_known_is_to_be_searched_and_not_saved(tools: Tools, message: str) -> None:
    """Phrases such as what did I say about and do you remember are above 0.7 for a search, and nothing to save."""
    recall, save = tools("analyze_for_recall", message=message), tools("analyze_message", message=message)
    assert recall["should_search"] is True
    assert recall["confidence"] > 0.7
    assert recall["suggested_query"]
    assert (save["should_save"], save["confidence"] < 0.4) == (False, True)


def test_the_query_is_what_is_left_when_the_asking_is_taken_off(tools: Tools) -> None:
    """suggested_query holds the terms of the question alone."""
    assert tools("analyze_for_recall", message="What did I say about TypeScript?")["suggested_query"] == "TypeScript"
    asked = tools("analyze_for_recall", message="Do you remember my birthday?")
    assert asked["suggested_query"] == "birthday"


def test_small_talk_is_left_alone(tools: Tools) -> None:
    """A message that says and asks nothing has a confidence below 0.4 for both."""
    assert tools("analyze_message", message="ok, thanks!")["confidence"] < 0.4
    assert tools("analyze_for_recall", message="ok, thanks!")["confidence"] < 0.4


# gc, promote_memory


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


# read_graph, open_memories, create_relation


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


# scoring and configuration


@pytest.mark.parametrize(
    ("model", "left"),
    [("exponential", math.exp(-2.673e-6 * 3 * DAY)), ("power_law", 0.5)],
)
def test_a_memory_decays_by_the_documented_formula(
    tools: Tools, door: Treering, clock: HandClock, model: str, left: float
) -> None:
    """Half is left after three days unused, by the constants of the document; each use raises it by its power."""
    door.settings({"decay": {"model": model, "kinds": {}, "tags": {}}})
    memory_id = saved(tools, "decays", strength=1.0)
    clock.advance(days=3)
    assert door.scores([memory_id])[0].score == pytest.approx(left, abs=1e-6)
    tools("touch_memory", memory_id=memory_id)
    assert door.scores([memory_id])[0].score == pytest.approx(2**0.6, abs=1e-6)


def test_importance_is_weighed_in_fading(door: Treering, clock: HandClock) -> None:
    """What matters more fades slower: of moderate importance by the formula, a step up takes twice as long."""
    minor, moderate, defining = (door.add(f"note {one}", importance=one, strength=1.0).id for one in (0.3, 0.6, 0.9))
    clock.advance(days=3)
    scores = {one.id: one.score for one in door.scores([minor, moderate, defining])}
    assert scores[moderate] == pytest.approx(0.5, abs=1e-6)
    assert scores[minor] < scores[moderate] < scores[defining]
    clock.advance(days=3)
    assert door.scores([defining])[0].score == pytest.approx(0.5, abs=1e-6)


@pytest.mark.parametrize(
    ("variable", "value", "topic", "part", "becomes"),
    [
        ("CORTEXGRAPH_DECAY_MODEL", "two_component", "decay", "model", "two_component"),
        ("CORTEXGRAPH_PL_HALFLIFE_DAYS", "1.0", "decay", "half_life_days", 1.0),
        ("CORTEXGRAPH_DECAY_BETA", "0.5", "decay", "beta", 0.5),
        ("CORTEXGRAPH_FORGET_THRESHOLD", "0.01", "retention", "collect_below", 0.01),
        ("CORTEXGRAPH_PROMOTE_THRESHOLD", "0.5", "promotion", "score", 0.5),
        ("CORTEXGRAPH_PROMOTE_USE_COUNT", "3", "promotion", "uses", 3),
        ("CORTEXGRAPH_CLUSTER_THRESHOLD", "0.9", "consolidation", "threshold", 0.9),
        ("CORTEXGRAPH_MIN_CLUSTER_SIZE", "3", "consolidation", "min_size", 3),
        ("CORTEXGRAPH_AUTO_REINFORCE", "false", "reinforcement", "enabled", False),
    ],
)
def test_a_variable_of_the_environment_is_followed(
    door: Treering, variable: str, value: str, topic: str, part: str, becomes: object
) -> None:
    """The documented variables steer the space that the tools serve."""
    from treering.faces.dialects.cortexgraph.environment import adopt

    adopt(door, {variable: value})
    assert door.settings()[topic][part] == becomes


def test_a_rate_of_decay_is_read_as_its_half_life(door: Treering) -> None:
    """A lambda of 8.02e-6 is the document's half-life of one day."""
    from treering.faces.dialects.cortexgraph.environment import adopt

    adopt(door, {"CORTEXGRAPH_DECAY_MODEL": "exponential", "CORTEXGRAPH_DECAY_LAMBDA": "8.02e-6"})
    assert door.settings()["decay"]["half_life_days"] == pytest.approx(1.0, rel=0.01)


def test_a_variable_that_is_not_read_is_told_with_what_to_do(door: Treering, caplog: pytest.LogCaptureFixture) -> None:
    """A variable that means nothing here is warned about, with the way it is done instead."""
    from treering.faces.dialects.cortexgraph.environment import adopt

    adopt(door, {"CORTEXGRAPH_STORAGE_PATH": "/old", "CORTEXGRAPH_ENABLE_EMBEDDINGS": "true"})
    assert "treering import /old" in caplog.text
    assert "TREERING_EMBEDDER" in caplog.text


def test_the_vault_is_found_by_its_old_name() -> None:
    """LTM_VAULT_PATH names the vault where no other variable does."""
    from treering import settings

    assert settings.read({"LTM_VAULT_PATH": "/notes"}).vault == "/notes"
    assert settings.read({"LTM_VAULT_PATH": "/notes", "TREERING_VAULT": "/mine"}).vault == "/mine"


# the agents


def test_the_agents_run_in_the_documented_order(door: Treering) -> None:
    """The pipeline is decay, cluster, merge, promote, relations, and a dry run changes nothing."""
    door.add("something to look at")
    done = door.run_pipeline(dry_run=True)
    assert [one.agent for one in done.agents] == ["decay", "cluster", "merge", "promote", "relations"]


def test_how_much_memories_must_share_to_be_related_is_set(door: Treering) -> None:
    """min_shared_entities and min_confidence say when the agent relates two memories."""
    door.add("alpha and beta met", entities=["alpha", "beta"])
    door.add("beta and alpha spoke", entities=["alpha", "beta"])

    def found() -> list[RelationResult]:
        return list(door.run_agent("relations", dry_run=True).results)  # type: ignore[arg-type]

    [one] = found()
    assert (one.shared_entities, one.strength, one.confidence) == (("alpha", "beta"), 0.7, 0.5)
    door.settings({"consolidation": {"min_shared_entities": 3}})
    assert found() == []
    door.settings({"consolidation": {"min_confidence": 0.9}})
    assert found() == []


# beside the document: the tools of version 1.2.1


def test_the_tools_of_the_current_version_are_there(tools: Tools) -> None:
    """Beside the fourteen documented tools there are auto-recall, backfill and the two for performance."""
    names = tools.names()
    assert len(names) == 18
    assert {
        "auto_recall_process_message", "backfill_embeddings", "get_performance_metrics", "reset_performance_metrics",
    } <= set(names)  # fmt: skip


def test_a_message_keeps_alive_what_it_speaks_of_once_in_a_while(tools: Tools, clock: HandClock) -> None:
    """Memories that a message speaks of are reinforced without being shown, and not again within five minutes."""
    memory_id = saved(tools, "Use JWT tokens for authentication in all new APIs")
    said = "We are working on JWT authentication for the new API."
    assert tools("auto_recall_process_message", message=said)["memories_reinforced"] == []
    clock.advance(minutes=6)
    first = tools("auto_recall_process_message", message=said)
    assert (first["memories_found"], first["memories_reinforced"]) == (1, [memory_id])
    assert opened(tools, memory_id)["use_count"] == 1
    clock.advance(minutes=1)
    assert tools("auto_recall_process_message", message=said)["memories_reinforced"] == []
    clock.now += timedelta(minutes=6)
    assert tools("auto_recall_process_message", message=said)["memories_reinforced"] == [memory_id]
    assert tools("auto_recall_process_message", message="What about JWT?")["memories_found"] == 0


def test_backfill_says_what_nobody_has_read(tools: Tools) -> None:
    """backfill_embeddings tells how many memories lack vectors, and reads them."""
    saved(tools, "nobody reads this for meaning")
    answer = tools("backfill_embeddings", dry_run=True)
    assert (answer["success"], answer["total_memories"], answer["model"]) == (True, 1, "none")


def test_performance_is_told_by_operation_and_set_back(tools: Tools) -> None:
    """Counts and times of operations are told, and begin anew when they are reset."""
    saved(tools, "timed")
    told = tools("get_performance_metrics")
    assert told["add"]["count"] == told["add_count"] == 1
    assert set(told["add"]) == {"count", "avg_ms", "min_ms", "max_ms", "total_ms"}
    assert tools("reset_performance_metrics")["success"] is True
    assert "add" not in tools("get_performance_metrics")
