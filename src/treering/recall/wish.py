"""What does the caller want of an answer? A question with every wish about it."""

from __future__ import annotations

from dataclasses import field
from enum import StrEnum

from treering.recall.fuse import WEIGHTS, Weights
from treering.store.contract import MemoryFilter
from treering.values import dataclass

FEW = 10
"""Who wants no more hits than so many wants answers; who wants more wants to look around."""


class Looking(StrEnum):
    """Which states a question looks at. `auto` is the present, unless the question is about the past."""

    AUTO = "auto"
    CURRENT = "current"
    HISTORY = "history"


@dataclass(frozen=True, slots=True, kw_only=True)
class Wish:
    """A question with everything the caller wants of the answer."""

    query: str
    limit: int = 10
    view: Looking = Looking.AUTO
    which: MemoryFilter = field(default_factory=MemoryFilter)
    entities: tuple[str, ...] | None = None
    min_score: float | None = None
    recency_bias: float | None = None
    diversify: float = 0.0
    include_source: bool = True
    explain: bool = False
    budget_tokens: int | None = None
    neighbours: int = 0
    skip: frozenset[str] = frozenset()
    rerank: bool = True
    """Lets a reranker have its say, where one is set up."""
    judged: bool = True
    """Lets a judge read the best hits, where one is set up."""
    only_answers: bool = False
    """Wants answers, however many hits there is room for."""
    weights: Weights = WEIGHTS

    @property
    def few(self) -> bool:
        return self.only_answers or self.limit <= FEW
