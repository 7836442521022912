"""What does an index of edges learn from a journal? Its edges, and what keeps them from being walked."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import datetime

from treering.model.journal import SYNC, Entry
from treering.model.memory import Mark, Visibility
from treering.model.time import to_micros
from treering.store.contract import EdgeVisibility, IndexedEdge
from treering.store.reference.folded import FoldedSpace

_FOREVER = (1 << 63) - 1


def _folded(entries: Iterable[Entry]) -> FoldedSpace:
    world = FoldedSpace(all_seeing=True)
    for entry in entries:
        for change in entry.changes():
            world.take(change, entry.at, entry.op == SYNC)
    return world


def ties(entries: Iterable[Entry]) -> Iterator[IndexedEdge]:
    world = _folded(entries)
    for edge in world.edges.values():
        moves = world.moves.get(edge.id)
        ends = moves[-1].valid_until if moves else edge.valid_until
        yield IndexedEdge(
            edge.id,
            edge.source_id,
            edge.target_id,
            edge.relation,
            to_micros(edge.valid_from),
            _end(ends),
            to_micros(edge.recorded_at),
            edge.memory_id,
        )


def _end(point: datetime | None) -> int:
    return _FOREVER if point is None else to_micros(point)


def edge_visibility(entries: Iterable[Entry]) -> EdgeVisibility:
    world = _folded(entries)
    private = {
        memory.id: frozenset(who for who in (memory.observed_by, *memory.visible_to) if who is not None)
        for memory in world.memories.values()
        if memory.visibility is Visibility.PRIVATE
    }
    evidence = {move.evidence for moves in world.moves.values() for move in moves}
    return EdgeVisibility(
        frozenset(thing_id for thing_id, mark in world.marks if mark is Mark.FORGOTTEN),
        private,
        dict(world.merged),
        frozenset(one for one in evidence if one in private),
    )
