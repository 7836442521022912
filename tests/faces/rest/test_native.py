"""Treering's own routes: every operation answers over HTTP as it does in Python, and every mistake in one shape."""

from __future__ import annotations

import asyncio
import json
import threading
from typing import Any

import pytest
from starlette.testclient import TestClient
from tests.conftest import HandClock

from treering import errors
from treering.door import OPERATIONS, Treering
from treering.faces.rest.answers import STATUS
from treering.faces.rest.caller import Caller
from treering.faces.rest.describe import document
from treering.faces.rest.examples import EXAMPLES
from treering.faces.rest.native import BY_FILE, Native, listed
from treering.faces.rest.rights import has_space
from treering.model import limits
from treering.model.value import plain

LAB = "/v1/spaces/lab"


def the_error(answer: Any) -> tuple[int, str, str]:
    told = answer.json()["error"]
    assert set(told) == {"code", "message", "details"}
    return answer.status_code, told["code"], told["message"]


def test_every_operation_has_a_route_of_its_own() -> None:
    routed = {one.operation.name for one in listed()}
    assert routed | (BY_FILE & set(OPERATIONS)) == set(OPERATIONS)
    assert all(one.of_space for one in listed() if has_space(one.operation) and "{space}" in one.path)


def test_what_is_added_by_post_is_found_by_get_as_python_finds_it(http: TestClient, served: Treering) -> None:
    added = http.post(f"{LAB}/add", json={"content": "Ada works at Google", "tags": ["work"], "key": "k1"})
    assert added.status_code == 200
    memory = added.json()["memories"][0]["id"]
    assert http.get(f"{LAB}/get", params={"id": memory}).json() == plain(served.get(memory))
    assert http.get(f"{LAB}/memories/{memory}").json() == plain(served.get(memory))
    asked = {"query": "Where does Ada work?", "limit": 3, "tags": ["work"]}
    by_get, by_post = http.get(f"{LAB}/recall", params=asked), http.post(f"{LAB}/recall", json=asked)
    in_python = plain(served.recall("Where does Ada work?", limit=3, tags=["work"]))
    for one in (told := [by_get.json(), by_post.json(), in_python]):
        one.pop("milliseconds")
    assert told[0] == told[1] == told[2]
    assert [hit["memory"]["id"] for hit in told[0]["hits"]] == [memory]


def test_what_is_recalled_over_http_counts_as_used_where_the_space_asks_for_it(
    http: TestClient, served: Treering
) -> None:
    tea = served.add("Ada drinks green tea").id
    served.settings({"touch_on_recall": True})
    assert http.post(f"{LAB}/recall", json={"query": "Who drinks tea?"}).json()["hits"]
    assert http.get(f"{LAB}/context", params={"query": "Who drinks tea?"}).json()["citations"] == [tea]
    served._uses.flush()
    assert served.get(tea).use_count == 2


def test_a_space_is_written_with_its_slashes(http: TestClient, served: Treering) -> None:
    assert http.post("/v1/spaces/acme/research/add", json={"content": "Deep"}).status_code == 200
    assert http.post(
        "/v1/spaces/acme/recall/add", json={"content": "A space that is called as an operation"}
    ).is_success
    assert [one.content for one in served.list(space="acme/research")] == ["Deep"]
    assert [one["name"] for one in http.get("/v1/spaces").json()] == ["acme/recall", "acme/research"]
    assert the_error(http.get("/v1/spaces/Acme/list"))[:2] == (400, "invalid_request")


def test_lists_objects_and_times_can_stand_in_a_query(http: TestClient, served: Treering, clock: HandClock) -> None:
    served.add("Ada works at Google", triples=[["Ada", "WORKS_FOR", "Google"]], tags=["a", "b"])
    served.add("Bo sings", tags=["a"])
    assert len(http.get(f"{LAB}/list", params={"tags": ["a", "b"]}).json()["memories"]) == 1
    assert len(http.get(f"{LAB}/list", params={"tags": ["a"], "limit": "1"}).json()["memories"]) == 1
    assert http.get(f"{LAB}/facts", params={"as_of": "2020-01-01"}).json() == []
    assert len(http.get(f"{LAB}/facts", params={"subject": "Ada", "as_of": "2026-06-01T00:00:00Z"}).json()) == 1
    assert the_error(http.get(f"{LAB}/facts", params={"as_of": "soon"}))[0] == 400
    assert "given 2 times" in the_error(http.get(f"{LAB}/get", params={"id": ["x", "y"]}))[2]


