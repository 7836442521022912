"""Whose turn is it? Webhooks that have something to hear wait in one line: so many are told at once, and so few of them
by one receiver. Whoever waits longest and may begin is next, so that none is passed over for good."""

from __future__ import annotations

import threading
from collections import Counter


class Turns:
    """Several threads may use it."""

    def __init__(self, at_once: int, at_once_each: int) -> None:
        self._at_once, self._at_once_each = at_once, at_once_each
        self._waiting: dict[str, str] = {}
        """Webhooks in the order in which they came, and who hears each."""
        self._telling: dict[str, str] = {}
        self._lock = threading.Lock()

    def wait(self, webhook_id: str, receiver: str) -> None:
        """At the end of the line; one that waits or is being told already keeps its place."""
        with self._lock:
            if webhook_id not in self._telling:
                self._waiting.setdefault(webhook_id, receiver)

    def next(self) -> str | None:
        """The first that may begin now, if there is one; it has begun."""
        with self._lock:
            if len(self._telling) >= self._at_once:
                return None
            busy = Counter(self._telling.values())
            for webhook_id, receiver in self._waiting.items():
                if busy[receiver] < self._at_once_each:
                    self._telling[webhook_id] = self._waiting.pop(webhook_id)
                    return webhook_id
            return None

    def end(self, webhook_id: str, again: bool = False) -> None:
        """`again`: it has more to hear, and goes to the end of the line."""
        with self._lock:
            receiver = self._telling.pop(webhook_id)
            if again:
                self._waiting[webhook_id] = receiver
