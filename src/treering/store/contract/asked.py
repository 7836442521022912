"""What may a store be asked? Where a read stands, which memories and which edges, and which ways a walk may go."""

from __future__ import annotations

from datetime import datetime

from treering.model.edge import Direction, Link
from treering.model.memory import Kind, State, Tier, View
from treering.values import dataclass


@dataclass(frozen=True, slots=True)
class Scope:
    """Where a read stands. `as_of` none is the present: `now`, or the space's last known time if a clock ran back."""

    space: str
    now: datetime
    as_of: datetime | None = None
    known_at: datetime | None = None
    principal: str | None = None
    children: bool = False


@dataclass(frozen=True, slots=True)
class MemoryFilter:
    """Which memories; every field narrows. `after` is the (recorded_at, id) that the last page ended with."""

    view: View = View.CURRENT
    ids: tuple[str, ...] | None = None
    kinds: tuple[Kind, ...] | None = None
    tags: tuple[str, ...] = ()
    entity_ids: tuple[str, ...] | None = None
    session: str | None = None
    speaker: str | None = None
    source_id: str | None = None
    title: str | None = None
    containing: str | None = None
    words: tuple[str, ...] = ()
    """Each of them stands in it, as written here or in small letters, capitals or with a capital at the start."""
    states: tuple[State, ...] | None = None
    tiers: tuple[Tier, ...] | None = None
    since: datetime | None = None
    until: datetime | None = None
    expires_by: datetime | None = None
    newest_first: bool = False
    after: tuple[datetime, str] | None = None
    limit: int | None = None


def spellings(word: str) -> tuple[str, ...]:
    """The ways to write a word that a `MemoryFilter` takes for the same."""
    return tuple(dict.fromkeys((word, word.lower(), word.capitalize(), word.upper())))


@dataclass(frozen=True, slots=True)
class EdgeFilter:
    """Which edges; every field narrows. Closed and not yet open edges are left out unless `include_closed`."""

    ids: tuple[str, ...] | None = None
    source_ids: tuple[str, ...] | None = None
    target_ids: tuple[str, ...] | None = None
    either_ids: tuple[str, ...] | None = None
    evidence_id: str | None = None
    evidence_ids: tuple[str, ...] | None = None
    relations: tuple[str, ...] | None = None
    facts_only: bool = False
    include_closed: bool = False
    include_forgotten: bool = False
    begins_or_ends: tuple[datetime, datetime] | None = None
    """After the first of these times and not after the second; with `include_closed`."""
    least_confidence: float | None = None
    limit: int | None = None

    @property
    def by_relation_alone(self) -> bool:
        """Whether no edge, end or evidence is named that an index could begin with."""
        named = (self.ids, self.source_ids, self.target_ids, self.either_ids, self.evidence_id, self.evidence_ids)
        return all(one is None for one in named)


@dataclass(frozen=True, slots=True)
class Ways:
    """Which edges a walk may cross, and in which direction. Closed and not yet open ones only if `include_closed`."""

    direction: Direction = Direction.OUT
    relations: tuple[str, ...] | None = None
    include_closed: bool = False

    @property
    def sides(self) -> tuple[tuple[bool, tuple[str, ...] | None], ...]:
        """Along the edges (true), against them (false), or both, each with the relations that lead there. What
        contradicts something is contradicted by it: such edges lead both ways."""
        if self.direction is Direction.BOTH:
            return (True, self.relations), (False, self.relations)
        along = self.direction is Direction.OUT
        mutual = (Link.CONTRADICTS.value,)
        if self.relations is not None and mutual[0] not in self.relations:
            return ((along, self.relations),)
        sides = ((along, self.relations), (not along, mutual))
        return tuple(sorted(sides, key=lambda side: not side[0]))