def test_memories_are_met_as_resources_too(http: TestClient, served: Treering) -> None:
    memory = http.post(f"{LAB}/memories", json={"content": "Ada sings"}).json()["memories"][0]["id"]
    assert [one["id"] for one in http.get(f"{LAB}/memories").json()["memories"]] == [memory]
    assert http.delete(f"{LAB}/memories/{memory}", params={"why": "wrong"}).json()["id"] == memory
    assert served.get(memory).state == "forgotten"
    assert [one["type"] for one in http.get(f"{LAB}/memories/{memory}/history").json()["events"]][-1] == "marked"


def test_an_idempotency_key_may_come_as_a_header(http: TestClient, served: Treering) -> None:
    for _ in range(2):
        http.post(f"{LAB}/add", json={"content": "Once"}, headers={"Idempotency-Key": "k"})
    assert len(served.list()) == 1
    again = http.post(f"{LAB}/add", json={"content": "Other"}, headers={"Idempotency-Key": "k"})
    assert the_error(again)[:2] == (409, "conflict")


@pytest.mark.parametrize(
    ("method", "path", "more", "status", "code"),
    [
        ("POST", "/add", {"content": b"{"}, 400, "invalid_request"),
        ("POST", "/add", {"content": b"[1]"}, 400, "invalid_request"),
        ("POST", "/add", {"content": b'{"content": NaN}'}, 400, "invalid_request"),
        ("POST", "/add", {"content": b"\xff\xfe"}, 400, "invalid_request"),
        ("POST", "/add", {"content": b"[" * 100_000}, 413, "limit_exceeded"),
        ("POST", "/add", {"content": b"a=b", "headers": {"Content-Type": "text/plain"}}, 400, "invalid_request"),
        ("POST", "/add", {"json": {"contnt": "x"}}, 400, "invalid_request"),
        ("POST", "/add", {"json": {"content": "x", "space": "other"}}, 400, "invalid_request"),
        ("POST", "/add", {"json": {"content": "x" * 50_001}}, 413, "limit_exceeded"),
        ("POST", "/add?content=x", {"json": {}}, 400, "invalid_request"),
        ("POST", "/enqueue", {"json": {"content": "x", "extractor": "llm"}}, 422, "unsupported"),
        ("GET", "/get?id=nobody", {}, 404, "not_found"),
        ("GET", "/nothing", {}, 404, "not_found"),
        ("DELETE", "/recall", {}, 405, "method_not_allowed"),
        ("GET", "/add?content=x", {}, 405, "method_not_allowed"),
    ],
)
def test_a_mistake_is_told_in_one_shape_and_writes_nothing(
    http: TestClient, served: Treering, method: str, path: str, more: dict[str, Any], status: int, code: str
) -> None:
    assert the_error(http.request(method, LAB + path, **more))[:2] == (status, code)
    assert served.spaces() == []


def test_every_kind_of_error_has_a_status() -> None:
    kinds = {
        kind for kind in vars(errors).values() if isinstance(kind, type) and issubclass(kind, errors.TreeringError)
    }
    assert kinds == set(STATUS)


def test_a_fault_of_our_own_says_nothing_of_what_it_met(http: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object, **__: object) -> None:
        raise RuntimeError("the secret is lantern")

    monkeypatch.setattr(Treering, "status", fail)
    answer = http.get(f"{LAB}/status")
    assert the_error(answer)[:2] == (500, "fault")
    assert "lantern" not in answer.text


def test_a_full_queue_says_when_to_come_again_and_questions_are_answered_meanwhile(
    http: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limits, "JOBS_WAITING_IN_A_SPACE", 1)
    monkeypatch.setattr(limits, "FULL_QUEUE_SECONDS", 2.5)
    assert http.post(f"{LAB}/remember", json={"content": "First"}).status_code == 202
    answer = http.post(f"{LAB}/remember", json={"content": "Later"})
    assert the_error(answer)[:2] == (503, "unavailable")
    assert answer.headers["retry-after"] == "3"
    assert http.get(f"{LAB}/recall?query=Who+comes+first").status_code == 200


def test_every_answer_has_a_number_the_callers_own_if_it_gave_one(http: TestClient) -> None:
    assert http.get("/healthz", headers={"X-Request-Id": "mine-1"}).headers["x-request-id"] == "mine-1"
    odd = http.get("/healthz", headers={"X-Request-Id": "no\tway"}).headers["x-request-id"]
    assert odd != "no\tway"
    assert len(odd) == 16


# remembering


