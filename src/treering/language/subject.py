"""What is a clause said of, and whose is it? The words before the verb, and who owns what, read without a parse.

"My gas bill went up" is said of the gas bill, "moved to Bergen" of nobody else than who says it. English, and by the
look of the words: it is asked of every pair of hits, and a parse takes milliseconds.
"""

from __future__ import annotations

import re
from functools import lru_cache

TEXTS = 4_096
_LEADS = re.compile(
    r"^(?:(?:so|and|but|because|since|as|when|while|ok|okay|well|update|news|fyi|btw|finally|oh|anyway|after all"
    r"|these days|nowadays|currently|today|now)\b[ ,:]*)+",
    re.IGNORECASE,
)
_TELLER = re.compile(r"^(?:my |the |our )?[\w-]+ (?:says|said|told (?:me|us)|thinks|reckons) (?:that )?", re.IGNORECASE)
_VERB = (
    r" (?:is|are|am|was|were|has|have|had|got|gets?|go(?:es)?|went|will|can|do|does|did|came|ran|took|takes?|put|makes?"
    r"|made|gave|gives|means?|meets?|said|says|let|won|lost|left|cut|hit|sits?|costs?|pays?|lives?|runs?|works?|plays?"
    r"|owns?|leads?|heads?|handles?|keeps?|uses?|drives?|starts?|belongs|comes?|needs?|wears?|sleeps?|reads?|opens?"
    r"|closes?)\b| (?!named|called)[a-z]{3,}ed\b"
    r"| [a-z]{3,}(?<!s)s (?:the|an?|my|our|me|us|at|in|on|to|for|with|from|after|every|about)\b"
)
_BEFORE_A_VERB = re.compile(rf"((?:[\w'\u2019.-]+ ){{0,4}}?[\w'\u2019.-]+?)(?={_VERB})", re.IGNORECASE)
_SHORTENED = re.compile(r"((?:[\w\u2019.-]+ ){0,3}?[\w\u2019.-]+?)'(?:s|re|m|ve|ll|d)\b", re.IGNORECASE)
_A_VERB_FIRST = (
    r"(?:got|had|went|took|made|gave|put|let|lost|left|found|bought|sold|kept|paid|saw|came|[\w-]+(?:ed|ing|ly))\b"
)
_BEGINS_WITH_A_VERB = re.compile(_A_VERB_FIRST, re.IGNORECASE)
_INNER = re.compile(r"\b(?:means|so that|meaning)\b", re.IGNORECASE)


@lru_cache(TEXTS)
def said_of(clause: str) -> str:
    """The words before the verb; none where it has no such words, as in "moved to Bergen"."""
    told = _TELLER.sub("", _LEADS.sub("", _INNER.split(clause)[-1].strip()))
    whole, short = _BEFORE_A_VERB.match(told), _SHORTENED.match(told)
    if _BEGINS_WITH_A_VERB.match(told) and not (whole and whole[1].endswith("ing")):
        return ""
    if whole and short and "'" not in whole[1]:
        return min(whole[1], short[1], key=len)
    return whole[1] if whole else short[1] if short else ""
