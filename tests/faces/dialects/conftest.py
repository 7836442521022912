"""Dialects are spoken to every store in turn, as the door is."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from treering.store.contract import Store


@pytest.fixture
def store(store_url: str, new_store: Callable[[str], Store]) -> Store:
    return new_store(store_url)
