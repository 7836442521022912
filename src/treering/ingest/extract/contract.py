"""What does an extractor promise? From what was said, and what was said before it, to statements that stand alone.

An extractor reads and does not know what is known: resolving names, relating a statement to older ones and writing are
the next steps of the journey. It never changes a word of the source, and what it passes over it names.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Protocol

from treering.errors import InvalidRequest
from treering.model import limits
from treering.model.edge import fact_relation
from treering.model.entity import entity_name
from treering.model.memory import Kind
from treering.model.speaker import THE_OWNER
from treering.model.time import Period, must_be_utc

OWNER = "User"
"""The name of whoever the space belongs to, until it is known."""
WHICHEVER = "whichever it was"
"""What has ended where nobody says its name: "I quit my job" ends the one job that is known."""


@dataclass(frozen=True, slots=True)
class Turn:
    """Something said before. No speaker is the owner of the space."""

    speaker: str | None
    text: str
    at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class Heard:
    """What is to be read, as it was said: `before` is what was said before it in the session, oldest first. `owner` is
    the owner's name, once known. `beside`: who else was heard in the session, earlier or in the same call."""

    text: str
    at: datetime
    speaker: str | None = None
    before: tuple[Turn, ...] = ()
    owner: str | None = None
    beside: frozenset[str | None] = frozenset()

    @property
    def first_person(self) -> str:
        """Who says I."""
        if self.speaker is None or self.speaker.casefold() in THE_OWNER:
            return self.owner or OWNER
        return self.speaker

    @property
    def company(self) -> frozenset[str | None]:
        """Whose words are heard in the session."""
        return self.beside | {turn.speaker for turn in self.before}


class Stance(StrEnum):
    """What a claim says of its fact."""

    HOLDS = "holds"  # is so, from valid_from until valid_until where they are said
    ENDS = "ends"  # was so, and is not from valid_from on: "I left Google in May"
    NEVER = "never"  # is not so, and what was said before of it was wrong: "it's A negative, not A positive"


class Cue(StrEnum):
    """Words by which a statement says that it takes the place of an older one."""

    CHANGE = "change"  # now, no longer, switched to, moved, as of today, the new one is
    CORRECTION = "correction"  # actually, I meant, wait, not X but Y, scratch that


@dataclass(frozen=True, slots=True, kw_only=True)
class Claim:
    """A fact that a statement states or denies. `instead_of` is the value whose place it takes, where that is said:
    "from Sublime Text to Zed". What is only planned, supposed, joked, doubted or said by somebody else is no claim."""

    subject: str
    relation: str
    object: str
    stance: Stance = Stance.HOLDS
    valid_from: datetime | None = None
    valid_until: datetime | None = None
    instead_of: str | None = None
    confidence: float = 1.0

    def __post_init__(self) -> None:
        entity_name(self.subject, "subject")
        entity_name(self.object, "object")
        object.__setattr__(self, "relation", fact_relation(self.relation))
        Period(self.valid_from, self.valid_until)
        limits.number(self.confidence, "confidence")


@dataclass(frozen=True, slots=True)
class Mentioned:
    """Something named. `role` tells it from another of the same name, where words say so: "Anna from choir" has the
    role choir, "my dentist Anna" dentist."""

    name: str
    kind: str | None = None
    role: str | None = None

    def __post_init__(self) -> None:
        entity_name(self.name, "entities")
        limits.text_or_none(self.kind, "kind", limits.KIND_CHARS)


@dataclass(frozen=True, slots=True, kw_only=True)
class Extracted:
    """One statement that stands alone: it becomes one memory. `span` is where in the text it was said."""

    content: str
    span: tuple[int, int]
    kind: Kind = Kind.SEMANTIC
    event_time: datetime | None = None
    event_end: datetime | None = None
    expires_at: datetime | None = None
    importance: float = 0.6
    confidence: float = 1.0
    entities: tuple[Mentioned, ...] = ()
    claims: tuple[Claim, ...] = ()
    cue: Cue | None = None
    clause: bool = False
    """It is told by itself too, beside the statement before it in whose words it stands: it brings nothing new."""

    def __post_init__(self) -> None:
        limits.text(self.content, "content", limits.CONTENT_CHARS, least=1)
        limits.number(self.importance, "importance")
        limits.number(self.confidence, "confidence")
        for name in ("event_time", "event_end", "expires_at"):
            if getattr(self, name) is not None:
                must_be_utc(getattr(self, name), name)
        if self.event_end is not None and (self.event_time is None or self.event_end < self.event_time):
            raise InvalidRequest("event_end: needs an event_time before it, that it ends")
        start, end = self.span
        if not 0 <= start <= end:
            raise InvalidRequest(f"span: [{start}, {end}) is not a stretch of the text")


@dataclass(frozen=True, slots=True)
class PassedOver:
    """A stretch that makes no memory, and why: a greeting, thanks."""

    span: tuple[int, int]
    why: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Extraction:
    """What was made of one text. `extractor` is who did it in the end, and `trouble` why it was not the one asked.
    Every stretch of the text is in a statement or passed over: what is not small talk stays findable."""

    extracted: tuple[Extracted, ...]
    passed_over: tuple[PassedOver, ...] = ()
    extractor: str
    trouble: str | None = None


class Extractor(Protocol):
    name: str

    def extract(self, heard: Sequence[Heard]) -> list[Extraction]:
        """One extraction a text, in order. The texts are read each with its own `before`."""
