"""What does every store promise? This folder states it, and tests/contract holds each store to it.

A store keeps one journal a space, has one way in, and answers reads at any moment (`store`). A reader is bound
to its spaces, its moment and its principal (`reader`), is asked with filters (`asked`) and answers in values (`told`).
"""

from __future__ import annotations

from treering.store.contract.asked import EdgeFilter, MemoryFilter, Scope, Ways
from treering.store.contract.reader import Measuring, Reader
from treering.store.contract.store import Act, Index, Plan, Progress, Snapshot, Store, Writer, catch_up, unseen
from treering.store.contract.told import (
    Counts,
    Crossing,
    Event,
    Evidence,
    Hidden,
    Probed,
    Renewed,
    Replayed,
    Row,
    Shades,
    Standing,
    StepTaken,
    Tally,
    Text,
    Tide,
    Tie,
    Tombstone,
    Turn,
    Unread,
    VectorRow,
    Weight,
)

__all__ = [
    "Act",
    "Counts",
    "Crossing",
    "EdgeFilter",
    "Event",
    "Evidence",
    "Hidden",
    "Index",
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
    "Shades",
    "Snapshot",
    "Standing",
    "StepTaken",
    "Store",
    "Tally",
    "Text",
    "Tide",
    "Tie",
    "Tombstone",
    "Turn",
    "Unread",
    "VectorRow",
    "Ways",
    "Weight",
    "Writer",
    "catch_up",
    "unseen",
]
