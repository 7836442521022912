"""How much may a space hold? A space's own quota of memories and of bytes, or the one that holds where it has none.

What counts is what is kept: every memory that was not purged, whatever its state, and the words of every source. It is
checked under the write lock, so that no two writers share what is left. Upkeep is not held to it: to make one memory
of many, or to put some away, must be possible just when a space is full.
"""

from __future__ import annotations

from treering.errors import QuotaExceeded
from treering.model.changes import Changes, MemoryAdded, SourceAdded
from treering.store.contract import Reader, Weight
from treering.values import dataclass

SETTING = "quota"
_FREE = frozenset({"consolidate"})
"""Operations that add only to make fewer."""


@dataclass(frozen=True, slots=True)
class Quota:
    """None is no bound."""

    memories: int | None = None
    bytes: int | None = None


NO_QUOTA = Quota()


def weigh(changes: Changes) -> Weight:
    """What these would add. Words that were said want at least one memory, also if it is written only later."""
    sources = [change.source for change in changes if isinstance(change, SourceAdded)]
    memories = sum(isinstance(change, MemoryAdded) for change in changes)
    return Weight(memories, sum(len(one.content.encode()) for one in sources))


class QuotaUsage:
    """Knows what spaces with a quota hold: counted once, and followed as long as nobody else writes there."""

    def __init__(self, default: Quota = NO_QUOTA) -> None:
        self._default = default
        self._held: dict[str, tuple[int, Weight]] = {}

    def must_hold(self, reader: Reader, space: str, changes: Changes) -> Weight | None:
        """What the space will hold, if that had to be known; an error if it may not hold so much."""
        added = weigh(changes)
        if not any(added) or changes.op in _FREE:
            return None
        own = reader.setting(SETTING)
        quota = Quota(own["memories"] or self._default.memories, own["bytes"] or self._default.bytes)
        if quota == NO_QUOTA:
            return None
        held = self._count(reader, space)
        _must_fit(space, "memories", held.memories + max(added.memories, 1), quota.memories)
        _must_fit(space, "bytes", held.bytes + added.bytes, quota.bytes)
        return Weight(held.memories + added.memories, held.bytes + added.bytes)

    def wrote(self, space: str, seq: int, weight: Weight | None) -> None:
        """What was to be held is, from this entry on."""
        if weight is not None:
            self._held[space] = seq, weight

    def _count(self, reader: Reader, space: str) -> Weight:
        seq, weight = self._held.get(space, (None, None))
        if weight is None or seq != reader.head.seq:
            weight = reader.weight()
            self._held[space] = reader.head.seq, weight
        return weight


def _must_fit(space: str, what: str, wanted: int, most: int | None) -> None:
    if most is not None and wanted > most:
        raise QuotaExceeded(
            f"the space {space!r} may hold {most:,} {what}, and this would be more; ask for a larger quota (setting "
            f"{SETTING}.{what}), or purge what is not needed"
        )
