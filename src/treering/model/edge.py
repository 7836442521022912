"""How are two things related, and when? Typed, directed, time-bounded edges in three families.

The relation's name decides the family, and with it what the ends must be: a fact joins two entities, a mention a
memory to an entity, a link two memories.
"""

from __future__ import annotations

import re
from datetime import datetime
from enum import StrEnum

from treering.errors import InvalidRequest
from treering.model import limits
from treering.model.identity import Attestation
from treering.model.meta import EMPTY, Meta
from treering.model.space import space_name
from treering.model.time import Period, must_be_utc
from treering.model.value import Value
from treering.relations import known_facts
from treering.values import dataclass

MENTION = "about_entity"
LIKELY, CERTAIN = 0.5, 0.6
"""A fact that is less likely contradicts nothing; one that is less certain ends nothing, and is not what a question
asks for."""


class Family(StrEnum):
    FACT = "fact"
    MENTION = "mention"
    LINK = "link"


class Link(StrEnum):
    """The closed set of relations between memories, each read from source to target."""

    RELATED_TO = "related_to"
    SUPERSEDES = "supersedes"  # new → old
    CONTRADICTS = "contradicts"  # newer → older, walked both ways
    DERIVED_FROM = "derived_from"  # derived → origin
    EXTENDS = "extends"  # new → old
    CAUSES = "causes"
    SUPPORTS = "supports"
    HAS_DECISION = "has_decision"


class Direction(StrEnum):
    """Which way a walk crosses edges: along them, against them, or both."""

    OUT = "out"
    IN = "in"
    BOTH = "both"


_LINK_SPELLINGS = {
    "updates": Link.SUPERSEDES,
    "consolidated_from": Link.DERIVED_FROM,
    "related": Link.RELATED_TO,
}
_FACT = re.compile(r"[A-Z][A-Z0-9]*(_[A-Z0-9]+)*")
_NOT_A_WORD = re.compile(r"[^A-Za-z0-9]+")

KNOWN_FACTS = known_facts()


def link_relation(value: object) -> Link:
    word = str(value).strip().lower()
    if word in _LINK_SPELLINGS:
        return _LINK_SPELLINGS[word]
    try:
        return Link(word)
    except ValueError:
        raise InvalidRequest(
            f"relation: {value!r} is not a link between memories; there are {', '.join(Link)} "
            f"(also: {', '.join(_LINK_SPELLINGS)})"
        ) from None


def fact_relation(value: object) -> str:
    """A fact relation in its one spelling: 'works for' and 'works_for' are WORKS_FOR."""
    given = limits.text(value, "relation", limits.RELATION_CHARS, least=1)
    name = _NOT_A_WORD.sub("_", given).strip("_").upper()
    if not given.isascii() or not _FACT.fullmatch(name):
        raise InvalidRequest(f"relation: {given!r} cannot be written as UPPER_SNAKE; name it such as WORKS_FOR")
    return name


def any_relation(value: object) -> str:
    """A relation of whatever family, in its one spelling."""
    word = str(value).strip().lower()
    if word == MENTION:
        return MENTION
    if word in _LINK_SPELLINGS or word in set(Link):
        return link_relation(word).value
    return fact_relation(value)


_LINKS = frozenset(Link)


def family_of(relation: str) -> Family:
    if relation == MENTION:
        return Family.MENTION
    if relation in _LINKS:
        return Family.LINK
    if _FACT.fullmatch(relation):
        return Family.FACT
    raise InvalidRequest(
        f"relation: {relation!r} is neither UPPER_SNAKE (a fact), {MENTION}, nor a link ({', '.join(Link)})"
    )


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Edge(Value):
    """`rule` names what made the edge, `memory_id` is its evidence. On an edge that was read, `valid_until` is the
    end believed at the moment of reading, `closed_by` names the rule that set it if it is not as written, and
    `attestation` says how far it is vouched for."""

    id: str
    space: str
    source_id: str
    target_id: str
    relation: str
    confidence: float = 1.0
    strength: float = 1.0
    valid_from: datetime
    valid_until: datetime | None = None
    recorded_at: datetime
    forgotten_at: datetime | None = None
    memory_id: str | None = None
    observed_by: str | None = None
    rule: str | None = None
    why: str | None = None
    closed_by: str | None = None
    closed_why: str | None = None
    closed_evidence: str | None = None
    signature: str | None = None
    attestation: Attestation = Attestation.UNSIGNED
    meta: Meta = EMPTY

    def __post_init__(self) -> None:
        limits.uuid(self.id, "edge id")
        limits.uuid(self.source_id, "source_id")
        limits.uuid(self.target_id, "target_id")
        space_name(self.space)
        family_of(self.relation)
        limits.text(self.relation, "relation", limits.RELATION_CHARS)
        limits.number(self.confidence, "confidence")
        limits.number(self.strength, "strength")
        must_be_utc(self.recorded_at, "recorded_at")
        must_be_utc(self.valid_from, "valid_from")
        _ = self.period
        if self.memory_id is not None:
            limits.uuid(self.memory_id, "memory_id")
        limits.text_or_none(self.observed_by, "observed_by", limits.NAME_CHARS)
        limits.text_or_none(self.rule, "rule", limits.NAME_CHARS)
        limits.text_or_none(self.why, "why", limits.WHY_CHARS)
        if type(self.meta) is not Meta:
            object.__setattr__(self, "meta", limits.meta(self.meta))

    @property
    def family(self) -> Family:
        return family_of(self.relation)

    @property
    def period(self) -> Period:
        return Period(self.valid_from, self.valid_until)
