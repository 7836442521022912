"""Does the server keep to its own description? Every route, asked with whatever the description allows and forbids: no
fault, and no answer that is not described."""

from __future__ import annotations

import os
import re
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
import schemathesis
import schemathesis.specs.openapi.checks as described
from hypothesis import HealthCheck, Phase, given, settings
from jsonschema import Draft202012Validator
from schemathesis.checks import not_a_server_error
from starlette.testclient import TestClient
from tests.faces.calls import CALLS, filled

import treering
from treering.door import Treering
from treering.faces.rest.app import application
from treering.faces.rest.describe import _LEADS_TO
from treering.faces.rest.describe_beside import LINES
from treering.faces.rest.examples import EXAMPLES
from treering.faces.rest.policy import ServerPolicy
from treering.store import open_store

CHECKS = [
    not_a_server_error,
    described.status_code_conformance,
    described.content_type_conformance,
    described.response_schema_conformance,
]
FEW = settings(
    max_examples=1, deadline=None, database=None, phases=[Phase.generate], suppress_health_check=list(HealthCheck)
)
MANY = settings(FEW, max_examples=60)


@schemathesis.serializer(LINES)
def as_lines(_: Any, value: Any) -> bytes:
    return str(value).encode("utf-8", "replace")


@contextmanager
def described_by_itself(folder: Path, dialect: str = "ai-memory") -> Iterator[Any]:
    """A server's own description, with the server behind it; what it wrote holds together at the end."""
    store = open_store(str(folder / "asked.db"), "normal")
    door = Treering(store, actor="ann", space="lab")
    door.add("Ada works at Google", triples=[["Ada", "WORKS_FOR", "Google"]], tags=["work"])
    policy = ServerPolicy(hosts=("testserver",), dialect=dialect)
    yield schemathesis.openapi.from_asgi("/openapi.json", application(door, policy))
    assert door.verify().ok
    store.close()


def asked_all(
    folder: Path, how_many: settings, only: str = "", role: str | None = None, dialect: str = "ai-memory"
) -> int:
    """`role`: of the key that is sent along; none on a server without keys."""
    asked, key = 0, {}
    with described_by_itself(folder, dialect) as schema:
        if role is not None:
            with treering.open(folder / "asked.db", embedder="none") as mem:
                issued = mem.key_create("eve", spaces=["lab"] if role == "write" else ["*"], role=role)
            key = {"Authorization": f"Bearer {issued.secret}"}
        for result in schema.get_all_operations():
            operation: Any = result.ok()
            if operation.path == "/mcp" or only not in operation.path:  # the protocol has tests of its own
                continue

            def ask(case: Any) -> None:
                case.headers = {**(case.headers or {}), **key}
                case.call_and_validate(checks=CHECKS)

            given(case=operation.as_strategy())(how_many(ask))()
            asked += 1
    return asked


def led_on(folder: Path, how_many: settings) -> Counter[tuple[str, int]]:
    """By operation and status: what was answered where each answer may lead to the next question."""
    names = {*_LEADS_TO, *(name for _, others in _LEADS_TO.values() for name in others)}
    told: Counter[tuple[str, int]] = Counter()
    with described_by_itself(folder) as schema:
        some = schema.include(path_regex=rf"/{{space}}/({'|'.join(names)})$", method="POST")

        class Talk(some.as_state_machine()):  # type: ignore[misc]
            def validate_response(self, response: Any, case: Any, **_: Any) -> None:
                told[case.operation.path.rpartition("/")[2], response.status_code] += 1
                case.validate_response(response, checks=CHECKS)

        Talk.run(settings=settings(how_many, stateful_step_count=8))
    return told


@pytest.fixture
def full_server(store: Path, names: dict[str, str]) -> Iterator[TestClient]:
    with treering.open(store) as door, TestClient(application(door, ServerPolicy(hosts=("testserver",)))) as client:
        secret = door.key_create("local", spaces=["*"], role="admin").secret
        client.headers["Authorization"] = f"Bearer {secret}"
        yield client


def test_what_is_asked_most_answers_as_described(tmp_path: Path) -> None:
    assert asked_all(tmp_path, FEW, "recall") + asked_all(tmp_path, FEW, "/memories") >= 5


def test_an_answer_leads_to_the_next_question(tmp_path: Path) -> None:
    told = led_on(tmp_path, settings(FEW, max_examples=15, derandomize=True))
    assert sum(told[name, 200] for name in _LEADS_TO["add"][1]) > 0


REFUSED_AFAR = {"attest", "import_memories", "index_vault"}
"""Their calls sign with a key of the machine, or name a file on it."""


@pytest.mark.parametrize("operation", sorted(EXAMPLES.keys() - REFUSED_AFAR))
def test_an_answer_has_the_shape_that_is_described(
    operation: str, store: Path, names: dict[str, str], full_server: TestClient
) -> None:
    """Every field with its type and every word with those it may be, at any depth."""
    document = full_server.get("/openapi.json").json()
    way, path = next(
        (way, path)
        for path in (f"/v1/spaces/{{space}}/{operation}", f"/v1/{operation}")
        for way in ("post", "get")
        if way in document["paths"].get(path, {})
    )
    here = {"space", "vault"}  # is in the path; names a folder of the server
    asked = {name: one for name, one in filled(CALLS[operation][1], names).items() if name not in here}
    where = path.replace("{space}", CALLS[operation][1].get("space", "default")) + "?sync=true" * ("dry_run" in asked)
    told = full_server.post(where, json=asked) if way == "post" else full_server.get(where, params=asked)
    assert told.status_code < 300, told.text
    (schema,) = document["paths"][path][way]["responses"][str(told.status_code)]["content"].values()
    Draft202012Validator({**schema["schema"], "components": document["components"]}).validate(told.json())


@pytest.mark.parametrize("bad", ["\\ud800", "cut \\udfff"])
def test_half_of_a_surrogate_pair_is_refused_by_every_route_wherever_it_stands(bad: str, http: TestClient) -> None:
    asked = 0
    for path, methods in http.get("/openapi.json").json()["paths"].items():
        for method in {"post", "put", "patch"} & set(methods):
            for body in (
                f'{{"query": "{bad}"}}',
                f'{{"tags": ["{bad}"]}}',
                f'{{"{bad}": {{}}}}',
                f'{{"a": ["{bad}"]}}',
            ):
                where = re.sub(r"\{\w+\}", "lab", path)
                told = http.request(method, where, content=body, headers={"content-type": "application/json"})
                assert 400 <= told.status_code < 500, (method, path, body, told.text)
                asked += 1
    assert asked > 300


@pytest.mark.slow
@pytest.mark.timeout(1200)
def test_whatever_follows_from_answers_is_answered_as_described(tmp_path: Path) -> None:
    told = led_on(tmp_path, settings(FEW, max_examples=400))
    followed = {name for name, status in told if status == 200}
    assert followed >= {"add", "get", "history", "forget", "restore", "archive", "purge", "enqueue", "job"}


@pytest.mark.slow
@pytest.mark.timeout(3500)
@pytest.mark.parametrize("role", [None, "write", "admin"])
@pytest.mark.parametrize("dialect", ["ai-memory", "crosmos"])
def test_every_route_answers_as_described_whatever_it_is_asked(tmp_path: Path, role: str | None, dialect: str) -> None:
    """With and without keys. TREERING_ASKED says how often each is asked."""
    often = settings(MANY, max_examples=int(os.environ.get("TREERING_ASKED") or 60))
    assert asked_all(tmp_path, often, role=role, dialect=dialect) > 100
