"""Who comes in, and how far: keys, roles, spaces, names of hosts, and how much and how often."""

from __future__ import annotations

import time

import pytest
from starlette.testclient import TestClient
from tests.conftest import HandClock
from tests.faces.rest.conftest import HERE, Serving
from tests.faces.rest.test_native import the_error

from treering.door import OPERATIONS, Treering
from treering.errors import Forbidden, InvalidRequest, NotFound
from treering.faces.rest.native import listed
from treering.faces.rest.policy import ServerPolicy
from treering.faces.rest.rights import ADMIN, needs
from treering.faces.rest.serve import must_be_safe

LAB = "/v1/spaces/lab"


def bearing(secret: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {secret}"}


# without keys


@pytest.mark.parametrize("host", ["127.0.0.1:8321", "localhost", "LOCALHOST:1", "[::1]:8321"])
def test_without_keys_this_machine_may_call(http: TestClient, host: str) -> None:
    assert http.get(f"{LAB}/status", headers={"Host": host}).status_code == 200


@pytest.mark.parametrize(
    "host",
    ["evil.example", "127.0.0.1.evil.example", "", "[", "10.0.0.7", "evil@127.0.0.1", "127.0.0.1:1.evil.example"],
)
def test_without_keys_nobody_may_call_by_another_name(http: TestClient, host: str) -> None:
    assert the_error(http.get(f"{LAB}/status", headers={"Host": host}))[:2] == (403, "forbidden")


def test_a_page_of_somebody_elses_may_not_call(http: TestClient) -> None:
    assert http.get(f"{LAB}/status", headers={"Origin": HERE}).status_code == 200
    foreign = ("https://evil.example", "null", "http://localhost:3000", f"{HERE}.evil.example", "http://127.0.0.1", "[")
    for origin in foreign:
        assert the_error(http.get(f"{LAB}/status", headers={"Origin": origin}))[0] == 403
        posted = {"content": b"planted", "params": {"name": "a.md"}, "headers": {"Origin": origin}}
        assert the_error(http.post(f"{LAB}/add_file", **posted))[0] == 403


@pytest.mark.parametrize("site", ["cross-site", "same-site", "elsewhere"])
def test_nor_have_a_browser_fetch_something_without_saying_from_where(http: TestClient, site: str) -> None:
    """Pictures, scripts and links of a page come without an origin."""
    for path in ("/v1/whoami", f"{LAB}/status", "/v1/timings?reset=true", "/api/v1/memories"):
        assert http.get(path, headers={"Sec-Fetch-Site": site}).status_code == 403
    for ours in ("same-origin", "none"):
        assert http.get("/v1/whoami", headers={"Sec-Fetch-Site": ours}).status_code == 200


def test_no_answer_is_a_picture_or_a_script_of_another_page(http: TestClient) -> None:
    for path in ("/v1/whoami", "/healthz", "/nowhere", "/", "/openapi.json"):
        told = http.get(path).headers
        assert told["cross-origin-resource-policy"] == "same-origin"
        assert told.get_list("x-content-type-options") == ["nosniff"]


def test_another_name_of_this_machine_can_be_allowed(serving: Serving) -> None:
    assert serving(hosts=("box.local",)).get(f"{LAB}/status", headers={"Host": "box.local:8321"}).status_code == 200


def test_without_keys_a_caller_is_who_it_says_it_is(http: TestClient, served: Treering) -> None:
    http.post(f"{LAB}/add", json={"content": "Mine", "visibility": "private"}, headers={"X-Agent-Id": "agent:a"})
    assert http.get(f"{LAB}/list", headers={"X-Agent-Id": "agent:b"}).json()["memories"] == []
    [mine] = http.get(f"{LAB}/list", headers={"X-Agent-Id": "agent:a"}).json()["memories"]
    assert mine["observed_by"] == "agent:a"
    assert the_error(http.get(f"{LAB}/list", headers={"X-Agent-Id": "x" * 300}))[0] == 413


def test_elsewhere_it_listens_only_with_keys(served: Treering) -> None:
    must_be_safe(served, ServerPolicy())
    with pytest.raises(Forbidden, match="make a key first with `treering keys create --name NAME --space SPACE`"):
        must_be_safe(served, ServerPolicy(host="0.0.0.0"))
    served.key_create("ann", spaces=["*"])
    must_be_safe(served, ServerPolicy(host="0.0.0.0"))


# keys


def test_a_key_is_shown_once_and_kept_as_a_hash(served: Treering) -> None:
    issued = served.key_create("ann", spaces=["lab"], role="write")
    secret = issued.secret.split("_", 2)[2]
    kept = [paper.value for paper in served._store.drawer.listed("key")]
    assert secret not in str(kept)
    assert secret not in str(served.key_list())
    assert [one.name for one in served.key_list()] == ["ann"]


def test_once_there_is_a_key_nobody_comes_in_without_one(serving: Serving, served: Treering) -> None:
    issued = served.key_create("ann", spaces=["*"], role="read")
    http = serving()
    for headers in ({}, bearing("tr_wrong"), bearing(issued.secret[:-1] + "!"), {"Authorization": "Basic eDp5"}):
        answer = http.get(f"{LAB}/status", headers=headers)
        assert the_error(answer)[:2] == (401, "unauthorized")
        assert answer.headers["www-authenticate"].startswith("Bearer")
    assert http.get(f"{LAB}/status", headers=bearing(issued.secret)).status_code == 200
    assert http.get("/healthz").status_code == 200
    assert http.get("/metrics").status_code == 401
    assert http.get(f"{LAB}/status", headers={**bearing(issued.secret), "Host": "any.example"}).status_code == 200


def test_a_revoked_key_opens_nothing_and_the_door_stays_locked(serving: Serving, served: Treering) -> None:
    issued = served.key_create("ann", spaces=["*"])
    served.key_revoke(issued.key.id)
    assert served.key_revoke(issued.key.id).revoked_at == served.key_list()[0].revoked_at
    assert the_error(serving().get(f"{LAB}/status", headers=bearing(issued.secret)))[0] == 401
    assert the_error(serving().get(f"{LAB}/status"))[0] == 401
    with pytest.raises(NotFound, match="keys list"):
        served.key_revoke("nobody")


def test_a_key_does_what_its_role_may(serving: Serving, served: Treering) -> None:
    keys = {role: served.key_create(role, spaces=["*"], role=role).secret for role in ("read", "write", "admin")}
    http = serving()
    memory = http.post(f"{LAB}/add", json={"content": "x"}, headers=bearing(keys["write"])).json()["memories"][0]["id"]
    purge = {"id": memory, "why": "wrong", "dry_run": True}
    asked = {
        "read": ("list", {}),
        "write": ("add", {"content": "y"}),
        "admin": ("purge", purge),
    }
    for place, (needed, (name, body)) in enumerate(asked.items()):
        for have, role in enumerate(keys):
            answer = http.post(f"{LAB}/{name}", json=body, headers=bearing(keys[role]))
            assert answer.status_code == (200 if have >= place else 403), (needed, role)


def test_what_takes_an_admin_is_written_down_for_every_operation() -> None:
    assert set(OPERATIONS) >= ADMIN
    wants = {one.operation.name: needs(one.operation) for one in listed()}
    assert {name for name, role in wants.items() if role == "admin"} >= {
        "purge",
        "key_create",
        "settings",
        "webhook_add",
    }
    assert wants["recall"] == "read"
    assert wants["remember"] == "write"


@pytest.mark.parametrize(
    ("pattern", "opens", "closed"),
    [
        ("acme", ["acme"], ["acme/research", "acme2", "lab"]),
        ("acme/*", ["acme", "acme/research", "acme/research/papers"], ["acme2", "acm", "lab"]),
        ("*", ["acme", "lab/x"], []),
    ],
)
def test_a_key_opens_its_spaces(
    serving: Serving, served: Treering, pattern: str, opens: list[str], closed: list[str]
) -> None:
    for space in (*opens, *closed):
        served.add("x", space=space)
    secret = served.key_create("ann", spaces=[pattern]).secret
    http = serving()
    for space in opens:
        assert http.get(f"/v1/spaces/{space}/list", headers=bearing(secret)).status_code == 200
    for space in closed:
        assert the_error(http.get(f"/v1/spaces/{space}/list", headers=bearing(secret)))[:2] == (403, "forbidden")
    assert {one["name"] for one in http.get("/v1/spaces", headers=bearing(secret)).json()} == set(opens)


def test_a_key_of_one_space_does_not_read_those_below(serving: Serving, served: Treering) -> None:
    served.add("Above", space="acme")
    served.add("Below", space="acme/research")
    http, only = serving(), served.key_create("ann", spaces=["acme"]).secret
    for wish in ("true", "1", "yes", "on", "t"):
        assert http.get(f"/v1/spaces/acme/list?children={wish}", headers=bearing(only)).status_code == 403
    body = {"children": 1}
    assert http.post("/v1/spaces/acme/list", json=body, headers=bearing(only)).status_code == 403
    all_below = served.key_create("bo", spaces=["acme/*"]).secret
    found = http.get("/v1/spaces/acme/list?children=true", headers=bearing(all_below)).json()
    assert len(found["memories"]) == 2


def test_whether_a_closed_space_exists_is_not_told(serving: Serving, served: Treering) -> None:
    served.add("x", space="there")
    http, secret = serving(), served.key_create("ann", spaces=["lab"]).secret
    there, not_there = (http.get(f"/v1/spaces/{one}/list", headers=bearing(secret)).text for one in ("there", "where"))
    assert there.replace("there", "where") == not_there
    told = http.get(f"{LAB}/status", headers=bearing(secret)).json()
    assert told["spaces"] == 1
    assert set(told["store"]) == {"engine"}


def test_what_concerns_the_whole_store_takes_a_key_that_opens_all(serving: Serving, served: Treering) -> None:
    http, part = serving(), served.key_create("ann", spaces=["lab/*"], role="admin").secret
    for path in ("/v1/verify", "/v1/run_jobs", "/v1/audit_verify", "/v1/audit_search"):
        assert the_error(http.post(path, json={}, headers=bearing(part)))[0] == 403
    assert the_error(http.get("/v1/export", headers=bearing(part)))[0] == 403
    assert http.get(f"{LAB}/export", headers=bearing(part)).status_code == 200


def test_a_key_speaks_for_its_own_name_and_an_admin_for_any(serving: Serving, served: Treering) -> None:
    ann, bob = (served.key_create(name, spaces=["*"], role="write").secret for name in ("ann", "bob"))
    boss = served.key_create("boss", spaces=["*"], role="admin").secret
    http = serving()
    http.post(f"{LAB}/add", json={"content": "Ann's own", "visibility": "private"}, headers=bearing(ann))
    assert len(http.get(f"{LAB}/list", headers=bearing(ann)).json()["memories"]) == 1
    assert http.get(f"{LAB}/list", headers=bearing(bob)).json()["memories"] == []
    assert the_error(http.get(f"{LAB}/list?principal=ann", headers=bearing(bob)))[0] == 403
    assert len(http.get(f"{LAB}/list?principal=ann", headers=bearing(boss)).json()["memories"]) == 1


@pytest.mark.parametrize("pattern", ["", "Acme", "acme/**", "/acme", "*/x", "acme*"])
def test_a_pattern_that_is_none_is_refused(served: Treering, pattern: str) -> None:
    with pytest.raises(InvalidRequest, match=r"acme/\*"):
        served.key_create("ann", spaces=[pattern])


# two tenants


def test_every_route_with_another_tenants_ids_and_spaces_shows_nothing(
    serving: Serving, served: Treering, clock: HandClock
) -> None:
    """Every route of a space, asked with a key of another: refused alike, whatever is asked."""
    receipt = served.add("The combination is 8142", space="theirs", triples=[["Vault", "OPENS_WITH", "8142"]], key="k")
    edge = served.facts(space="theirs")[0].id
    http, secret = serving(), served.key_create("ann", spaces=["ours"], role="admin").secret
    ids = [receipt.id, receipt.source_ids[0], edge, "Vault"]
    for routed in listed():
        if not routed.of_space:
            continue
        for method in routed.methods:
            path = routed.path.replace("{space}", "theirs").replace("{id}", receipt.id)
            told = http.request(method, path, headers=bearing(secret))
            assert told.status_code == 403, (method, path)
            ours = routed.path.replace("{space}", "ours")
            for one in ids:
                required = [p.name for p in routed.operation.parameters if p.required]
                given = dict.fromkeys(required, one)
                body = {"json": given} if method == "POST" else {"params": given}
                answer = http.request(method, ours.replace("{id}", one), headers=bearing(secret), **body)  # type: ignore[arg-type]
                assert "combination" not in answer.text
                assert answer.status_code < 500


def test_how_long_a_refusal_takes_does_not_tell_what_is_there(serving: Serving, served: Treering) -> None:
    """What is somebody else's and what nobody has: asked in turns, the fastest of each take about as long."""
    theirs = [served.add(f"The combination is {number}", space="theirs").id for number in range(50)]
    served.add("x", space="ours")
    http, secret = serving(), served.key_create("ann", spaces=["ours"]).secret
    nothing = "00000000-0000-7000-8000-000000000000"
    pairs = {
        "their space": ("theirs/list", "nowhere/list"),
        "a question to it": ("theirs/recall?query=combination", "nowhere/recall?query=combination"),
        "their memory by id": (f"ours/get?id={theirs[7]}", f"ours/get?id={nothing}"),
    }
    for what, asked in pairs.items():
        spent: list[list[float]] = [[], []]
        for _ in range(40):
            for times, path in zip(spent, asked, strict=True):
                began = time.perf_counter()
                assert http.get(f"/v1/spaces/{path}", headers=bearing(secret)).status_code in (403, 404)
                times.append(time.perf_counter() - began)
        there, not_there = (sorted(times)[len(times) // 4] for times in spent)
        assert 0.5 < there / not_there < 2, what


# how much, how often


def test_a_body_too_large_is_refused_whether_it_says_its_size_or_not(serving: Serving, served: Treering) -> None:
    http = serving(body_bytes=1_000)
    assert the_error(http.post(f"{LAB}/add", json={"content": "x" * 2_000}))[:2] == (413, "limit_exceeded")
    pieces = (b"x" * 600 for _ in range(3))
    assert the_error(http.post(f"{LAB}/add", content=pieces))[:2] == (413, "limit_exceeded")
    assert served.spaces() == []


def test_who_calls_too_often_is_told_when_to_come_again(serving: Serving) -> None:
    http = serving(requests_a_minute=3)
    left = [http.get(f"{LAB}/status").headers["ratelimit-remaining"] for _ in range(3)]
    assert left == ["2", "1", "0"]
    refused = http.get(f"{LAB}/status")
    assert the_error(refused)[:2] == (429, "too_many_requests")
    assert 1 <= int(refused.headers["retry-after"]) <= 21
    assert http.get(f"{LAB}/status", headers={"X-Agent-Id": "other"}).status_code == 200
    assert http.get("/healthz").status_code == 200


def test_over_http_only_an_admin_adds_webhooks(serving: Serving, served: Treering) -> None:
    secret = served.key_create("ann", spaces=["*"], role="write").secret
    body = {"address": "https://example.org/hook"}
    assert serving().post("/v1/webhook_add", json=body, headers=bearing(secret)).status_code == 403


@pytest.mark.parametrize(
    "address", ["http://127.0.0.1:9/told", "http://localhost/told", "http://[::1]/", "http://10.0.0.8"]
)
def test_a_server_takes_no_webhook_that_it_would_not_call(serving: Serving, served: Treering, address: str) -> None:
    refused = serving().post("/v1/webhook_add", json={"address": address})
    assert the_error(refused)[:2] == (400, "invalid_request")
    assert "is not a public address; the server may be told to allow it" in refused.text
    assert served.webhook_list() == []
    assert serving(private_webhooks=True).post("/v1/webhook_add", json={"address": address}).status_code == 200
    assert serving().post("/v1/webhook_add", json={"address": "http://1.1.1.1/told"}).status_code == 200


def test_what_a_server_can_do_is_told_without_a_key_and_nothing_else_is(serving: Serving, served: Treering) -> None:
    """A browser has no key to send."""
    served.key_create("ann", spaces=["*"], role="read")
    http = serving()
    assert "/v1/spaces/{space}/recall" in http.get("/docs").text
    assert http.get("/openapi.json").json()["openapi"] == "3.1.0"
    for path in (f"{LAB}/status", "/metrics", "/v1/spaces", "/docs/", "/openapi.json/x"):
        assert http.get(path, follow_redirects=False).status_code == 401
