"""What the tests of reading stand on: an endpoint that plays a language model."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from tests.endpoint import Endpoint
from tests.ingest.reading import Reader


@pytest.fixture
def reader(monkeypatch: pytest.MonkeyPatch) -> Iterator[Reader]:
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    endpoint = Endpoint()
    reading = Reader(endpoint)
    yield reading
    reading.close()
    endpoint.stop()
