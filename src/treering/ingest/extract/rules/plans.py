"""What is planned? The place or thing that a plan is about: "thinking about doing the Camino next spring"."""

from __future__ import annotations

import re

from treering.ingest.extract.contract import Claim, Stance
from treering.ingest.extract.rules.clauses import IMPLIED
from treering.ingest.extract.rules.denials import has_ended
from treering.ingest.extract.rules.moods import UNREAL, Mood, Spoken
from treering.ingest.extract.rules.phrases import Phrase

_AIMS = re.compile(
    r"(?:going|moving|flying|driving|travelling|traveling|trip|ferry|train|tickets?|\]) (?:over )?to \[n(\d+)\]"
    r"|(?:visit|visiting|considering|doing|do|join|joining|learn|learning|get|getting|buy|buying|try|trying|towards?|to|in|for"
    r"|at) \[n(\d+)\]"
)
_SIGNED_UP = re.compile(r"^\[[in]\d+\] (?:has )?(?:signed up|registered|enrolled|entered) (?:for|in|to) \[[cn](\d+)\]")
_MOVES = re.compile(
    r"^(\[[incp]\d+\]) (?:is |will be )?(?:moving|flying|heading|going|travelling|traveling|relocating) (?:\S+"
    r" )?(?:to )\[n(\d+)\]"
)


_SUBJECT = re.compile(r"^\[[incp](\d+)\]")
_OFF = re.compile(r"\bafter all\b", re.I)
_BYGONE = re.compile(r"\bwas (?:going|about|supposed|planning|meant) to\b")
_EAGER = frozenset(("wait",))  # "can't wait to see Rome"
_NOT_BEFORE = frozenset(("until", "till", "before"))  # "isn't moving until June"


def plan_claims(spoken: Spoken) -> list[Claim]:
    """A plan that is denied, or was one once, is none. One that is said to be off ends; who does not want to go may
    never have planned to."""
    phrase = _aim(spoken) if spoken.mood not in UNREAL and not _BYGONE.search(spoken.line) else None
    if phrase is None:
        return []
    denied = bool(spoken.clause.negations) and not spoken.clause.words & _EAGER
    subject = _planner(spoken)
    if subject == phrase.label or (denied and not _is_off(spoken)):
        return []
    value = phrase.name or phrase.full or phrase.label
    stance = Stance.ENDS if denied else Stance.HOLDS
    sure = 0.5 if spoken.mood in (Mood.GUESSED, Mood.REPORTED) else 1.0
    return [Claim(subject=subject, relation="PLANNED", object=value, stance=stance, confidence=sure)]


def _is_off(spoken: Spoken) -> bool:
    clause = spoken.clause
    if clause.words & _NOT_BEFORE:
        return False
    return has_ended(clause) or bool(_MOVES.match(spoken.line) or _OFF.search(clause.text))


def _planner(spoken: Spoken) -> str:
    """Whose plan it is: of "Emma says Nick is moving" Nick's."""
    said = _SUBJECT.match(spoken.line)
    if spoken.offset and said:
        return spoken.clause.phrase(int(said[1])).label
    return spoken.clause.subject[0].label if spoken.clause.subject else spoken.clause.reading.me


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
