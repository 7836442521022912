"""What is done beside the questions? Indexes and mirrors that are missing or behind are made by a thread of their own,
one after the other, while questions are answered without them. The thread ends when there is nothing to do."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable, Hashable

RESTS_SECONDS = 60.0
"""What failed is not tried again for so long."""

log = logging.getLogger(__name__)


class BackgroundBuilds:
    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._waiting: dict[Hashable, Callable[[], None]] = {}
        self._not_before: dict[Hashable, float] = {}
        self._thread: threading.Thread | None = None
        self._closed = False

    def ask_for(self, what: Hashable, work: Callable[[], None]) -> None:
        """Once, however often it is asked for meanwhile."""
        with self._lock:
            if self._closed or what in self._waiting or time.monotonic() < self._not_before.get(what, 0.0):
                return
            self._waiting[what] = work
            if self._thread is None:
                self._thread = threading.Thread(target=self._run, name="treering-errands", daemon=True)
                self._thread.start()

    def _run(self) -> None:
        while True:
            with self._lock:
                if self._closed or not self._waiting:
                    self._thread = None
                    return
                what, work = next(iter(self._waiting.items()))
            try:
                work()
            except Exception as error:  # questions are answered without it
                self._not_before[what] = time.monotonic() + RESTS_SECONDS
                if not self._closed:
                    log.warning("%s could not be made: %s", what, error)
            with self._lock:
                self._waiting.pop(what, None)

    def done(self, timeout_seconds: float) -> bool:
        """Waits until there is nothing left to do."""
        until = time.monotonic() + timeout_seconds
        while time.monotonic() < until:
            with self._lock:
                if not self._waiting:
                    return True
            time.sleep(0.01)
        return False

    def close(self) -> None:
        with self._lock:
            self._closed = True
            thread = self._thread
        if thread is not None and thread is not threading.current_thread():
            thread.join()
