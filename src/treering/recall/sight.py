"""Which memories may this question see? Those known, valid, in view and open to who asks: the store's word for it,
carried over to the index.

Everything that recall counts, how rare a word is included, is counted among these alone: what may not be seen has no
influence on what is.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

import numpy as np

from treering.model.changes import EdgeAdded, EdgeClosed, EdgeReopened, Marked, MemoryAdded, Purged
from treering.model.edge import Family
from treering.model.memory import View, Visibility
from treering.model.time import to_micros
from treering.recall.index.columns import Numbers
from treering.recall.index.space import KINDS, SpaceIndex
from treering.store.contract import Hidden, MemoryFilter, Reader, Snapshot

ENTRIES_LOOKED_AT = 200


@dataclass(frozen=True, slots=True)
class Sight:
    """`seen` marks the memories of the first `known` that may be seen."""

    known: int
    seen: Numbers
    count: int
    mean_length: float
    session_lengths: Numbers
    """How many words were said in each session, as far as they may be seen."""


@dataclass(slots=True)
class _Glance:
    """What was found hidden, and how long that holds."""

    seq: int
    as_of: datetime
    hidden: Hidden


class Eyes:
    """Remembers what it found hidden at present, as long as nothing can have changed it."""

    def __init__(self) -> None:
        self._glances: dict[tuple[str | None, View], _Glance] = {}

    def sight(self, index: SpaceIndex, reader: Reader, snapshot: Snapshot, view: View, present: bool) -> Sight:
        """`present`: the reader stands at the present, and not at a moment of its own."""
        hidden = self._hidden(index.space, reader, snapshot, view) if present else reader.hidden(view)
        known_at = reader.moment.known_at
        latest = [to_micros(one) for one in (known_at, reader.head.at) if one is not None]
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

    def _hidden(self, space: str, reader: Reader, snapshot: Snapshot, view: View) -> Hidden:
        key = (reader.principal, view)
        last, as_of = self._glances.get(key), reader.moment.as_of
        if (
            last is not None
            and last.as_of <= as_of
            and (last.hidden.until is None or as_of < last.hidden.until)
            and last.seq <= reader.head.seq
            and not _may_hide(snapshot, space, last.seq, reader.head.seq)
        ):
            last.seq = reader.head.seq
            return last.hidden
        hidden = reader.hidden(view)
        self._glances[key] = _Glance(reader.head.seq, as_of, hidden)
        return hidden


def _sight(index: SpaceIndex, known: int, seen: Numbers) -> Sight:
    count = int(np.count_nonzero(seen))
    lengths = index["length"][:known] * seen
    by_session = np.bincount(index["session"][:known], weights=lengths, minlength=1)
    return Sight(known, seen, count, max(float(lengths.sum()) / max(count, 1), 1.0), by_session)


def _may_hide(snapshot: Snapshot, space: str, after: int, up_to: int) -> bool:
    """Whether something written in between may hide a memory, or show one. Most of what is written cannot."""
    if up_to - after > ENTRIES_LOOKED_AT:
        return True
    for entry in snapshot.entries(space, after, up_to - after):
        for change in entry.changes():
            match change:
                case Marked() | EdgeClosed() | EdgeReopened() | Purged():
                    return True
                case MemoryAdded(memory) if memory.visibility is Visibility.PRIVATE:
                    return True
                case EdgeAdded(edge) if edge.family is Family.LINK:
                    return True
    return False


def narrow(index: SpaceIndex, sight: Sight, which: MemoryFilter, reader: Reader) -> Numbers:
    """Marks those among the seen that the filters leave."""
    known = sight.known
    left = sight.seen.copy()
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
        left &= index["speaker"][:known] == index.speakers.get(which.speaker, -2)
    if which.since is not None:
        left &= index["valid_from"][:known] >= to_micros(which.since)
    if which.until is not None:
        left &= index["valid_from"][:known] < to_micros(which.until)
    return left


def _marks(known: int, numbers: list[int]) -> Numbers:
    marks = np.zeros(known, bool)
    marks[[one for one in numbers if one < known]] = True
    return marks
