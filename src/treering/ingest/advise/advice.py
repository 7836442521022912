"""What is advised on a message? To save it or look something up, to ask first, or to let it be; with the reasons."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from treering.model.value import Value

Decision = Literal["save", "search", "ask", "leave"]


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class SaveAdvice(Value):
    """Whether to remember a message, and as what. `decision`: save it, ask first, or leave it."""

    should_save: bool
    confidence: float
    decision: Decision
    entities: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()
    strength: float = 1.0
    reasons: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class RecallAdvice(Value):
    """Whether to look in memory before answering, and for what. `decision`: search, ask first, or leave it."""

    should_search: bool
    confidence: float
    decision: Decision
    query: str = ""
    entities: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()
    reasons: tuple[str, ...] = ()
