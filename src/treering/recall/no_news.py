"""Which clauses are no news of the present? Those that tell what was, what is only wished for, or what was applied for.

"I lived in Boise", "my old dentist was Dr. Weber" and "I want a salary of 80k" leave where somebody lives, who their
dentist is and what they earn as it was. The words decide, English ones; each row has clauses that it reads and clauses
that it leaves.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple

from treering.language.standing import speaks_of_change
from treering.recall.asked_now import TEXTS


class Manner(NamedTuple):
    """A way to speak of what is not so now."""

    pattern: re.Pattern[str]
    reads: tuple[str, ...]
    leaves: tuple[str, ...]


def _manner(pattern: str, reads: tuple[str, ...], leaves: tuple[str, ...]) -> Manner:
    return Manner(re.compile(pattern, re.IGNORECASE), reads, leaves)


_STATES = (
    "lived|worked|resided|paid|drove|owned|played|studied|weighed|earned|used|rented|commuted|attended|dated|liked"
    "|loved|preferred|wore|spoke|taught|belonged|reported|managed|roomed|banked|trained|sang|rode"
)
_NOT_DONE_TO_IT = r"(?! (?:\w+ly )?\w+(?:ed|en)\b)"
"""What was decided or taken was done, and may well be so now."""
_BEFORE_OTHERS = (
    *("have", "has", "been", "be", "is", "are", "am", "get", "gets", "not", "to"),
    *("a", "an", "the", "my", "our", "his", "her", "their"),
)
_BY_ITSELF = "".join(rf"(?<!\b{before} )" for before in _BEFORE_OTHERS)
"""No "have lived", "is owned", "get paid" or "my preferred editor"."""
WAS: tuple[Manner, ...] = (
    _manner(
        rf"{_BY_ITSELF}(?<!'ve )\b(?:{_STATES})\b",
        ("I lived in Boise for a year", "she paid 800 for the flat in Leeds", "we played chess on Friday"),
        (
            "I have lived here for a year",
            "the flat is owned by a bank",
            "they upped me to 75 mg",
            "I get paid on Friday",
            "my preferred editor is Vim",
            "our rented flat is in Hove",
        ),
    ),
    _manner(
        rf"\b(?:was|were)\b{_NOT_DONE_TO_IT}",
        ("my old dentist was Dr. Weber", "our first flat was in Leith"),
        ("the match was moved", "the post was given to Ines", "she has been to Rome"),
    ),
)
WISHED: tuple[Manner, ...] = (
    _manner(
        r"\bwant(?:s|ed)?\b|\b(?:would|'d) (?:like|love|rather)\b|\bwish(?:es|ed)?\b(?! (?:me|us) luck)"
        r"|\b(?:hop(?:es?|ed|ing)|aim(?:s|ed|ing)?)\b|\b(?:my|our|the) (?:goal|dream|ideal)\b",
        ("I want a salary of 80k", "I'd love a flat in Leith", "I'm aiming for 70 kilos", "my dream car is a Saab"),
        ("my salary is 80k", "we got a flat in Leith"),
    ),
    _manner(
        r"\binterview(?:s|ed|ing)?\b|\bappl(?:y|ied|ying|ication)\b|\basked for\b|\bnegotiating\b|\bshortlisted\b"
        r"|\b(?:have|has|got|received|made me|made us) an offer\b|\boffered\b(?! and)",
        ("I got a job interview at Meta", "we applied for a flat in Hove", "Acme offered me a job"),
        ("I accepted an offer from Acme", "I start at Acme on Monday"),
    ),
)


@lru_cache(TEXTS)
def tells_what_was(clause: str) -> bool:
    """It tells how something once was, and of no change."""
    return not speaks_of_change(clause) and _any(WAS, clause)


@lru_cache(TEXTS)
def is_wished_for(clause: str) -> bool:
    return _any(WISHED, clause)


def _any(manners: tuple[Manner, ...], clause: str) -> bool:
    return any(manner.pattern.search(clause) for manner in manners)
