"""Crosmos's clients over HTTP: spaces, sources and conversations that become jobs, search, memories and the graph."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest
from tests.conftest import HandClock
from tests.faces.rest.conftest import Serving
from tests.faces.rest.routes import BASE, NEVER, Routes
from tests.faces.rest.test_access import bearing

from treering.door import Treering


class Calls(Routes):
    def space(self, name: str = "My Space") -> str:
        return str(self.ok("POST", "/spaces", {"name": name}, 201)["id"])


class Backwards:
    """A reranker that prefers what comes last in the alphabet."""

    name = "backwards"

    def scores(self, question: str, texts: Sequence[str]) -> list[float]:
        return [float(sorted(texts).index(text)) for text in texts]


@pytest.fixture
def call(serving: Serving) -> Calls:
    return Calls(serving(dialect="crosmos"))


def test_a_space_is_made_listed_described_and_deleted(call: Calls) -> None:
    made = call.ok(
        "POST",
        "/spaces",
        {"name": "My Space", "description": "Mine", "meta": {"a": 1, "crosmos": {"deleted": True}}},
        201,
    )
    assert (made["name"], made["description"], made["meta"], made["memory_count"]) == ("My Space", "Mine", {"a": 1}, 0)
    assert [one["id"] for one in call.ok("GET", "/spaces")["spaces"]] == [made["id"]]
    assert call.ok("GET", f"/spaces/{made['id']}") == made
    assert call("POST", "/spaces", {"name": "My Space"}).status_code == 409
    assert call("DELETE", f"/spaces/{made['id']}").status_code == 204
    assert call("GET", f"/spaces/{made['id']}").status_code == 404
    assert call.ok("GET", "/spaces")["spaces"] == []
    assert call.space("My Space") == made["id"]


def test_sources_are_read_later_and_then_found(call: Calls, served: Treering) -> None:
    space = call.space()
    sources = [
        {"content": "Sam works at Anthropic as a research engineer.", "role": "user", "meta": {"page": 7}},
        {"content": "Sam prefers Neovim to VS Code.", "content_type": "markdown", "meta": {"page": 7}},
    ]
    accepted = call.ok("POST", "/sources", {"space_id": space, "sources": sources}, 202)
    assert len(accepted["source_ids"]) == 2
    waiting = call.ok("GET", f"/jobs/{accepted['job_id']}")
    assert (waiting["status"], waiting["counts"]["total"], waiting["counts"]["processed"]) == ("pending", 2, 0)
    served.run_jobs()
    done = call.ok("GET", f"/jobs/{accepted['job_id']}")
    assert (done["status"], done["counts"]["processed"], done["counts"]["failed"]) == ("completed", 2, 0)
    assert done["counts"]["memories"] == len(done["memory_ids"]) > 0
    found = call.ok("POST", "/search", {"query": "Where does Sam work?", "space_id": space, "include_source": True})
    first = found["candidates"][0]
    assert set(first) == {"memory_id", "content", "memory_type", "score", "source", "created_at", "event_time"}
    assert "Anthropic" in first["content"]
    assert (first["source"]["id"], first["source"]["role"]) == (accepted["source_ids"][0], "user")
    assert first["source"]["meta"]["page"] == 7
    by_name = call.ok("POST", "/search", {"query": "Where does Sam work?", "space_id": "My Space", "limit": 1})
    assert [one["source"] for one in by_name["candidates"]] == [None]


def test_sources_for_different_eyes_are_one_job_to_the_client(call: Calls, served: Treering) -> None:
    space = call.space()
    sources = [{"content": "The office is in Paris."}, {"content": "My pin is 4711.", "visibility": "private"}]
    accepted = call.ok("POST", "/sources", {"space_id": space, "sources": sources}, 202)
    served.run_jobs(limit=1)
    assert call.ok("GET", f"/jobs/{accepted['job_id']}")["status"] == "processing"
    served.run_jobs()
    assert call.ok("GET", f"/jobs/{accepted['job_id']}")["status"] == "completed"
    seen = {one["content"]: one["visibility"] for one in call.ok("GET", "/memories", space_id=space)["memories"]}
    assert "private" in seen.values()
    other = Calls(call.http, **{"X-Agent-Id": "somebody"})
    assert all(one["visibility"] == "org" for one in other.ok("GET", "/memories", space_id=space)["memories"])


GARDEN = """# The garden

- Basil stands by the door

## Watering

The pump runs at six. It is blue.

