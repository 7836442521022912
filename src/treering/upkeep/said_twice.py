"""How many memories say what another said before? A figure for `health`, by words alone and of a bounded cost: the
newest memories are read, and only those whose words come to the same are compared.

It takes the same for the same as `cluster` does when it looks for duplicates, which is also told by nearness and finds
the pairs in all of a space, at its leisure.
"""

from __future__ import annotations

from collections import defaultdict
from typing import Any

from treering.store.contract import MemoryFilter, Reader
from treering.upkeep.cluster import ClusterItem, leaf_of, same_said
from treering.upkeep.duplicates import said
from treering.values import dataclass

AMONG = 5_000
"""How many memories are looked at."""
_COMPARED = 16
"""With how many of the same words one is compared: they differ in who did it, if in anything."""


@dataclass(frozen=True, slots=True)
class SaidTwice:
    """`duplicates` of the newest `among` memories."""

    duplicates: int
    among: int


def said_twice(reader: Reader) -> SaidTwice:
    newest = reader.memories(MemoryFilter(newest_first=True, limit=AMONG))
    before: dict[Any, list[ClusterItem]] = defaultdict(list)
    found = 0
    for leaf in map(leaf_of, reversed(newest)):
        alike = before[_gist(leaf)]
        if any(same_said(one, leaf) for one in alike[:_COMPARED]):
            found += 1
        else:
            alike.append(leaf)
    return SaidTwice(found, len(newest))


def _gist(leaf: ClusterItem) -> tuple[Any, ...]:
    """What two that say the same have in common."""
    told = said(leaf.content)
    return (
        leaf.circle, told.numbers, told.denied, told.times, told.certainty, told.asks, told.small,
        tuple(sorted(told.things)),
    )  # fmt: skip
