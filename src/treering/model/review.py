"""What waits for somebody to decide? One item: the memories it is about, why, and the change that is proposed.

An item is made by an upkeep agent or by hand, claimed by one worker at a time, and ends applied or dismissed. Every
step of its life is made here, from one frozen value to the next; a store only keeps the value.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping
from dataclasses import field, replace
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Any

from treering.errors import Conflict
from treering.model import limits
from treering.model.codec import canonical
from treering.model.time import to_text
from treering.model.value import Value
from treering.values import dataclass


class ReviewKind(StrEnum):
    DECAY = "decay"
    CLUSTER = "cluster"
    MERGE = "merge"
    PROMOTE = "promote"
    RELATIONS = "relations"
    SAME_ENTITY = "same_entity"
    CONTRADICTION = "contradiction"
    STALE = "stale"


class Urgency(StrEnum):
    """The most urgent first."""

    HIGH = "high"
    MEDIUM = "medium"
    LOW = "low"

    @property
    def rank(self) -> int:
        return list(Urgency).index(self)


class ReviewStatus(StrEnum):
    OPEN = "open"
    CLAIMED = "claimed"
    APPLIED = "applied"
    DISMISSED = "dismissed"
    CLOSED = "closed"  # by hand: dealt with in some other way

    @property
    def is_end(self) -> bool:
        return self not in (ReviewStatus.OPEN, ReviewStatus.CLAIMED)


def key_of(kind: ReviewKind, action: str, memory_ids: Iterable[str], entity_ids: Iterable[str]) -> str:
    said = [kind.value, action, sorted(memory_ids), sorted(entity_ids)]
    return hashlib.sha256(canonical(said).encode()).hexdigest()


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class ReviewItem(Value):
    """`memory_ids` and `entity_ids` are what it is about: only who may see all of them sees the item. `proposal` names
    an operation and what it is to be given; none leaves it to whoever decides."""

    id: str
    space: str
    kind: ReviewKind
    urgency: Urgency = Urgency.MEDIUM
    memory_ids: tuple[str, ...] = ()
    entity_ids: tuple[str, ...] = ()
    action: str
    proposal: Mapping[str, Any] = field(default_factory=dict)
    reason: str = ""
    status: ReviewStatus = ReviewStatus.OPEN
    made_by: str
    created_at: datetime
    updated_at: datetime
    worker: str | None = None
    lease_until: datetime | None = None
    note: str | None = None
    """What who ended it had to say."""
    seq: int | None = None
    """The journal entry by which it was applied; `undo` takes it."""

    def __post_init__(self) -> None:
        limits.names(self.memory_ids, "memory_ids", limits.REVIEWED)
        limits.names(self.entity_ids, "entity_ids", limits.REVIEWED)
        limits.text(self.action, "action", limits.NAME_CHARS, least=1)
        limits.text(self.reason, "reason", limits.WHY_CHARS)
        limits.text_or_none(self.note, "note", limits.WHY_CHARS)
        limits.meta(self.proposal, "proposal")

    @property
    def key(self) -> str:
        """The same for the same question: while one is open, or was dismissed, it is not put again."""
        return key_of(self.kind, self.action, self.memory_ids, self.entity_ids)

    @property
    def concerns(self) -> tuple[str, ...]:
        return (*self.memory_ids, *self.entity_ids)

    @property
    def ended(self) -> bool:
        return self.status.is_end

    def is_free(self, now: datetime) -> bool:
        """To be claimed: open, or claimed by somebody whose time has run out."""
        if self.status is ReviewStatus.CLAIMED:
            return self.lease_until is None or self.lease_until <= now
        return self.status is ReviewStatus.OPEN

    # the steps

    def claimed(self, worker: str, now: datetime, lease_seconds: float) -> ReviewItem:
        if not self.is_free(now) and not (self.status is ReviewStatus.CLAIMED and self.worker == worker):
            raise Conflict(f"id: {self._standing()}; take another")
        until = now + timedelta(seconds=lease_seconds)
        return replace(self, status=ReviewStatus.CLAIMED, worker=worker, lease_until=until, updated_at=now)

    def released(self, now: datetime) -> ReviewItem:
        """Anybody's again."""
        return replace(self, status=ReviewStatus.OPEN, worker=None, lease_until=None, updated_at=now)

    def reopened(self, now: datetime) -> ReviewItem:
        """To be decided anew; one that waits stays as it is."""
        if not self.ended:
            return self
        return replace(
            self, status=ReviewStatus.OPEN, worker=None, lease_until=None, note=None, seq=None, updated_at=now
        )

    def ended_as(
        self, status: ReviewStatus, worker: str, now: datetime, note: str | None = None, seq: int | None = None
    ) -> ReviewItem:
        """By who claimed it, or by anybody if nobody has."""
        if self.ended:
            raise Conflict(f"id: {self._standing()}")
        if not self.is_free(now) and self.worker != worker:
            raise Conflict(f"id: {self._standing()}; wait, or let them end it")
        return replace(self, status=status, worker=worker, lease_until=None, note=note, seq=seq, updated_at=now)

    def _standing(self) -> str:
        if self.ended:
            return f"review item {self.id} is {self.status} already, since {to_text(self.updated_at)}"
        until = "" if self.lease_until is None else f" until {to_text(self.lease_until)}"
        return f"review item {self.id} is claimed by {self.worker}{until}"
