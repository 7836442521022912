"""Until when does somebody stand in for another? "Until you're back" ends on the day until which the other is away.

Only what was said before in the same conversation tells that day. Where nobody said it, the end is not known, and what
was said stands.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from treering.ingest.extract.contract import OWNER, Claim, Heard, Stance
from treering.ingest.extract.rules.clauses import Clause
from treering.ingest.extract.rules.reading import TextReading
from treering.ingest.extract.rules.times import PASSING_WORDS, told_in_past
from treering.language.standing import stated
from treering.language.when import when
from treering.language.words import words

_AWAY = (
    r"(?:on (?:\w+ )?(?:vacation|holidays?|leave|sabbatical|pto)|out(?: of (?:the )?(?:office|town))?|ooo|away|off"
    r"|abroad|gone|travell?ing|(?:in|at) (?-i:[A-Z])\w+)"
)
_IS = r"(?:'s|'re|'m|\u2019s|\u2019re|\u2019m|m(?<=\bim)| is| are| am| will be|'ll be)"
_UNTIL_BACK = re.compile(
    rf"\b(?:until|till|til|while|as long as) (?P<who>(?:(?:my|our|the) )?[\w-]+?)(?:{_IS}| gets?| comes?| has| have)?"
    rf" ?\b(?:back|home|returns?|returned|{_AWAY})\b",
    re.IGNORECASE,
)
"""until you're back, till Sana returns, while she's away"""
_IS_AWAY = re.compile(
    rf"(?:(?P<who>(?:(?:my|our|the) )?[\w-]+?){_IS}|^)(?: (?:still|already|now|just))? ?\b{_AWAY}\b",
    re.IGNORECASE,
)
"""I'm on vacation, Marit is on leave, out of office"""
_UNTIL = re.compile(r"(?:until|till|til|'til)\b", re.IGNORECASE)
_I, _YOU = frozenset({"i", "im", "we"}), "you"
_STANDS_FOR = frozenset({"he", "she", "they"})


@dataclass(frozen=True, slots=True)
class Away:
    who: str
    until: datetime


def until_back(read: TextReading, clauses: Sequence[Clause]) -> datetime | None:
    """The end of the day until which whoever these clauses wait for is away, where it is still to come. A long
    statement says more than that, and stays."""
    if sum(len(clause.text.split()) for clause in clauses) > PASSING_WORDS:
        return None
    for clause in clauses:
        found = _UNTIL_BACK.search(clause.text)
        if found is None or told_in_past(clause):
            continue
        who = _whom(read, clause.span[0] + found.start("who"), found["who"])
        for away in _told_before(read.heard):
            if away.until > read.at and (who is None or _is(away.who, who)):
                return away.until
    return None


def while_away(clause: Clause, claims: list[Claim]) -> list[Claim]:
    """What the clause claims, until then."""
    until = until_back(clause.reading, [clause]) if claims else None
    if until is None:
        return claims
    return [replace(one, valid_until=until) if _holds_open(one) else one for one in claims]


def _holds_open(claim: Claim) -> bool:
    return claim.stance is Stance.HOLDS and claim.valid_from is None and claim.valid_until is None


def _whom(read: TextReading, start: int, said: str) -> str | None:
    """By name; none where nothing says whom a pronoun means."""
    low = said.lower()
    if low in _I:
        return read.me
    if low == _YOU:
        others = (_name(read.heard, turn.speaker) for turn in reversed(read.heard.before))
        return next((one for one in others if one != read.me), said)
    if low in _STANDS_FOR:
        return next((one.text for (at, _), one in read.stand_ins.items() if at == start), None)
    return said


def _told_before(heard: Heard) -> Iterator[Away]:
    """Who was said to be away and until when, the latest first."""
    turns = [(_name(heard, turn.speaker), turn.text, turn.at) for turn in heard.before]
    for speaker, text, at in reversed([*turns, (heard.first_person, heard.text, heard.at)]):
        for clause in stated(text):
            away, ends = _IS_AWAY.search(clause), [one.end for one in when(clause, at) if _UNTIL.match(one.text)]
            if away and ends and ends[0] is not None:
                who = away["who"]
                yield Away(speaker if who is None or who.lower() in _I else who, ends[0])


def _name(heard: Heard, speaker: str | None) -> str:
    return (heard.owner or OWNER) if speaker is None or speaker.casefold() in ("user", "human") else speaker


def _is(one: str, other: str) -> bool:
    """ "Marit" is Marit Olsen."""
    return not set(words(one)).isdisjoint(words(other))
