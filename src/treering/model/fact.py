"""How does a caller state a fact? Subject, relation and object, by name or id, with the window it claims."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields
from datetime import datetime
from typing import Any

from treering.errors import InvalidRequest
from treering.model import limits
from treering.model.edge import fact_relation
from treering.model.entity import entity_name
from treering.model.time import Period, beginning, utc_or_none
from treering.values import dataclass


@dataclass(frozen=True, slots=True)
class Statement:
    """`valid_from` may be told as the word `unknown`, where nobody knows since when it holds."""

    subject: str
    relation: str
    object: str
    valid_from: datetime | None = None
    valid_until: datetime | None = None
    confidence: float = 1.0
    memory_id: str | None = None

    def __post_init__(self) -> None:
        entity_name(self.subject, "subject")
        entity_name(self.object, "object")
        object.__setattr__(self, "relation", fact_relation(self.relation))
        object.__setattr__(self, "valid_from", beginning(self.valid_from))
        object.__setattr__(self, "valid_until", utc_or_none(self.valid_until, "valid_until"))
        Period(self.valid_from, self.valid_until)
        limits.number(self.confidence, "confidence")

    @classmethod
    def read(cls, given: Any) -> Statement:
        """From [subject, relation, object], or an object with these and more."""
        known = [one.name for one in fields(cls)]
        match given:
            case Statement():
                return given
            case [subject, relation, object_]:
                return cls(subject, relation, object_)
            case Mapping() if set(known[:3]) <= given.keys() <= set(known):
                return cls(**given)
        raise InvalidRequest(
            f"{given!r} is not a fact; write [subject, relation, object], or an object with {', '.join(known)}"
        )
