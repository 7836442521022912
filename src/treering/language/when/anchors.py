"""Which events does a text tell the time by? "before I moved to Austin", "since the wedding", "while I was at Google".

Only the relation and the words that name the event are found here, with their places; when it happened is for recall to
look up. What names a time outright ("before 2020") is a window and no anchor.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import UTC, datetime
from enum import Enum
from typing import Any

from treering.language.when.reader import when


class AnchorRelation(Enum):
    BEFORE = "before"
    AFTER = "after"
    SINCE = "since"
    UNTIL = "until"
    DURING = "during"


@dataclass(frozen=True, slots=True)
class Anchor:
    """A time told by an event: its relation to it, the words of the event, and where they stand."""

    relation: AnchorRelation
    text: str
    span: tuple[int, int]
    cue_span: tuple[int, int]

    def to_dict(self) -> dict[str, Any]:
        return {
            "relation": self.relation.value,
            "text": self.text,
            "span": list(self.span),
            "cue_span": list(self.cue_span),
        }

    def __repr__(self) -> str:
        return f"Anchor({self.relation.value}, {self.text!r}, span={self.span})"


_CUES = {
    cue: relation
    for relation, cues in (
        (AnchorRelation.BEFORE, "before, prior to, right before, just before, by the time"),
        (AnchorRelation.AFTER, "after, right after, just after, shortly after, once, as soon as"),
        (AnchorRelation.SINCE, "since, ever since"),
        (AnchorRelation.UNTIL, "until, till"),
        (AnchorRelation.DURING, "during, while, when, at the time of, around the time"),
    )
    for cue in cues.split(", ")
}
_SUBJECT = r"(?:I|we|you|he|she|they|it|my|our|your|his|her|their|its|the|that|this|[A-Z][\w'\u2019-]*|\w+ing)"
_CUE = re.compile(
    r"\b(" + "|".join(sorted(map(re.escape, _CUES), key=len, reverse=True)) + r")\s+(?=" + _SUBJECT + r"\b)",
    re.IGNORECASE,
)
_NEEDS_SUBJECT = re.compile(_SUBJECT)
_CLAUSE_END = re.compile(
    r"[.!?;,:\n\"()]|\s(?:and|but|so|because|before|after|since|until|while|when|or)\s|\s[-\u2013\u2014]\s"
)
_LONGEST_CLAUSE = 200
_ASKS = re.compile(r"\s*(?:did|do|does|is|are|was|were|will|would|can|could|should|have|has|had)\b", re.IGNORECASE)
_ANY_MOMENT = datetime(2000, 1, 1, tzinfo=UTC)


def anchors(text: str) -> list[Anchor]:
    """The events that `text` tells the time by, in its order; none where it names no event."""
    found = []
    for cue in _CUE.finditer(text):
        start = cue.end()
        if not _NEEDS_SUBJECT.match(text, start):
            continue
        clause = _clause(text, start)
        if not clause or _is_question(text, cue) or _names_a_time(cue.group() + clause, len(cue.group())):
            continue
        relation = _CUES[" ".join(cue.group(1).lower().split())]
        found.append(Anchor(relation, clause, (start, start + len(clause)), cue.span(1)))
    return found


def _clause(text: str, start: int) -> str:
    limit = min(len(text), start + _LONGEST_CLAUSE)
    end = _CLAUSE_END.search(text, start, limit)
    return text[start : end.start() if end else limit].rstrip()


def _is_question(text: str, cue: re.Match[str]) -> bool:
    """ "When did I move?" asks for a time, and tells none."""
    return cue.group(1).lower() == "when" and _ASKS.match(text, cue.end()) is not None


def _names_a_time(said: str, cue_length: int) -> bool:
    """ "before the summer", "since the first week of May": the window begins with the cue, or right after it."""
    windows = when(said, _ANY_MOMENT)
    return bool(windows) and windows[0].span[0] <= cue_length
