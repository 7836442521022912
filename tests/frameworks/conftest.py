"""Tests against the real frameworks, in an environment of their own (`make frameworks`); `make test-frameworks` runs
them, and so does `make test-slow`."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

import treering


@pytest.fixture
def door(tmp_path: Path) -> Iterator[treering.Treering]:
    with treering.open(tmp_path / "work.db", embedder="none") as opened:
        yield opened
