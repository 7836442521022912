"""Agents at the server: the tools at /mcp do what the bearer of the key may do, and no more."""

from __future__ import annotations

import json
from typing import Any

from starlette.testclient import TestClient
from tests.faces.rest.conftest import Serving
from tests.faces.rest.test_access import bearing

from treering.door import Treering

SPEAKS = {"Accept": "application/json, text/event-stream", "Content-Type": "application/json"}


class Agent:
    """Speaks the protocol by hand, a message at a time."""

    def __init__(self, http: TestClient, secret: str | None = None) -> None:
        self._http = http
        self._headers = {**SPEAKS, **(bearing(secret) if secret else {})}
        hello = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}}
        answer = self._send("initialize", hello)
        self._headers["Mcp-Session-Id"] = answer.headers["mcp-session-id"]
        self._http.post("/mcp", json={"jsonrpc": "2.0", "method": "notifications/initialized"}, headers=self._headers)

    def _send(self, method: str, params: dict[str, Any]) -> Any:
        body = {"jsonrpc": "2.0", "id": 1, "method": method, "params": params}
        return self._http.post("/mcp", json=body, headers=self._headers)

    def ask(self, method: str, **params: Any) -> dict[str, Any]:
        lines = [one for one in self._send(method, params).text.splitlines() if one.startswith("data: {")]
        result: dict[str, Any] = json.loads(lines[-1][6:])["result"]
        return result

    def call(self, name: str, **arguments: Any) -> dict[str, Any]:
        return self.ask("tools/call", name=name, arguments=arguments)


def test_an_agent_remembers_and_recalls_at_the_server(http: TestClient, served: Treering) -> None:
    agent = Agent(http)
    assert len(agent.ask("tools/list")["tools"]) == 8
    assert not agent.call("remember", content="I moved to Oslo", space="lab").get("isError")
    assert "Oslo" in str(agent.call("recall", query="Who moved to Oslo?", space="lab"))
    assert served.list(space="lab").memories


def test_an_agents_key_opens_what_it_opens(serving: Serving, served: Treering) -> None:
    served.add("The combination is lantern", space="theirs")
    reader = served.key_create("ann", spaces=["ours"], role="read").secret
    http = serving()
    assert http.post("/mcp", json={}, headers=SPEAKS).status_code == 401
    agent = Agent(http, reader)
    for asked in (
        agent.call("recall", query="What is the combination?", space="theirs"),
        agent.call("remember", content="I was here", space="ours"),
        agent.call("status", space="theirs"),
    ):
        assert asked["isError"]
        assert "lantern" not in str(asked)
    assert not agent.call("status", space="ours").get("isError")
    assert [one.name for one in served.spaces()] == ["theirs"]
