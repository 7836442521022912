"""What is to be remembered, before it has ids and times? A draft: the caller's words and wishes, checked."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from treering.errors import InvalidRequest, LimitExceeded
from treering.model import limits
from treering.model.entity import entity_name
from treering.model.fact import Statement
from treering.model.memory import Kind, Tier, Visibility
from treering.model.source import SourceKind


@dataclass(frozen=True, slots=True)
class DraftEntity:
    name: str
    kind: str | None = None

    def __post_init__(self) -> None:
        entity_name(self.name, "entities")
        limits.text_or_none(self.kind, "kind", limits.KIND_CHARS)

    @classmethod
    def read(cls, given: object) -> DraftEntity:
        """From a name, or an object with name and kind."""
        match given:
            case DraftEntity():
                return given
            case str():
                return cls(given)
            case Mapping() if given.keys() <= {"name", "kind"} and "name" in given:
                return cls(**given)
        raise InvalidRequest(f"entities: {given!r} is neither a name nor an object with name and kind")


@dataclass(frozen=True, slots=True, kw_only=True)
class Draft:
    content: str
    kind: Kind = Kind.SEMANTIC
    title: str | None = None
    context: str | None = None
    tags: Sequence[str] = ()
    meta: Mapping[str, Any] | None = None
    importance: float = 0.6
    confidence: float = 1.0
    strength: float | None = None
    """By what it says, if none."""
    tier: Tier = Tier.MID
    event_time: datetime | None = None
    event_end: datetime | None = None
    expires_at: datetime | None = None
    at: datetime | None = None
    speaker: str | None = None
    session: str | None = None
    key: str | None = None
    source_kind: SourceKind = SourceKind.NOTE
    entities: Sequence[DraftEntity] = ()
    triples: Sequence[Statement] = ()
    derived_from: Sequence[str] = ()
    """Memories that it was drawn from."""
    observed_by: str | None = None
    visibility: Visibility = Visibility.SPACE
    visible_to: Sequence[str] = ()

    def __post_init__(self) -> None:
        for name, most in (
            ("entities", limits.ENTITIES_OF_A_MEMORY),
            ("triples", limits.TRIPLES_OF_A_MEMORY),
            ("derived_from", limits.ORIGINS),
        ):
            given = len(getattr(self, name))
            if given > most:
                raise LimitExceeded(f"{name}: {given:,} given; a memory takes at most {most:,}")
