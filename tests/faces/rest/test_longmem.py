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
from treering.faces.dialects.longmem import LONGMEM

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
    assert types == {"fact"}
    assert all(words in " ".join(one["text"] for one in done["facts"]) for words in ("PM at Stripe", "likes mornings"))
    assert all(
        set(one) == {"id", "text", "type", "relation", "related_id", "expires_at", "is_latest", "why"}
        for one in done["facts"]
    )
    [older] = told(http, "Bea works at Stripe.")
    clock.advance(days=30)
    newer = told(http, "Bea left Stripe and works at Anthropic now.")
    updates = [one for one in newer if one["relation"] == "updates"]
    assert updates
    assert updates[0]["related_id"] == older["id"]
    assert older["text"] not in found(http, "Where does Bea work?")
    assert any("Anthropic" in one for one in found(http, "Where does Bea work?"))
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
    assert served.status(space=served.spaces()[0].name).memories["forgotten"] == 1


def test_a_collection_made_again_keeps_what_is_not_given(http: TestClient) -> None:
    body = {"name": "notes", "description": "Ours", "metadata": {"x": 1}}
    assert http.post(f"{BASE}/collections", json=body).json()["created"] is True
    again = http.post(f"{BASE}/collections", json={"name": "notes"})
    assert (again.status_code, again.json()["created"]) == (200, False)
    assert (again.json()["description"], again.json()["metadata"]) == ("Ours", {"x": 1})
    assert http.post(f"{BASE}/collections", json={"name": "notes", "metadata": {}}).json()["metadata"] == {}


def test_a_deleted_collection_is_gone_until_something_is_written_to_it(http: TestClient, served: Treering) -> None:
    http.post(f"{BASE}/collections", json={"name": "people", "description": "Ours"})
    ids = [http.post(f"{PEOPLE}/memories", json={"text": text}).json()["id"] for text in ("One", "Two")]
    served.archive(ids[0], space="people")
    assert http.delete(PEOPLE).json() == {"deleted": True, "name": "people", "memories": 2}
    gone = [("GET", PEOPLE), ("PUT", PEOPLE), ("DELETE", PEOPLE), ("GET", f"{PEOPLE}/memories")]
    gone += [("GET", f"{PEOPLE}/profile"), ("GET", f"{PEOPLE}/memories/{ids[1]}")]
    assert [http.request(method, path).status_code for method, path in gone] == [404] * len(gone)
    assert http.get(f"{BASE}/collections").json()["collections"] == []
    new = http.post(f"{PEOPLE}/memories", json={"text": "Three"}).json()["id"]
    told = http.get(PEOPLE).json()
    assert (told["memory_count"], told["total_count"], told["metadata"]) == (1, 1, {})
    http.delete(f"{PEOPLE}/memories/{new}")
    assert http.get(PEOPLE).json()["memory_count"] == 0  # it was written to, and is there though it is empty
    http.delete(PEOPLE)
    made = http.post(f"{BASE}/collections", json={"name": "people"})
    assert (made.status_code, made.json()["description"]) == (201, None)


def test_a_memory_is_added_listed_updated_and_forgotten(http: TestClient) -> None:
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
        "collection": "people",
        "created_at": "",
        "updated_at": "",
        "expires_at": None,
        "is_latest": True,
        "archived": False,
    }
    one = f"{PEOPLE}/memories/{first['id']}"
    assert http.get(one).json() == first
    updated = http.put(one, json={"text": "The sky is grey", "category": "news"}).json()
    assert updated == {**first, "text": "The sky is grey", "category": "news", "updated_at": updated["updated_at"]}
    assert updated["updated_at"] != first["updated_at"]
    assert http.get(one).json() == updated
    again = http.put(one, json={"importance": 0.9}).json()
    assert again == {**updated, "importance": 0.9, "updated_at": again["updated_at"]}
    for archived in ("true", "false"):
        listed = http.get(f"{PEOPLE}/memories?include_archived={archived}").json()["memories"]
        assert listed == [again]
    assert found(http, "sky", category="news", container_tag="weather") == ["The sky is grey"]
    assert http.get(f"{one}/related").json() == {"id": first["id"], "related": []}
    assert http.delete(one).json() == {"deleted": True, "id": first["id"]}
    assert [http.request(method, one, json={"text": "x"}).status_code for method in ("GET", "PUT", "DELETE")] == [
        404
    ] * 3
    assert http.get(f"{PEOPLE}/memories?include_archived=true").json()["memories"] == []
    assert found(http, "sky") == []


def test_a_list_is_paged_and_shows_what_is_outdated_when_asked(http: TestClient, served: Treering) -> None:
    ids = [http.post(f"{PEOPLE}/memories", json={"text": f"Number {one}"}).json()["id"] for one in range(3)]
    newer = served.add("Number three", space="people").id
    served.link(newer, ids[0], "supersedes", space="people")
    http.put(f"{PEOPLE}/memories/{ids[1]}", json={"text": "Number one, again"})

    def listed(query: str) -> list[str]:
        return [one["text"] for one in http.get(f"{PEOPLE}/memories?{query}").json()["memories"]]

    assert listed("limit=10") == ["Number one, again", "Number three", "Number 2"]
    assert listed("include_archived=true") == ["Number one, again", "Number three", "Number 2", "Number 0"]
    assert listed("include_archived=true&limit=2&offset=1") == ["Number three", "Number 2"]
    outdated = http.get(f"{PEOPLE}/memories/{ids[0]}").json()
    assert (outdated["text"], outdated["is_latest"], outdated["archived"]) == ("Number 0", False, True)
    related = http.get(f"{PEOPLE}/memories/{newer}/related").json()["related"]
    assert [(one["id"], one["relation"]) for one in related] == [(ids[0], "updates")]


