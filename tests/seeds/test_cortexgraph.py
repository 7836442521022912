"""CortexGraph's API reference: saving, searching, touching, advice. A test's docstring is the promise, in our words."""

from __future__ import annotations

from datetime import timedelta

import pytest
from tests.conftest import HandClock
from tests.seeds.conftest import Tools
from tests.seeds.cortexgraph import opened, saved, tools

from treering.door import Treering

__all__ = ["tools"]


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
