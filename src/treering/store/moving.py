"""How does everything known come from one store into another? The journals are replayed, and vectors go along.

They could be made again, but that takes an embedder and time.
"""

from __future__ import annotations

from collections.abc import Iterator

from treering.model.embedding import Embedded
from treering.store.contract import Replayed, Snapshot, Store

VECTORS_AT_ONCE = 1_000


def copy_all(origin: Snapshot, target: Store) -> list[Replayed]:
    """What is there already is passed over; Conflict if the two histories differ."""
    replayed = []
    for info in origin.spaces():
        replayed += target.replay(origin.entries(info.name))
        for embedder in origin.embedders(info.name):
            for some in _in_parts(origin, info.name, embedder):
                target.keep_vectors(info.name, some)
    return replayed


def _in_parts(origin: Snapshot, space: str, embedder: str) -> Iterator[list[Embedded]]:
    part: list[Embedded] = []
    for row in origin.vectors(space, embedder):
        part.append(Embedded(row.thing_id, embedder, row.data))
        if len(part) == VECTORS_AT_ONCE:
            yield part
            part = []
    if part:
        yield part