## People

Kim waters the roses."""


def test_markdown_is_kept_section_by_section(call: Calls, served: Treering) -> None:
    space = call.space()
    sources = [
        {"content": "Bo works at Initech."},
        {"content": GARDEN, "content_type": "markdown"},
        {"content": "I live in Bergen.", "content_type": "markdown", "role": "user"},
    ]
    accepted = call.ok("POST", "/sources", {"space_id": space, "sources": sources}, 202)
    assert len(set(accepted["source_ids"])) == 3
    served.run_jobs()
    job = call.ok("GET", f"/jobs/{accepted['job_id']}")
    assert (job["status"], job["total"], job["failed"]) == ("completed", 3, 0)
    listed = call.ok("GET", "/memories", space_id=space)["memories"]
    types = {one["content"]: one["meta"]["content_type"] for one in listed}
    assert types == {
        "Bo works at Initech": "text",
        "# The garden\n\n- Basil stands by the door": "markdown",
        "## Watering\n\nThe pump runs at six. It is blue.": "markdown",
        "## People\n\nKim waters the roses.": "markdown",
        "User lives in Bergen": "markdown",  # there is nothing to cut, and it is read as talk is
    }
    body = {"query": "When does the pump run?", "space_id": space, "include_source": True}
    best = call.ok("POST", "/search", body)["candidates"][0]
    assert best["content"].startswith("## Watering")
    assert best["source"]["id"] == accepted["source_ids"][1]
    assert best["source"]["role"] is None


def test_of_very_many_sections_every_one_is_kept_and_the_source_is_one(call: Calls, served: Treering) -> None:
    space = call.space()
    content = "\n\n".join(f"# Entry {number}\n\nWord {number} means that." for number in range(1_100))
    body = {"space_id": space, "sources": [{"content": content, "content_type": "markdown"}]}
    accepted = call.ok("POST", "/sources", body, 202)
    served.run_jobs()
    assert len(call.ok("GET", f"/jobs/{accepted['job_id']}")["memory_ids"]) == 1_100
    search = {"query": "What is entry 1042?", "space_id": space, "include_source": True}
    best = call.ok("POST", "/search", search)["candidates"][0]
    assert best["content"].startswith("# Entry 1042\n")
    assert [best["source"]["id"]] == accepted["source_ids"]


def test_a_conversation_has_its_session_and_date(call: Calls, served: Treering) -> None:
    space = call.space()
    body = {
        "space_id": space,
        "messages": [
            {"role": "user", "content": "I moved to Austin last month."},
            {"role": "assistant", "content": "How do you like it?"},
        ],
        "session_id": "s1",
        "session_date": "2025-06-10T09:00:00Z",
    }
    accepted = call.ok("POST", "/conversations", body, 202)
    assert (len(accepted["source_ids"]), accepted["session_id"]) == (2, "s1")
    served.run_jobs()
    assert call.ok("GET", f"/jobs/{accepted['job_id']}")["status"] == "completed"
    found = call.ok("POST", "/search", {"query": "Where do I live?", "space_id": space, "include_source": True})
    assert found["candidates"][0]["source"]["session_id"] == "s1"
    assert any((one["event_time"] or "")[:7] == "2025-05" for one in found["candidates"])


def test_memories_are_sorted_read_and_deleted(call: Calls, served: Treering, clock: HandClock) -> None:
    call.space("lab")
    ids = []
    for number, importance in enumerate((0.3, 0.9, 0.6)):
        time = None if number == 2 else f"202{number}-01-01T00:00:00Z"
        ids.append(served.add(f"Statement {number}", importance=importance, event_time=time, kind="episode").id)
        clock.advance(hours=1)
    served.touch(ids[0])
    for sort_by, order, expected in (
        ("created_at", "desc", [2, 1, 0]),
        ("created_at", "asc", [0, 1, 2]),
        ("importance_score", "desc", [1, 2, 0]),
        ("event_time", "desc", [1, 0, 2]),
        ("event_time", "asc", [0, 1, 2]),
        ("last_accessed_at", "desc", [0, 2, 1]),
        ("access_frequency", "desc", [0, 2, 1]),
    ):
        listed = call.ok("GET", "/memories", sort_by=sort_by, order=order)
        assert [one["id"] for one in listed["memories"]] == [ids[place] for place in expected], (sort_by, order)
    assert call.ok("GET", "/memories", limit=1, offset=1)["memories"][0]["id"] == ids[1]
    one = call.ok("GET", f"/memories/{ids[0]}")
    assert (one["content"], one["memory_type"], one["access_frequency"]) == ("Statement 0", "episode", 1)
    assert call("DELETE", f"/memories/{ids[0]}").status_code == 204
    assert call("GET", f"/memories/{ids[0]}").status_code == 404
    assert call("DELETE", f"/memories/{ids[0]}").status_code == 404
    assert call.ok("GET", "/memories")["total"] == 2
    served.restore(ids[0])
    assert call.ok("GET", "/memories")["total"] == 3


def test_the_graph_has_the_most_connected_first(call: Calls, served: Treering) -> None:
    call.space("lab")
    for other in ("Google", "Stripe", "Neovim"):
        served.assert_fact("Sam", "USES", other)
    served.assert_fact("Kim", "KNOWS", "Google")
    whole = call.ok("GET", "/graph")
    assert [(one["name"], one["degree"]) for one in whole["nodes"][:2]] == [("Sam", 3), ("Google", 2)]
    assert (len(whole["nodes"]), len(whole["edges"]), whole["truncated"]) == (5, 4, False)
    some = call.ok("GET", "/graph", limit=2)
    assert [(one["source"], one["relation"], one["target"]) for one in some["edges"]] == [("Sam", "USES", "Google")]
    assert (some["total_nodes"], some["total_edges"], some["truncated"]) == (5, 4, True)
    stats = call.ok("GET", "/graph/stats")
    assert (stats["nodes"], stats["edges"], stats["relations"]) == (5, 4, {"USES": 3, "KNOWS": 1})
    listed = call.ok("GET", "/entities", limit=2)
    assert (len(listed["entities"]), listed["total"]) == (2, 5)
    sam = call.ok("GET", f"/entities/{served.entity_get('Sam').id}")
    assert (sam["name"], len(sam["relations"])) == ("Sam", 3)
    assert call.ok("GET", "/health") == {"status": "ok"}


WRONG: list[tuple[str, str, Any, int]] = [
    ("POST", "/spaces", {}, 400),
    ("GET", f"/spaces/{NEVER}", None, 404),
    ("DELETE", f"/spaces/{NEVER}", None, 404),
    ("POST", "/sources", {"space_id": NEVER, "sources": [{"content": "x"}]}, 404),
    ("POST", "/sources", {"space_id": "s", "sources": []}, 400),
    ("POST", "/sources", {"space_id": "s", "sources": [{"content": "x"}] * 101}, 413),
    ("POST", "/sources", {"space_id": "s", "sources": [{"content": "x" * 100_001}]}, 413),
    ("POST", "/sources", {"space_id": "s", "sources": [{"content": "x", "content_type": "pdf"}]}, 400),
    ("POST", "/sources", {"space_id": "s", "sources": [{"content": "x", "visibility": "public"}]}, 400),
    ("POST", "/conversations", {"space_id": "s", "messages": []}, 400),
    ("POST", "/conversations", {"space_id": "s", "messages": [{"role": "user", "content": "x"}] * 501}, 413),
    ("GET", f"/jobs/{NEVER}", None, 404),
    ("POST", "/search", {"query": "x"}, 400),
    ("POST", "/search", {"query": "", "space_id": "s"}, 400),
    ("POST", "/search", {"query": "x" * 3_001, "space_id": "s"}, 413),
    ("POST", "/search", {"query": "x", "space_id": "s", "limit": 51}, 400),
    ("POST", "/search", {"query": "x", "space_id": "s", "recency_bias": 1.1}, 400),
    ("GET", "/memories?limit=501", None, 400),
    ("GET", "/memories?sort_by=size", None, 400),
    ("GET", f"/memories/{NEVER}", None, 404),
    ("DELETE", f"/memories/{NEVER}", None, 404),
    ("GET", f"/entities/{NEVER}", None, 404),
    ("GET", "/graph?limit=501", None, 400),
    ("GET", f"/graph/stats?space_id={NEVER}", None, 404),
]


@pytest.mark.parametrize(("method", "path", "body", "status"), WRONG, ids=lambda one: str(one)[:40])
def test_what_is_wrong_is_refused(call: Calls, method: str, path: str, body: Any, status: int) -> None:
    answer = call(method, path, body)
    assert answer.status_code == status, answer.text
    assert set(answer.json()) == {"detail", "code"}


def test_a_deleted_space_is_back_when_something_is_written_to_it(call: Calls, served: Treering) -> None:
    space = call.space("notes")
    served.add("Ann rows", space="notes")
    call("DELETE", f"/spaces/{space}")
    assert call("GET", f"/spaces/{space}").status_code == 404
    served.add("Ann sails", space="notes")
    assert call.ok("GET", f"/spaces/{space}")["memory_count"] == 1


def test_a_space_that_was_deleted_before_stays_so(call: Calls, served: Treering) -> None:
    served.describe(metadata={"crosmos": {"deleted": True}}, space="notes")
    served.forget(served.add("Ann rows", space="notes").id, space="notes")
    assert call.ok("GET", "/spaces")["spaces"] == []


@pytest.mark.parametrize("dialect", ["ai-memory", "crosmos"])
def test_only_paths_that_two_systems_share_are_decided_by_the_dialect(serving: Serving, dialect: str) -> None:
    call = Calls(serving(dialect=dialect))
    for path in ("/spaces", "/graph", "/graph/stats", "/archive", "/namespaces", "/taxonomy", "/stats", "/health"):
        call.ok("GET", path)
    assert "detail" in call("GET", f"/jobs/{NEVER}").json()  # each in its own words
    assert "error" in call("GET", f"/links/{NEVER}").json()
    crosmos = dialect == "crosmos"
    assert ("total" in call.ok("GET", "/memories")) is crosmos
    assert (call("GET", f"/memories/{NEVER}").json().keys() == {"detail", "code"}) is crosmos
    assert call("POST", "/search", {}).status_code == (400 if crosmos else 405)
    assert call("GET", "/search", q="x").status_code == (405 if crosmos else 200)
    assert call("GET", "/entities").status_code == (200 if crosmos else 405)
    assert set(call("GET", "/nowhere").json()) == ({"detail", "code"} if crosmos else {"error", "code"})


def test_a_tenant_sees_nothing_of_another(serving: Serving, served: Treering) -> None:
    http = serving(dialect="crosmos")
    ours = Calls(http, **bearing(served.key_create("ann", spaces=["acme/*"], role="write").secret))
    theirs = Calls(http, **bearing(served.key_create("bob", spaces=["globex/*"], role="write").secret))
    space, mine = ours.space("acme/x"), theirs.space("globex/x")
    secret = served.add("The code is 1234", space="acme/x", entities=["Vault"]).id
    job = ours.ok("POST", "/sources", {"space_id": space, "sources": [{"content": "More"}]}, 202)["job_id"]
    vault = served.entity_get("Vault", space="acme/x").id
    for method, path in (
        ("GET", f"/spaces/{space}"),
        ("DELETE", f"/spaces/{space}"),
        ("GET", f"/memories/{secret}"),
        ("DELETE", f"/memories/{secret}"),
        ("GET", f"/jobs/{job}"),
        ("GET", f"/entities/{vault}"),
        ("GET", f"/memories?space_id={space}"),
        ("GET", f"/graph?space_id={space}"),
    ):
        told = theirs(method, path)
        assert told.status_code == 404, path
    assert theirs("POST", "/search", {"query": "code", "space_id": space}).status_code == 404
    assert theirs("POST", "/spaces", {"name": "acme/y"}).status_code == 403
    for path in ("/spaces", "/memories", "/entities", "/graph", "/graph/stats"):
        said = str(theirs.ok("GET", path))
        assert not any(word in said for word in ("acme", "code", "Vault", secret))
    assert [one["id"] for one in theirs.ok("GET", "/spaces")["spaces"]] == [mine]
    assert ours.ok("GET", f"/memories/{secret}")["content"] == "The code is 1234"
    assert http.get(f"{BASE}/spaces").status_code == 401


def test_a_search_says_whether_it_is_to_be_reranked(serving: Serving, served: Treering) -> None:
    served._reranker = Backwards
    call = Calls(serving(dialect="crosmos"))
    space = call.space()
    [own] = served.spaces()
    for name in ("Ann", "Bo", "Cy"):
        served.add(f"{name} has a boat in the harbour", space=own.name)
    asked = {"query": "Who has a boat in the harbour?", "space_id": space}
    told = {}
    for wished in (True, False):
        found = call.ok("POST", "/search", {**asked, "rerank": wished})
        told[wished] = [one["content"].split()[0] for one in found["candidates"]]
    assert told[True] == ["Cy", "Bo", "Ann"]
    assert sorted(told[False]) == sorted(told[True])
    assert told[False] != told[True]
