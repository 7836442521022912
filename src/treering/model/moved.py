"""What comes from another memory? Its memories with their state, its links and its entities, by the ids they had there.

Plain values: who read them out of which file is the business of `exchange`, how they are stored that of `ingest`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from datetime import datetime
from typing import Any

from treering.model.fact import Statement
from treering.model.memory import Kind, Tier, Visibility
from treering.model.value import Value
from treering.values import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class MovedMemory:
    """`uses` counts all of them; `reviews` and `cross_domains` are among these. `archived`, `promoted` and `forgotten`
    say why it was put away, promoted or hidden, if it was. `triples`: the facts that rest on it. `space`: where it
    belongs, if it says so."""

    id: str
    content: str
    said_at: datetime
    kind: Kind = Kind.SEMANTIC
    title: str | None = None
    context: str | None = None
    tags: tuple[str, ...] = ()
    entities: tuple[str, ...] = ()
    triples: tuple[Statement, ...] = ()
    meta: Mapping[str, Any] = field(default_factory=dict)
    importance: float | None = None
    confidence: float | None = None
    strength: float | None = None
    tier: Tier | None = None
    visibility: Visibility = Visibility.SPACE
    event_time: datetime | None = None
    expires_at: datetime | None = None
    observed_by: str | None = None
    last_used: datetime | None = None
    uses: int = 0
    reviews: int = 0
    cross_domains: int = 0
    archived: str | None = None
    promoted: str | None = None
    forgotten: str | None = None
    space: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class MovedLink:
    """From one memory to another, by their ids there. `id` is its own, where it has one."""

    source_id: str
    target_id: str
    relation: str
    id: str | None = None
    strength: float = 1.0
    valid_from: datetime | None = None
    valid_until: datetime | None = None
    observed_by: str | None = None
    meta: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class MovedEntity:
    name: str
    aliases: tuple[str, ...] = ()
    kind: str | None = None
    space: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class MovedRecords:
    """All that was read. `left_out`: what could not be, with the reason."""

    system: str
    memories: tuple[MovedMemory, ...] = ()
    links: tuple[MovedLink, ...] = ()
    entities: tuple[MovedEntity, ...] = ()
    left_out: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class MovedIn(Value):
    """What was taken over. `known` were here already, from an earlier time, and are as they were."""

    system: str
    spaces: tuple[str, ...]
    memories: int
    known: int
    links: int
    archived: int
    promoted: int
    forgotten: int = 0
    entities: int = 0
    masked: dict[str, int] = field(default_factory=dict)
    """Secrets by kind."""
    left_out: dict[str, str]
    dry_run: bool = False
