"""What do the words of a statement say of known facts? That a value is denied, a name given, something changed.

They serve the facts that are sure. What a statement does to another memory is the judge's to say (`near`).
"""

from __future__ import annotations

import re

ONE_THING_WORDS = 32
"""A statement of more words says more than one thing."""
_NAMES_IT = re.compile(r"\b(?:called|named|names?)\b", re.IGNORECASE)
_HAS_CHANGED = re.compile(
    r"\b(?:now|nowadays|these days|moved|relocated|switched|joined|started|became|since|no longer|any ?more|left"
    r"|quit)\b",
    re.IGNORECASE,
)


def names_it(text: str) -> bool:
    """Whether it says how something is called: of names there is one at a time."""
    return _NAMES_IT.search(text) is not None


def says_it_has_changed(text: str) -> bool:
    """Whether what held before held until then: "actually, I'm at Hatch now"."""
    return _HAS_CHANGED.search(text) is not None


def denies_value(text: str, value: str) -> bool:
    """Whether it says of this very value that it is not the one: "blues, not jazz"."""
    said = re.escape(value).replace(r"\ ", r"\s+")
    denied = rf"\bnot\s+(?:(?:an?|the|my|in|on|at|to|with|from|by)\s+)*{said}(?!\w)"
    return re.search(denied, text, re.IGNORECASE) is not None


def says_much(text: str) -> bool:
    return len(text.split()) > ONE_THING_WORDS
