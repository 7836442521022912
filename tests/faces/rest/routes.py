"""The routes of another system as its client calls them."""

from __future__ import annotations

from typing import Any

from starlette.testclient import TestClient

BASE = "/api/v1"
NEVER = "550e8400-e29b-41d4-a716-446655440000"
"""An id that nothing has."""


class Routes:
    """`ok` holds an answer to be good."""

    def __init__(self, http: TestClient, **headers: str) -> None:
        self.http = http
        self.headers = headers

    def __call__(self, method: str, path: str, body: Any = None, **query: Any) -> Any:
        return self.http.request(method, BASE + path, json=body, params=query or None, headers=self.headers)

    def ok(self, method: str, path: str, body: Any = None, status: int = 200, **query: Any) -> Any:
        answer = self(method, path, body, **query)
        assert answer.status_code == status, answer.text
        return answer.json() if answer.content else None
