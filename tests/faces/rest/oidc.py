"""A server that believes an identity provider of the test's own."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient
from tests.conftest import HandClock
from tests.faces.rest.conftest import HERE
from tests.faces.rest.test_access import bearing
from tests.issuer import AUDIENCE, Issuer
from tests.issuer import issuer as the_issuer

from treering.access.audit import Level
from treering.access.grants import written_grants
from treering.access.oidc import OidcPolicy
from treering.access.policy import AccessPolicy
from treering.door import Treering
from treering.faces.rest.app import application
from treering.faces.rest.policy import ServerPolicy
from treering.store import open_store


@pytest.fixture
def issuer() -> Iterator[Issuer]:
    one = the_issuer()
    yield one
    one.speak()


@pytest.fixture
def now() -> HandClock:
    """The provider's clock is the real one: ours begins there, and is moved by hand."""
    return HandClock(datetime.now(UTC).replace(microsecond=0))


Opened = Callable[..., tuple[Treering, TestClient]]


@pytest.fixture
def opened(tmp_path: Path, now: HandClock, issuer: Issuer) -> Iterator[Opened]:
    """A server whose callers the provider vouches for."""
    closing: list[Any] = []

    def make(grants: str = "", audit: Level = Level.OFF, **policy: Any) -> tuple[Treering, TestClient]:
        provider = OidcPolicy(issuer.url, (AUDIENCE,), **policy)
        access = AccessPolicy(oidc=provider, grants=written_grants(grants, "grants"), audit=audit)
        store = open_store(str(tmp_path / f"{len(closing)}.db"), "normal")
        door = Treering(store, clock=now, actor="local", space="lab", access=access)
        http = TestClient(application(door, ServerPolicy()), base_url=HERE, raise_server_exceptions=False)
        closing.append((http.__enter__(), store))
        return door, http

    yield make
    for http, store in closing:
        http.__exit__(None, None, None)
        store.close()


def who(http: TestClient, token: str) -> Any:
    return http.get("/v1/whoami", headers=bearing(token))
