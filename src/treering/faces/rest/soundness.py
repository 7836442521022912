"""Is the file still whole? Every process of a server looks it over when it begins and now and then: a store that is
found damaged takes no more writes, and says so to whoever asks whether it is ready."""

from __future__ import annotations

import json
import logging
import threading
from typing import TYPE_CHECKING

from treering.errors import TreeringError, Unavailable

if TYPE_CHECKING:
    from treering.door import Treering

LOG = logging.getLogger(__name__)
LOOK_SECONDS = 1800.0
SOON_SECONDS = 2.0
"""After it has begun: those who wait for a first answer come first."""


class Soundness:
    def __init__(self, door: Treering, look_seconds: float = LOOK_SECONDS, soon_seconds: float = SOON_SECONDS) -> None:
        self._door, self._look_seconds, self._soon_seconds = door, look_seconds, soon_seconds
        self._stopping = threading.Event()

    def work(self) -> None:
        wait = self._soon_seconds
        while not self._stopping.wait(wait):
            wait = self._look_seconds
            self._look()

    def _look(self) -> None:
        try:
            found = self._door.look_over()
        except Unavailable as error:  # it says nothing of the file: the store is busy, or was closed meanwhile
            if not self._stopping.is_set():
                LOG.warning(json.dumps({"store": "not looked over", "error": str(error)}, ensure_ascii=False))
            return
        except TreeringError as error:
            found = [str(error)]
        if found:
            LOG.error(json.dumps({"store": "damaged", "found": found[:3], "writes": "refused"}, ensure_ascii=False))

    def stop(self) -> None:
        self._stopping.set()
