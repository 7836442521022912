"""What does a reader promise? A message in, and the statements it makes out: where each stands, and what it says.

A reader knows nothing of what is remembered and works out no times: spans are stretches of the text as it was given.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Protocol

Span = tuple[int, int]


class FactMood(StrEnum):
    """How a statement says its fact."""

    SO = "so"
    BECAME = "became"
    ENDED = "ended"
    HAPPENED = "happened"
    PAST = "past"
    PLAN = "plan"
    WISH = "wish"
    HYPOTHETICAL = "hypothetical"
    QUESTION = "question"
    DENIED = "denied"
    HEARSAY = "hearsay"
    JOKE = "joke"
    TEMPORARY = "temporary"
    INSTRUCTION = "instruction"
    CANCELLED = "cancelled"
    ASIDE = "aside"  # it names a value without a claim about it


@dataclass(frozen=True, slots=True)
class Piece:
    """A stretch of a message. `parts`: where its value (v), former value (old), subject (s) and time (when) stand."""

    span: Span
    worth: float
    """How sure it is that it says something, and is not only talk."""
    mood: FactMood
    mood_score: float
    relation: str
    """By the table of relations; OTHER for one that is not in it."""
    relation_score: float
    kind: str
    lasts: float
    importance: float
    parts: Mapping[str, Span] = field(default_factory=dict)
    kinds: Mapping[str, float] = field(default_factory=dict)
    """How sure it is of each kind."""


@dataclass(frozen=True, slots=True)
class ReadName:
    span: Span
    kind: str


@dataclass(frozen=True, slots=True)
class ReadMessage:
    """A message as it was read: its pieces in order, and the names in it."""

    pieces: tuple[Piece, ...]
    names: tuple[ReadName, ...] = ()


class Place(StrEnum):
    """Where a name stands that a reader points to."""

    NOWHERE = "nowhere"
    SPEAKER = "speaker"  # it is whoever speaks
    TURN = "turn"
    BEFORE = "before"


@dataclass(frozen=True, slots=True)
class FoundFact:
    """A value in a message, with its relation and how it is meant. `subject`: of what it is said, in the text that
    `place` names."""

    value: Span
    value_score: float
    relation: str
    """One of the table's or of those that authors have named often; OTHER for any other."""
    relation_score: float
    mood: FactMood
    mood_score: float
    place: Place
    subject: Span
    subject_score: float


@dataclass(frozen=True, slots=True)
class AssertedFact:
    """A fact that somebody claims a message to state, in words of the message or of what was said before it."""

    subject: str
    relation: str
    value: str


class MessageReader(Protocol):
    @property
    def name(self) -> str: ...

    def read(self, text: str, speaker: str, before: str = "") -> ReadMessage:
        """`before`: the turn before, led by its speaker."""
        ...

    def facts(self, text: str, speaker: str, before: str = "") -> tuple[FoundFact, ...]:
        """The values that it names, in order; `before` as in `read`."""
        ...

    def beliefs(self, text: str, speaker: str, before: str, claims: Sequence[AssertedFact]) -> list[float]:
        """How far the words bear out each claim, as log odds; 0 where its value is not among them."""
        ...


OpensReader = Callable[[], MessageReader]
"""One that is opened when it is first asked."""
