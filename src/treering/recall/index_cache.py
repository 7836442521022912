"""Where are the indexes kept? One a space and embedder, in this process, brought up to date before each question.

A large one is also kept beside the store (`index.snapshot`), so that the next process need not learn it all again. It
is written when the door is closed or after something was written to the store: never for a question.
"""

from __future__ import annotations

import logging
import threading
from collections import OrderedDict
from pathlib import Path

from treering.errors import TreeringError
from treering.recall.index import snapshot as file
from treering.recall.index.distant import Distant
from treering.recall.index.space import SpaceIndex
from treering.recall.visibility import VisibilityCache
from treering.store import beside
from treering.store.contract import Snapshot, SpaceVersion, Store
from treering.values import dataclass

log = logging.getLogger(__name__)
SPACES, MEMORIES = 64, 250_000
"""So many indexes are kept, and more as long as all together hold no more than so many memories (half a GB to one)."""
BESIDE = 10
"""An index takes as much as so many memories before it holds any: tiny spaces without number are bounded too."""
NEW = 5_000
"""An index is written down once it has learned more memories, or vectors, than this since it was written last. Fewer
are learned from the store in less time than they are worth."""


@dataclass(frozen=True, slots=True)
class CachedIndex:
    """An index, and what may be seen of it."""

    index: SpaceIndex
    visibility: VisibilityCache


class _Slot:
    """Where an index stands, or will: with a lock for who brings it up to date."""

    def __init__(self) -> None:
        self.following = threading.Lock()
        self.cached: CachedIndex | None = None
        self.version: tuple[int, int, int] | None = None
        """How far the space had come when it was last brought up to date."""
        self.stamp_file: Path | None = None
        self.written = (0, 0)
        """How many memories and vectors it had when it was last written down."""
        self.size = 0
        """What it took when it was last counted, in memories."""

    def abreast(self, version: tuple[int, int, int]) -> CachedIndex | None:
        """The index, if there is nothing it would have to learn."""
        if self.cached is None or version != self.version:
            return None
        anew = self.stamp_file is not None and beside.read_stamp(self.stamp_file) != self.cached.index.stamp
        return None if anew else self.cached

    def has_learned_much(self) -> bool:
        counts = (0, 0) if self.cached is None else _counts(self.cached.index)
        return any(now - then > NEW for now, then in zip(counts, self.written, strict=True))


def _counts(index: SpaceIndex) -> tuple[int, int]:
    return len(index), 0 if index.vectors is None else len(index.vectors)


class IndexCache:
    """The indexes in use; those used longest ago make room."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._kept: OrderedDict[tuple[str, str | None], _Slot] = OrderedDict()
        self._size = 0
        """What all of them take."""
        self._lock = threading.Lock()

    def index(
        self, snapshot: Snapshot, space: str, embedder: str | None, dims: int, version: SpaceVersion | None = None
    ) -> CachedIndex:
        """The space's index, with everything learned that the snapshot holds; `version` is the space's in it, if it was
        asked for already."""
        key = (space, embedder)
        come = version or snapshot.version(space)
        stands = (come.seq, come.purges, come.read.get(embedder or "", 0))
        with self._lock:
            place = self._kept.setdefault(key, _Slot())
            self._kept.move_to_end(key)
            while len(self._kept) > SPACES and self._size > MEMORIES:
                self._size -= self._kept.popitem(last=False)[1].size
        with place.following:
            if place.cached is not None:
                _empty(place.cached.index)
            if (kept := place.abreast(stands)) is not None:
                return kept
            folder = self._store.beside()
            place.stamp_file = None if folder is None else beside.stamp_file(folder, space)
            stamp = "" if place.stamp_file is None else beside.read_stamp(place.stamp_file)
            cached, place.cached = place.cached, None  # if learning fails half way, the next one begins anew
            if cached is None or not _stands(cached.index, snapshot, come.purges, stamp):
                index = SpaceIndex(space, embedder, dims, distant=self._store.measures)
                index.purges, index.stamp = come.purges, stamp
                cached = CachedIndex(_loaded(folder, snapshot, index), VisibilityCache())
                how = f"{len(cached.index)} memories from its file" if len(cached.index) else "anew"
                log.debug("%s: an index for %s begins, %s", space, embedder or "words alone", how)
                place.written = _counts(cached.index)
            before = len(cached.index)
            cached.index.follow(snapshot)
            log.debug(
                "%s: the index has learned %d memories, up to entry %d", space, len(cached.index) - before, come.seq
            )
            place.cached, place.version = cached, stands
        self._count(key, place, BESIDE + len(cached.index))
        return cached

    def _count(self, key: tuple[str, str | None], place: _Slot, size: int) -> None:
        with self._lock:
            if self._kept.get(key) is place:  # else it has made room meanwhile
                self._size += size - place.size
                place.size = size

    def spaces(self) -> list[str]:
        """Those of which there is an index."""
        with self._lock:
            return sorted({space for space, _ in self._kept})

    def bring_up(self, space: str) -> None:
        """The indexes of a space, before anybody asks."""
        with self._lock:
            kept = [(key[1], place.cached) for key, place in self._kept.items() if key[0] == space]
        for embedder, cached in kept:
            if cached is not None:
                with self._store.snapshot() as snapshot:
                    self.index(snapshot, space, embedder, cached.index.dims)

    def keep(self) -> None:
        """Writes down the indexes that have learned much."""
        with self._lock:
            places = [place for place in self._kept.values() if place.has_learned_much()]
        folder = self._store.beside() if places else None
        if folder is not None:
            for place in places:
                self._write(place, folder)

    def _write(self, place: _Slot, folder: Path) -> None:
        with place.following:
            if place.cached is None or not place.has_learned_much():
                return
            index = place.cached.index
            # also if it then cannot be written: to try again with every memory would be a burden
            place.written, taken = _counts(index), file.capture(index)
        try:
            file.save(taken, folder, lambda: self._store.purges(index.space))
        except (OSError, TreeringError) as error:
            # a full disk, a folder that may not be written to, a store that no longer answers: the next process learns
            # from the store what it would have found here, and neither a write nor a close fails for it
            log.warning("%s: the index of %s could not be written: %s", folder, index.space, error)

    def drop(self, space: str) -> None:
        """Lets go of what is in memory about a space."""
        with self._lock:
            for key in [key for key in self._kept if key[0] == space]:
                self._size -= self._kept.pop(key).size

    def close(self) -> None:
        self.keep()
        with self._lock:
            self._kept.clear()
            self._size = 0


def _empty(index: SpaceIndex) -> None:
    """What questions brought from a store that measures, once it is too much to hold."""
    if isinstance(index.vectors, Distant) and index.vectors.is_full():
        index.vectors = index.vectors.emptied()


def _stands(index: SpaceIndex, snapshot: Snapshot, purges: int, stamp: str) -> bool:
    """Whether what was learned is still to be used. What was purged must not live on in it; tables made anew may say
    otherwise; vectors let go of and made again lie in new places."""
    if purges > index.purges or stamp != index.stamp:
        return False
    if index.embedder is None or not index.place:
        return True
    row = next(iter(snapshot.vectors(index.space, index.embedder, after=index.place - 1)), None)
    return row is None or row.place == index.place  # none: an older snapshot, or nothing was read again yet


def _loaded(folder: Path | None, snapshot: Snapshot, index: SpaceIndex) -> SpaceIndex:
    """From its file if there is one to be believed, else empty."""
    if folder is None:
        return index
    beside.sweep(folder, {beside.key_of(index.space): index.purges})
    loaded = file.load(folder, snapshot, index)
    return index if loaded is None else loaded