def test_both_faces_tell_the_same_of_what_either_stored(http: TestClient, served: Treering) -> None:
    body = {"text": "Ann sails", "category": "sport", "source": "chat", "container_tag": "u7", "metadata": {"n": 2}}
    by_route = http.post(f"{PEOPLE}/memories", json=body).json()
    by_tool = LONGMEM.answer(served, "store_memory", {**body, "text": "Ann rows", "collection": "people"})
    for one in (by_route, by_tool):
        assert {name: one[name] for name in body if name != "text"} == {
            name: body[name] for name in body if name != "text"
        }
        assert http.get(f"{PEOPLE}/memories/{one['id']}").json() == one
        assert LONGMEM.answer(served, "get_memory", {"memory_id": one["id"]}) == one
    for wish in ({"category": "sport"}, {"container_tag": "u7"}, {"metadata_filter": {"n": 2}}):
        search = {"query": "What does Ann do?", "collection": "people", **wish}
        found_by_tool = LONGMEM.answer(served, "search_memory", search)
        assert http.post(f"{BASE}/search", json=search).json() == found_by_tool
        assert {one["id"] for one in found_by_tool["results"]} == {by_route["id"], by_tool["id"]}
    assert LONGMEM.answer(served, "search_memory", {"query": "Ann", "category": "music"})["results"] == []


def test_what_a_route_stored_in_the_first_layout_is_told_and_found_as_it_was_filed(
    http: TestClient, served: Treering
) -> None:
    meta = {"category": "sport", "source": "chat", "container_tag": "u7", "metadata": {"n": 2}, "more": True}
    old = served.add("Ann sails", meta=meta, space="people").id
    one = http.get(f"{PEOPLE}/memories/{old}").json()
    assert (one["category"], one["source"], one["container_tag"]) == ("sport", "chat", "u7")
    assert one["metadata"] == {"n": 2, "more": True}
    for wish in ({"category": "sport"}, {"container_tag": "u7"}, {"metadata_filter": {"n": 2}}):
        assert found(http, "What does Ann do?", **wish) == ["Ann sails"]
    assert http.put(f"{PEOPLE}/memories/{old}", json={"text": "Ann rows"}).json()["metadata"] == one["metadata"]
    served.add("Bo sails", meta={"category": "mine"}, space="people")  # anybody's own meta is no layout
    assert found(http, "What does Bo do?", metadata_filter={"category": "mine"}) == ["Bo sails"]


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


@pytest.mark.parametrize("wish", [{"category": "rare"}, {"container_tag": "u9"}, {"metadata_filter": {"n": 1}}])
def test_one_of_many_alike_is_found_by_what_it_was_filed_under(http: TestClient, wish: dict[str, Any]) -> None:
    filed = {"metadata": wish["metadata_filter"]} if "metadata_filter" in wish else wish
    http.post(f"{PEOPLE}/memories", json={"text": "Kim planted a rose one day", **filed})
    for week in range(60):
        http.post(f"{PEOPLE}/memories", json={"text": f"Kim planted a tulip in week {week}"})
    assert found(http, "Which tulip did Kim plant?", **wish) == ["Kim planted a rose one day"]


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


@pytest.mark.parametrize(
    ("status", "method", "path", "more"),
    [
        (401, "GET", "/collections", {}),
        (404, "GET", "/nowhere", {"headers": "key"}),
        (405, "PATCH", "/collections", {"headers": "key"}),
        (413, "POST", "/collections/people/memories", {"headers": "key", "content": b"x" * 2_000}),
    ],
)
def test_what_comes_to_no_route_is_refused_with_a_detail_too(
    serving: Serving, served: Treering, status: int, method: str, path: str, more: dict[str, Any]
) -> None:
    more = {
        **more,
        **({"headers": bearing(served.key_create("ann", spaces=["*"]).secret)} if "headers" in more else {}),
    }
    served.key_create("bo", spaces=["*"])
    http = serving(body_bytes=1_000)
    refused = http.request(method, BASE + path, **more)
    assert (refused.status_code, list(refused.json())) == (status, ["detail"])
    elsewhere = http.request(method, "/v1/spaces/lab/nowhere", **more)
    assert list(elsewhere.json()) == ["error"]


def test_who_asks_too_often_is_told_so_with_a_detail(serving: Serving) -> None:
    http = serving(requests_a_minute=1)
    answers = [http.get(f"{BASE}/collections") for _ in range(3)]
    refused = answers[-1]
    assert (refused.status_code, list(refused.json())) == (429, ["detail"])
    assert int(refused.headers["retry-after"]) > 0
    assert "ratelimit-limit" in refused.headers


def test_a_key_that_only_reads_is_refused_to_write(serving: Serving, served: Treering) -> None:
    served.add("There", space="people")
    reader = bearing(served.key_create("ann", spaces=["people"], role="read").secret)
    http = serving()
    assert http.get(f"{PEOPLE}/memories", headers=reader).status_code == 200
    refused = http.post(f"{PEOPLE}/memories", json={"text": "x"}, headers=reader)
    assert (refused.status_code, list(refused.json())) == (403, ["detail"])
    assert http.get(f"{BASE}/collections/other/memories", headers=reader).status_code in (403, 404)
    assert [one["name"] for one in http.get(f"{BASE}/collections", headers=reader).json()["collections"]] == ["people"]
