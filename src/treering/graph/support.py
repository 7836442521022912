"""Which memories rest on something that no longer holds, and on what?"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from treering.model.edge import Link
from treering.model.memory import Memory, Support, View
from treering.model.value import Value
from treering.store.contract import EdgeFilter, MemoryFilter, Reader
from treering.store.support import Cause, batches, causes_of, support_of
from treering.values import dataclass


@dataclass(frozen=True, slots=True, repr=False)
class Stale(Value):
    """A memory that holds by itself, and what beneath it does not, the nearest first."""

    memory: Memory
    because: tuple[Cause, ...]


def stale(reader: Reader, limit: int) -> list[Stale]:
    """In the order in which they were learned. What is itself superseded, expired, forgotten or archived is not shown:
    nobody is misled by it."""
    which = EdgeFilter(relations=(Link.DERIVED_FROM.value,), include_closed=True, include_forgotten=True)
    derived = dict.fromkeys(edge.source_id for edge in reader.edges(which))
    shaken = [one for one, support in support_of(reader, derived).items() if support is Support.STALE]
    shown = sorted(_current(reader, shaken), key=lambda memory: (memory.recorded_at, memory.id))[:limit]
    causes = causes_of(reader, [memory.id for memory in shown])
    return [Stale(replace(memory, support=Support.STALE), causes[memory.id]) for memory in shown]


def _current(reader: Reader, ids: list[str]) -> Iterator[Memory]:
    for some in batches(ids):
        yield from reader.memories(MemoryFilter(view=View.CURRENT, ids=tuple(some)))
