"""Which words join two clauses?"""

from __future__ import annotations

JOINS = frozenset(["and", "but", "so", "because", "while", "or", "plus", "then", "also", "oh", "btw"])
