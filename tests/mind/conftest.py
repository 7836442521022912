"""The embedders that run on this machine, each loaded once for all tests of the room, and an endpoint to play with."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache

import pytest
from tests.endpoint import Endpoint

from treering.mind import Embedder, open_embedder

LOCAL = ("turnfinder", "turnfinder-2", "minilm", "static", "multilingual")


@cache
def _opened(name: str) -> Embedder:
    return open_embedder(name)


@pytest.fixture(params=LOCAL)
def embedder(request: pytest.FixtureRequest) -> Embedder:
    return _opened(request.param)


@pytest.fixture
def fresh(embedder: Embedder) -> Callable[[], None]:
    """Forgets what the embedder has kept, so that the next text is read anew."""
    forget: Callable[[], None] = embedder._batches.cache.forget  # type: ignore[attr-defined]
    return forget


@pytest.fixture
def endpoint(monkeypatch: pytest.MonkeyPatch) -> Iterator[Endpoint]:
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    served = Endpoint()
    yield served
    served.stop()
