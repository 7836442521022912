"""What comes and goes is about files: one store is enough for it, and tests that are about stores open their own."""

from __future__ import annotations

import pytest


@pytest.fixture
def store_url() -> str:
    return ":memory:"
