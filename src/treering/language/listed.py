"""How are lists of words written? In one text, with spaces between them."""

from __future__ import annotations


def listed(words: str) -> frozenset[str]:
    return frozenset(words.split())
