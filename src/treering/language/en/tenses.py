"""Is it a question, and does it speak of a time gone by, or of one to come? By its first word and its auxiliaries."""

from __future__ import annotations

import re

_ANOTHER_TIME = re.compile(
    r"\b(?:did|was|were|had|used to|would)\b|\bwho [a-z-]+ed\b"
    r"|\b(?:has|have) (?:[\w']+ ){1,4}?[\w-]+(?:ed|en|ne|wn)\b",
    re.IGNORECASE,
)


def of_another_time(question: str) -> bool:
    return _ANOTHER_TIME.search(question) is not None


_ASKS = re.compile(
    r"\W*(?:and |so |but |ok,? |hey,? )*(?:who|whom|whose|what|when|where|which|how|why|is|are|am|was|were|do|does"
    r"|did|can|could|has|have|had|will|would|should|tell me)\b",
    re.IGNORECASE,
)


def asks(text: str) -> bool:
    """Whether it is put as a question."""
    return "?" in text or _ASKS.match(text) is not None
