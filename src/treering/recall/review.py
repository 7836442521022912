"""Which memories that fade should be seen again? Some that have to do with the question, in place of the last hits.

How much a memory wants to be seen is for the caller to say: recall knows nothing of fading.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from treering.language.tokens import tokens_of
from treering.model import limits
from treering.model.memory import Memory
from treering.recall.answer import Answer, Hit
from treering.values import dataclass

LOOKED_AT = 3
"""So many times the hits asked for are looked at: what comes after has too little to do with the question."""


@dataclass(frozen=True, slots=True)
class Review:
    """At most `share` of the hits, by how much each wants to be seen: from 0, not at all, to 1."""

    share: float
    wanted: Callable[[Memory], float]


def widened(limit: int) -> int:
    return min(limits.HITS, limit * LOOKED_AT)


def blended(answer: Answer, limit: int, review: Review) -> Answer:
    """From an answer with more hits than asked for. The best stay, in order; those to be seen again are marked, and
    come last."""
    wanted = [(review.wanted(hit.memory), place, hit) for place, hit in enumerate(answer.hits[limit:])]
    wanted = sorted((one for one in wanted if one[0] > 0), key=lambda one: (-one[0], one[1]))
    again = [replace(hit, review=True) for _, _, hit in wanted[: int(limit * review.share)]]
    hits: tuple[Hit, ...] = (*answer.hits[: limit - len(again)], *again)
    return replace(answer, hits=hits, tokens=sum(tokens_of(hit.memory.content) for hit in hits))
