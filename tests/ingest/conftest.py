"""What the tests of reading stand on: an endpoint that plays a language model."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from tests.endpoint import Endpoint
from tests.ingest.reading import Reader
from tests.ingest.seen import as_likely


@pytest.fixture
def reader(monkeypatch: pytest.MonkeyPatch) -> Iterator[Reader]:
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    endpoint = Endpoint()
    reading = Reader(endpoint)
    yield reading
    reading.close()
    endpoint.stop()


@pytest.fixture
def likely(monkeypatch: pytest.MonkeyPatch) -> pytest.MonkeyPatch:
    """Every claim is certain, unless a test says how likely it is."""
    as_likely(monkeypatch, 0.99)
    return monkeypatch
