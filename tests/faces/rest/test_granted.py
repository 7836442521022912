"""How much and how often: quotas of spaces and of keys, through every way in."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from mcp import Client as Agent
from starlette.testclient import TestClient
from tests.conftest import HandClock
from tests.faces.mcp.agents import agent, text
from tests.faces.rest.conftest import Serving
from tests.faces.rest.test_access import LAB, bearing
from tests.faces.rest.test_native import the_error

import treering
from treering.access.allowance import Allowance
from treering.access.keys import ApiKey
from treering.door import Treering
from treering.faces.cli.app import run


@pytest.fixture
def full(served: Treering) -> Treering:
    """A space that holds all it may."""
    served.settings({"quota": {"memories": 1}})
    served.add("Ada lives in Oslo")
    return served


def test_over_http_a_full_space_answers_507_in_the_one_shape(http: TestClient, full: Treering) -> None:
    for path in ("add", "remember", "memories"):
        status, code, message = the_error(http.post(f"{LAB}/{path}", json={"content": "Bo came"}))
        assert (status, code) == (507, "quota_exceeded")
        assert "may hold 1 memories" in message
    assert http.get(f"{LAB}/recall", params={"query": "Where does Ada live?"}).status_code == 200
    assert len(full.list().memories) == 1


def test_other_systems_routes_answer_it_in_their_shape(http: TestClient, full: Treering) -> None:
    told = http.post("/v1/memory/collections/lab/memories", json={"text": "Bo came"})
    assert told.status_code == 507
    assert "may hold 1 memories" in told.json()["detail"]
    told = http.post("/api/v1/memories", json={"namespace": "lab", "title": "Bo", "content": "Bo came"})
    assert told.status_code == 507


def test_agents_are_told_in_words(full: Treering) -> None:
    async def ask(client: Agent) -> Any:
        return await client.call_tool("remember", {"content": "Bo came.", "space": "lab"})

    result = agent(full, "core", ask)
    assert result.is_error
    assert text(result).startswith("quota_exceeded: the space 'lab' may hold 1 memories")


def test_only_an_admin_grants_more(serving: Serving, full: Treering) -> None:
    writer = full.key_create("ann", spaces=["lab"], role="write").secret
    asked = serving().post(f"{LAB}/settings", json={"changes": {"quota": {"memories": 9}}}, headers=bearing(writer))
    assert the_error(asked)[0] == 403


# keys


def test_a_key_may_call_as_often_a_minute_as_it_was_made_for(serving: Serving, served: Treering) -> None:
    slow = served.key_create("slow", spaces=["*"], requests_a_minute=2).secret
    quick = served.key_create("quick", spaces=["*"]).secret
    http = serving(requests_a_minute=5)
    told = [http.get(f"{LAB}/status", headers=bearing(slow)) for _ in range(3)]
    assert [one.status_code for one in told] == [200, 200, 429]
    assert the_error(told[2])[:2] == (429, "too_many_requests")
    assert told[0].headers["ratelimit-limit"] == "2"
    assert 1 <= int(told[2].headers["retry-after"]) <= 31
    assert http.get(f"{LAB}/status", headers=bearing(quick)).headers["ratelimit-limit"] == "5"


def test_a_key_may_call_as_often_a_day_as_it_was_made_for(serving: Serving, served: Treering, clock: HandClock) -> None:
    secret = served.key_create("ann", spaces=["*"], requests_a_day=3).secret
    clock.advance(hours=(20 - clock.now.hour) % 24)
    assert [serving().get(f"{LAB}/status", headers=bearing(secret)).status_code for _ in range(2)] == [200, 200]
    later = serving()  # a server that was started anew
    assert later.get(f"{LAB}/status", headers=bearing(secret)).status_code == 200
    refused = later.get(f"{LAB}/status", headers=bearing(secret))
    assert the_error(refused)[:2] == (429, "too_many_requests")
    midnight = (clock.now + timedelta(days=1)).replace(hour=0, minute=0, second=0, microsecond=0)
    assert abs(int(refused.headers["retry-after"]) - (midnight - clock.now).total_seconds()) <= 1
    clock.advance(seconds=int(refused.headers["retry-after"]))
    assert later.get(f"{LAB}/status", headers=bearing(secret)).status_code == 200


def test_agents_over_http_are_counted_alike(serving: Serving, served: Treering) -> None:
    secret = served.key_create("ann", spaces=["*"], requests_a_day=1).secret
    http = serving()
    http.get(f"{LAB}/status", headers=bearing(secret))
    assert http.post("/mcp", json={}, headers=bearing(secret)).status_code == 429


def test_servers_of_one_store_count_a_day_together_and_never_give_more(served: Treering, clock: HandClock) -> None:
    key = served.key_create("ann", spaces=["*"], requests_a_day=1_005).key
    servers = [served.allowance(), served.allowance(), served.allowance()]
    taken = sum(one.take(key) == 0 for _ in range(500) for one in servers)
    assert taken == 1_005
    assert all(one.take(key) > 0 for one in servers)


def test_not_every_request_writes(served: Treering, monkeypatch: pytest.MonkeyPatch) -> None:
    key = served.key_create("ann", spaces=["*"], requests_a_day=10_000).key
    allowance, writes = served.allowance(), list[str]()
    put = served._store.drawer.put

    def counted(kind: str, *given: Any, **more: Any) -> Any:
        writes.append(kind)
        return put(kind, *given, **more)

    monkeypatch.setattr(type(served._store.drawer), "put", lambda self, *given, **more: counted(*given, **more))
    assert {allowance.take(key) for _ in range(250)} == {0.0}
    assert len(writes) == 3


def test_a_key_without_a_bound_is_not_counted(served: Treering, clock: HandClock) -> None:
    key = served.key_create("ann", spaces=["*"]).key
    assert Allowance(served._store.drawer, lambda: clock.now).take(key) == 0
    assert served._store.drawer.listed("requests") == []


def test_keys_that_were_made_before_there_were_bounds_have_none(served: Treering) -> None:
    paper = {"name": "old", "role": "read", "spaces": ["*"], "created_at": "2026-01-01T00:00:00Z", "revoked_at": None}
    served._store.drawer.put("key", "0" * 12, {**paper, "hash": "x"}, version=0)
    [old] = served.key_list()
    assert isinstance(old, ApiKey)
    assert (old.requests_a_minute, old.requests_a_day) == (None, None)


def test_the_command_line_makes_keys_with_bounds(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    store = tmp_path / "work.db"
    words = [
        "keys",
        "create",
        "--name",
        "ann",
        "--space",
        "lab",
        "--requests-a-minute",
        "60",
        "--requests-a-day",
        "1000",
    ]
    with pytest.raises(SystemExit) as ended:
        run(["--url", str(store), *words])
    assert ended.value.code == 0
    with treering.open(store) as mem:
        [key] = mem.key_list()
    assert (key.requests_a_minute, key.requests_a_day) == (60, 1000)
