"""How alike are two texts, word for word? From 0, nothing in common, to 1, the same words in the same order."""

from __future__ import annotations

import re
from collections import Counter
from itertools import pairwise

_WORD = re.compile(r"\w+")


def likeness(one: str, other: str) -> float:
    """The share of words and pairs of neighbours that both have, whichever says more."""
    mine, yours = _WORD.findall(one.casefold()), _WORD.findall(other.casefold())
    if mine == yours:
        return 1.0 if mine else float(one == other)
    return min(0.999, max(_shared(mine, yours), _shared(_pairs(mine), _pairs(yours))))


def _pairs(words: list[str]) -> list[str]:
    return [" ".join(two) for two in pairwise(words)]


def _shared(mine: list[str], yours: list[str]) -> float:
    both = sum((Counter(mine) & Counter(yours)).values())
    return 2 * both / (len(mine) + len(yours)) if both else 0.0
