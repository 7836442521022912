"""What is commonly known by which name? Lists of names by kind, one a line, beside this file.

They say what a word may be; what it is in a sentence is for `names` to decide.
"""

from __future__ import annotations


def capitalised(word: str) -> str | None:
    return None
