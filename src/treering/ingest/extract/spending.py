"""Where is it written down what a space has spent? In its store, so that a budget holds across processes."""

from __future__ import annotations

from datetime import date

from treering.ingest.extract.budget import Tokens
from treering.store.contract import Store


class SpendingInStore:
    def __init__(self, store: Store) -> None:
        self._store = store

    def spent(self, space: str, day: date | None = None) -> Tokens:
        return Tokens(*self._store.spent(space, None if day is None else day.isoformat()))

    def spend(self, space: str, day: date, tokens: Tokens) -> None:
        self._store.spend(space, day.isoformat(), tokens.read, tokens.written)
