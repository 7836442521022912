"""How well is a memory retained from the start, if nobody says? By how much it says, of whom, and how.

Long statements, those about many things, and those that say of themselves that they matter are kept longer.
"""

from __future__ import annotations

from treering.language.importance import asks, matters
from treering.model import limits

PLAIN = 1.0
LONG, LONG_CHARS = 0.2, 500
ABOUT_MANY, MANY = 0.3, 5
MATTERS, ASKS = 0.4, 0.05


def strength_of(content: str, entities: int) -> float:
    """From 1 for a short plain statement about nothing in particular to 2."""
    length = LONG * min(1.0, len(content) / LONG_CHARS)
    about = ABOUT_MANY * min(1.0, entities / MANY)
    said = MATTERS * matters(content) + ASKS * asks(content)
    return min(limits.STRENGTH, round(PLAIN + length + about + said, 6))
