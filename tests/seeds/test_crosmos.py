"""Crosmos's pages on its graph and on memories, section by section. A test's docstring is the promise, in our words."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from tests.conftest import HandClock
from tests.seeds.conftest import Http

from treering.door import Treering
from treering.graph.facts import facts


@pytest.fixture
def http(served: Callable[[str, str], Http]) -> Http:
    return served("crosmos", "/api/v1")


@pytest.fixture
def space(http: Http) -> str:
    return str(http.ok("POST", "/spaces", {"name": "mine"}, 201)["id"])


def told(http: Http, door: Treering, space: str, *contents: str) -> list[str]:
    """The ids of what was read out of these sources."""
    sources = [{"content": one, "role": "user"} for one in contents]
    job = http.ok("POST", "/sources", {"space_id": space, "sources": sources}, 202)["job_id"]
    door.run_jobs()
    done = http.ok("GET", f"/jobs/{job}")
    assert done["status"] == "completed"
    return list(done["memory_ids"])


def found(http: Http, space: str, query: str, **more: Any) -> list[str]:
    answer = http.ok("POST", "/search", {"query": query, "space_id": space, **more})
    return [one["content"] for one in answer["candidates"]]


# a graph that only grows


def test_nothing_is_overwritten_by_a_newer_fact(http: Http, door: Treering, space: str, clock: HandClock) -> None:
    """A new employer adds a node and an edge: the old one stays readable, with the time at which it ended."""
    [old] = told(http, door, space, "I work at Google.")
    clock.advance(days=30)
    [new] = told(http, door, space, "I work at Anthropic now.")
    assert "Google" in http.ok("GET", f"/memories/{old}")["content"]
    user = next(one for one in http.ok("GET", "/entities")["entities"] if one["name"] == "User")
    about = http.ok("GET", f"/entities/{user['id']}")
    assert [one["target"] for one in about["relations"]] == ["Anthropic"]
    [past] = about["past_relations"]
    assert (past["target"], past["valid_until"] is not None) == ("Google", True)
    assert new != old


def test_an_edge_tells_when_it_became_true_and_when_that_was_learned(
    http: Http, door: Treering, clock: HandClock
) -> None:
    """valid_from is when a relationship became true, recorded_at when the system learned it."""
    memory = door.add(
        "User works at Anthropic", space="mine", event_time="2025-05-01", triples=[("User", "WORKS_FOR", "Anthropic")]
    )
    [edge] = http.ok("GET", "/graph")["edges"]
    assert edge["valid_from"] == "2025-05-01T00:00:00Z"
    assert edge["recorded_at"] == clock.now.isoformat().replace("+00:00", "Z")
    assert edge["memory_id"] == memory.id


def test_the_newer_fact_outranks_the_older_for_a_question_about_now(
    http: Http, door: Treering, space: str, clock: HandClock
) -> None:
    """Asked for the current job the newer employer comes first, and the older is left for questions about the past."""
    told(http, door, space, "I work at Google.")
    clock.advance(days=30)
    told(http, door, space, "I work at Anthropic now.")
    now = found(http, space, "Where does the user work?")
    assert "Anthropic" in now[0]
    assert all("Google" not in one for one in now)
    before = found(http, space, "Where did the user work before?")
    assert any("Google" in one for one in before)


def test_facts_at_a_moment_are_looked_up_and_not_searched_for(door: Treering) -> None:
    """A fact by subject, relation and moment is found by its subject: no other fact of the space is read for it."""
    door.assert_facts([[f"P{number}", "WORKS_FOR", f"C{number % 50}"] for number in range(2_000)])
    steps: list[int] = []
    with door._store.reader(door._scope(None)) as reader:
        raw = reader._bound._connection.raw  # type: ignore[attr-defined]
        raw.set_progress_handler(lambda: steps.append(1) or 0, 100)
        [fact] = facts(reader, "P777", "WORKS_FOR", None, False, None)
        raw.set_progress_handler(None, 0)
    assert fact.object == "C27"
    assert len(steps) < 100  # ten thousand instructions; a look at every fact takes many times that


def test_a_fact_whose_beginning_nobody_knows_is_told_without_one(door: Treering) -> None:
    """A relationship of which only the end is known has no valid_from, and is found at any time before its end."""
    [fact] = door.assert_fact("User", "WORKS_FOR", "Google", valid_until="2025-05-01").facts
    assert fact.valid_from is None
    assert [one.object for one in door.facts(subject="User", as_of="2019-01-01")] == ["Google"]
    assert door.facts(subject="User") == []
    [always] = door.assert_fact("User", "LIKES", "tea", valid_from="unknown").facts
    assert (always.valid_from, always.valid_until) == (None, None)
    assert [one.object for one in door.facts(subject="User", as_of="1999-01-01", relation="LIKES")] == ["tea"]
    timeline = [(one.type, one.at.year) for one in door.timeline("Google") if one.relation]
    assert timeline == [("edge_invalidated", 2025)]


# forgetting


def test_a_memory_is_forgotten_and_never_deleted(http: Http, door: Treering, space: str, clock: HandClock) -> None:
    """Forgetting sets forgotten_at and hides the memory and its edges; the audit trail stays."""
    [memory] = told(http, door, space, "I work at Google.")
    clock.advance(days=1)
    http.ok("DELETE", f"/memories/{memory}", status=204)
    assert http("GET", f"/memories/{memory}").status_code == 404
    assert http.ok("GET", "/graph")["edges"] == []
    hidden = http.ok("GET", f"/memories/{memory}", include_forgotten="true")
    assert hidden["forgotten_at"] == clock.now.isoformat().replace("+00:00", "Z")
    assert [one.what for one in door.history(memory, space="mine").events][-1] == "forgotten"
    listed = http.ok("GET", "/memories", include_forgotten="true")["memories"]
    assert [(one["id"], one["forgotten_at"] is not None) for one in listed] == [(memory, True)]


def test_a_memory_can_be_un_forgotten(http: Http, door: Treering, space: str, clock: HandClock) -> None:
    """Un-forgetting brings back the memory, its edges and what had gone along with it."""
    [old] = told(http, door, space, "I work at Google.")
    clock.advance(days=30)
    [new] = told(http, door, space, "I work at Anthropic now.")
    http.ok("DELETE", f"/memories/{new}", status=204)
    assert found(http, space, "Where does the user work?") == []
    back = http.ok("POST", f"/memories/{new}/restore")
    assert set(back["restored"]) == {old, new}
    assert [one["target"] for one in http.ok("GET", "/graph")["edges"]] == ["Anthropic"]
    assert http.ok("GET", f"/memories/{old}")["forgotten_at"] is None
    assert http("POST", f"/memories/{new}/restore").status_code == 404


def test_what_is_worth_more_is_kept_longer(door: Treering, clock: HandClock) -> None:
    """Older knowledge is pruned by importance, recency and access: of two alike the minor one goes first."""
    minor = door.add("a minor note", importance=0.3, strength=1.0).id
    defining = door.add("a defining note", importance=0.9, strength=1.0).id
    used = door.add("a minor note that is used", importance=0.3, strength=1.0).id
    clock.advance(days=20)
    door.touch(used)
    clock.advance(days=15)
    assert set(door.gc().ids) == {minor}
    assert {one.id: one.band for one in door.scores([defining, used])} != {}


# memories


def test_a_memory_carries_what_the_page_lists(http: Http, door: Treering, space: str) -> None:
    """A memory has content, importance, confidence, event time, when it was learned, and one of three types."""
    [memory] = told(http, door, space, "I work at Google.")
    one = http.ok("GET", f"/memories/{memory}")
    assert {"content", "importance_score", "confidence", "event_time", "created_at", "memory_type"} <= set(one)
    assert one["memory_type"] in ("episode", "semantic", "viewpoint")
    assert 0 <= one["importance_score"] <= 1


def test_a_preference_is_a_viewpoint(http: Http, door: Treering, space: str) -> None:
    """Preferences, feelings and opinions are viewpoints."""
    [memory] = told(http, door, space, "I prefer Neovim over VS Code for modal editing speed.")
    assert http.ok("GET", f"/memories/{memory}")["memory_type"] == "viewpoint"


def test_names_are_kept_to_the_letter(http: Http, door: Treering, space: str) -> None:
    """Specific names are never generalised away."""
    [memory] = told(http, door, space, "I bought a Kinto cup at Bonnie's Corner in Ghent.")
    content = http.ok("GET", f"/memories/{memory}")["content"]
    assert all(name in content for name in ("Kinto", "Bonnie's Corner", "Ghent"))


def test_what_belongs_together_stays_together(http: Http, door: Treering, space: str) -> None:
    """Related facts of one sentence are one memory; different topics are separate memories."""
    assert len(told(http, door, space, "I work at Stripe on payments.")) == 1
    assert len(told(http, door, space, "I live in Bonn. My sister lives in Oslo.")) == 2


def test_memories_are_sorted_as_asked(http: Http, door: Treering, space: str, clock: HandClock) -> None:
    """A list is sorted by creation, importance, event time, last access or access frequency, either way round."""
    low = door.add("low", space="mine", importance=0.3).id
    clock.advance(days=1)
    high = door.add("high", space="mine", importance=0.9).id
    by = http.ok("GET", "/memories", sort_by="importance_score", order="desc")["memories"]
    assert [one["id"] for one in by] == [high, low]
    by = http.ok("GET", "/memories", sort_by="created_at", order="asc")["memories"]
    assert [one["id"] for one in by] == [low, high]


# retrieval


def test_an_entity_is_shared_by_all_memories_that_speak_of_it(http: Http, door: Treering, space: str) -> None:
    """Entities are unique nodes that many memories refer to."""
    told(http, door, space, "Mercury works at Stripe.", "Mercury lives in Austin.")
    named = [one for one in http.ok("GET", "/entities")["entities"] if one["name"] == "Mercury"]
    assert len(named) == 1
    assert http.ok("GET", f"/entities/{named[0]['id']}")["memory_count"] == 2


def test_a_chain_of_relationships_is_followed(door: Treering) -> None:
    """From the user over employer and database to the extension: every hop is an edge."""
    door.assert_facts(
        [("User", "WORKS_FOR", "Stripe"), ("Stripe", "USES", "PostgreSQL"), ("PostgreSQL", "HAS_EXTENSION", "pgvector")]
    )
    [path] = door.paths("User", "pgvector")
    assert [one.relation for one in path.edges] == ["WORKS_FOR", "USES", "HAS_EXTENSION"]


def test_a_name_in_the_question_is_an_entry_point_to_the_graph(http: Http, door: Treering, space: str) -> None:
    """Entities are matched by name: what is connected with them is found though it shares no word."""
    told(http, door, space, "Melanie works at Stripe.", "Kim plays the cello.")
    assert any("Stripe" in one for one in found(http, space, "What about Melanie?"))


@pytest.mark.parametrize(
    ("question", "answers"),
    [
        ("What happened in May 2025?", {"Jon opened a dance studio", "The team shipped version two"}),
        ("What was going on in February 2026?", {"Ada adopted a puppy"}),
        ("What took place in July 2025?", {"User moved to Austin"}),
        ("Anything notable in July 2025?", {"User moved to Austin"}),
    ],
)
def test_a_question_for_a_time_alone_is_answered_by_time(
    http: Http, door: Treering, space: str, clock: HandClock, question: str, answers: set[str]
) -> None:
    """A time reference activates temporal search: what lies in the window comes first, whatever its words."""
    clock.advance(days=90)
    for content, at in (
        ("Jon opened a dance studio", "2025-05-10"),
        ("The team shipped version two", "2025-05-20"),
        ("User moved to Austin", "2025-07-04"),
        ("Ada adopted a puppy", "2026-02-11"),
    ):
        door.add(content, space="mine", kind="episode", event_time=at)
    assert set(found(http, space, question)[: len(answers)]) == answers


def test_a_question_about_something_unknown_at_a_time_is_not_answered_by_the_time(
    http: Http, door: Treering, space: str
) -> None:
    """A date does not make up for what nothing known has to do with."""
    for number in range(5):
        door.add(f"User watered the plants, round {number}", space="mine", event_time="2025-05-10")
    assert found(http, space, "What did the quantum physicist publish in May 2025?") == []


def test_a_search_takes_its_bounds_and_wishes(http: Http, door: Treering, space: str) -> None:
    """limit is 1 to 50; recency bias, variety, reranking and sources can be asked for."""
    told(http, door, space, "I work at Google.")
    answer = http.ok(
        "POST",
        "/search",
        {
            "query": "Google",
            "space_id": space,
            "limit": 1,
            "recency_bias": 0.5,
            "diversify": True,
            "include_source": True,
        },
    )
    [one] = answer["candidates"]
    assert one["source"]["content"] == "I work at Google."
    assert http("POST", "/search", {"query": "x", "space_id": space, "limit": 51}).status_code == 400
