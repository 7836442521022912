"""Do the words themselves say that something matters? The ways in which people mark what is to be kept."""

from __future__ import annotations

import re

_MATTERS = re.compile(
    r"\b(important(ly)?|critical(ly)?|crucial(ly)?|essential|vital|urgent|key (point|decision|fact)|remember|"
    r"don(\u2019|')?t forget|do not forget|never forget|keep in mind|bear in mind|note that|decided|decision|"
    r"(top|high) priority)\b",
    re.IGNORECASE,
)
_ASKS = re.compile(r"[?？؟][\s\"'”’)\]]*$")  # noqa: RUF001  other scripts ask with their own


def matters(text: str) -> bool:
    return _MATTERS.search(text) is not None


def asks(text: str) -> bool:
    """Whether it ends as a question."""
    return _ASKS.search(text) is not None
