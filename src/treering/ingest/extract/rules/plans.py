"""What is planned? The place or thing that a plan is about: "thinking about doing the Camino next spring"."""

from __future__ import annotations

import re

from treering.ingest.extract.contract import Claim
from treering.ingest.extract.rules.clauses import IMPLIED
from treering.ingest.extract.rules.moods import Mood, Spoken
from treering.ingest.extract.rules.phrases import Phrase

_AIMS = re.compile(
    r"(?:going|moving|flying|driving|travelling|traveling|trip|ferry|train|tickets?|\]) (?:over )?to \[n(\d+)\]"
    r"|(?:visit|visiting|considering|doing|do|learn|learning|get|getting|buy|buying|try|trying|towards?|to|in|for"
    r"|at) \[n(\d+)\]"
)
_SIGNED_UP = re.compile(r"^\[[in]\d+\] (?:has )?(?:signed up|registered|enrolled|entered) (?:for|in|to) \[[cn](\d+)\]")
_MOVES = re.compile(
    r"^(\[[incp]\d+\]) (?:is |will be )?(?:moving|flying|heading|going|travelling|traveling|relocating) (?:\S+"
    r" )?(?:to )\[n(\d+)\]"
)


def plan_claims(spoken: Spoken) -> list[Claim]:
    phrase = _aim(spoken)
    if phrase is None:
        return []
    subject = spoken.clause.subject[0].label if spoken.clause.subject else spoken.clause.reading.me
    if subject == phrase.label:
        return []
    value = phrase.name or phrase.full or phrase.label
    sure = 1.0 if spoken.mood is not Mood.GUESSED else 0.5
    return [Claim(subject=subject, relation="PLANNED", object=value, confidence=sure)]


def _aim(spoken: Spoken) -> Phrase | None:
    signed = _SIGNED_UP.match(spoken.line)
    if signed:
        return spoken.clause.phrase(int(signed[1]))
    moves = _MOVES.match(spoken.line)
    if moves:
        return _place(spoken, int(moves[2]))
    if spoken.mood is not Mood.PLANNED and not (spoken.mood is Mood.GUESSED and "will" in spoken.line):
        return None
    best: Phrase | None = None
    for found in _AIMS.finditer(spoken.line):
        phrase = _place(spoken, int(found[1] or found[2]))
        if phrase is not None:
            best = phrase if best is None or (phrase.kind == "place" and best.kind != "place") else best
    return best


def _place(spoken: Spoken, number: int) -> Phrase | None:
    if number == IMPLIED:
        return None
    phrase = spoken.clause.phrase(number)
    return None if phrase.kind == "person" else phrase
