"""What does a memory state, as it is weighed against others? Its words by clauses, whom it is about, how near it is."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import datetime

from treering.language.standing import only_for_a_while, speaks_of_change, stated
from treering.language.values import topic
from treering.language.words import words
from treering.model.edge import Edge
from treering.recall.index.columns import Numbers
from treering.recall.once import once

SURE = 0.5
"""What is less certain than this takes nothing's place."""
ONE_THING_WORDS = 32
"""A statement of more words says more than one thing."""
ONE_BREATH = 30
"""In a turn of no more words all belongs together."""
_NOT_IT = re.compile(r"\bnot (?:(?:the|an?|my|our) )?[\w-]+", re.IGNORECASE)
_LASTS = re.compile(
    r"\buntil further notice\b|\bfor (?:an?|the|\w+) \w+ now\b|\bfor the (?:day|night)\b", re.IGNORECASE
)
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
    holds: tuple[Edge, ...] = ()
    """Those of the facts that hold at the moment."""
    vector: Numbers | None = None

    def likeness(self, other: Statement) -> float:
        """Of meaning, or of words where nobody has read them."""
        if self.vector is not None and other.vector is not None:
            return float(self.vector @ other.vector)
        both = len(self.topic & other.topic)
        return both / max(min(len(self.topic), len(other.topic)), 1)

    @once
    def clauses(self) -> tuple[str, ...]:
        """What it says as so; what was asked is none."""
        return () if _A_REQUEST.search(self.said) else stated(self.text)

    @once
    def says_one_thing(self) -> bool:
        """It states something, for certain, and not much more besides."""
        return self.confidence >= SURE and self.length <= ONE_THING_WORDS and bool(self.clauses)

    @once
    def length(self) -> int:
        """In words."""
        return len(self.text.split())

    @once
    def about(self) -> frozenset[str]:
        """The stems of whom and what it speaks of: who says I is one of them."""
        return self.stems | self.teller

    @once
    def teller(self) -> frozenset[str]:
        """The stems of the name of who says it."""
        return frozenset(words(self.speaker or ""))

    @once
    def states(self) -> str:
        return ", ".join(self.clauses)

    @once
    def topic(self) -> frozenset[str]:
        return topic(self.text)

    @once
    def stems(self) -> frozenset[str]:
        return frozenset(words(self.text))

    @once
    def held(self) -> frozenset[str]:
        """Its words, and those of what was said in one breath with it; not those of which it says no."""
        breath = ", ".join(self.around) if len(self.turn.split()) <= ONE_BREATH else ""
        return frozenset((*words(_NOT_IT.sub(" ", breath)), *words(_NOT_IT.sub(" ", self.states))))

    @once
    def speaks_of_change(self) -> bool:
        return any(speaks_of_change(one) for one in (*self.clauses, *self.around))

    @once
    def is_for_a_while(self) -> bool:
        return only_for_a_while(_LASTS.sub(" ", self.states))

    @once
    def around(self) -> tuple[str, ...]:
        """What was stated in the same breath."""
        return stated(self.turn)
