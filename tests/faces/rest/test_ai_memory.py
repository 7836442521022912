"""ai-memory's clients over HTTP: every route, its fields, bounds and errors, and the flows of those who use them."""

from __future__ import annotations

from datetime import timedelta

import pytest
from starlette.testclient import TestClient
from tests.conftest import HandClock
from tests.faces.rest.ai_memory import NS, Calls, call
from tests.faces.rest.routes import NEVER

from treering.door import Treering
from treering.model.namespaces import space_of

__all__ = ["call"]


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
        assert call.ok("POST", "/import", {"memories": moved})["errors"] == []
        assert len(call.ids(namespace="copy")) == 2
    [copy] = [m for m in call.listed(namespace="copy") if m["title"] == "A"]
    assert (copy["content"], copy["tags"], copy["metadata"]["agent_id"], copy["metadata"]["k"]) == (
        "Alpha",
        ["x"],
        "ann",
        1,
    )
    assert call("POST", "/import", {}).status_code == 400
