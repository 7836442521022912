"""Does the server keep to its own description? Every route, asked with whatever the description allows and forbids: no
fault, and no answer that is not described."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import schemathesis
import schemathesis.specs.openapi.checks as described
from hypothesis import HealthCheck, Phase, given, settings
from schemathesis.checks import not_a_server_error

from treering.door import Treering
from treering.faces.rest.app import application
from treering.faces.rest.policy import ServerPolicy
from treering.store import open_store

CHECKS = [
    not_a_server_error,
    described.status_code_conformance,
    described.content_type_conformance,
    described.response_schema_conformance,
]
FEW = settings(
    max_examples=2, deadline=None, database=None, phases=[Phase.generate], suppress_health_check=list(HealthCheck)
)
MANY = settings(FEW, max_examples=60)


def asked_all(folder: Path, how_many: settings, only: str = "") -> int:
    store = open_store(str(folder / "asked.db"), "normal")
    door = Treering(store, actor="ann", space="lab")
    door.add("Ada works at Google", triples=[["Ada", "WORKS_FOR", "Google"]], tags=["work"])
    schema = schemathesis.openapi.from_asgi("/openapi.json", application(door, ServerPolicy(hosts=("testserver",))))
    asked = 0
    for result in schema.get_all_operations():
        operation: Any = result.ok()  # type: ignore[union-attr]
        if only and only not in operation.path:
            continue

        def ask(case: Any) -> None:
            case.call_and_validate(checks=CHECKS)

        given(case=operation.as_strategy())(how_many(ask))()
        asked += 1
    assert door.verify().ok
    store.close()
    return asked


def test_what_is_asked_most_answers_as_described(tmp_path: Path) -> None:
    assert asked_all(tmp_path, FEW, "recall") + asked_all(tmp_path, FEW, "/memories") >= 5


@pytest.mark.slow
@pytest.mark.timeout(1700)
def test_every_route_answers_as_described_whatever_it_is_asked(tmp_path: Path) -> None:
    assert asked_all(tmp_path, MANY) > 100
