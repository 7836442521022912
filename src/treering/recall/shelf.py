"""Where are the indexes kept? One a space and embedder, in this process, brought up to date before each question."""

from __future__ import annotations

import threading
from collections import OrderedDict

from treering.recall.index.space import SpaceIndex
from treering.recall.sight import Eyes
from treering.store.contract import Snapshot

MOST_SPACES = 64


class Shelved:
    """An index, and what it needs to be used: a lock for who brings it up to date, and eyes for who reads."""

    def __init__(self, index: SpaceIndex) -> None:
        self.index = index
        self.eyes = Eyes()
        self.following = threading.Lock()


class Shelf:
    """The indexes in use; those used longest ago make room."""

    def __init__(self) -> None:
        self._kept: OrderedDict[tuple[str, str | None], Shelved] = OrderedDict()
        self._lock = threading.Lock()

    def index(self, snapshot: Snapshot, space: str, embedder: str | None, dims: int) -> Shelved:
        """The space's index, with everything learned that the snapshot holds."""
        key = (space, embedder)
        with self._lock:
            shelved = self._kept.setdefault(key, Shelved(SpaceIndex(space, embedder, dims)))
            self._kept.move_to_end(key)
            while len(self._kept) > MOST_SPACES:
                self._kept.popitem(last=False)
        with shelved.following:
            purges = snapshot.purges(space)
            if purges > shelved.index.purges:
                # what was purged must not live on in here: learned anew, without it
                shelved.index, shelved.eyes = SpaceIndex(space, embedder, dims), Eyes()
                shelved.index.purges = purges
            shelved.index.follow(snapshot)
        return shelved

    def clear(self) -> None:
        with self._lock:
            self._kept.clear()
