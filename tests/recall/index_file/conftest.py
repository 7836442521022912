"""Doors that open the same file one after the other, with and without an embedder. Small indexes are written too."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.conftest import HandClock
from tests.recall.hashing import Hashing
from tests.recall.index_file.filed import Opened

from treering.door import Treering
from treering.recall import index_cache
from treering.store import open_store


@pytest.fixture(autouse=True)
def _small_indexes_count(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(index_cache, "NEW", 0)


@pytest.fixture(params=["meaning", "words"])
def embedder(request: pytest.FixtureRequest) -> Any:
    return Hashing() if request.param == "meaning" else "none"


@pytest.fixture
def opened(db_path: Path, clock: HandClock, embedder: Any) -> Iterator[Opened]:
    """Opens the same file again and again, as processes would one after the other."""
    doors: list[Treering] = []

    def make(path: Path = db_path) -> Treering:
        doors.append(Treering(open_store(str(path), "normal"), clock=clock, space="lab", embedder=embedder))
        return doors[-1]

    yield make
    for door in doors:
        door.close()
