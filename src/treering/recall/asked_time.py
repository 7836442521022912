"""Which times does a question mean, and how much? The windows it names, each with a weight."""

from __future__ import annotations

import re
from collections.abc import Iterable
from datetime import datetime

from treering.language.when import when
from treering.language.when.window import Window
from treering.values import dataclass

HALF_MEANT = 0.5
_LEANING = re.compile(
    r"\b(?:last|this|next|past|coming|upcoming|ago|recent\w*|lately|current\w*|now\w*|today|yesterday|tomorrow|tonight"
    r"|other day|these days)\b",
    re.IGNORECASE,
)
_CALENDAR = re.compile(
    r"\b(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\b|\b(?:1[89]|20)\d\d\b", re.IGNORECASE
)
_BORDER = re.compile(
    r"\b(?:before|after|by|until|till|since|as of|starting|from|following)\s+(?:on\s+|in\s+)?(.+)$", re.IGNORECASE
)


@dataclass(frozen=True, slots=True)
class AskedWindow:
    """A window that the question names, and how much it counts."""

    window: Window
    weight: float


def stretches(windows: Iterable[Window], asked_at: datetime) -> tuple[AskedWindow, ...]:
    """A time named by the calendar counts in full. One that leans on the present ("last week") counts less, since a
    question often repeats it from what was said, and so does one with an open end; of that ("before 3 August") the day
    itself counts too: what came before a day is often told on it."""
    found = []
    for window in windows:
        leaning = _LEANING.search(window.text) and not _CALENDAR.search(window.text)
        closed = window.start is not None and window.end is not None
        found.append(AskedWindow(window, 1.0 if closed and not leaning else HALF_MEANT))
        border = _BORDER.search(window.text)
        if border and not leaning:
            found += [AskedWindow(one, 1.0) for one in when(f"It was on {border.group(1)}", asked_at)]
    return tuple(found)
