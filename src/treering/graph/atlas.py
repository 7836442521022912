"""Where are the indexes for walks kept, and when is a walk worth one? One a space, in this process, brought up to the
reader's own place in the journal before each walk.

The store answers until much has been walked in a space; then an index of it is made beside the walks that go on. What
the index cannot answer exactly, such as what was known earlier, the store answers as before.
"""

from __future__ import annotations

import logging
import threading
from collections import OrderedDict
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from treering.graph.walk import Trail, WalkLimits, by_steps
from treering.model.time import to_micros
from treering.store import beside
from treering.store.contract import IndexedEdge, Reader, Store

if TYPE_CHECKING:
    from treering.graph.index.adjacency import Adjacency

PATIENCE = 5_000
"""Edges walked in a space by asking the store, before an index of it is made."""
MOST_SPACES = 16
MOST_MISSED = 1_000
"""Entries; an index that is further behind is made anew."""

log = logging.getLogger(__name__)


class _Closed(Exception):
    """The door was closed meanwhile."""


class _Place:
    """Where an index stands, or will."""

    def __init__(self) -> None:
        self.lock = threading.Lock()
        self.index: Adjacency | None = None
        self.stamp_file: Path | None = None
        self.stamp = ""
        """When the store's tables were last made anew."""
        self.walked = 0
        self.maker: threading.Thread | None = None


class Atlas:
    """The indexes in use; those used longest ago make room. It is a way of walking."""

    def __init__(self, store: Store, patience: int = PATIENCE) -> None:
        """With no patience the first walk waits for the index."""
        self._store, self._patience = store, patience
        self._kept: OrderedDict[str, _Place] = OrderedDict()
        self._lock = threading.Lock()
        self._closed = threading.Event()

    def __call__(self, reader: Reader, space: str, start: str, route: WalkLimits) -> Trail:
        place = self._place(space)
        if reader.moment.known_at is None and space in reader.heads:
            with place.lock:
                index = self._current(place, reader, space)
                if index is not None and index.serves(reader.principal):
                    return index.walk(start, route, to_micros(reader.moment.as_of), reader.principal)
        trail = by_steps(reader, space, start, route)
        place.walked += len(trail.edge_ids) + 1
        return trail

    def _place(self, space: str) -> _Place:
        with self._lock:
            place = self._kept.setdefault(space, _Place())
            self._kept.move_to_end(space)
            while len(self._kept) > MOST_SPACES:
                self._kept.popitem(last=False)
        return place

    def _current(self, place: _Place, reader: Reader, space: str) -> Adjacency | None:
        """The index exactly as the reader sees the space, if there is one or it is time for one."""
        index, place.index = place.index, None  # if learning fails half way, the next one begins anew
        if index is not None and not self._follow(place, index, reader, space):
            index = None
        if index is None and place.walked >= self._patience:
            index = self._make(place, space)
        place.index = index
        return index if index is not None and index.hash == reader.heads[space].hash else None

    def _follow(self, place: _Place, index: Adjacency, reader: Reader, space: str) -> bool:
        """Up to where the reader stands; false if it is of no use any more. If it is ahead, others may use it."""
        head = reader.heads[space]
        if place.stamp_file is not None and place.stamp != beside.read_stamp(place.stamp_file):
            return False
        missed = head.seq - index.seq
        if missed > MOST_MISSED:
            return False
        if missed > 0:
            with self._store.snapshot() as snapshot:
                if not all(index.take(entry) for entry in snapshot.entries(space, index.seq, missed)):
                    return False
        return missed < 0 or index.hash == head.hash

    def _make(self, place: _Place, space: str) -> Adjacency | None:
        """At once if there is no patience; else beside, and it will be there for some later walk."""
        if not self._patience:
            return self._made(place, space)
        if place.maker is not None and place.maker.is_alive():
            return None
        place.walked = 0  # if it fails, it is tried again only when as much was walked once more
        place.maker = threading.Thread(target=self._make_beside, args=(place, space), daemon=True)
        place.maker.start()
        return None

    def _make_beside(self, place: _Place, space: str) -> None:
        try:
            index = self._made(place, space)
        except _Closed:
            return
        except Exception as error:  # walks go on without it
            if not self._closed.is_set():
                log.warning("the walks' index of %s could not be made: %s", space, error)
            return
        with place.lock:
            place.index = index

    def _made(self, place: _Place, space: str) -> Adjacency:
        from treering.graph.index.adjacency import Adjacency

        folder = self._store.beside()
        place.stamp_file = None if folder is None else beside.stamp_file(folder, space)
        place.stamp = beside.stamp(folder, space)
        with self._store.snapshot() as snapshot:
            ties = self._while_open(snapshot.ties(space))
            return Adjacency(snapshot.head(space), ties, snapshot.edge_visibility(space))

    def _while_open(self, ties: Iterator[IndexedEdge]) -> Iterator[IndexedEdge]:
        for count, tie in enumerate(ties):
            if count % 1_000 == 0 and self._closed.is_set():
                raise _Closed
            yield tie

    def kept_spaces(self) -> list[str]:
        """Those of which there is an index."""
        with self._lock:
            return sorted(space for space, place in self._kept.items() if place.index is not None)

    def bring_up(self, space: str) -> None:
        """Lets the index of a space learn what is new before anybody walks."""
        place = self._place(space)
        with place.lock, self._store.snapshot() as snapshot:
            index, place.index = place.index, None
            if index is None:
                return
            missed = snapshot.head(space).seq - index.seq
            if missed > MOST_MISSED:
                return
            if missed <= 0 or all(index.take(entry) for entry in snapshot.entries(space, index.seq, missed)):
                place.index = index

    def drop(self, space: str) -> None:
        """Lets go of what is in memory about a space."""
        with self._lock:
            self._kept.pop(space, None)

    def close(self) -> None:
        self._closed.set()
        with self._lock:
            places = list(self._kept.values())
            self._kept.clear()
        for place in places:
            if place.maker is not None:
                place.maker.join()
