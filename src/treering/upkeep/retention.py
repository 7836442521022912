"""What has a space kept long enough? Where it says so (setting `purging`), memories that were recorded so many days
ago, and those forgotten so many days ago, are purged: their bytes go, and it is looked whether they are gone.

With the age of memories goes that of sources which made none. What is on hold stays, and is counted.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime, timedelta
from typing import Any

from treering.model import limits
from treering.model.changes import Marked
from treering.model.memory import Mark, Memory, State, View
from treering.model.value import Value
from treering.store.contract import MemoryFilter, Reader
from treering.upkeep.hold import SETTING as HOLD
from treering.values import dataclass

SETTING = "purging"
WHY = "kept for as long as the space keeps it"
_AT_ONCE = 512


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Retained(Value):
    """What the space no longer keeps. `due`: how many memories and sources that are in all, of which those on hold are
    `held`; `purged`: how many of them went, or would go, with all that quotes them; `left`: how many are still to go.
    `scrubbed`, `probed` and `remains` say as for a purge whether their bytes are gone."""

    space: str
    due: int
    held: int
    purged: int = 0
    left: int = 0
    scrubbed: bool = False
    probed: int = 0
    remains: tuple[str, ...] = ()
    notes_removed: tuple[str, ...] = ()
    notes_left: tuple[str, ...] = ()
    dry_run: bool = False


@dataclass(frozen=True, slots=True)
class Due:
    """`ids` are to go now, the oldest first; `more` when there is room; `held` must not."""

    ids: tuple[str, ...] = ()
    more: int = 0
    held: int = 0

    @property
    def in_all(self) -> int:
        return len(self.ids) + self.more + self.held


def due(reader: Reader, now: datetime, limit: int | None) -> Due:
    """Whoever may see it. A hold on the whole space holds all of it."""
    everything, policy = reader.all_seeing(), reader.setting(SETTING)
    whole, held = reader.setting(HOLD)["on"], set(everything.on_hold())
    found = list(dict.fromkeys(_over(everything, policy, now)))
    free = [] if whole else [one for one in found if one not in held]
    most = limit or limits.BATCH
    return Due(tuple(free[:most]), len(free[most:]), len(found) - len(free))


def is_due(reader: Reader, thing_id: str, now: datetime) -> bool:
    """Whether it still is, now that nobody else writes."""
    policy, memory = reader.setting(SETTING), reader.memory(thing_id)
    if memory is not None:
        return _memory_is_over(reader, memory, policy, now)
    by_age = _before(policy["after_days"], now)  # a memory may have come to rest on a source since it was found
    return by_age is not None and thing_id in reader.bare_sources(by_age, limits.BATCH)


def _over(reader: Reader, policy: dict[str, Any], now: datetime) -> Iterator[str]:
    by_age = _before(policy["after_days"], now)
    if by_age is not None:
        for memory in _in_order(reader, None):
            if memory.recorded_at >= by_age:
                break
            yield memory.id
        yield from reader.bare_sources(by_age, limits.BATCH)
    if policy["forgotten_after_days"] is not None:
        for memory in _in_order(reader, (State.FORGOTTEN,)):
            if _memory_is_over(reader, memory, policy, now):
                yield memory.id


def _before(days: float | None, now: datetime) -> datetime | None:
    return None if days is None else now - timedelta(days=days)


def _memory_is_over(reader: Reader, memory: Memory, policy: dict[str, Any], now: datetime) -> bool:
    by_age, by_forgetting = _before(policy["after_days"], now), _before(policy["forgotten_after_days"], now)
    if by_age is not None and memory.recorded_at < by_age:
        return True
    if by_forgetting is None or memory.state is not State.FORGOTTEN:
        return False
    marked = [event for event in reader.events(memory.id) if _forgets(event.change)]
    return bool(marked) and marked[-1].at < by_forgetting


def _forgets(change: object) -> bool:
    return isinstance(change, Marked) and change.mark is Mark.FORGOTTEN and change.on


def _in_order(reader: Reader, states: tuple[State, ...] | None) -> Iterator[Memory]:
    """The one recorded first before the others, a few at a time."""
    after: tuple[datetime, str] | None = None
    while True:
        some = reader.memories(MemoryFilter(view=View.ALL, states=states, after=after, limit=_AT_ONCE))
        yield from some
        if len(some) < _AT_ONCE:
            return
        after = some[-1].recorded_at, some[-1].id
