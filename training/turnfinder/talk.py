"""The common form of all that is learned from: conversations, and questions with the turns that answer them.

Names of speakers stand as marks (`mark(0)`, `mark(1)` …) in turns and questions: names are drawn when trained.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

MARK = re.compile("\x01([0-8])\x02")
USER, ASSISTANT = "user", "assistant"


def mark(speaker: int) -> str:
    return f"\x01{speaker}\x02"


@dataclass(slots=True)
class Turn:
    """`speaker`: a number for one whose name is drawn, a word for one who keeps it, none for a page."""

    text: str
    speaker: int | str | None = None
    key: str = ""  # what it says, where several conversations say the like: their turns are no negatives


@dataclass(slots=True)
class Asked:
    text: str
    answers: list[int]  # every turn that is evidence
    beside: list[int] = field(default_factory=list)  # near enough to be no negatives either
    span: str = ""  # the part of the first answer that says it, word for word
    key: str = ""


@dataclass(slots=True)
class Talk:
    source: str
    turns: list[Turn]
    asked: list[Asked] = field(default_factory=list)
    held: bool = False