def test_what_is_to_be_remembered_is_accepted_at_once_and_done_by_a_worker(http: TestClient, served: Treering) -> None:
    accepted = http.post(f"{LAB}/remember", json={"content": "I moved to Oslo", "speaker": "Sam"})
    assert accepted.status_code == 202
    assert http.get(accepted.headers["location"]).json()["status"] == "pending"
    served.worker().work_off()
    assert http.get(accepted.headers["location"]).json()["status"] == "completed"
    assert served.recall("Oslo").hits


def test_or_at_once_if_the_caller_will_wait(http: TestClient, served: Treering) -> None:
    done = http.post(f"{LAB}/remember?sync=true", json={"content": "I moved to Oslo", "speaker": "Sam"})
    assert done.status_code == 200
    assert done.json()["memories"]
    assert the_error(http.post(f"{LAB}/remember?sync=maybe", json={"content": "x"}))[0] == 400
    assert the_error(http.post(f"{LAB}/remember", json={"content": "x", "dry_run": True}))[0] == 400


def test_a_job_can_be_cancelled(http: TestClient, served: Treering) -> None:
    job = http.post(f"{LAB}/remember", json={"content": "I moved to Oslo"}).json()
    assert http.post(f"{LAB}/cancel_job", json={"id": job["id"]}).json()["status"] == "cancelled"
    served.worker().work_off()
    assert served.spaces() == []


# files


def test_a_file_travels_as_a_form_or_as_the_body(http: TestClient, served: Treering) -> None:
    form = http.post(f"{LAB}/add_file", files={"file": ("notes.md", b"# Tea\n\nAda likes tea.")}, data={"tags": "t"})
    assert form.status_code == 201
    private = {"visibility": "private", "visible_to": ["kim", "bo"]}
    sent = {"file": ("own.md", b"Ada hides the rum.")}
    own = http.post(f"{LAB}/add_file", files=sent, data=private).json()["memories"][0]["id"]
    assert served.get(own, principal="bo").visible_to == ("kim", "bo")
    body = http.post(f"{LAB}/add_file?name=more.txt", content=b"Bo likes rum.")
    assert body.status_code == 201
    assert {one.content for one in served.list()} == {"# Tea\n\nAda likes tea.", "Bo likes rum.", "Ada hides the rum."}
    assert the_error(http.post(f"{LAB}/add_file", content=b"x"))[0] == 400
    assert the_error(http.post(f"{LAB}/add_file", files={"other": ("a.md", b"x")}))[0] == 400
    assert the_error(http.post(f"{LAB}/add_file?name=a.md", content=b""))[0] == 400


def test_a_path_on_the_servers_machine_is_never_read(http: TestClient) -> None:
    assert the_error(http.post(f"{LAB}/add_file", json={"file": "/etc/passwd"}))[0] == 400
    assert http.post(f"{LAB}/backup", json={"path": "/tmp/x.db"}).status_code == 404
    assert the_error(http.post("/v1/backup", json={"path": "/tmp/x.db"}))[0] == 400


def test_a_journal_goes_out_and_comes_in_whole(http: TestClient, served: Treering) -> None:
    served.add("Ada sings")
    journal = http.get(f"{LAB}/export")
    assert journal.headers["content-type"].startswith("application/x-ndjson")
    assert len(journal.text.splitlines()) == 1
    assert http.post("/v1/import_journal", content=journal.content).json() == {
        "spaces": ["lab"],
        "added": 0,
        "skipped": 1,
    }
    taken = http.post("/v1/import_journal?space=copy", content=journal.content)
    assert taken.json()["added"] == 1
    assert [one.content for one in served.list(space="copy")] == ["Ada sings"]
    assert the_error(http.post("/v1/import_journal", content=b"nonsense"))[0] in (400, 500)


def test_what_is_known_goes_out_in_other_forms(http: TestClient, served: Treering) -> None:
    served.add("Ada sings")
    told = {form: http.get(f"{LAB}/export?format={form}") for form in ("jsonl", "graphml", "cypher")}
    assert all(answer.status_code == 200 and "Ada sings" in answer.text for answer in told.values())
    assert told["graphml"].headers["content-disposition"] == 'attachment; filename="lab.graphml"'
    assert the_error(http.get(f"{LAB}/export?format=markdown"))[0] == 400


# what is written down


def _links(operation: dict[str, Any]) -> list[dict[str, Any]]:
    return [link for answer in operation["responses"].values() for link in answer.get("links", {}).values()]


