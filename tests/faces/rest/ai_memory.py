"""A client of ai-memory over HTTP, for the tests beside."""

from __future__ import annotations

from typing import Any

import pytest
from starlette.testclient import TestClient
from tests.faces.rest.routes import Routes

NS = "Team:A/work-1"


class Calls(Routes):
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
