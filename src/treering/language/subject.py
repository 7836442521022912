"""What is a clause said of, and whose is it? The words before the verb, and who owns what, read without a parse.

"My gas bill went up" is said of the gas bill, "moved to Bergen" of nobody else than who says it. English, and by the
look of the words: it is asked of every pair of hits, and a parse takes milliseconds.
"""

from __future__ import annotations

import re
from functools import lru_cache

from treering.language.words import words

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
_BEGINS_A_SENTENCE = re.compile(rf"(?:i|we|he|she|it|they|onto|into|to|at|in)\b|{_A_VERB_FIRST}", re.IGNORECASE)
_INNER = re.compile(r"\b(?:means|so that|meaning)\b", re.IGNORECASE)
STANDS_FOR_IT = frozenset(
    {"i", "we", "he", "she", "it", "they", "you", "that", "this", "there", "mine", "ours", "who", "user", "user's"}
    | {"someone", "everybody", "everyone", "everything"}
)
"""Said of these, it is said of what is spoken of anyway."""
OF_ANY = frozenset(words("all every new user first other only one more day time date price cost fee number name size"))
"""Such a word in what it is said of makes it no other thing: the newsletter, and the newsletter day."""
_OWNER = re.compile(
    r"\b([\w-]+)(?:'s|s'|\u2019s)"
    r" (?!(?:on|in|at|off|out|all|now|back|not|the|an?|been|going|gone|to|with|still|my|our)\b)((?:[\w-]+ ?){1,3})"
)
_SHORT_FOR_IS = frozenset(
    {"it", "that", "he", "she", "what", "who", "where", "there", "here", "let", "how", "one", "everyone", "everything"}
)


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


@lru_cache(TEXTS)
def leaves_out_i(clause: str) -> bool:
    """It begins with what was done: "wearing grandpa's watch", "moved to Bergen"."""
    return not said_of(clause) and _BEGINS_WITH_A_VERB.match(_LEADS.sub("", clause.strip())) is not None


@lru_cache(TEXTS)
def is_a_sentence(clause: str) -> bool:
    """It has a verb, or goes on with one: "Sunna" in "he hired a designer, Sunna" is none."""
    return bool(said_of(clause)) or _BEGINS_A_SENTENCE.match(_LEADS.sub("", clause.strip())) is not None


@lru_cache(TEXTS)
def owners(clause: str) -> tuple[tuple[str, str], ...]:
    """Who owns what in it, each as written, with a few words behind it: (Pia, desk is next)."""
    found = _OWNER.findall(clause) if "'" in clause or "\u2019" in clause else []
    return tuple((owner, owned.strip()) for owner, owned in found if owner.lower() not in _SHORT_FOR_IS)
