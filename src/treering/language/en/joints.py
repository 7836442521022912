"""Which words join two clauses, and which make one lean on the other?"""

from __future__ import annotations

JOINS = frozenset(["and", "but", "so", "because", "while", "or", "plus", "then", "also", "oh", "btw"])
LEANS = frozenset(
    word
    for words in (
        "although as because if like since than that though till unless until what when where whereas whether which",
        "while who whom whose why",
    )
    for word in words.split()
)
"""What begins with one of these says nothing without the clause before it."""
