"""Doors with a reader of the test's own."""

from __future__ import annotations

from typing import Any

from tests.conftest import HandClock

from treering.door import Treering
from treering.ingest.extract.extractors import Extractors
from treering.store.contract import Store


def door(store: Store, clock: HandClock, reader: Any = None, **more: Any) -> Treering:
    makers = {"llm": lambda space, fallback: reader} if reader else {}
    return Treering(store, clock=clock, actor="ann", space="lab", extractors=Extractors("none", makers), **more)
