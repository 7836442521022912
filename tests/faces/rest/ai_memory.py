"""A client of ai-memory over HTTP, for the tests beside."""

from __future__ import annotations

from typing import Any

import pytest
from starlette.testclient import TestClient

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


# across namespaces


def elsewhere(call: Calls, title: str, **more: Any) -> str:
    return call.stored(title, namespace="team/other", **more)


def ends_of(links: list[dict[str, Any]]) -> list[tuple[str, str, str]]:
    return [(one["source_id"], one["relation"], one["target_id"]) for one in links]
