"""What does it promise, who judges what was said? Verdicts on two statements, and the role of one for a question.

The journeys know this page and no concrete judge. Statements are given as they were said, led by who said them:
"Ana: I moved to Oslo".
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol


class Verdict(StrEnum):
    """What a later statement does to an earlier one."""

    NONE = "none"
    REPLACES = "replaces"  # gives another value where there is one at a time
    ENDS = "ends"  # says that it is over, or not so
    SAME = "same"  # says it again
    ADDS = "adds"  # one more of its kind; both stand
    CONTRADICTS = "contradicts"  # cannot both be so, and nothing says which holds


class AnswerRole(StrEnum):
    """What a statement is for a question, in view of the others that were found for it."""

    NONE = "none"  # it does not answer it: another matter, somebody else's, a plan, a rumour
    NOW = "now"  # it answers it as things stand, or says that there is no answer any more
    OVER = "over"  # it once answered it, and no longer does


class Asking(StrEnum):
    """What a question is about."""

    NOW = "now"
    PAST = "past"
    WHEN = "when"
    TALK = "talk"  # none about what was told


@dataclass(frozen=True, slots=True)
class Pair:
    """Two statements, the earlier first. `question`: where it matters for a question only. `before`: the turn before
    the newer one."""

    older: str
    newer: str
    question: str = ""
    before: str = ""


@dataclass(frozen=True, slots=True)
class FoundStatement:
    """One of those that were found for a question. `stretches`: parts of its text that are hits of their own, by their
    characters."""

    text: str
    stretches: tuple[tuple[int, int], ...] = ()


@dataclass(frozen=True, slots=True)
class Judged:
    """The likeliest verdict with its score, and the score of each. Scores are rounded, so that they are the same on
    every machine that is tested."""

    verdict: Verdict
    score: float
    scores: tuple[tuple[Verdict, float], ...] = ()
    by: str = ""
    """Who judged, where that is not the judge that was asked."""

    def of(self, *verdicts: Verdict) -> float:
        return round(sum(score for verdict, score in self.scores if verdict in verdicts), 3)


@dataclass(frozen=True, slots=True)
class Roled:
    """`stretches`: how far each stretch that was asked about says what the statement is for the question."""

    role: AnswerRole
    score: float
    scores: tuple[tuple[AnswerRole, float], ...] = ()
    stretches: tuple[float, ...] = ()

    def of(self, *roles: AnswerRole) -> float:
        return round(sum(score for role, score in self.scores if role in roles), 3)


class Judge(Protocol):
    """Reads pairs and questions. Any string is accepted; what lies beyond its reach is not read. Several threads may
    ask at once. The same pair gets the same verdict, whatever stands beside it in the call; the same list gets the same
    roles."""

    @property
    def name(self) -> str:
        """Kept with every verdict."""
        ...

    def judge(self, pairs: Sequence[Pair]) -> list[Judged]: ...

    def roles(self, question: str, statements: Sequence[FoundStatement]) -> list[Roled]:
        """Of statements in the order in which they were said. They are read together: what one of them is may hang on
        those after it. A judge that does not read stretches leaves them out."""
        ...

    def asking(self, question: str) -> Asking: ...


ONE_TURN = 280
"""Characters: a turn that is longer says more than one thing, and is read by the words of each statement."""


def spoken(speaker: str | None, words: str) -> str:
    """A statement as a judge reads it."""
    return f"{speaker or 'User'}: {words}"
