"""A vault behind the server: its notes for who may see the whole store, and no other folder for anybody."""

from __future__ import annotations

from pathlib import Path

import pytest
from starlette.testclient import TestClient
from tests.exchange.vaults import put
from tests.faces.rest.conftest import Serving
from tests.faces.rest.test_access import LAB, bearing
from tests.faces.rest.test_native import the_error

from treering.door import Treering
from treering.faces.rest.describe import document


@pytest.fixture
def with_notes(served: Treering, tmp_path: Path) -> Treering:
    put(tmp_path / "vault", "Garden.md", "Squirrels eat nuts.")
    served._vault = str(tmp_path / "vault")
    served.add("Squirrels are here")
    return served


def kinds(http: TestClient, secret: str) -> list[str]:
    asked = http.post(f"{LAB}/search_unified", json={"query": "squirrels"}, headers=bearing(secret))
    return sorted(one["kind"] for one in asked.json()["results"])


def test_notes_are_for_keys_that_open_every_space(serving: Serving, with_notes: Treering) -> None:
    http = serving()
    whole = with_notes.key_create("ann", spaces=["*"], role="admin").secret
    part = with_notes.key_create("bob", spaces=["lab"], role="admin").secret
    assert kinds(http, whole) == ["memory", "note"]
    assert kinds(http, part) == ["memory"]
    assert http.post(f"{LAB}/index_vault", json={}, headers=bearing(whole)).json()["notes"] == 1
    assert the_error(http.post(f"{LAB}/index_vault", json={}, headers=bearing(part)))[0] == 400


@pytest.mark.parametrize("operation", ["search_unified", "index_vault", "promote"])
def test_no_caller_names_a_folder_of_the_server(http: TestClient, with_notes: Treering, operation: str) -> None:
    refused = http.post(f"{LAB}/{operation}", json={"vault": "/etc"})
    assert the_error(refused)[0] == 403
    assert "'vault'" not in str(document()["paths"][f"/v1/spaces/{{space}}/{operation}"]["post"]["requestBody"])


def test_a_vault_is_not_taken_in_over_http(http: TestClient) -> None:
    assert http.post(f"{LAB}/import_vault", json={}).status_code == 404


def test_advice_takes_a_key_and_no_space(serving: Serving, served: Treering) -> None:
    http, part = serving(), served.key_create("bob", spaces=["lab"], role="read").secret
    asked = http.post("/v1/analyze_message", json={"text": "Remember: I prefer tea"}, headers=bearing(part))
    assert asked.json()["decision"] == "save"
    assert the_error(http.post("/v1/analyze_message", json={"text": "x"}))[0] == 401
