"""How is the whole store doing? Figures for those who watch a server: what there is, what waits and for how long, who has
not been told, how far indexes have come, what room is left. Numbers alone, of all spaces together: no name, no word.
"""

from __future__ import annotations

import shutil
from collections import Counter
from dataclasses import field
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

from treering.exchange import backups
from treering.exchange.backups import Schedule
from treering.exchange.webhooks import kept as hooks
from treering.store.contract import Scope, Store
from treering.store.queue import Waiting
from treering.values import dataclass

if TYPE_CHECKING:
    from treering.door.ground import Ground


@dataclass(frozen=True, slots=True, kw_only=True)
class WebhookProgress:
    """How far webhooks have been told: entries that they are still to hear of, and how long the oldest of those has
    waited."""

    hooks: int = 0
    failing: int = 0
    behind: int = 0
    lag_seconds: float = 0.0
    dead_letters: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class IndexProgress:
    """How far the indexes of this process have come: how many there are, the most entries one has not learned, and how
    long ago the first of those was written."""

    indexes: int = 0
    behind: int = 0
    age_seconds: float = 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Vitals:
    spaces: int
    memories: dict[str, int]
    entities: int
    edges: int
    held: int
    jobs: Waiting
    webhooks: WebhookProgress
    indexes: IndexProgress
    store_bytes: int
    disk_free_bytes: int | None
    disk_bytes: int | None
    writable: bool
    backup: Schedule = field(default_factory=Schedule)


def vitals(door: Ground) -> Vitals:
    store, now = door._store, door.now()
    heads = {one.name: one.seq for one in store.spaces()}
    memories, entities, edges, held = Counter[str](), 0, 0, 0
    for name in heads:
        with store.reader(Scope(name, now)) as reader:
            everything = reader.all_seeing()
            counts = everything.counts()
            held += len(everything.on_hold())
        memories.update(counts.memories)
        entities, edges = entities + counts.entities, edges + counts.edges
    about = store.describe()
    free, size = _disk(str(about["url"]))
    return Vitals(
        spaces=len(heads),
        memories=dict(memories),
        entities=entities,
        edges=edges,
        held=held,
        jobs=store.jobs.waiting(),
        webhooks=_told(store, heads, now),
        indexes=_learned(door, heads, now),
        store_bytes=int(about["bytes"]),
        disk_free_bytes=free,
        disk_bytes=size,
        writable=not store.troubles(),
        backup=backups.schedule(store.drawer),
    )


def _disk(url: str) -> tuple[int | None, int | None]:
    """Of a file; a database server sees to its own."""
    place = Path(url)
    if "://" in url or not place.exists():
        return None, None
    used = shutil.disk_usage(place.parent)
    return used.free, used.total


def _told(store: Store, heads: dict[str, int], now: datetime) -> WebhookProgress:
    listed, behind, oldest = hooks.listed(store.drawer), 0, now
    for hook in listed:
        for space, seq in heads.items():
            reached = hook.reached.get(space, 0)
            if hook.hears_of(space) and reached < seq:
                behind += seq - reached
                oldest = min(oldest, _written_at(store, space, reached + 1) or now)
    return WebhookProgress(
        hooks=len(listed),
        failing=sum(one.failing is not None for one in listed),
        behind=behind,
        lag_seconds=max(0.0, (now - oldest).total_seconds()),
        dead_letters=len(store.drawer.listed(hooks.LETTER)),
    )


def _learned(door: Ground, heads: dict[str, int], now: datetime) -> IndexProgress:
    places = [(key[0], place.version) for finder in door._found for key, place in list(finder._cache._kept.items())]
    behind, oldest = 0, now
    for space, version in places:
        learned, seq = version[0] if version else 0, heads.get(space, 0)
        if learned < seq:
            behind = max(behind, seq - learned)
            oldest = min(oldest, _written_at(door._store, space, learned + 1) or now)
    age = max(0.0, (now - oldest).total_seconds())
    return IndexProgress(indexes=len(places), behind=behind, age_seconds=age)


def _written_at(store: Store, space: str, seq: int) -> datetime | None:
    entry = next(iter(store.entries(space, seq - 1, 1)), None)
    return None if entry is None else entry.at
