"""When has a question to do with anything known? When the best that was found reaches the floor.

How near a question comes to what answers it, and to what does not, is a matter of who reads: each embedder has its own
scale, and a floor fitted to it (`docs/concepts/recall.md`).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Protocol

from treering.language.small_talk import small_talk
from treering.recall.fuse import Fused
from treering.recall.question import Question
from treering.recall.search import Search
from treering.recall.temporal import asks_only_when
from treering.values import dataclass


class SpaceFinding(Protocol):
    """What one space has to say to the question."""

    @property
    def search(self) -> Search: ...

    @property
    def fused(self) -> Fused: ...


@dataclass(frozen=True, slots=True)
class Bar:
    """The more memories there are, the nearer the nearest comes by chance."""

    least: float
    grows: float

    def among(self, memories: int) -> float:
        return self.least + self.grows * math.log(memories)


@dataclass(frozen=True, slots=True)
class Bars:
    floor: Bar
    """What the best must reach in relevance for the question to have to do with anything known."""
    sure: Bar
    """Below this it is in doubt, and little is answered."""


USUAL = Bars(floor=Bar(1.3, 0.14), sure=Bar(1.4, 0.18))
FITTED = {"turnfinder-2": Bars(floor=Bar(1.6, 0.18), sure=Bar(1.8, 0.22))}


def floor(search: Search) -> float:
    return _bars(search).floor.among(search.candidates)


def passes_floor(question: Question, found: Sequence[SpaceFinding]) -> bool:
    return _related(question, found, floor)


def asks_nothing(question: Question, found: Sequence[SpaceFinding]) -> bool:
    """Whether it is a greeting, thanks and the like, in words that stand in nothing known."""
    if small_talk(question.text) is None:
        return False
    own = (one.fused.features.get("own") for one in found)
    return not any(words is not None and words.any() for words in own)


def is_sure(question: Question, found: Sequence[SpaceFinding]) -> bool:
    return _related(question, found, _sure)


def stands_out(found: Sequence[SpaceFinding]) -> bool:
    """Whether the best is beyond doubt by its relevance alone: a name that is known, or a question for nothing but a
    time, leaves it in doubt whether anything answers."""
    return _reached(found, _sure)


def _sure(search: Search) -> float:
    return _bars(search).sure.among(search.candidates)


def _bars(search: Search) -> Bars:
    return FITTED.get(search.index.embedder or "", USUAL)


def _related(question: Question, found: Sequence[SpaceFinding], least: Callable[[Search], float]) -> bool:
    """Whether anything that may be an answer reaches `least`. A question that asks for nothing but a time, or for all
    that the filters leave, has no words by which to be irrelevant."""
    asked = (question, *(one.search.question for one in found))
    if any(asks_only_when(one) for one in asked) or any(one.search.lists for one in found):
        return True
    if any(one.fused.reached.found_by_name() for one in found):
        return True
    return _reached(found, least)


def _reached(found: Sequence[SpaceFinding], least: Callable[[Search], float]) -> bool:
    return any(float(one.fused.relevance.max()) >= least(one.search) for one in found if len(one.fused.pool))
