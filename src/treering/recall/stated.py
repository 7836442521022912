"""What does a memory state, as it is weighed against others? Its words by clauses, whom it is about, how near it is."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property

from treering.language.standing import stated
from treering.language.values import topic
from treering.language.words import words
from treering.model.edge import Edge
from treering.recall.index.columns import Numbers

SURE = 0.5
"""What is less certain than this takes nothing's place."""
ONE_THING_WORDS = 32
"""A statement of more words says more than one thing."""
_A_REQUEST = re.compile(r"^[^:]{1,60} asked: ")


@dataclass(frozen=True)
class Statement:
    """A memory that may be a hit. `since` is from when it holds, or when it was said if it speaks of what is to come;
    `near` is how near it is to the question."""

    id: str
    text: str
    said: str
    since: datetime
    said_at: datetime
    near: float
    is_to_come: bool = False
    turn: str = ""
    """All that was said with it."""
    speaker: str | None = None
    confidence: float = 1.0
    names: frozenset[str] = frozenset()
    """Stems of the names of people that it mentions."""
    entities: frozenset[str] = frozenset()
    facts: tuple[Edge, ...] = ()
    vector: Numbers | None = None

    def likeness(self, other: Statement) -> float:
        """Of meaning, or of words where nobody has read them."""
        if self.vector is not None and other.vector is not None:
            return float(self.vector @ other.vector)
        both = len(self.topic & other.topic)
        return both / max(min(len(self.topic), len(other.topic)), 1)

    @cached_property
    def clauses(self) -> tuple[str, ...]:
        """What it says as so; what was asked is none."""
        return () if _A_REQUEST.search(self.said) else stated(self.text)

    @cached_property
    def says_one_thing(self) -> bool:
        """It states something, for certain, and not much more besides."""
        return self.confidence >= SURE and len(self.text.split()) <= ONE_THING_WORDS and bool(self.clauses)

    @cached_property
    def about(self) -> frozenset[str]:
        """The stems of whom and what it speaks of: who says I is one of them."""
        return self.stems | frozenset(words(self.speaker or ""))

    @cached_property
    def states(self) -> str:
        return ", ".join(self.clauses)

    @cached_property
    def topic(self) -> frozenset[str]:
        return topic(self.text)

    @cached_property
    def stems(self) -> frozenset[str]:
        return frozenset(words(self.text))

    @cached_property
    def around(self) -> tuple[str, ...]:
        """What was stated in the same breath."""
        return stated(self.turn)
