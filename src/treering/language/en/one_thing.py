"""How much does a statement say? One of many words, or one that lists or joins, says more than one thing."""

from __future__ import annotations

import re

MOST_WORDS = 12
_JOINED = re.compile(r"[,;:!?(+&/\u2013\u2014]|\. |\b(?:and|but|with|while|plus)\b", re.IGNORECASE)
_LEAD = re.compile(r"^[^:,;.!?\n]{1,60}: ")
"""Who says it."""


def says_one_thing(text: str) -> bool:
    said = _LEAD.sub("", text)
    return len(said.split()) <= MOST_WORDS and not _JOINED.search(said)


def things_said(text: str) -> int:
    """About how many; who says them is none of them."""
    said = _LEAD.sub("", text)
    return 1 + len(_JOINED.findall(said)) + len(said.split()) // (MOST_WORDS + 1)
