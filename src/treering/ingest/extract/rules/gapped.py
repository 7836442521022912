"""Does a clause leave out its verb? "We have Hulu for the kids, plus Mubi for me": what was said before goes on.

Each is had for something else, and may go while the other stays. So each is a clause, and the second takes over whose
it is and the verb: "we have Mubi for me".
"""

from __future__ import annotations

import re

from treering.ingest.extract.rules.lexicon import APOSTROPHE, words
from treering.ingest.extract.rules.reading import TextReading

JOINTS = words("and, plus, &") | {","}
_ARTICLES = words("a, an, the, my, our, his, her, their")
_HAVING = words(
    """
    have, has, 've, got, use, uses, own, owns, take, takes, keep, keeps, wear, wears, ride, rides, drive, drives
    """
)
_TO = words("subscribe, subscribes, subscribed")
"""Of what is said with these verbs there may be several at once, and each may end by itself."""
_TOLD = frozenset(("VBP", "VBZ", "VBN", "VBD", "VB"))
_BEFORE_IT = words(
    "and, but, so, ok, okay, well, btw, fyi, also, still, both, just, currently, now, today, have, has, 've"
)
"""What may stand before the verb beside who it is said of: after "if" or "I think" it is not told as so."""
_HEAD = re.compile(r"(?:\[[a-z]\d+\](?: and \[[a-z]\d+\])*) (?:[a-z']+ ){1,3}(?=\[[a-z]\d+\] for\b)")
"""Who, and the verb, in the line of a clause that something of the kind follows."""


def goes_on(reading: TextReading, begin: int, joint: int, end: int) -> bool:
    """Whether behind the `joint` of a clause that begins at `begin` comes another thing that is had for something."""
    second = _past_articles(reading, joint, end)
    told = _is_for_something(reading, second, end) and _has_something(reading, begin, joint)
    return told and _low(reading, end - 1) != "?"


def left_over(line: str) -> int:
    """Where in the line of a clause the first thing that is had begins; 0 if it is no such clause."""
    found = _HEAD.match(line)
    return found.end() if found else 0


def _has_something(reading: TextReading, begin: int, joint: int) -> bool:
    """Before the joint a thing is had for something, and that is told as so."""
    for k in range(begin + 1, joint):
        if _low(reading, k) == "for" and (k - 1) in reading.phrase_at:
            verb = reading.phrases[reading.phrase_at[k - 1]].start - 1
            while verb > begin and _low(reading, verb) in _ARTICLES:
                verb -= 1
            return verb >= begin and _is_having(reading, verb, begin)
    return False


def _is_having(reading: TextReading, verb: int, begin: int) -> bool:
    if _low(reading, verb) == "to":
        verb -= 1
        known = _low(reading, verb) in _TO
    else:
        known = _low(reading, verb) in _HAVING
    before = (k for k in range(begin, verb) if k not in reading.phrase_at and not reading.words[k].is_punct)
    return known and reading.tags[verb] in _TOLD and all(_low(reading, k) in _BEFORE_IT for k in before)


def _past_articles(reading: TextReading, joint: int, end: int) -> int:
    i = joint
    while i < end and i not in reading.phrase_at and _low(reading, i) in JOINTS | _ARTICLES:
        i += 1
    return i


def _is_for_something(reading: TextReading, i: int, end: int) -> bool:
    """A thing, and what it is for."""
    if i not in reading.phrase_at or reading.phrases[reading.phrase_at[i]].sort not in "nc":
        return False
    after = reading.phrases[reading.phrase_at[i]].end
    return after + 1 < end and _low(reading, after) == "for"


def _low(reading: TextReading, i: int) -> str:
    return reading.words[i].lower_.replace(APOSTROPHE, "'")
