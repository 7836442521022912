"""A server in this process, on a store of its own, called as a client would call it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from starlette.testclient import TestClient
from tests.conftest import HandClock

from treering.door import Treering
from treering.faces.rest.app import application
from treering.faces.rest.policy import ServerPolicy
from treering.store import open_store

HERE = "http://127.0.0.1:8321"
Serving = Callable[..., TestClient]


@pytest.fixture
def served(tmp_path: Path, clock: HandClock) -> Iterator[Treering]:
    """The door behind the server."""
    store = open_store(str(tmp_path / "served.db"), "normal")
    yield Treering(store, clock=clock, actor="local", space="lab")
    store.close()


@pytest.fixture
def serving(served: Treering) -> Iterator[Serving]:
    """Makes servers on that door, with a policy of their own: `serving(requests_a_minute=2)`."""
    entered: list[TestClient] = []

    def make(**policy: object) -> TestClient:
        client = TestClient(
            application(served, ServerPolicy(**policy)),  # type: ignore[arg-type]
            base_url=HERE,
            raise_server_exceptions=False,
        )
        entered.append(client.__enter__())
        return client

    yield make
    for client in entered:
        client.__exit__(None, None, None)


@pytest.fixture
def http(serving: Serving) -> TestClient:
    return serving()
