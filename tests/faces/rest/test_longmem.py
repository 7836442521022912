"""LongMem's clients: their routes, bodies and shapes, as its page tells them, from the first fact to the profile."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from starlette.testclient import TestClient
from tests.conftest import HandClock
from tests.faces.rest.conftest import Serving
from tests.faces.rest.test_access import bearing

from treering.door import Treering

BASE = "/v1/memory"
PEOPLE = f"{BASE}/collections/people"


def told(http: TestClient, content: str) -> list[dict[str, Any]]:
    answer = http.post(f"{PEOPLE}/remember?sync=true", json={"content": content})
    assert answer.status_code == 200
    facts: list[dict[str, Any]] = answer.json()["facts"]
    return facts


def found(http: TestClient, query: str, **more: Any) -> list[str]:
    answer = http.post(f"{PEOPLE}/search", json={"query": query, **more})
    return [one["text"] for one in answer.json()["results"]]


def test_the_flow_of_its_page_from_remember_to_profile(http: TestClient, served: Treering, clock: HandClock) -> None:
    content = "Had a call with Alex, now a PM at Stripe; he likes mornings."
    accepted = http.post(f"{PEOPLE}/remember", json={"content": content})
    assert accepted.status_code == 202
    job = f"{BASE}/extract/job/{accepted.json()['job_id']}"
    assert http.get(job).json() == {
        "job_id": accepted.json()["job_id"],
        "status": "pending",
        "facts": [],
        "error": None,
    }
    served.run_jobs()
    done = http.get(job).json()
    assert done["status"] == "completed"
    types = {one["type"] for one in done["facts"]}
    assert types >= {"fact", "preference"}
    assert all(
        set(one) == {"id", "text", "type", "relation", "related_id", "expires_at", "is_latest"} for one in done["facts"]
    )
    clock.advance(days=30)
    newer = told(http, "Alex left Stripe and works at Anthropic now.")
    updates = [one for one in newer if one["relation"] == "updates"]
    assert updates
    assert updates[0]["related_id"] in {one["id"] for one in done["facts"]}
    assert not any("Stripe as" in one for one in found(http, "Where does Alex work?"))
    assert any("Anthropic" in one for one in found(http, "Where does Alex work?"))
    profile = http.get(f"{PEOPLE}/profile").json()
    assert "Anthropic" in profile["profile"]
    assert set(profile) == {"collection", "profile", "memories"}


def test_what_is_bound_to_a_time_leaves_the_search_when_it_has_passed(http: TestClient, clock: HandClock) -> None:
    facts = told(http, "I have a meeting with Kim at 3pm today.")
    assert any(one["expires_at"] for one in facts)
    assert found(http, "meeting with Kim")
    clock.now += timedelta(days=3)
    assert found(http, "meeting with Kim") == []


def test_a_collection_is_made_described_listed_and_deleted(http: TestClient, served: Treering) -> None:
    made = http.post(f"{BASE}/collections", json={"name": "Team:A", "description": "Ours", "metadata": {"x": 1}})
    assert made.status_code == 201
    assert (made.json()["name"], made.json()["description"], made.json()["metadata"]) == ("Team:A", "Ours", {"x": 1})
    changed = http.put(f"{BASE}/collections/Team:A", json={"description": "All of ours"}).json()
    assert (changed["description"], changed["metadata"]) == ("All of ours", {"x": 1})
    assert [one["name"] for one in http.get(f"{BASE}/collections").json()["collections"]] == ["Team:A"]
    http.post(f"{BASE}/collections/Team:A/memories", json={"text": "Kept"})
    assert http.get(f"{BASE}/collections/Team:A").json()["memory_count"] == 1
    assert http.delete(f"{BASE}/collections/Team:A").json()["memories"] == 1
    assert http.get(f"{BASE}/collections/Team:A").json()["memory_count"] == 0
    assert served.status(space=served.spaces()[0].name).memories["forgotten"] == 1


def test_a_memory_is_added_listed_revised_and_forgotten(http: TestClient) -> None:
    body = {"text": "The sky is blue", "metadata": {"page": 3}, "container_tag": "weather"}
    made = http.post(f"{PEOPLE}/memories", json=body)
    assert made.status_code == 201
    first = made.json()
    assert first | {"id": "", "created_at": "", "updated_at": ""} == {
        "id": "",
        "text": "The sky is blue",
        "type": "fact",
        "importance": 0.7,
        "category": "other",
        "source": "api",
        "metadata": {"page": 3},
        "container_tag": "weather",
        "created_at": "",
        "updated_at": "",
        "expires_at": None,
        "is_latest": True,
        "archived": False,
    }
    one = f"{PEOPLE}/memories/{first['id']}"
    assert http.get(one).json() == first
    revised = http.put(one, json={"text": "The sky is grey", "category": "news"}).json()
    assert (revised["text"], revised["category"], revised["previous_id"]) == ("The sky is grey", "news", first["id"])
    assert http.get(one).json()["is_latest"] is False
    related = http.get(f"{PEOPLE}/memories/{revised['id']}/related").json()["related"]
    assert [(other["id"], other["relation"]) for other in related] == [(first["id"], "updates")]
    assert [other["text"] for other in http.get(f"{PEOPLE}/memories").json()["memories"]] == ["The sky is grey"]
    both = http.get(f"{PEOPLE}/memories?include_archived=true&limit=1&offset=1").json()["memories"]
    assert [other["text"] for other in both] == ["The sky is blue"]
    assert http.delete(f"{PEOPLE}/memories/{revised['id']}").json()["deleted"] is True
    assert http.get(f"{PEOPLE}/memories").json()["memories"] == []


def test_a_search_is_narrowed_by_category_tag_and_metadata_and_goes_over_all_collections(http: TestClient) -> None:
    for number, category in enumerate(("a", "b")):
        body = {"text": f"Tea number {number}", "category": category, "metadata": {"n": number}}
        http.post(f"{PEOPLE}/memories", json={**body, "container_tag": category})
    assert found(http, "tea", category="a") == ["Tea number 0"]
    assert found(http, "tea", metadata_filter={"n": 1}) == ["Tea number 1"]
    assert found(http, "tea", container_tag="b") == ["Tea number 1"]
    http.post(f"{BASE}/collections/other/memories", json={"text": "Tea elsewhere"})
    everywhere = http.post(f"{BASE}/search", json={"query": "tea", "limit": 10}).json()["results"]
    assert len(everywhere) == 3
    assert everywhere[0]["score"] >= everywhere[-1]["score"]


def test_a_file_is_dropped_at_once_or_as_a_batch(http: TestClient) -> None:
    file = {"file": ("notes.md", b"# Tea\n\nAda likes tea.")}
    assert http.post(f"{PEOPLE}/drop", files=file).status_code == 201
    queued = http.post(f"{PEOPLE}/drop", files={"file": ("b.md", b"Bo likes rum.")}, data={"async_ingest": "true"})
    assert (queued.status_code, queued.json()["queued"]) == (202, 1)
    batch = http.get(f"{BASE}/ingest/batch/{queued.json()['batch_id']}").json()
    assert {name: batch[name] for name in ("total", "done", "failed", "complete")} == {
        "total": 1,
        "done": 1,
        "failed": 0,
        "complete": True,
    }
    assert found(http, "rum") == ["Bo likes rum."]


def test_of_several_files_one_that_cannot_be_read_does_not_keep_the_others_out(http: TestClient) -> None:
    files = [("file", ("good.md", b"Ada likes gin.")), ("file", ("empty.md", b""))]
    told = http.post(f"{PEOPLE}/drop", files=files, data={"async_ingest": "true"})
    batch = http.get(f"{BASE}/ingest/batch/{told.json()['batch_id']}").json()
    assert (batch["total"], batch["done"], batch["failed"]) == (2, 1, 1)
    assert found(http, "gin") == ["Ada likes gin."]
    assert http.post(f"{PEOPLE}/drop", files={"file": ("empty.md", b"")}).status_code == 400


@pytest.mark.parametrize(
    ("method", "path", "body", "status"),
    [
        ("POST", "/collections/people/memories", {"text": ""}, 400),
        ("POST", "/collections/people/memories", {"text": "x" * 10_001}, 413),
        ("POST", "/collections/people/memories", {"text": "x", "importance": 2}, 400),
        ("POST", "/collections/people/search", {"query": "x", "mode": "magic"}, 400),
        ("POST", "/collections/people/remember", {}, 400),
        ("GET", "/collections/nobody", None, 404),
        ("GET", "/collections/people/memories/nobody", None, 404),
        ("GET", "/extract/job/nonsense", None, 404),
        ("GET", "/ingest/batch/bm9uZSBwZW9wbGU", None, 404),
        ("GET", "/extract/job/!!!", None, 404),
        ("POST", "/collections/people/drop", None, 400),
    ],
)
def test_its_errors_are_a_detail(http: TestClient, method: str, path: str, body: Any, status: int) -> None:
    http.post(f"{PEOPLE}/memories", json={"text": "There"})
    answer = http.request(method, BASE + path, **({} if body is None else {"json": body}))
    assert (answer.status_code, list(answer.json())) == (status, ["detail"])


def test_a_key_that_only_reads_is_refused_to_write(serving: Serving, served: Treering) -> None:
    served.add("There", space="people")
    reader = bearing(served.key_create("ann", spaces=["people"], role="read").secret)
    http = serving()
    assert http.get(f"{PEOPLE}/memories", headers=reader).status_code == 200
    refused = http.post(f"{PEOPLE}/memories", json={"text": "x"}, headers=reader)
    assert (refused.status_code, list(refused.json())) == (403, ["detail"])
    assert http.get(f"{BASE}/collections/other/memories", headers=reader).status_code in (403, 404)
    assert [one["name"] for one in http.get(f"{BASE}/collections", headers=reader).json()["collections"]] == ["people"]
