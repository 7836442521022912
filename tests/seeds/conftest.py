"""What the four systems' documents promise is tried through the faces they speak of: their tools by a real MCP client,
their routes by HTTP, on a store of its own with a clock moved by hand."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient
from tests.conftest import HandClock
from tests.faces.command import Here
from tests.faces.mcp.agents import agent

from treering.door import Treering
from treering.faces.rest.app import application
from treering.faces.rest.policy import ServerPolicy
from treering.store import open_store

HERE = "http://127.0.0.1:8321"
NEVER = "550e8400-e29b-41d4-a716-446655440000"


class Tools:
    """A system's tools, called by a client of the Model Context Protocol: `tools("save_memory", content="…")`."""

    def __init__(self, door: Treering, dialect: str) -> None:
        self.door, self.dialect = door, dialect

    def __call__(self, name: str, **arguments: Any) -> dict[str, Any]:
        answer = self.asked(name, **arguments)
        assert not answer.is_error, answer.content
        told: dict[str, Any] = answer.structured_content
        return told

    def asked(self, name: str, **arguments: Any) -> Any:
        return agent(self.door, self.dialect, lambda client: client.call_tool(name, arguments))

    def names(self) -> list[str]:
        listed = agent(self.door, self.dialect, lambda client: client.list_tools())
        return [one.name for one in listed.tools]


class Http:
    """A system's routes below its prefix: `http.ok("POST", "/search", {"query": "…"})`."""

    def __init__(self, client: TestClient, prefix: str) -> None:
        self.client, self.prefix = client, prefix

    def __call__(self, method: str, path: str, body: Any = None, **query: Any) -> Any:
        return self.client.request(method, self.prefix + path, json=body, params=query or None)

    def ok(self, method: str, path: str, body: Any = None, status: int = 200, **query: Any) -> Any:
        answer = self(method, path, body, **query)
        assert answer.status_code == status, answer.text
        return answer.json() if answer.content else None


@pytest.fixture
def door(tmp_path: Path, clock: HandClock) -> Iterator[Treering]:
    store = open_store(str(tmp_path / "seeds.db"), "normal")
    vault = tmp_path / "vault"
    vault.mkdir()
    yield Treering(store, clock=clock, actor="local", vault=vault)
    store.close()


@pytest.fixture
def cli(tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Here:
    return Here(tmp_path / "cli.db", capsys, monkeypatch)


@pytest.fixture
def served(door: Treering) -> Iterator[Callable[[str, str], Http]]:
    """Serves the routes of a system: `served("crosmos", "/api/v1")`."""
    entered: list[TestClient] = []

    def make(dialect: str, prefix: str) -> Http:
        policy = ServerPolicy(dialect=dialect) if dialect in ("ai-memory", "crosmos") else ServerPolicy()
        client = TestClient(application(door, policy), base_url=HERE, raise_server_exceptions=False)
        entered.append(client.__enter__())
        return Http(client, prefix)

    yield make
    for client in entered:
        client.__exit__(None, None, None)
