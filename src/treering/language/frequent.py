"""By which words is a text known to be in a language? Each language gives its own lists."""

from __future__ import annotations

import re
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Frequent:
    common: frozenset[str]
    """They count, and prove nothing: English has them too, or has them in names ("Las Vegas")."""
    telling: frozenset[str] = frozenset()
    """Nobody writes them in English: one of them is needed, or a sign, or two plain words."""
    plain: frozenset[str] = frozenset()
    """Small words. Two of them, written small and with no English word beside them, are enough."""
    signs: re.Pattern[str] | None = None
    """What else tells: letters, endings of words, words that stand together. Each place counts as a word."""
