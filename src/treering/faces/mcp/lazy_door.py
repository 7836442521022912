"""Where is the door of a server? One for all calls, opened when first needed, so that a client is greeted at once."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from treering.door import Treering


class LazyDoor:
    def __init__(self, open_door: Callable[[], Treering]) -> None:
        self._open, self._opened, self._lock = open_door, list["Treering"](), threading.Lock()

    def door(self) -> Treering:
        with self._lock:
            if not self._opened:
                self._opened.append(self._open())
            return self._opened[0]

    def close(self) -> None:
        with self._lock:
            while self._opened:
                self._opened.pop().close()