def test_the_description_names_every_route_and_every_reference_leads_somewhere(http: TestClient) -> None:
    told = http.get("/openapi.json").json()
    assert told == json.loads(json.dumps(document()))
    assert told["openapi"] == "3.1.0"
    assert {one.path for one in listed()} <= set(told["paths"])
    ids = [one["operationId"] for ways in told["paths"].values() for one in ways.values()]
    assert len(ids) == len(set(ids))
    text = json.dumps(told)
    for kind, names in told["components"].items():
        for name in names:
            text = text.replace(f'"#/components/{kind}/{name}"', '""')
    assert "#/" not in text.replace('"$response.body#/', "")
    links = [link for ways in told["paths"].values() for one in ways.values() for link in _links(one)]
    assert {link["operationId"] for link in links} <= set(ids)
    assert links


def test_what_is_served_beside_the_operations_is_described_too(http: TestClient) -> None:
    told = http.get("/openapi.json").json()["paths"]
    assert {"/v1/import_journal", "/v1/export", "/metrics", "/mcp", "/healthz", "/readyz"} <= set(told)
    assert told["/v1/import_journal"]["post"]["requestBody"]["content"].keys() == {"application/x-ndjson"}


def test_every_operation_is_described_with_an_example_that_it_understands() -> None:
    assert EXAMPLES.keys() == {one.operation.name for one in listed()}
    for name, example in EXAMPLES.items():
        OPERATIONS[name].check(example)
    for path, ways in document()["paths"].items():
        body = ways.get("post", {}).get("requestBody", {}).get("content", {}).get("application/json")
        of_others = path.startswith(("/api/v1/", "/v1/memory/"))  # their own pages have examples
        assert body is None or "examples" in body or path == "/mcp" or of_others, path


def test_an_error_names_the_parameter_and_what_there_is_nothing_of(http: TestClient) -> None:
    def details(answer: Any) -> dict[str, str]:
        told: dict[str, str] = answer.json()["error"]["details"]
        return told

    assert details(http.post(f"{LAB}/recall", json={"query": "x", "limit": 0})) == {"parameter": "limit"}
    assert details(http.post(f"{LAB}/add_many", json={"items": [{"content": ""}]})) == {"parameter": "items"}
    assert details(http.post(f"{LAB}/timeline", json={"node": "Nobody"})) == {"parameter": "node", "id": "Nobody"}
    assert details(http.get(f"{LAB}/memories/nowhere")) == {"parameter": "id", "id": "nowhere"}
    assert details(http.get(f"{LAB}/job", params={"id": "none"})) == {"parameter": "id", "id": "none"}
    assert details(http.get("/v1/nothing/here")) == {}
    assert details(http.post(f"{LAB}/recall", content=b"{")) == {}


def test_the_page_for_people_fetches_nothing_from_elsewhere(http: TestClient) -> None:
    page = http.get("/docs").text
    assert "/v1/spaces/{space}/recall" in page
    assert "http://" not in page
    assert "https://" not in page.replace("https://example", "")


def test_the_counts_tell_of_routes_and_never_of_spaces(http: TestClient) -> None:
    http.get(f"{LAB}/list")
    told = http.get("/metrics").text
    assert 'route="/v1/spaces/{space}/list",status="200"} 1.0' in told
    assert "lab" not in told
    assert http.get("/readyz").json()["status"] == "ok"


def test_questions_leave_a_thread_to_who_asks_for_something_else(
    served: Treering, monkeypatch: pytest.MonkeyPatch
) -> None:
    at_work, most, go_on = set[int](), [0], threading.Event()

    def slow(door: Treering, query: str, **_: Any) -> list[str]:
        at_work.add(threading.get_ident())
        most[0] = max(most[0], len(at_work))
        go_on.wait(10)
        at_work.discard(threading.get_ident())
        return [query]

    async def asked() -> list[Any]:
        native, caller = Native(served, threads=4, questions=2), Caller("local")
        asking = [asyncio.create_task(native.call(caller, "recall", {"query": str(one)})) for one in range(6)]
        while len(at_work) < 2:
            await asyncio.sleep(0.01)
        await asyncio.wait_for(native.call(caller, "status", {}), 10)
        go_on.set()
        return await asyncio.gather(*asking)

    monkeypatch.setattr(OPERATIONS["recall"], "method", slow)
    monkeypatch.setattr(Treering, "recall", slow)
    assert sorted(one for answer in asyncio.run(asked()) for one in answer) == [str(one) for one in range(6)]
    assert most == [2]
