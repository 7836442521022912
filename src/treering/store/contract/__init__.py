"""What does every store promise? This folder states it, and tests/contract holds each store to it.

A store keeps one journal a space, has one way in, and answers reads at any moment (`store`). A reader is bound
to its spaces, its moment and its principal (`reader`), is asked with filters (`asked`) and answers in values (`told`).
"""

from __future__ import annotations

from treering.store.contract.asked import EdgeFilter, MemoryFilter, Scope, Ways
from treering.store.contract.reader import Measuring, Reader
from treering.store.contract.store import Act, Index, Plan, Progress, Snapshot, Store, Writer, catch_up, unseen
from treering.store.contract.told import (
    ClockTurn,
    Counts,
    Crossing,
    EdgeVisibility,
    Event,
    Evidence,
    HiddenMemories,
    IndexedEdge,
    Probed,
    Renewed,
    Replayed,
    Row,
    SpaceVersion,
    Standing,
    StepTaken,
    Tally,
    Text,
    Tombstone,
    UnembeddedText,
    VectorRow,
    Weight,
)

__all__ = [
    "Act",
    "ClockTurn",
    "Counts",
    "Crossing",
    "EdgeFilter",
    "EdgeVisibility",
    "Event",
    "Evidence",
    "HiddenMemories",
    "Index",
    "IndexedEdge",
    "Measuring",
    "MemoryFilter",
    "Plan",
    "Probed",
    "Progress",
    "Reader",
    "Renewed",
    "Replayed",
    "Row",
    "Scope",
    "Snapshot",
    "SpaceVersion",
    "Standing",
    "StepTaken",
    "Store",
    "Tally",
    "Text",
    "Tombstone",
    "UnembeddedText",
    "VectorRow",
    "Ways",
    "Weight",
    "Writer",
    "catch_up",
    "unseen",
]
