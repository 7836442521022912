"""Which memories may this question see? Those known, valid, in view and open to who asks: the store's word for it,
carried over to the index.

Everything that recall counts, how rare a word is included, is counted among these alone: what may not be seen has no
influence on what is.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Hashable
from dataclasses import field
from datetime import datetime
from typing import Any, TypeVar

import numpy as np

from treering.model.changes import EdgeAdded, EdgeClosed, EdgeReopened, Marked, MemoryAdded, Purged, Thing
from treering.model.edge import Link
from treering.model.memory import View, Visibility
from treering.model.time import to_micros
from treering.recall.index.columns import Numbers
from treering.recall.index.space import KINDS, SpaceIndex
from treering.store.contract import HiddenMemories, MemoryFilter, Reader, Snapshot
from treering.values import dataclass

T = TypeVar("T")
ENTRIES_LOOKED_AT = 200
MOST_CACHED = 16
_TELLING = tuple(
    f'"{word}"'
    for word in ("marked", "edge_closed", "edge_reopened", "purged", Visibility.PRIVATE.value, Link.SUPERSEDES.value)
)
"""Without one of these a change hides nothing: to read them all would take longer than many a question."""
_EVER = (1 << 63) - 1


@dataclass(frozen=True, slots=True)
class VisibleMemories:
    """`seen` marks the memories of the first `known` that may be seen."""

    known: int
    seen: Numbers
    count: int
    """How many those are."""
    mean_length: float
    session_lengths: Numbers
    """How many words were said in each session, as far as they may be seen."""
    session_turns: Numbers
    """And in how many turns."""
    sessions: Numbers
    """The session of each memory."""
    speakers: frozenset[int]
    """Who says what may be seen."""
    previous: Numbers
    """The turn before each in its session, of those that may be seen; -1 is none, and the last is that of none."""
    following: Numbers
    _worked_out: dict[Hashable, Any] = field(default_factory=dict, compare=False, repr=False)

    def once(self, name: Hashable, work: Callable[[VisibleMemories], T]) -> T:
        """What follows from it alone, worked out once for all questions that have the same sight."""
        if name not in self._worked_out:
            self._worked_out[name] = work(self)
        found: T = self._worked_out[name]
        return found


@dataclass(slots=True)
class _Cached:
    """What was found hidden at some time, how long that holds, and what could be seen then."""

    seq: int
    as_of: datetime
    hidden: HiddenMemories
    visible: VisibleMemories | None = None
    visible_until: int = 0


class VisibilityCache:
    """Remembers what it saw at present, as long as nothing can have changed it; of very many who ask, what the last of
    them may see."""

    def __init__(self) -> None:
        self._kept: dict[tuple[str | None, View], _Cached] = {}
        self._lock = threading.Lock()

    def visible(
        self, index: SpaceIndex, reader: Reader, snapshot: Snapshot, view: View, present: bool
    ) -> VisibleMemories:
        """`present`: the reader stands at the present, and not at a moment of its own."""
        if not present:
            return _look(index, reader, view, reader.hidden(view))
        cached, as_of = self._cached_for(index.space, reader, snapshot, view), to_micros(reader.moment.as_of)
        if cached.visible is None or not to_micros(cached.as_of) <= as_of < cached.visible_until:
            cached.visible = _look(index, reader, view, cached.hidden)
            cached.visible_until = _next_change(index, as_of)
            cached.as_of = reader.moment.as_of
        return cached.visible

    def _cached_for(self, space: str, reader: Reader, snapshot: Snapshot, view: View) -> _Cached:
        key, as_of, seq = (reader.principal, view), reader.moment.as_of, reader.head.seq
        last = self._kept.get(key)
        if last is not None and last.as_of <= as_of and (last.hidden.until is None or as_of < last.hidden.until):
            if last.seq == seq:
                return self._keep(key, last)
            if last.seq < seq and not _may_hide(snapshot, space, last.seq, seq):
                return self._keep(key, _Cached(seq, as_of, last.hidden))
        return self._keep(key, _Cached(seq, as_of, reader.hidden(view)))

    def _keep(self, key: tuple[str | None, View], cached: _Cached) -> _Cached:
        """As the last; the one looked at longest ago makes room."""
        with self._lock:
            self._kept.pop(key, None)
            self._kept[key] = cached
            while len(self._kept) > MOST_CACHED:
                self._kept.pop(next(iter(self._kept)))
        return cached


def _look(index: SpaceIndex, reader: Reader, view: View, hidden: HiddenMemories) -> VisibleMemories:
    latest = [to_micros(one) for one in (reader.moment.known_at, reader.head.at) if one is not None]
    known = index.first_known(min(latest, default=0))
    as_of = to_micros(reader.moment.as_of)
    seen = np.ones(known, bool)
    if view is not View.ALL:
        seen &= index["valid_from"][:known] <= as_of
    if view is View.CURRENT:
        seen &= index["expires_at"][:known] > as_of
    numbers = [index.number[one] for one in hidden.ids if one in index.number]
    seen[[one for one in numbers if one < known]] = False
    return _sight(index, known, seen)


def _next_change(index: SpaceIndex, as_of: int) -> int:
    """When the next memory begins to hold or expires."""
    coming = [times[times > as_of] for times in (index["valid_from"], index["expires_at"])]
    return min((int(times.min()) for times in coming if len(times)), default=_EVER)


def _sight(index: SpaceIndex, known: int, seen: Numbers) -> VisibleMemories:
    count = int(np.count_nonzero(seen))
    lengths, speaking = index["length"][:known] * seen, index["speaker"][:known]
    sessions = index["session"][:known].astype(np.intp)  # any other kind would be turned into it at every look
    said = np.bincount(sessions, weights=lengths, minlength=1)
    whole = count == known
    turns = np.bincount(sessions if whole else sessions[seen], minlength=len(said))
    heard = np.bincount((speaking if whole else speaking[seen]) + 1, minlength=1)[1:]
    speakers = frozenset(np.flatnonzero(heard).tolist())
    usual = max(float(lengths.sum()) / max(count, 1), 1.0)
    previous, following = (_links(index[column][:known], seen) for column in ("previous", "following"))
    return VisibleMemories(known, seen, count, usual, said, turns, sessions, speakers, previous, following)


def _links(links: Numbers, seen: Numbers) -> Numbers:
    """Who comes next for each, with those that may not be seen passed over as if they were not there."""
    known = len(seen)
    following = np.empty(known + 1, np.intp)
    following[:-1], following[-1] = links, -1
    following[following >= known] = -1
    if seen.all():
        return following
    visible = np.append(seen, True)  # none is -1, the last
    while len(hidden := np.flatnonzero(~visible[following])):
        following[hidden] = following[following[hidden]]
    return following


def _may_hide(snapshot: Snapshot, space: str, after: int, up_to: int) -> bool:
    """Whether something written in between may hide a memory, or show one. Most of what is written cannot."""
    if up_to - after > ENTRIES_LOOKED_AT:
        return True
    for entry in snapshot.entries(space, after, up_to - after):
        for change in entry.changes_with(_TELLING):
            match change:
                case Marked(thing=Thing.SOURCE):
                    continue
                case Marked() | EdgeClosed() | EdgeReopened() | Purged():
                    return True
                case MemoryAdded(memory) if memory.visibility is Visibility.PRIVATE:
                    return True
                case EdgeAdded(edge) if edge.relation == Link.SUPERSEDES:
                    return True
    return False


def narrow(index: SpaceIndex, visible: VisibleMemories, which: MemoryFilter, reader: Reader) -> Numbers:
    """Marks those among the seen that the filters leave."""
    known = visible.known
    left = visible.seen.copy()
    if which.ids is not None:
        left &= _marks(known, [index.number[one] for one in which.ids if one in index.number])
    if which.kinds is not None:
        left &= np.isin(index["kind"][:known], [KINDS.index(kind.value) for kind in which.kinds])
    for tag in which.tags:
        left &= _marks(known, index.tagged.get(tag, []))
    if which.entity_ids is not None:
        mentioning = reader.mentioning(which.entity_ids)
        left &= _marks(known, [index.number[one] for one in mentioning if one in index.number])
    if which.session is not None:
        left &= index["session"][:known] == index.sessions.get(which.session, -1)
    if which.speaker is not None:
        left &= np.isin(index["speaker"][:known], [index.speakers[one] for one in index.spelled_like(which.speaker)])
    if which.since is not None:
        left &= index["valid_from"][:known] >= to_micros(which.since)
    if which.until is not None:
        left &= index["valid_from"][:known] < to_micros(which.until)
    return left


def _marks(known: int, numbers: list[int]) -> Numbers:
    marks = np.zeros(known, bool)
    marks[[one for one in numbers if one < known]] = True
    return marks
