"""ai-memory over HTTP: what is wrong is refused in its shape, and a tenant sees nothing of another."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from tests.faces.rest.ai_memory import Calls, call
from tests.faces.rest.conftest import Serving
from tests.faces.rest.routes import NEVER
from tests.faces.rest.test_access import bearing

from treering.door import Treering
from treering.faces.dialects import DIALECTS

__all__ = ["call"]


WRONG: list[tuple[str, str, Any, int]] = [
    ("POST", "/memories", {"title": "t"}, 400),
    ("POST", "/memories", {"title": "t", "content": "c" * 65_537}, 413),
    ("POST", "/memories", {"title": "t", "content": "c", "tier": "forever"}, 400),
    ("POST", "/memories", {"title": "t", "content": "c", "priority": 11}, 400),
    ("GET", "/memories?limit=1001", None, 400),
    ("GET", "/memories?limit=0", None, 400),
    ("GET", f"/memories/{NEVER}", None, 404),
    ("DELETE", f"/memories/{NEVER}", None, 404),
    ("POST", f"/memories/{NEVER}/forget", None, 404),
    ("POST", f"/memories/{NEVER}/promote", None, 404),
    ("POST", "/forget", {"ids": [NEVER]}, 404),
    ("GET", "/recall", None, 400),
    ("GET", "/search?q=x&limit=1001", None, 400),
    ("POST", "/links", {"source_id": NEVER, "target_id": NEVER}, 404),
    ("POST", "/links", {"source_id": NEVER, "target_id": NEVER, "relation": "causes"}, 400),
    ("GET", f"/links/{NEVER}", None, 404),
    ("POST", "/kg/query", {}, 400),
    ("POST", "/kg/query", {"start_id": NEVER}, 404),
    ("POST", "/kg/query", {"start_id": NEVER, "depth": 9}, 400),
    ("GET", "/kg/timeline", None, 400),
    ("POST", "/kg/invalidate", {"source_id": NEVER, "target_id": NEVER}, 400),
    ("POST", "/entities", {}, 400),
    ("GET", "/entities/by_alias", None, 400),
    ("POST", "/check_duplicate", {"content": "c", "threshold": 1.1}, 400),
    ("POST", "/archive", {"ids": []}, 400),
    ("GET", "/archive?limit=1001", None, 400),
    ("GET", "/taxonomy?depth=9", None, 400),
    ("POST", "/session/start", {"limit": 51}, 400),
]


@pytest.mark.parametrize(("method", "path", "body", "status"), WRONG, ids=lambda one: str(one)[:40])
def test_what_is_wrong_is_refused_in_that_systems_shape(
    call: Calls, method: str, path: str, body: Any, status: int
) -> None:
    answer = call(method, path, body)
    assert answer.status_code == status, answer.text
    assert set(answer.json()) == {"error", "code"}


# two tenants


def test_a_tenant_sees_and_changes_nothing_of_another(serving: Serving, served: Treering) -> None:
    http = serving()
    scribe = served.key_create("ann", spaces=["acme/*"], role="write", reports_for_others=True)
    ours = Calls(http, **bearing(scribe.secret))
    theirs = Calls(http, **bearing(served.key_create("bob", spaces=["globex/*"], role="admin").secret))
    one, other = ours.stored("Secret", "The code", namespace="acme/x"), ours.stored("B", namespace="acme/x")
    ours.ok("POST", "/links", {"source_id": one, "target_id": other}, 201)
    mine = theirs.stored("Mine", namespace="globex/x")
    planner = Calls(http, **ours.headers, **{"X-Agent-Id": "planner"})
    said = planner.ok("GET", f"/memories/{planner.stored('Of the planner', namespace='acme/x')}")["memory"]
    assert said["metadata"]["agent_id"] == "planner"
    assert served.history(said["id"], space="acme/x").events[0].actor == "ann"
    ours.ok("POST", "/archive", {"ids": [other]})
    by_id: list[tuple[str, str, Any]] = [
        ("GET", "/memories/{}", None),
        ("PUT", "/memories/{}", {"content": "x"}),
        ("DELETE", "/memories/{}", None),
        ("POST", "/memories/{}/promote", None),
        ("POST", "/memories/{}/forget", None),
        ("GET", "/links/{}", None),
        ("POST", "/archive/{}/restore", None),
        ("DELETE", "/archive/{}", None),
    ]
    for method, path, body in by_id:
        told = [theirs(method, path.format(which), body) for which in (one, NEVER)]
        assert {answer.status_code for answer in told} == {404}
        assert told[0].text.replace(one, NEVER) == told[1].text
    assert theirs("POST", "/links", {"source_id": mine, "target_id": one}).status_code == 404
    assert theirs("GET", "/memories", namespace="acme/x").status_code == 403
    everywhere: list[Callable[[], Any]] = [
        lambda: theirs.ok("GET", "/memories"),
        lambda: theirs.ok("GET", "/recall", context="the code"),
        lambda: theirs.ok("GET", "/namespaces"),
        lambda: theirs.ok("GET", "/taxonomy"),
        lambda: theirs.ok("GET", "/stats"),
        lambda: theirs.ok("GET", "/archive"),
        lambda: theirs.ok("GET", "/archive/stats"),
        lambda: theirs.ok("GET", "/export"),
        lambda: theirs.ok("GET", "/contradictions", topic="code"),
        lambda: theirs.ok("POST", "/check_duplicate", {"content": "The code", "namespace": "globex/x"}),
        lambda: theirs.ok("POST", "/archive", {"ids": [one]}) | {"missing": []},
    ]
    for ask in everywhere:
        said = str(ask())
        assert not any(word in said for word in (one, other, "acme", "Secret"))
    assert theirs.ok("GET", "/taxonomy")["subtree_count"] == theirs.ok("GET", "/stats")["total"] == 1
    assert ours.ok("GET", f"/memories/{one}")["memory"]["content"] == "The code"
    reader = Calls(http, **bearing(served.key_create("eve", spaces=["acme/*"], role="read").secret))
    assert reader.ok("GET", f"/memories/{one}")["memory"]["access_count"] == 1
    assert reader("POST", "/gc").status_code == reader("PUT", f"/memories/{one}", {"content": "x"}).status_code == 403


def test_every_route_is_tried_here() -> None:
    """A route added without a test would be missed: the files of this dialect name each path."""
    written = "".join(one.read_text("utf-8") for one in Path(__file__).parent.glob("test_ai_memory*.py"))
    for route in DIALECTS["ai-memory"].routes:
        assert route.path.split("/{")[0] in written
