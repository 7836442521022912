"""Does a question speak of what is, of a time gone by, or of what may be? By its auxiliaries."""

from __future__ import annotations

import re

_ANOTHER_TIME = re.compile(
    r"\b(?:did|was|were|had|used to|would)\b|\bwho [a-z-]+ed\b"
    r"|\b(?:has|have) (?:[\w']+ ){1,4}?[\w-]+(?:ed|en|ne|wn)\b",
    re.IGNORECASE,
)
_MAY_BE = re.compile(r"\b(?:could|should|will|can|might|may)\b", re.IGNORECASE)


def of_another_time(question: str) -> bool:
    return _ANOTHER_TIME.search(question) is not None


def of_now(question: str) -> bool:
    return not of_another_time(question) and _MAY_BE.search(question) is None
