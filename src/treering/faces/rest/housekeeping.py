"""Who keeps house while the server serves? One that looks in on every space from time to time, lets the agents of
upkeep run where they are due, and purges what a space no longer keeps; and one that makes backups where a folder is set
up for them. Several servers of a store may try: one does it."""

from __future__ import annotations

import json
import logging
import threading
from typing import TYPE_CHECKING

from treering.errors import TreeringError

if TYPE_CHECKING:
    from treering.door import Treering

LOG = logging.getLogger(__name__)
LOOK_SECONDS = 60.0


class ServerUpkeep:
    def __init__(self, door: Treering, look_seconds: float = LOOK_SECONDS) -> None:
        self._door = door
        self._look_seconds = look_seconds
        self._stopping = threading.Event()

    def work(self) -> None:
        """Until it is told to stop."""
        while not self._stopping.wait(self._look_seconds):
            try:
                self.look_in()
            except TreeringError as error:
                _put_off(error)

    def look_in(self) -> None:
        """Once at every space; what is not due is left alone, and what cannot be kept now holds no other up."""
        for one in self._door.spaces():
            if self._stopping.is_set():
                return
            try:
                space = self._door.space(one.name)
                if space.run_scheduled().ran:
                    space.retain(dry_run=False)
            except TreeringError as error:
                _put_off(error)

    def stop(self) -> None:
        self._stopping.set()


def _put_off(error: TreeringError) -> None:
    LOG.warning(json.dumps({"upkeep": "put off", "error": error.code}))


class BackupKeeper:
    """Makes the next backup when it is time."""

    def __init__(self, door: Treering, look_seconds: float = LOOK_SECONDS) -> None:
        self._door, self._look_seconds = door, look_seconds
        self._stopping = threading.Event()

    def work(self) -> None:
        while not self._stopping.wait(self._look_seconds):
            self.look_in()

    def look_in(self) -> None:
        try:
            done = self._door.backup_run()
        except (TreeringError, OSError) as error:
            LOG.error(json.dumps({"backup": "failed", "error": str(error)[:500]}, ensure_ascii=False))
            return
        if done.backup is not None:
            told = {"backup": done.backup.path, "bytes": done.backup.bytes, "removed": len(done.removed)}
            LOG.info(json.dumps(told))

    def stop(self) -> None:
        self._stopping.set()
