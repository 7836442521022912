"""ai-memory's clients over HTTP: every route, its fields, bounds and errors, and the flows of those who use them."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient
from tests.conftest import HandClock
from tests.faces.rest.conftest import Serving
from tests.faces.rest.test_access import bearing

from treering.door import Treering
from treering.faces.dialects import DIALECTS
from treering.faces.dialects.namespaces import space_of

BASE = "/api/v1"
NEVER = "550e8400-e29b-41d4-a716-446655440000"
NS = "Team:A/work-1"


class Calls:
    """The routes as a client calls them; `ok` holds an answer to be good."""

    def __init__(self, http: TestClient, **headers: str) -> None:
        self.http = http
        self.headers = headers

    def __call__(self, method: str, path: str, body: Any = None, **query: Any) -> Any:
        return self.http.request(method, BASE + path, json=body, params=query or None, headers=self.headers)

    def ok(self, method: str, path: str, body: Any = None, status: int = 200, **query: Any) -> Any:
        answer = self(method, path, body, **query)
        assert answer.status_code == status, answer.text
        return answer.json()

    def stored(self, title: str, content: str = "", **more: Any) -> str:
        body = {"title": title, "content": content or f"About {title}.", "namespace": NS, **more}
        return str(self.ok("POST", "/memories", body, 201)["id"])

    def listed(self, **query: Any) -> list[dict[str, Any]]:
        return list(self.ok("GET", "/memories", **{"namespace": NS, **query})["memories"])

    def ids(self, **query: Any) -> list[str]:
        return [one["id"] for one in self.listed(**query)]


@pytest.fixture
def call(http: TestClient) -> Calls:
    return Calls(http)


# memories


def test_what_is_stored_is_listed_at_once_and_kept_to_the_character(call: Calls) -> None:
    content = "  Tabs\t, “quotes”, \u00e9\u0301, \U0001f600 and\r\ntwo lines \n"
    made = call.ok("POST", "/memories", {"title": "T", "content": content, "namespace": NS, "tier": "long"}, 201)
    [listed] = call.listed()
    assert listed["id"] == made["id"]
    assert (listed["content"], listed["namespace"], listed["tier"], listed["title"]) == (content, NS, "long", "T")
    assert listed["metadata"]["agent_id"] == "local"
    whole = "é" * 32_768
    assert call.ok("GET", f"/memories/{call.stored('Long', whole)}")["memory"]["content"] == whole


def test_the_header_names_the_actor_and_an_empty_json_body_is_fine(http: TestClient, served: Treering) -> None:
    ann = Calls(http, **{"X-Agent-Id": "agent:ann", "Content-Type": "application/json"})
    one = ann.stored("T")
    assert ann.ok("GET", f"/memories/{one}")["memory"]["metadata"]["agent_id"] == "agent:ann"
    assert ann.ok("POST", f"/memories/{one}/promote") == {"promoted": True, "id": one, "tier": "long"}
    assert ann.ok("POST", "/gc")["expired_deleted"] == 0


def test_many_are_stored_at_once_all_or_none(call: Calls) -> None:
    many = [{"title": f"T{n}", "content": f"Content {n}", "namespace": f"bulk/{n % 2}"} for n in range(1_000)]
    made = call.ok("POST", "/memories/bulk", many, 201)
    assert (made["created"], len(set(made["ids"])), made["errors"]) == (1_000, 1_000, [])
    assert call.ok("GET", f"/memories/{made['ids'][3]}")["memory"]["title"] == "T3"
    assert len(call.ids(namespace="bulk/0", limit=1_000)) == 500
    assert call("POST", "/memories/bulk", [*many, many[0]]).status_code == 413
    wrong = call("POST", "/memories/bulk", [{"title": "T", "content": "C", "namespace": "new"}, {"title": "T"}])
    assert wrong.status_code == 400
    assert "content" in wrong.json()["error"]
    assert call.ids(namespace="new") == []
    assert call.ok("POST", "/memories/bulk", {"memories": many[:1]}, 201)["created"] == 1


def test_a_get_counts_as_an_access(call: Calls) -> None:
    one = call.stored("T")
    for count in (1, 2, 3):
        assert call.ok("GET", f"/memories/{one}")["memory"]["access_count"] == count
    last = call.ok("GET", "/memories")["memories"][0]["last_accessed_at"]
    updated = call.ok("PUT", f"/memories/{one}", {"content": "Another"})
    assert (updated["access_count"], updated["last_accessed_at"]) == (3, last)
    assert last is not None
    assert call.ok("GET", f"/memories/{one}")["memory"]["access_count"] == 4


def test_an_update_keeps_the_id_and_the_first_author(http: TestClient, served: Treering, clock: HandClock) -> None:
    ann, bob = Calls(http, **{"X-Agent-Id": "ann"}), Calls(http, **{"X-Agent-Id": "bob"})
    one = ann.stored("Plan", "We ship in May", tags=["x"], metadata={"topic": "ship"}, session_id="s1", priority=7)
    other = ann.stored("Why", "Customers wait")
    ann.ok("POST", "/links", {"source_id": one, "target_id": other, "relation": "derived_from"}, 201)
    first = ann.listed()[1]
    for month in ("June", "July"):
        clock.advance(hours=1)
        told = bob.ok("PUT", f"/memories/{one}", {"content": f"We ship in {month}"})
        assert (told["id"], told["content"], told["metadata"]["agent_id"]) == (one, f"We ship in {month}", "ann")
    got = ann.ok("GET", f"/memories/{one}")
    kept = {name: got["memory"][name] for name in ("title", "tags", "priority", "created_at", "namespace", "tier")}
    assert kept == {name: first[name] for name in kept}
    assert got["memory"]["metadata"] == {"topic": "ship", "agent_id": "ann"}
    assert got["memory"]["updated_at"] > got["memory"]["created_at"]
    assert [link["target_id"] for link in got["links"]] == [other]
    assert ann.ids() == [one, other]
    assert [(m["id"], m["content"]) for m in ann.listed(session_id="s1")] == [(one, "We ship in July")]
    walk = ann.ok("POST", "/kg/query", {"start_id": other})
    assert walk["count"] == 0
    walk = ann.ok("POST", "/kg/query", {"start_id": one})
    assert [(node["id"], node["content"]) for node in walk["nodes"]] == [
        (one, "We ship in July"),
        (other, "Customers wait"),
    ]
    assert [event["relation"] for event in ann.ok("GET", "/kg/timeline", node_id=one)["events"]] == ["derived_from"]
    found = ann.ok("GET", "/recall", context="When do we ship?", namespace=NS, limit=1000)["memories"]
    assert [m["content"] for m in found if m["id"] == one] == ["We ship in July"]
    assert len(served.history(one, space=space_of(NS)).superseded_by) == 2


def test_an_update_says_what_it_changes(call: Calls) -> None:
    one = call.stored("T", "C")
    told = call.ok("PUT", f"/memories/{one}", {"title": "U", "tier": "long", "priority": 9, "metadata": {"a": 1}})
    assert (told["title"], told["content"], told["tier"], told["priority"]) == ("U", "C", "long", 9)
    assert told["metadata"] == {"a": 1, "agent_id": "local"}
    assert call("PUT", f"/memories/{one}", {}).status_code == 400
    assert call("PUT", f"/memories/{one}", {"namespace": "elsewhere", "content": "x"}).status_code == 400
    assert call("PUT", f"/memories/{one}", {"content": "x" * 65_537}).status_code == 413
    assert call("PUT", f"/memories/{NEVER}", {"content": "x"}).status_code == 404


@pytest.mark.parametrize("way", ["delete", "forget", "forget ids"])
def test_what_is_forgotten_blocks_nothing_and_can_be_archived_and_restored(call: Calls, way: str) -> None:
    one = call.stored("Title", "First")
    call.ok("PUT", f"/memories/{one}", {"content": "Second"})
    if way == "delete":
        assert call.ok("DELETE", f"/memories/{one}") == {"deleted": True, "id": one}
    elif way == "forget":
        assert call.ok("POST", f"/memories/{one}/forget")["deleted"] == 1
    else:
        assert call.ok("POST", "/forget", {"ids": [one]})["ids"] == [one]
    assert call.ids() == []
    assert call("GET", f"/memories/{one}").status_code == 404
    assert call("DELETE", f"/memories/{one}").status_code == 404
    again = call.stored("Title", "First")
    assert again != one
    assert call.ok("POST", "/archive", {"ids": [one], "reason": "old"})["archived"] == [one]
    assert [kept["id"] for kept in call.ok("GET", "/archive")["archived"]] == [one]
    back = call.ok("POST", f"/archive/{one}/restore")
    assert (back["restored"], back["memory"]["content"]) == (True, "Second")
    assert set(call.ids()) == {one, again}
    assert call.ok("GET", f"/memories/{one}")["memory"]["content"] == "Second"


def test_a_pattern_is_tried_before_it_forgets(call: Calls) -> None:
    red = [call.stored(f"R{n}", "the red car", tier="short") for n in range(2)]
    keep = call.stored("K", "the red door", tier="long")
    dry = call.ok("POST", "/forget", {"namespace": NS, "pattern": "red car", "dry_run": True})
    assert (sorted(dry["ids"]), dry["dry_run"]) == (sorted(red), True)
    assert len(call.ids()) == 3
    call.ok("POST", "/forget", {"namespace": NS, "tier": "short"})
    assert call.ids() == [keep]
    assert call("POST", "/forget", {}).status_code == 400


def test_promotion_goes_up_one_tier_or_two(call: Calls) -> None:
    one = call.stored("T", tier="short")
    assert call.ok("POST", f"/memories/{one}/promote", {"tier": "mid"})["promoted"] is True
    assert call.ok("GET", f"/memories/{one}")["memory"]["tier"] == "mid"
    assert call.ok("POST", f"/memories/{one}/promote", {"tier": "long"})["tier"] == "long"
    assert call.ok("GET", f"/memories/{one}")["memory"]["tier"] == "long"
    assert call.ok("POST", f"/memories/{one}/promote")["promoted"] is False
    assert call("POST", f"/memories/{one}/promote", {"tier": "short"}).status_code == 400


def test_what_expired_is_collected_into_the_archive(call: Calls, clock: HandClock) -> None:
    soon = (clock.now + timedelta(hours=1)).isoformat()
    gone, stays = call.stored("Gone", expires_at=soon), call.stored("Stays")
    clock.advance(hours=2)
    assert call.ids() == [stays]
    assert call.ok("POST", "/gc")["expired_deleted"] == 1
    assert [one["id"] for one in call.ok("GET", "/archive")["archived"]] == [gone]
    assert call.ok("POST", "/gc")["expired_deleted"] == 0


# the graph


def test_a_link_is_stored_walked_closed_and_still_there_in_the_past(call: Calls, clock: HandClock) -> None:
    a, b, c = (call.stored(name) for name in "ABC")
    since = "2020-01-01T00:00:00Z"
    linked = call.ok(
        "POST", "/links", {"source_id": a, "target_id": b, "relation": "kg_related_to", "valid_from": since}, 201
    )
    assert (linked["relation"], linked["valid_from"][:10]) == ("related_to", "2020-01-01")
    call.ok("POST", "/links", {"source_id": b, "target_id": c, "relation": "derived_from", "valid_from": since}, 201)
    for one, ends in ((a, {(a, b)}), (b, {(a, b), (b, c)}), (c, {(b, c)})):
        told = call.ok("GET", f"/links/{one}")["links"]
        assert {(link["source_id"], link["target_id"]) for link in told} == ends
    then = call.ok("POST", "/kg/query", {"start_id": a, "as_of": since})
    assert set(then) >= {"nodes", "edges", "memories", "paths", "depth_reached", "edges_walked", "count"}
    assert [(e["target_id"], e["relation"], e["depth"], e["path"]) for e in then["edges"]] == [
        (b, "related_to", 1, [a, b]),
        (c, "derived_from", 2, [a, b, c]),
    ]
    assert (then["count"], then["depth_reached"], then["edges_walked"], then["paths"]) == (
        2,
        2,
        2,
        [[a, b], [a, b, c]],
    )
    assert [one["id"] for one in then["nodes"]] == [a, b, c]
    assert all(edge["valid_until"] is None and edge["valid_from"][:10] == "2020-01-01" for edge in then["edges"])
    assert call.ok("POST", "/kg/query", {"source_id": a, "valid_at": "2019-12-31T23:59:59Z"})["count"] == 0
    assert call.ok("POST", "/kg/query", {"start_id": a, "max_depth": 1})["count"] == 1
    assert call.ok("POST", "/kg/query", {"start_id": a, "relations": ["derived_from"]})["count"] == 0
    until = "2021-01-01T00:00:00Z"
    ends = {"source_id": a, "target_id": b, "relation": "related_to"}
    closed = call.ok("POST", "/kg/invalidate", {**ends, "valid_until": until})
    assert (closed["found"], closed["invalidated"], closed["previous_valid_until"]) == (True, True, None)
    assert closed["valid_until"][:10] == "2021-01-01"
    assert call.ok("POST", "/kg/query", {"start_id": a})["count"] == 0
    assert call.ok("POST", "/kg/query", {"start_id": a, "as_of": until})["count"] == 0
    assert call.ok("POST", "/kg/query", {"start_id": a, "as_of": "2020-12-31T23:59:59Z"})["count"] == 2
    assert call.ok("POST", "/kg/query", {"start_id": a, "include_invalidated": True})["count"] == 2
    events = call.ok("GET", "/kg/timeline", source_id=a)["events"]
    assert [(e["type"], e["relation"], e["at"][:10]) for e in events] == [
        ("edge_added", "related_to", "2020-01-01"),
        ("edge_invalidated", "related_to", "2021-01-01"),
    ]
    assert set(events[0]) == {"at", "type", "relation", "source_id", "target_id", "valid_from", "valid_until"}
    assert [e["type"] for e in call.ok("GET", "/kg/timeline", node_id=a, since="2020-06-01T00:00:00Z")["events"]] == [
        "edge_invalidated"
    ]
    absent = call.ok("POST", "/kg/invalidate", {**ends, "source_id": c})
    assert (absent["found"], absent["invalidated"]) == (False, False)


def test_links_that_a_rule_made_are_walked_only_if_asked_for(call: Calls, served: Treering) -> None:
    told = served.add("Ada works at Google", title="Ada", entities=["Ada"])
    space = told.space
    newer = served.revise(told.id, "Ada works at Anthropic").id
    other = served.add("Ada likes tea").id
    served.link(newer, other, space=space)
    stated = call.ok("POST", "/kg/query", {"start_id": newer})
    assert [(edge["relation"], edge["target_id"]) for edge in stated["edges"]] == [("related_to", other)]
    every = call.ok("POST", "/kg/query", {"start_id": newer, "include_automatic": True})
    assert {edge["relation"] for edge in every["edges"]} == {"related_to", "supersedes", "about_entity"}
    about = call.ok("POST", "/kg/query", {"start_id": served.entity_get("Ada").id})
    assert {newer, told.id} <= {node["id"] for node in about["nodes"]}
    assert [link["relation"] for link in call.ok("GET", f"/links/{newer}")["links"]] == ["related_to"]


@pytest.mark.parametrize(
    ("method", "path", "body", "told"),
    [
        ("GET", "/search", None, "q: field required"),
        ("GET", "/recall", None, "context: field required"),
        ("POST", "/recall", {"limit": 3}, "context: field required"),
        ("POST", "/entities", {"canonical_name": " "}, "canonical_name: is empty"),
        ("POST", "/memories", {"title": "t", "content": "c", "metadata": {"x": "y" * 70_000}}, "metadata: "),
    ],
)
def test_an_error_speaks_of_what_was_asked_by_its_name_there(
    call: Calls, method: str, path: str, body: Any, told: str
) -> None:
    answer = call(method, path, body)
    assert answer.status_code in (400, 413)
    assert answer.json()["error"].startswith(told)


def test_an_edge_cannot_end_before_it_began_and_the_error_names_the_field(call: Calls) -> None:
    ends = {"source_id": call.stored("One"), "target_id": call.stored("Two"), "relation": "related_to"}
    call.ok("POST", "/links", ends, 201)
    told = call("POST", "/kg/invalidate", {**ends, "valid_until": "1990-01-01T00:00:00Z"})
    assert told.json()["error"].startswith("valid_until: 1990-01-01T00:00:00Z lies before the edge begins")
    itself = call("POST", "/links", {**ends, "target_id": ends["source_id"]})
    assert itself.json()["error"].startswith("target_id: ")


def test_an_entity_answers_to_its_aliases_in_its_namespace(call: Calls) -> None:
    body = {"canonical_name": "AlphaOne LLC", "namespace": NS, "aliases": ["AO", "alpha-one"], "kind": "organization"}
    made = call.ok("POST", "/entities", body, 201)
    assert (made["created"], made["aliases"], made["aliases_added"]) == (True, ["AO", "alpha-one"], ["AO", "alpha-one"])
    again = call.ok("POST", "/entities", {**body, "aliases": ["AO", "A1"]}, 201)
    assert (again["entity_id"], again["created"], again["aliases_added"]) == (made["entity_id"], False, ["A1"])
    for path in ("/entities/by_alias", "/entities/by-alias"):
        known = call.ok("GET", path, alias="A1", namespace=NS)
        assert (known["entity_id"], known["aliases"]) == (made["entity_id"], ["AO", "alpha-one", "A1"])
        assert call("GET", path, alias="A1", namespace="elsewhere").status_code == 404
    assert call.ok("POST", "/entities", {**body, "namespace": "elsewhere"}, 201)["entity_id"] != made["entity_id"]
    title = call.stored("Taken")
    assert call("POST", "/entities", {"canonical_name": "Taken", "namespace": NS}).status_code == 409
    call.ok("DELETE", f"/memories/{title}")
    assert call.ok("POST", "/entities", {"canonical_name": "Taken", "namespace": NS}, 201)["created"] is True


def test_an_entity_is_linked_like_a_memory(call: Calls) -> None:
    entity = call.ok("POST", "/entities", {"canonical_name": "Orion", "namespace": NS}, 201)["entity_id"]
    other = call.ok("POST", "/entities", {"canonical_name": "Vega", "namespace": NS}, 201)["entity_id"]
    note = call.stored("Note", "Orion ships in May")
    assert call.ok("GET", f"/links/{entity}")["links"] == []
    since = {"valid_from": "2024-01-01T00:00:00Z"}
    made = call.ok("POST", "/links", {"source_id": note, "target_id": entity, **since}, 201)
    assert (made["source_id"], made["target_id"], made["created"]) == (note, entity, True)
    again = call.ok("POST", "/links", {"source_id": note, "target_id": entity, **since}, 201)
    assert again["created"] is False
    call.ok("POST", "/links", {"source_id": entity, "target_id": other, **since}, 201)
    for one in (entity, note, other):
        ends = {(link["source_id"], link["target_id"]) for link in call.ok("GET", f"/links/{one}")["links"]}
        assert ends == {(note, entity), (entity, other)} if one == entity else len(ends) == 1
    from_note = call.ok("POST", "/kg/query", {"start_id": note})
    assert [(edge["target_id"], edge["path"]) for edge in from_note["edges"]] == [
        (entity, [note, entity]),
        (other, [note, entity, other]),
    ]
    assert [(node["id"], node["type"]) for node in from_note["nodes"]][1:] == [(entity, "entity"), (other, "entity")]
    from_entity = call.ok("POST", "/kg/query", {"start_id": entity})
    assert {edge["path"][-1] for edge in from_entity["edges"]} == {note, other}
    events = call.ok("GET", "/kg/timeline", node_id=entity)["events"]
    assert {(event["source_id"], event["target_id"]) for event in events} == {(note, entity), (entity, other)}
    ends = {"source_id": note, "target_id": entity, "relation": "related_to"}
    assert call.ok("POST", "/kg/invalidate", ends)["invalidated"] is True
    assert call.ok("POST", "/kg/query", {"start_id": note})["count"] == 0
    assert call.ok("POST", "/entities", {"canonical_name": "Orion", "namespace": NS}, 201)["entity_id"] == entity
    assert call.ids() == [note]


def test_a_walk_of_the_past_shows_what_its_memories_say_by_now(call: Calls, clock: HandClock) -> None:
    one, other = call.stored("A", "First"), call.stored("B", "Second")
    since = clock.now.isoformat()
    call.ok("POST", "/links", {"source_id": one, "target_id": other, "valid_from": since}, 201)
    clock.advance(hours=1)
    call.ok("PUT", f"/memories/{other}", {"content": "Third"})
    clock.advance(hours=1)
    for as_of in (since, None):
        walk = call.ok("POST", "/kg/query", {"start_id": one, "as_of": as_of})
        assert [node["content"] for node in walk["nodes"]] == ["First", "Third"]


# what is alike, what clashes, what becomes one


def test_a_consolidation_names_all_authors_and_its_sources_stay(http: TestClient) -> None:
    notes = [Calls(http, **{"X-Agent-Id": who}).stored(f"N{who}", f"Note of {who}") for who in ("ann", "bob", "ann2")]
    call = Calls(http, **{"X-Agent-Id": "cy"})
    made = call.ok("POST", "/consolidate", {"ids": notes, "title": "All", "summary": "Sum", "namespace": NS}, 201)
    got = call.ok("GET", f"/memories/{made['id']}")["memory"]
    assert (got["title"], got["content"]) == ("All", "Sum")
    assert got["metadata"]["consolidated_from_agents"] == ["ann", "ann2", "bob"]
    assert [call.ok("GET", f"/memories/{one}")["memory"]["id"] for one in notes] == notes
    walk = call.ok("POST", "/kg/query", {"start_id": made["id"]})
    assert sorted(edge["target_id"] for edge in walk["edges"]) == sorted(notes)
    for wrong, status in (({"ids": notes[:1]}, 400), ({"ids": ["x"] * 101}, 413), ({"ids": [notes[0], NEVER]}, 404)):
        assert call("POST", "/consolidate", {"title": "T", "namespace": NS, **wrong}).status_code == status


def test_what_clashes_about_a_topic_is_found_unlinked(call: Calls) -> None:
    blue = call.stored("One", "The sky is blue")
    red = call.stored("Two", "The sky is red")
    call.stored("Three", "The sky has many clouds over the mountains on autumn mornings")
    told = call.ok("GET", "/contradictions", topic="sky", namespace=NS)
    assert told["count"] == len(told["memories"]) == 3
    assert [(link["source_id"], link["target_id"]) for link in told["links"]] == [(red, blue)]
    slow = call.stored("Slow", "Deploys take long", metadata={"topic": "deploys"})
    fast = call.stored("Fast", "It is quick", metadata={"topic": "deploys"})
    told = call.ok("GET", "/contradictions", topic="deploys", namespace=NS)
    assert {one["id"] for one in told["memories"]} == {slow, fast}
    assert len(told["links"]) == 1
    assert call("GET", "/contradictions", namespace=NS).status_code == 400


def test_a_duplicate_is_told_and_so_is_the_nearest_that_is_none(call: Calls) -> None:
    empty = call.ok("POST", "/check_duplicate", {"content": "Anything", "namespace": NS})
    assert (empty["is_duplicate"], empty["matches"], empty["threshold"]) == (False, [], 0.85)
    one = call.stored("Db", "We use Postgres 15 as the main database of the shop")
    same = call.ok("POST", "/check_duplicate", {"content": "We use Postgres 15 as the main database of the shop"})
    assert (same["is_duplicate"], same["matches"][0]["id"], same["matches"][0]["similarity"]) == (True, one, 1.0)
    near = call.ok("POST", "/check_duplicate", {"content": "We use Postgres 15 as main database of the shop"})
    assert (near["is_duplicate"], near["matches"][0]["id"]) == (True, one)
    far = call.ok("POST", "/check_duplicate", {"title": "T", "content": "Bees dance", "namespace": NS})
    assert (far["is_duplicate"], [match["id"] for match in far["matches"]]) == (False, [one])
    assert far["matches"][0]["similarity"] < 0.85
    assert call.ok("POST", "/check_duplicate", {"content": "Bees dance", "threshold": 0.0})["is_duplicate"] is True
    assert call.ids() == [one]


# the archive


def test_the_archive_is_listed_restored_dropped_and_counted(call: Calls, clock: HandClock) -> None:
    one, two, three = (call.stored(name) for name in ("One", "Two", "Three"))
    assert call.ok("POST", "/archive", {"ids": [two], "reason": "done"}) == {
        "archived": [two],
        "missing": [],
        "count": 1,
        "reason": "done",
    }
    clock.advance(hours=1)
    both = call.ok("POST", "/archive", {"ids": [one, NEVER]})
    assert (both["archived"], both["missing"]) == ([one], [NEVER])
    listed = call.ok("GET", "/archive")["archived"]
    assert [(kept["id"], kept["archive_reason"]) for kept in listed] == [(one, None), (two, "done")]
    assert [kept["id"] for kept in call.ok("GET", "/archive", limit=1)["archived"]] == [one]
    assert call.ids() == [three]
    assert call("GET", f"/memories/{one}").status_code == 404
    assert call.ok("GET", "/archive/stats") == {
        "archived_total": 2,
        "total": 2,
        "by_namespace": [{"namespace": NS, "count": 2}],
    }
    assert call.ok("POST", f"/archive/{two}/restore")["restored"] is True
    assert set(call.ids()) == {two, three}
    assert call.ok("DELETE", f"/archive/{one}") == {"deleted": True, "id": one}
    assert call.ok("GET", "/archive/stats")["total"] == 0
    for method, path in (("POST", f"/archive/{two}/restore"), ("DELETE", f"/archive/{two}"), ("DELETE", "/archive/x")):
        assert call(method, path).status_code == 404
    assert call.ok("POST", f"/archive/{one}/restore")["memory"]["title"] == "One"


# namespaces


def test_a_namespace_inherits_standing_instructions(call: Calls) -> None:
    company = call.stored("Company", "Be kind", namespace="acme")
    team = call.stored("Team", "Write tests", namespace="acme/Team:x")
    call.stored("Deep", namespace="acme/Team:x/deep")
    call.ok("POST", "/namespaces", {"namespace": "acme", "id": company}, 201)
    call.ok("POST", "/namespaces", {"namespace": "acme/Team:x", "id": team}, 201)
    assert call.ok("GET", "/namespaces")["namespaces"] == ["acme", "acme/Team:x", "acme/Team:x/deep"]
    own = call.ok("GET", "/namespaces", namespace="acme/Team:x")
    assert (own["id"], own["memory"]["content"], own["count"]) == (team, "Write tests", 1)
    assert call.ok("GET", "/namespaces", namespace="acme/Team:x/deep")["id"] is None
    inherited = call.ok("GET", "/namespaces", namespace="acme/Team:x/deep", inherit="true")
    assert (inherited["id"], inherited["inherited_from"]) == (team, "acme/Team:x")
    assert [one["id"] for one in inherited["standards"]] == [company, team]
    call.ok("POST", "/namespaces", {"namespace": "other", "id": team, "parent": "acme"}, 201)
    assert call.ok("GET", "/namespaces", namespace="other", inherit=True)["chain"] == ["acme", "other"]
    assert call.ok("DELETE", "/namespaces", namespace="acme/Team:x")["cleared"] is True
    assert call.ok("GET", "/namespaces", namespace="acme/Team:x")["id"] is None
    assert call.ok("GET", f"/memories/{team}")["memory"]["title"] == "Team"
    assert call("POST", "/namespaces", {"namespace": "acme", "id": NEVER}).status_code == 404
    assert call("DELETE", "/namespaces").status_code == 400


def test_a_taxonomy_counts_truly_however_much_is_cut(call: Calls) -> None:
    for name, count in {"top": 1, "top/A:b": 2, "top/A:b/deep": 3, "top/c": 4, "else": 5}.items():
        call.ok(
            "POST",
            "/memories/bulk",
            [{"title": "t", "content": f"{name} {n}", "namespace": name} for n in range(count)],
            201,
        )
    tree = call.ok("GET", "/taxonomy", root="top")
    assert (tree["namespace"], tree["count"], tree["subtree_count"]) == ("top", 1, 10)
    assert [(one["namespace"], one["subtree_count"]) for one in tree["children"]] == [("top/A:b", 5), ("top/c", 4)]
    cut = call.ok("GET", "/taxonomy", prefix="top", depth=1, limit=1)
    assert (cut["subtree_count"], cut["truncated"], len(cut["children"])) == (10, True, 1)
    assert (cut["children"][0]["subtree_count"], cut["children"][0]["children"]) == (5, [])
    assert call.ok("GET", "/taxonomy")["subtree_count"] == 15


# the whole


def test_the_server_tells_of_itself(call: Calls) -> None:
    call.stored("T", tier="long")
    assert call.ok("GET", "/health") == {"status": "ok"}
    assert "treering_requests" in call("GET", "/metrics").text
    assert call.ok("GET", "/capabilities")["features"]["knowledge_graph"] is True
    stats = call.ok("GET", "/stats")
    assert (stats["total"], stats["by_namespace"]) == (1, [{"namespace": NS, "count": 1}])
    assert {one["tier"]: one["count"] for one in stats["by_tier"]} == {"short": 0, "mid": 0, "long": 1}
    begun = call.ok("POST", "/session/start", {"agent_id": "ann", "namespace": NS})
    assert (begun["agent_id"], begun["namespace"], begun["count"]) == ("ann", NS, 1)
    kept = call.stored("In it", session_id=begun["session_id"])
    assert call.ids(session_id=begun["session_id"]) == [kept]


def test_what_is_exported_can_be_imported_elsewhere_and_once(call: Calls, served: Treering) -> None:
    one = call.stored("A", "Alpha", tags=["x"], metadata={"agent_id": "ann", "k": 1})
    other = call.stored("B", "Beta")
    call.ok("POST", "/links", {"source_id": one, "target_id": other, "relation": "supersedes"}, 201)
    told = call.ok("GET", "/export")
    assert (told["count"], len(told["memories"]), len(told["links"])) == (2, 2, 1)
    assert call.ok("POST", "/import", {"memories": told["memories"]})["imported"] == 0
    new = {NEVER[:-1] + str(n): memory for n, memory in enumerate(told["memories"])}
    moved = [{**memory, "id": key, "namespace": "copy"} for key, memory in new.items()]
    for _ in range(2):
        assert call.ok("POST", "/import", {"memories": moved})["imported"] == 2
        assert len(call.ids(namespace="copy")) == 2
    [copy] = [m for m in call.listed(namespace="copy") if m["title"] == "A"]
    assert (copy["content"], copy["tags"], copy["metadata"]["agent_id"], copy["metadata"]["k"]) == (
        "Alpha",
        ["x"],
        "ann",
        1,
    )
    assert call("POST", "/import", {}).status_code == 400


# bounds and errors

WRONG: list[tuple[str, str, Any, int]] = [
    ("POST", "/memories", {"title": "t"}, 400),
    ("POST", "/memories", {"title": "t", "content": "c" * 65_537}, 413),
    ("POST", "/memories", {"title": "t", "content": "c", "tier": "forever"}, 400),
    ("POST", "/memories", {"title": "t", "content": "c", "priority": 11}, 400),
    ("GET", "/memories?limit=1001", None, 400),
    ("GET", "/memories?limit=0", None, 400),
    ("GET", f"/memories/{NEVER}", None, 404),
    ("DELETE", f"/memories/{NEVER}", None, 404),
    ("POST", f"/memories/{NEVER}/forget", None, 404),
    ("POST", f"/memories/{NEVER}/promote", None, 404),
    ("POST", "/forget", {"ids": [NEVER]}, 404),
    ("GET", "/recall", None, 400),
    ("GET", "/search?q=x&limit=1001", None, 400),
    ("POST", "/links", {"source_id": NEVER, "target_id": NEVER}, 404),
    ("POST", "/links", {"source_id": NEVER, "target_id": NEVER, "relation": "causes"}, 400),
    ("GET", f"/links/{NEVER}", None, 404),
    ("POST", "/kg/query", {}, 400),
    ("POST", "/kg/query", {"start_id": NEVER}, 404),
    ("POST", "/kg/query", {"start_id": NEVER, "depth": 9}, 400),
    ("GET", "/kg/timeline", None, 400),
    ("POST", "/kg/invalidate", {"source_id": NEVER, "target_id": NEVER}, 400),
    ("POST", "/entities", {}, 400),
    ("GET", "/entities/by_alias", None, 400),
    ("POST", "/check_duplicate", {"content": "c", "threshold": 1.1}, 400),
    ("POST", "/archive", {"ids": []}, 400),
    ("GET", "/archive?limit=1001", None, 400),
    ("GET", "/taxonomy?depth=9", None, 400),
    ("POST", "/session/start", {"limit": 51}, 400),
]


@pytest.mark.parametrize(("method", "path", "body", "status"), WRONG, ids=lambda one: str(one)[:40])
def test_what_is_wrong_is_refused_in_that_systems_shape(
    call: Calls, method: str, path: str, body: Any, status: int
) -> None:
    answer = call(method, path, body)
    assert answer.status_code == status, answer.text
    assert set(answer.json()) == {"error", "code"}


# two tenants


def test_a_tenant_sees_and_changes_nothing_of_another(serving: Serving, served: Treering) -> None:
    http = serving()
    scribe = served.key_create("ann", spaces=["acme/*"], role="write", reports_for_others=True)
    ours = Calls(http, **bearing(scribe.secret))
    theirs = Calls(http, **bearing(served.key_create("bob", spaces=["globex/*"], role="admin").secret))
    one, other = ours.stored("Secret", "The code", namespace="acme/x"), ours.stored("B", namespace="acme/x")
    ours.ok("POST", "/links", {"source_id": one, "target_id": other}, 201)
    mine = theirs.stored("Mine", namespace="globex/x")
    planner = Calls(http, **ours.headers, **{"X-Agent-Id": "planner"})
    said = planner.ok("GET", f"/memories/{planner.stored('Of the planner', namespace='acme/x')}")["memory"]
    assert said["metadata"]["agent_id"] == "planner"
    assert served.history(said["id"], space="acme/x").events[0].actor == "ann"
    ours.ok("POST", "/archive", {"ids": [other]})
    by_id: list[tuple[str, str, Any]] = [
        ("GET", "/memories/{}", None),
        ("PUT", "/memories/{}", {"content": "x"}),
        ("DELETE", "/memories/{}", None),
        ("POST", "/memories/{}/promote", None),
        ("POST", "/memories/{}/forget", None),
        ("GET", "/links/{}", None),
        ("POST", "/archive/{}/restore", None),
        ("DELETE", "/archive/{}", None),
    ]
    for method, path, body in by_id:
        told = [theirs(method, path.format(which), body) for which in (one, NEVER)]
        assert {answer.status_code for answer in told} == {404}
        assert told[0].text.replace(one, NEVER) == told[1].text
    assert theirs("POST", "/links", {"source_id": mine, "target_id": one}).status_code == 404
    assert theirs("GET", "/memories", namespace="acme/x").status_code == 403
    everywhere: list[Callable[[], Any]] = [
        lambda: theirs.ok("GET", "/memories"),
        lambda: theirs.ok("GET", "/recall", context="the code"),
        lambda: theirs.ok("GET", "/namespaces"),
        lambda: theirs.ok("GET", "/taxonomy"),
        lambda: theirs.ok("GET", "/stats"),
        lambda: theirs.ok("GET", "/archive"),
        lambda: theirs.ok("GET", "/archive/stats"),
        lambda: theirs.ok("GET", "/export"),
        lambda: theirs.ok("GET", "/contradictions", topic="code"),
        lambda: theirs.ok("POST", "/check_duplicate", {"content": "The code", "namespace": "globex/x"}),
        lambda: theirs.ok("POST", "/archive", {"ids": [one]}) | {"missing": []},
    ]
    for ask in everywhere:
        said = str(ask())
        assert not any(word in said for word in (one, other, "acme", "Secret"))
    assert theirs.ok("GET", "/taxonomy")["subtree_count"] == theirs.ok("GET", "/stats")["total"] == 1
    assert ours.ok("GET", f"/memories/{one}")["memory"]["content"] == "The code"
    reader = Calls(http, **bearing(served.key_create("eve", spaces=["acme/*"], role="read").secret))
    assert reader.ok("GET", f"/memories/{one}")["memory"]["access_count"] == 1
    assert reader("POST", "/gc").status_code == reader("PUT", f"/memories/{one}", {"content": "x"}).status_code == 403


def test_every_route_is_tried_here() -> None:
    """A route added without a test would be missed: this file names each path."""
    written = Path(__file__).read_text(encoding="utf-8")
    for route in DIALECTS["ai-memory"].routes:
        assert route.path.split("/{")[0] in written


# across namespaces


def elsewhere(call: Calls, title: str, **more: Any) -> str:
    return call.stored(title, namespace="team/other", **more)


def ends_of(links: list[dict[str, Any]]) -> list[tuple[str, str, str]]:
    return [(one["source_id"], one["relation"], one["target_id"]) for one in links]


def test_memories_of_two_namespaces_are_linked_and_seen_from_both(call: Calls) -> None:
    one, other = call.stored("Draft"), elsewhere(call, "Review")
    since = {"valid_from": "2024-01-01T00:00:00Z"}
    made = call.ok("POST", "/links", {"source_id": one, "target_id": other, **since}, 201)
    assert (made["source_id"], made["target_id"], made["created"]) == (one, other, True)
    assert call.ok("POST", "/links", {"source_id": one, "target_id": other, **since}, 201)["created"] is False
    for node in (one, other):
        [link] = call.ok("GET", f"/links/{node}")["links"]
        assert ends_of([link]) == [(one, "related_to", other)]
        assert link["valid_from"][:10] == "2024-01-01"
        [event] = call.ok("GET", "/kg/timeline", node_id=node)["events"]
        assert (event["source_id"], event["target_id"], event["at"][:10]) == (one, other, "2024-01-01")
    assert ends_of(call.ok("GET", f"/memories/{other}")["links"]) == [(one, "related_to", other)]


def test_a_walk_goes_on_in_another_namespace_and_back(call: Calls) -> None:
    a, b, c, d = call.stored("A"), elsewhere(call, "B"), elsewhere(call, "C"), call.stored("D")
    for source, target in ((a, b), (b, c), (c, d)):
        call.ok("POST", "/links", {"source_id": source, "target_id": target}, 201)
    told = call.ok("POST", "/kg/query", {"start_id": a, "depth": 8})
    assert [(edge["source_id"], edge["target_id"], edge["depth"]) for edge in told["edges"]] == [
        (a, b, 1), (b, c, 2), (c, d, 3),
    ]  # fmt: skip
    assert told["paths"] == [[a, b], [a, b, c], [a, b, c, d]]
    assert [(node["id"], node["title"], node["namespace"]) for node in told["nodes"]] == [
        (a, "A", NS), (b, "B", "team/other"), (c, "C", "team/other"), (d, "D", NS),
    ]  # fmt: skip
    assert [one["target_namespace"] for one in told["memories"]] == ["team/other", "team/other", NS]
    assert call.ok("POST", "/kg/query", {"start_id": a, "depth": 2})["paths"] == [[a, b], [a, b, c]]
    assert call.ok("POST", "/kg/query", {"start_id": a, "depth": 1})["nodes"][1]["title"] == "B"
    assert call.ok("POST", "/kg/query", {"start_id": a, "depth": 8, "namespace": NS})["paths"] == [[a, b]]


def test_a_circle_over_two_namespaces_is_walked_once(call: Calls) -> None:
    a, b = call.stored("A"), elsewhere(call, "B")
    call.ok("POST", "/links", {"source_id": a, "target_id": b, "relation": "contradicts"}, 201)
    call.ok("POST", "/links", {"source_id": b, "target_id": a, "relation": "related_to"}, 201)
    told = call.ok("POST", "/kg/query", {"start_id": a, "depth": 8})
    assert sorted(ends_of(told["edges"])) == sorted([(a, "contradicts", b), (b, "related_to", a)])


def test_a_link_between_namespaces_ends_in_both(call: Calls) -> None:
    a, b = call.stored("A"), elsewhere(call, "B")
    call.ok("POST", "/links", {"source_id": a, "target_id": b, "valid_from": "2020-01-01T00:00:00Z"}, 201)
    ends = {"source_id": a, "target_id": b, "relation": "related_to"}
    closed = call.ok("POST", "/kg/invalidate", {**ends, "valid_until": "2021-01-01T00:00:00Z"})
    assert (closed["found"], closed["invalidated"], closed["valid_until"][:10]) == (True, True, "2021-01-01")
    for node in (a, b):
        assert call.ok("POST", "/kg/query", {"start_id": node})["count"] == 0
        assert [one["type"] for one in call.ok("GET", "/kg/timeline", node_id=node)["events"]] == [
            "edge_added", "edge_invalidated",
        ]  # fmt: skip
    then = call.ok("POST", "/kg/query", {"start_id": a, "as_of": "2020-06-01T00:00:00Z"})
    assert then["paths"] == [[a, b]]
    assert call.ok("POST", "/kg/invalidate", {**ends, "source_id": b, "target_id": a})["found"] is False


def test_what_stands_for_another_namespaces_memory_is_no_memory_to_clients(call: Calls) -> None:
    a, b = call.stored("A"), elsewhere(call, "B", content="The launch is in May")
    call.ok("POST", "/links", {"source_id": a, "target_id": b, "relation": "supersedes"}, 201)
    assert call.ids() == [a]
    assert call.ids(namespace="team/other") == [b]
    assert sorted(one["id"] for one in call.ok("GET", "/memories")["memories"]) == sorted([a, b])
    assert call.ok("GET", "/recall", context="launch in May", namespace=NS)["memories"] == []
    assert call.ok("POST", "/kg/invalidate", {"source_id": a, "target_id": b, "relation": "supersedes"})["found"]


def test_an_entity_of_another_namespace_is_linked_too(call: Calls) -> None:
    note = call.stored("Note")
    entity = call.ok("POST", "/entities", {"canonical_name": "Orion", "namespace": "team/other"}, 201)["entity_id"]
    call.ok("POST", "/links", {"source_id": note, "target_id": entity}, 201)
    told = call.ok("POST", "/kg/query", {"start_id": note})
    assert [(node["id"], node["type"], node["title"]) for node in told["nodes"]][1:] == [(entity, "entity", "Orion")]
    assert ends_of(call.ok("GET", f"/links/{entity}")["links"]) == [(note, "related_to", entity)]


def test_who_may_not_read_the_other_namespace_does_not_learn_of_the_link(serving: Serving, served: Treering) -> None:
    both = served.key_create("both", spaces=["*"], role="write").secret
    one = served.key_create("one", spaces=["team/one"], role="write").secret
    http = serving()
    all_of, part = Calls(http, **bearing(both)), Calls(http, **bearing(one))
    a = all_of.stored("A", namespace="team/one")
    b = elsewhere(all_of, "B", content="The code is 4711")
    all_of.ok("POST", "/links", {"source_id": a, "target_id": b}, 201)
    assert part.ok("GET", f"/links/{a}")["links"] == []
    assert part.ok("POST", "/kg/query", {"start_id": a})["edges"] == []
    assert part.ok("GET", "/kg/timeline", node_id=a)["events"] == []
    assert part.ok("GET", "/memories", namespace="team/one")["count"] == 1
    assert all_of.ok("POST", "/kg/query", {"start_id": a})["count"] == 1
    all_of.ok("DELETE", f"/memories/{b}")
    assert all_of.ok("GET", f"/links/{a}")["links"] == []


# consolidating at once


def test_several_become_one_in_one_write_or_not_at_all(call: Calls, served: Treering) -> None:
    notes = [call.stored(f"Week {n}") for n in range(3)]
    space = space_of(NS)
    before = served.status(space=space).seq
    made = call.ok("POST", "/consolidate", {"ids": notes, "title": "Retro", "namespace": NS}, 201)["id"]
    assert served.status(space=space).seq == before + 1
    links = call.ok("GET", f"/links/{made}")["links"]
    assert sorted(ends_of(links)) == sorted((made, "derived_from", one) for one in notes)
    served.undo(str(before + 1), space=space)
    assert sorted(call.ids()) == sorted(notes)
