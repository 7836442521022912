"""Was a change taken back since? Nothing is removed from the journal: what an undo took back is told by the opposite
in a later entry. What ended in another way, such as a memory that was forgotten, was not taken back."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from treering.model.changes import (
    Change,
    EdgeAdded,
    EdgeClosed,
    EdgeReopened,
    EntityMerged,
    EntitySplit,
    Marked,
    MemoryAdded,
    Reinforced,
    Thing,
)
from treering.model.edge import Edge
from treering.model.memory import Mark, Memory, State, View
from treering.store.contract import EdgeFilter, Event, MemoryFilter, Reader
from treering.store.support import batches

_UNDO = frozenset({"undo"})
_OPPOSITES = _UNDO | {"restore", "reopen", "entity_split"}
"""Operations that take something back and do nothing else."""


def taken_back(reader: Reader, events: Sequence[Event]) -> list[int | None]:
    """For each of these changes the entry that took it back; none where it stands or went in another way."""
    standing = _Standing(reader, events)
    gone = [standing.gone(one.change) for one in events]
    later: dict[str, list[Event]] = {}
    for some in batches(sorted({one for one in gone if one is not None})):
        for event in reader.events(*some):
            for one in event.change.about:
                later.setdefault(one, []).append(event)
    return [
        None if thing_id is None else _by(one, later.get(thing_id, []), thing_id)
        for one, thing_id in zip(events, gone, strict=True)
    ]


def can_be_taken_back(change: Change) -> bool:
    """Whether an undo has something to do about it. What was said, named or used stays, and so does the sign that a
    source waits to be read."""
    match change:
        case MemoryAdded() | EdgeAdded() | EdgeClosed() | EntityMerged() | Reinforced(on=True):
            return True
        case Marked(thing, _, mark):
            return thing is not Thing.SOURCE and mark is not Mark.WAITING
    return False


class _Standing:
    """How everything that these changes made or moved stands now, looked up many at a time."""

    def __init__(self, reader: Reader, events: Sequence[Event]) -> None:
        ids = sorted({one for event in events for one in _concerned(event.change)})
        self._memories: dict[str, Memory] = {}
        self._edges: dict[str, Edge] = {}
        for some in batches(ids):
            asked = tuple(some)
            self._memories.update({one.id: one for one in reader.memories(MemoryFilter(view=View.ALL, ids=asked))})
            self._edges.update({one.id: one for one in edges_by_id(reader, asked)})

    def gone(self, change: Change) -> str | None:
        """That whose later changes may tell who took it back; none where it stands."""
        match change:
            case MemoryAdded(memory):
                return self._forgotten(memory.id)
            case EdgeAdded(edge):
                carriers = (one for one in (edge.id, edge.memory_id, edge.source_id) if one is not None)
                return next((one for one in carriers if self._forgotten(one)), None)
            case Marked(_, thing_id, mark, on) if can_be_taken_back(change):
                return thing_id if self._marked(thing_id, mark) is not on else None
            case EdgeClosed(thing_id) | EntityMerged(thing_id) | Reinforced(thing_id, on=True):
                return thing_id  # only what happened since can tell
        return None

    def _forgotten(self, thing_id: str) -> str | None:
        return thing_id if self._marked(thing_id, Mark.FORGOTTEN) else None

    def _marked(self, thing_id: str, mark: Mark) -> bool | None:
        """None where it cannot be seen."""
        if thing_id in self._memories:
            memory = self._memories[thing_id]
            return memory.state is State.FORGOTTEN if mark is Mark.FORGOTTEN else mark in memory.marks
        edge = self._edges.get(thing_id)
        return None if edge is None else edge.forgotten_at is not None


def edges_by_id(reader: Reader, ids: tuple[str, ...]) -> list[Edge]:
    return reader.edges(EdgeFilter(ids=ids, include_closed=True, include_forgotten=True)) if ids else []


def _concerned(change: Change) -> Iterator[str]:
    match change:
        case MemoryAdded(memory):
            yield memory.id
        case EdgeAdded(edge):
            yield from (one for one in (edge.id, edge.memory_id, edge.source_id) if one is not None)
        case Marked(_, thing_id):
            yield thing_id


def _by(event: Event, told: Sequence[Event], thing_id: str) -> int | None:
    """`told`: everything about the thing that tells of it, oldest first."""
    match event.change:
        case MemoryAdded() | EdgeAdded():
            marks = [one for one in told if _is_mark(one.change, thing_id, Mark.FORGOTTEN)]
            return _last(marks[-1:], event, _UNDO)
        case EdgeClosed():
            return _reopened(event, told)
        case Marked(mark=mark, on=on):
            return _last([one for one in told if _is_mark(one.change, thing_id, mark, not on)], event, _OPPOSITES)
        case EntityMerged(entity_id, into_id):
            return _last([one for one in told if _is_split(one.change, entity_id, into_id)], event, _OPPOSITES)
        case Reinforced(_, source_id):
            return _last([one for one in told if _is_doubt(one.change, source_id)], event, _OPPOSITES)
    return None


def _last(told: Sequence[Event], after: Event, ops: frozenset[str]) -> int | None:
    fits = [one.seq for one in told if one.at > after.at and one.op in ops]
    return fits[-1] if fits else None


def _is_mark(change: Change, thing_id: str, mark: Mark, on: bool = True) -> bool:
    return isinstance(change, Marked) and (change.id, change.mark, change.on) == (thing_id, mark, on)


def _is_split(change: Change, entity_id: str, from_id: str) -> bool:
    return isinstance(change, EntitySplit) and (change.entity_id, change.from_id) == (entity_id, from_id)


def _is_doubt(change: Change, source_id: str) -> bool:
    return isinstance(change, Reinforced) and change.source_id == source_id and not change.on


def _reopened(closing: Event, told: Sequence[Event]) -> int | None:
    """The entry by which this very closing was undone: the last that rests on the same evidence goes first."""
    stack: list[Event] = []
    for event in told:
        match event.change:
            case EdgeClosed():
                stack.append(event)
            case EdgeReopened(undone=undone):
                fits = [one for one in stack if isinstance(one.change, EdgeClosed) and one.change.evidence == undone]
                if fits:
                    stack.remove(fits[-1])
                    if fits[-1] == closing:
                        return event.seq
    return None
